"""Examples for the contract.

A test sends each of `REQUESTS` to a fresh workspace that has one commit to undo. Those of `SHOWN` need more than that,
a key or a proposal, and are shown only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_BATCH = {
    "operations": [
        {"op": "add_node", "id": "sessions", "type": "cache", "label": "Sessions", "technology": "Valkey 9"},
        {"op": "add_node", "id": "accounts", "type": "service", "label": "Accounts", "near": "sessions"},
        {"op": "add_edge", "source": "accounts", "target": "sessions", "label": "reads and writes sessions"},
        {"op": "insert_section", "title": "Sessions", "text": "[Sessions](#node/sessions) live for 30 minutes."},
    ],
    "explanation": "Sessions move out of the database, which they kept busy.",
}
_MERMAID = "flowchart LR\n  web[Shop] -->|places orders| api[Orders]\n  api --> db[(Orders database)]\n"

REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "create_workspace": {
        "blank": {"name": "Checkout"},
        "template": {"name": "Checkout", "template": "web-service"},
        "mermaid": {"name": "Shop", "import": {"format": "mermaid", "content": _MERMAID}},
        "markdown": {"import": {"format": "markdown", "content": "# Checkout\n\nTakes orders.\n"}},
        "parts": {
            "name": "Checkout",
            "diagram": {"nodes": [{"id": "orders", "type": "service", "label": "Orders"}], "edges": []},
            "document": {"text": "# Checkout\n"},
        },
    },
    "post_batch": {
        "diagram_and_document": _BATCH,
        "dry_run": {**_BATCH, "dry_run": True},
    },
    "post_node": {"node": {"type": "database", "label": "Orders database", "technology": "PostgreSQL 17"}},
    "rename_workspace": {"name": {"name": "Checkout platform"}},
    "rename_me": {"name": {"name": "Ada"}},
    "put_document": {"document": {"text": "# Checkout\n\n## Orders\n\nTakes orders.\n"}},
    "undo": {"mine": {}, "all": {"scope": "all"}, "look": {"dry_run": True}},
    "redo": {"mine": {}},
    "add_checkpoint": {"newest": {"name": "Before the review"}},
    "start_run": {
        "command": {"prompt": "add a cache called Sessions"},
        "question": {"prompt": "what is unconnected", "workflow": "ask"},
        "proposal": {"prompt": "add a queue called Jobs", "mode": "propose", "id": "jobs-2026-05-04"},
    },
    "summarize_history": {"since": {"since": 1}, "without_a_model": {"since": 1, "provider": "builtin"}},
    "issue_ticket": {"page": {}},
    "set_switch": {
        "off": {"enabled": False},
        "whole": {"edit_mode": "regenerate"},
        "here": {"provider": "builtin"},
    },
}

SHOWN: Mapping[str, Mapping[str, Any]] = {
    "enter_key": {"key": {"api_key": "sk-ant-…"}, "openai": {"api_key": "sk-…", "provider": "openai"}},
    "cancel_run": {"stop": {}},
    "rate_run": {"liked": {"rating": "up"}, "taken_back": {"rating": None}},
    "accept_proposal": {"all": {}, "some": {"operations": [0, 2]}, "look": {"dry_run": True}},
    "reject_proposal": {"no": {}},
}

_NODE: Mapping[str, Any] = {
    "id": "orders-database",
    "type": "database",
    "label": "Orders database",
    "description": "Every order of the last ten years.",
    "technology": "PostgreSQL 17",
    "notes": "",
    "properties": {"owner": "Team Checkout"},
    "position": {"x": 480, "y": 120},
    "size": None,
    "parent": None,
    "locked": False,
}
_EDGE: Mapping[str, Any] = {
    "id": "orders--orders-database",
    "source": "orders",
    "target": "orders-database",
    "label": "stores orders",
    "kind": "data",
    "direction": "forward",
    "description": "",
    "properties": {},
    "route": None,
}

ANSWERS: Mapping[str, Any] = {
    "list_nodes": {"items": [_NODE], "next_cursor": None},
    "get_node": _NODE,
    "list_edges": {"items": [_EDGE], "next_cursor": None},
    "get_edge": _EDGE,
    "post_batch": {
        "batch_id": "01j9zq4t6v8w0x2y4z6a8b0c2d",
        "revision": 7,
        "changed": True,
        "dry_run": False,
        "replayed": False,
        "kind": "edit",
        "ref": None,
        "results": [{"index": 0, "op": "update_node", "ids": ["orders"]}],
        "diff": {
            "nodes": {
                "added": [],
                "changed": [{"id": "orders", "fields": {"label": ["Order", "Orders"]}}],
                "removed": [],
            },
            "edges": {"added": [], "changed": [], "removed": []},
            "document": [],
            "workspace": {},
        },
        "warnings": [],
        "left_out": [],
    },
    "create_workspace": {
        "id": "01j9zq4t6v8w0x2y4z6a8b0c2d",
        "name": "Checkout",
        "role": "owner",
        "folder": None,
        "revision": 1,
        "nodes": 0,
        "edges": 0,
        "chars": 0,
        "created_at": "2026-05-04T09:30:00.000Z",
        "updated_at": "2026-05-04T09:30:00.000Z",
        "deleted_at": None,
        "warnings": [],
    },
}
