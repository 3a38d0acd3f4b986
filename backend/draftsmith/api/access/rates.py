"""Rate limits for failed credentials and for writes, counted in the store over all workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from draftsmith.errors import DraftsmithError
from draftsmith.ports import Clock
from draftsmith.ports.access import AccessFacts, Rate, RateStore

_MINUTE_MS: Final = 60_000
_WRITE: Final = "write:"


@dataclass(frozen=True)
class Rates:
    """The limits of this installation.

    Attributes:
        writes: writing requests of one principal a minute; 0 for no limit.
        calls: requests of one agent a minute; 0 for no limit.
        tries: refused credentials, links and sign-ins of one address a minute; 0 for no limit.
    """

    store: RateStore
    clock: Clock
    writes: int
    tries: int
    calls: int = 0

    def of_writes(self, who: str) -> Rate | None:
        """As what one writing request is counted; None for no limit."""
        return self._rate(_WRITE + who, self.writes)

    async def write(self, who: str, facts: AccessFacts) -> None:
        """Count one writing request, unless it was counted as one of theirs when it was looked up who they are.

        Raises:
            DraftsmithError: `too_many_requests`.
        """
        rate, again_ms = facts.query.rate, facts.again_ms
        if rate is None or rate.name != _WRITE + who:
            again_ms = await self._spend(_WRITE + who, self.writes)
        if again_ms:
            raise _rate_error("too_many_requests", f"More than {self.writes} changes a minute; slow down.", again_ms)

    async def agent(self, who: str) -> None:
        """Count one request of an agent, apart from what its person does.

        Raises:
            DraftsmithError: `too_many_requests`.
        """
        again_ms = await self._spend(f"agent:{who}", self.calls)
        if again_ms:
            raise _rate_error("too_many_requests", f"More than {self.calls} calls a minute; slow down.", again_ms)

    async def is_first(self, name: str) -> bool:
        """Whether something is told for the first time this minute."""
        return await self._spend(name, 1) == 0

    async def count_failure(self, address: str) -> None:
        """Count one refused credential.

        Raises:
            DraftsmithError: `too_many_tries`.
        """
        again_ms = await self._spend(f"try:{address}", self.tries)
        if again_ms:
            raise _rate_error("too_many_tries", "Too many refused credentials from this address; try later.", again_ms)

    async def _spend(self, name: str, most: int) -> int:
        rate = self._rate(name, most)
        return 0 if rate is None else await self.store.spend(rate)

    def _rate(self, name: str, most: int) -> Rate | None:
        return Rate(name, most, _MINUTE_MS, self.clock.now_ms()) if most else None


def _rate_error(code: str, detail: str, again_ms: int) -> DraftsmithError:
    return DraftsmithError(code, detail, extra={"retry_after": -(-again_ms // 1000)})
