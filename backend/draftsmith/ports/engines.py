"""Engines as the use cases see them: the page's own code, which lays diagrams out and draws pictures."""

from __future__ import annotations

from typing import Protocol


class EngineFailed(Exception):
    """The engine has not answered: it takes too much, has ended, or cannot do it. The next question may be answered.

    Attributes:
        is_too_costly: whether the question took more than one may take, so that it is not worth asking again.
    """

    def __init__(self, reason: str, *, is_too_costly: bool = False) -> None:
        super().__init__(reason)
        self.is_too_costly = is_too_costly


class Engine(Protocol):
    """Answers questions, one at a time."""

    async def run(self, question: bytes) -> bytes:
        """Ask the engine; what is asked is JSON. Cancelling this ends what it does.

        Raises:
            EngineFailed: there is no answer.
        """
        ...

    async def start(self) -> None:
        """Start the engine before it is needed."""
        ...

    async def close(self) -> None:
        """End the engine."""
        ...
