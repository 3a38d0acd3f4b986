"""What a page is told and when, without any I/O."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from draftsmith.collab.client_messages import Ping, Presence, Resync, Unwatch, Watch
from draftsmith.collab.commit_buffer import MAX_BYTES
from draftsmith.collab.commit_message import commit_message
from draftsmith.collab.connection_state import MAX_OUTBOX, MAX_OUTBOX_BYTES
from draftsmith.collab.protocol import close_reason
from draftsmith.collab.room import KEEPALIVE_S, TICK_S
from draftsmith.collab.server_messages import Commit
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Head
from draftsmith.history.replica import TAIL
from tests.room_pages import ANN, BOB, CLEO, EPOCH, RenameLog, RoomPage, join, rejoin, room_of


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["t"] for message in messages]


def room_with_pages(log: RenameLog, *names: str) -> tuple[Any, list[RoomPage]]:
    """A room with pages that have taken their first frame."""
    room = room_of(log)
    pages = [join(room, name, actor) for name, actor in zip(names, (ANN, BOB, CLEO), strict=False)]
    for page in pages:
        page.take()
    for page in pages:
        page.take()  # the roster, as others came
    return room, pages


def test_the_first_frame_is_welcome_state_roster() -> None:
    log = RenameLog()
    log.commit()
    page = join(room_of(log), "m1")
    assert kinds(page.take()) == ["welcome", "state", "roster"]
    assert (page.rev, page.name) == (1, "n1")
    assert page.take() == []


def test_the_welcome_says_what_one_may_do_here() -> None:
    log = RenameLog()
    log.commit()
    room = room_of(log)
    (welcome, *_) = join(room, "m1").take()
    assert (welcome["role"], welcome["frozen"]) == ("owner", None)
    (welcome, *_) = join(room, "m2", BOB, role="viewer", frozen="A gap in its log.").take()
    assert (welcome["role"], welcome["frozen"]) == ("viewer", "A gap in its log.")


def test_who_comes_back_gets_what_it_missed() -> None:
    log = RenameLog()
    log.commit()
    room, (page,) = room_with_pages(log, "m1")
    room.leave(page.connection)
    log.commit()
    log.commit()
    room.workspace_moved(log.replica)
    again = rejoin(room, "m2", page, log)
    frame = again.take()
    assert kinds(frame) == ["welcome", "commit", "commit", "roster"]
    assert frame[0]["resumed"]
    assert again.rev == 3


def test_who_comes_back_up_to_date_gets_nothing_but_the_welcome() -> None:
    log = RenameLog()
    log.commit()
    room, (page,) = room_with_pages(log, "m1")
    assert kinds(rejoin(room, "m2", page, log).take()) == ["welcome", "roster"]


def test_what_was_written_before_the_connection_broke_is_announced_with_its_commit() -> None:
    log = RenameLog()
    log.commit()
    room, (page,) = room_with_pages(log, "m1")
    log.commit("tx-1")
    log.commit("tx-2")
    room.workspace_moved(log.replica)
    again = rejoin(room, "m2", page, log, {"tx-2": "write-02", "tx-9": "write-09"})
    frame = again.take()
    assert kinds(frame) == ["welcome", "commit", "committed", "commit", "roster"]
    assert (frame[2]["id"], frame[2]["replayed"]) == ("write-02", True)
    log.commit("tx-9")  # it was on its way all the time
    room.workspace_moved(log.replica)
    assert kinds(again.take()) == ["committed", "commit"]


def test_a_page_of_another_history_gets_the_state() -> None:
    log = RenameLog()
    log.commit()
    room, (page,) = room_with_pages(log, "m1")
    for position in (Head("e0", 1, page.h), Head(EPOCH, 1, "f" * 16), Head(EPOCH, 9, page.h)):
        frame = join(room, "m2", position=position).take()
        assert kinds(frame)[:2] == ["welcome", "state"]
        assert (frame[0]["resumed"], frame[1]["why"]) == (False, "diverged")


def test_everybody_at_one_place_shares_one_frame() -> None:
    """A frame of commits is made once, however many pages take it."""
    log = RenameLog()
    room, pages = room_with_pages(log, "m1", "m2", "m3")
    log.commit()
    log.commit()
    room.workspace_moved(log.replica)
    texts = [room.frame(page.connection, 0.0) for page in pages]
    assert texts[0] is texts[1] is texts[2]


def test_a_slow_reader_gets_larger_frames_and_then_the_state() -> None:
    log = RenameLog()
    room, (quick, slow) = room_with_pages(log, "m1", "m2")
    for _ in range(10):
        log.commit()
        room.workspace_moved(log.replica)
        assert kinds(quick.take()) == ["commit"]
    assert kinds(slow.take()) == ["commit"] * 10
    for _ in range(TAIL + 1):
        log.commit()
        room.workspace_moved(log.replica)
    frame = slow.take()
    assert (kinds(frame), frame[0]["why"]) == (["state"], "behind")
    assert slow.rev == log.replica.head.revision
    assert room.shared.resyncs == 1


def test_what_the_slowest_lacks_is_kept() -> None:
    """More of it than is kept for nobody, while others have it all."""
    log = RenameLog()
    room, (quick, slow) = room_with_pages(log, "m1", "m2")
    for _ in range(10):
        log.commit(size=100_000)
        room.workspace_moved(log.replica)
        quick.take()
        room.tick(0.0)
    assert kinds(slow.take()) == ["commit"] * 10


def test_what_is_kept_for_slow_readers_is_bounded_in_bytes() -> None:
    log = RenameLog()
    room, (slow,) = room_with_pages(log, "m1")
    for _ in range(10):
        log.commit(size=MAX_BYTES // 8)
        room.workspace_moved(log.replica)
        room.tick(0.0)
    assert room.shared.commits._bytes <= MAX_BYTES
    assert kinds(slow.take()) == ["state"]
    room.tick(0.0)
    for _ in range(20):
        log.commit(size=100_000)
        room.workspace_moved(log.replica)
        slow.take()
        room.tick(0.0)
    assert room.shared.commits._bytes < 400_000, "what everybody has been told is let go of"


def test_a_commit_larger_than_what_is_kept_comes_as_state() -> None:
    log = RenameLog()
    room, (page,) = room_with_pages(log, "m1")
    page.connection.write_sent("tx-1", "write-01")
    entry = log.commit("tx-1", size=MAX_BYTES + 1)
    room.workspace_moved(log.replica)
    assert not page.connection.write_answered("tx-1", log.answer(entry))
    assert kinds(page.take()) == ["state", "committed"]


class TestAnswers:
    """Exactly one answer to each write, directly before its commit where that comes along."""

    def page(self) -> tuple[RenameLog, Any, RoomPage, RoomPage]:
        log = RenameLog()
        log.commit()
        room, (page, other) = room_with_pages(log, "m1", "m2")
        page.connection.write_sent("tx-1", "write-01")
        return log, room, page, other

    def test_the_commit_first_the_answer_later(self) -> None:
        log, room, page, other = self.page()
        log.commit()
        entry = log.commit("tx-1")
        room.workspace_moved(log.replica)
        frame = page.take()
        assert kinds(frame) == ["commit", "committed", "commit"]
        assert (frame[1]["id"], frame[1]["rev"], frame[1]["results"]) == ("write-01", 3, [{"index": 0}])
        assert not page.connection.write_answered("tx-1", log.answer(entry))
        assert page.take() == []
        assert kinds(other.take()) == ["commit", "commit"]

    def test_the_answer_first_the_commit_later(self) -> None:
        log, room, page, _ = self.page()
        entry = log.commit("tx-1")
        assert not page.connection.write_answered("tx-1", log.answer(entry))
        assert page.take() == []
        room.workspace_moved(log.replica)
        assert kinds(page.take()) == ["committed", "commit"]

    def test_nothing_to_do_is_told_after_what_made_it_so(self) -> None:
        """Or the page would drop what it shows before it has what others did."""
        log, room, page, _ = self.page()
        log.commit()
        room.workspace_moved(log.replica)
        assert page.connection.write_answered("tx-1", log.nothing())
        frame = page.take()
        assert kinds(frame) == ["commit", "committed"]
        assert not frame[1]["changed"]

    def test_a_repeat_of_what_the_page_has_been_told(self) -> None:
        log, room, page, _ = self.page()
        entry = log.commit("tx-1")
        room.workspace_moved(log.replica)
        page.take()
        page.connection.write_sent("tx-1", "write-01")
        assert page.connection.write_answered("tx-1", {**log.answer(entry), "replayed": True})
        assert kinds(page.take()) == ["committed"]

    def test_an_undo_with_nothing_left_is_a_commit_all_the_same(self) -> None:
        log, room, page, _ = self.page()
        entry = log.commit("tx-1", changes=False)
        room.workspace_moved(log.replica)
        assert not page.connection.write_answered("tx-1", {**log.answer(entry), "changed": False})
        frame = page.take()
        assert kinds(frame) == ["committed", "commit"]
        assert not frame[0]["changed"]

    def test_a_refusal(self) -> None:
        _log, _room, page, _ = self.page()
        assert page.connection.write_refused("tx-1", DraftsmithError("locked", "It is locked."))
        assert not page.connection.write_refused("tx-1", DraftsmithError("locked", "It is locked."))
        frame = page.take()
        assert (kinds(frame), frame[0]["retry"]) == (["rejected"], False)

    @pytest.mark.parametrize("code", ["storage_down", "outcome_unknown", "busy"])
    def test_what_was_refused_for_now_may_come_along_after_all(self, code: str) -> None:
        log, room, page, _ = self.page()
        assert page.connection.write_refused("tx-1", DraftsmithError(code, "Not now."))
        assert page.take()[0]["retry"]
        log.commit("tx-1")
        room.workspace_moved(log.replica)
        assert kinds(page.take()) == ["committed", "commit"]

    def test_no_refusal_overtakes_the_answer_that_waits_for_its_commit(self) -> None:
        """Of the same write, sent twice: it is in the log, so the page must not take it back."""
        log, room, page, _ = self.page()
        entry = log.commit("tx-1")
        assert not page.connection.write_answered("tx-1", log.answer(entry))
        assert not page.connection.write_refused("tx-1", DraftsmithError("locked", "It is locked."))
        assert page.take() == []
        room.workspace_moved(log.replica)
        assert kinds(page.take()) == ["committed", "commit"]

    def test_another_write_under_its_id_is_refused_after_its_commit(self) -> None:
        """Also where its answer is deferred, so that a page never takes the refusal for the answer."""
        log, room, page, _ = self.page()
        entry = log.commit("tx-1")
        assert not page.connection.write_answered("tx-1", log.answer(entry))
        reused = DraftsmithError("key_reused", "Take a new one.")
        assert not page.connection.another_refused("tx-1", "write-01", reused)
        assert page.take() == []
        room.workspace_moved(log.replica)
        frame = page.take()
        assert kinds(frame) == ["committed", "commit", "rejected"]
        assert (frame[2]["id"], frame[2]["code"]) == ("write-01", "key_reused")
        assert page.connection.another_refused("tx-1", "write-01", reused), "nothing waits any more"

    def test_another_write_under_its_id_is_refused_after_its_refusal(self) -> None:
        _log, _room, page, _ = self.page()
        assert not page.connection.another_refused("tx-1", "write-01", DraftsmithError("key_reused", "Take a new one."))
        assert page.connection.write_refused("tx-1", DraftsmithError("locked", "It is locked."))
        assert [message["code"] for message in page.take()] == ["locked", "key_reused"]

    def test_an_answer_whose_commit_is_lost_with_the_tail_is_taken_back(self) -> None:
        """The store has lost what it had acknowledged: the page sends it again."""
        log, room, page, _ = self.page()
        entry = log.commit("tx-1")
        room.workspace_moved(log.replica)
        assert not page.connection.write_answered("tx-1", log.answer(entry))
        log.lose(2)
        log.commit()
        room.workspace_moved(log.replica)
        frame = page.take()
        assert kinds(frame) == ["state", "rejected"]
        assert (frame[0]["why"], frame[1]["code"], frame[1]["retry"]) == ("diverged", "outcome_unknown", True)

    @pytest.mark.parametrize("is_replaced", [False, True])
    def test_an_answer_is_not_waited_for_when_its_commit_is_gone(self, is_replaced: bool) -> None:
        """Memory was dropped before it was followed; the log ends before it now, or has another one in its place."""
        log, room, page, _ = self.page()
        entry = log.commit("tx-1")
        assert not page.connection.write_answered("tx-1", log.answer(entry))
        room.workspace_moved(None)
        log.lose(1)
        if is_replaced:
            log.commit()
        room.workspace_moved(log.replica)
        assert room.next_tick(0.0) is not None
        frame = page.take()
        assert (kinds(frame), frame[-1]["retry"]) == (["commit", "rejected"] if is_replaced else ["rejected"], True)
        log.commit("tx-1")
        room.workspace_moved(log.replica)
        assert kinds(page.take()) == ["committed", "commit"]

    def test_an_answer_that_is_lost_before_the_first_frame_is_sent_again(self) -> None:
        log, room, _, _ = self.page()
        newcomer = join(room, "m3")
        newcomer.connection.write_sent("tx-3", "write-03")
        log.commit()
        entry = log.commit("tx-3")
        room.workspace_moved(log.replica)
        newcomer.connection.write_answered("tx-3", log.answer(entry))
        log.lose(1)
        room.workspace_moved(log.replica)
        assert kinds(newcomer.take()) == ["welcome", "state", "rejected", "roster"]

    def test_who_sends_and_never_reads_is_sent_away_for_few_long_answers_too(self) -> None:
        """What waits for it is bounded in bytes, not only in number."""
        _, _room, page, _ = self.page()
        detail = "It is locked. " * 8_000
        count = 0
        while page.connection.close_reason is None and count < MAX_OUTBOX // 2:
            count += 1
            page.connection.write_sent(f"t{count}", f"write-{count:02}")
            page.connection.write_refused(f"t{count}", DraftsmithError("locked", detail))
        assert kinds(page.take())[-1] == "bye"
        assert count * len(detail) < 2 * MAX_OUTBOX_BYTES

    def test_who_sends_and_never_reads_is_sent_away(self) -> None:
        _, _room, page, _ = self.page()
        for number in range(MAX_OUTBOX + 1):
            page.connection.write_sent(f"t{number}", f"write-{number:02}")
            page.connection.write_refused(f"t{number}", DraftsmithError("locked", "It is locked."))
        assert kinds(page.take())[-1] == "bye"
        assert page.take() == []


class TestMemory:
    """The writer's memory moves, is dropped, is loaded anew, or turns out to be of another history."""

    def test_while_it_is_gone_pages_wait_for_nothing_but_states(self) -> None:
        log = RenameLog()
        log.commit()
        room, (page,) = room_with_pages(log, "m1")
        log.commit()
        room.workspace_moved(log.replica)
        room.workspace_moved(None)
        newcomer = join(room, "m2")
        assert newcomer.take() == []
        assert kinds(page.take()) == ["commit", "roster"]
        room.workspace_moved(log.load())
        assert room.next_tick(0.0) is not None, "whoever waits for a state is woken"
        assert kinds(newcomer.take()) == ["welcome", "state", "roster"]
        assert room.frame(page.connection, 0.0) is None

    def test_loaded_anew_it_goes_on(self) -> None:
        log = RenameLog()
        log.commit()
        room, (page,) = room_with_pages(log, "m1")
        room.workspace_moved(None)
        log.load()
        log.commit()
        room.workspace_moved(log.replica)
        assert kinds(page.take()) == ["commit"]

    def test_loaded_from_a_later_state_whoever_is_before_it_gets_that(self) -> None:
        log = RenameLog()
        log.commit()
        room, (page,) = room_with_pages(log, "m1")
        log.commit()
        log.commit()
        log.load()
        log.replica.tail.clear()
        room.workspace_moved(log.replica)
        frame = page.take()
        assert (kinds(frame), frame[0]["why"]) == (["state"], "behind")

    def test_another_epoch_or_a_lost_tail_gives_the_state(self) -> None:
        log = RenameLog()
        log.commit()
        log.commit()
        room, (page,) = room_with_pages(log, "m1")
        log.lose(1)
        room.workspace_moved(log.replica)
        assert page.take()[0]["why"] == "diverged"
        assert page.rev == 1
        log.load("e2")
        room.workspace_moved(log.replica)
        assert page.take()[0]["why"] == "diverged"
        assert page.epoch == "e2"

    def test_a_lost_tail_that_has_grown_again_is_noticed(self) -> None:
        """The same number is not the same history."""
        log = RenameLog()
        log.commit()
        log.commit()
        room, (page,) = room_with_pages(log, "m1")
        room.workspace_moved(None)
        log.lose(1)
        log.commit()
        log.commit()
        room.workspace_moved(log.replica)
        frame = page.take()
        assert (kinds(frame), frame[0]["why"], page.rev) == (["state"], "diverged", 3)


class TestTicks:
    """A quiet room tells at once, a busy one in ticks."""

    def test_idle_at_once_then_every_tick(self) -> None:
        log = RenameLog()
        room, (page,) = room_with_pages(log, "m1")
        for number in range(2, 61):
            join(room, f"m{number}", BOB).take()
        page.take()
        room.tick(10.0)
        assert room.next_tick(10.0) is None
        log.commit()
        room.workspace_moved(log.replica)
        assert room.next_tick(20.0) == 0.0
        assert page.connection in room.tick(20.0)
        log.commit()
        room.workspace_moved(log.replica)
        assert room.next_tick(20.0 + TICK_S / 5) == pytest.approx(TICK_S * 4 / 5)

    def test_a_room_of_two_hardly_waits(self) -> None:
        """There is little to save by sending together what comes within a tick."""
        log = RenameLog()
        room, _ = room_with_pages(log, "m1", "m2")
        room.tick(10.0)
        log.commit()
        room.workspace_moved(log.replica)
        assert room.next_tick(10.0) == pytest.approx(TICK_S / 5)

    def test_a_page_that_hears_nothing_gets_a_sign(self) -> None:
        log = RenameLog()
        room, (page,) = room_with_pages(log, "m1")
        assert room.heartbeat(KEEPALIVE_S - 1) == []
        assert room.heartbeat(KEEPALIVE_S) == [page.connection]
        assert room.frame(page.connection, KEEPALIVE_S) == "[]"
        assert room.frame(page.connection, KEEPALIVE_S) is None


class TestPresence:
    """Everybody is told where the others are, nobody where they are themselves."""

    def test_only_others_and_only_those_who_moved(self) -> None:
        log = RenameLog()
        room, (ann, bob, cleo) = room_with_pages(log, "m1", "m2", "m3")
        room.shared.roster.move("m1", {"cursor": {"x": 1, "y": 2}})
        assert room.next_tick(1.0) == 0.0
        assert set(map(id, room.tick(1.0))) >= {id(bob.connection), id(cleo.connection)}
        assert ann.take() == []
        assert bob.take() == [{"t": "presence", "members": {"m1": {"cursor": {"x": 1, "y": 2}}}}]
        room.shared.roster.move("m2", {"view": "document"})
        room.shared.roster.move("m1", {})
        room.tick(2.0)
        assert cleo.take()[0]["members"] == {"m1": {}, "m2": {"view": "document"}}
        assert ann.take()[0]["members"] == {"m2": {"view": "document"}}
        assert cleo.take() == []

    def test_moves_wait_for_their_tick(self) -> None:
        log = RenameLog()
        room, (_ann, bob) = room_with_pages(log, "m1", "m2")
        room.shared.roster.move("m1", {"view": "split"})
        room.tick(1.0)
        bob.take()
        room.shared.roster.move("m1", {"view": "diagram"})
        log.commit()
        room.workspace_moved(log.replica)
        room.tick(1.001)
        assert kinds(bob.take()) == ["commit"]
        room.tick(1.0 + TICK_S)
        assert kinds(bob.take()) == ["presence"]

    def test_a_newcomer_learns_it_from_the_roster(self) -> None:
        log = RenameLog()
        room, _ = room_with_pages(log, "m1")
        room.shared.roster.move("m1", {"view": "split"})
        newcomer = join(room, "m2", BOB)
        roster = newcomer.take()[-1]
        assert [one["state"] for one in roster["members"]] == [{"view": "split"}, {}]
        room.tick(1.0)
        assert newcomer.take() == []


RUN = {"id": "r1", "actor": {"id": "ann"}, "prompt": "secret", "focus": {"nodes": ["a"]}, "updated_at": "1"}


class TestLatestValues:
    """Runs, proposals and the state of the store: the newest form, to whom it concerns."""

    def test_only_the_askers_own_pages_see_what_was_asked(self) -> None:
        log = RenameLog()
        room, (ann, bob) = room_with_pages(log, "m1", "m2")
        assert room.runs_changed([RUN], [])
        assert ann.take() == [{"t": "runs", "runs": [RUN]}]
        seen = bob.take()[0]["runs"][0]
        assert seen == {"id": "r1", "actor": {"id": "ann"}, "updated_at": "1"}

    def test_nothing_is_told_when_nothing_changed(self) -> None:
        log = RenameLog()
        room, (ann,) = room_with_pages(log, "m1")
        room.runs_changed([RUN], [])
        ann.take()
        assert not room.runs_changed([dict(RUN)], [])
        assert not room.runs_changed([{**RUN, "updated_at": "2"}], []), "a sign of life is no news"
        assert ann.take() == []

    def test_a_newcomer_is_told_what_there_is_and_nothing_of_what_there_is_not(self) -> None:
        log = RenameLog()
        room, _ = room_with_pages(log, "m1")
        room.runs_changed([RUN], [])
        room.runs_changed([RUN], [RUN])
        room.runs_changed([RUN], [])
        assert kinds(join(room, "m2", BOB).take()) == ["welcome", "state", "roster", "runs"]

    def test_the_store(self) -> None:
        log = RenameLog()
        room, (ann,) = room_with_pages(log, "m1")
        room.store_changed(is_ok=False)
        assert ann.take() == [{"t": "store", "ok": False}]
        assert kinds(join(room, "m2").take())[-1] == "store"
        room.store_changed(is_ok=True)
        assert kinds(join(room, "m3").take())[-1] == "roster"


class TestMessages:
    """What a page sends other than writes: the room says whether there is a frame for it at once."""

    def test_presence_is_for_others_and_a_ping_for_the_page_itself(self) -> None:
        log = RenameLog()
        room, (ann, bob) = room_with_pages(log, "m1", "m2")
        assert not room.handle(ann.connection, Presence(t="presence", state={"view": "split"}))
        assert room.next_tick(1.0) == 0.0
        room.tick(1.0)
        assert (ann.take(), kinds(bob.take())) == ([], ["presence"])
        assert room.handle(ann.connection, Ping(t="ping", n=7))
        assert ann.take() == [{"t": "pong", "n": 7}]

    def test_a_page_may_ask_for_the_state(self) -> None:
        log = RenameLog()
        log.commit()
        room, (ann,) = room_with_pages(log, "m1")
        assert room.handle(ann.connection, Resync(t="resync", why="a test"))
        frame = ann.take()
        assert (kinds(frame), frame[0]["why"]) == (["state"], "asked")

    def test_a_page_watches_so_many_runs_and_no_more(self) -> None:
        log = RenameLog()
        room, (ann,) = room_with_pages(log, "m1")
        runs = [f"{number:026}" for number in range(33)]
        for run in runs:
            assert room.handle(ann.connection, Watch(t="watch", run=run))
        frame = ann.take()
        assert [(one["t"], one["run"], one["code"]) for one in frame] == [("run_gone", runs[-1], "busy")]
        assert not room.handle(ann.connection, Unwatch(t="unwatch", run=runs[0]))
        room.handle(ann.connection, Watch(t="watch", run=runs[-1]))
        assert ann.take() == []
        assert set(room.shared.feeds) == set(runs[1:])


class TestFeeds:
    """Events of runs: read once, told to each page from where it is."""

    def test_from_where_each_is_until_the_end(self) -> None:
        log = RenameLog()
        room, (ann, bob) = room_with_pages(log, "m1", "m2")
        room.watch(ann.connection, "r1", "0")
        feed = room.shared.feeds["r1"]
        for number in range(3):
            feed.add(f"17-{number}", {"type": "text", "n": number})
        room.watch(bob.connection, "r1", "17-1")
        assert [one["event"]["n"] for one in ann.take()] == [0, 1, 2]
        assert [one["id"] for one in bob.take()] == ["17-2"]
        feed.add("18", {"type": "end"})
        feed.end()
        assert [one["event"]["type"] for one in ann.take()] == ["end"]
        assert not ann.connection.watched
        room.drop_unwatched()
        assert "r1" in room.shared.feeds
        bob.take()
        room.drop_unwatched()
        assert room.shared.feeds == {}

    def test_long_ones_come_in_parts(self) -> None:
        log = RenameLog()
        room, (ann,) = room_with_pages(log, "m1")
        room.watch(ann.connection, "r1", "0")
        for number in range(1_200):
            room.shared.feeds["r1"].add(f"{number + 1}", {"type": "text"})
        sizes = []
        while ann.connection.has_news():
            sizes.append(len(ann.take()))
        assert sizes == [500, 500, 200]

    def test_what_cannot_be_watched(self) -> None:
        log = RenameLog()
        room, (ann,) = room_with_pages(log, "m1")
        room.watch(ann.connection, "r1", "0")
        room.shared.feeds["r1"].end(DraftsmithError("run_not_found", "There is no such run."))
        frame = ann.take()
        assert (kinds(frame), frame[0]["code"]) == (["run_gone"], "run_not_found")


def test_an_end_is_told_after_everything_else_and_nothing_after_it() -> None:
    log = RenameLog()
    room, (ann, bob) = room_with_pages(log, "m1", "m2")
    log.commit()
    room.workspace_moved(log.replica)
    room.close(close_reason("restarting", "Soon again.", 500))
    frames = [ann.take(), bob.take()]
    assert [kinds(frame) for frame in frames] == [["commit", "bye"]] * 2
    assert frames[0][-1]["again_ms"] != frames[1][-1]["again_ms"], "not all of them at the same moment"
    log.commit()
    room.workspace_moved(log.replica)
    assert ann.take() == []
    assert ann.connection.is_closed


def test_an_end_does_not_wait_for_a_state() -> None:
    log = RenameLog()
    room = room_of(log)
    room.workspace_moved(None)
    page = join(room, "m1")
    room.close(close_reason("workspace_deleted", "It is in the trash."))
    frame = page.take()
    assert (kinds(frame)[0], kinds(frame)[-1], frame[-1]["again_ms"]) == ("welcome", "bye", None)


def test_a_commit_is_encoded_as_the_contract_says() -> None:
    log = RenameLog()
    one = commit_message(log.commit())
    checked = TypeAdapter(Commit).validate_json(one.commit)
    assert checked["rev"] == 1
    assert checked["steps"] == [{"k": "name", "v": ("", "n1")}]
