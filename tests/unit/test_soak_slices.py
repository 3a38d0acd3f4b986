"""The slices of the soak: each test is in one, and the record says which was run longest ago."""

from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.simulation.soak.__main__ import parts_of
from tests.simulation.soak.record import (
    FILE,
    MOST_COMMITS,
    ROOT,
    SLICES,
    Slice,
    oldest_slice,
    overdue_slices,
    read_slices,
    write_slices,
)
from tests.simulation.soak.share import IN_EACH, is_in_slice

NUMBERS = range(1, SLICES + 1)


def test_the_record_is_written_as_it_is_read(tmp_path: Path) -> None:
    slices = read_slices()
    changed = [replace(one, commit="abc", result='failed: "laws" \\ faults') for one in slices]
    write_slices(slices, tmp_path / "same.toml")
    write_slices(changed, tmp_path / "changed.toml")
    assert (tmp_path / "same.toml").read_text("utf-8") == FILE.read_text("utf-8")
    assert read_slices(tmp_path / "changed.toml") == changed
    assert [one.number for one in slices] == list(NUMBERS)
    assert len({one.seed for one in slices}) == SLICES


def test_every_test_is_in_one_slice_and_games_are_in_each() -> None:
    names = [f"tests/laws/test_{number % 30}.py::test_{number}" for number in range(2_000)]
    counts = Counter(number for name in names for number in NUMBERS if is_in_slice(name, number))
    assert counts.total() == len(names)
    assert sorted(counts) == list(NUMBERS)
    assert max(counts.values()) < 1.5 * min(counts.values())
    assert all(
        (ROOT / file).exists() and is_in_slice(f"{file}::test[1]", number) for file in IN_EACH for number in NUMBERS
    )


def test_slices_play_a_tenth_each_with_a_seed_of_their_own() -> None:
    tests, relay, mutants = parts_of(Slice(3, 77, "", ""))
    assert tests.environment["DRAFTSMITH_TEST_SEED"] == "77"
    assert tests.environment["NAIVE_CALLS"] == "20000"
    assert tests.environment["LIVE_SEEDS"] == "77-0,77-1,77-2"
    assert relay.command[-4:] == ("--edits", "2000", "--seed", "77")
    assert mutants.command[-4:] == ("--seed", "77", "--share", "3/10")
    assert not relay.environment
    assert not mutants.environment


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A repository, and its commits from the newest to the oldest."""
    folder = tmp_path_factory.mktemp("history")

    def git(*words: str, typed: str = "") -> str:
        return subprocess.run(
            ["git", *words], cwd=folder, input=typed, capture_output=True, text=True, check=True
        ).stdout

    git("init", "--quiet", "--initial-branch=main")
    commit = "commit refs/heads/main\ncommitter Somebody <somebody@example.org> 0 +0000\ndata 0\n\n"
    git("fast-import", "--quiet", typed=commit * (MOST_COMMITS + 2))
    return folder, git("rev-list", "main").split()


@pytest.mark.parametrize(
    "ages, oldest, overdue",
    [
        ([3, 2, 1], 1, []),
        ([0, 0, 0], 1, []),
        ([3, MOST_COMMITS, 1], 2, []),
        ([3, MOST_COMMITS + 1, 1], 2, [2]),
        ([MOST_COMMITS + 1, None, None], 2, [1, 2, 3]),
    ],
)
def test_the_oldest_slice_is_run_and_those_that_are_overdue_are_named(
    history: tuple[Path, list[str]], ages: list[int | None], oldest: int, overdue: list[int]
) -> None:
    folder, commits = history
    slices = [Slice(n, n, "" if age is None else commits[age], "passed") for n, age in enumerate(ages, 1)]
    assert oldest_slice(slices, folder).number == oldest
    assert [int(sentence.split()[1]) for sentence in overdue_slices(slices, folder)] == overdue


def test_where_no_history_is_nothing_is_overdue(tmp_path: Path) -> None:
    """A release has none, and a shallow clone has not all of it."""
    assert overdue_slices([Slice(1, 1, "abc", "passed")], tmp_path) == []
