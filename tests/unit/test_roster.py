"""Who is here over all workers: what gets lost, comes twice or late, and who has which colour and name."""

from __future__ import annotations

import orjson
import pytest

from draftsmith.collab.colors import COLORS, assign_colors, color, preferred_color
from draftsmith.collab.gossip_message import GossipMessage, RosterEntry, read_gossip
from draftsmith.collab.presence_gossip import GONE_AFTER_S, SEND_ALL_S, PresenceGossip
from draftsmith.collab.roster import MemberRoster
from draftsmith.history.actor import Actor
from tests.room_pages import ANN, BOB, CLEO


class Worker(MemberRoster):
    """A roster with the gossip that keeps it up to date."""

    def __init__(self, instance: str) -> None:
        super().__init__()
        self.gossip = PresenceGossip(instance, self)


def gossip_to(sender: Worker, *others: Worker, now: float = 0.0) -> bytes:
    content = sender.gossip.next_message(now)
    for other in others:
        other.gossip.receive(content, now)
    return content


def names_on_roster(roster: MemberRoster) -> list[str]:
    return [one["name"] for one in roster.members()]


def together(now: float = 0.0) -> tuple[Worker, Worker]:
    """Two workers that know of one another: Ann on one, Bob on the other."""
    left, right = Worker("left"), Worker("right")
    left.join("m1", ANN, 1)
    right.join("m2", BOB, 2)
    gossip_to(left, right, now=now)
    gossip_to(right, left, now=now)
    return left, right


def test_everybody_is_seen_on_both() -> None:
    left, right = together()
    assert names_on_roster(left) == names_on_roster(right) == ["Ann", "Bob"]
    assert left.members() == right.members()


def test_a_newcomer_asks_and_is_answered() -> None:
    left = Worker("left")
    left.join("m1", ANN, 1)
    left.gossip.next_message(0.0)
    assert not left.gossip.is_due(1.0)
    right = Worker("right")
    right.join("m2", BOB, 2)
    gossip_to(right, left, now=1.0)
    assert left.gossip.is_due(1.0)
    gossip_to(left, right, now=1.0)
    assert names_on_roster(right) == ["Ann", "Bob"]
    assert not orjson.loads(left.gossip.next_message(10.0)).get("ask"), "an answer asks nobody"


def test_coming_going_and_moving_are_told() -> None:
    left, right = together()
    left.join("m3", CLEO, 3)
    left.move("m1", {"view": "split"})
    gossip_to(left, right)
    assert names_on_roster(right) == ["Ann", "Bob", "Cleo"]
    assert [member for member, _ in right.moved_since(0)] == ["m1"]
    left.leave("m3")
    gossip_to(left, right)
    assert names_on_roster(right) == ["Ann", "Bob"]


def test_moves_are_sent_only_to_those_who_are_there() -> None:
    alone = Worker("alone")
    alone.join("m1", ANN, 1)
    alone.gossip.next_message(0.0)
    alone.move("m1", {"view": "split"})
    assert not alone.gossip.is_due(0.0)
    left, _ = together()
    left.move("m1", {"view": "split"})
    assert left.gossip.is_due(0.0)


def test_what_was_lost_is_asked_for() -> None:
    left, right = together()
    left.join("m3", CLEO, 3)
    left.gossip.next_message(2.0)  # nobody hears it
    left.move("m1", {"view": "split"})
    gossip_to(left, right, now=2.0)
    assert names_on_roster(right) == ["Ann", "Bob"]
    assert right.gossip.is_due(2.0)
    gossip_to(right, left, now=2.0)
    gossip_to(left, right, now=2.0)
    assert names_on_roster(right) == ["Ann", "Bob", "Cleo"]


def test_without_asking_it_comes_again_by_itself() -> None:
    left, right = together()
    left.join("m3", CLEO, 3)
    left.gossip.next_message(0.0)
    assert left.gossip.is_due(SEND_ALL_S)
    gossip_to(left, right, now=SEND_ALL_S)
    assert names_on_roster(right) == ["Ann", "Bob", "Cleo"]


def test_what_comes_twice_or_late_changes_nothing() -> None:
    left, right = together()
    left.join("m3", CLEO, 3)
    came = left.gossip.next_message(1.0)
    left.leave("m3")
    gone = left.gossip.next_message(1.0)
    for content in (came, gone, gone, came):
        right.gossip.receive(content, 1.0)
    assert names_on_roster(right) == ["Ann", "Bob"]


def test_who_says_nothing_is_gone_after_a_while() -> None:
    left, right = together()
    right.gossip.drop_silent(GONE_AFTER_S)
    assert names_on_roster(right) == ["Ann", "Bob"]
    version = right.version
    right.gossip.drop_silent(GONE_AFTER_S + 1)
    assert (names_on_roster(right), right.version) == (["Bob"], version + 1)
    gossip_to(left, right, now=20.0)
    assert names_on_roster(right) == ["Ann", "Bob"], "and is back as soon as it speaks"


def test_an_end_is_the_end_whatever_comes_late() -> None:
    left, right = together()
    late = left.gossip.next_message(6.0)
    right.gossip.receive(left.gossip.last_message(), 6.0)
    assert names_on_roster(right) == ["Bob"]
    right.gossip.receive(late, 6.0)
    assert names_on_roster(right) == ["Bob"]


def test_a_sign_of_life_is_no_news_to_pages() -> None:
    left, right = together()
    version, moves = right.version, right.moves
    gossip_to(left, right, now=SEND_ALL_S)
    assert (right.version, right.moves) == (version, moves)


def test_a_hint_is_passed_on_once() -> None:
    left, right = together()
    left.gossip.announce_runs()
    assert left.gossip.is_due(0.0)
    assert right.gossip.receive(left.gossip.next_message(0.0), 0.0)
    assert not left.gossip.is_due(0.0)


def test_the_newest_name_of_a_person_counts_everywhere() -> None:
    left, right = together()
    right.join("m3", Actor("ann", "Anna", "person"), 9)
    gossip_to(right, left)
    assert names_on_roster(left) == names_on_roster(right) == ["Anna", "Bob", "Anna"]
    left.rename(Actor("ann", "Anne", "person"), 3)
    gossip_to(left, right)
    assert sorted(names_on_roster(left)) == sorted(names_on_roster(right)) == ["Anne", "Anne", "Bob"]
    left.rename(Actor("nobody", "Nobody", "person"), 4)
    assert "Nobody" not in names_on_roster(left)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff", b"[]", b"7", b"{}", b'{"l":1,"n":1}', b'{"l":"x","n":"1"}', b'{"l":"x","n":1,"all":[]}',
        b'{"l":"x","n":1,"all":{"m":{}}}', b'{"l":"x","n":1,"in":{"m":7}}', b'{"l":"x","n":1,"out":[7]}',
        b'{"l":"x","n":1,"at":{"m":7}}',
    ],
)  # fmt: skip
def test_what_cannot_be_read_changes_nothing(content: bytes) -> None:
    roster = Worker("left")
    roster.join("m1", ANN, 1)
    before = roster.members()
    assert not roster.gossip.receive(content, 0.0)
    assert roster.members() == before


def test_what_is_said_survives_bytes() -> None:
    entry = RosterEntry("ann", "Ann", "person", 5, 3, {"view": "split"})
    for message in (
        GossipMessage("l", 1, {"m1": entry}, asks_for_all=True),
        GossipMessage("l", 2, None, {"m1": entry}, ("m2",), {"m3": {}}, runs_changed=True),
        GossipMessage("l", 3, is_last=True),
    ):
        assert read_gossip(message.encode()) == message


class TestColours:
    """Two people never share one; tabs of one person do; nobody's changes because somebody comes."""

    def test_of_many_people_no_two_have_the_same(self) -> None:
        roster = Worker("left")
        for number in range(300):
            roster.join(f"m{number}", Actor(f"p{number}", "P", "person"), number)
        colors = [one["color"] for one in roster.members()]
        assert len(set(colors)) == 300
        assert set(colors[:12]) == set(COLORS)

    def test_tabs_of_a_person_share_theirs(self) -> None:
        left, right = together()
        right.join("m3", ANN, 3)
        gossip_to(right, left)
        mine = {one["color"] for one in left.members() if one["id"] == "ann"}
        assert len(mine) == 1
        assert left.members() == right.members()

    def test_who_is_alone_has_the_preferred_one(self) -> None:
        roster = Worker("left")
        roster.join("m1", ANN, 1)
        assert roster.color_of("ann") == color(preferred_color("ann"))

    def test_nobodys_changes_as_others_come_and_go(self) -> None:
        roster = Worker("left")
        for number in range(20):
            roster.join(f"m{number}", Actor(f"p{number}", "P", "person"), number)
        before = {one["id"]: one["color"] for one in roster.members()}
        for number in range(0, 20, 3):
            roster.leave(f"m{number}")
        roster.join("n1", Actor("new", "N", "person"), 0)  # by a clock that is behind
        after = {one["id"]: one["color"] for one in roster.members()}
        assert all(after[person] == before[person] for person in after if person != "new")

    def test_two_who_come_at_the_same_moment_to_two_workers_do_not_share(self) -> None:
        twins = [person for person in (f"p{number}" for number in range(100)) if preferred_color(person) == 3][:2]
        left, right = Worker("left"), Worker("right")
        left.join("m1", Actor(twins[0], "A", "person"), 5)
        right.join("m2", Actor(twins[1], "B", "person"), 5)
        a, b = left.gossip.next_message(0.0), right.gossip.next_message(0.0)
        left.gossip.receive(b, 0.0)
        right.gossip.receive(a, 0.0)
        for _ in range(3):
            gossip_to(left, right)
            gossip_to(right, left)
        assert left.members() == right.members()
        assert len({one["color"] for one in left.members()}) == 2

    def test_what_was_assign_colors_stays_so(self) -> None:
        first = assign_colors([("a", 3), ("b", 3), ("c", 4), ("d", 3)])
        assert len(set(first.values())) == 4
        assert first["a"] == 3
        assert first["c"] == 4
        assert assign_colors(first.items()) == first
