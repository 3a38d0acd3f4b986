"""Map errors of the store's client to `StorageError`, with a sentence for people.

The sentences name neither host nor credentials; the original error is the cause, for the log.
"""

from __future__ import annotations

import re
import ssl
import traceback

import redis.exceptions as theirs

from draftsmith.errors import StorageError

# Cluster errors of the client do not share its base class. `DataError` is left out: it is a defect of ours.
STORE_ERRORS = (
    theirs.ConnectionError,
    theirs.TimeoutError,
    theirs.ResponseError,
    theirs.ClusterError,
    theirs.RedisClusterException,
    theirs.InvalidResponse,
    TimeoutError,
    OSError,
)
_FULL = "The store has no room left and refuses writes; nothing is saved until it has."
_REFUSED = re.compile(r"the '[^']+' command|one of the (?:keys|channels)[a-z ]*")
# Older servers wrap an error inside a script in text of their own, so the words are searched anywhere.
_BY_WORDS = (
    ("OOM ", _FULL, "storage_full"),
    ("used memory > 'maxmemory'", _FULL, "storage_full"),
    ("No space left", _FULL, "storage_full"),
    (
        "MISCONF",
        "The store cannot write to its disk; nothing is saved until it can.",
        "storage_full",
    ),
    ("READONLY", "The store answers as a read-only replica; nothing is saved until a primary answers.", "storage_down"),
    ("read only replica", "The store answers as a read-only replica; nothing is saved.", "storage_down"),
    ("BUSY ", "The store is busy with a long script; try again.", "storage_down"),
)


def is_closed_under_us(error: BaseException) -> bool:
    """Whether a connection was closed while it was used, which raises what is no error of the store.

    The server closed it: uvloop raises RuntimeError for it, asyncio OSError. Or the library itself did: once a cluster
    has changed it closes all connections to it, also those that another caller is just opening, which raises
    AttributeError of None in its own code. Whether the command was sent is unknown, as with any lost connection.
    """
    match error:
        case RuntimeError():
            return "handler is closed" in str(error)
        case AttributeError(obj=None, name=str()) if error.__traceback__ is not None:
            *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
            return str(frame.f_globals.get("__name__")).startswith("redis.")
    return False


def storage_error(error: BaseException, *, is_gone: bool = False) -> StorageError:
    """The `StorageError` for an error of the client library; whether a write happened is unknown in every case.

    Args:
        error: what the client raised.
        is_gone: the store is on this machine, and nobody listens at its socket.
    """
    if is_gone:
        return StorageError("The store does not run now; it may have saved what was asked.", is_for_all=True)
    known = _by_kind(error) or _by_words(str(error))
    if known is not None:
        return known
    certificate = _certificate_error(error)
    if certificate is not None:
        return StorageError(certificate)
    match error:
        case theirs.ClusterError() | theirs.RedisClusterException():
            return StorageError("The store's cluster does not serve this part of its data now; try again.")
        case theirs.ConnectionError() | OSError() | RuntimeError() | AttributeError():
            return StorageError("The store cannot be reached, or hung up; it may have saved what was asked.")
    return StorageError(f"The store answered with an error: {error}")


def _by_kind(error: BaseException) -> StorageError | None:
    match error:
        case theirs.BusyLoadingError():
            return StorageError("The store is still loading its data; try again shortly.", is_for_all=True)
        case theirs.NoPermissionError():
            return StorageError(_not_permitted(str(error)))
        case theirs.AuthenticationError() | theirs.AuthorizationError():
            return StorageError("The store refuses our credentials; check the user and password in its URL.")
        case theirs.OutOfMemoryError():
            return StorageError(_FULL, "storage_full")
        case theirs.ReadOnlyError():
            return StorageError("The store answers as a read-only replica; nothing is saved until a primary answers.")
        case theirs.MaxConnectionsError():
            return StorageError("All connections to the store are in use; try again.")
        case theirs.TimeoutError() | TimeoutError():
            return StorageError("The store did not answer in time; it may have saved what was asked.")
    return None


def _by_words(text: str) -> StorageError | None:
    if any(words in text for words in ("NOPERM", "no permissions", "can't run this command")):
        return StorageError(_not_permitted(text))
    for words, detail, code in _BY_WORDS:
        if words in text:
            return StorageError(detail, code)
    return None


def _not_permitted(text: str) -> str:
    """What the store's user may not do; the server's sentence names the user, so only a part of it is taken."""
    named = _REFUSED.search(text)
    what = "what is needed" if named is None else named[0]
    return f"The store knows our user, but does not permit {what}; docs/operating.md lists the rights that it needs."


def _certificate_error(error: BaseException) -> str | None:
    """What is wrong with TLS, if that is the reason."""
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, ssl.SSLError):
        seen = seen.__cause__ or seen.__context__
    if seen is None:
        return None
    if isinstance(seen, ssl.SSLCertVerificationError):
        reason = (seen.verify_message or "it cannot be verified").rstrip(".")
        return f"The store's certificate is refused: {reason}. Name its authority by ssl_ca_certs in the URL."
    reason = str(seen.reason or "the handshake failed").replace("_", " ").lower()
    return f"TLS with the store failed ({reason}): check rediss:// and the ssl_ parameters of the URL."
