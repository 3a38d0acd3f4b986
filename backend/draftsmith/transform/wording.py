"""Whether two wordings say the same: the guards of the fuzzy rung.

Similarity cannot be the judge: "99.9" for "99.95" or a lost "not" changes three characters. So what carries meaning
must agree exactly, on both sides: numbers, negations, identifiers and names, and words that turn a sentence around.
What may differ is small words, inflections, and the odd word that names nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

_WORD = re.compile(r"[^\s]+")
_EDGE = ".,;:!?()[]{}\"'|•*_`<>…"
_NEGATIONS_TEXT = (
    "not no never none neither nor without cannot nothing nobody nowhere hardly unless except fails fail failed"
)
_NUMBERS_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand million "
    "billion first second third fourth fifth once twice double half quarter single both"
)
_TURNING_TEXT = (
    "must should shall may might can could will would always sometimes often rarely only all any each every some "
    "most many few least more less fewer before after until while during above below over under off inside "
    "outside left right top bottom begin stop open close enable disable enabled disabled allow deny allowed "
    "denied accept reject accepted rejected increase decrease increases decreases maximum minimum max min high "
    "low higher lower fast slow faster slower read write reads writes push pull send receive sends receives "
    "client server source target primary secondary public private internal external required optional synchronous "
    "asynchronous sync async true false yes no add remove added removed create delete created deleted upstream "
    "downstream old new next previous same different forward backward encrypt decrypt request response input "
    "output success failure or else"
)
_SMALL_TEXT = (
    "a an the this that these those its it is are was were be been being has have had do does did of for by with "
    "as at so such which who whose also just very quite then there here we our you your they their he she his her "
    "i my us them than too own still yet now thus hence therefore however in on to from into onto and but either "
    "when if up down"
)
_NEGATIONS = frozenset(_NEGATIONS_TEXT.split())
_NUMBERS = frozenset(_NUMBERS_TEXT.split())
_TURNING = frozenset(_TURNING_TEXT.split())
_SMALL = frozenset(_SMALL_TEXT.split())
_LIKE = 75  # two words at least this similar, with the same beginning, are inflections of one


def words(text: str) -> list[str]:
    """The words of a text, without punctuation at their edges; empty ones left out."""
    return [bare for found in _WORD.findall(text) if (bare := _bare(found))]


def _bare(word: str) -> str:
    return word.strip(_EDGE)


def agree(one: Sequence[str], other: Sequence[str], names: Collection[str]) -> bool:
    """Whether two wordings may be taken for the same.

    Args:
        one, other: words of both.
        names: words that name something in this document, case folded.
    """
    return _weighty(one, names) == _weighty(other, names) and _swaps_are_small(one, other)


def _weighty(some: Sequence[str], names: Collection[str]) -> Counter[str]:
    """The words that must agree, counted."""
    found: Counter[str] = Counter()
    for place, word in enumerate(some):
        low = word.casefold()
        if low.endswith(("n't", "n’t")) or low in _NEGATIONS or low == "cannot":
            found["not"] += 1
            if low.endswith(("n't", "n’t")) and low[:-3] in _TURNING:
                found[low[:-3]] += 1
            if low == "cannot":
                found["can"] += 1
        elif (
            any(map(str.isdigit, word))
            or low in _NUMBERS
            or low in _TURNING
            or _is_identifier(word)
            or (place and word[0].isupper())
            or (low in names and low not in _SMALL)
        ):
            found[low] += 1
    return found


def _is_identifier(word: str) -> bool:
    """Code, CamelCase, snake_case, CAPITALS, --flags, paths."""
    inner = word[1:]
    return (
        any(character.isupper() for character in inner)
        or any(sign in word for sign in "_/\\=@#$%&^{}<>()[]")
        or word.startswith("-")
        or ("." in inner and not word.endswith("."))
    )


def _swaps_are_small(one: Sequence[str], other: Sequence[str]) -> bool:
    """Exchanged words are small ones or inflections, but for one in eight."""
    first, second = [word.casefold() for word in one], [word.casefold() for word in other]
    gone: list[str] = []
    come: list[str] = []
    for code in Indel.opcodes(first, second):
        if code.tag != "equal":
            gone += first[code.src_start : code.src_end]
            come += second[code.dest_start : code.dest_end]
    gone = [word for word in gone if word not in _SMALL]
    come = [word for word in come if word not in _SMALL]
    for word in list(gone):
        kin = next((new for new in come if is_inflection(word, new)), None)
        if kin is not None:
            gone.remove(word)
            come.remove(kin)
    return max(len(gone), len(come)) <= max(1, len(one) // 8)


def is_inflection(one: str, other: str) -> bool:
    """Whether two words share their beginning and most of the rest."""
    return one[:3] == other[:3] and fuzz.ratio(one, other) >= _LIKE
