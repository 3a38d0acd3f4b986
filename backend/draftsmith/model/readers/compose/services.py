"""Services of compose files in one form: short and long notations alike, and how one is merged over another.

Merging follows the compose specification as far as something is drawn of it: texts are replaced, lists are joined with
what is the same there once (ports by address and number, mounts by target), lists of names are read as mappings.
`!reset` leaves a value out, `!override` takes it alone. Variables get their defaults; without one `${NAME}` stays as it
is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.model.readers.yaml_text import YamlMapping, texts_of

_MOST_TEXT: Final = 20_000
_VARIABLE = re.compile(
    r"\$(?:(?P<dollar>\$)|\{(?P<name>[A-Za-z_]\w*)(?::?-(?P<default>(?:[^{}]|\$\{[^{}]*\})*))?\}|[A-Za-z_]\w*)"
)
_NAMED_VOLUME = re.compile(r"[A-Za-z0-9][\w.-]*")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_READ_ONLY: Final = "ro"
DRAWN_KEYS: Final = frozenset(
    [
        "build",
        "command",
        "container_name",
        "depends_on",
        "deploy",
        "entrypoint",
        "environment",
        "expose",
        "extends",
        "image",
        "links",
        "network_mode",
        "networks",
        "ports",
        "profiles",
        "scale",
        "secrets",
        "configs",
        "volumes",
    ]
)
"""Keys of a service of which something is drawn."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A volume or a path of the host in a service; `source` is empty for an anonymous volume."""

    source: str
    target: str
    is_volume: bool
    is_read_only: bool = False


@dataclass(slots=True)
class ComposeService:
    """A service.

    Attributes:
        path, line: where it is written.
        ports: as they are shown, by address, published and target port, and protocol.
        expose: container ports.
        mounts: by target.
        networks: aliases in each, separated by blanks.
        depends_on: the condition of each.
        links: the alias of each.
        replicas: how many; empty where nothing says it.
        tags: `!reset` and `!override` by key.
    """

    path: str
    line: int
    image: str = ""
    build: str = ""
    container_name: str = ""
    network_mode: str = ""
    replicas: str = ""
    command: tuple[str, ...] = ()
    entrypoint: tuple[str, ...] = ()
    ports: dict[str, str] = field(default_factory=dict)
    expose: dict[str, str] = field(default_factory=dict)
    mounts: dict[str, Mount] = field(default_factory=dict)
    networks: dict[str, str] = field(default_factory=dict)
    depends_on: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    profiles: dict[str, str] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    configs: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many values it has, long texts once more for every 50 characters."""
        texts = (self.image, self.build, *self.command, *self.entrypoint, *self.environment.values())
        return sum(len(getattr(self, name)) for name in _JOINED) + sum(1 + len(one) // 50 for one in texts)

    def listened_ports(self) -> frozenset[str]:
        """The ports that it names inside of its network, as they are written."""
        return frozenset(key.partition("/")[0].rpartition(":")[2] for key in (*self.ports, *self.expose))


_SINGLE: Final = ("image", "build", "container_name", "network_mode", "replicas", "command", "entrypoint")
_JOINED: Final = (
    "ports", "expose", "mounts", "networks", "depends_on", "links", "environment", "profiles", "secrets", "configs",
)  # fmt: skip
_KEYS: Final = {"mounts": "volumes", "replicas": "scale"}


def read_service(raw: YamlMapping, path: str) -> ComposeService:
    """A service as it is written, without what it extends."""
    build = raw.get("build")
    deploy = raw.get("deploy")
    replicas = raw.get("scale", deploy.get("replicas") if isinstance(deploy, YamlMapping) else None)
    return ComposeService(
        path=path,
        line=raw.line,
        image=_text(raw.get("image")),
        build=_text(build.get("context", ".")) if isinstance(build, YamlMapping) else _text(build),
        container_name=_text(raw.get("container_name")),
        network_mode=_text(raw.get("network_mode")),
        replicas=_text(replicas),
        command=_words(raw.get("command")),
        entrypoint=_words(raw.get("entrypoint")),
        ports=dict(_ports(raw.get("ports"))),
        expose=dict.fromkeys(_texts(raw.get("expose")), ""),
        mounts={one.target: one for one in _mounts(raw.get("volumes"))},
        networks=_network_aliases(raw.get("networks")),
        depends_on=_conditions(raw.get("depends_on")),
        links=dict(_links(raw.get("links"))),
        environment=_variables(raw.get("environment")),
        profiles=dict.fromkeys(_texts(raw.get("profiles")), ""),
        secrets=dict.fromkeys(_sources(raw.get("secrets")), ""),
        configs=dict.fromkeys(_sources(raw.get("configs")), ""),
        tags=dict(raw.tags),
    )


def merge_services(base: ComposeService, over: ComposeService) -> ComposeService:
    """One service over another of the same name, or over the one that it extends."""
    found = ComposeService(base.path, base.line)
    for name in (*_SINGLE, *_JOINED):
        below, above = getattr(base, name), getattr(over, name)
        tag = over.tags.get(_KEYS.get(name, name))
        if tag == "!reset":
            below = above = type(below)()
        elif tag == "!override":
            below = type(below)()
        setattr(found, name, {**below, **above} if name in _JOINED else above or below)
    return found


def with_defaults(text: str) -> str:
    """A text with the defaults of its variables; `$$` is a dollar."""
    if "$" not in text:
        return text
    for _ in range(2):  # a default may be a variable with a default
        text = _VARIABLE.sub(_default, text[:_MOST_TEXT])
    return text.replace("\0", "$")


def _default(found: re.Match[str]) -> str:
    if found["dollar"]:
        return "\0"  # no variable begins here when the defaults of defaults are looked for
    return found[0] if found["default"] is None else found["default"]


def _text(value: Any) -> str:
    return with_defaults(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _texts(value: Any) -> list[str]:
    return [with_defaults(one) for one in texts_of(value) if one]


def _words(value: Any) -> tuple[str, ...]:
    """The words of a command, which is a list or a line."""
    lines = _texts(value)
    return tuple(lines if isinstance(value, list) else lines[0].split() if lines else ())


def _ports(value: Any) -> Iterator[tuple[str, str]]:
    for one in value if isinstance(value, list) else ():
        if isinstance(one, YamlMapping):
            address, published = _text(one.get("host_ip")), _text(one.get("published"))
            target, protocol = _text(one.get("target")), _text(one.get("protocol"))
        else:
            body, _, protocol = _text(one).partition("/")
            *before, target = body.rsplit(":", 2)
            published = before[-1] if before else ""
            address = before[0] if len(before) > 1 else ""
        if target:
            shown = ":".join(part for part in (address, published, target) if part)
            ending = f"/{protocol}" if protocol not in ("", "tcp") else ""
            yield f"{address}:{published}:{target}/{protocol or 'tcp'}", shown + ending


def _mounts(value: Any) -> Iterator[Mount]:
    for one in value if isinstance(value, list) else ():
        if isinstance(one, YamlMapping):
            source, target = _text(one.get("source", one.get("src"))), _text(one.get("target", one.get("dst")))
            kind = _text(one.get("type")) or "volume"
            if target and kind in ("volume", "bind"):
                is_volume = kind == "volume" and bool(source)
                yield Mount(source, target, is_volume, one.get("read_only") is True)
        elif isinstance(one, str):
            yield from _short_mount(with_defaults(one))


def _short_mount(text: str) -> Iterator[Mount]:
    drive = text[:2] if _DRIVE.match(text) else ""
    source, colon, rest = text[len(drive) :].partition(":")
    if not colon:
        yield Mount("", text, False)
        return
    source = drive + source
    target, _, mode = rest.partition(":")
    is_volume = _NAMED_VOLUME.fullmatch(source) is not None
    yield Mount(source, target, is_volume, _READ_ONLY in mode.split(","))


def _network_aliases(value: Any) -> dict[str, str]:
    if isinstance(value, YamlMapping):
        return {
            name: " ".join(_texts(given.get("aliases"))) if isinstance(given, YamlMapping) else ""
            for name, given in value.items()
        }
    return dict.fromkeys(_texts(value), "")


def _conditions(value: Any) -> dict[str, str]:
    if isinstance(value, YamlMapping):
        return {
            name: _text(given.get("condition")) if isinstance(given, YamlMapping) else ""
            for name, given in value.items()
        }
    return dict.fromkeys(_texts(value), "")


def _links(value: Any) -> Iterator[tuple[str, str]]:
    for one in _texts(value):
        name, _, alias = one.partition(":")
        yield name, alias


def _variables(value: Any) -> dict[str, str]:
    if isinstance(value, YamlMapping):
        return {name: _text(given) for name, given in value.items() if _text(given)}
    pairs = (one.partition("=") for one in _texts(value))
    return {name: given for name, _, given in pairs if given}


def _sources(value: Any) -> Iterator[str]:
    for one in value if isinstance(value, list) else ():
        name = _text(one.get("source")) if isinstance(one, YamlMapping) else _text(one)
        if name:
            yield name
