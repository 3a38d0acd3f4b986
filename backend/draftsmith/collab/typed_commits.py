"""Commits of typed text in few bytes: what they have in common is sent once, as a *template*, and referred to.

Most commits of people who write together say the same of themselves: who, in which section, of which kind. A template
is a `commit` message without what differs from key to key; pages are sent those they lack before the first commit that
refers to one. Not here: which pages take this form (`connection_state`), what a template stands in for
(`commit_message`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

import orjson

from draftsmith.collab.protocol import encode

MAX_TEMPLATES: Final = 64
"""More than these, and all are forgotten: a page that joins is sent them all."""
_OWN: Final = ("rev", "h", "at_ms", "steps")

Json = Mapping[str, Any]


class TypedCommits:
    """The templates of one room.

    Attributes:
        first: how many templates were forgotten.
    """

    def __init__(self) -> None:
        self.first = 0
        self._numbers: dict[bytes, int] = {}  # of templates, in their order

    @property
    def count(self) -> int:
        """How many there have been."""
        return self.first + len(self._numbers)

    @property
    def is_full(self) -> bool:
        """Whether all templates are to be forgotten before another commit is encoded."""
        return len(self._numbers) >= MAX_TEMPLATES

    def forget(self) -> None:
        """Forget all templates: commits encoded so far cannot be sent in this form to pages that lack them."""
        self.first = self.count
        self._numbers.clear()

    def encode(self, commit: Json) -> bytes | None:
        """Encode a `commit` message as `[rev, h, at_ms, template, changes, deleted]`; None for one of another kind."""
        steps = commit["steps"]
        if commit["kind"] != "text" or len(steps) != 1 or steps[0]["k"] != "text":
            return None
        template = orjson.dumps({name: value for name, value in commit.items() if name not in _OWN})
        number = self._numbers.setdefault(template, len(self._numbers))
        step = steps[0]
        return orjson.dumps([commit["rev"], commit["h"], commit["at_ms"], number, step["c"], step["d"]])

    def message(self, known_revision: int) -> bytes:
        """The encoded `templates` message for a page that knows those up to a count."""
        start = max(0, known_revision - self.first)
        head = encode({"t": "templates", "start": start})[:-1]
        return head + b',"templates":[' + b",".join(islice(self._numbers, start, None)) + b"]}"
