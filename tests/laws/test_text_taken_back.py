"""The law of taking text back: whatever is undone, redone or reverted, no text stands twice.

Every character that anybody writes is another one, so it can be told whether one stands there twice, and whose is
missing. What comes back stands where it stood. Any commit may be taken back by anyone at any time, also those that
took others back: this is every order of undo, redo and revert.
"""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise
from random import Random

import pytest

from draftsmith.history.text_commits import earliest_reference
from draftsmith.transform.steps.changeset import ChangeSet, replacing
from draftsmith.transform.steps.line_changes import line_changes
from draftsmith.transform.steps.text import edit_of
from draftsmith.transform.undo.retract import range_retraction, retraction
from draftsmith.transform.undo.text_run import TextCommit
from tests.seeds import run_seed

PEOPLE = ("ann", "bob", "cleo")
STORIES, LENGTH = 150, 40
CHANGED = "that text has been changed since"


class Document:
    """A document with its commits.

    Attributes:
        texts: after each revision; the first one before all.
        has_lines: whether there are ends of lines, which are alike.
    """

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.has_lines = chance.random() < 0.5
        self._letters = 0
        self.text = "".join(self.letter() for _ in range(chance.randrange(8)))
        self.texts = [self.text]
        self.commits: list[TextCommit] = []

    def letter(self) -> str:
        """A character that nobody has written, every third of two UTF-16 units; some with the end of a line behind."""
        self._letters += 1
        number = self._letters
        letter = chr(0x1F000 + number) if number % 3 == 0 else chr(0x4E00 + number)
        return f"{letter}\n" if self.has_lines and self.chance.random() < 0.4 else letter

    def commit(
        self,
        changes: ChangeSet,
        by: str = "ann",
        taken: tuple[int, int] | None = None,
        is_typed: bool = False,
        restores: int | None = None,
    ) -> None:
        if changes.is_empty:
            return
        step = edit_of(self.text, changes)
        self.commits.append(TextCommit(len(self.texts), step, by, taken, restores, is_typed))
        self.text = changes.apply(self.text)
        self.texts.append(self.text)

    def write(self) -> None:
        """Somebody changes one or two places."""
        ends = sorted(
            self.chance.sample(range(len(self.text) + 1), min(len(self.text) + 1, self.chance.choice((2, 4))))
        )
        cuts = []
        for start, end in zip(ends[::2], ends[1::2], strict=False):
            stop = min(end, start + self.chance.choice((0, 0, 2, 5)))
            cuts.append((start, stop, "".join(self.letter() for _ in range(self.chance.randrange(4)))))
        self.commit(replacing(self.text, cuts), self.chance.choice(PEOPLE), is_typed=self.chance.random() < 0.5)

    def put_back(self) -> None:
        """Whoever made the newest commit does the reverse by hand, as the page's own undo does."""
        if self.commits and self.commits[-1].reference is None:
            last = self.commits[-1]
            self.commit(last.step.inverse().changes, last.by, is_typed=last.is_typed)

    def restore(self) -> None:
        """Somebody leads back to an earlier revision."""
        revision = self.chance.randrange(len(self.texts))
        self.commit(
            replacing(self.text, line_changes(self.text, self.texts[revision]).spans),
            self.chance.choice(PEOPLE),
            restores=revision,
        )

    def take_back(self) -> None:
        """Somebody takes one commit back, or what one person typed in a range."""
        if not self.commits:
            return
        first = self.chance.choice(self.commits)
        upto = min(len(self.commits), first.revision + self.chance.choice((0, 0, 0, 2, 6)))
        if upto > first.revision and first.is_typed:
            self._take_back_range(first, upto)
        else:
            self._take_back_one(first)

    def _take_back_one(self, one: TextCommit) -> None:
        done = retraction(self._since(one.revision), one.revision)
        if not self.has_lines and all(other.takes_back in (None, (other.reference,) * 2) for other in self.commits):
            texts = [found.changes.apply(self.text) for found in (done, retraction(self.commits, one.revision))]
            assert sorted(texts[0]) == sorted(texts[1]), "computed from fewer commits, it is something else"
        before = {*self.text, "\n"}
        self.commit(done.changes, self.chance.choice(PEOPLE), (one.revision, one.revision))
        written = {letter for change in one.step.changes.changes() for letter in change.inserted} - {"\n"}
        deleted = set("".join(one.step.deleted))
        assert set(self.text) - before <= deleted - written, "something else has come back"
        if CHANGED not in (left["why"] for left in done.left_out):
            assert not (written - deleted) & set(self.text), "what it wrote still stands"
        self._check_places(self.texts[one.revision - 1], before)

    def _take_back_range(self, first: TextCommit, upto: int) -> None:
        run = self.commits[first.revision - 1 : upto]
        typed = [one.revision for one in run if one.is_typed and one.by == first.by]
        done, before = range_retraction(self._since(first.revision), typed), set(self.text)
        self.commit(done.changes, self.chance.choice(PEOPLE), (first.revision, upto))
        again = range_retraction(self._since(first.revision), typed)
        text = again.changes.apply(self.text)
        assert text.replace("\n", "") == self.text.replace("\n", "") or done.left_out, "a second time, it does more"
        self._check_places(self.texts[first.revision - 1], before)

    def _check_places(self, once: str, before: Set[str]) -> None:
        """Look where that stands which has come back, if what stood around it was still together, as it was once."""
        there = [letter for letter in self.text if letter in before and letter != "\n"]
        neighbours = dict(pairwise(there))
        place = {letter: at for at, letter in enumerate(self.text)}
        old = once.replace("\n", "")
        for at, letter in enumerate(old):
            left = next((one for one in reversed(old[:at]) if one in before), "")
            right = next((one for one in old[at + 1 :] if one in before), "")
            if letter in place and letter not in before and left in place and neighbours.get(left) == right:
                assert place[left] < place[letter] < place[right], "it has come back at another place"

    def _since(self, revision: int) -> list[TextCommit]:
        """The commits from there, or from the earliest one that is spoken of."""
        first = revision
        while (wanted := earliest_reference(self.commits[first - 1 :], revision)) < first:
            first = wanted
        return self.commits[first - 1 :]


@pytest.mark.parametrize("number", range(10))
def test_no_text_stands_twice(number: int) -> None:
    """Whatever three people write and take back, typed ranges and edits by the page's own undo among it."""
    for story in range(STORIES // 10):
        seed = f"{run_seed()}/{number}/{story}"
        document = Document(Random(seed))
        acts = [document.write, document.write, document.take_back, document.take_back, document.put_back]
        acts = [*acts, *acts, document.restore]
        for _ in range(LENGTH):
            document.chance.choice(acts)()
            letters = document.text.replace("\n", "")
            assert len(set(letters)) == len(letters), f"a character stands there twice: seed {seed}"
