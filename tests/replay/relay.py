"""The relay with a real model: it is asked for an edit of a named section and then for its reversal, ten times over.

Two people edit other sections while it works. After each run everything is compared as in `tests.simulation.relay`:
what the model was not asked to touch is the same, byte for byte, or the row says "silent". What it did otherwise inside
the section that was named is its own doing, counted, and undone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import httpx

from tests.replay.relay_prompts import OFFERED, prompt_of
from tests.simulation.relay.checking import Unexpected, check_same, diagram_after, text_after
from tests.simulation.relay.diagram_edits import diagram_plan
from tests.simulation.relay.document_edits import DRAWN, document_plan
from tests.simulation.relay.documents import shelf
from tests.simulation.relay.doors import MODEL, OverHttp
from tests.simulation.relay.naive import Result
from tests.simulation.relay.plan import Op, Plan, together
from tests.simulation.relay.playing import Played
from tests.simulation.relay.relay import Relay
from tests.simulation.relay.tally import TOLD, Tally

_API = "/api/v1"
_LONGEST_SECONDS = 300.0
_LONGEST_PROMPT = 15_000
_OVER = frozenset({"applied", "proposed", "answered", "unchanged", "failed", "cancelled"})
_TRIES = 40
OTHERWISE = "done otherwise in the named section, and undone"


class ModelDoor(OverHttp):
    """A workspace of a running server whose assistant has a model."""

    async def ask(self, prompt: str) -> tuple[str, int, frozenset[str]]:
        """Have the assistant do something.

        Returns the run's status, how many of its batches were refused, and which nodes its outcome says to have moved
        and changed in nothing else: they made room.
        """
        client, runs = self._clients[MODEL], f"{_API}/workspaces/{self._w}/runs"
        asked = await client.post(runs, json={"prompt": prompt, "workflow": "edit", "mode": "apply"})
        asked.raise_for_status()
        run: dict[str, Any] = asked.json()
        path, start = f"{runs}/{run['id']}", time.monotonic()
        while run["status"] not in _OVER:
            if time.monotonic() - start > _LONGEST_SECONDS:
                await client.post(f"{path}/cancel", json={})
            run = (await client.get(path, headers={"Prefer": "wait=30"})).raise_for_status().json()
        if run["status"] == "proposed":  # a person looks at what takes much away, and says yes
            accepted = f"{_API}/workspaces/{self._w}/proposals/{run['id']}/accept"
            (await client.post(accepted, json={})).raise_for_status()
        events = (await client.get(f"{path}/events")).text
        changed = ((run["outcome"] or {}).get("diff") or {"nodes": {"changed": []}})["nodes"]["changed"]
        aside = frozenset(one["id"] for one in changed if one["fields"].keys() == {"position"})
        return run["status"], events.count("event: refused"), aside


class ModelRelay(Relay):
    """Plays over one document with a model."""

    _door: ModelDoor

    async def play_plan(self, plan: Plan) -> Played:
        """Ask for a plan in words while others edit, and compare."""
        assert plan.careful is not None
        prompt = prompt_of(plan.careful, self.truth.text)
        others = self._contributions(plan)
        (status, refused, aside), _ = await asyncio.gather(self._door.ask(prompt), self._others(others))
        splices = self._take_in(others)
        plan = replace(plan.moved(splices), aside=aside)
        before, now = self.truth, await self._door.state()
        self.truth = now
        if status not in ("applied", "proposed"):
            check_same(f"a run that ended as {status}: the document", before.text, now.text)
            check_same(f"a run that ended as {status}: the nodes", before.nodes, now.nodes)
            self._tally.add(plan.kind, "exact", TOLD)
            return Played(plan, now, splices=splices)
        try:
            result = text_after(plan, before, now)
            diagram_after(plan, before, now)
        except Unexpected as found:
            if not found.what.startswith("the named"):
                raise
            self._tally.add(plan.kind, "exact", TOLD)
            self._tally.counts[OTHERWISE] += 1
            await self._undone(before.text)
            return Played(plan, self.truth, splices=splices)
        self._tally.add(plan.kind, "exact", str(min(refused + 1, 3)))
        return Played(plan, before, result, splices)

    async def _undone(self, text: str) -> None:
        await self._door.undo(MODEL)
        self.truth = await self._door.state()
        check_same("undo of a run", text, self.truth.text)

    def _next_plan(self) -> Plan:
        """An edit that can be said in words, and that its operations can take back."""
        self._step += 1
        for _ in range(_TRIES):
            of_document = document_plan(self._read(), self._chance, self._step)
            of_diagram = diagram_plan(self.truth, self._chance, self._step)
            dice = self._chance.random()
            plan = of_diagram if of_document is None or dice < 0.2 else of_document
            if of_document is not None and dice > 0.9 and _can_be_said(of_diagram, self.truth.text):
                plan = together(of_document, of_diagram)
            if _can_be_said(plan, self.truth.text):
                return replace(plan, repeats=False)
        raise Unexpected("no edit of this document can be said in words", "")

    def _reversal(self, there: Played, result: Result) -> Plan | None:
        back = super()._reversal(there, result)
        return back if back is not None and _can_be_said(back, self.truth.text) else None


def _can_be_said(plan: Plan, text: str) -> bool:
    """Whether a model is offered these operations with all their fields, and the prompt is not too long."""
    if plan.careful is None or len(prompt_of_or_empty(plan.careful, text)) not in range(1, _LONGEST_PROMPT):
        return False
    return not any("position" in one or (one["op"] == "add_edge" and "id" in one) for one in plan.careful)


def prompt_of_or_empty(operations: Sequence[Op], text: str) -> str:
    """The request for some operations; empty if there is none of their kind."""
    known = all(one["op"] in OFFERED or one["op"] in DRAWN for one in operations)
    return prompt_of(operations, text) if known else ""


async def play_documents(base_url: str, count: int, pairs: int, seed: str) -> Tally:
    """Play over some documents of different kinds, one after the other; says how each went."""
    found = shelf()
    written = [*found.templates, *found.pages]
    documents = [pair for both in zip(found.generated, written, strict=False) for pair in both][:count]
    tally = Tally()
    tally.counts["documents"] = len(documents)
    for name, text in documents:
        door, own = ModelDoor(base_url), Tally()
        try:
            await ModelRelay(door, name, text, seed, own, pairs).play()
        finally:
            await door.close()
        ended = own.counts["relays that ended with the original"]
        print(
            f"{'right' if ended else 'WRONG'}  {name}: {own.counts['edits']} edits, {own.counts[TOLD]} refused",
            flush=True,
        )
        for finding in own.findings:
            print(f"  {finding}", flush=True)
        tally.take(own)
    return tally


def relay_and_report(base_url: str, count: int, pairs: int, seed: str) -> int:
    """Play, print the table; 0 if nothing was corrupted."""
    with httpx.Client(base_url=base_url, timeout=60.0) as client:
        served = client.get(f"{_API}/assistant").raise_for_status().json()
    tally = asyncio.run(play_documents(base_url, count, pairs, seed))
    print(f"\n{served['provider']} {served.get('model') or ''}\n\n{tally.table()}")
    print(f"{OTHERWISE:<62}{tally.counts[OTHERWISE]:>8}")
    return 1 if tally.findings else 0
