"""What the tests of a plugin need: call it as the server does, without a socket.

caller = PluginCaller(plugin)
assert caller.problems() == []
assert caller.invoke("greet", name="Ada") == "Hello, Ada!"
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, MutableMapping
from typing import Any

from draftsmith.plugin.app import PluginApp
from draftsmith.plugin.plugin import Plugin, PluginError
from draftsmith.plugin.protocol import read_description


class PluginCaller:
    """Calls a plugin as one request to the assistant does: its state is carried from call to call.

    Attributes:
        session_id: of this request.
        state: what the last call has left.
    """

    def __init__(self, plugin: Plugin, session_id: str = "test") -> None:
        self._app = PluginApp(plugin, token="")
        self.session_id = session_id
        self.state: Mapping[str, Any] = {}

    def describe(self) -> dict[str, Any]:
        """What `describe` answers."""
        return self._post({"hook": "describe"})

    def problems(self) -> list[str]:
        """Why the server would not offer tools of this plugin; empty if it offers all."""
        try:
            return list(read_description(self.describe()).refused)
        except ValueError as error:
            return [str(error)]

    def invoke(self, tool: str, /, **args: Any) -> Any:
        """Call a tool; its result as JSON.

        Raises:
            PluginError: it answered that it did not succeed.
        """
        payload = {"tool": tool, "args": args, "state": self.state}
        answer = self._post({"hook": "invoke", "sessionId": self.session_id, "payload": payload})
        if not answer["success"]:
            error = answer["error"]
            raise PluginError(error["code"], error["message"], error.get("details"))
        self.state = answer["state"]
        return answer["result"]

    def _post(self, body: Mapping[str, Any]) -> dict[str, Any]:
        return asyncio.run(_exchange(self._app, json.dumps(body).encode()))


async def _exchange(app: PluginApp, body: bytes) -> dict[str, Any]:
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await app({"type": "http", "method": "POST", "path": "/execute", "headers": []}, receive, send)
    answer: dict[str, Any] = json.loads(b"".join(one.get("body", b"") for one in sent))
    return answer
