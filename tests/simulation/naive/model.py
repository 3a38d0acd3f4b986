"""The second model of a workspace: whole copies, characters with identities, and a list of commits.

It shares no code with the engine and does nothing cleverly. It says what a write must answer and what must stand there
afterwards; where the rules leave something open (`taking_back_text`), it takes over which of the outcomes it became.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.naive.diagram import Diagram
from tests.simulation.naive.stacks import Stacks
from tests.simulation.naive.taking_back_diagram import Left, take_back
from tests.simulation.naive.taking_back_text import Outcome, Taken, outcomes
from tests.simulation.naive.text import UNWRITTEN, Identity, Letters, Run, Text, runs

_MOST_OUTCOMES = 500
_MOST_LISTED = 50  # places of a range
WORD = re.compile("[A-Z][a-z]{5}")


class Disagreement(AssertionError):
    """The engine does something else than the model."""


class Undecided(Exception):
    """The right characters are there, in an order of which the model cannot say more."""


@dataclass
class Commit:
    """What a commit did: the diagram before and after, whole, and the text by identity."""

    kind: str
    person: str
    before: Diagram
    after: Diagram
    text: Sequence[Run]


@dataclass
class Expected:
    """What a write may lead to.

    Attributes:
        taken: the commit that it takes back.
        restored: the revision that it restores.
        is_open: which characters there are is sure, the places of some are not.
        told, may_tell: places of the text that are left out, and that may be named since they are so already.
    """

    kind: str
    diagram: Diagram
    text: Text
    taken: int | None = None
    left: Left = field(default_factory=Left)
    told: int = 0
    may_tell: int = 0
    restored: int | None = None
    is_open: bool = False


class Model:
    """One workspace and its history.

    Attributes:
        states: diagram and text of every revision.
        coarse: commits that restored a revision, or took such a one back.
        settled: how many writes led to what was likeliest, and how many to something else that is allowed.
    """

    def __init__(self, name: str, text: str) -> None:
        self.revision = 1
        self.letters = Letters()
        self.diagram = Diagram(name)
        self.text = Text(self.letters)
        self.text.replace(0, 0, text, 1)
        self.stacks = Stacks()
        self.commits: dict[int, Commit] = {}
        self.states = {1: (self.diagram, self.text)}
        self.coarse: set[int] = set()
        self.settled = [0, 0]

    # -- what a write may lead to ------------------------------------------------------------------------------------

    def taking_back(self, kind: str, taken: int | None, *, force: bool) -> Iterator[Expected]:
        """What an undo, redo or revert may lead to; nothing is on the stack where `taken` is None."""
        if taken is None:
            yield Expected(kind, self.diagram, self.text)
            return
        commit = self.commits[taken]
        diagram = self.diagram.copy()
        left = take_back(diagram, commit.before, commit.after, force=force)
        for one in outcomes(self.text, self._text_taken(taken)):
            yield Expected(kind, diagram, one.text, taken, left, one.told, one.may_tell, is_open=one.is_open)

    def taking_back_typing(self, first: int, last: int) -> Iterator[Expected]:
        """What a revert of all that the same person typed between two revisions may lead to: newest first.

        Neighbouring places are told as one and torn ones as several, and what others have deleted completely need not
        be told. A character ends as it is now or as it was before they touched it: what they typed and deleted again
        does not come back where an older push of theirs must be left out.
        """
        person = self.commits[first].person
        typed = [number for number, one in self.commits.items() if one.kind == "text" and one.person == person]
        taken = [number for number in typed if first <= number <= last]
        for one in self._without(taken, Outcome(self.text)):
            text = self._towards_before(taken, one.text)
            told, may_tell = min(1, one.told - one.gone), _MOST_LISTED if one.told + one.may_tell else 0
            yield Expected("revert", self.diagram, text, first, told=told, may_tell=may_tell, is_open=one.is_open)

    def _towards_before(self, taken: Sequence[int], found: Text) -> Text:
        """A text in which what is neither as it was before some commits nor as it is now is left as it is now."""
        before: dict[Identity, bool] = {}
        for run in itertools.chain.from_iterable(self.commits[number].text for number in taken):
            for one in run.gone + run.come:
                before.setdefault(one, one in run.gone)
        text = found.copy()
        for one, was_there in before.items():
            if (one in text.there) != was_there and (one in text.there) != (one in self.text.there):
                if was_there:
                    text.there.add(one)
                else:
                    text.remove(one, self.text.killer.get(one, UNWRITTEN))
        return text

    def _without(self, typed: Sequence[int], so_far: Outcome) -> Iterator[Outcome]:
        if not typed:
            yield so_far
            return
        for one in outcomes(so_far.text, self._text_taken(typed[-1])):
            told, may_tell = so_far.told + one.told, so_far.may_tell + one.may_tell
            yield from self._without(
                typed[:-1], Outcome(one.text, told, may_tell, so_far.gone + one.gone, so_far.is_open or one.is_open)
            )

    def _text_taken(self, revision: int) -> Taken:
        past = [text.there for _, text in self.states.values()]
        return Taken(self.commits[revision].text, self.states[revision - 1][1], self.states[revision][1], past)

    def can_restore(self, revision: int) -> bool:
        """Whether the characters of then have kept their order, which only the odd one has not that came back."""
        then = self.states[revision][1]
        return [one for one in self.text.order if one in then.there] == then.visible()

    def restoring(self, revision: int) -> Iterator[Expected]:
        """What a restore leads to: the state of then, with the characters of then."""
        diagram, then = self.states[revision]
        text = self.text.copy()
        text.there = set(then.there)
        text.killer = {one: then.killer.get(one, UNWRITTEN) for one in text.order if one not in then.there}
        yield Expected("restore", diagram, text, restored=revision)

    def changes(self, expected: Expected) -> bool:
        """Whether it changes anything."""
        return self.diagram != expected.diagram or self.text.visible() != expected.text.visible()

    def next_revision(self, expected: Expected) -> int:
        """The revision afterwards: an undo or redo uses up its place on the stack even if nothing is left to do."""
        is_used_up = expected.taken is not None and expected.kind in ("undo", "redo")
        return self.revision + (is_used_up or self.changes(expected))

    # -- what it has led to ------------------------------------------------------------------------------------------

    def settle(
        self, person: str, allowed: Iterable[Expected], answer: Mapping[str, Any], seen: Mapping[str, Any]
    ) -> None:
        """Take over the outcome that became true.

        Raises:
            Disagreement: it was none of those that are allowed.
        """
        first: list[str] = []
        for number, expected in enumerate(itertools.islice(allowed, _MOST_OUTCOMES)):
            wrong = self._wrong(expected, answer, seen)
            if not wrong:
                self._take_over(person, expected)
                self.settled[number > 0] += 1
                return
            first = first or wrong
            if expected.is_open and self._is_open(expected, answer, seen):
                raise Undecided
        raise Disagreement("\n".join(first))

    def _is_open(self, expected: Expected, answer: Mapping[str, Any], seen: Mapping[str, Any]) -> bool:
        """Whether all is as expected but for the places of what came back; what was there is there in its order."""
        rest = iter(seen["document"]["text"])
        kept = [one for one in self.text.visible() if one in expected.text.there]
        if not all(letter in rest for letter in self.text.spelt(kept)):
            return False
        same = Counter(seen["document"]["text"]) == Counter(str(expected.text))
        wrong = [one for one in self._wrong(expected, answer, seen) if not one.startswith(("text:", "left_out: ["))]
        return same and not wrong

    def _wrong(self, expected: Expected, answer: Mapping[str, Any], seen: Mapping[str, Any]) -> list[str]:
        left_out = answer["left_out"]
        ids = {name for one in left_out for name in one.get("ids", ())}
        bare = [one["what"] for one in left_out if "ids" not in one]
        ids |= {what for what in bare if what.startswith(("the name", "the type "))}
        places = sum(what not in ids for what in bare)
        told, may_tell = set(expected.left.told), set(expected.left.may_tell)
        pairs = {
            "revision": (answer["revision"], self.next_revision(expected)),
            "changed": (answer["changed"], self.changes(expected)),
            "kind": (answer["kind"], expected.kind),
            "ref": (answer["ref"], expected.taken or expected.restored),
            "text": (seen["document"]["text"], str(expected.text)),
            **_differences(shown(seen), expected.diagram.shown()),
            "not told though left out": (told - ids, set()),
            "told though done": (ids - told - may_tell, set()),
        }
        wrong = [f"{what}: it is {is_so!r}, not {must!r}" for what, (is_so, must) in pairs.items() if is_so != must]
        if not expected.told <= places <= expected.told + expected.may_tell:
            wrong.append(f"left_out: {places} places of the text are told; {expected.told} are left out")
        return [*wrong, f"left_out: {left_out}"] if wrong else []

    def _take_over(self, person: str, expected: Expected) -> None:
        revision = self.next_revision(expected)
        if revision > self.revision:
            done = Commit(expected.kind, person, self.diagram, expected.diagram, runs(self.text, expected.text))
            self.commits[revision] = done
            # A restore changes whole lines, so what takes it back in part is another matter.
            if expected.restored or expected.taken in self.coarse:
                self.coarse.add(revision)
            self._stack(revision, person, expected)
        self.revision, self.diagram, self.text = revision, expected.diagram, expected.text
        self.states[revision] = self.diagram, self.text

    def _stack(self, revision: int, person: str, expected: Expected) -> None:
        if expected.kind == "text":
            return
        if expected.taken is None:
            self.stacks.edited(revision, person)
        elif expected.kind == "undo":
            self.stacks.undone(revision, person, expected.taken)
        elif expected.kind == "redo":
            self.stacks.redone(revision, expected.taken)
        else:
            self.stacks.reverted(revision, person, expected.taken)


def shown(seen: Mapping[str, Any]) -> dict[str, Any]:
    """What the API shows of a diagram, by id; the order says nothing."""
    made = {what: {one.pop("id"): one for one in map(dict, seen["diagram"][what])} for what in ("nodes", "edges")}
    return {"name": seen["name"], "types": seen["diagram"].get("types", {}), **made}


def check_laws(seen: Mapping[str, Any]) -> None:
    """What holds whatever anybody has done: every word is there once at most, and no edge dangles.

    Raises:
        Disagreement: it does not hold.
    """
    counted = Counter(WORD.findall(seen["document"]["text"]))
    if twice := [word for word, count in counted.items() if count > 1]:
        raise Disagreement(f"doubled text: {twice} stand more than once in {seen['document']['text']!r}")
    nodes = {one["id"] for one in seen["diagram"]["nodes"]}
    if dangling := [one["id"] for one in seen["diagram"]["edges"] if not {one["source"], one["target"]} <= nodes]:
        raise Disagreement(f"dangling edges: {dangling}")


def _differences(seen: Mapping[str, Any], expected: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    pairs = {what: (seen[what], expected[what]) for what in ("name", "types")}
    for what in ("nodes", "edges"):
        for key in seen[what].keys() | expected[what].keys():
            pairs[f"{what[:-1]} {key}"] = seen[what].get(key), expected[what].get(key)
    return pairs
