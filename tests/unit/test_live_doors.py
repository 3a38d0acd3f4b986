"""Who may come in by a ticket, and how fast one may speak."""

from __future__ import annotations

import pytest
from itsdangerous import URLSafeSerializer

from draftsmith.api.auth import Profiles
from draftsmith.api.live import RateLimit
from draftsmith.api.live_tickets import LIFE_MS, LiveTickets
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor

ADA = Actor("guest:ada", "Ada Ünal", "person")
NOW = 1_800_000_000_000
W = "w" * 26


def refused(text: str, w: str = W, now: int = NOW, secret: str = "secret") -> bool:
    with pytest.raises(DraftsmithError) as error:
        LiveTickets(secret).read(text, w, now)
    return error.value.code == "unauthorized"


def test_a_ticket_opens_one_workspace_for_one_actor_for_a_minute() -> None:
    """On every worker of the store, as often as one likes."""
    ticket, until = LiveTickets("secret").issue(W, ADA, NOW)
    assert until == NOW + LIFE_MS == NOW + 60_000
    assert ticket.isascii()
    assert all(letter.isalnum() or letter in "-_." for letter in ticket), "it stands in a URL as it is"
    for now in (NOW - 5_000, NOW, until - 1):
        assert LiveTickets("secret").read(ticket, W, now) == ADA
    assert refused(ticket, now=until)
    assert refused(ticket, w="v" * 26)
    assert refused(ticket, secret="another store's")


def test_what_was_not_written_as_a_ticket_opens_nothing() -> None:
    """Nor does a profile's cookie, though the same secret signs it, or anything else under the ticket's name."""
    ticket, _ = LiveTickets("secret").issue(W, ADA, NOW)
    head, _, tail = ticket.rpartition(".")
    assert refused("")
    assert refused("x")
    assert refused(head)
    assert refused(f"{head}.{tail[::-1]}")
    assert refused(f"{head}x.{tail}")
    assert refused(str(Profiles("secret")._serializer.dumps({"id": "guest:ada", "name": "Ada"})))
    signed = URLSafeSerializer("secret", salt="draftsmith-live-ticket")
    for shape in ([], {}, {"w": W, "until": NOW + 1}, {"w": W, "actor": {}, "until": NOW + 1}, {"w": W, "until": "x"}):
        assert refused(str(signed.dumps(shape)))


def test_a_page_may_save_up_a_burst_and_then_speaks_at_a_steady_rate() -> None:
    """However it spreads what it says; being silent for long saves up no more than one burst."""
    limit, now = RateLimit(100.0, rate=10, burst=5), 100.0
    assert [limit.take(now) for _ in range(5)] == [0.0] * 5
    for _ in range(50):
        wait = limit.take(now)
        assert wait == pytest.approx(0.1)
        now += wait
    now += 1000
    assert [limit.take(now) for _ in range(6)] == [0.0] * 5 + [pytest.approx(0.1)]
