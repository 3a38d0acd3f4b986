"""Lines of the launcher look like those of the other processes."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator

import pytest
import structlog

from draftsmith.adapters.process.logs import configure_logs
from draftsmith.adapters.process.plain_log import Form, PlainLog

FIELDS = {"process": "worker 1", "pid": 7, "reason": "killed by SIGKILL", "restart_in_s": 0.2, "word": "a", "none": ""}
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


@pytest.fixture
def restored() -> Iterator[None]:
    """Logging as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(form: Form, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """One line of each, with the time replaced."""
    PlainLog("draftsmith.launcher", "info", form).line("warning", "process_ended", **FIELDS)
    plain = capsys.readouterr().err
    configure_logs("info", form)
    structlog.get_logger("draftsmith.launcher").warning("process_ended", **FIELDS)
    return _TIME.sub("T", plain), _TIME.sub("T", capsys.readouterr().err)


@pytest.mark.usefixtures("restored")
def test_a_line_for_people_looks_like_those_of_workers(capsys: pytest.CaptureFixture[str]) -> None:
    plain, other = lines("console", capsys)
    assert plain.split()[:4] == other.split()[:4]
    assert set(re.findall(r"\w+=(?:'[^']*'|\S+)", plain)) == set(re.findall(r"\w+=(?:'[^']*'|\S+)", other))


@pytest.mark.usefixtures("restored")
def test_a_line_of_json_has_the_fields_that_those_of_workers_have(capsys: pytest.CaptureFixture[str]) -> None:
    plain, other = lines("json", capsys)
    assert json.loads(plain) == json.loads(other)


def test_lines_below_the_level_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    log = PlainLog("draftsmith.launcher", "error")
    log.line("warning", "process_ended")
    log.line("error", "start_failed")
    assert capsys.readouterr().err.count("\n") == 1
