"""Normal forms for comparing texts, with a map back to the original text.

Form A folds differences that keyboards, editors and wrapping make: white space, line breaks within a block, quotation
marks, dashes and the ellipsis. Form B also leaves out Markdown marks: emphasis, code ticks, escapes, list and quote
marks, link targets. A blank line is a border in both, so no match crosses two blocks. Every character of a normal form
records its original span, so a match gives exact offsets and nothing outside them is changed.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Form = Literal["A", "B"]
Link = tuple[int, int, int, int]  # outer start, inner start, inner end, outer end

_BLANK = "[ \\t\\v\\f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
_BREAK = "(?:\\r\\n|\\n|\\r(?!\\n))"
_QUOTE_MARKS = f"(?:{_BLANK}*>)*{_BLANK}*"
_FOLDED = {
    **dict.fromkeys("‘’‚‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
}
_A = "|".join(
    (
        rf"(?P<border>{_BLANK}*{_BREAK}(?:{_BLANK}*{_BREAK})+{_BLANK}*)",
        rf"(?P<blank>(?:{_BLANK}|{_BREAK})+)",
        r"(?P<gone>[\u200b\u200c\u200d\u2060\u00ad\ufeff])",
        rf"(?P<dashes>(?:(?<=\w)|(?<={_BLANK}))-{{2,3}}(?={_BLANK}|{_BREAK}|\Z)|(?<=\w)-{{2,3}}(?=\w))",
        rf"(?P<folded>[{''.join(_FOLDED)}])",
    )
)
_B = "|".join(
    (
        rf"(?P<border>{_BLANK}*{_BREAK}(?:{_QUOTE_MARKS}{_BREAK})+)",
        rf"(?P<item>(?:(?:{_BLANK}*{_BREAK})|\A|(?<=[\r\n])){_QUOTE_MARKS}(?:[-*+]|(?P<number>\d{{1,9}})[.)]){_BLANK}+)",
        rf"(?P<indent>(?:\A|(?<=[\r\n])){_QUOTE_MARKS})(?=\S)",
        rf"(?P<pipe>{_BLANK}*\|{_BLANK}*)",
        rf"(?P<blank>{_BLANK}*{_BREAK}{_QUOTE_MARKS}|{_BLANK}+)",
        r"(?P<gone>[\u200b\u200c\u200d\u2060\u00ad\ufeff])",
        rf"(?P<dashes>(?:(?<=\w)|(?<={_BLANK}))-{{2,3}}(?={_BLANK}|{_BREAK}|\Z)|(?<=\w)-{{2,3}}(?=\w))",
        r"(?P<escaped>\\[!-/:-@\[-`{-~])",
        r"(?P<code>(?P<ticks>`+)(?!`)(?P<inner>(?:(?!\r?\n[ \t]*\r?\n).)+?)(?<!`)(?P=ticks)(?!`))",
        r"(?P<link>!?\[(?P<label>[^\[\]\r\n]*(?:\r?\n[^\[\]\r\n]+)?)\](?:\(\s*[^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s+\"[^\"]*\")?\s*\)|\[[^\[\]]*\]))",
        rf"(?P<star>(?<!{_BLANK})\*+|\*+(?!{_BLANK}|{_BREAK}|\Z))",
        r"(?P<under>(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|(?<=[*])_+|_+(?=[*]))",
        r"(?P<struck>~~)",
        rf"(?P<folded>[{''.join(_FOLDED)}])",
    )
)
_TOKENS = {"A": re.compile(_A, re.DOTALL), "B": re.compile(_B, re.DOTALL)}
_LABEL_MARKS = "*_`~ "
_FOLDS = re.compile(f"[{''.join(_FOLDED)}]")
_BULLET = "•"
BORDER = "\n"


@dataclass(frozen=True, slots=True)
class NormalForm:
    """A normal form. `starts[i]`, `ends[i]`: the original span of its character `i`.

    Attributes:
        links: of the original.
        codes: spans of code in the original.
        within: positions of the form before which it cannot be cut, since they are inside what was one word.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    links: list[Link]
    codes: list[tuple[int, int]]
    within: frozenset[int] = frozenset()


def normal_form(text: str, form: Form) -> NormalForm:
    """Make the normal form of a text; linear in its length."""
    writer = _Writer()
    _write(writer, text, 0, len(text), form)
    return NormalForm("".join(writer.pieces), writer.starts, writer.ends, writer.links, writer.codes)


_CONTRACTED = re.compile(
    r"\b(?:(?P<cannot>can)(?:not|'t)|(?P<wont>wo)n't|(?P<shant>sha)n't|(?P<nt>[a-z]{2,6})n't"
    r"|(?P<is>it|that|there|here|he|she|what|who|where|how)'s|(?P<us>let)'s"
    r"|(?P<other>i|you|we|they|he|she|it|that|there|who)'(?P<end>re|ve|ll|m))\b",
    re.IGNORECASE,
)
_WRITTEN_OUT = {"cannot": " not", "wont": " not", "shant": " not", "nt": " not", "is": " is", "us": " us"}
_ENDINGS = {"re": " are", "ve": " have", "ll": " will", "m": " am"}
_STEMS = {"wo": "will", "sha": "shall"}


def _fold(writer: _Writer, text: str, start: int, end: int) -> None:
    """Append a span with quotation marks, dashes and ellipses folded."""
    at = start
    for found in _FOLDS.finditer(text, start, end):
        writer.plain(text, at, found.start())
        at = found.end()
        writer.put(_FOLDED[found[0]], found.start(), at)
    writer.plain(text, at, end)


def spoken(form: NormalForm) -> NormalForm:
    """A normal form with contractions written out: "don't" becomes "do not", and so does "do not" stay."""
    pieces: list[str] = []
    starts, ends = array("i"), array("i")  # an eighth of what lists of numbers take
    within: list[int] = []
    at = 0
    for found in _CONTRACTED.finditer(form.text):
        start, end = found.span()
        pieces.append(form.text[at:start])
        starts.extend(form.starts[at:start])
        ends.extend(form.ends[at:start])
        kind = next(name for name, value in found.groupdict().items() if value is not None)
        stem = found[kind]
        new = _cased(_STEMS.get(stem.lower(), stem), stem) + _WRITTEN_OUT.get(kind, "")
        new += _ENDINGS[found["end"].lower()] if kind == "other" else ""
        within += range(len(starts) + 1, len(starts) + len(new))
        pieces.append(new)
        starts.extend([form.starts[start]] * len(new))
        ends.extend([form.ends[end - 1]] * len(new))
        at = end
    pieces.append(form.text[at:])
    starts.extend(form.starts[at:])
    ends.extend(form.ends[at:])
    return NormalForm("".join(pieces), starts, ends, form.links, form.codes, frozenset(within))


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[:1].isupper() else word


class _Writer:
    """Builds a normal form piece by piece."""

    __slots__ = ("codes", "ends", "links", "pieces", "starts")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.starts, self.ends = array("i"), array("i")
        self.links: list[Link] = []
        self.codes: list[tuple[int, int]] = []

    def plain(self, text: str, start: int, end: int) -> None:
        """Append a span unchanged."""
        if start < end:
            self.pieces.append(text[start:end])
            self.starts.extend(range(start, end))
            self.ends.extend(range(start + 1, end + 1))

    def put(self, piece: str, start: int, end: int) -> None:
        """Append characters that represent a span."""
        self.pieces.append(piece)
        self.starts.extend([start] * len(piece))
        self.ends.extend([end] * len(piece))


def _write(writer: _Writer, text: str, start: int, end: int, form: Form) -> None:
    at = start
    for found in _TOKENS[form].finditer(text, start, end):
        writer.plain(text, at, found.start())
        at = found.end()
        kind = found.lastgroup
        if found["border"] is not None:
            writer.put(BORDER, found.start(), at)
        elif form == "B" and found["item"] is not None:
            _item(writer, found)
        elif form == "B" and found["pipe"] is not None:
            writer.put("|", found.start(), at)
        elif form == "B" and found["indent"] is not None:
            pass
        elif found["blank"] is not None:
            writer.put(" ", found.start(), at)
        elif found["dashes"] is not None:
            writer.put("-", found.start(), at)
        elif found["folded"] is not None:
            writer.put(_FOLDED[found[0]], found.start(), at)
        elif form == "B" and kind is not None:
            _mark(writer, text, found)
    writer.plain(text, at, end)


def _item(writer: _Writer, found: re.Match[str]) -> None:
    """Begin a list item: a border to the block before, and the same mark for every bullet."""
    number = found["number"]
    mark = f"{number}." if number is not None else _BULLET
    begins = found.start() + len(found["item"]) - len(found["item"].lstrip())
    if writer.pieces and writer.pieces[-1] != BORDER:
        writer.put(" ", found.start(), begins)
    writer.put(f"{mark} ", begins, found.end())


def _mark(writer: _Writer, text: str, found: re.Match[str]) -> None:
    if found["escaped"] is not None:
        writer.put(found[0][1], found.start(), found.end())
    elif found["code"] is not None:
        writer.codes.append(found.span())
        for part in re.finditer(rf"(?:{_BLANK}|{_BREAK})+|[^\s]+", found["inner"]):
            start, end = found.start("inner") + part.start(), found.start("inner") + part.end()
            if part[0].isspace():
                writer.put(" ", start, end)
            else:
                _fold(writer, text, start, end)
    elif found["link"] is not None:
        writer.links.append((found.start(), found.start("label"), found.end("label"), found.end()))
        _write(writer, text, found.start("label"), found.end("label"), "B")
    # Emphasis and zero-width characters are left out.


def whole_links(text: str, offset: int, start: int, end: int, links: Sequence[Link]) -> tuple[int, int] | None:
    """Widen a span to all of each link whose text it covers, marks apart; None if it cuts a link in two.

    `text` begins `offset` characters before what span and links count from. Links are in order; only those are looked
    at that the span meets.
    """
    for at in range(bisect_right(links, start, key=lambda link: link[3]), len(links)):
        outer, first, last, outer_end = links[at]
        if outer >= end:
            break
        label = text[offset + first : offset + last]
        inner = first + len(label) - len(label.lstrip(_LABEL_MARKS))
        inner_end = max(inner, last - len(label) + len(label.rstrip(_LABEL_MARKS)))
        if start <= inner and inner_end <= end:
            start, end = min(start, outer), max(end, outer_end)
        elif start < inner_end and inner < end and not (inner <= start and end <= inner_end):
            return None
    return start, end


def link_targets(text: str) -> list[str]:
    """The targets of the links in a text, in order."""
    return re.findall(r"\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)?)", text)
