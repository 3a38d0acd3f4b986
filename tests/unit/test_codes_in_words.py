"""docs/operations.md, "In words": every code that any part of the product can say has a sentence for people."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from draftsmith.adapters import model_errors
from draftsmith.adapters.redis import errors as redis_errors
from draftsmith.api.forms.problems import STATUS
from draftsmith.assistant import loop
from draftsmith.collab.protocol import CLOSE_CODES
from draftsmith.usecases.runs import run

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "backend" / "draftsmith"
EDITOR = ROOT / "frontend" / "src"
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").partition("\n## In words\n")[2]
FOR_PEOPLE, _, ELSEWHERE = PAGE.partition("\n### At the command line\n")
SENTENCES = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", FOR_PEOPLE, re.MULTILINE))
AT_THE_COMMAND_LINE = frozenset(re.findall(r"^\| `(\w+)` \| [^|]+ \|$", ELSEWHERE, re.MULTILINE))

# Where the code stands among the arguments of what carries one; refusals of built-in commands have words, not codes.
PLACES = {
    "DraftsmithError": 0,
    "ProviderError": 0,
    "OperationRefused": 0,
    "ending": 0,
    "_warning": 0,
    "warn": 0,
    "Problem": 2,
}
PLACES |= {"StorageError": 1}
# A page says these of its own accord; `http_502` and the like are one row.
OF_THE_PAGE = re.compile(
    r"(?<!', )code: '(\w+)'|new Refused\(\s*'(\w+)'|refuseAll\(\s*'(\w+)'|refused\w+\([^()]*'(\w+)'"
)


def codes_in(tree: ast.AST) -> Iterator[str]:
    """Codes that a module names: arguments of what carries one."""
    for call in (one for one in ast.walk(tree) if isinstance(one, ast.Call)):
        name = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
        given = [keyword.value for keyword in call.keywords if keyword.arg in ("code", "conflict")]
        if name in PLACES and len(call.args) > PLACES[name]:
            given.append(call.args[PLACES[name]])
        for place in given:
            for one in (place.body, place.orelse) if isinstance(place, ast.IfExp) else (place,):
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def said_by_the_server() -> set[str]:
    found = {*STATUS, *CLOSE_CODES, *loop._STOPS, *model_errors._SENTENCES, *run._CODES.values()}
    found |= {code for _, _, code in redis_errors._BY_WORDS}
    for path in SERVER.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= set(codes_in(ast.parse(text)))
        found |= set(re.findall(r'return "(\w+)", f?"', text)) if "transform" in path.parts else set()
    return found


def said_by_the_page() -> set[str]:
    texts = (path.read_text(encoding="utf-8") for path in EDITOR.rglob("*.ts*"))
    return {code for text in texts for groups in OF_THE_PAGE.findall(text) for code in groups if code}


def test_every_code_of_the_server_has_words() -> None:
    """Whatever the server refuses, ends or warns with, a person is told in a sentence."""
    said = said_by_the_server()
    assert said - SENTENCES.keys() - AT_THE_COMMAND_LINE == set()
    assert len(said) > 110, "the search finds the codes"


def test_every_code_of_the_page_has_words() -> None:
    """So is what the page itself finds out."""
    said = said_by_the_page()
    assert said - SENTENCES.keys() == set()
    assert {"uncertain", "unreachable", "not_json", "text_overlap"} <= said, "the search finds the codes"


def test_no_row_is_left_over() -> None:
    """A code that nobody says any more has no row."""
    made_elsewhere = {"cancelled", "run_gone", "http_error"}  # a status, a message, a stand-in for any number
    rows = SENTENCES.keys() | AT_THE_COMMAND_LINE
    assert rows - said_by_the_server() - said_by_the_page() == made_elsewhere


def test_what_a_request_can_end_with_says_that_nothing_was_changed() -> None:
    """Outcomes of runs and refusals of a whole change leave no doubt about what became of it."""
    page = (ROOT / "docs" / "assistant.md").read_text(encoding="utf-8")
    part = page.partition("\n### Outcomes\n")[2].partition("\n## ")[0]
    outcomes = {
        code for row in re.findall(r"^\| (`[^|]+) \|", part, re.MULTILINE) for code in re.findall(r"`(\w+)`", row)
    }
    unsure = {"internal", "busy"}
    assert {code for code in outcomes - unsure if "nothing was changed" not in SENTENCES[code]} == set()
    assert len(outcomes) > 20
