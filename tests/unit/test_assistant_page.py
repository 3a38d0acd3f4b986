"""docs/assistant.md and the code agree: codes, statuses, events, settings, fields of usage."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from draftsmith.adapters import model_errors
from draftsmith.api.forms.problems import STATUS
from draftsmith.api.routes.runs import KINDS
from draftsmith.assistant import loop
from draftsmith.settings_models import ModelSettings
from draftsmith.usecases.runs import run

ROOT = Path(__file__).parents[2]
BACKEND = ROOT / "backend" / "draftsmith"
PAGE = (ROOT / "docs" / "assistant.md").read_text("utf-8")
ROOMS = (
    "assistant/loop.py", "assistant/answers/parse.py", "adapters/anthropic/*.py", "usecases/runs/*.py",
    "usecases/staging/*.py", "usecases/plugins/*.py", "usecases/providers/*.py", "usecases/usage/*.py",
    "usecases/proposals/*.py", "usecases/commits/at_head.py", "usecases/commits/staged_request.py",
)  # fmt: skip
OF_THE_API = {"internal", "forbidden", "invalid_request", "key_reused"}


def codes_in(path: Path) -> set[str]:
    """Codes that a module raises: every text that may be the first argument of an error, or is called `conflict`."""
    found = set()
    for call in (one for one in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(one, ast.Call)):
        given = [keyword.value for keyword in call.keywords if keyword.arg == "conflict"]
        if getattr(call.func, "id", "") in ("DraftsmithError", "ProviderError") and call.args:
            given.append(call.args[0])
        for place in given:
            texts = [place.body, place.orelse] if isinstance(place, ast.IfExp) else [place]
            found |= {str(one.value) for one in texts if isinstance(one, ast.Constant)}
    return found


def used() -> set[str]:
    """Codes that requests to the assistant can meet."""
    paths = [path for room in ROOMS for path in BACKEND.glob(room)]
    assert len(paths) > 15, "the rooms have moved"
    tables = {*loop._STOPS, *model_errors._SENTENCES, *run._CODES.values(), run._NOT_UNDERSTOOD}
    return tables.union(*(codes_in(path) for path in paths))


def table_under(title: str) -> list[list[str]]:
    """The rows of the table below a heading, without its head."""
    (part,) = re.findall(rf"^#+ {title}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line for line in part.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names_in_cell(cell: str) -> list[str]:
    return re.findall(r"`([A-Za-z_]+)`", cell)


def outcomes() -> set[str]:
    return {name for row in table_under("Outcomes") for name in names_in_cell(row[0])}


def refusals() -> dict[str, int]:
    return {name: int(row[1]) for row in table_under("Refusals") for name in names_in_cell(row[0])}


def test_every_code_that_is_used_is_on_the_page() -> None:
    """Whatever a request to the assistant can end with is explained, with what to do."""
    assert used() - outcomes() - refusals().keys() == set()


def test_every_code_on_the_page_is_used() -> None:
    # A status of runs, and codes that a table of limits gives.
    made_elsewhere = {"cancelled", "limit_nodes", "limit_edges", "limit_document"}
    assert (outcomes() | refusals().keys()) - used() - made_elsewhere - OF_THE_API == set()


def test_every_outcome_says_what_happened() -> None:
    for code, happened, remedy in table_under("Outcomes"):
        assert happened, code
        assert remedy or "cancelled" in code


def test_refusals_have_the_statuses_of_the_page() -> None:
    assert {code: STATUS.get(code, 422) for code in refusals()} == refusals()


def test_the_page_lists_the_events_of_the_contract() -> None:
    lines = re.findall(r"^\| (`[a-z`, ]+`) \| `", PAGE, re.MULTILINE)
    assert {name for line in lines for name in names_in_cell(line)} >= set(KINDS)


def test_the_page_lists_the_settings_with_their_defaults() -> None:
    rows = {name.lower(): row[1] for row in table_under("Settings and limits") for name in names_in_cell(row[0])}
    mine = set(ModelSettings.model_fields)
    assert rows.keys() == mine
    for name in mine - {"anthropic_api_key", "anthropic_base_url"}:
        default = ModelSettings.model_fields[name].default
        assert rows[name] == (f"{default:,}" if isinstance(default, int) else default or "none"), name
