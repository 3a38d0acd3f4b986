"""Paths that files of a set name one another by."""

from __future__ import annotations


def path_from(file: str, named: str) -> str | None:
    r"""The path that a file means by a relative one; None if that leads out of what was uploaded.

    Args:
        file: the path of the file in which the other is named.
        named: with `/` or `\\` between its parts; `.` and `..` are followed.
    """
    named = named.replace("\\", "/")
    if named.startswith(("/", "~")) or ":" in named.split("/", 1)[0]:
        return None
    parts = file.split("/")[:-1]
    for part in named.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
