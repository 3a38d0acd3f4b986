"""What failed, made small: fewer steps of its scene, then less in the body of the step that fails."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.hostile.bodies import encoded
from tests.hostile.findings import tracebacks
from tests.hostile.playing import PLAIN, do, request_id_of, workspace_of
from tests.hostile.scenes import Step
from tests.hostile.serving import Deployed
from tests.hostile.wire import Request

_TRIES = 150


@dataclass
class Shrunk:
    """The fewest steps that fail, and what is said of them; no steps where the failure did not come again."""

    steps: list[Step]
    said: str


class Shrinker:
    """Plays parts of scenes on a server of its own."""

    def __init__(self, server: Deployed) -> None:
        self._server = server
        self._played = 0

    async def shrink(self, steps: list[Step]) -> Shrunk:
        """Make a failing scene small; the last step is the one that fails."""
        said = await self._failure(steps)
        if not said:
            return Shrunk([], "did not fail again")
        for fewer in _fewer(steps):
            if what := await self._failure(fewer):
                steps, said = fewer, what
                break
        at = 1
        while at < len(steps) - 1:  # steps between the first and the last, one by one
            fewer = steps[:at] + steps[at + 1 :]
            if what := await self._failure(fewer):
                steps, said = fewer, what
            else:
                at += 1
        return await self._less(steps, said)

    async def _less(self, steps: list[Step], said: str) -> Shrunk:
        last = steps[-1]
        if not isinstance(last, Request):
            return Shrunk(steps, said)
        with contextlib.suppress(ValueError):
            value, tries, goes_on = json.loads(last.body), 0, True
            while goes_on and tries < _TRIES:
                goes_on = False
                for smaller in _smaller(value):
                    tries += 1
                    body = encoded(smaller)
                    step = replace(last, body=body, sends=None if last.sends is None else len(body) - 1)
                    if tries < _TRIES and (what := await self._failure([*steps[:-1], step])):
                        steps, said, value, goes_on = [*steps[:-1], step], what, smaller, True
                        break
        return Shrunk(steps, said)

    async def _failure(self, steps: list[Step]) -> str:
        """What fails when some steps are played; empty for nothing."""
        self._played += 1
        before, w = len(self._server.log), "none"
        for number, step in enumerate(steps):
            answer = await do(self._server.place, step.placed(w), request_id_of(f"shrink.{self._played}", number))
            if number == 0:
                w = await workspace_of(self._server.place, answer)
            if answer.is_defect or answer.code == "no answer in time":
                return f"{answer.status} {answer.code}"
            if not answer.status:
                await self._until_logged(request_id_of(f"shrink.{self._played}", number))
        found = tracebacks(self._server.log[before:])
        return found[0].text if found else ""

    async def _until_logged(self, request_id: str) -> None:
        """Wait, not for ever, until the server has noted the end of a request whose client did not wait for it."""
        for _ in range(100):
            if request_id in self._server.log:
                return
            await asyncio.sleep(0.02)


def _fewer(steps: list[Step]) -> Iterator[list[Step]]:
    last = steps[-1]
    if len(steps) > 1:
        yield [PLAIN, last]
    if len(steps) > 2:
        yield [steps[0], last]


def _smaller(value: Any) -> Iterator[Any]:
    """The same value with something less in it, the largest cuts first."""
    if isinstance(value, str) and value:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]
        yield value[:-1]
    elif isinstance(value, list) and value:
        yield value[: len(value) // 2]
        yield value[len(value) // 2 :]
        for at in range(min(len(value), 30)):
            yield value[:at] + value[at + 1 :]
        for at in range(min(len(value), 30)):
            yield from ([*value[:at], smaller, *value[at + 1 :]] for smaller in _smaller(value[at]))
    elif isinstance(value, dict):
        for key in value:
            yield {name: one for name, one in value.items() if name != key}
        for key in value:
            yield from ({**value, key: smaller} for smaller in _smaller(value[key]))
