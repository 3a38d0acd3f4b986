"""A parser for the common part of Mermaid's flowchart grammar: one line in, statements out.

It reads node shapes, `@{…}` forms, chains, `&`, all link forms with both label styles, subgraphs and directions. Not
here: what statements mean for a diagram (`reader`). Every pattern is linear in the line, and the caller bounds
lines, so no text takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from draftsmith.model.layered_layout import Direction


class Unreadable(Exception):
    """A line could not be read; the message is the reason, shown to users."""


@dataclass(frozen=True, slots=True)
class NodeMention:
    """A node in a chain; `label` is the raw text of its shape, None for a bare name."""

    name: str
    label: str | None = None
    shape: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """An arrow: its stroke (`-`, `.`, `=`, `~`), how many dots it has, its heads and its raw label."""

    stroke: str
    dots: int
    head_at_source: bool
    head_at_target: bool
    label: str = ""


@dataclass(frozen=True, slots=True)
class LinkStatement:
    """Groups of nodes joined by `&`, and the links between one group and the next."""

    groups: tuple[tuple[NodeMention, ...], ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """`subgraph name [title]`; `title` is raw, None where there is none."""

    name: str
    title: str | None


@dataclass(frozen=True, slots=True)
class Closing:
    """`end`."""


@dataclass(frozen=True, slots=True)
class DirectionStatement:
    """`flowchart LR` or `direction LR`: the direction of links."""

    direction: Direction
    kind: Literal["flowchart", "direction"]


Statement = LinkStatement | Opening | Closing | DirectionStatement

# Shape, opening, closings, characters that its text may not contain unquoted. Longer openings come first.
_SHAPES: Final[Sequence[tuple[str, str, tuple[str, ...], str]]] = (
    ("circle", "(((", (")))",), ""),
    ("circle", "((", ("))",), ""),
    ("stadium", "([", ("])",), "]"),
    ("ellipse", "(-", ("-)",), ")"),
    ("subroutine", "[[", ("]]",), "]"),
    ("cylinder", "[(", (")]",), "]"),
    ("slanted", "[/", ("/]", "\\]"), "]"),
    ("slanted", "[\\", ("\\]", "/]"), "]"),
    ("hexagon", "{{", ("}}",), "}"),
    ("rectangle", "[", ("]",), "]"),
    ("rounded", "(", (")",), ")"),
    ("diamond", "{", ("}",), "}"),
    ("flag", ">", ("]",), "]"),
)


def _shape_pattern(opening: str, closings: tuple[str, ...], forbidden: str) -> re.Pattern[str]:
    closing = "|".join(map(re.escape, closings))
    return re.compile(
        rf'{re.escape(opening)}(?:\s*"(?P<quoted>[^"]*)"\s*|(?P<bare>[^"{re.escape(forbidden)}]*?))(?:{closing})'
    )


_PATTERNS: Final = [
    (shape, opening, _shape_pattern(opening, closings, forbidden)) for shape, opening, closings, forbidden in _SHAPES
]
# The names of the newer form `id@{ shape: cyl }` that imply a node type.
NAMED_SHAPES: Final = {
    **dict.fromkeys(("cyl", "cylinder", "database", "db", "lin-cyl", "disk"), "cylinder"),
    **dict.fromkeys(("das", "h-cyl", "horizontal-cylinder"), "pipe"),
    **dict.fromkeys(("hex", "hexagon", "prepare"), "hexagon"),
    **dict.fromkeys(("diam", "diamond", "decision", "question"), "diamond"),
    **dict.fromkeys(("circle", "circ", "sm-circ", "dbl-circ"), "circle"),
}
_NAME = re.compile(r'(?:[^\s\[\](){}<>|"&;,:@~=-]|-(?![->.])|=(?!=))+')
_FORM = re.compile(r"@\{(?P<fields>[^{}]*)\}")
_FORM_FIELD = re.compile(r'(?P<key>shape|label)\s*:\s*(?:"(?P<quoted>[^"]*)"|(?P<bare>[^,"]*))')
_STYLE = re.compile(r":::(?P<style>[\w-]+)")
_AND = re.compile(r"\s*&\s*")
_LINK = re.compile(
    r"(?:[\w-]+@)?(?P<left>[xo<])?(?P<arrow>--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?|~~~+)"
    r'(?:\s*\|(?:\s*"(?P<quoted>[^"]*)"\s*|(?P<bare>[^|]*))\|)?'
)
_LINK_START = re.compile(r"(?:[\w-]+@)?(?P<left>[xo<])?(?P<stroke>--|==|-\.)\s*")
_LINK_END: Final = {
    "--": re.compile(r"--+[-xo>]"),
    "==": re.compile(r"==+[=xo>]"),
    "-.": re.compile(r"\.+-[xo>]?"),
}
_QUOTED = re.compile(r'"(?P<text>[^"]*)"\s*')
_SPACE = re.compile(r"\s*")
_BETWEEN = re.compile(r"[\s;]*")
_FINISHED = re.compile(r"\s*(?:;|%%|$)")
_HEADING = re.compile(
    r"(?P<kind>flowchart(?:-elk|-v2)?|graph|direction)(?=[\s;]|$)\s*(?P<direction>TB|TD|BT|RL|LR|[><^v])?(?=[\s;]|$)"
)
_END = re.compile(r"end(?=[\s;]|$)")
_SUBGRAPH = re.compile(r"subgraph(?=[\s;]|$)[^\S\n]*(?P<rest>(?:\"[^\"]*\"|[^\";])*)")
_TITLE = re.compile(r'(?P<name>[^\s\[\]"]++)\s*+\[\s*+(?:"(?P<quoted>[^"]*+)"\s*+|(?P<bare>[^"\]]*+))\]')
_DIRECTIONS: Final[Mapping[str, Direction]] = {
    "RL": "left",
    "<": "left",
    "BT": "up",
    "^": "up",
    "LR": "right",
    ">": "right",
}


def statements(line: str) -> Iterator[Statement]:
    """Yield the statements of a line, in order.

    Raises:
        Unreadable: a statement cannot be read; those before it have been yielded.
    """
    position = _skip(_BETWEEN, line, 0)
    while position < len(line) and not line.startswith("%%", position):
        statement, position = _statement(line, position)
        finished = _FINISHED.match(line, position)
        if finished is None:
            raise Unreadable("there is more on the line than could be read")
        yield statement
        position = len(line) if finished[0].endswith("%%") else _skip(_BETWEEN, line, finished.end())


def _statement(line: str, position: int) -> tuple[Statement, int]:
    if match := _END.match(line, position):
        return Closing(), match.end()
    if match := _SUBGRAPH.match(line, position):
        return _opening(match["rest"].strip()), match.end()
    if match := _HEADING.match(line, position):
        kind: Literal["flowchart", "direction"] = "direction" if match["kind"] == "direction" else "flowchart"
        return DirectionStatement(_DIRECTIONS.get(match["direction"] or "", "down"), kind), match.end()
    return _chain(line, position)


def _opening(after_keyword: str) -> Opening:
    if match := _TITLE.fullmatch(after_keyword):
        return Opening(match["name"], match["quoted"] if match["quoted"] is not None else match["bare"])
    text = _QUOTED.fullmatch(after_keyword)
    title = text["text"] if text else after_keyword
    return Opening(title, title)


def _chain(line: str, position: int) -> tuple[LinkStatement, int]:
    group, position = _group(line, position)
    groups, links = [group], []
    while found := _link(line, _skip(_SPACE, line, position)):
        link, position = found
        group, position = _group(line, _skip(_SPACE, line, position))
        groups.append(group)
        links.append(link)
    return LinkStatement(tuple(groups), tuple(links)), position


def _group(line: str, position: int) -> tuple[tuple[NodeMention, ...], int]:
    node, position = _node(line, position)
    nodes = [node]
    while match := _AND.match(line, position):
        node, position = _node(line, match.end())
        nodes.append(node)
    return tuple(nodes), position


def _node(line: str, position: int) -> tuple[NodeMention, int]:
    name = _NAME.match(line, position)
    if name is None:
        raise Unreadable("a node was expected" if position < len(line) else "the line ends where a node was expected")
    label, shape, position = _shape(line, name.end())
    style = _STYLE.match(line, position)
    if style is None:
        return NodeMention(name[0], label, shape), position
    return NodeMention(name[0], label, shape, style["style"]), style.end()


def _shape(line: str, position: int) -> tuple[str | None, str, int]:
    """Label, shape and their end; None and the same position if there is no shape."""
    for shape, opening, pattern in _PATTERNS:
        if line.startswith(opening, position) and (match := pattern.match(line, position)):
            return match["quoted"] if match["quoted"] is not None else match["bare"], shape, match.end()
    if match := _FORM.match(line, position):
        fields = {
            field["key"]: field["quoted"] if field["quoted"] is not None else field["bare"].strip()
            for field in _FORM_FIELD.finditer(match["fields"])
        }
        return fields.get("label"), NAMED_SHAPES.get(fields.get("shape", ""), "rectangle"), match.end()
    return None, "", position


def _link(line: str, position: int) -> tuple[Link, int] | None:
    if match := _LINK.match(line, position):
        arrow = match["arrow"]
        label = match["quoted"] if match["quoted"] is not None else match["bare"] or ""
        return _arrow(match["left"], arrow, label), match.end()
    start = _LINK_START.match(line, position)
    if start is None:
        return None
    if quoted := _QUOTED.match(line, start.end()):
        label, end = quoted["text"], _LINK_END[start["stroke"]].match(line, quoted.end())
    else:
        end = _LINK_END[start["stroke"]].search(line, _first_end(line, start.end(), start["stroke"]))
        label = line[start.end() : end.start()] if end else ""
    if end is None:
        raise Unreadable("a link has no end")
    return _arrow(start["left"], end[0], label), end.end()


def _first_end(line: str, position: int, stroke: str) -> int:
    """Where the end of a link is looked for: for dots, where those before the next hyphen begin."""
    if stroke != "-.":
        return position
    hyphen = line.find(".-", position)
    return len(line) if hyphen < 0 else position + len(line[position : hyphen + 1].rstrip("."))


def _arrow(head: str | None, arrow: str, label: str) -> Link:
    stroke = next(stroke for stroke in ".=~-" if stroke in arrow)
    dots = arrow.count(".") if stroke == "." else 0
    return Link(stroke, dots, head is not None, arrow[-1] in "xo>", label)


def _skip(pattern: re.Pattern[str], line: str, position: int) -> int:
    match = pattern.match(line, position)
    return match.end() if match else position
