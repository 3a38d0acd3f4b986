"""Imports: Mermaid grown from its own grammar, Markdown with diagrams in it, changed exports, files of ours."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

from tests.hostile.batches import Batches
from tests.hostile.drawing import Draw

_SHAPES = (
    ("[", "]"),
    ("(", ")"),
    ("{", "}"),
    ("((", "))"),
    ("[[", "]]"),
    ("[(", ")]"),
    (">", "]"),
    ("{{", "}}"),
    ("[/", "\\]"),
)
_ARROWS = (
    "-->",
    "---",
    "-.->",
    "==>",
    "<-->",
    "--x",
    "--o",
    "-- text -->",
    "-->|label|",
    "~~~",
    "----->",
    "-" * 300 + ">",
)

_TEXT_ARROWS = ("->", "<-", "<->", "~>", "=>", "..>", "--", "..", "->" * 50)


class Imports:
    """Draws bodies of `POST /workspaces` that bring something along."""

    def __init__(self, draw: Draw, batches: Batches) -> None:
        self.draw, self.batches = draw, batches

    def body(self) -> dict[str, Any]:
        """The body of one import."""
        draw = self.draw
        made: list[tuple[float, Callable[[], dict[str, Any]]]] = [
            (4, lambda: {"format": "mermaid", "content": self.mermaid()}),
            (2, lambda: {"format": "text", "content": self.lines()}),
            (3, lambda: {"format": "markdown", "content": self.markdown()}),
            (2, lambda: {"format": "json", "content": self.export()}),
            (1, lambda: {"format": draw.pick(["mermaid", "markdown"]), "content": self.backup()}),
            (1, lambda: {"format": draw.pump(20), "content": draw.anything()}),
        ]
        return {"name": "Import", "import": draw.weighed(made)()}

    def markdown(self) -> str:
        """A document with flowcharts in it, some left open."""
        parts = []
        for _ in range(self.draw.size(20)):
            parts.append(self.batches.markdown.document(self.draw.scale.text // 10 + 20))
            end = "\n```" if self.draw.odds(0.8) else ""
            parts.append(f"```mermaid\n{self.mermaid(self.draw.scale.text // 10 + 20)}{end}")
        return "\n\n".join(parts)

    def mermaid(self, most: int | None = None) -> str:
        """A flowchart; at times one line of it again and again."""
        draw = self.draw
        left = draw.size(most or draw.scale.text, 20)
        lines = [
            draw.weighed(
                [(6, "flowchart LR"), (2, "graph TD;"), (1, "---\ntitle: x\n---\nflowchart TB"), (1, draw.unit())]
            )
        ]
        only = draw.pick(_LINES) if draw.odds(0.4) else None
        while left > 0 and len(lines) < 30_000:
            line = (only or draw.pick(_LINES))(self, min(left, 4_000))
            lines.append(line)
            left -= len(line) + 1
        return draw.pick(["\n", "\n", ";"]).join(lines)

    def lines(self) -> str:
        """A diagram as text: names, groups and connections, or one line of it again and again."""
        draw = self.draw
        left = draw.size(draw.scale.text, 20)
        only = self._line() if draw.odds(0.3) else None
        lines: list[str] = []
        while left > 0 and len(lines) < 30_000:
            lines.append(only or self._line())
            left -= len(lines[-1]) + 1
        return draw.pick(["\n", "\n", "\r\n"]).join(lines)

    def _line(self) -> str:
        draw = self.draw
        if draw.odds(0.4):
            return f"{self.name()} {draw.pick(_TEXT_ARROWS)} {self.name()}: {draw.pump(40)}"
        words = (self.name(), draw.pump(200), f"{self.name()} (group)", f'"{draw.pump(20)}" #{self.name()}')
        return "  " * draw.size(40) + draw.pick(words)

    def name(self) -> str:
        return f"n{self.draw.rng.randrange(self.draw.scale.nodes)}"

    def node(self, most: int) -> str:
        begin, end = self.draw.pick(_SHAPES)
        text = self.draw.pump(min(most, 300)) if self.draw.odds(0.5) else self.draw.words(20)
        quoted = f'"{text}"' if self.draw.odds(0.5) else text
        return self.name() + begin + quoted + (end if self.draw.odds(0.9) else "")

    def edge(self, most: int) -> str:
        return f"{self.name()} {self.draw.pick(_ARROWS)} {self.node(most) if self.draw.odds(0.3) else self.name()}"

    def chain(self, most: int) -> str:
        arrow = self.draw.pick(_ARROWS)
        return f" {arrow} ".join(self.name() for _ in range(max(2, most // (len(arrow) + 6))))

    def fan(self, most: int) -> str:
        count = max(2, min(200, most // 12))
        return " & ".join(self.name() for _ in range(count)) + " --> " + " & ".join(self.name() for _ in range(count))

    def nest(self, most: int) -> str:
        deep = max(1, most // 24)
        end = "end\n" * (deep if self.draw.odds(0.6) else deep // 2)
        return "".join(f"subgraph s{number}\n" for number in range(deep)) + self.name() + "\n" + end

    def other(self, most: int) -> str:
        words = [
            "style",
            "classDef",
            "click",
            "linkStyle",
            "%%",
            "%%{init:",
            "class",
            "direction",
            "subgraph",
            "end",
            "accTitle:",
        ]
        return f"{self.draw.pick(words)} {self.draw.pump(min(most, 500))}"

    def marks(self, most: int) -> str:
        return self.draw.pump(most)

    def export(self) -> Any:
        """An export of ours: in order, or with one part of it changed."""
        whole: dict[str, Any] = {
            "format": "draftsmith/1",
            "name": self.draw.pump(220),
            "diagram": self.batches.diagram(),
            "document": {"text": self.batches.markdown.document(), "eol": self.draw.pick(["lf", "crlf", "mixed"])},
        }
        for part in ("format", "name", "diagram", "document"):
            if self.draw.odds(0.08):
                whole[part] = self.draw.anything()
        return whole

    def backup(self) -> str:
        """A backup as bytes in a text: nothing reads it over HTTP, and whoever tries must be told so."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(
                "manifest.json", json.dumps({"format": "draftsmith-backup/1", "product": "x", "workspaces": []})
            )
            file.writestr("log", b"0" * self.draw.size(self.draw.scale.body))
        raw = packed.getvalue()
        return self.draw.pick([raw.decode("latin-1"), base64.b64encode(raw).decode(), raw.hex()])


_LINES: list[Callable[[Imports, int], str]] = [
    Imports.node, Imports.edge, Imports.edge, Imports.chain, Imports.fan, Imports.nest, Imports.other, Imports.marks,
]  # fmt: skip
