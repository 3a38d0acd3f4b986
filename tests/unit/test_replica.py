"""A replica takes only what joins its chain and fits; whatever else it meets, it is as it was."""

from __future__ import annotations

import dataclasses
import zlib
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.history.commit import Draft, Entry, Head, chain_hash, decode_body, encode_body, entry_of
from draftsmith.history.record import Record, decode_record
from draftsmith.history.replica import CorruptEntry, LogDiverged, Replica, copy_workspace, replica_from, rewind
from tests.builders import Story, assert_sound, canonical, edge, group, node, update


def story() -> Story:
    told = Story(node("a"), node("b"), text="# A\n\nx 🚀\n")
    told.do(
        "ann",
        update("a", label="Ann", position={"x": 5, "y": 5}, properties={"k": "1"}),
        edge("a", "b"),
        group("g", size={"width": 300, "height": 300}),
        {"op": "move_to_group", "ids": ["a"], "group": "g"},
        {"op": "append_to_section", "section": "A", "text": "more 🚀"},
    )
    _ = told.workspace.diagram.places  # kept from here on, so that damage could show in it
    return told


def next_entry(told: Story, body: bytes) -> Entry:
    """An entry that joins the chain, whatever its body says."""
    draft = Draft("t", "f", "{}", "ann", "edit", "", body)
    head = told.replica.head
    return entry_of(draft, head.revision + 1, chain_hash(head.chain, draft), 1)


def body_of(*steps: Any) -> bytes:
    return encode_body({"f": list(steps), "w": "what"})


GOOD = {"k": "node=", "id": "a", "b": 1, "v": {"label": ["Ann", "New"]}}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"x{}",
        b"j",
        b"j[]",
        b"j{}",
        b'j{"sv":1}',
        b'j{"sv":"1","f":[],"w":""}',
        b'j{"sv":99,"f":[],"w":""}',
        b'j{"sv":1,"f":[7],"w":""}',
        b'j{"sv":1,"f":{"k":1},"w":""}',
        b"z" + zlib.compress(b"{}")[:-3],
        body_of(GOOD)[:-4],
        body_of({"k": "teleport"}),
        body_of({"k": ["node="]}),
        body_of(GOOD, {"k": "node="}),
        body_of(GOOD, {"k": "node+", "id": "a", "b": 1, "n": {"type": "api"}}),
        body_of(GOOD, {"k": "node-", "id": "b", "b": 1, "n": {}}),
        body_of(GOOD, {"k": "text", "c": [1], "d": []}),
        body_of(GOOD, {"k": "text", "c": [["x"]], "d": []}),
        body_of(GOOD, {"k": "node=", "id": "a", "b": 1, "v": {"label": ["other", "x"]}}),
        body_of(GOOD, {"k": "node=", "id": "a", "b": 1, "v": 5}),
        encode_body({"f": [GOOD], "w": "", "cp": []}),
        encode_body({"f": [GOOD], "w": "", "cp": {"drop": 1}}),
        encode_body({"f": [GOOD], "w": "", "cp": {"id": "a", "name": "b"}}),
    ],
)
def test_a_corrupt_entry_changes_nothing(body: bytes) -> None:
    """Damaged, of a newer release, or of steps that do not fit: the revision is named, the replica is as it was."""
    told = story()
    before = told.replica.dump()
    with pytest.raises(CorruptEntry) as corrupt:
        told.replica.advance(next_entry(told, body))
    assert corrupt.value.revision == 3
    assert told.replica.dump() == before
    assert told.replica.head.revision == 2
    told.replica.advance(next_entry(told, body_of(GOOD)))


def test_a_corrupt_entry_says_what_does_not_fit() -> None:
    told = story()
    body = body_of(GOOD, {"k": "node=", "id": "nobody", "b": 1, "v": {"label": ["other", "x"]}})
    with pytest.raises(CorruptEntry, match=r"^revision 3 cannot be applied: the node 'nobody' is gone$"):
        told.replica.advance(next_entry(told, body))


def test_a_reference_that_is_no_number_is_poison() -> None:
    """The stacks are not folded half way."""
    told = story()
    before = told.replica.dump()
    draft = Draft("t", "f", "{}", "ann", "undo", "two", body_of(GOOD))
    head = told.replica.head
    with pytest.raises(CorruptEntry):
        told.replica.advance(entry_of(draft, head.revision + 1, chain_hash(head.chain, draft), 1))
    assert told.replica.dump() == before


@given(st.data())
def test_no_damage_goes_through_as_anything_else(data: st.DataObject) -> None:
    """Whatever a body's JSON becomes, it is taken or refused as corrupt, and what is refused changes nothing."""
    whole = story()
    told = whole.until(1)
    _ = told.workspace.diagram.places
    shape = orjson.loads(orjson.dumps(decode_body(whole.log[-1].body)))
    _damage(data, shape)
    before = told.replica.dump()
    try:
        told.replica.advance(next_entry(told, b"j" + orjson.dumps(shape)))
    except CorruptEntry:
        assert told.replica.dump() == before
        assert_sound(told.workspace)
        told.replica.advance(whole.log[-1])


def _damage(data: st.DataObject, shape: Any) -> None:
    """Put something else somewhere into a JSON value."""
    while True:
        keys = list(shape) if isinstance(shape, dict) else list(range(len(shape)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if isinstance(shape[key], dict | list) and shape[key] and data.draw(st.booleans()):
            shape = shape[key]
            continue
        shape[key] = data.draw(st.sampled_from([None, 0, -1, "x", [], {}, [1], {"k": "v"}, True]))
        return


def test_what_does_not_join_the_chain_is_not_looked_at() -> None:
    """A gap, a repeat, another history of the same length: diverged, and nothing has changed."""
    told = story()
    entry = next_entry(told, body_of(GOOD))
    before = told.replica.dump()
    for other in (
        dataclasses.replace(entry, revision=4),
        dataclasses.replace(entry, revision=2),
        dataclasses.replace(entry, chain="0" * 16),
        dataclasses.replace(entry, scope="bob"),
        dataclasses.replace(entry, body=body_of()),
    ):
        with pytest.raises(LogDiverged):
            told.replica.advance(other)
    assert told.replica.dump() == before


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"sv":99}',
        b'{"sv":"1"}',
        b'{"sv":1,"workspace":{"name":"x"}}',
        b'{"sv":1,"workspace":[]}',
    ],
)
def test_a_damaged_state_is_refused(content: bytes) -> None:
    """With one kind of error, so that the caller can fall back to an older state or the log."""
    with pytest.raises(ValueError, match=r"."):
        replica_from(content, Head("e", 0, "0"))


@given(st.data())
def test_a_state_is_whole_or_refused(data: st.DataObject) -> None:
    """However a dump is damaged, loading it gives a replica or the one kind of error."""
    shape = orjson.loads(story().replica.dump())
    _damage(data, shape)
    try:
        replica_from(orjson.dumps(shape), Head("e", 2, "0"))
    except ValueError:
        return


def test_the_tail_reaches_back_as_far_as_it_was_told() -> None:
    """Entries after a revision; None where only the log knows; nothing at the head or beyond."""
    told = story()
    assert [entry.revision for entry in told.replica.tail_after(0) or ()] == [1, 2]
    assert told.replica.tail_after(2) == []
    assert told.replica.tail_after(9) == []
    loaded = replica_from(told.replica.dump(), told.replica.head)
    assert loaded.tail_after(1) is None
    assert Replica("e").tail_after(0) == []


def test_checkpoints_are_folded_and_dropped() -> None:
    """A checkpoint names a revision; dropping it takes the name away and nothing else."""
    told = story()
    told.mark("first")
    assert told.replica.checkpoints["cp3"]["name"] == "first"
    told.replica.advance(next_entry(told, Record([], "dropped", checkpoint={"drop": "cp3"}).encode()))
    assert told.replica.checkpoints == {}


def test_rewinding_leaves_the_head_alone() -> None:
    """A past state is built on a copy."""
    told = story()
    before = canonical(told.workspace)
    assert canonical(rewind(copy_workspace(told.workspace), told.log[::-1])) == canonical(Replica("e").workspace)
    assert canonical(told.workspace) == before


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "explanation": st.text(max_size=2000),
            "source": st.just("api"),
            "results": st.just([{"index": 0, "op": "add_node", "ids": ["a"]}]),
            "warnings": st.just([{"code": "orphan"}]),
            "left_out": st.just([{"what": "x", "why": "y"}]),
            "places": st.just([["# A", 1, 2]]),
            "checkpoint": st.just({"id": "c", "name": "n", "revision": 1}),
            "hidden": st.just(1),
        },
    )
)
def test_records_survive_bytes(fields: dict[str, Any]) -> None:
    """P15 for bodies: everything that is said about a commit, short or compressed."""
    record = Record([], "what", **fields)
    assert decode_record(record.encode()) == record
    assert decode_record(record.encode()).encode() == record.encode()
