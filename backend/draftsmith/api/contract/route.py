"""The class of all routes: what a route is stands in its decorator and in the signature of its endpoint.

A route is declared as FastAPI has it: path, `dependencies`, `response_model`, `responses` with statuses and examples,
and an endpoint that names what it takes. The first of its dependencies is the gate, with the action that the route is
(`requires`); a route without one cannot be registered. A body is a parameter of the endpoint, and is read by
`forms.reading`, so that a fault in it becomes one of our problem documents.

Every request is answered by what is compiled here once for its route: FastAPI's own solving of dependencies costs about
a tenth of a small batch. Not here: who may what (`access.gate`, `draftsmith.access.policy`).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, cast

from fastapi import params
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import request_params_to_args
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path, get_name
from starlette.types import ASGIApp, Receive, Scope, Send

from draftsmith.access.actions import Action, is_of_folder, is_of_workspace
from draftsmith.api.access.gate import Gate
from draftsmith.api.forms.reading import read_body

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
Values = dict[str, object]
Arguments = Callable[[Request], Coroutine[Any, Any, Values]]


@dataclass(frozen=True, kw_only=True)
class Permission(params.Depends):
    """The gate before a route, as a dependency; see `requires`."""

    action: Action
    further: Action | None = None
    unless: str = ""


def requires(action: Action, *, further: Action | None = None, unless: str = "") -> Permission:
    """Let pass who may do something, and nobody else.

    Args:
        action: what the route is, for the policy.
        further: what it is as well, unless a condition holds; the endpoint checks that, having read the request.
        unless: the condition, in words.
    """
    is_of_one, is_of_a_folder = is_of_workspace(action), is_of_folder(action)

    async def enter(request: Request) -> None:
        gate: Gate = request.app.state.context.gate
        if action is Action.AGENT:
            await gate.enter_agent(request)
        elif action is not Action.PUBLIC:  # which is the same for everybody, so nobody is looked up
            path = request.path_params
            workspace_id, folder_id = path["w"] if is_of_one else None, path["f"] if is_of_a_folder else None
            await gate.enter(request, action, workspace_id, folder_id)

    return Permission(enter, action=action, further=further, unless=unless)


class Route(APIRoute):
    """A route with the gate before it.

    It knows its address at once. The forms of its parameters and answers are made when it is first asked, or when the
    contract is read: for all routes together they take a third of the time until a server is up.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Register; the options are those of FastAPI.

        Raises:
            LookupError: the first of its dependencies is not what it requires.
        """
        self._options: dict[str, Any] | None = options
        self.path, self.endpoint = path, endpoint
        self.name = options.get("name") or get_name(endpoint)
        self.methods = {method.upper() for method in options.get("methods") or ("GET",)}
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.include_in_schema = options.get("include_in_schema", True)
        permission = next(iter(options.get("dependencies") or ()), None)
        if not isinstance(permission, Permission):
            raise LookupError(f"{self.name}: dependencies=[requires(…), …] says what may be done here, and by whom")
        self.permission = permission

    def __getattr__(self, name: str) -> Any:
        """Everything that is not there yet is made together."""
        options = self.__dict__.get("_options")
        if options is None:
            raise AttributeError(name)
        self._options = None
        super().__init__(self.path, self.endpoint, **{**options, "operation_id": self.name})
        self.app = _answering(self.get_route_handler())
        return getattr(self, name)

    @property
    def bodies(self) -> list[tuple[str, type[BaseModel]]]:
        """The parameters of its endpoint that are the body, with their models."""
        return _bodies(self.dependant)

    def get_route_handler(self) -> Handler:
        """What answers a request: the gate, what the endpoint takes, the endpoint."""
        arguments, endpoint = _arguments(self.dependant), self.endpoint

        async def handle(request: Request) -> Response:
            answer: Response = await endpoint(**await arguments(request))
            return answer

        return handle


def _arguments(takes: Dependant) -> Arguments:
    """What gives a function its arguments: its dependencies in their order, its parameters, and last the body.

    Of FastAPI's kinds of parameters these have a meaning here; a function with another one cannot be called.
    """
    dependencies = [
        (one.name, cast(Callable[..., Any], one.call), None if _takes_request_alone(one) else _arguments(one))
        for one in takes.dependencies
    ]
    is_of_texts = all(_is_text(field.field_info) for field in takes.path_params)
    names = [(field.name, field.alias) for field in takes.path_params] if is_of_texts else []
    groups = [
        (fields, part)
        for fields, part in (
            ([] if is_of_texts else takes.path_params, "path_params"),
            (takes.query_params, "query_params"),
            (takes.header_params, "headers"),
            (takes.cookie_params, "cookies"),
        )
        if fields
    ]
    request_name = takes.request_param_name
    bodies = _bodies(takes)

    async def arguments(request: Request) -> Values:
        values: Values = {}
        for name, call, of_call in dependencies:
            value = await (call(request) if of_call is None else call(**await of_call(request)))
            if name is not None:
                values[name] = value
        for name, alias in names:
            values[name] = request.path_params[alias]
        faults: list[Any] = []
        for fields, part in groups:
            found, wrong = request_params_to_args(fields, getattr(request, part))
            values.update(found)
            faults += wrong
        if faults:
            raise RequestValidationError(faults)
        if request_name is not None:
            values[request_name] = request
        for name, model in bodies:
            values[name] = await read_body(request, model)
        return values

    return arguments


def _takes_request_alone(takes: Dependant) -> bool:
    """Whether a function has one parameter, the request."""
    others = (takes.dependencies, takes.path_params, takes.query_params, takes.header_params, takes.cookie_params)
    return takes.request_param_name is not None and not any((*others, takes.body_params))


def _bodies(takes: Dependant) -> list[tuple[str, type[BaseModel]]]:
    """The parameters that are the body, with their models."""
    return [(field.name, cast(type[BaseModel], field.field_info.annotation)) for field in takes.body_params]


def _is_text(field: FieldInfo) -> bool:
    """Whether any text will do."""
    return getattr(field.annotation, "__supertype__", field.annotation) is str and not field.metadata


def _answering(handler: Handler) -> ASGIApp:
    """An application that sends what a handler gives; what it raises is answered by those around it."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive, send))
        await response(scope, receive, send)

    return app
