"""The grammar of a diagram as text, a line at a time and both ways.

A node is `Orders (service) [Go]`, a connection `API gateway -> Orders: place order`. Blanks, names and numbers of
characters are those of JavaScript, so that the page reads and prints the same. Every pattern is linear in the line, and
the caller bounds lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from draftsmith.model.ids import NodeId, is_id
from draftsmith.model.readers.limits import MAX_EDGE_LABEL, MAX_LABEL, MAX_TECHNOLOGY
from draftsmith.model.vocabulary import NODE_TYPES

INDENT: Final = "  "
# What JavaScript takes for white space: other than Python, U+FEFF is some, and U+001C to U+001F and U+0085 are none.
BLANKS: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SEVERAL_BLANKS = re.compile(f"[{BLANKS}]+")
_SPACED = re.compile(rf"(?:^|[{BLANKS}])(<?)(-{{1,3}}|~{{1,3}}|={{1,3}}|\.{{2,3}})(>?)(?=[{BLANKS}]|\Z)")
# Only with a head at its end: a name may well have hyphens.
_TIGHT = re.compile(r"(<?)(--?|~~?|==?|\.\.)(>)")
# Alone they are a hyphen, an approximation, an equation and an ellipsis.
_NO_ARROWS: Final = frozenset(("-", "~", "=", "..."))
_ESCAPED = re.compile("\\\\([^\n\r\u2028\u2029])")
_QUOTED = re.compile('"((?:[^"\\\\]|\\\\[^\n\r\u2028\u2029])*)"')
_NODE_MARK = re.compile(rf"(?:^|[{BLANKS}])#|[)\]]\Z")
_BRACKETS = re.compile(r"[\[\]\\]")
_QUOTES = re.compile(r'[\\"]')

_KINDS: Final = {"-": "sync", "~": "async", "=": "data", ".": "dependency"}
_BODIES: Final = {"sync": "-", "async": "~", "data": "=", "dependency": ".."}
_TYPES: Final[Mapping[str, str]] = {
    **{node_type.replace("_", " "): node_type for node_type in NODE_TYPES},
    # As the page calls them.
    "web app": "web",
    "mobile app": "mobile",
    "external system": "external",
    "authentication": "auth",
}


class UnreadableLine(Exception):
    """A line could not be read; the message is the reason, as the end of a sentence, shown to users."""


@dataclass(frozen=True, slots=True)
class End:
    """An end of a connection: a node by its name, or by its id where the name says too little."""

    name: str
    id: NodeId | None = None


@dataclass(frozen=True, slots=True)
class NodeLine:
    """What a line says of a node; None and the empty text are what it does not say.

    `unknown_type`: a word where a type stands that may be the id of a type of one's own.
    """

    label: str
    type: str | None = None
    technology: str = ""
    id: NodeId | None = None
    unknown_type: str = ""


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """What a line says of a connection."""

    source: End
    target: End
    label: str
    kind: str
    direction: str


def one_line(text: str) -> str:
    """A text with every line break and control character turned into a blank."""
    return _CONTROL.sub(" ", text)


def folded_name(name: str) -> str:
    """A name for comparing: letter case, white space and Unicode's form make no other one."""
    words = _SEVERAL_BLANKS.split(unicodedata.normalize("NFKC", one_line(name)).lower())
    return " ".join(word for word in words if word)


def indent_of(line: str) -> int:
    """How far a line is indented, in columns; a tab counts as one level."""
    columns = 0
    for character in line:
        if character == " ":
            columns += 1
        elif character == "\t":
            columns += len(INDENT)
        else:
            break
    return columns


# -- reading


def read_line(line: str, *, takes_unknown_types: bool = False) -> NodeLine | EdgeLine | None:
    """Read a line; None for an empty one.

    Args:
        line: as it stands.
        takes_unknown_types: whether a node is read whose type may be one of a workspace's own.

    Raises:
        UnreadableLine: it is neither a node nor a connection.
    """
    words = line.strip(BLANKS)
    if not words:
        return None
    quoted = _quoted_name(words)
    arrow = _arrow_behind_name(words, quoted)
    if arrow is None:
        return _read_node(words, quoted, takes_unknown_types=takes_unknown_types)
    source = End(_without_slashes(quoted[1])) if quoted else _end_of(words[: arrow.start])
    return _read_edge(source, arrow, words[arrow.end :].strip(BLANKS))


@dataclass(frozen=True, slots=True)
class _Arrow:
    """An arrow and where it stands in its line."""

    start: int
    end: int
    kind: str
    direction: str
    is_from_target: bool


def _quoted_name(words: str) -> re.Match[str] | None:
    """The name in quotation marks that a text begins with, if it does."""
    quoted = _QUOTED.match(words)
    if words.startswith('"') and quoted is None:
        raise UnreadableLine("the quotation marks are not closed")
    return quoted


def _arrow_in(words: str, at: int) -> _Arrow | None:
    """The first arrow at or after a place."""
    rest = words[at:]
    tight = _TIGHT.search(rest)
    for found in _SPACED.finditer(rest):
        if tight is not None and tight.start() < found.start():
            break
        if found[1] or found[3] or found[2] not in _NO_ARROWS:
            return _arrow_of(found, at)
    return None if tight is None else _arrow_of(tight, at)


def _arrow_behind_name(words: str, quoted: re.Match[str] | None) -> _Arrow | None:
    """The arrow of a line; behind a name in quotation marks only where nothing else stands between."""
    if quoted is None:
        return _arrow_in(words, 0)
    arrow = _arrow_in(words, quoted.end())
    return arrow if arrow is not None and not words[quoted.end() : arrow.start].strip(BLANKS) else None


def _arrow_of(match: re.Match[str], at: int) -> _Arrow:
    tail, body, head = match.groups()
    return _Arrow(
        at + match.start(),
        at + match.end(),
        _KINDS[body[0]],
        "both" if tail and head else "forward" if tail or head else "none",
        is_from_target=bool(tail) and not head,
    )


def _read_edge(source: End, arrow: _Arrow, behind: str) -> EdgeLine:
    quoted = _quoted_name(behind)
    colon = behind.find(":", quoted.end() if quoted else 0)
    name, label = (behind, "") if colon < 0 else (behind[:colon], behind[colon + 1 :].strip(BLANKS))
    if quoted and name[quoted.end() :].strip(BLANKS):
        raise UnreadableLine("behind the name stands what a connection does, after a colon")
    if quoted is None and _arrow_in(name, 0) is not None:
        raise UnreadableLine("a line holds one connection")
    target = End(_without_slashes(quoted[1])) if quoted else _end_of(name)
    for end in (source, target):
        _check_end(end)
    if len(label) > MAX_EDGE_LABEL:
        raise UnreadableLine(f"what a connection does is said in {MAX_EDGE_LABEL} characters at most")
    if arrow.is_from_target:
        source, target = target, source
    return EdgeLine(source, target, label, arrow.kind, arrow.direction)


def _end_of(text: str) -> End:
    name = text.strip(BLANKS)
    return End("", NodeId(name[1:])) if name.startswith("#") else End(name)


def _check_end(end: End) -> None:
    if end.id is not None:
        if not is_id(end.id):
            raise UnreadableLine(f"“#{end.id}” is no id")
    elif not end.name.strip(BLANKS):
        raise UnreadableLine("an arrow stands between the names of two nodes")
    elif len(end.name) > MAX_LABEL:
        raise UnreadableLine(f"a name has {MAX_LABEL} characters at most")


def _read_node(words: str, quoted: re.Match[str] | None, *, takes_unknown_types: bool) -> NodeLine:
    marks = _marks_behind(words[quoted.end() :].strip(BLANKS) if quoted else words)
    node_type = None if marks.type is None else _TYPES.get(folded_name(marks.type).replace("_", " ").replace("-", " "))
    unknown_type = None if node_type is not None else marks.type
    if unknown_type is not None and not (takes_unknown_types and is_id(unknown_type)):
        raise UnreadableLine(f"“{marks.type}” is no type; a name with brackets stands in quotation marks")
    if quoted and marks.before:
        raise UnreadableLine("behind the name stand a type in round and a technology in square brackets")
    label = (_without_slashes(quoted[1]) if quoted else marks.before).strip(BLANKS)
    if not label:
        raise UnreadableLine("a node needs a name")
    if len(label) > MAX_LABEL:
        raise UnreadableLine(f"a name has {MAX_LABEL} characters at most")
    if len(marks.technology) > MAX_TECHNOLOGY:
        raise UnreadableLine(f"a technology has {MAX_TECHNOLOGY} characters at most")
    return NodeLine(label, node_type, marks.technology, marks.id, unknown_type or "")


@dataclass(slots=True)
class _NodeMarks:
    """What stands behind the name of a node, and what is left of the text before it."""

    before: str
    type: str | None = None
    technology: str = ""
    id: NodeId | None = None


def _marks_behind(text: str) -> _NodeMarks:
    """Take type, technology and id off the end of a text, each at most once and in any order."""
    marks = _NodeMarks(text)
    has_technology = False
    while True:
        rest = marks.before
        mark = rest.rfind("#")
        opening = _opening_of(rest) if rest.endswith("]") and not has_technology else -1
        round_one = rest.rfind("(") if rest.endswith(")") and marks.type is None else -1
        if opening >= 0:
            marks.technology = _without_slashes(rest[opening + 1 : -1]).strip(BLANKS)
            has_technology = True
            marks.before = rest[:opening].rstrip(BLANKS)
        elif round_one >= 0:
            marks.type = rest[round_one + 1 : -1].strip(BLANKS)
            marks.before = rest[:round_one].rstrip(BLANKS)
        elif marks.id is None and _is_id_mark(rest, mark):
            marks.id = NodeId(rest[mark + 1 :])
            marks.before = rest[:mark].rstrip(BLANKS)
        else:
            return marks


def _is_id_mark(text: str, at: int) -> bool:
    return at >= 0 and (at == 0 or text[at - 1] == " ") and is_id(text[at + 1 :])


def _opening_of(text: str) -> int:
    """Where the square bracket opens that the last character closes; -1 for nowhere."""
    at = len(text) - 2
    while at >= 0:
        slashes = 0
        while at - 1 - slashes >= 0 and text[at - 1 - slashes] == "\\":
            slashes += 1
        if text[at] == "[" and slashes % 2 == 0:
            return at
        at -= slashes + 1
    return -1


def _without_slashes(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)


# -- printing


def print_node(node: NodeLine, depth: int) -> str:
    """The line of a node, with its type where one is given."""
    name, made = one_line(node.label).strip(BLANKS), one_line(node.technology).strip(BLANKS)
    is_bare = _is_plain(name) and not _NODE_MARK.search(name) and _arrow_in(f"{name} {made}", 0) is None
    parts = [name if is_bare else _quote(name)]
    if node.type is not None:
        shown = node.type.replace("_", " ") if node.type in NODE_TYPES else node.type
        parts.append(f"({shown})")
    if made:
        parts.append(f"[{_BRACKETS.sub(_with_slash, made)}]")
    if node.id is not None:
        parts.append(f"#{node.id}")
    return INDENT * depth + " ".join(parts)


def print_edge(edge: EdgeLine) -> str:
    """The line of a connection."""
    what = one_line(edge.label).strip(BLANKS)
    line = f"{_print_end(edge.source)} {_arrow_for(edge.kind, edge.direction)} {_print_end(edge.target)}"
    return f"{line}: {what}" if what else line


def _print_end(end: End) -> str:
    if end.id is not None:
        return f"#{end.id}"
    name = one_line(end.name).strip(BLANKS)
    is_bare = _is_plain(name) and not name.startswith("#") and ":" not in name and _arrow_in(name, 0) is None
    return name if is_bare else _quote(name)


def _arrow_for(kind: str, direction: str) -> str:
    body = _BODIES[kind]
    if direction == "none":
        return body if len(body) > 1 else body * 2
    return f"{'<' if direction == 'both' else ''}{body}>"


def _is_plain(name: str) -> bool:
    return name != "" and not name.startswith('"')


def _quote(name: str) -> str:
    return f'"{_QUOTES.sub(_with_slash, name)}"'


def _with_slash(match: re.Match[str]) -> str:
    return f"\\{match[0]}"
