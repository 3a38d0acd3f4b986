"""What a request is about: nodes that it names or that are selected, and nodes that it only speaks of.

A node is named by its id or its whole label. It is spoken of where a word of its label, id or technology stands in the
request, or a word for its kind; a word that a quarter of all nodes have says nothing. Not here: who asks whom for more
(`overview`, `excerpts`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from draftsmith.assistant.context.focus import Focus
from draftsmith.assistant.tools.node_search import is_small, search_words, type_words
from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.type_words import types_meant

_COMMON: Final = 4  # a word that more than one node in so many has says nothing
_WEIGHT: Final = 32  # of a word that one node has; less by the bits of how many have it


def named_nodes(diagram: Diagram, prompt: str, focus: Focus) -> list[NodeId]:
    """Nodes that are selected, at the ends of selected edges, or named in the request, in this order."""
    found = [node_id for node_id in focus.nodes if node_id in diagram]
    for edge_id in focus.edges:
        found.extend(diagram.ends(edge_id) or ())
    asked = f" {' '.join(search_words(prompt))} "
    for node_id in sorted(diagram.node_ids()):
        names = (search_words(node_id), search_words(diagram.label(node_id)))
        if any(name and f" {' '.join(name)} " in asked for name in names):
            found.append(node_id)
    return list(dict.fromkeys(found))


def spoken_of(diagram: Diagram, prompt: str, most: int) -> list[NodeId]:
    """Nodes that share a word with the request, those with the rarest and the most of them first; at most `most`."""
    asked = {word for word in search_words(prompt) if not is_small(word)}
    kinds = {kind for word in asked for kind in types_meant(word)}
    shared = {node_id: _words_of(diagram, node_id) & asked for node_id in diagram.node_ids()}
    counted = Counter(word for found in shared.values() for word in found)
    of_kind = Counter(diagram[node_id]["type"] for node_id in diagram.node_ids())
    scores: dict[NodeId, int] = {}
    for node_id, found in shared.items():
        kind = diagram[node_id]["type"]
        counts = [counted[word] for word in found] + ([of_kind[kind]] if kind in kinds else [])
        score = sum(_WEIGHT - 2 * count.bit_length() for count in counts if count * _COMMON <= diagram.node_count)
        if score:
            scores[node_id] = score
    return sorted(scores, key=lambda node_id: (-scores[node_id], node_id))[:most]


def by_distance(diagram: Diagram, starts: Sequence[NodeId], most: int | None = None) -> list[NodeId]:
    """The starts and what edges connect with them, in either direction, nearest first; `most`: edges on the way."""
    found = dict.fromkeys(starts)
    border = list(found)
    while border and most != 0:
        most = None if most is None else most - 1
        near = {other for node_id in border for other in (*diagram.outgoing(node_id), *diagram.incoming(node_id))}
        border = sorted(near - found.keys(), key=lambda node_id: (-diagram.degree(node_id), node_id))
        found.update(dict.fromkeys(border))
    return list(found)


def _words_of(diagram: Diagram, node_id: NodeId) -> set[str]:
    node = diagram[node_id]
    words = search_words(f"{node.get('label', '')} {node_id} {node.get('technology', '')}")
    return {*words, *type_words(diagram, node_id)}
