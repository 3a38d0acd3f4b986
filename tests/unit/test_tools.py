"""The tools as models are told of them, and what the reading ones answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.states import workspace_of as grid
from draftsmith.adapters.files.prompt_files import read_prompts
from draftsmith.assistant.answers.feedback import rejection_text
from draftsmith.assistant.answers.offers import offer_of
from draftsmith.assistant.prompts import WORKFLOWS, PromptSet, prompt_set
from draftsmith.assistant.provider import ToolSpec
from draftsmith.assistant.tools.tool_inputs import CLEARABLE, DIAGRAM_OPERATIONS, DOCUMENT_OPERATIONS, TOOL_INPUTS
from draftsmith.assistant.tools.tools import READERS, ToolFault, tool_names, tools_of
from draftsmith.errors import DraftsmithError
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.vocabulary import NODE_TYPES
from draftsmith.model.workspace import Workspace
from draftsmith.transform.requests.batch import OPERATION_MODELS, parse_batch
from tests.builders import canonical, edge, group, node, workspace_of
from tests.shop import shop

_NEVER = {"position", "size", "route", "route_by", "label_at", "redraw", "positions", "sizes", "routes", "locked"}
_NOT_OFFERED = {"move_nodes", "edit_text", "replace_diagram", "replace_document", "define_type", "delete_type"}


def _prompts(workflow: str) -> PromptSet:
    return prompt_set(workflow, read_prompts(workflow))


def _tools(workflow: str) -> list[ToolSpec]:
    name = "edit" if workflow == "regenerate" else workflow
    return tools_of(name, _prompts(workflow), regenerate=workflow == "regenerate")


def _tool(name: str) -> dict[str, Any]:
    return dict(next(tool for tool in _tools("edit") if tool.name == name).input_schema)


def _everything(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all schemas in it."""
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from _everything(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _everything(part)


def test_each_workflow_has_its_tools() -> None:
    """Only editing workflows can write, sorted by name; the fallback exchanges the editing tools of edit alone."""
    reading = ("find_nodes", "find_text", "read_nodes", "read_section", "search_patterns")
    editing = ("edit_diagram", "edit_document", *reading)
    assert tool_names("edit") == editing
    drafting = tuple(name for name in editing if name not in ("find_text", "search_patterns"))
    assert tool_names("generate") == tool_names("generate", regenerate=True) == drafting
    assert tool_names("edit", regenerate=True) == ("read_section", "rewrite_diagram", "rewrite_document")
    asking = (
        "check_diagram", "find_nodes", "find_text", "impact", "neighbours", "paths", "read_nodes", "read_section",
        "report_findings", "search_patterns",
    )  # fmt: skip
    assert tool_names("ask") == asking
    assert set(asking) - {"report_findings"} == {*READERS, "search_patterns"} == set(TOOL_INPUTS)
    assert tool_names("investigate") == tuple(sorted([*asking, "find_commits", "read_commit"]))
    assert set(tool_names("recommend")) == {*TOOL_INPUTS, "propose_option"} - {"check_diagram"}
    with pytest.raises(ValueError, match="no workflow"):
        tool_names("paint")


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_schemas_are_what_every_provider_takes(workflow: str) -> None:
    """An object at the top, no references, no union there, valid Draft 2020-12; ghosts only of writing tools."""
    for tool in _tools(workflow):
        schema = tool.input_schema
        jsonschema_rs.meta.validate(dict(schema))
        assert schema["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf"} & schema.keys()
        for part in _everything(schema):
            assert not {"$ref", "$defs", "oneOf", "discriminator", "title"} & {
                word for word, value in part.items() if not isinstance(value, dict) or word.startswith("$")
            }
        assert tool.eager == tool.name.startswith(("edit_", "rewrite_"))


def test_tools_are_the_same_bytes_every_time() -> None:
    """Providers cache by bytes: nothing in them depends on an order that may change."""
    for workflow in WORKFLOWS:
        first = json.dumps([[tool.name, tool.description, tool.input_schema] for tool in _tools(workflow)])
        assert first == json.dumps([[tool.name, tool.description, tool.input_schema] for tool in _tools(workflow)])
        assert [tool.name for tool in _tools(workflow)] == sorted(tool.name for tool in _tools(workflow))


def test_a_tool_without_a_text_is_refused() -> None:
    """Prompts of another workflow lack some; that shows when the tools are made."""
    with pytest.raises(ValueError, match="find_commits, read_commit"):
        tools_of("investigate", _prompts("edit"))


def test_every_operation_is_offered_once_or_left_out_on_purpose() -> None:
    """A new operation has to be put on one side; offered fields are fields, and places and locks are not among them."""
    offered = {**DIAGRAM_OPERATIONS, **DOCUMENT_OPERATIONS}
    assert len(offered) == len(DIAGRAM_OPERATIONS) + len(DOCUMENT_OPERATIONS)
    assert offered.keys() | _NOT_OFFERED == OPERATION_MODELS.keys()
    assert not offered.keys() & _NOT_OFFERED
    for op, fields in offered.items():
        model = OPERATION_MODELS[op].model_fields
        assert not fields.keys() & _NEVER
        assert fields.keys() <= model.keys()
        needed = {field for field, info in model.items() if info.is_required()} - {"op"}
        assert needed <= fields.keys()


_OFFERED = {"edit_diagram": DIAGRAM_OPERATIONS, "edit_document": DOCUMENT_OPERATIONS}


def _fields_of(tool: str) -> dict[str, Any]:
    """The schemas of the fields of a tool's operations."""
    return dict(_tool(tool)["properties"]["operations"]["items"]["properties"])


@pytest.mark.parametrize("tool", ["edit_diagram", "edit_document"])
def test_what_the_schema_offers_is_what_the_reader_takes(tool: str) -> None:
    """Every operation with every offered field, filled with something of the right type, is read."""
    fields = _fields_of(tool)
    assert fields["op"]["enum"] == list(_OFFERED[tool])
    assert fields.keys() - {"op"} == {field for one in _OFFERED[tool].values() for field in one}
    for op, offered in _OFFERED[tool].items():
        operation = {"op": op, **{field: _some(fields[field]) for field in offered}}
        assert jsonschema_rs.validator_for(_tool(tool)).is_valid({"operations": [operation]})
        parse_batch([operation], WorkspaceLimits())


@pytest.mark.parametrize("tool", ["edit_diagram", "edit_document"])
def test_the_text_says_which_fields_each_operation_has(tool: str) -> None:
    """The schema has the fields of all operations together: with exactly those that the text says it is read."""
    text = next(one.description for one in _tools("edit") if one.name == tool)
    fields = _fields_of(tool)
    for op in _OFFERED[tool]:
        [line] = [line for line in text.splitlines() if line.split(" ")[0] == op]
        said = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", line.removeprefix(op))
        needed, optional = said.partition("[")[0].split(), said.partition("[")[2].removesuffix("]").split()
        assert {*needed, *optional} == _OFFERED[tool][op].keys()
        operation = {"op": op, **{field: _some(fields[field]) for field in needed}}
        parse_batch([operation], WorkspaceLimits())
        for field in needed:
            with pytest.raises(DraftsmithError, match=field):
                parse_batch([{name: value for name, value in operation.items() if name != field}], WorkspaceLimits())


def test_an_operation_of_a_wrong_form_is_refused_with_its_fields_and_an_example() -> None:
    """What the schema no longer says, the refusal does: the fields of the operation, and one that works."""
    with pytest.raises(DraftsmithError) as caught:
        parse_batch(
            [{"op": "insert_between", "source": "a", "target": "b"}], WorkspaceLimits(), offer=offer_of("edit_diagram")
        )
    said = rejection_text(caught.value, examples=_prompts("edit").edits)
    assert "Its fields: insert_between source target node (id or fields of a new one) [" in said
    assert '\n[{"op":"insert_between","source":"orders","target":"orders-db"' in said
    with pytest.raises(DraftsmithError) as caught:
        parse_batch([{"op": "add_vertex", "label": "A"}], WorkspaceLimits(), offer=offer_of("edit_diagram"))
    assert "Its fields: add_node type label [" in rejection_text(caught.value)


def test_prompts_of_an_operator_need_not_say_where_the_operations_stand() -> None:
    """A text without the place for them has them at its end."""
    files = {**read_prompts("edit"), "shared/tools/edit_document.md": "Edit the text."}
    [tool] = [one for one in tools_of("edit", prompt_set("edit", files)) if one.name == "edit_document"]
    assert tool.description.startswith("Edit the text.\n\nedit_section section")


def _some(schema: dict[str, Any]) -> Any:
    """A value that fits a schema."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][-1]
    if "anyOf" in schema:
        return _some(schema["anyOf"][-1])
    kind = schema["type"][0] if isinstance(schema["type"], list) else schema["type"]
    if kind == "object":
        return {name: _some(part) for name, part in schema.get("properties", {}).items()}
    return {"string": "x", "boolean": True, "integer": 2, "null": None, "array": ["x"]}[kind]


def test_null_is_offered_only_where_it_clears() -> None:
    """A model that sees null as a choice sends it; where it means nothing in any operation it is not offered."""
    fields = _fields_of("edit_diagram")
    clearable = {field for field, schema in fields.items() if "null" in schema["type"]}
    assert clearable == {field for op, field in CLEARABLE if op in DIAGRAM_OPERATIONS}
    for op, field in CLEARABLE & {(op, field) for op, offered in DIAGRAM_OPERATIONS.items() for field in offered}:
        model = OPERATION_MODELS[op].model_fields
        needed = {name: _some(fields[name]) for name, info in model.items() if info.is_required() and name != "op"}
        parse_batch([{"op": op, **needed, field: None}], WorkspaceLimits())
    assert not any("null" in schema["type"] for schema in _fields_of("edit_document").values())
    whole = next(tool for tool in _tools("regenerate") if tool.name == "rewrite_diagram").input_schema
    assert whole["properties"]["nodes"]["items"]["properties"]["parent"]["type"] == ["string", "null"]
    assert whole["properties"]["nodes"]["items"]["required"] == ["type", "label"]
    assert "null" in fields["properties"]["additionalProperties"]["type"]


def test_the_schema_lists_the_types() -> None:
    """So that a model need not guess them; as words, since a list would leave out the workspace's own."""
    said = _fields_of("edit_diagram")["type"]
    assert said == {"type": "string", "description": f"{' '.join(NODE_TYPES)}, or one of the workspace's own"}


def test_tools_stay_small() -> None:
    """Everything that is sent ahead of an edit, in characters / 4: cached, but read each time."""
    total = sum(len(json.dumps([tool.input_schema, tool.examples])) + len(tool.description) for tool in _tools("edit"))
    assert (total + len(_prompts("edit").system[0])) / 4 < 3_300


# -- what the reading tools answer -------------------------------------------------------------------------------------


def _ask(name: str, workspace: Workspace | None = None, **given: Any) -> Any:
    return READERS[name](workspace or shop(), given)


def _fault(name: str, **given: Any) -> str:
    with pytest.raises(ToolFault) as caught:
        _ask(name, **given)
    return str(caught.value)


def test_find_nodes_answers_lines_and_values() -> None:
    """The line of each node, how many there are, and the same as JSON."""
    answer = _ask("find_nodes", text="databases")
    assert answer.text == '1 node found.\norders-db database "Orders DB" [PostgreSQL 17]'
    assert answer.data == {
        "nodes": [
            {"id": "orders-db", "label": "Orders DB", "type": "database", "technology": "PostgreSQL 17", "parent": None}
        ],
        "total": 1,
    }


def test_no_result_is_an_answer() -> None:
    """It says what there is instead; an empty diagram is said to be empty."""
    answer = _ask("find_nodes", text="redis")
    assert answer.text.startswith("No node is like that. There are: 1 cache, 1 database,")
    assert answer.data == {"nodes": [], "total": 0}
    assert "The diagram is empty." in _ask("find_nodes", Workspace(), text="redis").text


def test_find_nodes_takes_words_for_types_and_labels_for_groups() -> None:
    """Filters in words of people; a single text for a list; numbers as texts."""
    assert _ask("find_nodes", types="Databases").data["total"] == 1
    assert _ask("find_nodes", types=["message queues"]).data["total"] == 0
    assert _ask("find_nodes", type="worker", limit="1").data["total"] == 2
    assert [one["id"] for one in _ask("find_nodes", group="Core").data["nodes"]] == ["orders", "payments"]
    assert "no node type" in _fault("find_nodes", types=["banana"])
    assert "'orders' is not a group. The groups are: core." in _fault("find_nodes", group="orders")
    assert "limit" in _fault("find_nodes", text="a", limit=0)


def test_read_nodes_gives_all_but_places() -> None:
    """Fields and edges as JSON; what is not there is named, with what is near."""
    answer = _ask("read_nodes", ids=["orders", "paymens", "orders"])
    first, second = answer.text.split("\n")
    assert json.loads(first)["properties"] == {"owner": "Ann"}
    assert "position" not in first
    assert second.startswith('There is no node "paymens". Closest: payments')
    [orders] = answer.data["nodes"]
    assert (orders["id"], orders["position"], len(orders["edges"])) == ("orders", {"x": 600, "y": 0}, 6)
    assert answer.data["missing"] == ["paymens"]
    assert _ask("read_nodes", ids="orders").data == _ask("read_nodes", id="orders").data


def test_read_section_gives_the_text_as_it_stands() -> None:
    """With its subsections where they are short, and the path under which operations know it."""
    answer = _ask("read_section", section="Orders")
    assert answer.data["path"] == "# Shop ## Components ### Orders"
    assert answer.data["text"].startswith("### Orders\n\nOrders keeps")
    assert (
        answer.data["text"]
        == shop().document.text[shop().document.text.index("### Orders") :][: len(answer.data["text"])]
    )
    whole = _ask("read_section", section="## Components")
    assert "Mailer reads" in whole.text
    assert whole.data["subsections"] == [
        f"# Shop ## Components ### {name}" for name in ("Orders", "Payments", "Mailer")
    ]
    assert _ask("read_section", section="").data == {"path": "", "text": "Status: Draft\n\n", "subsections": []}


def test_a_long_section_names_what_stands_below() -> None:
    """Its own text, then the paths of its subsections; a very long text is cut, and said so."""
    text = "# A\n\nown\n\n" + "".join(f"## S{n}\n\n{'word ' * 200}\n\n" for n in range(10))
    answer = _ask("read_section", workspace_of(text=text), section="# A")
    assert answer.data["text"] == "# A\n\nown\n\n"
    assert "Subsections, not shown:\n# A ## S0\n" in answer.text
    long = _ask("read_section", workspace_of(text="# A\n\n" + "x" * 90_000), section="A")
    assert len(long.text) < 41_000
    assert "more characters" in long.text


def test_a_section_that_is_not_there_is_a_fault_with_candidates() -> None:
    """And one that is there twice, with both paths."""
    assert "## Capacity" in _fault("read_section", section="Capacities and things")
    said = _fault("read_section", section="Risks")
    assert "# Shop ## Rollout ### Risks; # Shop ## Risks" in said
    assert "Fields: section." in _fault("read_section")


def test_neighbours_paths_and_impact_in_words_and_values() -> None:
    """What the builtin commands format, and what a model reads."""
    answer = _ask("neighbours", id="payments")
    assert answer.data["nodes"][0] == {
        "id": "orders", "label": "Orders", "type": "service", "distance": 1, "direction": "in",
        "edge_label": "charges", "kind": "sync",
    }  # fmt: skip
    assert answer.data["nodes"][1]["edge_label"] == "charges; refunds"
    assert 'in 1: orders service "Orders" over sync "charges"' in answer.text
    way = _ask("paths", source="Web shop", target="Card provider")
    assert way.data["paths"] == [["web-shop", "api-gateway", "orders", "payments", "card-provider"]]
    assert way.text == "web-shop -> api-gateway -> orders -> payments -> card-provider"
    assert way.data["undirected"] is False
    assert "without regard" in _ask("paths", source="card-provider", target="web-shop").text
    assert _ask("paths", workspace_of(node("a"), node("b")), source="a", target="b").data["paths"] == []
    broken = _ask("impact", id="orders-db")
    assert [one["id"] for one in broken.data["backs_up"]] == ["orders"]
    assert broken.data["backs_up"][0]["via"] == ["orders", "orders-db"]
    assert "Breaks, since it needs it (calls and dependencies, also indirectly): nothing" in broken.text
    fed = workspace_of(*map(node, "abc"), edge("a", "c", kind="async"), edge("b", "c", kind="data"))
    weak = _ask("impact", fed, id="a")
    assert '- "c" loses one of its two sources (a < c)' in weak.text
    assert "Gets no more messages or data (also indirectly): nothing" in weak.text
    assert weak.data["weakened"][0]["loss"] == "loses one of its two sources"


def test_check_diagram_in_words_and_values() -> None:
    """Problems as JSON, nodes alone; a clean workspace is said to be clean."""
    answer = _ask("check_diagram", workspace_of(node("a"), node("b"), text="# T\n\n[x](#node/gone)\n"))
    assert {one["code"] for one in answer.data["problems"]} == {"orphan", "dangling_link"}
    assert [one["id"] for one in answer.data["unconnected"]] == ["a", "b"]
    assert _ask("check_diagram", Workspace()).text == "Nothing looks wrong."


def test_names_may_be_labels_if_only_one_has_it() -> None:
    """Two of the same name are refused with both; nobody's name with those near it."""
    workspace = workspace_of(node("a", label="Twin"), node("b", label="twin"), group("g"))
    with pytest.raises(ToolFault, match="Several nodes are called"):
        READERS["impact"](workspace, {"id": "Twin"})
    assert "Closest: payments" in _fault("impact", id="payment")
    assert "id" in _fault("impact")


@given(
    st.sampled_from(sorted(READERS)),
    st.dictionaries(
        st.sampled_from(["id", "ids", "text", "types", "technology", "group", "limit", "section", "source", "target",
                         "direction", "depth", "node", "path", "query"]),
        st.none() | st.integers() | st.text(max_size=8) | st.lists(st.text(max_size=4), max_size=3)
        | st.sampled_from(["orders", "core", "out", "## Goals", "databases", ["orders", "core"]]),
    ),
)  # fmt: skip
def test_whatever_is_asked_is_answered_or_a_fault(name: str, asked: dict[str, Any]) -> None:
    """Never a defect; an answer has both forms, and JSON can hold the values."""
    text, data = _answer_or_fault(name, asked)
    assert text.strip()
    json.dumps(data)


def _answer_or_fault(name: str, asked: dict[str, Any]) -> tuple[str, Any]:
    try:
        answer = READERS[name](shop(), asked)
    except ToolFault as fault:
        return str(fault), None
    return answer.text, answer.data


def test_answers_stay_short_and_change_nothing() -> None:
    """In a large workspace every answer is about two thousand tokens at most, and nothing is written."""
    workspace = grid(2_000)
    before = canonical(workspace)
    for name, asked in (
        ("find_nodes", {"text": "service", "limit": 200}),
        ("read_nodes", {"ids": [f"n{i}" for i in range(50)]}),
        ("neighbours", {"id": "n0", "depth": 5}),
        ("paths", {"source": "n0", "target": "n20", "limit": 20}),
        ("impact", {"id": "n0"}),
        ("check_diagram", {}),
    ):
        assert len(READERS[name](workspace, asked).text) <= 8_100, name
    assert canonical(workspace) == before
