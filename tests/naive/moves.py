"""Batches that somebody could send, drawn for the state that the model is in."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tests.naive import diagram as drawing
from tests.naive import sections as md
from tests.naive.diagram import Diagram, Refused
from tests.naive.model import Expected, Model
from tests.naive.text import Text, trim
from tests.simulation.moves import Kind, Op, Player, View, names_of, operation

NODES = [f"n{number}" for number in range(7)]
GROUPS = [f"g{number}" for number in range(3)]
EDGES = [f"e{number}" for number in range(9)]
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
_LABELS = ["red", "green", "blue"]
_TYPES = {"stall": "Market stall", "crate": "Fruit crate"}
_MOST_TRIES = 12
_DRAWN = [name for name in names_of("diagram", "workspace") if name in drawing.KNOWN]
_WRITTEN = [name for name in names_of("document", without=["edit_text"]) if name in md.KNOWN]
_PIECE = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)?")


class Words:
    """Words of six letters; none comes twice, so that counting them says what was doubled."""

    def __init__(self) -> None:
        self._count = 0

    def new(self) -> str:
        """A word that has not been there yet."""
        self._count += 1
        number = self._count * 104_729 % 70**3
        return "".join(_SYLLABLES[number // 70**place % 70] for place in range(3)).capitalize()

    def some(self, chance: random.Random) -> str:
        """One to five of them."""
        return " ".join(self.new() for _ in range(chance.randint(1, 5)))


def start(words: Words) -> str:
    """A document to begin with."""
    parts = [f"# {words.new()}\n"]
    for _ in range(4):
        lines = "\n\n".join(f"{words.new()} {words.new()} {words.new()}." for _ in range(2))
        parts.append(f"## {words.new()}\n\n{lines}\n")
    return "\n".join(parts)


@dataclass
class Draft:
    """A batch as it grows, and what it leads to."""

    revision: int
    before: Text
    diagram: Diagram
    text: Text
    operations: list[Op]
    writes: int = 0

    def draw(self, op: Op) -> bool:
        """Add an operation on the diagram, if it fits."""
        diagram = self.diagram.copy()
        try:
            diagram.do(op, self.revision)
        except Refused:
            return False
        self.diagram = diagram
        self.operations.append(op)
        return True

    def write(self, op: Op) -> bool:
        """Add an operation on the document, if it can be said what comes of it."""
        text = str(self.text)
        if op["op"] == "insert_section" and text and not text.strip(" "):
            return False  # a blank before the heading
        real = [span for span in md.written(text, op) if text[span[0] : span[1]] != span[2]]
        if not self.writes and any(_share_an_end(text[begin:end], new) for begin, end, new in real):
            return False  # whether such a character is the same one as before is anybody's guess
        for begin, end, new in reversed(real):
            self.text.replace(begin, end, new, self.revision)
        if real:
            self.writes += 1
        if self.writes > 1:
            trim(self.before, self.text)
        self.operations.append(op)
        return True


def _share_an_end(old: str, new: str) -> bool:
    return bool(old and new) and (old[0] == new[0] or old[-1] == new[-1])


def batch(model: Model, kind: str, chance: random.Random, words: Words) -> tuple[list[Op], Expected]:
    """Draw a batch of a kind (`draw`, `write`, `type` or `both`) and say what it leads to; no operations: none fits."""
    draft = Draft(model.revision + 1, model.text, model.diagram.copy(), model.text.copy(), [])
    if kind in ("draw", "both"):
        for _ in range(chance.choice((1, 1, 2, 3))):
            _play(draft, _DRAWN, draft.draw, chance, words)
    if kind == "type":
        _play(draft, ("edit_text",), draft.write, chance, words)
    if kind in ("write", "both"):
        for _ in range(chance.choice((1, 1, 2))):
            _play(draft, _WRITTEN, draft.write, chance, words)
    return draft.operations, Expected("edit", draft.diagram, draft.text)


def _play(draft: Draft, names: Sequence[str], add: Callable[[Op], bool], chance: random.Random, words: Words) -> None:
    """Add the first of some drawn operations that fits."""
    for _ in range(_MOST_TRIES):
        op = operation(NaivePlayer(draft, chance, words), names)
        if op is None or add(op):
            return


class NaivePlayer(Player):
    """Draws what the model can carry out; no word is written twice."""

    always = frozenset({"position", "positions", "level", "text", "id"})
    # The model places nothing, draws no lines, knows no locks, and takes nothing along that is deleted; it names edges
    # by their ids, and sections by titles of which there is one.
    never = frozenset({"near", "locked", "route", "route_by", "label_at", "sizes", "routes", "bridge", "children",
                       "ends", "scope", "all", "into"})  # fmt: skip
    errs = 0
    ids = MappingProxyType({"node": NODES, "group": GROUPS, "edge": EDGES, "type": sorted(_TYPES)})

    def __init__(self, draft: Draft, chance: random.Random, words: Words) -> None:
        diagram, self._text = draft.diagram, str(draft.text)
        self._random, self._words = chance, words
        found = md.sections(self._text)
        titles = [one.title for one in found]
        self._places = {one.title: one for one in found if titles.count(one.title) == 1 and one.title.isalpha()}
        before = str(draft.before)
        self._untouched = [
            title for title, one in self._places.items() if self._text[one.start : one.own_end] in before
        ]
        view = View(
            nodes=list(diagram.nodes),
            groups=[key for key, node in diagram.nodes.items() if node["type"] == "group"],
            edges=list(diagram.edges),
            types=("service", "cache", *diagram.types),
            own_types=list(diagram.types),
            sections=list(self._places),
            text=self._text,
            revision=draft.revision - 1,
        )
        super().__init__(chance, view)

    def new_id(self, kind: Kind) -> str:
        """Return an id that may be taken, or have been taken once."""
        return self.chance.choice(self.ids[kind])

    def point(self) -> Op:
        """Return a position."""
        return {"x": self.chance.randint(0, 9) * 100, "y": self.chance.randint(0, 9) * 100}

    def text(self, field: str) -> str:
        """Return words that have not been there yet; few labels, so that edges are equal."""
        match field:
            case "type name":
                return self.chance.choice(sorted(_TYPES.values()))
            case "title" | "name":
                return self._words.new()
            case "text":
                return self._words.some(self._random)
            case "replace":
                return self.chance.choice(("", self._words.new(), self._words.some(self._random)))
            case _:
                return self.chance.choice(_LABELS)

    def section(self) -> str:
        """Return a section that this batch has not written into."""
        return self.one(self._untouched)

    def quote(self, section: str) -> str:
        """Return words that stand in a section once."""
        place = self._places[section]
        own = self._text[place.body : place.own_end]
        return self.one([found for found in _PIECE.findall(own) if own.count(found) == 1])

    def spans(self) -> list[md.Span]:
        """Return one or two changes anywhere, also within a word."""
        text, chance = self._text, self._random
        borders = [found.start() for found in re.finditer(r"\b", text)] or [0]
        spans: list[md.Span] = []
        for _ in range(chance.choice((1, 1, 2))):
            at = chance.choice(borders) if chance.random() < 0.8 else chance.randint(0, len(text))
            end = at
            if chance.random() < 0.5:
                end = chance.choice([one for one in borders if at <= one <= at + 20] or [at])
            new = chance.choice((f"{self._words.new()} ", f" {self._words.new()}", self._words.new(), "🚀", ""))
            if (end > at or new) and all(end < begin or stop < at for begin, stop, _ in spans):
                spans.append((at, end, new))
        return sorted(spans)
