"""All stores of access on one connection."""

from __future__ import annotations

from draftsmith.adapters.redis.access.access_changes import RedisAccessChanges
from draftsmith.adapters.redis.access.facts import RedisAccessFacts
from draftsmith.adapters.redis.access.folders import RedisFolders
from draftsmith.adapters.redis.access.moments import RedisAudit, RedisOneTime, RedisRates
from draftsmith.adapters.redis.access.people import RedisKeys, RedisSessions, RedisUsers
from draftsmith.adapters.redis.access.workspaces import RedisShares, RedisWorkspaceAccess
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.ports.access import AccessStores


def access_stores(connection: RedisConnection) -> AccessStores:
    """Make the stores of access on a connection; Redis is not asked anything yet."""
    return AccessStores(
        users=RedisUsers(connection),
        sessions=RedisSessions(connection),
        keys=RedisKeys(connection),
        shares=RedisShares(connection),
        workspaces=RedisWorkspaceAccess(connection),
        folders=RedisFolders(connection),
        facts=RedisAccessFacts(connection),
        one_time=RedisOneTime(connection),
        rates=RedisRates(connection),
        audit=RedisAudit(connection),
        news=RedisAccessChanges(connection),
    )
