"""What the stand-in says to browser tests: parts that a test has given it, else what the demonstration says, at once.

A test posts to `/rehearsal/parts` what is answered to a request, word for word:

    {"request": "Split orders", "takes": [[{"calls": [["edit_diagram", {…}]], "holds": "end"}, {"text": "Done."}]]}

A take is one run: the answers of its turns, in order. The second time that the request is made the second take is
played, and so on; the last one again and again. An answer says something (`thinking`, `text`, `calls`), and may wait to
be let go on (`holds`), break (`breaks`), decline (`declines`), or be an error status instead (`error`).

`/rehearsal/let-go` lets waiting streams go on; `GET /rehearsal` says what the stand-in has seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.standin.demonstration import demonstrate
from tests.standin.prefix import turns_of
from tests.standin.reading import read_first
from tests.standin.script import STATUS, Block, Break, HttpError, Step, Text, Thinking, ToolUse, Turn
from tests.standin.server import Standin

KEY = "sk-rehearsal"


class Answer(BaseModel):
    """One answer of the model, as a test writes it down."""

    model_config = ConfigDict(extra="forbid")

    thinking: str = ""
    text: str = ""
    calls: list[tuple[str, dict[str, Any]]] = []
    holds: Literal["", "start", "end"] = ""
    breaks: Literal["", "cut", "error"] = ""
    declines: bool = False
    error: str = ""
    retry_after: str = ""

    def to_step(self) -> Step:
        """Give what the stand-in plays."""
        if self.error:
            assert self.error in STATUS, f"{self.error} is not among {sorted(STATUS)}"
            headers = {"retry-after": self.retry_after} if self.retry_after else {}
            return HttpError(self.error, "as the part says", headers=headers)
        blocks: list[Block] = [Thinking(self.thinking)] if self.thinking else []
        blocks += [Text(self.text)] if self.text else []
        blocks += [ToolUse(name, given) for name, given in self.calls]
        # After the first words: what has been said cannot be tried again unseen.
        breaks = Break(6, self.breaks) if self.breaks else None
        return Turn(blocks, stop="refusal" if self.declines else "", breaks=breaks, holds=self.holds)


class Part(BaseModel):
    """What is answered to one request."""

    model_config = ConfigDict(extra="forbid")

    request: str
    takes: list[list[Answer]]


@dataclass
class Rehearsal:
    """The parts that tests have given, and how often each has been played."""

    parts: dict[str, Sequence[Sequence[Answer]]] = field(default_factory=dict)
    played: dict[str, int] = field(default_factory=dict)

    def answer(self, body: Mapping[str, Any]) -> Step:
        """Answer by the part for the request, else as the demonstration."""
        request = read_first(body["messages"]).request
        if request not in self.parts:  # without a block for it, a message ends with what is asked
            request = request.rpartition("\n")[2]
        if request not in self.parts:
            step = demonstrate(body)
            return replace(step, delay=0.0) if isinstance(step, Turn) else step
        said = sum(turn["role"] == "assistant" for turn in turns_of(body["messages"]))
        if not said:
            self.played[request] = self.played.get(request, 0) + 1
        takes = self.parts[request]
        answers = takes[min(self.played[request], len(takes)) - 1]
        step: Step = answers[min(said, len(answers) - 1)].to_step()
        return step


def rehearse(key: str = KEY) -> Standin:
    """Make a stand-in that tests in other processes steer."""
    rehearsal = Rehearsal()

    async def parts(request: Request) -> Response:
        part = Part.model_validate_json(await request.body())
        rehearsal.parts[part.request] = part.takes
        rehearsal.played.pop(part.request, None)
        return JSONResponse({})

    async def let_go(_: Request) -> Response:
        standin.let_go()
        return JSONResponse({})

    async def seen(_: Request) -> Response:
        counted = {name: getattr(standin, name) for name in ("holding", "streaming", "disconnects", "refused")}
        return JSONResponse({**counted, "asked": len(standin.asked)})

    routes = [
        Route("/rehearsal/parts", parts, methods=["POST"]),
        Route("/rehearsal/let-go", let_go, methods=["POST"]),
        Route("/rehearsal", seen),
    ]
    standin = Standin(rehearsal.answer, key=key, routes=routes)
    return standin
