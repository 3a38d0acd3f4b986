"""Map errors of the store's client to `StorageError`, with a sentence for people.

The sentences name neither host nor credentials; the original error is the cause, for the log.
"""

from __future__ import annotations

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


def is_closed_under_us(error: RuntimeError) -> bool:
    """Whether the server closed the connection meanwhile; uvloop raises RuntimeError for it, asyncio OSError.

    Whether the command was sent is unknown then, as with any lost connection.
    """
    return "handler is closed" in str(error)


def storage_error(error: BaseException) -> StorageError:
    """The `StorageError` for an error of the client library; whether a write happened is unknown in every case."""
    match error:
        case theirs.BusyLoadingError():
            return StorageError("The store is still loading its data; try again shortly.")
        case theirs.AuthenticationError() | theirs.AuthorizationError() | theirs.NoPermissionError():
            return StorageError("The store refuses our credentials; check the user and password in its URL.")
        case theirs.OutOfMemoryError():
            return StorageError(_FULL, "storage_full")
        case theirs.ReadOnlyError():
            return StorageError("The store answers as a read-only replica; nothing is saved until a primary answers.")
        case theirs.MaxConnectionsError():
            return StorageError("All connections to the store are in use; try again.")
        case theirs.TimeoutError() | TimeoutError():
            return StorageError("The store did not answer in time; it may have saved what was asked.")
    text = str(error)
    for words, detail, code in _BY_WORDS:
        if words in text:
            return StorageError(detail, code)
    match error:
        case theirs.ClusterError() | theirs.RedisClusterException():
            return StorageError("The store's cluster does not serve this part of its data now; try again.")
        case theirs.ConnectionError() | OSError() | RuntimeError():
            return StorageError("The store cannot be reached, or hung up; it may have saved what was asked.")
    return StorageError(f"The store answered with an error: {text}")
