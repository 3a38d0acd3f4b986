"""New names and new things: which words are the name, and what "a Redis cache called Sessions" is made of.

A name without quotation marks is one to five words of which only the first need be capital. With anything in it or
behind it that joins, explains, counts, refers, commands or says when, it is refused, and offered in quotation marks,
which are always exact. Names of nodes and sections that are there may hold such words: they are found first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.assistant.builtin.masking import NAME, QUOTE, Slot, mask, word_set
from draftsmith.assistant.builtin.refusal import UnclearSentence
from draftsmith.model.type_words import guess_type, product_named, type_named
from draftsmith.model.vocabulary import ANNOTATIONS, NODE_TYPES

NEVER: Final = word_set(
    # joining
    "and or but nor plus then so that which who whom whose where when while because since if unless until although "
    "though as in into inside on onto with without within to from for at by near between before after behind above "
    "below beneath beside next via through using against than except instead called named during "
    # referring
    "it its itself this these those them they their there here something anything everything nothing everyone else me "
    "my our your we you i he she "
    # stating
    "is are was were be been being has have had does do did should must can could will would shall might not "
    "please too also again now somewhere maybe perhaps later "
    # commanding
    "add create insert put remove delete drop connect connects connected disconnect rename replace reverse ungroup "
    "move uses needs calls reads writes publishes subscribes talks"
)
"""A name with one of these may be a name and more."""
_COUNTS: Final = word_set(
    "two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand dozen couple pair "
    "both some several few many multiple various numerous more extra additional all every each any no half second "
    "third fourth fifth"
)
_WHEN: Final = (
    word_set(
        "always never often sometimes seldom once twice overnight today tonight tomorrow hourly daily nightly weekly "
        "biweekly fortnightly monthly quarterly yearly annually frequently rarely regularly usually occasionally"
    )
    | _COUNTS
)
"""Words that say how often, how many or which, where they stand behind a name."""
_DOING: Final = word_set("runs handles stores sends receives starts stops processes keeps serves holds manages")
"""Verbs, where they stand behind a name in lower case: "Nightly runs late", but not "Book Stores"."""
_NOUNS_IN_LY: Final = word_set("supply assembly anomaly family reply monopoly")
_PLACING: Final = word_set("of under over around across per")
"""A name may hold these, but not before the name of a node: "left of Orders", but not "Front of house"."""
_ADDING: Final = word_set("and or but plus then & + , ;")
"""What stands between two sentences."""
_EXPLAINING: Final = word_set(
    "about because since so that which who whose where when while if unless as instead too during until"
)
"""Words of `NEVER` that begin something about the name, so that it hardly goes on behind them."""
_SIGNS: Final = word_set("- – — & + / | =")
_AROUND: Final = "()[]{}.!?'’"
_STOP = re.compile(r"[.!?]")
_NUMBER = re.compile(r"#?\d[\d.,]*")
_MOST_WORDS, _MOST_BEHIND = 5, 2
LABEL: Final = ("name", 120)  # of a node, and the characters that it may have

_DOCUMENT_THINGS: Final = word_set("section subsection chapter paragraph bullet heading headline sentence")
CONNECTIONS: Final = word_set("connection connections edge edges arrow arrows link links line lines")
_OTHERS: Final = word_set("label labels description text comment note image picture diagram type")
_NO_NODES: Final = _DOCUMENT_THINGS | CONNECTIONS | _OTHERS
"""What can be added and is no node."""
_THINGS: Final = frozenset(NODE_TYPES).difference(ANNOTATIONS)
_PLURALS: Final = _THINGS - {"user", "client"}
"""Words that say in the plural that there are several; "users" and "clients" are usual names of one node."""

_MORE_NOUNS_TEXT = (
    "node= component= thing= box= element= app=client customer=user provider=external partner=external proxy=gateway "
    "index=search warehouse=database store=database broker=stream bus=stream model=ml_model monitor=monitoring"
)
_MORE_NOUNS: Final = {pair.partition("=")[0]: pair.partition("=")[2] for pair in _MORE_NOUNS_TEXT.split()}
"""Nouns that `type_named` finds too vague to find something by; here somebody says what a thing is."""
_ACRONYMS: Final = word_set("api cdn db ui sql sso crm erp iam dns ml ai lb bff etl cms http grpc sdk cli id pdf")
_ARTICLES = re.compile(r"(?:(?:an?|the|new|another|one|our)\s+)+", re.IGNORECASE)
_NO_NAMES: Final = word_set("a an the new another one our")
_CALLED = re.compile(r"(.+?)\s(?:called|named)\s(.+)", re.IGNORECASE | re.DOTALL)

Known = Callable[[str], Sequence[tuple[str, str]]]  # names that are there and stand in a text, and their folded forms


# -- names -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why some words may hold more than a name, and what the name may be, likeliest first."""

    reason: str
    names: tuple[str, ...]


def doubt(text: str, known_names: Known = lambda _: (), *, of: str = "name", has_numbers: bool = False) -> Doubt | None:
    """Why a text without quotation marks may hold more than a name; None if nothing says so.

    Args:
        text: what was written.
        known_names: gives the names that are there and stand in a text.
        of: what the name is called in the reason.
        has_numbers: whether a number may stand in it, as in a technology ("Kotlin 3").
    """
    masked_text = mask(text, [(name, fold) for name, fold in known_names(text) if not NEVER.issuperset(fold.split())])
    words = masked_text.masked.split(" ")
    quote = f"Put the {of} into quotation marks"
    if text.count("(") != text.count(")") or (len(words) > 1 and _is_count(words[0])):
        return Doubt(f"I cannot tell whether all of that is the {of}. {quote} if it is.", (text,))
    for number, word in enumerate(words):
        found = _telltale(words, number, has_numbers=has_numbers)
        if found:
            front = text[: masked_text.offsets[len(" ".join(words[:number]))]].rstrip(" (–—-&+/|=")
            if found == QUOTE:
                return Doubt(f"Only a part of that {of} is in quotation marks. Put all of it in.", (front, text))
            if number == 0:  # "about backups"
                front = text[len(word) :].strip().capitalize()
            low = found.lower()
            is_front = low in _EXPLAINING | _WHEN | _DOING or (low not in NEVER and low.endswith(("ing", "ly")))
            several = ", or send two sentences with ';' between them" if low in _ADDING else ""
            reason = f"I cannot tell whether '{found}' belongs to the {of}. {quote} if it does{several}."
            return Doubt(reason, (front, text) if is_front else (text, front))
    behind = next((count for count, word in enumerate(reversed(words)) if not word.islower()), len(words) - 1)
    if behind > _MOST_BEHIND:
        front = text[: masked_text.offsets[len(" ".join(words[:-behind]))]]
        names = (text, front) if front.islower() else (front, text)
        return Doubt(f"I cannot tell where the {of} ends. {quote}.", names)
    return Doubt(f"That is long for a {of}. {quote}.", (text,)) if len(words) > _MOST_WORDS else None


def _telltale(words: Sequence[str], number: int, *, has_numbers: bool) -> str:
    """What in a word is hardly a part of a name, or not where it stands; empty if there is nothing."""
    word, follows = words[number], words[number + 1 : number + 2]
    plain = word.strip(_AROUND)
    low = plain.lower()
    if QUOTE in word:
        return QUOTE
    if plain in _SIGNS or plain[-1:] in (":", ";") or "," in plain:
        return "," if "," in plain else plain if plain in _SIGNS else plain[-1]
    is_placing = (low in _PLACING and follows == [NAME]) or (low == "of" and any(map(_is_count, follows)))
    if is_placing or (low == "about" and number == 0 and follows):
        return plain
    if number:
        is_article = plain in ("a", "an") or low == "the"
        is_number = not has_numbers and (low == "version" or _NUMBER.fullmatch(plain) is not None)
        is_verb = low in _DOING or (plain.endswith("ing") and len(plain) > len("king"))
        is_adverb = plain.endswith("ly") and plain not in _NOUNS_IN_LY
        if is_article or is_number or low in _WHEN or (plain.islower() and (is_verb or is_adverb)):
            return plain
    return next((part for part in _STOP.split(plain) if part.lower() in NEVER and part != "IT"), "")


def _is_count(word: str) -> bool:
    return word.lower() in _COUNTS or word.isdigit()


def quote_text(text: str) -> str:
    """A text in quotation marks that it does not hold itself."""
    marks = next((marks for marks in ('""', "“”", "``") if not set(marks) & set(text)), ("", ""))
    return f"{marks[0]}{text}{marks[1]}"


def check_name(
    slot: Slot,
    known_names: Known,
    *,
    of: str = "name",
    has_numbers: bool = False,
    offer: Callable[[str], str] = quote_text,
) -> None:
    """Refuse a new name that may hold more than a name; one in quotation marks is always taken.

    Args:
        slot: the name as written, and what to replace.
        known, of, has_numbers: as for `doubt`.
        offer: what to write for a name instead.

    Raises:
        UnclearSentence: `name_unclear`.
    """
    found = None if slot.is_quoted else doubt(slot.raw, known_names, of=of, has_numbers=has_numbers)
    if found is not None:
        names = dict.fromkeys(name.rstrip(",:; ") for name in found.names)
        raise UnclearSentence("name_unclear", found.reason, slot, (offer(one) for one in names if one))


def check_text(text: str, of: str, most: int, *, least: int = 1) -> None:
    """Refuse a text that is shorter or longer than what it is for may be, or has the character NUL."""
    if not least <= len(text.strip()) <= len(text) <= most or "\x00" in text:
        raise UnclearSentence("name_unclear", f"A {of} has {least} to {most:,} characters.")


# -- things ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class New:
    """A thing to be made.

    Attributes:
        is_another: it is said that there is one like it already.
    """

    type: str
    label: str
    technology: str
    is_another: bool

    def fields(self) -> dict[str, Any]:
        """The fields of an `add_node`."""
        known = {"type": self.type, "label": self.label}
        return known | {"technology": self.technology} if self.technology else known


def read_new(slot: Slot, known_names: Known) -> New:
    """Read the words for a new thing.

    Args:
        slot: the words.
        known_names: as for `doubt`.

    Raises:
        UnclearSentence: `name_unclear`, where it cannot be told which words are the name.
    """
    articles = _ARTICLES.match(slot.raw)
    article = "" if articles is None else articles[0]
    masked_text = mask(slot.raw[len(article) :], ())
    whole = Slot(masked_text.text, slot.start, slot.end, masked_text.masked == QUOTE)
    found = _CALLED.fullmatch(masked_text.masked)
    if found is not None:
        kind, name = masked_text.slot(*found.span(1)).text, masked_text.slot(*found.span(2))
        _check_kind(slot, kind, name)
        check_name(name.shift(slot.start + len(article)), known_names)
        label, node_type = name.text, guess(kind) or guess_type(name.text)
    else:
        if not whole.is_quoted:
            _check_plain(whole, article, known_names)
        label = kind = whole.text if whole.is_quoted else " ".join(map(_capital, whole.raw.split()))
        node_type = guess_type(label)
    check_text(label, *LABEL)
    technology = next(filter(None, map(technology_named, kind.split())), "")
    return New(node_type, label.strip(), technology, "another" in article.lower())


def _check_kind(slot: Slot, kind: str, name: Slot) -> None:
    """Refuse "a queue and a cache called …": what it is says one thing in a few words."""
    _check_one(slot, kind)
    if doubt(kind):
        reason = f"I cannot tell what '{kind}' is. Say what it is in a few words: a service called Billing."
        noun = (guess(kind) or "service").replace("_", " ")
        instead = [f"{_article(noun)} {noun} called {quote_text(name.text)}"]
        raise UnclearSentence("name_unclear", reason, slot, instead)


def _check_plain(slot: Slot, article: str, known_names: Known) -> None:
    """Refuse words that say what a thing is and may hold more: what it is called, or two things."""
    text = slot.raw
    if text.lower() in _NO_NAMES:
        raise UnclearSentence("name_unclear", "The new thing needs a name: add a service called Billing.")
    _check_one(slot, text)
    first, _, rest = text.partition(" ")
    if rest and first in _THINGS and rest[0].isupper() and not rest.isupper():
        named = Slot(rest, slot.start, slot.end, False)
        check_name(named, known_names, offer=lambda name: f"{_article(first)} {first} called {quote_text(name)}")
        reason = f"I cannot tell whether '{first}' belongs to the name. Say what it is and what it is called."
        instead = (f"{_article(first)} {first} called {quote_text(rest)}", quote_text(text))
        raise UnclearSentence("name_unclear", reason, slot, instead)
    check_name(
        slot, known_names, offer=lambda name: article + name if name != text and name.islower() else quote_text(name)
    )


def _check_one(slot: Slot, text: str) -> None:
    """Refuse what is no node ("a section") and what is several: "two caches", "a second cache", "caches"."""
    words = text.lower().split()
    thing = words[-1] if words[-1] in _NO_NODES else words[0]
    if (thing == words[-1] and thing in _NO_NODES) or thing in _DOCUMENT_THINGS:
        raise UnclearSentence(
            "name_unclear", f"A {thing} is no node. Say it in another form, or put a name into quotation marks."
        )
    first, _, rest = text.partition(" ")
    one = _singular(rest.removeprefix("of ") if _is_count(first) else text)
    if _is_count(first) or (text != one and one in _PLURALS):
        reason = f"'{text}' may be several things or one name. Say one at a time, or use quotation marks."
        instead = (f"{_article(one)} {one}", quote_text(text)) if one in _PLURALS else (quote_text(text),)
        raise UnclearSentence("name_unclear", reason, slot, instead)


def _article(word: str) -> str:
    return "an" if word[:1].lower() in ("a", "e", "i", "o", "u") else "a"


def _singular(text: str) -> str:
    bare = text.removesuffix("s")
    if type_named(bare.rpartition(" ")[2]):
        return bare
    return re.sub(r"ies$", "y", text) if text.endswith("ies") else re.sub(r"(?<=ch|sh|ss|.x)es$|(?<![su])s$", "", text)


def _capital(word: str) -> str:
    if word.lower() in _ACRONYMS and word.islower():
        return word.upper()
    if word.islower() and technology_named(word).lower() == word:
        return technology_named(word)
    return word[0].upper() + word[1:] if word.islower() else word


def technology_named(word: str) -> str:
    """The usual spelling of a technology; empty for any other word."""
    return (product_named(word) or ("", ""))[1]


def guess(text: str) -> str:
    """The node type that some words name, the last of them first; empty where none is known."""
    words = text.split()
    found = (noun_type(" ".join(words[number:])) for number in range(len(words)))
    return next(filter(None, found), "") or guess_type(text, otherwise="")


def noun_type(text: str) -> str | None:
    """The node type that a noun is a usual name of, singular or plural; empty for "node", None for any other word."""
    one = _singular(text.lower().replace("_", " "))
    return type_named(text) or type_named(one) or _MORE_NOUNS.get(one)
