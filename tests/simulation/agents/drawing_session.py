"""What the coding agent's model does when it is asked to draw the repository that it stands in.

A stand-in, no model: a program that follows the skill step by step. It loads the skill, reads the compose file and
searches the code with the agent's own tools, and draws only what their answers say: what runs, what it keeps, and, with
file and line, where one names another.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

import yaml

from tests.simulation.agents.coding_session import results_of
from tests.standin.script import Step, Text, ToolUse, Turn

_KINDS = (
    ("postgres|mysql|mariadb|mongo", "database"), ("redis|valkey|memcached", "cache"), ("kafka", "stream"),
    ("rabbitmq|nats", "queue"), ("nginx|traefik|envoy", "gateway"), ("prometheus|grafana", "monitoring"),
)  # fmt: skip
_SOURCE = ("py", "js", "ts", "go", "cs", "java", "rb", "php", "rs", "sh")
_NO_SOURCE = re.compile(r"(?:^|/)(?:tests?|node_modules|vendor)/|\.min\.js$|socket\.io\.js$")
_PLACE = re.compile(r"^\./([^:\n]+):(\d+):(.*)$", re.MULTILINE)


_CONNECTS = re.compile(r"://|host|server|connect|client|redis\(", re.IGNORECASE)
"""What stands on a line that opens a connection, more likely than on others."""


@dataclass(frozen=True)
class Call:
    """Where a service names another: the file below the repository, and the line."""

    source: str
    target: str
    place: str


@dataclass
class Drawing:
    """The model's side.

    Attributes:
        repository: the folder in which the agent works.
        name: what the workspace is called.
        seen: the result of each call and whether it is an error.
        offered: names of the tools.
        asked: everything that the agent has handed to the model with its newest request, as JSON.
        workspace: once it is made.
        services: by name, as the compose file has them.
        calls: what was found in the code.
    """

    repository: str
    name: str
    seen: list[tuple[str, bool]] = field(default_factory=list)
    offered: Sequence[str] = ()
    asked: str = ""
    workspace: str = ""
    services: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    calls: Sequence[Call] = ()
    _made: int = 0

    def __call__(self, body: Mapping[str, Any]) -> Step:
        """Answer a request: the next step of the skill, by what the last one came to."""
        self.offered = [tool["name"] for tool in body.get("tools", ())]
        self.asked = json.dumps(body, ensure_ascii=False)
        self.seen = list(results_of(body["messages"]))
        steps = (
            self._load_skill, self._look_for_files, self._read_compose, self._search_code, self._look_for_workspace,
            self._create, self._draw_nodes, self._draw_edges, self._write, self._check, self._look, self._read_again,
        )  # fmt: skip
        if len(self.seen) < len(steps):
            return Turn([steps[len(self.seen)]()])
        return Turn([Text(f"Drawn: {len(self.services)} nodes, {len(self.calls)} calls that the code shows.")])

    def _load_skill(self) -> ToolUse:
        return ToolUse("skill", {"name": "draftsmith"})

    def _look_for_files(self) -> ToolUse:
        return _command("find . -name '*compose*.y*ml'", "Find compose files")

    def _read_compose(self) -> ToolUse:
        files = [PurePosixPath(line) for line in self.seen[-1][0].splitlines() if line.startswith("./")]
        usual = [one for one in files if one.stem in ("docker-compose", "compose")]
        found = min(usual or files, key=lambda one: len(one.parts))
        return ToolUse("read", {"filePath": f"{self.repository}/{found}"})

    def _search_code(self) -> ToolUse:
        """Everywhere in code that a service is named as a whole word in quotes, or as a host."""
        lines = re.findall(r"^\s*\d+[:|]\s?(.*)$", self.seen[-1][0], re.MULTILINE)
        self.services = yaml.safe_load("\n".join(lines))["services"]
        names = "|".join(map(re.escape, self.services))
        pattern = _names(names)
        only = " ".join(f"--include='*.{one}'" for one in _SOURCE)
        return _command(f"grep -rnE {shlex.quote(pattern)} {only} .", "Where services are named")

    def _look_for_workspace(self) -> ToolUse:
        self.calls = list(self._calls_in(self.seen[-1][0]))
        return ToolUse("draftsmith_list_workspaces", {"text": self.name})

    def _create(self) -> ToolUse:
        return ToolUse("draftsmith_create_workspace", {"name": self.name, "id": "draw-repository-1"})

    def _draw_nodes(self) -> ToolUse:
        found = re.search(r"workspace ([0-9a-z]{26})", self.seen[-1][0])
        assert found is not None, self.seen[-1]
        self.workspace = found[1]
        nodes = [
            {"op": "add_node", "id": name, "type": _type_of(service), "label": name.capitalize(),
             "technology": str(service.get("image", "")), "description": f"`{_from(name, service)}`"}
            for name, service in self.services.items()
        ]  # fmt: skip
        built = [name for name, service in self.services.items() if "image" not in service]
        return self._edit("What runs, from the compose file", [
            *nodes, {"op": "group_nodes", "id": "built-here", "label": "Built here", "ids": built},
        ])  # fmt: skip

    def _draw_edges(self) -> ToolUse:
        pairs = {(one.source, one.target): one for one in reversed(self.calls)}
        edges = [
            {"op": "add_edge", "source": one.source, "target": one.target, "label": f"named in {one.place}"}
            for one in pairs.values()
        ]
        return self._edit("Who calls whom, from the code", edges)

    def _write(self) -> ToolUse:
        lines = [
            f"* [{one.source.capitalize()}](#node/{one.source}) names [{one.target.capitalize()}](#node/{one.target}): "
            f"`{one.place}`"
            for one in self.calls
        ]
        parts = [f"* [{name.capitalize()}](#node/{name}): `{_from(name, one)}`" for name, one in self.services.items()]
        started = [
            f"{name} waits for {', '.join(service['depends_on'])}"
            for name, service in self.services.items()
            if service.get("depends_on")
        ]
        how = f"Started by compose: {'; '.join(started)}."
        return self._edit("What the files say", [
            {"op": "insert_section", "title": "Overview", "level": 2, "text": "What runs:\n\n" + "\n".join(parts)},
            {"op": "insert_section", "title": "Main flows", "level": 2, "text": "\n".join(lines)},
            {"op": "insert_section", "title": "Operation", "level": 2, "text": how},
        ])  # fmt: skip

    def _check(self) -> ToolUse:
        return self._tool("check")

    def _look(self) -> ToolUse:
        return self._tool("export", format="png")

    def _read_again(self) -> ToolUse:
        return self._tool("read_workspace", since=1)

    def _edit(self, why: str, operations: Sequence[Mapping[str, Any]]) -> ToolUse:
        """A batch at the newest revision that the last answer names; 1 after it was made."""
        self._made += 1
        found = re.search(r"[Rr]evision (\d+)", self.seen[-1][0])
        base = int(found[1]) if found else 1
        return self._tool(
            "edit", base_revision=base, id=f"draw-step-{self._made}", explanation=why, operations=operations
        )  # fmt: skip

    def _tool(self, tool: str, **given: Any) -> ToolUse:
        return ToolUse(f"draftsmith_{tool}", {"workspace": self.workspace, **given})

    def _calls_in(self, found: str) -> Iterator[Call]:
        """The places of a search by the service whose folder they are in; what names itself calls nobody."""
        folders = {_folder(service): name for name, service in self.services.items() if _folder(service)}
        places: dict[tuple[str, str], list[tuple[bool, str]]] = {}
        for file, line, text in _PLACE.findall(found):
            source = folders.get(file.split("/", maxsplit=1)[0])
            if source is None or _NO_SOURCE.search(file):
                continue
            for target in self.services:
                if target != source and re.search(_names(re.escape(target)), text):
                    is_vague = _CONNECTS.search(text) is None
                    places.setdefault((source, target), []).append((is_vague, f"{file}:{line}"))
        for (source, target), some in places.items():
            yield Call(source, target, min(some, key=lambda one: one[0])[1])


def _names(names: str) -> str:
    """A pattern for services in quotes or as a host, which `grep -E` reads like Python."""
    return f"""["']({names})["']|(//|@)({names})[:/]|=({names})[;"'&]"""


def _command(command: str, what: str) -> ToolUse:
    return ToolUse("bash", {"command": command, "description": what})


def _folder(service: Mapping[str, Any]) -> str:
    build = service.get("build")
    context = build.get("context", "") if isinstance(build, dict) else build or ""
    return str(PurePosixPath(context)) if context else ""


def _from(name: str, service: Mapping[str, Any]) -> str:
    return f"{_folder(service)}/" if _folder(service) else f"services.{name}, image {service.get('image')}"


def _type_of(service: Mapping[str, Any]) -> str:
    image = str(service.get("image", ""))
    for words, kind in _KINDS:
        if re.search(words, image):
            return kind
    return "web" if service.get("ports") else "worker"
