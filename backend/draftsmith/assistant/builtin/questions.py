"""What questions ask: each is one call of a reading tool."""

from __future__ import annotations

from typing import Any, Final

from draftsmith.assistant.builtin.clause import Clause, Question
from draftsmith.assistant.builtin.masking import Slot
from draftsmith.assistant.builtin.new_things import TECHNOLOGIES, noun_type
from draftsmith.assistant.builtin.refusal import UnclearSentence

READING: Final = frozenset({"find_nodes", "read_nodes", "read_section"})
"""Tools that are there in Edit, too; the others are Ask's alone."""
_MOST: Final = 200  # what find_nodes may be asked for at once
_FAR: Final = 5  # what neighbours may be asked for at once
_NEIGHBOURS: Final = {
    "callers": ("in", 1),
    "called": ("out", 1),
    # An arrow may stand for a call, or for data that somebody uses who receives it.
    "users": ("both", 1),
    "used": ("both", 1),
    "dependents": ("in", _FAR),
    "needs": ("out", _FAR),
}
_ALL: Final = frozenset(
    f"{noun}{end}" for noun in ("node", "component", "element", "thing", "everything", "all") for end in ("", "s")
)


def neighbours(form: str, clause: Clause) -> Question:
    """What a node is connected with, in a direction."""
    node, (direction, depth) = clause.node("a"), _NEIGHBOURS[form]
    asked = {"id": node, "direction": direction, "depth": depth}
    return Question("neighbours", asked, form, clause.names.labels[node])


def paths(clause: Clause) -> Question:
    """How one node leads to another."""
    source, target = clause.two()
    labels = clause.names.labels
    return Question("paths", {"source": source, "target": target}, "paths", f"{labels[source]}\n{labels[target]}")


def impact(clause: Clause) -> Question:
    """What breaks with a node."""
    node = clause.node("a")
    return Question("impact", {"id": node}, "impact", clause.names.labels[node])


def list_kinds(clause: Clause) -> Question:
    """The nodes of a kind, made with a technology if that is said."""
    asked, about = _kinds(clause.slots["kinds"]) if "kinds" in clause.slots else ({}, "")
    if "technology" in clause.slots:
        technology = clause.name("technology", "technology")
        if len(technology) > 200:
            raise UnclearSentence("name_unclear", "A technology is at most 200 characters long.")
        asked, about = {**asked, "technology": technology}, f"with {technology}"
    return Question("find_nodes", {**asked, "limit": _MOST}, "list", about)


def count(clause: Clause) -> Question:
    """How many nodes of a kind there are."""
    asked, about = _kinds(clause.slots["kinds"])
    return Question("find_nodes", {**asked, "limit": 1}, "count", about)


def _kinds(slot: Slot) -> tuple[dict[str, Any], str]:
    """What kind of nodes a noun means, as the input of find_nodes, and the noun."""
    noun = " ".join(slot.text.split())
    words = noun.lower().split()
    if noun.lower() in _ALL:
        return {}, "nodes"
    technology = next((TECHNOLOGIES[word] for word in words if word in TECHNOLOGIES), "")
    rest = " ".join(word for word in words if word not in TECHNOLOGIES)
    node_type = noun_type(rest) if rest else ""
    if node_type is None or len(words) > 3:
        instead = tuple((slot.start, slot.end, kind) for kind in ("databases", "services"))
        raise UnclearSentence("type_unknown", f"I know no kind of node called '{noun}'.", instead)
    asked: dict[str, Any] = {"types": [node_type]} if node_type else {}
    return asked | ({"technology": technology} if technology else {}), noun


def check(form: str, clause: Clause) -> Question:
    """What looks wrong, or what is unconnected."""
    return Question("check_diagram", {}, form)


def group_content(clause: Clause) -> Question:
    """What stands in a group."""
    group = clause.group("group")
    return Question("find_nodes", {"group": group, "limit": _MOST}, "inside", clause.names.labels[group])


def describe(clause: Clause) -> Question:
    """What a node is."""
    return Question("read_nodes", {"ids": [clause.node("a")]}, "describe")


def show(clause: Clause) -> Question:
    """The text of a section."""
    return Question("read_section", {"section": clause.path(clause.section("section"))}, "section")
