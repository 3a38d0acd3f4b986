"""Streams of Chat Completions as servers really send them: which calls, which thoughts, how many tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from openai.types.chat import ChatCompletionChunk

from draftsmith.adapters.openai.chat import ChatAnswer
from draftsmith.assistant.provider import Event, TextDelta, ThinkingDelta, Usage

WHOLE = '{"operations": []}'


def answered(*deltas: dict[str, Any], usage: Usage | None = None) -> tuple[list[Event], ChatAnswer]:
    """The events of a stream with these deltas, and the answer."""
    answer = ChatAnswer(usage or Usage(), sent_tokens=1_000)
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return [event for chunk in chunks for event in answer.convert(ChatCompletionChunk.construct(**chunk))], answer


def call(arguments: Any, **more: Any) -> dict[str, Any]:
    """A delta with a piece of a call; `name` belongs to its function."""
    function = {"arguments": arguments, **({"name": more.pop("name")} if "name" in more else {})}
    return {"tool_calls": [{**more, "function": function}]}


def calls(*deltas: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(one.name, one.input) for one in answered(*deltas)[1].end().calls]


@pytest.mark.parametrize("second", ["edit_diagram", "edit_document"])
def test_calls_that_share_an_index_are_told_apart(second: str) -> None:
    """Ollama sends each call whole, with an id of its own, and with index 0."""
    deltas = [
        call(WHOLE, index=0, id="a", name="edit_diagram"),
        call('{"operations": [1]}', index=0, id="b", name=second),
    ]
    assert calls(*deltas) == [("edit_diagram", {"operations": []}), (second, {"operations": [1]})]


def test_calls_without_ids_that_share_an_index_are_told_apart() -> None:
    deltas = [call(WHOLE, index=0, name="edit_diagram"), call('{"operations": [1]}', index=0, name="edit_diagram")]
    assert calls(*deltas) == [("edit_diagram", {"operations": []}), ("edit_diagram", {"operations": [1]})]


@pytest.mark.parametrize("more", [{"id": "a"}, {}])
def test_a_name_that_is_repeated_with_each_piece_is_one_call(more: dict[str, str]) -> None:
    pieces = [call(piece, index=0, name="edit_diagram", **more) for piece in ('{"operat', 'ions": []', "}", "")]
    assert calls(*pieces) == [("edit_diagram", {"operations": []})]


def test_an_id_that_changes_without_a_name_is_one_call() -> None:
    assert calls(
        call('{"operations"', index=0, id="a", name="edit_diagram"), call(": []}", index=0, id="b"),
    ) == [("edit_diagram", {"operations": []})]  # fmt: skip


def test_arguments_may_come_as_an_object() -> None:
    assert calls(call({"operations": []}, index=0, id="a", name="edit_diagram")) == [
        ("edit_diagram", {"operations": []})
    ]


def spoken(events: list[Event], kind: type[TextDelta | ThinkingDelta]) -> str:
    return "".join(event.text for event in events if isinstance(event, kind))


def in_pieces(text: str, size: int) -> Iterator[dict[str, Any]]:
    return ({"content": text[at : at + size]} for at in range(0, len(text), size))


@pytest.mark.parametrize("size", range(1, 12))
def test_leading_thoughts_are_no_part_of_the_answer(size: int) -> None:
    """However `<think>` is cut into pieces; the history has the answer alone."""
    events, answer = answered(*in_pieces("\n<think>\nA < b, <thin> </thinks…\n</think>\n\nUse <think> wisely.", size))
    assert spoken(events, ThinkingDelta).strip() == "A < b, <thin> </thinks…"
    assert spoken(events, TextDelta) == "Use <think> wisely."
    assert answer.end().message == [{"role": "assistant", "content": "Use <think> wisely."}]


@pytest.mark.parametrize("text", ["  ", "<", "<thin", "<thinking> is hard", "a <think>b</think>", "  <b>"])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_what_only_begins_like_thoughts_is_the_answer(text: str, size: int) -> None:
    events, _ = answered(*in_pieces(text, size))
    assert (spoken(events, TextDelta), spoken(events, ThinkingDelta)) == (text, "")


def test_thoughts_may_be_empty() -> None:
    events, _ = answered(*in_pieces("<think>\n\n</think>\n\nYes.", 4))
    assert (spoken(events, TextDelta), [event for event in events if isinstance(event, ThinkingDelta)]) == ("Yes.", [])


def test_thoughts_that_never_end_are_thoughts() -> None:
    events, answer = answered(*in_pieces("<think>on and on </thi", 5))
    assert (spoken(events, TextDelta), spoken(events, ThinkingDelta)) == ("", "on and on </thi")
    assert answer.end().message == []


def test_tokens_are_estimated_where_none_are_counted() -> None:
    """A limit on tokens holds for servers that count none: a quarter of the bytes that went and came."""
    usage = Usage()
    answered({"content": "x" * 400}, call("y" * 400, index=0, id="a", name="edit_diagram"), usage=usage)
    assert (usage.input, usage.output) == (1_000, 200)


def test_counted_tokens_replace_the_estimate() -> None:
    usage = Usage()
    answer = ChatAnswer(usage, sent_tokens=1_000)
    said = {"choices": [{"index": 0, "delta": {"content": "x" * 400}, "finish_reason": "stop"}]}
    list(
        answer.convert(
            ChatCompletionChunk.model_validate(
                {"id": "c", "created": 1, "model": "m", "object": "chat.completion.chunk", **said}
            )
        )
    )
    assert (usage.input, usage.output) == (1_000, 100)
    counts = {"prompt_tokens": 700, "completion_tokens": 90, "total_tokens": 790}
    for more in ({"usage": counts}, {"usage": None}):
        list(answer.convert(ChatCompletionChunk.construct(choices=[], **more)))
    assert (usage.input, usage.output) == (700, 90)


@pytest.mark.parametrize(
    "sent, read, is_cut",
    [(11_000, 2_050, True), (5_000, 2_050, True), (5_000, 2_499, True), (5_000, 2_500, False), (1_500, 600, False)],
)
def test_a_server_that_counts_half_of_what_was_sent_has_cut_it(sent: int, read: int, is_cut: bool) -> None:
    """Estimates differ from counts by a third; small requests are cut by nobody."""
    answer = ChatAnswer(Usage(), sent_tokens=sent)
    assert not answer.is_cut, "nothing is counted yet"
    counts = {"prompt_tokens": read, "completion_tokens": 9, "total_tokens": read + 9}
    list(answer.convert(ChatCompletionChunk.construct(choices=[], usage=counts)))
    assert answer.is_cut == is_cut


def counted(sent: int, read: int) -> ChatAnswer:
    """An answer to so many tokens of which the server counts so many."""
    answer = ChatAnswer(Usage(), sent_tokens=sent)
    counts = {"prompt_tokens": read, "completion_tokens": 9, "total_tokens": read + 9}
    list(answer.convert(ChatCompletionChunk.construct(choices=[], usage=counts)))
    return answer


@pytest.mark.parametrize(
    "sent, read, has_lost",
    [(6_000, 4_096, True), (6_000, 3_900, True), (5_200, 4_100, True), (6_000, 4_400, False), (5_199, 4_096, False)],
)
def test_a_conversation_that_grows_is_counted_longer(sent: int, read: int, has_lost: bool) -> None:
    """Also where less than half was cut: by whatever tokenizer, what was added is counted."""
    before = counted(5_000, 4_096)
    answer = counted(sent, read)
    assert not answer.is_cut, "by itself it may be a tokenizer"
    assert answer.has_lost(before) == has_lost
    assert not answer.has_lost(None)
    assert not answer.has_lost(ChatAnswer(Usage(), sent_tokens=1_000)), "nothing was counted before"
