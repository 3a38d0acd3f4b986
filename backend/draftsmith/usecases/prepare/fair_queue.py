"""Turns at a few resources, in an order that no client can bend by asking more often.

A client has one turn at a time; what else it wants waits behind that. A free resource goes to the address with the
fewest turns under way, where that is equal to the one whose last turn is longest ago; inside an address, to the client
whose last turn is; for one client in the order of asking. How many may wait is bounded, for each client and in total.
No clock: whoever waits may be cancelled.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from draftsmith.errors import DraftsmithError
from draftsmith.usecases.requests.client import Client

T = TypeVar("T")
WAITING_PER_CLIENT, WAITING = 8, 64
_REMEMBERED = 4096
_TOO_MANY = "Too much that takes long is waiting here already; nothing was applied. Try again in a moment."


class FairQueue(Generic[T]):
    """Who waits for one of the resources.

    Attributes:
        waiting: how many do.
    """

    def __init__(self, resources: Iterable[T], per_client: int = WAITING_PER_CLIENT, in_total: int = WAITING) -> None:
        self._free = deque(resources)
        self._per_client, self._in_total = per_client, in_total
        self._lanes: dict[str, dict[Client, deque[asyncio.Future[T]]]] = {}
        self._serving: set[Client] = set()
        self._under_way: Counter[str] = Counter()
        self._turns = 0
        self._last_turn: dict[Client | str, int] = {}  # of clients and addresses, oldest first
        self.waiting = 0

    @asynccontextmanager
    async def turn(self, client: Client) -> AsyncIterator[T]:
        """Wait for a resource and have it for the time of the block.

        Raises:
            DraftsmithError: `busy`, if too many wait.
        """
        resource = await self._wait(client)
        try:
            yield resource
        finally:
            self._give_back(client, resource)

    async def _wait(self, client: Client) -> T:
        lane = self._lanes.setdefault(client.address, {}).setdefault(client, deque())
        if len(lane) >= self._per_client or self.waiting >= self._in_total:
            self._forget_if_empty(client)
            raise DraftsmithError("busy", _TOO_MANY)
        place: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        lane.append(place)
        self.waiting += 1
        self._serve()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._give_back(client, place.result())
            else:
                self._drop(client, place)
            raise

    def _drop(self, client: Client, place: asyncio.Future[T]) -> None:
        lane = self._lanes.get(client.address, {}).get(client, deque())
        if place in lane:
            lane.remove(place)
            self.waiting -= 1
            self._forget_if_empty(client)

    def _give_back(self, client: Client, resource: T) -> None:
        self._serving.discard(client)
        self._under_way[client.address] -= 1
        self._under_way += Counter()  # drops what is zero
        self._free.append(resource)
        self._serve()

    def _serve(self) -> None:
        """Give free resources to those whose turn it is."""
        while self._free and (client := self._next()) is not None:
            place = self._lanes[client.address][client].popleft()
            self.waiting -= 1
            if place.done():  # cancelled, and its task has not run since
                self._forget_if_empty(client)
                continue
            self._serving.add(client)
            self._under_way[client.address] += 1
            self._note_turn(client)
            self._forget_if_empty(client)
            place.set_result(self._free.popleft())

    def _next(self) -> Client | None:
        """The client whose turn it is; None if all that wait have one already."""
        waiting = [
            (self._under_way[address], self._last_turn.get(address, 0), self._last_turn.get(client, 0), client)
            for address, clients in self._lanes.items()
            for client in clients
            if client not in self._serving
        ]
        return min(waiting, key=lambda one: one[:3])[3] if waiting else None

    def _note_turn(self, client: Client) -> None:
        self._turns += 1
        for one in (client.address, client):
            self._last_turn.pop(one, None)
            self._last_turn[one] = self._turns
        while len(self._last_turn) > _REMEMBERED:
            del self._last_turn[next(iter(self._last_turn))]

    def _forget_if_empty(self, client: Client) -> None:
        clients = self._lanes[client.address]
        if not clients[client]:
            del clients[client]
        if not clients:
            del self._lanes[client.address]
