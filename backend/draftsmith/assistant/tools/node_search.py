"""Find nodes by words: by type ("databases"), by name, by technology ("redis").

A word for a type finds every node of it, whatever its name. Any other word has to be in the node: in label or id, in
the technology, in properties, description or notes; exactly, as a prefix, or with one typing error. A product is no
word for a type: "redis" does not find every cache.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rapidfuzz.distance import OSA

from draftsmith.model.diagram import Diagram
from draftsmith.model.ids import NodeId
from draftsmith.model.type_words import guess_type, types_meant
from draftsmith.model.vocabulary import ANNOTATIONS, GROUP
from draftsmith.model.workspace import Workspace

_SMALL_TEXT: Final = (
    "a all an and any are by called do does find for get give have i in is it list me named my of on or our show some "
    "that the their there these things this to used using uses we what where which who with component components node "
    "nodes part parts"
)
_SMALL: Final = frozenset(_SMALL_TEXT.split())
_WORD = re.compile(r"[^\W_]+")
_LEAST_PREFIX, _LEAST_SLIP = 3, 5  # letters


@dataclass(frozen=True, slots=True)
class NodeMatches:
    """What was found: ids, best first; `total` of them; `partly`: no node has all the words, these have some."""

    ids: list[NodeId]
    total: int
    partly: bool = False


def find_nodes(
    workspace: Workspace,
    text: str = "",
    *,
    types: Sequence[str] = (),
    technology: str = "",
    group: NodeId | None = None,
    limit: int = 20,
) -> NodeMatches:
    """Find nodes by words and by filters.

    Args:
        workspace: where to look.
        text: words; empty for everything that passes the filters.
        types: node types, any of them.
        technology: words that must stand in the technology, in any letter case.
        group: id of a group, in which they stand at any depth.
        limit: how many ids are given at most.
    """
    diagram = workspace.diagram
    chosen = diagram.node_ids() if group is None else iter(diagram.subtree(group)[1:])
    wanted = set(search_words(technology))
    passing = [
        node_id
        for node_id in chosen
        if (not types or diagram[node_id]["type"] in types or diagram.custom_type(node_id) in types)
        and wanted <= set(search_words(diagram[node_id].get("technology", "")))
    ]
    asked = _query_words(text)
    if not asked:
        return NodeMatches(sorted(passing)[:limit], len(passing))
    scores = {node_id: [_score(diagram, node_id, word) for word in asked] for node_id in passing}
    whole = {node_id: found for node_id, found in scores.items() if all(found)}
    partly = whole or {node_id: found for node_id, found in scores.items() if any(found)}
    ranked = sorted(partly, key=lambda node_id: (-sum(partly[node_id]), node_id))
    return NodeMatches(ranked[:limit], len(ranked), partly=bool(ranked) and not whole)


def search_words(text: str) -> list[str]:
    """The words of a text for comparing: without accents and letter case."""
    if text.isascii():
        return _WORD.findall(text.casefold())
    plain = unicodedata.normalize("NFKD", text).casefold()
    return _WORD.findall("".join(letter for letter in plain if not unicodedata.combining(letter)))


def is_small(word: str) -> bool:
    """Whether a word says nothing about what is meant: "the", "which", "component"."""
    return word in _SMALL


def _query_words(text: str) -> list[str]:
    """The words that count, two that mean one kind as one; where none counts, all of them."""
    every = search_words(text)
    found: list[str] = []
    at = 0
    while at < len(every):
        pair = "_".join(every[at : at + 2])
        single = pair.removesuffix("s")
        if at + 1 < len(every) and (types_meant(pair) or types_meant(single)):
            found.append(pair if types_meant(pair) else single)
            at += 2
            continue
        if every[at] not in _SMALL:
            found.append(every[at])
        at += 1
    return list(dict.fromkeys(found)) or every


def _score(diagram: Diagram, node_id: NodeId, word: str) -> int:
    """How well a word fits a node: 0 not at all, 6 at best."""
    node = diagram[node_id]
    label, technology = search_words(node.get("label", "")), search_words(node.get("technology", ""))
    named = {*label, *search_words(node_id)}
    kinds = types_meant(word)
    if not {word, word.removesuffix("s")}.isdisjoint(type_words(diagram, node_id)):
        return 6
    if kinds:
        if node["type"] in kinds:
            return 6
        if not all(kind in ANNOTATIONS for kind in kinds):  # a "text editor" is no text, and is found by its name
            return 3 if node["type"] != GROUP and _is_called(node, kinds) else 0
    if word in named:
        return 5
    if word in technology:
        return 4
    if word in search_words(" ".join([*node.get("properties", {}), *node.get("properties", {}).values()])):
        return 2
    if len(word) >= _LEAST_PREFIX and any(other.startswith(word) for other in (*named, *technology)):
        return 3
    if len(word) >= _LEAST_SLIP and any(_is_slip(word, other) for other in (*named, *technology)):
        return 2
    return 1 if word in search_words(f"{node.get('description', '')} {node.get('notes', '')}") else 0


def type_words(diagram: Diagram, node_id: NodeId) -> list[str]:
    """The words of the custom type that a node has; none if it has none."""
    type_id = diagram.custom_type(node_id)
    return [] if type_id is None else search_words(f"{type_id} {diagram.types[type_id]['name']}")


def _is_called(node: Mapping[str, Any], kinds: Sequence[str]) -> bool:
    """Whether a label says that a node of another type is one of these kinds: a "user database" of type storage."""
    return guess_type(node.get("label", ""), otherwise="") in kinds


def _is_slip(word: str, other: str) -> bool:
    return len(other) >= _LEAST_SLIP and OSA.distance(word, other, score_cutoff=1) <= 1
