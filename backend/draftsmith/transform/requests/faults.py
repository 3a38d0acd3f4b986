"""Faults of form as Pydantic finds them, in the words of whoever sent the request: fields and JSON, not our classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic import BaseModel

_OBJECT: Final = frozenset({"dict_type", "mapping_type", "model_type", "model_attributes_type", "dataclass_type"})
"""Kinds that say that something else than an object was sent; Pydantic's own words name the class that it becomes."""
_MAX_NAME: Final = 256


def words_of(kind: str, message: str) -> str:
    """What is wrong with a value, as the rest of a sentence that begins with the field; no full stop at its end."""
    if kind in _OBJECT:
        return "must be an object"
    text = message.removeprefix("Value error, ")
    return f"{text[:1].lower()}{text[1:]}"


def place_of(content: object, loc: Sequence[int | str], kind: str) -> list[int | str]:
    """Where in what was sent a fault lies: Pydantic's place without the names of models and of members of unions.

    Every part of it leads to something that was sent; only a missing field itself is named although it was not.
    """
    place: list[int | str] = []
    for part in loc:
        if _holds(content, part):
            content = content[part]  # type: ignore[index]  # what holds a part is an object or a list
            place.append(part)
    if loc and kind == "missing":
        place.append(loc[-1])
    return place


def leading(content: object, path: str) -> str:
    """A JSON Pointer as far as it leads to something that was sent."""
    place: list[int | str] = []
    for part in path.split("/")[1:]:
        plain = part.replace("~1", "/").replace("~0", "~")
        step = int(plain) if isinstance(content, list) and plain.isdigit() else plain
        if not _holds(content, step):
            break
        content = content[step]  # type: ignore[index]  # as above
        place.append(step)
    return pointer(place)


def fields_at(form: Any, place: Sequence[int | str]) -> tuple[str, ...]:
    """The fields that a form has at a place in it; none where no object of named fields stands.

    `form`: a type as in an annotation.
    """
    forms = list(members(form))
    for part in place:
        forms = [one for inner in forms for below in _below(inner, part) for one in members(below)]
    models = [one for one in forms if isinstance(one, type) and issubclass(one, BaseModel)]
    return tuple(dict.fromkeys(info.alias or name for one in models for name, info in one.model_fields.items()))


def members(form: Any) -> Iterator[Any]:
    """The forms that a value may have: the members of a union, without what only annotates them."""
    origin = get_origin(form)
    if origin is Annotated:
        yield from members(get_args(form)[0])
    elif origin in (Union, UnionType):
        for one in get_args(form):
            yield from members(one)
    else:
        yield form


def _below(form: Any, part: int | str) -> Iterator[Any]:
    origin = get_origin(form)
    if origin is list and isinstance(part, int):
        yield get_args(form)[0]
    elif origin is dict:
        yield get_args(form)[1]
    elif isinstance(form, type) and issubclass(form, BaseModel):
        yield from (info.annotation for name, info in form.model_fields.items() if part in (name, info.alias))


def _holds(content: object, part: int | str) -> bool:
    if isinstance(content, dict):
        return part in content
    return isinstance(content, list) and isinstance(part, int) and part < len(content)


def pointer(place: Sequence[int | str]) -> str:
    """The JSON Pointer (RFC 6901) of a place; empty for the whole. Names longer than any of ours are cut."""
    return "".join(f"/{str(part)[:_MAX_NAME].replace('~', '~0').replace('/', '~1')}" for part in place)
