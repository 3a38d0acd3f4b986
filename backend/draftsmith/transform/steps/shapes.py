"""The JSON forms of steps, as the log keeps them, the API answers with them and pages are sent them. Types only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.model.custom_types import CustomType


class NodeStep(TypedDict):
    """Put a node in or take one out; `pb`: birth of its parent."""

    k: Literal["node+", "node-"]
    id: str
    b: int
    n: Mapping[str, object]
    pb: NotRequired[int]


class NodeFieldsStep(TypedDict):
    """Set fields of a node, `{field: [old, new]}`; `pb`: births of the old and the new parent."""

    k: Literal["node="]
    id: str
    b: int
    v: Mapping[str, tuple[Any, Any]]
    pb: NotRequired[tuple[int | None, int | None]]


class EdgeStep(TypedDict):
    """Put an edge in or take one out; `eb`: births of its ends."""

    k: Literal["edge+", "edge-"]
    id: str
    b: int
    s: str
    t: str
    eb: tuple[int, int]
    e: Mapping[str, object]


class EdgeFieldsStep(TypedDict):
    """Set fields of an edge, its ends among them; `eb`: births of the old and the new ends."""

    k: Literal["edge="]
    id: str
    b: int
    v: Mapping[str, tuple[Any, Any]]
    eb: NotRequired[tuple[tuple[int, int] | None, tuple[int, int]]]


class TextStep(TypedDict):
    """Change the document: a CodeMirror ChangeSet, and what each change takes out."""

    k: Literal["text"]
    c: list[int | list[int | str]]
    d: Sequence[str]


class NameStep(TypedDict):
    """Set the workspace's name, or the line ends remembered for export."""

    k: Literal["name", "eol"]
    v: tuple[str, str]


class TypeStep(TypedDict):
    """Set the definition of a type of one's own, `[old, new]`; null is that there is none."""

    k: Literal["type"]
    id: str
    v: tuple[CustomType | None, CustomType | None]


AnyStep = NodeStep | NodeFieldsStep | EdgeStep | EdgeFieldsStep | TextStep | NameStep | TypeStep
