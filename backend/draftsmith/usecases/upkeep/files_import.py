"""Import of files that came together: what they are, and each of their parts as the content of a workspace.

A part is what becomes one workspace. The parts of all sets are counted from 1, in the order of the files. Not here:
what a format means (`model.readers`), a part in a workspace that is open (`open_import`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import orjson

from draftsmith.errors import DraftsmithError, Problem
from draftsmith.model.fields import SparseDiagram, SparseNode
from draftsmith.model.layered_layout import Direction
from draftsmith.model.nested_layout import place_nested
from draftsmith.model.readers.images import exported_images
from draftsmith.model.readers.limits import MAX_NAME
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, UnreadableSource, UnreadPart
from draftsmith.model.readers.registry import READERS, ZIP, RecognizedSet, recognize
from draftsmith.model.readers.sources import with_marks
from draftsmith.model.readers.zips import path_within, unpack_zips
from draftsmith.model.shapes import ExportedImageOut
from draftsmith.model.workspace import Workspace, WorkspaceContent
from draftsmith.usecases.upkeep.shapes import ReadFilesOut, ReadSetOut, UnreadPartOut

MAX_FILES: Final = 2_000
"""Files that come together."""
_MAX_WARNINGS: Final = 100
_MAX_NAMED: Final = 20  # files or parts that a message names
_MAX_LISTED: Final = 1_000  # unread parts of one set in a report


@dataclass(frozen=True, slots=True)
class ReadSet:
    """A set as it was read: its workspaces, or why there are none."""

    recognized: RecognizedSet
    found: Sequence[ReadWorkspace]
    problem: UnreadableSource | None = None

    @property
    def path(self) -> str:
        """The path of its root."""
        return self.recognized.sources.root.path

    def name_of(self, number: int) -> str:
        """What its workspace of that number, from 0, is called: what the source says, else as the file is."""
        name = " ".join(self.found[number].name.split()) or _stem(self.path)
        if len(self.found) > 1 and not self.found[number].name:
            name = f"{name[: MAX_NAME - 6]} {number + 1}"
        return name[:MAX_NAME].strip()


@dataclass(frozen=True, slots=True)
class ImportedPart:
    """A part that was read.

    Attributes:
        content: the export form, for creating a workspace.
        reader: the name of its format.
        unread: what of it is in neither diagram nor document.
        part: its number, from 1.
        parts: the names of all parts.
        unrecognized: the paths of files that no format has.
        images: by their SHA-256.
        is_placed: the source says where its nodes are.
    """

    content: WorkspaceContent
    reader: str
    unread: Sequence[UnreadPartOut]
    part: int
    parts: Sequence[str]
    unrecognized: Sequence[str]
    images: Mapping[str, ExportedImageOut]
    is_placed: bool


def read_sets(
    files: Sequence[SourceFile], reader: str | None, root: str | None = None
) -> tuple[Sequence[ReadSet], Sequence[str]]:
    """Read all sets among files, or the one with that root; and the paths of those that no format has.

    Zips are unpacked, and their files are below their paths.

    Raises:
        DraftsmithError: `format_unknown`, if there is no reader of that name.
    """
    if reader is not None and reader not in READERS:
        raise _unknown_format(f"There is no format “{reader[:64]}”", "/reader")
    if reader == ZIP:  # what is in it is still to be recognized
        reader = None
    files = unpack_zips(files)
    recognition = recognize(files, reader)
    found = [one for one in recognition.sets if root is None or one.sources.root.path == root]
    if reader is not None:  # the files of one set, as they were named: those of fewer of them are not meant
        found = [one for one in found if len(one.sources.files) == len(files)] or found
    return [_read_set(one) for one in found], [file.path for file in recognition.unrecognized]


def read_part(
    files: Sequence[SourceFile], reader: str | None, number: int | None, root: str | None = None
) -> ImportedPart:
    """Read one part of files, or of the set with that root; the first by itself.

    Raises:
        DraftsmithError: `format_unknown`; `source_unread`, if nothing can be read; `part_unknown`.
    """
    sets, unrecognized = read_sets(files, reader, root)
    if not sets and root is not None:
        raise _root_unknown(root)
    if not sets:
        raise _unknown_format("What these files are is not recognized", "/files")
    parts = [(one, index) for one in sets for index in range(len(one.found))]
    if not parts:
        raise _source_unread(sets, files)
    if number is not None and number > len(parts):
        raise _part_unknown(number, len(parts))
    chosen, index = parts[(number or 1) - 1]
    found = chosen.found[index]
    broken = [] if number is not None else [_unread_set(one) for one in sets if one.problem is not None]
    content: WorkspaceContent = {"name": chosen.name_of(index), "diagram": _diagram(chosen, found)}
    if found.document:
        content["document"] = {"text": found.document}
    if not found.is_placed:
        content["flow"] = found.flow
    return ImportedPart(
        content,
        chosen.recognized.reader,
        [*broken, *map(unread_out, found.unread)],
        number or 1,
        [one.name_of(at) for one, at in parts],
        unrecognized,
        exported_images(found.images),
        found.is_placed,
    )


def read_part_apart(
    files: Sequence[SourceFile], reader: str | None, number: int | None, root: str | None, _: Workspace
) -> bytes:
    """`read_part` as JSON, for another process."""
    one = read_part(files, reader, number, root)
    return orjson.dumps(
        [one.content, one.reader, one.unread, one.part, one.parts, one.unrecognized, one.images, one.is_placed]
    )


def part_warnings(one: ImportedPart, path: str, *, is_one_asked_for: bool) -> list[Problem]:
    """The warnings about what was not taken over, and about other parts and files.

    Args:
        one: as read.
        path: where in the body the files stand.
        is_one_asked_for: a part was named, so that the others were left on purpose.
    """
    warnings = [_warning("part_unread", path, not_taken_over(unread)) for unread in one.unread[:_MAX_WARNINGS]]
    if is_one_asked_for:
        return warnings
    others = [number for number in range(1, len(one.parts) + 1) if number != one.part]
    if others:
        named = _names_in_words([f"{number} “{one.parts[number - 1]}”" for number in others])
        message = f"The files become {len(one.parts)} workspaces, and part {one.part} was taken. The others: {named}."
        warnings.insert(0, Problem(-1, "", "parts_left", path, message, tuple(map(str, others))))
    if one.unrecognized:
        message = f"What these files are is not recognized, so they were left out: {_names_in_words(one.unrecognized)}."
        warnings.insert(0, _warning("files_left", path, message))
    return warnings


def read_files(files: Sequence[SourceFile], reader: str | None, _: Workspace) -> bytes:
    """What files are, and what would become of them: the JSON of `ReadFilesOut`.

    Raises:
        DraftsmithError: `format_unknown`, if there is no reader of that name.
    """
    sets, unrecognized = read_sets(files, reader)
    return orjson.dumps(ReadFilesOut(sets=[_set_out(one) for one in sets], unrecognized=list(unrecognized)))


def not_taken_over(unread: UnreadPartOut) -> str:
    """What is said of something that was not taken over."""
    quoted = f" “{unread['text']}”" if unread["text"] else ""
    place = f", {unread['place']}," if unread["place"] else ""
    return f"{unread['file'] or 'A part'}{place} was not taken over: {unread['reason']}.{quoted}"


def unread_out(one: UnreadPart) -> UnreadPartOut:
    """The JSON form."""
    return {"file": one.file, "place": one.place, "text": one.text, "reason": one.reason}


def _read_set(recognized: RecognizedSet) -> ReadSet:
    try:
        found = READERS[recognized.reader].reader().read(recognized.sources)
    except UnreadableSource as problem:
        return ReadSet(recognized, (), problem)
    return ReadSet(recognized, found)


def _set_out(one: ReadSet) -> ReadSetOut:
    unread = [unread_out(part) for found in one.found for part in found.unread]
    return {
        "reader": one.recognized.reader,
        "title": READERS[one.recognized.reader].title,
        "root": one.path,
        "files": list(one.recognized.sources.files),
        "parts": [
            {
                "part": number + 1,
                "name": one.name_of(number),
                "nodes": len(found.diagram["nodes"]),
                "edges": len(found.diagram["edges"]),
                "chars": len(found.document),
            }
            for number, found in enumerate(one.found)
        ],
        "unread": unread[:_MAX_LISTED],
        "problem": None if one.problem is None else _unread_set(one),
    }


def _unread_set(one: ReadSet) -> UnreadPartOut:
    """A set of which nothing was read, as something that was not taken over."""
    problem = one.problem or UnreadableSource("it holds nothing")
    place = "" if problem.line is None else f"line {problem.line}"
    return {"file": problem.file or one.path, "place": place, "text": "", "reason": problem.reason}


def _diagram(one: ReadSet, found: ReadWorkspace) -> SparseDiagram:
    """The diagram with marks of its source and with positions."""
    diagram = with_marks(found, one.recognized.reader, path_within(one.path))
    if found.is_placed:
        return diagram
    nodes: list[SparseNode] = [{**node} for node in diagram["nodes"]]
    place_nested(nodes, diagram["edges"], cast(Direction, found.flow))
    return {**diagram, "nodes": nodes}


def _stem(path: str) -> str:
    """The name of a file without folders and ending; of one that is called by its ending alone, all of it."""
    name = path.rpartition("/")[2]
    return name.partition(".")[0] or name


def _names_in_words(items: Sequence[str]) -> str:
    more = f" and {len(items) - _MAX_NAMED:,} more" if len(items) > _MAX_NAMED else ""
    return f"{', '.join(items[:_MAX_NAMED])}{more}"


def _warning(code: str, path: str, message: str) -> Problem:
    return Problem(-1, "", code, path, message)


def _unknown_format(what: str, path: str) -> DraftsmithError:
    titles = ", ".join(f"{entry.title} ({', '.join(entry.endings)})" for entry in READERS.values())
    message = f"{what}. Recognized are: {titles}. Nothing was created."
    return DraftsmithError(
        "format_unknown", message, [Problem(-1, "", "format_unknown", path, message, tuple(READERS))]
    )


def _source_unread(sets: Sequence[ReadSet], files: Sequence[SourceFile]) -> DraftsmithError:
    """The refusal of files of which nothing can be read: the first one's reason, a problem for each."""
    paths = [file.path for file in files]
    found = [(one, _unread_set(one)) for one in sets]
    problems = []
    for one, unread in found[:_MAX_WARNINGS]:
        at = next((paths.index(path) for path in (unread["file"], one.path) if path in paths), None)
        problems.append(_warning("source_unread", "/files" if at is None else f"/files/{at}", not_taken_over(unread)))
    first = sets[0].problem
    extra = {"file": found[0][1]["file"], "line": None if first is None else first.line}
    return DraftsmithError("source_unread", f"{problems[0].message} Nothing was created.", problems, extra)


def _root_unknown(root: str) -> DraftsmithError:
    message = f"None of these files is the root “{root[:200]}” of a set. Nothing was created."
    return DraftsmithError("part_unknown", message, [Problem(-1, "", "part_unknown", "/root", message)])


def _part_unknown(number: int, count: int) -> DraftsmithError:
    counted = "1 workspace" if count == 1 else f"{count} workspaces"
    message = f"The files become {counted}, so there is no part {number}. Nothing was created."
    candidates = tuple(str(one) for one in range(1, count + 1))[:_MAX_NAMED]
    return DraftsmithError("part_unknown", message, [Problem(-1, "", "part_unknown", "/part", message, candidates)])
