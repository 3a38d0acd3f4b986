"""Bring back who may what in workspaces that were recovered, and the people that this names.

What is there already stands: nobody gets a role back that was taken from them since. Share links, keys and sessions are
in no backup; they are made anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from draftsmith.access.records import User
from draftsmith.access.workspace_access import access_from_json
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.access import AccessStores


async def recover_access(
    stores: AccessStores,
    workspace_id: WorkspaceId,
    record: Mapping[str, Any] | None,
    people: Sequence[User],
    *,
    as_copy: bool,
    with_administrators: bool,
) -> bool:
    """Write the record of a recovered workspace where it has none; whether it was written.

    People that it names and that nobody knows here are known again. Who signs in here as the same subject under another
    id takes the place of the one in the backup.

    Args:
        stores: of this installation.
        workspace_id: where the workspace is now.
        record: as the backup has it; None for a workspace of local mode.
        people: whom the other installation knew.
        as_copy: whether it stands beside the workspace that it was, under no name of an application's.
        with_administrators: whether administrators are that again: only in an installation that knew nobody.
    """
    if record is None or await stores.workspaces.read(workspace_id) is not None:
        return False
    found = access_from_json(record)
    named = {found.owner, *found.members}
    ids: dict[str, str] = {}
    for person in people:
        if person.id in named and await stores.users.read(person.id) is None:
            kept = await stores.users.put(replace(person, is_admin=person.is_admin and with_administrators))
            ids[person.id] = kept.id
    access = replace(
        found,
        owner=ids.get(found.owner, found.owner),
        members={ids.get(one, one): role for one, role in found.members.items()},
        names={ids.get(one, one): name for one, name in found.names.items()},
        external_id=None if as_copy else found.external_id,
    )
    return await stores.workspaces.put(workspace_id, access, expected=None)
