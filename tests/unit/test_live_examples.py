"""What docs/protocol.md shows is what the schema allows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from draftsmith.collab.client_messages import Hello, Redo, Revert, Submit, Type, Undo
from draftsmith.collab.protocol import CLOSE_CODES, live_schema, read_message
from draftsmith.model.workspace import load
from draftsmith.transform.steps.changeset import from_json
from draftsmith.transform.steps.steps import apply, step_from_json

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
EXAMPLES = [json.loads(found) for found in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
SCHEMA = live_schema()
FRAMES = jsonschema_rs.validator_for(SCHEMA)
SAID = jsonschema_rs.validator_for({**SCHEMA, "type": "object", "items": {}, "$ref": "#/$defs/ClientMessage"})


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=lambda example: "frame" if isinstance(example, list) else example["t"]
)
def test_every_example_is_inside_the_schema(example: Any) -> None:
    if isinstance(example, list):
        FRAMES.validate(example)
    else:
        SAID.validate(example)
        assert read_message(json.dumps(example)).t == example["t"]


def test_the_schema_refuses_what_is_outside() -> None:
    """The test above can fail."""
    for frame in ([{"t": "dance"}], [{"t": "pong"}], {"t": "pong", "n": 1}, [[]]):
        assert not FRAMES.is_valid(frame)
    for message in ({"t": "dance"}, {"t": "ping"}, {"t": "ping", "n": 1, "more": 2}, [{"t": "ping", "n": 1}]):
        assert not SAID.is_valid(message)


def test_the_examples_follow_one_another() -> None:
    """Their commits fit the state that is shown, step by step, and so does what is typed on one of them."""
    frames = [example for example in EXAMPLES if isinstance(example, list)]
    messages = list(_spelled_out(message for frame in frames for message in frame))
    (state,) = (message for message in messages if message["t"] == "state")
    workspace, texts = load(state["workspace"]), {state["rev"]: state["workspace"]["text"]}
    commits = sorted((message for message in messages if message["t"] == "commit"), key=lambda one: one["rev"])
    assert [commit["rev"] for commit in commits] == list(range(state["rev"] + 1, state["rev"] + 1 + len(commits)))
    for commit in commits:
        for step in commit["steps"]:
            apply(step_from_json(step), workspace)
        texts[commit["rev"]] = workspace.document.text
    assert workspace.document.text == "# Store\n\nSells things. Well."
    assert workspace.diagram["api"]["properties"] == {"team": "Payments"}
    (typed,) = (message for message in EXAMPLES if not isinstance(message, list) and message["t"] == "type")
    assert from_json(typed["changes"]).apply(texts[typed["base"]]) == "# Shop and more\n"


def _spelled_out(messages: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Typed commits as the commits that they stand for."""
    templates: list[dict[str, Any]] = []
    for message in messages:
        if isinstance(message, list):
            rev, h, at_ms, number, changes, deleted = message
            steps = [{"k": "text", "c": changes, "d": deleted}]
            yield {**templates[number], "rev": rev, "h": h, "at_ms": at_ms, "steps": steps}
            continue
        if message["t"] == "templates":
            templates[message["start"] :] = message["templates"]
        yield message


def test_the_defaults_are_those_of_the_schema() -> None:
    """Every field that may be left out is listed with what it is then."""
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ((?:`\w+`(?:, )?)+) \| ((?:`[^`]+`(?:, )?)+)", PAGE, re.MULTILINE)
    listed = {
        (kind, field): json.loads(default)
        for kinds, fields, defaults in (map(_quoted, row) for row in rows)
        for kind in kinds
        for field, default in zip(fields, defaults, strict=True)
    }
    models = (Hello, Submit, Type, Undo, Redo, Revert)
    assert listed == {
        (model.__name__.lower(), name): field.default
        for model in models
        for name, field in model.model_fields.items()
        if not field.is_required()
    }


def _quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_kind_of_message_is_spoken_of() -> None:
    kinds = re.findall(r"'const': '(\w+)'", repr([SCHEMA["$defs"][name]["properties"]["t"] for name in of_kinds()]))
    assert len(kinds) >= 20
    assert [kind for kind in kinds if f"`{kind}`" not in PAGE and f'"t": "{kind}"' not in PAGE] == []


def of_kinds() -> list[str]:
    """The names of all messages in the schema, both ways."""
    found: list[str] = []
    for way in ("ClientMessage", "ServerMessage"):
        shape = SCHEMA["$defs"][way]
        found += [one["$ref"].rpartition("/")[2] for one in shape.get("oneOf", shape.get("anyOf"))]
    return found


def test_every_close_code_is_explained() -> None:
    rows = dict(re.findall(r"^\| (\d{4}) \| `(\w+)`", PAGE, re.MULTILINE))
    told = {code: int(close) for close, code in rows.items()}
    assert CLOSE_CODES.items() - told.items() == set()
