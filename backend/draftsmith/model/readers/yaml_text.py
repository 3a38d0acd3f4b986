"""YAML and JSON of strangers as plain values that know their lines, within bounds.

The parser's events are counted before anything is made of them, an alias as much as what it repeats, so that a few
lines that stand for billions of values are refused like a file with so many. Nothing is made but mappings, lists and
scalars: no tag of a file names a class. A plain scalar is null, true, false or a whole number as in YAML 1.2, else the
text as it is written: `22:22` is a port, and no number of base 60.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from draftsmith.model.readers.alone import text_of
from draftsmith.model.readers.reading import SourceFile, UnreadableSource

MAX_BYTES: Final = 5_000_000
MAX_VALUES: Final = 300_000
"""Values of a file, those that aliases repeat counted each time, long texts once more for every 50 characters."""
_CHARACTERS: Final = 50
MAX_DEPTH: Final = 100
_MERGE: Final = "<<"
_WORDS: Final = {"": None, "~": None, "null": None, "true": True, "false": False}
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})")
# The parser in C where PyYAML has it, as in all its wheels: 30 times as fast, with the same events.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlMapping(dict[str, Any]):
    """A mapping.

    Attributes:
        line: on which it begins, from 1.
        lines: on which its keys stand.
        tags: local tags of values by their key, such as `!reset`.
    """

    __slots__ = ("line", "lines", "tags")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}
        self.tags: dict[str, str] = {}

    def line_of(self, key: str) -> int:
        """The line of a key, or that of the mapping."""
        return self.lines.get(key, self.line)


@dataclass(slots=True)
class YamlStream:
    """What a file holds.

    Attributes:
        documents: with the line on which each begins.
        repeated: keys that stand twice in one mapping, with the line of the second; the last one counts.
        failure: why the rest is not there; None where everything is.
    """

    documents: list[tuple[Any, int]] = field(default_factory=list)
    repeated: list[tuple[str, int]] = field(default_factory=list)
    failure: UnreadableSource | None = None


def read_yaml(file: SourceFile) -> YamlStream:
    """Read a file as far as it can be read."""
    building = _StreamBuilder(file.path)
    try:
        for event in yaml.parse(_text_of(file), Loader=_LOADER):
            building.add(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        building.stream.failure = UnreadableSource(f"it is no YAML: {_words_of(error)}", file.path, line)
    except UnreadableSource as failure:
        building.stream.failure = failure
    if building.stream.failure is not None:
        building.drop_open()
    return building.stream


def _words_of(error: yaml.YAMLError) -> str:
    words = getattr(error, "problem", None) or getattr(error, "reason", None) or "it breaks off"
    return " ".join(str(words).split())[:200]


def _text_of(file: SourceFile) -> str:
    text = text_of(file, MAX_BYTES)
    # JSON may be indented with tabs, which YAML may not, and has none inside of its texts.
    return text.replace("\t", " ") if text.lstrip()[:1] in ("{", "[") else text


@dataclass(slots=True)
class _OpenValue:
    """A mapping or a list that is being read.

    Attributes:
        key: of the value that comes next; None where a key comes next, or in a list.
        merges: values of `<<`.
        first: how many values were counted before it.
        height: how many mappings and lists are in one another in it, itself counted.
    """

    value: YamlMapping | list[Any]
    anchor: str | None
    first: int
    key: str | None = None
    key_line: int = 0
    height: int = 1
    merges: list[Any] = field(default_factory=list)


class _StreamBuilder:
    """Makes values of events."""

    def __init__(self, path: str) -> None:
        self.stream = YamlStream()
        self._path = path
        self._open: list[_OpenValue] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._count = 0

    def add(self, event: yaml.Event) -> None:
        """Take the next event."""
        line = event.start_mark.line + 1
        if isinstance(event, yaml.ScalarEvent):
            self._add_scalar(event, line)
        elif isinstance(event, yaml.AliasEvent):
            self._add_alias(event.anchor, line)
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin(YamlMapping(line), event, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin([], event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()
        elif isinstance(event, yaml.DocumentStartEvent):
            self._anchors.clear()

    def drop_open(self) -> None:
        """Leave out the document that broke off."""
        if self._open:
            self.stream.documents.pop()

    def _add_scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        weight = 1 + len(event.value) // _CHARACTERS
        self._spend(weight, line)
        around = self._open[-1] if self._open else None
        if around is not None and isinstance(around.value, YamlMapping) and around.key is None:
            around.key, around.key_line = event.value, line
            if event.anchor:
                self._anchors[event.anchor] = (event.value, weight, 0)
            return
        is_plain = not event.style and (event.tag is None or not event.tag.endswith(":str"))
        value = _resolve(event.value) if is_plain else event.value
        if event.anchor:
            self._anchors[event.anchor] = (value, weight, 0)
        self._put(value, event.tag, line)

    def _add_alias(self, anchor: str, line: int) -> None:
        if any(one.anchor == anchor for one in self._open):
            raise UnreadableSource(f"the alias *{anchor[:60]} stands in what it repeats", self._path, line)
        if anchor not in self._anchors:
            raise UnreadableSource(f"the alias *{anchor[:60]} repeats nothing", self._path, line)
        value, weight, height = self._anchors[anchor]
        self._spend(weight, line)
        if len(self._open) + height > MAX_DEPTH:
            raise UnreadableSource(f"it is nested deeper than {MAX_DEPTH} levels", self._path, line)
        self._raise_around(height)
        around = self._open[-1] if self._open else None
        if around is not None and isinstance(around.value, YamlMapping) and around.key is None:
            if not isinstance(value, str):
                raise UnreadableSource("a key is no text", self._path, line)
            around.key, around.key_line = value, line
        else:
            self._put(value, None, line)

    def _begin(self, value: YamlMapping | list[Any], event: yaml.CollectionStartEvent, line: int) -> None:
        self._spend(1, line)
        if len(self._open) >= MAX_DEPTH:
            raise UnreadableSource(f"it is nested deeper than {MAX_DEPTH} levels", self._path, line)
        around = self._open[-1] if self._open else None
        if around is not None and isinstance(around.value, YamlMapping) and around.key is None:
            raise UnreadableSource("a key is no text", self._path, line)
        first = self._count - 1
        self._put(value, event.tag, line)
        self._open.append(_OpenValue(value, event.anchor, first))

    def _end(self) -> None:
        closed = self._open.pop()
        if isinstance(closed.value, YamlMapping):
            for merged in closed.merges:
                _merge(closed.value, merged)
        if closed.anchor:
            self._anchors[closed.anchor] = (closed.value, self._count - closed.first, closed.height)
        self._raise_around(closed.height)

    def _raise_around(self, height: int) -> None:
        """Note how high what stands in the innermost open value is; what an alias repeats is high, too."""
        if self._open:
            self._open[-1].height = max(self._open[-1].height, height + 1)

    def _put(self, value: Any, tag: str | None, line: int) -> None:
        """Set a value at its place."""
        if not self._open:
            self.stream.documents.append((value, line))
            return
        around = self._open[-1]
        if isinstance(around.value, list):
            around.value.append(value)
            return
        key, around.key = around.key or "", None
        if key == _MERGE:
            around.merges.append(value)
            return
        if key in around.value:
            self.stream.repeated.append((key, around.key_line))
        around.value[key] = value
        around.value.lines[key] = around.key_line
        if tag and tag.startswith("!") and tag != "!":
            around.value.tags[key] = tag

    def _spend(self, weight: int, line: int) -> None:
        self._count += weight
        if self._count > MAX_VALUES:
            reason = f"it holds more than {MAX_VALUES:,} values, with those that aliases repeat"
            raise UnreadableSource(reason, self._path, line)


def _resolve(text: str) -> Any:
    lower = text.lower()
    if lower in _WORDS and text in (lower, lower.upper(), lower.capitalize()):
        return _WORDS[lower]
    return int(text) if _NUMBER.fullmatch(text) else text


def _merge(into: YamlMapping, merged: Any) -> None:
    """Take over the keys that a mapping has not itself, from one or from several, the first of which counts."""
    for one in merged if isinstance(merged, list) else [merged]:
        if isinstance(one, YamlMapping):
            for key, value in one.items():
                if key not in into:
                    into[key] = value
                    into.lines[key] = one.line_of(key)


def texts_of(value: Any) -> Sequence[str]:
    """The texts of a list, or a single one; numbers as they are written, all else left out."""
    values = value if isinstance(value, list) else [value]
    return [str(one) for one in values if isinstance(one, str | int) and not isinstance(one, bool)]
