"""Names are found in a sentence by their words: the same ones as by comparing each with the sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from draftsmith.assistant.builtin.masking import comparable_name, folded_name, mask
from draftsmith.assistant.builtin.names import NameIndex, Names
from tests.builders import workspace_of

LETTERS = "aAßéE\u0301_1- #.`\n«"
NAMES = st.lists(st.text(LETTERS, min_size=1, max_size=6).map(str.strip), max_size=12)


@given(names=NAMES, around=st.lists(st.text(LETTERS, max_size=4), min_size=1, max_size=4))
def test_no_name_that_would_be_marked_is_missed(names: list[str], around: list[str]) -> None:
    """A sentence made of the names and other letters is masked as with all names."""
    text = "".join(part + name for part, name in zip(around, [*names, *[""] * len(around)], strict=False))
    every = [(name, folded_name(name)) for name in names if name.strip()]
    found = NameIndex(names).within(text)
    assert mask(text, found) == mask(text, every)
    assert all(fold in comparable_name(text) for _, fold in found)


def test_titles_are_found_with_their_paths() -> None:
    """A path where the text has one."""
    workspace = workspace_of(text="# Storage\n\n## Orders\n\nText.\n")
    assert dict(Names(workspace).titles("rename section Orders")).keys() == {"Orders"}
    written = dict(Names(workspace).titles("in # Storage ## Orders, say so"))
    assert written.keys() == {"Storage", "Orders", "# Storage", "# Storage ## Orders"}
