"""Messages between a process and its child over pipes: the length, big endian, and the bytes."""

from __future__ import annotations

from typing import BinaryIO, Final

LENGTH_BYTES: Final = 8
"""Of the length before each message."""


def frame(message: bytes) -> bytes:
    """A message with its length before it."""
    return len(message).to_bytes(LENGTH_BYTES, "big") + message


def read_frame(source: BinaryIO) -> bytes | None:
    """The next message; None at the end."""
    head = source.read(LENGTH_BYTES)
    return None if len(head) < LENGTH_BYTES else source.read(int.from_bytes(head, "big"))


def write_frame(target: BinaryIO, message: bytes) -> None:
    """Write a message at once."""
    target.write(frame(message))
    target.flush()
