"""The application in a worker that cuts off clients which do not read after a fraction of a second, for tests."""

from __future__ import annotations

from starlette.types import ASGIApp

from draftsmith.adapters.server import slow_clients
from draftsmith.main import create_app


def create_impatient() -> ASGIApp:
    """The same application."""
    slow_clients.WINDOW_SECONDS = 0.5  # type: ignore[misc]  # what is waited for is what is shown
    return create_app()
