"""Quotes that mean something else: near the text in letters, far from it in meaning. All must be refused.

Each decoy takes a quote and gives `(find, start, end)`: the find, and where in the quote the true words stand that it
gets wrong; None where it has nothing to work on.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.noise.quotes import Quote

Decoy = Callable[[Quote, random.Random], tuple[str, int, int] | None]

_OPPOSITES = [
    "enable/disable", "enabled/disabled", "enables/disables", "before/after", "min/max", "minimum/maximum",
    "increase/decrease", "increases/decreases", "allow/deny", "allowed/forbidden", "first/last", "upper/lower",
    "always/never", "client/server", "read/write", "reads/writes", "request/response", "requests/responses",
    "more/less", "follower/leader", "true/false", "synchronous/asynchronous", "required/optional", "start/stop",
    "add/remove", "added/removed", "adds/removes", "success/failure", "succeeds/fails", "input/output",
    "greater/smaller", "higher/lower", "internal/external", "public/private", "old/new", "above/below", "with/without",
    "up/down", "primary/replica", "active/inactive", "open/closed", "push/pull", "all/none", "must/may",
    "backward/forward", "valid/invalid", "earlier/later", "next/previous", "should/should not", "supported/unsupported",
]  # fmt: skip
OPPOSITES = {
    one: other
    for pair in _OPPOSITES
    for one, other in (pair.split("/"), pair.split("/")[::-1])
    if " " not in one
}  # fmt: skip
# Of one root or none, where the list of what turns a sentence around may have forgotten them.
_FURTHER = [
    "ordered/unordered", "known/unknown", "safe/unsafe", "stable/unstable", "mutable/immutable", "direct/indirect",
    "encrypted/unencrypted", "attach/detach", "import/export", "upload/download", "inbound/outbound", "begin/end",
    "static/dynamic", "local/remote", "global/local", "explicit/implicit", "strong/weak", "hard/soft", "online/offline",
    "horizontal/vertical", "present/absent", "manual/automatic", "manually/automatically", "persistent/ephemeral",
    "temporary/permanent", "expensive/cheap", "simple/complex", "mandatory/optional", "blocking/non-blocking",
    "successful/failed", "acquire/release", "lock/unlock", "connect/disconnect", "join/leave", "grow/shrink",
    "include/exclude", "includes/excludes", "including/excluding", "parent/child", "producer/consumer", "large/small",
    "short/long", "wide/narrow", "early/late", "common/rare", "full/empty", "hot/cold", "sender/receiver", "sync/async",
    "possible/impossible", "consistent/inconsistent", "complete/incomplete", "correct/incorrect", "buyer/seller",
]  # fmt: skip
OPPOSITES |= {one: other for pair in _FURTHER for one, other in (pair.split("/"), pair.split("/")[::-1])}
_MODALS = ["must", "should", "may", "might", "can", "could", "will", "would", "shall"]
_COUNTS = ["one", "two", "three", "four", "five", "six", "ten", "twelve", "first", "second", "third", "once", "twice"]
_MEASURES = [
    "seconds/minutes", "minutes/hours", "hours/days", "days/weeks", "weeks/months", "months/years", "bytes/bits",
    "second/minute", "minute/hour", "hour/day", "day/week", "month/year", "percent/points", "milliseconds/seconds",
    "megabytes/gigabytes", "kilobytes/megabytes",
]  # fmt: skip
MEASURES = {one: other for pair in _MEASURES for one, other in (pair.split("/"), pair.split("/")[::-1])}
_PRODUCTS = ["Redis", "Memcached", "PostgreSQL", "MySQL", "Kafka", "RabbitMQ", "Nginx", "Envoy", "Prometheus", "Vault"]
_UNITS = ["ms", "s", "KB", "MB", "GB", "TB", "%"]


def _choose(quote: Quote, places: list[tuple[int, int, str]], rng: random.Random) -> tuple[str, int, int] | None:
    places = [place for place in places if quote.text[place[0] : place[1]] != place[2]]
    if not places:
        return None
    start, end, new = rng.choice(places)
    return quote.text[:start] + new + quote.text[end:], start, end


def number(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """Another digit, one digit more, or another decimal."""
    places = []
    for found in re.finditer(r"(?<![\w-])\d+(?:[.,]\d+)*(?![\w-])", quote.text):
        digits = found[0]
        if found.start() == 0 or re.match(r"[.)]\s", quote.text[found.end() :]):
            continue  # the number of a list item
        at = rng.randrange(len(digits))
        other = rng.choice([digit for digit in "123456789" if digit != digits[at]])
        changed = digits[:at] + other + digits[at + 1 :] if digits[at].isdigit() else digits.replace(digits[at], "")
        places += [(*found.span(), changed), (*found.span(), digits + rng.choice(["0", "5", ".5"]))]
    return _choose(quote, places, rng)


def unit(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """The same figure in another unit."""
    found = re.finditer(rf"(?<=\d)\s?({'|'.join(_UNITS)})(?!\w)", quote.text)
    places = [(*one.span(1), rng.choice([unit for unit in _UNITS if unit != one[1]])) for one in found]
    return _choose(quote, places, rng)


def negation_added(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    verb = r"(?<=\s)(is|are|was|can|will|should|must|does|do|may|could|would|has been|have been)(?=\s[a-z])(?!\snot\b)"
    places = [
        (*found.span(), found[0] + rng.choice([" not", " not", " never"])) for found in re.finditer(verb, quote.text)
    ]
    places += [
        (*found.span(), found[0] + "n't")
        for found in re.finditer(r"(?<=\s)(is|are|should|does|do)(?=\s[a-z])(?!\snot\b)", quote.text)
    ]
    return _choose(quote, places, rng) if quote.is_prose else None


def negation_removed(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    found = list(re.finditer(r"(?<=\w)(\s+(?:not|never)(?=\s)|n['’]t(?=\s))", quote.text))
    places = [(*one.span(), "") for one in found]
    places += [(one.start(), one.end(), " any") for one in re.finditer(r"(?<=\w)\s+no(?=\s[a-z])", quote.text)]
    places += [(one.start(), one.end(), "can") for one in re.finditer(r"\bcannot\b", quote.text)]
    return _choose(quote, places, rng) if quote.is_prose else None


def identifier(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """Another identifier: a part of it swapped, dropped or added."""
    places = []
    for found in re.finditer(
        r"(?<![\w/.:-])(?:[A-Za-z]+(?:_[A-Za-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)(?![\w/])", quote.text
    ):
        name = found[0]
        if "_" in name:
            pieces = name.split("_")
            ways = ["_".join(pieces[:-1]), "_".join([*pieces, "id"]), "_".join([*pieces[:-1], "count"])]
        else:
            pieces = re.findall(r"[A-Z][a-z]+", name)
            ways = ["".join(pieces[:-1]), name + "Id", "".join([*pieces[:-1], "Status"])]
        places.append((*found.span(), rng.choice(ways)))
    return _choose(quote, places, rng)


def code_span(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """Something else between code ticks."""
    others = sorted({found[1] for found in re.finditer(r"(?<!`)`([^`\n]{3,30})`(?!`)", quote.sample.text)})
    places = [
        (*found.span(1), rng.choice(others))
        for found in re.finditer(r"(?<!`)`([^`\n]{3,30})`(?!`)", quote.text)
        if others and quote.is_prose
    ]
    return _choose(quote, places, rng)


def product(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """Another name: a word with a capital inside a sentence."""
    found = re.finditer(r"(?<=[a-z,] )[A-Z][A-Za-z]{2,}(?=[\s,.])", quote.text)
    places = [(*one.span(), rng.choice(_PRODUCTS)) for one in found]
    return _choose(quote, places, rng) if quote.is_prose else None


def opposite(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """A word whose opposite is another word."""
    places = []
    for found in re.finditer(r"(?<![\w-])[A-Za-z]+(?![\w-])", quote.text):
        other = OPPOSITES.get(found[0].lower())
        if other is not None:
            places.append((*found.span(), other.capitalize() if found[0][0].isupper() else other))
    return _choose(quote, places, rng) if quote.words >= 3 else None


def _word_of(words: dict[str, list[str]], quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """A word of a list for another one of its."""
    places = []
    for found in re.finditer(r"(?<![\w-])[A-Za-z]+(?![\w-])", quote.text):
        others = [one for one in words.get(found[0].lower(), []) if one != found[0].lower()]
        if others:
            other = rng.choice(others)
            places.append((*found.span(), other.capitalize() if found[0][0].isupper() else other))
    return _choose(quote, places, rng) if quote.words >= 3 and quote.is_prose else None


def modal(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """Must, should, may and their like for one another."""
    return _word_of(dict.fromkeys(_MODALS, _MODALS), quote, rng)


def count_in_words(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """Three for two, second for first."""
    return _word_of(dict.fromkeys(_COUNTS, _COUNTS), quote, rng)


def unit_in_words(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """Minutes for seconds."""
    return _word_of({one: [other] for one, other in MEASURES.items()}, quote, rng)


def another_word(quote: Quote, rng: random.Random) -> tuple[str, int, int] | None:
    """An ordinary word of a few replaced by another one of the same document; among more, it may be a paraphrase."""
    words = list(re.finditer(r"(?<=\s)[a-z]{6,}(?=[\s,.])", quote.text))
    others = sorted({found[0] for found in re.finditer(r"(?<=\s)[a-z]{6,}(?=[\s,.])", quote.sample.text)})
    places = []
    for found in words:
        other = rng.choice(others)
        if other[:3] != found[0][:3] and other[-4:] != found[0][-4:]:
            places.append((*found.span(), other))
    return _choose(quote, places, rng) if quote.is_prose and 5 <= quote.words <= 8 else None


DECOYS: dict[str, tuple[int, Decoy]] = {
    "decoy: number": (10, number),
    "decoy: unit": (3, unit),
    "decoy: negation added": (8, negation_added),
    "decoy: negation removed": (5, negation_removed),
    "decoy: identifier": (7, identifier),
    "decoy: code span": (4, code_span),
    "decoy: product name": (6, product),
    "decoy: opposite": (8, opposite),
    "decoy: another word": (4, another_word),
    "decoy: modal": (5, modal),
    "decoy: count in words": (3, count_in_words),
    "decoy: unit in words": (2, unit_in_words),
}
