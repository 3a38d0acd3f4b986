"""What each edit tool offers: to what refusals may point, and which operations it refuses.

Refusals point to the tool's own operations and to no field beyond them. Any operation is taken from either edit tool
but those that write a whole anew: they come from the rewriting tools alone, which the edit mode `regenerate` offers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from draftsmith.assistant.tools.tool_inputs import (
    DIAGRAM_OPERATIONS,
    DOCUMENT_OPERATIONS,
    OPTION_OPERATIONS,
    WHOLE_EDGE,
    WHOLE_NODE,
)
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.transform.requests.batch import EVERYTHING
from draftsmith.transform.requests.op_words import Offer

_DIAGRAM: Final = {op: tuple(fields) for op, fields in DIAGRAM_OPERATIONS.items()}
_DOCUMENT: Final = {op: tuple(fields) for op, fields in DOCUMENT_OPERATIONS.items()}
_NAMED: Final = {
    name for fields in (*_DIAGRAM.values(), *_DOCUMENT.values(), WHOLE_NODE, WHOLE_EDGE) for name in fields
}
_HIDDEN: Final = frozenset(name for fields in EVERYTHING.fields.values() for name in fields) - _NAMED
_OFFERS: Final[Mapping[str, Offer]] = {
    "edit_diagram": Offer(_DIAGRAM, _DOCUMENT, "The document is edited by the tool edit_document.", _HIDDEN),
    "edit_document": Offer(_DOCUMENT, _DIAGRAM, "The diagram is edited by the tool edit_diagram.", _HIDDEN),
    "propose_option": Offer({op: tuple(fields) for op, fields in OPTION_OPERATIONS.items()}, hidden_fields=_HIDDEN),
    "edit": Offer({**_DIAGRAM, **_DOCUMENT}, hidden_fields=_HIDDEN),
    "rewrite_diagram": Offer({"replace_diagram": ("nodes", "edges")}, hidden_fields=_HIDDEN),
    "rewrite_document": Offer({"replace_document": ("text",)}, hidden_fields=_HIDDEN),
}
_REWRITING: Final = frozenset({"rewrite_diagram", "rewrite_document"})
_IN_PLACE: Final[Mapping[str, tuple[str, ...]]] = {
    "replace_document": ("replace_section", "insert_section", "edit_section"),
    "replace_diagram": ("add_node", "update_node", "add_edge", "delete_nodes"),
}


def offer_of(tool_name: str) -> Offer:
    """What an edit tool offers.

    Raises:
        KeyError: it is no edit tool.
    """
    return _OFFERS[tool_name]


def tool_offering(operation: str) -> str | None:
    """The edit tool that offers an operation; None for a name that none offers."""
    return next((tool for tool, offer in _OFFERS.items() if operation in offer.fields), None)  # not `edit`, of agents


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
        return Problem(index, op, "op_unknown", place, f"'{op}' is not offered here. {offer.elsewhere_note}")
    use = f"{', '.join(instead[:-1])} or {instead[-1]}"
    message = f"'{op}' is not offered here; change only what is asked for, with {use}."
    return Problem(index, op, "op_unknown", place, message, instead)
