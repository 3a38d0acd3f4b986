"""How large the body of a commit may be when it is unpacked: checked where commits come from a file.

The commits of our own log were made under the limits of requests. Those of a backup that somebody else wrote may be a
few bytes that unpack to gigabytes as soon as their workspace is opened, by a server that others use.
"""

from __future__ import annotations

import zlib
from typing import Final

from draftsmith.errors import DraftsmithError
from draftsmith.transform.requests.json_counts import JsonCounts

MOST_BYTES: Final = 256 << 20
"""More than any request can make: a whole of 32 MiB, what it replaces, and both once more escaped."""

MOST_VALUES: Final = 4_000_000
_PIECE: Final = 1 << 20


def check_unpacked(body: bytes, most_bytes: int = MOST_BYTES, most_values: int = MOST_VALUES) -> None:
    """Refuse a body that unpacks to too much. A damaged one passes, since loading freezes its workspace alone.

    Raises:
        ValueError: it is too large.
    """
    if body[:1] != b"z":
        return
    unpacking, rest, size = zlib.decompressobj(), body[1:], 0
    counts = JsonCounts("commit", most_values)
    try:
        while rest:
            piece = unpacking.decompress(rest, _PIECE)
            size += len(piece)
            counts.add(piece)
            if size > most_bytes:
                raise ValueError("a commit unpacks to more than any request can make")
            rest = unpacking.unconsumed_tail
    except DraftsmithError as error:
        raise ValueError("a commit holds more values than any request can make") from error
    except zlib.error:
        return
