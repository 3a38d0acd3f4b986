"""Files and folders that the command `import` was given: what they are, workspaces of them, and one report.

What the server has it makes itself where it runs, else the command does so on its store.
"""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from draftsmith.cli.administering import administering
from draftsmith.cli.store import DataSettings, OpenStore, open_images, print_message, with_store
from draftsmith.errors import DraftsmithError
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.readers.reading import SourceFile, UnreadableSource
from draftsmith.model.readers.registry import READERS, clean_path, is_passed_over, may_belong

if TYPE_CHECKING:
    from draftsmith.model.limits import WorkspaceLimits
    from draftsmith.model.shapes import ExportedImageOut
    from draftsmith.usecases.upkeep.files_import import ReadSet

MAX_BYTES: Final = 24_000_000
"""Of all files together; in base 64 a request carries no more."""
_SHOWN: Final = 10  # unread parts of a file, or folders, that the report names


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """Files that were found, and the folders that were not looked into, named as the command was given them."""

    files: Sequence[SourceFile]
    passed_over: Sequence[str]

    def report_folders(self) -> None:
        """Print which folders were not looked into."""
        if self.passed_over:
            named = ", ".join(self.passed_over[:_SHOWN])
            more = f" and {len(self.passed_over) - _SHOWN} more" if len(self.passed_over) > _SHOWN else ""
            print_message(f"Not looked into, being hidden or of packages and tools: {named}{more}")


def files_of(paths: Sequence[Path]) -> FoundFiles:
    """Read files, and of folders those that may be of a format, by path below the folder's name.

    Raises:
        DraftsmithError: `file_unreadable`; `too_many_files`, also for too many bytes.
    """
    from draftsmith.usecases.upkeep.files_import import MAX_FILES

    found: dict[str, SourceFile] = {}
    passed_over: list[str] = []
    size = 0
    for path, name in _paths_with_names(paths, passed_over):
        try:
            content = path.read_bytes()
            clean = clean_path(name)
        except OSError as problem:
            raise DraftsmithError("file_unreadable", f"{path} cannot be read: {problem.strerror}.") from problem
        except UnreadableSource as problem:
            raise DraftsmithError("file_unreadable", f"{path} cannot be imported: {problem.reason}.") from problem
        if clean in found:
            raise DraftsmithError("file_unreadable", f"{path}: another file that was named is called so as well.")
        found[clean] = SourceFile(clean, content)
        size += len(content)
        if len(found) > MAX_FILES or size > MAX_BYTES:
            message = f"At most {MAX_FILES:,} files and {MAX_BYTES // 1_000_000} MB are imported at once; name fewer."
            raise DraftsmithError("too_many_files", message)
    return FoundFiles(list(found.values()), passed_over)


def with_charts(settings: DataSettings, files: Sequence[SourceFile], reader: str | None) -> Sequence[SourceFile]:
    """The same files, charts of Mermaid with what its own parsers say, where these are installed."""
    from draftsmith.adapters.files.editor_folder import static_folder
    from draftsmith.adapters.server.engine_process import ChartProcess, charts_in, missing_for_charts
    from draftsmith.usecases.prepare.parsed_charts import ChartParsers
    from draftsmith.usecases.requests.client import NOBODY

    static = settings.editor_dir or static_folder()
    if static is None or missing_for_charts(static):
        return files

    async def parse() -> Sequence[SourceFile]:
        parsers = ChartParsers(ChartProcess(charts_in(static)))
        try:
            return await parsers.parse(files, reader, NOBODY)
        finally:
            await parsers.close()

    with redirect_stdout(sys.stderr):  # where lines of the log are no ids
        return asyncio.run(parse())


def _paths_with_names(paths: Sequence[Path], passed_over: list[str]) -> Iterator[tuple[Path, str]]:
    """Files with the names that they are imported under; links to folders, and out of one, are not followed.

    Args:
        paths: what was named.
        passed_over: the folders that are not looked into are added to it.
    """
    for path in paths:
        if not path.is_dir():
            yield path, path.name
            continue
        root = path.resolve()
        for folder, folders, names in os.walk(root):
            here = path / Path(folder).relative_to(root)
            passed_over += (str(here / one) for one in sorted(folders) if is_passed_over(one))
            folders[:] = sorted(one for one in folders if not is_passed_over(one))
            for name in sorted(names):
                inside = (Path(folder) / name).relative_to(root).as_posix()
                if may_belong(inside) and _is_file_in(root, Path(folder) / name):
                    yield Path(folder) / name, f"{root.name}/{inside}"


def _is_file_in(root: Path, path: Path) -> bool:
    """Whether a path is a file of a folder: no pipe, and no link that leads out of it or nowhere."""
    return path.is_file() and path.resolve().is_relative_to(root)


@dataclass(frozen=True, slots=True)
class ImportCommand:
    """Makes workspaces of files, in a folder where there are several.

    Attributes:
        settings: of the command.
        files: all of them.
        reader: the format that somebody names; None to recognize it.
        name: of the workspace, or of the folder.
    """

    settings: DataSettings
    files: Sequence[SourceFile]
    reader: str | None
    name: str | None

    def run(self, part: int | None) -> Iterator[str]:
        """Make a workspace of every part, or of one; each id as it is made. What became of each file is printed.

        Raises:
            DraftsmithError: nothing could be read, or something was refused.
        """
        from draftsmith.usecases.upkeep.files_import import read_part, read_sets

        sets, unrecognized = read_sets(self.files, self.reader)
        if part is not None or not any(one.found for one in sets):
            read_part(self.files, self.reader, part)  # says what is wrong
        parts = [(one, number) for one in sets for number in range(len(one.found))]
        wanted = parts if part is None else [parts[part - 1]]
        folder = self._folder(sets) if len(wanted) > 1 else None
        for one, number in wanted:
            title = one.name_of(number) if self.name is None or folder is not None else self.name
            yield self._make(one, number + 1, title, folder)
        if part is None:
            for one in sets:
                _report(one)
            for path in unrecognized:
                print_message(f"{path}: not recognized, left out")

    def _folder(self, sets: Sequence[ReadSet]) -> str | None:
        """The id of a new folder for all of them."""
        tops = (file.path.partition("/") for file in self.files)
        parts = {top.removesuffix(".zip") for top, slash, _ in tops if slash or top.endswith(".zip")}
        name = (self.name or (parts.pop() if len(parts) == 1 else f"Import of {len(sets)} files"))[:200]
        url = url_of(self.settings)
        if url is not None:
            from draftsmith.adapters.files.import_request import post_to

            said = post_to(url, "/folders", {"name": name}, new_key())
            if said is not None:
                return str(said["id"])
        return with_store(self.settings, lambda store: _make_folder(store, name))

    def _make(self, one: ReadSet, number: int, title: str, folder: str | None) -> str:
        files = list(one.recognized.sources.files.values())
        url = url_of(self.settings)
        if url is not None:
            from draftsmith.adapters.files.import_request import create_on

            source = {"format": "files", "files": body_files(files), "reader": one.recognized.reader, "part": number}
            body = {"name": title, "import": source, **({} if folder is None else {"folder": folder})}
            made = create_on(url, body, new_key())
            if made is not None:
                return made
        return self._make_directly(one, number, title, folder)

    def _make_directly(self, one: ReadSet, number: int, title: str, folder: str | None) -> str:
        from draftsmith.history.actor import Actor
        from draftsmith.usecases.commits.workspaces import Workspaces
        from draftsmith.usecases.requests.identity import fingerprint, identify
        from draftsmith.usecases.upkeep.files_import import read_part

        files = list(one.recognized.sources.files.values())
        part = read_part(files, one.recognized.reader, number)

        async def create(store: OpenStore) -> str:
            actor = Actor("local:cli", "Command line", "script")
            workspaces = Workspaces(store.log, store.index, store.clock, limits_of(self.settings), "cli")
            workspace_id, _ = await workspaces.create(
                identify(actor, None, store.clock), actor, name=title, content=part.content, source="import",
                fingerprint=fingerprint({"name": title, "content": part.content}),
            )  # fmt: skip
            if folder is not None:
                await _put_into(store, workspace_id, folder)
            return workspace_id

        made = with_store(self.settings, create)
        if part.images:
            asyncio.run(self._put_images(WorkspaceId(made), part.images))
        return made

    async def _put_images(self, workspace_id: WorkspaceId, images: Mapping[str, ExportedImageOut]) -> None:
        async with open_images(self.settings) as kept:
            await kept.put_exported(workspace_id, images)


def body_files(files: Sequence[SourceFile]) -> list[dict[str, str]]:
    """Files as a body has them."""
    return [{"path": file.path, "content_base64": base64.b64encode(file.content).decode()} for file in files]


def _report(one: ReadSet) -> None:
    """Print what became of a set."""
    title = READERS[one.recognized.reader].title
    if one.problem is not None:
        line = "" if one.problem.line is None else f", line {one.problem.line}"
        print_message(f"{one.problem.file or one.path}{line}: {title}, not read: {one.problem.reason}")
        return
    nodes = sum(len(found.diagram["nodes"]) for found in one.found)
    unread = [part for found in one.found for part in found.unread]
    count = "1 workspace" if len(one.found) == 1 else f"{len(one.found)} workspaces"
    more = f", {len(unread)} not taken over" if unread else ""
    print_message(f"{one.path}: {title}, {count}, {nodes} nodes{more}")
    for part in unread[:_SHOWN]:
        quoted = f" “{part.text}”" if part.text else ""
        print_message(f"  {part.place or part.file}: {part.reason}.{quoted}")
    if len(unread) > _SHOWN:
        print_message(f"  and {len(unread) - _SHOWN} more")


def url_of(settings: DataSettings) -> str | None:
    """Where the server of these settings listens; None where none runs that the command may use."""
    from draftsmith.adapters.embedded.folder import DataFolder

    holder = DataFolder(settings.data_dir).holder_or_none() if settings.redis_url is None else None
    return None if holder is None else holder.url


def say_where(settings: DataSettings, workspace_ids: Sequence[str]) -> None:
    """Print where workspaces that were made are seen, where that is known."""
    url, them = url_of(settings), "it" if len(workspace_ids) == 1 else "them"
    if url is not None:
        print_message(f"Open {them}: {url}/w/{workspace_ids[0]}" if len(workspace_ids) == 1 else f"Open {them}: {url}")
    elif settings.redis_url is None:
        print_message(f"To see {them}: draftsmith serve")


def new_key() -> str:
    """An Idempotency-Key."""
    from draftsmith.adapters.process.system import SystemClock

    return f"import-{SystemClock().new_id()}"


def limits_of(settings: DataSettings) -> WorkspaceLimits:
    """How much a workspace may hold, as set."""
    from draftsmith.model.limits import WorkspaceLimits

    return WorkspaceLimits(settings.max_nodes, settings.max_edges, document_chars=settings.max_document_chars)


async def _make_folder(store: OpenStore, name: str) -> str:
    from draftsmith.access.folders import FolderId
    from draftsmith.usecases.access import folders
    from draftsmith.usecases.requests.identity import fingerprint

    needs, asking = administering(store)
    folder_id = FolderId(store.clock.new_id())
    folder, _ = await folders.create(needs, asking, folder_id, name, None, fingerprint({"name": name}))
    return folder.id


async def _put_into(store: OpenStore, workspace_id: WorkspaceId, folder: str) -> None:
    from draftsmith.access.folders import FolderId
    from draftsmith.usecases.access import folders

    needs, asking = administering(store)
    await folders.put_workspace(needs, asking, workspace_id, FolderId(folder))
