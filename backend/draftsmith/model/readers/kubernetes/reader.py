"""Manifests of Kubernetes as a format that is read (`model.readers`): files that came together are one workspace."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import basename, commonpath
from typing import Final

from draftsmith.model.readers.kubernetes.drawing import draw_objects
from draftsmith.model.readers.kubernetes.files import read_files
from draftsmith.model.readers.limits import MAX_NAME, unread_within
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource

__all__ = ["read", "recognizes", "sets_of"]

_ENDINGS: Final = (".yaml", ".yml", ".json")
_YAML = (
    re.compile(rb"^[\"']?apiVersion[\"']?[ \t]*:", re.MULTILINE),
    re.compile(rb"^[\"']?kind[\"']?[ \t]*:[ \t]*[\"']?(?!Config\b)\w", re.MULTILINE),
)
_JSON = (re.compile(rb"\"apiVersion\"\s{0,20}:"), re.compile(rb"\"kind\"\s{0,20}:\s{0,20}\"(?!Config\")"))
_NOTHING: Final = "nothing in it is drawn: no workload, no Service, no Ingress, no volume claim"


def recognizes(file: SourceFile) -> bool:
    """Whether a file says what an API server is asked for; settings of kubectl (`kind: Config`) are none of it."""
    if not file.path.lower().endswith(_ENDINGS):
        return False
    marks = _JSON if file.content.lstrip()[:1] in (b"{", b"[") else _YAML
    return all(mark.search(file.content) for mark in marks)


def sets_of(files: Sequence[SourceFile]) -> Sequence[SourceSet]:
    """All files with objects as one set: they name one another."""
    found = [file for file in files if recognizes(file)] or list(files)
    return [SourceSet(found[0], {file.path: file for file in found})] if found else []


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read the objects of all files.

    Raises:
        UnreadableSource: nothing of them is drawn, or they hold more than a workspace may.
    """
    path = sources.root.path
    found = read_files(list(sources.files.values()))
    diagram, names = draw_objects(found, path)
    if not diagram["nodes"]:
        raise found.failure or UnreadableSource(_NOTHING, path)
    return [ReadWorkspace(_name_of(sources), diagram, unread=unread_within(found.unread), sources=names)]


def _name_of(sources: SourceSet) -> str:
    """What the files are called together: the one, or their folder."""
    paths = list(sources.files)
    if len(paths) == 1:
        return basename(paths[0]).rpartition(".")[0][:MAX_NAME]
    return (basename(commonpath(paths)) or "Kubernetes")[:MAX_NAME]
