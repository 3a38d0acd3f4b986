"""Refuse operations that write a whole anew where the model was offered small changes.

Any other operation is taken from either edit tool. Whole states come from the rewriting tools alone, which are offered
in the edit mode `regenerate`: else one call could replace what the mode is there to protect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from draftsmith.assistant.offers import offer_of
from draftsmith.errors import DraftsmithError, Problem

_REWRITING: Final = frozenset({"rewrite_diagram", "rewrite_document"})
_IN_PLACE: Final[Mapping[str, tuple[str, ...]]] = {
    "replace_document": ("replace_section", "insert_section", "edit_section"),
    "replace_diagram": ("add_node", "update_node", "add_edge", "delete_nodes"),
}


def check_offered(tool: str, operations: Sequence[Any]) -> None:
    """Check that a batch holds no operation that only the rewriting tools offer.

    Raises:
        DraftsmithError: `invalid_request`, with a problem for each that says what to use instead.
    """
    if tool in _REWRITING:
        return
    problems = [
        _problem(tool, index, one["op"])
        for index, one in enumerate(operations)
        if isinstance(one, Mapping) and one.get("op") in _IN_PLACE
    ]
    if problems:
        raise DraftsmithError("invalid_request", f"{problems[0].message} Nothing was applied.", problems)


def _problem(tool: str, index: int, op: str) -> Problem:
    """What to use instead, as far as this tool offers it."""
    offer, place = offer_of(tool), f"/operations/{index}/op"
    instead = tuple(one for one in _IN_PLACE[op] if one in offer.fields)
    if not instead:
        return Problem(index, op, "op_unknown", place, f"'{op}' is not offered here. {offer.elsewhere}")
    use = f"{', '.join(instead[:-1])} or {instead[-1]}"
    message = f"'{op}' is not offered here; change only what is asked for, with {use}."
    return Problem(index, op, "op_unknown", place, message, instead)
