"""The page's model against the server's: the built client runs, under Node, what this package made.

P1 and P15 for the page; and what it predicts is what the server makes, to the step.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import orjson
import pytest

from tests.node.gestures import generated
from tests.node.named_cases import FOLDER, NAMES, cases_of, written
from tests.node.step_cases import Case
from tests.seeds import examples

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "frontend" / "dist" / "client" / "draftsmith-client.js"
RUNNER = ROOT / "tests" / "node" / "steps.mjs"
SEED = 20_261_121
HISTORIES = examples(250)

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")


def complaints_of_the_page(cases: list[Case], folder: Path) -> str:
    """Run cases against the built client; what it makes otherwise, a line each."""
    assert CLIENT.exists(), "the client library has not been built: make setup"
    path = folder / "cases.json"
    path.write_bytes(orjson.dumps(cases))
    run = subprocess.run(["node", RUNNER, path], capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert (run.returncode == 0) == (run.stdout == "")
    return run.stdout


def test_the_page_does_what_the_server_does(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Steps of all kinds, their inverses and their reasons not to fit are the same; predictions are what will be.

    Operations that gestures emit are predicted step by step, and no operation that is refused is promised.
    """
    chosen = pytestconfig.option.hypothesis_seed
    number = SEED if chosen is None else int(chosen)
    print(f"seed: {number}")
    cases = generated(HISTORIES, number)
    if number == SEED:  # chance may leave one out elsewhere
        kinds = {step["k"] for case in cases if "after" in case for step in case["steps"]}
        assert kinds >= {"node+", "node-", "node=", "edge+", "edge-", "edge=", "text", "name"}
    known = [case for case in cases if case.get("predicted")]
    fitting = [case for case in known if "after" in case]
    assert len(fitting) > HISTORIES
    assert len(known) - len(fitting) > HISTORIES / 3
    assert complaints_of_the_page(cases, tmp_path) == ""


def test_the_page_agrees_on_named_cases(tmp_path: Path) -> None:
    """The cases that Vitest runs against the sources hold for what was built, too."""
    assert complaints_of_the_page([case for name in NAMES for case in cases_of(name)], tmp_path) == ""


@pytest.mark.parametrize("name", sorted(NAMES))
def test_named_cases_are_what_the_server_makes_of_them(name: str) -> None:
    """The committed cases are those of this release; `python -m tests.node.named_cases` writes them anew."""
    assert (FOLDER / f"{name}.json").read_bytes() == written(cases_of(name))


def test_every_reason_has_a_case() -> None:
    """Each sentence with which a step refuses a state is among the named cases."""
    [case] = cases_of("misfits")
    told = {re.sub(r"'[^']*'", "…", reason) for reasons in case["reasons"] for reason in reasons if reason}
    sources = (ROOT / "backend" / "draftsmith" / "transform" / "steps").glob("*.py")
    wanted = {pattern for source in sources for pattern in _reasons_in(source.read_text())}
    assert len(wanted) > 15
    assert {pattern for pattern in wanted if not any(re.fullmatch(pattern, reason) for reason in told)} == set()


def _reasons_in(source: str) -> set[str]:
    """The sentences of `misfit` methods, as patterns: what is put into them may be anything."""
    source = re.sub(r"raise .*", "", source)
    found = re.findall(r'f?"((?:the |\'\{)[^"\n]*)"', source)
    return {re.sub(r"'?\\\{.*?\\\}'?", ".*", re.escape(sentence)) for sentence in found if " " in sentence}


def test_a_model_that_errs_is_found_out(tmp_path: Path) -> None:
    """A case that was tampered with is complained about, so silence means agreement."""
    [case, *_] = cases_of("nodes")
    assert complaints_of_the_page([{**case, "after": case["before"]}], tmp_path)
    assert complaints_of_the_page([{**case, "predicted": False}], tmp_path)
    step = {**case["steps"][0], "b": 1}
    assert complaints_of_the_page([{**case, "steps": [step]}], tmp_path)
    refused = {name: case[name] for name in ("name", "before", "operations", "predicted")}
    assert complaints_of_the_page([{**refused, "problems": [[0, "locked"]]}], tmp_path)
