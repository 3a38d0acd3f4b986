"""Stand-ins for the APIs of OpenAI and Google: what they have in common.

Each dialect reads a request as if it had been one of the Messages API, so that the same scripts and brains answer
everybody, refuses what its API refuses, and writes a turn in its own frames. Reasoning is signed with all that came
before it, and a history that was rewritten is found out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.standin.checks import Refused
from tests.standin.script import STATUS, Brain, HttpError, Step, Turn
from tests.standin.server import Asked, Frame, Standin, Stream

Json = Mapping[str, Any]


class Dialect(Protocol):
    """How one API is spoken.

    Attributes:
        paths: where a turn is asked for, as Starlette writes it.
        models: where one model or the list of them is asked for.
    """

    paths: Sequence[str]
    models: str

    def key(self, request: Request) -> str:
        """The key that came."""
        ...

    def read(self, body: dict[str, Any], path: Mapping[str, str]) -> dict[str, Any]:
        """The request as one of the Messages API.

        Raises:
            Refused: the API refuses it.
        """
        ...

    def frames(self, turn: Turn, asked: Json, usage: Mapping[str, int], number: int) -> list[Frame]:
        """A turn as the frames of a stream."""
        ...

    def whole(self, asked: Json) -> Any:
        """The answer to a request that wants no stream."""
        ...

    def error(self, kind: str, message: str, status: int) -> Any:
        """The body of an error."""
        ...

    def broken(self, how: str, kind: str, message: str) -> bytes:
        """What comes last where a stream breaks."""
        ...

    def model(self, name: str) -> Any:
        """A model, or the list of all of them where the name is empty."""
        ...


KNOWN_MODELS = (
    *("gpt-6-sol", "gpt-6-luna", "gpt-4.1", "gemini-3.8-flash", "gemini-2.0-flash", "qwen3"),
    *("gemma3", "llama3.2:1b"),
)
"""Models of these stand-ins."""


class DialectStandin(Standin):
    """A stand-in that speaks a dialect; see `Standin` for what it has seen. Its bodies are as they came."""

    def __init__(self, dialect: Dialect, script: Sequence[Step | Brain] | Brain, *, key: str = "sk-standin") -> None:
        routes = [Route(path, self._turn, methods=["POST"]) for path in dialect.paths]
        routes += [Route(dialect.models, self._list), Route(dialect.models + "/{model:path}", self._one)]
        super().__init__(script, key=key, routes=routes)
        self._dialect = dialect

    async def _turn(self, request: Request) -> Response:
        if self.key and self._dialect.key(request) != self.key:
            return self._refuse(HttpError("authentication_error", f"Incorrect API key: {self._dialect.key(request)}"))
        body = json.loads(await request.body())
        try:
            asked = self._dialect.read(body, request.path_params)
        except Refused as why:
            self.refused.append(str(why))
            return self._refuse(HttpError("invalid_request_error", str(why)))
        if asked["model"] not in KNOWN_MODELS:
            return self._refuse(HttpError("not_found_error", f"The model `{asked['model']}` does not exist"))
        if not asked["stream"]:
            self.checked.append(asked["model"])
            return JSONResponse(self._dialect.whole(asked))
        self.asked.append(Asked(body, dict(request.headers)))
        self.note()
        try:
            step = self.next_step(asked)
        except IndexError:
            return self._refuse(HttpError("api_error", "the script of the stand-in is at its end"))
        if isinstance(step, HttpError):
            return self._refuse(step)
        frames = self._dialect.frames(step, asked, self.usage(asked), self.next_number())
        how = step.breaks
        broken = b"" if how is None else self._dialect.broken(how.how, how.type, how.message)
        return Stream(self, step, frames, broken, {"x-request-id": "req_standin"})

    async def _list(self, request: Request) -> Response:
        return JSONResponse(self._dialect.model(""))

    async def _one(self, request: Request) -> Response:
        name = request.path_params["model"]
        self.checked.append(name)
        if self.key and self._dialect.key(request) != self.key:
            return self._refuse(HttpError("authentication_error", f"Incorrect API key: {self._dialect.key(request)}"))
        if name not in KNOWN_MODELS:
            return self._refuse(HttpError("not_found_error", f"The model `{name}` does not exist"))
        return JSONResponse(self._dialect.model(name))

    def _refuse(self, step: HttpError) -> Response:
        status = step.status or STATUS[step.type]
        headers = {"x-request-id": "req_standin", **step.headers}
        if step.body is not None:
            return Response(step.body, status, headers, media_type="text/html")
        return JSONResponse(self._dialect.error(step.code or step.type, step.message, status), status, headers)


def need(holds: bool, message: str) -> None:
    """Refuse a request where something does not hold."""
    if not holds:
        raise Refused(message)


def check_tools(tools: Sequence[Json]) -> None:
    """Check what every API demands of tools: `{name, description, input_schema}`."""
    names = [tool["name"] for tool in tools]
    need(len(set(names)) == len(names), "tools: names must be unique")
    for tool in tools:
        schema = tool["input_schema"]
        need(schema.get("type") == "object", f"{tool['name']}: schema must be of type object")
        need("properties" in schema, f"{tool['name']}: object schema missing properties")
        need("oneOf" not in json.dumps(schema), f"{tool['name']}: 'oneOf' is not permitted")


def check_pairs(messages: Sequence[Json]) -> None:
    """Check that every call is answered right after it, and nothing else is."""
    open_calls: set[str] = set()
    for message in messages:
        blocks = message["content"]
        calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
        given = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        need(given <= open_calls, f"no call with id {sorted(given - open_calls)}")
        open_calls -= given
        if message["role"] == "assistant" or given:
            need(not open_calls or not calls, f"calls without an answer: {sorted(open_calls)}")
        open_calls |= calls
    need(not open_calls, f"calls without an answer: {sorted(open_calls)}")


def block_text(text: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": text}


def in_pieces(text: str, chunk: int) -> list[str]:
    """A text in pieces of `chunk` characters."""
    return [text[at : at + chunk] for at in range(0, len(text), chunk)]


def sse(data: Any, name: str = "") -> bytes:
    """An event of a stream."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def raw_input(given: Any) -> str:
    """The input of a call as text, as it is where it is none."""
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def as_object(raw: str) -> Any:
    """The input of a call as it came back in a history.

    Raises:
        Refused: it is no JSON object.
    """
    try:
        value = json.loads(raw)
    except ValueError:
        value = None
    need(isinstance(value, dict), "arguments of a call must be a JSON object")
    return value
