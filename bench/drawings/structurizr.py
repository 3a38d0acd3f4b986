"""Reads the model of a Structurizr workspace (DSL): people, systems, containers, components and what they use.

What holds others becomes a group. Views, styles and deployments are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bench.drawings.graph import Graph, id_of

_KINDS = {"person": "user", "softwaresystem": "external", "container": "service", "component": "function",
          "group": "group"}  # fmt: skip
_TYPES = (("database", r"database|datastore|schema"), ("mobile", r"mobile"), ("web", r"browser|single-page|\bui\b|web"),
          ("api", r"\bapi\b"))  # fmt: skip
_SKIPPED = ("views", "styles", "deploymentenvironment", "properties", "perspectives", "configuration")
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(->|[{}=])|([^\s{}="]+)')


def read_structurizr(name: str, file: Path) -> Graph:
    """The graph of a workspace and of the one it extends."""
    reader = _Reader(Graph(name))
    reader.read(file)
    return reader.graph.without_empty_groups()


class _Reader:
    """Goes through the lines, with the elements in which it stands."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._kinds = dict(_KINDS)
        self._ids: dict[str, str] = {}
        self._skipping = 0
        self._open: list[str | None] = []
        self._in_archetypes: int | None = None

    def read(self, file: Path) -> None:
        for words, opens, closes in _lines(file):
            if closes:
                self._close()
            elif self._skipping:
                self._skipping += opens
            elif words and words[0].lower() == "workspace" and len(words) > 2 and words[1] == "extends":
                self.read(file.parent / words[2])
                self._open.append(None)
            elif words and words[0].lower() in _SKIPPED:
                self._skipping = int(opens)
            elif words and words[0].lower() == "archetypes":
                self._in_archetypes = len(self._open)
                self._open.append(None)
            else:
                self._line(words, opens)

    def _close(self) -> None:
        if self._skipping:
            self._skipping -= 1
            return
        if self._open:
            self._open.pop()
        if self._in_archetypes == len(self._open):
            self._in_archetypes = None

    def _line(self, words: list[str], opens: bool) -> None:
        element = None
        if "->" in words:
            self._relation(words)
        elif self._in_archetypes is not None and "=" in words and len(words) >= 3:
            self._kinds[words[0].lower()] = self._kinds.get(words[2].lower(), "service")
        elif words:
            element = self._element(words)
        if opens:
            self._open.append(element or self._inner())

    def _inner(self) -> str | None:
        return self._open[-1] if self._open else None

    def _element(self, words: list[str]) -> str | None:
        """The id of the element that a line begins, or names for what follows (`!ref`)."""
        if words[0] in ("!ref", "!element") and len(words) > 1:
            return self._ids.get(words[1].lower())
        given, rest = (words[0], words[2:]) if len(words) > 2 and words[1] == "=" else ("", words)
        kind = self._kinds.get(rest[0].lower()) if rest else None
        if kind is None or len(rest) < 2:
            return None
        parent = self._inner()
        if parent:
            self.graph.nodes[parent]["type"] = "group"
        text = " ".join(rest[1:]).lower()
        type_ = next((one for one, pattern in _TYPES if kind == "service" and re.search(pattern, text)), kind)
        id_ = self.graph.node(given or f"{parent or ''} {rest[1]}", type_, rest[1], parent)
        self._ids[(given or rest[1]).lower()] = id_
        return id_

    def _relation(self, words: list[str]) -> None:
        at = words.index("->")
        source = self._end(words[at - 1]) if at else self._inner()
        target = self._end(words[at + 1]) if at + 1 < len(words) else None
        if source and target and target not in self._around(source) and source not in self._around(target):
            label = ", ".join(word for word in words[at + 2 : at + 4] if word)
            self.graph.edge(source, target, label)

    def _end(self, word: str) -> str | None:
        if word.lower() == "this":
            return self._inner()
        known = self._ids.get(word.lower()) or self._ids.get(word.lower().rsplit(".", 1)[-1])
        return known or (id_of(word) if id_of(word) in self.graph.nodes else None)

    def _around(self, id_: str) -> set[str]:
        found = set()
        parent = self.graph.nodes[id_]["parent"]
        while parent:
            found.add(parent)
            parent = self.graph.nodes[parent]["parent"]
        return found


def _lines(file: Path) -> Iterator[tuple[list[str], bool, bool]]:
    """The words of each line, whether a block begins at its end, and whether the line is the end of one."""
    text = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.DOTALL)
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith(("//", "#")):
            continue
        tokens = [(quoted, sign, word) for quoted, sign, word in _TOKEN.findall(bare)]
        words = [sign or word or quoted for quoted, sign, word in tokens]
        ends = [sign for _, sign, _ in tokens]
        if ends == ["}"]:
            yield [], False, True
        elif ends:
            opens = ends[-1] == "{"
            yield (words[:-1] if opens else words), opens, False
