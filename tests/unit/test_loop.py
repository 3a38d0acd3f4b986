"""The tool loop by itself: a scripted provider, a clock that is set by hand, and calls that are only counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from draftsmith.assistant.loop import LoopContext, RetryWait, RunLimits, TurnReport, Withdrawn, run_loop, run_once
from draftsmith.assistant.provider import Event, ProviderError, TextDelta, ToolCall, ToolResult
from draftsmith.errors import DraftsmithError
from tests.scripted import HandClock, Say, Scripted

LOOK = Say(calls=[("find_nodes", {})])
EDIT = Say(calls=[("edit_diagram", {"operations": []})])
DONE = Say("Done.")


@dataclass
class Around:
    """Everybody but the provider."""

    provider: Scripted
    clock: HandClock = field(default_factory=HandClock)
    heard: list[Event | RetryWait | Withdrawn] = field(default_factory=list)
    reports: list[TurnReport] = field(default_factory=list)
    executed: list[ToolCall] = field(default_factory=list)
    refuses: set[int] = field(default_factory=set)
    notes: list[str | None] = field(default_factory=list)
    settled: int = 0

    async def execute(self, call: ToolCall) -> ToolResult:
        self.executed.append(call)
        is_bad = len(self.executed) in self.refuses
        return ToolResult(call.id, "no" if is_bad else "yes", is_error=is_bad, failed_batch=is_bad)

    async def on_event(self, event: Event | RetryWait | Withdrawn) -> None:
        self.heard.append(event)

    async def on_turn(self, report: TurnReport) -> None:
        self.reports.append(report)

    async def on_done(self) -> str | None:
        self.settled += 1
        return self.notes.pop(0) if self.notes else None

    def context(self, limits: RunLimits | None = None) -> LoopContext:
        return LoopContext(
            provider=self.provider,
            system=["system"],
            tools=[],
            execute=self.execute,
            on_event=self.on_event,
            on_turn=self.on_turn,
            on_done=self.on_done,
            clock=self.clock,
            limits=limits or RunLimits(),
        )


def around(*script: Say, **more: object) -> Around:
    return Around(Scripted(script), **more)  # type: ignore[arg-type]


async def code_of(one: Around, limits: RunLimits | None = None) -> str:
    """The code with which a loop ends; empty if it ends well."""
    return await code_of_context(one.context(limits))


async def test_it_ends_when_nothing_is_called_any_more() -> None:
    """Histories only grow, results answer every call in order, and the last text is the answer."""
    both = Say("I look.", calls=[("find_nodes", {"text": "a"}), ("read_nodes", {"ids": ["a"]})])
    one = around(both, EDIT, DONE)
    result = await run_loop(one.context(), "Please.")
    assert result.text == "Done."
    assert result.tools_used == ["find_nodes", "read_nodes", "edit_diagram"]
    assert (result.iterations, result.input_tokens, result.output_tokens) == (3, 300, 30)
    assert [call.name for call in one.executed] == result.tools_used
    assert one.settled == 1
    first, second, third = [request.messages for request in one.provider.asked]
    assert first == [{"user": "Please."}]
    assert second[:1] == first
    assert third[: len(second)] == second
    assert [answered[0] for answered in second[2]["results"]] == [call.id for call in one.executed[:2]]
    assert one.provider.closed == 3, "every turn's iterator is closed"


async def test_the_answer_is_the_newest_text() -> None:
    """A turn that says nothing does not take away what was said before."""
    one = around(Say("Renamed it.", calls=[("edit_diagram", {})]), Say(""))
    result = await run_loop(one.context(), "Please.")
    assert result.text == "Renamed it."


async def test_what_comes_back_when_it_has_finished_goes_on() -> None:
    """A clash is told as the person's side of the conversation; the next end is asked again."""
    one = around(EDIT, DONE, EDIT, Say("Now."), notes=["It no longer fits."])
    result = await run_loop(one.context(), "Please.")
    assert result.text == "Now."
    assert one.settled == 2
    assert one.provider.asked[2].messages[-1] == {"user": "It no longer fits."}


async def test_waiting_for_a_person_takes_nothing_of_its_time() -> None:
    """What a call has waited for a yes is added to the deadline; without that it would be over."""
    limits = RunLimits(seconds=10)
    for extension, code in ((0.0, "deadline"), (60.0, "")):
        one = around(EDIT, DONE)
        context = one.context(limits)

        async def wait(
            call: ToolCall, one: Around = one, context: LoopContext = context, by: float = extension
        ) -> ToolResult:
            await one.clock.sleep(60)
            context.extension += by
            return ToolResult(call.id, "yes")

        context.execute = wait
        assert await code_of_context(context) == code


async def code_of_context(context: LoopContext) -> str:
    """The code with which a loop ends; empty if it ends well."""
    try:
        await run_loop(context, "Please.")
    except DraftsmithError as error:
        return error.code
    return ""


async def test_a_pause_goes_on_with_what_there_is() -> None:
    """A turn that the provider pauses is sent back as it is, and nothing is executed or settled for it."""
    one = around(Say("Hm", stop="pause"), DONE)
    await run_loop(one.context(), "Please.")
    assert one.provider.asked[1].messages == [{"user": "Please."}, {"assistant": 0}]
    assert one.settled == 1


@pytest.mark.parametrize("stop", ["refusal", "max_tokens", "context"])
async def test_cut_answers_run_nothing(stop: str) -> None:
    """The last call of an answer that was cut off is cut, too."""
    one = around(Say("x", calls=[("edit_diagram", {})], stop=stop))  # type: ignore[arg-type]
    assert await code_of(one) == stop
    assert one.executed == []
    assert one.settled == 0
    assert one.reports[0].stop == stop


async def test_three_bad_batches_in_a_row_are_too_many() -> None:
    """One good batch, or a look, between them starts the count anew."""
    assert await code_of(around(*[EDIT] * 4, refuses={1, 2, 3})) == "too_many_failures"
    assert await code_of(around(*[EDIT] * 5, DONE, refuses={1, 2, 4, 5})) == ""
    assert await code_of(around(EDIT, EDIT, LOOK, EDIT, EDIT, DONE, refuses={1, 2, 4, 5})) == ""


async def test_rounds_and_tokens_are_limited() -> None:
    """The limit is looked at before a turn is paid for."""
    one = around(*[LOOK] * 5)
    assert await code_of(one, RunLimits(turns=3)) == "max_turns"
    assert len(one.provider.asked) == 3
    one = around(*[LOOK] * 5)
    assert await code_of(one, RunLimits(tokens=220)) == "run_tokens"
    assert len(one.provider.asked) == 2


async def test_the_deadline_holds_between_turns_and_within_one() -> None:
    """What streams for too long is left, and its connection closed."""
    one = around(LOOK, DONE)

    async def long() -> None:
        one.clock.ms += 11_000

    one.provider.script = [Say(calls=LOOK.calls, happens=long), DONE]
    assert await code_of(one, RunLimits(seconds=10)) == "deadline"
    assert len(one.provider.asked) == 1
    assert one.provider.closed == 1
    assert one.reports[0].status == "deadline"
    assert one.executed == []


async def test_a_provider_may_have_more_time_than_others() -> None:
    """Models on one's own machine are slow; what is set for one holds for no other."""
    limits = RunLimits(seconds=10, provider_seconds={"openai": 900})
    assert (limits.of_provider("openai").seconds, limits.of_provider("anthropic").seconds) == (900, 10)
    assert limits.of_provider("openai").turns == limits.turns


@pytest.mark.parametrize(
    "context, is_small, answer",
    [(0, False, 16_000), (500, True, 1_000), (8_192, True, 2_048), (11_999, True, 2_999), (32_768, False, 8_192)],
)
async def test_an_answer_fills_a_quarter_of_what_a_model_can_read(context: int, is_small: bool, answer: int) -> None:
    """Where it is known how much that is; below 12,000 tokens the model is sent less."""
    limits = RunLimits(provider_context={"openai": context}).of_provider("openai")
    assert (limits.is_small, limits.answer_tokens) == (is_small, answer)


async def test_what_may_pass_is_waited_for_and_told() -> None:
    """By what the provider asks for, else a second and then two; every try is reported."""
    one = around(
        Say(fails=ProviderError("rate_limited", "Slow.", retry_after=7.5)),
        Say(fails=ProviderError("network", "Cut.")),
        DONE,
    )
    assert await code_of(one) == ""
    assert one.clock.slept == [7.5, 2.0]
    assert [(one.seconds, one.code) for one in one.heard if isinstance(one, RetryWait)] == [
        (7.5, "rate_limited"), (2.0, "network"),
    ]  # fmt: skip
    assert [(report.turn, report.status, report.retries) for report in one.reports] == [
        (1, "rate_limited", 0), (1, "network", 1), (1, "ok", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "script, tries",
    [
        ([Say(fails=ProviderError("auth", "No."))], 1),
        ([Say(fails=ProviderError("rate_limited", "Later.", retry_after=600.0))], 1),
        ([Say("It begins", fails=ProviderError("auth", "No."))], 1),
        ([Say(fails=ProviderError("timeout", "Silent."))], 1),
        ([Say("It begins", fails=ProviderError("network", "Cut."))] * 4, 3),
        ([Say(fails=ProviderError("overloaded", "Busy."))] * 4, 3),
        ([Say(fails=ProviderError("overloaded", "Busy.", retry_after=50.0))] * 4, 1),
    ],
)
async def test_what_is_not_tried_again(script: Sequence[Say], tries: int) -> None:
    """What cannot pass, takes too long, has been tried three times, or would end after the deadline."""
    one = around(*script)
    expected = script[0].fails
    assert isinstance(expected, ProviderError)
    assert await code_of(one, RunLimits(seconds=40)) == expected.code
    assert len(one.provider.asked) == tries
    assert len(one.reports) == tries


async def test_a_stream_without_an_end_is_cut_off() -> None:
    """A provider that just stops is not taken for one that has finished."""

    class Silent(Scripted):
        async def turn(self, request):  # type: ignore[no-untyped-def,override]
            yield TextDelta("Hal")

    one = Around(Silent([]))
    assert await code_of(one) == "network"
    assert one.settled == 0


async def test_tokens_of_tries_that_failed_count() -> None:
    """They were paid for."""
    one = around(Say("x", fails=ProviderError("network", "Cut."), tokens=(70, 7)), DONE)
    context = one.context()
    await run_loop(context, "Please.")
    assert (context.result.input_tokens, context.result.output_tokens) == (170, 17)
    used_up = around(Say("x", fails=ProviderError("network", "Cut."), tokens=(70, 7)), DONE)
    assert await code_of(used_up, RunLimits(tokens=77)) == "network", "no try is paid for beyond the limit"
    assert len(used_up.provider.asked) == 1


async def test_a_turn_that_broke_off_is_tried_again_and_withdrawn() -> None:
    """Nothing of it is executed or kept as an answer; who watches is told how much of what was shown to drop."""
    broken = Say("I add 🚀.", calls=EDIT.calls, fails=ProviderError("network", "Cut."))
    one = around(EDIT, broken, EDIT, Say(""))
    result = await run_loop(one.context(), "Please.")
    assert result.text == "", "the words of the broken try are not the answer"
    assert [call.id for call in one.executed] == ["call-0-0", "call-2-0"]
    assert one.provider.asked[2].messages == one.provider.asked[1].messages, "the same is asked again"
    place = next(number for number, heard in enumerate(one.heard) if isinstance(heard, Withdrawn))
    assert one.heard[place : place + 2] == [Withdrawn(9, 0, ["call-1-0"]), RetryWait(1.0, "network")]
    assert (result.iterations, len(one.reports)) == (3, 4)


async def test_half_a_surrogate_pair_is_heard_as_a_question_mark() -> None:
    """No store takes one."""
    one = around(Say("a\ud83d"))
    result = await run_loop(one.context(), "Please.")
    assert result.text == "a?"
    assert one.heard == [TextDelta("a?")]


async def test_one_round_executes_each_call_once_and_asks_no_more() -> None:
    """The answer comes with the calls that were executed, refused ones too; the model is sent one message."""
    one = around(Say("I look.", calls=[("find_nodes", {"text": "a"}), ("edit_diagram", "{broken")]), DONE)
    one.refuses = {2}
    result = await run_once(one.context(), "Please.")
    assert [(call.tool, call.status, call.result) for call in result.executed] == [
        ("find_nodes", "ok", "yes"), ("edit_diagram", "refused", "no"),
    ]  # fmt: skip
    assert [call.name for call in one.executed] == ["find_nodes", "edit_diagram"]
    assert (result.text, result.tools_used, result.iterations) == ("I look.", ["find_nodes"], 1)
    assert (result.input_tokens, result.output_tokens) == (100, 10)
    assert len(one.provider.asked) == 1
    assert one.settled == 0


async def test_one_round_that_was_cut_executes_nothing() -> None:
    one = around(Say("x", calls=EDIT.calls, stop="max_tokens"))
    with pytest.raises(DraftsmithError) as error:
        await run_once(one.context(), "Please.")
    assert error.value.code == "max_tokens"
    assert one.executed == []


async def test_calls_are_kept_as_they_were_executed() -> None:
    """Name, input and result in short; a tool counts as used once one of its calls did something."""
    one = around(Say(calls=[("edit_diagram", {"text": "x" * 600}), ("edit_document", "{broken")]), EDIT, DONE)
    one.refuses = {1, 2}
    result = await run_loop(one.context(), "Please.")
    assert result.tools_used == ["edit_diagram"]
    assert [(call.tool, call.status, call.result) for call in result.executed] == [
        ("edit_diagram", "refused", "no"), ("edit_document", "refused", "no"), ("edit_diagram", "ok", "yes"),
    ]  # fmt: skip
    assert [len(result.executed[0].input), result.executed[1].input, result.executed[2].input] == [
        500, "{broken", '{"operations":[]}',
    ]  # fmt: skip
