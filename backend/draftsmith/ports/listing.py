"""The order in which workspaces are listed, as it is kept beside them.

It lies in another slot of a cluster than the workspaces, and commits must not wait for it. So whoever is about to write
a workspace first marks it as recently written, for a while; a mark ends only when the row of the list was written anew
from what the workspace has become. A workspace without a mark is therefore exactly as its row says, whatever was killed
in between, and those with one are few: they are read themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from draftsmith.model.ids import WorkspaceId

Order = Literal["changed", "name"]
Key = tuple[int | str, str]
"""What a list is sorted by, ascending: minus the time of change, or the name; and the id."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """What the list keeps of a workspace.

    Attributes:
        updated_ms: when it was changed.
        is_deleted: whether it is in the trash.
        name: its name.
        folder: the id of the folder in its access record; empty for none.
    """

    workspace_id: WorkspaceId
    updated_ms: int
    is_deleted: bool
    name: str
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListQuery:
    """A query of the workspace list: filters and order.

    Attributes:
        in_trash: those in the trash, else the others.
        order: by what it is sorted.
        words: each must begin a word of the name.
        not_in: the folders of which none is wanted, where only those without a folder are (`folder` is empty).
        folder: only those in this one; empty for none; None for all.
    """

    in_trash: bool = False
    order: Order = "changed"
    words: Sequence[str] = ()
    folder: str | None = None
    not_in: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ListStretch:
    """A part of the workspace list, in its order.

    Attributes:
        rows: the keys that were found, in order; none of a workspace with a mark.
        recent: the workspaces with a mark; any of them may belong anywhere.
        upto: the rows are all that there are up to this key; None where they are all that there are.
    """

    rows: Sequence[Key]
    recent: Sequence[WorkspaceId]
    upto: Key | None


class WorkspaceListStore(Protocol):
    """The order of the list."""

    async def begin(self) -> None:
        """Begin a list where there is none, with a mark for every workspace, which has ended."""
        ...

    async def stretch(self, wanted: ListQuery, after: Key | None, count: int) -> ListStretch:
        """Find about `count` that come after a key; also fewer, where many had to be passed over."""
        ...

    async def expired_marks(self, count: int) -> list[tuple[WorkspaceId, str]]:
        """Some of the marks whose time is over, each with the token that `settle` wants."""
        ...

    async def settle(self, workspace_id: WorkspaceId, token: str, row: ListRow | None) -> bool:
        """Write a row that was read after `ended`, None for a workspace that is gone; not if it was marked again."""
        ...

    async def differing(self, rows: Sequence[ListRow]) -> list[WorkspaceId]:
        """Mark those whose rows say something else, as ended: what a failover lost, or an older release wrote."""
        ...
