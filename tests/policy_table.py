"""The table of who may what as it stands in docs/security.md: `python -m tests.policy_table` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from draftsmith.access.actions import Action, is_of_folder, is_of_workspace
from draftsmith.access.roles import ROLES, is_at_least
from draftsmith.api.app import API_ROUTERS, ROOT_ROUTERS
from draftsmith.api.contract.route import Route
from draftsmith.api.live.socket import ACTIONS
from draftsmith.api.mcp.actions import RESOURCES, TOOL_CONDITIONS, TOOLS
from draftsmith.api.routes.live import SOCKETS

_PERMISSIONS: Final = {
    f"{method} {route.path}": route.permission
    for router in (*ROOT_ROUTERS, *API_ROUTERS)
    for route in router.routes
    if isinstance(route, Route)
    for method in route.methods
}
ROUTES: Final[Mapping[str, Action]] = {route: permission.action for route, permission in _PERMISSIONS.items()}
"""By method and path, as routes declare them."""
CONDITIONAL: Final[Mapping[str, tuple[Action, str]]] = {
    route: (permission.further, permission.unless)
    for route, permission in _PERMISSIONS.items()
    if permission.further is not None
}
"""Routes that take a further action unless a condition holds."""

NOT_IN_CONTRACT = frozenset({
    "GET /", "GET /sign-in", "GET /s", "GET /w/{rest:path}", "GET /mermaid", "GET /remote-image", "GET /{name:path}",
    "GET /metrics", "GET /docs", "GET /api/v1/sign-in/begin", "GET /api/v1/sign-in/callback",
    "POST /api/v1/sign-in/notice", "POST /mcp", "GET /mcp", "DELETE /mcp", "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/mcp", "GET /mcp/SKILL.md",
})  # fmt: skip
"""For browsers, issuers, operators and agents."""
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_HEAD = ("| What | stranger | no role | viewer | commenter | editor | owner |", "|---|---|---|---|---|---|---|")
_OTHER = (
    "| What | stranger | by a link | signed in | administrator | a limited key of theirs |",
    "|---|---|---|---|---|---|",
)


def table_rows() -> Iterator[str]:
    """Its rows: those of workspaces, of folders, of the installation."""
    asked = [*ROUTES.items(), *((f"WebSocket {path}", action) for path, action in SOCKETS.items()),
             *((f"message `{kind}`", action) for kind, action in ACTIONS.items()),
             *((f"tool `{name}`", action) for name, action in TOOLS.items()),
             *((f"MCP `{name}`", action) for name, action in RESOURCES.items())]  # fmt: skip
    yield from _HEAD
    yield from (_in_workspace(what, action) for what, action in asked if is_of_workspace(action))
    yield from _HEAD
    yield from (_in_workspace(what, action) for what, action in asked if is_of_folder(action))
    yield from _OTHER
    yield from (_in_installation(what, action) for what, action in asked if action.value.role is None)


def _named(what: str) -> str:
    """As a page names it; what is for browsers, and in no contract, without the marks of a route."""
    plain = what.replace("/api/v1", "").replace(":path}", "}")
    is_route = what.split(" ", maxsplit=1)[0] in _METHODS and what not in NOT_IN_CONTRACT
    return f"`{plain}`" if is_route else plain


def _in_workspace(what: str, action: Action) -> str:
    least = action.value.role
    assert least is not None
    known = {**CONDITIONAL, **{f"tool `{name}`": row for name, row in TOOL_CONDITIONS.items()}}
    more, part = known.get(what, (action, ""))
    assert more.value.role is not None
    cells = [
        "yes" if is_at_least(role, more.value.role) else part if is_at_least(role, least) else "403" for role in ROLES
    ]
    return f"| {_named(what)} | 401 | 404 | {' | '.join(cells)} |"


def _in_installation(what: str, action: Action) -> str:
    who = action.value.who
    order = ("anybody", "known", "signed_in", "administrator")
    cells = ["yes" if order.index(who) <= place else "401" if place == 0 else "403" for place in range(4)]
    limit = "viewer" if who == "anybody" else action.value.limit
    limited = "403" if limit is None else "yes" if limit == "viewer" else f"from {limit}"
    return f"| {_named(what)} | {' | '.join(cells)} | {limited} |"


if __name__ == "__main__":
    print("\n".join(table_rows()))
