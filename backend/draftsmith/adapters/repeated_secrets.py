"""Whether a text of somebody else repeats a secret that we have sent there: as it is, cut, or in another spelling.

A provider that refuses a key may quote it, a gateway may quote the header with it in base64, and what they say is shown
to people who must not know the key. So pieces of it are looked for, not the whole; in a text of which only letters and
digits count, whatever stands between them; as the text is and with its escapes, numbers and base64 read.
"""

from __future__ import annotations

import base64
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

PIECE: Final = 8
"""Letters and digits of a secret in a row that are told to nobody; providers show the last four."""
_SHORTEST_PART: Final = 3
_MOST_IN_PARTS: Final = 10
_ROUNDS: Final = 3
_ESCAPE: Final = re.compile(r"\\(?:u\{?([0-9A-Fa-f]{2,6})\}?|x([0-9A-Fa-f]{2}))")
_NUMBERS: Final = re.compile(r"\d+")
_ENCODED: Final = re.compile(r"[A-Za-z0-9+/]{8,}")


def repeats(text: str, secret: str) -> bool:
    """Whether a text holds a piece of a secret; the time that it takes grows with both."""
    if not secret or not text:
        return False
    pieces, whole = _fragments(secret)
    return any(_holds(view, pieces) or _in_parts(view, whole) for view in _views(text))


def _holds(view: str, parts: frozenset[str]) -> bool:
    length = len(next(iter(parts)))
    plain = _plain(view)
    return any(plain[at : at + length] in parts for at in range(len(plain) - length + 1))


def _in_parts(view: str, texts: tuple[str, ...]) -> bool:
    """Whether words that are parts of a secret have together more of it than may be told."""
    words = {word for word in re.split(r"[\W_]+", view.casefold()) if len(word) >= _SHORTEST_PART}
    return any(sum(len(word) for word in words if word in one) >= _MOST_IN_PARTS for one in texts)


@lru_cache(maxsize=64)
def _fragments(secret: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The pieces of a secret in every spelling, all of one length; and the whole of it, both ways round."""
    forms = set()
    for one in (secret, secret[::-1], codecs.encode(secret, "rot13")):
        content = one.encode()
        forms |= {one, content.hex(), base64.b32encode(content).decode().rstrip("=")}
        # Behind other bytes, as in `Bearer …`, the same content is spelled in three ways, but for its ends.
        shifted = [base64.b64encode(b"\0" * before + content).decode().rstrip("=") for before in range(3)]
        forms |= {shifted[0], shifted[1][2:], shifted[2][3:]}
    plain = {_plain(form) for form in forms}
    own = _plain(secret) or secret
    length = min(PIECE, len(own))
    pieces = frozenset(form[at : at + length] for form in plain for at in range(len(form) - length + 1))
    return pieces or frozenset({secret}), (own, own[::-1])


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _views(text: str) -> Iterator[str]:
    """The text, and what it says where escapes are read, round after round; with base64 and numbers read, too."""
    view = unicodedata.normalize("NFKC", text)
    for _ in range(_ROUNDS):
        yield view
        yield re.sub(r"(?i)0x|\\x", "", view)
        yield "".join(chr(int(number)) for number in _NUMBERS.findall(view) if len(number) <= 3)
        yield from _decode_base64(view)
        read = _ESCAPE.sub(_letter, html.unescape(unquote(view)))
        if read == view:
            return
        view = unicodedata.normalize("NFKC", read)


def _letter(escape: re.Match[str]) -> str:
    number = int(escape[1] or escape[2], 16)
    return chr(number) if number <= 0x10FFFF else ""


def _decode_base64(view: str) -> Iterator[str]:
    """What may be base64 in a text, read from each of the places where it may begin."""
    for run in _ENCODED.findall(view.translate({ord("-"): "+", ord("_"): "/"})):
        for begin in range(4):
            part = run[begin : len(run) - (len(run) - begin) % 4]
            yield base64.b64decode(part).decode("latin-1")
