"""What docs/protocol.md shows is what the schema allows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from draftsmith.collab.protocol import CLOSE_CODES, live_schema, read_message

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
    assert CLOSE_CODES.items() - told.items() == {("message_too_large", 1009)}, "told by the code alone, without a bye"
