"""Labels in Mermaid: quoting and unquoting of any text.

Mermaid has no escape character; special characters are written as entities, `#35;`. A label's last line in square
brackets is the node's technology, as in C4 diagrams; brackets of the label itself are written as entities, so the two
cannot be confused.
"""

from __future__ import annotations

import html.entities
import re
import unicodedata
from typing import Final

# Besides quotes and `#`: HTML, Markdown strings, `\n` read as a line end, edge labels in pipes, our own brackets.
_NAMED: Final = {'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "\n": "<br/>"}
_ALWAYS: Final = frozenset("#\\`[]|")
# What Mermaid interprets even in quotes: icons, directives, formulas, a direction on a line by itself.
_UNDERSTOOD = re.compile(
    r"(?<=fa):(?=fa-)|(?<=fa[a-z]):(?=fa-)|%(?=%)|\$(?=\$)|(?<=direction)\s(?=\s*(?:TB|TD|BT|RL|LR))"
)
_SPECIAL_CATEGORIES: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))

_BREAK = re.compile(r"<br\s*/?>|\\n", re.IGNORECASE)
_TAG = re.compile(r"</?(?:b|i|u|em|strong|small|big|sub|sup|code|span|font|center|p|div)\b[^<>]{0,200}>", re.IGNORECASE)
_ICON = re.compile(r"\bfa[a-z]?:fa-[\w-]+ ?")
_ENTITY = re.compile(r"[#&](?:#?([0-9]{1,7})|([A-Za-z][A-Za-z0-9]{1,31}));")
_BREAK_AT_END = re.compile(r"(?:<br\s*+/?>|\\n)\Z")
_NUL: Final = 0


def quote_label(label: str, technology: str = "") -> str:
    """Quote a label, with a technology in brackets below it; `read_label` is the inverse."""
    text = _escape(label)
    return f'"{text}<br/>[{_escape(technology)}]"' if technology else f'"{text}"'


def read_label(text: str) -> tuple[str, str]:
    """Read label and technology from the text between the quotes."""
    inner = text.strip()
    if len(inner) > 1 and inner.startswith("`") and inner.endswith("`"):  # a Markdown string
        inner = inner[1:-1].replace("**", "")
    label, technology = _split_technology(inner)
    return (plain_text(label), plain_text(technology)) if label.strip() else (plain_text(inner), "")


def _split_technology(text: str) -> tuple[str, str]:
    """What stands before a line break and brackets at the end of a text, and in them; empty if there are none."""
    bare = text.rstrip()
    opens = bare.rfind("[")
    if opens < 0 or bare.find("]", opens) != len(bare) - 1:
        return "", ""
    before = bare[:opens].rstrip()
    found = _BREAK_AT_END.search(before)
    ends = found.start() if found is not None else bare.find("\n", len(before), opens)
    return (bare[:ends], bare[opens + 1 : -1]) if ends >= 0 else ("", "")


def _escape(text: str) -> str:
    understood = {match.start() for match in _UNDERSTOOD.finditer(text)}
    return "".join(
        f"#{ord(character)};" if index in understood or _is_special(character) else _NAMED.get(character, character)
        for index, character in enumerate(text)
    )


def _is_special(character: str) -> bool:
    if character in _NAMED:
        return False
    return character in _ALWAYS or unicodedata.category(character) in _SPECIAL_CATEGORIES


def plain_text(text: str) -> str:
    """A text of Mermaid without tags and icons, its entities read."""
    text = _BREAK.sub("\n", text)
    text = _ICON.sub("", _TAG.sub("", text))
    return _ENTITY.sub(_character, text).strip()


def _character(match: re.Match[str]) -> str:
    number, name = match.groups()
    if number is None:
        return html.entities.html5.get(f"{name};", match[0])
    code = int(number)
    # Lone surrogates and NUL cannot be stored.
    return chr(code) if _NUL < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else match[0]
