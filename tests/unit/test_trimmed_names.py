"""Names are measured as they are sent, as the contract says, and then lose the white space at both ends."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from draftsmith.api.forms.schemas import CheckpointBody, KeyBody, MeBody, NameBody, RunBody
from draftsmith.transform.requests.operations import AddEdge, AddNode, InsertSection, RenameWorkspace

NODE: dict[str, Any] = {"op": "add_node", "type": "service"}
EDGE: dict[str, Any] = {"op": "add_edge", "source": "a", "target": "b"}
SECTION: dict[str, Any] = {"op": "insert_section", "level": 2}
# The model, what else it needs, the field, its longest, whether it may be empty.
NAMES = [
    (AddNode, NODE, "label", 120, False),
    (AddEdge, EDGE, "label", 200, True),
    (InsertSection, SECTION, "title", 300, False),
    (RenameWorkspace, {"op": "rename_workspace"}, "name", 200, False),
    (NameBody, {}, "name", 200, False),
    (MeBody, {}, "name", 60, False),
    (CheckpointBody, {}, "name", 120, False),
    (KeyBody, {}, "api_key", 1_000, False),
    (RunBody, {}, "prompt", 20_000, False),
]
IDS = [f"{model.__name__}.{field}" for model, _, field, _, _ in NAMES]


@pytest.mark.parametrize("model, more, field, longest, may_be_empty", NAMES, ids=IDS)
def test_a_name_is_measured_as_it_is_sent(
    model: type[BaseModel], more: dict[str, Any], field: str, longest: int, may_be_empty: bool
) -> None:
    """What the contract allows is taken, and what it forbids is refused, whatever white space is part of it."""

    def taken(value: str) -> str:
        return str(getattr(model.model_validate({**more, field: value}), field))

    schema = model.model_json_schema()["properties"][field]
    assert schema.get("anyOf", [schema])[0]["maxLength"] == longest
    assert taken("x" * longest) == "x" * longest
    assert taken(" " + "x" * (longest - 2) + "\u3000") == "x" * (longest - 2)
    for value in ("x" * longest + " ", " " + "x" * longest, "x" * (longest + 1)):
        with pytest.raises(ValidationError, match=f"at most {longest} characters"):
            taken(value)
    for value in ("", " ", "\u3000\u2028" if field != "title" else "\u3000"):
        if may_be_empty:
            assert taken(value) == ""
        else:
            with pytest.raises(ValidationError, match=r"at least 1 character|must not be empty|should match"):
                taken(value)
