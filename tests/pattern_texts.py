"""Adversarial texts for a regular expression, derived from its own parts.

For every repetition in it: what leads there, then many rounds of what is repeated, then something that does not fit;
and many beginnings, each of which might go on to the end. Beside them a stock of texts that belong to Markdown, Mermaid
and plain English. Not here: how long a pattern takes on them (`growth`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

# The parser of the standard library; its tree is the only exact account of a pattern.
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # isort: skip

Text = Callable[[int], str]
_SIGNS = " \t\n\ra1A_-.,:;\"'`*#[](){}<>|/\\&!=~%+?@é…“’\xa0"
_VARIANTS = 5  # characters of a class that are tried in a repetition
_UNBOUNDED = 64  # rounds from which on a repetition counts as one; a smaller one costs a constant factor
_STOCK = (
    *_SIGNS,
    *("a ", " \n", "\n\n", "[]", "[[", "](", "[a](", "![", "()", "<a ", "<!--", "`a", "``a`", "a`", "*a", "**", "a*_"),
    *(
        '"a',
        'a"',
        "'a",
        "a'",
        "“",
        "-a",
        "--",
        "a-",
        " - ",
        "- a\n",
        "> ",
        ">\n",
        "#",
        "# ",
        "#\n",
        "---\n",
        "1.",
        "1. a\n",
    ),
    *("|", "| ", "a|", "...", ". ", "a, ", "and ", " and a", "the ", "a and then ", "\r\n", " \r", "\\", "{{", "{a:b}"),
    *("%% id ", "&", "&#1", "--> ", "A-->B;", "A[", 'A["', "section ", "x and ", "https://a.b/", "#node/", "](#node/"),
    *(
        "\u3000",
        "\u200b",
        "é",
        "can't ",
        "n't",
        "a.b.",
        "/a/",
        "1,",
        "9" * 9,
        "_a_",
        "~~",
        "~",
        "=",
        "==\n",
        "<br>",
        "]",
    ),
)


@dataclass(frozen=True)
class Pump:
    """A text of any size: a beginning, rounds of the same, an end."""

    lead: str
    round: str
    tail: str

    def __call__(self, size: int) -> str:
        return self.lead + self.round * max(1, size // len(self.round)) + self.tail


def texts_of(pattern: re.Pattern[str]) -> Iterator[Pump]:
    """The adversarial texts for a pattern, each once."""
    found: dict[Pump, None] = {}
    for lead, body in _Repetitions(pattern).found():
        for tail in ("", "\x00", "\n\x00"):
            found[Pump(lead, body, tail)] = None
        found[Pump("", lead + body, "")] = None
        found[Pump("a", body, "\x00")] = None
        if lead:
            found[Pump("", lead, "")] = None
            found[Pump("", lead, body)] = None
    for sign in _STOCK:
        found[Pump("", sign, "")] = None
    yield from found


class _Repetitions:
    """Walks through the tree of a pattern."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._flags = pattern.flags
        self._tree = _parser.parse(pattern.pattern, pattern.flags)
        self._groups: dict[int, str] = {}
        literals = {chr(code) for code in _literals(self._tree)}
        self._alphabet = [*sorted(literals), *(sign for sign in _SIGNS if sign not in literals)]
        self._classes: dict[str, list[str]] = {}

    def found(self) -> Iterator[tuple[str, str]]:
        """What leads to each repetition, and a round of it."""
        yield from self._below(self._tree, "", 0)

    def _below(self, nodes: Any, lead: str, depth: int) -> Iterator[tuple[str, str]]:
        for node in nodes:
            kind, value = node
            if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
                least, most, body = value
                if most >= _UNBOUNDED:
                    rounds = dict.fromkeys(self._shortest(body, choice, full=True) for choice in range(_VARIANTS))
                    yield from ((lead, one) for one in rounds if one)
                yield from self._below(body, lead, depth + 1)
                lead += self._shortest(body, 0) * min(least, 3)
            elif kind == _constants.BRANCH:
                for option in value[1]:
                    yield from self._below(option, lead, depth + 1)
                lead += self._shortest([node], 0)
            elif kind == _constants.SUBPATTERN:
                yield from self._below(value[-1], lead, depth + 1)
                lead += self._shortest([node], 0)
            elif kind == _constants.ATOMIC_GROUP:
                yield from self._below(value, lead, depth + 1)
                lead += self._shortest([node], 0)
            elif kind in (_constants.ASSERT, _constants.ASSERT_NOT):
                yield from self._below(value[1], lead, depth + 1)
            else:
                lead += self._shortest([node], 0)

    def _shortest(self, nodes: Any, choice: int, *, full: bool = False) -> str:
        """A short text that the nodes match, look-arounds apart; `choice`: which of the characters of a class."""
        found = ""
        for node in nodes:
            kind, value = node
            if kind == _constants.LITERAL:
                found += chr(value)
            elif kind in (_constants.IN, _constants.NOT_LITERAL, _constants.ANY):
                some = self._characters(node)
                found += some[choice % len(some)] if some else ""
            elif kind == _constants.BRANCH:
                options = value[1]
                found += self._shortest(options[choice % len(options)] if full else options[0], choice, full=full)
            elif kind == _constants.SUBPATTERN:
                inner = self._shortest(value[-1], choice, full=full)
                self._groups[value[0]] = inner
                found += inner
            elif kind == _constants.ATOMIC_GROUP:
                found += self._shortest(value, choice, full=full)
            elif kind == _constants.GROUPREF:
                found += self._groups.get(value, "")
            elif kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
                least, most, body = value
                rounds = max(least, 1 if full and most else 0)
                found += self._shortest(body, choice, full=full) * min(rounds, 3)
        return found

    def _characters(self, node: Any) -> list[str]:
        key = repr(node)
        if key not in self._classes:
            one = _compiler.compile(_parser.SubPattern(self._tree.state, [node]), self._flags)
            self._classes[key] = [sign for sign in self._alphabet if one.fullmatch(sign)]
        return self._classes[key]


def _literals(nodes: Any) -> Iterator[int]:
    for kind, value in nodes:
        if kind in (_constants.LITERAL, _constants.NOT_LITERAL):
            yield value
        elif kind == _constants.IN:
            yield from (code for inner, code in value if inner == _constants.LITERAL)
            yield from (code[0] for inner, code in value if inner == _constants.RANGE)
        elif kind == _constants.BRANCH:
            for option in value[1]:
                yield from _literals(option)
        elif kind == _constants.SUBPATTERN:
            yield from _literals(value[-1])
        elif kind == _constants.ATOMIC_GROUP:
            yield from _literals(value)
        elif kind in (_constants.ASSERT, _constants.ASSERT_NOT):
            yield from _literals(value[1])
        elif kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
            yield from _literals(value[2])
