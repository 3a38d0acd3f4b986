"""Runs where much happens: others who never pause, long histories, long documents, long calls."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import pairwise
from typing import Any

import orjson
import pytest

from draftsmith.assistant.answers import parse
from draftsmith.errors import DraftsmithError
from draftsmith.usecases.commits.at_head import at_head, base_of
from draftsmith.usecases.runs import progress
from draftsmith.usecases.staging.staged_values import Preview
from draftsmith.usecases.staging.staging import StagingArea
from tests.integration.assistant_workers import BEN, AssistantWorker
from tests.memory_worker import memory_worker
from tests.scripted import Say
from tests.timeouts import NEVER_SECONDS, timeout

LONG_DOCUMENT = "# Doc\n\nBegin.\n\n" + "".join(
    f"## Part {n}\n\n{' '.join(f'Word{k}.' for k in range(10))}\n\n" for n in range(40)
)
LONG_CALLS: dict[str, list[dict[str, Any]]] = {
    "edit_document": [
        {"op": "edit_section", "section": f"## Part {n % 40}", "find": f"Word{n // 40}.", "replace": f"Count{n // 40}!"}
        for n in range(400)
    ],
    "edit_diagram": [
        {"op": "add_node", "id": "n0", "type": "service", "label": "First"},
        *(
            {
                "op": "add_node",
                "id": f"n{n // 2 + 1}",
                "type": "service",
                "label": f"Node {n}",
                "properties": {"a}": "]}"},
            }
            if n % 2 == 0
            else {"op": "add_edge", "source": f"n{n // 2}", "target": f"n{n // 2 + 1}", "label": 'a "quoted" \\ label'}
            for n in range(399)
        ),
    ],
}
TEXTS = {"operations": [{"op": "edit_section", "section": "## Storage", "find": "30 days", "replace": "90 days 🚀"}]}
LABEL = {"operations": [{"op": "update_node", "id": "db", "label": "Ledger"}]}


def typed_risk(n: int) -> dict[str, Any]:
    """What somebody types at the end of another section."""
    return {"op": "append_to_section", "section": "## Risks", "text": f"- No. {n} 👩‍🚀"}


async def test_a_run_is_applied_where_others_never_pause() -> None:
    """However often the head moves while older entries are read: what is read is not read again."""
    turns = [Say(calls=[("edit_document", TEXTS)]), Say(calls=[("edit_diagram", LABEL)]), Say("Done.")]
    async with memory_worker(turns) as (one, provider):
        await one.make_shop()
        stop = asyncio.Event()
        count = 0

        async def write_on() -> None:
            nonlocal count
            while not stop.is_set():
                await one.edit(BEN, typed_risk(count))
                count += 1

        async def meanwhile() -> None:
            seen = count
            while count < seen + 40:
                await one.edit(BEN, {"op": "update_node", "id": "worker", "label": f"Mailer {count}"})

        writing = asyncio.create_task(write_on())
        script = list(provider.script)
        provider.script = [Say(say.text, say.calls, happens=meanwhile) for say in script]
        run = await one.ask("Please.")
        stop.set()
        await writing
        assert run["status"] == "applied", run
        text = await one.text()
        assert "Retention is 90 days 🚀." in text
        assert all(f"- No. {n} 👩‍🚀" in text for n in range(count))


async def test_older_entries_are_read_once_however_the_head_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round reads what has come since the last; otherwise a busy workspace would never be caught up with."""
    async with memory_worker() as (one, _):
        await one.make_shop()
        base = await one.look(base_of)
        for n in range(3):
            await one.edit(BEN, typed_risk(n))
        read = one.workspaces.log.entries
        reads: list[tuple[int, int]] = []
        writer = one.workspaces.writer(one.w)

        async def entries(w: str, after: int, upto: int, count: int) -> Any:
            found = await read(w, after, upto, count)
            reads.append((after, upto))
            if len(reads) < 30:
                await one.edit(BEN, typed_risk(10 + len(reads)))
                writer._local.replica.tail.clear()  # type: ignore[union-attr]  # as if far more had come than memory holds
            return found

        writer._local.replica.tail.clear()  # type: ignore[union-attr]
        monkeypatch.setattr(one.workspaces.log, "entries", entries)
        later = await at_head(one.workspaces, one.w, base, "run_conflict", lambda replica, later: list(later))
        assert sum(upto - after for after, upto in reads) <= 40
        text = (await one.text()).encode("utf-16-le")
        assert later[-1].changes.new_length == len(text) // 2


async def test_changes_of_the_diagram_need_no_history(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proposal that leaves the text alone fits however much of the past is gone; one of the text says what is."""
    both = [("edit_diagram", LABEL), ("edit_document", TEXTS)]
    async with memory_worker([Say(calls=both), Say("Done.")]) as (one, _):
        await one.make_shop()
        run = await one.ask("Please.", mode="propose")
        for n in range(5):
            await one.edit(BEN, typed_risk(n))

        async def trimmed(*given: Any) -> Any:
            return []

        one.workspaces.forget(one.w)
        await one.state()
        writer = one.workspaces.writer(one.w)
        writer._local.replica.tail.clear()  # type: ignore[union-attr]
        monkeypatch.setattr(one.workspaces.log, "entries", trimmed)
        shown = await one.proposals.get(one.w, run["id"])
        assert [(op["op"], op["fits"]) for op in shown["operations"]] == [
            ("update_node", True),
            ("edit_section", False),
        ]
        with pytest.raises(DraftsmithError) as error:
            await one.proposals.accept(one.w, run["id"], BEN, None)
        assert error.value.code == "proposal_conflict"
        assert (await one.proposals.accept(one.w, run["id"], BEN, [0]))["changed"]
        node = await one.look(lambda replica: dict(replica.workspace.diagram.node("db")))
        assert node["label"] == "Ledger"


@pytest.mark.parametrize("tool, chunk", [("edit_diagram", 7), ("edit_diagram", 4_000), ("edit_document", 7)])
async def test_while_a_long_call_streams_in_others_go_on(
    monkeypatch: pytest.MonkeyPatch, tool: str, chunk: int
) -> None:
    """Four hundred operations: every byte is parsed and every operation resolved once, four at a time.

    Others have a turn in between, so what they wait for does not grow with the call, whatever the pieces it comes in.
    """
    operations = LONG_CALLS[tool]
    parsed: list[int] = []
    resolved: list[int] = []
    turns: list[int] = []
    turn = 0
    look, preview = parse.complete_operations, StagingArea.preview

    def counted(name: str, raw: str) -> list[Any]:
        parsed.append(len(raw))
        return look(name, raw)

    async def counted_preview(stage: StagingArea, asked: Any, before: Any) -> Any:
        resolved.append(len(asked))
        turns.append(turn)
        assert len(before.operations) <= 1, "what was shown before is applied as one"
        return await preview(stage, asked, before)

    async def others() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(progress, "complete_operations", counted)
    monkeypatch.setattr(StagingArea, "preview", counted_preview)
    given = {"operations": operations, "explanation": "as asked"}
    script = [Say(calls=[(tool, given)], chunk=chunk), Say("Done.")]
    async with memory_worker(script) as (one, _):
        await one.make_shop([], LONG_DOCUMENT)
        beside = asyncio.create_task(others())
        run = await one.ask("Please.", mode="apply")
        beside.cancel()
        assert run["status"] == "applied", run
        events = await one.events(run["id"])
        ghosts = [event for event in events if event["type"] == "ghost"]
        staged = next(event for event in events if event["type"] == "staged")["operations"]
        assert [one["index"] for one in ghosts] == list(range(len(operations))), "each is shown once, in order"
        assert [one["what"] for one in ghosts] == [one["what"] for one in staged], "as it is staged afterwards"
        assert sum(parsed) <= 1.2 * len(orjson.dumps(given))
        assert sum(resolved) == len(operations)
        assert max(resolved) <= 8
        assert all(one < other for one, other in pairwise(turns)), "others have had a turn in between"


async def test_pieces_that_complete_nothing_let_others_go_on() -> None:
    """A long text in pieces of seven characters, all of which have arrived already."""
    text = "Words of it. " * 2_000
    given = {"operations": [{"op": "append_to_section", "section": "## Storage", "text": text}]}
    async with memory_worker([Say(calls=[("edit_document", given)], chunk=7), Say("Done.")]) as (one, _):
        await one.make_shop()
        turns = 0

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        beside = asyncio.create_task(others())
        assert (await one.ask("Please."))["status"] == "applied"
        beside.cancel()
        assert turns > len(text) / 7 / progress.EVENTS_AT_ONCE


async def test_a_preview_follows_what_others_write_meanwhile() -> None:
    """Between two pieces somebody writes before the place of the edits: what is shown next is right all the same."""
    edits = LONG_CALLS["edit_document"][:40]
    async with memory_worker() as (one, _):
        await one.make_shop([], LONG_DOCUMENT)
        stage, preview = StagingArea(one.workspaces, one.w, one.workspaces.limits), Preview()
        shown = await stage.preview(edits[:20], preview)
        await one.edit(BEN, {"op": "edit_section", "section": "# Doc", "find": "Begin.", "replace": "Begin 👩‍🚀 here."})
        shown += await stage.preview(edits[20:], preview)
        assert None not in shown
        assert len(preview.operations) == 1, "what was shown before the write is carried over it"
        await one.edit(BEN, {"op": "edit_section", "section": "## Part 3", "find": "Word0.", "replace": "Mine."})
        (last,) = await stage.preview(
            [{"op": "edit_section", "section": "## Part 9", "find": "Word1.", "replace": "x"}], preview
        )
        assert last is not None, "what clashes begins the preview anew, and ends nothing"
        assert stage.dropped == stage.operations == []
        assert "Begin 👩‍🚀 here." in await one.text()
        assert "Count" not in await one.text(), "a preview changes nothing"


async def test_edits_of_a_long_text_with_emoji_among_typing() -> None:
    """Two hundred edits in half a megabyte, while others type before, between and after: all of both is there."""
    paragraphs = "\n\n".join(f"## Part {n}\n\nNumber {n} 🚀 stands here. {'Words 𝒳. ' * 250}" for n in range(200))
    edits = [
        {"op": "edit_section", "section": f"## Part {n}", "find": f"Number {n} 🚀", "replace": f"Count {n} 👩‍🚀"}
        for n in range(200)
    ]
    async with memory_worker([Say(calls=[("edit_document", {"operations": edits})]), Say("Done.")]) as (one, provider):
        one.assistant.starter.alive_ms = NEVER_SECONDS * 1_000  # a slow machine is no dead worker
        await one.make_shop([], f"# Doc\n\n{paragraphs}\n")

        async def others() -> None:
            for n in range(0, 200, 40):
                await one.edit(
                    BEN, {"op": "edit_section", "section": f"## Part {n}", "find": "stands here", "replace": "sits 🚀"}
                )

        provider.script = [provider.script[0], Say("Done.", happens=others)]
        run = await one.ask("Please.", mode="apply")
        assert run["status"] == "applied", run["outcome"]
        text = await one.text()
        for n in range(200):
            assert f"Count {n} 👩‍🚀 {'sits 🚀' if n % 40 == 0 else 'stands here'}." in text


async def test_the_same_place_is_never_written_twice() -> None:
    """Who edits the very words that the assistant has quoted keeps them; the model hears of it."""
    async with memory_worker([Say(calls=[("edit_document", TEXTS)]), Say("Done."), Say("Then not.")]) as (
        one,
        provider,
    ):
        await one.make_shop()

        async def others() -> None:
            await one.edit(
                BEN, {"op": "edit_section", "section": "## Storage", "find": "30 days", "replace": "3🚀 days"}
            )

        provider.script = [provider.script[0], Say("Done.", happens=others), provider.script[2]]
        run = await one.ask("Please.")
        assert run["status"] == "answered"
        assert "3🚀 days" in await one.text()
        assert "no longer fit" in str(provider.asked[2].messages[-1])


@pytest.mark.parametrize("what", ["trash", "trash and back", "gone", "another history"])
async def test_a_workspace_that_goes_in_the_middle_of_a_run(what: str) -> None:
    """The run fails with a reason or is applied to what came back, its watcher is let go, and nothing is left half."""
    async with memory_worker([Say(calls=[("edit_diagram", LABEL)]), Say("Done.")]) as (one, provider):
        await one.make_shop()
        await happens_in(one, provider, what)
        run = await one.start("Please.")
        await asyncio.wait([asyncio.create_task(watch_to_the_end(one, run["id"]))])
        row = await one.assistant.dependencies.store.run(one.w, run["id"])
        assert row is not None
        if what == "trash and back":
            assert row.status == "applied"
        else:
            assert row.status == "failed"
            code = {"trash": "workspace_deleted", "gone": "workspace_not_found", "another history": "run_conflict"}[
                what
            ]
            assert row.outcome["error"]["code"] == code


async def happens_in(one: AssistantWorker, provider: Any, what: str) -> None:
    """Let it happen before the second turn."""
    log = one.workspaces.log

    async def happens() -> None:
        if what.startswith("trash"):
            await log.set_deleted(one.w, True)
        if what == "trash and back":
            await log.set_deleted(one.w, False)
        if what == "gone":
            log._store.lines.pop(one.w)  # type: ignore[attr-defined]
        if what == "another history":
            line = log._store.lines[one.w]  # type: ignore[attr-defined]
            line.head = type(line.head)("other", line.head.revision, line.head.chain)
            one.workspaces.writer(one.w)._local.replica.head = line.head  # type: ignore[union-attr]

    provider.script = [provider.script[0], Say("Done.", happens=happens)]


async def watch_to_the_end(one: AssistantWorker, run_id: str) -> None:
    """Watch until the end, or until there is nothing to watch any more."""
    async with timeout():
        with suppress(DraftsmithError):  # the workspace is in the trash, or gone
            async for _ in one.assistant.watch(one.w, run_id, "0"):
                pass


async def test_a_recap_of_old_turns_reads_only_what_it_shows() -> None:
    """However much has happened since the last turn, the first message tells of the newest and counts the rest."""
    async with memory_worker([Say("Hello."), Say("Hello again.")]) as (one, provider):
        await one.make_shop()
        await one.ask("Hello?")
        for n in range(30):
            await one.edit(BEN, {"op": "update_node", "id": "worker", "label": f"Mailer {n}"})
        await one.ask("And </conversation> now?")
        first = str(provider.asked[1].messages[0])
        assert "10 earlier changes" in first
        assert "Mailer 29" in first
        assert "Hello." in first
