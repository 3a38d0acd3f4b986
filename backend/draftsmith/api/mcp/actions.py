"""The action that each tool and each resource of agents needs at the gate; docs/security.md lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from draftsmith.access.actions import Action

A = Action

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
    "query": A.ASK,
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
