"""Kinds by words and meaning: BM25 over the words of kinds and over the capabilities that words say.

BM25F (Robertson, Zaragoza: *The Probabilistic Relevance Framework: BM25 and Beyond*, 2009) adds up what the fields of a
kind say of a term before it saturates, so a name counts more than a description, and a definition that repeats a word a
thousand times gains nothing. A capability is a term like others, so one measure ranks both. A score is the part of what
a kind could have at most for this query: between 0 and 1.
"""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from draftsmith_kubernetes.capabilities_kinds import KindDescription, capabilities_in
from draftsmith_kubernetes.capabilities_vocabulary import BY_PHRASE, WRITTEN
from draftsmith_kubernetes.capabilities_words import terms_of, written_terms

_K1: Final = 1.2
_WEIGHTS: Final = {"name": 4.0, "group": 2.0, "description": 1.5, "fields": 0.4}
_B: Final = {"name": 0.5, "group": 0.3, "description": 0.6, "fields": 0.75}
_WHERE: Final = {
    "name": "in its name",
    "group": "in its group",
    "description": "in its description",
    "fields": "in its fields",
}
_CALLED, _FIRST, _BROADER, _BESIDE = 3.0, 4.0, 2.0, 1.0
"""Weights of a capability: that the kind is called so, its own, one that is broader, one of its group."""
_OF_MEANING: Final = 1.5
_UNKNOWN: Final = 0.4
_LEAST_SCORE: Final = 0.12
_LIKE: Final = 0.85
_MOST_TERMS: Final = 40
_MOST_TIMES: Final = 2


@dataclass(frozen=True)
class Found:
    """A kind that was found.

    Attributes:
        score: from 0 to 1.
        reason: what of the query it is found by.
        place: which one it is of those that the index was made of.
    """

    kind: KindDescription
    score: float
    reason: str
    place: int


@dataclass(frozen=True)
class Query:
    """A query as it was read.

    Attributes:
        terms: its words with their weights.
        written: its words as they are written.
        meanings: capabilities that its words say, each with these words.
        read_as: words that nothing knows, with the known ones that they were taken for.
    """

    terms: Mapping[str, float]
    written: Mapping[str, str]
    meanings: Mapping[str, str]
    read_as: Mapping[str, str]


class Index:
    """Finds kinds; made once of all of them."""

    def __init__(self, kinds: Sequence[KindDescription]) -> None:
        self.kinds = kinds
        self._fields = [_fields(kind) for kind in kinds]
        self._lengths = {name: [sum(one[name].values()) for one in self._fields] for name in _WEIGHTS}
        self._mean = {name: max(1.0, sum(each) / max(1, len(each))) for name, each in self._lengths.items()}
        self._meanings = [_meanings(kind) for kind in kinds]
        terms = (set().union(*one.values()) for one in self._fields)
        self._frequency = Counter(term for each in terms for term in each)
        self._of_meaning = Counter(name for each in self._meanings for name in each)
        known = {word for phrase in BY_PHRASE for word in phrase}
        self._spelt = known | {term for one in self._fields for term in (*one["name"], *one["group"])}

    def read(self, text: str) -> Query:
        """Read a query: its words, what they mean, and what a word that nothing knows was meant to be."""
        pairs = written_terms(text)[:_MOST_TERMS]
        written, terms, read_as = dict(pairs), [term for term, _ in pairs], {}
        for at, term in enumerate(terms):
            if (like := self._meant_or_none(term)) is not None:
                terms[at] = like
                read_as[written[term]] = written[like] = WRITTEN.get(like, like)
        meanings = capabilities_in(terms)
        said = {word for phrase in meanings.values() for word in phrase.split()}
        # A word that nothing here is called must not weigh on what it means, and little on the rest.
        weights = {
            term: 1.0 if term in self._frequency else _UNKNOWN
            for term in terms
            if term in self._frequency or term not in said
        }
        return Query(weights, written, meanings, read_as)

    def _meant_or_none(self, term: str) -> str | None:
        """The known word that a word which nothing knows is spelt nearly as."""
        if len(term) < 5 or term in self._spelt or term in self._frequency:
            return None
        return next(iter(difflib.get_close_matches(term, self._spelt, 1, _LIKE)), None)

    def search(self, query: Query, most: int) -> list[Found]:
        """The best kinds, best first; none that little speaks for. Equal ones are in the order of their names."""
        meanings = {name: self._rarity(self._of_meaning[name]) for name in _strongest(query, self._of_meaning)}
        words = {term: weight * self._rarity(self._frequency[term]) for term, weight in query.terms.items()}
        most_possible = sum(words.values()) + _OF_MEANING * sum(meanings.values())
        if not most_possible:
            return []
        found = []
        for at, kind in enumerate(self.kinds):
            score, reasons = self._score(at, query, meanings, words)
            if score / most_possible >= _LEAST_SCORE:
                found.append(Found(kind, round(score / most_possible, 3), "; ".join(reasons), at))
        found.sort(key=lambda one: (-one.score, len(one.kind.kind), one.kind.name))
        return found[:most]

    def _rarity(self, frequency: int) -> float:
        return math.log(1 + (len(self.kinds) - frequency + 0.5) / (frequency + 0.5))

    def _score(
        self, at: int, query: Query, meanings: Mapping[str, float], words: Mapping[str, float]
    ) -> tuple[float, list[str]]:
        """The score of a kind, with its reasons; `meanings` and `words` have the most that each can give."""
        score, reasons = 0.0, []
        for name, rarity in meanings.items():
            if amount := self._meanings[at].get(name, 0.0):
                score += _OF_MEANING * rarity * _saturated(amount)
                said = " ".join(query.written[term] for term in query.meanings[name].split())
                is_own = name in self.kinds[at].capabilities
                reasons.append(f"{'is for' if is_own else 'belongs to'} {name} ('{said}')")
        for term, most in words.items():
            amount, where = self._amount(at, term)
            if amount:
                score += most * _saturated(amount)
                reasons.append(f"'{query.written[term]}' {_WHERE[where]}")
        return score, reasons

    def _amount(self, at: int, term: str) -> tuple[float, str]:
        """How much the fields of a kind say of a term, and the one that says most."""
        parts = {}
        for name, counted in self._fields[at].items():
            if times := counted.get(term, 0):
                length = self._lengths[name][at] / self._mean[name]
                parts[name] = _WEIGHTS[name] * times / (1 - _B[name] + _B[name] * length)
        return (sum(parts.values()), max(parts, key=lambda name: _WEIGHTS[name])) if parts else (0.0, "")


def _saturated(amount: float) -> float:
    return amount / (_K1 + amount)


def _strongest(query: Query, there: Mapping[str, int]) -> Iterable[str]:
    """The capabilities that count; words with several meanings must not be punished for those that nothing here has."""
    by_phrase: dict[str, list[str]] = {}
    for name, phrase in query.meanings.items():
        by_phrase.setdefault(phrase, []).append(name)
    return [name for names in by_phrase.values() for name in ([one for one in names if there.get(one)] or names[:1])]


def _fields(kind: KindDescription) -> dict[str, Counter[str]]:
    names = " ".join([kind.kind, *kind.short_names])
    group = " ".join([kind.group.replace(".", " "), kind.provider, *kind.categories])
    texts = {"name": names, "group": group, "description": kind.description, "fields": kind.text}
    return {name: _counted(terms_of(text)) for name, text in texts.items()}


def _counted(terms: Iterable[str]) -> Counter[str]:
    """How often each term is there; a text that repeats itself says it no more than twice."""
    return Counter({term: min(times, _MOST_TIMES) for term, times in Counter(terms).items()})


def _meanings(kind: KindDescription) -> dict[str, float]:
    """How strongly a kind is for what: called so, for itself, as one of something broader, by its group."""
    called = set(terms_of(kind.kind))
    found = dict.fromkeys(kind.capabilities, _BROADER)
    found |= dict.fromkeys(kind.narrow, _FIRST)
    for name in kind.of_group:
        found[name] = found.get(name, 0.0) + _BESIDE
    return {name: amount + _CALLED * called.issuperset(name.split("-")) for name, amount in found.items()}
