"""Backups: what of each workspace goes into one, and in which form.

A backup is a set of named files and a manifest that lists them with their SHA-256; not here: the file on disk
(`adapters.files.backup_file`), restoring (`recover`). For each workspace: its log as lines of JSON, its newest
snapshot, its kept states, its images. It is consistent for each workspace, not across them: the head is read first,
then everything up to it, and commits made meanwhile are left to the next backup.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NotRequired, Protocol, TypedDict

import orjson

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Entry, Head
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.images import IMAGE_TYPES, ImageType, address_of
from draftsmith.model.workspace import WorkspaceSummary
from draftsmith.ports import Blob, CommitLog, Meta
from draftsmith.ports.access import WorkspaceAccessStore
from draftsmith.usecases.replicas.log_reader import PAGE
from draftsmith.usecases.upkeep.images import Images

FORMAT = "draftsmith-backup/1"
_TRIES = 5


@dataclass(frozen=True, slots=True)
class File:
    """A file of a backup: its name, the SHA-256 of its content in hex, its length in bytes."""

    name: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class BackupState:
    """A whole state in a backup: the file of its content, and its revision; `reason` for kept states."""

    file: File
    revision: int
    chain: str
    ms: int
    reason: str = ""


class FileJson(TypedDict):
    """The JSON form of a file of a backup."""

    name: str
    sha256: str
    size: int


class StateJson(TypedDict):
    """The JSON form of a whole state in a backup."""

    file: FileJson
    revision: int
    chain: str
    ms: int
    reason: NotRequired[str]


class SavedImageJson(TypedDict):
    """The JSON form of an image in a backup."""

    file: FileJson
    type: ImageType


class HeadJson(TypedDict):
    """The JSON form of a head."""

    epoch: str
    revision: int
    chain: str


class SavedJson(TypedDict):
    """The JSON form of what a backup says of a workspace; those of 0.1.0 have no `access`, of 0.2 no `images`."""

    id: WorkspaceId
    base: int
    summary: WorkspaceSummary
    created_ms: int
    updated_ms: int
    deleted_ms: int | None
    head: HeadJson
    log: FileJson
    snapshot: StateJson | None
    kept: Sequence[StateJson]
    access: NotRequired[Mapping[str, object] | None]
    images: NotRequired[Sequence[SavedImageJson]]


@dataclass(frozen=True, slots=True)
class SavedImage:
    """An image in a backup: the file of its bytes, whose SHA-256 is its name, and its type."""

    file: File
    type: ImageType


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedWorkspace:
    """What a backup says of one workspace; the log is `base + 1 … head.revision`.

    JSON shape: its fields by name, nested likewise. `access` says who may what in it, without share links; None for one
    of local mode.
    """

    id: WorkspaceId
    head: Head
    base: int
    summary: WorkspaceSummary
    created_ms: int
    updated_ms: int
    deleted_ms: int | None
    log: File
    snapshot: BackupState | None
    kept: tuple[BackupState, ...]
    access: Mapping[str, object] | None = None
    images: tuple[SavedImage, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The JSON shape."""
        return {name: getattr(self, name) for name in ("id", "base", "summary", "created_ms", "updated_ms")} | {
            "deleted_ms": self.deleted_ms,
            "head": asdict(self.head),
            "log": asdict(self.log),
            "snapshot": None if self.snapshot is None else asdict(self.snapshot),
            "kept": [asdict(state) for state in self.kept],
            "access": self.access,
            "images": [asdict(image) for image in self.images],
        }


def saved_from_json(shape: SavedJson) -> SavedWorkspace:
    """Read what `SavedWorkspace.to_json` wrote.

    Raises:
        ValueError: it is not of that shape.
    """
    try:
        snapshot = shape["snapshot"]
        return SavedWorkspace(
            id=shape["id"],
            base=shape["base"],
            summary=shape["summary"],
            created_ms=shape["created_ms"],
            updated_ms=shape["updated_ms"],
            deleted_ms=shape["deleted_ms"],
            head=Head(**shape["head"]),
            log=File(**shape["log"]),
            snapshot=None if snapshot is None else _state_from_json(snapshot),
            kept=tuple(_state_from_json(state) for state in shape["kept"]),
            access=shape.get("access"),  # those of 0.1.0 have none
            images=tuple(_image_from_json(image) for image in shape.get("images", ())),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"damaged entry of the manifest: {error!r}") from error


def _image_from_json(shape: SavedImageJson) -> SavedImage:
    if shape["type"] not in IMAGE_TYPES:
        raise ValueError(f"damaged entry of the manifest: no image is {shape['type']!r}")
    return SavedImage(File(**shape["file"]), shape["type"])


def _state_from_json(shape: StateJson) -> BackupState:
    file = File(**shape["file"])
    return BackupState(file, shape["revision"], shape["chain"], shape["ms"], shape.get("reason", ""))


class Sink(Protocol):
    """Takes the files of a backup."""

    def write(self, name: str, chunks: Iterable[bytes]) -> File:
        """Write a file; what the manifest says of it."""
        ...


class Source(Protocol):
    """Gives the files of a backup."""

    def read(self, file: File) -> bytes:
        """Read a file of JSON, of which the values are counted.

        Raises:
            DraftsmithError: `backup_damaged` if it is missing or not what the manifest says; `backup_too_large`.
        """
        ...

    def read_image(self, file: File) -> bytes:
        """Read an image.

        Raises:
            DraftsmithError: as `read`.
        """
        ...

    def lines(self, file: File) -> Iterator[bytes]:
        """Read a file line by line; what is wrong with it is raised after its last line at the latest.

        Raises:
            DraftsmithError: as `read`.
        """
        ...


@dataclass(frozen=True, slots=True)
class WorkspaceMaterial:
    """Everything that the store holds of a workspace at one head."""

    meta: Meta
    snapshot: Blob | None
    entries: Sequence[Entry]


def entry_line(entry: Entry) -> bytes:
    """Write an entry as one line of JSON; its body in base 64."""
    return orjson.dumps({**asdict(entry), "body": base64.b64encode(entry.body).decode()}) + b"\n"


def entry_from_line(line: bytes) -> Entry:
    """Read what `entry_line` wrote.

    Raises:
        ValueError: it is no such line.
    """
    try:
        shape = orjson.loads(line)
        return Entry(**{**shape, "body": base64.b64decode(shape["body"], validate=True)})
    except (KeyError, TypeError) as error:
        raise ValueError(f"damaged line: {error!r}") from error


async def read_material(log: CommitLog, workspace_id: WorkspaceId) -> WorkspaceMaterial | None:
    """Read a workspace; None if there is none.

    Raises:
        DraftsmithError: `log_incomplete`, if its log has a gap or its snapshot cannot be read where it is needed.
    """
    for _ in range(_TRIES):
        meta = await log.meta(workspace_id)
        if meta is None:
            return None
        snapshot = await log.snapshot(workspace_id, meta.snap) if meta.snap else None
        entries = await read_entries(log, workspace_id, meta.base, meta.head.revision)
        numbers = [entry.revision for entry in entries]
        is_whole = numbers == list(range(meta.base + 1, meta.head.revision + 1))
        if is_whole and (snapshot is not None or meta.base == 0):
            return WorkspaceMaterial(meta, snapshot, entries)  # else it was probably trimmed meanwhile: read again
    raise DraftsmithError(
        "log_incomplete", f"The log of workspace {workspace_id} has a gap; see `draftsmith recover --repair`."
    )


async def read_entries(log: CommitLog, workspace_id: WorkspaceId, after: int, upto: int) -> list[Entry]:
    """Read all entries of a range that are there."""
    entries: list[Entry] = []
    while after < upto:
        page = await log.entries(workspace_id, after, upto, PAGE)
        if not page:
            break
        entries += page
        after = page[-1].revision
    return entries


async def back_up(
    log: CommitLog,
    workspace_ids: Sequence[WorkspaceId],
    sink: Sink,
    on_progress: Callable[[int, SavedWorkspace], None],
    access: WorkspaceAccessStore | None = None,
    images: Images | None = None,
) -> tuple[list[SavedWorkspace], list[str]]:
    """Write workspaces, in the trash or not, into a backup.

    Args:
        log: the store.
        workspace_ids: their ids; those that do not exist are passed over.
        sink: where to.
        on_progress: called with the number of workspaces read and the one just written.
        access: who may what in them; None to leave that out.
        images: their images; None to leave them out.

    Returns:
        What was saved, and a sentence for each workspace that could not be.
    """
    saved: list[SavedWorkspace] = []
    failures: list[str] = []
    for number, workspace_id in enumerate(workspace_ids, 1):
        try:
            material = await read_material(log, workspace_id)
        except DraftsmithError as error:
            if error.code != "log_incomplete":
                raise
            failures.append(error.detail)
            continue
        if material is not None:
            record = None if access is None else await access.read(workspace_id)
            one = await _save(log, workspace_id, material, sink, None if record is None else record.to_json())
            if images is not None:
                one = replace(one, images=await _save_images(images, workspace_id, sink))
            saved.append(one)
            on_progress(number, saved[-1])
    return saved, failures


async def _save_images(images: Images, workspace_id: WorkspaceId, sink: Sink) -> tuple[SavedImage, ...]:
    saved = []
    for image in await images.all(workspace_id):
        try:
            content = await images.read(workspace_id, image)
        except DraftsmithError as error:
            if error.code != "image_not_found":  # else it was removed a moment ago
                raise
            continue
        name = f"{workspace_id}/{address_of(image.sha256, image.type)}"
        saved.append(SavedImage(sink.write(name, [content]), image.type))
    return tuple(saved)


async def _save(
    log: CommitLog,
    workspace_id: WorkspaceId,
    material: WorkspaceMaterial,
    sink: Sink,
    access: Mapping[str, object] | None,
) -> SavedWorkspace:
    meta, blob = material.meta, material.snapshot
    snapshot = None
    if blob is not None:
        snapshot = BackupState(
            sink.write(f"{workspace_id}/snapshot.json", [blob.content]), blob.revision, blob.chain, blob.ms
        )
    kept = []
    for revision, ms, reason in await log.kept_states(workspace_id):
        state = await log.read_kept(workspace_id, revision) if revision <= meta.head.revision else None
        if state is not None:  # else it was dropped a moment ago
            file = sink.write(f"{workspace_id}/kept/{revision}.json", [state.content])
            kept.append(BackupState(file, revision, state.chain, ms, reason))
    return SavedWorkspace(
        id=workspace_id,
        head=meta.head,
        base=meta.base,
        summary=meta.summary,
        created_ms=meta.created_ms,
        updated_ms=meta.updated_ms,
        deleted_ms=meta.deleted_ms,
        log=sink.write(f"{workspace_id}/log.jsonl", map(entry_line, material.entries)),
        snapshot=snapshot,
        kept=tuple(kept),
        access=access,
    )
