"""What an edit costs in words, as operations and as a whole written anew. Fixture arithmetic, no model.

Tokens are characters / 4 of compact JSON. Against an edit stands what a model would have to write without operations:
the whole diagram as compact JSON without positions and empty fields, or the whole document. Each edit is really made by
the executor, and the whole that it is compared with leads to the same state, so like is compared with like.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.conftest import Report
from draftsmith.adapters.files.prompt_files import read_prompts
from draftsmith.assistant.answers.parse import operations_of
from draftsmith.assistant.prompts import prompt_set
from draftsmith.assistant.tools.lines import LEGEND, node_lines
from draftsmith.assistant.tools.readers import without_empty
from draftsmith.assistant.tools.tools import tools_of
from draftsmith.model.workspace import Workspace, diagram_json
from tests.builders import assert_sound, run

_FOLDER = Path(__file__).parents[1] / "tests" / "fixtures" / "tokens"
_EDITS: list[dict[str, Any]] = json.loads((_FOLDER / "edits.json").read_text("utf-8"))


def _workspace() -> Workspace:
    workspace = Workspace("Checkout platform")
    diagram = json.loads((_FOLDER / "diagram.json").read_text("utf-8"))
    text = (_FOLDER / "document.md").read_text("utf-8")
    run(workspace, {"op": "replace_diagram", **diagram}, {"op": "replace_document", "text": text})
    return workspace


def _tokens(value: Any) -> float:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text) / 4


def whole_diagram(workspace: Workspace, *, descriptions: bool = True) -> dict[str, Any]:
    """The diagram as a model would have to write it."""
    full = diagram_json(workspace.diagram)
    left_out = () if descriptions else ("description", "notes", "properties")
    nodes = [{k: v for k, v in without_empty(node).items() if k not in left_out} for node in full["nodes"]]
    usual = {"kind": "sync", "direction": "forward"}
    edges = [
        {k: v for k, v in without_empty(edge).items() if k != "id" and usual.get(k) != v} for edge in full["edges"]
    ]
    return {"nodes": nodes, "edges": edges}


def _known(workspace: Workspace) -> tuple[Any, ...]:
    """What people see of a workspace, places and edge ids left out."""
    whole = whole_diagram(workspace)
    parts = [sorted(json.dumps(one, sort_keys=True) for one in whole[name]) for name in ("nodes", "edges")]
    return (*parts, workspace.document.text)


def _measured(edit: dict[str, Any]) -> tuple[float, float]:
    """Tokens as operations, and as a whole written anew; both lead to the same workspace."""
    workspace, rewritten = _workspace(), _workspace()
    before = _known(workspace)
    call = {"operations": edit["operations"]}
    run(workspace, *operations_of(edit["tool"], call), revision=2, by_person=False)
    assert_sound(workspace)
    assert _known(workspace) != before, edit["request"]
    if edit["tool"] == "edit_diagram":
        anew: dict[str, Any] = whole_diagram(workspace)
        run(rewritten, *operations_of("rewrite_diagram", _clearing(rewritten, anew)), revision=2, by_person=False)
    else:
        anew = {"text": workspace.document.text}
        run(rewritten, *operations_of("rewrite_document", anew), revision=2, by_person=False)
    assert _known(rewritten) == _known(workspace), edit["request"]
    return _tokens(call), _tokens(anew)


def _clearing(before: Workspace, anew: dict[str, Any]) -> dict[str, Any]:
    """The whole with null for a parent that a node has lost, since what is absent is kept."""
    nodes = [
        {"parent": None, **node} if (before.diagram.node(node["id"]) or {}).get("parent") else node
        for node in anew["nodes"]
    ]
    return {**anew, "nodes": nodes}


def test_output_of_edits(report: Report) -> None:
    """Edits as operations take a fraction of what the whole takes, diagram and document."""
    print("\nFixture arithmetic, no model: tokens are characters / 4")
    for tool, name, bar in (("edit_diagram", "diagram", 90), ("edit_document", "document", 95)):
        rows = [(edit["request"], *_measured(edit)) for edit in _EDITS if edit["tool"] == tool]
        assert len(rows) == 15
        for request, small, large in rows:
            print(f"  {small:6.0f} of {large:6.0f}  {100 * (1 - small / large):5.1f} % less  {request}")
        small, large = sum(row[1] for row in rows), sum(row[2] for row in rows)
        worst = min(100 * (1 - row[1] / row[2]) for row in rows)
        print(f"{name}: {small:.0f} of {large:.0f} tokens, the least saving edit {worst:.1f} %")
        report(f"output saved by {name} edits, % (fixture arithmetic, no model)", 100 * (1 - small / large), ">=", bar)
        assert 100 * (1 - small / large) >= bar


def test_size_of_the_context(report: Report) -> None:
    """The lines of a diagram against its compact JSON, with descriptions (which lines leave out) and without."""
    workspace = _workspace()
    lines = _tokens("\n".join([LEGEND, *node_lines(workspace.diagram, workspace.diagram.node_ids())]))
    whole, bare = _tokens(whole_diagram(workspace)), _tokens(whole_diagram(workspace, descriptions=False))
    print(f"\nlines {lines:.0f}, compact JSON {whole:.0f}, the same fields as the lines alone {bare:.0f}")
    report("diagram as lines / compact JSON, % (fixture arithmetic, no model)", 100 * lines / whole, "<=", 45)
    assert lines / whole <= 0.45


def test_size_of_what_goes_ahead() -> None:
    """Stated without a bar: what is sent before the workspace, the same for every run of a workflow."""
    for workflow in ("edit", "ask", "generate", "regenerate"):
        prompts = prompt_set(workflow, read_prompts(workflow))
        name = "edit" if workflow == "regenerate" else workflow
        tools = tools_of(name, prompts, regenerate=workflow == "regenerate")
        system = sum(map(_tokens, prompts.system))
        schemas = sum(_tokens(dict(tool.input_schema)) for tool in tools)
        texts = sum(_tokens(tool.description) for tool in tools)
        print(
            f"\n{workflow}: system {system:.0f}, {len(tools)} tools: schemas {schemas:.0f}, texts {texts:.0f}", end=""
        )
