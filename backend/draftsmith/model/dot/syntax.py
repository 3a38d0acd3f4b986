"""The DOT language: the text of a file as graphs with their nodes, edges and clusters, within bounds.

Written after the grammar of Graphviz (graphviz.org/doc/info/lang.html): statements with defaults for what follows,
chains of edges, sets of nodes as ends, names in quotes, in HTML and joined by `+`. Nothing is looked at twice, and
nodes, edges and words are counted over the whole file. Not here: what attributes mean (`reader`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

MAX_DEPTH: Final = 64
MAX_TOKENS: Final = 2_000_000
MAX_NODES: Final = 10_000
MAX_EDGES: Final = 20_000
MAX_GRAPHS: Final = 100
_MAX_VALUE: Final = 20_000
_MAX_DEFAULTS: Final = 60
_MAX_ATTRIBUTES: Final = 140
_TOKEN = re.compile(
    r"""
    (?P<blank>\s++|//[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)\*/)
    |(?P<quoted>"(?>(?:[^"\\]++|\\.)*)")
    |(?P<arrow>->|--)
    |(?P<name>[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*+|-?(?:\.\d++|\d++(?:\.\d*+)?))
    |(?P<sign>[{}\[\];,:=+])
    |(?P<markup><)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTE = re.compile(r'\\(?:(")|\r?\n)|(\\\\)')
_KEYWORDS: Final = frozenset(("node", "edge", "graph", "digraph", "subgraph", "strict"))


class DotError(Exception):
    """Why a text cannot be read, in a clause; `line` of it, from 1."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


@dataclass(frozen=True, slots=True)
class DotToken:
    """A word of the language.

    Attributes:
        kind: `name`, `quoted`, `markup`, `keyword`, `arrow`, `sign`, or `end`.
        text: without its quotes; of a keyword in lower case.
        at: where it begins.
    """

    kind: str
    text: str
    at: int


@dataclass(slots=True)
class DotValue:
    """The value of an attribute; `is_markup`, where it is HTML."""

    text: str
    is_markup: bool = False


Attributes = dict[str, DotValue]


@dataclass(slots=True)
class DotCluster:
    """A subgraph that is drawn as a box.

    Attributes:
        holder: the name of the one around it, empty for none.
        depth: how many it stands in, itself counted.
    """

    name: str
    holder: str
    depth: int = 1
    attributes: Attributes = field(default_factory=dict)


@dataclass(slots=True)
class DotNode:
    """A node; `cluster`: the name of the innermost cluster that it is in, empty for none."""

    name: str
    cluster: str
    attributes: Attributes = field(default_factory=dict)


@dataclass(slots=True)
class DotEdge:
    """An edge between two nodes by their names; `line`: where its statement begins."""

    source: str
    target: str
    line: int
    attributes: Attributes = field(default_factory=dict)


@dataclass(slots=True)
class DotGraph:
    """A graph of a file, with all parts in the order in which they are named."""

    name: str
    is_directed: bool
    attributes: Attributes = field(default_factory=dict)
    nodes: dict[str, DotNode] = field(default_factory=dict)
    edges: list[DotEdge] = field(default_factory=list)
    clusters: dict[str, DotCluster] = field(default_factory=dict)


def read_graphs(text: str) -> Sequence[DotGraph]:
    """Read all graphs of a text.

    Raises:
        DotError: it is no DOT, breaks off, or is beyond a bound.
    """
    reading = _GraphReading(text)
    graphs: list[DotGraph] = []
    while reading.token.kind != "end":
        if len(graphs) >= MAX_GRAPHS:
            raise reading.error(f"there are more than {MAX_GRAPHS} graphs")
        graphs.append(reading.next_graph())
    if not graphs:
        raise DotError("there is no graph in it", 1)
    return graphs


def _tokens(text: str) -> Iterator[DotToken]:
    at = count = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            if text[at] == "#" and not text[text.rfind("\n", 0, at) + 1 : at].strip():  # a line of the C preprocessor
                at = (text.find("\n", at) + 1) or len(text)
                continue
            raise DotError(_what_is_wrong(text, at), _line(text, at))
        kind, end = match.lastgroup or "", match.end()
        if kind == "markup":
            end = _end_of_markup(text, at)
            yield DotToken(kind, text[at + 1 : end - 1], at)
        elif kind == "quoted":
            yield DotToken(kind, _QUOTE.sub(r"\1\2", match[0][1:-1]), at)
        elif kind != "blank":
            is_keyword = kind == "name" and match[0].lower() in _KEYWORDS
            yield DotToken("keyword", match[0].lower(), at) if is_keyword else DotToken(kind, match[0], at)
        count += kind != "blank"
        if count > MAX_TOKENS:
            raise DotError(f"it has more than {MAX_TOKENS:,} words and signs", _line(text, at))
        at = end
    yield DotToken("end", "", len(text))


def _what_is_wrong(text: str, at: int) -> str:
    if text[at] == '"':
        return "a quotation mark is never closed"
    if text.startswith("/*", at):
        return "a comment is never closed"
    return f"“{text[at]}” cannot stand here"


def _end_of_markup(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`."""
    depth = 0
    for match in re.compile("[<>]").finditer(text, start):
        depth += 1 if match[0] == "<" else -1
        if depth == 0:
            return match.end()
    raise DotError("a label in HTML is never closed", _line(text, start))


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


@dataclass(slots=True)
class _Scope:
    """What holds between two braces: defaults, the cluster, and the nodes that are named, as ends of edges."""

    cluster: str
    node_defaults: Attributes
    edge_defaults: Attributes
    target: Attributes
    nodes: dict[str, None] = field(default_factory=dict)


class _GraphReading:
    """Reads statements; `token` is what comes next."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self.token = next(self._tokens)
        self._following = next(self._tokens, self.token)
        self._nodes = self._edges = 0
        self._found = DotGraph("", is_directed=True)
        self._depth = 0
        # Attributes of subgraphs that are no clusters, by name: nothing is drawn of them.
        self._undrawn: dict[str, Attributes] = {}
        self._lines = _LineFinder(text)

    def error(self, reason: str) -> DotError:
        """What is wrong, with the line of what comes next."""
        return DotError(reason, _line(self._text, self.token.at))

    def next_graph(self) -> DotGraph:
        """Read a graph."""
        self._take_if("keyword", "strict")
        if self.token.kind != "keyword" or self.token.text not in ("graph", "digraph"):
            raise self.error("a graph begins with `graph` or `digraph`")
        is_directed = self._take().text == "digraph"
        name = self._value().text if self._is_value() else ""
        self._found = DotGraph(name, is_directed)
        self._undrawn = {}
        self._statements(_Scope("", {}, {}, self._found.attributes))
        return self._found

    def _statements(self, scope: _Scope) -> None:
        """Read what stands between braces."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.error(f"braces are nested more than {MAX_DEPTH} deep")
        self._expect("{")
        while not self._take_if("sign", "}"):
            self._statement(scope)
            while self.token.text in (";", ",") and self.token.kind == "sign":
                self._take()
        self._depth -= 1

    def _statement(self, scope: _Scope) -> None:
        token = self.token
        if token.kind == "keyword" and token.text in ("graph", "node", "edge"):
            self._take()
            defaults = {"graph": scope.target, "node": scope.node_defaults, "edge": scope.edge_defaults}
            self._attribute_lists(defaults[token.text], _MAX_ATTRIBUTES if token.text == "graph" else _MAX_DEFAULTS)
            return
        if self._is_value() and (self._following.kind, self._following.text) == ("sign", "="):
            self._assignment(scope.target, _MAX_ATTRIBUTES)
            return
        line = self._lines.at(token.at)
        ends = [self._end(scope)]
        while self.token.kind == "arrow":
            self._take()
            ends.append(self._end(scope))
        if len(ends) > 1:
            self._add_edges(scope, ends, line)
        elif self.token.text == "[" and self.token.kind == "sign":
            given: Attributes = {}
            self._attribute_lists(given, _MAX_ATTRIBUTES)
            for name in ends[0]:
                self._found.nodes[name].attributes |= given

    def _end(self, scope: _Scope) -> Sequence[str]:
        """The nodes at an end of edges: one, or all that a subgraph names."""
        if self.token.text == "{" and self.token.kind == "sign":
            return self._subgraph(scope, "")
        if self._take_if("keyword", "subgraph"):
            return self._subgraph(scope, self._value().text if self._is_value() else "")
        if not self._is_value():
            raise self.error(f"“{self.token.text[:40] or 'the end'}” cannot stand here")
        name = self._value().text
        for _ in range(2):  # a port and a point of the compass, which say where at the node
            if self._take_if("sign", ":"):
                self._value()
        self._name_node(scope, name)
        return [name]

    def _subgraph(self, scope: _Scope, name: str) -> Sequence[str]:
        is_cluster = name.startswith("cluster")
        if is_cluster:
            made = self._cluster(name, scope.cluster)
            target = made.attributes
        else:
            target = self._undrawn.setdefault(name, {}) if name else {}
        inner = _Scope(name if is_cluster else scope.cluster, {**scope.node_defaults}, {**scope.edge_defaults}, target)
        # Without braces it stands for one that has been named before; that is rare, and names no new node.
        if self.token.text == "{" and self.token.kind == "sign":
            self._statements(inner)
        scope.nodes |= inner.nodes
        return list(inner.nodes)

    def _cluster(self, name: str, holder: str) -> DotCluster:
        """The cluster of a name. It may be named again to hold others, so braces do not bound how deep these are."""
        known = self._found.clusters.get(name)
        if known is None:
            depth = self._found.clusters[holder].depth + 1 if holder else 1
            if depth > MAX_DEPTH:
                raise self.error(f"clusters are nested more than {MAX_DEPTH} deep")
            known = self._found.clusters[name] = DotCluster(name, holder, depth)
        return known

    def _name_node(self, scope: _Scope, name: str) -> None:
        found = self._found.nodes.get(name)
        if found is None:
            self._nodes += 1
            if self._nodes > MAX_NODES:
                raise self.error(f"there are more than {MAX_NODES:,} nodes")
            self._found.nodes[name] = DotNode(name, scope.cluster, {**scope.node_defaults})
        elif scope.cluster and self._is_around(found.cluster, scope.cluster):
            found.cluster = scope.cluster
        scope.nodes[name] = None

    def _is_around(self, outer: str, inner: str) -> bool:
        """Whether a cluster is another one or lies in it; the empty name is the graph, which is around all."""
        if not outer:
            return True
        while inner and inner != outer:
            inner = self._found.clusters[inner].holder
        return inner == outer

    def _add_edges(self, scope: _Scope, ends: Sequence[Sequence[str]], line: int) -> None:
        given: Attributes = {**scope.edge_defaults}
        self._attribute_lists(given, _MAX_DEFAULTS + _MAX_ATTRIBUTES)
        for sources, targets in pairwise(ends):
            self._edges += len(sources) * len(targets)
            if self._edges > MAX_EDGES:
                raise self.error(f"there are more than {MAX_EDGES:,} edges")
            self._found.edges += [DotEdge(one, other, line, given) for one in sources for other in targets]

    def _attribute_lists(self, into: Attributes, most: int) -> None:
        while self._take_if("sign", "["):
            while not self._take_if("sign", "]"):
                if not self._is_value():
                    raise self.error(f"“{self.token.text[:40] or 'the end'}” cannot stand in brackets")
                self._assignment(into, most)
                while self.token.text in (";", ",") and self.token.kind == "sign":
                    self._take()

    def _assignment(self, into: Attributes, most: int) -> None:
        """Set an attribute, unless there are as many as are read."""
        name = self._value().text
        value = self._value() if self._take_if("sign", "=") else DotValue("true")
        if name in into or len(into) < most:
            into[name] = value

    def _is_value(self) -> bool:
        return self.token.kind in ("name", "quoted", "markup")

    def _value(self) -> DotValue:
        """Read a name or a value, of several strings where these are joined."""
        if not self._is_value():
            raise self.error(f"“{self.token.text[:40] or 'the end'}” stands where a name is expected")
        token = self._take()
        parts = [token.text]
        while token.kind == "quoted" and self._take_if("sign", "+"):
            if self.token.kind != "quoted":
                raise self.error("only strings in quotation marks can be joined")
            parts.append(self._take().text)
        return DotValue("".join(parts)[:_MAX_VALUE], token.kind == "markup")

    def _take(self) -> DotToken:
        token = self.token
        self.token, self._following = self._following, next(self._tokens, self._following)
        return token

    def _take_if(self, kind: str, text: str) -> bool:
        if self.token.kind == "end" and kind == "sign" and text in "}]":
            raise self.error("it breaks off")
        if self.token.kind != kind or self.token.text != text:
            return False
        self._take()
        return True

    def _expect(self, sign: str) -> None:
        if not self._take_if("sign", sign):
            raise self.error(f"“{sign}” is expected")


class _LineFinder:
    """Finds the lines of places that only grow."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def at(self, place: int) -> int:
        """The line of a place, from 1."""
        self._line += self._text.count("\n", self._at, place)
        self._at = place
        return self._line
