"""What happens to a quote on its way: the same text, set otherwise or in slightly other words.

Each spoiler takes a quote and gives the find, or None where it has nothing to work on. The meaning never changes; what
does is in `decoys`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from tests.noise.quotes import Quote

Spoiler = Callable[[Quote, random.Random], str | None]

_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^`\n]+\1(?!`)")
_BLOCK_MARK = re.compile(r"[-*+#>|=~`]|\d+[.)]")


def _shielded(text: str) -> str:
    """The text with links and code blotted out, for looking only; offsets stay."""
    blotted = _LINK.sub(lambda found: "\0" * len(found[0]), text)
    return _CODE_SPAN.sub(lambda found: "\0" * len(found[0]), blotted)


def exact(quote: Quote, rng: random.Random) -> str | None:
    return quote.text


def spacing(quote: Quote, rng: random.Random) -> str | None:
    """Blanks doubled, joined, widened, or of another kind; trailing blanks and indentation of inner lines."""
    text = quote.text
    blanks = [found.span() for found in re.finditer(r"(?<=\S)[ \t]+(?=\S)", text)]
    ways = ["inner"] * bool(blanks) + ["lines"] * ("\n" in text)
    if not ways:
        return None
    if rng.choice(ways) == "lines":
        edge = rng.choice(["  \n", "\n  ", "\n    ", " \n", "\n"])
        return re.sub(r"[ \t]*\n[ \t]*(?=\S)", edge, text)
    start, end = rng.choice(blanks)
    other = rng.choice([blank for blank in (" ", "  ", "\u00a0", "\t", "\u202f") if blank != text[start:end]])
    return text[:start] + other + text[end:]


def wrapping(quote: Quote, rng: random.Random) -> str | None:
    """Lines joined, or broken elsewhere; never so that another block would begin."""
    if quote.shape not in ("phrase", "sentence", "line", "lines", "item") or re.search(r"^\s*[>|]", quote.text, re.M):
        return None
    if not quote.is_prose:
        return None
    lines = quote.text.split("\n")
    if len(lines) > 1:
        if any(_BLOCK_MARK.match(line.lstrip()) for line in lines[1:]):
            return None
        if rng.random() < 0.5:
            return " ".join(line.strip() for line in lines)
    words = " ".join(line.strip() for line in lines).split(" ")
    places = [at for at in range(2, len(words) - 1) if words[at] and not _BLOCK_MARK.match(words[at])]
    if not places:
        return None
    chosen = set(rng.sample(places, min(len(places), rng.randint(1, 3))))
    indent = rng.choice(["", "", "  "])
    return "".join(("\n" + indent if at in chosen else " " if at else "") + word for at, word in enumerate(words))


def quotation_marks(quote: Quote, rng: random.Random) -> str | None:
    """Curly for straight or straight for curly; not inside the target of a link or in code."""
    if not quote.is_prose:
        return None
    seen = _shielded(quote.text)
    if re.search("[“”‘’]", seen):
        changed = seen.translate(str.maketrans("“”‘’", "\"\"''"))
    elif re.search("[\"']", seen):
        changed = re.sub(r"(?<![\w.,)])\"", "“", seen).replace('"', "”")
        changed = re.sub(r"(?<!\S)'", "‘", changed).replace("'", "’")
    else:
        return None
    return "".join(old if new == "\0" else new for old, new in zip(quote.text, changed, strict=True))


def dashes(quote: Quote, rng: random.Random) -> str | None:
    """Hyphens, dashes and minus signs for one another; options such as `--flag` stay."""
    if not quote.is_prose:
        return None
    rules = [
        ("[–—]", "-"),
        ("[–—]", "--"),
        ("–", "—"),
        (r"(?<= )-{1,3}(?= )", "–"),
        (r"(?<= )-{1,3}(?= )", "—"),
        (r"(?<=[^\W\d_])-(?=[^\W\d_])", rng.choice("‑–‐")),
    ]
    # A list mark is no dash, and nobody's keyboard touches the target of a link.
    shielded = re.sub(r"^(\s*)-(?= )", r"\1\0", _shielded(quote.text), flags=re.MULTILINE)
    places = [(list(re.finditer(old, shielded)), new) for old, new in rules]
    places = [(found, new) for found, new in places if found]
    if not places:
        return None
    found, new = rng.choice(places)
    text = quote.text
    for one in reversed(found):
        text = text[: one.start()] + new + text[one.end() :]
    return text


def list_marks(quote: Quote, rng: random.Random) -> str | None:
    """Another bullet at every line that begins with one."""
    mark = re.compile(r"^(\s*)([-*+])(?=\s+\S)", re.MULTILINE)
    found = mark.search(quote.text) if quote.shape in ("item", "line", "lines") and quote.is_prose else None
    if found is None:
        return None
    other = rng.choice([one for one in "-*+" if one != found[2]])
    return mark.sub(lambda one: one[1] + other, quote.text)


def emphasis_dropped(quote: Quote, rng: random.Random) -> str | None:
    text = (
        re.sub(r"(?<![\\*])(\*{1,3})(?=[^\s*])([^*\n]+)(?<=[^\s\\])\1(?!\*)", r"\2", quote.text)
        if quote.is_prose
        else quote.text
    )
    text = re.sub(r"(?<![\w\\])(_{1,2})(?=\S)([^_\n]+)(?<=\S)\1(?!\w)", r"\2", text) if quote.is_prose else text
    return text if text != quote.text else None


def emphasis_added(quote: Quote, rng: random.Random) -> str | None:
    """One word of the quote gets stars."""
    if quote.shape not in ("phrase", "sentence", "line", "item") or set("`[]<>*_") & set(quote.text[2:]):
        return None
    words = list(re.finditer(r"(?<=\s)[a-z]{4,}(?=[\s,.])", quote.text))
    if not words:
        return None
    start, end = rng.choice(words).span()
    mark = rng.choice(["*", "**"])
    return f"{quote.text[:start]}{mark}{quote.text[start:end]}{mark}{quote.text[end:]}"


def ticks_dropped(quote: Quote, rng: random.Random) -> str | None:
    if not quote.is_prose or not _CODE_SPAN.search(quote.text) or "``" in quote.text:
        return None
    return quote.text.replace("`", "")


def ticks_added(quote: Quote, rng: random.Random) -> str | None:
    """An identifier of the quote gets code marks."""
    if quote.shape not in ("phrase", "sentence", "line", "item") or set("`[]<>") & set(quote.text):
        return None
    names = list(re.finditer(r"(?<=\s)(?:[a-z]+_[a-z_]+|[A-Z][a-z]+[A-Z]\w+)(?=[\s,.])", quote.text))
    if not names:
        return None
    start, end = rng.choice(names).span()
    return f"{quote.text[:start]}`{quote.text[start:end]}`{quote.text[end:]}"


def links_to_text(quote: Quote, rng: random.Random) -> str | None:
    """What a reader sees of a link; the quote is more than the link alone."""
    text = _LINK.sub(r"\1", quote.text) if quote.is_prose else quote.text
    return text if text != quote.text and not _LINK.fullmatch(quote.text) else None


def escapes(quote: Quote, rng: random.Random) -> str | None:
    """Backslashes before marks, more or fewer."""
    if not quote.is_prose:
        return None
    if re.search(r"\\[_*<>#\[\]`|]", quote.text):
        return re.sub(r"\\([_*<>#\[\]`|])", r"\1", quote.text)
    places = [found.start() for found in re.finditer(r"(?<=\w)[_#<>](?=\w)", _shielded(quote.text))]
    if not places:
        return None
    return "".join("\\" + char if at in places else char for at, char in enumerate(quote.text))


def row_padding(quote: Quote, rng: random.Random) -> str | None:
    """Cells of a table row padded by more or fewer blanks."""
    if quote.shape != "row" or re.search(r"[^\s\\]\||\|\S", quote.text):
        return None
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", quote.text)[1:-1]]
    ways = ["| " + " | ".join(cell.ljust(rng.randint(0, 24)) for cell in cells) + " |", "| " + " | ".join(cells) + " |"]
    way = rng.choice(ways)
    return way if way != quote.text else None


def row_tight(quote: Quote, rng: random.Random) -> str | None:
    """A table row without any padding."""
    if quote.shape != "row":
        return None
    tight = "|" + "|".join(cell.strip() for cell in re.split(r"(?<!\\)\|", quote.text)[1:-1]) + "|"
    return tight if tight != quote.text else None


_REWORDINGS: list[tuple[str, str]] = [
    (r"which", "that"), (r"in order to", "to"), (r"such as", "like"), (r"via", "through"), (r"within", "in"),
    (r"because", "since"), (r"also ", ""), (r"do not", "don't"), (r"does not", "doesn't"), (r"cannot", "can't"),
    (r"can't", "cannot"), (r"don't", "do not"), (r"it is", "it's"), (r"utilize", "use"), (r"utilizes", "uses"),
    (r"the ", ""), (r"the", "this"), (r"a", "the"), (r"the", "a"), (r"an", "the"), (r"this", "the"), (r"these", "the"),
    (r"while", "whilst"), (r"toward", "towards"), (r"upon", "on"),
    (r"behavior", "behaviour"), (r"currently ", ""), (r"then ", ""), (r"is able to", "can"), (r"are able to", "can"),
    (r"for example", "e.g."), (r"e\.g\.", "for example"), (r"should not", "shouldn't"), (r"will not", "won't"),
]  # fmt: skip


def _rewordings(text: str) -> Iterator[tuple[int, int, str]]:
    """Places in a text and what could stand there instead: small words, a plural's s, a comma."""
    for old, new in _REWORDINGS:
        for found in re.finditer(rf"(?<=\s){old}" + ("" if old.endswith(" ") else r"(?=[\s,.])"), text):
            yield found.start(), found.end(), new
    for found in re.finditer(r"(?<=\s)[a-z]{4,}[a-hj-rtv-z]s(?=[\s,.])", text):
        yield found.end() - 1, found.end(), ""
    for found in re.finditer(r"(?<=[a-z]),(?= [a-z])", text):
        yield found.start(), found.end(), ""


def paraphrase(quote: Quote, rng: random.Random) -> str | None:
    """One function word or inflection otherwise, inside a stretch of eight words or more."""
    if quote.shape not in ("sentence", "line", "lines", "item", "phrase") or quote.words < 8 or not quote.is_prose:
        return None
    inner = re.match(r"(\S+\s+\S+)(.*)(\s\S+\s*)\Z", quote.text, re.DOTALL)
    if inner is None:
        return None
    head, text, tail = inner.groups()
    ways = list(_rewordings(_shielded(text)))
    if not ways:
        return None
    start, end, new = rng.choice(ways)
    return head + text[:start] + new + text[end:] + tail


def typing_error(quote: Quote, rng: random.Random) -> str | None:
    """Two letters swapped, or one doubled or left out, in one ordinary word of a stretch of eight or more."""
    if quote.shape not in ("sentence", "line", "lines", "item", "phrase") or quote.words < 8 or not quote.is_prose:
        return None
    text = quote.text
    shielded = _shielded(text)
    words = [found for found in re.finditer(r"(?<=\s)[a-z]{7,}(?=[\s,.])", shielded) if found.end() < len(text) - 3]
    if not words:
        return None
    at = rng.choice(words).start() + rng.randint(2, 4)
    one, two = text[at], text[at + 1]
    ways = [one + one + two, two] if one == two else [two + one, one + one + two, two]
    return text[:at] + rng.choice(ways) + text[at + 2 :]


def capital(quote: Quote, rng: random.Random) -> str | None:
    """The first letter small or large, as when a quote is cut from its sentence."""
    if quote.shape not in ("sentence", "phrase") or quote.words < 8 or not re.match(r"[A-Za-z][a-z]+\s", quote.text):
        return None
    return quote.text[0].swapcase() + quote.text[1:]


SPOILERS: dict[str, tuple[int, Spoiler]] = {
    "exact": (12, exact),
    "spacing": (10, spacing),
    "wrapping": (10, wrapping),
    "quotation marks": (5, quotation_marks),
    "dashes": (5, dashes),
    "list marks": (5, list_marks),
    "emphasis dropped": (6, emphasis_dropped),
    "emphasis added": (4, emphasis_added),
    "code ticks dropped": (6, ticks_dropped),
    "code ticks added": (3, ticks_added),
    "links as text": (5, links_to_text),
    "escapes": (3, escapes),
    "table row padded": (2, row_padding),
    "table row tight": (2, row_tight),
    "paraphrase": (9, paraphrase),
    "typing error": (4, typing_error),
    "capital": (2, capital),
}
# What can come together in one quote; the words stay the same.
SETTINGS = (spacing, wrapping, quotation_marks, dashes, list_marks, emphasis_dropped, ticks_dropped, links_to_text)
