"""Who a request comes from, as far as fairness goes: whose work waits behind whose.

It says nothing of what somebody may do (`Actor` does). A profile of a browser costs nothing to make, so the address
counts before the name. The value travels with the task that serves a request (a context variable), since everything
that such a task begins is done for the same client.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Client:
    """One client.

    Attributes:
        address: where it connects from; empty where that is not known.
        name: the person, or the connection of a program that has not said who it is.
    """

    address: str = ""
    name: str = ""


NOBODY: Final = Client()
"""Work of the server's own."""

_current: ContextVar[Client] = ContextVar("draftsmith_client", default=NOBODY)


def current_client() -> Client:
    """The client that this task serves."""
    return _current.get()


def set_client(client: Client) -> None:
    """Say which client this task, and what it begins from now on, serves."""
    _current.set(client)
