"""Users who work on one page each: their next action is drawn from a seed, and every action can be recognised.

Each batch has an explanation of its own, and whatever is typed or written into the document is made of characters
that nobody else ever uses (of a private plane, so two UTF-16 units each), so the log shows how often it arrived.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import Any

from tests.live.pages import Json, Page

MARKS = 0xF0000
MARKS_EACH = 0x800
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
DOCUMENT = "".join(
    f"{'#' * (1 + (number > 0))} {title}\n\nThe {title.lower()} says {' '.join(WORDS)}, and 😀 é {number}.\n\n"
    for number, title in enumerate(["Shop", "Parts", "Flows", "Notes", "Open questions"])
)
TITLES = ("Parts", "Flows", "Notes", "Open questions")


@dataclass(frozen=True)
class Behaviour:
    """How often somebody does what; `pause` is the longest one, in seconds."""

    gesture: float = 0.40
    typing: float = 0.33
    writing: float = 0.08
    undo: float = 0.07
    redo: float = 0.03
    revert: float = 0.04
    drop: float = 0.03
    reload: float = 0.02
    pause: float = 0.12


@dataclass
class Action:
    """A batch that was asked for, with what tells it apart."""

    explanation: str
    operations: list[Json]
    marks: str


@dataclass
class User:
    """Somebody at work.

    Attributes:
        deeds: batches asked for.
        typed: marks typed.
        may_reload: whether their page may be loaded anew.
    """

    page: Page
    number: int
    rng: random.Random
    behaviour: Behaviour = field(default_factory=Behaviour)
    actions: list[Action] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    may_reload: bool = True
    _marks: int = 0
    _count: int = 0
    _last: str = ""

    @property
    def own(self) -> list[int]:
        """Their marks: from, up to."""
        start = MARKS + self.number * MARKS_EACH
        return [start, start + MARKS_EACH]

    def mark(self) -> str:
        self._marks += 1
        assert self._marks < MARKS_EACH
        return chr(self.own[0] + self._marks)

    async def act(self) -> None:
        names = ("gesture", "typing", "writing", "undo", "redo", "revert", "drop", "reload")
        kind = self.rng.choices(names, [getattr(self.behaviour, name) for name in names])[0]
        await getattr(self, f"_{kind}")()

    # -- the document ------------------------------------------------------------------------------------------------

    async def _typing(self) -> None:
        """A burst: some keystrokes in one place, now and then a paste, now and then something taken out first."""
        at, delete = (
            self.rng.choice((0, 1, *(self.rng.random() for _ in range(4)))),
            self.rng.choice((0, 0, 0, 1, 3, 12)),
        )
        # Where they typed last, or where others are likely to type at the same time.
        after = self.rng.choice((self._last, self._last, "says", "## Notes\n", "", ""))
        for _ in range(self.rng.choice((1, 2, 4, 8))):
            mark = self.mark()
            text = self.rng.choice((mark, mark, mark, f"{mark}\n", f" {mark}😀", f"{mark} pasted\ntext 🧵 of é"))
            told = await self.page.ask("type", at=at, after=after, text=text, delete=delete, own=self.own)
            if told.get("typed", True):
                self.typed.append(mark)
            self._last = after = mark
            delete = 0
            await asyncio.sleep(self.rng.choice((0, 0, self.rng.uniform(0, 0.02))))

    async def _writing(self) -> None:
        """A batch on the document, sometimes with the diagram in it."""
        mark, title = self.mark(), self.rng.choice(TITLES)
        word = self.rng.choice(WORDS)
        operation = self.rng.choice((
            {"op": "append_to_section", "section": title, "text": f"\nAdded {mark} at the end.\n"},
            {"op": "append_to_section", "section": title, "text": f"\nAdded {mark}.\n"},
            {"op": "insert_section", "title": f"Section {mark}", "text": "New.\n", "after": title},
            {"op": "edit_section", "section": title, "find": f" {word} ", "replace": f" {word}{mark} "},
            {"op": "replace_section", "section": "Notes", "text": f"\nNotes {mark} {' '.join(WORDS)}.\n"},
        ))  # fmt: skip
        more = [self._new_node()] if self.rng.random() < 0.3 else []
        await self._ask_for([*more, operation], mark)

    # -- the diagram -------------------------------------------------------------------------------------------------

    async def _gesture(self) -> None:
        view = await self.page.ask("look")
        kinds = (self._add, self._add, self._change, self._change, self._move, self._move, self._delete, self._connect,
                 self._connect, self._rewire, self._regroup, self._relabel, self._rename, self._leave_it)  # fmt: skip
        await self._ask_for(self.rng.choice(kinds)(view), "")

    async def _ask_for(self, operations: list[Json], marks: str) -> None:
        if not operations:
            return
        self._count += 1
        action = Action(f"{self.page.name} {self._count}", operations, marks)
        self.actions.append(action)
        await self.page.ask("edit", operations=operations, explanation=action.explanation)

    def _fresh(self, stem: str) -> str:
        return f"{self.page.name}-{stem}{self._count}-{self.rng.randrange(1000)}"

    def _point(self) -> Json:
        return {"x": self.rng.randrange(-2000, 2000) / 4, "y": self.rng.randrange(0, 4000)}

    def _node(self, view: Json, *types: str) -> str | None:
        """Some node; groups only if they are asked for."""
        found = [one for one, kind, _ in view["nodes"] if (kind in types if types else kind != "group")]
        return self.rng.choice(found) if found else None

    def _new_node(self, **fields: Any) -> Json:
        kind = self.rng.choice(("service", "database", "queue"))
        name = self._fresh("n")
        return {"op": "add_node", "id": name, "type": kind, "label": name, "position": self._point(), **fields}

    def _add(self, view: Json) -> list[Json]:
        node, other = self._new_node(), self._node(view)
        group = self._node(view, "group")
        if group is not None and self.rng.random() < 0.3:
            node["parent"] = group
        if other is None or self.rng.random() < 0.5:
            return [node]
        name = self._fresh("e")
        return [node, {"op": "add_edge", "id": name, "source": node["id"], "target": other, "label": name}]

    def _change(self, view: Json) -> list[Json]:
        node = self._node(view)
        if node is None:
            return self._add(view)
        told = f"{self.page.name} {self._count}"
        fields: Json = self.rng.choice((
            {"label": told}, {"description": told}, {"technology": told, "notes": None},
            {"properties": {self.page.name: str(self._count), "shared": None}}, {"properties": {"shared": told}},
        ))  # fmt: skip
        return [{"op": "update_node", "id": node, **fields}]

    def _move(self, view: Json) -> list[Json]:
        nodes = [one for one, _, _ in view["nodes"]]
        if not nodes:
            return self._add(view)
        chosen = self.rng.sample(nodes, min(len(nodes), self.rng.choice((1, 1, 2, 4))))
        return [{"op": "move_nodes", "positions": {one: self._point() for one in chosen}}]

    def _delete(self, view: Json) -> list[Json]:
        if len(view["nodes"]) < 4:
            return self._add(view)
        if view["edges"] and self.rng.random() < 0.4:
            return [{"op": "delete_edge", "id": self.rng.choice(view["edges"])[0]}]
        node = self.rng.choice(view["nodes"])[0]
        how = self.rng.choice(({}, {"children": "delete"}, {"children": "up"}, {"bridge": True}))
        return [{"op": "delete_node", "id": node, **how}]

    def _connect(self, view: Json) -> list[Json]:
        source, target = self._node(view), self._node(view)
        if source is None or target is None or source == target:
            return self._add(view)
        if self.rng.random() < 0.3:  # for the server alone to name
            return [{"op": "add_edge", "source": source, "target": target, "label": self._fresh("l")}]
        name = self._fresh("e")
        return [{"op": "add_edge", "id": name, "source": source, "target": target, "label": name}]

    def _rewire(self, view: Json) -> list[Json]:
        node = self._node(view)
        if not view["edges"] or node is None:
            return self._connect(view)
        end = self.rng.choice(("new_source", "new_target"))
        return [{"op": "rewire_edge", "id": self.rng.choice(view["edges"])[0], end: node}]

    def _relabel(self, view: Json) -> list[Json]:
        if not view["edges"]:
            return self._connect(view)
        edge = self.rng.choice(view["edges"])[0]
        fields = self.rng.choice(
            ({"label": self._fresh("l")}, {"kind": "async"}, {"description": "d"}, {"label": None})
        )
        return [{"op": "update_edge", "id": edge, **fields}]

    def _regroup(self, view: Json) -> list[Json]:
        node, group = self._node(view), self._node(view, "group")
        if node is None:
            return self._add(view)
        roll = self.rng.random()
        if group is None or roll < 0.4:
            name = self._fresh("g")
            return [{"op": "group_nodes", "id": name, "label": name, "ids": [node]}]
        if roll < 0.8:
            into = group if self.rng.random() < 0.7 else None
            return [{"op": "move_to_group", "ids": [node], "group": into, "positions": {node: self._point()}}]
        return [{"op": "ungroup_nodes", "id": group}]

    def _rename(self, _: Json) -> list[Json]:
        return [{"op": "rename_workspace", "name": f"Shop of {self.page.name} {self._count}"}]

    def _leave_it(self, view: Json) -> list[Json]:
        """What only the server resolves: places of its choosing, and a whole layout."""
        if self.rng.random() < 0.5:
            return [{"op": "layout_diagram", "scope": "all"}]
        name, near = self._fresh("n"), self._node(view)
        more = {"near": near} if near is not None else {}
        return [{"op": "add_node", "id": name, "type": "service", "label": name, **more}]

    # -- back and forth ----------------------------------------------------------------------------------------------

    async def _undo(self) -> None:
        await self.page.ask("undo", scope=self.rng.choice(("mine", "mine", "mine", "all")))

    async def _redo(self) -> None:
        await self.page.ask("redo")

    async def _revert(self) -> None:
        """Some commit of late; typed ones as a range."""
        commits = (await self.page.ask("look"))["commits"]
        if not commits:
            return
        rev, kind, who = self.rng.choice(commits)
        typed = [one for one, what, whose in commits if what == "text" and whose == who and one >= rev]
        if kind == "text" and self.rng.random() < 0.7:
            await self.page.ask("revert", rev=rev, upto=self.rng.choice(typed))
        else:
            await self.page.ask("revert", rev=rev)

    async def _drop(self) -> None:
        """The connection breaks, more often than not right behind something that was sent."""
        await self._in_the_middle()
        await self.page.ask("drop")

    async def _reload(self) -> None:
        if self.may_reload:
            await self._in_the_middle()
            await self.page.ask("reload")

    async def _in_the_middle(self) -> None:
        if self.rng.random() < 0.7:
            await self.rng.choice((self._gesture, self._writing, self._typing))()
            await asyncio.sleep(self.rng.uniform(0, 0.01))
