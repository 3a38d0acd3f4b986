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


ASKS = """
import asyncio, http.server, sys, threading
from contextlib import suppress
from draftsmith.adapters.plugins.connection import HttpPlugin
from draftsmith.adapters.process.logs import configure_logs
from draftsmith.ports.plugins import PluginFailure, RegisteredPlugin

class Silent(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        asked.append(self.path)
    def log_message(self, *_):
        pass

asked = []
server = http.server.HTTPServer(("127.0.0.1", 0), Silent)
threading.Thread(target=server.serve_forever, daemon=True).start()
configure_logs(sys.argv[1], "json")
url = f"http://ann:secretsecret@127.0.0.1:{server.server_port}"

async def describe():
    plugin = HttpPlugin(RegisteredPlugin(name="one", url=url))
    with suppress(PluginFailure):
        await plugin.describe()
    await plugin.close()

asyncio.run(describe())
print(len(asked))
"""


@pytest.mark.parametrize("level", ["info", "debug"])
def test_asking_a_plugin_leaves_no_line(level: str) -> None:
    """It is asked every three seconds, whether there is a model or not; its address may hold a password."""
    done = subprocess.run(
        [sys.executable, "-c", ASKS, level], check=True, capture_output=True, text=True, env={"PYTHONPATH": "backend"}
    )
    assert done.stdout == "1\n", "it was asked"
    assert "/execute" not in done.stderr
    assert "secretsecret" not in done.stderr
    assert level == "debug" or done.stderr == ""
