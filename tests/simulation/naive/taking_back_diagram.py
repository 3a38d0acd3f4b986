"""What is left of a diagram when a commit is taken back.

A commit is no list of steps here but two diagrams, before and after. Taking it back looks at each thing in which they
differ: a node or an edge that came, one that went, and fields that changed. Whatever of it still fits is done, until
nothing more does.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.naive.diagram import Diagram, Fields, birth_in, set_value, value_of

Attempt = Callable[[], bool]

# Fields that are set back together where not all can be.
_PARTS = ({"parent", "position"}, {"source", "target"}, {"label", "kind"})


@dataclass
class Left:
    """What was not taken back: ids that have to be told, and ids that may be, since it is so already."""

    told: list[str] = field(default_factory=list)
    may_tell: list[str] = field(default_factory=list)


def take_back(now: Diagram, before: Diagram, after: Diagram, *, force: bool) -> Left:
    """Take back, in place, what led from one diagram to another, as far as it fits."""
    back = _TakingBack(now, before, after, force)
    waiting = list(back.things())
    while done := [one for one in waiting if one[1]()]:
        waiting = [one for one in waiting if one not in done]
    back.left.told += [key for key, _ in waiting]
    return back.left


class _TakingBack:
    """The diagram as it is, and as it was before and after the commit."""

    def __init__(self, now: Diagram, before: Diagram, after: Diagram, force: bool) -> None:
        self._now, self._before, self._after, self._force = now, before, after, force
        self.left = Left()

    def things(self) -> Iterator[tuple[str, Attempt]]:
        """Each thing that the commit changed, with what tries to take it back and says whether it could."""
        self._name()
        self._types()
        for what in ("edges", "nodes"):
            now, old, new = (getattr(one, what) for one in (self._now, self._before, self._after))
            for key in new:
                if birth_in(old, key) != new[key]["birth"]:
                    yield from self._removal(now, key, new[key])
        for what in ("nodes", "edges"):
            now, old, new = (getattr(one, what) for one in (self._now, self._before, self._after))
            for key in old:
                if birth_in(new, key) != old[key]["birth"]:
                    yield from self._return(now, key, old[key])
                elif old[key] != new[key]:
                    yield from self._fields(now, key, old[key], new[key])

    def _name(self) -> None:
        old, new = self._before.name, self._after.name
        if old != new and self._now.name not in (old, new) and not self._force:
            self.left.told.append("the name")
        elif old != new:
            self.left.may_tell += ["the name"] if self._now.name == old else []
            self._now.name = old

    def _types(self) -> None:
        """Each definition as a whole, as the name."""
        old, new, now = self._before.types, self._after.types, self._now.types
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) == new.get(key):
                continue
            if now.get(key) not in (old.get(key), new.get(key)) and not self._force:
                self.left.told.append(f"the type '{key}'")
                continue
            self.left.may_tell += [f"the type '{key}'"] if now.get(key) == old.get(key) else []
            now.pop(key, None)
            if key in old:
                now[key] = copy.deepcopy(old[key])

    def _removal(self, now: dict[str, Fields], key: str, made: Fields) -> Iterator[tuple[str, Attempt]]:
        """What the commit made goes, if it is as the commit left it and nothing hangs on it."""
        if birth_in(now, key) != made["birth"]:
            self.left.may_tell.append(key)
            return

        def attempt() -> bool:
            if now[key] != made and not self._force:
                return False
            if now is self._now.nodes and (self._now.edges_at(key) or self._now.children(key)):
                return False
            del now[key]
            return True

        yield key, attempt

    def _return(self, now: dict[str, Fields], key: str, gone: Fields) -> Iterator[tuple[str, Attempt]]:
        """What the commit deleted comes back, if its id is free and what it hangs on is the same as then."""
        if birth_in(now, key) == gone["birth"]:
            self.left.may_tell.append(key)
            return

        def attempt() -> bool:
            if key in now or not self._hangs_as_then(gone):
                return False
            if "source" in gone and self._now.has_equal(gone, key):
                return False
            now[key] = copy.deepcopy(gone)
            return True

        yield key, attempt

    def _hangs_as_then(self, values: Mapping[str, Any]) -> bool:
        """Whether the ends and the group that are named are those of then, not others under the same id."""
        named = [values[name] for name in ("source", "target", "parent") if values.get(name) is not None]
        return all(self._now.birth(one) == self._before.birth(one) for one in named)

    def _fields(self, now: dict[str, Fields], key: str, old: Fields, new: Fields) -> Iterator[tuple[str, Attempt]]:
        """Fields are set back where nobody has set them since; some of them together or not at all."""
        if birth_in(now, key) != old["birth"]:
            self.left.told.append(key)
            return
        wanted: Fields = {}
        changed = _changed(old, new)
        for name in changed:
            current = value_of(now[key], name)
            if current == value_of(old, name):
                self.left.may_tell.append(key)
            elif current == value_of(new, name) or self._force:
                wanted[name] = value_of(old, name)
            else:
                self.left.told.append(key)
        for tied in ({"source", "target"}, {"parent", "position"}):
            both = tied & set(changed)
            if ("parent" in both or "source" in tied) and not all(
                name in wanted or value_of(now[key], name) == value_of(old, name) for name in both
            ):
                self.left.told += [key for name in both if wanted.pop(name, None) is not None]
        parts = [{name: wanted[name] for name in part if name in wanted} for part in _PARTS]
        parts.append({name: value for name, value in wanted.items() if not any(name in part for part in _PARTS)})
        waiting = [part for part in parts if part]
        yield from ((key, self._setting(now, key, part, waiting)) for part in list(waiting))

    def _setting(self, now: dict[str, Fields], key: str, part: Fields, waiting: list[Fields]) -> Attempt:
        """Sets everything that waits, if it can be, else this part alone."""

        def attempt() -> bool:
            if part not in waiting:
                return True
            if self._set(now, key, {name: value for one in waiting for name, value in one.items()}):
                waiting.clear()
                return True
            if self._set(now, key, part):
                waiting.remove(part)
                return True
            return False

        return attempt

    def _set(self, now: dict[str, Fields], key: str, values: Fields) -> bool:
        new = copy.deepcopy(now[key])
        for name, value in values.items():
            set_value(new, name, value)
        if not self._hangs_as_then(values):
            return False
        if values.get("parent") is not None and self._now.is_inside(values["parent"], key):
            return False
        if "source" in new and (new["source"] == new["target"] or self._now.has_equal(new, key)):
            return False
        now[key] = new
        return True


def _changed(old: Fields, new: Fields) -> list[str]:
    names = [name for name in old if name != "properties"]
    names += [f"properties.{name}" for name in sorted(old["properties"].keys() | new["properties"].keys())]
    return [name for name in names if value_of(old, name) != value_of(new, name)]
