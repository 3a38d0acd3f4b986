"""Comparing two sides: judged as it should be, counted exactly, bounded, continued, and no key in anything."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path
from typing import Any

import pytest

from tests.builders import run
from tests.replay.cases import Case, cases
from tests.replay.comparing import command
from tests.replay.comparing.comparison import Budget
from tests.replay.comparing.journal import Journal, OtherComparison
from tests.replay.comparing.pairs import BAR, FEWEST, SignTest, less_of, right_of
from tests.replay.comparing.report import result_of, table
from tests.replay.comparing.sides import Side, WrongSide, read_side
from tests.replay.comparing.verdicts import judge
from tests.replay.conditions import After
from tests.standin.solving import SOLUTIONS

_CASES = {case.id: case for case in cases()}
_KEY = "sk-a-key-of-a-person"


def _after(case: Case, *operations: Any, answer: str = "", status: str = "applied") -> After:
    now = case.before()
    if operations:
        run(now, *operations)
    return After(case.before(), now, answer, status)


def _right(case: Case) -> After:
    given = SOLUTIONS[case.id]
    return _after(case, *(one for _, batch in given["calls"] for one in batch["operations"]), answer=given["text"])


_LOOSE = {"op": "add_node", "type": "other", "label": "Loose"}


@pytest.mark.parametrize(
    "name, after, code, verdict, is_accepted",
    [
        ("rename", _right, "", "right", True),
        ("rename", lambda case: _after(case, _LOOSE, answer="Done."), "", "wrong", False),
        ("rename", lambda case: _after(case, answer="Done.", status="answered"), "", "refused", False),
        ("rename", _after, "refusal", "refused", False),
        ("rename", _after, "too_many_failures", "refused", False),
        ("rename", _after, "rate_limited", "error", False),
        ("rename", _right, "network", "error", False),
        ("locked", lambda case: _after(case, answer="Payments is locked."), "", "right", False),
        ("locked", lambda case: _after(case, answer="Done."), "", "wrong", False),
        ("locked", lambda case: _after(case, _LOOSE, answer="Payments is locked."), "", "wrong", False),
        ("ask-cost", _right, "", "right", False),
        ("ask-cost", lambda case: _after(case, answer="I do not know."), "", "wrong", False),
        ("inv-no-cause", lambda case: _after(case, answer="Nothing in it does."), "", "wrong", False),
    ],
)
def test_verdicts(name: str, after: Any, code: str, verdict: str, is_accepted: bool) -> None:
    """A change that was not asked for is wrong, none at all is a refusal, and what the network did is neither."""
    judged = judge(_CASES[name], after(_CASES[name]), code)
    assert (judged.verdict, judged.is_accepted) == (verdict, is_accepted)


def test_the_sign_test_is_exact() -> None:
    """It is the two-sided binomial test; few pairs never make a difference, one-sided many do, and words say so."""
    assert SignTest(9, 1).p == pytest.approx(2 * (comb(10, 0) + comb(10, 1)) / 2**10)
    assert SignTest(5, 5).p == SignTest(0, 0).p == 1
    assert SignTest(1, 9).p == SignTest(9, 1).p
    assert not any(SignTest(n, 0).is_difference for n in range(FEWEST))
    assert SignTest(FEWEST, 0).p < BAR
    assert right_of([(True, False), (True, True), (False, False), (False, True), (True, False)]) == SignTest(2, 1)
    assert less_of([(1, 2), (2, 1), (1, 1), (3, 4)]) == SignTest(2, 1)
    assert "probably a difference, in favour of B" in SignTest(1, 14).words("Right")
    assert "do not choose by it" in SignTest(9, 4).words("Right")
    assert "nothing could be told" in SignTest(3, 0).words("Right")
    assert "nothing could be told" not in SignTest(9, 4).words("Right")


@pytest.fixture
def two_keys(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Two keys in the environment."""
    given = {"OPENAI_API_KEY": _KEY, "OTHER_KEY": "another"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return given


def test_a_side_is_what_an_operator_would_set(two_keys: dict[str, str], tmp_path: Path) -> None:
    """Model, edit mode, prompts, effort and price are read; other prompts are another side; its JSON has no key."""
    (tmp_path / "edit").mkdir()
    (tmp_path / "edit" / "system.md").write_text("---\nversion: 9\n---\nBe brief.\n")
    words = f"openai:qwen3:8b,edit_mode=regenerate,effort=low,prompts={tmp_path},api=chat,price=2/10/0.2"
    side = read_side("A", words, two_keys, tmp_path)
    told = side.to_json()
    assert (told["provider"], told["model"], told["ask_model"]) == ("openai", "qwen3:8b", "qwen3:8b")
    assert (told["edit_mode"], told["effort"], told["options"]["api"]) == ("regenerate", "low", "chat")
    plain = read_side("B", "openai:qwen3:8b", two_keys, tmp_path).to_json()
    assert {name for name in told["prompts"] if told["prompts"][name] != plain["prompts"][name]} == {"edit"}
    assert side.cost is not None
    assert side.cost.of({"input": 1_000_000, "cache_read": 400_000, "cache_write": 0, "output": 100_000}) == 2.28
    assert _KEY not in json.dumps(told)


def test_a_key_goes_nowhere_else(two_keys: dict[str, str], tmp_path: Path) -> None:
    """The key of a provider is for its own address; another address is sent the one that is named, or none."""

    def key(words: str) -> str:
        return read_side("A", words, two_keys, tmp_path).key

    assert key("openai:gpt-6-sol") == _KEY
    assert key("openai:qwen3,base_url=http://localhost:9/v1") == ""
    assert key("openai:qwen3,base_url=http://localhost:9/v1,key_from=OTHER_KEY") == "another"


@pytest.mark.parametrize(
    "words, said",
    [
        ("opnai:gpt", "no provider of models; there are anthropic, openai"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("openai:gpt,colour=red", "no 'colour'; there are edit_mode, prompts"),
        ("openai:gpt,api_key=sk-1", "never from the command line"),
        ("openai:gpt,edit_mode=rewrite", "edit_mode"),
        ("openai:gpt,prompts=/no/such/folder", "/no/such/folder has none"),
        ("openai:gpt,price=cheap", "price=input/output"),
        ("openai:gpt,base_url=https://me:secret@host", "a password does not belong here"),
        ("openai:gpt,effort", "no name=value"),
    ],
)
def test_a_wrong_side_says_what_would_be_right(words: str, said: str, two_keys: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(WrongSide, match=said):
        read_side("A", words, two_keys, tmp_path)


def _row(case: str, side: str, verdict: str = "right", **more: Any) -> dict[str, Any]:
    tokens = {"input": 900, "cache_read": 0, "cache_write": 0, "output": 100}
    row = {"case": case, "side": side, "part": "edit", "verdict": verdict, "accepted": verdict == "right", "calls": 2}
    rest = {"proposed": False, "status": "applied", "code": "", "failed": [], "tokens": tokens, "seconds": 1.0}
    return {**row, **rest, "cost": 0.5, "said": "", **more}


def test_a_journal_goes_on(tmp_path: Path) -> None:
    """What was written is there again, a line that was cut off is dropped, an error is asked again; no key is kept."""
    head = {"sides": {"A": 1}}
    journal = Journal(tmp_path, head, [_KEY, "A"])
    journal.add(_row("one", "A"))
    journal.add(_row("one", "B", "error", said=f"wrong key {_KEY}", failed=[{"answer": _KEY}]))
    file = tmp_path / "answers.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"case": "two", "si')
    again = Journal(tmp_path, head, [])
    assert file.read_bytes() == whole
    assert again.judged().keys() == {("one", "A")}
    assert again.rows[1]["said"] == "wrong key …"
    assert _KEY not in file.read_text()
    with pytest.raises(OtherComparison, match="another folder"):
        Journal(tmp_path, {"sides": {"A": 2}}, [])


def test_a_budget_counts_everything() -> None:
    """It stops before a request that may not fit, by what its side took at most; errors and both sides count."""
    rows = [_row("one", "A"), _row("one", "B", "error", cost=2.0)]
    assert Budget().refusal_or_none(rows, "A") is None
    assert Budget(money=3.0).refusal_or_none(rows, "A") is None
    assert "--budget 3" in (Budget(money=3.0).refusal_or_none(rows, "B") or "")
    assert Budget(tokens=3_000).refusal_or_none(rows, "A") is None
    assert "--budget-tokens 2999" in (Budget(tokens=2_999).refusal_or_none(rows, "A") or "")
    assert Budget(money=2.5).refusal_or_none(rows, "A") is not None


def test_figures_are_of_pairs() -> None:
    """Only requests that both sides were judged in count; refused ones make an accepted change dearer, not cheaper."""
    rows = [_row("one", "A"), _row("one", "B"), _row("two", "A", "refused"), _row("two", "B", "wrong", cost=1.5)]
    rows += [_row("three", "A"), _row("three", "B", "error"), _row("four", "A", seconds=9.0)]
    judged = {(row["case"], row["side"]): row for row in rows if row["verdict"] != "error"}
    side = {"provider": "p", "model": "m", "ask_model": "m", "edit_mode": "tools", "effort": "low", "prompts": {}}
    head = {"sides": {"A": side, "B": side}, "standins": True}
    result = result_of(head, judged, rows, "")
    assert result["pairs"] == 2
    a, b = result["figures"]["A"], result["figures"]["B"]
    assert [a[name] for name in ("right", "wrong", "refused", "accepted")] == [1, 0, 1, 1]
    assert [b[name] for name in ("right", "wrong", "refused", "accepted")] == [1, 1, 0, 1]
    assert result["errors"] == {"A": 0, "B": 1}
    assert (a["cost_per_accepted_change"], b["cost_per_accepted_change"]) == (1.0, 2.0)
    assert result["tests"]["right"] == {"a": 0, "b": 0, "p": 1.0, "is_difference": False}
    unknown = result_of(head, {key: {**row, "cost": None} for key, row in judged.items()}, rows, "")
    assert unknown["figures"]["A"]["cost"] is None
    assert "| cost per accepted change, USD | unknown | unknown |" in table(unknown, "USD")
    assert "no model" in table(unknown, "USD")
    assert table(result_of(head, {}, [], "Stopped."), "USD").count("unknown") >= 4


@pytest.mark.parametrize(
    "words", [["--a", "openai"], [], ["--standins", "--a", "openai"], ["--standins", "--only", "no"]]
)
def test_a_command_without_sense_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is started and nothing is asked."""
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_a_side_is_not_shown_with_its_key(two_keys: dict[str, str], tmp_path: Path) -> None:
    """Not even where somebody prints it."""
    side: Side = read_side("A", "openai:gpt-6-sol", two_keys, tmp_path)
    assert _KEY not in repr(side)
