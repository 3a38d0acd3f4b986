"""Keys typed into texts of two sizes, over the socket, as a page types them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from websockets.asyncio.client import connect

from bench.hostile_table import Act, Bench, Group
from tests.hostile.serving import cpu_seconds, family
from tests.integration.client import Api


async def _nothing(bench: Bench, api: Api) -> None:
    """Each text is made when it is typed into."""


def typing(keys: int = 60) -> Group:
    """Keys into texts of two sizes, with headings and without; processor time for each."""
    forms = {
        "with headings": lambda size: "\n\n".join(f"## Part {n}\n\nWords of this part." for n in range(size // 34)),
        "without headings": lambda size: "\n\n".join(f"Words of paragraph {n}, no more." for n in range(size // 34)),
    }
    acts = [
        (f"typing, {size >> 10} KB {form}", _typing(f"{size} {form}", made(size), keys))
        for form, made in forms.items()
        for size in (20 << 10, 1 << 20)
    ]
    return Group("typing", _nothing, acts)


def _typing(name: str, text: str, keys: int) -> Act:
    async def act(bench: Bench) -> str:
        with Api(bench.server.url) as api:
            w = await asyncio.to_thread(api.create, name="Typing", document={"text": text})
        url = f"{bench.server.url.replace('http', 'ws', 1)}/api/v1/workspaces/{w}/live"
        async with connect(url, max_size=None, compression=None, proxy=None) as socket:
            await socket.send('{"t":"hello","v":1}')
            state = await next_message(socket, "state")
            length, rev = len(state["workspace"]["text"]), state["rev"]
            before = cpu_seconds(family(bench.server.pid))
            first = 0.0
            for key in range(keys + 1):
                if key == 1:  # the first has the whole text read once, elsewhere; a line of its own in the answer
                    now = cpu_seconds(family(bench.server.pid))
                    first, before = (now - before) * 1e3, now
                at = length // 2
                changes = [at, [0, "x"], length - at]
                message = {"t": "type", "id": f"typing-{key}", "epoch": state["epoch"], "base": rev, "changes": changes}
                await socket.send(json.dumps(message))
                rev = (await next_message(socket, "commit"))["rev"]
                length += 1
            each = (cpu_seconds(family(bench.server.pid)) - before) / keys * 1e3
        bench.facts[name] = each
        return f"{keys} keys, {each:.1f} ms of CPU each; {first:.0f} ms for the first"

    return act


async def next_message(socket: Any, kind: str) -> dict[str, Any]:
    while True:
        for message in json.loads(await socket.recv()):
            if message["t"] == "rejected":
                raise AssertionError(message)
            if message["t"] == kind:
                found: dict[str, Any] = message
                return found
