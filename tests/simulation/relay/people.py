"""The two people who edit other sections and other nodes while the model thinks."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.noise.samples import Line, Sample
from tests.simulation.relay.doors import State
from tests.simulation.relay.naive import Way
from tests.simulation.relay.outcomes import standing
from tests.simulation.relay.plan import Op

_WORD = re.compile(r"(?<=[a-z]{3} )[a-z]{3,}(?= [a-z]{3})")
_TITLES = ["Migration", "Naming", "Budget", "Glossary", "Accessibility", "Telemetry", "Licences", "Training"]
_GAP = re.compile(r"(?<=[a-z]{3})(?= [a-z]{3})")


@dataclass(frozen=True)
class Own:
    """One commit of a person, so that it can be taken back.

    Attributes:
        number: later ones have a greater one, whoever made them.
        written: the text that was typed; empty for an edit of the diagram.
        instead_of: what was deleted there.
        node, field, old, new: what was set, for an edit of the diagram.
    """

    number: int = 0
    written: str = ""
    instead_of: str = ""
    node: str = ""
    field: str = ""
    old: Any = None
    new: Any = None


@dataclass(frozen=True)
class Contribution:
    """What a person does next: operations, how the text changes by them, and the base that typed text speaks of."""

    person: str
    operations: Sequence[Op]
    own: Own
    splice: Way | None = None


@dataclass
class Person:
    """One person, with what they have done and not taken back yet, oldest first."""

    name: str
    done: list[Own] = field(default_factory=list)

    def contribution(
        self,
        number: int,
        state: State,
        sample: Sample,
        away: Sequence[tuple[int, int]],
        nodes: frozenset[str],
        rng: random.Random,
    ) -> Contribution | None:
        """Something small, away from some spans and nodes; None if there is no room for it."""
        dice = rng.random()
        if dice < 0.25:
            return self._of_diagram(number, state, nodes, rng)
        if dice < 0.35 and (found := self._of_section(number, sample, away, rng)):
            return found
        return self._of_document(number, state, sample, away, rng)

    def _of_diagram(self, number: int, state: State, nodes: frozenset[str], rng: random.Random) -> Contribution | None:
        free = sorted(state.nodes.keys() - nodes)
        if not free:
            return None
        name = rng.choice(free)
        new: Any = f"{self.name} {number}"
        if rng.random() < 0.5:
            return Contribution(
                self.name,
                [{"op": "update_node", "id": name, "notes": new}],
                Own(number, node=name, field="notes", old=state.nodes[name]["notes"], new=new),
            )
        old = state.nodes[name]["position"]
        new = {"x": old["x"] + 10 * number, "y": old["y"]}
        move = {"op": "move_nodes", "positions": {name: new}}
        return Contribution(self.name, [move], Own(number, node=name, field="position", old=old, new=new))

    def _of_document(
        self, number: int, state: State, sample: Sample, away: Sequence[tuple[int, int]], rng: random.Random
    ) -> Contribution | None:
        """Something typed into a line of prose or below it."""
        lines = [
            line
            for part in sample.parts
            for line in sample.lines(part)
            if line.kind in ("prose", "item") and all(line.end < start or line.start > end for start, end in away)
        ]
        rng.shuffle(lines)
        for line in lines[:8]:
            splice = self._typing(sample.text, line, number, rng)
            if splice is not None:
                change = {"op": "edit_text", "changes": typed(sample.text, *splice), "base_revision": state.revision}
                own = Own(number, splice[2], sample.text[splice[0] : splice[1]])
                return Contribution(self.name, [change], own, splice)
        return None

    def _of_section(
        self, number: int, sample: Sample, away: Sequence[tuple[int, int]], rng: random.Random
    ) -> Contribution | None:
        """Another title for a section, or a section before it; not around the spans, whose names would change."""
        free = [
            part
            for part in sample.parts
            if sample.is_title_unique(part)
            and sample.text.startswith(f"{'#' * part.chain[-1][0]} {part.title}\n", part.start)
            and all(part.body <= start or part.start >= end for start, end in away)
            and not any(part.start < start and end <= part.end for start, end in away)
        ]
        if not free:
            return None
        part = rng.choice(free)
        level, path = part.chain[-1][0], f"{'#' * part.chain[-1][0]} {part.title}"
        title = f"{rng.choice(_TITLES)} {self.name}{number}x"
        # A heading that ends what is being edited may change; what stands before it, nobody may insert there as well.
        if rng.random() < 0.5 or any(part.start in span for span in away):
            new = f"{'#' * level} {title}\n"
            own = Own(number, new, sample.text[part.start : part.body])
            rename = {"op": "rename_section", "section": path, "title": title}
            return Contribution(self.name, [rename], own, (part.start, part.body, new))
        body = f"{self.name.title()} writes this in a section of {number} lines."
        [way] = standing(sample.text, part.start, f"{'#' * level} {title}\n\n{body}").ways
        insert = {"op": "insert_section", "title": title, "text": body, "level": level, "before": path}
        return Contribution(self.name, [insert], Own(number, way[2]), way)

    def writing_over(self, number: int, state: State, start: int, end: int, rng: random.Random) -> Contribution | None:
        """A span in other words, or a word typed into it, not at its ends; None where there is no room."""
        if rng.random() < 0.5 and "\n" not in state.text[start:end]:
            written = f"{self.name}{number}x says it in other words"
            change = {"op": "edit_text", "changes": typed(state.text, start, end, written)}
            own = Own(number, written, state.text[start:end])
            return Contribution(self.name, [{**change, "base_revision": state.revision}], own, (start, end, written))
        gaps = [found.start() for found in _GAP.finditer(state.text, start, end) if start + 4 < found.start() < end - 4]
        if not gaps:
            return None
        at, written = gaps[len(gaps) // 2], f" {self.name}{number}x"
        change = {"op": "edit_text", "changes": typed(state.text, at, at, written), "base_revision": state.revision}
        return Contribution(self.name, [change], Own(number, written), (at, at, written))

    def _typing(self, text: str, line: Line, number: int, rng: random.Random) -> Way | None:
        """A word between two others or in place of one, or a paragraph or an item below the line."""
        mark = f"{self.name}{number}x"
        dice = rng.random()
        if dice < 0.25:
            item = re.match(r"\s*(?:[-*+])\s+", line.text)
            if item:
                return line.end, line.end, f"\n{item[0]}{mark} adds an item."
            return (line.end, line.end, f"\n\n{mark} adds a paragraph.") if text.startswith("\n\n", line.end) else None
        gaps = [found.start() for found in _GAP.finditer(line.text)]
        words = [found.span() for found in _WORD.finditer(line.text)]
        if dice < 0.5 and words:
            start, end = rng.choice(words)
            return line.start + start, line.start + end, mark
        if not gaps:
            return None
        at = line.start + rng.choice(gaps)
        return at, at, f" {mark}"


def typed(text: str, start: int, end: int, new: str) -> list[Any]:
    """A change of a text as an editor sends it: UTF-16 units that are kept, and what is put in place of others."""
    units = [len(piece.encode("utf-16-le")) // 2 for piece in (text[:start], text[start:end], text[end:])]
    parts: list[Any] = [units[0]] if units[0] else []
    parts.append([units[1], *(new.split("\n") if new else [])])
    return [*parts, units[2]] if units[2] else parts
