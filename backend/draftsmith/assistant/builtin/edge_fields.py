"""Commands on what a connection says: its label, its kind and its direction."""

from __future__ import annotations

import re
from typing import Final

from draftsmith.assistant.builtin.edge_edits import not_connected
from draftsmith.assistant.builtin.forms import Clause, Edit, Form
from draftsmith.assistant.builtin.masking import QUOTE, Slot, mask
from draftsmith.assistant.builtin.new_names import quoted
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.model.ids import EdgeId
from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS

_DIRECTION_WORDS: Final = {
    **{name: name for name in DIRECTIONS},
    "one way": "forward",
    "one-way": "forward",
    "both ways": "both",
    "both directions": "both",
    "two-way": "both",
    "no direction": "none",
}
_LONGEST_LABEL: Final = 200


def _label(clause: Clause) -> Edit:
    clause = _with_whole_name(clause)
    edge, label = _edge(clause), clause.quotation("label", "the label").strip()
    if not label or len(label) > _LONGEST_LABEL or "\x00" in label:
        raise Unclear("name_unclear", f"The label of a connection has 1 to {_LONGEST_LABEL} characters.")
    return _changed(clause, edge, "label", label, quoted(label))


def _with_whole_name(clause: Clause) -> Clause:
    """The clause with all words before the quotation in the name of the second node.

    Nothing stands between them, so where the name is not exact its last words were read as the label.
    """
    name, label = clause.slots["b"], clause.slots["label"]
    masked_text = mask(label.raw, ())
    if label.is_quoted or not masked_text.masked.endswith(f" {QUOTE}"):
        return clause
    cut = len(masked_text.masked) - 1
    name_end = re.search(r"(?: (?:as|with))? $", masked_text.masked[:cut])
    more, text = masked_text.slot(0, name_end.start() if name_end else cut), masked_text.slot(cut, cut + 1)
    whole = Slot(f"{name.raw} {more.raw}", name.start, label.start + more.end, False)
    moved = Slot(text.raw, label.start + text.start, label.start + text.end, True)
    return Clause(clause.workspace, clause.names, {**clause.slots, "b": whole, "label": moved})


def _kind(clause: Clause) -> Edit:
    edge, slot = _edge(clause), clause.slots["kind"]
    kind = slot.text.lower()
    if kind not in EDGE_KINDS:
        instead = tuple((slot.start, slot.end, name) for name in EDGE_KINDS)
        reason = f"'{slot.text}' is no kind of connection; the kinds are {', '.join(EDGE_KINDS)}."
        raise Unclear("kind_unknown", reason, instead)
    return _changed(clause, edge, "kind", kind, kind)


def _direction(clause: Clause) -> Edit:
    edge, slot = _edge(clause), clause.slots["direction"]
    direction = _DIRECTION_WORDS.get(" ".join(slot.text.lower().split()))
    if direction is None:
        instead = ((slot.start, slot.end, "both"),)
        reason = f"'{slot.text}' is no direction; there are {', '.join(DIRECTIONS)}, and 'reverse the connection'."
        source, target = (clause.names.call(node) for node in clause.two(exact=True))
        raise Unclear("direction_unknown", reason, instead, (f"reverse the connection from {source} to {target}",))
    return _changed(clause, edge, "direction", direction, direction)


def _edge(clause: Clause) -> EdgeId:
    """The one connection from one node to another.

    Raises:
        Unclear: `not_connected`, or `ambiguous` where there are several.
    """
    source, target = clause.two()
    edges = clause.edges(source, target)
    if not edges:
        raise not_connected(clause, source, target)
    if len(edges) > 1:
        arrows = "; ".join(clause.arrow(edge) for edge in edges)
        reason = f"There are {len(edges)} connections like that: {arrows}. Change the one you mean in the diagram."
        raise Unclear("ambiguous", reason)
    return edges[0]


def _changed(clause: Clause, edge: EdgeId, field: str, value: str, shown: str) -> Edit:
    now = (clause.workspace.diagram.edge(edge) or {}).get(field) or _DEFAULTS[field]
    if now == value:
        raise Unclear("same", f"The {field} of {clause.arrow(edge)} is {shown} already.")
    operation = {"op": "update_edge", **clause.address(edge), field: value}
    return Edit([operation], f"Changes the {field} of {clause.arrow(edge)} to {shown}.")


_DEFAULTS: Final = {"label": "", "kind": EDGE_KINDS[0], "direction": DIRECTIONS[0]}
_OF: Final = "of the connection from {a:node} to {b:node} to "

EDGE_FIELD_FORMS: Final = (
    Form(
        "label_connection",
        "label the connection from {a:node} to {b:node} [(as|with) ]{label:text}",
        _label,
        is_risky=True,
        pair="edge",
    ),
    Form(
        "change_connection_label",
        f"(change|set) the label {_OF}{{label:text}}",
        _label,
        is_risky=True,
        pair="edge",
    ),
    Form(
        "change_connection_kind",
        f"(change|set) the (kind|type) {_OF}[an |a ]{{kind:kind}}",
        _kind,
        is_risky=True,
        pair="edge",
    ),
    Form(
        "change_connection_direction",
        f"(change|set) the direction {_OF}{{direction:direction}}",
        _direction,
        is_risky=True,
        pair="edge",
    ),
)
