"""Batches that somebody could send, drawn for the state that the model is in."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any

from tests.naive import sections as md
from tests.naive.diagram import Diagram, Refused
from tests.naive.model import Expected, Model
from tests.naive.text import Text, trim

Op = dict[str, Any]

NODES = [f"n{number}" for number in range(7)]
GROUPS = [f"g{number}" for number in range(3)]
EDGES = [f"e{number}" for number in range(9)]
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
_LABELS = ["red", "green", "blue"]
_TYPES = {"stall": "Market stall", "crate": "Fruit crate"}
_PIECE = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)?")


class Words:
    """Words of six letters; none comes twice, so that counting them says what was doubled."""

    def __init__(self) -> None:
        self._count = 0

    def new(self) -> str:
        """A word that has not been there yet."""
        self._count += 1
        number = self._count * 104_729 % 70**3
        return "".join(_SYLLABLES[number // 70**place % 70] for place in range(3)).capitalize()

    def some(self, chance: random.Random) -> str:
        """One to five of them."""
        return " ".join(self.new() for _ in range(chance.randint(1, 5)))


def start(words: Words) -> str:
    """A document to begin with."""
    parts = [f"# {words.new()}\n"]
    for _ in range(4):
        lines = "\n\n".join(f"{words.new()} {words.new()} {words.new()}." for _ in range(2))
        parts.append(f"## {words.new()}\n\n{lines}\n")
    return "\n".join(parts)


@dataclass
class Draft:
    """A batch as it grows, and what it leads to."""

    revision: int
    before: Text
    diagram: Diagram
    text: Text
    operations: list[Op]
    writes: int = 0

    def draw(self, op: Op) -> None:
        """Add an operation on the diagram, if it fits."""
        diagram = self.diagram.copy()
        try:
            diagram.do(op, self.revision)
        except Refused:
            return
        self.diagram = diagram
        self.operations.append(op)

    def write(self, op: Op, *spans: md.Span) -> None:
        """Add an operation on the document."""
        text = str(self.text)
        real = [span for span in spans if text[span[0] : span[1]] != span[2]]
        if not self.writes and any(_share_an_end(text[begin:end], new) for begin, end, new in real):
            return  # whether such a character is the same one as before is anybody's guess
        for begin, end, new in reversed(real):
            self.text.replace(begin, end, new, self.revision)
        if real:
            self.writes += 1
        if self.writes > 1:
            trim(self.before, self.text)
        self.operations.append(op)


def _share_an_end(old: str, new: str) -> bool:
    return bool(old and new) and (old[0] == new[0] or old[-1] == new[-1])


def batch(model: Model, kind: str, chance: random.Random, words: Words) -> tuple[list[Op], Expected]:
    """Draw a batch of a kind (`draw`, `write`, `type` or `both`) and say what it leads to; no operations: none fits."""
    draft = Draft(model.revision + 1, model.text, model.diagram.copy(), model.text.copy(), [])
    if kind in ("draw", "both"):
        for _ in range(chance.choice((1, 1, 2, 3))):
            draft.draw(_drawn(draft.diagram, chance, words))
    if kind == "type":
        _typed(draft, chance, words, model.revision)
    if kind in ("write", "both"):
        for _ in range(chance.choice((1, 1, 2))):
            _written(draft, chance, words)
    return draft.operations, Expected("edit", draft.diagram, draft.text)


def _drawn(diagram: Diagram, chance: random.Random, words: Words) -> Op:
    kinds = ["add_node"] * 4 + ["add_edge"] * 4 + ["update_node"] * 4 + ["update_edge", "delete_node", "group"] * 2
    kind = chance.choice(
        [
            *kinds,
            "add_group",
            "move_nodes",
            "delete_edge",
            "delete_group",
            "rewire_edge",
            "rename",
            "define_type",
            "define_type",
            "delete_type",
            "retype",
            "retype",
        ]
    )
    node, edge = chance.choice(NODES), chance.choice(EDGES)
    source, target = chance.sample(NODES, 2)
    place = {"x": chance.randint(0, 9) * 100, "y": chance.randint(0, 9) * 100}
    value = chance.choice(_LABELS)
    group = chance.choice(GROUPS)
    around = {"parent": group} if chance.random() < 0.3 else {}
    match kind:
        case "add_node":
            return {"op": kind, "id": node, "type": "service", "label": value, "position": place, **around}
        case "add_group":
            return {"op": "add_node", "id": group, "type": "group", "label": value, "position": place}
        case "delete_group":
            return {"op": "delete_node", "id": group}
        case "group":
            inner = chance.choice((node, node, chance.choice(GROUPS)))
            outer = chance.choice((group, group, None))
            return {"op": "move_to_group", "ids": [inner], "group": outer, "positions": {inner: place}}
        case "update_node":
            fields: Op = {"label": value, "notes": chance.choice((*_LABELS, None)), "technology": value,
                          "color": chance.choice(("red", "blue", None)), "style": "muted",
                          "properties": {"p": chance.choice((*_LABELS, None)), "q": value}}  # fmt: skip
            some = chance.sample(sorted(fields), chance.randint(1, 3))
            return {"op": kind, "id": node, **{name: fields[name] for name in some}}
        case "define_type":
            key = chance.choice(sorted(_TYPES))
            looks = chance.choice(({}, {"color": "red"}, {"technology": "Kafka", "color": "blue"}))
            base = chance.choice(("service", "service", "queue"))
            return {"op": kind, "id": key, "label": _TYPES[key], "type": base, **looks}
        case "delete_type":
            return {"op": kind, "id": chance.choice(sorted(_TYPES))}
        case "retype":
            return {"op": "update_node", "id": node, "type": chance.choice(("service", "cache", *diagram.types))}
        case "move_nodes":
            return {"op": kind, "positions": {node: place}}
        case "delete_node":
            return {"op": kind, "id": node}
        case "add_edge":
            return {"op": kind, "id": edge, "source": source, "target": target, "label": value}
        case "update_edge":
            more = chance.choice(({"label": value}, {"kind": "async"}, {"label": value, "kind": "data"},
                                  {"description": value}, {"label": None}, {"color": "red"},
                                  {"color": None, "style": "dashed"}, {"shape": "curved"},
                                  {"shape": None, "style": None}))  # fmt: skip
            return {"op": kind, "id": edge, **more}
        case "rewire_edge":
            return {"op": kind, "id": edge, chance.choice(("new_source", "new_target")): node}
        case "delete_edge":
            return {"op": kind, "id": edge}
        case _:
            return {"op": "rename_workspace", "name": words.new()}


def _typed(draft: Draft, chance: random.Random, words: Words, head: int) -> None:
    """One or two changes anywhere, also within a word."""
    text = str(draft.text)
    borders = [found.start() for found in re.finditer(r"\b", text)] or [0]
    spans: list[md.Span] = []
    for _ in range(chance.choice((1, 1, 2))):
        at = chance.choice(borders) if chance.random() < 0.8 else chance.randint(0, len(text))
        end = chance.choice([one for one in borders if at <= one <= at + 20] or [at]) if chance.random() < 0.5 else at
        new = chance.choice((f"{words.new()} ", f" {words.new()}", words.new(), "🚀", ""))
        if (end > at or new) and all(end < begin or stop < at for begin, stop, _ in spans):
            spans.append((at, end, new))
    spans.sort()
    parts: list[Any] = []
    done = 0
    for begin, end, new in spans:
        parts += [_units(text[done:begin])] if begin > done else []
        parts.append([_units(text[begin:end]), *(new.split("\n") if new else [])])
        done = end
    parts += [_units(text[done:])] if done < len(text) else []
    if spans:
        draft.write({"op": "edit_text", "changes": parts, "base_revision": head}, *spans)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _written(draft: Draft, chance: random.Random, words: Words) -> None:
    """An operation on a section that this batch has not written into."""
    text, before = str(draft.text), str(draft.before)
    all_of_them = md.sections(text)
    titles = [one.title for one in all_of_them]
    addressable = [one for one in all_of_them if titles.count(one.title) == 1 and one.title.isalpha()]
    untouched = [one for one in addressable if text[one.start : one.own_end] in before]
    kind = chance.choice(["edit_section"] * 4 + ["insert_section"] * 3 + ["append", "append", "replace", "delete",
                         "delete", "rename"])  # fmt: skip
    if kind == "insert_section" or not untouched:
        _insert(draft, text, addressable, chance, words)
        return
    section = chance.choice(untouched)
    new = words.some(chance)
    match kind:
        case "edit_section":
            _edit(draft, text, section, chance, words)
        case "append":
            op = {"op": "append_to_section", "section": section.title, "text": new}
            draft.write(op, md.appended(text, section, new))
        case "replace":
            op = {"op": "replace_section", "section": section.title, "text": new}
            draft.write(op, md.replaced(text, section, new))
        case "rename":
            title = words.new()
            op = {"op": "rename_section", "section": section.title, "title": title}
            draft.write(op, md.renamed(text, section, title))
        case _:
            draft.write({"op": "delete_section", "section": section.title}, md.deleted(text, section))


def _insert(draft: Draft, text: str, addressable: list[md.Section], chance: random.Random, words: Words) -> None:
    if text and not text.strip(" "):
        return  # a blank before the heading
    title, body, level = words.new(), words.some(chance), chance.choice((2, 2, 2, 3))
    op: Op = {"op": "insert_section", "title": title, "text": body, "level": level}
    at = len(text)
    if addressable and chance.random() < 0.7:
        beside, where = chance.choice(addressable), chance.choice(("before", "after"))
        op[where] = beside.title
        at = beside.start if where == "before" else beside.end
    draft.write(op, md.inserted(text, at, level, title, body))


def _edit(draft: Draft, text: str, section: md.Section, chance: random.Random, words: Words) -> None:
    own = text[section.body : section.own_end]
    found = [one for one in _PIECE.finditer(own) if own.count(one[0]) == 1]
    if not found:
        return
    piece = chance.choice(found)
    new = chance.choice(("", words.new(), words.some(chance)))
    op = {"op": "edit_section", "section": section.title, "find": piece[0], "replace": new}
    at = section.body + piece.start()
    draft.write(op, (at, at + len(piece[0]), new))
