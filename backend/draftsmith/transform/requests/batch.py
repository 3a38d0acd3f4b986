"""A batch: ordered operations, applied all or none. Parses one from JSON and reports all invalid fields at once."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast, get_args

import orjson
from pydantic import TypeAdapter
from pydantic_core import ErrorDetails

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.slices import run_slices
from draftsmith.transform.requests.faults import fields_at, place_of, pointer, words_of
from draftsmith.transform.requests.field_words import fields_meant, fields_near
from draftsmith.transform.requests.form_check import MAX_PROBLEMS, MORE_PROBLEMS, check_form, checking_form
from draftsmith.transform.requests.json_schema import JsonSchema
from draftsmith.transform.requests.op_words import Offer, is_elsewhere, operations_near
from draftsmith.transform.requests.operation_fields import Shape
from draftsmith.transform.requests.operations import WHOLE_STATE, Operation

_FORM: Any = list[Operation]
OPERATION_MODELS: Mapping[str, type[Shape]] = {
    get_args(model.model_fields["op"].annotation)[0]: model for model in get_args(get_args(Operation)[0])
}
EVERYTHING = Offer(
    {op: tuple(one for one in model.model_fields if one != "op") for op, model in OPERATION_MODELS.items()}
)
_DONE_BY: Mapping[tuple[str, str], str] = {
    ("update_node", "parent"): "move_to_group",
    ("update_node", "group"): "move_to_group",
    ("update_edge", "new_source"): "rewire_edge",
    ("update_edge", "new_target"): "rewire_edge",
    ("rename_section", "text"): "replace_section",
    ("edit_section", "title"): "rename_section",
    ("replace_section", "title"): "rename_section",
}
"""Fields that an operation does not have, since another operation changes what they name."""
_MAX_NAME = 256
_Explained = tuple[str, str, tuple[str, ...]]
"""The code of a problem, its message, its candidates."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Operations that are applied together or not at all.

    Attributes:
        sent: the JSON values that they were read from, if they were; another process is sent these, which is cheaper.
    """

    operations: Sequence[Any]
    sent: Any = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the JSON instead of thousands of models."""
        return (Batch, (self.operations,)) if self.sent is None else (_read_again, (orjson.dumps(self.sent),))

    @property
    def is_whole_state(self) -> bool:
        """Whether an operation replaces the whole diagram or document."""
        return any(operation.op in WHOLE_STATE for operation in self.operations)

    def base_revisions(self) -> list[int]:
        """The base revisions of its text changes."""
        return [operation.base_revision for operation in self.operations if operation.op == "edit_text"]


def parse_batch(
    operations: object, limits: WorkspaceLimits, prefix: str = "/operations", offer: Offer = EVERYTHING
) -> Batch:
    """Read operations from JSON values.

    Args:
        operations: a list of objects.
        limits: of the workspace.
        prefix: JSON Pointer to the list in what was sent.
        offer: what the caller may be pointed to where a name is unknown; says nothing of what is accepted.

    Raises:
        DraftsmithError: `invalid_request`, with a problem for every invalid field, the first 50 of them.
    """
    return run_slices(parsing_batch(operations, limits, prefix, offer))


def parsing_batch(
    operations: object, limits: WorkspaceLimits, prefix: str = "/operations", offer: Offer = EVERYTHING
) -> Generator[None, None, Batch]:
    """As `parse_batch`, in slices."""
    if not isinstance(operations, list) or not operations:
        raise _invalid([Problem(-1, "", "limit_operations", prefix, "Give a list of 1 or more operations.")])
    if len(operations) > limits.operations:
        message = f"A batch holds at most {limits.operations} operations, this one {len(operations)}; split it."
        raise _invalid([Problem(-1, "", "limit_operations", prefix, message)])
    checked, found = yield from checking_form(_FORM, operations)
    if not found:
        return Batch(checked, operations)
    faults = [detail for detail in found if not _is_of_other_form(detail)]
    problems = [_problem(detail, operations, prefix, offer) for detail in faults[:MAX_PROBLEMS]]
    raise _invalid(problems, has_more=len(faults) > MAX_PROBLEMS)


def _read_again(raw: bytes) -> Batch:
    """A batch that was read before, from its JSON."""
    operations = orjson.loads(raw)
    return Batch(check_form(_FORM, operations)[0], operations)


def _invalid(problems: list[Problem], *, has_more: bool = False) -> DraftsmithError:
    detail = f"{problems[0].message} Nothing was applied." if problems else "The request is not of the right form."
    return DraftsmithError("invalid_request", f"{detail} {MORE_PROBLEMS}" if has_more else detail, problems)


def _problem(detail: ErrorDetails, operations: list[Any], prefix: str, offer: Offer) -> Problem:
    index = detail["loc"][0] if isinstance(detail["loc"][0], int) else -1
    given = operations[index] if index >= 0 else None
    name = given.get("op", "") if isinstance(given, dict) else ""
    name = name[:_MAX_NAME] if isinstance(name, str) else ""
    loc = detail["loc"][1:]
    place = place_of(given, loc[1:] if loc[:1] == (name,) else loc, detail["type"])
    if detail["type"] in ("union_tag_invalid", "union_tag_not_found"):
        code, message, candidates = _unknown_operation(name, given, offer)
    elif detail["type"] == "extra_forbidden":
        code, message, candidates = _unknown_field(given, name, place, offer)
    else:
        code, message, candidates = _explain(detail, [str(part) for part in place])
    return Problem(index, name[:64], code, prefix + pointer([index, *place]), message, candidates)


def _is_of_other_form(detail: ErrorDetails) -> bool:
    """Whether an error is of the form not meant: `insert_between` takes an id or fields, and an object is no id."""
    return detail["type"] == "string_type" and isinstance(detail["input"], dict) and "constrained-str" in detail["loc"]


def _unknown_operation(name: str, value: Any, offer: Offer) -> _Explained:
    near = operations_near(name, value if isinstance(value, dict) else {}, offer)
    hint = f" {offer.elsewhere_note}" if offer.elsewhere_note and is_elsewhere(name, offer) else ""
    if not name:
        return "op_unknown", "'op' names no operation.", near
    return "op_unknown", f"There is no operation '{name[:64]}'.{hint}", near


def _unknown_field(value: Any, name: str, place: list[int | str], offer: Offer) -> _Explained:
    """What is said of a field that an operation, or a value inside it such as a point, does not have."""
    *above, last = place
    field = str(last)[:_MAX_NAME]
    if above:
        known = [one for one in fields_at(OPERATION_MODELS[name], above) if one not in offer.hidden_fields]
        message = f"'{'/'.join(map(str, above))[:200]}' has no field '{field[:64]}'."
        return "field_unknown", message, fields_near(field, known)
    known = list(offer.fields_of(name))
    message = f"'{name}' has no field '{field[:64]}'"
    if isinstance(value[last], dict) and any(key in known for key in value[last]):
        return "field_unknown", f"{message}; the fields of an operation stand beside 'op', each of them once.", ()
    instead = _DONE_BY.get((name, field.removesuffix("_id")), "")
    if instead in offer.fields:
        return "field_unknown", f"{message}; {instead} does that.", (instead,)
    taken = next((one for one in fields_meant(field, known) if one in value), None)
    if taken is not None:
        return "field_unknown", f"{message}, and '{taken}' is given already.", (taken,)
    return "field_unknown", f"{message}.", fields_near(field, known)


def _explain(detail: ErrorDetails, place: list[str]) -> _Explained:
    kind, field = detail["type"], place[-1] if place else ""
    if kind == "missing":
        return "field_missing", f"'{field}' is missing.", ()
    text = words_of(kind, detail["msg"])
    return "field_invalid", f"'{field[:64]}': {text}." if field else f"The operation: {text}.", ()


def operations_schema() -> JsonSchema:
    """The JSON Schema of a list of operations."""
    return cast(JsonSchema, TypeAdapter(_FORM).json_schema())
