"""What a page may say is read strictly; what is outside is told with its place, and never as a defect."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from draftsmith.collab.client_messages import Hello, Resume, Submit, Type
from draftsmith.collab.protocol import CLOSE_CODES, VERSION, ProtocolError, close_reason, read_hello, read_message

SUBMIT = {"t": "submit", "id": "12345678", "operations": [{"op": "delete_node", "id": "a"}]}
TYPE = {"t": "type", "id": "12345678", "epoch": "e", "base": 3, "changes": [3, ["", "x"]]}


def end_of_refusal(text: str | bytes, read: Any = read_message) -> tuple[str, str]:
    """The code and the words of a refusal."""
    with pytest.raises(ProtocolError) as error:
        read(text)
    end = error.value.reason
    assert end.close == CLOSE_CODES[end.code]
    assert len(end.text.encode()) <= 123
    return end.code, end.detail


def without(message: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != name}


def test_messages_become_values() -> None:
    assert read_message(orjson.dumps(SUBMIT)) == Submit(t="submit", id="12345678", operations=SUBMIT["operations"])
    assert read_message(orjson.dumps(TYPE)) == Type(t="type", id="12345678", epoch="e", base=3, changes=[3, ["", "x"]])


@pytest.mark.parametrize(
    "message, place",
    [
        ({}, "/"),
        ([], "/"),
        ({"t": "dance"}, "/"),
        (without(SUBMIT, "id"), "/id"),
        ({**SUBMIT, "id": "short"}, "/id"),
        ({**SUBMIT, "id": "with a blank"}, "/id"),
        ({**SUBMIT, "operations": []}, "/operations"),
        ({**SUBMIT, "operations": [7]}, "/operations/0"),
        ({**SUBMIT, "loud": True}, "/loud"),
        ({**TYPE, "base": "3"}, "/base"),
        ({**TYPE, "base": -1}, "/base"),
        ({**TYPE, "base": 2**53}, "/base"),
        ({"t": "presence", "state": {"cursor": {"x": 1e9, "y": 0}}}, "/state/cursor/x"),
        ({"t": "presence", "state": {"caret": {"rev": 1, "anchor": 0, "head": 2**31}}}, "/state/caret/head"),
        ({"t": "presence", "state": {"view": "moon"}}, "/state/view"),
        ({"t": "watch", "run": "r"}, "/run"),
        ({**TYPE, "type": {"base": "x"}, "base": "x"}, "/base"),
        ({"t": "ping", "n": 1.5}, "/n"),
        ({"t": "undo", "id": "12345678", "scope": "theirs"}, "/scope"),
    ],
)
def test_whatever_is_outside_the_schema_is_refused_with_its_place(message: Any, place: str) -> None:
    code, detail = end_of_refusal(orjson.dumps(message))
    assert code == "invalid_message"
    assert detail.startswith(f"{place}: "), detail


def test_a_value_that_should_be_an_object_is_said_to_be_none_without_a_class_of_ours() -> None:
    assert end_of_refusal(orjson.dumps({"t": "presence", "state": {"cursor": 7}})) == (
        "invalid_message",
        "/state/cursor: must be an object",
    )


@pytest.mark.parametrize(
    "text", ["", "hello", "{", '{"t":"ping","n":NaN}', '{"t":"ping","n":1}x', b"\xff", '"\\ud800"']
)
def test_what_is_no_json_is_refused_as_such(text: str | bytes) -> None:
    code, detail = end_of_refusal(text)
    assert code == "invalid_message"
    assert detail.startswith("no JSON: ")


def test_the_first_message_is_a_hello() -> None:
    resume = {"epoch": "e", "rev": 3, "h": "abc"}
    hello = read_hello(orjson.dumps({"t": "hello", "v": VERSION, "resume": resume, "pending": ["12345678"]}))
    assert hello == Hello(t="hello", v=VERSION, resume=Resume(epoch="e", rev=3, h="abc"), pending=["12345678"])
    for first in (SUBMIT, {"t": "dance"}, {}, [], 7, None):
        assert end_of_refusal(orjson.dumps(first), read_hello)[0] == "hello_missing"
    assert end_of_refusal("{", read_hello)[0] == "invalid_message"
    assert end_of_refusal(orjson.dumps({"t": "hello", "v": VERSION, "pending": ["x"]}), read_hello) == (
        "invalid_message",
        "/pending/0: string should have at least 8 characters",
    )


def test_another_version_is_told_apart_from_a_wrong_message() -> None:
    """Also where its hello has fields that this version does not know, so that a page knows what to do about it."""
    code, detail = end_of_refusal(orjson.dumps({"t": "hello", "v": VERSION + 1, "more": True}), read_hello)
    assert code == "version_unknown"
    assert str(VERSION + 1) in detail
    assert end_of_refusal(orjson.dumps({"t": "hello", "v": "1"}), read_hello)[0] == "invalid_message"


def test_a_message_that_cannot_be_read_is_named_where_it_has_an_id() -> None:
    """So that its page knows which of its writes it was."""
    for message, named in (
        ({**SUBMIT, "operations": []}, {"id": SUBMIT["id"]}),
        ({"t": "dance", "id": "dance-01"}, {"id": "dance-01"}),
        ({**SUBMIT, "id": "short"}, {}),
        ({"t": "ping"}, {}),
        ([1], {}),
    ):
        with pytest.raises(ProtocolError) as refusal:
            read_message(orjson.dumps(message))
        bye = refusal.value.reason.bye()
        assert {name: value for name, value in bye.items() if name == "id"} == named


def test_a_reason_fits_into_a_close_frame_whatever_it_says() -> None:
    """At most 123 bytes, cut between characters."""
    for letter in ("x", "ü", "🗄"):
        reason = close_reason("internal", letter * 200).text
        assert len(reason.encode()) <= 123
        assert reason.startswith(f"internal: {letter}")
        assert set(reason.removeprefix("internal: ")) == {letter}
