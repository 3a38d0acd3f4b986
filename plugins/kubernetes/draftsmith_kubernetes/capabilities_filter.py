"""An exact filter of described kinds, and what is wrong with one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from draftsmith.plugin import PluginError
from draftsmith_kubernetes.capabilities_kinds import KindDescription
from draftsmith_kubernetes.capabilities_vocabulary import CAPABILITIES


class CapabilityFilter(BaseModel):
    """What a kind must be; fields that are left out ask nothing.

    Attributes:
        capability: a kind is for it, or for something that is one: relational databases are databases.
        provider: the project that the kind belongs to, such as CloudNativePG; Kubernetes for its own kinds.
        group: of the API; `""` is the core.
        kind: its name, plural or a short name.
    """

    model_config = ConfigDict(extra="forbid")

    capability: str | None = Field(default=None, max_length=100)
    provider: str | None = Field(default=None, max_length=200)
    group: str | None = Field(default=None, max_length=300)
    kind: str | None = Field(default=None, max_length=100)
    namespaced: bool | None = None
    complexity: Literal["low", "medium", "high"] | None = None

    @model_validator(mode="before")
    @classmethod
    def _name_fields(cls, value: Any) -> Any:
        return name_fields(cls, value)


def name_fields(model: type[BaseModel], value: Any) -> Any:
    """Give the input of a filter as it is.

    Raises:
        ValueError: a field of it is none of the model's; the message names those that there are.
    """
    if isinstance(value, dict) and (unknown := [one for one in value if one not in model.model_fields]):
        name, named = str(unknown[0])[:100], ", ".join(model.model_fields)
        raise ValueError(f"'{name}' is no field of a filter{_like(name, model.model_fields)}; there are {named}")
    return value


def matching(kinds: Sequence[KindDescription], wanted: CapabilityFilter) -> list[KindDescription]:
    """The kinds that a filter wants, in the order of their names. Upper and lower case are the same.

    Raises:
        PluginError: `empty_filter`; `unknown_capability`, with those that there are.
    """
    if not wanted.model_dump(exclude_none=True):
        raise PluginError("empty_filter", f"Give at least one of: {', '.join(CapabilityFilter.model_fields)}.")
    capability = wanted.capability and wanted.capability.strip().lower().replace(" ", "-").replace("_", "-")
    if capability is not None and capability not in CAPABILITIES:
        message = f"'{(wanted.capability or '')[:100]}' is no capability{_like(capability, CAPABILITIES)}. There are: "
        raise PluginError("unknown_capability", f"{message}{', '.join(CAPABILITIES)}.")
    found = [
        one
        for one in kinds
        if (capability is None or capability in one.capabilities)
        and _is(wanted.provider, (one.provider,))
        and _is(wanted.group, (one.group,))
        and _is(wanted.kind, (one.kind, one.plural, one.name, *one.short_names))
        and wanted.namespaced in (None, one.namespaced)
        and wanted.complexity in (None, one.complexity)
    ]
    return sorted(found, key=lambda one: (one.kind, one.group))


def _is(wanted: str | None, names: Iterable[str]) -> bool:
    return wanted is None or wanted.strip().lower() in (name.lower() for name in names)


def _like(word: str, known: Iterable[str]) -> str:
    like = difflib.get_close_matches(word.lower(), list(known), 1, 0.6)
    return f"; did you mean '{like[0]}'?" if like else ""
