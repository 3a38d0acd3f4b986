"""What must hold when everything has settled: all pages equal the log, nothing is there twice, nothing vanished."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from draftsmith.adapters.process.system import SystemClock
from draftsmith.history.actor import Actor
from draftsmith.usecases.commits.identity import identify
from tests.live.chronicle import Chronicle
from tests.live.mirror import canonical, content_of
from tests.live.pages import Json
from tests.live.people import Person

_CLOCK = SystemClock()


def txid_of(principal: str, write: str) -> str:
    """The name of a write in the log."""
    return identify(Actor(principal, "", "person"), write, _CLOCK).txid


def check_equal(people: Sequence[Person], reports: Sequence[Json], chronicle: Chronicle) -> None:
    """Every page is, byte for byte, what the log leads to."""
    head = chronicle.replica.head
    wanted = content_of(chronicle.replica.workspace)
    for person, report in zip(people, reports, strict=True):
        name = f"{person.page.name} ({person.page.kind})"
        assert not report["faults"], f"{name} met what must never be: {report['faults'][:5]}"
        assert (report["rev"], report["h"]) == (head.revision, head.chain), name
        assert report["text"] == chronicle.replica.workspace.document.text, name
        assert canonical(report["content"]) == wanted, f"{name} holds something else than the log"


def check_writes(person: Person, report: Json, chronicle: Chronicle) -> None:
    """What a page was told of its writes is what the log says."""
    for write, told in report["writes"].items():
        where = f"{person.page.name}'s {write}, told {told}"
        entry = chronicle.entries.get(txid_of(person.page.me, write))
        if told["changed"]:
            assert entry is not None, f"{where}: acknowledged and lost"
            assert entry.revision == told["rev"], f"{where}: it is revision {entry.revision}"
        elif told["code"]:
            assert entry is None or entry.revision <= chronicle.base, f"{where}: refused, and yet {entry.revision}"
        else:  # nothing to do; an undo of which nothing was left is logged all the same
            assert entry is None or entry.kind in ("undo", "redo"), f"{where}: no change, and yet {entry.revision}"


def check_deeds(person: Person, report: Json, chronicle: Chronicle) -> None:
    """Every batch is in the log once, or changed nothing, or stands in the tray with all of its operations."""
    trayed = [canonical(item["operations"]) for item in report["tray"] if item["operations"]]
    for deed in person.deeds:
        found = chronicle.explained.get(deed.explanation, [])
        assert len(found) <= 1, f"{deed.explanation} was carried out {len(found)} times: {found}"
        if not found and deed.explanation not in report["unchanged"]:
            assert canonical(deed.operations) in trayed, f"{deed} has vanished; in the tray: {report['tray']}"


def check_marks(person: Person, report: Json, chronicle: Chronicle) -> None:
    """What was typed came into the document exactly once, or stands in the tray."""
    trayed = "".join(text for item in report["tray"] for text in item["texts"])
    for mark in (*person.typed, *(mark for deed in person.deeds for mark in deed.marks)):
        found = chronicle.arrived.get(mark, [])
        if len(found) > 1 and not _is_unknown(person, report, chronicle, found[0]):
            told = "\n".join(chronicle.tell(revision) for revision in found)
            raise AssertionError(f"{person.page.name}'s {mark!r} came in {len(found)} times:\n{told}")
        if mark in person.typed:
            assert found or mark in trayed, f"{person.page.name}'s {mark!r} has vanished"


def _is_unknown(person: Person, report: Json, chronicle: Chronicle, revision: int) -> bool:
    """Whether a page never heard of its push and nobody can tell it any more: the log has forgotten it."""
    heard = {txid_of(person.page.me, write) for write, told in report["writes"].items() if told["changed"]}
    return revision <= chronicle.base and chronicle.at(revision).txid not in heard


def tally(people: Sequence[Person], reports: Sequence[Json], chronicle: Chronicle) -> dict[str, Any]:
    """What happened, for the printed line."""
    return {
        "revisions": chronicle.rev,
        "kinds": dict(chronicle.kinds),
        "base": chronicle.base,
        "pages": [person.page.kind for person in people],
        "tray": sum(len(report["tray"]) for report in reports),
        "typed": sum(len(person.typed) for person in people),
        "states": [report["states"] for report in reports],
    }
