"""The providers of models that this server knows. A new one is a room beside `anthropic` and an entry here.

The choice of a provider, `draftsmith doctor` and what the API tells of it are derived from the entry. Settings cannot
see it: a provider has the fields `<name>_api_key`, `<name>_base_url`, `<name>_model`, `<name>_ask_model` and those of
its options there, and its name in `ProviderChoice`.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from draftsmith.adapters.anthropic.provider import ANTHROPIC, BEDROCK, VERTEX
from draftsmith.adapters.google.provider import GOOGLE
from draftsmith.adapters.openai.provider import AZURE, OPENAI
from draftsmith.assistant.model_provider import ModelProvider

MODEL_PROVIDERS: Final[tuple[ModelProvider, ...]] = (ANTHROPIC, OPENAI, AZURE, GOOGLE, BEDROCK, VERTEX)
"""In the order in which `auto` takes the first that can be asked."""


def is_installed(provider: ModelProvider) -> bool:
    """Whether its SDK is there; nothing but the package around it is imported."""
    try:
        return find_spec(provider.package) is not None
    except ModuleNotFoundError:
        return False
