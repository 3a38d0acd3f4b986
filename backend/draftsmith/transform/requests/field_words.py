"""Other names that callers give to fields, and the fields that they mean.

One table for two uses: requests that are read strictly are told the right name, calls of models are repaired by it
(`assistant.answers.operation_forms`). Which of the meant fields there are depends on the operation or body.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from typing import Final

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BLANKS = re.compile(r"[\s-]+")
_ALIKE: Final = 0.6  # of 1, from which on a name is taken for a slip of another

_MEANINGS: Final[Mapping[str, str]] = {
    # addresses
    "group": "parent parent_id group_id target_group into_group",
    "parent": "group parent_id group_id parent_group in_group container",
    "id": "node_id edge_id node edge group_id",
    "ids": "node_ids nodes members children components items id node_id node",
    "section": "section_path section_title section_name section_heading heading header path",
    "source": "from from_node from_id source_id source_node source_node_id src start",
    "target": "to to_node to_id target_id target_node target_node_id dst dest destination end",
    "new_source": "new_from new_source_id source_new",
    "new_target": "new_to new_target_id target_new",
    "current_label": "old_label label_before",
    "before": "before_section",
    "after": "after_section",
    "into": "into_section parent_section under",
    # values
    "label": "name new_label new_name title edge_label node_label display_name",
    "type": "node_type component_type kind new_type",
    "kind": "edge_type edge_kind connection_type type new_kind",
    "technology": "tech new_technology stack",
    "description": "desc new_description",
    "color": "colour tint line_color stroke_color stroke",
    "style": "line_style border_style stroke_style border emphasis",
    "shape": "line_shape edge_shape curve routing line_type",
    "properties": "props",
    "title": "heading new_title new_heading section_title section_heading section_name new_name name header",
    "name": "new_name title label workspace_name",
    "find": "find_text old_text old_str old_string old search search_text",
    "replace": "replace_text new_text new_str new_string new replacement replace_with",
    "text": "content new_text new_content body markdown new_body new_str new_string document",
    "all": "replace_all",
    # bodies of the API
    "operations": "ops edits actions tools doc_edits operation changes",
    "edits": "operations ops actions doc_edits changes",
    "explanation": "reason comment message rationale description",
    "base_revision": "base revision base_rev expected_revision",
    "revision": "rev at",
    "prompt": "request message text instruction query question",
    "api_key": "key apikey token",
    "expect": "expected expected_revision revision",
    "import": "file content",
    "copy_of": "copy source",
    "from": "start source",
    "to": "end target",
}
_MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    alias: tuple(field for field, aliases in _MEANINGS.items() if alias in aliases.split())
    for aliases in _MEANINGS.values()
    for alias in aliases.split()
}
"""An alias and the fields that it may mean, the likeliest first."""


def snake(word: str) -> str:
    """`Node Id`, `nodeId` and `NODE-ID` as `node_id`."""
    return _BLANKS.sub("_", _HUMP.sub("_", word.strip())).casefold()


def fields_meant(word: str, fields: Collection[str]) -> tuple[str, ...]:
    """The known fields that another name means, the likeliest first; none for a name that nobody uses for them."""
    plain = snake(word)
    if plain != word and plain in fields:
        return (plain,)
    is_edge = "source" in fields and "target" in fields
    if plain.startswith("node" if is_edge else "edge") and plain.endswith(("node", "edge", "_id")):
        return ()  # the id of something of the other sort
    return tuple(field for field in _MEANT.get(plain, ()) if field in fields)


def fields_near(word: str, fields: Collection[str]) -> tuple[str, ...]:
    """The known fields that may be meant by a name that is none of them, the likeliest first; all where none is."""
    alike = difflib.get_close_matches(snake(word), fields, 3, _ALIKE)
    return tuple(dict.fromkeys([*fields_meant(word, fields), *alike])) or tuple(fields)
