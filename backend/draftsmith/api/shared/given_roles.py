"""Answers on roles: those that a workspace or a folder grants itself, and those that it inherits from its folders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fastapi import Depends

from draftsmith.access.folders import Folder, role_in
from draftsmith.access.principal import Principal
from draftsmith.access.workspace_access import WorkspaceAccess
from draftsmith.api.context import Ctx
from draftsmith.api.forms import access_answers as answers
from draftsmith.errors import DraftsmithError


def given_by(record: WorkspaceAccess | Folder) -> answers.GivenOut:
    """What a record gives."""

    def name(id_: str) -> str:
        return record.names.get(id_, id_)

    return {
        "owner": {"id": record.owner, "name": name(record.owner)} if record.owner else None,
        "members": [{"id": id_, "name": name(id_), "role": given} for id_, given in record.members.items()],
        "groups": [{"name": group, "role": given} for group, given in record.groups.items()],
        "everyone": record.everyone,
    }


def inherited_of(principal: Principal, folders: Sequence[Folder]) -> list[answers.InheritedOut]:
    """What folders give, the innermost first; those that the principal does not see are left out."""
    return [
        {**given_by(folder), "id": folder.id, "name": folder.name}
        for place, folder in enumerate(folders)
        if role_in(principal, folders[place:]) is not None
    ]


async def _refuse_local(context: Ctx) -> None:
    if context.gate.mode == "local":
        raise DraftsmithError(
            "local_mode",
            "This server runs for this machine alone (DRAFTSMITH_MODE=local), where everybody may everything. "
            "Started with DRAFTSMITH_MODE=token it can be shared; see docs/operating.md.",
        )


TOKEN_MODE: Final[Any] = Depends(_refuse_local)
"""Refuses to give or take roles (`local_mode`) where everybody may everything."""
