"""docs/commands.md and the grammar say the same: examples are understood, forms and kinds of refusal are listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from draftsmith.assistant.builtin import plan
from draftsmith.assistant.builtin.grammar import FORMS
from draftsmith.assistant.builtin.masking import core, mask
from draftsmith.assistant.builtin.naming import Names, titles
from tests.builders import run
from tests.unit.builtin_shop import shop

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLES = [(line, language != "ask") for language, block in BLOCKS for line in block.splitlines() if line.strip()]
KINDS = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
SOURCES = ROOT / "backend" / "draftsmith" / "assistant" / "builtin"


@pytest.mark.parametrize("sentence,may_edit", EXAMPLES, ids=[example[0][:60] for example in EXAMPLES])
def test_every_example_is_understood(sentence: str, may_edit: bool) -> None:
    """An example of the page is planned, and what it asks for fits."""
    workspace = shop()
    made = plan(sentence, workspace, may_edit=may_edit)
    assert made.refusal is None
    for tool, given in made.calls:
        if tool.startswith("edit_"):
            run(workspace, *given["operations"], by_person=False)


def test_every_form_has_an_example() -> None:
    """No form of the grammar is missing on the page."""
    workspace = shop()
    names = Names(workspace)
    pools = {"diagram": list(names.spelt()), "document": list(titles(workspace))}
    shown = set()
    for line, _ in EXAMPLES:
        for sentence in re.split(r";|, then |\. ", line):
            for form in FORMS:
                masked_text = mask(sentence, pools[form.topic])
                if form.pattern.fullmatch(masked_text.masked, *core(masked_text)):
                    shown.add(form.key)
                    break
    assert {form.key for form in FORMS} - shown == {"show_all", "list_kind_with"}, "both are 'list' in other words"


def test_every_kind_of_refusal_is_listed() -> None:
    """The kinds in the code are those of the page."""
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(SOURCES.glob("*.py")))
    used = set(re.findall(r'Unclear\(\s*"(\w+)"', source)) | set(re.findall(r'Refusal\(\s*"(\w+)"', source))
    used |= set(re.findall(r'_refusal\(\s*"(\w+)"', source)) | {"language"}
    assert used == KINDS
