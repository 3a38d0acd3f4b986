"""Validates values of any size, and stops soon after as many faults as are reported.

Pydantic finds every fault before it says one: two million unknown fields become two million errors, a gigabyte. So what
holds many values is checked in pieces: long lists and maps some items at a time, heavy fields of an object each on its
own, and of unknown fields no more than are told. Anything else is one call, as usual.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from draftsmith.model.slices import run_slices
from draftsmith.transform.requests.faults import members

MAX_PROBLEMS: Final = 50
"""Problems of form that are told at once."""
MORE_PROBLEMS: Final = f"There are more than {MAX_PROBLEMS} problems; these are the first."
_LIGHT: Final = 4_000
_TAGS: Final = ("op", "t", "format")
"""Fields whose constant tells the members of a union apart."""
_Place = tuple[int | str, ...]
_Slices = Generator[None, None, Any]
_STRICT: Final = ConfigDict(strict=True)
# By the identity of a form, which may hold what has no hash; the form is kept so that its identity stays its own.
_adapters: Final[dict[int, tuple[Any, TypeAdapter[Any]]]] = {}


def check_form(form: Any, content: object, most: int = MAX_PROBLEMS) -> tuple[Any, list[ErrorDetails]]:
    """The value of a form and no faults, or None and faults; of many, the first `most` and some more.

    `form`: a type as in an annotation; it must live as long as the process.
    """
    return run_slices(checking_form(form, content, most))


def checking_form(
    form: Any, content: object, most: int = MAX_PROBLEMS
) -> Generator[None, None, tuple[Any, list[ErrorDetails]]]:
    """As `check_form`, in slices."""
    check = _Check(most)
    value = yield from check.value(form, content, ())
    return (None if check.faults else value), check.faults


def weight(content: object, most: int) -> int:
    """How many values a value holds, itself included; counting ends soon after `most`."""
    count, todo = 1, [content]
    for one in todo:  # which grows meanwhile
        kind = type(one)
        if kind is dict or kind is list:
            count += len(one)  # type: ignore[arg-type]
            if count > most:
                break
            todo.extend(one.values() if kind is dict else one)  # type: ignore[attr-defined, arg-type]
    return count


class _Check:
    """One check; `faults` are those found so far."""

    def __init__(self, most: int) -> None:
        self.faults: list[ErrorDetails] = []
        self._most = most

    @property
    def is_full(self) -> bool:
        return len(self.faults) > self._most

    def value(self, form: Any, content: Any, place: _Place) -> _Slices:
        """Check a value, in pieces where it is heavy."""
        if weight(content, _LIGHT) > _LIGHT:
            forms = list(members(form))
            if isinstance(content, dict) and (model := _model_of(forms, content)) is not None:
                return (yield from self._object(model, content, place))
            if isinstance(content, list) and (items := _of_kind(forms, list)) is not None:
                return (yield from self._items(items, content, place))
            if isinstance(content, dict) and (entries := _of_kind(forms, dict)) is not None:
                return (yield from self._entries(entries, content, place))
        return self._at_once(form, content, place)

    def _at_once(
        self, form: Any, content: Any, place: _Place, counts: Callable[[ErrorDetails], bool] = lambda fault: True
    ) -> Any:
        try:
            return _adapter(form).validate_python(content)
        except ValidationError as error:
            found = error.errors(include_url=False)
            self.faults += [{**fault, "loc": (*place, *fault["loc"])} for fault in found if counts(fault)]
            return None

    def _object(self, model: type[BaseModel], content: dict[str, object], place: _Place) -> _Slices:
        known = {info.alias or name: info for name, info in model.model_fields.items()}
        fields = {name: content[name] for name in known if name in content}
        fields.update(islice(((name, one) for name, one in content.items() if name not in known), self._most + 1))
        spoiled = set[str]()
        for name in [name for name in fields if name in known and weight(fields[name], _LIGHT) > _LIGHT]:
            before = len(self.faults)
            fields[name] = yield from self.value(known[name].annotation, fields[name], (*place, name))
            if len(self.faults) > before:
                del fields[name]
                spoiled.add(name)
            if self.is_full:
                return None
        return self._at_once(model, fields, place, lambda fault: fault["loc"][:1] not in {(name,) for name in spoiled})

    def _items(self, form: Any, content: list[Any], place: _Place) -> _Slices:
        checked: list[Any] = []
        for start, end in _slices(content):
            if end - start == 1 and weight(content[start], _LIGHT) > _LIGHT:
                found = [(yield from self.value(get_args(form)[0], content[start], (*place, start)))]
            else:
                before = len(self.faults)
                found = self._at_once(form, content[start:end], place) or []
                self.faults[before:] = [_with_offset(fault, len(place), start) for fault in self.faults[before:]]
            checked += found
            if self.is_full:
                return None
            yield
        return checked

    def _entries(self, form: Any, content: dict[str, object], place: _Place) -> _Slices:
        checked: dict[str, object] = {}
        names = list(content)
        for start, end in _slices(content.values()):
            piece = {name: content[name] for name in names[start:end]}
            if end - start == 1 and weight(content[names[start]], _LIGHT) > _LIGHT:
                before = len(self.faults)
                name = names[start]
                piece = {name: (yield from self.value(get_args(form)[1], content[name], (*place, name)))}
                if len(self.faults) > before:
                    piece = {}
            checked.update(self._at_once(form, piece, place) or {})
            if self.is_full:
                return None
            yield
        return checked


def _slices(values: Iterable[Any]) -> Iterator[tuple[int, int]]:
    """Where a list is cut so that no piece is heavy, but for a heavy value on its own."""
    start, end, sum_ = 0, 0, 0
    for end, value in enumerate(values):
        one = weight(value, _LIGHT)
        if sum_ + one > _LIGHT and end > start:
            yield start, end
            start, sum_ = end, 0
        sum_ += one
    if sum_:
        yield start, end + 1


def _with_offset(fault: ErrorDetails, at: int, by: int) -> ErrorDetails:
    """A fault in a piece of a list, with the index in the whole."""
    loc = fault["loc"]
    if len(loc) <= at or not isinstance(loc[at], int):
        return fault
    return {**fault, "loc": (*loc[:at], int(loc[at]) + by, *loc[at + 1 :])}


def _model_of(forms: list[Any], content: Mapping[str, object]) -> type[BaseModel] | None:
    """The model that an object is to become: the only one, or the one that its constant fields name."""
    models = [one for one in forms if isinstance(one, type) and issubclass(one, BaseModel)]
    if len(models) > 1:
        models = [model for model in models if _is_named(model, content)]
    return models[0] if len(models) == 1 else None


def _is_named(model: type[BaseModel], content: Mapping[str, object]) -> bool:
    tags = [name for name in _TAGS if name in model.model_fields]
    return any(content.get(name) in get_args(model.model_fields[name].annotation) for name in tags)


def _of_kind(forms: list[Any], kind: type) -> Any:
    """The list or the map among some forms, unless it may hold anything."""
    found = next((one for one in forms if get_origin(one) is kind), None)
    return None if found is None or get_args(found)[-1] is Any else found


def _adapter(form: Any) -> TypeAdapter[Any]:
    found = _adapters.get(id(form))
    if found is None:
        is_plain = get_origin(form) in (list, dict)
        found = _adapters[id(form)] = (form, TypeAdapter(form, config=_STRICT) if is_plain else TypeAdapter(form))
    return found[1]
