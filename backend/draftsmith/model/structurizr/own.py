"""What C4 has no word for in a workspace of Structurizr: properties of ours, and the texts in which nothing is lost.

Their names begin with `draftsmith.`. Those of groups, which can have none in Structurizr, and of edges that it refuses
are properties of the model, with the id in their names: `draftsmith.group.shop.position`. Written by `writer`, read by
`model.readers.structurizr`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, unquote

PREFIX: Final = "draftsmith."
OF_GROUP: Final = "group."
OF_EDGE: Final = "edge."
"""Behind the prefix, in the name of a property of the model; an id, a full stop and the name of a field follow."""
EXACT: Final = "properties."
"""Behind the prefix: a property of people's own, which Structurizr would change or refuse as it is."""
STAND_IN: Final = "stand_in"
"""The property of an element that stands for the group that it is in, as the end of edges."""
GROUPS: Final = "groups"
"""The property with the ids of the groups around an element, from the outermost, up to the next element."""
SEPARATOR: Final = "¦"
LANDSCAPE: Final = "landscape"
INSIDE: Final = "inside-"
"""What our views are called."""
TAGS_OF_KINDS: Final[Mapping[str, str]] = {"async": "Asynchronous", "data": "Data", "dependency": "Dependency"}
_EMPTY: Final = "%"
_UNSAFE = re.compile(r'[%\\"{}$\x00-\x1f\x7f-\x9f\u2028\u2029]|\A\s|\s\Z')
# What a backslash before a letter, a quotation mark or another one means to Structurizr is no backslash.
_ESCAPE = re.compile(r'\\(?=["\\n\n]|\Z)')
_SUBSTITUTION = re.compile(r"\$(?=\{)")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\u0085\u2028\u2029]")
# Alone in quotation marks, too, Structurizr takes them for those of a block.
_BRACES: Final = frozenset(("{", "}", "{}"))


def plain_text(text: str) -> str:
    """A text as Structurizr can hold it, in which nothing is read as an escape or replaced by something else."""
    clean = _CONTROL.sub(" ", text.replace("\r\n", "\n"))
    plain = _SUBSTITUTION.sub("$ ", _ESCAPE.sub("/", clean))
    return plain + " " if plain in _BRACES else plain


def quoted_text(text: str) -> str:
    """`plain_text` in quotation marks."""
    return '"' + plain_text(text).replace('"', '\\"').replace("\n", "\\n") + '"'


def read_line(text: str) -> str:
    """A text of one line as it is read again."""
    return " ".join(plain_text(text).split())


def read_text(text: str) -> str:
    """A text of several lines as it is read again."""
    return plain_text(text).strip()


def encoded_value(text: str) -> str:
    """A text as a value of ours, which nothing changes: what could be changed stands as `%22`."""
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), text) or _EMPTY


def decoded_value(value: str) -> str:
    """The text of a value of ours."""
    return "" if value == _EMPTY else unquote(value) if "%" in value else value


def is_shown(key: str, value: str) -> bool:
    """Whether a property stands in the file under its own name, too: Structurizr refuses one that says nothing."""
    return bool(key.strip() and value.strip()) and not key.startswith((PREFIX, "!"))


def is_own_view(name: str) -> bool:
    """Whether a view of a workspace of ours is one that we wrote."""
    return name == LANDSCAPE or name.startswith(INSIDE)
