"""Where a request comes from, as an address; behind a proxy that is named as trusted, the one that the proxy says."""

from __future__ import annotations

from starlette.requests import HTTPConnection


def address_of(connection: HTTPConnection) -> str:
    """The address; empty where it is not known."""
    return connection.client.host if connection.client else ""
