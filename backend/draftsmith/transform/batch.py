"""A batch: ordered operations, applied all or none. Parses one from JSON and reports all invalid fields at once."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.faults import place_of, pointer, words_of
from draftsmith.transform.operation_fields import Shape
from draftsmith.transform.operations import WHOLE_STATE, Operation

_ADAPTER: TypeAdapter[list[Any]] = TypeAdapter(list[Operation])
OPERATION_MODELS: Mapping[str, type[Shape]] = {
    get_args(model.model_fields["op"].annotation)[0]: model for model in get_args(get_args(Operation)[0])
}
_MAX_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class Batch:
    """Operations that are applied together or not at all."""

    operations: Sequence[Any]

    @property
    def is_whole_state(self) -> bool:
        """Whether an operation replaces the whole diagram or document."""
        return any(operation.op in WHOLE_STATE for operation in self.operations)

    def base_revisions(self) -> list[int]:
        """The base revisions of its text changes."""
        return [operation.base_revision for operation in self.operations if operation.op == "edit_text"]


def parse_batch(operations: object, limits: WorkspaceLimits, prefix: str = "/operations") -> Batch:
    """Read operations from JSON values.

    Raises:
        DraftsmithError: `invalid_request`, with a problem for every invalid field (at most 100).
    """
    if not isinstance(operations, list) or not operations:
        raise _invalid([Problem(-1, "", "limit_operations", prefix, "Give a list of 1 or more operations.")])
    if len(operations) > limits.operations:
        message = f"A batch holds at most {limits.operations} operations, this one {len(operations)}; split it."
        raise _invalid([Problem(-1, "", "limit_operations", prefix, message)])
    try:
        return Batch(_ADAPTER.validate_python(operations))
    except ValidationError as error:
        faults = [detail for detail in error.errors(include_url=False) if not _is_beside_the_point(detail)]
        problems = [_problem(detail, operations, prefix) for detail in faults]
        raise _invalid(problems[:_MAX_PROBLEMS]) from None


def _invalid(problems: list[Problem]) -> DraftsmithError:
    detail = f"{problems[0].message} Nothing was applied." if problems else "The request is not of the right form."
    return DraftsmithError("invalid_request", detail, problems)


def _problem(detail: ErrorDetails, operations: list[Any], prefix: str) -> Problem:
    index = detail["loc"][0] if isinstance(detail["loc"][0], int) else -1
    given = operations[index] if index >= 0 else None
    name = given.get("op", "") if isinstance(given, dict) else ""
    name = name if isinstance(name, str) else ""
    place = place_of(given, detail["loc"][1:], detail["type"])
    code, message, candidates = _explain(detail, name, [str(part) for part in place])
    return Problem(index, name[:64], code, prefix + pointer([index, *place]), message, candidates)


def _is_beside_the_point(detail: ErrorDetails) -> bool:
    """Whether an error says that an object is no string: `insert_between` takes an id or fields, and got fields."""
    return detail["type"] == "string_type" and isinstance(detail["input"], dict) and "constrained-str" in detail["loc"]


def _explain(detail: ErrorDetails, name: str, place: list[str]) -> tuple[str, str, tuple[str, ...]]:
    kind, field = detail["type"], place[-1] if place else ""
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        near = tuple(difflib.get_close_matches(name, OPERATION_MODELS, 3, 0.4)) or tuple(OPERATION_MODELS)
        return "op_unknown", f"There is no operation '{name[:64]}'." if name else "'op' names no operation.", near
    if kind == "extra_forbidden" and len(place) > 1:  # of a value inside the operation, such as a point
        return "field_unknown", f"'{'/'.join(place[:-1])[:200]}' has no field '{field[:64]}'.", ()
    if kind == "extra_forbidden":
        known = tuple(OPERATION_MODELS[name].model_fields) if name in OPERATION_MODELS else ()
        near = tuple(difflib.get_close_matches(field, known, 3, 0.5)) or known
        return "field_unknown", f"'{name}' has no field '{field[:64]}'.", near
    if kind == "missing":
        return "field_missing", f"'{field}' is missing.", ()
    text = words_of(kind, detail["msg"])
    return "field_invalid", f"'{field[:64]}': {text}." if field else f"The operation: {text}.", ()


def operations_schema() -> dict[str, Any]:
    """The JSON Schema of a list of operations."""
    return _ADAPTER.json_schema()
