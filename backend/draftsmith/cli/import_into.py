"""`draftsmith import --into`: what files would do in a workspace that is there, and doing it if that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

import click
import orjson

from draftsmith.cli.import_files import body_files, limits_of, new_key, url_of
from draftsmith.cli.store import DataSettings, OpenStore, open_images, print_message, with_store
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.readers.reading import SourceFile

if TYPE_CHECKING:
    from draftsmith.usecases.upkeep.shapes import OpenImportOut

_EXPLANATION = "Import of {}."


@dataclass(frozen=True, slots=True)
class OpenImportCommand:
    """Compares files with a workspace, and takes over what is new and changed.

    Attributes:
        settings: of the command.
        workspace_id: the workspace.
        files: what is compared with it.
        reader: the format that somebody names; None to recognize it.
        part: which part of the files; None for the first.
    """

    settings: DataSettings
    workspace_id: WorkspaceId
    files: Sequence[SourceFile]
    reader: str | None
    part: int | None

    def run(self, *, applies: bool, proposes: bool, delete: Sequence[str]) -> None:
        """Print the three lists, and send their operations if that is asked for.

        Args:
            applies: as a batch.
            proposes: as a proposal, which takes a running server.
            delete: the ids of what is no longer there and is to go.

        Raises:
            DraftsmithError: nothing could be read, something was refused, or `delete` names what is not on the list.
        """
        found = self._compare()
        _print_lists(found)
        listed = {row["element"] for row in found["missing"]}
        unknown = [one for one in delete if one not in listed]
        if unknown:
            raise DraftsmithError(
                "node_not_found", f"Not on the list of what is no longer there: {', '.join(unknown)}."
            )
        missing = [row for row in found["missing"] if row["element"] in delete]
        rows = [*found["new"], *found["changed"], *missing]
        operations = [operation for row in rows for operation in row["operations"]]
        if not operations or not (applies or proposes):
            return
        body: dict[str, object] = {
            "operations": operations,
            "base_revision": found["revision"],
            "explanation": _EXPLANATION.format(self.files[0].path)[:2_000],
        }
        if proposes:
            body["propose"] = True
        click.echo(self._send(body, proposes=proposes))

    def _compare(self) -> OpenImportOut:
        body: dict[str, object] = {"files": body_files(self.files), "reader": self.reader, "part": self.part}
        said = self._ask("imports", body)
        if said is not None:
            return cast("OpenImportOut", said)
        return with_store(self.settings, self._compare_directly)

    async def _compare_directly(self, store: OpenStore) -> OpenImportOut:
        from draftsmith.usecases.commits.workspaces import Workspaces
        from draftsmith.usecases.upkeep.open_import import open_import

        limits = limits_of(self.settings)
        workspaces = Workspaces(store.log, store.index, store.clock, limits, "cli")
        work = partial(open_import, tuple(self.files), self.reader, self.part, limits.operations)
        head, content = await workspaces.compute(self.workspace_id, work)
        found, images = orjson.loads(content)
        if images:
            async with open_images(self.settings) as kept:
                await kept.put_exported(self.workspace_id, images)
        return cast("OpenImportOut", {**found, "revision": head.revision})

    def _send(self, body: dict[str, object], *, proposes: bool) -> str:
        """Send the batch; a line that says what came of it."""
        said = self._ask("batches", body)
        if said is not None:
            return f"Proposed: {said['id']}" if proposes else f"Applied: revision {said['revision']}"
        if proposes:
            raise DraftsmithError("server_away", "A proposal takes a running server; nothing was changed.")
        revision = with_store(self.settings, partial(self._apply_directly, body))
        return f"Applied: revision {revision}"

    async def _apply_directly(self, body: dict[str, object], store: OpenStore) -> int:
        from draftsmith.history.actor import Actor
        from draftsmith.transform.requests.batch import parsing_batch
        from draftsmith.usecases.commits.workspaces import Workspaces
        from draftsmith.usecases.replicas.slices import in_slices
        from draftsmith.usecases.requests import from_input
        from draftsmith.usecases.requests.identity import identify

        limits, actor = limits_of(self.settings), Actor("local:cli", "Command line", "script")
        workspaces = Workspaces(store.log, store.index, store.clock, limits, "cli")
        batch = await in_slices(parsing_batch(body["operations"], limits))
        request = from_input.edit(
            identify(actor, None, store.clock), actor, operations=body["operations"], batch=batch, limits=limits,
            base_revision=cast(int, body["base_revision"]), explanation=str(body["explanation"]),
        )  # fmt: skip
        return int((await workspaces.submit(self.workspace_id, request))["revision"])

    def _ask(self, route: str, body: dict[str, object]) -> dict[str, object] | None:
        """What the running server answers; None if none runs that this command may use."""
        from draftsmith.adapters.files.import_request import post_to

        url = url_of(self.settings)
        return None if url is None else post_to(url, f"/workspaces/{self.workspace_id}/{route}", body, new_key())


def _print_lists(found: OpenImportOut) -> None:
    print_message(f"{found['title']}: {found['unchanged']} the same")
    lists = (("New", found["new"]), ("Changed", found["changed"]), ("No longer there", found["missing"]))
    for title, rows in lists:
        for row in rows:
            fields = ", ".join(f"{one['field']}: {one['here']} → {one['source']}" for one in row["differences"])
            said = "; ".join(text for text in (fields, row["reason"]) if text)
            print_message(f"{title}: {row['of']} {row['title']} ({row['element']}){': ' if said else ''}{said}")
    for part in found["unread"]:
        print_message(f"Not taken over: {part['file']} {part['place']}: {part['reason']}")
    for path in found["unrecognized"]:
        print_message(f"{path}: not recognized, left out")
