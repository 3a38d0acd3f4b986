"""The JSON shapes of patterns. Types alone."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12


class RoleOut(TypedDict):
    """What a pattern needs of a diagram: nodes of these types, or a new one of the first type with this label.

    `side` is `before` or `after` where neighbours of the nodes of the role `of` have it, else empty.
    """

    name: str
    label: str
    types: list[str]
    many: bool
    side: Literal["", "before", "after"]
    of: str


class PatternOut(TypedDict):
    """A pattern, or an anti-pattern with what to do instead.

    `when` says when to use it, or how to recognise it; `shape` are operations with placeholders `{role}`.
    """

    id: str
    name: str
    kind: Literal["pattern", "anti-pattern"]
    version: int
    words: list[str]
    about: str
    when: list[str]
    forces: list[str]
    questions: list[str]
    roles: list[RoleOut]
    shape: list[dict[str, Any]]


class FilledPatternOut(TypedDict):
    """A pattern for a selection: operations to send as a batch; none where everything is there already.

    `roles` names the nodes of each role, `made` those that the batch makes, `unused` those that have no role.
    """

    pattern: str
    revision: int
    operations: list[dict[str, Any]]
    explanation: str
    roles: dict[str, list[str]]
    made: list[str]
    unused: list[str]
