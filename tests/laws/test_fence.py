"""Whatever people and an agent do in whatever order: what the agent overwrites is what it was shown last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.agents.marks import field_mark
from draftsmith.agents.reading import read_workspace, unpack_answer
from draftsmith.agents.reading_parts import read_nodes, read_sections
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.history.record import decode_record
from draftsmith.model.fields import EDGE_DEFAULTS, NODE_FIELDS
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.workspace import export_json
from draftsmith.transform.requests.batch import parse_batch
from draftsmith.transform.steps.edge import SetEdge
from draftsmith.transform.steps.node import SetNode
from draftsmith.transform.steps.steps import text_step_of
from draftsmith.usecases.agents.edit_request import AgentRequest
from draftsmith.usecases.agents.editing import floor_of
from draftsmith.usecases.requests.identity import identify
from tests.fakes.memory_agents import MemoryAgents
from tests.fakes.memory_log import MemoryCommitLog, MemoryIndex, MemoryStore
from tests.integration.edited_workspaces import EditedWorkspace

ROBOT = Actor("agent:key:1", "Robot · for Ada", "agent")
NODES = ("api", "db", "web")
SECTIONS = ("## One", "## Two")
WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta"])
FIELDS = st.sampled_from(["label", "description", "technology"])

update = st.builds(
    lambda node, field, word: {"op": "update_node", "id": node, field: word}, st.sampled_from(NODES), FIELDS, WORDS
)
relabel = st.builds(lambda word: {"op": "update_edge", "source": "api", "target": "db", "label": word}, WORDS)
rewrite = st.builds(
    lambda section, word, other: {"op": "replace_section", "section": section, "text": f"{word} {other}."},
    st.sampled_from(SECTIONS), WORDS, WORDS,
)  # fmt: skip
append = st.builds(
    lambda section, word: {"op": "append_to_section", "section": section, "text": f"And {word}."},
    st.sampled_from(SECTIONS), WORDS,
)  # fmt: skip
operation = st.one_of(update, relabel, rewrite, append)
act = st.one_of(
    st.tuples(st.just("person"), operation),
    st.tuples(st.just("agent"), operation),
    st.tuples(st.just("agent with its old base"), operation),
    st.tuples(st.just("look"), st.just("whole")),
    st.tuples(st.just("look"), st.sampled_from([*NODES, *SECTIONS])),
)


class Knowledge:
    """What an agent has been shown, as values: the fields of nodes and edges, and texts."""

    def __init__(self) -> None:
        self.fields: dict[tuple[str, str], Any] = {}
        self.texts: list[str] = []

    def learn(self, state: Mapping[str, Any], what: str) -> None:
        nodes = [node for node in state["diagram"]["nodes"] if what in ("whole", node["id"])]
        for node in nodes:
            shown = ("label", "technology") if what == "whole" else ("label", "technology", "description")
            self.fields |= {(node["id"], field): node.get(field) for field in shown}
        for edge in state["diagram"]["edges"]:
            if what in ("whole", edge["source"], edge["target"]):
                self.fields[edge["id"], "label"] = edge.get("label")
        text = state["document"]["text"]
        if what == "whole":
            self.texts = [text]
        elif what in SECTIONS:
            start = text.index(f"{what}\n")
            end = text.find("\n## ", start + 1)
            self.texts.append(text[start : end if end >= 0 else len(text)])

    def wrote(self, step: Any) -> None:
        """Check that what it overwrote is what it knew, and learn what it wrote."""
        if isinstance(step, SetNode | SetEdge):
            for field, (old, new) in step.fields.items():
                if field in ("label", "technology", "description"):
                    assert old in (None, "") or self.fields.get((step.id, field)) == old, (step.id, field, old)
                    self.fields[step.id, field] = new
        else:
            for gone in step.deleted:
                for line in filter(None, map(str.strip, gone.splitlines())):
                    assert any(line in text for text in self.texts), (line, self.texts)
            self.texts += [change.inserted for change in step.changes.changes()]


class Play:
    """A person and an agent on one workspace."""

    def __init__(self) -> None:
        store = MemoryStore()
        self.scene = EditedWorkspace(MemoryCommitLog(store), MemoryIndex(store))
        self.agents, self.known = MemoryAgents(), Knowledge()
        self.base = 1
        self.refused = self.applied = 0

    async def begin(self) -> None:
        await self.scene.begin()
        nodes = [{"op": "add_node", "id": one, "type": "service", "label": one, "description": "old"} for one in NODES]
        edge = {"op": "add_edge", "source": "api", "target": "db", "label": "calls"}
        sections = [
            {"op": "insert_section", "title": one[3:], "text": "First. Second.", "level": 2} for one in SECTIONS
        ]
        await self.scene.edit(*nodes, edge, *sections)

    async def look(self, what: str) -> None:
        scene, w = self.scene, self.scene.w
        reader = {"whole": ("",)}.get(what)

        def read(replica: Any) -> tuple[Any, bytes, Mapping[str, Any]]:
            workspace = replica.workspace
            content = (
                read_workspace("", workspace) if reader else
                read_sections((what,), workspace) if what in SECTIONS else read_nodes((what,), workspace)
            )  # fmt: skip
            return replica.head, content, orjson.loads(orjson.dumps(export_json(workspace)))

        head, content, state = await scene.workspaces.read(w, read)
        await self.agents.add_marks("a", w, head.epoch, unpack_answer(content).marks, head.revision)
        self.known.learn(state, what)
        self.base = head.revision

    async def edit(self, asked: dict[str, Any], *, raises_base: bool) -> None:
        scene, w = self.scene, self.scene.w
        head = await scene.workspaces.read(w, lambda replica: replica.head)
        marks = await self.agents.marks("a", w, head.epoch)
        identity = identify(ROBOT, None, scene.clock)
        request = AgentRequest(
            batch_id=identity.batch_id, txid=identity.txid, fingerprint="", actor=ROBOT, scope="ada",
            batch=parse_batch([asked], WorkspaceLimits()), limits=WorkspaceLimits(), mode="apply",
            base=head.revision if raises_base else self.base, marks=marks, floor=floor_of(marks, [asked]),
        )  # fmt: skip
        try:
            answer = await scene.workspaces.submit(w, replace(request))
        except DraftsmithError as error:
            if error.code not in ("unread_change", "stale_base"):
                raise
            self.refused += 1
            return
        if not answer["changed"]:
            return
        self.applied += 1
        for revision, some in request.learned.marks.items():
            await self.agents.add_marks("a", w, head.epoch, some, revision)
        [entry] = await scene.log.entries(w, answer["revision"] - 1, answer["revision"], 1)
        for step in decode_record(entry.body).steps:
            if isinstance(step, SetNode | SetEdge) or step is text_step_of([step]):
                self.known.wrote(step)


@given(st.lists(act, min_size=3, max_size=14))
async def test_an_agent_overwrites_only_what_it_was_shown(acts: list[tuple[str, Any]]) -> None:
    play = Play()
    await play.begin()
    for who, what in acts:
        if who == "person":
            await play.scene.edit(what)
        elif who == "look":
            await play.look(what)
        else:
            await play.edit(what, raises_base=who == "agent")


async def test_what_an_agent_has_written_it_may_write_again() -> None:
    """A property that an agent has set it changes without reading it, until somebody else does."""
    play = Play()
    await play.begin()

    def owner(team: str) -> dict[str, Any]:
        return {"op": "update_node", "id": "api", "properties": {"owner": team}}

    await play.edit(owner("payments"), raises_base=True)
    await play.scene.edit({"op": "update_node", "id": "web", "label": "Site"})
    await play.edit(owner("orders"), raises_base=True)
    assert (play.applied, play.refused) == (2, 0)
    await play.scene.edit(owner("platform"))
    await play.edit(owner("orders"), raises_base=True)
    assert (play.applied, play.refused) == (2, 1)


@pytest.mark.parametrize(
    "part, field",
    [
        *(("node", field) for field in NODE_FIELDS),
        *(("edge", field) for field in (*EDGE_DEFAULTS, "source", "target")),
        *((part, "properties.owner") for part in ("node", "edge")),
    ],
)
def test_the_mark_of_every_field_matters_to_who_names_its_node_or_edge(part: str, field: str) -> None:
    """What is known of a field counts from the revision at which it was shown or written."""
    marks = {field_mark(part, "x", field): 3, field_mark(part, "y", field): 1}
    update = {"op": f"update_{part}", "id": "x", "properties": {"owner": "orders"}}
    assert floor_of(marks, [update]) == 3


def test_all_marks_matter_to_a_batch_of_many_properties() -> None:
    """What is looked for is bounded; a floor that is too low costs a longer reading, and refuses nothing."""
    many = [{"op": "update_node", "id": f"n{one}", "properties": {f"p{one}": "x", f"q{one}": "x"}} for one in range(60)]
    marks = {field_mark("node", "n9", "properties.p9"): 3, field_mark("node", "other", "label"): 1}
    assert floor_of(marks, many[:10]) == 3
    assert floor_of(marks, many) == 1
