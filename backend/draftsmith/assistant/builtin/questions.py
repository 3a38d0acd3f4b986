"""Questions: each is one call of a reading tool."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from draftsmith.assistant.builtin.forms import Clause, Form, Question
from draftsmith.assistant.builtin.masking import Slot
from draftsmith.assistant.builtin.phrases import TECHNOLOGIES, noun_type
from draftsmith.assistant.builtin.refusal import Unclear

READING: Final = frozenset({"find_nodes", "read_nodes", "read_section"})
"""Tools that are there in Edit, too; the others are Ask's alone."""
_MOST: Final = 200  # what find_nodes may be asked for at once
_FAR: Final = 5  # what neighbours may be asked for at once
_ALL: Final = frozenset(
    ["node", "nodes", "component", "components", "element", "elements", "thing", "things", "everything", "all"]
)


def _callers(depth: int, clause: Clause) -> Question:
    node = clause.node("a")
    form = "callers" if depth == 1 else "dependents"
    return Question("neighbours", {"id": node, "direction": "in", "depth": depth}, form, clause.names.labels[node])


def _called(depth: int, clause: Clause) -> Question:
    node = clause.node("a")
    form = "called" if depth == 1 else "needs"
    return Question("neighbours", {"id": node, "direction": "out", "depth": depth}, form, clause.names.labels[node])


def _uses(form: str, clause: Clause) -> Question:
    """Both directions: an arrow may stand for a call, or for data that somebody uses who receives it."""
    node = clause.node("a")
    return Question("neighbours", {"id": node, "direction": "both", "depth": 1}, form, clause.names.labels[node])


def _path(clause: Clause) -> Question:
    source, target = clause.two()
    labels = clause.names.labels
    return Question("paths", {"source": source, "target": target}, "paths", f"{labels[source]}\n{labels[target]}")


def _impact(clause: Clause) -> Question:
    node = clause.node("a")
    return Question("impact", {"id": node}, "impact", clause.names.labels[node])


def _list(clause: Clause) -> Question:
    given, about = _kinds(clause.slots["kinds"])
    return Question("find_nodes", {**given, "limit": _MOST}, "list", about)


def _list_with(clause: Clause) -> Question:
    given: dict[str, Any] = {}
    if "kinds" in clause.slots:
        given, _ = _kinds(clause.slots["kinds"])
    technology = clause.name("technology", "technology")
    _check_short(technology)
    return Question("find_nodes", {**given, "technology": technology, "limit": _MOST}, "list", f"with {technology}")


def _count(clause: Clause) -> Question:
    given, about = _kinds(clause.slots["kinds"])
    return Question("find_nodes", {**given, "limit": 1}, "count", about)


def _kinds(slot: Slot) -> tuple[dict[str, Any], str]:
    """What kind of nodes a noun means, as the input of find_nodes, and the noun."""
    noun = " ".join(slot.text.split())
    words = noun.lower().split()
    if noun.lower() in _ALL:
        return {}, "nodes"
    technology = next((TECHNOLOGIES[word] for word in words if word in TECHNOLOGIES), "")
    rest = " ".join(word for word in words if word not in TECHNOLOGIES)
    node_type = noun_type(rest, is_whole=True) if rest else ""
    if node_type is None or len(words) > 3:
        instead = tuple((slot.start, slot.end, kind) for kind in ("databases", "services"))
        raise Unclear("type_unknown", f"I know no kind of node called '{noun}'.", instead)
    given: dict[str, Any] = {"types": [node_type]} if node_type else {}
    return given | ({"technology": technology} if technology else {}), noun


def _check_short(text: str) -> None:
    if len(text) > 200:
        raise Unclear("name_unclear", "A technology is at most 200 characters long.")


def _unconnected(clause: Clause) -> Question:
    return Question("check_diagram", {}, "unconnected")


def _check(clause: Clause) -> Question:
    return Question("check_diagram", {}, "check")


def _inside(clause: Clause) -> Question:
    group = clause.group("group")
    return Question("find_nodes", {"group": group, "limit": _MOST}, "inside", clause.names.labels[group])


def _describe(clause: Clause) -> Question:
    return Question("read_nodes", {"ids": [clause.node("a")]}, "describe")


def _show(clause: Clause) -> Question:
    return Question("read_section", {"section": clause.path("section")}, "section")


ASKING_FORMS: Final = (
    Form("callers", "(what|who|which nodes|which services) (calls|call) {a:node}", partial(_callers, 1)),
    Form("called", "what does {a:node} call", partial(_called, 1)),
    Form("users", "(what|who|which nodes|which services) (uses|use) {a:node}", partial(_uses, "users")),
    Form("used", "what does {a:node} use", partial(_uses, "used")),
    Form("needs", "what does {a:node} depend on", partial(_called, _FAR)),
    Form("dependents", "(what|which nodes|which services) (depends|depend) on {a:node}", partial(_callers, _FAR)),
    Form(
        "paths",
        "[(show|find) [me ]][the |a ](path|paths|way|ways|route) from {a:node} to {b:node}",
        _path,
        pair="edge",
    ),
    Form("impact", "what (breaks|fails|happens) (if|when) {a:node} (fails|is down|goes down|breaks)", _impact),
    Form("unconnected", "(what is|which nodes are|list everything) (unconnected|not connected)", _unconnected),
    Form("check", "check the diagram", _check),
)
"""Questions whose tools only Ask has."""
READING_FORMS: Final = (
    Form("show_section", "(show|read) [me ][the ]section {section:section}", _show, "document"),
    Form("inside", "(what is|what stands) in [the ]group {group:group}", _inside),
    Form("list_with", "(list|show|find) [me ](everything|all nodes) with {technology:technology}", _list_with),
    Form("list_kind_with", "(list|show|find) [me ][all ][the ]{kinds:kinds} with {technology:technology}", _list_with),
    Form("list", "(list|find) [me ][all ][the ]{kinds:kinds}", _list),
    Form("list_which", "which {kinds:kinds} (are there|do we have|are in the diagram)", _list),
    Form("show_all", "show [me ]all [the ]{kinds:kinds}", _list),
    Form("count", "how many {kinds:kinds}[ (are there|are in the diagram|do we have)]", _count),
    Form("describe", "describe {a:node}", _describe),
)
"""Questions that Edit answers, too."""
