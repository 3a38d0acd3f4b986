"""The connections to one provider of models at one address: one for each key, shared by providers of several models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from draftsmith.assistant.provider import AIProvider


class _Closable(Protocol):
    async def close(self) -> None: ...


_Connection = TypeVar("_Connection", bound=_Closable)


class KeyedConnections(Generic[_Connection]):
    """Opens a connection when a key is first used; implements `assistant.model_provider.Connections`."""

    def __init__(
        self, connect: Callable[[str], _Connection], provide: Callable[[str, _Connection], AIProvider]
    ) -> None:
        """Open nothing yet.

        Args:
            connect: makes the connection for a key; nothing is sent.
            provide: makes a provider with one model on a connection; nothing is sent.
        """
        self._connect, self._provide = connect, provide
        self._by_key: dict[str, _Connection] = {}

    def provider(self, key: str, model: str) -> AIProvider:
        """A provider with one model; nothing is sent."""
        if key not in self._by_key:
            self._by_key[key] = self._connect(key)
        return self._provide(model, self._by_key[key])

    async def close(self) -> None:
        """Close every connection; a provider that is used again opens another."""
        for connection in self._by_key.values():
            await connection.close()
