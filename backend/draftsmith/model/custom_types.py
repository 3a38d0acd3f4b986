"""The types of nodes that a workspace has beside the built-in ones: a name, an icon and a colour for a built-in type.

A node of one has the built-in type in `type`, so that all that asks what a node is goes on as before, and the id of the
custom type in `custom_type`. That counts while there is such a type and its base is what the node is; else it is as
if it were absent (ADR 0087). Not here: where they are kept (`diagram`), and what may become one
(`transform.resolvers.custom_types`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.model.ids import slug
from draftsmith.model.name_search import name_key
from draftsmith.model.type_words import product_named, type_named
from draftsmith.model.vocabulary import NODE_TYPES

MOST_TYPES: Final = 50
"""In one workspace."""
MAX_TYPE_NAME: Final = 60


class CustomType(TypedDict):
    """A type of one's own; `icon` is the technology whose icon is drawn."""

    name: str
    base: str
    icon: NotRequired[str]
    color: NotRequired[str]


CustomTypes = Mapping[str, CustomType]
"""By id."""
NO_TYPES: Final[CustomTypes] = MappingProxyType({})


def type_key(name: str) -> str:
    """What names and ids of types have in common that differ in letter case, blanks, hyphens and underscores alone."""
    return name_key(name.replace("-", " ").replace("_", " "))


def custom_type_named(name: str, types: CustomTypes) -> str | None:
    """The id of the custom type that an id or a name means; None if none or several are called so."""
    if name in types:
        return name
    key = type_key(name)
    found = [type_id for type_id, one in types.items() if key in (type_key(type_id), type_key(one["name"]))]
    return found[0] if len(found) == 1 else None


def built_in_meant(name: str) -> str | None:
    """The built-in type that a name is a usual word for, or a product of; None if there is none.

    Nothing of one's own may be called so: what models write is taken for that type.
    """
    plain = type_key(name).replace(" ", "_")
    product = product_named(name)
    return plain if plain in NODE_TYPES else type_named(name) or (product and product[0])


def type_id_for(name: str) -> str:
    """An id made of a name."""
    return slug(name) or "type"


def own_type(type_id: str | None, base: str, types: CustomTypes) -> str | None:
    """The custom type of a node that says it is of one; None if that does not count, as `base` is what the node is."""
    definition = None if type_id is None else types.get(type_id)
    return type_id if definition is not None and definition["base"] == base else None
