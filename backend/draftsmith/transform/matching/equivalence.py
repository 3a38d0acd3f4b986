"""Normal forms for comparing texts, with a map back to the original text.

Form A folds differences that keyboards, editors and wrapping make: white space, line breaks within a block, quotation
marks, dashes and the ellipsis. Form B also leaves out Markdown marks: emphasis, code ticks, escapes, list and quote
marks, link targets, footnotes and comments; HTML entities are what they stand for. Form D is form A without backslashes
and with HTML entities as what they stand for; in form E, what JSON writes for a line end or a tab is a blank besides. A
blank line is a border in all, so no match crosses two blocks, and what is canonically equal in Unicode is equal. Every
character of a normal form records its original span, so a match gives exact offsets and nothing outside them is
changed.
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Literal

from draftsmith.model.markdown.code_spans import CodeSpans

Form = Literal["A", "B", "D", "E"]
# Outer start, inner start, inner end, outer end; inner: its text, marks apart. Last, the end of the link that it is in.
Link = tuple[int, int, int, int, int]

_BLANK = "[ \\t\\v\\f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
_BREAK = "(?:\\r\\n|\\n|\\r(?!\\n))"
_QUOTE_MARKS = f"(?:{_BLANK}*>)*{_BLANK}*"
_AFTER_QUOTE_MARKS = f"(?<={_BLANK[:-1]}>])"
_LONG_WORD = r"(?<![\w+/=%])[0-9A-Za-z+/=%]{128,}+"  # of an address: passed over at once, not letter by letter
_FOLDED = {
    **dict.fromkeys("‘’‚‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
}
_A_PARTS = (
    rf"(?P<border>{_BLANK}*{_BREAK}(?:{_BLANK}*{_BREAK})+{_BLANK}*)",
    rf"(?P<blank>(?:{_BLANK}|{_BREAK})+)",
    r"(?P<gone>[\u200b\u200c\u200d\u2060\u00ad\ufeff])",
    rf"(?P<dashes>(?:(?<=\w)|(?<={_BLANK}))-{{2,3}}(?={_BLANK}|{_BREAK}|\Z)|(?<=\w)-{{2,3}}(?=\w))",
    rf"(?P<folded>[{''.join(_FOLDED)}])",
    rf"(?P<kept>{_LONG_WORD})",
)
ADDRESS = r"(?:(?!data:)[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*+|[^<>\s@:/]++@[^<>\s@:/]++)"
"""What stands in `<>` to be a link: an address with its scheme, or one of mail. Nobody reads data on a page."""
_ENTITY_BLANK = "&(?:nbsp|ensp|emsp|thinsp|#160|#x[aA]0);"
_ENTITY = r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});"
_ESCAPED_BREAK = r"(?>\\++r\\++n|\\++[nr])"


def _without_escapes(*, breaks: bool) -> str:
    """The tokens of form D; `breaks`: of form E."""
    one = f"(?:{_BREAK}|{_ESCAPED_BREAK})" if breaks else _BREAK
    blank = rf"{_BLANK}|{_ENTITY_BLANK}" + (r"|\\++t" if breaks else "")
    return "|".join(
        (
            rf"(?P<border>(?:{blank})*{one}(?:(?:{blank})*{one})+(?:{blank})*)",
            rf"(?P<blank>(?:{blank}|{one})+)",
            r"(?P<backslash>\\++)",
            rf"(?P<entity>{_ENTITY})",
            *_A_PARTS[2:],
        )
    )


_BLANK_TAG = rf"{_ENTITY_BLANK}|<br ?/?>"
_COMMENT = r"<!--(?>(?:[^<>\n-]++|-(?!->)|\n(?![ \t]*+\r?\n))*)-->"
_BLANKS = f"(?:{_BLANK}|{_BLANK_TAG})+"
_UNSEEN = rf"(?:\[\^[^\[\]\s]++\](?!:)|!\[\]\([^()\s]*+\)|{_COMMENT})"
_IN_BRACKETS = r"\[[^\[\]\r\n]*+\]"
_IMAGE = rf"!{_IN_BRACKETS}(?:\([^()\s]*+\)|{_IN_BRACKETS})"
# With images, and with brackets that no target follows.
_LINE_OF_LABEL = rf"(?:[^\[\]\r\n!\\]++|\\[^\r\n]|!?{_IN_BRACKETS}(?![(\[])|{_IMAGE}|[!\\])"
_PLACE_OF_LINK = r"(?:<[^<>\r\n]*+>|[^()\s]*+(?>(?:\([^()\s]*+\)[^()\s]*+)?))"
_TITLE = r"(?>(?:(?:(?<=\s)|\s++)(?:\"[^\"]*+\"|'[^']*+'))?)"
_COLUMN = rf"{_BLANK}*+:?+-++:?+{_BLANK}*+"
_COLUMNS = rf"(?:\|{_COLUMN}(?>(?:\|{_COLUMN})*)|{_COLUMN}(?>(?:\|{_COLUMN})+))\|?+{_BLANK}*+"
_A = "|".join(_A_PARTS)
_B = "|".join(
    (
        rf"(?P<border>{_BLANK}*{_BREAK}(?:{_QUOTE_MARKS}{_BREAK})+)",
        rf"(?P<item>(?:(?:{_BLANK}*{_BREAK})|\A|(?<=[\r\n])){_QUOTE_MARKS}(?:[-*+]|(?P<number>\d{{1,9}})[.)]){_BLANK}+)",
        rf"(?P<columns>{_BLANK}*+{_BREAK}(?>{_QUOTE_MARKS}){_COLUMNS}(?={_BREAK}|\Z))",
        rf"(?P<indent>(?:\A|(?<=[\r\n])){_QUOTE_MARKS}){_AFTER_QUOTE_MARKS}(?=\S)",
        rf"(?P<pipe>{_BLANK}*\|{_BLANK}*)",
        rf"(?P<blank>{_BLANK}*(?:\\)?{_BREAK}{_QUOTE_MARKS}|{_BLANKS}(?:{_UNSEEN}{_BLANKS})*(?:{_BREAK}{_QUOTE_MARKS})?)",
        rf"(?P<unseen>{_UNSEEN})",
        rf"(?P<entity>{_ENTITY})",
        rf"(?P<auto><(?={ADDRESS}>)(?P<address>[^<>\s]++)>)",
        r"(?P<gone>[\u200b\u200c\u200d\u2060\u00ad\ufeff])",
        rf"(?P<dashes>(?:(?<=\w)|(?<={_BLANK}))-{{2,3}}(?={_BLANK}|{_BREAK}|\Z)|(?<=\w)-{{2,3}}(?=\w))",
        r"(?P<escaped>\\[!-/:-@\[-`{-~])",
        r"(?P<tick>`)",
        (
            rf"(?P<link>!?\[(?P<label>(?>{_LINE_OF_LABEL}*)(?>(?:\r?\n(?>{_LINE_OF_LABEL}+))?))\]"
            rf"(?:\(\s*+{_PLACE_OF_LINK}{_TITLE}\s*+\)|\[[^\[\]]*+\]))"
        ),
        rf"(?P<star>(?<!{_BLANK})\*+|\*+(?!{_BLANK}|{_BREAK}|\Z))",
        r"(?P<under>(?<!\w)_+(?=\w)|(?<=\w)_++(?!\w)|(?<=[*])_++|_++(?=[*]))",
        rf"(?P<kept>_++|{_LONG_WORD})",
        r"(?P<struck>~~)",
        rf"(?P<folded>[{''.join(_FOLDED)}])",
    )
)
# Nearly every character is one with which no token begins but a long word, or a blank between two words that stands for
# itself: said first, since each would be tried in all ways.
_BEGINS = rf"(?=[^A-Za-z.,;:()/?'\"]|{_LONG_WORD})(?!(?<=[A-Za-z0-9.,;:)]) [A-Za-z])"
_TOKENS = {
    form: re.compile(f"{_BEGINS}(?:{tokens})")
    for form, tokens in {
        "A": _A,
        "B": _B,
        "D": _without_escapes(breaks=False),
        "E": _without_escapes(breaks=True),
    }.items()
}
_ENTITIES = re.compile(_ENTITY)
# Where Unicode has marks that join a letter, and characters that stand for others.
_COMPOSING = (
    range(0xC0, 0x3100),
    range(0xA66F, 0xAC00),
    range(0xF900, 0x12000),
    range(0x16AF0, 0x17000),
    range(0x1BC9D, 0x1F000),
    range(0x2F800, 0x2FA20),
)
_COLUMN_PART = re.compile(r"(?P<pipe>\|)|:?-+:?")
_CODE_PART = re.compile(rf"(?P<pipe>{_BLANK}*\|{_BLANK}*)|(?:{_BLANK}|{_BREAK})+|[^\s|]+")
_TARGET = re.compile(
    r"(?>(?:\[(?P<label>[^\[\]]*+))?)\]"
    r"(?:\(\s*+(?P<target><[^<>\r\n]*+>|[^\s()<>]*+(?>(?:\([^\s()]*+\)[^\s()<>]*+)?))(?>(?:[^()\r\n]*+\))?)|\[(?P<ref>[^\[\]]*+)\])"
    r"|\[(?P<note>\^[^\[\]\s]++)\]"
)
_ADDRESS = re.compile(r"https?://[^\s<>\[\]()\"'`*|\\]++")
_SHORT = {"blank": " ", "dashes": "-", "pipe": "|"}
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
    links: Sequence[Link]
    codes: Sequence[tuple[int, int]]
    within: frozenset[int] = frozenset()


def normal_form(text: str, form: Form) -> NormalForm:
    """Make the normal form of a text; linear in its length."""
    writer = _Writer()
    _write(writer, text, 0, len(text), form)
    made = NormalForm("".join(writer.pieces), writer.starts, writer.ends, writer.links, writer.codes)
    if made.text.isascii() or unicodedata.is_normalized("NFC", made.text):
        return made
    return _compose(made)


def has_escapes(text: str) -> bool:
    """Whether forms D and E of a text may differ from form A."""
    return "\\" in text or ("&" in text and _ENTITIES.search(text) is not None)


def _compose(form: NormalForm) -> NormalForm:
    """A normal form with its characters composed as in NFC."""
    writer = _Writer()
    at = 0
    for found in _clusters().finditer(form.text):
        start, end = found.span()
        _copy(writer, form, at, start)
        new = unicodedata.normalize("NFC", found[0])
        if len(new) == end - start:
            writer.pieces.append(new)
            writer.starts.extend(form.starts[start:end])
            writer.ends.extend(form.ends[start:end])
        else:
            writer.put(new, form.starts[start], form.ends[end - 1])
        at = end
    _copy(writer, form, at, len(form.text))
    return NormalForm("".join(writer.pieces), writer.starts, writer.ends, form.links, form.codes)


def _copy(writer: _Writer, form: NormalForm, start: int, end: int) -> None:
    writer.pieces.append(form.text[start:end])
    writer.starts.extend(form.starts[start:end])
    writer.ends.extend(form.ends[start:end])


@lru_cache(maxsize=1)
def _clusters() -> re.Pattern[str]:
    """What composing may change: a character with marks that may join it, or one that stands for another.

    Marks beyond 31 are left alone: ordering them costs the square of their number.
    """
    marks, others = [chr(at) for at in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))], []
    for sign in map(chr, chain.from_iterable(_COMPOSING)):
        parts = unicodedata.normalize("NFD", sign)
        if unicodedata.combining(sign):
            marks.append(sign)
        elif len(parts) > 1 and not unicodedata.combining(parts[-1]):
            marks.append(parts[-1])
        if unicodedata.normalize("NFC", sign) != sign:
            others.append(sign)
    joined = "".join(sorted(set(marks)))
    return re.compile(f"[^{joined}][{joined}]{{1,31}}|[{''.join(others)}]")


@lru_cache(maxsize=8)
def form_of_find(find: str, form: Literal["A", "B", "C", "D", "E"]) -> NormalForm:
    """The normal form of a quoted text, which every rung and range compares with; C: see `expand_contractions`."""
    return expand_contractions(form_of_find(find, "B")) if form == "C" else normal_form(find, form)


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


def expand_contractions(form: NormalForm) -> NormalForm:
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
        new = _case_like(_STEMS.get(stem.lower(), stem), stem) + _WRITTEN_OUT.get(kind, "")
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


def _case_like(word: str, like: str) -> str:
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
    codes = CodeSpans(text, start, end, in_a_block=True)
    tokens = _TOKENS[form].finditer(text, start, end)
    while (found := next(tokens, None)) is not None:
        kind = found.lastgroup
        if kind == "kept":
            continue
        if kind == "tick":
            inner = codes.inner(found.start())
            if inner is None:
                continue
            writer.plain(text, at, found.start())
            at = inner[1] + inner[0] - found.start()
            _code(writer, text, (found.start(), *inner, at))
            tokens = _TOKENS[form].finditer(text, at, end)
            continue
        writer.plain(text, at, found.start())
        at = found.end()
        if kind == "border":
            writer.put(BORDER, found.start(), at)
        elif kind in _SHORT:
            writer.put(_SHORT[kind], found.start(), at)
        elif kind == "folded":
            writer.put(_FOLDED[found[0]], found.start(), at)
        elif kind == "escaped":
            writer.put(found[0][1], found.start(), at)
        elif kind in _PARTS:
            _PARTS[kind](writer, text, found)
        # Emphasis, quote marks, footnotes, comments, backslashes and zero-width characters are left out.
    writer.plain(text, at, end)


def _item(writer: _Writer, text: str, found: re.Match[str]) -> None:
    """Begin a list item: a blank unless it is first or after a border, then its number or one mark for all bullets."""
    number = found["number"]
    mark = f"{number}." if number is not None else _BULLET
    begins = found.start() + len(found["item"]) - len(found["item"].lstrip())
    if writer.pieces and writer.pieces[-1] != BORDER:
        writer.put(" ", found.start(), begins)
    writer.put(f"{mark} ", begins, found.end())


def _code(writer: _Writer, text: str, span: tuple[int, int, int, int]) -> None:
    outer, inner, inner_end, outer_end = span
    writer.codes.append((outer, outer_end))
    for part in _CODE_PART.finditer(text, inner, inner_end):
        if part["pipe"] or part[0].isspace():
            writer.put("|" if part["pipe"] else " ", *part.span())
        else:
            _fold(writer, text, *part.span())


def _entity(writer: _Writer, text: str, found: re.Match[str]) -> None:
    sign = html.unescape(found[0])
    writer.put(_FOLDED.get(sign, sign), *found.span())


def _link(writer: _Writer, text: str, found: re.Match[str]) -> None:
    at, pieces, links = len(writer.starts), len(writer.pieces), len(writer.links)
    outer, outer_end = found.span()
    writer.links.append((outer, outer, outer_end, outer_end, outer_end))  # before the images in it
    _write(writer, text, *found.span("label"), "B")
    label = "".join(writer.pieces[pieces:])
    inner = inner_end = found.end("label")
    if label.strip():
        inner = writer.starts[at + len(label) - len(label.lstrip())]
        inner_end = writer.ends[at + len(label.rstrip()) - 1]
    writer.links[links] = outer, inner, inner_end, outer_end, outer_end
    writer.links[links + 1 :] = [(*one[:4], outer_end) for one in writer.links[links + 1 :]]


def _columns(writer: _Writer, text: str, found: re.Match[str]) -> None:
    """Append the row below the header of a table: how wide and how its columns are set is left out."""
    begins = found.end() - len(found[0].lstrip(" \t>\r\n"))
    writer.put(" ", found.start(), begins)
    for part in _COLUMN_PART.finditer(text, begins, found.end()):
        writer.put("|" if part["pipe"] else "-", *part.span())


def _address(writer: _Writer, text: str, found: re.Match[str]) -> None:
    writer.plain(text, *found.span("address"))


_PARTS = {"item": _item, "columns": _columns, "link": _link, "entity": _entity, "auto": _address}


def whole_links(start: int, end: int, links: Sequence[Link]) -> tuple[int, int] | None:
    """Widen a span to all of each link whose text it covers, marks apart; None if it cuts a link in two.

    Args:
        start, end: the span, in the original.
        links: of a normal form; only those that the span touches are looked at.
    """
    for number in range(bisect_left(links, start, key=lambda link: link[4]), len(links)):
        outer, inner, inner_end, outer_end, _ = links[number]
        if outer > end:
            break
        if start <= inner and inner_end <= end:
            start, end = min(start, outer), max(end, outer_end)
        elif start < inner_end and inner < end and not (inner <= start and end <= inner_end):
            return None
    return start, end


@dataclass(frozen=True, slots=True)
class _Leading:
    """A link, an image, a reference or a footnote: its words, its target for comparing, and its span."""

    label: str
    target: str
    start: int
    end: int

    @property
    def key(self) -> tuple[str, str]:
        """For comparing."""
        return " ".join(normal_form(self.label, "B").text.split()), self.target


def link_targets(text: str) -> list[str]:
    """The targets of the links, images and footnotes in a text, in order; of a reference, its label."""
    return [link.target for link in _links_in(text)]


def quotes_links(find: str) -> bool:
    """Whether a find has links with their targets, or addresses."""
    return ("]" in find and _TARGET.search(find) is not None) or _ADDRESS.search(find) is not None


def has_links_of(find: str, text: str) -> bool:
    """Whether the links, images, footnotes and addresses that a find quotes lead to the same places in a text.

    Those that the find quotes as text alone may lead anywhere.
    """
    wanted, there = list(_links_in(find)), list(_links_in(text))
    addresses = [found[0].rstrip(".,;:!?") for found in _ADDRESS.finditer(_TARGET.sub("", find))]
    if addresses and any(_plain(address) not in _plain(text) for address in addresses):
        return False
    if [link.target for link in wanted] == [link.target for link in there]:
        return True
    rest = iter([link.key for link in there])
    return all(link.key in rest for link in wanted)


def link_elsewhere(find: str, text: str) -> tuple[int, int, str] | None:
    """The span of the first link of a text that leads elsewhere than one of the same words in a find; and that one."""
    wanted, there = list(_links_in(find)), list(_links_in(text))
    known, quoted = {link.key for link in there}, {link.key for link in wanted}
    for link in wanted:
        if link.key not in known:
            for other in there:
                if other.key[0] == link.key[0] and other.key not in quoted:
                    return other.start, other.end, find[link.start : link.end]
    return None


def _plain(address: str) -> str:
    """An address without escapes, composed, and with dashes and quotes as they are typed; for comparing."""
    typed = _FOLDS.sub(lambda found: _FOLDED[found[0]], html.unescape(address.replace("\\", "")))
    return unicodedata.normalize("NFC", typed)


def _links_in(text: str) -> Iterator[_Leading]:
    for link in _TARGET.finditer(text):
        label = link["label"] or ""
        if link["note"] is not None:
            target = link["note"].casefold()
        elif link["target"] is not None:
            target = _plain(link["target"].strip("<>"))
        else:
            target = f"[{' '.join((link['ref'] or label).casefold().split())}]"
        yield _Leading(label, target, *link.span())
