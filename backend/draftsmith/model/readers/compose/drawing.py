"""A project of compose files as a diagram: services, volumes that have a name, and networks where they part services.

No value of a variable, an argument or a secret is taken over. What is looked for in them are hosts that are exactly a
name by which a service is found: its own, that of its container, an alias in a network, or one of a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from draftsmith.manifests.addresses import Address, addresses_in, addresses_in_arguments
from draftsmith.manifests.masking import mask_text
from draftsmith.manifests.roles import EDGE_KINDS, IMAGE, NODE_TYPES, PORTS, REPLICAS
from draftsmith.manifests.technologies import flow, product_of, role_of
from draftsmith.model.fields import SparseDiagram
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.readers.compose.project import ComposeProject, ProjectReader
from draftsmith.model.readers.compose.services import ComposeService, Mount
from draftsmith.model.readers.draft import DiagramDraft
from draftsmith.model.readers.reading import UnreadableSource
from draftsmith.model.readers.yaml_text import YamlMapping, texts_of
from draftsmith.model.type_words import guess_type, product_named
from draftsmith.model.vocabulary import GROUP

_MOST_VALUE: Final = 5_000
_DEFAULT: Final = "default"
_COMPLETED: Final = "service_completed_successfully"
_OF_SERVICE: Final = "service:"
_MOST_NAMED: Final = 200_000
"""How often hosts may name services."""


@dataclass(slots=True)
class _Relation:
    """All that one service says of another.

    Attributes:
        evidence: where it says so, each with a sentence, or none.
        flows: what flows, as far as it is known.
        is_connected: it names the other one, and does not only wait for it.
        note: what a line that stands for a dependency alone is called.
    """

    evidence: dict[str, dict[str, None]] = field(default_factory=dict)
    flows: dict[str, None] = field(default_factory=dict)
    is_connected: bool = False
    note: str = ""

    def add(self, kind: str, sentence: str = "") -> None:
        """Add a place in which it is said."""
        sentences = self.evidence.setdefault(kind, {})
        if sentence:
            sentences[sentence] = None


def draw_project(
    project: ComposeProject, reading: ProjectReader, path: str, known_as: str
) -> tuple[SparseDiagram, Mapping[NodeId | EdgeId, str]]:
    """Draw a project, and say what it calls what is drawn.

    Args:
        known_as: the name of the project, which is a part of that; empty for none.

    Raises:
        UnreadableSource: it has more than a workspace may hold.
    """
    drawing = _ProjectDrawing(project, reading, path, f"{known_as}/" if known_as else "")
    drawing.add_nodes()
    drawing.add_edges()
    return drawing.draft.diagram(), drawing.draft.sources


class _ProjectDrawing:
    def __init__(self, project: ComposeProject, reading: ProjectReader, path: str, prefix: str) -> None:
        self.draft = DiagramDraft(path)
        self._prefix = prefix
        self._project, self._reading = project, reading
        self._facts = {name: _facts_of(name, service) for name, service in project.services.items()}
        self._nodes: dict[str, NodeId] = {}
        self._volumes: dict[str, NodeId] = {}
        self._groups: dict[str, NodeId] = {}
        self._hosts = _hosts_of(project)
        self._listened = {name: service.listened_ports() for name, service in project.services.items()}
        self._count = 0

    # -- nodes -------------------------------------------------------------------------------------------------------

    def add_nodes(self) -> None:
        """Add groups, services and volumes."""
        for name in _parting_networks(self._project):
            if name != _DEFAULT:
                self._groups[name] = self.draft.draw_node(f"{self._prefix}networks.{name}", GROUP, name)
        for name, service in self._project.services.items():
            node_type, technology = self._facts[name]
            self._nodes[name] = self.draft.draw_node(
                f"{self._prefix}services.{name}", node_type, name, parent=self._group_of(service),
                technology=technology, properties=self._properties(service),
            )  # fmt: skip
        users = self._groups_of_volumes()
        for name, said in self._project.volumes.items():
            groups = users.get(name, {None})
            self._volumes[name] = self._add_volume(name, said, next(iter(groups)) if len(groups) == 1 else None)

    def _group_of(self, service: ComposeService) -> NodeId | None:
        return self._groups.get(next(iter(service.networks), ""))

    def _groups_of_volumes(self) -> Mapping[str, set[NodeId | None]]:
        """The groups of the services that mount each volume."""
        found: dict[str, set[NodeId | None]] = {}
        for service in self._project.services.values():
            for mount in service.mounts.values():
                if mount.is_volume:
                    found.setdefault(mount.source, set()).add(self._group_of(service))
        return found

    def _add_volume(self, name: str, said: YamlMapping | None, group: NodeId | None) -> NodeId:
        fields = said if said is not None else YamlMapping(1)
        driver = next(iter(texts_of(fields.get("driver"))), "")
        properties = {
            "name": next(iter(texts_of(fields.get("name"))), ""),
            "external": "true" if fields.get("external") else "",
        }
        return self.draft.draw_node(
            f"{self._prefix}volumes.{name}", "storage", name, parent=group,
            technology="" if driver == "local" else driver, properties=properties,
        )  # fmt: skip

    def _properties(self, service: ComposeService) -> Mapping[str, str]:
        paths = [one for one in service.mounts.values() if not one.is_volume]
        return {
            IMAGE: service.image,
            "build": mask_text(service.build),  # may be the address of a repository with a token
            PORTS: ", ".join(service.ports.values()),
            REPLICAS: service.replicas,
            "networks": "" if self._groups else ", ".join(service.networks),
            "network mode": service.network_mode,
            "profiles": ", ".join(service.profiles),
            "mounts": ", ".join(_shown_mount(one) for one in paths),
            "secrets": ", ".join(service.secrets),
            "configs": ", ".join(service.configs),
        }

    # -- edges -------------------------------------------------------------------------------------------------------

    def add_edges(self) -> None:
        """Add what services say of one another, and what they mount."""
        for name, service in self._project.services.items():
            for other, relation in self._relations(name, service).items():
                self._add_relation(name, other, relation)
            self._add_mounts(name, service)

    def _add_relation(self, name: str, other: str, relation: _Relation) -> None:
        node_type, _ = self._facts[other]
        kind = EDGE_KINDS.get(node_type, "sync") if relation.is_connected else "dependency"
        sentences = [one for some in relation.evidence.values() for one in some]
        self.draft.draw_edge(
            self._nodes[name], self._nodes[other], label=", ".join(relation.flows) or relation.note, kind=kind,
            description="\n".join(sentences), properties={"evidence": ", ".join(relation.evidence)},
        )  # fmt: skip

    def _add_mounts(self, name: str, service: ComposeService) -> None:
        """Add a line to each volume; where it is mounted is a property, since paths on lines hide these."""
        places: dict[str, list[str]] = {}
        for mount in service.mounts.values():
            if mount.is_volume:
                places.setdefault(mount.source, []).append(_shown_target(mount))
        for volume, targets in places.items():
            if volume in self._volumes:
                properties = {"mounted at": ", ".join(targets)}
                self.draft.draw_edge(self._nodes[name], self._volumes[volume], kind="data", properties=properties)
            else:
                reason = "the volume is not among the volumes of the file"
                self._reading.note(service.path, service.line, f"services.{name}.volumes: {volume}", reason)

    def _relations(self, name: str, service: ComposeService) -> Mapping[str, _Relation]:
        found: dict[str, _Relation] = {}
        for other, condition in service.depends_on.items():
            relation = self._relation(found, name, other, "depends_on")
            if relation is not None and condition == _COMPLETED:
                relation.note = "after it has completed"
        for other in service.links:
            relation = self._relation(found, name, other, "links")
            if relation is not None:
                relation.is_connected = True
        if service.network_mode.startswith(_OF_SERVICE):
            relation = self._relation(found, name, service.network_mode.removeprefix(_OF_SERVICE), "network_mode")
            if relation is not None:
                relation.note = "shares its network"
        aliases: dict[str, list[str]] = {}
        for other, alias in service.links.items():
            aliases.setdefault(alias.lower(), []).append(other)
        for kind, place, address in _addresses(service):
            for other in self._named_by(aliases, address):
                self._count += 1
                if self._count > _MOST_NAMED:
                    raise UnreadableSource("its services name one another more often than is drawn", service.path)
                relation = found.setdefault(other, _Relation())
                relation.is_connected = True
                relation.add(kind, f"{place} of {name} names {address.text}.")
                said = flow(address.scheme, self._facts[other][1], address.port, "")
                if said:
                    relation.flows.setdefault(said)
        return found

    def _relation(self, found: dict[str, _Relation], name: str, other: str, kind: str) -> _Relation | None:
        """What is said of another service; None, and listed, where there is none of this name."""
        if other not in self._nodes:
            service = self._project.services[name]
            text = f"services.{name}.{kind}: {other}"
            self._reading.note(service.path, service.line, text, "there is no service of this name")
            return None
        relation = found.setdefault(other, _Relation())
        relation.add(kind)
        return relation

    def _named_by(self, aliases: Mapping[str, list[str]], address: Address) -> Iterator[str]:
        """The services that an address leads to; a word with a port only where that is listened on."""
        for other in aliases.get(address.host) or self._hosts.get(address.host, []):
            is_said = address.is_whole or address.port is None
            if other in self._nodes and (is_said or str(address.port) in self._listened[other]):
                yield other


def _facts_of(name: str, service: ComposeService) -> tuple[str, str]:
    """The type and the technology of a service: by its image, else by its name."""
    known = role_of(service.image) if service.image else None
    if known is not None:
        return NODE_TYPES[known[0]], known[1]
    words = service.image.partition("@")[0].rpartition("/")[2].partition(":")[0]
    product = product_named(words) if words else None
    technology = product_of(service.image) or (product[1] if product is not None else "")
    # What is built here is called after what it does, and may name what that works with: `etl-kafka`.
    return (product[0] if product is not None else guess_type(name, "" if service.build else words)), technology


def _hosts_of(project: ComposeProject) -> Mapping[str, list[str]]:
    """The services by the names under which others find them, in lower case."""
    found: dict[str, list[str]] = {}
    for name, service in project.services.items():
        aliases = [alias for given in service.networks.values() for alias in given.split()]
        for host in dict.fromkeys(one.lower() for one in (name, service.container_name, *aliases) if one):
            found.setdefault(host, []).append(name)
    for name in project.services:  # a service is found by its own name, whoever else is called so
        found[name.lower()] = [one for one in found[name.lower()] if one.lower() == name.lower()]
    return found


def _addresses(service: ComposeService) -> Iterator[tuple[str, str, Address]]:
    """The hosts that variables and arguments name: the kind of evidence, the place, the host."""
    for key, value in service.environment.items():
        for address in addresses_in(value[:_MOST_VALUE], key):
            yield "environment", key, address
    arguments = [one[:_MOST_VALUE] for one in (*service.entrypoint, *service.command)]
    for flag, address in addresses_in_arguments(arguments):
        yield "argument", f"The argument {flag}" if flag else "An argument", address


def _parting_networks(project: ComposeProject) -> list[str]:
    """The networks that are drawn as groups: where each service is in exactly one, and not all are in the same."""
    services = project.services.values()
    if any(len(one.networks) > 1 or one.network_mode for one in services):
        return []
    used = dict.fromkeys(next(iter(one.networks), _DEFAULT) for one in services)
    return list(used) if len(used) > 1 else []


def _shown_mount(mount: Mount) -> str:
    return f"{mount.source} → {_shown_target(mount)}" if mount.source else mount.target


def _shown_target(mount: Mount) -> str:
    return f"{mount.target} (read-only)" if mount.is_read_only else mount.target
