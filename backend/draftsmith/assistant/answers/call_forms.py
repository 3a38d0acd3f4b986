"""Where in the input of a call the operations stand: as a list under several names, as a JSON text, alone, as calls.

Nothing is lost silently: several lists are joined in their order, and objects under a name that means no list are
refused with the right one. Not here: one operation (`operation_forms`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from draftsmith.assistant.answers.operation_forms import INPUTS, call_inputs, from_text, is_operation, name_field
from draftsmith.errors import DraftsmithError, Problem
from draftsmith.transform.requests.field_words import snake

_LISTS_TEXT: Final = (
    "operations ops edits actions tools tool_calls calls doc_edits document_edits diagram_edits section_edits"
)
_LISTS: Final = frozenset(_LISTS_TEXT.split())
_TOOLS: Final = frozenset({"edit_diagram", "edit_document"})
_CALL_NAMES: Final = ("tool", "tool_name", "name", "function")


def operations_in(call_input: Mapping[str, object], *, is_open: bool = False) -> list[Any]:
    """The operations of a call as the model wrote them.

    `is_open`: the input is still being written, so that its last operation may be incomplete and is left out.

    Raises:
        DraftsmithError: `invalid_request`: a list is a text that is no JSON, or stands under an unknown name.
    """
    lists = [key for key, value in call_input.items() if _is_list(key, value)]
    last = list(call_input)[-1] if call_input else ""
    inner = call_inputs(call_input)
    if not lists and len(inner) == 1 and (_is_call(call_input) or not name_field(call_input)[1]):
        return operations_in(inner[0], is_open=is_open and last in INPUTS)
    if not lists and is_operation(call_input):
        return [] if is_open else [call_input]
    if not is_open:
        _check_nothing_is_lost(call_input, lists)
    found: list[Any] = []
    for key in lists:
        found += _list_value(key, call_input[key], is_open=is_open and key == last)
    return found


def _is_list(key: str, value: Any) -> bool:
    return snake(key) in _LISTS and isinstance(value, list | Mapping | str)


def _is_call(call_input: Any) -> bool:
    """Whether an object is a call of an edit tool, as models write one down."""
    return isinstance(call_input, Mapping) and any(str(call_input.get(key)) in _TOOLS for key in _CALL_NAMES)


def _list_value(key: str, value: Any, *, is_open: bool) -> list[Any]:
    if isinstance(value, str):
        return [] if is_open else _list_value(key, _json_of(key, value), is_open=False)
    if isinstance(value, Mapping):
        return operations_in(value, is_open=is_open) if _holds_lists(value) else [] if is_open else [value]
    if not isinstance(value, list):
        return []
    return [one for item in (value[:-1] if is_open else value) for one in _spread(item)]


def _holds_lists(call_input: Mapping[str, object]) -> bool:
    return not name_field(call_input)[1] and any(_is_list(key, value) for key, value in call_input.items())


def _spread(item: Any) -> list[Any]:
    """The operations of an item: several, where it is the call of an edit tool."""
    read = from_text(item)
    if isinstance(read, Mapping) and isinstance(read.get("function"), Mapping):
        read = read["function"]
    if _is_call(read):
        return [one for inner in call_inputs(read) for one in operations_in(inner)] or [read]
    return [item]


def _json_of(key: str, text: str) -> Any:
    read = from_text(text)
    if isinstance(read, str):
        message = f"'{key}' is a text that is no JSON; send it as a list of objects."
        raise _invalid(Problem(-1, "", "field_invalid", f"/{key}", message))
    return read


def _check_nothing_is_lost(call_input: Mapping[str, object], lists: list[str]) -> None:
    """Refuse what may be operations, and stands where none are expected."""
    for key, value in call_input.items():
        if key not in lists and _holds_objects(value):
            message = f"'{key[:64]}' is not known here; send everything as one list 'operations'."
            raise _invalid(Problem(-1, "", "field_unknown", f"/{key}", message, ("operations",)))
    if lists and (key := name_field({key: value for key, value in call_input.items() if key not in lists})[0]):
        message = f"'{key}' stands beside '{lists[0]}'; put every operation into the list."
        raise _invalid(Problem(-1, "", "field_unknown", f"/{key}", message, ("operations",)))


def _holds_objects(value: Any) -> bool:
    value = from_text(value)
    return isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(from_text(one), Mapping) for one in value)
    )


def _invalid(problem: Problem) -> DraftsmithError:
    return DraftsmithError("invalid_request", f"{problem.message} Nothing was applied.", [problem])
