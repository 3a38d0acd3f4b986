"""What is said where no form fits at all: the forms there are, and where undo is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from draftsmith.assistant.builtin.forms import Form
from draftsmith.assistant.builtin.grammar import forms_for
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.assistant.builtin.template import Gap

_SHOWN: Final = (
    "add", "put_between", "connect", "disconnect", "label_connection", "rename", "change_type", "replace", "remove",
    "group", "move_in", "lay_out", "add_section", "change_text", "add_bullet", "callers", "dependents", "paths",
    "impact",     "unconnected", "check", "list", "count", "describe", "show_section",
)  # fmt: skip
_HELP = re.compile(
    r"help(?: me)?|commands|what (?:can|could) (?:you|i|we) (?:do|say|ask|write|type)(?: here)?"
    r"|(?:what|which) (?:commands|sentences|forms)(?: .*)?|what do you (?:know|understand|do)"
    r"|how does (?:this|it) work|how do i (?:use|start|begin)(?: .*)?",
    re.IGNORECASE,
)
_UNDO = re.compile(
    r"(?:how (?:do|can|could) (?:i|we|you) )?(?:(?:undo|redo|revert|roll ?back)(?: \S+){0,5}"
    r"|(?:take|roll) (?:it|that|this) back|go back)",
    re.IGNORECASE,
)
_TIDY = re.compile(
    r"(?:tidy|clean|lay ?out|arrange|auto ?layout)(?: up)?(?: (?:it|this|everything|all|the (?:diagram|layout)))?"
    r"(?: (?:up|out))?|lay (?:it|this|everything) out",
    re.IGNORECASE,
)


def known_forms(*, may_edit: bool) -> str:
    """The forms in short, with … for what is filled in."""
    shown = {form.key: form for form in forms_for(may_edit=may_edit)}
    return in_short([shown[key] for key in _SHOWN if key in shown])


def in_short(forms: Sequence[Form]) -> str:
    """Forms as they are written, with … for what is filled in."""
    plain = ("".join("…" if isinstance(part, Gap) else part for part in form.variants[0]) for form in forms)
    return "; ".join(dict.fromkeys(plain))


def without_form(clause: str, *, may_edit: bool) -> Unclear | None:
    """The answer to a sentence that has no form but a plain meaning: help, undo, tidy; None for any other.

    It is a refusal like others, for it does nothing: kinds `help`, `undo`, `read_only` and `unknown`.
    """
    plain = " ".join(clause.strip(" \t\n.!?,;").split())
    plain = re.sub(r"^(?:please|can you|could you)\s|\splease$", "", plain, flags=re.IGNORECASE)
    if _HELP.fullmatch(plain):
        return Unclear("help", f"Built-in commands understand these forms: {known_forms(may_edit=may_edit)}.")
    if _UNDO.fullmatch(plain):
        reason = (
            "Undo is no command here. Ctrl+Z (⌘Z on a Mac) takes back your own newest change, 'Undo all' on the card "
            "of a request all that it changed, and in the history (Shift+H) any change can be reverted alone."
        )
        return Unclear("undo", reason)
    if _TIDY.fullmatch(plain) and not may_edit:
        return Unclear("read_only", "Ask only reads; 'tidy the diagram' lays it out in Edit.")
    if _TIDY.fullmatch(plain):
        return Unclear("unknown", "Say what to lay out: the diagram.", hints=("tidy the diagram",))
    return None
