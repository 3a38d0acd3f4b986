"""Users who work on one page each: their next action is drawn from a seed, and every action can be recognised.

Each batch has an explanation of its own, and whatever is typed or written into the document is made of characters
that nobody else ever uses (of a private plane, so two UTF-16 units each), so the log shows how often it arrived.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.live.pages import Json, Page
from tests.simulation.moves import names_of, operation
from tests.simulation.player import Kind, Player, View

MARKS = 0xF0000
MARKS_EACH = 0x800
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
DOCUMENT = "".join(
    f"{'#' * (1 + (number > 0))} {title}\n\nThe {title.lower()} says {' '.join(WORDS)}, and 😀 é {number}.\n\n"
    for number, title in enumerate(["Shop", "Parts", "Flows", "Notes", "Open questions"])
)
TITLES = ("Parts", "Flows", "Notes", "Open questions")


# A whole diagram takes from everybody what they are about to edit, as deleting does where little is left.
_DRAWN = names_of("diagram", "workspace", without=("replace_diagram",))
_GROWING = names_of("diagram", "workspace", without=("replace_diagram", "delete_node", "delete_nodes"))
_ENOUGH = 12
# Pages do not look for sections: all of them name those of `TITLES`, which stay, as do the places where several type.
# What is typed is drawn by `User._typing`, at where the page is by then.
_WRITTEN = names_of("document", without=("delete_section", "rename_section", "replace_document", "edit_text"))


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
    _types: set[str] = field(default_factory=set)

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
        player = LivePlayer(self, View(sections=TITLES))
        written = operation(player, _WRITTEN)
        more = [operation(player, ("add_node",))] if self.rng.random() < 0.3 else []
        await self._ask_for([*more, written])

    # -- the diagram -------------------------------------------------------------------------------------------------

    async def _gesture(self) -> None:
        """One operation on the diagram, or two, of which the second can be about what the first adds."""
        look = await self.page.ask("look")
        player = LivePlayer(self, view_of(look, self._types))
        names = _DRAWN if len(player.view.nodes) >= _ENOUGH else _GROWING
        operations = [operation(player, names)]
        if operations[0] is not None and self.rng.random() < 0.3:
            player.view = player.view.after(operations[0])
            operations.append(operation(player, names))
        await self._ask_for(operations)

    async def _ask_for(self, drawn: Sequence[Json | None]) -> None:
        operations = [one for one in drawn if one is not None]
        if not operations:
            return
        self._count += 1
        marks = "".join(one for one in json.dumps(operations, ensure_ascii=False) if ord(one) >= MARKS)
        self._types |= {one["id"] for one in operations if one["op"] == "define_type"}
        action = Action(f"{self.page.name} {self._count}", operations, marks)
        self.actions.append(action)
        await self.page.ask("edit", operations=operations, explanation=action.explanation)

    def fresh(self, stem: str) -> str:
        """An id or a label that nobody else has."""
        return f"{self.page.name}-{stem}{self._count}-{self.rng.randrange(1000)}"

    @property
    def next_action(self) -> str:
        """What tells apart what they write next."""
        return f"{self.page.name} {self._count}"

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


def view_of(look: Json, types: Iterable[str]) -> View:
    """What a page sees of a workspace, and the types that it has defined."""
    own_types = sorted(types)
    return View(
        nodes=[one for one, _, _ in look["nodes"]],
        groups=[one for one, kind, _ in look["nodes"] if kind == "group"],
        edges=[one for one, _, _ in look["edges"]],
        ends=[(source, target) for _, source, target in look["edges"]],
        types=(*View.types, *own_types),
        own_types=own_types,
    )


class LivePlayer(Player):
    """Draws what a page asks for; all that it names and writes can be recognised."""

    # All of several quotes would put a mark in several times; what is locked stays so, and others' edits are refused.
    never = frozenset({"all", "locked"})
    errs = 0.01

    def __init__(self, user: User, view: View) -> None:
        super().__init__(user.rng, view)
        self._user = user
        self._quoted = ""

    def new_id(self, kind: Kind) -> str:
        """Return an id that nobody else has; of few types, so that several people define the same one."""
        return self.chance.choice(self.ids[kind]) if kind == "type" else self._user.fresh(kind[0])

    def point(self) -> Json:
        """Return a position."""
        return {"x": self.chance.randint(-2000, 1999) / 4, "y": self.chance.randint(0, 3999)}

    def text(self, field: str) -> str:
        """Return a text that nobody else writes; in the document, with a mark."""
        match field:
            case "label" | "edge label":
                return self._user.fresh("l")
            case "title":
                return f"Section {self._user.mark()}"
            case "text":
                return self.chance.choice(
                    (f"\nAdded {self._user.mark()} at the end.\n", f"\nAdded {self._user.mark()}.\n")
                )
            case "replace":
                return f" {self._quoted}{self._user.mark()} "
            case "name":
                return f"Shop of {self._user.next_action}"
            case _:
                return self._user.next_action

    def body(self, section: str) -> str:
        """Return the text that replaces a section's; the words that others quote stay."""
        return f"\n{section} {self._user.mark()} {' '.join(WORDS)}.\n"

    def quote(self, section: str) -> str:
        """Return a word that most sections have."""
        self._quoted = self.chance.choice(WORDS)
        return f" {self._quoted} "
