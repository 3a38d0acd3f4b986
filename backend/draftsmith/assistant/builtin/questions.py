"""Questions: which call of a reading tool each of them is, and how its result is worded. Pure.

Labels are shown, never interpreted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from draftsmith.assistant.builtin.clause import Clause, Question, name_list
from draftsmith.assistant.builtin.masking import Slot, word_set
from draftsmith.assistant.builtin.new_things import noun_type, technology_named
from draftsmith.assistant.builtin.refusal import UnclearSentence

Json = Mapping[str, Any]
Labels = Mapping[str, str]  # node id → label, for ids that come without

READING: Final = frozenset({"find_nodes", "read_nodes", "read_section"})
"""Tools that are there in Edit, too; the others are Ask's alone."""
_MOST: Final = 200  # what find_nodes may be asked for at once
_NAMED, _LINES, _TEXT = 30, 12, 6_000  # of an answer
_GONE: Final = "It is not there any more."
_ALL: Final = word_set("node nodes component components element elements thing things everything all")


# -- calls -----------------------------------------------------------------------------------------------------------


def ask(form: str, tool: str, clause: Clause, **more: object) -> Question:
    """What a tool tells of one node."""
    node = clause.node()
    return Question(tool, {"id": node, **more}, form, clause.names.labels[node])


def paths(clause: Clause) -> Question:
    """How one node leads to another."""
    source, target = clause.two()
    labels = clause.names.labels
    return Question("paths", {"source": source, "target": target}, "paths", f"{labels[source]}\n{labels[target]}")


def list_kinds(clause: Clause) -> Question:
    """The nodes of a kind, made with a technology if that is said."""
    asked, about = _kinds(clause.slots["kinds"]) if "kinds" in clause.slots else ({}, "")
    if "technology" in clause.slots:
        technology = clause.technology()
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
    technology = next(filter(None, map(technology_named, words)), "")
    rest = " ".join(word for word in words if not technology_named(word))
    node_type = noun_type(rest) if rest else ""
    if node_type is None or len(words) > 3:
        reason = f"I know no kind of node called '{noun}'."
        raise UnclearSentence("type_unknown", reason, slot, ("databases", "services"))
    asked: dict[str, Any] = {"types": [node_type]} if node_type else {}
    return asked | ({"technology": technology} if technology else {}), noun


def check(form: str, clause: Clause) -> Question:
    """What looks wrong, or what is unconnected."""
    return Question("check_diagram", {}, form)


def group_content(clause: Clause) -> Question:
    """What stands in a group."""
    group = clause.group()
    return Question("find_nodes", {"group": group, "limit": _MOST}, "inside", clause.names.labels[group])


def describe(clause: Clause) -> Question:
    """What a node is."""
    return Question("read_nodes", {"ids": [clause.node()]}, "describe")


def show(clause: Clause) -> Question:
    """The text of a section."""
    return Question("read_section", {"section": clause.outline.path(clause.section())}, "section")


# -- answers ---------------------------------------------------------------------------------------------------------


def answer(form: str, about: str, data: Json, labels: Labels) -> str:
    """Word the answer to one question.

    Args:
        form: of the question (`clause.Question.form`).
        about: what was asked about.
        data: what the tool gave.
        labels: labels of the nodes that `ids_in` finds in the data.
    """
    return _WORDING[form](about, data, labels)


def ids_in(data: Any) -> set[str]:
    """Every text in the data that may be the id of a node."""
    if isinstance(data, str):
        return {data} if len(data) <= 64 else set()
    parts = data.values() if isinstance(data, Mapping) else data if isinstance(data, Sequence) else ()
    return {found for part in parts for found in ids_in(part)}


def _node_text(node: Json) -> str:
    return f"'{node['label']}'" + (f" ({node['edge_label']})" if node.get("edge_label") else "")


def _nodes(nothing: str, start: str, about: str, data: Json, _: Labels) -> str:
    """The nodes of the data behind a start, or that there are none; {} stands for what was asked about."""
    nodes = [_node_text(one) for one in data["unconnected" if "unconnected" in data else "nodes"]]
    return f"{start.format(about)} {name_list(nodes, _NAMED)}." if nodes else nothing.format(about)


def _users(about: str, data: Json, _: Labels) -> str:
    callers, called = _by_direction(data)
    if not callers and not called:
        return f"Nothing uses '{about}': no connection leads to it or from it."
    head = f"'{about}' is used by {callers}: their connections lead to it."
    tail = f"\nFrom it, connections lead to {called}: it uses them, or they use what it delivers."
    return (head if callers else f"No connection leads to '{about}'.") + (tail if called else "")


def _usage_answer(about: str, data: Json, _: Labels) -> str:
    callers, called = _by_direction(data)
    if not callers and not called:
        return f"'{about}' uses nothing: no connection leads from it or to it."
    head = f"'{about}' uses {called}: its connections lead there."
    tail = f"\nTo it, connections lead from {callers}: they use it, or it uses what they deliver."
    return (head if called else f"No connection leads from '{about}'.") + (tail if callers else "")


def _by_direction(data: Json) -> tuple[str, str]:
    """In words: what points to the node, and what it points to."""
    into, out = ([_node_text(one) for one in data["nodes"] if one["direction"] == way] for way in ("in", "out"))
    return name_list(into, _NAMED), name_list(out, _NAMED)


def _reach(nothing: str, what: str, about: str, data: Json, _: Labels) -> str:
    near, far = ([f"'{one['label']}'" for one in data["nodes"] if (one["distance"] > 1) == is_far] for is_far in (0, 1))
    if not near and not far:
        return nothing.format(about)
    first = f"Directly ({what.format(about)}): {name_list(near, _NAMED) if near else 'nothing'}."
    return first + (f"\nThrough others, up to five steps away: {name_list(far, _NAMED)}." if far else "")


def _paths(about: str, data: Json, labels: Labels) -> str:
    source, _, target = about.partition("\n")
    if not data["paths"]:
        return f"Nothing connects '{source}' with '{target}'."
    sign, head = " → ", f"From '{source}' to '{target}':"
    if data["undirected"]:
        sign = " – "
        head = f"No way leads along the arrows from '{source}' to '{target}'. Without regard to them:"
    ways = [f"- {sign.join(labels.get(node_id, node_id) for node_id in way)}" for way in data["paths"][:_LINES]]
    more = ["There are more."] if data["truncated"] or len(data["paths"]) > _LINES else []
    return "\n".join([head, *ways, *more])


def _impact(about: str, data: Json, labels: Labels) -> str:
    sentences = [f"If '{about}' fails:"]
    for field, what in (("breaks", "breaks"), ("starves", "gets nothing any more"), ("backs_up", "cannot deliver")):
        rows = data.get(field) or ()
        if rows:
            sentences.append(f"- {what}: {name_list([_node_text(one) + _by(one, labels) for one in rows], _NAMED)}")
        if field == "starves":
            weakened = data.get("weakened") or ()
            sentences += [f"- {_node_text(one)} {one['loss']}{_by(one, labels)}" for one in weakened[:_LINES]]
            more = len(weakened) - _LINES
            sentences += [f"- {more} more lose some of their sources"] if more > 0 else []
    return "\n".join(sentences) if len(sentences) > 1 else f"If '{about}' fails, nothing else in the diagram does."


def _by(row: Json, labels: Labels) -> str:
    """Through which node something is hit, where that is not the one that failed."""
    between = [node_id for node_id in row.get("via") or () if node_id != row["id"]][:-1]
    return f" (through '{labels.get(between[0], between[0])}')" if between else ""


def _list(about: str, data: Json, _: Labels) -> str:
    if not data["nodes"]:
        return f"There is nothing in the diagram {about}." if about.startswith("with ") else f"There are no {about}."
    shown = [_node_text(one) + (f" ({one['technology']})" if one.get("technology") else "") for one in data["nodes"]]
    return f"{data['total']} found: {name_list(shown, _NAMED)}."


def _count(about: str, data: Json, _: Labels) -> str:
    total = data["total"]
    if about == "nodes":
        return f"The diagram has {total} node{'' if total == 1 else 's'}, groups included."
    return f"There {'is' if total == 1 else 'are'} {total} of them ({about})."


def _check(_about: str, data: Json, _: Labels) -> str:
    problems = [f"- {one['message']}" for one in data["problems"]]
    if not problems:
        return "Nothing looks wrong."
    more = [f"- and {len(problems) - _LINES} more"] if len(problems) > _LINES else []
    return "\n".join(["This may not be meant:", *problems[:_LINES], *more])


def _node(node: Json, labels: Labels) -> str:
    technology = f", {node['technology']}" if node.get("technology") else ""
    lines = [f"'{node['label']}' ({node['id']}): {str(node['type']).replace('_', ' ')}{technology}."]
    lines += [str(node[field]) for field in ("description", "notes") if node.get(field)]
    if node.get("properties"):
        lines.append("; ".join(f"{key}: {value}" for key, value in node["properties"].items()) + ".")
    if node.get("parent"):
        lines.append(f"In the group '{labels.get(node['parent'], node['parent'])}'.")
    for own, end, what in (("source", "target", "Connected to"), ("target", "source", "Connected from")):
        edges = [_end(edge, end, labels) for edge in node.get("edges") or () if edge[own] == node["id"]]
        lines += [f"{what} {name_list(edges, _NAMED)}."] if edges else []
    return "\n".join([*lines, "It is locked."] if node.get("locked") else lines)


def _end(edge: Json, end: str, labels: Labels) -> str:
    label = f" ({edge['label']})" if edge.get("label") else ""
    return f"'{labels.get(edge[end], edge[end])}'{label}"


def _section(_about: str, data: Json, _: Labels) -> str:
    text = str(data["text"]).strip()
    shown = text if len(text) <= _TEXT else f"{text[:_TEXT]}…"
    missing = [path for path in data.get("subsections") or () if path.rpartition("# ")[2] not in text]
    inner = f"\n\nIt has these subsections: {'; '.join(missing[:_NAMED])}." if missing else ""
    return (shown or "The section has no text.") + inner


_WORDING: Final[Mapping[str, Callable[[str, Json, Labels], str]]] = {
    "callers": partial(_nodes, "Nothing calls '{}'.", "'{}' is called by"),
    "called": partial(_nodes, "'{}' calls nothing.", "'{}' calls"),
    "users": _users,
    "used": _usage_answer,
    "dependents": partial(_reach, "Nothing depends on '{}'.", "depends on '{}'"),
    "needs": partial(_reach, "'{}' depends on nothing.", "'{}' depends on"),
    "paths": _paths,
    "impact": _impact,
    "list": _list,
    "inside": partial(_nodes, "'{}' is empty.", "In '{}':"),
    "count": _count,
    "unconnected": partial(_nodes, "Every node is connected with something.", "Connected with nothing:"),
    "check": _check,
    "describe": lambda _, data, labels: "\n\n".join(_node(node, labels) for node in data["nodes"]) or _GONE,
    "section": _section,
}
