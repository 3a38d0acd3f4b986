"""What a route says of itself beside FastAPI's words: `responses=`, `openapi_extra=` and `Body(openapi_examples=)`.

What all routes of a kind have is added by rule (`openapi`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import Body

Part = dict[str, object]
"""A part of OpenAPI."""
Responses = dict[int | str, Part]

UNCHANGED: Final[Responses] = {304: {"description": "Unchanged"}}
"""The answer to `If-None-Match` where nothing has changed."""


def problems(*statuses: int) -> Responses:
    """The statuses that a route is refused with, beside those of its kind."""
    return {status: {"$ref": f"#/components/responses/{status}"} for status in statuses}


def answer(
    *headers: str, example: object = None, then: Mapping[str, Mapping[str, str]] | None = None, **more: object
) -> Part:
    """One of the responses of a route.

    Args:
        headers: that it comes with, of those that `openapi` describes.
        example: one of its bodies.
        then: operations that may follow, with their parameters as runtime expressions of OpenAPI.
        more: as OpenAPI has it.
    """
    if headers:
        more["headers"] = {name: {"$ref": f"#/components/headers/{name.replace('-', '')}"} for name in headers}
    if example is not None:
        more["content"] = {"application/json": {"example": example}}
    if then:
        more["links"] = {
            name: {"operationId": name, "parameters": dict(parameters)} for name, parameters in then.items()
        }
    return more


def parameters(*names: str) -> Part:
    """The headers of a request that an endpoint reads by itself, of those that `openapi` describes."""
    return {"parameters": [{"$ref": f"#/components/parameters/{name}"} for name in names]}


def examples(**bodies: Part) -> Any:
    """The parameter of an endpoint that is the body, with examples by title; each is sent by a test where it can be."""
    return Body(openapi_examples={title: {"value": dict(body)} for title, body in bodies.items()})


SAME_WORKSPACE: Final = {"w": "$request.path.w"}
_REVISION: Final = {**SAME_WORKSPACE, "revision": "$response.body#/revision"}
AFTER_WRITE: Final[Mapping[str, Mapping[str, str]]] = {
    "get_commit": _REVISION,
    "get_revision": _REVISION,
    "revert_commit": _REVISION,
    "restore_revision": _REVISION,
    "get_workspace": SAME_WORKSPACE,
    "undo": SAME_WORKSPACE,
    "redo": SAME_WORKSPACE,
}
"""What may follow a write."""


def in_workspace(name: str, expression: str) -> dict[str, str]:
    """The workspace of the request, and something in it that the answer names."""
    return {**SAME_WORKSPACE, name: f"$response.body#/{expression}"}
