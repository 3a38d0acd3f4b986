"""A change of the product is made in a copy of the checkout, and noticed there by the tests."""

from __future__ import annotations

from pathlib import Path

from tests.mutants.changes import Change
from tests.mutants.checkout_copy import Copy
from tests.places import ROOT

FILE = "backend/draftsmith/usecases/upkeep/retention.py"
TESTS = ("tests/unit/test_retention.py",)


def test_a_change_is_made_in_the_copy_alone_and_noticed_there(tmp_path: Path) -> None:
    """Also one that leaves the size of the file, by which Python knows whether bytecode is of it."""
    source = (ROOT / FILE).read_bytes()
    start = source.index(b"<= self.min_entries")
    copy = Copy(tmp_path)
    assert copy.seconds(TESTS) > 0
    with copy.changed(Change(FILE, start, start + 2, ">=")):
        assert (ROOT / FILE).read_bytes() == source
        assert (tmp_path / FILE).read_bytes() == source.replace(b"<= self.min_entries", b">= self.min_entries")
        assert not copy.passes(TESTS)
    assert copy.passes(TESTS)


def test_tests_that_never_end_do_not_pass(tmp_path: Path) -> None:
    """They are ended after so much processor time, so that it does not matter what else the machine does."""
    end = len((ROOT / FILE).read_bytes())
    copy = Copy(tmp_path)
    with copy.changed(Change(FILE, end, end, "while True:\n    pass\n")):
        assert not copy.passes(TESTS, 5)
