"""A scene: a workspace is made of something hostile, attacked in some ways, read in every way, and thrown away.

A scene is drawn from its name alone, so that it can be played again on another server, whole or in parts.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tests.hostile.batches import Batches, Known
from tests.hostile.bodies import Bodies, encoded
from tests.hostile.drawing import Draw, Scale
from tests.hostile.frames import Frames, Talk
from tests.hostile.imports import Imports
from tests.hostile.prompts import Prompts
from tests.hostile.wire import JSON, Request

Step = Request | Talk
API = "/api/v1/workspaces"
W = API + "/{w}"
_BEGIN = '{"name":"Hostile","document":{"text":"# A\\n\\nText.\\n"}}'


@dataclass(frozen=True)
class Scene:
    """What one hostile client does with one workspace; the first step makes it."""

    name: str
    steps: tuple[Step, ...]


class Scenes:
    """Draws one scene."""

    def __init__(self, name: str, scale: Scale) -> None:
        self.name = name
        self.draw = Draw(random.Random(name), scale)
        self.known = Known()
        self.batches = Batches(self.draw, self.known)
        self.bodies = Bodies(self.draw)
        self.imports = Imports(self.draw, self.batches)
        self.prompts = Prompts(self.draw, self.known)
        self.frames = Frames(self.draw, self.batches)

    def scene(self) -> Scene:
        """The whole scene."""
        draw = self.draw
        steps: list[Step] = [self.begin()]
        acts: list[tuple[float, Callable[[], Step]]] = [
            (6, self.batch), (3, self.edits), (2, self.document), (4, self.spoiled), (3, self.frames.talk),
            (3, self.prompt), (1, self.imported), (1, self.drawn), (1, self.small), (1, self.past), (4, self.reading),
            (1, self.settings),
        ]  # fmt: skip
        steps += [draw.weighed(acts)() for _ in range(draw.rng.randint(2, 7))]
        steps += [self.reading() for _ in range(draw.rng.randint(1, 3))]
        steps.append(Request("DELETE", W, headers=(), kind="delete"))
        return Scene(self.name, tuple(steps))

    def begin(self) -> Step:
        """Make the workspace: from hostile content, from an import, or from little."""
        draw = self.draw
        if draw.odds(0.15):
            return self._post(API, self.imports.body(), "import")
        body: dict[str, Any] = {"name": draw.words(30) or "x"}
        if draw.odds(0.85):
            self.known.text = self.batches.markdown.document()
            self.known.titles = [title.strip() for title in self.batches.markdown.titles if title.strip()]
            body["document"] = {"text": self.known.text}
        if draw.odds(0.7):
            body["diagram"] = diagram = self.batches.diagram()
            self.known.nodes += [node["id"] for node in diagram["nodes"]]
            self.known.edges += [edge["id"] for edge in diagram["edges"]]
        return self._post(API, body, "create")

    def _post(self, path: str, body: object, kind: str, *more: tuple[str, str], method: str = "POST") -> Request:
        return Request(method, path, encoded(body), (*JSON, *more), kind)

    # Writing

    def batch(self) -> Request:
        """A batch; at times a trial, with a base, or under a key."""
        draw = self.draw
        body: dict[str, Any] = {"operations": self.batches.operations()}
        if draw.odds(0.2):
            body["dry_run"] = True
        if draw.odds(0.2):
            body["base_revision"] = 1 if self.batches.is_sound else draw.pick([0, 2, 2**63])
        more = [("Prefer", "return=minimal")] if draw.odds(0.3) else []
        return self._post(f"{W}/batches", body, "batch", *more)

    def edits(self) -> Request:
        """Quoted texts to replace."""
        draw = self.draw
        count = draw.size(min(500, draw.scale.operations))
        self.batches.longest = max(20, min(draw.scale.text // 5, 1_500_000 // count))
        self.batches.is_sound = draw.odds(0.6)
        edits = []
        for _ in range(count):
            section, find = self.batches.found() if draw.odds(0.6) else (self.batches.section(), self.batches.find())
            edits.append({"section": section, "find": find, "replace": draw.words(60), "all": draw.odds(0.5)})
        return self._post(f"{W}/document/edits", {"edits": edits}, "edits")

    def document(self) -> Request:
        """The whole document anew: another one, or the same with every line changed."""
        draw = self.draw
        if draw.odds(0.5):
            unit = draw.unit()
            text = "\n".join(line + unit for line in self.known.text.split("\n"))
        else:
            text = self.batches.markdown.document()
        return self._post(f"{W}/document", {"text": text}, "document", method="PUT")

    def spoiled(self) -> Request:
        """Any of the others, made bad."""
        makers = [self.batch, self.edits, self.document, self.prompt, self.imported, self.small, self.settings]
        return self.bodies.spoiled(self.draw.pick(makers)())

    def prompt(self) -> Request:
        """A request to the assistant, which knows its built-in commands alone."""
        draw = self.draw
        body = {
            "prompt": self.prompts.prompt() or "x",
            "workflow": draw.weighed([(5, "edit"), (3, "ask"), (1, "generate")]),
            "mode": draw.pick(["auto", "apply", "propose"]),
        }
        if draw.odds(0.2):
            body["focus"] = {"nodes": self.known.nodes[:200], "section": self.batches.section()}
        return self._post(f"{W}/runs", body, "prompt", ("Prefer", f"wait={draw.pick([0, 1, 5])}"))

    def imported(self) -> Request:
        """Another workspace from an import or a copy; what is refused makes none."""
        if self.draw.odds(0.2):
            return self._post(API, {"copy_of": "{w}"}, "copy")
        return self._post(API, self.imports.body(), "import")

    def drawn(self) -> Request:
        """A flowchart to be drawn here, or what poses as one."""
        text = self.imports.mermaid() if self.draw.odds(0.8) else self.imports.backup()
        return self._post(f"{W}/mermaid", {"text": text}, "mermaid")

    def small(self) -> Request:
        """The routes for one thing."""
        draw, name = self.draw, quote(self.batches._name(), safe="")
        value = self.batches.value
        form = {"type": "string", "maxLength": 300}
        return draw.pick(
            [
                self._post(f"{W}/nodes", {"type": "service", "label": value("label", form, 1)}, "small"),
                self._post(f"{W}/edges", {"source": self.batches._name(), "target": self.batches._name()}, "small"),
                self._post(f"{W}/nodes/{name}", {"notes": draw.pump(11_000)}, "small", method="PATCH"),
                Request("DELETE", f"{W}/nodes/{name}?bridge=true&children=delete", headers=(), kind="small"),
                self._post(W, {"name": draw.pump(210)}, "small", method="PATCH"),
                self._post(f"{W}/checkpoints", {"name": draw.pump(130)}, "small"),
                self._post(f"{W}/live-tickets", {}, "small"),
            ]
        )

    def past(self) -> Request:
        """Undo, redo, revert, restore."""
        draw = self.draw
        return draw.pick(
            [
                self._post(f"{W}/undo", {"scope": draw.pick(["mine", "all"]), "force": draw.odds(0.5)}, "past"),
                self._post(f"{W}/redo", {}, "past"),
                self._post(f"{W}/commits/{draw.pick([1, 2, 3])}/revert", {"force": True}, "past"),
                self._post(f"{W}/revisions/{draw.pick([0, 1, 2])}/restore", {"dry_run": draw.odds(0.5)}, "past"),
            ]
        )

    def settings(self) -> Request:
        """The assistant's settings, and who one is; never a key that could be one."""
        draw = self.draw
        return draw.pick(
            [
                self._post("/api/v1/assistant/key", {"api_key": draw.pump(1_100)}, "settings", method="PUT"),
                self._post(f"{W}/assistant", {"edit_mode": draw.anything()}, "settings", method="PATCH"),
                self._post("/api/v1/session", {}, "settings"),
                self._post("/api/v1/me", {"name": draw.pump(70)}, "settings", method="PATCH"),
            ]
        )

    # Reading

    def reading(self) -> Request:
        """Everything that can be asked, with odd words in the address."""
        draw = self.draw
        word = quote(draw.pump(draw.pick([20, 300, 3_000])), safe="")
        number = quote(str(draw.pick([0, 1, -1, 2**63, "9" * 5_000, "1e3", "x"])), safe="")
        section = quote(self.batches.section(), safe="")
        words = quote(self.prompts.sentence(400), safe="")
        form = draw.pick(["json", "markdown", "mermaid", word])
        here = [
            "", "/diagram", "/document", "/outline", "/lint", f"/section?path={section}", f"/export?format={form}",
            f"/nodes?q={word}&limit=200", f"/nodes?cursor={word}", f"/edges?node={word}&q={word}", "/undo",
            "/proposals",
            f"/commits?grouped=true&section={section}", f"/commits?limit={number}&before={number}",
            f"/commits/{number}",
            f"/compare?from=0&to={number}", "/compare?from=0&to=1", f"/revisions/{draw.pick([1, number])}",
            f"/conversation?cursor={word}", f"/completions?text={words}", f"/runs?limit={number}",
            f"/runs/{'0' * 26}/events", f"/commits/events?after={number}",
        ]  # fmt: skip
        elsewhere = [
            f"{API}?q={word}&sort={word}", f"{API}/{word}", "/api/v1/usage?days=90", "/api/v1/me", "/metrics",
            "/readyz", f"/{word}",
        ]  # fmt: skip
        method = draw.weighed([(20, "GET"), (1, "HEAD"), (1, "OPTIONS"), (1, "TRACE"), (1, "X" * draw.size(300))])
        return Request(
            method, draw.pick([*(W + one for one in here), *elsewhere]), headers=(), kind="read", listens=2.0
        )
