"""`tests.replay compare` over the real SDKs of two providers, each at a stand-in whose answers are known."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.replay.cases import cases
from tests.replay.comparing import command
from tests.standin import Standin, serve
from tests.standin.kinds import KINDS
from tests.standin.solving import Style, solver

CHOSEN = ("rename", "delete-section", "locked", "ask-cost", "draft-small", "inv-timeout")
SIDES = {"A": ("anthropic", "anthropic:claude-sonnet-5-5"), "B": ("chat", "openai:gpt-6-sol")}


@asynccontextmanager
async def sides(
    monkeypatch: pytest.MonkeyPatch, **styles: Style
) -> AsyncIterator[tuple[dict[str, Standin], dict[str, str]]]:
    """The stand-ins of both sides, and how the sides are named on the command line."""
    standins = {letter: KINDS[kind].standin(solver(styles[letter])) for letter, (kind, _) in SIDES.items()}
    monkeypatch.setenv("KEY_OF_TESTS", standins["A"].key)
    async with serve(standins["A"]) as first, serve(standins["B"]) as second:
        urls = {"A": first, "B": second + "/v1"}
        yield (
            standins,
            {
                letter: f"{words},base_url={urls[letter]},key_from=KEY_OF_TESTS,price=2/10/0.2"
                for letter, (_, words) in SIDES.items()
            },
        )


async def compare_sides(
    words: Mapping[str, str], store_url: str, folder: Path, only: tuple[str, ...] = CHOSEN, **more: Any
) -> tuple[int, dict[str, Any]]:
    """Compare; the exit code and the result."""
    chosen = [case for case in cases() if case.id in only]
    options = {"a": words["A"], "b": words["B"], "standins": False, "budget": 0.0, "budget_tokens": 0, **more}
    code = await command.compare_and_report(Namespace(out=folder / "out", **options), chosen, store_url, folder)
    return code, json.loads((folder / "out" / "result.json").read_text())


def written_text(folder: Path) -> str:
    """All that a comparison has written."""
    return "".join(file.read_text() for file in (folder / "out").iterdir())


def counts(result: Mapping[str, Any], side: str) -> tuple[int, ...]:
    """Right, wrong and refused ones of a side."""
    return tuple(result["figures"][side][name] for name in ("right", "wrong", "refused"))


async def test_who_is_right_wrong_or_refuses_is_counted_so(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything right against everything wrong; refusals against idleness; calls are as many as came."""
    async with sides(monkeypatch, A="right", B="wrong") as (standins, words):
        code, result = await compare_sides(words, redis_url, tmp_path / "one")
        assert (code, counts(result, "A"), counts(result, "B")) == (0, (6, 0, 0), (0, 6, 0))
        assert result["figures"]["A"]["proposed"] == 1, "what is deleted is proposed, accepted, and then judged"
        assert result["figures"]["A"]["accepted"] == 3
        assert result["figures"]["A"]["calls"] == len(standins["A"].asked) == 10
        assert result["figures"]["A"]["cache_read"] > 0
        assert result["tests"]["right"] == {"a": 6, "b": 0, "p": 2 / 2**6, "is_difference": False}
        assert not standins["A"].refused
        assert not standins["B"].refused
    async with sides(monkeypatch, A="refusing", B="idle") as (_, words):
        _, result = await compare_sides(words, redis_url, tmp_path / "two")
        assert (counts(result, "A"), counts(result, "B")) == ((0, 0, 6), (0, 3, 3))
        assert result["figures"]["A"]["cost_per_accepted_change"] is None
    said = capsys.readouterr().out
    assert "| right | 6 (100 %) | 0 (0 %) |" in said
    assert standins["A"].key not in said + written_text(tmp_path / "one") + written_text(tmp_path / "two")


async def test_it_stops_and_goes_on(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At a key that is refused and at the budget; what was answered is not asked again, and no key is written."""
    only = ("rename", "ask-cost")
    async with sides(monkeypatch, A="right", B="right") as (standins, named):
        words = {"A": named["B"], "B": named["A"]}
        monkeypatch.setenv("KEY_OF_TESTS", "sk-of-somebody-else")
        code, result = await compare_sides(words, redis_url, tmp_path, only)
        assert code == 1
        assert "A cannot be asked (auth)" in result["stopped"]
        assert result["errors"] == {"A": 1, "B": 0}
        monkeypatch.setenv("KEY_OF_TESTS", standins["A"].key)
        code, result = await compare_sides(words, redis_url, tmp_path, only, budget_tokens=20_000)
        assert code == 1
        assert "--budget-tokens" in result["stopped"]
        asked = [len(standins[side].asked) for side in "AB"]
        assert sum(asked) < 6
        code, result = await compare_sides(words, redis_url, tmp_path, only)
        assert (code, result["pairs"], result["stopped"]) == (0, 2, "")
        assert [len(standins[side].asked) for side in "AB"] == [3, 3], "each request once: two turns and one"
    said = capsys.readouterr().out + written_text(tmp_path)
    assert "sk-of-somebody-else" not in said
    assert "What it says repeats the key, so it is not shown." in said, "that provider repeats the key"


async def test_prompts_and_edit_modes_are_those_of_the_side(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one side is sent the words of its folder, the other is offered the tools of its edit mode."""
    (tmp_path / "prompts" / "edit").mkdir(parents=True)
    (tmp_path / "prompts" / "edit" / "system.md").write_text("---\nversion: 9\n---\nBe as brief as a telegram.\n")
    async with sides(monkeypatch, A="idle", B="idle") as (standins, words):
        words["A"] += f",prompts={tmp_path / 'prompts'}"
        words["B"] += ",edit_mode=regenerate"
        await compare_sides(words, redis_url, tmp_path, ("rename",))
        a, b = (json.dumps(standins[side].asked[0].body) for side in "AB")
    assert "as brief as a telegram" in a
    assert "rewrite_diagram" not in a
    assert "as brief as a telegram" not in b
    assert "rewrite_diagram" in b


async def test_alternatives_are_counted_and_the_first_is_accepted(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of them are right and change the workspace; none is refused."""
    async with sides(monkeypatch, A="right", B="idle") as (standins, words):
        _, result = await compare_sides(words, redis_url, tmp_path, ("rec-overload", "rec-slow-search"))
        assert (counts(result, "A"), counts(result, "B")) == ((2, 0, 0), (0, 0, 2))
        assert (result["figures"]["A"]["proposed"], result["figures"]["B"]["proposed"]) == (2, 0)
        assert result["parts"]["recommend"]["A"]["right"] == 2
        assert not standins["A"].refused


async def test_requests_for_small_contexts_are_sent_in_short(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the side is set to: of the long document its outline, shorter words; the next request is as ever."""
    async with sides(monkeypatch, A="right", B="right") as (standins, words):
        _, result = await compare_sides(words, redis_url, tmp_path, ("ask-number", "ask-cost", "ask-none"))
        assert counts(result, "A") == (3, 0, 0)
        for side, standin in standins.items():
            sent = {asked_in(one.body): one.body for one in standin.asked}
            small = sent.pop("What do we pay most for each month?")
            assert len(sent) == 2, side
            assert most_of(small) == 8192 // 4, side
            assert all(most_of(whole) > most_of(small) for whole in sent.values()), side
            assert all(len(json.dumps(whole)) > len(json.dumps(small)) for whole in sent.values()), side


def most_of(body: Mapping[str, Any]) -> int:
    """How many tokens the answer may have."""
    return int(body.get("max_tokens") or body["max_completion_tokens"])


def asked_in(body: Mapping[str, Any]) -> str:
    """What a request to a model is about."""
    return next(case.prompt for case in cases() if case.prompt in json.dumps(body, ensure_ascii=False))
