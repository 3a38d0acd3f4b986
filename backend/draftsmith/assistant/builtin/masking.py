"""A sentence in which names and quotations have been found first, so that no word inside them is read as grammar.

Labels hold verbs, "and", "to" and quotation marks. In `masked` every name and every quotation is one private-use
character; patterns are matched there, and what a slot holds is read from what the person wrote.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from draftsmith.model.markdown.looking_ahead import NOWHERE, LookingAhead

NAME, QUOTE = "\ue000", "\ue001"
# No blanks around the signs, and none repeated: `masked` has single ones, and long runs of them must not be costly.
_CLAUSE = re.compile(r"[;\n]|[.!?](?=\s)|,?\s(?:and\s)?then(?=\s)", re.IGNORECASE)
_LEAD = re.compile(r"(?:(?:please|kindly|also|then|next|now|(?:can|could|would|will) you)\b,?\s*)+", re.IGNORECASE)
_END = " \t\n\r.!?,;"
_OPENS = re.compile(r"[\"“„«`]|(?<!\w)['‘]")
_CLOSES = {'"': '"', "“": "”", "„": "“”", "«": "»", "`": "`", "'": "'", "‘": "’"}
_HOLDS_SOMETHING = "`'‘"
_WORD = re.compile(r"\w")


def word_set(text: str) -> frozenset[str]:
    """The words of a text, for lists of words."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class MaskedText:
    """What was written, masked; `offsets` leads from places in `masked` to places in `text`."""

    text: str
    masked: str
    offsets: Sequence[int]

    def slot(self, start: int, end: int) -> Slot:
        """The stretch of `text` under a stretch of `masked`, without blanks around it."""
        first, last = self.offsets[start], self.offsets[end]
        piece = self.text[first:last]
        lead = len(piece) - len(piece.lstrip())
        return Slot(piece.strip(), first + lead, first + lead + len(piece.strip()), self.masked[start:end] == QUOTE)

    def texts_of(self, sign: str) -> list[str]:
        """All names (`NAME`) or all quotations (`QUOTE`), as written."""
        return [self.slot(at, at + 1).text for at, found in enumerate(self.masked) if found == sign]

    def parts(self, joint: re.Pattern[str]) -> list[Slot]:
        """The stretches of `text` between joints."""
        return self.cut((found.span() for found in joint.finditer(self.masked)), 0, len(self.masked))

    def cut(self, cuts: Iterable[tuple[int, int]], start: int, end: int) -> list[Slot]:
        """The stretches of `text` under a stretch of `masked`, without what is cut out of it."""
        edges = [start, *(place for cut in cuts for place in cut), end]
        return [self.slot(*span) for span in zip(edges[::2], edges[1::2], strict=True)]


@dataclass(frozen=True, slots=True)
class Slot:
    """What stands in a slot, as written; `start` and `end` are places in the clause.

    `is_quoted`: the whole of it is one quotation.
    """

    raw: str
    start: int
    end: int
    is_quoted: bool

    @property
    def text(self) -> str:
        """Without the quotation marks around it."""
        return self.raw[1:-1] if self.is_quoted else self.raw

    def shift(self, by: int) -> Slot:
        """The same in a text that has so many characters more in front."""
        return replace(self, start=self.start + by, end=self.end + by)


def whole_text(text: str) -> Slot:
    """A text as what stands in a slot."""
    return Slot(text, 0, len(text), is_quoted=False)


def comparable_name(text: str) -> str:
    """For comparing names: NFC, case folded, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


@lru_cache(maxsize=32_768)
def folded_name(name: str) -> str:
    """`comparable_name` for names, which are read again with every sentence."""
    return comparable_name(name)


def mask(text: str, names: Iterable[tuple[str, str]]) -> MaskedText:
    """Mark quotations and names, longest first.

    Args:
        text: what was written.
        names: (name, the same folded).
    """
    plain = comparable_name(text)
    present = {name for name, fold in names if fold in plain}
    spans = [(*span, QUOTE) for span in quotations(text)]
    for name in present:
        spans += [(found.start(), found.end(), NAME) for found in _occurrences(name).finditer(text)]
    taken = _disjoint_spans(sorted(set(spans), key=lambda span: (span[0] - span[1], span)), len(text))
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for start, end, sign in [*taken, (len(text), len(text), "")]:
        pieces.append(text[at:start].replace(NAME, "\ufffd").replace(QUOTE, "\ufffd"))
        offsets.extend(range(at, start))
        pieces.append(sign)
        offsets.append(start)
        at = end
    return _with_single_blanks(text, "".join(pieces), offsets)


def _with_single_blanks(text: str, masked: str, offsets: Sequence[int]) -> MaskedText:
    """Runs of blanks as one: a line end if there is one among them."""
    pieces: list[str] = []
    kept: list[int] = []
    for run in re.finditer(r"\s+|\S+", masked):
        is_blank = run[0].isspace()
        pieces.append(("\n" if "\n" in run[0] else " ") if is_blank else run[0])
        kept.extend(offsets[run.start() : run.start() + 1 if is_blank else run.end()])
    return MaskedText(text, "".join(pieces), [*kept, len(text)])


def _disjoint_spans(spans: Iterable[tuple[int, int, str]], length: int) -> list[tuple[int, int, str]]:
    """Spans that do not overlap, in the order of the text; they come longest first, and earlier ones are preferred."""
    taken = bytearray(length)
    kept: list[tuple[int, int, str]] = []
    for span in spans:
        start, end, _ = span
        if not taken[start] and not taken[end - 1]:  # one that is as long or longer cannot lie inside
            taken[start:end] = b"\x01" * (end - start)
            kept.append(span)
    return sorted(kept)


def _occurrences(name: str) -> re.Pattern[str]:
    forms = dict.fromkeys([name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)])
    spelt = "|".join(r"\s+".join(map(re.escape, form.split())) for form in forms)
    before = r"(?<![\w-])" if name[0].isalnum() else ""
    after = r"(?![\w-])" if name[-1].isalnum() else ""
    return re.compile(f"{before}(?:{spelt}){after}", re.IGNORECASE)


def clauses(masked_text: MaskedText) -> list[Slot]:
    """The clauses of a text, which lie between `;`, line ends, ends of sentences, and "then"."""
    return [clause for clause in masked_text.parts(_CLAUSE) if clause.raw.strip(_END)]


def core(masked_text: MaskedText) -> tuple[int, int]:
    """The clause without "please", "can you" and the signs at its end; places in `masked`."""
    start = len(masked_text.masked) - len(masked_text.masked.lstrip())
    lead = _LEAD.match(masked_text.masked, start)
    start = start if lead is None else lead.end()
    rest = masked_text.masked[start:].rstrip(_END)
    while rest.lower().endswith(" please"):
        rest = rest[:-7].rstrip(_END)
    return start, start + len(rest)


def quotations(text: str) -> Iterator[tuple[int, int]]:
    """The quotations of a text in order, double, single or code ticks, marks included; one not closed is none."""
    ahead = LookingAhead(text)
    at = 0
    while (found := _OPENS.search(text, at)) is not None:
        end = _end(text, found.start(), found[0], ahead)
        if end is None:
            at = found.end()
        else:
            yield found.start(), end
            at = end


def _end(text: str, start: int, opens: str, ahead: LookingAhead) -> int | None:
    """Where a quotation ends that begins at a place; None if none begins there."""
    closes = min(ahead.find(sign, start + 1) for sign in _CLOSES[opens])
    if closes == NOWHERE or (opens in _HOLDS_SOMETHING and closes == start + 1):
        return None
    if opens in "'‘" and _WORD.match(text, closes + 1):
        return None
    return closes + 1
