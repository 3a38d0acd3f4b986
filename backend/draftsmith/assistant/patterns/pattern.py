"""A pattern as a value, read from its file in `prompts/patterns`.

A file is Markdown: a front matter, a paragraph that says what the pattern is, and the sections `When`, `Forces`,
`Shape` and `Questions`. `When`, `Forces` and `Questions` are lists; `Shape` holds the operations as one block of JSON.
The form is described in docs/assistant.md. Not here: what is done with a shape (`shape`), where files lie.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from draftsmith.assistant.patterns.shapes import PatternOut
from draftsmith.assistant.prompts import front_matter, version_in
from draftsmith.errors import DraftsmithError
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.vocabulary import GROUP, NODE_TYPES
from draftsmith.transform.requests.batch import parse_batch

Kind = Literal["pattern", "anti-pattern"]
Side = Literal["", "before", "after"]
SHAPE_OPERATIONS: Final = ("add_node", "add_edge", "insert_between", "update_node", "update_edge", "delete_edge")
"""What a shape may do. Nothing of it removes a node or touches what the selection does not lead to."""
LONGEST_FILE: Final = 6_000
"""Characters of a file: a pattern is sent whole to models that search for it."""
_FIELDS: Final = {"version", "name", "kind", "words", "roles"}
_SECTIONS: Final = ("When", "Forces", "Shape", "Questions")
_PLACE = re.compile(r"\{(\w+)(\.type)?\}")
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)
_JSON = re.compile(r"\A```json\n(.*?)\n```\Z", re.DOTALL)
_NEIGHBOURS = re.compile(r"(before|after) (\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a pattern needs of a diagram: a selected node, a neighbour of one, or a node that is made for it.

    Attributes:
        name: its placeholder.
        label: of a node that is made for it.
        types: of nodes that can have it; the first is that of a node that is made.
        is_many: whether every fitting node has it.
        side: `before` or `after`: neighbours of the nodes of another role have it, where none is selected for it.
        of: that role; empty without a side.
    """

    name: str
    label: str
    types: tuple[str, ...]
    is_many: bool
    side: Side = ""
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A pattern, or an anti-pattern with what to do instead.

    Attributes:
        id: the name of its file.
        about: what it is, in one paragraph.
        when: when to use it; how to recognise an anti-pattern.
        forces: what speaks for it and against it.
        shape: operations with placeholders: `{role}` is the id of the node that has a role, `{role.type}` its type.
        questions: what to find out before it is used.
    """

    id: str
    name: str
    kind: Kind
    version: int
    words: tuple[str, ...]
    about: str
    when: tuple[str, ...]
    forces: tuple[str, ...]
    questions: tuple[str, ...]
    roles: tuple[Role, ...]
    shape: tuple[Mapping[str, Any], ...]


def read_patterns(files: Mapping[str, str]) -> tuple[Pattern, ...]:
    """Read all patterns, in the order of their names; `files`: path below `prompts/patterns` → text.

    Raises:
        ValueError: a file is malformed; the message names file, line and what would be right.
    """
    found = [read_pattern(path, text) for path, text in files.items() if path.endswith(".md")]
    names = [one.name.casefold() for one in found]
    twice = next((one for one in found if names.count(one.name.casefold()) > 1), None)
    if twice is not None:
        raise ValueError(f"patterns/{twice.id}.md: another file has the name '{twice.name}' as well")
    return tuple(sorted(found, key=lambda one: one.name.casefold()))


def read_pattern(path: str, text: str) -> Pattern:
    """Read one file; see `read_patterns`."""
    file = _File(path, text)
    if len(text) > LONGEST_FILE:
        raise file.wrong("", f"has {len(text):,} characters; a pattern has at most {LONGEST_FILE:,}")
    about, body = front_matter(text, file.name)
    if about.keys() != _FIELDS:
        raise file.wrong("", f"the front matter has exactly {', '.join(sorted(_FIELDS))}")
    if about["kind"] not in ("pattern", "anti-pattern"):
        raise file.wrong(about["kind"], f"kind is pattern or anti-pattern, not '{about['kind']}'")
    roles = _roles(file, about["roles"])
    sections = _sections(file, body)
    return Pattern(
        id=path.removesuffix(".md"),
        name=about["name"],
        kind=cast(Kind, about["kind"]),
        version=version_in(about, file.name),
        words=tuple(one.strip() for one in about["words"].split(",")),
        about=sections[""],
        when=_items(file, "When", sections["When"]),
        forces=_items(file, "Forces", sections["Forces"]),
        questions=_items(file, "Questions", sections["Questions"]),
        roles=roles,
        shape=_shape(file, sections["Shape"], roles),
    )


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    text: str

    @property
    def name(self) -> str:
        return f"patterns/{self.path}"

    def wrong(self, at: str, what: str) -> ValueError:
        """What is wrong, with the line of the first `at` in the file."""
        where = self.text.find(at) if at else -1
        line = f", line {self.text.count(chr(10), 0, where) + 1}" if where >= 0 else ""
        return ValueError(f"{self.name}{line}: {what}")


def _roles(file: _File, declared: Any) -> tuple[Role, ...]:
    if not isinstance(declared, dict) or not declared:
        raise file.wrong("roles:", "roles are lines of the form '  name: Label; type, type'")
    roles: list[Role] = []
    for key, value in declared.items():
        name, at = key.removesuffix("*"), f"  {key}:"
        label, *rest = [part.strip() for part in value.split(";")]
        types = tuple(one.strip() for one in rest[0].split(",")) if rest else ()
        unknown = [one for one in types if one not in NODE_TYPES or one == GROUP]
        if not _ID.fullmatch(name) or not label or not types or len(rest) > 2:
            raise file.wrong(at, "a role is of the form 'name: Label; type, type' or '…; before role'")
        if unknown:
            raise file.wrong(at, f"there is no node type '{unknown[0]}'")
        side = _NEIGHBOURS.fullmatch(rest[1]) if len(rest) == 2 else None
        if len(rest) == 2 and (side is None or side[2] not in [one.name for one in roles]):
            raise file.wrong(at, "a role is 'before' or 'after' a role of a line above")
        roles.append(
            Role(
                name=name,
                label=label,
                types=types,
                is_many=key.endswith("*"),
                side=cast(Side, side[1]) if side else "",
                of=side[2] if side else "",
            )
        )
    return tuple(roles)


def _sections(file: _File, body: str) -> dict[str, str]:
    """The text before the first heading under an empty name, and that of each section."""
    parts = _HEADING.split(body)
    titles = parts[1::2]
    if tuple(titles) != _SECTIONS:
        wrong = next((one for one in titles if one not in _SECTIONS), "")
        raise file.wrong(f"## {wrong}" if wrong else "", f"the sections are {', '.join(_SECTIONS)}, in this order")
    sections = {name: text.strip() for name, text in zip(("", *titles), parts[::2], strict=True)}
    empty = next((name for name, text in sections.items() if not text), None)
    if empty is not None:
        raise file.wrong(f"## {empty}" if empty else "", f"{empty or 'the paragraph before the sections'} is empty")
    return {**sections, "": " ".join(sections[""].split())}


def _items(file: _File, section: str, text: str) -> tuple[str, ...]:
    items: list[str] = []
    for line in text.splitlines():
        if line.startswith("* "):
            items.append(line[2:].strip())
        elif line.startswith("  ") and items:
            items[-1] += f" {line.strip()}"
        else:
            raise file.wrong(line or f"## {section}", f"{section} is a list; its lines begin with '* '")
    return tuple(items)


def _shape(file: _File, text: str, roles: Sequence[Role]) -> tuple[Mapping[str, Any], ...]:
    block = _JSON.match(text)
    if block is None:
        raise file.wrong("## Shape", "Shape is one block of JSON, between ```json and ```")
    try:
        shape = json.loads(block[1])
    except json.JSONDecodeError as error:
        line = file.text.count("\n", 0, file.text.index(block[1]) + error.pos) + 1
        raise ValueError(f"{file.name}, line {line}: Shape is no JSON: {error.msg}") from None
    if not isinstance(shape, list) or not all(isinstance(one, dict) for one in shape) or not shape:
        raise file.wrong("```json", "Shape is a list of operations")
    known = {role.name for role in roles}
    for index, one in enumerate(shape):
        _check_operation(file, index, one, known)
    return tuple(shape)


def _check_operation(file: _File, index: int, one: dict[str, Any], roles: set[str]) -> None:
    """Check an operation of a shape, and add the name of the node that it makes to those that are known."""
    at = file.text.find("```json")
    for _ in range(index + 1):
        at = file.text.find('"op"', at + 1)
    line = f"{file.name}, line {file.text.count(chr(10), 0, at) + 1}, operation {index + 1}"
    if one.get("op") not in SHAPE_OPERATIONS:
        raise ValueError(f"{line}: '{one.get('op')}' is not one of {', '.join(SHAPE_OPERATIONS)}")
    each = one.get("for", [])
    loops = [each] if isinstance(each, str) else each
    made = one.get("id") if one["op"] == "add_node" else (one.get("node") or {}).get("id")
    if one["op"] in ("add_node", "insert_between") and (not isinstance(made, str) or not _ID.fullmatch(made)):
        raise ValueError(f"{line}: a new node needs an id of lower case letters, by which it is named as a place")
    if made:
        roles.add(made)
    text = json.dumps({name: value for name, value in one.items() if name != "for"})
    used = [*loops, *(found[1] for found in _PLACE.finditer(text))]
    unknown = next((name for name in used if name not in roles), None)
    if unknown is not None:
        raise ValueError(f"{line}: '{unknown}' is neither a role nor a node made above")
    kind = str({**one, **(one.get("node") or {})}.get("type", NODE_TYPES[0]))
    if kind not in NODE_TYPES and not kind.endswith(".type}"):
        raise ValueError(f"{line}: there is no node type '{kind}'")
    try:
        parse_batch([filled_in(one, lambda name: name.replace("_", "-"), lambda _: "service")], WorkspaceLimits())
    except DraftsmithError as error:
        raise ValueError(f"{line}: {error.problems[0].message if error.problems else error.detail}") from None


def filled_in(
    operation: Mapping[str, Any], id_of: Callable[[str], str], type_of: Callable[[str], str]
) -> dict[str, Any]:
    """An operation of a shape with ids and types in place of the placeholders, and without `for`."""

    def put(value: Any) -> Any:
        if isinstance(value, str):
            return _PLACE.sub(lambda found: type_of(found[1]) if found[2] else id_of(found[1]), value)
        if isinstance(value, Mapping):
            return {name: put(one) for name, one in value.items()}
        return [put(one) for one in value] if isinstance(value, list) else value

    filled: dict[str, Any] = {name: put(value) for name, value in operation.items() if name != "for"}
    if filled["op"] == "add_node":
        filled["id"] = id_of(operation["id"])
    elif filled["op"] == "insert_between":
        filled["node"] = {**filled["node"], "id": id_of(operation["node"]["id"])}
    return filled


def pattern_json(pattern: Pattern) -> PatternOut:
    """The JSON form."""
    return {
        "id": pattern.id,
        "name": pattern.name,
        "kind": pattern.kind,
        "version": pattern.version,
        "words": list(pattern.words),
        "about": pattern.about,
        "when": list(pattern.when),
        "forces": list(pattern.forces),
        "questions": list(pattern.questions),
        "roles": [
            {
                "name": one.name,
                "label": one.label,
                "types": list(one.types),
                "many": one.is_many,
                "side": one.side,
                "of": one.of,
            }
            for one in pattern.roles
        ],
        "shape": [dict(one) for one in pattern.shape],
    }
