"""Prompts for the built-in commands: their sentences, with names that are marks, lists without an end, open quotes."""

from __future__ import annotations

from tests.hostile.batches import Known
from tests.hostile.drawing import Draw

FORMS = (
    "add a {kind} called {name}", "add {name} between {node} and {node}", "put {name} before {node}",
    "connect {node} to {name}", "connect {node} to {node} with label {name} as async", "{node} calls {name}",
    "disconnect {node} from {node}", "remove the connection between {node} and {name}", "rename {node} to {name}",
    "change the type of {node} to {name}", "change the description of {node} to {name}", "replace {node} with {name}",
    "remove {node}, {node} and {name}", "remove {node} and bridge it", "group {node} and {node} as {name}",
    "ungroup {node}", "move {node} into {name}", "move {node} out of its group", "lay out the diagram",
    "label the connection from {node} to {node} {name}", "in section {section} change {name} to {name}",
    "in section {section} replace all {name} with {name}", "in section {section} add a bullet {name}",
    "add a section {name}", "add a section {name} before {section} with text {name}", "remove section {section}",
    "rename section {section} to {name}", "move section {section} into {section}", "what calls {node}",
    "what depends on {name}", "path from {node} to {node}", "what breaks if {node} fails", "list all {name}",
    "list everything with {name}", "describe {name}", "show section {section}", "check the diagram", "help", "undo",
)  # fmt: skip
_JOINS = ("; ", ". ", "\n", ", then ", " and ", " then ", ", ", "", " ")
_KINDS = ("Redis cache", "queue", "service", "Postgres database", "kubernetes", "2 caches", "")


class Prompts:
    """Draws prompts about what is known of a workspace."""

    def __init__(self, draw: Draw, known: Known) -> None:
        self.draw, self.known = draw, known

    def prompt(self) -> str:
        """One to very many sentences, at most a little more than a prompt may have."""
        draw = self.draw
        most = min(20_100, draw.scale.text)
        if draw.odds(0.15):
            return draw.pump(most)
        count = draw.size(min(600, most // 20))
        join = draw.pick(_JOINS)
        one = self.sentence(most // count + 20)
        sentences = [one if draw.odds(0.3) else self.sentence(most // count + 20) for _ in range(count)]
        before = draw.pick(["", "", "please " * draw.size(400), "can you ", '"' * draw.size(50), "\u00a0"])
        return (before + join.join(sentences))[:most]

    def sentence(self, most: int) -> str:
        """One command with everything in its place, as odd as it may be."""
        sentence = self.draw.pick(FORMS)
        for place, made in (("{node}", self._node), ("{name}", self._name), ("{section}", self._section)):
            while place in sentence:
                sentence = sentence.replace(place, made(most), 1)
        return sentence.replace("{kind}", self.draw.pick(_KINDS))

    def _node(self, most: int) -> str:
        there = self.known.nodes
        return self.draw.pick(there) if there and self.draw.odds(0.7) else self._name(most)

    def _name(self, most: int) -> str:
        draw = self.draw
        name = (draw.words(40) if draw.odds(0.4) else draw.pump(max(1, min(most, 3_000)))).replace("{", "(")
        begin, end = draw.weighed(
            [(3, ("", "")), (3, ('"', '"')), (1, ('"', "")), (1, ("“", "”")), (1, ("'", "'")), (1, ("`", "`"))]
        )
        return begin + name + end

    def _section(self, most: int) -> str:
        titles = self.known.titles
        return self.draw.pick(titles).replace("{", "(")[:300] if titles and self.draw.odds(0.7) else self._name(most)
