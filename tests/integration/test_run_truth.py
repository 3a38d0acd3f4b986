"""What is told of a run is what ran, whatever the model says of it: the real SDK, the real store, a scripted model."""

from __future__ import annotations

from typing import Any

import pytest

from draftsmith.assistant.loop import RunLimits
from draftsmith.history.record import decode_record
from tests.integration.assistant_workers import BEN, AssistantWorker, assistant_worker, last_results, said
from tests.integration.test_runs_with_a_model import CACHE, DONE, SAY_SO
from tests.standin import Break, Standin, Step, Text, Thinking, ToolUse, Turn, serve
from tests.timeouts import NEVER_SECONDS

BOTH_DONE = Turn([Text("Both done.")])
WRONG: dict[str, Any] = {"operations": [{**SAY_SO["operations"][0], "find": "There are seven caches."}]}
BOTH = Turn([ToolUse("edit_diagram", CACHE), ToolUse("edit_document", WRONG)])
QUICK = RunLimits(seconds=NEVER_SECONDS, pause=0.01)


class Told:
    """A run that is over, and what there was to see of it."""

    def __init__(self, one: AssistantWorker, standin: Standin, run: dict[str, Any]) -> None:
        self.one, self.standin, self.run = one, standin, run
        self.events: list[dict[str, Any]] = []
        self.outcome: dict[str, Any] = run["outcome"]

    @property
    def notes(self) -> list[str]:
        """What was said to the model besides the request and results."""
        messages = [m for m in self.standin.asked[-1].body["messages"][1:] if m["role"] == "user"]
        return [block["text"] for m in messages for block in m["content"] if block["type"] == "text"]


async def told_run(
    redis_url: str, *script: Step, limits: RunLimits = QUICK, asks: dict[str, Any] | None = None
) -> Told:
    """A run on the shop; the stand-in refuses what the API refuses, and the script is played to its end."""
    standin = Standin(list(script))
    async with serve(standin) as url, assistant_worker(redis_url, url, run_limits=limits) as one:
        await one.make_shop()
        run = await one.ask("Add a cache, and say so.", **(asks or {}))
        assert standin.refused == []
        assert len(standin.asked) == len(script)
        of = Told(one, standin, run)
        of.events = await one.events(run["id"])
        return of


async def test_a_refusal_that_nobody_repaired_is_said(redis_url: str) -> None:
    """The model is asked once; what it claims stays its words, and beside them stands what was not done."""
    of = await told_run(redis_url, BOTH, BOTH_DONE, Turn([Text("Really, both done.")]))
    assert (of.run["status"], of.outcome["summary"]) == ("applied", "Really, both done.")
    (refused,) = of.outcome["refused"]
    assert (refused["tool"], refused["operations"]) == ("edit_document", 1)
    assert [problem["code"] for problem in refused["problems"]] == ["find_not_found"]
    assert refused["why"] == refused["problems"][0]["message"]
    assert of.outcome["parts"] == {"done": 1, "of": 2}
    assert of.outcome["tools_used"] == ["edit_diagram"], "what was refused was not used"
    assert [(call["name"], call["status"]) for call in of.outcome["tool_calls"]] == [
        ("edit_diagram", "ok"), ("edit_document", "refused"),
    ]  # fmt: skip
    (note,) = of.notes
    assert "edit_document, 1 operation:" in note
    assert "say in your final message what was not done" in note


async def test_a_model_that_is_asked_may_correct_it(redis_url: str) -> None:
    """Then nothing was refused in the end, and all of it is one commit."""
    of = await told_run(redis_url, BOTH, BOTH_DONE, Turn([ToolUse("edit_document", SAY_SO)]), BOTH_DONE)
    assert of.run["status"] == "applied"
    assert "refused" not in of.outcome
    assert "parts" not in of.outcome
    assert of.outcome["tools_used"] == ["edit_diagram", "edit_document"]
    assert len(of.outcome["operations"]) == 2


async def test_asking_again_costs_nothing_that_fits(redis_url: str) -> None:
    """The three batches in a row that end a run are counted anew after the model was asked."""
    wrong = Turn([ToolUse("edit_document", WRONG)])
    of = await told_run(
        redis_url, Turn([ToolUse("edit_diagram", CACHE)]), wrong, wrong, BOTH_DONE, wrong, wrong, BOTH_DONE
    )
    assert of.run["status"] == "applied"
    assert of.outcome["parts"] == {"done": 1, "of": 2}, "one part was refused, four times"
    assert len(of.notes) == 1


async def test_what_could_not_be_read_is_said_and_its_ghosts_go(redis_url: str) -> None:
    """A call whose JSON breaks off is refused like a batch; a tool that is called like an operation is none."""
    half = ToolUse("edit_diagram", '{"operations": [{"op": "add_node", "type": "cache", "label": "Hot"}, {"op": ')
    named = ToolUse("update_node", {"id": "db", "label": "Ledger"})
    of = await told_run(redis_url, Turn([half]), Turn([named]), BOTH_DONE, BOTH_DONE)
    assert [(one["tool"], one["operations"], one["problems"]) for one in of.outcome["refused"]] == [
        ("edit_diagram", 0, []), ("update_node", 1, []),
    ]  # fmt: skip
    assert of.outcome["refused"][0]["why"] == "The call could not be read."
    events = of.events
    shown = {event["call"] for event in events if event["type"] == "ghost"}
    assert shown
    assert shown <= {event["call"] for event in events if event["type"] == "refused"}


async def test_a_run_of_refused_batches_changes_nothing_and_says_so(redis_url: str) -> None:
    """Whatever it claims; a call of a tool that does not exist is one of them if it would have changed something."""
    rewrite = ToolUse("rewrite_document", {"text": ""})
    of = await told_run(redis_url, Turn([ToolUse("edit_document", WRONG), rewrite]), BOTH_DONE, Turn([]))
    assert of.run["status"] == "answered"
    assert [one["tool"] for one in of.outcome["refused"]] == ["edit_document", "rewrite_document"]
    assert of.outcome["parts"] == {"done": 0, "of": 2}
    assert of.outcome["tools_used"] == []
    assert of.outcome["tool_calls"][1]["status"] == "unknown_tool"
    assert of.outcome["summary"].startswith("The model gave no answer. Not done (edit_document, 1 operation refused):")


async def test_a_proposal_says_what_was_refused_too(redis_url: str) -> None:
    """What waits for a yes is told by the same rule."""
    of = await told_run(redis_url, BOTH, BOTH_DONE, BOTH_DONE, asks={"mode": "propose"})
    assert of.run["status"] == "proposed"
    assert of.outcome["parts"] == {"done": 1, "of": 2}
    assert of.outcome["refused"][0]["tool"] == "edit_document"


async def test_what_others_took_back_is_not_done_either(redis_url: str) -> None:
    """The model has been told of it by the clash; if it leaves it at that, the outcome says so."""
    standin = Standin([Turn([ToolUse("edit_diagram", CACHE), ToolUse("edit_document", SAY_SO)]), BOTH_DONE, BOTH_DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()

        async def others(turn: int) -> None:
            if turn == 2:
                await one.edit(BEN, {"op": "replace_section", "section": "## Caching", "text": "Nothing here."})

        one.before_turn(others)
        run = await one.ask("Please.")
        assert run["status"] == "applied"
        assert run["outcome"]["parts"] == {"done": 1, "of": 2}
        assert [(one["tool"], one["operations"]) for one in run["outcome"]["refused"]] == [("edit_document", 1)]
        assert len(standin.asked) == 3, "it is not asked twice for the same"


async def test_the_next_request_does_not_believe_a_false_claim(redis_url: str) -> None:
    """The conversation and the recap for the model have what was refused beside what was said."""
    standin = Standin([BOTH, BOTH_DONE, BOTH_DONE, Turn([Text("I see.")])])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        await one.ask("Add a cache, and say so.")
        ((_, turn),) = await one.assistant.dependencies.store.conversation(one.w, before=None, count=6)
        assert turn["detail"].startswith("Not done (edit_document, 1 operation refused): ")
        await one.ask("And now?")
        assert "you said: Both done.; note: Not done (edit_document, 1 operation refused): " in said(standin)


@pytest.mark.parametrize("turns", [2, 3])
async def test_nobody_is_asked_where_no_turn_is_left(redis_url: str, turns: int) -> None:
    """What fits is not lost for asking about the rest: that takes one turn to correct it and one to end."""
    of = await told_run(redis_url, BOTH, BOTH_DONE, limits=RunLimits(turns=turns, seconds=NEVER_SECONDS))
    assert of.run["status"] == "applied"
    assert of.outcome["parts"] == {"done": 1, "of": 2}


async def test_an_empty_message_is_no_empty_answer(redis_url: str) -> None:
    """The summary is made of what was staged, also where it waits for a yes."""
    script = Turn([ToolUse("edit_diagram", CACHE), ToolUse("edit_document", SAY_SO)]), Turn([])
    changes = (
        "Added node Order cache; added edges Orders API → Order cache, Order cache → Orders database; "
        "deleted edge Orders API → Orders database; moved node Orders database. Edited “Caching” in the document."
    )
    assert (await told_run(redis_url, *script)).outcome["summary"] == changes
    of = await told_run(redis_url, *script, asks={"mode": "propose"})
    assert of.outcome["summary"] == f"Prepared: {changes}"


async def test_an_empty_answer_says_what_was_looked_up(redis_url: str) -> None:
    """A question that the model leaves unanswered is not an empty card."""
    look = Turn([Thinking("hm"), ToolUse("find_nodes", {"text": "cache"})])
    of = await told_run(redis_url, look, Turn([]), asks={"workflow": "ask"})
    assert of.run["status"] == "answered"
    assert of.outcome["summary"] == "The model gave no answer. It looked up: find_nodes."


async def test_calls_are_told_in_short_and_at_most_a_hundred(redis_url: str) -> None:
    """Input and result with their beginnings, in order; how many more there were is said."""
    looks = [ToolUse("find_nodes", {"text": "y" * 900}), ToolUse("erase_nodes", {})]
    many = [ToolUse("find_nodes", {"text": str(number)}) for number in range(101)]
    of = await told_run(redis_url, Turn(looks, chunk=500), Turn(many, chunk=500), Turn([Text("Nothing.")]))
    calls = of.outcome["tool_calls"]
    assert [call["status"] for call in calls[:3]] == ["ok", "unknown_tool", "ok"]
    assert calls[0]["input"] == f'{{"text":"{"y" * 490}…'
    assert all(0 < len(call["result"]) <= 300 for call in calls)
    assert calls[99]["input"] == '{"text":"97"}'
    assert (len(calls), of.outcome["tool_calls_left_out"]) == (100, 3)
    assert of.outcome["tools_used"] == ["find_nodes"]
    assert of.outcome["iterations"] == 3
    assert "refused" not in of.outcome, "what would have changed nothing leaves nothing undone"


@pytest.mark.parametrize("regenerate", [False, True])
async def test_three_batches_that_do_not_fit_offer_the_other_way(redis_url: str, *, regenerate: bool) -> None:
    """Where the model edits by operations; not where it writes anew as a whole already."""
    name, bad = ("rewrite_diagram", {"nodes": 7}) if regenerate else ("edit_document", WRONG)
    standin = Standin([Turn([ToolUse(name, bad)])] * 3)
    async with serve(standin) as url, assistant_worker(redis_url, url, regenerate=regenerate) as one:
        await one.make_shop()
        run = await one.ask("Please.")
        assert run["outcome"]["error"]["code"] == "too_many_failures"
        assert run["outcome"].get("fallback") == (None if regenerate else "regenerate")


async def test_an_edit_that_comes_to_nothing_is_no_answer(redis_url: str) -> None:
    """What is as the request would make it already is told as unchanged, also without a model."""
    same = {"operations": [{"op": "update_node", "id": "db", "technology": "PostgreSQL"}]}
    of = await told_run(redis_url, Turn([ToolUse("edit_diagram", same)]), DONE)
    assert of.run["status"] == "unchanged"
    assert of.outcome["revision"] == 2


@pytest.mark.parametrize("how", ["error", "cut", "end"])
async def test_a_stream_that_breaks_is_tried_again(redis_url: str, how: Any) -> None:
    """Nothing of a turn is carried out before all of it is there, so the whole turn is asked for once more."""
    edit = [Thinking("hm"), Text("I add it."), ToolUse("edit_diagram", CACHE)]
    broken = Turn([Thinking("ah"), Text("I will 🚀 it."), ToolUse("edit_diagram", CACHE)], breaks=Break(30, how))
    of = await told_run(redis_url, broken, Turn(edit), Turn([]))
    assert of.run["status"] == "applied"
    assert of.outcome["summary"] == "I add it."
    assert of.outcome["iterations"] == 2
    statuses = [row["status"] for row in of.one.usage.rows]
    assert statuses == ["overloaded" if how == "error" else "network", "ok", "ok"]
    assert of.standin.asked[1].body == of.standin.asked[0].body
    sent = sum(row["input_tokens"] for row in of.one.usage.rows)
    assert of.outcome["usage"]["input_tokens"] == sent, "what the broken try cost is counted"


async def test_who_watches_is_told_what_to_drop(redis_url: str) -> None:
    """`withdrawn` says how much of the text and which calls do not count; what is left is what happened."""
    edit = [Thinking("hm"), Text("I add it."), ToolUse("edit_diagram", CACHE)]
    broken = Turn([Thinking("ah"), Text("I will 🚀 it."), ToolUse("edit_diagram", CACHE)], breaks=Break(30, "cut"))
    standin = Standin([broken, Turn(edit), DONE])
    async with serve(standin) as url, assistant_worker(redis_url, url, run_limits=QUICK) as one:
        await one.make_shop()
        run = await one.ask("Add a cache.")
        text, thinking, calls = "", "", list[str]()
        for event in await one.events(run["id"]):
            match event["type"]:
                case "text":
                    text += event["text"]
                case "thinking":
                    thinking += event["text"]
                case "tool":
                    calls.append(event["call"])
                case "withdrawn":
                    assert text == "I will 🚀 it."
                    text = text.encode("utf-16-le")[: -2 * event["text"]].decode("utf-16-le")
                    thinking = thinking[: -event["thinking"]]
                    assert event["calls"] == calls != [], "the call had begun"
                    calls = []
        assert (thinking, len(calls)) == ("hm", 1)
        assert text.startswith("I add it.")
        assert "🚀" not in text


@pytest.mark.parametrize("how, code", [("error", "overloaded"), ("cut", "network"), ("end", "network")])
async def test_a_stream_that_breaks_three_times_fails(redis_url: str, how: Any, code: str) -> None:
    """With what broke; nothing of the broken words is its summary."""
    broken = Turn([Text("I will. " * 9), ToolUse("edit_diagram", CACHE)], breaks=Break(8, how))
    of = await told_run(redis_url, Turn([Text("Wait."), ToolUse("edit_diagram", CACHE)]), *[broken] * 3)
    assert (of.run["status"], of.outcome["error"]["code"]) == ("failed", code)
    assert of.outcome["summary"] == "Wait."


async def test_a_property_is_told_as_a_property(redis_url: str) -> None:
    """One that is called like a field: to the model, to who watches, on the card and in the history."""
    edit = {"operations": [{"op": "update_node", "id": "db", "properties": {"label": "Ledger"}}]}
    standin = Standin([Turn([ToolUse("edit_diagram", edit)]), Turn([])])
    async with serve(standin) as url, assistant_worker(redis_url, url) as one:
        await one.make_shop()
        run = await one.ask("Please.")
        sentence = "Changed property label of Orders database"
        assert sentence in str(last_results(standin)[0]["content"])
        events = await one.events(run["id"])
        shown = [what["what"] for event in events if event["type"] == "staged" for what in event["operations"]]
        assert [*shown, run["outcome"]["operations"][0]["what"]] == [sentence] * 2
        assert run["outcome"]["summary"] == f"{sentence}."
        (listed,) = await one.assistant.recent_runs(one.w, 60_000)
        assert listed["outcome"] is not None
        assert listed["outcome"].keys() == run["outcome"].keys() - {"tool_calls"}, "pages of others are not sent calls"
        replica, log = await one.workspaces.log_reader(one.w)
        (entry,) = await log.entries_after(replica.head.revision - 1)
        assert decode_record(entry.body).what == sentence


async def test_the_same_batch_sent_twice_is_done_once(redis_url: str) -> None:
    """In one turn and in the next; it is no refusal, the model is told, and one node is made."""
    twice = [ToolUse("edit_diagram", CACHE), ToolUse("edit_diagram", CACHE)]
    of = await told_run(redis_url, Turn(twice), Turn([ToolUse("edit_diagram", CACHE)]), DONE)
    assert of.run["status"] == "applied"
    assert "refused" not in of.outcome
    assert [event["type"] for event in of.events if event["type"] in ("staged", "refused")] == ["staged"] * 3
    assert [len(event["operations"]) for event in of.events if event["type"] == "staged"] == [1, 0, 0]
    results = [one["result"] for one in of.outcome["tool_calls"]]
    assert ["done before" in result for result in results] == [False, True, True]


async def test_what_was_changed_back_is_changed_again(redis_url: str) -> None:
    """A batch that is like an earlier one, but not like the newest, is no repetition."""
    names = [{"operations": [{"op": "update_node", "id": "db", "label": name}]} for name in ("A", "B", "A")]
    of = await told_run(redis_url, *(Turn([ToolUse("edit_diagram", name)]) for name in names), DONE)
    assert (of.run["status"], of.outcome["summary"]) == (
        "applied",
        "The order cache stands between the API and the database now.",
    )
    assert [len(event["operations"]) for event in of.events if event["type"] == "staged"] == [1, 1, 1]


async def test_a_call_of_no_tool_that_is_claimed_to_be_done_is_told(redis_url: str) -> None:
    """Where nothing came after it; a question leaves nothing undone."""
    script = (Turn([ToolUse("deploy_it", {})]), Turn([Text("Deployed.")]))
    of = await told_run(redis_url, *script)
    assert of.run["status"] == "answered"
    assert [(one["tool"], one["operations"], one["why"]) for one in of.outcome["refused"]] == [
        ("deploy_it", 0, "There is no tool 'deploy_it'.")
    ]
    assert "refused" not in (await told_run(redis_url, *script, asks={"workflow": "ask"})).outcome


async def test_tags_of_our_own_are_no_part_of_an_answer(redis_url: str) -> None:
    """Whether a run ends well or fails: small models repeat the blocks that they were sent, whole or cut."""
    begun = "<document-0badcafe characters=9 form=whole>\n# Shop\n</document-0badcafe>\n"
    block = f"{begun}Use `<b-tree>` and `<my-element>`.</requ"
    kept = "# Shop\nUse `<b-tree>` and `<my-element>`."
    of = await told_run(redis_url, Turn([Text(f"{block}est-0ba")]))
    assert (of.run["status"], of.outcome["summary"]) == ("answered", kept)
    failed = await told_run(redis_url, Turn([Text(f"{block}est-0badcafe")], stop="max_tokens"))
    assert (failed.run["status"], failed.outcome["summary"]) == ("failed", kept)
    only = await told_run(redis_url, Turn([Text("</request-0badcafe>")]))
    assert only.outcome["summary"] == "The model gave no answer."
