"""The version of the product: where it stands, what repeats it, and what the changelog lets it be."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).parents[2]
PLACES = {
    "backend/draftsmith/__init__.py": r'__version__ = "(.+)"',  # the one place; the rest repeats it
    "Dockerfile": r'org\.opencontainers\.image\.version="(.+?)"',
    "deploy/kubernetes/base/server.yaml": r"image: draftsmith:(\S+)",
    "deploy/kubernetes/complete/kustomization.yaml": r"newName: \S+/draftsmith, newTag: (.+?)\}",
    "docs/getting-started.md": r"draftsmith-(\S+)-py3-none-any\.whl",
    "docs/operating.md": r"draftsmith-(\S+)-py3-none-any\.whl",
}
"""Files that state the version, each with where: none of these can read it from another one."""
UNRELEASED = "## [Unreleased]"
_HEADING = re.compile(r"^## \[(.+?)\].*$", re.MULTILINE)


def stated(place: str, root: Path = ROOT) -> list[str]:
    """Every version that a file of `PLACES` states."""
    return re.findall(PLACES[place], (root / place).read_text("utf-8"))


def write_version(version: str, root: Path = ROOT) -> None:
    """State another version everywhere."""
    for place, pattern in PLACES.items():
        file = root / place
        text = file.read_text("utf-8")
        assert re.search(pattern, text), f"{place} states no version"
        file.write_text(re.sub(pattern, lambda found: found[0].replace(found[1], version), text), "utf-8")


def releases(changelog: str) -> list[str]:
    """The versions that the changelog has headings for, newest first."""
    return [found for found in _HEADING.findall(changelog) if f"## [{found}]" != UNRELEASED]


def problem_or_none(version: str, changelog: str) -> str | None:
    """Why a version cannot be the one of this changelog: a release without unreleased lines, else the next `.dev0`."""
    newest = releases(changelog)[0]
    if not _unreleased(changelog):
        return None if version == newest else f"nothing is unreleased, so the version is {newest}, not {version}"
    if not version.endswith(".dev0"):
        return f"there are unreleased changes, so {version} has to end in .dev0"
    return None if Version(version) > Version(newest) else f"{version} is not newer than the release {newest}"


def with_heading(changelog: str, version: str, day: str) -> str:
    """A changelog in which what is unreleased stands under the heading of a release."""
    assert _unreleased(changelog), "nothing is unreleased"
    assert version not in releases(changelog), f"{version} is released"
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n\n## [{version}] - {day}", 1)


def _unreleased(changelog: str) -> str:
    """What stands under Unreleased, without headings inside it."""
    _, _, rest = changelog.partition(UNRELEASED)
    return re.sub(r"^#.*$", "", _HEADING.split(rest, maxsplit=1)[0], flags=re.MULTILINE).strip()
