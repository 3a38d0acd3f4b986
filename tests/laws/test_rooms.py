"""Rooms under any interleaving: every page that reads on ends where the log ends, and each write is answered once.

On the way it is told each commit once and in order, or the whole state. Commits of one's own and of others, answers
early, late or never asked for, slow readers, pages that come, go and come back, memory that is dropped and loaded anew,
stores that lose their newest commits.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from draftsmith.collab.presence_gossip import SEND_ALL_S, PresenceGossip
from draftsmith.collab.roster import MemberRoster
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Entry
from tests.room_pages import ANN, RenameLog, RoomPage, join, rejoin, room_of
from tests.seeds import examples

KEPT, KEPT_BYTES = 16, 20_000


@dataclass(eq=False)
class Sent:
    """A write of a page: what became of it at the writer, and what the writer has yet to answer."""

    id: str
    txid: str
    page: RoomPage
    entry: Entry | None = None
    answers: int = 0  # that are on their way
    is_over: bool = False  # refused for good, or nothing to do
    is_lost: bool = False  # the store has lost its commit; it was acknowledged or not


@dataclass
class _Counts:
    pages: int = 0
    writes: int = 0


class RoomMachine(RuleBasedStateMachine):
    """One room, up to four pages."""

    def __init__(self) -> None:
        super().__init__()
        self.log = RenameLog(KEPT)
        self.log.commit()
        self.room = room_of(self.log, KEPT_BYTES)
        self.pages: list[RoomPage] = []
        self.gone: list[RoomPage] = []
        self.sent: list[Sent] = []
        self.counts = _Counts()
        self.is_away = False
        self.now = 0.0

    def _follow(self) -> None:
        if not self.is_away:
            self.room.workspace_moved(self.log.replica)

    # -- pages -------------------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.pages) < 4)
    @rule()
    def come(self) -> None:
        self.counts.pages += 1
        self.pages.append(join(self.room, f"m{self.counts.pages}"))

    @precondition(lambda self: self.pages)
    @rule(data=st.data())
    def go(self, data: st.DataObject) -> None:
        page = data.draw(st.sampled_from(self.pages))
        self.pages.remove(page)
        self.room.leave(page.connection)
        if page.rev >= 0:
            self.gone.append(page)

    @precondition(lambda self: self.gone and len(self.pages) < 4 and not self.is_away)
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        """With what is not yet answered; the commits that it missed are read from the log."""
        before = self.gone.pop(data.draw(st.integers(0, len(self.gone) - 1)))
        self.counts.pages += 1
        open_ones = [one for one in self.sent if one.page is before and not before.final(one.id)]
        pending = {one.txid: one.id for one in open_ones}
        known = {entry.revision: entry.chain for entry in self.log.entries}
        if known.get(before.rev) == before.h:
            page = rejoin(self.room, f"m{self.counts.pages}", before, self.log, pending)
        else:
            page = join(self.room, f"m{self.counts.pages}", position=before.position, pending=pending)
        self.pages.append(page)
        page.take(self.now)
        for one in open_ones:  # what the first frame says nothing of is sent again
            again = Sent(one.id, one.txid, page, one.entry, 0, one.is_over, one.is_lost)
            if not page.final(one.id):
                page.connection.write_sent(one.txid, one.id)
                again.answers = 1
            self.sent.append(again)

    @precondition(lambda self: self.pages)
    @rule(data=st.data())
    def read(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.pages)).take(self.now)

    # -- writes ------------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.pages)
    @rule(data=st.data())
    def write(self, data: st.DataObject) -> None:
        page = data.draw(st.sampled_from(self.pages))
        self.counts.writes += 1
        one = Sent(f"write-{self.counts.writes:03}", f"tx-{self.counts.writes}", page, answers=1)
        page.connection.write_sent(one.txid, one.id)
        self.sent.append(one)

    @precondition(lambda self: any(one.entry is None and not one.is_over for one in self.sent))
    @rule(data=st.data(), follows=st.booleans())
    def land(self, data: st.DataObject, follows: bool) -> None:
        """A write becomes a commit, seen at once or with the next; once, however often it was sent."""
        one = data.draw(st.sampled_from([one for one in self.sent if one.entry is None and not one.is_over]))
        entry = self.log.commit(one.txid)
        for same in self.sent:
            if same.txid == one.txid:
                same.entry, same.is_lost = entry, False
        if follows:
            self._follow()

    @precondition(lambda self: self._answerable())
    @rule(data=st.data(), repeats=st.booleans())
    def answer(self, data: st.DataObject, repeats: bool) -> None:
        """The writer answers a write that has become a commit; it has followed the log until there."""
        one = data.draw(st.sampled_from(self._answerable()))
        self._answer(one, repeats=repeats)

    def _answerable(self) -> list[Sent]:
        return [one for one in self.sent if one.answers and one.entry is not None and not one.is_lost]

    def _answer(self, one: Sent, *, repeats: bool = False) -> None:
        assert one.entry is not None
        self._follow()
        one.answers -= 1
        if one.page in self.pages:
            answer = {**self.log.answer(one.entry), "replayed": repeats}
            one.page.connection.write_answered(one.txid, answer)

    @precondition(lambda self: any(one.answers and one.entry is None for one in self.sent))
    @rule(data=st.data(), how=st.sampled_from(["nothing", "locked", "busy"]))
    def refuse(self, data: st.DataObject, how: str) -> None:
        """There was nothing to do, or it is refused: for good, or for now."""
        one = data.draw(st.sampled_from([one for one in self.sent if one.answers and one.entry is None]))
        self._follow()
        one.answers -= 1
        for same in self.sent:
            if same.txid == one.txid:
                same.is_over = same.is_over or how != "busy"
        if one.page not in self.pages:
            return
        if how == "nothing":
            one.page.connection.write_answered(one.txid, self.log.nothing())
        else:
            one.page.connection.write_refused(one.txid, DraftsmithError(how, "No."))

    # -- the log -----------------------------------------------------------------------------------------------------

    @rule(count=st.integers(1, 3), size=st.sampled_from([0, 0, 0, KEPT_BYTES // 3, KEPT_BYTES + 1]))
    def others_commit(self, count: int, size: int) -> None:
        for _ in range(count):
            self.log.commit(size=size)
        self._follow()

    @rule(at_once=st.booleans())
    def rush(self, at_once: bool) -> None:
        """More commits than are kept."""
        for number in range(KEPT + 5):
            self.log.commit()
            if not at_once and number % 4 == 0:
                self._follow()
        self._follow()

    @rule()
    def memory_is_dropped(self) -> None:
        self.is_away = True
        self.room.workspace_moved(None)

    @rule(is_short=st.booleans())
    def memory_is_loaded(self, is_short: bool) -> None:
        """From the log, or from a late state and the little that came after it."""
        self.log.load()
        while is_short and len(self.log.replica.tail) > 1:
            self.log.replica.tail.popleft()
        self.is_away = False
        self._follow()

    @rule(count=st.integers(1, 3), more=st.integers(0, 4))
    def the_tail_is_lost(self, count: int, more: int) -> None:
        """A failover: the newest commits are gone, others may have taken their numbers."""
        if len(self.log.entries) <= count:
            return
        self.log.lose(count)
        kept = {entry.txid for entry in self.log.entries}
        for one in self.sent:
            if one.entry is not None and one.txid not in kept:
                one.entry, one.is_lost = None, True
        for _ in range(more):
            self.log.commit()
        self._follow()

    @rule(seconds=st.sampled_from([0.001, 0.02, 0.03, 30.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds
        wait = self.room.next_tick(self.now)
        if wait == 0.0:
            self.room.tick(self.now)

    # -- what holds --------------------------------------------------------------------------------------------------

    @invariant()
    def what_is_kept_is_bounded(self) -> None:
        commits = self.room.shared.commits
        assert commits._bytes == sum(len(one.commit) for one in commits._tail) <= KEPT_BYTES
        assert len(commits._tail) <= KEPT

    def teardown(self) -> None:
        """Everything settles: the writer answers, pages read on."""
        if self.is_away:
            self.memory_is_loaded(is_short=False)
        for one in self._answerable():
            while one.answers:
                self._answer(one)
        self.room.tick(self.now + 100)
        for page in self.pages:
            while page.take(self.now + 100):
                pass
        self._send_again()
        head = self.log.replica.head
        for page in self.pages:
            assert page.position == head
            assert page.name == self.log.replica.workspace.name
            assert not page.connection.has_news()
            self._check_answers(page)
        assert self.room.tick(self.now + 200) == []
        assert self.room.next_tick(self.now + 300) is None

    def _send_again(self) -> None:
        """What was refused for now is sent again; it may have become a commit that a whole state has swallowed."""
        for one in self.sent:
            said = one.page.answers.get(one.id, [])
            if one.page in self.pages and one.entry is not None and said and not one.page.final(one.id):
                assert said[-1]["retry"]
                one.page.connection.write_sent(one.txid, one.id)
                one.is_lost, one.answers = False, 1
                self._answer(one, repeats=True)
                one.page.take(self.now + 100)

    def _check_answers(self, page: RoomPage) -> None:
        for one in (one for one in self.sent if one.page is page):
            final = page.final(one.id)
            assert len(final) <= 1, f"{one.id} was answered {len(final)} times"
            if one.entry is not None and not one.is_lost:
                is_told = final and final[0]["t"] == "committed"
                assert is_told, f"{one.id} is revision {one.entry.revision}, and nobody said so: {page.answers}"
            elif not one.answers:
                assert page.answers.get(one.id), f"{one.id} was answered, and nobody said so"


RoomMachine.TestCase.settings = settings(max_examples=examples(150), stateful_step_count=40)
TestRooms = RoomMachine.TestCase


@dataclass
class _Workers:
    """Workers that tell one another, over a way that loses, doubles and holds back."""

    rosters: list[MemberRoster]
    gossip: list[PresenceGossip]
    under_way: list[tuple[int, bytes]] = field(default_factory=list)

    def send(self, sender: int, now: float) -> None:
        content = self.gossip[sender].next_message(now)
        self.under_way += [(receiver, content) for receiver in range(len(self.rosters))]


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["join", "leave", "move", "rename", "send", "pass", "drop", "double", "later"]),
        st.integers(0, 2),
        st.integers(0, 5),
    ),
    max_size=60,
)


@given(acts=ACTS)
@settings(max_examples=examples(300))
def test_rosters_agree_once_everybody_has_been_heard(acts: list[tuple[str, int, int]]) -> None:
    """Whatever was lost, doubled or late: everybody shows the same members after all has been said again.

    Each person has one colour and one name, and no two people have the same colour.
    """
    rosters = [MemberRoster() for _ in range(3)]
    gossip = [PresenceGossip(f"instance-{number}", roster) for number, roster in enumerate(rosters)]
    workers = _Workers(rosters, gossip)
    here: dict[str, int] = {}
    now = 0.0
    for number, (act, worker, pick) in enumerate(acts):
        now += 0.01
        roster = workers.rosters[worker]
        match act:
            case "join":
                here[f"m{number}"] = worker
                roster.join(f"m{number}", Actor(f"p{pick}", f"N{pick}", "person"), pick)
            case "leave" | "move":
                mine = sorted(member for member, position in here.items() if position == worker)
                if mine and act == "leave":
                    del here[mine[pick % len(mine)]]
                    roster.leave(mine[pick % len(mine)])
                elif mine:
                    roster.move(mine[pick % len(mine)], {"view": str(number)})
            case "rename":
                roster.rename(Actor(f"p{pick}", f"R{number}", "person"), number)
            case "send":
                workers.send(worker, now)
            case _ if workers.under_way:
                _pass_on(workers, act, pick, now)
            case _:
                pass
    for _ in range(3):
        now += SEND_ALL_S
        for sender in range(3):
            workers.send(sender, now)
        for receiver, content in workers.under_way:
            workers.gossip[receiver].receive(content, now)
        workers.under_way.clear()
    shown = [roster.members() for roster in workers.rosters]
    assert shown[0] == shown[1] == shown[2]
    assert {one["member"] for one in shown[0]} == set(here)
    looks = {(one["id"], one["name"], one["color"]) for one in shown[0]}
    assert len(looks) == len({one["id"] for one in shown[0]}) == len({one["color"] for one in shown[0]})


def _pass_on(workers: _Workers, act: str, pick: int, now: float) -> None:
    receiver, content = workers.under_way.pop(pick % len(workers.under_way))
    if act in ("pass", "double"):
        workers.gossip[receiver].receive(content, now)
    if act in ("double", "later"):
        workers.under_way.append((receiver, content))


def test_the_actor_of_a_page_is_who_it_says() -> None:
    log = RenameLog()
    page = join(room_of(log), "m1", ANN)
    assert page.take()[0]["me"]["id"] == "ann"
