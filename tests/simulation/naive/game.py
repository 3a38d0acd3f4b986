"""A game: steps drawn from one seed, each played on the real engine and on the model, compared after every one.

What a step does is drawn from its own seed and the state it meets, so any part of a game is a game too. That is how one
that fails is made short.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.simulation.naive.model import Disagreement, Expected, Model, Undecided, check_laws, shown
from tests.simulation.naive.moves import Words, batch, start
from tests.simulation.naive.people import NAMES, People

STEPS = 60
_MOST_TRIES = 150
_KINDS = {
    "draw": 16,
    "write": 12,
    "type": 12,
    "both": 8,
    "undo": 16,
    "undo_all": 8,
    "redo": 12,
    "revert": 16,
    "keys": 6,
    "refused": 3,
}


@dataclass(frozen=True)
class Step:
    """Somebody does something through a worker.

    Attributes:
        seed: of what the kind leaves open.
    """

    kind: str
    person: str
    seed: int


def drawn(name: str, count: int = STEPS) -> list[Step]:
    """The steps of a game, which follow from its name; one that ends with `restores` restores revisions, too."""
    chance = random.Random(name)
    weights = {**_KINDS, **({"restore": 3} if name.endswith("restores") else {})}
    kinds = chance.choices(list(weights), list(weights.values()), k=count)
    return [Step(kind, chance.choice(NAMES), chance.getrandbits(32)) for kind in kinds]


@dataclass
class Game:
    """One workspace, on two workers and in the model.

    Attributes:
        told: what was sent, to be read by people.
    """

    people: People
    told: list[str] = field(default_factory=list)

    def play(self, steps: Sequence[Step]) -> None:
        """Play all steps.

        Raises:
            Disagreement: engine and model differ.
        """
        self.words = Words()
        text = start(self.words)
        body = {"name": "Game", "document": {"text": text}}
        status, made = self.people.ask("ann", 0, "POST", "/workspaces", body)
        assert status == 201, made
        self.path = f"/workspaces/{made['id']}"
        self.model = Model("Game", text)
        self.told.append(f"created with the text {text!r}")
        for number, step in enumerate(steps):
            self._step(step, f"step-{number:06}")

    def _step(self, step: Step, key: str) -> None:
        chance = random.Random(step.seed)
        worker = chance.randrange(2)
        if step.kind in ("draw", "write", "type", "both"):
            operations, expected = batch(self.model, step.kind, chance, self.words)
            if operations:
                self._post(step.person, worker, "/batches", {"operations": operations}, [expected], key, chance)
        elif step.kind == "refused":
            self._refuse(step.person, worker, key, chance)
        elif step.kind == "keys":
            self._type(step.person, worker, key, chance)
        elif step.kind == "restore":
            revision = chance.choice([one for one in self.model.states if self.model.can_restore(one)])
            path = f"/revisions/{revision}/restore"
            self._post(step.person, worker, path, {}, self.model.restoring(revision), key, chance)
        else:
            self._take_back(step, worker, key, chance)
        if chance.random() < 0.3:
            self._check_stacks(chance.choice(NAMES), chance.randrange(2))
        if chance.random() < 0.1:
            self._check_past(chance.choice(list(self.model.states)), chance.randrange(2))

    def _take_back(self, step: Step, worker: int, key: str, chance: random.Random) -> None:
        stacks = self.model.stacks
        force = chance.random() < 0.25
        body: dict[str, Any] = {"force": True} if force else {}
        path, kind = f"/{step.kind}", step.kind
        taken: int | None
        match step.kind:
            case "revert":
                known = list(self.model.commits)
                if not known:
                    return
                taken = chance.choice(known[-10:] if chance.random() < 0.7 else known)
                path = f"/commits/{taken}/revert"
                if self.model.commits[taken].kind == "text" and chance.random() < 0.6:
                    body["upto"] = chance.randint(taken, self.model.revision)
            case "undo_all":
                taken, path, kind = stacks.next_undo(step.person, everyone=True), "/undo", "undo"
                body["scope"] = "all"
            case _:
                among = None
                if chance.random() < 0.2:
                    body["touching"] = "document"
                    among = [revision for revision, commit in self.model.commits.items() if commit.text]
                find = stacks.next_undo if step.kind == "undo" else stacks.next_redo
                taken = find(step.person, among=among)
        if taken in self.model.coarse and taken != self.model.revision:
            return
        if step.kind != "revert" and chance.random() < 0.1:
            self._check_expect(step.person, worker, path, {**body, "expect": (taken or 0) + 1})
            body["expect"] = taken or 1
            if taken is None:
                return
        if "upto" in body and taken is not None:
            allowed = self.model.taking_back_typing(taken, body["upto"])
        else:
            allowed = self.model.taking_back(kind, taken, force=force)
        if chance.random() < 0.15:
            self._check_dry_run(step.person, worker, path, body)
        self._post(step.person, worker, path, body, allowed, key, chance)

    def _post(
        self, person: str, worker: int, path: str, body: dict[str, Any], allowed: Iterable[Expected], key: str,
        chance: random.Random,
    ) -> None:  # fmt: skip
        """Send it, read from either worker what has become of it, and compare; perhaps send it once more."""
        head = self.model.revision
        status, answer = self.people.ask(person, worker, "POST", self.path + path, body, key)
        self.told.append(f"{head}: {person} POST {path} {json.dumps(body)} -> {status}")
        if status != 200:
            raise Disagreement(f"refused: {status} {answer}")
        self.told[-1] += f" revision {answer['revision']}" + "".join(f" {one}" for one in answer["left_out"])
        self._settle(person, allowed, answer, chance.randrange(2))
        if answer["changed"] and chance.random() < 0.1:
            _, again = self.people.ask(person, 1 - worker, "POST", self.path + path, body, key)
            if {**again, "replayed": False} != answer or not again["replayed"]:
                raise Disagreement(f"sent again: {again}, not {answer}")

    def _settle(self, person: str, allowed: Iterable[Expected], answer: dict[str, Any], worker: int) -> None:
        seen = self._seen(worker, "")
        check_laws(seen)
        self.model.settle(person, allowed, answer, seen)
        if seen["revision"] != self.model.revision:
            raise Disagreement(f"a worker shows revision {seen['revision']} after {self.model.revision}")

    def _type(self, person: str, worker: int, key: str, chance: random.Random) -> None:
        """A few pushes over a live connection; they are on no stack."""
        with self.people.page(person, worker, self.path) as page:
            for number in range(chance.randint(1, 4)):
                operations, expected = batch(self.model, "type", chance, self.words)
                if not operations:
                    continue
                self.people.calls += 1
                changes = operations[0]["changes"]
                answer = page.type(f"{key}-{number}", self.model.revision, changes)
                self.told.append(f"{self.model.revision}: {person} types {json.dumps(changes)} -> {answer}")
                if answer["status"] != 200:
                    raise Disagreement(f"refused: {answer}")
                self._settle(person, [replace(expected, kind="text")], answer, chance.randrange(2))

    def _refuse(self, person: str, worker: int, key: str, chance: random.Random) -> None:
        """A batch of which the last operation does not fit."""
        operations, _ = batch(self.model, "both", chance, self.words)
        body = {"operations": [*operations, {"op": "delete_node", "id": "nobody"}]}
        before = self._seen(1 - worker, "")
        status, answer = self.people.ask(person, worker, "POST", f"{self.path}/batches", body, key)
        if (status, answer.get("code")) != (422, "batch_rejected") or self._seen(1 - worker, "") != before:
            raise Disagreement(f"not refused: {status} {answer}")

    def _check_expect(self, person: str, worker: int, path: str, body: dict[str, Any]) -> None:
        """What expects another commit on top is refused."""
        status, answer = self.people.ask(person, worker, "POST", self.path + path, body)
        if (status, answer.get("code")) != (409, "undo_moved"):
            raise Disagreement(f"expected another commit on top: {status} {answer}")

    def _check_dry_run(self, person: str, worker: int, path: str, body: dict[str, Any]) -> None:
        before = self._seen(1 - worker, "")
        status, answer = self.people.ask(person, worker, "POST", self.path + path, {**body, "dry_run": True})
        if status != 200 or not answer["dry_run"] or answer["revision"] != self.model.revision:
            raise Disagreement(f"dry run: {status} {answer}")
        if self._seen(1 - worker, "") != before:
            raise Disagreement("a dry run changed something")

    def _check_stacks(self, person: str, worker: int) -> None:
        _, seen = self.people.ask(person, worker, "GET", f"{self.path}/undo")
        stacks = self.model.stacks
        for what, expected in (("undo", stacks.next_undo(person)), ("redo", stacks.next_redo(person))):
            found = seen[what] and seen[what]["rev"]
            if found != expected:
                raise Disagreement(f"next {what} of {person}: it is {found}, not {expected}")

    def _check_past(self, revision: int, worker: int) -> None:
        seen = self._seen(worker, f"/revisions/{revision}")
        diagram, text = self.model.states[revision]
        if (shown(seen), seen["document"]["text"]) != (diagram.shown(), str(text)):
            raise Disagreement(f"revision {revision} is not what it was: {seen}, not {diagram.shown()} {text}")

    def _seen(self, worker: int, path: str) -> Any:
        status, seen = self.people.ask("ann", worker, "GET", self.path + path)
        assert status == 200, seen
        return seen


@dataclass(frozen=True)
class Result:
    """How a game ended.

    Attributes:
        wrong: what differs; empty if nothing does.
        told: what was sent.
        settled: how many writes led to what was likeliest, and how many to something else that is allowed.
    """

    wrong: str
    told: Sequence[str]
    settled: Sequence[int]


def played(people: People, steps: Sequence[Step]) -> Result:
    """Play a game in a workspace of its own, until something differs."""
    game = Game(people)
    try:
        game.play(steps)
    except Undecided:
        pass  # the game ends here: the model does not know any more which character is which
    except Disagreement as wrong:
        return Result(str(wrong), game.told, game.model.settled)
    return Result("", game.told, game.model.settled)


def report(people: People, name: str, steps: Sequence[Step]) -> str:
    """What differs in a game that fails, made short, with everything that was sent."""
    short = shortened(people, steps)
    result = played(people, short)
    lines = "\n".join([*result.told, result.wrong])
    return f"game {name}, {len(short)} of {len(steps)} steps; python -m tests.simulation.naive {name}\n{lines}\n"


def shortened(people: People, steps: Sequence[Step], tries: int = _MOST_TRIES) -> list[Step]:
    """A part of a game that fails which fails as well: pieces are left out, halves first, single steps last."""
    kept = list(steps)
    size = len(kept) // 2
    while size and tries > 0:
        parts = list(_parts(kept, size))[:tries]
        tries -= len(parts)
        failing = next((part for part in parts if played(people, part).wrong), None)
        if failing is None:
            size //= 2
        else:
            kept = failing
    return kept


def _parts(steps: list[Step], size: int) -> Iterator[list[Step]]:
    """What is left without each piece of a size, the last ones first."""
    for at in reversed(range(0, len(steps), size)):
        yield steps[:at] + steps[at + size :]
