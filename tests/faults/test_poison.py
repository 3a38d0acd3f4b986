"""Entries that this release cannot apply: the workspace stands still before them, readable, and says so."""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import Any

import orjson
import pytest

from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Draft, Head, chain_hash, entry_of
from draftsmith.history.replica import Replica
from draftsmith.ports import AppendSuccess, Blob, CommitLog
from draftsmith.usecases.commits.workspaces import Workspaces
from draftsmith.usecases.requests.undo_requests import RestoreRequest
from tests.faults.checks import check, digest
from tests.faults.load import Asked, Load, actor, new_workspace
from tests.faults.servers import workers

GOOD = {"sv": 1, "w": "Something"}


def plain(content: Any) -> bytes:
    return b"j" + orjson.dumps(content)


def steps(*shapes: Any) -> bytes:
    return plain({**GOOD, "f": list(shapes)})


POISONS = {
    "unknown step kind": steps({"k": "hologram", "id": "a"}),
    "cut body": plain({**GOOD, "f": [{"k": "name", "v": ["a", "b"]}]})[:-9],
    "cut compressed body": b"z" + zlib.compress(orjson.dumps({**GOOD, "f": []}))[:-5],
    "empty body": b"",
    "unknown format": b"q{}",
    "not an object": plain([1, 2]),
    "newer schema": plain({**GOOD, "sv": 2, "f": []}),
    "schema that is no number": plain({**GOOD, "sv": "1", "f": []}),
    "no steps": plain(GOOD),
    "steps that are no list": plain({**GOOD, "f": 7}),
    "step that is no object": steps(7),
    "step kind that is no text": steps({"k": ["node+"]}),
    "step without fields": steps({"k": "node+"}),
    "step with wrong fields": steps({"k": "node=", "id": 3, "b": "x", "f": [1]}),
    "step that does not fit": steps({"k": "name", "v": ["not its name", "another"]}),
    "second step does not fit": steps(
        {"k": "name", "v": ["NAME", "Half way"]}, {"k": "name", "v": ["not its name", "another"]}
    ),
}


async def poison(log: CommitLog, w: str, name: str, body: bytes) -> Head:
    """Append an entry as another release, or a defect, might have; the head before it."""
    meta = await log.meta(w)
    assert meta is not None
    body = body.replace(b'"NAME"', orjson.dumps(meta.summary["name"]))
    draft = Draft(f"poison-{name}", "fp", '{"id":"x","name":"X","kind":"system"}', "x", "edit", "", body)
    outcome = await log.append(w, meta.head, [draft], meta.summary, "poisoner")
    assert isinstance(outcome, AppendSuccess)
    return meta.head


def adding(name: str) -> Asked:
    return Asked(name, "ann", "edit", [{"op": "add_node", "type": "service", "id": name[-12:], "label": "N"}])


async def code_of_refusal(worker: Workspaces, w: str, asked: Asked) -> str:
    """The code that a write is refused with."""
    with pytest.raises(DraftsmithError) as refusal:
        await worker.submit(w, asked.request())
    return refusal.value.code


@pytest.mark.parametrize("name", POISONS)
async def test_a_bad_entry_freezes_its_workspace_alone(name: str, redis_url: str, seed: str) -> None:
    """At the revision before it, at workers that held it as at new ones; reads answer, writes are 503 `frozen`."""
    async with workers(redis_url, redis_url, redis_url) as (warm, writer, fresh):
        w, other = await new_workspace(warm, f"{seed}-a"), await new_workspace(warm, f"{seed}-b")
        load = Load(w, seed)
        await load.run_count([warm, writer], 2, 10)
        good = await warm.read(w, lambda replica: (replica.head, digest(replica.dump())))
        assert await poison(warm.log, w, name, POISONS[name]) == good[0]
        assert await code_of_refusal(writer, w, adding(f"{seed}-first")) == "frozen"
        for worker in (warm, writer, fresh):
            assert await worker.read(w, lambda replica: (replica.head, digest(replica.dump()))) == good
            assert await code_of_refusal(worker, w, adding(f"{seed}-write")) == "frozen"
            loads = worker.counters.reloads
            for number in range(5):
                assert await code_of_refusal(worker, w, adding(f"{seed}-{number}")) == "frozen"
                assert await worker.read(w, lambda replica: replica.head) == good[0]
            assert worker.counters.reloads == loads, "it loads the workspace for every request"
            assert (await worker.submit(other, adding(f"{seed}-{worker.worker[-1]}").request()))["changed"]


async def test_what_was_made_before_the_bad_entry_is_answered(redis_url: str, seed: str) -> None:
    """A repeat of a commit that is in the log hears so, although the workspace takes no more writes."""
    async with workers(redis_url, redis_url) as two:
        w = await new_workspace(two[0], seed)
        first = await two[0].submit(w, adding(f"{seed}-made").request())
        await poison(two[0].log, w, "x", POISONS["unknown step kind"])
        for worker in two:
            again = await worker.submit(w, adding(f"{seed}-made").request())
            assert (again["revision"], again["replayed"]) == (first["revision"], True)
            other = replace(adding(f"{seed}-made"), operations=adding("another").operations)
            assert await code_of_refusal(worker, w, other) == "key_reused"


async def test_a_repaired_workspace_is_served_without_a_restart(redis_url: str, seed: str) -> None:
    """A repair installs the good part as a new epoch; workers that were frozen go on there."""
    async with workers(redis_url, redis_url) as two:
        w = await new_workspace(two[0], seed)
        load = Load(w, seed)
        await load.run_count(two, 2, 20)
        good = await two[0].log.entries(w, 0, 1000)
        await poison(two[0].log, w, "x", POISONS["cut body"])
        for worker in two:
            assert await code_of_refusal(worker, w, adding(f"{seed}-no")) == "frozen"
        await two[0].log.replace(w, Blob("repaired", 0, "0", 0, b""), good, {})
        for worker in two:
            assert (await worker.read(w, lambda replica: replica.head)).epoch == "repaired"
            assert worker.writer(w).frozen_reason is None
        assert (await two[1].submit(w, adding(f"{seed}-yes").request()))["changed"]
        await check(two[0].log, w, load.ledger, two, seed=seed)


async def test_damage_far_behind_the_head_bars_the_way_back_alone(redis_url: str, seed: str) -> None:
    """An entry that a snapshot has made unnecessary: what lies before it is told as gone, and all else goes on."""
    async with workers(redis_url) as (worker,):
        w = await new_workspace(worker, seed)
        good = await worker.log.entries(w, 0, 10)
        replica = Replica("rescued")
        replica.advance(good[0])
        bad = Draft("bad", "fp", good[0].actor, "", "edit", "", POISONS["unknown step kind"])
        line = [*good, entry_of(bad, 2, chain_hash(replica.head.chain, bad), 1)]
        state = Blob("rescued", 2, line[1].chain, 1, replica.dump())
        await worker.log.replace(w, state, line, {})
        asked = adding(f"{seed}-after")
        restore = RestoreRequest(
            batch_id="r", txid=f"{seed}-r", fingerprint="", actor=actor("ann"), scope="ann", target=1
        )
        with pytest.raises(DraftsmithError, match="trimmed"):
            await worker.submit(w, restore)
        assert (await worker.submit(w, asked.request()))["revision"] == 3
        assert worker.counters.reloads == 1


async def test_a_bad_snapshot_is_passed_over(redis_url: str, seed: str) -> None:
    """Of a newer release, or not a state at all: the one before it and the log still tell everything."""
    async with workers(redis_url, redis_url) as two:
        w = await new_workspace(two[0], seed)
        load = Load(w, seed)
        contents: dict[int, bytes] = {}
        for _ in range(3):
            await load.run_count(two[:1], 2, 6)
            replica = Replica("")
            for entry in await two[0].log.entries(w, 0, 1000):
                replica.head = replace(replica.head, epoch=(await two[0].meta(w)).head.epoch)
                replica.advance(entry)
            content = replica.dump()
            if contents:
                content = orjson.dumps({"sv": 9}) if len(contents) == 1 else b"nonsense"
            head = replica.head
            contents[head.revision] = content
            assert await two[0].log.put_snapshot(w, Blob(head.epoch, head.revision, head.chain, 1, content)) == "ok"
        await check(two[0].log, w, load.ledger, two, seed=seed)
