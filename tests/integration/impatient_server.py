"""The application in a worker that cuts off who reads nothing, or finishes no head, in half a second; for tests."""

from __future__ import annotations

from starlette.types import ASGIApp

from draftsmith.adapters.server import slow_clients
from draftsmith.main import create_app


def create_impatient() -> ASGIApp:
    """The same application."""
    slow_clients.WINDOW_SECONDS = 0.5  # type: ignore[misc]  # what is waited for is what is shown
    slow_clients.HEAD_SECONDS = 0.5  # type: ignore[misc]
    return create_app()
