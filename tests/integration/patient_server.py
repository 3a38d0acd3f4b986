"""The application in a worker that waits for who reads nothing, or answers no ping, however long; for tests."""

from __future__ import annotations

from starlette.types import ASGIApp

from draftsmith.adapters.server import slow_clients
from draftsmith.adapters.server.websocket import PageSocket
from draftsmith.main import create_app
from tests.timeouts import NEVER_SECONDS


def create_patient() -> ASGIApp:
    """The same application."""
    slow_clients.WINDOW_SECONDS = NEVER_SECONDS  # type: ignore[misc]  # it is bytes that are shown
    PageSocket.keepalive_timeout = lambda self: None  # type: ignore[method-assign]
    return create_app()
