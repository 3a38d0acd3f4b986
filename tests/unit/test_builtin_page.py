"""docs/commands.md and the grammar say the same: examples are understood, forms and kinds of refusal are listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from draftsmith.assistant.builtin import plan
from draftsmith.assistant.builtin.clause import CHOICES
from draftsmith.assistant.builtin.grammar import FORMS, mask_all
from draftsmith.assistant.builtin.masking import core
from draftsmith.assistant.builtin.names import Names
from tests.builders import run
from tests.unit.builtin_shop import builtin_shop
from tests.unit.test_builtin_compound import ASKED
from tests.unit.test_builtin_compound import REFUSED as COMPOUND
from tests.unit.test_builtin_refusals import REFUSED

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLES = [
    (line, language != "ask")
    for language, block in BLOCKS
    if language != "text"
    for line in block.splitlines()
    if line.strip()
]
KINDS = set(re.findall(r"^\| `(\w+)` \|", PAGE.partition("| Kind | When |")[2], re.MULTILINE))
OFFERED = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", PAGE, re.MULTILINE)
TELLING = re.findall(r'"(\w+)"', PAGE.partition("a word that joins")[2].partition("What is offered")[0])
SOURCES = ROOT / "backend" / "draftsmith" / "assistant" / "builtin"


@pytest.mark.parametrize("sentence,may_edit", EXAMPLES, ids=[example[0][:60] for example in EXAMPLES])
def test_every_example_is_understood(sentence: str, may_edit: bool) -> None:
    """An example of the page is planned, and what it asks for fits."""
    workspace = builtin_shop()
    made = plan(sentence, workspace, may_edit=may_edit)
    assert made.refusal is None
    for tool, given in made.calls:
        if tool.startswith("edit_"):
            run(workspace, *given["operations"], by_person=False)


def test_every_form_has_an_example() -> None:
    """No form of the grammar is missing on the page."""
    names = Names(builtin_shop())
    shown = set()
    for line, _ in EXAMPLES:
        for sentence in re.split(r";|, then |\. ", line):
            masked_text = mask_all(sentence, names)
            for form in FORMS:
                if form.pattern.fullmatch(masked_text.masked, *core(masked_text)):
                    shown.add(form.template)
                    break
    assert {form.template for form in FORMS} - shown == {
        "show [me ]all [the ]{kinds}",  # these two are "list" in other words
        "(list|show|find) [me ][all ][the ]{kinds} with {technology}",
        "label the connection from {a:node} to {b:node} [(as|with) ]{label:text}",  # a quotation has its own form
    }


def test_the_grammar_on_the_page_is_the_table() -> None:
    """The forms on the page are those that the parser has, and no others."""
    listed = [line for language, block in BLOCKS if language == "text" for line in block.splitlines()]
    table = [re.sub(r"\{(?:\w+:)?(\w+)\}", lambda slot: slot[1].upper(), form.template) for form in FORMS]
    assert sorted(listed) == sorted(set(table))


def test_every_kind_of_refusal_is_listed() -> None:
    """The kinds in the code are those of the page."""
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(SOURCES.glob("*.py")))
    used = set(re.findall(r'UnclearSentence\(\s*"(\w+)"', source)) | set(re.findall(r'Refusal\(\s*"(\w+)"', source))
    used |= set(re.findall(r'_refusal\(\s*"(\w+)"', source)) | {"language"}
    used |= {f"{slot}_unknown" for slot in CHOICES}
    assert used == KINDS


@pytest.mark.parametrize("sentence,offered", OFFERED, ids=[row[0] for row in OFFERED])
def test_what_the_page_says_is_offered(sentence: str, offered: str) -> None:
    """A sentence that the page says is refused is, with the other one offered first."""
    refusal = plan(sentence, builtin_shop(), may_edit=True).refusal
    assert refusal is not None
    assert refusal.suggestions[0] == offered
    assert len(OFFERED) >= 9


@pytest.mark.parametrize("word", TELLING)
def test_words_that_the_page_names_are_not_taken_into_a_name(word: str) -> None:
    """Each word that the page gives as an example is refused in a new name, and taken in quotation marks."""
    assert len(TELLING) >= 8
    name = f"Basket {word} more"
    refusal = plan(f"rename Cart to {name}", builtin_shop(), may_edit=True).refusal
    assert refusal is not None
    assert refusal.kind == "name_unclear"
    assert f'rename Cart to "{name}"' in refusal.suggestions
    assert plan(f'rename Cart to "{name}"', builtin_shop(), may_edit=True).refusal is None


def test_every_kind_of_refusal_is_reached() -> None:
    """Each kind on the page is the refusal of some sentence of the tests; the rest need a run or other workspaces."""
    reached = {row[-1] for row in REFUSED} | {row[1] for row in (*COMPOUND, *ASKED)} | {"help", "undo"}
    assert KINDS - reached == {"too_long", "section_ambiguous", "connected", "misfit", "changed", "unavailable"}
