"""Headers that every answer has, whoever makes it: what browsers may do with it.

An answer is read as the type that it says and as nothing else, pages of other origins cannot embed it, and it is shown
in no frame of theirs. An answer that names one of these headers itself (the editor's pages have policies of their own)
keeps its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Headers = list[tuple[bytes, bytes]]

_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"SAMEORIGIN"),
    # What is no page has nothing to load and nothing to run, even where somebody opens it in a tab.
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'self'"),
)


def with_security_headers(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers of an answer, and those of `_ALWAYS` that it has not given itself."""
    given = [(name.lower(), value) for name, value in headers]
    names = {name for name, _ in given}
    if any(name == b"content-security-policy" and b"frame-ancestors 'self' http" in value for name, value in given):
        names.add(b"x-frame-options")  # knows no names, and would refuse where the policy does not
    return [*given, *(header for header in _ALWAYS if header[0] not in names)]
