"""The template language of the forms of sentences, and what is derived from a template.

`(a|b)` is one of several, `[x]` may be missing, `{name:sort}` is a slot, which takes only a quotation where the sort is
`quoted`, and `{sort}` one that is named after what it takes; a blank stands for any blanks. From one template come the
pattern that reads a sentence, and the plain sequences (`variants`) that all else is made of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from draftsmith.assistant.builtin.masking import QUOTE

_TOKEN = re.compile(r"\{(\w+)(?::(\w+))?\}|[()\[\]|]|\s+|[^\s(){}\[\]|]+")
_PLAIN = {"(": "(?:", ")": ")", "[": "(?:", "]": ")?", "|": "|"}


@dataclass(frozen=True, slots=True)
class Gap:
    """A slot: its name, and the sort of thing that belongs there."""

    name: str
    sort: str


Part = str | Gap
Variant = tuple[Part, ...]


def pattern(template: str) -> re.Pattern[str]:
    """The pattern of a template, for masked text; slots are named groups that take as little as they can.

    Between two slots at the top level, what must stand there is looked for once (an atomic group): where the rest does
    not fit behind its first place, it fits behind no later one, since a slot takes anything, but for a quotation.
    """
    found: list[str] = []
    depth, slot, needed = 0, -1, -1  # where the slot before begins, and where what must stand behind it ends
    for piece in _TOKEN.finditer(template):
        depth += (piece[0] in "([") - (piece[0] in ")]")
        if piece[1]:
            if depth == 0 and slot >= 0 and needed > slot and piece[2] != "quoted":
                found[slot], found[needed] = f"(?>{found[slot]}", f"{found[needed]})"
            slot = len(found) if depth == 0 else -1
            found.append(f"(?P<{piece[1]}>{QUOTE if piece[2] == 'quoted' else '.+?'})")
        else:
            found.append(_PLAIN.get(piece[0]) or (r"\s" if piece[0].isspace() else re.escape(piece[0])))
            if depth == 0 and piece[0] not in "]|":
                needed = len(found) - 1
    return re.compile("".join(found), re.IGNORECASE | re.DOTALL)


def variants(template: str) -> list[Variant]:
    """Every plain sequence that a template stands for, first choices first, what may be missing left out first."""
    pieces = [Gap(piece[1], piece[2] or piece[1]) if piece[1] else piece[0] for piece in _TOKEN.finditer(template)]
    found, _ = _alternatives(pieces, 0)
    return [_join_texts(parts) for parts in found]


def _alternatives(parts: Sequence[Part], at: int) -> tuple[list[list[Part]], int]:
    """All sequences up to the closing bracket or the end, and where that is."""
    done: list[list[Part]] = []
    open_ones: list[list[Part]] = [[]]
    while at < len(parts) and parts[at] not in (")", "]"):
        piece = parts[at]
        if piece in ("(", "["):
            inner, at = _alternatives(parts, at + 1)
            inner = [[], *inner] if piece == "[" else inner
            open_ones = [[*before, *after] for before in open_ones for after in inner]
        elif piece == "|":
            done, open_ones = done + open_ones, [[]]
        else:
            for sequence in open_ones:
                sequence.append(piece)
        at += 1
    return done + open_ones, at


def _join_texts(parts: Sequence[Part]) -> Variant:
    """Neighbouring texts put together, blanks collapsed."""
    found: list[Part] = []
    for is_text, run in groupby(parts, lambda part: isinstance(part, str)):
        found += [re.sub(r"\s+", " ", "".join(map(str, run)))] if is_text else run
    assert all(isinstance(a, str) or isinstance(b, str) for a, b in pairwise(found)), "two slots need a word between"
    return tuple(found)
