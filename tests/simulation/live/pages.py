"""What the fuzz can do with an open page, whichever client is behind it, and the page of the Python client.

A page is asked by small JSON values, so that one that lives in another process is asked in the same way:
`look`, `edit`, `type`, `undo`, `redo`, `revert`, `drop`, `reload`, `settled`, `report`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, Protocol

from draftsmith.model.workspace import dump
from tests.simulation.live.client import LiveClient
from tests.simulation.live.pending_text import replacing
from tests.simulation.live.session import Session
from tests.simulation.live.writes import TrayItem
from tests.timeouts import TIMEOUT_SECONDS

Json = dict[str, Any]


class Page(Protocol):
    """An open page.

    Attributes:
        name: what it is called in the fuzz.
        me: the principal's id.
        kind: which client it is.
    """

    name: str
    me: str
    kind: str

    async def ask(self, do: str, **fields: Any) -> Json:
        """Have something done, or see something."""
        ...

    async def close(self) -> None:
        """Leave."""
        ...


class PythonPage:
    """The page of the Python client."""

    kind = "python"

    def __init__(self, name: str, me: str, url: str, headers: dict[str, str], rng: random.Random) -> None:
        self.name, self.me = name, me
        self._count = 0
        self._explained: dict[str, str] = {}
        self.client = LiveClient(url, headers, rng, self._new_id)

    def _new_id(self) -> str:
        self._count += 1
        return f"{self.name}-{self._count:06}"

    async def ask(self, do: str, **fields: Any) -> Json:
        answer: Json | None = getattr(self, f"_{do}")(**fields)
        self.client.flush()
        return answer or {}

    async def close(self) -> None:
        await self.client.close()

    @property
    def _session(self) -> Session:
        return self.client.session

    def _look(self) -> Json:
        diagram = self._session.replica.workspace.diagram
        return {
            "rev": self._session.replica.rev,
            "nodes": [[one, fields["type"], fields.get("parent")] for one, fields in diagram.nodes().items()],
            "edges": [[key, source, target] for key, source, target, _ in diagram.edges()],
            "commits": [list(one) for one in self._session.commits],
        }

    def _edit(self, operations: list[Json], explanation: str) -> None:
        key = self._session.write("submit", operations=operations, explanation=explanation)
        self._explained[key] = explanation

    def _type(self, at: float, after: str, text: str, delete: int, own: list[int]) -> Json:
        seen = self._session.text
        start, end = place_of(seen, at, after, delete, own)
        self._session.type(replacing(seen, start, end, text))
        return {}

    def _undo(self, scope: str, expect: int | None = None) -> None:
        more = {"expect": expect} if expect is not None else {}
        self._session.write("undo", scope=scope, **more)

    def _redo(self) -> None:
        self._session.write("redo")

    def _revert(self, rev: int, upto: int | None = None) -> None:
        more = {"upto": upto} if upto is not None else {}
        self._session.write("revert", rev=rev, **more)

    def _drop(self) -> None:
        self.client.drop()

    def _reload(self) -> None:
        self.client.reload()

    def _settled(self) -> Json:
        self.client.check_alive()
        session = self._session
        return {
            "settled": session.is_settled,
            "live": session.is_live,
            "rev": session.replica.rev,
            "words": self.client.describe(),
        }

    def _report(self) -> Json:
        session, place = self._session, self._session.replica.place
        return {
            "content": dump(session.replica.workspace),
            "text": session.text,
            "rev": session.replica.rev,
            "h": place.h if place is not None else "",
            "writes": {key: _told(message) for key, message in session.outcomes.items()},
            "unchanged": self._unchanged(),
            "tray": [_shown(item) for item in session.tray],
            "faults": [*session.faults, *([self.client.ended] if self.client.ended is not None else [])],
            "states": dict(session.states),
        }

    def _unchanged(self) -> list[str]:
        """The explanations of batches that changed nothing."""
        outcomes = self._session.outcomes
        return [why for key, why in self._explained.items() if outcomes.get(key, {}).get("changed") is False]


def place_of(text: str, at: float, after: str, delete: int, own: list[int]) -> tuple[int, int]:
    """Where typing goes, in code points: behind a mark that is there, else at a fraction of the text.

    What is deleted ends before the writer's own marks, which must not vanish before they have been sent.
    """
    found = text.find(after) if after else -1
    start = end = found + len(after) if found >= 0 else int(at * len(text))
    while end < len(text) and end - start < delete and not own[0] <= ord(text[end]) < own[1]:
        end += 1
    return start, end


def _told(message: Json) -> Json:
    if message["t"] == "committed":
        return {"rev": message["rev"], "changed": message["changed"], "code": ""}
    return {"rev": 0, "changed": False, "code": message["code"]}


def _shown(item: TrayItem) -> Json:
    return {"code": item.code, "operations": item.message.get("operations", []), "texts": list(item.texts)}


async def until(
    pages: list[Page], condition: Callable[[list[Json]], bool], what: str, pause: Callable[[], Any]
) -> None:
    """Ask all pages whether they are settled until all of their answers fit."""
    answers: list[Json] = []
    end = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < end:
        answers = [await page.ask("settled") for page in pages]
        if condition(answers):
            return
        await pause()
    told = "\n".join(f"{page.name}: {answer}" for page, answer in zip(pages, answers, strict=True))
    raise AssertionError(f"{what} did not come about:\n{told}")
