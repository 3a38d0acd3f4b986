"""A chart that Mermaid's own parser has read, as a diagram.

The kinds are flowcharts, C4, architecture, class, state, ER and sequence diagrams. The parser runs elsewhere
(`usecases.prepare.parsed_charts`); what it says is JSON, in one form for all kinds
(`frontend/src/engine/charts/chart.ts`). Not here: reading a flowchart without it, line by line (`reader`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypedDict, cast

import orjson

from draftsmith.model.fields import SparseEdgeFields, SparseNodeFields, shorten_to
from draftsmith.model.ids import NodeId
from draftsmith.model.layered_layout import Direction
from draftsmith.model.mermaid.diagram import Sketch
from draftsmith.model.mermaid.kinds import front_matter
from draftsmith.model.mermaid.looks import EDGE_LOOKS, NODE_LOOKS, set_looks
from draftsmith.model.mermaid.reader import MermaidImport, UnreadLine, noted_id
from draftsmith.model.mermaid.syntax import NAMED_SHAPES, NodeMention, Unreadable
from draftsmith.model.mermaid.text import plain_text, read_label
from draftsmith.model.readers.building import holders_within
from draftsmith.model.readers.colors import nearest_color
from draftsmith.model.readers.limits import (
    MAX_DESCRIPTION,
    MAX_NAME,
    MAX_TECHNOLOGY,
    MAX_UNREAD,
    SHOWN,
    properties_within,
)
from draftsmith.model.type_words import FINER_TYPES, guess_type
from draftsmith.model.vocabulary import GROUP, NODE_TYPES

TOO_COSTLY: Final = orjson.dumps({"too_costly": True})
"""What stands for the answer of a parser that was ended."""
FAILED: Final = orjson.dumps({"refused": {"reason": "Mermaid's parser has failed", "line": None}})
"""What stands for that of one that has ended by itself."""
_LEAST_CHROMA: Final = 0.1
_NOTE: Final = "note"
_DIRECTIONS: Final[Mapping[str, Direction]] = {"RL": "left", "BT": "up", "LR": "right", "TB": "down", "TD": "down"}
_CURVES: Final = {"linear": "straight", "basis": "curved"}
_FLOWCHART_SHAPES: Final = {
    **NAMED_SHAPES,
    "cylinder": "cylinder",
    "hexagon": "hexagon",
    "diamond": "diamond",
    "doublecircle": "circle",
    **dict.fromkeys(("lean_right", "lean_left", "trapezoid", "inv_trapezoid"), "slanted"),
}
"""Mermaid's names of shapes that imply a type, by those of `syntax`."""
_TYPES: Final[Mapping[str, Mapping[str, str]]] = {
    "c4": {"person": "user", "external_person": "user"},
    "architecture": {
        "database": "database", "disk": "storage", "server": "server", "internet": "external", "cloud": "external",
        "junction": "other",
    },
    "sequence": {
        "actor": "user", "database": "database", "queue": "queue", "boundary": "client", "entity": "other",
    },
    "er": {"entity": "database"},
}  # fmt: skip
"""Types of what the words of a kind say."""
_OTHERWISE: Final = {"class": "other", "state": "other"}
"""Types of kinds that show no parts of a system."""
_UNGUESSED: Final = frozenset(("state", "er"))
"""Kinds whose labels are no names of parts of a system, so that nothing is guessed from their words."""
_C4_TYPES: Final = (("_db", "database"), ("_queue", "queue"))
_MARKED = re.compile(r"[`<&#]")
_NUMBERED = re.compile(r"\A[0-9]{1,6}\. ")
_RELATION = re.compile(
    r"(?:Bi)?Rel(?P<index>Index)?(?:_[A-Za-z]+)?\s*\(\s*(?(index)[^,]*,\s*)(?P<source>[^\s,()]+)\s*,\s*(?P<target>[^\s,()]+)"
)
_PLACED: Final = 100
"""Parts that are not taken over of which the place is looked for."""
_NOT_KEPT: Final = (
    (re.compile(r"%%\{"), "directives are not kept"),
    (re.compile(r"acc(?:Title|Descr)\b"), "descriptions for screen readers are not kept"),
    (
        re.compile(r"(?:classDef|cssClass|style|UpdateElementStyle|UpdateRelStyle)\b"),
        "only colours and dashes of a style are kept",
    ),
    (re.compile(r"UpdateLayoutConfig\b|align\s"), "what only shapes the layout is not kept"),
)


class ParsedBox(TypedDict, total=False):
    """A box as `charts/chart.ts` says; what is absent is empty."""

    name: str
    text: str
    word: str
    is_group: bool
    inside: str
    is_nameless: bool
    technology: str
    description: str
    properties: Mapping[str, str]
    classes: Sequence[str]
    styles: Sequence[str]
    colors: Sequence[str]
    is_dashed: bool


class ParsedLine(TypedDict, total=False):
    """A line as `charts/chart.ts` says; what is absent is empty."""

    source: str
    target: str
    text: str
    kind: str
    direction: str
    technology: str
    description: str
    properties: Mapping[str, str]
    styles: Sequence[str]
    curve: str
    colors: Sequence[str]
    is_dashed: bool


class ChartRemainder(TypedDict):
    """Something of a chart that is neither a box nor a line."""

    text: str
    reason: str


class ParsedChart(TypedDict, total=False):
    """A chart as `charts/read.ts` says."""

    kind: Literal["flowchart", "c4", "architecture", "class", "state", "er", "sequence"]
    title: str
    direction: str
    boxes: Sequence[ParsedBox]
    lines: Sequence[ParsedLine]
    left_out: Sequence[ChartRemainder]


class ChartRefusal(TypedDict):
    """Why the parser refuses a chart, as the end of a sentence, and in which line."""

    reason: str
    line: int | None


def chart_in(parsed: bytes) -> ParsedChart | None:
    """The chart in the answer of a parser; None where it has none."""
    answer = _answer(parsed)
    return cast(ParsedChart, answer) if answer.get("kind") else None


def refusal_in(parsed: bytes) -> ChartRefusal | None:
    """Why a parser has read no chart; None where it was not asked, or reads no chart of that kind."""
    answer = _answer(parsed)
    if answer.get("too_costly"):
        return {"reason": "it takes Mermaid's parser too much time or memory", "line": None}
    return cast("ChartRefusal | None", answer.get("refused"))


def _answer(parsed: bytes) -> Mapping[str, object]:
    try:
        return cast("Mapping[str, object]", orjson.loads(parsed)) if parsed else {}
    except orjson.JSONDecodeError:  # a lone surrogate
        return {}


def read_chart(text: str, chart: ParsedChart, *, is_placed: bool = True) -> MermaidImport:
    """The diagram of a chart, and what of it is not in that.

    Args:
        text: the chart as it was written: it has the ids of our export, and lines.
        chart: what the parser has read of it.
        is_placed: whether nodes get positions and groups sizes.
    """
    reading = _ChartReader(text, chart)
    reading.read_boxes()
    reading.read_lines()
    reading.list_left_out()
    sketch = reading.sketch
    return MermaidImport(
        sketch.diagram(is_placed=is_placed),
        reading.unread_lines(),
        direction=sketch.direction,
        name=shorten_to(" ".join(plain_text(chart.get("title", "")).split()), MAX_NAME),
        sources={one: name for one, name in sketch.sources().items() if name not in reading.nameless},
    )


class _ChartReader:
    """Reads the parts of one chart into a sketch.

    Attributes:
        nameless: the names of boxes that the parser made up.
    """

    def __init__(self, text: str, chart: ParsedChart) -> None:
        self._chart, self._kind = chart, chart["kind"]
        self._rows = text.split("\n")
        self._unread: list[UnreadLine] = []
        self._unlisted = 0
        self._text = text
        self.nameless: set[str] = set()
        self.sketch = Sketch(direction=_DIRECTIONS.get(chart.get("direction", "").strip(), "right"))
        if self._kind == "flowchart":
            self.sketch.given_ids = _given_ids(self._rows)

    def read_boxes(self) -> None:
        """Read boxes, each behind the one around it."""
        boxes = {box["name"]: box for box in self._chart.get("boxes", ())}
        groups = {name for name, box in boxes.items() if box.get("is_group")}
        wanted = {name: box.get("inside", "") for name, box in boxes.items()}
        holders = holders_within(_holders({name: one if one in groups else None for name, one in wanted.items()}))
        for name, box in boxes.items():
            try:
                self._read_box(box, holders[name])
            except Unreadable as problem:
                self._leave(name, str(problem), name)

    def _read_box(self, box: ParsedBox, holder: str | None) -> None:
        name, is_group = box["name"], box.get("is_group", False)
        if box.get("is_nameless"):
            self.nameless.add(name)
        fields = self._node_fields(box)
        style = next((one for one in reversed(box.get("classes", ())) if one in NODE_TYPES), "")
        looks = NODE_LOOKS.get(",".join(box.get("styles", ())))
        if looks is not None:
            self.sketch.looks[name] = looks
        shape = _FLOWCHART_SHAPES.get(box.get("word", ""), "")
        self.sketch.add_box(NodeMention(name, box.get("text") or name, shape, style), fields, holder, is_group=is_group)

    def read_lines(self) -> None:
        """Read lines; what is no line here is listed."""
        for line in self._chart.get("lines", ()):
            label, technology = line.get("text", ""), plain_text(line.get("technology", ""))
            written = f"{label} [{technology}]".lstrip() if technology else label
            fields = _edge_fields(line)
            reason = self.sketch.add_line(line["source"], line["target"], written, fields)
            if reason:
                shown = f"{line['source']} → {line['target']} {plain_text(label)}".rstrip()
                said = _NUMBERED.sub("", _MARKED.split(label, maxsplit=1)[0]).strip()
                self._leave(shown, reason, line["source"], line["target"], said)

    def list_left_out(self) -> None:
        """List what is neither a box nor a line."""
        if self._kind == "c4":
            self._list_replaced_relations()
        for one in self._chart.get("left_out", ()):
            self._leave(plain_text(one["text"]), one["reason"], one["text"].split("\n", 1)[0])
        front = front_matter(self._text.lstrip().split("\n"))
        if any(row.strip() and not row.startswith("title:") for row in front[1:-1]):
            self._list(1, "---", "of front matter only the title is kept")
        for pattern, reason in _NOT_KEPT:
            found = next((at for at, row in enumerate(self._rows) if pattern.match(row.lstrip())), None)
            if found is not None:
                self._list(found + 1, self._rows[found].strip(), reason)

    def unread_lines(self) -> list[UnreadLine]:
        """What was listed, in the order of the lines, as far as it is told."""
        listed = sorted(self._unread, key=lambda one: one.line)
        unlisted = self._unlisted + max(0, len(listed) - MAX_UNREAD)
        if unlisted:
            listed[MAX_UNREAD:] = [UnreadLine(listed[MAX_UNREAD - 1].line, "", f"and {unlisted:,} more parts")]
        return listed

    def _leave(self, text: str, reason: str, *words: str) -> None:
        """List something; `words`: what its line has, of which the first comes before the others."""
        self._list(self._line_with(words) if len(self._unread) < _PLACED else 1, text, reason)

    def _list(self, line: int, text: str, reason: str) -> None:
        if len(self._unread) < MAX_UNREAD:
            self._unread.append(UnreadLine(line, text[:SHOWN], reason))
        else:
            self._unlisted += 1

    def _list_replaced_relations(self) -> None:
        """List the relations of which the parser knows nothing any more."""
        lines: dict[tuple[str, str], int] = {}
        for number, row in enumerate(self._rows, 1):
            found = _RELATION.match(row.lstrip())
            if found is None:
                continue
            earlier = lines.get((found["source"], found["target"]))
            if earlier is not None:
                reason = "Mermaid keeps one relation from an element to another, the last"
                self._list(earlier, self._rows[earlier - 1].strip(), reason)
            lines[found["source"], found["target"]] = number

    def _line_with(self, words: Sequence[str]) -> int:
        """The first line that has the first word and behind it the others, likely the one meant; else line 1."""
        first, *others = words
        for number, row in enumerate(self._rows if first else (), 1):
            _, found, rest = row.partition(first)
            if found and all(other in rest for other in others):
                return number
        return 1

    def _node_fields(self, box: ParsedBox) -> SparseNodeFields:
        """The fields of a box that are not in its text."""
        fields: SparseNodeFields = {}
        technology = shorten_to(plain_text(box.get("technology", "")), MAX_TECHNOLOGY)
        if technology:
            fields["technology"] = technology
        node_type = self._type_of(box, technology)
        if node_type:
            fields["type"] = node_type
        description = shorten_to(plain_text(box.get("description", "")), MAX_DESCRIPTION)
        if description:
            fields["description"] = description
        _add_looks(fields, box)
        return fields

    def _type_of(self, box: ParsedBox, technology: str) -> str:
        """The type that the kind says; empty where shape and words do."""
        word = box.get("word", "")
        if box.get("is_group"):
            return GROUP
        if word == _NOTE and self._kind != "flowchart":
            return _NOTE
        if self._kind == "flowchart":
            return ""
        said = _TYPES.get(self._kind, {}).get(word, "")
        if self._kind == "c4" and not said:
            said = next((node_type for ending, node_type in _C4_TYPES if word.endswith(ending)), "")
            said = said or ("external" if word.startswith("external_") else "")
        if self._kind in _UNGUESSED or (said and said not in FINER_TYPES):
            return said or _OTHERWISE[self._kind]
        words = guess_type(read_label(box.get("text", ""))[0], technology, _OTHERWISE.get(self._kind, "service"))
        return words if not said or words in FINER_TYPES[said] else said


def _add_looks(fields: SparseNodeFields | SparseEdgeFields, part: ParsedBox | ParsedLine) -> None:
    """Add colour, dashes and properties."""
    colors = (nearest_color(color, _LEAST_CHROMA) for color in part.get("colors", ()))
    color = next((color for color in colors if color), "")
    if color:
        fields["color"] = color
    if part.get("is_dashed"):
        fields["style"] = "dashed"
    properties = properties_within({key: plain_text(value) for key, value in part.get("properties", {}).items()})
    if properties:
        fields["properties"] = properties


def _edge_fields(line: ParsedLine) -> SparseEdgeFields:
    """The fields of a line but for its ends and its label."""
    fields: SparseEdgeFields = {"kind": line["kind"], "direction": line["direction"]}
    description = shorten_to(plain_text(line.get("description", "")), MAX_DESCRIPTION)
    if description:
        fields["description"] = description
    curve, styles = line.get("curve", ""), ",".join(line.get("styles", ()))
    looks = EDGE_LOOKS.get(f"interpolate {curve} {styles}".rstrip() if curve in _CURVES else styles)
    if looks is not None:
        set_looks(fields, looks)
        return fields
    if curve in _CURVES:
        fields["shape"] = _CURVES[curve]
    _add_looks(fields, line)
    return fields


def _holders(parents: Mapping[str, str | None]) -> dict[str, str | None]:
    """The group of each box, each behind its own; in a circle of groups, one stands in none."""
    holders: dict[str, str | None] = {}
    for start in parents:
        chain: dict[str, None] = {}
        name: str | None = start
        while name is not None and name not in holders and name not in chain:
            chain[name] = None
            name = parents.get(name)
        for one in reversed(chain):
            parent = parents[one]
            holders[one] = parent if parent in holders else None
    return holders


def _given_ids(rows: Sequence[str]) -> dict[str, NodeId]:
    """The ids in comments that our export writes, of which the first counts."""
    found: dict[str, NodeId] = {}
    for noted in map(noted_id, rows):
        if noted is not None:
            found.setdefault(*noted)
    return found
