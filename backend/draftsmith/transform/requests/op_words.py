"""Suggest operations for an unknown operation name: `create` and `disconnect`, `rename_node` and `str_replace`.

A name is read as a verb and a thing; where it names no thing, the fields that came with it decide which is offered
first. Only for hints: an operation that is not there is never carried out as another one.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from draftsmith.transform.requests.field_words import fields_meant, snake

_ALIKE: Final = 0.6
_VERBS: Final[Mapping[str, str]] = {
    "add": "add create make new insert put place define append introduce attach build generate write",
    "update": "update change modify set edit patch alter adjust mutate configure describe annotate save upsert",
    "rename": "rename relabel retitle label title name call",
    "delete": "delete remove drop erase destroy del rm clear cut discard purge detach",
    "connect": "connect link join wire relate hook",
    "disconnect": "disconnect unlink unwire unhook disjoin",
    "rewire": "rewire reroute redirect reconnect relink repoint retarget",
    "between": "between interpose intercept insertbetween",
    "move": "move shift reorder relocate",
    "replace": "replace substitute swap rewrite overwrite str sub",
    "append": "append extend prepend",
    "group": "group cluster wrap nest",
    "ungroup": "ungroup dissolve flatten unwrap unnest",
    "layout": "layout arrange tidy align position autolayout",
}
_VERB_OF: Final = {word: verb for verb, words in reversed(list(_VERBS.items())) for word in words.split()}
_THINGS: Final[Mapping[str, str]] = {
    "node": "node component box element service item vertex entity shape",
    "nodes": "nodes components boxes elements services items vertices entities shapes",
    "edge": "edge edges connection connections link links line lines arrow arrows relation relations relationship "
    "relationships dependency dependencies",
    "group": "group groups boundary cluster container zone",
    "section": "section sections chapter chapters heading headings header",
    "text": "text texts paragraph paragraphs sentence sentences content markdown document doc docs string str body",
    "workspace": "workspace project",
    "diagram": "diagram canvas graph",
}
_THING_OF: Final = {word: thing for thing, words in _THINGS.items() for word in words.split()}
_MEANT: Final[Mapping[str, Mapping[str, str]]] = {
    "add": {
        "node": "add_node", "nodes": "add_node", "edge": "add_edge", "group": "group_nodes add_node",
        "section": "insert_section", "text": "append_to_section insert_section", "diagram": "add_node add_edge",
        "": "add_node add_edge insert_section append_to_section",
    },
    "update": {
        "node": "update_node", "nodes": "update_node", "edge": "update_edge", "group": "update_node",
        "section": "edit_section replace_section", "text": "edit_section replace_section",
        "workspace": "rename_workspace", "diagram": "update_node update_edge",
        "": "update_node update_edge edit_section replace_section",
    },
    "rename": {
        "node": "update_node", "nodes": "update_node", "edge": "update_edge", "group": "update_node",
        "section": "rename_section", "text": "rename_section edit_section", "workspace": "rename_workspace",
        "diagram": "rename_workspace", "": "update_node update_edge rename_section rename_workspace",
    },
    "delete": {
        "node": "delete_node", "nodes": "delete_nodes", "edge": "delete_edge", "group": "ungroup_nodes delete_node",
        "section": "delete_section", "text": "edit_section delete_section", "diagram": "delete_nodes",
        "": "delete_node delete_edge delete_section edit_section",
    },
    "connect": {"": "add_edge"},
    "disconnect": {"": "delete_edge"},
    "rewire": {"": "rewire_edge"},
    "between": {"node": "insert_between", "": "insert_between"},
    "move": {
        "node": "move_to_group", "nodes": "move_to_group", "edge": "rewire_edge", "group": "move_to_group",
        "section": "move_section", "text": "move_section", "": "move_to_group rewire_edge move_section",
    },
    "replace": {
        "node": "update_node", "nodes": "update_node", "edge": "rewire_edge update_edge",
        "section": "replace_section edit_section", "text": "edit_section replace_section",
        "": "edit_section replace_section update_node",
    },
    "append": {"": "append_to_section insert_section"},
    "group": {"": "group_nodes move_to_group"},
    "ungroup": {"": "ungroup_nodes move_to_group"},
    "layout": {"": "layout_diagram"},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Offer:
    """The operations and fields that a refusal may suggest.

    Attributes:
        fields: the operations, each with its fields.
        others: operations of another tool, which this one must not name.
        elsewhere_note: a sentence that says where those are; empty for none.
        hidden_fields: fields of values inside an operation that are not named to it either.
    """

    fields: Mapping[str, Sequence[str]]
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    elsewhere_note: str = ""
    hidden_fields: frozenset[str] = frozenset()

    def fields_of(self, op: str) -> Sequence[str]:
        """The fields of an operation that may be named; none of one that is not known."""
        return self.fields.get(op) or self.others.get(op, ())


def operations_near(name: str, call_fields: Mapping[str, object], offer: Offer) -> tuple[str, ...]:
    """The operations that may be meant by a name that is none, the likeliest first; all where none is."""
    meant = [op for op in operations_meant(name) if op in offer.fields]
    alike = difflib.get_close_matches(snake(name), offer.fields, 3, _ALIKE)
    if meant:
        meant.sort(key=lambda op: -_fitting(call_fields, offer.fields[op]))
        return tuple(dict.fromkeys([*meant, *alike]))[:4]
    by_fields = [op for op, fields in offer.fields.items() if _fitting(call_fields, fields) >= 2]
    by_fields.sort(key=lambda op: -_fitting(call_fields, offer.fields[op]))
    return tuple(dict.fromkeys([*alike, *by_fields]))[:4] or tuple(offer.fields)


def is_elsewhere(name: str, offer: Offer) -> bool:
    """Whether a name that is no operation means one of another tool alone."""
    meant = operations_meant(name)
    return any(op in offer.others for op in meant) and not any(op in offer.fields for op in meant)


def operations_meant(name: str) -> tuple[str, ...]:
    """The operations that a verb, with or without a thing, means; none where it has no verb that is known."""
    words = snake(name).split("_")
    verbs = list(dict.fromkeys(_VERB_OF[word] for word in words if word in _VERB_OF))
    if not verbs:
        return ()
    verb = "between" if "between" in verbs else verbs[0]
    rest = [word for word in words if _VERB_OF.get(word) != verb or word in ("text", "content")]
    things = [_THING_OF[word] for word in rest if word in _THING_OF]
    table = _MEANT[verb]
    return tuple((table.get(things[-1] if things else "") or table.get("", "")).split())


def _fitting(call_fields: Mapping[str, object], fields: Collection[str]) -> int:
    """How many of the given fields an operation has, less those that it has not."""
    own = [key for key in call_fields if key not in ("op", "id")]
    return sum(1 if key in fields or fields_meant(key, fields) else -1 for key in own)
