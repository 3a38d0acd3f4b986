"""The checks when everything has settled: all pages equal the log, nothing is there twice, nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.actor import Actor
from draftsmith.usecases.requests.identity import identify
from tests.simulation.live.client_replica import canonical, content_of
from tests.simulation.live.full_log import FullLog
from tests.simulation.live.pages import Json
from tests.simulation.live.users import User

_CLOCK = SystemClock()


def txid_of(principal: str, write: str) -> str:
    """The name of a write in the log."""
    return identify(Actor(principal, "", "person"), write, _CLOCK).txid


def check_equal(users: Sequence[User], reports: Sequence[Json], full_log: FullLog) -> None:
    """Every page is, byte for byte, what the log leads to."""
    head = full_log.replica.head
    wanted = content_of(full_log.replica.workspace)
    for user, report in zip(users, reports, strict=True):
        name = f"{user.page.name} ({user.page.kind})"
        assert not report["faults"], f"{name} met what must never be: {report['faults'][:5]}"
        assert (report["rev"], report["h"]) == (head.revision, head.chain), name
        assert report["text"] == full_log.replica.workspace.document.text, name
        assert canonical(report["content"]) == wanted, f"{name} holds something else than the log"


def check_writes(user: User, report: Json, full_log: FullLog) -> None:
    """What a page was told of its writes is what the log says."""
    for write, told in report["writes"].items():
        where = f"{user.page.name}'s {write}, told {told}"
        entry = full_log.entries.get(txid_of(user.page.me, write))
        if told["changed"]:
            assert entry is not None, f"{where}: acknowledged and lost"
            assert entry.revision == told["rev"], f"{where}: it is revision {entry.revision}"
        elif told["code"]:
            assert entry is None or entry.revision <= full_log.base, f"{where}: refused, and yet {entry.revision}"
        else:  # nothing to do; an undo of which nothing was left is logged all the same
            assert entry is None or entry.kind in ("undo", "redo"), f"{where}: no change, and yet {entry.revision}"


def check_actions(user: User, report: Json, full_log: FullLog) -> None:
    """Every batch is in the log once, or changed nothing, or stands in the tray with all of its operations."""
    trayed = [canonical(item["operations"]) for item in report["tray"] if item["operations"]]
    for action in user.actions:
        found = full_log.explained.get(action.explanation, [])
        assert len(found) <= 1, f"{action.explanation} was carried out {len(found)} times: {found}"
        if not found and action.explanation not in report["unchanged"]:
            assert canonical(action.operations) in trayed, f"{action} has vanished; in the tray: {report['tray']}"


def check_marks(user: User, report: Json, full_log: FullLog) -> None:
    """What was typed came into the document exactly once, or stands in the tray."""
    trayed = "".join(text for item in report["tray"] for text in item["texts"])
    for mark in (*user.typed, *(mark for action in user.actions for mark in action.marks)):
        found = full_log.arrived.get(mark, [])
        if len(found) > 1:
            told = "\n".join(full_log.tell(revision) for revision in found)
            raise AssertionError(f"{user.page.name}'s {mark!r} came in {len(found)} times:\n{told}")
        if mark in user.typed:
            assert found or mark in trayed, f"{user.page.name}'s {mark!r} has vanished"


def summary(users: Sequence[User], reports: Sequence[Json], full_log: FullLog) -> dict[str, Any]:
    """What happened, for the printed line."""
    return {
        "revisions": full_log.rev,
        "kinds": dict(full_log.kinds),
        "base": full_log.base,
        "pages": [user.page.kind for user in users],
        "tray": sum(len(report["tray"]) for report in reports),
        "typed": sum(len(user.typed) for user in users),
        "states": [report["states"] for report in reports],
    }
