"""People, their sessions and the keys of programs; implements `UserStore`, `SessionStore` and `ApiKeyStore`."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from draftsmith.access.records import ApiKey, BrowserSession, RemovedUser, User, last_administrator, user_removed
from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.access.values import encode_record, key_of, removed_of, session_of, user_of
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.pool import Argument

_USED_AGAIN_MS: Final = 60_000
_MOST_NOTED: Final = 10_000
_PEOPLE: Final = [names.USERS, names.SUBJECTS, names.REMOVED]


@dataclass(frozen=True)
class RedisUsers:
    """The people of one store."""

    connection: RedisConnection
    _secret: list[bytes] = field(default_factory=list)
    """The secret of the hashes by which those who were removed are known, once it was read."""

    async def read(self, user_id: str) -> User | None:
        """One of them."""
        text = await self.connection.read.small("HGET", names.USERS, user_id)
        return None if text is None else user_of(text)

    async def of_subject(self, subject: str) -> User | None:
        """Who signs in as this subject."""
        arguments: list[Argument] = [subject, await self._hash_of(subject)]
        return _user_or_none(await self.connection.read.script(scripts.READ_SUBJECT, _PEOPLE, arguments))

    async def put(self, user: User) -> User:
        """Write a person down, or give whoever signs in as the same subject."""
        arguments: list[Argument] = [
            user.id,
            user.subject,
            encode_record(user),
            await self._hash_of(user.subject or user.id),
        ]
        known = _user_or_none(await self.connection.write.script(scripts.PUT_USER, _PEOPLE, arguments))
        assert known is not None
        return known

    async def change(self, user_id: str, by: Callable[[User], User]) -> User | None:
        """Write down what `by` makes of a person, again where another was faster."""
        return await self._replace(user_id, by)

    async def remove(self, user_id: str, now_ms: int) -> bool:
        """Forget a person, and remember that they were removed."""
        return await self._replace(user_id, None, now_ms) is not None

    async def removed_users(self) -> list[RemovedUser]:
        """Who was removed, in the order in which they went."""
        texts = await self.connection.read.command("HVALS", names.REMOVED)
        return sorted(map(removed_of, texts), key=lambda one: (one.removed_ms, one.id))

    async def let_in(self, user_id: str) -> RemovedUser | None:
        """Forget that somebody was removed."""
        text = await self.connection.write.script(scripts.LET_IN, [names.REMOVED], [user_id])
        return None if text is None else removed_of(text)

    async def _hash_of(self, subject: str) -> str:
        """What is kept of how somebody signed in who was removed."""
        if not self._secret:
            found = await self.connection.read.command("GET", names.REMOVED_SECRET)
            if found is None:
                await self.connection.write.command("SET", names.REMOVED_SECRET, secrets.token_hex(32), "NX")
                found = await self.connection.write.command("GET", names.REMOVED_SECRET)
            self._secret.append(found)
        return hmac.digest(self._secret[0], subject.encode(), "sha256").hex()

    async def _replace(self, user_id: str, by: Callable[[User], User] | None, now_ms: int = 0) -> User | None:
        """A person as they were changed, or as they were before they were forgotten; None for nobody."""
        while True:  # each time somebody else's write has come to be
            text = await self.connection.read.command("HGET", names.USERS, user_id)
            if text is None:
                return None
            user = user_of(text) if by is None else by(user_of(text))
            after = b"" if by is None else encode_record(user)
            if after == text:
                return user
            arguments: list[Argument] = [user_id, text, after, int(by is not None and user.is_admin)]
            if by is None:
                gone = RemovedUser(user.id, user.name, now_ms)
                arguments += [encode_record(gone), await self._hash_of(user.subject or user.id)]
            how = await self.connection.write.script(scripts.CHANGE_USER, _PEOPLE, arguments)
            if how == b"last":
                raise last_administrator()
            if how == b"done":
                return user

    async def all(self) -> list[User]:
        """Everybody, by time of creation."""
        texts = await self.connection.read.command("HVALS", names.USERS)
        return sorted(map(user_of, texts), key=lambda user: (user.created_ms, user.id))


def _user_or_none(text: bytes | None) -> User | None:
    """Whom a script has found."""
    if text == b"removed":
        raise user_removed()
    return None if text is None else user_of(text)


@dataclass(frozen=True)
class RedisSessions:
    """Who is signed in where; each session expires by itself."""

    connection: RedisConnection

    async def read(self, secret_hash: str) -> BrowserSession | None:
        """The session of a cookie."""
        text = await self.connection.read.small("GET", names.session(secret_hash))
        return None if text is None else session_of(text)

    async def put(self, secret_hash: str, session: BrowserSession) -> None:
        """Begin one; it is listed first, so that none is ever open that is not."""
        write, listed = self.connection.write, names.sessions_of(session.user_id)
        await write.command("ZADD", listed, session.until_ms, secret_hash)
        await write.command("ZREMRANGEBYSCORE", listed, "-inf", session.created_ms)
        await write.command("SET", names.session(secret_hash), encode_record(session), "PXAT", session.until_ms)

    async def end(self, secret_hash: str) -> BrowserSession | None:
        """End one."""
        text = await self.connection.write.command("GETDEL", names.session(secret_hash))
        if text is None:
            return None
        session = session_of(text)
        await self.connection.write.command("ZREM", names.sessions_of(session.user_id), secret_hash)
        return session

    async def of_user(self, user_id: str) -> list[BrowserSession]:
        """Those of a person that have not ended."""
        return [session for _, session in await self._of(user_id)]

    async def end_of(self, user_id: str, session_id: str) -> BrowserSession | None:
        """End one of a person, by its id."""
        for secret_hash, session in await self._of(user_id):
            if session.id == session_id:
                return await self.end(secret_hash)
        return None

    async def end_all(self, user_id: str, issuer_session: str | None = None) -> list[BrowserSession]:
        """End all of a person, or those of one session at the issuer."""
        ended = []
        for secret_hash, session in await self._of(user_id):
            if issuer_session is None or session.issuer_session == issuer_session:
                ended.append(await self.end(secret_hash))
        return [session for session in ended if session is not None]

    async def _of(self, user_id: str) -> list[tuple[str, BrowserSession]]:
        read = self.connection.read
        hashes = [one.decode() for one in await read.command("ZRANGE", names.sessions_of(user_id), 0, -1)]
        texts = await read.commands([("GET", names.session(one)) for one in hashes]) if hashes else []
        found = [(one, session_of(text)) for one, text in zip(hashes, texts, strict=True) if text is not None]
        return sorted(found, key=lambda one: (one[1].created_ms, one[1].id))


@dataclass(frozen=True)
class RedisKeys:
    """Keys of programs."""

    connection: RedisConnection
    _noted: dict[str, int] = field(default_factory=dict)
    """When each was noted to be used last, as far as is known here."""

    async def look(self, secret_hash: str) -> tuple[ApiKey, User | None] | None:
        """The key of a secret, with its person."""
        return await self._look("k", [names.KEYS, names.USERS], secret_hash)

    async def look_by_id(self, key_id: str) -> tuple[ApiKey, User | None] | None:
        """The key of an id, with its person."""
        return await self._look("i", [names.KEYS, names.KEY_IDS, names.USERS], key_id)

    async def _look(self, question: str, keys: Sequence[str], named: str) -> tuple[ApiKey, User | None] | None:
        [found] = await self.connection.read.script(scripts.READ_FACTS, keys, [question, named])
        return None if found is None else (key_of(found[0], None), user_of(found[1]) if found[1] else None)

    async def put(self, secret_hash: str, key: ApiKey) -> None:
        """Make one."""
        await self._put(secret_hash, key, 0)

    async def renew(self, secret_hash: str, key: ApiKey) -> bool:
        """Give one that is there another secret."""
        return await self._put(secret_hash, key, 1)

    async def _put(self, secret_hash: str, key: ApiKey, is_there: int) -> bool:
        arguments: list[Argument] = [secret_hash, key.id, encode_record(key), is_there]
        return bool(await self.connection.write.script(scripts.PUT_KEY, [names.KEYS, names.KEY_IDS], arguments))

    async def all(self, user_id: str | None = None) -> list[ApiKey]:
        """Those of a person, or all."""
        texts, used = await self.connection.read.commands([("HVALS", names.KEYS), ("HGETALL", names.KEYS_USED)])
        times: dict[bytes, bytes] = used
        plain: Sequence[ApiKey] = [key_of(text, None) for text in texts]
        keys = [
            key_of(encode_record(key), times.get(key.id.encode())) for key in plain if user_id in (None, key.user_id)
        ]
        return sorted(keys, key=lambda key: (key.created_ms, key.id))

    async def remove(self, key_id: str) -> ApiKey | None:
        """Revoke one."""
        keys = [names.KEYS, names.KEY_IDS, names.KEYS_USED]
        text = await self.connection.write.script(scripts.DROP_KEY, keys, [key_id])
        return None if text is None else key_of(text, None)

    async def note_use(self, key_id: str, now_ms: int) -> None:
        """Note that it was used, about once a minute."""
        noted = self._noted.get(key_id)
        if noted is not None and now_ms - noted < _USED_AGAIN_MS:
            return
        last = await self.connection.read.small("HGET", names.KEYS_USED, key_id)
        if last is None or now_ms - int(last) >= _USED_AGAIN_MS:
            await self.connection.write.command("HSET", names.KEYS_USED, key_id, now_ms)
            last = now_ms
        if len(self._noted) >= _MOST_NOTED:
            self._noted.clear()
        self._noted[key_id] = int(last)
