"""What the relay asks of a model, in words, and those words read back for the stand-in.

A long text to be replaced is named by its first and last words, so that the model has to look it up and quote it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.simulation.relay.plan import Op

_FENCE = "~~~~~"
_FEWEST_WORDS = 10
_TEXT = r'"(?:[^"\\]|\\.)*"'
_OPENING = "Do exactly this, word for word, and change nothing else:"
_ANY = "Carry out the operation {name} with these fields"
_ANY_SAID = re.compile(r"Carry out the operation (\w+) with these fields: ")
_CLOSING = "If it cannot be done like that, change nothing and say why."
_DIAGRAM = {
    "add_node": "Add a node with these fields",
    "update_node": "Set these fields of the node with this id",
    "delete_node": "Delete the node with this id, and its edges",
    "add_edge": "Draw an edge with these fields",
    "update_edge": "Set these fields of the edge with this id",
    "rewire_edge": "Let the edge with this id end at another node",
    "group_nodes": "Put these nodes into a new group",
    "ungroup_nodes": "Dissolve the group with this id",
    "insert_between": "Put this node between these two",
}
OFFERED = frozenset(_DIAGRAM)
"""Operations on a diagram that a prompt can ask for."""


@dataclass(frozen=True)
class Wanted:
    """One operation as a prompt asks for it; `ends` are the first and last words of a find that has to be looked up."""

    operation: Op
    ends: tuple[str, str] | None = None


def prompt_of(operations: Sequence[Op], text: str) -> str:
    """The request for some operations on a document of this text."""
    asked = [f"{number}. {_words(one, text)}" for number, one in enumerate(operations, 1)]
    return "\n\n".join([_OPENING, *asked, _CLOSING])


def wanted_of(prompt: str) -> list[Wanted]:
    """The operations that a prompt asks for; empty for any other request."""
    if not prompt.startswith(_OPENING):
        return []
    body = prompt[len(_OPENING) : prompt.rindex(_CLOSING)]
    parts = re.split(r"(?:\A|\n)\n\d+\. (?=[A-Z])", _hidden(body))
    blocks = _blocks(body)
    return [_wanted(part.strip(), blocks) for part in parts if part.strip()]


def _words(operation: Op, text: str) -> str:
    given = {name: value for name, value in operation.items() if name != "op"}
    section = json.dumps(given.get("section"), ensure_ascii=False)
    match operation["op"]:
        case "edit_section":
            where = " everywhere" if given.get("all") else ""
            ends = None if where else _ends(given["find"], text)
            if ends is None:
                old, new = _fenced(given["find"]), _fenced(given["replace"])
                return f"In the section {section}, replace{where} the text\n{old}\nby\n{new}"
            first, last = (json.dumps(one, ensure_ascii=False) for one in ends)
            return f"In the section {section}, replace the text from {first} to {last} by\n{_fenced(given['replace'])}"
        case "replace_section" if "scope" not in given:
            return f"Replace the own text of the section {section}, below its heading, by\n{_fenced(given['text'])}"
        case "append_to_section":
            return f"Add to the end of the own text of the section {section}\n{_fenced(given['text'])}"
        case "insert_section" if "level" in given and "text" in given:
            title = json.dumps(given["title"], ensure_ascii=False)
            place = next((name for name in ("before", "after", "into") if name in given), "")
            where = f"{place} the section {json.dumps(given[place], ensure_ascii=False)}" if place else "at the end"
            heading = f"Insert a section of level {given['level']} with the title {title} {where}"
            return f"{heading}, with the text\n{_fenced(given['text'])}"
        case "delete_section":
            return f"Delete the section {section} with its subsections."
        case "rename_section":
            return f"Rename the section {section} to {json.dumps(given['title'], ensure_ascii=False)}."
        case "move_section":
            place = next(name for name in ("before", "after", "into") if name in given)
            return f"Move the section {section} {place} the section {json.dumps(given[place], ensure_ascii=False)}."
        case name:
            sentence = _DIAGRAM.get(name) or _ANY.format(name=name)
            return f"{sentence}: {json.dumps(given, ensure_ascii=False)}"


def _ends(find: str, text: str) -> tuple[str, str] | None:
    """The first and last words of a find, if they lead to it alone."""
    words = find.split(" ")
    if len(words) < _FEWEST_WORDS or "\n" in find:
        return None
    first, last = " ".join(words[:4]), " ".join(words[-3:])
    start = text.find(first)
    is_clear = text.count(first) == 1 and text.find(last, start + len(first)) == start + len(find) - len(last)
    return (first, last) if is_clear else None


def _fenced(text: str) -> str:
    return f"{_FENCE}\n{text}\n{_FENCE}"


def _blocks(body: str) -> list[str]:
    return re.findall(rf"{_FENCE}\n(.*?)\n{_FENCE}", body, re.DOTALL)


def _hidden(body: str) -> str:
    """The prompt with its blocks numbered instead of written out."""
    numbers = iter(range(len(body)))
    return re.sub(rf"{_FENCE}\n.*?\n{_FENCE}", lambda _: f"<{next(numbers)}>", body, flags=re.DOTALL)


def _wanted(words: str, blocks: Sequence[str]) -> Wanted:
    """Read one of the sentences that `_words` writes."""
    texts = [json.loads(found) for found in re.findall(_TEXT, words)]
    texts_of = [blocks[int(number)] for number in re.findall(r"<(\d+)>", words)]
    for name, sentence in _DIAGRAM.items():
        if words.startswith(f"{sentence}: "):
            return Wanted({"op": name, **json.loads(words[len(sentence) + 2 :])})
    if said := _ANY_SAID.match(words):
        return Wanted({"op": said[1], **json.loads(words[said.end() :])})
    if words.startswith("In the section"):
        edit: Op = {"op": "edit_section", "section": texts[0], "replace": texts_of[-1]}
        if " from " in re.sub(_TEXT, "", words):
            return Wanted(edit, (texts[1], texts[2]))
        more = {"all": True} if "replace everywhere" in words else {}
        return Wanted({**edit, "find": texts_of[0], **more})
    if words.startswith("Insert"):
        level = int(re.findall(r"of level (\d)", words)[0])
        place = re.findall(rf"(before|after|into) the section ({_TEXT})", words)
        return Wanted(
            {"op": "insert_section", "title": texts[0], "text": texts_of[0], "level": level}
            | {name: json.loads(path) for name, path in place}
        )
    return Wanted(_of_section(words, texts, texts_of))


def _of_section(words: str, texts: Sequence[Any], blocks: Sequence[str]) -> Op:
    [section, *more] = texts
    verbs: Mapping[str, Op] = {
        "Replace": {"op": "replace_section", "section": section, "text": "".join(blocks)},
        "Add": {"op": "append_to_section", "section": section, "text": "".join(blocks)},
        "Delete": {"op": "delete_section", "section": section},
        "Rename": {"op": "rename_section", "section": section, "title": "".join(more)},
        "Move": {
            "op": "move_section",
            "section": section,
            **{word: "".join(more) for word in ("before", "after", "into") if f"{word} the section" in words},
        },
    }
    return verbs[words.split(" ", 1)[0]]
