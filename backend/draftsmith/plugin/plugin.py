"""A plugin: its tools, and what it answers to the hooks `describe` and `invoke`. No HTTP here: that is `app`."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic_core import PydanticSerializationError, to_jsonable_python

from draftsmith.plugin.app import PluginApp, serve
from draftsmith.plugin.signature import Signature

F = TypeVar("F", bound=Callable[..., Any])
Json = Mapping[str, Any]
_log = logging.getLogger("draftsmith.plugin")


class PluginError(Exception):
    """What a tool raises when it cannot do what it was asked; the model reads code, message and details."""

    def __init__(self, code: str, message: str, details: Json | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.details = code, message, dict(details or {})


@dataclass
class Session:
    """The request to the assistant that a call belongs to.

    Attributes:
        id: the same for all calls of one request.
        state: what earlier calls of it left, a JSON object; what a tool changes here comes with the next call. The
            server keeps it while the request runs, so a plugin needs no store for it.
    """

    id: str
    state: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Tool:
    function: Callable[..., Any]
    description: str
    read_only: bool
    seconds: float
    signature: Signature


class Plugin:
    """A name, a version and tools.

    Attributes:
        name: what it calls itself; the administrator who registers it may give it another name.
        version: of the plugin.
    """

    def __init__(self, name: str, version: str) -> None:
        self.name, self.version = name, version
        self._tools: dict[str, _Tool] = {}

    def tool(self, *, read_only: bool, seconds: float = 30.0) -> Callable[[F], F]:
        """Make a tool of a function; its docstring says what it does and when to use it.

        A function that is no coroutine runs in a thread. A parameter of type `Session` is given the session.

        Args:
            read_only: whether a call changes nothing anywhere. A call that does is made only after a person's yes.
            seconds: after which a call is given up.

        Raises:
            TypeError: a parameter has no type, or there is no docstring.
            ValueError: there is a tool of this name.
        """

        def register(function: F) -> F:
            name = function.__name__
            description = inspect.getdoc(function)
            if not description:
                raise TypeError(f"{name}: a tool needs a docstring that says what it does and when to use it")
            if name in self._tools:
                raise ValueError(f"there is a tool '{name}' already")
            self._tools[name] = _Tool(function, description, read_only, seconds, Signature(function, Session))
            return function

        return register

    def alias(self, name: str, of: str) -> None:
        """Offer a tool under another name as well.

        Raises:
            KeyError: there is no tool to be named so.
            ValueError: there is a tool of this name already.
        """
        if name in self._tools:
            raise ValueError(f"there is a tool '{name}' already")
        self._tools[name] = self._tools[of]

    def describe(self) -> dict[str, Any]:
        """What the hook `describe` answers."""
        tools = [
            {
                "name": name,
                "type": "agentic",
                "description": tool.description,
                "inputSchema": tool.signature.schema(),
                "readOnly": tool.read_only,
            }
            for name, tool in self._tools.items()
        ]
        return {"name": self.name, "version": self.version, "tools": tools}

    async def invoke(self, session_id: str, payload: Json) -> dict[str, Any]:
        """What the hook `invoke` answers to `{tool, args, state}`, also where the call or the tool failed."""
        try:
            result, state = await self._invoke(session_id, payload)
        except PluginError as error:
            failure = {"code": error.code, "message": error.message, "details": to_jsonable_python(error.details)}
            return {"sessionId": session_id, "success": False, "error": failure}
        return {"sessionId": session_id, "success": True, "result": result, "state": state}

    async def _invoke(self, session_id: str, payload: Json) -> tuple[Any, Any]:
        name, args, state = payload.get("tool"), payload.get("args", {}), payload.get("state") or {}
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise PluginError("unknown_tool", f"There is no such tool. There are: {', '.join(self._tools) or 'none'}.")
        if not isinstance(args, Mapping) or not isinstance(state, Mapping):
            raise PluginError("invalid_args", "'args' and 'state' must be objects.")
        try:
            given = tool.signature.read(args)
        except ValueError as error:
            raise PluginError("invalid_args", str(error)) from None
        session = Session(session_id, dict(state))
        if tool.signature.session_parameter is not None:
            given[tool.signature.session_parameter] = session
        try:
            result = await asyncio.wait_for(_call(tool.function, given), tool.seconds)
            return to_jsonable_python(result), to_jsonable_python(session.state)
        except PluginError:
            raise
        except TimeoutError:
            raise PluginError("timeout", f"'{name}' took longer than {tool.seconds:g} seconds.") from None
        except PydanticSerializationError as error:
            _log.error("'%s' answered what is no JSON: %s", name, error)
            raise PluginError("internal", f"'{name}' answered what cannot be sent.") from None
        except Exception:  # noqa: BLE001  # a tool may raise anything, and its caller is to be answered
            _log.exception("'%s' failed", name)
            raise PluginError("internal", f"'{name}' failed; the log of the plugin says why.") from None

    def app(self, *, token: str | None = None) -> PluginApp:
        """The plugin as an ASGI application, for any server that runs these.

        `token`: what callers must send as `Authorization: Bearer …`; without it PLUGIN_TOKEN, without that nothing.
        """
        return PluginApp(self, token)

    def run(self, *, host: str = "127.0.0.1", port: int = 8080) -> None:
        """Serve it until Ctrl-C or SIGTERM."""
        serve(self.app(), host, port)


async def _call(function: Callable[..., Any], arguments: Json) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(**arguments)
    return await asyncio.to_thread(function, **arguments)
