"""What each edit tool offers, in the form in which refusals point to it: its own operations, no field beyond them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from draftsmith.assistant.tool_inputs import DIAGRAM_OPERATIONS, DOCUMENT_OPERATIONS, WHOLE_EDGE, WHOLE_NODE
from draftsmith.transform.batch import EVERYTHING
from draftsmith.transform.op_words import Offer

_DIAGRAM: Final = {op: tuple(fields) for op, fields in DIAGRAM_OPERATIONS.items()}
_DOCUMENT: Final = {op: tuple(fields) for op, fields in DOCUMENT_OPERATIONS.items()}
_NAMED: Final = {
    name for fields in (*_DIAGRAM.values(), *_DOCUMENT.values(), WHOLE_NODE, WHOLE_EDGE) for name in fields
}
_HIDDEN: Final = frozenset(name for fields in EVERYTHING.fields.values() for name in fields) - _NAMED
_OFFERS: Final[Mapping[str, Offer]] = {
    "edit_diagram": Offer(_DIAGRAM, _DOCUMENT, "The document is edited by the tool edit_document.", _HIDDEN),
    "edit_document": Offer(_DOCUMENT, _DIAGRAM, "The diagram is edited by the tool edit_diagram.", _HIDDEN),
    "rewrite_diagram": Offer({"replace_diagram": ("nodes", "edges")}, hidden=_HIDDEN),
    "rewrite_document": Offer({"replace_document": ("text",)}, hidden=_HIDDEN),
}


def offer_of(tool_name: str) -> Offer:
    """What an edit tool offers.

    Raises:
        KeyError: it is no edit tool.
    """
    return _OFFERS[tool_name]


def tool_offering(operation: str) -> str | None:
    """The edit tool that offers an operation; None for a name that none offers."""
    return next((tool for tool, offer in _OFFERS.items() if operation in offer.fields), None)
