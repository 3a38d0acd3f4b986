"""What a reader of another tool's format is given, and what it returns.

A reader is pure: it sees the bytes of the files that came together and nothing else, fetches nothing, runs nothing, and
is bounded in every dimension. What it cannot read it lists, with its place and the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from draftsmith.model.fields import SparseDiagram
from draftsmith.model.ids import EdgeId, NodeId


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it came.

    Attributes:
        path: with `/` between its parts, relative to what was uploaded, without `..`.
        parsed: what a parser that is no part of a reader says of it (`usecases.prepare.parsed_charts`), empty for none;
            of a zip, what it says of the files in it (`zips.with_parsed`).
    """

    path: str
    content: bytes
    parsed: bytes = b""


@dataclass(frozen=True, slots=True)
class SourceSet:
    """Files that are read together.

    Attributes:
        root: the file that is read first, and after which the set is called.
        files: all of them, the root too, by path.
    """

    root: SourceFile
    files: Mapping[str, SourceFile]


@dataclass(frozen=True, slots=True)
class UnreadPart:
    """Something that was not taken over.

    Attributes:
        file: the path of its file.
        place: where in it: `line 12`, or what the format calls the part (a shape's id, `services.web.deploy`).
        text: the part itself, at most 200 characters.
        reason: why, as the end of a sentence, without a full stop.
    """

    file: str
    place: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReadWorkspace:
    """What becomes one workspace.

    Attributes:
        name: what the source calls it, empty for nothing.
        diagram: in the export form, within the limits of a workspace.
        document: Markdown, empty for none.
        unread: what is in neither.
        sources: what the source itself calls a node or an edge, for those that it names for good; by this they are
            recognized when the same source is read again. They are unique among what may come into one workspace, so a
            page or a project that its ids are of is part of them.
        is_placed: the source says where its nodes are; otherwise they are laid out.
        flow: in which direction: `right`, `down`, `left` or `up`.
        images: bytes of images by the name that the document refers to them with (`{sha256}.{ext}`).
    """

    name: str
    diagram: SparseDiagram
    document: str = ""
    unread: Sequence[UnreadPart] = ()
    sources: Mapping[NodeId | EdgeId, str] = field(default_factory=dict)
    is_placed: bool = False
    flow: str = "right"
    images: Mapping[str, bytes] = field(default_factory=dict)


class UnreadableSource(Exception):
    """Nothing of a set can be read.

    Attributes:
        reason: why, as the end of a sentence, without a full stop.
        file: the path of the file in which it was found.
        line: from 1; None where the format has no lines.
    """

    def __init__(self, reason: str, file: str = "", line: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.file, self.line = reason, file, line


class Reader(Protocol):
    """A reader of one format; a module that has these functions is one."""

    def recognizes(self, file: SourceFile) -> bool:
        """Whether a file is of this format, told by its name and by a bounded look into it, not by its name alone."""

    def sets_of(self, files: Sequence[SourceFile]) -> Sequence[SourceSet]:
        """The sets among files that came together: what includes or overrides one another is one set.

        It is given all files that no other format has, since a set may need some that it does not recognize. A set
        whose root is none that it recognizes is passed over, so a format whose files stand alone gives each as a set.
        """

    def read(self, sources: SourceSet) -> Sequence[ReadWorkspace]:
        """Read a set.

        Raises:
            UnreadableSource: nothing of it can be read.
        """
