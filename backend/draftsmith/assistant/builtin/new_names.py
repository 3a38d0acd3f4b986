"""Whether the words for a new name may hold more than the name: "Basket because it is nicer".

A new name without quotation marks is taken only where nothing in it joins, explains, counts, refers or commands. What
is refused here is offered in quotation marks, which are always exact, and as several sentences (`splitting`). Names of
nodes and sections that are there may hold such words: they are found first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from draftsmith.assistant.builtin.masking import NAME, QUOTE, Slot, mask
from draftsmith.assistant.builtin.name_words import (
    ADDING,
    COUNTS,
    DOCUMENT_THINGS,
    NO_NODES,
    ORDINALS,
    PLACING,
    PLURALS,
    SIGNS,
    TELLING,
)
from draftsmith.assistant.builtin.refusal import Replacement, Unclear
from draftsmith.model.type_words import guess_type

_MOST_WORDS: Final = 5
_MOST_OFFERED: Final = 12
_AROUND: Final = "()[]{}.!?'’"
_STOP = re.compile(r"[.!?]")
_ABOUT = re.compile(r"(?:about|regarding|concerning|covering|on|for)\s+(?=\S)")

Known = Callable[[str], Sequence[tuple[str, str]]]  # names that are there and stand in a text, and their folded forms


def no_names(_: str) -> Sequence[tuple[str, str]]:
    """None is known."""
    return ()


def check_name(slot: Slot, known: Known, *, front: str = "", of: str = "name") -> None:
    """Refuse a new name that may hold more than a name.

    Args:
        slot: the name as written; one in quotation marks is always taken.
        known: the names that are there and stand in a text.
        front: what to offer before the name in quotation marks.
        of: what it is called in the reason.

    Raises:
        Unclear: `name_unclear`.
    """
    if not slot.is_quoted:
        reason = doubt(slot.raw, known, of=of)
        if reason:
            raise Unclear("name_unclear", reason, ((slot.start, slot.end, front + quoted(slot.raw)),))


def doubt(text: str, known: Known, *, of: str = "name") -> str:
    """Why a text may hold more than a name; empty if nothing says so."""
    words = mask(text, ()).masked.split()
    found = _told(words)
    if found or not PLACING.isdisjoint(words):  # perhaps it belongs to a name that is there
        masked_text = mask(text, ((name, fold) for name, fold in known(text) if not TELLING.issuperset(fold.split())))
        words = masked_text.masked.split()
        found = _told(words)
    if found == QUOTE:
        return f"Only a part of that {of} is in quotation marks. Put all of it in."
    if found:
        several = ", or send two sentences with ';' between them" if found.lower() in ADDING else ""
        head = f"I cannot tell whether '{found}' belongs to the {of}."
        return f"{head} Put the {of} into quotation marks if it does{several}."
    if text.count("(") != text.count(")"):
        return f"A bracket of that {of} has no other one. Put the {of} into quotation marks if it is meant so."
    if len(words) > 1 and _is_count(words[0]):
        return (
            f"'{words[0]}' may be a number of things or a part of the {of}. Put the {of} into quotation marks, or add "
            "one thing a sentence."
        )
    if len(words) > _MOST_WORDS:
        return f"That is long for a {of}: put it into quotation marks if all of it belongs to it."
    return ""


def _told(words: Sequence[str]) -> str:
    """The first word or sign that is hardly a part of a name; empty if there is none."""
    for number, word in enumerate(words):
        plain = word.strip(_AROUND)
        low = plain.lower()
        if QUOTE in word:
            return QUOTE
        if plain in SIGNS or plain[-1:] in (":", ";"):
            return plain if plain in SIGNS else plain[-1]
        if "," in plain:
            return ","
        if number and (plain in ("a", "an") or low == "the"):
            return plain
        if low == "about" and number == 0 and len(words) > 1:
            return plain
        follows = words[number + 1 : number + 2]
        if (low in PLACING and follows == [NAME]) or (low == "of" and follows and _is_count(follows[0])):
            return plain
        telling = [part for part in _STOP.split(plain) if part.lower() in TELLING and part != "IT"]
        if telling:
            return telling[0]
    return ""


def _is_count(word: str) -> bool:
    return word.lower() in COUNTS or word.isdigit()


def check_count(slot: Slot, text: str) -> None:
    """Refuse words for a new thing that say how many: "two caches", "a second cache".

    Raises:
        Unclear: `name_unclear`.
    """
    first = text.split(" ", 1)[0]
    one = singular(text)
    if _is_count(first):
        reason = f"'{first}' says how many, and a sentence adds one thing. Send one for each, or use quotation marks."
        raise Unclear("name_unclear", reason, ((slot.start, slot.end, quoted(text)),))
    if text != one and one in PLURALS:
        reason = f"'{text}' may be several things or one name. Say one at a time, or use quotation marks."
        instead = (f"{article(one)} {one}", quoted(text))
        raise Unclear("name_unclear", reason, tuple((slot.start, slot.end, new) for new in instead))


def one_each(text: str) -> list[str]:
    """What a number of things is one by one: `two caches` → `a cache`, `another cache`; empty where it is not said."""
    bare = re.sub(r"^(?:(?:an?|the|another)\s+)+", "", text.strip(), flags=re.IGNORECASE)
    first, _, rest = bare.partition(" ")
    if not _is_count(first) or not rest:
        return []
    rest = re.sub(r"^of\s+", "", rest)
    if first.lower() in ORDINALS:
        return [f"another {singular(rest)}"]
    count = int(first) if first.isdigit() else COUNTS[first.lower()]
    if not 1 < count <= _MOST_OFFERED:
        return []
    one = singular(rest)
    return [f"{article(one)} {one}", *[f"another {one}"] * (count - 1)]


def article(word: str) -> str:
    """`a` or `an`."""
    return "an" if word[:1].lower() in ("a", "e", "i", "o", "u") else "a"


def singular(text: str) -> str:
    """A noun phrase with its last word in the singular."""
    if re.search(r"(?:ss|us|is)$", text):
        return text
    bare = text.removesuffix("s")
    if guess_type(bare.rpartition(" ")[2], otherwise=""):
        return bare
    return re.sub(r"ies$", "y", text) if text.endswith("ies") else re.sub(r"(?<=ch|sh|ss|.x)es$|s$", "", text)


def check_thing(slot: Slot, kind: str) -> None:
    """Refuse what is no node: "a section", "a connection", "a bullet".

    Raises:
        Unclear: `name_unclear`.
    """
    words = kind.lower().split()
    if not words or not (words[-1] in NO_NODES or words[0] in DOCUMENT_THINGS):
        return
    found = words[-1] if words[-1] in NO_NODES else words[0]
    hints = (f"add a {slot.raw.split(' ', 1)[1]}",) if words[0] == "section" and " " in slot.raw else ()
    raise Unclear(
        "name_unclear",
        f"A {found} is no node. Say it in another form, or put a name into quotation marks.",
        hints=hints,
    )


def title_instead(slot: Slot) -> tuple[Replacement, ...]:
    """What "about backups" and `Costs "None yet."` may mean as titles: `Backups`, and `Costs with text "None yet."`."""
    masked_text = mask(slot.raw, ())
    if masked_text.masked.endswith(f" {QUOTE}"):
        cut = len(masked_text.masked) - 1
        title, text = masked_text.slot(0, cut), masked_text.slot(cut, cut + 1)
        return ((slot.start, slot.end, f"{title.raw} with text {text.raw}"),)
    found = _ABOUT.match(slot.raw)
    rest = "" if found is None else slot.raw[found.end() :]
    return ((slot.start, slot.end, rest[0].upper() + rest[1:]),) if rest else ()


def quoted(text: str) -> str:
    """A text in quotation marks that it does not hold itself."""
    for marks in ('""', "“”", "``"):
        if not set(marks) & set(text):
            return f"{marks[0]}{text}{marks[1]}"
    return text
