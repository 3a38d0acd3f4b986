"""Which action each route and each message of a page is: the table that the gate asks, and that docs/security.md shows.

A route without a row cannot be registered, and a row without a route fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from draftsmith.access.actions import Action

A = Action
_W: Final = "/api/v1/workspaces/{w}"
_F: Final = "/api/v1/folders/{f}"

ROUTES: Final[Mapping[str, Action]] = {
    "POST /mcp": A.AGENT,
    "GET /mcp": A.PUBLIC,
    "DELETE /mcp": A.PUBLIC,
    "GET /.well-known/oauth-protected-resource": A.PUBLIC,
    "GET /.well-known/oauth-protected-resource/mcp": A.PUBLIC,
    "GET /healthz": A.PUBLIC,
    "GET /readyz": A.PUBLIC,
    "GET /metrics": A.SETTINGS_READ,
    "GET /docs": A.PUBLIC,
    "GET /": A.PUBLIC,
    "GET /sign-in": A.PUBLIC,
    "GET /s": A.PUBLIC,
    "GET /w/{rest:path}": A.PUBLIC,
    "GET /mermaid": A.PUBLIC,
    "GET /{name:path}": A.PUBLIC,
    "GET /api/v1/me": A.SIGN_IN,
    "PATCH /api/v1/me": A.SELF,
    "POST /api/v1/session": A.SIGN_IN,
    "DELETE /api/v1/session": A.SIGN_IN,
    "GET /api/v1/sessions": A.SELF_READ,
    "DELETE /api/v1/sessions": A.SELF,
    "DELETE /api/v1/sessions/{session_id}": A.SELF,
    "POST /api/v1/sign-in/link": A.SIGN_IN,
    "GET /api/v1/sign-in/begin": A.SIGN_IN,
    "GET /api/v1/sign-in/callback": A.SIGN_IN,
    "POST /api/v1/sign-in/notice": A.SIGN_IN,
    "POST /api/v1/shares/open": A.SIGN_IN,
    "GET /api/v1/keys": A.KEYS_READ,
    "POST /api/v1/keys": A.KEYS,
    "DELETE /api/v1/keys/{key_id}": A.KEYS,
    "POST /api/v1/keys/{key_id}/take-over": A.PEOPLE,
    "GET /api/v1/users": A.PEOPLE_READ,
    "PATCH /api/v1/users/{user_id}": A.PEOPLE,
    "DELETE /api/v1/users/{user_id}": A.PEOPLE,
    "GET /api/v1/removed-users": A.PEOPLE_READ,
    "DELETE /api/v1/removed-users/{user_id}": A.PEOPLE,
    "GET /api/v1/audit": A.PEOPLE_READ,
    "GET /api/v1/templates": A.LIST,
    "GET /api/v1/patterns": A.LIST,
    "GET /api/v1/assistant": A.ASSISTANT_READ,
    "POST /api/v1/assistant/check": A.SETTINGS,
    "PUT /api/v1/assistant/key": A.SETTINGS,
    "DELETE /api/v1/assistant/key": A.SETTINGS,
    "GET /api/v1/usage": A.SETTINGS_READ,
    "GET /api/v1/plugins": A.SETTINGS_READ,
    "GET /api/v1/workspaces": A.LIST,
    "POST /api/v1/workspaces": A.CREATE,
    "GET /api/v1/folders": A.LIST,
    "POST /api/v1/folders": A.CREATE,
    f"GET {_F}": A.FOLDER_READ,
    f"PATCH {_F}": A.FOLDER_WRITE,
    f"DELETE {_F}": A.FOLDER_OWN,
    f"GET {_F}/access": A.FOLDER_READ,
    f"PATCH {_F}/access": A.FOLDER_OWN,
    f"PUT {_F}/members/{{principal:path}}": A.FOLDER_OWN,
    f"DELETE {_F}/members/{{principal:path}}": A.FOLDER_OWN,
    f"PUT {_F}/groups/{{group}}": A.FOLDER_OWN,
    f"DELETE {_F}/groups/{{group}}": A.FOLDER_OWN,
    f"POST {_F}/transfer": A.FOLDER_OWN,
    f"GET {_F}/audit": A.FOLDER_OWN,
    f"GET {_W}": A.READ,
    f"PATCH {_W}": A.WRITE,
    f"DELETE {_W}": A.TRASH,
    f"POST {_W}/undelete": A.TRASH,
    f"GET {_W}/diagram": A.READ,
    f"GET {_W}/document": A.READ,
    f"GET {_W}/outline": A.READ,
    f"GET {_W}/section": A.READ,
    f"GET {_W}/lint": A.READ,
    f"GET {_W}/export": A.READ,
    f"GET {_W}/nodes": A.READ,
    f"GET {_W}/nodes/{{node_id}}": A.READ,
    f"GET {_W}/edges": A.READ,
    f"GET {_W}/edges/{{edge_id}}": A.READ,
    f"POST {_W}/batches": A.PROPOSE,
    f"POST {_W}/nodes": A.WRITE,
    f"PATCH {_W}/nodes/{{node_id}}": A.WRITE,
    f"DELETE {_W}/nodes/{{node_id}}": A.WRITE,
    f"POST {_W}/edges": A.WRITE,
    f"PATCH {_W}/edges/{{edge_id}}": A.WRITE,
    f"DELETE {_W}/edges/{{edge_id}}": A.WRITE,
    f"PUT {_W}/document": A.WRITE,
    f"POST {_W}/document/edits": A.WRITE,
    f"GET {_W}/commits": A.READ,
    f"GET {_W}/commits/{{revision}}": A.READ,
    f"POST {_W}/commits/{{revision}}/revert": A.WRITE,
    f"GET {_W}/commits/events": A.READ,
    f"GET {_W}/revisions/{{revision}}": A.READ,
    f"POST {_W}/revisions/{{revision}}/restore": A.WRITE,
    f"GET {_W}/compare": A.READ,
    f"GET {_W}/checkpoints": A.READ,
    f"POST {_W}/checkpoints": A.CHECKPOINT,
    f"DELETE {_W}/checkpoints/{{checkpoint}}": A.CHECKPOINT,
    f"GET {_W}/undo": A.READ,
    f"POST {_W}/undo": A.WRITE,
    f"POST {_W}/redo": A.WRITE,
    f"GET {_W}/assistant": A.READ,
    f"PATCH {_W}/assistant": A.ASSISTANT_SWITCH,
    f"GET {_W}/completions": A.READ,
    f"GET {_W}/patterns/{{pattern_id}}": A.READ,
    f"POST {_W}/workloads/compare": A.PROPOSE,
    f"POST {_W}/workloads/proposals": A.PROPOSE,
    f"GET {_W}/conversation": A.RUN_READ,
    f"DELETE {_W}/conversation": A.CONVERSATION_CLEAR,
    f"POST {_W}/history/summary": A.ASK,
    f"POST {_W}/runs": A.ASK,
    f"GET {_W}/runs": A.RUN_READ,
    f"GET {_W}/runs/{{run_id}}": A.RUN_READ,
    f"GET {_W}/runs/{{run_id}}/events": A.RUN_READ,
    f"POST {_W}/runs/{{run_id}}/cancel": A.OWN_RUN,
    f"PUT {_W}/runs/{{run_id}}/rating": A.OWN_RUN,
    f"POST {_W}/runs/{{run_id}}/approvals/{{approval_id}}": A.DECIDE,
    f"GET {_W}/proposals": A.READ,
    f"GET {_W}/proposals/{{proposal_id}}": A.READ,
    f"POST {_W}/proposals/{{proposal_id}}/accept": A.DECIDE,
    f"POST {_W}/proposals/{{proposal_id}}/reject": A.PROPOSE,
    f"POST {_W}/live-tickets": A.READ,
    f"GET {_W}/access": A.ACCESS_READ,
    f"PATCH {_W}/access": A.ACCESS_WRITE,
    f"PUT {_W}/members/{{principal:path}}": A.ACCESS_WRITE,
    f"DELETE {_W}/members/{{principal:path}}": A.ACCESS_WRITE,
    f"PUT {_W}/groups/{{group}}": A.ACCESS_WRITE,
    f"DELETE {_W}/groups/{{group}}": A.ACCESS_WRITE,
    f"POST {_W}/transfer": A.ACCESS_WRITE,
    f"PUT {_W}/folder": A.MOVE,
    f"GET {_W}/shares": A.ACCESS_WRITE,
    f"POST {_W}/shares": A.ACCESS_WRITE,
    f"DELETE {_W}/shares/{{share_id}}": A.ACCESS_WRITE,
    f"GET {_W}/audit": A.AUDIT_READ,
}
"""By method and path, as routes declare them."""

CONDITIONAL: Final[Mapping[str, tuple[Action, str]]] = {
    f"POST {_W}/batches": (A.WRITE, "with `propose`"),
    f"POST {_W}/proposals/{{proposal_id}}/reject": (A.DECIDE, "their own"),
    f"PATCH {_F}": (A.FOLDER_OWN, "its name"),
}
"""Routes that take a further action unless the condition holds; they check that themselves, having read the request."""

SOCKETS: Final[Mapping[str, Action]] = {f"{_W}/live": A.READ, "/{path:path}": A.PUBLIC}
"""By path: what opening a WebSocket takes."""

MESSAGES: Final[Mapping[str, Action]] = {
    "hello": A.READ,
    "resync": A.READ,
    "ping": A.READ,
    "presence": A.PRESENCE,
    "watch": A.RUN_READ,
    "unwatch": A.RUN_READ,
    "submit": A.WRITE,
    "type": A.WRITE,
    "undo": A.WRITE,
    "redo": A.WRITE,
    "revert": A.WRITE,
}
"""By `t` of the message: what a page may send over an open socket."""

TOOLS: Final[Mapping[str, Action]] = {
    "list_workspaces": A.LIST,
    "create_workspace": A.CREATE,
    "read_workspace": A.READ,
    "read_sections": A.READ,
    "read_nodes": A.READ,
    "find": A.READ,
    "check": A.READ,
    "history": A.READ,
    "compare": A.READ,
    "export": A.READ,
    "edit": A.PROPOSE,
    "undo": A.WRITE,
    "proposals": A.READ,
}
"""By name: what a tool of agents takes, over MCP. Messages of MCP that name no tool take what `POST /mcp` takes."""

RESOURCES: Final[Mapping[str, Action]] = {
    "resources/list": A.LIST,
    "resources/read": A.READ,
    "subscriptions/listen": A.READ,
}
"""By method: what resources of agents take, over MCP; completion takes what listing and reading take."""

TOOL_CONDITIONS: Final[Mapping[str, tuple[Action, str]]] = {
    "edit": (A.WRITE, "as a proposal"),
    "proposals": (A.DECIDE, "list, show"),
}
"""Tools that take a further action unless the condition holds; they check that themselves."""
