"""Ask a store server whether it answers, without the library: all that the launcher asks when nothing is wrong.

The library and what it imports take 18 MB and 0.1 s of each start. `server` imports it for what is asked seldom.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Literal

_LONGEST_REPLY = 1_000
_TIMEOUT_S = 2.0


def ping(path: Path) -> Literal["ready", "loading"]:
    """Send PING to the server on a unix socket; a server that still loads what is stored says so.

    Raises:
        OSError: nobody listens, the answer takes too long, or it is another one.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_TIMEOUT_S)
        connection.connect(str(path))
        connection.sendall(b"PING\r\n")
        with connection.makefile("rb") as replies:
            reply = replies.readline(_LONGEST_REPLY)
    if reply.startswith(b"+PONG"):
        return "ready"
    if reply.startswith(b"-LOADING"):
        return "loading"
    raise ConnectionError(f"the answer is {reply.decode(errors='replace').strip() or 'empty'}")
