"""The system's clock and random numbers; implements `ports.Clock`."""

from __future__ import annotations

import asyncio
import secrets
import time

_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [one + other for one in _CROCKFORD for other in _CROCKFORD]
_RANDOM_BITS = 80


def ulid(ms: int, chance: int) -> str:
    """Write a ULID: 48 bits of milliseconds, 80 of chance, five bits a character, lower case."""
    number = (ms & ((1 << 48) - 1)) << _RANDOM_BITS | chance
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(120, -1, -10)])


class SystemClock:
    """The clock of this computer and the operating system's random numbers."""

    def now_ms(self) -> int:
        """Milliseconds since 1970; may jump."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never jumps back."""
        return time.monotonic()

    def new_id(self) -> str:
        """A new ULID of now."""
        return ulid(self.now_ms(), secrets.randbits(_RANDOM_BITS))

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
