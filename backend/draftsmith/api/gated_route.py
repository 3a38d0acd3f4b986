"""A route behind the gate. Not here: who may what (`gate`, `draftsmith.access.policy`)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic.fields import FieldInfo
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path, get_name
from starlette.types import ASGIApp, Receive, Scope, Send

from draftsmith.access.actions import Action, is_of_folder, is_of_workspace
from draftsmith.api.gate import Gate
from draftsmith.api.route_actions import ROUTES


class GatedRoute(APIRoute):
    """A route that the gate stands before; its action is that of `route_actions`.

    `plain` is its handler, behind the gate, where FastAPI has nothing to do for it, else None.

    It knows its address at once. The forms of its parameters and answers are made when it is first asked, or when the
    contract is read: for all routes together they take a third of the time until a server is up.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Register; the options are those of FastAPI.

        Raises:
            LookupError: no action was written down for this route.
        """
        self._options: dict[str, Any] | None = options
        self.path, self.endpoint = path, endpoint
        self.name = options.get("name") or get_name(endpoint)
        self.methods = {method.upper() for method in options.get("methods") or ("GET",)}
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.include_in_schema = options.get("include_in_schema", True)
        (method,) = self.methods
        action = ROUTES.get(f"{method} {path}")
        if action is None:
            raise LookupError(f"{method} {path} has no action in draftsmith.api.route_actions")
        self._action: Action = action

    def __getattr__(self, name: str) -> Any:
        """Everything that is not there yet is made together."""
        options = self.__dict__.get("_options")
        if options is None:
            raise AttributeError(name)
        self._options = None
        super().__init__(self.path, self.endpoint, **{**options, "operation_id": self.name})
        self.plain = self.get_route_handler() if self._is_plain else None
        if self.plain is not None:
            self.app = _answering(self.plain)
        return getattr(self, name)

    @property
    def _is_plain(self) -> bool:
        """Whether the endpoint takes the request and names from its path only, so that FastAPI has nothing to do.

        What FastAPI does for a request costs about a tenth of a small batch, also where there is nothing to inject.
        """
        takes: Dependant = self.dependant
        others = (takes.query_params, takes.header_params, takes.cookie_params, takes.body_params, takes.dependencies)
        is_of_names = all(_is_text(param.field_info) for param in takes.path_params)
        return takes.request_param_name == "request" and is_of_names and not any(others)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, behind the gate."""
        handler = self._call if self._is_plain else super().get_route_handler()
        action = self._action
        if action is Action.PUBLIC:  # the same for everybody, so nobody is looked up
            return handler
        is_of_one, is_of_a_folder = is_of_workspace(action), is_of_folder(action)

        async def gated(request: Request) -> Response:
            gate: Gate = request.app.state.context.gate
            if action is Action.AGENT:
                await gate.enter_agent(request)
                return await handler(request)
            workspace_id = str(request.path_params["w"]) if is_of_one else None
            await gate.enter(request, action, workspace_id, str(request.path_params["f"]) if is_of_a_folder else None)
            return await handler(request)

        return gated

    async def _call(self, request: Request) -> Response:
        names = {param.name: request.path_params[param.alias] for param in self.dependant.path_params}
        answer: Response = await self.endpoint(request=request, **names)
        return answer


def _is_text(field: FieldInfo) -> bool:
    """Whether any text will do."""
    return getattr(field.annotation, "__supertype__", field.annotation) is str and not field.metadata


def _answering(handler: Callable[[Request], Coroutine[Any, Any, Response]]) -> ASGIApp:
    """An application that sends what a handler gives; what it raises is answered by those around it."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive, send))
        await response(scope, receive, send)

    return app
