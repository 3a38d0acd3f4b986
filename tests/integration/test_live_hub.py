"""The hub of live on the real store: what a page is told, and what becomes of what it writes."""

from __future__ import annotations

from typing import Any

import pytest
import redis

from draftsmith.collab.protocol import ProtocolError
from draftsmith.errors import DraftsmithError
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.requests import from_input
from draftsmith.usecases.requests.identity import identify
from tests.faults.test_poison import POISONS, poison
from tests.integration.assistant_workers import ANA, BEN
from tests.integration.live_pages import Worker, worker


def add(name: str, **more: Any) -> dict[str, Any]:
    return {"op": "add_node", "id": name, "type": "service", "label": name.title(), **more}


async def through_http(one: Worker, write_id: str, *operations: dict[str, Any]) -> dict[str, Any]:
    """The same write through the other door."""
    workspaces = one.base.workspaces
    identity = identify(ANA, write_id, workspaces.clock)
    batch = parse_batch(list(operations), workspaces.limits)
    return await workspaces.submit(
        one.base.w, from_input.edit(identity, ANA, operations=list(operations), batch=batch, limits=workspaces.limits)
    )


class TestComing:
    async def test_a_page_is_welcomed_and_given_the_state(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            assert page.kinds()[0] == ["welcome", "state", "roster"]
            welcome, state, roster = page.frames[0]
            assert (welcome["resumed"], welcome["me"]["name"], state["why"]) == (False, "Ana", "fresh")
            assert welcome["limits"] == {"operations": 500, "batch_bytes": 1_000_000, "document_chars": 2_000_000}
            assert [member["member"] for member in roster["members"]] == [welcome["member"]] == [page.connection.member]

    async def test_a_frozen_workspace_is_welcomed_as_such(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            workspaces = one.base.workspaces
            assert (await one.join(ANA)).frames[0][0]["frozen"] is None
            await poison(workspaces.log, one.base.w, "x", POISONS["unknown step kind"])
            page = await one.join(BEN)
            assert page.frames[0][0]["frozen"] == workspaces.writer(one.base.w).frozen_reason
            assert (page.kinds()[0], page.frames[0][0]["role"]) == (["welcome", "state", "roster"], "owner")
            assert page.frames[0][0]["frozen"]

    async def test_who_comes_back_gets_what_it_missed(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            await page.leave()
            await one.base.edit(BEN, add("a"))
            await one.base.edit(BEN, add("b"))
            back = await one.join(ANA, page)
            assert back.kinds()[0] == ["welcome", "commit", "commit", "roster"]
            assert back.shape == (await one.join(BEN)).shape

    async def test_what_memory_does_not_reach_is_read_from_the_log(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            await page.leave()
            for number in range(1_100):
                await one.base.edit(BEN, {"op": "rename_workspace", "name": f"Shop {number}"})
            back = await one.join(ANA, page)
            assert back.frames[0][0]["resumed"]
            assert len(back.received("commit")) == 1_100
            assert back.shape["name"] == "Shop 1099"

    async def test_too_much_comes_as_state(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            await page.leave()
            for number in range(3):
                text = f"# Long {number}\n\n" + f"word{number} " * 150_000
                await one.base.edit(BEN, {"op": "replace_document", "text": text})
            back = await one.join(ANA, page)
            assert [message["t"] for message in back.frames[0]][:2] == ["welcome", "state"]
            assert back.received("state")[0]["why"] == "behind"

    async def test_another_history_comes_as_state(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            await page.leave()
            page.h = "0123456789abcdef"
            assert (await one.join(ANA, page)).received("state")[0]["why"] == "diverged"
            page.epoch = "another"
            assert (await one.join(ANA, page)).received("state")[0]["why"] == "diverged"

    async def test_there_must_be_a_workspace(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            one.base.w, real = "0" * 26, one.base.w
            with pytest.raises(DraftsmithError, match="workspace_not_found"):
                await one.join(ANA)
            one.base.w = real
            await one.base.workspaces.set_deleted(real, True)
            with pytest.raises(DraftsmithError, match="workspace_deleted"):
                await one.join(ANA)
            assert one.live.room_count == 0

    async def test_a_second_hello_is_outside(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            with pytest.raises(ProtocolError):
                page.send("hello", v=1)

    async def test_a_page_may_ask_for_the_state_and_for_a_sign(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            page.send("resync", why="a test")
            await page.until(lambda one: len(one.received("state")) == 2)
            assert page.received("state")[1]["why"] == "asked"
            page.send("ping", n=7)
            assert (await page.until(lambda one: one.received("pong")))[0]["n"] == 7


class TestWriting:
    async def test_everybody_sees_it_and_only_the_writer_is_answered(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            ana, ben = await one.join(ANA), await one.join(BEN)
            answer = await ana.do("submit", "write-0001", operations=[add("cache")], explanation="Faster")
            assert (answer["t"], answer["changed"], answer["replayed"]) == ("committed", True, False)
            assert answer["results"][0]["ids"] == ["cache"]
            await ben.until_rev(answer["rev"])
            assert ana.shape == ben.shape
            assert not ben.received("committed")
            commit = ben.received("commit")[-1]
            assert (commit["by"]["name"], commit["why"], commit["source"]) == ("Ana", "Faster", "page")
            frame = next(frame for frame in ana.frames if any(message["t"] == "committed" for message in frame))
            assert [message["t"] for message in frame][:2] == ["committed", "commit"]

    async def test_writes_are_carried_out_in_the_order_in_which_they_came(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            for number in range(60):
                kind = {"op": "add_node", "id": f"n{number}", "type": "service", "label": "N"}
                follower = [{"op": "add_edge", "source": f"n{number - 1}", "target": f"n{number}"}] if number else []
                page.send("submit", id=f"write-{number:04}", operations=[kind, *follower])
                if number % 7 == 0:
                    page.send("undo", id=f"undo-{number:04}")
                    page.send("redo", id=f"redo-{number:04}")
            await page.answer("write-0059")
            revisions = [message["rev"] for message in page.received("committed")]
            assert revisions == sorted(revisions)
            assert len(revisions) == 60 + 2 * 9
            assert not page.received("rejected")

    async def test_the_same_write_through_both_doors_is_one(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            first = await through_http(one, "write-0001", add("a"))
            answer = await page.do("submit", "write-0001", operations=[add("a")])
            assert (answer["rev"], answer["replayed"]) == (first["revision"], True)
            await page.do("submit", "write-0002", operations=[add("b")])
            again = await through_http(one, "write-0002", add("b"))
            assert again["replayed"]
            other = await page.do("submit", "write-0001", operations=[add("c")])
            assert (other["t"], other["code"], other["retry"]) == ("rejected", "key_reused", False)

    async def test_steps_back_through_both_doors_are_one(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            await page.do("submit", "write-0001", operations=[add("a")])
            undone = await page.do("undo", "undo-0001")
            identity = identify(ANA, "undo-0001", one.base.workspaces.clock)
            step = from_input.undo(identity, ANA, limits=WorkspaceLimits(), scope="mine", expect=None, force=False)
            again = await one.base.workspaces.submit(one.base.w, step)
            assert (again["revision"], again["replayed"]) == (undone["rev"], True)

    async def test_what_it_wrote_before_is_announced_when_it_comes_back(self, redis_url: str) -> None:
        """The connection broke before the answer came; the write was carried out all the same."""
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            await page.stop()
            page.send("submit", id="write-0001", operations=[add("a")])
            await page.connection.leave()
            back = await one.join(ANA, page, ["write-0001", "write-0002"])
            answer = await back.answer("write-0001")
            assert (answer["changed"], back.received("commit")[-1]["rev"]) == (True, answer["rev"])
            again = await back.do("submit", "write-0001", operations=[add("a")])
            assert (again["rev"], again["replayed"]) == (answer["rev"], True)

    async def test_undo_redo_and_revert(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            ana, ben = await one.join(ANA), await one.join(BEN)
            added = await ana.do("submit", "write-0001", operations=[add("a")])
            other = await ben.do("submit", "write-0002", operations=[add("b")])
            undone = await ana.do("undo", "undo-0001", expect=added["rev"])
            assert undone["kind"] == "undo"
            await ana.do("redo", "redo-0001")
            reverted = await ana.do("revert", "revert-01", rev=other["rev"])
            assert reverted["kind"] == "revert"
            nodes = {node[0] for node in ana.shape["nodes"]}
            assert "a" in nodes
            assert "b" not in nodes
            refused = await ben.do("undo", "undo-0002", expect=1)
            assert (refused["code"], refused["retry"]) == ("undo_moved", False)

    async def test_two_type_at_the_same_place_at_the_same_time(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            ana, ben = await one.join(ANA), await one.join(BEN)
            base, length = ana.rev, len(ana.shape["text"])
            for page, name in ((ana, "Ana 😀"), (ben, "Ben")):
                changes = [[0, name], length]
                page.send("type", id=f"typed-{name[:3]}", epoch=page.epoch, base=base, changes=changes)
            for page, name in ((ana, "typed-Ana"), (ben, "typed-Ben")):
                assert (await page.answer(name))["changed"]
            await ana.until_rev(base + 2)
            await ben.until_rev(base + 2)
            assert ana.shape == ben.shape
            assert ana.shape["text"].startswith("Ana 😀Ben#")
            commit = ana.received("commit")[-1]
            assert (commit["kind"], commit["source"]) == ("text", "page")
            wrong = await ana.do("type", "typed-0003", epoch="another", base=base, changes=[[0, "x"], length])
            assert (wrong["code"], wrong["retry"]) == ("base_gone", False)

    async def test_typed_text_sent_again_under_its_id_is_the_same_though_it_was_mapped(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            length = len(page.shape["text"])
            more = {"epoch": page.epoch, "changes": [[0, "Typed. "], length]}
            first = await page.do("type", "typed-0001", base=page.rev, **more)
            changes = [length + 7, [0, "x"]]
            again = await page.do("type", "typed-0001", epoch=page.epoch, base=page.rev, changes=changes)
            assert (again["t"], again["rev"], again["replayed"]) == ("committed", first["rev"], True)

    @pytest.mark.parametrize(
        "operations, code, inner",
        [
            ([{"op": "add_node", "id": "api", "type": "service", "label": "Twice"}], "batch_rejected", "node_exists"),
            ([{"op": "no_such"}], "invalid_request", "op_unknown"),
            ([{"op": "rename_workspace", "name": "N"}] * 501, "invalid_request", "limit_operations"),
            ([{"op": "rename_workspace", "name": "a\x00b"}], "invalid_request", "field_invalid"),
            (
                [{"op": "update_node", "id": "api", "notes": "x" * 1_000_001}],
                "invalid_request",
                ("limit_bytes", "field_invalid"),
            ),
        ],
    )
    async def test_what_does_not_fit_is_rejected_with_every_reason(
        self, redis_url: str, operations: list[Any], code: str, inner: Any
    ) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            answer = await page.do("submit", "write-0001", operations=operations)
            assert (answer["t"], answer["code"], answer["retry"]) == ("rejected", code, False)
            assert answer["problems"][0]["code"] in inner
            assert page.received("commit") == []

    async def test_a_text_that_speaks_of_nul_holds_none(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            answer = await page.do("submit", "write-0001", operations=[{"op": "rename_workspace", "name": "\\u0000"}])
            assert answer["t"] == "committed"

    async def test_nothing_to_do_is_an_answer(self, redis_url: str) -> None:
        async with worker(redis_url) as one:
            await one.base.make_shop()
            page = await one.join(ANA)
            answer = await page.do("submit", "write-0001", operations=[{"op": "rename_workspace", "name": "Shop"}])
            assert (answer["t"], answer["changed"]) == ("committed", False)


async def test_a_slow_reader_is_given_the_state_and_nobody_waits_for_it(redis_url: str) -> None:
    async with worker(redis_url) as one:
        await one.base.make_shop()
        slow, quick = await one.join(ANA), await one.join(BEN)
        await slow.stop()
        for number in range(1_100):
            quick.send("submit", id=f"write-{number:04}", operations=[{"op": "rename_workspace", "name": f"S{number}"}])
            if number % 100 == 99:
                await quick.answer(f"write-{number:04}")
        assert len(quick.received("commit")) == 1_100
        slow.read()
        await slow.until_rev(quick.rev)
        assert [message["why"] for message in slow.received("state")] == ["fresh", "behind"]
        assert slow.shape == quick.shape


async def test_a_tail_that_the_store_has_lost_is_taken_back_on_pages(redis_url: str) -> None:
    """A failover: the same numbers are another history now, and the page is given that."""
    async with worker(redis_url, heartbeat=0.05) as one:
        await one.base.make_shop()
        page = await one.join(ANA)
        with redis.Redis.from_url(redis_url) as client:
            names = [key for key in client.keys(f"ws:{{{one.base.w}}}:*") if client.type(key) != b"none"]
            copies = {key: client.dump(key) for key in names}
            await page.do("submit", "write-0001", operations=[add("lost")])
            for key, copy in copies.items():
                client.restore(key, 0, copy, replace=True)  # type: ignore[arg-type]
        await page.until(lambda one: len(one.received("state")) == 2)
        assert page.received("state")[1]["why"] == "diverged"
        assert "lost" not in {node[0] for node in page.shape["nodes"]}
        again = await page.do("submit", "write-0001", operations=[add("lost")])
        assert again["t"] == "committed"
        assert "lost" in {node[0] for node in page.shape["nodes"]}


async def test_a_defect_in_one_connection_closes_that_alone(redis_url: str) -> None:
    async with worker(redis_url) as one:
        await one.base.make_shop()
        broken, other = await one.join(ANA), await one.join(BEN)
        broken.connection.watched["no such feed"] = (0, 0)  # what no page can bring about
        answer = await other.do("submit", "write-0001", operations=[add("a")])
        assert answer["t"] == "committed"
        await broken.until(lambda one: one.close_reason)
        assert broken.close_reason is not None
        assert broken.close_reason.code == "internal"
        assert broken.received("bye")[0]["again_ms"] is not None
        await broken.leave()
        assert (await other.do("submit", "write-0002", operations=[add("b")]))["t"] == "committed"
