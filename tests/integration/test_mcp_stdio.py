"""`draftsmith mcp` as desktop programs run it: the real command, by the protocol's own client over pipes."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.integration.agents import AgentCaller
from tests.integration.client import Api, node
from tests.integration.processes import processes_of, wait_for
from tests.integration.servers import Server
from tests.listening import listening
from tests.timeouts import TIMEOUT_SECONDS

COMMAND = str(Path(sys.executable).with_name("draftsmith"))


@asynccontextmanager
async def program(*options: str, mode: str = "auto", on_message: Any = None) -> AsyncIterator[AgentCaller]:
    """Run the command for an agent, with these options."""
    parameters = StdioServerParameters(command=COMMAND, args=["mcp", *options], env={"PATH": os.environ["PATH"]})
    async with Client(
        stdio_client(parameters), mode=mode, read_timeout_seconds=TIMEOUT_SECONDS, message_handler=on_message
    ) as client:
        yield AgentCaller(client)


Ask = Callable[..., dict[str, Any]]


@contextmanager
def desktop_program(*options: str) -> Iterator[tuple[subprocess.Popen[bytes], Ask]]:
    """A shell that runs the command with pipes of ours, and a function that sends a request and reads its response."""
    line = " ".join(shlex.quote(word) for word in (COMMAND, "mcp", *options))
    shell = subprocess.Popen(
        ["sh", "-c", f"{line}; :"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PATH": os.environ["PATH"]}
    )
    assert shell.stdin is not None
    assert shell.stdout is not None
    stdin, stdout = shell.stdin, shell.stdout
    numbers = itertools.count(1)

    def ask(method: str, **params: Any) -> dict[str, Any]:
        request = {"jsonrpc": "2.0", "id": next(numbers), "method": method, "params": params}
        stdin.write(json.dumps(request).encode() + b"\n")
        stdin.flush()
        response: dict[str, Any] = json.loads(stdout.readline())
        assert response["id"] == request["id"]
        return response

    try:
        yield shell, ask
    finally:
        stdin.close()
        stdout.close()
        shell.wait(TIMEOUT_SECONDS)


@asynccontextmanager
async def forwarding(port: int, url: str) -> AsyncIterator[None]:
    """Have a port of this machine lead to a server."""
    target = urlsplit(url)

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(target.hostname, target.port)
        try:
            await asyncio.gather(pipe(reader, there_writer), pipe(there_reader, writer))
        finally:
            there_writer.transport.abort()

    async with listening(accept, port):
        yield


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_desktop_program_reads_and_edits_on_a_running_server(server: Server, api: Api, mode: str) -> None:
    """The tools, their schemas and their refusals are the server's, in both forms of the protocol."""
    w = api.create(name="Shop")
    async with program("--url", server.url, mode=mode) as one:
        listed = (await one.client.list_tools()).tools
        assert {"read_workspace", "edit"} <= {tool.name for tool in listed}
        await one.call("read_workspace", workspace=w)
        done = await one.edit(w, 1, {"op": "add_node", "id": "cache", "type": "cache", "label": "Zwischenspeicher ü"})
        assert done["revision"] == 2
        api.batch(w, node("other"))
        await one.refused("workspace_not_found", "read_workspace", workspace="0" * 26)
        with pytest.raises(Exception, match="There is no tool"):
            await one.raw("nope")
    assert "Zwischenspeicher ü" in json.dumps(api.read(w), ensure_ascii=False)


async def test_a_program_starts_the_server_others_share_it_and_it_ends_with_them(tmp_path: Path) -> None:
    """A second program on the folder uses the first one's server, and goes on with one of its own when that ends."""
    data = tmp_path / "data"
    async with program("--data-dir", str(data)) as second:
        async with program("--data-dir", str(data)) as first:
            made = await first.call("create_workspace", name="Kept")
            listed = await second.call("list_workspaces")
            assert [one["workspace"] for one in listed["workspaces"]] == [made["workspace"]]
            assert listed["workspaces"][0]["link"] == made["link"]  # one server for both
        again = await second.call("list_workspaces")
        assert [one["name"] for one in again["workspaces"]] == ["Kept"]
    wait_for(lambda: not processes_of(data), lambda: str(processes_of(data)))


def test_a_program_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    """Neither killing the command nor losing what started it leaves a process; nothing acknowledged is lost."""
    data = tmp_path / "data"
    for ending in ("killed", "orphaned"):
        with desktop_program("--data-dir", str(data)) as (shell, ask):
            made = ask("tools/call", name="create_workspace", arguments={"name": ending})
            assert not made["result"].get("isError"), made
            [bridge] = [one for one in psutil.Process(shell.pid).children() if "mcp" in one.cmdline()]
            (bridge if ending == "killed" else psutil.Process(shell.pid)).kill()
            wait_for(lambda: not processes_of(data), lambda: str(processes_of(data)))
    with desktop_program("--data-dir", str(data)) as (_, ask):
        listed = ask("tools/call", name="list_workspaces", arguments={})["result"]["structuredContent"]["workspaces"]
        assert {one["name"] for one in listed} == {"killed", "orphaned"}


async def test_a_server_that_is_away_is_told_to_the_model_and_found_again(server: Server, api: Api) -> None:
    """A call is answered with what is the matter, as its result; the next one is done if the server is back."""
    api.create(name="There")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with desktop_program("--url", f"http://127.0.0.1:{port}") as (_, ask):
        refused = ask("tools/call", name="list_workspaces", arguments={})["result"]
        assert refused["isError"]
        assert f"does not answer at http://127.0.0.1:{port}" in refused["content"][0]["text"]
        assert "Nothing was done" in refused["content"][0]["text"]
        async with forwarding(port, server.url):
            done = await asyncio.to_thread(ask, "tools/call", name="list_workspaces", arguments={})
            assert "There" in json.dumps(done["result"]["structuredContent"])
        lost = ask("tools/list")
        assert lost["error"]["code"] == -32000


def test_what_is_no_message_is_refused_and_the_key_is_no_argument(server: Server, tmp_path: Path) -> None:
    """Every line of the output is a message; a key comes by a file or a variable, and a wrong one is told in words."""
    key = tmp_path / "key"
    key.write_text("ds_key_wrong\n")
    call = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "list_workspaces", "arguments": {}}}
    given = b"nonsense\n[]\n\n" + json.dumps(call).encode() + b"\n"
    for options, environment in ((["--key-file", str(key)], {}), ([], {"DRAFTSMITH_KEY": "ds_key_wrong"})):
        done = subprocess.run(
            [COMMAND, "mcp", "--url", server.url, *options],
            input=given, capture_output=True, timeout=TIMEOUT_SECONDS, check=True,
            env={"PATH": os.environ["PATH"], **environment},
        )  # fmt: skip
        parse, invalid, refused = [json.loads(line) for line in done.stdout.splitlines()]
        assert (parse["error"]["code"], invalid["error"]["code"]) == (-32700, -32600)
        assert (refused["id"], refused["result"]["isError"]) == (7, True)
        assert "credential_invalid" in refused["result"]["content"][0]["text"]
    assert subprocess.run([COMMAND, "mcp", "--key", "x"], capture_output=True, check=False).returncode == 2
