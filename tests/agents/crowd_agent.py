"""An agent of the crowd: it reads, edits and takes back at random, and keeps all that it was shown.

What it sends is drawn from a seed. Now and then it raises `base_revision` without having read, as careless models do.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.integration.agents import AgentCaller, answer_of, block_of, problem_of, text_of
from tests.live.users import TITLES, WORDS
from tests.simulation.moves import names_of, operation
from tests.simulation.player import Kind, Player, View

Json = dict[str, Any]
# Agents are not offered whole states, and are shown no text in which to count.
_DRAWN = names_of("diagram", "document", "workspace", without=("replace_diagram", "replace_document", "edit_text"))
_LOOKS = frozenset({"type", "position", "size", "properties", "locked", "notes", "image", "color", "style"})
REFUSALS = frozenset({
    "stale_base", "unread_change", "batch_rejected", "agent_looping", "too_many_requests", "not_your_commit",
    "nothing_to_undo", "invalid_request", "busy", "commit_not_found", "not_undoable", "forbidden",
})  # fmt: skip
"""What an agent may be refused with here; anything else is a defect."""


@dataclass
class CrowdAgent:
    """One agent.

    Attributes:
        number: tells it apart.
        workspace: where it works.
        shown: every text that it was shown, and what it wrote itself, oldest first.
        acknowledged: the explanation of each batch that it was told is applied, and the revision.
        refused: how often it was refused with each code.
        done: how often each tool answered, and what became of batches.
        untold: refusals that did not say who changed what and when, though somebody had.
        moments: for the revision of each commit of its own, how many texts it had been shown before it asked for it.
    """

    number: int
    workspace: str
    rng: random.Random
    shown: list[str] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    untold: list[Json] = field(default_factory=list)
    moments: dict[int, int] = field(default_factory=dict)
    _revision: int = 1
    _newest: int = 1
    _nodes: dict[str, Json] = field(default_factory=dict)
    _sections: dict[str, str] = field(default_factory=dict)
    _edges: dict[str, tuple[str, str]] = field(default_factory=dict)
    _count: int = 0

    def shown_before(self, revision: int) -> str:
        """All that it had been shown when it asked for a commit of its own."""
        return "\n".join(self.shown[: self.moments[revision]])

    async def act(self, caller: AgentCaller) -> None:
        """Do one thing."""
        acts = [self._read, self._read_nodes, self._read_section, self._change, self._change, self._rewrite,
                self._rewrite, self._edit_anything, self._look_back, self._take_back]  # fmt: skip
        await self.rng.choice(acts)(caller)

    async def overlook(self, caller: AgentCaller, change: Callable[[Json], Awaitable[None]]) -> None:
        """Set what somebody else has set since it was read, until it is refused; mostly that is at once.

        Args:
            caller: the agent's own connection.
            change: commits an operation as somebody else.
        """
        while not self.refused.keys() & {"stale_base", "unread_change"}:
            self._count += 1
            name = f"a{self.number}-o{self._count}"
            await change({"op": "add_node", "id": name, "type": "worker", "label": f"Read {self._count}"})
            read = await self._call(caller, "read_nodes", ids=[name])
            if read is not None:
                self._revision = read["revision"]
                with suppress(AssertionError):  # a person may have deleted it
                    await change({"op": "update_node", "id": name, "label": f"Set {self._count}"})
                await self._edit(caller, {"op": "update_node", "id": name, "label": f"a{self.number} {self._count}"})

    async def _call(self, caller: AgentCaller, tool: str, **given: Any) -> Json | None:
        """Call a tool and note what it shows; None where it is refused."""
        known = len(self.shown)
        result = await caller.raw(tool, workspace=self.workspace, **given)
        answer: Json = answer_of(result) or problem_of(result)
        # As JSON writes them and as the text shows them: what was shown must be found in one or the other.
        self.shown.append(f"{json.dumps(answer, ensure_ascii=False)}\n{text_of(result)}")
        self._newest = max(self._newest, int(answer.get("revision") or answer.get("head") or 0))
        if not result.is_error:
            self.done[tool] += 1
            if answer.get("status") in ("applied", "undone"):
                self.moments[answer["revision"]] = known
            return answer
        code = str(answer.get("code"))
        assert code in REFUSALS, f"agent {self.number}: {tool} {given} was refused with {code}: {text_of(result)}"
        self.refused[code] += 1
        for change in answer.get("changes", []):
            self._newest = max(self._newest, change["revision"])
            if not change.get("by") or not change.get("at"):
                self.untold.append(change)
        if code in ("stale_base", "unread_change") and "changes" not in answer and "unread" not in answer:
            self.untold.append(answer)
        await asyncio.sleep(0)
        return None

    # -- reading -----------------------------------------------------------------------------------------------------

    async def _read(self, caller: AgentCaller) -> None:
        since = {"since": self._revision} if self._revision and self.rng.random() < 0.5 else {}
        answer = await self._call(caller, "read_workspace", **since)
        if answer is None:
            return
        self._revision = answer["revision"]
        for line in block_of(answer["text"], "diagram")[1:]:
            name = line.strip().split(" ", 1)[0]
            if name and not name.startswith(("#", "@")):
                self._nodes.setdefault(name, {})

    async def _read_nodes(self, caller: AgentCaller) -> None:
        if not self._nodes:
            return
        ids = self.rng.sample(sorted(self._nodes), min(3, len(self._nodes)))
        answer = await self._call(caller, "read_nodes", ids=ids)
        if answer is not None:
            self._revision = answer["revision"]
            self._nodes |= {one["id"]: one for one in answer["nodes"]}

    async def _read_section(self, caller: AgentCaller) -> None:
        answer = await self._call(caller, "read_sections", sections=[self.rng.choice(TITLES)])
        if answer is None:
            return
        self._revision = answer["revision"]
        for section in answer["sections"]:
            if section["is_whole"]:
                heading, _, body = section["text"].partition("\n")
                self._sections[heading.lstrip("# ").strip()] = body

    async def _look_back(self, caller: AgentCaller) -> None:
        await self._call(caller, "history", since=max(0, self._revision - 5), limit=5)

    # -- writing -----------------------------------------------------------------------------------------------------

    def _base(self) -> int:
        """What it has read; now and then the newest that it has heard of."""
        return self._newest if self.rng.random() < 0.3 else self._revision

    async def _edit(self, caller: AgentCaller, *operations: Json) -> None:
        self._count += 1
        why = f"agent {self.number} number {self._count}"
        rejected = self.refused["batch_rejected"]
        mode = self.rng.choice(("auto", "auto", "apply"))
        answer = await self._call(
            caller, "edit", base_revision=self._base(), operations=list(operations), explanation=why, mode=mode
        )
        if answer is None:
            if self.refused["batch_rejected"] > rejected:
                self._forget(operations)
            return
        self.done[answer["status"]] += 1
        if answer["status"] == "applied":
            self.acknowledged[why] = self._revision = answer["revision"]
            # What it wrote itself it knows, also where somebody's undo has put it back since.
            self.shown.append(json.dumps(operations, ensure_ascii=False))

    def _forget(self, operations: Sequence[Json]) -> None:
        """Forget what a refused batch named, which may be gone; what is there is read again."""
        for one in operations:
            for known in (self._nodes, self._edges, self._sections):
                for name in (one.get("id"), one.get("section"), one.get("source"), one.get("target")):
                    known.pop(str(name), None)

    async def _change(self, caller: AgentCaller) -> None:
        """Change what somebody may have written of a node that it has heard of."""
        player = CrowdPlayer(self)
        player.never = _LOOKS
        await self._draw(caller, player, ("update_node",))

    async def _rewrite(self, caller: AgentCaller) -> None:
        """Send a section as it was read, with a word more."""
        await self._draw(caller, CrowdPlayer(self), ("replace_section",))

    async def _edit_anything(self, caller: AgentCaller) -> None:
        """One operation or two of any kind."""
        await self._draw(caller, CrowdPlayer(self), *(_DRAWN,) * self.rng.choice((1, 2)))

    async def _draw(self, caller: AgentCaller, player: CrowdPlayer, *kinds: Sequence[str]) -> None:
        operations: list[Json] = []
        for names in kinds:
            drawn = operation(player, names)
            if drawn is not None:
                operations.append(drawn)
                player.view = player.view.after(drawn)
        if operations:
            await self._edit(caller, *operations)
            self._edges |= {
                one["id"]: (one["source"], one["target"])
                for one in operations
                if one["op"] == "add_edge" and "id" in one
            }
            for name in set(player.view.nodes) - self._nodes.keys():
                self._nodes[name] = {}

    def view(self) -> View:
        """What it has heard of."""
        return View(
            nodes=sorted(self._nodes),
            groups=[name for name, node in sorted(self._nodes.items()) if node.get("type") == "group"],
            edges=sorted(self._edges),
            ends=sorted(self._edges.values()),
            types=("worker",),
            sections=sorted(self._sections),
        )

    def fresh(self, kind: str) -> str:
        """An id that nobody else has."""
        return f"a{self.number}-{kind[0]}{self._count}-{self.rng.randrange(1000)}"

    def written(self) -> str:
        """What it writes next, which nobody else does."""
        return f"a{self.number} {self._count}"

    def body_of(self, section: str) -> str:
        """The text of a section, as it was read."""
        return self._sections.get(section, "").strip()

    async def _take_back(self, caller: AgentCaller) -> None:
        if self.acknowledged:
            await self._call(caller, "undo", revision=self.rng.choice(list(self.acknowledged.values())))


class CrowdPlayer(Player):
    """Draws what an agent sends; all that it writes can be recognised."""

    errs = 0.02

    def __init__(self, author: CrowdAgent) -> None:
        super().__init__(author.rng, author.view())
        self._author = author

    def new_id(self, kind: Kind) -> str:
        """Return an id that nobody else has; of few types, so that several agents define the same one."""
        return self.chance.choice(self.ids[kind]) if kind == "type" else self._author.fresh(kind)

    def text(self, field: str) -> str:
        """Return a text that nobody else writes."""
        return self._author.written()

    def body(self, section: str) -> str:
        """Return a section as it was read, with a word more."""
        return f"\n{self._author.body_of(section)} {self._author.written().replace(' ', '-')}\n"

    def quote(self, section: str) -> str:
        """Return a word that most sections have."""
        return self.chance.choice(WORDS)
