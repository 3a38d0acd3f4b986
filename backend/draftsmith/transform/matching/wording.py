"""Guards of the fuzzy rung: whether two wordings have the same meaning.

Similarity alone is not enough: "99.9" for "99.95" or a lost "not" changes three characters. So words that carry meaning
must be equal on both sides: numbers, negations, identifiers and names, and words that reverse a sentence. Only small
words, inflections, typing errors and a closed list of synonyms may differ.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Indel

from draftsmith.transform.matching.contrasts import exclude_one_another
from draftsmith.transform.matching.synonyms import are_different_things, are_paraphrases

_WORD = re.compile(r"[^\s]+")
_EDGE = ".,;:!?()[]{}\"'|*_`<>…"
_NEGATIONS_TEXT = (
    "not no never none neither nor without cannot nothing nobody nowhere hardly unless except fails fail failed"
)
_NUMBERS_TEXT = (
    "zero one two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand million "
    "billion first second third fourth fifth sixth seventh eighth ninth tenth once twice thrice double triple half "
    "quarter single both thirteen fourteen fifteen sixteen seventeen eighteen nineteen forty fifty sixty seventy "
    "eighty ninety dozen dozens hundreds thousands millions billions pair couple"
)
_UNITS_TEXT = (
    "ns us ms s sec secs second seconds min mins minute minutes h hr hrs hour hours day days night nights week weeks "
    "month months quarters year years decade decades century centuries nanosecond nanoseconds microsecond microseconds "
    "millisecond milliseconds bit bits byte bytes kilobyte kilobytes megabyte megabytes gigabyte gigabytes terabyte "
    "terabytes petabyte petabytes b kb mb gb tb pb kib mib gib tib percent percentage points hertz hz khz mhz ghz "
    "dollar dollars euro euros cent cents pound pounds meter meters metre metres kilometer kilometers mile miles inch "
    "inches foot feet gram grams kilogram kilograms watt watts volt volts degree degrees pixel pixels"
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
    "output success failure or else up down out from ought need needs needed"
)
_SMALL_TEXT = (
    "a an the this that these those its it is are was were be been being has have had do does did of for by with "
    "as at so such which who whose also just very quite then there here we our you your they their he she his her "
    "i my us them than too own still yet now thus hence therefore however in on to into onto and but like either "
    "when if"
)
_NEGATIONS = frozenset(_NEGATIONS_TEXT.split())
_NUMBERS = frozenset(_NUMBERS_TEXT.split())
_TURNING = frozenset(_TURNING_TEXT.split())
_SMALL = frozenset(_SMALL_TEXT.split())
_UNITS = frozenset(_UNITS_TEXT.split())
_SYNONYMS_TEXT = (
    "use,uses,utilize,utilise,utilizes,utilises,employ,employs show,shows,display,displays "
    "need,needs,require,requires allow,allows,permit,permits,let,lets,enable "
    "ensure,ensures,guarantee,guarantees big,large help,helps,assist,assists because,since via,through "
    "begin,begins,start,starts get,gets,obtain,obtains fetch,fetches,retrieve,retrieves "
    "make,makes,create,creates give,gives,provide,provides keep,keeps,retain,retains "
    "about,approximately,roughly choose,chooses,select,selects build,builds,construct,constructs "
    "handle,handles,process,processes in,within toward,towards "
    "change,changes,modify,modifies quick,quickly,fast,rapidly"
)
_SAME = {word: group.split(",")[0] for group in _SYNONYMS_TEXT.split() for word in group.split(",")}
_TURNING_SAME = frozenset(_SAME.get(word, word) for word in _TURNING)
_CONTRACTED = {"cannot": "can", "can't": "can", "won't": "will", "shan't": "shall"}
_LIKE = 75  # two words at least this similar, with the same beginning, are inflections of one


def plain_words(text: str) -> list[str]:
    """The words of a text without outer punctuation; empty ones are left out."""
    return [bare for found in _WORD.findall(text) if (bare := _bare(found))]


def _bare(word: str) -> str:
    return word.strip(_EDGE)


def agree(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two lists of words may be treated as the same wording."""
    first, second = _expand_contractions(one), _expand_contractions(other)
    second = _with_typos_mended(first, second)
    first = _with_typos_mended(second, first)
    return _must_agree(first) == _must_agree(second) and _swaps_are_small(first, second)


def _expand_contractions(tokens: Sequence[str]) -> list[str]:
    """Write contracted negations as two words: "don't" becomes "do", "not"."""
    found: list[str] = []
    for word in tokens:
        low = word.casefold().replace("’", "'")
        if low in _CONTRACTED or low.endswith("n't"):
            found += [_CONTRACTED.get(low, low[:-3]), "not"]
        else:
            found.append(word)
    return found


def _must_agree(words: Sequence[str]) -> Counter[str]:
    """The words that must be equal, counted: negations, numbers, reversing words, identifiers and names."""
    found: Counter[str] = Counter()
    for place, word in enumerate(words):
        low = word.casefold()
        turning = _turning(low)
        if low in _NEGATIONS:
            found["not"] += 1
        elif turning:
            found[turning] += 1
        elif any(map(str.isdigit, word)) or low in _NUMBERS or _is_identifier(word) or (place and word[0].isupper()):
            found[low] += 1
    return found


def _turning(low: str) -> str:
    """What a word that turns a sentence around is counted as, without a plural's s; empty for any other word."""
    for one in (low.removesuffix("s"), low):
        same = _SAME.get(one, one)
        if one in _TURNING or same in _TURNING_SAME:
            return same
    return ""


def _with_typos_mended(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The second list, with single typing errors in words that carry meaning mended by the first.

    A word that has a meaning of its own here is no typing error.
    """
    here, there = {word.casefold() for word in one}, {word.casefold() for word in other}
    lost = sorted(word for word in here - there if _turning(word) or word in _NUMBERS)
    mended: list[str] = []
    for word in other:
        low = word.casefold()
        is_odd = lost and low not in here and not (_turning(low) or low in _NEGATIONS or low in _NUMBERS)
        mended.append(next((known for known in lost if is_odd and is_typo(known, low)), word))
    return mended


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
    """Whether all exchanged words are small words, inflections, typing errors or listed synonyms."""
    first, second = [word.casefold() for word in one], [word.casefold() for word in other]
    gone: list[str] = []
    come: list[str] = []
    for code in Indel.opcodes(first, second):
        if code.tag != "equal":
            gone += first[code.src_start : code.src_end]
            come += second[code.dest_start : code.dest_end]
    gone = [same for word in gone if (same := _SAME.get(word, word)) not in _SMALL]
    come = [same for word in come if (same := _SAME.get(word, word)) not in _SMALL]
    for word in list(gone):
        kin = next((new for new in come if new == word or is_inflection(word, new) or is_typo(word, new)), None)
        if kin is not None:
            gone.remove(word)
            come.remove(kin)
    return not gone and not come


def is_small(word: str) -> bool:
    """Whether a word is one of those that carry little meaning by themselves: articles, pronouns, prepositions."""
    return word.casefold() in _SMALL


def is_count(word: str) -> bool:
    """Whether a word is a number, in digits or in letters."""
    return word.isdigit() or word.casefold() in _NUMBERS


def are_synonyms(one: str, other: str) -> bool:
    """Whether two words are in one row of a list of plain synonyms."""
    first, second = one.casefold(), other.casefold()
    return _are_same(first, second) or are_paraphrases(first, second)


def _are_same(first: str, second: str) -> bool:
    same = _SAME.get(first)
    return same is not None and same == _SAME.get(second)


def is_plain_exchange(one: str, other: str) -> bool:
    """Whether a word may be a paraphrase of another: plain words, of which none carries a meaning of its own here.

    No modal, negation, count, unit, identifier or name, and no two that exclude one another.
    """
    first, second = one.casefold(), other.casefold()
    if _are_same(first, second):
        return True
    if any(not word.isalpha() or word != word.lower() or len(word) < 3 for word in (one, other)):
        return False
    if any(word in kind for word in (first, second) for kind in (_NEGATIONS, _NUMBERS, _UNITS)):
        return False
    if are_paraphrases(first, second):
        return True
    if any(word in kind for word in (first, second) for kind in (_TURNING, _SMALL)):
        return False
    return not exclude_one_another(first, second) and not are_different_things(first, second)


def is_typo(one: str, other: str) -> bool:
    """Whether two words differ by one letter, or two neighbours exchanged, after the first; not for short words."""
    return min(len(one), len(other)) >= 5 and one[0] == other[0] and OSA.distance(one, other) <= 1


def is_inflection(one: str, other: str) -> bool:
    """Whether two words share their beginning and most of the rest."""
    return one[:3] == other[:3] and fuzz.ratio(one, other) >= _LIKE
