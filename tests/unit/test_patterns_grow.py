"""No regular expression of the backend takes more than linear time, whatever it is given.

Each is found where a module holds it or calls `re` with it, so a new one is tried without being named here.
"""

from __future__ import annotations

import ast
import re
from types import ModuleType
from typing import Any

import pytest

from draftsmith.assistant.builtin.grammar import FORMS
from tests.growth import grows_too_much
from tests.house_patterns import HousePattern, all_patterns, called, held
from tests.pattern_texts import Pump, texts_of

_ANCHORED = frozenset({"match", "fullmatch"})
# `_shape` takes these from a table and matches at a place; dots are searched from where those before a hyphen begin.
_ONLY_MATCHED = ("draftsmith.model.mermaid.syntax._PATTERNS.", "draftsmith.model.mermaid.syntax._LINK_END.-.")
# Calls whose pattern the running function makes; what they make is tried below.
_MADE = {"draftsmith.assistant.builtin.template"}


def bad_text(one: HousePattern) -> Pump | None:
    """An adversarial text for which a pattern takes more than linear time; None if there is none."""
    pattern = one.pattern
    if isinstance(pattern.pattern, bytes):
        pattern = re.compile(pattern.pattern.decode("latin-1"), pattern.flags | re.UNICODE)
    methods = {"match"} if one.where.startswith(_ONLY_MATCHED) else one.methods
    for method in sorted(methods & _ANCHORED) + ["finditer"] * bool(methods - _ANCHORED):
        for text in texts_of(pattern):
            if grows_too_much(lambda text, method=method: _run(pattern, method, text), text):  # type: ignore[misc]
                return text
    return None


def _run(pattern: re.Pattern[str], method: str, text: str) -> Any:
    if method == "finditer":
        return sum(1 for _ in pattern.finditer(text))
    return getattr(pattern, method)(text)


def test_no_pattern_of_the_house_backtracks() -> None:
    """Every pattern of the backend takes linear time on texts made against it.

    All in one test: to import every module takes longer than to try the patterns.
    """
    patterns, _ = all_patterns()
    bad = {one.where: text for one in patterns if (text := bad_text(one)) is not None}
    assert not bad


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 finds nothing with `(?:a++|b)*+` where `(?>(?:a++|b)*)` matches (python/cpython#106052)."""
    patterns, _ = all_patterns()
    texts = {one.where: one.pattern.pattern for one in patterns}
    repeated = re.compile(r"(?<!\\)\)[*+?]\+")
    bad = {where: text for where, text in texts.items() if isinstance(text, str) and repeated.search(text)}
    assert not bad
    assert repeated.search("(?:a|b)*+")


def test_the_patterns_of_the_house_are_found() -> None:
    """Those held by a module, in a table, in an object, and in a call, with a text in it that only the caller knows."""
    patterns, _ = all_patterns()
    found = {one.pattern.pattern: one.where for one in patterns}
    assert len(found) > 200
    for form in FORMS:
        assert form.pattern.pattern in found
    assert any("^[ >\\t]*#{1,6}[ \\t]+word" in str(pattern) for pattern in found)
    assert {f"draftsmith.model.mermaid.syntax._LINK_END.{stroke}" for stroke in ("--", "==", "-.")} <= set(
        found.values()
    )


def test_no_call_of_re_is_out_of_sight() -> None:
    """A pattern that only the running function knows stands in a module that is named here, and is tried."""
    _, unknown = all_patterns()
    assert {one.where.partition(":")[0] for one in unknown} == _MADE
    longest = sorted((form.pattern for form in FORMS), key=lambda pattern: len(pattern.pattern))[-5:]
    before_quotation = [form.pattern for form in FORMS if "quoted" in form.slots.values()]
    tried = [bad_text(HousePattern("", one, frozenset({"fullmatch"}))) for one in (*longest, *before_quotation)]
    assert tried == [None] * len(tried)


@pytest.mark.parametrize(
    "pattern, method",
    [
        (r"(a+)+$", "match"),  # exponential
        (r"\s+$", "search"),  # quadratic, from every blank
        (r"(`+)(?!`).*?(?<!`)\1(?!`)", "finditer"),  # quadratic, from every opener
        (r"\[([^\]]*)\]\(", "sub"),
        (r"<!--.*?-->", "search"),
        (r"\]\(\s*[^()\s]*(?:\s+\"[^\"]*\")?\s*\)", "match"),
        (r".+?\s+to\s+.+?\s+with\s+x", "fullmatch"),
        (r"x?(?:a|b)*c", "search"),
    ],
)
def test_a_bad_pattern_is_found(pattern: str, method: str) -> None:
    """The texts are such that a new bad pattern fails here."""
    assert bad_text(HousePattern("planted", re.compile(pattern), frozenset({method}))) is not None


@pytest.mark.parametrize(
    "source",
    [
        "BAD = re.compile(PLANTED)",
        "class Holder:\n    bad = re.compile(PLANTED)",
        "BAD = {'one': [re.compile(PLANTED)]}",
        "def use(text): return re.sub(PLANTED, '', text)",
        "def use(text, name): return re.search(rf'{PLANTED}{re.escape(name)}?', text)",
    ],
)
def test_a_new_pattern_is_seen_wherever_it_stands(source: str) -> None:
    """In a global, a class, a table, a call, and a call with a text that only the caller knows."""
    module = ModuleType("planted")
    module.__dict__.update(re=re, PLANTED=r"\s+$")
    exec(source, module.__dict__)
    known = [pattern.pattern for _, pattern in held(module)]
    known += [one.pattern.pattern for one in called(ast.parse(source), vars(module), "planted")[0]]
    assert any(pattern.startswith(r"\s+$") for pattern in known)
