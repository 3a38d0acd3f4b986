"""Hostile clients at work: each plays scene after scene; what was sent and answered is kept, newest last."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile.drawing import Scale
from tests.hostile.frames import Talk, talk_to
from tests.hostile.scenes import Scene, Scenes, Step
from tests.hostile.wire import Answer, Place, Request, send

_KEPT_BYTES = 256 << 20
_BODY = b'{"name":"Plain","document":{"text":"# A\\n\\nText.\\n"}}'
PLAIN = Request("POST", "/api/v1/workspaces", _BODY, kind="create")


@dataclass
class Played:
    """One step and its answer.

    Attributes:
        began, ended: on the monotonic clock, which is the same for all processes of a machine.
    """

    scene: str
    number: int
    step: Step
    answer: Answer
    began: float
    ended: float

    @property
    def request_id(self) -> str:
        """The id it was sent with."""
        return request_id_of(self.scene, self.number)

    def __str__(self) -> str:
        what = f"WS {self.step.path}" if isinstance(self.step, Talk) else f"{self.step.method} {self.step.path[:200]}"
        size = sum(map(len, self.step.frames)) if isinstance(self.step, Talk) else len(self.step.body)
        return (
            f"{self.scene}#{self.number} {self.step.kind}: {what}, {size:,} bytes → "
            f"{self.answer.status} {self.answer.code}, {self.answer.seconds:.2f} s"
        )


def request_id_of(scene: str, number: int) -> str:
    """The request id of a step: it stands in the server's log beside whatever goes wrong."""
    return f"hostile-{scene.replace('/', '.')}-{number}"


@dataclass
class Record:
    """What all hostile clients have done.

    Attributes:
        counts: answers by kind, status and code.
        defects: answers that no request may bring about.
        newest: the newest steps, as far as they fit into some memory.
        slowest: the longest by seconds, without their bodies.
    """

    counts: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    defects: list[Played] = field(default_factory=list)
    newest: deque[Played] = field(default_factory=deque)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    sent: int = 0
    _kept: int = 0

    def note(self, played: Played) -> None:
        """Take down one step."""
        answer = played.answer
        self.counts[played.step.kind, answer.status, answer.code[:40]] += 1
        self.sent += _size(played.step)
        if answer.is_defect or answer.code == "no answer in time":
            self.defects.append(played)
        played.answer = Answer(answer.status, answer.code, answer.seconds, answer.headers, answer.body[:2_000])
        self.newest.append(played)
        self._kept += _size(played.step)
        while self._kept > _KEPT_BYTES:
            self._kept -= _size(self.newest.popleft().step)
        self.slowest = sorted([*self.slowest, (answer.seconds, str(played))], reverse=True)[:10]

    def write(self, file: Path) -> None:
        """Write the newest steps with their bodies, one JSON object a line."""
        with file.open("w", encoding="utf-8") as out:
            for one in self.newest:
                shape = {
                    "scene": one.scene, "number": one.number, "began": one.began, "ended": one.ended,
                    "status": one.answer.status, "code": one.answer.code,
                    "answer": one.answer.body.decode(errors="replace"),
                    "talk" if isinstance(one.step, Talk) else "request": one.step.to_json(),
                }  # fmt: skip
                out.write(json.dumps(shape) + "\n")


def _size(step: Step) -> int:
    return sum(map(len, step.frames)) if isinstance(step, Talk) else len(step.body) + len(step.path)


async def play(place: Place, scene: Scene, note: Callable[[Played], None], goes_on: Callable[[], bool]) -> None:
    """Play a scene to its end."""
    w = "none"
    for number, step in enumerate(scene.steps):
        if number and not goes_on():
            return
        began = time.monotonic()
        answer = await do(place, step.placed(w), request_id_of(scene.name, number))
        if number == 0:
            w = await workspace_of(place, answer)
        note(Played(scene.name, number, step, answer, began, time.monotonic()))


async def workspace_of(place: Place, first: Answer) -> str:
    """The workspace that a scene's first step has made; where it was refused, a plain one."""
    answer = first if first.status == 201 else await send(place, PLAIN)
    made = answer.json()
    return str(made["id"]) if isinstance(made, dict) and answer.status == 201 else "none"


async def do(place: Place, step: Step, request_id: str) -> Answer:
    """Do one step."""
    return await (send(place, step, request_id) if isinstance(step, Request) else talk_to(place, step, request_id))


async def hostile_client(
    place: Place, name: str, scale: Scale, record: Record, goes_on: Callable[[], bool], most: int | None = None
) -> None:
    """One hostile client: scenes of its own, until it is told to stop or has played so many."""
    number = 0
    while goes_on() and (most is None or number < most):
        scene = await asyncio.to_thread(Scenes(f"{name}/{number}", scale).scene)
        await play(place, scene, record.note, goes_on)
        number += 1
