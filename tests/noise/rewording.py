"""Quotes in slightly other words that are clear all the same: contractions, one word, words left out in the middle."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from tests.noise.cases import Case, Edit
from tests.noise.ends import NEW, Maker, case
from tests.noise.quotes import Quote, quote_from
from tests.noise.samples import Sample, bare, occurrences

_SHORT = {
    "do not": "don't", "does not": "doesn't", "did not": "didn't", "is not": "isn't", "are not": "aren't",
    "was not": "wasn't", "were not": "weren't", "has not": "hasn't", "have not": "haven't", "cannot": "can't",
    "will not": "won't", "should not": "shouldn't", "would not": "wouldn't", "could not": "couldn't", "it is": "it's",
    "that is": "that's", "there is": "there's", "we are": "we're", "they are": "they're", "you are": "you're",
    "we have": "we've", "they have": "they've", "we will": "we'll", "it will": "it'll", "you will": "you'll",
    "let us": "let's", "what is": "what's", "can not": "can't", "they will": "they'll", "i am": "i'm",
    "who is": "who's",
}  # fmt: skip
_LONG = {short: long for long, short in _SHORT.items() if long != "can not"}

# Words of one meaning in technical prose; nobody's list of opposites, units or names.
_KIN_TEXT = (
    "allow/permit component/part create/build method/technique entire/whole feature/capability goal/aim "
    "important/crucial issue/problem large/big main/principal multiple/several often/frequently particular/specific "
    "possible/feasible proposal/suggestion provide/supply purpose/intention section/passage similar/comparable "
    "simple/plain support/accommodate various/diverse allows/permits components/parts features/capabilities "
    "issues/problems provides/supplies describe/outline described/outlined describes/outlines discuss/debate "
    "ensure/guarantee existing/present explain/clarify implement/realize implementation/realization improve/enhance "
    "information/facts introduce/present approach/strategy behavior/conduct current/prevailing decide/determine "
    "design/concept document/paper additional/extra benefit/advantage challenge/difficulty collect/gather "
    "complete/entire complex/intricate consider/contemplate container/vessel define/specify depend/rely "
    "detailed/thorough developers/engineers difficult/tricky example/illustration expected/anticipated final/ultimate "
    "follow/obey generate/produce handle/treat include/contain includes/contains indicate/signal known/familiar "
    "maintain/preserve mechanism/machinery modify/alter necessary/essential obtain/acquire operation/action "
    "option/choice overall/general perform/execute performed/executed process/procedure properly/correctly "
    "purpose/objective quickly/rapidly reason/cause related/relevant represent/denote requirement/necessity "
    "resource/asset resources/assets result/outcome results/outcomes situation/circumstance situations/circumstances "
    "solution/remedy state/condition status/condition strategy/plan system/platform task/job tasks/jobs team/group "
    "understand/grasp update/refresh updates/refreshes useful/helpful users/people value/figure values/figures "
    "work/labor way/manner ways/manners change/modification changes/modifications cluster/group data/information "
    "field/attribute fields/attributes message/notice messages/notices node/machine nodes/machines path/route "
    "request/demand response/reply service/facility services/facilities type/kind types/kinds version/edition"
)
KIN: dict[str, str] = {}
for pair in _KIN_TEXT.split():
    one, other = pair.split("/")
    KIN.setdefault(one, other)
    KIN.setdefault(other, one)
_NOT_KIN = {"request", "demand", "response", "reply"}  # half of a pair of opposites


def _prose(sample: Sample, rng: random.Random, words: int) -> Quote | None:
    quote = quote_from(sample, rng, ("sentence", "line", "lines", "item", "phrase"))
    fits = quote is not None and quote.is_prose and quote.words >= words and sample.is_chain_unique(quote.part)
    return quote if fits else None


def _is_new(quote: Quote, find: str) -> bool:
    """Whether the changed words stand nowhere in the document."""
    return bare(find) not in bare(quote.sample.text) and bare(find) != bare(quote.true)


def contraction(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """`do not` for `don't`, or the other way; also at an end, also in a short quote."""
    part = rng.choice(sample.parts) if sample.parts else None
    pairs = [*_SHORT.items(), *_LONG.items()]
    words = "|".join(re.escape(old).replace("'", "['’]") for old, _ in pairs)
    if part is None or not sample.is_chain_unique(part):
        return None
    lines = [line for line in sample.lines(part) if line.kind in ("prose", "item")]
    places = [
        (line, found)
        for line in lines
        for found in re.finditer(rf"(?<![\w`'’-])(?:{words})(?![\w`'’-])", line.text, re.IGNORECASE)
    ]
    if not places:
        return None
    line, found = rng.choice(places)
    before = [one.start() for one in re.finditer(r"\S+", line.text[: found.start()])][-rng.randint(1, 6) :]
    after = [found.end() + one.end() for one in re.finditer(r"\S+", line.text[found.end() :])][: rng.randint(1, 6)]
    start = before[0] if before and rng.random() < 0.8 else found.start()
    end = after[-1] if after and (rng.random() < 0.8 or start == found.start()) else found.end()
    quote = Quote(sample, part, line.start + start, line.start + end, "phrase")
    if (
        set("*_`[]<>\\|") & set(quote.true)
        or quote.true.startswith("-")
        or quote.words < 3
        or not quote.is_unique_in(part)
    ):
        return None
    old = found[0].lower().replace("’", "'")
    new = dict(pairs)[old]
    new = new.capitalize() if found[0][0].isupper() else new
    new = rng.choice([new, new.replace("'", "’")])
    text = line.text[start:end]
    find = text[: found.start() - start] + new + text[found.end() - start :]
    spoken = re.sub(r"['’]", "", bare(find))
    if spoken in re.sub(r"['’]", "", bare(sample.text)):
        return None
    return case(kind, quote, find, rng.choice(NEW), {(quote.start, quote.end)})


def _inner_words(text: str) -> Iterator[re.Match[str]]:
    """Plain words but the first and the last two, outside code and links."""
    words = list(re.finditer(r"(?<=\s)[a-z]{3,}(?=[\s,.;:])", text))
    ends = [found.span() for found in re.finditer(r"\S+", text)]
    for found in words:
        ticks = text.count("`", 0, found.start())
        is_linked = text.count("[", 0, found.start()) != text.count("]", 0, found.start())
        if ends[1][1] < found.start() and found.end() < ends[-2][0] and ticks % 2 == 0 and not is_linked:
            yield found


def one_word(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """One plain word for another of the same meaning, among nine or more."""
    quote = _prose(sample, rng, 11)
    if quote is None:
        return None
    places = [found for found in _inner_words(quote.text) if found[0] in KIN and found[0] not in _NOT_KIN]
    if not places or sum(any(map(str.isalpha, word)) for word in quote.text.split()) < 10:
        return None
    found = rng.choice(places)
    find = quote.text[: found.start()] + KIN[found[0]] + quote.text[found.end() :]
    return case(kind, quote, find, rng.choice(NEW), {(quote.start, quote.end)}) if _is_new(quote, find) else None


def inner_ellipsis(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The beginning and the end of a block, with dots for what stands between."""
    quote = _prose(sample, rng, 12)
    if quote is None or "..." in quote.text or "…" in quote.text or len(quote.text.splitlines()) > 4:
        return None
    if quote.shape == "lines" and re.search(r"\n\s*(?:[-*+]|\d+[.)])\s", quote.text):
        return None
    words = [found.span() for found in re.finditer(r"\S+", quote.text)]
    if len(words) < 8:
        return None
    first, last = rng.randint(3, len(words) // 2 - 1), rng.randint(3, len(words) // 2 - 1)
    head, tail = quote.text[: words[first - 1][1]], quote.text[words[-last][0] :]
    own = bare(sample.text[quote.part.start : quote.part.end])
    if min(len(bare(head)), len(bare(tail))) < 12 or own.count(bare(head)) != 1 or own.count(bare(tail)) != 1:
        return None
    if any(piece.count(mark) % 2 for piece in (head, tail) for mark in "*`_"):
        return None
    if any(piece.count("[") != piece.count("]") or piece.count("(") != piece.count(")") for piece in (head, tail)):
        return None
    dots = rng.choice([" ... ", " … ", "... ", "… ", " [...] ", " […] ", "…", "..."])
    return case(kind, quote, f"{head}{dots}{tail}", rng.choice(NEW), {(quote.start, quote.end)})


def short_ellipsis(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """A few words on either side of dots; together they fit one place, even where each stands twice."""
    quote = _prose(sample, rng, 7)
    if quote is None or re.search(r"\.\.|…|\n\s*(?:[-*+]|\d+[.)])\s", quote.text):
        return None
    words = [found.span() for found in re.finditer(r"\S+", quote.text)]
    if len(words) < 7:
        return None
    head = quote.text[: words[rng.randint(2, 3) - 1][1]]
    tail = quote.text[words[-rng.randint(1, 3)][0] :]
    if min(len(bare(head).split()), len(bare(head)) // 5, len(bare(tail)) // 4) < 1 or "|" in quote.text:
        return None
    if any(piece.count(mark) % 2 for piece in (head, tail) for mark in "*`_[]()<>"):
        return None
    before = re.split(r"\n\s*\n", sample.text[: quote.start].replace("\r", ""))[-1]
    own, words_there = bare(sample.text[quote.part.start : quote.part.end]), bare(quote.text)
    between = own.split(bare(head))[1:]
    if bare(head) in bare(before) or words_there.count(bare(head)) != 1 or words_there.count(bare(tail)) != 1:
        return None
    if len([rest for rest in between if bare(tail) in rest]) != 1 or own.count(bare(tail)) != 1:
        return None
    dots = rng.choice([" ... ", " … ", " [...] ", " (...) ", " [… ] ", " .... ", " . . . ", "\n...\n", " … … "])
    return case(kind, quote, f"{head}{dots}{tail}", rng.choice(NEW), {(quote.start, quote.end)})


# -- what must be refused --------------------------------------------------------------------------------------------


def _refused(kind: str, quote: Quote, find: str) -> Case:
    edit: Edit = {"section": quote.part.path, "find": find, "replace": NEW[0]}
    codes = frozenset(["find_not_found"])
    return Case(kind, quote.sample.name, quote.sample.text, [edit], codes=codes, true=quote.true)


def two_words(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """Two plain words exchanged for others: more than a slip of the tongue."""
    quote = _prose(sample, rng, 10)
    places = list(_inner_words(quote.text)) if quote else []
    places = [found for found in places if len(found[0]) >= 5]
    if quote is None or len(places) < 2:
        return None
    first, second = sorted(rng.sample(places, 2), key=lambda found: found.start())
    others = sorted({found[0] for found in re.finditer(r"(?<=\s)[a-z]{5,}(?=[\s,.])", sample.text)})
    one, other = rng.choice(others), rng.choice(others)
    if one[:3] == first[0][:3] or other[:3] == second[0][:3] or {one, other} & {first[0], second[0]}:
        return None
    text = quote.text
    find = text[: first.start()] + one + text[first.end() : second.start()] + other + text[second.end() :]
    return _refused(kind, quote, find) if _is_new(quote, find) else None


def short_paraphrase(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """One plain word exchanged among fewer than nine."""
    quote = quote_from(sample, rng, ("sentence", "line", "item", "phrase"))
    if quote is None or not quote.is_prose or not 4 <= quote.words <= 8 or not sample.is_chain_unique(quote.part):
        return None
    words = list(re.finditer(r"(?<=\s)[a-z]{5,}(?=[\s,.])", quote.text))
    others = sorted({found[0] for found in re.finditer(r"(?<=\s)[a-z]{5,}(?=[\s,.])", sample.text)})
    if not words or not others:
        return None
    found, other = rng.choice(words), rng.choice(others)
    if other[:3] == found[0][:3] or other[-4:] == found[0][-4:]:
        return None
    find = quote.text[: found.start()] + other + quote.text[found.end() :]
    return _refused(kind, quote, find) if _is_new(quote, find) else None


def ellipsis_over_blocks(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The beginning of one block and the end of another: dots do not say what of them is meant."""
    quote = _prose(sample, rng, 6)
    if quote is None:
        return None
    lines = [line for line in sample.lines(quote.part) if line.kind in ("prose", "item")]
    blanks = [line.start for line in sample.lines(quote.part) if line.kind in ("blank", "item")]
    beyond = [
        line for line in lines if any(quote.end < at <= line.start for at in blanks) and len(line.text.split()) >= 5
    ]
    if not beyond:
        return None
    head, tail = " ".join(quote.text.split()[:5]), " ".join(rng.choice(beyond).text.split()[-4:])
    own = bare(sample.text[quote.part.start : quote.part.end])
    if own.count(bare(head)) != 1 or own.count(bare(tail)) != 1 or min(len(bare(head)), len(bare(tail))) < 12:
        return None
    return _refused(kind, quote, f"{head} … {tail}")


def ellipsis_twice(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """Dots between words of which the last stand twice in the block."""
    quote = _prose(sample, rng, 10)
    if quote is None:
        return None
    words = quote.text.split()
    tail = next((word for at, word in enumerate(words[6:-1], 6) if len(word) > 2 and words[at + 1 :].count(word)), None)
    if tail is None or occurrences(sample.text, "..."):
        return None
    edit: Edit = {"section": quote.part.path, "find": f"{' '.join(words[:4])} ... {tail}", "replace": NEW[0]}
    codes = frozenset(["find_not_found", "find_ambiguous"])
    return Case(kind, sample.name, sample.text, [edit], codes=codes, true=quote.true)


REWORDED: dict[str, tuple[int, Maker]] = {
    "contraction": (5, contraction),
    "one word": (6, one_word),
    "ellipsis in the middle": (5, inner_ellipsis),
    "ellipsis, few words": (5, short_ellipsis),
}
NOT_CLEAR: dict[str, tuple[int, Maker]] = {
    "two other words": (4, two_words),
    "another word of few": (3, short_paraphrase),
    "ellipsis over blocks": (3, ellipsis_over_blocks),
    "ellipsis that ends twice": (3, ellipsis_twice),
}
