"""What goes into a log where something goes wrong: the way there, and no value."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

RAISES = """
import logging, sys
from draftsmith.adapters.process.logs import configure_logs
configure_logs("debug", sys.argv[1])
import rich  # structlog takes it where it is there
import structlog

def enter(api_key):
    body = {"api_key": api_key}
    raise RuntimeError("it broke")

for log in (structlog.get_logger("draftsmith.http"), logging.getLogger("uvicorn.error"), logging.getLogger("asyncio")):
    try:
        enter("sk-" + "secret" * 3)
    except RuntimeError as error:
        log.error("defect", exc_info=error)
"""


@pytest.mark.parametrize("form", ["console", "json"])
def test_no_traceback_shows_local_variables(form: str) -> None:
    """In both forms, of our lines and of libraries', and although `rich` is installed."""
    done = subprocess.run(
        [sys.executable, "-c", RAISES, form], check=True, capture_output=True, text=True, env={"PYTHONPATH": "backend"}
    )
    assert done.stderr.count("it broke") >= 3
    assert done.stderr.count("enter") >= 3, "the way there is shown"
    assert "secretsecret" not in done.stderr
    assert logging.getLogger().handlers, "this process's own are untouched"
