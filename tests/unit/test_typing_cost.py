"""What a key costs in long documents: characters that are read again and sections made anew, counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.actor import Actor
from draftsmith.history.replica import Replica
from draftsmith.model.document import Document
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.markdown.sections import Outline, outline_of
from draftsmith.model.markdown.segments import LEAST, LEAST_OF_SHORT
from draftsmith.transform.steps.changeset import replacing
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.costs import CHARACTERS
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.requests.typing_request import TypingRequest

ADA = Actor("guest:ada", "Ada", "person")
CLOCK = SystemClock()
SHORT, SMALL, LARGE = 20 << 10, 50 << 10, 200 << 10
TEXTS: dict[str, Callable[[int], str]] = {
    "headings": lambda size: "\n\n".join(f"## Part {n}\n\nWords of this part." for n in range(size // 34)),
    "nothing but headings": lambda size: "\n".join(f"# Part {n}" for n in range(size // 14)),
    "paragraphs": lambda size: "\n\n".join(f"Words of paragraph {n}, no more." for n in range(size // 34)),
    "a list": lambda size: "\n".join(f"- Words of item {n}, no more." for n in range(size // 32)),
    "lists in lists": lambda size: "\n".join(f"{n}. Words\n   - more\n\n     > quoted\n" for n in range(size // 36)),
    "wide characters": lambda size: "\n\n".join(f"Words \U0001f600 of {n}, no more." for n in range(size // 26)),
}  # fmt: skip
KEYS = ["x", " ", ".", "\n", "\n\n", "`", "\n> ", "\n# Title\n", "-", "<", "["]
BLOCKS: dict[str, Callable[[int], str]] = {
    "one line": lambda size: "word " * (size // 5),
    "one paragraph": lambda size: "\n".join(f"Words of line {n}." for n in range(size // 20)),
    "one quote": lambda size: "\n".join(f"> Words of line {n}." for n in range(size // 22)),
    "one fence": lambda size: "```\n" + "\n".join(f"code of line {n}" for n in range(size // 20)),
    "one comment": lambda size: "<!--\n" + "\n".join(f"Words of line {n}." for n in range(size // 20)) + "\n-->\n",
}  # fmt: skip


def typed_over(replica: Replica, start: int, end: int, new: str) -> TypingRequest:
    text = replica.workspace.document.text
    changes = replacing(text, [(start, end, new)])
    common = from_input.common(identify(ADA, None, CLOCK), ADA, [start, new])
    head = replica.head
    return TypingRequest(**common, epoch=head.epoch, base=head.revision, changes=changes, limits=WorkspaceLimits())


def replica_of(text: str) -> Replica:
    replica = Replica("e")
    replica.workspace.document = Document(text)
    assert replica.workspace.document.outline.text is text
    return replica


def key(replica: Replica, start: int, end: int, new: str) -> Outline:
    """Prepare a key as the writer does, take it back and apply it again; the outline after."""
    request, document = typed_over(replica, start, end, new), replica.workspace.document
    before = document.outline
    prepared = request.prepare(replica, request.changes)
    prepared.applied.roll_back(replica.workspace)
    assert document.known_outline is before
    prepared.applied.apply_again(replica.workspace)
    assert document.known_outline is not None
    return document.outline


@pytest.mark.parametrize("name", TEXTS)
def test_a_key_reads_as_much_in_a_long_text_as_in_a_short_one(name: str) -> None:
    """A few segments at most, shorter ones in a short text; all others are the same values, and no section is made."""
    read: dict[int, int] = {}
    for size in (SHORT, SMALL, LARGE):
        replica = replica_of(TEXTS[name](size))
        for number, new in enumerate(KEYS):
            at = len(replica.workspace.document.text) * (number + 1) // (len(KEYS) + 1)
            before = replica.workspace.document.outline
            for start, end, text in ((at, at, new), (at, at + len(new), "")):
                after = key(replica, start, end, text)
                read[size] = max(read.get(size, 0), after.read)
                kept = {id(one) for one in before.segments.all}
                assert sum(id(one) not in kept for one in after.segments.all) <= 6
                assert "sections" not in vars(after)
                before = after
        fresh = outline_of(replica.workspace.document.text)
        assert replica.workspace.document.outline.sections == fresh.sections
    assert read[LARGE] <= min(2 * read[SMALL], 6 * LEAST)
    assert read[SHORT] <= 8 * LEAST_OF_SHORT


@pytest.mark.parametrize("name", BLOCKS)
def test_words_typed_in_a_long_block_are_not_read_again(name: str) -> None:
    """Inside a line of words no block changes, and the request is light; else it is prepared elsewhere."""
    replica = replica_of(BLOCKS[name](LARGE))
    text = replica.workspace.document.text
    at = text.index("or" if "ord" in text else "od", LARGE // 2) + 1
    for _ in range(3):
        assert not typed_over(replica, at, at, "x").is_heavy(replica)
        assert key(replica, at, at, "x").read == 0
    assert typed_over(replica, at, at, "\n").is_heavy(replica)
    short = replica_of(BLOCKS[name](CHARACTERS // 2))
    assert not typed_over(short, 100, 100, "\n").is_heavy(short)


def test_what_is_typed_over_itself_is_no_commit() -> None:
    """The same characters in place of what is there, as input methods send them."""
    replica = replica_of("one two")
    request = typed_over(replica, 4, 7, "two")
    prepared = request.prepare(replica, request.changes)
    assert (prepared.record, prepared.steps) == (None, ())
    assert replica.workspace.document.text == "one two"


def test_what_may_swallow_the_rest_of_a_long_text_is_prepared_elsewhere() -> None:
    """A fence or a comment, its last mark and its deletion; not code or tags inside a line, and not in a short text."""
    replica, short = replica_of(TEXTS["paragraphs"](LARGE)), replica_of(TEXTS["paragraphs"](SHORT))
    line = replica.workspace.document.text.index("Words")
    assert not typed_over(replica, line, line, "``").is_heavy(replica)
    for keys in ("```", "\n  ~~~", "\n> - ```py", "<!--", "--> ", "<script"):
        assert typed_over(replica, line, line, keys).is_heavy(replica), keys
        assert not typed_over(short, line, line, keys).is_heavy(short)
    for keys in ("x ``` y", "see <b>", "<b>", "\n\n# Title", "- "):
        assert not typed_over(replica, line, line, keys).is_heavy(replica), keys
    replica = replica_of(f"```\ncode\n```\n\n{TEXTS['paragraphs'](LARGE)}")
    assert typed_over(replica, 10, 11, "").is_heavy(replica)
    assert not typed_over(replica, 6, 6, "x").is_heavy(replica)


def test_keys_leave_no_small_segments_behind() -> None:
    """However long somebody types at one place, there are no more segments than the text has room for."""
    replica = replica_of(TEXTS["paragraphs"](SMALL))
    at = SMALL // 2
    for number in range(900):
        new = "word \n\n"[number % 7]
        key(replica, at + number, at + number, new)
    document = replica.workspace.document
    assert len(document.outline.segments.all) <= 1 + len(document.text) // LEAST
    for number in reversed(range(850)):
        key(replica, at + number, at + number + 1, "")
    assert len(document.outline.segments.all) <= 1 + len(document.text) // (LEAST // 4)
