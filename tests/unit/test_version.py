"""One version, which the changelog agrees with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from draftsmith import __version__
from draftsmith.cli.group import main
from tests.release.version import PLACES, ROOT, problem_or_none, releases, stated, with_heading, write_version

CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
EMPTY = "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-22\n\n- It draws.\n"
CHANGED = EMPTY.replace("[Unreleased]\n", "[Unreleased]\n\n### Fixed\n\n- It draws straight.\n")


def test_the_version_is_a_release_exactly_when_nothing_is_unreleased() -> None:
    """It is that of the newest heading then, and otherwise newer and ends in .dev0."""
    assert problem_or_none(__version__, CHANGELOG) is None


@pytest.mark.parametrize(
    "version, changelog, wrong",
    [
        ("0.1.0", EMPTY, False),
        ("0.2.0.dev0", EMPTY, True),
        ("0.2.0", EMPTY, True),
        ("0.2.0.dev0", CHANGED, False),
        ("0.1.1.dev0", CHANGED, False),
        ("0.2.0", CHANGED, True),
        ("0.1.0", CHANGED, True),
        ("0.1.0.dev0", CHANGED, True),
        ("0.2.0", with_heading(CHANGED, "0.2.0", "2026-12-01"), False),
        ("0.2.0.dev0", with_heading(CHANGED, "0.2.0", "2026-12-01"), True),
        ("0.1.0", EMPTY.replace("[Unreleased]\n", "[Unreleased]\n\n### Added\n"), False),
    ],
)
def test_a_version_that_the_changelog_does_not_allow_is_named(version: str, changelog: str, wrong: bool) -> None:
    assert (problem_or_none(version, changelog) is not None) == wrong


def test_a_cut_puts_what_is_unreleased_under_its_heading() -> None:
    """Nothing of the changelog is lost, and nothing is unreleased then."""
    cut = with_heading(CHANGED, "0.2.0", "2026-12-01")
    assert releases(cut) == ["0.2.0", "0.1.0"]
    assert cut.replace("\n\n## [0.2.0] - 2026-12-01", "") == CHANGED


@pytest.mark.parametrize("place", PLACES)
def test_what_repeats_the_version_states_this_one(place: str) -> None:
    """Image, manifests and the first page of the documentation are of the version that the package states."""
    assert set(stated(place)) == {__version__}


def test_the_command_says_the_version() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"Draftsmith {__version__}\n"


def test_the_client_library_has_the_version() -> None:
    """As npm writes it."""
    built = ROOT / "frontend" / "dist" / "client" / "package.json"
    if not built.is_file():
        pytest.skip("No built editor: run `make setup`.")
    assert json.loads(built.read_text("utf-8"))["version"] == __version__.replace(".dev", "-dev.")


def test_another_version_is_written_everywhere(tmp_path: Path) -> None:
    """And nothing else of those files changes."""
    for place in PLACES:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / place, tmp_path / place)
    write_version("9.8.7", tmp_path)
    for place in PLACES:
        assert set(stated(place, tmp_path)) == {"9.8.7"}
        assert (tmp_path / place).read_text("utf-8").replace("9.8.7", __version__) == (ROOT / place).read_text("utf-8")


def test_the_changelog_has_one_line_for_each_change() -> None:
    """Longer reasons stand in the pages and decisions that it leads to."""
    entries = CHANGELOG[CHANGELOG.index("## [Unreleased]") :]
    stray = [line for line in entries.splitlines() if line and not line.startswith(("- ", "#", "The first release."))]
    assert stray == []
