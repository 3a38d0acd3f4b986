"""Operations grown from their own schema, so a new operation is tried without anybody thinking of it.

Most of what is drawn is in order, else nothing would get far: names that are there, texts out of the document, values
inside their limits. The rest is at an edge, or no value of that kind at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from draftsmith.model.vocabulary import NODE_TYPES
from tests.hostile.drawing import Draw
from tests.hostile.markdown import Markdown

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs" / "operations.schema.json").read_text("utf-8"))
TYPES: list[str] = list(NODE_TYPES)
Json = dict[str, Any]
_LARGEST_BATCH = 1_500_000


@dataclass
class Known:
    """What a workspace holds, as far as whoever attacks it knows.

    Attributes:
        nodes, edges: ids.
        text: the document.
        titles: headings of it.
    """

    nodes: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    text: str = ""
    titles: list[str] = field(default_factory=list)


class Batches:
    """Draws operations on what is known of a workspace."""

    def __init__(self, draw: Draw, known: Known) -> None:
        self.draw, self.known = draw, known
        self.markdown = Markdown(draw, known.nodes)
        self.is_sound = True
        """Whether everything drawn is in order as far as one can know; else some of it is not."""
        self.longest = draw.scale.text
        """Characters of one text, so that a batch of many does not become larger than any may be."""
        self._operations = [str(one["$ref"]).rpartition("/")[2] for one in SCHEMA["items"]["oneOf"]]

    def operations(self) -> list[Any]:
        """A batch: few operations, very many, or one of them again and again."""
        draw = self.draw
        count = draw.size(draw.scale.operations)
        self.is_sound = draw.odds(0.7)
        self.longest = max(20, min(draw.scale.text // 5, _LARGEST_BATCH // count))
        if draw.odds(0.4):
            kind = draw.pick(self._operations)
            return [self.operation(kind) for _ in range(count)]
        if draw.odds(0.3):
            one = self.operation(draw.pick(self._operations))
            return [one] * count
        return [self.operation(draw.pick(self._operations)) for _ in range(min(count, 40))]

    def operation(self, kind: str) -> Any:
        """One operation of a kind; the words of the kind are those of the schema."""
        draw = self.draw
        shape = SCHEMA["$defs"][kind]
        operation = self._object(shape, depth=0)
        if self.is_sound and kind in ("AddNode", "AddEdge", "GroupNodes"):
            operation.pop("id", None)
        operation["op"] = shape["properties"]["op"]["const"]
        if kind == "EditText":
            operation["changes"] = self.changes()
        if kind == "ReplaceDiagram":
            operation.update(self.diagram())
        if kind == "EditSection" and draw.odds(0.6):
            operation["section"], operation["find"] = self.found()
        if not self.is_sound and draw.odds(0.05):
            operation[draw.pick([*operation, draw.unit()])] = draw.anything()
        return operation

    def diagram(self) -> Json:
        """A whole diagram: a chain, a star, a grid, nests of groups, everything with everything, or odd ones."""
        draw = self.draw
        count = draw.size(draw.scale.nodes)
        form = draw.pick(["chain", "star", "all", "nest", "ring", "loose"])
        nodes: list[Json] = []
        for number in range(count):
            node: Json = {"id": f"n{number}", "type": draw.pick(TYPES), "label": draw.words(20) or "n"}
            if form == "nest":
                node["type"] = "group"
                if number:
                    node["parent"] = f"n{number - 1}"
            if draw.odds(0.05):
                node |= {"description": draw.pump(2_000), "label": self.plain(120)}
            nodes.append(node)
        ends = self._ends(form, count)
        edges = [{"id": f"e{number}", "source": f"n{a}", "target": f"n{b}"} for number, (a, b) in enumerate(ends)]
        return {"nodes": nodes, "edges": edges}

    def _ends(self, form: str, count: int) -> list[tuple[int, int]]:
        pairs: dict[str, Callable[[], list[tuple[int, int]]]] = {
            "chain": lambda: [(number, number + 1) for number in range(count - 1)],
            "ring": lambda: [(number, (number + 1) % count) for number in range(count if count > 1 else 0)],
            "star": lambda: [(0, number) for number in range(1, count)],
            "all": lambda: [(a, b) for a in range(min(count, 100)) for b in range(min(count, 100)) if a != b],
            "nest": lambda: [(number, count - 1) for number in range(count - 1)] if self.draw.odds(0.3) else [],
            "loose": list,
        }
        return pairs[form]()

    def found(self) -> tuple[str, str]:
        """A heading, and words that stand soon after it."""
        draw, text = self.draw, self.known.text
        section = self.section()
        if not text:
            return section, self.find()
        start = min(text.find(section) + len(section) + draw.size(200) - 1, len(text) - 1)
        return section, text[start : start + draw.size(min(self.longest, 2_000), 5)]

    def find(self) -> str:
        """A text to find: out of the document, nearly so, a single letter, or marks again and again."""
        draw, text = self.draw, self.known.text
        if text and draw.odds(0.6):
            start = draw.rng.randrange(len(text))
            found = text[start : start + draw.size(min(len(text), self.longest))]
            if draw.odds(0.5):
                at = draw.rng.randint(0, len(found))
                found = (
                    found[:at]
                    + draw.pick(["…", " ... ", "", draw.unit(), "  ", "“"])
                    + found[at + draw.rng.randint(0, 9) :]
                )
            return found
        if draw.odds(0.3):
            return draw.pick("a eE\n#`[*")
        return draw.pump(self.longest) if draw.odds(0.7) else self.markdown.line(2_000)

    def changes(self) -> list[Any]:
        """A ChangeSet: one that fits the document, one that nearly does, or parts at random."""
        draw = self.draw
        length = len(self.known.text.encode("utf-16-le", "surrogatepass")) // 2
        if draw.odds(0.6):
            at = draw.rng.randint(0, length)
            gone = draw.rng.randint(0, min(50, length - at))
            parts = [at, [gone, *self.markdown.line(500).split("\n")], length - at - gone]
            return [part for part in parts if part != 0]
        count = draw.size(2_000)
        return [draw.weighed([(3, 1), (3, [0, "x"]), (1, [1]), (1, draw.number()), (1, [])]) for _ in range(count)]

    def section(self) -> str:
        """A path of headings: one that is there, one that nearly is, or a very long one."""
        draw, titles = self.draw, self.known.titles
        if titles and (self.is_sound or draw.odds(0.6)):
            return draw.pick(titles)[:2_000].strip() or "a"
        return draw.weighed(
            [(2, ""), (1, " > ".join(["a"] * draw.size(400))), (1, "# " * draw.size(900)), (2, draw.pump(1_900))]
        )

    def _object(self, shape: Json, depth: int) -> Json:
        draw, found = self.draw, {}
        required = set(shape.get("required", ()))
        for name, form in shape.get("properties", {}).items():
            if name == "op":
                continue
            if name in required or draw.odds(0.35):
                found[name] = self.value(name, form, depth + 1)
        more = shape.get("additionalProperties")
        if isinstance(more, dict):
            for _ in range(draw.size(min(300, self.longest // 10 + 1))):
                found[self._key(shape)] = self.value("", more, depth + 1)
        if not self.is_sound and draw.odds(0.02) and required:
            found.pop(draw.pick(sorted(required)), None)
        return found

    def _key(self, shape: Json) -> str:
        longest = shape.get("propertyNames", {}).get("maxLength", 64)
        if longest > 64:
            return self._name()
        return self.plain(longest) if self.is_sound else self.draw.pump(longest + 1)

    def plain(self, most: int) -> str:
        """Marks again and again, but no sign that is refused everywhere."""
        found = "".join(one for one in self.draw.pump(most) if one.isprintable() and ord(one) < 0xE000)
        return found.strip() or "x"

    def _name(self) -> str:
        draw = self.draw
        there = self.known.nodes + self.known.edges[:200]
        return draw.pick(there) if there and (self.is_sound or draw.odds(0.85)) else draw.pump(210)

    def value(self, name: str, form: Json, depth: int) -> Any:
        """A value for a field of that name and schema."""
        draw = self.draw
        if not self.is_sound and draw.odds(0.03):
            return draw.anything()
        special: dict[str, Callable[[], Any]] = {
            "section": self.section, "before": self.section, "after": self.section, "into": self.section,
            "find": self.find, "text": lambda: self.markdown.document(self.longest),
            "replace": lambda: self.markdown.line(draw.size(min(2_000, self.longest))),
            "title": lambda: self.markdown.title(320),
            "base_revision": lambda: 1 if self.is_sound else draw.pick([0, 1, 2, 10**6]),
            "all": lambda: draw.odds(0.6),
        }  # fmt: skip
        if self.is_sound and name == "locked":
            return None
        if self.is_sound and name == "title":
            return self.plain(300)
        names = ("id", "source", "target", "near", "parent", "group", "new_source", "new_target")
        if name in special:
            return special[name]()
        if name in names:
            return self._name()
        return self._of_schema(form, depth)

    def _of_schema(self, form: Json, depth: int) -> Any:
        draw = self.draw
        if "$ref" in form:
            return self._of_schema(SCHEMA["$defs"][str(form["$ref"]).rpartition("/")[2]], depth)
        if "enum" in form:
            return draw.pick(form["enum"])
        for either in ("anyOf", "oneOf"):
            if either in form:
                return self._of_schema(draw.pick(form[either]), depth)
        kinds = form.get("type", "null")
        kind = draw.pick(kinds) if isinstance(kinds, list) else kinds
        return self._of_type(kind, form, depth)

    def _of_type(self, kind: str, form: Json, depth: int) -> Any:
        draw = self.draw
        if kind == "object":
            return self._object(form, depth)
        if kind == "array":
            most = min(form.get("maxItems", 100), draw.scale.operations, self.longest // 10 + 1)
            items = form.get("items", {})
            is_name = items.get("type") == "string"
            return [self._name() if is_name else self._of_schema(items, depth + 1) for _ in range(draw.size(most))]
        if kind in ("number", "integer"):
            least, most = form.get("minimum", 0), form.get("maximum", 1000)
            value = draw.weighed([(5, draw.rng.uniform(least, most)), (1, least), (1, most)])
            value = value if self.is_sound or draw.odds(0.9) else most + 1
            return int(value) if kind == "integer" else value
        if kind == "boolean":
            return draw.odds(0.5)
        if kind == "string":
            longest = min(form.get("maxLength", self.longest), self.longest)
            if self.is_sound:
                return self.plain(longest)
            return draw.pump(longest) if draw.odds(0.7) else draw.words(min(longest, 60))
        return None
