"""Answer errors that no route has answered, in one layer around all routes and sockets.

FastAPI has four layers for that and for what our routes do not use (files of forms, dependencies that end later, limits
of bodies, which the guard has). They take a sixteenth of a small batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket


class Application(FastAPI):
    """FastAPI with one layer between it and its routes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one socket, past the spans of OpenTelemetry that FastAPI asks for at each."""
        if self.middleware_stack is None or scope["type"] == "lifespan":
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        await self.middleware_stack(scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """The routes, with the handlers of errors around them."""
        return Failures(_Routes(self.router), self.exception_handlers)


class _Routes:
    """Finds the route of a request as the router does, without what the router makes for each that it passes.

    What has no route, sockets and the life of the application are the router's.
    """

    def __init__(self, router: Router) -> None:
        self._router = router
        routes = [route for route in router.routes if isinstance(route, Route)]
        self._routes = [(route.methods or set(), route.path_regex.match, route) for route in routes]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            method, path = scope["method"], scope["path"].removeprefix(scope.get("root_path", ""))
            for methods, match, route in self._routes:
                if method in methods and (found := match(path)) is not None:
                    scope.update(route=route, endpoint=route.endpoint, path_params=found.groupdict())
                    await route.app(scope, receive, send)
                    return
        await self._router(scope, receive, send)


class Failures:
    """Answers what is raised by the handler for its kind; a defect is raised on, so that the server logs it."""

    def __init__(self, app: ASGIApp, handlers: Mapping[Any, Callable[..., Any]]) -> None:
        """`handlers`: by kind of error, as FastAPI has them; one of them for `Exception`."""
        self._app, self._handlers = app, handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, one socket, or the life of the application."""
        is_started = False

        async def sending(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            kind = next(one for one in type(error).__mro__ if one in self._handlers)
            if scope["type"] not in ("http", "websocket"):
                raise
            if is_started or kind is Exception:
                await self._defect(error, scope, receive, send, is_started=is_started)
                raise
            connection = Request(scope, receive) if scope["type"] == "http" else WebSocket(scope, receive, send)
            answer = await self._handlers[kind](connection, error)
            await answer(scope, receive, send)
            error.__traceback__ = None  # an instance that is raised again would keep what it was raised from

    async def _defect(self, error: Exception, scope: Scope, receive: Receive, send: Send, *, is_started: bool) -> None:
        """Note what nobody expected; it is answered where nothing was sent yet. Sockets end by themselves."""
        if scope["type"] == "http":
            answer = await self._handlers[Exception](Request(scope, receive), error)
            if not is_started:
                await answer(scope, receive, send)
