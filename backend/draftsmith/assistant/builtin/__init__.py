"""Commands in fixed English sentences, without a model: the same sentence on the same diagram always does the same."""

from draftsmith.assistant.builtin.completion import compiling, complete
from draftsmith.assistant.builtin.planning import Plan, plan
from draftsmith.assistant.builtin.provider import BuiltinProvider

__all__ = ["BuiltinProvider", "Plan", "compiling", "complete", "plan"]
