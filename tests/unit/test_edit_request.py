"""An agent's batch: what of the log it is compared with, how it is refused, and what needs a yes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from draftsmith.agents.marks import LINES, TEXT, Marks, field_mark, line_mark
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.commit import Entry, Head
from draftsmith.model.ids import WorkspaceId
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.ports.runs import Mode
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.usecases.agents.edit_request import FARTHEST, WAITS, AgentRequest
from draftsmith.usecases.replicas.log_reader import LogReader
from draftsmith.usecases.requests.costs import COMMITS
from draftsmith.usecases.requests.request import PreparedTransaction
from tests.builders import Op, Story, canonical, edge, node, update
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.edited_workspaces import EditedWorkspace
from tests.kit.documents import delete_section, edit_section, insert_section, replace_section

ROBOT = Actor("agent:key:1", "Robot · for Ada", "agent")
DOCUMENT = "# Shop\n\nSells.\n\n## Orders\n\nTimeout is 30 s.\n\n## Storage\n\nPostgres.\n"
ALL = {LINES: 1, TEXT: 1}


def request(
    *operations: Op, marks: Marks = ALL, floor: int | None = 1, base: int | None = None, mode: Mode | None = None
) -> AgentRequest:
    return AgentRequest(
        batch_id="b", txid="t", fingerprint="", actor=ROBOT, scope="ada",
        batch=parse_batch(list(operations), WorkspaceLimits()), limits=WorkspaceLimits(), base=base, marks=marks,
        floor=floor, mode=mode,
    )  # fmt: skip


class LogOf(MemoryCommitLog):
    """The log of a story, of which the first entries are no longer kept, or that cannot be reached."""

    def __init__(self, story: Story, trimmed: int, failure: str) -> None:
        super().__init__(MemoryStore())
        self._entries, self._trimmed, self._failure = story.log, trimmed, failure

    async def entries(self, workspace_id: WorkspaceId, after: int, upto: int, count: int = 1_000) -> list[Entry]:
        if self._failure:
            raise DraftsmithError(self._failure, "It failed.")
        return [one for one in self._entries[after:upto] if one.revision > self._trimmed][:count]

    async def kept_states(self, workspace_id: WorkspaceId) -> list[tuple[int, int, str]]:
        return []


def story_of(*commits: Op) -> Story:
    """A workspace of revision 1, and a commit by a person for each operation."""
    story = Story(node("a", description="Old"), node("b", 300), edge("a", "b", id="e"), text=DOCUMENT)
    for commit in commits:
        story.do("ann", commit)
    return story


def reader(story: Story, trimmed: int = 0, failure: str = "") -> LogReader:
    return LogReader(LogOf(story, trimmed, failure), WorkspaceId("w"), story.replica)


async def prepare(story: Story, asked: AgentRequest) -> PreparedTransaction:
    evidence = await asked.fetch(story.replica, reader(story))
    return asked.prepare(story.replica, evidence)


async def refusal(story: Story, asked: AgentRequest) -> DraftsmithError:
    """The refusal of a request, which leaves everything as it was."""
    before = canonical(story.workspace)
    with pytest.raises(DraftsmithError) as refused:
        await prepare(story, asked)
    assert canonical(story.workspace) == before
    assert not asked.learned.marks
    return refused.value


async def why_it_waits(*operations: Op, mode: Mode | None = "auto", story: Story | None = None) -> str:
    """Why a batch of which everything was read needs a yes; empty if it needs none."""
    asked = request(*operations, mode=mode)
    story = story or story_of()
    before = canonical(story.workspace)
    try:
        await prepare(story, asked)
    except DraftsmithError as waits:
        if waits.code != WAITS:
            raise
        assert canonical(story.workspace) == before
        return waits.detail
    return ""


class TestWhatItIsComparedWith:
    async def test_what_was_committed_after_the_oldest_mark_that_matters(self) -> None:
        story = story_of(*(update("a", label=f"{at}") for at in range(4)))
        for floor, past in ((1, [2, 3, 4, 5]), (3, [4, 5]), (5, []), (9, []), (0, [1, 2, 3, 4, 5])):
            asked = request(update("a", label="Mine"), floor=floor)
            evidence = await asked.fetch(story.replica, reader(story))
            assert ([revision for revision, _ in evidence.past], evidence.floor) == (past, min(floor, 5))

    async def test_what_was_committed_between_its_base_and_the_oldest_mark_has_been_shown(self) -> None:
        story = story_of(*(update("a", label=f"{at}") for at in range(4)))
        evidence = await request(update("b", label="Mine"), floor=3, base=1).fetch(story.replica, reader(story))
        assert [revision for revision, _ in evidence.past] == [4, 5]

    async def test_without_marks_nothing_is_read(self) -> None:
        """Everything counts as not shown then, as what was shown before the floor does."""
        story = story_of(update("a", label="Theirs"))
        asked = request(update("a", label="Mine"), floor=None)
        evidence = await asked.fetch(story.replica, reader(story))
        assert (evidence.past, evidence.floor) == ([], 2)
        refused = await refusal(story, asked)
        assert refused.extra["unread"] == [{"part": "node", "id": "a", "field": "label", "node": "a"}]

    async def test_what_was_shown_too_long_ago_counts_as_not_shown(self) -> None:
        story = story_of(update("b", label="Theirs"))
        head = story.replica.head
        story.replica.head = Head(head.epoch, FARTHEST + 2, head.chain)
        asked = request(update("a", label="Mine"), floor=1)
        evidence = await asked.fetch(story.replica, reader(story))
        assert evidence.floor == 2

    async def test_what_was_shown_before_the_log_begins_counts_as_not_shown(self) -> None:
        story = story_of(update("b", label="Theirs"), update("b", label="Theirs too"))
        story.replica.tail.clear()
        asked = request(update("a", label="Mine"), floor=1)
        evidence = await asked.fetch(story.replica, reader(story, trimmed=2))
        assert (evidence.past, evidence.floor, evidence.passed_over) == ([], 3, frozenset())
        with pytest.raises(DraftsmithError) as refused:
            asked.prepare(story.replica, evidence)
        assert refused.value.code == "unread_change"

    async def test_a_log_that_cannot_be_read_is_no_log_that_begins_later(self) -> None:
        story = story_of(update("b", label="Theirs"))
        story.replica.tail.clear()
        asked = request(update("a", label="Mine"), floor=1)
        with pytest.raises(DraftsmithError) as refused:
            await asked.fetch(story.replica, reader(story, failure="store_away"))
        assert refused.value.code == "store_away"

    async def test_its_own_commits_since_its_base_do_not_matter(self) -> None:
        """Nor do they hide those of others: those it clashes with by its base, or by what it was shown."""
        store = MemoryStore()
        scene = EditedWorkspace(MemoryCommitLog(store), MemoryIndex(store))
        await scene.begin()
        await scene.edit(node("a"), node("b"))
        await scene.edit(update("a", label="The robot's"), actor=ROBOT)
        await scene.edit(update("b", label="The person's"))
        mine, known = update("a", label="Mine"), {LINES: 2, line_mark("a"): 3, line_mark("b"): 4}
        for base in (2, None):
            for floor, marks in ((2, {LINES: 2}), (4, known | {LINES: 4})):
                asked = replace(request(mine, floor=floor, marks=marks, base=base), dry_run=True)
                assert (await scene.workspaces.submit(scene.w, asked))["results"]
        for base, code in ((2, "stale_base"), (4, "unread_change"), (None, "unread_change")):
            asked = replace(request(mine, update("b", label="Mine"), floor=2, marks={LINES: 2}, base=base))
            with pytest.raises(DraftsmithError) as refused:
                await scene.workspaces.submit(scene.w, asked)
            assert refused.value.code == code

    @pytest.mark.parametrize("behind,is_heavy", [(COMMITS, False), (COMMITS + 1, True)])
    def test_it_takes_long_where_much_was_committed_since_it_read_or_since_its_base(
        self, behind: int, is_heavy: bool
    ) -> None:
        """Either is enough; what it was shown does not matter where no mark does."""
        story = story_of()
        head = story.replica.head
        story.replica.head = Head(head.epoch, 1_000, head.chain)
        mine = update("a", label="Mine")
        assert request(mine, floor=1_000 - behind, base=1_000).is_heavy(story.replica) is is_heavy
        assert request(mine, floor=1_000, base=1_000 - behind).is_heavy(story.replica) is is_heavy
        assert request(mine, floor=None, base=1_000).is_heavy(story.replica) is False


class TestTheRefusal:
    async def test_one_thing_is_told_with_its_change(self) -> None:
        story = story_of(update("a", label="Theirs"))
        refused = await refusal(story, request(update("a", label="Mine")))
        label = {"part": "node", "id": "a", "field": "label", "node": "a", "revision": 2}
        assert (refused.code, refused.extra) == (
            "unread_change", {"revision": 2, "unread": [label], "changes": [label]},
        )  # fmt: skip
        told = "1 thing that this batch would overwrite you have not read as it is now. Nothing was applied."
        assert refused.detail == told

    async def test_several_are_told_in_the_order_of_their_changes(self) -> None:
        """What was never shown first; each once with the newest change of it, and all changes beside it."""
        story = story_of(
            edit_section("## Orders", "30 s", "20 s"), update("a", label="Theirs"), update("a", label="Theirs too")
        )
        mine = [update("a", label="Mine", description="Mine"), replace_section("## Orders", "Mine.")]
        refused = await refusal(story, request(*mine))
        description = {"part": "node", "id": "a", "field": "description", "node": "a"}
        label = {"part": "node", "id": "a", "field": "label", "node": "a"}
        text = {"part": "document", "section": "# Shop ## Orders", "revision": 2}
        assert refused.extra["unread"] == [description, text, {**label, "revision": 4}]
        assert refused.extra["changes"] == [{**label, "revision": 3}, {**label, "revision": 4}, text]
        told = "3 things that this batch would overwrite you have not read as they are now. Nothing was applied."
        assert refused.detail == told
        two = await refusal(story_of(), request(update("a", label="Mine"), update("b", label="Mine"), marks={}))
        assert two.detail.startswith("2 things that")
        assert two.extra["changes"] == []

    async def test_what_is_stale_is_refused_as_such_first(self) -> None:
        story = story_of(update("a", label="Theirs"))
        refused = await refusal(story, request(update("a", label="Mine"), base=1))
        assert refused.code == "stale_base"
        assert [one["revision"] for one in refused.extra["changes"]] == [2]

    async def test_what_is_unread_is_refused_before_anybody_is_asked(self) -> None:
        refused = await refusal(story_of(), request({"op": "delete_node", "id": "a"}, marks={}, mode="propose"))
        assert refused.code == "unread_change"

    async def test_what_an_agent_takes_back_in_the_same_batch_overwrites_nothing(self) -> None:
        """Only what is left of a batch is compared."""
        story = story_of(update("a", label="Theirs"))
        done = await prepare(story, request(update("a", label="Mine"), update("a", label="Theirs"), base=1, marks={}))
        assert done.steps == []


class TestWhatNeedsAYes:
    @pytest.mark.parametrize(
        "operations,said",
        [
            ([update("a", label="Mine")], ""),
            ([replace_section("## Orders", "Mine.")], ""),
            ([{"op": "delete_node", "id": "a"}], "It deletes 1 node."),
            ([node("n", 900), {"op": "delete_node", "id": "n"}, update("a", label="Mine")], ""),
            ([delete_section("## Orders")], "It deletes a section of the document."),
            ([delete_section("# Shop")], "It deletes 3 sections of the document."),
            ([edit_section("## Orders", "## Orders", "Orders")], "It deletes a section of the document."),
            (
                [{"op": "replace_document", "text": DOCUMENT + "More.\n"}],
                "It rewrites a whole instead of changing parts.",
            ),
        ],
    )
    async def test_losses_and_rewriting(self, operations: list[Op], said: str) -> None:
        """Of nodes, of sections and of their headings; not what the batch has made itself."""
        assert await why_it_waits(*operations) == said

    async def test_many_changes(self) -> None:
        """Of nodes that are there; the first ones of an empty workspace need none, however many they are."""
        nodes = [node(f"n{at:02}", 300 * at, 900) for at in range(21)]
        assert await why_it_waits(*nodes) == "It changes 21 things at once."
        assert await why_it_waits(*nodes[1:]) == ""
        assert await why_it_waits(*nodes, story=Story()) == ""
        assert await why_it_waits(*nodes, story=Story(text=DOCUMENT)) == "It changes 21 things at once."
        assert await why_it_waits(*nodes, story=Story(node("a"))) == "It changes 21 things at once."

    async def test_most_of_what_is_there_needs_one_even_if_all_is_to_be_applied(self) -> None:
        whole: Op = {"op": "replace_document", "text": "Short.\n"}
        share = "It would remove more than 30 % of what is there."
        assert await why_it_waits(whole, mode="apply") == share
        assert await why_it_waits(whole, mode="auto") == share
        assert await why_it_waits({"op": "delete_node", "id": "a"}, mode="apply") == ""

    async def test_whoever_asks_for_a_proposal_gets_one_unless_nothing_changes(self) -> None:
        """And what is to be proposed anyhow is not weighed."""
        assert await why_it_waits(update("a", label="Mine"), mode="propose") == "You asked for a proposal."
        assert await why_it_waits(update("a", label="a"), mode="propose") == ""
        assert await why_it_waits({"op": "delete_node", "id": "a"}, mode=None) == ""


class TestWhatItAnswers:
    async def test_results_and_matches_as_the_whole_batch_leaves_them(self) -> None:
        """A later operation has pushed the match and renamed its section."""
        mine = [
            edit_section("## Storage", "Postgres", "Files"),
            insert_section("Before", text="x", level=2, before="## Storage"),
            {"op": "rename_section", "section": "## Storage", "title": "Data"},
        ]
        done = await prepare(story_of(), request(*mine))
        assert [result["op"] for result in done.results] == ["edit_section", "insert_section", "rename_section"]
        match: Mapping[str, Any] = done.results[0]["match"]
        assert (match["section"], match["snippet"].strip()) == ("# Shop ## Data", "## Data\n\nFiles.")

    async def test_what_it_has_written_it_knows(self) -> None:
        """From the revision at which it was written."""
        asked = request(update("a", label="Mine"))
        await prepare(story_of(update("b", label="Theirs")), asked)
        assert asked.learned.marks == {3: [field_mark("node", "a", "label")]}
