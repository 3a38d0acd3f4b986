"""The contract as it is published, for tests of whole routes: reading it takes a fiftieth of making it.

That it is what the server has is seen to in `tests/unit/test_contract_files.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

OPENAPI: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "docs" / "openapi.json").read_text("utf-8"))


_NEED_MORE: Final = frozenset(
    {"enter_key", "enter_server", "try_server", "cancel_run", "rate_run", "accept_proposal", "reject_proposal"}
)
"""Whose examples need more than a fresh workspace that has one commit to undo: a key, a server, a run or a proposal."""
_OPERATIONS: Final = [operation for methods in OPENAPI["paths"].values() for operation in methods.values()]


def _json_of(holder: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = holder.get("content", {}).get("application/json", {})
    return found


REQUESTS: Final[dict[str, dict[str, Any]]] = {
    operation["operationId"]: {title: example["value"] for title, example in examples.items()}
    for operation in _OPERATIONS
    if operation["operationId"] not in _NEED_MORE
    and (examples := _json_of(operation.get("requestBody", {})).get("examples"))
}
"""Examples of bodies by operation and title; each can be sent to such a workspace."""
ANSWERS: Final[dict[str, Any]] = {
    operation["operationId"]: example
    for operation in _OPERATIONS
    for response in operation["responses"].values()
    if (example := _json_of(response).get("example"))
}
"""Examples of answers by operation."""
