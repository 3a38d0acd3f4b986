"""The soak (`bench/soak`) sees what it is there to find: commits lost, doubled, moved, changed, done twice."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace

import orjson
import pytest

from bench.soak.audit import Line
from bench.soak.belongings import Belongings, Operation
from bench.soak.clients import Client, Tally
from draftsmith.history.actor import Actor
from draftsmith.history.commit import GENESIS, Draft, Entry, chain_hash, encode_body, entry_of
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.workspace import Workspace
from draftsmith.usecases.requests.identity import identify
from draftsmith.usecases.upkeep.contents import content_json
from tests.builders import run, workspace_of
from tests.faults.load import CLOCK

ME = Actor("script:soak", "Script", "script")
W = WorkspaceId("w" * 26)


def _draft(name: str) -> Draft:
    txid = identify(ME, name, CLOCK).txid
    return Draft(txid, "f", ME.to_text(), ME.id, "edit", "", encode_body({"steps": [name]}))


def _entries(names: Sequence[str]) -> list[Entry]:
    chain, made = GENESIS, []
    for revision, name in enumerate(names, 1):
        chain = chain_hash(chain, _draft(name))
        made.append(entry_of(_draft(name), revision, chain, 0))
    return made


def _line(names: Sequence[str]) -> Line:
    line = Line(W, ahead=1)
    for entry in _entries(names):
        line.add(entry)
    return line


def _client(name: str, *told: int) -> Client:
    client = Client("seed", name, W, lambda: ("", 0), Tally())
    client.told = array("Q", told)
    return client


def test_what_was_acknowledged_is_compared_with_the_log() -> None:
    """A log that holds what clients were told passes; one with a commit missing, moved or there twice does not."""
    one, other = _client("a", 2, 4), _client("b", 3)
    names = ["made", one.id_of(0), other.id_of(0), one.id_of(1)]
    assert _line(names).differences([one, other]) == []
    for wrong in (
        names[:3],
        [*names, "never asked for"],
        [*names, one.id_of(1)],
        [names[0], names[2], names[1], names[3]],
        [*names[:2], one.id_of(0), names[3]],
    ):
        assert _line(wrong).differences([one, other])
    assert _line(names).differences([one, _client("b", 2)])
    assert _line([names[0], names[3], names[2], names[1]]).differences([_client("a", 4, 2), other])


def test_a_log_whose_past_has_changed_is_refused() -> None:
    """An entry that was left out, changed or put elsewhere after the one before it was read is told at once."""
    first, second, third = _entries(["made", "a", "b"])
    for next_one in (third, replace(second, body=encode_body({"steps": ["c"]})), replace(second, revision=3), first):
        line = Line(W, ahead=1)
        line.add(first)
        with pytest.raises(AssertionError, match="after 1 comes"):
            line.add(next_one)


def _play(writes_much: bool, happens: Callable[[int, list[Operation]], Sequence[list[Operation]]]) -> list[str]:
    mine = Belongings("c0", random.Random(1), writes_much=writes_much)
    workspace: Workspace = workspace_of(mine.first(), text="# Soak\n\n## c0\n\n## c1\n\n")
    for number in range(150 if not writes_much else 3):
        for batch in happens(number, mine.next(number)):
            run(workspace, *batch)
    return mine.differences(orjson.loads(content_json(workspace)))


@pytest.mark.parametrize("writes_much", [False, True])
def test_a_workspace_is_as_if_every_batch_had_happened_once(writes_much: bool) -> None:
    """With every batch once there is no difference; without the last one there is."""
    last = 2 if writes_much else 149
    assert _play(writes_much, lambda number, batch: [batch]) == []
    assert _play(writes_much, lambda number, batch: [batch] if number < last else [])


def test_a_line_that_was_appended_twice_is_seen() -> None:
    """What can happen twice without being refused is seen in the section."""
    found = _play(False, lambda number, batch: [batch] * (1 + (batch[-1]["op"] == "append_to_section")))
    assert [one.partition(":")[0] for one in found] == ["c0, section"]
