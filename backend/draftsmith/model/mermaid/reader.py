"""Mermaid flowchart import: line by line, never failing.

Every flowchart gives a diagram: lines that could not be read, or are not kept (styles, clicks, invisible links), are
listed with the reason. A text that is none, or of which nothing could be read, gives an empty one and the line that
shows it. As in Mermaid, a node belongs to the first closed group that mentions it, and its last label counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypedDict

from draftsmith.model.document import with_lf
from draftsmith.model.fields import SparseDiagram
from draftsmith.model.ids import EdgeId, NodeId, is_id
from draftsmith.model.layered_layout import Direction
from draftsmith.model.mermaid.diagram import Sketch
from draftsmith.model.mermaid.kinds import BEGINNINGS, kind_of
from draftsmith.model.mermaid.looks import EDGE_LOOKS, NODE_LOOKS
from draftsmith.model.mermaid.syntax import Closing, DirectionStatement, Opening, Statement, Unreadable, statements

MAX_BYTES: Final = 1_000_000
_MAX_LINE: Final = 10_000
_MAX_LINES_OF_A_LABEL: Final = 10
_MAX_UNREAD: Final = 1_000
_SHOWN: Final = 200

_NOTED_ID = re.compile(r"\s*%% id (?P<name>\S+): (?P<id>\S+)\s*")
_DIRECTIVE = re.compile(r"\s*%%\{")
_COMMENT = re.compile(r"\s*%%")
_HEADING = re.compile(r"\s*(?:flowchart|graph)(?:-elk|-v2)?(?=[\s;]|$)")
_NUMBER = re.compile(r"[0-9]{1,6}")
_NOT_KEPT = re.compile(r"\s*(?P<word>classDef|class|style|linkStyle|click|accTitle|accDescr)(?=[\s:])")


class UnreadOut(TypedDict):
    """The JSON form of a line that was not read."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that was not read or not kept: its number from 1, its text (at most 200 characters), and why."""

    line: int
    text: str
    reason: str

    def to_json(self) -> UnreadOut:
        """The JSON form."""
        return {"line": self.line, "text": self.text, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class MermaidImport:
    """A diagram in the export form, `{nodes, edges}`, and the lines that are not in it.

    Attributes:
        fault: the line for which nothing at all could be read; None for any flowchart, an empty one included.
        is_flowchart: the text begins as one, or was not looked at.
        direction: in which it flows.
        name: what it says it is called, empty for nothing.
        sources: what it calls its nodes itself.
    """

    diagram: SparseDiagram
    unread: list[UnreadLine]
    fault: UnreadLine | None = None
    is_flowchart: bool = True
    direction: Direction = "right"
    name: str = ""
    sources: Mapping[NodeId | EdgeId, str] = field(default_factory=dict)


def from_mermaid(text: str, *, is_placed: bool = True) -> MermaidImport:
    """Read a flowchart of at most 1 MB; never raises.

    Args:
        text: content of a `.mmd` file or of a fenced Markdown block, front matter included.
        is_placed: whether nodes get positions and groups sizes; without, whoever draws them finds places.
    """
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        too_long = UnreadLine(1, "", "the text is longer than 1 MB; nothing was read")
        return MermaidImport(_empty(), [too_long], too_long)
    # Lone surrogates and NUL cannot be stored.
    clean = text.encode("utf-8", "replace").decode().replace("\x00", "\ufffd").removeprefix("\ufeff")
    reading = _ReaderState()
    for number, line in _logical_lines(with_lf(clean).split("\n")):
        reading.read(number, line)
    return reading.result(is_placed=is_placed)


@dataclass(slots=True)
class _ReaderState:
    """The state between lines."""

    sketch: Sketch = field(default_factory=Sketch)
    unread: list[UnreadLine] = field(default_factory=list)
    unlisted: int = 0
    is_started: bool = False
    fault: UnreadLine | None = None
    first_unreadable: UnreadLine | None = None
    in_front_matter: bool = False
    # Depth of groups that were not read: their `end` must not close another group.
    skipped_groups: int = 0

    def read(self, number: int, line: str) -> None:
        """Read one line."""
        if self.fault or not line.strip() or self._is_front_matter(number, line):
            return
        if _COMMENT.match(line):
            self._read_comment(number, line)
        elif not self.is_started and not _HEADING.match(line):
            self._give_up(number, line)
        elif len(line) > _MAX_LINE:
            self._list(number, line, f"the line is longer than {_MAX_LINE:,} characters")
        elif self._take_looks(line):
            return
        elif match := _NOT_KEPT.match(line):
            self._list(number, line, f"`{match['word']}` is not kept")
        else:
            self._read_statements(number, line)

    def result(self, *, is_placed: bool) -> MermaidImport:
        """The diagram and the unread lines."""
        if not self.is_started and not self.fault:
            self.fault = self._list(1, "", f"there is no flowchart, which begins with {BEGINNINGS}")
        if self.unlisted:
            last = self.unread[-1].line
            self.unread.append(UnreadLine(last, "", f"and {self.unlisted:,} more lines after this one"))
        diagram = self.sketch.diagram(is_placed=is_placed)
        fault = self.fault or (None if diagram["nodes"] else self.first_unreadable)
        return MermaidImport(
            diagram, self.unread, fault, self.is_started, self.sketch.direction, sources=self.sketch.sources()
        )

    def _give_up(self, number: int, line: str) -> None:
        kind = kind_of(line)
        reason = f"this is {kind}, and only flowcharts are read, which begin" if kind else "a flowchart begins"
        self.fault = self._list(number, line, f"{reason} with {BEGINNINGS}; nothing was read")

    def _is_front_matter(self, number: int, line: str) -> bool:
        if self.in_front_matter:
            self.in_front_matter = line.strip() != "---"
            return True
        if not self.is_started and line.strip() == "---":
            self.in_front_matter = True
            self._list(number, line, "front matter is not kept")
            return True
        return False

    def _read_comment(self, number: int, line: str) -> None:
        noted = noted_id(line)
        if noted is not None:
            self.sketch.given_ids.setdefault(*noted)
        elif _DIRECTIVE.match(line):
            self._list(number, line, "directives are not kept")

    def _take_looks(self, line: str) -> bool:
        """Process a line of `style` or `linkStyle`; whether it is one that the export writes."""
        word, _, rest = line.strip().partition(" ")
        name, _, said = rest.partition(" ")
        if word == "style" and (looks := NODE_LOOKS.get(said)):
            self.sketch.looks[name] = looks
            return True
        # Behind links that were not read, numbers mean others.
        is_number = self.first_unreadable is None and _NUMBER.fullmatch(name)
        if word == "linkStyle" and is_number and (looks := EDGE_LOOKS.get(said)):
            return self.sketch.set_link_looks(int(name), looks)
        return False

    def _read_statements(self, number: int, line: str) -> None:
        try:
            for statement in statements(line):
                for reason in self._take(statement):
                    self._list(number, line, reason)
        except Unreadable as problem:
            unread = self._list(number, line, str(problem))
            self.first_unreadable = self.first_unreadable or unread

    def _take(self, statement: Statement) -> Sequence[str]:
        """Process a statement; return the reasons for parts that are not kept."""
        if isinstance(statement, DirectionStatement):
            return self._take_heading(statement)
        if isinstance(statement, Opening):
            if self.skipped_groups:
                self.skipped_groups += 1
                return ("it stands in a group that was not read",)
            try:
                self.sketch.open_group(statement)
            except Unreadable:
                self.skipped_groups = 1
                raise
        elif isinstance(statement, Closing):
            if self.skipped_groups:
                self.skipped_groups -= 1
            else:
                self.sketch.close_group()
        else:
            return tuple(dict.fromkeys(self.sketch.add_chain(statement)))
        return ()

    def _take_heading(self, heading: DirectionStatement) -> Sequence[str]:
        if heading.kind == "direction" and self.sketch.depth:
            return ("the direction of a single group is not kept",)
        if heading.kind == "flowchart" and self.is_started:
            return ("there is a flowchart already",)
        self.is_started = True
        self.sketch.direction = heading.direction
        return ()

    def _list(self, number: int, line: str, reason: str) -> UnreadLine:
        unread = UnreadLine(number, line.strip()[:_SHOWN], reason)
        if len(self.unread) < _MAX_UNREAD:
            self.unread.append(unread)
        else:
            self.unlisted += 1
        return unread


def noted_id(line: str) -> tuple[str, NodeId] | None:
    """The name and the id in a comment that our export writes; None for any other line."""
    noted = _NOTED_ID.fullmatch(line)
    return (noted["name"], NodeId(noted["id"])) if noted and is_id(noted["id"]) else None


def _logical_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers from 1; a line that ends inside a quoted label is joined with the next ones."""
    index = 0
    while index < len(lines):
        joined, end = lines[index], index + 1
        if joined.count('"') % 2 and not _COMMENT.match(joined):
            for upto in range(end + 1, min(end + _MAX_LINES_OF_A_LABEL, len(lines) + 1)):
                if lines[upto - 1].count('"') % 2:
                    joined, end = "\n".join(lines[index:upto]), upto
                    break
        yield index + 1, joined
        index = end


def _empty() -> SparseDiagram:
    return {"nodes": [], "edges": []}
