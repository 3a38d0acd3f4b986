"""`draftsmith doctor` and the assistant: who would answer, whether that works, and what to do if not."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from draftsmith.adapters.anthropic.provider import ANTHROPIC
from draftsmith.adapters.doctor.assistant import AssistantSetup, ModelSetup, examine_assistant
from draftsmith.adapters.doctor.doctor import DoctorCheck
from draftsmith.adapters.files.api_key_file import ApiKeyFile
from draftsmith.cli import group as cli
from tests.integration.model_beside import model_beside
from tests.standin import HttpError, Step, Text, ToolUse, Turn

pytestmark = pytest.mark.usefixtures("clean_environment")


NO_KEY = ModelSetup(info=ANTHROPIC, key_source="ANTHROPIC_API_KEY")
SETUP = AssistantSetup(
    assistant_provider="auto",
    assistant_model="claude-sonnet-5-5",
    assistant_ask_model="claude-haiku-5-5",
    assistant_effort="medium",
    available=[NO_KEY],
)


def with_key(key: str, url: str, **changes: Any) -> AssistantSetup:
    """A setup that reaches the stand-in."""
    return replace(SETUP, available=[replace(NO_KEY, key=key, base_url=url)], **changes)


CALLS = Turn([ToolUse("report_status", {"word": "ready"})])


def assistant_checks(setup: AssistantSetup, *, tries_model: bool = False) -> list[DoctorCheck]:
    return list(examine_assistant(setup, tries_model=tries_model))


@pytest.mark.parametrize(
    "provider, words", [("auto", "no API key"), ("builtin", "no AI model"), ("off", "switched off")]
)
def test_no_model_is_fine_unless_one_is_asked_for(provider: str, words: str) -> None:
    (check,) = assistant_checks(replace(SETUP, assistant_provider=provider))
    assert (check.status, check.remedy) == ("ok", "")
    assert words in check.detail


def test_a_model_without_a_key_is_a_failure() -> None:
    (check,) = assistant_checks(replace(SETUP, assistant_provider="anthropic"))
    assert check.status == "fail"
    assert "ANTHROPIC_API_KEY" in check.remedy


def test_both_models_are_looked_for_and_none_is_asked() -> None:
    with model_beside() as model:
        checks = assistant_checks(with_key(model.key, model.url))
    assert [(check.name, check.status) for check in checks] == [("assistant", "ok"), ("assistant, questions", "ok")]
    assert "Claude Sonnet 5.5 (Anthropic)" in checks[0].detail
    assert checks[0].detail.endswith("key from ANTHROPIC_API_KEY")
    assert model.standin.checked == ["claude-sonnet-5-5", "claude-haiku-5-5"]
    assert model.standin.asked == []


@pytest.mark.parametrize(
    "changes, status, words",
    [
        ({"key": "sk-wrong"}, "fail", "ANTHROPIC_API_KEY"),
        ({"assistant_model": "claude-nobody-1"}, "fail", "ASSISTANT_MODEL"),
        ({"assistant_model": "claude-haiku-4-5"}, "warn", "newer model"),
        ({"url": "http://127.0.0.1:1"}, "warn", "127.0.0.1:1"),
    ],
)
def test_what_does_not_work_is_said_with_what_to_do(changes: dict[str, str], status: str, words: str) -> None:
    with model_beside() as model:
        check = assistant_checks(with_key(**{"key": model.key, "url": model.url, **changes}))[0]
    assert check.status == status
    assert words in check.remedy
    assert "sk-wrong" not in str(check)


def test_a_trial_calls_the_tool_and_hits_the_cache() -> None:
    with model_beside() as model:
        model.script[:] = [CALLS] * 4
        checks = assistant_checks(with_key(model.key, model.url), tries_model=True)
    assert [(check.name, check.status) for check in checks] == [
        ("assistant", "ok"),
        ("trial of claude-sonnet-5-5", "ok"),
        ("assistant, questions", "ok"),
        ("trial of claude-haiku-5-5", "ok"),
    ]
    assert "from the cache" in checks[1].detail
    assert [len(asked.body["messages"]) for asked in model.standin.asked] == [1, 1, 1, 1]
    assert model.standin.refused == []


@pytest.mark.parametrize(
    "script, status, words",
    [
        ([Turn([Text("ready")])], "fail", "without calling the tool"),
        ([Turn([ToolUse("report_status", '{"word"')])], "fail", "without calling the tool"),
        ([CALLS, HttpError("billing_error", "No credit")], "fail", "billing"),
        ([CALLS, HttpError("overloaded_error", "Overloaded")], "warn", "overloaded"),
    ],
)
def test_a_trial_that_does_not_go_well(script: list[Step], status: str, words: str) -> None:
    with model_beside() as model:
        model.script[:] = script
        setup = replace(with_key(model.key, model.url), assistant_ask_model=SETUP.assistant_model)
        trial = assistant_checks(setup, tries_model=True)[1]
    assert trial.status == status
    assert words in trial.detail
    assert trial.remedy


def test_the_command_uses_the_saved_key_and_says_what_a_trial_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(tempfile.mkdtemp(prefix="ds-"))
    with model_beside() as model:
        model.brain = lambda _body: CALLS
        ApiKeyFile(folder).save(model.key)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.url)
        options = ["doctor", "--data-dir", str(folder), "--port", "0", "--model"]
        said = CliRunner().invoke(cli.main, options)
        as_json = CliRunner().invoke(cli.main, [*options, "--json"])
    shutil.rmtree(folder)
    assert said.output.startswith("note  each model is asked twice: about 7,000 tokens")
    assert "key from the data folder" in said.output
    assert "sk-standin" not in said.output
    assert [check["name"] for check in json.loads(as_json.output)["checks"]][-1] == "trial of claude-haiku-5-5"
    assert (said.exit_code, as_json.exit_code) == (0, 0)
