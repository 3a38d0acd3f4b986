"""Everything that is asked of access about one request, in one round trip; implements `AccessFactStore`.

One script reads it, since a request that changes something pays for each command as much as for looking at its answer.
In a cluster what is asked lies in different slots, which no script may touch together: there the stores are asked one
after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from draftsmith.access.folders import MOST_DEPTH, Folder
from draftsmith.access.records import ApiKey, BrowserSession, Share, User
from draftsmith.access.workspace_access import WorkspaceAccess
from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.access.folders import RedisFolders, folder_of
from draftsmith.adapters.redis.access.moments import RedisRates, again_ms, counter_of
from draftsmith.adapters.redis.access.people import RedisKeys, RedisSessions, RedisUsers
from draftsmith.adapters.redis.access.values import key_of, session_of, share_of, user_of
from draftsmith.adapters.redis.access.workspaces import RedisWorkspaceAccess, record_of
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.keys import WorkspaceKeys
from draftsmith.adapters.redis.pool import Argument
from draftsmith.ports.access import AccessFacts, AccessQuery


@dataclass(frozen=True)
class RedisAccessFacts:
    """What one store knows about a request."""

    connection: RedisConnection

    async def read(self, query: AccessQuery) -> AccessFacts:
        """Everything that is asked, and count the request."""
        if self.connection.features.cluster:
            return await self._read_by_slot(query)
        keys, arguments = _script_input(query)
        if not keys:
            return AccessFacts(query)
        pool = self.connection.read if query.rate is None else self.connection.write
        return _facts(query, await pool.script(scripts.READ_FACTS, keys, arguments))

    async def _read_by_slot(self, query: AccessQuery) -> AccessFacts:
        key: ApiKey | None = None
        session: BrowserSession | None = None
        user: User | None = None
        record: WorkspaceAccess | None = None
        share: Share | None = None
        folders: tuple[Folder, ...] = ()
        if query.key_hash:
            key, user = await RedisKeys(self.connection).look(query.key_hash) or (None, None)
        if query.session_hash:
            session = await RedisSessions(self.connection).read(query.session_hash)
        user_id = query.user_id if session is None else session.user_id
        if user_id:
            user = await RedisUsers(self.connection).read(user_id)
        if query.workspace_id is not None:
            record, share = await RedisWorkspaceAccess(self.connection).look(query.workspace_id, query.share_id)
        if record is not None and record.folder is not None:
            folders = tuple(await RedisFolders(self.connection).chain(record.folder))
        again = 0 if query.rate is None else await RedisRates(self.connection).spend(query.rate)
        return AccessFacts(query, key, session, user, record, folders, share, again)


def _script_input(query: AccessQuery) -> tuple[list[str], list[Argument]]:
    """Keys and arguments of `read_facts.lua`; no keys where nothing is asked."""
    questions, keys, arguments = "", list[str](), list[Argument]([""])
    if query.key_hash:
        questions += "k"
        keys += (names.KEYS, names.USERS)
        arguments.append(query.key_hash)
    if query.session_hash:
        questions += "s"
        keys += (names.session(query.session_hash), names.USERS)
    if query.user_id:
        questions += "u"
        keys.append(names.USERS)
        arguments.append(query.user_id)
    if query.workspace_id is not None:
        of_workspace = WorkspaceKeys(query.workspace_id)
        questions += "w"
        keys += (of_workspace.access, names.FOLDERS)
        arguments.append(MOST_DEPTH)
        if query.share_id is not None:
            questions += "l"
            keys.append(of_workspace.shares)
            arguments.append(query.share_id)
    if query.rate is not None:
        questions += "c"
        keys.append(counter_of(query.rate))
        arguments.append(query.rate.window_ms)
    arguments[0] = questions
    return keys, arguments


def _facts(query: AccessQuery, answers: list[Any]) -> AccessFacts:
    """Read the answers of `read_facts.lua`, which come in the order of the questions."""
    key, session, user, record, share = None, None, None, None, None
    folders: tuple[Folder, ...] = ()
    answer = iter(answers)
    if query.key_hash and (found := next(answer)) is not None:
        key, user = key_of(found[0], None), _user_or_none(found[1])
    if query.session_hash and (found := next(answer)) is not None:
        session, user = session_of(found[0]), _user_or_none(found[1])
    if query.user_id:
        user = _user_or_none(next(answer))
    if query.workspace_id is not None:
        if (found := next(answer)) is not None:
            record, folders = record_of(found[0]), tuple(map(folder_of, found[1]))
        if query.share_id is not None and (found := next(answer)) is not None:
            share = share_of(found, None)
    again = 0 if query.rate is None else again_ms(query.rate, next(answer))
    return AccessFacts(query, key, session, user, record, folders, share, again)


def _user_or_none(text: bytes | None) -> User | None:
    return user_of(text) if text else None
