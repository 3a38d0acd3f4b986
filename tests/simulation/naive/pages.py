"""A page that types: one live connection for a few pushes, each waited for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.timeouts import TIMEOUT_SECONDS


class Page:
    """A connection that was welcomed; it knows where the workspace stands and nothing else of it."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._send({"t": "hello", "v": 1, "resume": None, "pending": []})
        self._epoch = self._wait_for("state")["epoch"]

    def type(self, key: str, base: int, changes: list[Any]) -> dict[str, Any]:
        """Push what was typed in the text of revision `base`; the answer as the HTTP API would give it."""
        self._send({"t": "type", "id": key, "epoch": self._epoch, "base": base, "changes": changes})
        answer = self._wait_for("committed", "rejected", "bye")
        if answer["t"] != "committed":
            return {"status": 422, **answer}
        return {"status": 200, "revision": answer["rev"], "changed": answer["changed"], "kind": answer["kind"],
                "ref": None, "left_out": answer["left_out"]}  # fmt: skip

    def _send(self, message: dict[str, Any]) -> None:
        self._socket.send(json.dumps(message))

    def _wait_for(self, *kinds: str) -> dict[str, Any]:
        while True:
            for message in json.loads(self._socket.recv(TIMEOUT_SECONDS)):
                if message["t"] in kinds:
                    found: dict[str, Any] = message
                    return found


@contextmanager
def opened(url: str, path: str, cookie: str) -> Iterator[Page]:
    """Open a workspace on a worker as somebody."""
    address = f"ws{url.removeprefix('http')}/api/v1{path}/live"
    with connect(address, additional_headers={"Cookie": cookie}, compression=None, proxy=None) as socket:
        yield Page(socket)
