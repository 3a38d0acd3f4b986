"""Versions in their order: semver's rules, without guesses. No I/O.

What is no version by https://semver.org is named and not ordered. A leading `v` is taken off before a version is read,
and stays in what is answered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from semver import Version

_SHORT = re.compile(r"[vV]?(\d{1,5})(?:\.(\d{1,5}))?")
_MOST_CHARS = 128
SemverField = Literal["major", "minor", "patch"]


@dataclass(frozen=True, slots=True)
class Ordered:
    """Texts by what they are, each list newest first.

    Attributes:
        releases: three numbers, with or without build metadata.
        pre_releases: three numbers and `-…`: by semver before the release. Tags of images name variants so, too.
        short: one or two numbers such as `17` and `17.2`: mostly names that move to the newest of their line.
        others: everything else, such as `latest`, in the order of the alphabet.
    """

    releases: list[str]
    pre_releases: list[str]
    short: list[str]
    others: list[str]


def version_or_none(text: str) -> Version | None:
    """Read a version, with or without a leading `v`."""
    if len(text) > _MOST_CHARS or not text.isascii():
        return None
    try:
        return Version.parse(text[1:] if text[:1] in ("v", "V") else text)
    except ValueError:
        return None


def up_to(version: str, field: SemverField) -> str:
    """The numbers of a release up to one of them, without a leading `v`: of `v1.34.2` and `minor` it is `1.34`."""
    numbers = version.lstrip("vV").split(".")
    return ".".join(numbers[: 1 + ("major", "minor", "patch").index(field)])


def order(texts: Iterable[str], suffix: str = "") -> Ordered:
    """Put versions in order; where `suffix` is given, those that end with `-suffix`, by what stands before it."""
    end = f"-{suffix}" if suffix else ""
    releases: list[tuple[Version, str]] = []
    pre_releases: list[tuple[Version, str]] = []
    short: list[tuple[tuple[int, int], str]] = []
    others: list[str] = []
    for text in sorted(set(texts)):
        if not text.endswith(end):
            continue
        start = text.removesuffix(end)
        version = version_or_none(start)
        if version is not None:
            (pre_releases if version.prerelease else releases).append((version, text))
        elif numbers := _SHORT.fullmatch(start):
            # -1: `17` stands behind `17.0`, as the wider of the two.
            short.append(((int(numbers[1]), int(numbers[2] or -1)), text))
        else:
            others.append(text)
    return Ordered(
        [text for _, text in sorted(releases, reverse=True)],
        [text for _, text in sorted(pre_releases, reverse=True)],
        [text for _, text in sorted(short, reverse=True)],
        others,
    )


def suffixes(texts: Iterable[str], most: int) -> list[str]:
    """What follows the version in the most tags, such as `alpine` in `7.4.1-alpine`; the most frequent first."""
    found: Counter[str] = Counter()
    for text in sorted(set(texts)):
        version = version_or_none(text)
        if version is not None and version.prerelease:
            found[text.partition("-")[2]] += 1
    return [suffix for suffix, _ in found.most_common(most)]


def in_line(texts: Iterable[str], line: str) -> list[str]:
    """Those of a line: of `7` and `7.4` both `7.4.1`, of `7.4` not `7.40.0`; all of them without a line."""
    wanted = line.lstrip("vV")
    if not wanted:
        return list(texts)
    begins = re.compile(rf"[vV]?{re.escape(wanted)}(?![0-9A-Za-z])")
    return [text for text in texts if begins.match(text)]
