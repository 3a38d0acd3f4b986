"""What a page is told and when, without any I/O."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from pydantic import TypeAdapter

from draftsmith.collab.listener import DIRECT_AT_MOST
from draftsmith.collab.protocol import ending
from draftsmith.collab.recent import BEHIND_BYTES
from draftsmith.collab.room import SIGN_S, TICK_S
from draftsmith.collab.server_messages import Commit
from draftsmith.collab.told import told
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import Head
from draftsmith.history.replica import TAIL
from tests.rooms import ANN, BOB, CLEO, EPOCH, Line, Reader, back, room_of, sit


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["t"] for message in messages]


def started(line: Line, *names: str) -> tuple[Any, list[Reader]]:
    """A room with pages that have taken their first frame."""
    room = room_of(line)
    pages = [sit(room, name, actor) for name, actor in zip(names, (ANN, BOB, CLEO), strict=False)]
    for page in pages:
        page.take()
    for page in pages:
        page.take()  # the roster, as others came
    return room, pages


def test_the_first_frame_is_welcome_state_roster() -> None:
    line = Line()
    line.commit()
    page = sit(room_of(line), "m1")
    assert kinds(page.take()) == ["welcome", "state", "roster"]
    assert (page.rev, page.name) == (1, "n1")
    assert page.take() == []


def test_the_welcome_says_what_one_may_do_here() -> None:
    line = Line()
    line.commit()
    room = room_of(line)
    (welcome, *_) = sit(room, "m1").take()
    assert (welcome["role"], welcome["frozen"]) == ("owner", None)
    room.sit("m2", BOB, None, [], {}, 0.0, 0, role="viewer", frozen="A gap in its log.")
    told = orjson.loads(room.listeners["m2"].prelude[0])
    assert (told["role"], told["frozen"]) == ("viewer", "A gap in its log.")


def test_who_comes_back_gets_what_it_missed() -> None:
    line = Line()
    line.commit()
    room, (page,) = started(line, "m1")
    room.leave(page.listener)
    line.commit()
    line.commit()
    room.follow(line.replica)
    again = back(room, "m2", page, line)
    frame = again.take()
    assert kinds(frame) == ["welcome", "commit", "commit", "roster"]
    assert frame[0]["resumed"]
    assert again.rev == 3


def test_who_comes_back_up_to_date_gets_nothing_but_the_welcome() -> None:
    line = Line()
    line.commit()
    room, (page,) = started(line, "m1")
    assert kinds(back(room, "m2", page, line).take()) == ["welcome", "roster"]


def test_what_was_written_before_the_connection_broke_is_announced_with_its_commit() -> None:
    line = Line()
    line.commit()
    room, (page,) = started(line, "m1")
    line.commit("tx-1")
    line.commit("tx-2")
    room.follow(line.replica)
    again = back(room, "m2", page, line, {"tx-2": "write-02", "tx-9": "write-09"})
    frame = again.take()
    assert kinds(frame) == ["welcome", "commit", "committed", "commit", "roster"]
    assert (frame[2]["id"], frame[2]["replayed"]) == ("write-02", True)
    line.commit("tx-9")  # it was on its way all the time
    room.follow(line.replica)
    assert kinds(again.take()) == ["committed", "commit"]


def test_a_page_of_another_history_gets_the_state() -> None:
    line = Line()
    line.commit()
    room, (page,) = started(line, "m1")
    for place in (Head("e0", 1, page.h), Head(EPOCH, 1, "f" * 16), Head(EPOCH, 9, page.h)):
        frame = sit(room, "m2", place=place).take()
        assert kinds(frame)[:2] == ["welcome", "state"]
        assert (frame[0]["resumed"], frame[1]["why"]) == (False, "diverged")


def test_everybody_at_one_place_shares_one_frame() -> None:
    """A frame of commits is made once, however many pages take it."""
    line = Line()
    room, pages = started(line, "m1", "m2", "m3")
    line.commit()
    line.commit()
    room.follow(line.replica)
    texts = [room.take(page.listener, 0.0) for page in pages]
    assert texts[0] is texts[1] is texts[2]


def test_a_slow_reader_gets_larger_frames_and_then_the_state() -> None:
    line = Line()
    room, (quick, slow) = started(line, "m1", "m2")
    for _ in range(10):
        line.commit()
        room.follow(line.replica)
        assert kinds(quick.take()) == ["commit"]
    assert kinds(slow.take()) == ["commit"] * 10
    for _ in range(TAIL + 1):
        line.commit()
        room.follow(line.replica)
    frame = slow.take()
    assert (kinds(frame), frame[0]["why"]) == (["state"], "behind")
    assert slow.rev == line.replica.head.revision
    assert room.resyncs == 1


def test_what_is_kept_for_slow_readers_is_bounded_in_bytes() -> None:
    line = Line()
    room, (slow,) = started(line, "m1")
    for _ in range(10):
        line.commit(size=BEHIND_BYTES // 8)
        room.follow(line.replica)
        room.flush(0.0)
    assert room.recent._bytes <= BEHIND_BYTES
    assert kinds(slow.take()) == ["state"]
    room.flush(0.0)
    for _ in range(20):
        line.commit(size=100_000)
        room.follow(line.replica)
        slow.take()
        room.flush(0.0)
    assert room.recent._bytes < 400_000, "what everybody has been told is let go of"


def test_a_commit_larger_than_what_is_kept_comes_as_state() -> None:
    line = Line()
    room, (page,) = started(line, "m1")
    page.listener.expect("tx-1", "write-01", is_sent=True)
    entry = line.commit("tx-1", size=BEHIND_BYTES + 1)
    room.follow(line.replica)
    assert not page.listener.answer("tx-1", line.answer(entry), is_coming=room.is_coming(page.listener, "tx-1", 1))
    assert kinds(page.take()) == ["state", "committed"]


class TestAnswers:
    """Exactly one answer to each write, directly before its commit where that comes along."""

    def page(self) -> tuple[Line, Any, Reader, Reader]:
        line = Line()
        line.commit()
        room, (page, other) = started(line, "m1", "m2")
        page.listener.expect("tx-1", "write-01", is_sent=True)
        return line, room, page, other

    def answer(self, room: Any, page: Reader, answer: dict[str, Any]) -> bool:
        is_coming = room.is_coming(page.listener, "tx-1", answer["revision"])
        return page.listener.answer("tx-1", answer, is_coming=is_coming)

    def test_the_commit_first_the_answer_later(self) -> None:
        line, room, page, other = self.page()
        line.commit()
        entry = line.commit("tx-1")
        room.follow(line.replica)
        frame = page.take()
        assert kinds(frame) == ["commit", "committed", "commit"]
        assert (frame[1]["id"], frame[1]["rev"], frame[1]["results"]) == ("write-01", 3, [{"index": 0}])
        assert not self.answer(room, page, line.answer(entry))
        assert page.take() == []
        assert kinds(other.take()) == ["commit", "commit"]

    def test_the_answer_first_the_commit_later(self) -> None:
        line, room, page, _ = self.page()
        entry = line.commit("tx-1")
        assert not self.answer(room, page, line.answer(entry))
        assert page.take() == []
        room.follow(line.replica)
        assert kinds(page.take()) == ["committed", "commit"]

    def test_nothing_to_do_is_told_after_what_made_it_so(self) -> None:
        """Or the page would drop what it shows before it has what others did."""
        line, room, page, _ = self.page()
        line.commit()
        room.follow(line.replica)
        assert self.answer(room, page, line.nothing())
        frame = page.take()
        assert kinds(frame) == ["commit", "committed"]
        assert not frame[1]["changed"]

    def test_a_repeat_of_what_the_page_has_been_told(self) -> None:
        line, room, page, _ = self.page()
        entry = line.commit("tx-1")
        room.follow(line.replica)
        page.take()
        page.listener.expect("tx-1", "write-01", is_sent=True)
        assert self.answer(room, page, {**line.answer(entry), "replayed": True})
        assert kinds(page.take()) == ["committed"]

    def test_an_undo_with_nothing_left_is_a_commit_all_the_same(self) -> None:
        line, room, page, _ = self.page()
        entry = line.commit("tx-1", changes=False)
        room.follow(line.replica)
        assert not self.answer(room, page, {**line.answer(entry), "changed": False})
        frame = page.take()
        assert kinds(frame) == ["committed", "commit"]
        assert not frame[0]["changed"]

    def test_a_refusal(self) -> None:
        _line, _room, page, _ = self.page()
        assert page.listener.refuse("tx-1", DraftsmithError("locked", "It is locked."))
        assert not page.listener.refuse("tx-1", DraftsmithError("locked", "It is locked."))
        frame = page.take()
        assert (kinds(frame), frame[0]["retry"]) == (["rejected"], False)

    @pytest.mark.parametrize("code", ["storage_down", "outcome_unknown", "busy"])
    def test_what_was_refused_for_now_may_come_along_after_all(self, code: str) -> None:
        line, room, page, _ = self.page()
        assert page.listener.refuse("tx-1", DraftsmithError(code, "Not now."))
        assert page.take()[0]["retry"]
        line.commit("tx-1")
        room.follow(line.replica)
        assert kinds(page.take()) == ["committed", "commit"]

    def test_an_answer_whose_commit_is_lost_with_the_tail_is_taken_back(self) -> None:
        """The store has lost what it had acknowledged: the page sends it again."""
        line, room, page, _ = self.page()
        entry = line.commit("tx-1")
        room.follow(line.replica)
        assert not self.answer(room, page, line.answer(entry))
        line.lose(2)
        line.commit()
        room.follow(line.replica)
        frame = page.take()
        assert kinds(frame) == ["state", "rejected"]
        assert (frame[0]["why"], frame[1]["code"], frame[1]["retry"]) == ("diverged", "outcome_unknown", True)

    @pytest.mark.parametrize("is_replaced", [False, True])
    def test_an_answer_is_not_waited_for_when_its_commit_is_gone(self, is_replaced: bool) -> None:
        """Memory was dropped before it was followed; the log ends before it now, or has another one in its place."""
        line, room, page, _ = self.page()
        entry = line.commit("tx-1")
        assert not self.answer(room, page, line.answer(entry))
        room.follow(None)
        line.lose(1)
        if is_replaced:
            line.commit()
        room.follow(line.replica)
        assert room.wait(0.0) is not None
        frame = page.take()
        assert (kinds(frame), frame[-1]["retry"]) == (["commit", "rejected"] if is_replaced else ["rejected"], True)
        line.commit("tx-1")
        room.follow(line.replica)
        assert kinds(page.take()) == ["committed", "commit"]

    def test_an_answer_that_is_lost_before_the_first_frame_is_sent_again(self) -> None:
        line, room, _, _ = self.page()
        newcomer = sit(room, "m3")
        newcomer.listener.expect("tx-3", "write-03", is_sent=True)
        line.commit()
        entry = line.commit("tx-3")
        room.follow(line.replica)
        newcomer.listener.answer("tx-3", line.answer(entry), is_coming=room.is_coming(newcomer.listener, "tx-3", 3))
        line.lose(1)
        room.follow(line.replica)
        assert kinds(newcomer.take()) == ["welcome", "state", "rejected", "roster"]

    def test_who_sends_and_never_reads_is_sent_away(self) -> None:
        _, _room, page, _ = self.page()
        for number in range(DIRECT_AT_MOST + 1):
            page.listener.expect(f"t{number}", f"write-{number:02}", is_sent=True)
            page.listener.refuse(f"t{number}", DraftsmithError("locked", "It is locked."))
        assert kinds(page.take())[-1] == "bye"
        assert page.take() == []


class TestMemory:
    """The owner's memory moves, is dropped, is loaded anew, or turns out to be of another history."""

    def test_while_it_is_gone_pages_wait_for_nothing_but_states(self) -> None:
        line = Line()
        line.commit()
        room, (page,) = started(line, "m1")
        line.commit()
        room.follow(line.replica)
        room.follow(None)
        newcomer = sit(room, "m2")
        assert newcomer.take() == []
        assert kinds(page.take()) == ["commit", "roster"]
        room.follow(line.load())
        assert room.wait(0.0) is not None, "whoever waits for a state is woken"
        assert kinds(newcomer.take()) == ["welcome", "state", "roster"]
        assert room.take(page.listener, 0.0) is None

    def test_loaded_anew_it_goes_on(self) -> None:
        line = Line()
        line.commit()
        room, (page,) = started(line, "m1")
        room.follow(None)
        line.load()
        line.commit()
        room.follow(line.replica)
        assert kinds(page.take()) == ["commit"]

    def test_loaded_from_a_later_state_whoever_is_before_it_gets_that(self) -> None:
        line = Line()
        line.commit()
        room, (page,) = started(line, "m1")
        line.commit()
        line.commit()
        line.load()
        line.replica.tail.clear()
        room.follow(line.replica)
        frame = page.take()
        assert (kinds(frame), frame[0]["why"]) == (["state"], "behind")

    def test_another_epoch_or_a_lost_tail_gives_the_state(self) -> None:
        line = Line()
        line.commit()
        line.commit()
        room, (page,) = started(line, "m1")
        line.lose(1)
        room.follow(line.replica)
        assert page.take()[0]["why"] == "diverged"
        assert page.rev == 1
        line.load("e2")
        room.follow(line.replica)
        assert page.take()[0]["why"] == "diverged"
        assert page.epoch == "e2"

    def test_a_lost_tail_that_has_grown_again_is_noticed(self) -> None:
        """The same number is not the same history."""
        line = Line()
        line.commit()
        line.commit()
        room, (page,) = started(line, "m1")
        room.follow(None)
        line.lose(1)
        line.commit()
        line.commit()
        room.follow(line.replica)
        frame = page.take()
        assert (kinds(frame), frame[0]["why"], page.rev) == (["state"], "diverged", 3)


class TestTicks:
    """A quiet room tells at once, a busy one in ticks."""

    def test_idle_at_once_then_every_tick(self) -> None:
        line = Line()
        room, (page,) = started(line, "m1")
        room.flush(10.0)
        assert room.wait(10.0) is None
        line.commit()
        room.follow(line.replica)
        assert room.wait(20.0) == 0.0
        assert room.flush(20.0) == [page.listener]
        line.commit()
        room.follow(line.replica)
        assert room.wait(20.0 + TICK_S / 5) == pytest.approx(TICK_S * 4 / 5)

    def test_a_page_that_hears_nothing_gets_a_sign(self) -> None:
        line = Line()
        room, (page,) = started(line, "m1")
        assert list(room.signs_due(SIGN_S - 1)) == []
        assert list(room.signs_due(SIGN_S)) == [page.listener]
        assert room.take(page.listener, SIGN_S) == "[]"
        assert room.take(page.listener, SIGN_S) is None


class TestPresence:
    """Everybody is told where the others are, nobody where they are themselves."""

    def test_only_others_and_only_those_who_moved(self) -> None:
        line = Line()
        room, (ann, bob, cleo) = started(line, "m1", "m2", "m3")
        room.roster.move("m1", {"cursor": {"x": 1, "y": 2}})
        assert room.wait(1.0) == 0.0
        assert set(map(id, room.flush(1.0))) >= {id(bob.listener), id(cleo.listener)}
        assert ann.take() == []
        assert bob.take() == [{"t": "presence", "members": {"m1": {"cursor": {"x": 1, "y": 2}}}}]
        room.roster.move("m2", {"view": "document"})
        room.roster.move("m1", {})
        room.flush(2.0)
        assert cleo.take()[0]["members"] == {"m1": {}, "m2": {"view": "document"}}
        assert ann.take()[0]["members"] == {"m2": {"view": "document"}}
        assert cleo.take() == []

    def test_moves_wait_for_their_tick(self) -> None:
        line = Line()
        room, (_ann, bob) = started(line, "m1", "m2")
        room.roster.move("m1", {"view": "split"})
        room.flush(1.0)
        bob.take()
        room.roster.move("m1", {"view": "diagram"})
        line.commit()
        room.follow(line.replica)
        room.flush(1.001)
        assert kinds(bob.take()) == ["commit"]
        room.flush(1.0 + TICK_S)
        assert kinds(bob.take()) == ["presence"]

    def test_a_newcomer_learns_it_from_the_roster(self) -> None:
        line = Line()
        room, _ = started(line, "m1")
        room.roster.move("m1", {"view": "split"})
        newcomer = sit(room, "m2", BOB)
        roster = newcomer.take()[-1]
        assert [one["state"] for one in roster["members"]] == [{"view": "split"}, {}]
        room.flush(1.0)
        assert newcomer.take() == []


RUN = {"id": "r1", "actor": {"id": "ann"}, "prompt": "secret", "focus": {"nodes": ["a"]}, "updated_at": "1"}


class TestBoards:
    """Runs, proposals and the state of the store: the newest form, to whom it concerns."""

    def test_only_the_askers_own_pages_see_what_was_asked(self) -> None:
        line = Line()
        room, (ann, bob) = started(line, "m1", "m2")
        assert room.runs.put([RUN])
        assert ann.take() == [{"t": "runs", "runs": [RUN]}]
        told = bob.take()[0]["runs"][0]
        assert told == {"id": "r1", "actor": {"id": "ann"}, "updated_at": "1"}

    def test_nothing_is_told_when_nothing_changed(self) -> None:
        line = Line()
        room, (ann,) = started(line, "m1")
        room.runs.put([RUN])
        ann.take()
        assert not room.runs.put([dict(RUN)])
        assert not room.runs.put([{**RUN, "updated_at": "2"}]), "a sign of life is no news"
        assert ann.take() == []

    def test_a_newcomer_is_told_what_there_is_and_nothing_of_what_there_is_not(self) -> None:
        line = Line()
        room, _ = started(line, "m1")
        room.runs.put([RUN])
        room.proposals.put([RUN])
        room.proposals.put([])
        assert kinds(sit(room, "m2", BOB).take()) == ["welcome", "state", "roster", "runs"]

    def test_the_store(self) -> None:
        line = Line()
        room, (ann,) = started(line, "m1")
        room.store.put(False)
        assert ann.take() == [{"t": "store", "ok": False}]
        assert kinds(sit(room, "m2").take())[-1] == "store"
        room.store.put(True)
        assert kinds(sit(room, "m3").take())[-1] == "roster"


class TestFeeds:
    """Events of runs: read once, told to each page from where it is."""

    def test_from_where_each_is_until_the_end(self) -> None:
        line = Line()
        room, (ann, bob) = started(line, "m1", "m2")
        room.watch(ann.listener, "r1", "0")
        feed = room.feeds["r1"]
        for number in range(3):
            feed.add(f"17-{number}", {"type": "text", "n": number})
        room.watch(bob.listener, "r1", "17-1")
        assert [one["event"]["n"] for one in ann.take()] == [0, 1, 2]
        assert [one["id"] for one in bob.take()] == ["17-2"]
        feed.add("18", {"type": "end"})
        feed.end()
        assert [one["event"]["type"] for one in ann.take()] == ["end"]
        assert not ann.listener.watched
        assert room.drop_unwatched() == []
        bob.take()
        assert room.drop_unwatched() == ["r1"]

    def test_long_ones_come_in_parts(self) -> None:
        line = Line()
        room, (ann,) = started(line, "m1")
        room.watch(ann.listener, "r1", "0")
        for number in range(1_200):
            room.feeds["r1"].add(f"{number + 1}", {"type": "text"})
        sizes = []
        while room.has_news(ann.listener):
            sizes.append(len(ann.take()))
        assert sizes == [500, 500, 200]

    def test_what_cannot_be_watched(self) -> None:
        line = Line()
        room, (ann,) = started(line, "m1")
        room.watch(ann.listener, "r1", "0")
        room.feeds["r1"].end(DraftsmithError("run_not_found", "There is no such run."))
        frame = ann.take()
        assert (kinds(frame), frame[0]["code"]) == (["run_gone"], "run_not_found")


def test_an_end_is_told_after_everything_else_and_nothing_after_it() -> None:
    line = Line()
    room, (ann, bob) = started(line, "m1", "m2")
    line.commit()
    room.follow(line.replica)
    room.end(ending("restarting", "Soon again.", 500))
    frames = [ann.take(), bob.take()]
    assert [kinds(frame) for frame in frames] == [["commit", "bye"]] * 2
    assert frames[0][-1]["again_ms"] != frames[1][-1]["again_ms"], "not all of them at the same moment"
    line.commit()
    room.follow(line.replica)
    assert ann.take() == []
    assert ann.listener.has_ended


def test_an_end_does_not_wait_for_a_state() -> None:
    line = Line()
    room = room_of(line)
    room.follow(None)
    page = sit(room, "m1")
    room.end(ending("workspace_deleted", "It is in the trash."))
    frame = page.take()
    assert (kinds(frame)[0], kinds(frame)[-1], frame[-1]["again_ms"]) == ("welcome", "bye", None)


def test_a_commit_is_encoded_as_the_contract_says() -> None:
    line = Line()
    one = told(line.commit())
    checked = TypeAdapter(Commit).validate_json(one.commit)
    assert checked["rev"] == 1
    assert checked["steps"] == [{"k": "name", "v": ("", "n1")}]
