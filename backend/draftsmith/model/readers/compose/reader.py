"""Compose files as a format that is read (`model.readers`): a project is a workspace.

A set is what `docker compose` reads together: the file of a folder with its override, or with another one that is
written for it (`-f compose.yaml -f compose.prod.yaml`), and what these include and extend.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from posixpath import basename, dirname, join
from typing import Final

from draftsmith.model.readers.compose.drawing import draw_project
from draftsmith.model.readers.compose.project import ProjectReader, documents_of, referred_paths
from draftsmith.model.readers.compose.services import DRAWN_KEYS
from draftsmith.model.readers.limits import MAX_NAME, unread_within
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from draftsmith.model.readers.yaml_text import YamlMapping

__all__ = ["read", "recognizes", "sets_of"]

_ENDINGS: Final = (".yaml", ".yml")
_USUAL: Final = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
_OVERRIDE: Final = "override"
_NAME = re.compile(r"(?:docker-)?compose(?:[._-](?P<variant>[\w.-]+))?\.ya?ml", re.IGNORECASE)
_PART = re.compile(rb"^(?:services|include)[ \t]*:", re.MULTILINE)
_RUNS: Final = frozenset(("image", "build", "extends", "provider"))
_SERVICE_KEYS: Final = DRAWN_KEYS | {"restart", "healthcheck", "env_file", "labels"}


def recognizes(file: SourceFile) -> bool:
    """Whether a file says what services are, or is called as a compose file and breaks off."""
    if not file.path.lower().endswith(_ENDINGS):
        return False
    is_called_so = _NAME.fullmatch(basename(file.path)) is not None
    if not is_called_so and _PART.search(file.content) is None:
        return False
    try:
        document = documents_of(file)[0]
    except UnreadableSource:
        return is_called_so
    services = document.get("services")
    if not isinstance(services, YamlMapping):
        return is_called_so and (services is None and ("include" in document or _is_of_first_format(document)))
    bodies = [one for one in services.values() if isinstance(one, YamlMapping)]
    return "apiVersion" not in document and any(not _SERVICE_KEYS.isdisjoint(one) for one in bodies)


def sets_of(files: Sequence[SourceFile]) -> Sequence[SourceSet]:
    """The projects among files; a file that another one includes or extends is none by itself."""
    found = {file.path: file for file in files if recognizes(file)} or {file.path: file for file in files}
    by_path = {file.path: file for file in files}
    documents = _documents(found)
    referred = {path: referred_paths(document, path) for path, document in documents.items()}
    inner = set[str]().union(*referred.values())
    roots = dict.fromkeys(path for path in found if path not in inner)
    sets = list[SourceSet]()
    for path in (*roots, *(one for one in found if one in inner)):
        if path not in inner or not any(path in one.files for one in sets):
            sets += [_set(paths, by_path, referred) for paths in _merged_paths(path, roots, documents)]
    return sets


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a project.

    Raises:
        UnreadableSource: one of its own files is no compose file, or it has no services.
    """
    root = sources.root
    reading = ProjectReader(sources.files)
    paths = _order(sources)
    if _is_of_first_format(documents_of(root)[0]):
        reason = "it is of the first format, which has no `services` and which Compose reads no more"
        raise UnreadableSource(reason, root.path, 1)
    project = reading.read(paths)
    if not project.services:
        raise UnreadableSource("it has no services", root.path, 1)
    known_as = project.name or basename(dirname(root.path))
    diagram, sources_of = draw_project(project, reading, root.path, known_as)
    name, variant = known_as or basename(root.path).rpartition(".")[0], _variant(paths[-1])
    title = f"{name} ({variant})" if known_as and variant not in ("", _OVERRIDE) else name
    return [ReadWorkspace(title[:MAX_NAME], diagram, unread=unread_within(reading.unread), sources=sources_of)]


def _documents(files: Mapping[str, SourceFile]) -> Mapping[str, YamlMapping]:
    """Those of the files that can be read."""
    found: dict[str, YamlMapping] = {}
    for path, file in files.items():
        try:
            found[path] = documents_of(file)[0]
        except UnreadableSource:
            continue
    return found


def _merged_paths(path: str, roots: Collection[str], documents: Mapping[str, YamlMapping]) -> Iterator[list[str]]:
    """The projects of which a file is the first: alone, with its override, and with each that is written for it."""
    base = _base(path, roots)
    if base is None:
        overrides = [one for one in roots if _variant(one) == _OVERRIDE and _base(one, roots) == path]
        yield [path, *overrides[:1]]
        for one in roots:
            if one not in overrides and _base(one, roots) == path and _is_partial(documents.get(one)):
                yield [path, one]
    elif _variant(path) != _OVERRIDE and not _is_partial(documents.get(path)):
        yield [path]


def _base(path: str, roots: Collection[str]) -> str | None:
    """The usual file of the folder, beside which a file has a name such as `compose.prod.yaml`."""
    if not _variant(path):
        return None
    return next((one for usual in _USUAL if (one := join(dirname(path), usual)) in roots), None)


def _variant(path: str) -> str:
    found = _NAME.fullmatch(basename(path))
    return (found["variant"] or "") if found is not None else ""


def _is_partial(document: YamlMapping | None) -> bool:
    """Whether a file says of some service no more than what is to be otherwise, so that it cannot run by itself."""
    services = document.get("services") if document is not None else None
    if not isinstance(services, YamlMapping):
        return False
    return any(not isinstance(one, YamlMapping) or _RUNS.isdisjoint(one) for one in services.values())


def _is_of_first_format(document: YamlMapping) -> bool:
    bodies = [one for key, one in document.items() if not key.startswith("x-")]
    return "services" not in document and any(
        isinstance(one, YamlMapping) and not _RUNS.isdisjoint(one) for one in bodies
    )


def _set(paths: Sequence[str], files: Mapping[str, SourceFile], referred: Mapping[str, set[str]]) -> SourceSet:
    """A project with all that its files include and extend, these in turn too."""
    wanted = dict.fromkeys(paths)
    for path in (queue := list(paths)):
        for one in sorted(referred.get(path, ())):
            if one in files and one not in wanted:
                wanted[one] = None
                queue.append(one)
    return SourceSet(files[paths[0]], {path: files[path] for path in wanted})


def _order(sources: SourceSet) -> list[str]:
    """The files of a set that are merged: its root, and those that are written for it."""
    root = sources.root.path
    documents = _documents(sources.files)
    inner = set[str]().union(*(referred_paths(document, path) for path, document in documents.items()))
    outer = dict.fromkeys(path for path in sources.files if path not in inner or path == root)
    return [root, *(path for path in outer if path != root and _base(path, outer) == root)]
