"""The example of a plugin in Python and in JavaScript: as processes, registered and called as the server does it."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from draftsmith.adapters.plugins.connection import HttpPlugin
from draftsmith.adapters.plugins.registered_file import read_registered
from draftsmith.plugin.protocol import read_description
from draftsmith.ports.plugins import PluginFailure, RegisteredPlugin
from tests.integration.plugin_servers import ROOT, plugin_process

EXAMPLES = ROOT / "examples" / "plugin"


def in_javascript(port: int) -> Sequence[str]:
    node = shutil.which("node")
    assert node is not None
    return [node, str(EXAMPLES / "greeter.mjs")]


def in_python(port: int) -> Sequence[str]:
    code = f"import sys; sys.path.insert(0, {str(EXAMPLES)!r}); from greeter import plugin; plugin.run(port={port})"
    return [sys.executable, "-c", code]


@pytest.mark.parametrize("command", [in_python, in_javascript])
async def test_both_examples_are_the_same_plugin(command: Callable[[int], Sequence[str]]) -> None:
    """They describe the same tool, carry the state that they are given, and refuse the same call."""
    with plugin_process(command) as process:
        plugin = HttpPlugin(RegisteredPlugin(name="greeter", url=process.url))
        try:
            described = await plugin.describe()
            assert (described.name, described.version, described.refused) == ("greeter", "1.0.0", ())
            [tool] = described.tools
            assert (tool.name, tool.read_only, tool.input_schema["required"]) == ("greet", True, ["name"])
            assert set(tool.input_schema["properties"]) == {"name", "loud"}
            first = await plugin.invoke("s", "greet", {"name": "Ada"}, {})
            assert (first.result, first.state) == ("Hello, Ada! 0 were greeted before.", {"greeted": 1})
            second = await plugin.invoke("s", "greet", {"name": "Ada", "loud": True}, first.state)
            assert second.result == "HELLO, ADA! 1 WERE GREETED BEFORE."
            with pytest.raises(PluginFailure, match=r"invalid_args: .*name") as refused:
                await plugin.invoke("s", "greet", {"name": 3}, {})
            assert not refused.value.is_away
        finally:
            await plugin.close()


def test_the_guide_shows_what_travels_as_it_is(tmp_path: Path) -> None:
    """Its description is offered as a whole, its answers are read, and its file of registered plugins is one."""
    page = (ROOT / "docs" / "plugins.md").read_text("utf-8")
    blocks = [json.loads(text) for text in re.findall(r"```text\n(.*?)```", page, re.DOTALL)]
    describe, description, invoke, done, failed, registered = blocks
    assert describe == {"hook": "describe"}
    assert read_description(description).refused == ()
    assert invoke.keys() == {"hook", "sessionId", "payload"}
    assert (done["success"], failed["success"]) == (True, False)
    [entry] = registered["plugins"]
    token = tmp_path / "token"
    token.write_text("t")
    path = tmp_path / "plugins.json"
    path.write_text(json.dumps({"plugins": [{**entry, "token_file": str(token)}]}))
    assert [one.name for one in read_registered(path)] == ["greeter"]


def test_the_guide_shows_the_example_as_it_is() -> None:
    """The code of the page is that of the file, from the plugin to its tool."""
    page = (ROOT / "docs" / "plugins.md").read_text("utf-8")
    file = (EXAMPLES / "greeter.py").read_text("utf-8")
    shown = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    assert file.partition('"""\n\n')[2].startswith(shown[1].rstrip())
