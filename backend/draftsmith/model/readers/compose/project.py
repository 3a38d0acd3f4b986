"""A project of compose files: what is merged over what, included and extended, from the files of one set.

Nothing is fetched: a file that is not in the set is listed. Not here: what is drawn of it (`drawing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Any, Final

from draftsmith.model.readers.compose.services import DRAWN_KEYS, ComposeService, merge_services, read_service
from draftsmith.model.readers.reading import SourceFile, UnreadableSource, UnreadPart
from draftsmith.model.readers.yaml_text import MAX_VALUES, YamlMapping, read_yaml, texts_of

MAX_DEPTH: Final = 20
"""How many files or services include or extend one another in a row."""
_DRAWN_PARTS: Final = frozenset(("services", "volumes", "networks", "name", "version", "include"))
_NOT_DRAWN: Final = {
    "env_file": "files of variables are not read, since they may hold secrets",
    "secrets": "nothing of secrets is read; services that use them name them",
    "configs": "nothing of configs is read; services that use them name them",
    "volumes_from": "the volumes of another service are not drawn at this one",
}
_VALUES: Final = (
    "values of variables are not taken over, since they may be secrets; hosts of services in them are edges"
)


@dataclass(slots=True)
class ComposeProject:
    """What the files of a project say together; volumes and networks with what is said of each."""

    name: str = ""
    services: dict[str, ComposeService] = field(default_factory=dict)
    volumes: dict[str, YamlMapping | None] = field(default_factory=dict)
    networks: dict[str, YamlMapping | None] = field(default_factory=dict)


def documents_of(file: SourceFile) -> list[YamlMapping]:
    """The mappings of a compose file; several documents are merged as several files.

    Raises:
        UnreadableSource: it is no YAML, or no mapping.
    """
    stream = read_yaml(file)
    if stream.failure is not None:
        raise stream.failure
    found = [value for value, _ in stream.documents if value is not None]
    if not found or not all(isinstance(one, YamlMapping) for one in found):
        raise UnreadableSource("it is no compose file: a mapping with `services` is expected", file.path, 1)
    return found


def paths_in(document: YamlMapping, path: str) -> Iterator[tuple[str, Sequence[str | None], int]]:
    """What a file includes: as it is written, the paths of what is merged as one, None for elsewhere, and the line."""
    included = document.get("include")
    for one in included if isinstance(included, list) else ():
        given = texts_of(one.get("path")) if isinstance(one, YamlMapping) else texts_of(one)
        line = one.line if isinstance(one, YamlMapping) else document.line_of("include")
        if given:
            yield ", ".join(given), [_path_beside(path, each) for each in given], line


def referred_paths(document: YamlMapping, path: str) -> set[str]:
    """The paths of the files that a file includes or extends."""
    found = {each for _, paths, _ in paths_in(document, path) for each in paths if each is not None}
    for service in _mapping(document.get("services")).values():
        extended = service.get("extends") if isinstance(service, YamlMapping) else None
        file = extended.get("file") if isinstance(extended, YamlMapping) else None
        if isinstance(file, str):
            found.add(_path_beside(path, file) or "")
    return found - {"", path}


def _path_beside(path: str, reference: str) -> str | None:
    """The path of a file that is named in another one; None if it is not among files (an address, or outside)."""
    if "://" in reference or "$" in reference or reference.startswith(("/", "~", "git@")):
        return None
    found = normpath(join(dirname(path), reference))
    return None if found.startswith("..") else found


def _mapping(value: Any) -> YamlMapping:
    return value if isinstance(value, YamlMapping) else YamlMapping(1)


class ProjectReader:
    """Reads projects from the files of a set.

    Attributes:
        unread: what is not taken over.
    """

    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self._files = files
        self._documents: dict[str, list[YamlMapping]] = {}
        self._alike: dict[tuple[str, str], tuple[UnreadPart, int]] = {}
        self._listed: list[UnreadPart] = []
        self._included: set[tuple[str, ...]] = set()
        # As written, by the mapping around it, which `_documents` keeps: others may extend it thousands of times.
        self._services_of_files: dict[tuple[int, str], ComposeService] = {}
        self._repeated = 0

    @property
    def unread(self) -> list[UnreadPart]:
        """What is not taken over: what is alike in a file is said once, and how often it is there."""
        alike = []
        for part, count in self._alike.values():
            more = f" (and {count - 1:,} more like it)" if count > 1 else ""
            alike.append(UnreadPart(part.file, part.place, part.text, part.reason + more))
        return [*self._listed, *alike]

    def read(self, paths: Sequence[str]) -> ComposeProject:
        """Read a project of files that are merged in this order.

        Raises:
            UnreadableSource: one of these cannot be read.
        """
        return self._read(paths, ())

    def note(self, path: str, line: int, text: str, reason: str) -> None:
        """List something that is not taken over."""
        self._listed.append(UnreadPart(path, f"line {line}", text[:200], reason))

    def _note_alike(self, path: str, line: int, text: str, reason: str) -> None:
        part, count = self._alike.get((path, reason), (UnreadPart(path, f"line {line}", text[:200], reason), 0))
        self._alike[path, reason] = part, count + 1

    def _read(self, paths: Sequence[str], around: tuple[str, ...]) -> ComposeProject:
        project = ComposeProject()
        included: list[ComposeProject] = []
        for path in paths:
            for document in self._read_file(path):
                included += self._projects_included(document, path, (*around, *paths))
                self._add(project, document, path)
        for one in included:
            self._take_included(project, one)
        return project

    def _read_file(self, path: str) -> list[YamlMapping]:
        known = self._documents.get(path)
        if known is None:
            known = self._documents[path] = documents_of(self._files[path])
            for document in known:
                for key in document:
                    if key not in _DRAWN_PARTS and not key.startswith("x-"):
                        reason = _NOT_DRAWN.get(key, f"`{key[:40]}` is not drawn")
                        self._note_alike(path, document.line_of(key), key, reason)
        return known

    def _projects_included(self, document: YamlMapping, path: str, around: tuple[str, ...]) -> Iterator[ComposeProject]:
        for text, paths, line in paths_in(document, path):
            there = [one for one in paths if one is not None and one in self._files]
            if len(there) < len(paths):
                self.note(path, line, f"include: {text}", "the file is not among those that came, and none is fetched")
            elif any(one in around for one in there) or len(around) > MAX_DEPTH:
                self.note(path, line, f"include: {text}", "the files include one another")
            elif tuple(there) not in self._included:
                self._included.add(tuple(there))
                try:
                    yield self._read(there, around)
                except UnreadableSource as failure:
                    where = failure.file or there[0]
                    self.note(where, failure.line or 1, f"include: {text}", failure.reason)

    def _take_included(self, project: ComposeProject, included: ComposeProject) -> None:
        """Take over what the project has not itself; Compose refuses what both have."""
        for name, service in included.services.items():
            if name in project.services:
                reason = "a service of this name is in what includes it"
                self.note(service.path, service.line, f"services.{name}", reason)
            else:
                project.services[name] = service
        for parts, more in ((project.volumes, included.volumes), (project.networks, included.networks)):
            for name, said in more.items():
                parts.setdefault(name, said)

    def _add(self, project: ComposeProject, document: YamlMapping, path: str) -> None:
        """Merge a file over what is there."""
        name = document.get("name")
        project.name = name if isinstance(name, str) and "$" not in name else project.name
        services = _mapping(document.get("services"))
        for key in services:
            if services.tags.get(key) == "!reset":
                project.services.pop(key, None)
                continue
            service = self._service(services, key, path, ())
            if service is None:
                continue
            known = project.services.get(key)
            project.services[key] = service if known is None else merge_services(known, service)
        for parts, title in ((project.volumes, "volumes"), (project.networks, "networks")):
            for key, said in _mapping(document.get(title)).items():
                parts[key] = said if isinstance(said, YamlMapping) else parts.get(key)

    def _service(self, services: YamlMapping, name: str, path: str, around: tuple[str, ...]) -> ComposeService | None:
        """A service over what it extends; None for what is no service."""
        raw = services.get(name)
        line = services.line_of(name)
        if raw is None and name in services:
            raw = YamlMapping(line)
        if not isinstance(raw, YamlMapping):
            self.note(path, line, f"services.{name}", "it is no mapping")
            return None
        if not around:
            self._list_keys(raw, name, path)
        service = self._services_of_files.get((id(services), name))
        if service is None:
            service = self._services_of_files[id(services), name] = read_service(raw, path)
        service.line = line
        base = self._base_service(raw, name, path, around)
        if base is None:
            return service
        self._repeated += base.size
        if self._repeated > MAX_VALUES:
            raise UnreadableSource("services extend others more often than is read", path, line)
        found = merge_services(base, service)
        found.path, found.line = path, line
        return found

    def _list_keys(self, raw: YamlMapping, name: str, path: str) -> None:
        if raw.get("environment"):
            self._note_alike(path, raw.line_of("environment"), f"services.{name}.environment", _VALUES)
        for key in raw:
            if key not in DRAWN_KEYS and not key.startswith("x-"):
                reason = _NOT_DRAWN.get(key, f"`{key[:40]}` is not drawn")
                self._note_alike(path, raw.line_of(key), f"services.{name}.{key}", reason)

    def _base_service(self, raw: YamlMapping, name: str, path: str, around: tuple[str, ...]) -> ComposeService | None:
        given = raw.get("extends")
        if given is None:
            return None
        said = _mapping(given)
        wanted = given if isinstance(given, str) else said.get("service")
        file = said.get("file")
        there = path if not isinstance(file, str) else _path_beside(path, file)
        text, line = f"services.{name}.extends", raw.line_of("extends")
        if there is None or there not in self._files:
            self.note(path, line, text, f"`{file}` is not among the files that came, and none is fetched"[:300])
            return None
        key = f"{there} {wanted}"
        if key in around or f"{path} {name}" == key or len(around) > MAX_DEPTH:
            self.note(path, line, text, "the services extend one another")
            return None
        try:
            services = _mapping(self._read_file(there)[0].get("services"))
        except UnreadableSource as failure:
            self.note(there, failure.line or 1, text, failure.reason)
            return None
        if not isinstance(wanted, str) or wanted not in services:
            self.note(path, line, text, "there is no such service")
            return None
        return self._service(services, wanted, there, (*around, key))
