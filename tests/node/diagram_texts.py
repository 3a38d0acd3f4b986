"""Random diagrams and texts, with names that the grammar of the diagram as text and people stumble over."""

from __future__ import annotations

import random
from typing import Any

from draftsmith.model.diagram_text.reader import from_text
from draftsmith.model.diagram_text.syntax import BLANKS, one_line
from draftsmith.model.fields import edge_json, node_json
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.shapes import DiagramOut, NodeOut
from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS, GROUP, NODE_TYPES

_PARTS = [
    *["Orders", "a", " ", "  ", "->", "<-", "--", "~>", "..", "=>", "#", "(", ")", "[", "]", '"', "\\", ":"],
    *["(cache)", "[Go]", " #id", "#id", "Größe", "STRASSE", "Straße", "注文", "🦊", "İ", "ΣΟΦΟΣ", "ﬁn", "ⅷ", "e\u0301"],
    *["\n", "\t", "\r", "\x85", "\x1f", "\u2028", "\ufeff", "\u00a0", "\u3000", "\u200b"],
    *["database", "-", "...", "<", ">", "=", "~", "paymentservice", "Node.js", "DB", "Queue worker", "#orders"],
]
_TEXT_PARTS = [part for part in _PARTS if part not in ("\n", "\r")]
_LINES = ["A", "B", "  A", "  C", "    D", "A #a", "B #b", "  A #c", "E (group)", "F (cache)", "G [Go]", "\tH"]
_ENDS = ["A", "B", "C", "#a", "#b", "#c", "New", "a", '"A"', "Orders DB"]
_ARROWS = ["->", "<-", "<->", "--", "~>", "~~", "=>", "==", "..>", "<..>", "..", "-->", "<--"]
_WORDS = ["", "", ": asks", ": asks: more", ":"]


def words(draw: random.Random) -> str:
    """A name, which is not made of blanks alone."""
    name = "".join(draw.choices(_PARTS, k=draw.randint(1, 6))).strip(BLANKS)
    return name if one_line(name).strip(BLANKS) else "x"


def diagram_of(draw: random.Random) -> DiagramOut:
    """A forest of groups with connections; some names are there more than once."""
    nodes: list[NodeOut] = []
    for number in range(draw.randint(0, 12)):
        groups = [node["id"] for node in nodes if node["type"] == GROUP]
        is_again = nodes and draw.random() < 0.25
        fields: Any = {
            "label": draw.choice(nodes)["label"] if is_again else words(draw),
            "type": draw.choice([GROUP, GROUP, "service", "database", *NODE_TYPES]),
            "technology": words(draw) if draw.random() < 0.5 else "",
            "parent": draw.choice(groups) if groups and draw.random() < 0.6 else None,
            "position": {"x": draw.choice([0, 0.1, 0.2, -7, draw.randint(-400, 400)]), "y": draw.randint(0, 3)},
        }
        nodes.append(node_json(NodeId(f"n{number}"), fields))
    edges = {}
    for _ in range(draw.randint(0, 15) if len(nodes) > 1 else 0):
        source, target = (node["id"] for node in draw.sample(nodes, 2))
        looks: Any = {
            "label": words(draw) if draw.random() < 0.5 else "",
            "kind": draw.choice(EDGE_KINDS),
            "direction": draw.choice(DIRECTIONS),
        }
        edge_id = EdgeId(f"{source}--{target}")
        edges[edge_id] = edge_json(edge_id, source, target, looks)
    return {"nodes": nodes, "edges": list(edges.values())}


def text_of(draw: random.Random) -> str:
    """Lines that mostly are nodes and connections, some of them made of anything."""
    lines = []
    for _ in range(draw.randint(0, 14)):
        kind = draw.random()
        if kind < 0.4:
            lines.append(draw.choice(_LINES))
        elif kind < 0.75:
            one, other = draw.choices(_ENDS, k=2)
            lines.append(f"{one} {draw.choice(_ARROWS)} {other}{draw.choice(_WORDS)}")
        else:
            lines.append("".join(draw.choices(_TEXT_PARTS, k=draw.randint(0, 9))))
    return draw.choice(["\n", "\n", "\r\n", "\r"]).join(lines)


def drawn(text: str) -> dict[str, Any]:
    """What a text is read as: parents and ends are numbers of nodes, ids those that the text itself gives.

    `unread` are lines, from 1, with the reason.
    """
    found = from_text(text, is_placed=False)
    numbers = {node["id"]: number for number, node in enumerate(found.diagram["nodes"])}
    nodes = []
    for node in found.diagram["nodes"]:
        fields: Any = node
        shown = {name: fields[name] for name in ("label", "type", "technology") if name in fields}
        if node["id"] in found.own_ids:
            shown["id"] = node["id"]
        if "parent" in node:
            shown["parent"] = numbers[node["parent"]]
        nodes.append(shown)
    edges = [
        {
            "source": numbers[edge["source"]],
            "target": numbers[edge["target"]],
            "kind": edge["kind"],
            "direction": edge["direction"],
            "label": edge.get("label", ""),
        }
        for edge in found.diagram["edges"]
    ]
    return {"nodes": nodes, "edges": edges, "unread": [(line.line, line.reason) for line in found.unread]}


def agrees(reason: str, sentence: str) -> bool:
    """Whether a reason begins as the sentence of the page does, which has a capital letter and a full stop."""
    return f"{reason[0].upper()}{reason[1:]}".startswith(sentence.removesuffix("."))
