"""A text whose characters have identities: each was inserted once, and is there or not.

Nothing is ever forgotten: a character that was deleted keeps its place in the order, so a commit is what it made go and
what it made come, whoever did what in between. Not here: what a section is (`sections`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Identity = int
UNWRITTEN = 0  # in place of the commit that made a character go, where it was not written yet


@dataclass(frozen=True)
class Run:
    """What a commit did at one place.

    Attributes:
        gone: characters that it deleted, in order.
        come: characters that it inserted, in order, where the deleted ones had stood.
        left, right: the neighbours, which it left alone; None at the ends of the text.
    """

    gone: tuple[Identity, ...]
    come: tuple[Identity, ...]
    left: Identity | None
    right: Identity | None


class Letters:
    """Every character that ever was in a workspace, by identity, and the commit that inserted it."""

    def __init__(self) -> None:
        self.of: list[str] = []
        self.born: list[int] = []

    def new(self, text: str, revision: int) -> list[Identity]:
        """Give each character of a text an identity."""
        first = len(self.of)
        self.of += text
        self.born += [revision] * len(text)
        return list(range(first, len(self.of)))


class Text:
    """The characters in their order, and which of them are there.

    Attributes:
        killer: the commit that made a character go last.
    """

    def __init__(self, letters: Letters) -> None:
        self.letters = letters
        self.order: list[Identity] = []
        self.there: set[Identity] = set()
        self.killer: dict[Identity, int] = {}

    def copy(self) -> Text:
        """A text of its own over the same characters."""
        other = Text(self.letters)
        other.order, other.there, other.killer = list(self.order), set(self.there), dict(self.killer)
        return other

    def visible(self) -> list[Identity]:
        """The characters that are there, in order."""
        return [one for one in self.order if one in self.there]

    def __str__(self) -> str:
        return "".join(self.letters.of[one] for one in self.visible())

    def spelt(self, identities: Sequence[Identity]) -> str:
        """What some characters read."""
        return "".join(self.letters.of[one] for one in identities)

    def replace(self, start: int, end: int, new: str, revision: int) -> None:
        """Delete the visible characters from `start` to `end` and insert a text there."""
        seen = self.visible()
        for one in seen[start:end]:
            self.remove(one, revision)
        if end > start:
            at = self.order.index(seen[end - 1]) + 1
        else:
            at = self.order.index(seen[start]) if start < len(seen) else len(self.order)
        made = self.letters.new(new, revision)
        self.order[at:at] = made
        self.there |= set(made)

    def remove(self, one: Identity, revision: int) -> None:
        """Make a character go."""
        self.there.remove(one)
        self.killer[one] = revision

    def move(self, some: Sequence[Identity], before: Identity | None) -> None:
        """Put characters before another one, or at the end; what had been deleted between them goes along."""
        if not some:
            return
        ends = sorted((self.order.index(some[0]), self.order.index(some[-1])))
        moved = [one for one in self.order[ends[0] : ends[1] + 1] if one in some or one not in self.there]
        gone = set(moved)
        while before in gone:
            before = self.after(before)
        self.order = [one for one in self.order if one not in gone]
        at = len(self.order) if before is None else self.order.index(before)
        self.order[at:at] = moved

    def after(self, one: Identity | None) -> Identity | None:
        """What stands after a character in the order, or first of all after None."""
        at = 0 if one is None else self.order.index(one) + 1
        return self.order[at] if at < len(self.order) else None


def runs(before: Text, after: Text) -> list[Run]:
    """What leads from one text to another, place by place."""
    found: list[Run] = []
    left: Identity | None = None
    gone: list[Identity] = []
    come: list[Identity] = []
    for one in (*after.order, None):
        was, is_there = one in before.there, one in after.there
        if one is not None and not (was and is_there):
            gone += [one] if was else []
            come += [one] if is_there else []
            continue
        if gone or come:
            found.append(Run(tuple(gone), tuple(come), left, one))
            gone, come = [], []
        left = one
    return found


def trim(before: Text, after: Text) -> None:
    """Let characters stay where the same ones were inserted in their place, at the ends of each run.

    A batch is stored as one change of the text, without what its operations have together left as it was.
    """
    for run in runs(before, after):
        head, tail = _alike(after.spelt(run.gone), after.spelt(run.come))
        if not head and not tail:
            continue
        end, last = len(run.come) - tail, len(run.gone) - tail
        new = run.come[head:end]
        after.there -= set(run.come)
        after.there |= {*run.gone[:head], *run.gone[last:]}
        after.move(new, run.gone[last] if tail else after.after(run.gone[-1]))
        after.there |= set(new)


def _alike(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts share at the start, and of the rest at the end."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    return head, tail
