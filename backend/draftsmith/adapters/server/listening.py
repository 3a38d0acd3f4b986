"""The socket that all workers accept from: bound once, by the launcher, before anything else is started.

It listens from the start, so an early request waits for an answer and is not refused.
"""

from __future__ import annotations

import errno
import ipaddress
import socket

from draftsmith.errors import DraftsmithError

_BACKLOG = 2048


def listen(host: str, port: int, *, is_local: bool = True) -> socket.socket:
    """Bind `host` and `port` (0 takes a free one) and listen there; for a local server on loopback only.

    Raises:
        DraftsmithError: `insecure_bind`, `port_in_use` or `bind_failed`.
    """
    family, address = _resolve(host, port)
    if is_local and not ipaddress.ip_address(address[0].partition("%")[0]).is_loopback:
        raise DraftsmithError(
            "insecure_bind",
            f"HOST={host} would let everybody on the network in, as nobody has to sign in with DRAFTSMITH_MODE=local. "
            "Use HOST=127.0.0.1, or set DRAFTSMITH_MODE=token, in which everybody shows who they are.",
        )
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as problem:
        listener.close()
        raise _refusal(host, port, problem) from problem
    return listener


def url_of(listener: socket.socket) -> str:
    """The URL to open in a browser on this machine; loopback for a wildcard address."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _resolve(host: str, port: int) -> tuple[int, tuple[str, int]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as problem:
        raise DraftsmithError("bind_failed", f"HOST={host} is not an address of this machine: {problem}.") from problem
    # `localhost` means both families; browsers try IPv4 as well, and not every machine has IPv6.
    family, _, _, _, address = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    return family, (str(address[0]), int(address[1]))


def _refusal(host: str, port: int, problem: OSError) -> DraftsmithError:
    if problem.errno == errno.EADDRINUSE:
        return DraftsmithError(
            "port_in_use",
            f"Port {port} on {host} is in use. Try PORT={port % 65535 + 1}, or PORT=0 for any that is free.",
        )
    if problem.errno == errno.EACCES:
        return DraftsmithError("bind_failed", f"Port {port} needs privileges. Try PORT=8000.")
    return DraftsmithError("bind_failed", f"Cannot listen on {host}:{port}: {problem.strerror}.")
