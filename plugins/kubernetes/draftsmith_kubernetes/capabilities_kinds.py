"""A kind of a cluster, described: what it is, what it is for, whose it is, how large it is.

Made of discovery and, where there is one, of the definition (CRD) of the kind. Texts of definitions are those of
whoever installed them: they are cleaned, cut and counted, and only ever data. Not here: asking the cluster, or ranking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from draftsmith_kubernetes.capabilities_builtin import BUILT_IN
from draftsmith_kubernetes.capabilities_providers import is_part_of_kubernetes, provider_of
from draftsmith_kubernetes.capabilities_vocabulary import BY_PHRASE, LONGEST_PHRASE, with_broader
from draftsmith_kubernetes.capabilities_words import cleaned, terms_of

Complexity = Literal["low", "medium", "high"]
_MOST_FIELDS: Final = 2_000
_MOST_DEPTH: Final = 8
_MOST_DESCRIPTION: Final = 300
_MOST_FIELD_TEXT: Final = 120
_FEW_FIELDS: Final = 5
_MOST_CATEGORIES: Final = 10
_TEXT_DEPTH: Final = 2
_MOST_TEXT: Final = 20_000
_LOW, _MEDIUM = 10, 50


@dataclass(frozen=True)
class ApiResource:
    """A kind as discovery names it.

    Attributes:
        plural: its name in paths, such as `clusters`.
    """

    group: str
    kind: str
    plural: str
    namespaced: bool
    short_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class KindDescription:
    """What a kind is and is for.

    Attributes:
        narrow: what it is for itself.
        capabilities: these, and the broader ones of which each is one.
        of_group: what its group is for.
        complexity: by the number of fields of its spec: up to 10 low, up to 50 medium; none without a definition.
        fields: the most important ones of its spec, required ones first, each with what it says of itself.
        text: what its definition says beyond its description, for words to be found in.
    """

    group: str
    kind: str
    plural: str
    namespaced: bool
    provider: str
    description: str
    narrow: tuple[str, ...]
    capabilities: tuple[str, ...]
    of_group: tuple[str, ...]
    complexity: Complexity | None
    fields: tuple[str, ...]
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    text: str = field(default="", repr=False)

    @property
    def beside(self) -> tuple[str, ...]:
        """What its group is for and the kind itself is not."""
        return tuple(name for name in self.of_group if name not in self.capabilities)

    @property
    def name(self) -> str:
        """Its kind with its group, as kubectl takes it."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


def describe(resources: Sequence[ApiResource], definitions: Sequence[Any]) -> list[KindDescription]:
    """Describe each kind once, in the order of discovery; a definition that cannot be read counts as none."""
    read = dict(filter(None, map(_read, definitions)))
    kinds = {(one.group, one.kind): one for one in reversed(resources)}
    return [_describe(one, read.get((one.group, one.kind))) for one in reversed(kinds.values())]


def capabilities_in(terms: Sequence[str]) -> dict[str, str]:
    """The capabilities that terms say, each with the words that said it; longer phrases take their words away."""
    found: dict[str, str] = {}
    at = 0
    while at < len(terms):
        for length in range(min(LONGEST_PHRASE, len(terms) - at), 0, -1):
            phrase = tuple(terms[at : at + length])
            if names := BY_PHRASE.get(phrase):
                for name in names:
                    found.setdefault(name, " ".join(phrase))
                at += length - 1
                break
        at += 1
    return found


def _describe(one: ApiResource, definition: _Definition | None) -> KindDescription:
    schema = definition.schema if definition else None
    built_in = BUILT_IN.get(one.kind) if is_part_of_kubernetes(one.group) else None
    description = built_in.description if built_in else cleaned((schema or {}).get("description"), _MOST_DESCRIPTION)
    group = [] if is_part_of_kubernetes(one.group) else terms_of(one.group.replace(".", " "))
    own = list(built_in.capabilities) if built_in else list(capabilities_in(terms_of(one.kind)))
    of_group = list(capabilities_in(group))
    own = own or of_group or list(capabilities_in(terms_of(_first_sentence(description))))
    size = _Size()
    text = size.read(schema) if schema else ""
    return KindDescription(
        group=one.group,
        kind=one.kind,
        plural=one.plural,
        namespaced=one.namespaced,
        provider=provider_of(one.group),
        description=description,
        narrow=tuple(own),
        capabilities=widened(own),
        of_group=widened(of_group),
        complexity=size.complexity if schema else None,
        fields=_important(schema) if schema else (),
        short_names=one.short_names,
        categories=definition.categories if definition else (),
        text=text,
    )


def widened(names: Sequence[str]) -> tuple[str, ...]:
    """These capabilities, and the broader ones of which each is one."""
    return tuple(dict.fromkeys(wide for name in names for wide in with_broader(name)))


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0]


@dataclass(frozen=True)
class _Definition:
    """What is read of a CRD: the schema of the version that is stored, or of the first."""

    schema: Mapping[str, Any]
    categories: tuple[str, ...]


def _read(definition: Any) -> tuple[tuple[str, str], _Definition] | None:
    """The group and kind of a definition, and what is read of it."""
    spec = _mapping(_mapping(definition).get("spec"))
    names = _mapping(spec.get("names"))
    group, kind, told = spec.get("group"), names.get("kind"), names.get("categories")
    versions = spec.get("versions")
    shapes = [_mapping(one) for one in versions] if isinstance(versions, list) else []
    if not isinstance(group, str) or not isinstance(kind, str):
        return None
    chosen = next((one for one in shapes if one.get("storage") is True), shapes[0] if shapes else {})
    categories = [one for one in told[:_MOST_CATEGORIES] if isinstance(one, str)] if isinstance(told, list) else []
    schema = _mapping(_mapping(chosen.get("schema")).get("openAPIV3Schema"))
    return (group, kind), _Definition(schema, tuple(categories))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _spec(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return _mapping(_mapping(schema.get("properties")).get("spec"))


def _named(shape: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The properties of an object, or of the objects of a list."""
    items = _mapping(shape.get("items"))
    for name, value in _mapping(shape.get("properties") or items.get("properties")).items():
        if isinstance(name, str):
            yield name, _mapping(value)


class _Size:
    """Counts the fields of a spec, up to a limit, and gathers the words of the upper ones."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def complexity(self) -> Complexity:
        return "low" if self.count <= _LOW else "medium" if self.count <= _MEDIUM else "high"

    def read(self, schema: Mapping[str, Any]) -> str:
        waiting, said, length = [(0, _spec(schema))], [], 0
        while waiting and self.count < _MOST_FIELDS:
            depth, shape = waiting.pop()
            for name, value in _named(shape):
                self.count += 1
                if depth < _TEXT_DEPTH and length < _MOST_TEXT:
                    said.append(f"{name[:100]} {cleaned(value.get('description'), _MOST_DESCRIPTION)}")
                    length += len(said[-1])
                if depth < _MOST_DEPTH:
                    waiting.append((depth + 1, value))
                if self.count >= _MOST_FIELDS:
                    break
        return " ".join(said)


def _important(schema: Mapping[str, Any]) -> tuple[str, ...]:
    spec = _spec(schema)
    required = spec.get("required")
    wanted = {one for one in required if isinstance(one, str)} if isinstance(required, list) else set()
    named = [(name, value) for _, (name, value) in zip(range(_MOST_FIELDS), _named(spec), strict=False)]
    named.sort(key=lambda one: (one[0] not in wanted, "description" not in one[1]))
    told = []
    for name, value in named[:_FEW_FIELDS]:
        about = cleaned(value.get("description"), _MOST_FIELD_TEXT)
        told.append(cleaned(name, 60) + (" (required)" if name in wanted else "") + (f": {about}" if about else ""))
    return tuple(told)
