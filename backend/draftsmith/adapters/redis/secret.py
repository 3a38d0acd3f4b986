"""The secret that signs profile cookies and live tickets: created once, shared by every worker on the same store."""

from __future__ import annotations

import secrets

from draftsmith.adapters.redis.connection import RedisConnection

KEY = "draftsmith:cookie-secret"


async def cookie_secret(connection: RedisConnection) -> str:
    """Read the secret; make it if there is none."""
    found: bytes | None = await connection.write.command("GET", KEY)  # first, as a store without room takes no write
    if found is None:
        await connection.write.command("SET", KEY, secrets.token_urlsafe(32), "NX")
        found = await connection.write.command("GET", KEY)
    assert found is not None
    return found.decode()
