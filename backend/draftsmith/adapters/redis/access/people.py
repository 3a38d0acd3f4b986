"""People, their sessions and the keys of programs; implements `UserStore`, `SessionStore` and `KeyStore`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from draftsmith.access.records import ApiKey, Session, User, last_administrator
from draftsmith.adapters.redis import scripts
from draftsmith.adapters.redis.access import names
from draftsmith.adapters.redis.access.values import key_of, packed, session_of, user_of
from draftsmith.adapters.redis.connection import RedisConnection
from draftsmith.adapters.redis.pool import Argument

_USED_AGAIN_MS: Final = 60_000
_MOST_NOTED: Final = 10_000


@dataclass(frozen=True)
class RedisUsers:
    """The people of one store."""

    connection: RedisConnection

    async def read(self, user_id: str) -> User | None:
        """One of them."""
        text = await self.connection.read.small("HGET", names.USERS, user_id)
        return None if text is None else user_of(text)

    async def of_subject(self, subject: str) -> User | None:
        """Who signs in as this subject."""
        user_id = await self.connection.read.command("HGET", names.SUBJECTS, subject)
        return None if user_id is None else await self.read(user_id.decode())

    async def put(self, user: User) -> User:
        """Write a person down, or give whoever signs in as the same subject."""
        arguments: list[Argument] = [user.id, user.subject, packed(user)]
        return user_of(await self.connection.write.script(scripts.PUT_USER, [names.USERS, names.SUBJECTS], arguments))

    async def change(self, user_id: str, by: Callable[[User], User]) -> User | None:
        """Write down what `by` makes of a person, again where another was faster."""
        return await self._written(user_id, by)

    async def remove(self, user_id: str) -> bool:
        """Forget a person."""
        return await self._written(user_id, None) is not None

    async def _written(self, user_id: str, by: Callable[[User], User] | None) -> User | None:
        """A person as they were changed, or as they were before they were forgotten; None for nobody."""
        while True:  # each time somebody else's write has come to be
            text = await self.connection.read.command("HGET", names.USERS, user_id)
            if text is None:
                return None
            user = user_of(text) if by is None else by(user_of(text))
            after = b"" if by is None else packed(user)
            if after == text:
                return user
            arguments: list[Argument] = [user_id, text, after, int(by is not None and user.is_admin)]
            keys = [names.USERS, names.SUBJECTS]
            how = await self.connection.write.script(scripts.CHANGE_USER, keys, arguments)
            if how == b"last":
                raise last_administrator()
            if how == b"done":
                return user

    async def all(self) -> list[User]:
        """Everybody, by time of creation."""
        texts = await self.connection.read.command("HVALS", names.USERS)
        return sorted(map(user_of, texts), key=lambda user: (user.created_ms, user.id))


@dataclass(frozen=True)
class RedisSessions:
    """Who is signed in where; each session expires by itself."""

    connection: RedisConnection

    async def read(self, secret_hash: str) -> Session | None:
        """The session of a cookie."""
        text = await self.connection.read.small("GET", names.session(secret_hash))
        return None if text is None else session_of(text)

    async def put(self, secret_hash: str, session: Session) -> None:
        """Begin one; it is listed first, so that none is ever open that is not."""
        write, listed = self.connection.write, names.sessions_of(session.user_id)
        await write.command("ZADD", listed, session.until_ms, secret_hash)
        await write.command("ZREMRANGEBYSCORE", listed, "-inf", session.created_ms)
        await write.command("SET", names.session(secret_hash), packed(session), "PXAT", session.until_ms)

    async def end(self, secret_hash: str) -> Session | None:
        """End one."""
        text = await self.connection.write.command("GETDEL", names.session(secret_hash))
        if text is None:
            return None
        session = session_of(text)
        await self.connection.write.command("ZREM", names.sessions_of(session.user_id), secret_hash)
        return session

    async def of_user(self, user_id: str) -> list[Session]:
        """Those of a person that have not ended."""
        return [session for _, session in await self._of(user_id)]

    async def end_of(self, user_id: str, session_id: str) -> Session | None:
        """End one of a person, by its id."""
        for secret_hash, session in await self._of(user_id):
            if session.id == session_id:
                return await self.end(secret_hash)
        return None

    async def end_all(self, user_id: str, issuer_session: str | None = None) -> list[Session]:
        """End all of a person, or those of one session at the issuer."""
        ended = []
        for secret_hash, session in await self._of(user_id):
            if issuer_session is None or session.issuer_session == issuer_session:
                ended.append(await self.end(secret_hash))
        return [session for session in ended if session is not None]

    async def _of(self, user_id: str) -> list[tuple[str, Session]]:
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

    async def read(self, secret_hash: str) -> ApiKey | None:
        """The key of a secret."""
        text = await self.connection.read.small("HGET", names.KEYS, secret_hash)
        return None if text is None else key_of(text, None)

    async def put(self, secret_hash: str, key: ApiKey) -> None:
        """Make one."""
        keys = [names.KEYS, names.KEY_IDS]
        await self.connection.write.script(scripts.PUT_KEY, keys, [secret_hash, key.id, packed(key)])

    async def all(self, user_id: str | None = None) -> list[ApiKey]:
        """Those of a person, or all."""
        texts, used = await self.connection.read.commands([("HVALS", names.KEYS), ("HGETALL", names.KEYS_USED)])
        times: dict[bytes, bytes] = used
        plain: Sequence[ApiKey] = [key_of(text, None) for text in texts]
        keys = [key_of(packed(key), times.get(key.id.encode())) for key in plain if user_id in (None, key.user_id)]
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
