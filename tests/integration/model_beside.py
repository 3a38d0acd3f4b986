"""A stand-in for the model provider in a thread beside the test, for tests that talk to real server processes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

from tests.standin import Break, HttpError, Standin, Step, Text, Turn, serve
from tests.standin.kinds import KINDS
from tests.standin.script import Brain
from tests.timeouts import TIMEOUT_SECONDS

SLOW = Turn([Text("Let me see what there is.")], breaks=Break(4, "stall"))
"""An answer that begins and then says nothing more, until the run is stopped."""


@dataclass
class Model:
    """The model provider: what it says next, and what it has seen.

    Attributes:
        url: where it answers, as settings name it.
        key: the one key it takes.
        script: its next answers; beyond the last it fails.
        brain: answers in place of the script, where there is one.
    """

    url: str
    key: str
    script: list[Step] = field(default_factory=list)
    brain: Brain | None = None
    _standin: Standin | None = None
    _loop: asyncio.AbstractEventLoop | None = None

    @property
    def standin(self) -> Standin:
        assert self._standin is not None
        return self._standin

    def until(self, holds: Callable[[Standin], bool]) -> None:
        """Wait until something holds of what the provider has seen."""
        assert self._loop is not None
        waiting = self.standin.until(lambda: holds(self.standin))
        asyncio.run_coroutine_threadsafe(waiting, self._loop).result(TIMEOUT_SECONDS)

    def answer(self, body: Mapping[str, Any]) -> Step:
        if self.brain is not None:
            return self.brain(body)
        return self.script.pop(0) if self.script else HttpError("invalid_request_error", "nothing more to say")


@contextmanager
def model_beside(key: str = "sk-standin-4f1c9a", kind: str = "anthropic") -> Iterator[Model]:
    """Serve a stand-in from a thread of its own; `kind`: which of `KINDS`."""
    model, is_up, may_end = Model("", key), threading.Event(), asyncio.Event()

    async def run() -> None:
        standin = KINDS[kind].standin(model.answer)
        standin.key = key
        async with serve(standin) as url:
            model.url = url + KINDS[kind].path
            model._standin, model._loop = standin, asyncio.get_running_loop()
            is_up.set()
            await may_end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="model beside")
    thread.start()
    try:
        assert is_up.wait(TIMEOUT_SECONDS), "the stand-in did not start"
        yield model
    finally:
        if model._loop is not None:
            model._loop.call_soon_threadsafe(may_end.set)
        thread.join(TIMEOUT_SECONDS)


def told_events(response: httpx.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a stream as they come, each with its id; checks that name and type agree."""
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if name in ("id", "event", "data"):
            assert name not in fields, f"{name} twice in an event"
            fields[name] = value
        elif not line and "data" in fields:
            event = orjson.loads(fields["data"])
            assert event["type"] == fields["event"]
            yield fields["id"], event
            fields = {}
