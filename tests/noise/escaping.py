"""Quotes that went through JSON, HTML or another keyboard: escapes are lost or doubled, letters composed otherwise.

What a reader sees is the same. Nothing here knows how the product compares texts.
"""

from __future__ import annotations

import json
import random
import re
import unicodedata

from tests.noise.cases import Case
from tests.noise.ends import NEW, Maker, case
from tests.noise.quotes import Quote, quote_from
from tests.noise.samples import Sample

_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&nbsp;": " ", "&#39;": "'"}
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_LETTERS = str.maketrans({"a": "á", "e": "é", "o": "ö", "u": "ü", "n": "ñ", "c": "ç"})
_HANGUL = {"system": "시스템", "service": "서비스", "data": "데이터", "user": "사용자", "request": "요청한다"}


def _rewritten(sample: Sample, old: str, new: str) -> Sample | None:
    """The document with a stretch otherwise, so that there is something to lose in it."""
    return Sample(sample.name, sample.text.replace(old, new, 1)) if sample.text.count(old) == 1 else None


def _line(sample: Sample, rng: random.Random) -> Quote | None:
    quote = quote_from(sample, rng, ("line", "item", "sentence"))
    return quote if quote is not None and sample.is_chain_unique(quote.part) and "\n" not in quote.text else None


def _with_something_lost(
    kind: str, sample: Sample, rng: random.Random, spoil: tuple[str, str], new: str, found: str
) -> Case | None:
    """A case in a document in which a word reads otherwise, and a quote in which it reads as `found`."""
    quote = _line(sample, rng)
    old, written = spoil
    if quote is None or quote.text.count(old) != 1 or not quote.is_prose:
        return None
    there = quote.true.replace(old, written)
    changed = _rewritten(sample, quote.true, there)
    part = next((one for one in changed.parts if one.path == quote.part.path), None) if changed is not None else None
    if changed is None or part is None:
        return None
    start = changed.text.find(there, part.start)
    whole = Quote(changed, part, start, start + len(there), quote.shape)
    find = quote.text.replace(old, found)
    return case(kind, whole, find, new, {(start, start + len(there))}) if find not in changed.text else None


def _word(sample: Sample, rng: random.Random) -> str:
    words = sorted({found[0] for found in re.finditer(r"(?<=\s)[a-z]{5,}(?=[\s,.])", sample.text)})
    return rng.choice(words) if words else "nothing"


def escapes_lost(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The document has marks with backslashes before them; the quote has what is shown."""
    quote = _line(sample, rng)
    if quote is not None and quote.is_prose and _ESCAPED.search(quote.text) and rng.random() < 0.5:
        find = _ESCAPED.sub(r"\1", quote.text)
        if find not in sample.text:
            return case(kind, quote, find, rng.choice(NEW), {(quote.start, quote.end)})
    word = _word(sample, rng)
    written, found = rng.choice(
        [
            (rf"\*{word}\*", f"*{word}*"),
            (rf"{word}\*", f"{word}*"),
            (rf"\_{word}\_", f"_{word}_"),
            (rf"\_\_{word}\_\_", f"__{word}__"),
            (rf"my\_{word}\_id", f"my_{word}_id"),
            (rf"\`{word}\`", f"`{word}`"),
            (rf"\<{word}\>", f"<{word}>"),
            (rf"\[{word}\](see below)", f"[{word}](see below)"),
            (rf"\[{word}\]", f"[{word}]"),
            (rf"{word} \| other", f"{word} | other"),
            (rf"C:\\{word}\\temp", rf"C:\{word}\temp"),
            (rf"\#{word}", f"#{word}"),
            (rf"\~{word}\~", f"~{word}~"),
            (rf"`\d+{word}\.`", f"`d+{word}.`"),
            (rf"`^\w*\.{word}\$`", f"`^w*.{word}$`"),
        ]
    )
    return _with_something_lost(kind, sample, rng, (word, written), rng.choice(NEW), found)


def json_escapes(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """The quote went through JSON once too often, or once too little."""
    word = _word(sample, rng)
    if rng.random() < 0.4:  # once too often
        quote = quote_from(sample, rng, ("lines", "line", "sentence"))
        if quote is None or not sample.is_chain_unique(quote.part) or not quote.is_prose:
            return None
        find = json.dumps(quote.text, ensure_ascii=False)[1:-1]
        return case(kind, quote, find, rng.choice(NEW), {(quote.start, quote.end)}) if find != quote.text else None
    written, found = rng.choice(
        [
            (rf"`{word}\n`", f"`{word}\n`"),
            (rf"`{word}\n`", f"`{word}n`"),
            (rf"`a\t{word}`", f"`a\t{word}`"),
            (rf"`\"{word}\"`", f'`"{word}"`'),
            (rf"`{word}\\{word}`", rf"`{word}\{word}`"),
            (f'the "{word}"', rf"the \"{word}\""),
            (f"`{word}\\r\\n`", f"`{word}\r\n`"),
        ]
    )
    return _with_something_lost(kind, sample, rng, (word, written), rng.choice(NEW), found)


def entities(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """`&lt;` in the document and `<` in the quote, or the other way."""
    word = _word(sample, rng)
    entity, sign = rng.choice(list(_ENTITIES.items()))
    pair = [f"{word} {entity} 3", f"{word} {sign} 3"]
    if rng.random() < 0.4:
        pair.reverse()
    return _with_something_lost(kind, sample, rng, (word, pair[0]), rng.choice(NEW), pair[1])


def composed_otherwise(kind: str, sample: Sample, rng: random.Random) -> Case | None:
    """Letters with marks, and syllables of Hangul: composed on one side, decomposed on the other."""
    word = _word(sample, rng)
    letters = _HANGUL.get(word) or word.translate(_LETTERS)
    forms = [unicodedata.normalize("NFC", letters), unicodedata.normalize("NFD", letters)]
    if forms[0] == forms[1]:
        return None
    if rng.random() < 0.5:
        forms.reverse()
    return _with_something_lost(kind, sample, rng, (word, forms[0]), rng.choice(NEW), forms[1])


ESCAPING: dict[str, tuple[int, Maker]] = {
    "escapes lost": (6, escapes_lost),
    "escapes of JSON": (4, json_escapes),
    "entities": (3, entities),
    "composed otherwise": (3, composed_otherwise),
}
