"""Ways to name a section: all of them mean exactly one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from rapidfuzz import fuzz

from tests.noise.samples import Part, Sample, bare

Naming = Callable[[Sample, Part, random.Random], str | None]

_NUMBER = re.compile(r"^\d+(?:\.\d+)*[.):]?\s+")


def full(sample: Sample, part: Part, rng: random.Random) -> str | None:
    return part.path if sample.is_chain_unique(part) else None


def leaf(sample: Sample, part: Part, rng: random.Random) -> str | None:
    """The last heading alone, with its marks."""
    return f"{'#' * part.chain[-1][0]} {part.title}" if sample.is_title_unique(part) else None


def _with_title(part: Part, title: str, rng: random.Random) -> str:
    """The path with another title at its end, or that title alone."""
    levels = [f"{'#' * level} {one}" for level, one in part.chain[:-1]]
    return rng.choice(
        [title, f"{'#' * part.chain[-1][0]} {title}", " ".join([*levels, f"{'#' * part.chain[-1][0]} {title}"])]
    )


def title_alone(sample: Sample, part: Part, rng: random.Random) -> str | None:
    return part.title if sample.is_title_unique(part) else None


def separators(sample: Sample, part: Part, rng: random.Random) -> str | None:
    """Titles joined by > or → or /, or one below the other."""
    titles = [title for _, title in part.chain]
    fits = sample.is_chain_unique(part) and len(titles) > 1 and not any(re.search(r"\s[>/→]\s", one) for one in titles)
    return rng.choice([" > ", " > ", " → ", " / ", "\n"]).join(titles) if fits else None


def marked_separators(sample: Sample, part: Part, rng: random.Random) -> str | None:
    """Marked headings with > or a line end between them."""
    marked = [f"{'#' * level} {title}" for level, title in part.chain]
    fits = sample.is_chain_unique(part) and len(marked) > 1
    return rng.choice([" > ", "\n", " / "]).join(marked) if fits else None


def some_above_missing(sample: Sample, part: Part, rng: random.Random) -> str | None:
    above = part.chain[:-1]
    if len(above) < 2 or not sample.is_title_unique(part):
        return None
    kept = sorted(rng.sample(range(len(above)), rng.randint(1, len(above) - 1)))
    return " ".join(f"{'#' * level} {title}" for level, title in [*(above[at] for at in kept), part.chain[-1]])


def other_level(sample: Sample, part: Part, rng: random.Random) -> str | None:
    if not sample.is_title_unique(part):
        return None
    level = rng.choice([one for one in (1, 2, 3, 4) if one != part.chain[-1][0]])
    return f"{'#' * level} {part.title}"


def number_dropped(sample: Sample, part: Part, rng: random.Random) -> str | None:
    title = _NUMBER.sub("", part.title)
    if title == part.title or not bare(title) or not sample.is_title_unique(part):
        return None
    return _with_title(part, title, rng)


def other_case(sample: Sample, part: Part, rng: random.Random) -> str | None:
    title = rng.choice([part.title.lower(), part.title.upper(), part.title.title()])
    return _with_title(part, title, rng) if title != part.title and sample.is_title_unique(part) else None


def punctuation_dropped(sample: Sample, part: Part, rng: random.Random) -> str | None:
    title = " ".join(re.sub(r"[?!,:;()/\"“”.–—]+", " ", part.title).split())
    fits = title != " ".join(part.title.split()) and bare(title) and sample.is_title_unique(part)
    return _with_title(part, title, rng) if fits else None


def punctuation_added(sample: Sample, part: Part, rng: random.Random) -> str | None:
    if not sample.is_title_unique(part) or re.search(r"\W$", part.title):
        return None
    return _with_title(part, part.title + rng.choice([":", ".", " ##"]), rng)


def ampersand(sample: Sample, part: Part, rng: random.Random) -> str | None:
    title = part.title.replace(" & ", " and ") if " & " in part.title else part.title.replace(" and ", " & ")
    return _with_title(part, title, rng) if title != part.title and sample.is_title_unique(part) else None


def marks_dropped(sample: Sample, part: Part, rng: random.Random) -> str | None:
    title = re.sub(r"\[([^\]]+)\]\([^)]*\)|[*`]|\\(?=[#*_<>])", lambda found: found[1] or "", part.title)
    return _with_title(part, title, rng) if title != part.title and sample.is_title_unique(part) else None


def marks_added(sample: Sample, part: Part, rng: random.Random) -> str | None:
    if set("*`_[]") & set(part.title) or not sample.is_title_unique(part):
        return None
    return f"{'#' * part.chain[-1][0]} **{part.title}**"


def typing_error(sample: Sample, part: Part, rng: random.Random) -> str | None:
    """Two letters of a long title swapped; no other title is near."""
    words = list(re.finditer(r"[A-Za-z][a-z]{5,}", part.title))
    if not words or len(part.title) < 9 or not sample.is_title_unique(part):
        return None
    at = rng.choice(words).start() + rng.randint(1, 3)
    if part.title[at] == part.title[at + 1]:
        return None
    title = part.title[:at] + part.title[at + 1] + part.title[at] + part.title[at + 2 :]
    others = [other.title for other in sample.parts if other is not part]
    if any(fuzz.ratio(bare(title), bare(other)) > 75 for other in others):
        return None
    return _with_title(part, title, rng)


def other_blanks(sample: Sample, part: Part, rng: random.Random) -> str | None:
    """Blanks doubled, of another kind, missing, or around the marks."""
    if not sample.is_title_unique(part):
        return None
    level, title = part.chain[-1]
    marks = "#" * level
    ways = [f"{marks}{title}", f"  {marks}  {title} ", f"{marks}\t{title}", f"{marks}\u00a0{title}", f" {title}\n"]
    blanks = [found.span() for found in re.finditer(r"(?<=\w) (?=\w)", title)]
    if blanks:
        start, end = rng.choice(blanks)
        other = rng.choice(["  ", "\t", "\u00a0", "", "\n", " \n", "-", "_", "\u200b "])
        ways += [f"{marks} {title[:start]}{other}{title[end:]}", f"{title[:start]}{other}{title[end:]}"] * 2
    joined = re.search(r"(?<=[a-z])-(?=[a-z])", title)
    if joined:
        ways.append(f"{marks} {title[: joined.start()]} {title[joined.end() :]}")
    way = rng.choice(ways)
    path = " ".join(f"{'#' * deep} {one}" for deep, one in part.chain[:-1])
    return f"{path} {way}".strip() if way.startswith("#") and rng.random() < 0.3 else way


def slip(sample: Sample, part: Part, rng: random.Random) -> str | None:
    """One slip of a finger in a word of four letters or more, in another case or not; no other title is near."""
    words = list(re.finditer(r"[A-Za-z][a-z]{3,}", part.title))
    if not words or len(part.title) < 5 or not sample.is_title_unique(part):
        return None
    word = rng.choice(words)
    at = word.start() + rng.randint(1, len(word[0]) - 2)
    one, two = part.title[at], part.title[at + 1]
    beside = {"a": "s", "e": "r", "i": "o", "o": "p", "t": "y", "n": "m", "s": "d", "r": "t", "l": "k"}.get(one, "x")
    slips = [two + one, two, one + one + two, beside + two]
    title = part.title[:at] + rng.choice(slips) + part.title[at + 2 :]
    others = [other.title for other in sample.parts if other is not part]
    if title == part.title or any(fuzz.ratio(bare(title), bare(other)) > 70 for other in others):
        return None
    return _with_title(part, rng.choice([title, title, title.lower(), title.upper(), title.title()]), rng)


NAMINGS: dict[str, tuple[int, Naming]] = {
    "section: last heading": (4, leaf),
    "section: title alone": (4, title_alone),
    "section: separators": (4, separators),
    "section: marked separators": (3, marked_separators),
    "section: some above missing": (4, some_above_missing),
    "section: other level": (4, other_level),
    "section: number dropped": (5, number_dropped),
    "section: other case": (5, other_case),
    "section: punctuation dropped": (4, punctuation_dropped),
    "section: punctuation added": (3, punctuation_added),
    "section: and for &": (3, ampersand),
    "section: marks dropped": (3, marks_dropped),
    "section: marks added": (2, marks_added),
    "section: typing error": (4, typing_error),
    "section: other blanks": (5, other_blanks),
    "section: slip": (5, slip),
}
