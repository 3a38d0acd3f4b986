"""Structurizr DSL that we write: all is there, in statements that Structurizr takes, and read again it is the same."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from draftsmith.model.diagram import Diagram
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from draftsmith.model.readers.structurizr.reader import read as read_structurizr
from draftsmith.model.structurizr.own import PREFIX, decoded_value, encoded_value
from draftsmith.model.structurizr.writer import to_structurizr
from draftsmith.model.vocabulary import EDGE_KINDS, GROUP, NODE_TYPES
from draftsmith.model.workspace import Workspace, diagram_json
from tests.builders import edge, group, node, workspace_of
from tests.kit.readers import check_valid
from tests.laws.test_batches import workspaces
from tests.seeds import examples
from tests.unit.test_drawio_writer import workspace_from, workspace_of_every_kind

# What may stand in what: the grammar of the language for the statements that we write.
INSIDE = {
    "workspace": {"model", "views"},
    "model": {"properties", "group", "person", "softwareSystem", "->"},
    "group": {"group", "person", "softwareSystem", "container", "component"},
    "person": {"properties"},
    "softwareSystem": {"properties", "group", "container"},
    "container": {"properties", "group", "component"},
    "component": {"properties"},
    "->": {"properties"},
    "properties": {""},
    "views": {"systemLandscape", "container", "component", "styles"},
    "styles": {"element", "relationship"},
}
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


@dataclass
class Block:
    """A statement with what stands in its braces."""

    words: list[str]
    identifier: str = ""
    inner: list[Block] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Which statement it is."""
        if len(self.words) > 1 and self.words[1] == "->":
            return "->"
        return self.words[0] if self.words[0] in INSIDE or self.words[0] in ("element", "relationship") else ""

    @property
    def description(self) -> str:
        """Of a relationship."""
        return self.words[3] if len(self.words) > 3 else ""

    def walk(self) -> list[Block]:
        """It and all in it."""
        return [self, *(one for block in self.inner for one in block.walk())]

    def properties(self) -> dict[str, str]:
        """Those in its block of properties."""
        return {one.words[0]: one.words[1] for block in self.inner if block.kind == "properties" for one in block.inner}


def read(text: str) -> tuple[Block, list[str]]:
    """The workspace as blocks, and its comments; by the rules of the language for lines, not by our reader."""
    comments: list[str] = []
    top = Block(["file"])
    around = [top]
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("#"):
            comments.append(bare)
            continue
        if bare == "}":
            around.pop()
            continue
        words = [found[2] or found[1].replace('\\"', '"').replace("\\n", "\n") for found in TOKEN.finditer(bare)]
        opens = words[-1] == "{" and bare.endswith("{")
        words = words[:-1] if opens else words
        identifier = words[0] if words[1:2] == ["="] else ""
        block = Block(words[2:] if identifier else words, identifier)
        around[-1].inner.append(block)
        if opens:
            around.append(block)
    assert around == [top]
    (workspace,) = top.inner
    return workspace, comments


def written(workspace: Workspace) -> tuple[Block, list[str]]:
    found, comments = read(to_structurizr(workspace.name, workspace.diagram))
    check_taken(found)
    return found, comments


def check_taken(workspace: Block) -> None:
    """What Structurizr refuses: statements where they may not stand, names and identifiers that are there already."""
    model, views = workspace.inner
    assert (workspace.kind, model.kind, views.kind) == ("workspace", "model", "views")
    identifiers = [one.identifier for one in workspace.walk() if one.identifier]
    assert len(identifiers) == len({one.lower() for one in identifiers})
    assert all(re.fullmatch(r"\w[a-zA-Z0-9_-]*", one) and one != "this" for one in identifiers)
    check_inside(workspace, "model")
    said = [(one.words[0], one.words[2], one.description.lower()) for one in model.walk() if one.kind == "->"]
    assert len(said) == len(set(said)), "a relationship of the same words is refused"
    assert all(source in identifiers and target in identifiers for source, target, _ in said)


def check_inside(block: Block, element: str) -> None:
    allowed = INSIDE.get(block.kind)
    if allowed is None or block.kind in ("views", "styles"):
        return
    for one in block.inner:
        assert one.kind in allowed, f"{one.words} in {block.words}"
        if block.kind == "group" and one.kind not in ("group", "properties"):
            assert one.kind in INSIDE[element], f"{one.words} in a group in a {element}"
        check_inside(one, one.kind if one.kind in ("softwareSystem", "container") else element)
    elements = [one.words[1].lower() for one in elements_at(block)] if block.kind != "group" else []
    assert len(elements) == len(set(elements)), "a name that is there already is refused"
    groups = [one.words[1] for one in block.inner if one.kind == "group"]
    assert len(groups) == len(set(groups))


def elements_at(block: Block) -> list[Block]:
    """The elements right in a block, also those in groups."""
    found = []
    for one in block.inner:
        if one.kind == "group":
            found += elements_at(one)
        elif one.kind in ("person", "softwareSystem", "container", "component"):
            found.append(one)
    return found


def check_all_there(workspace: Workspace) -> None:
    found, comments = written(workspace)
    elements = [
        one for one in found.inner[0].walk() if one.kind in ("person", "softwareSystem", "container", "component")
    ]
    groups = [one.words[1] for one in found.walk() if one.kind == "group"]
    by_id = {one.identifier: one for one in elements}
    for node_id, fields in workspace.diagram.nodes().items():
        one = by_id.get(node_id) or by_id.get(f"n_{node_id}")
        if one is None:
            assert fields["type"] == GROUP
            assert any(name.startswith(fields["label"].replace("¦", "|")) for name in groups)
            continue
        assert one.properties()[PREFIX + "type"] == fields["type"]
        assert decoded_value(one.properties().get(PREFIX + "label", one.words[1])) == fields["label"]
    lines = [one for one in found.walk() if one.kind == "->"]
    assert len(lines) + len(comments) == workspace.diagram.edge_count
    there = Counter(decoded_value(one.properties().get(PREFIX + "label", one.description)) for one in lines)
    assert there <= Counter(fields.get("label", "") for *_, fields in workspace.diagram.edges())


@settings(max_examples=examples(150))
@given(workspaces())
def test_every_node_edge_and_label_is_there(workspace: Workspace) -> None:
    check_all_there(workspace)


def test_golden_output() -> None:
    """Golden: a person, a system with containers, one with components, technologies, relationships, views, styles."""
    workspace = workspace_of(
        node("customer", type="user", label="Customer", description='Buys "things"\nonline'),
        group("shop", label="Shop", color="blue"),
        node("web", parent="shop", label="Web", type="web", technology="React"),
        group("api", parent="shop", label="API"),
        node("orders", parent="api", label="Orders", technology="Go", properties={"team": "Pay"}),
        edge("customer", "web", id="e1", label="uses"),
        edge("web", "orders", id="e2", label="asks", kind="async", direction="both"),
        edge("api", "orders", id="e3", label="has"),
    )
    assert to_structurizr("Shop", workspace.diagram) == GOLDEN


GOLDEN = """workspace "Shop" {
    model {
        properties {
            "draftsmith.edge.e3.source" "api"
            "draftsmith.edge.e3.target" "orders"
            "draftsmith.edge.e3.label" "has"
        }
        customer = person "Customer" "Buys \\"things\\"\\nonline" "user" {
            properties {
                "draftsmith.type" "user"
                "draftsmith.position" "0,0"
            }
        }
        shop = softwareSystem "Shop" "" "group,blue" {
            properties {
                "draftsmith.type" "group"
                "draftsmith.color" "blue"
                "draftsmith.position" "0,0"
            }
            api = container "API" "" "" "group" {
                properties {
                    "draftsmith.type" "group"
                    "draftsmith.position" "0,0"
                }
                orders = component "Orders" "" "Go" "service" {
                    properties {
                        "draftsmith.type" "service"
                        "draftsmith.position" "0,0"
                        "team" "Pay"
                    }
                }
            }
            web = container "Web" "" "React" "web" {
                properties {
                    "draftsmith.type" "web"
                    "draftsmith.position" "0,0"
                }
            }
        }
        e1 = customer -> web "uses"
        e2 = web -> orders "asks" "" "Asynchronous" {
            properties {
                "draftsmith.kind" "async"
                "draftsmith.direction" "both"
            }
        }
        # api -> orders "has" is left out: one of them stands in the other
    }
    views {
        systemLandscape "landscape" {
            include *
            autoLayout lr
        }
        container shop "inside-shop" {
            include *
            autoLayout lr
        }
        component api "inside-api" {
            include *
            autoLayout lr
        }
        styles {
            element "web" {
                shape WebBrowser
            }
            element "user" {
                shape Person
            }
            element "blue" {
                stroke "#2563eb"
            }
            relationship "Asynchronous" {
                style dashed
            }
        }
    }
}
"""


def test_every_type_and_kind_is_there() -> None:
    nodes = [node(kind, 300 * at, type=kind) for at, kind in enumerate(NODE_TYPES)]
    edges = [edge("client", "web", id=f"e-{kind}", kind=kind, label="calls") for kind in EDGE_KINDS]
    check_all_there(workspace_of(*nodes, *edges))


def test_groups_below_components_and_of_people_are_groups() -> None:
    """An edge at one that is no element ends at a component that stands for it."""
    workspace = workspace_of(
        group("people", label="People"), node("anna", parent="people", type="user"),
        node("ben", parent="people", type="user"),
        group("s"), group("c", parent="s"), group("deep", parent="c", label="Deep ¦ down"), node("x", parent="deep"),
        group("deeper", parent="deep"), group("empty", parent="deeper"),
        edge("anna", "deep", id="e"), edge("anna", "s", id="f"),
    )  # fmt: skip
    found, _ = written(workspace)
    statements = {one.words[1]: one for one in found.inner[0].walk() if one.kind in INSIDE and len(one.words) > 1}
    assert [statements[name].kind for name in ("People", "anna", "s", "c", "x")] == [
        "group", "person", "softwareSystem", "container", "component",
    ]  # fmt: skip
    (line,) = [one for one in found.walk() if one.identifier == "e"]
    stand_in = next(one for one in found.walk() if one.identifier == line.words[2])
    assert (stand_in.kind, stand_in.words[1]) == ("component", "Deep ¦ down")
    check_all_there(workspace)


def test_names_and_identifiers_that_are_taken_are_told_apart() -> None:
    check_all_there(
        workspace_of(
            node("this", label="Orders"), node("a", label="orders"), group("g", label="Orders"),
            node("b", parent="g", label="Orders"), edge("this", "a", id="a", label="x"),
            edge("this", "a", id="this", label="X", kind="async"), edge("a", "b", id="e"),
        )
    )  # fmt: skip


@pytest.mark.parametrize(
    "said, there",
    [
        ('"', '"'), ("a\\", "a/"), ('\\"', '/"'), ("C:\\new", "C:/new"), ("a\\b", "a\\b"), ("${HOME}", "$ {HOME}"),
        ('x" {\n}', 'x" {\n}'), ("# no", "# no"), ("{", "{"), ("{}", "{}"),
        ("}", "}"), ("a\r\nb\x07", "a\nb"), ('"""', '"""'),
    ],
)  # fmt: skip
def test_no_text_is_read_as_anything_but_text(said: str, there: str) -> None:
    """Quotes, escapes, braces, comments, and constants of whoever opens the file."""
    found, _ = written(
        workspace_of(node("a", description=said), node("b"), edge("a", "b", id="e", properties={"k": said}))
    )
    a, line = (next(one for one in found.walk() if one.identifier == name) for name in ("a", "e"))
    assert a.words[2].rstrip() == there
    assert line.properties()["k"].rstrip() == there


# -- read again -----------------------------------------------------------------------------------------------------


def read_again(text: str) -> ReadWorkspace:
    file = SourceFile("shop.dsl", text.encode())
    (found,) = read_structurizr(SourceSet(file, {file.path: file}))
    check_valid(found)
    return found


def by_id(diagram: Diagram) -> dict[str, dict[str, Any]]:
    content = diagram_json(diagram)
    nodes = {one["id"]: dict(one) for one in content["nodes"]}
    return {"nodes": nodes, "edges": {one["id"]: dict(one) for one in content["edges"]}}


def check_same(workspace: Workspace) -> None:
    found = read_again(to_structurizr(workspace.name, workspace.diagram))
    assert (list(found.unread), found.is_placed) == ([], True)
    assert by_id(workspace_from(found).diagram) == by_id(workspace.diagram)


@settings(max_examples=examples(150))
@given(workspaces())
def test_whatever_is_drawn_comes_back_the_same(workspace: Workspace) -> None:
    assume(workspace.diagram.node_count)
    check_same(workspace)


@pytest.mark.parametrize("parents", [("", ""), ("g", ""), ("g", "c"), ("deep", "deep")])
def test_every_field_comes_back(parents: tuple[str, str]) -> None:
    """On every level, of groups that are no elements, too, and of edges between what stands in one another."""
    hostile = 'a & "b"\n\tÄ 🚀 100 % C:\\new\\ ${HOME} {} ¦ \u200d\\'
    keys = ("team", "!include", "}", " x", "x ", "x", "tags", "draftsmith.type", "größe", 'q"', "x" * 64)
    properties = {key: f"{hostile} {key}" for key in keys} | {"empty": "", "blank": " "}
    everything = {
        "description": hostile, "technology": hostile, "notes": hostile, "image": f"images/{'ab' * 32}.png",
        "color": "grey", "style": "dotted", "properties": properties, "size": {"width": 20, "height": 33.25},
        "locked": True,
    }  # fmt: skip
    line = {
        "description": hostile, "color": "red", "style": "muted", "properties": properties, "label": hostile[:150],
        "kind": "dependency", "direction": "both", "route": [{"x": -12.75, "y": 400}], "route_by": "hand",
        "shape": "straight", "label_at": 0.29,
    }  # fmt: skip
    one, other = ({"parent": parent} if parent else {} for parent in parents)
    big = {"size": {"width": 900, "height": 900}, "color": "blue", "description": hostile}
    check_same(
        workspace_of(
            group("g", 12.5, -40, label="Shop"),
            group("c", parent="g", label="Shop"),
            group("deep", parent="c", label="De¦ep\\", properties=properties, **big),
            node("this", 24, 40, label='Orders "v2" {}', **one, **everything),
            node("b", 300.25, 40, label="\\", **other, technology="Go  1.22"),
            edge("this", "b", id="this", **line),
            edge("this", "b", id="same", label=line["label"], kind="sync"),
            edge("b", "this", id="e1"), edge("b", "this", id="e2", kind="async"),
            edge("deep", "g", id="b", **line),
        )
    )  # fmt: skip


def test_every_type_kind_and_direction_comes_back() -> None:
    check_same(workspace_of_every_kind())


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_encoded_is_decoded(text: str) -> None:
    assert decoded_value(encoded_value(text)) == text
    assert not set(encoded_value(text)) & set('"\\\n\r{}$')


def test_what_somebody_changes_in_the_dsl_is_what_is_read() -> None:
    """A name, a description, a colour, a level; what is not shown there stays as it was."""
    text = to_structurizr(
        "Shop",
        workspace_of(
            group("shop", label="Shop"),
            node("web", label="Web  shop", parent="shop", description="Old\\", color="blue"),
            node("till", 400, label="Till", notes="ours"), edge("till", "web", id="e", label="asks", kind="async"),
        ).diagram,
    )  # fmt: skip
    edited = (
        text.replace('container "Web shop" "Old/"', 'container "Front end" "New"')
        .replace(',blue"', '"')
        .replace('"asks" "" "Asynchronous"', '"tells"')
        .replace('softwareSystem "Till"', 'softwareSystem "Till \\"2\\""')
    )
    found = read_again(edited)
    nodes = {one["id"]: dict(one) for one in found.diagram["nodes"]}
    assert (nodes["web"]["label"], nodes["web"]["description"], nodes["web"].get("color")) == ("Front end", "New", None)
    assert (nodes["till"]["label"], nodes["till"]["notes"], nodes["till"]["position"]) == (
        'Till "2"', "ours", {"x": 400, "y": 0}
    )  # fmt: skip
    (line,) = found.diagram["edges"]
    assert (line["id"], line.get("label"), line["kind"]) == ("e", "tells", "sync")


def test_an_element_that_somebody_adds_is_read_and_everything_laid_out() -> None:
    text = to_structurizr("Shop", workspace_of(node("a"), node("b", 400)).diagram)
    found = read_again(
        text.replace("    }\n    views", '        c = person "Ann" "" "VIP"\n        c -> a "asks"\n    }\n    views')
    )
    ann = next(one for one in found.diagram["nodes"] if one["label"] == "Ann")
    assert (ann["type"], ann["properties"]["tags"]) == ("user", "VIP")
    assert [(one["source"], one["target"]) for one in found.diagram["edges"]] == [(ann["id"], "a")]
    assert not found.is_placed


TEXT = to_structurizr(
    "Shop",
    workspace_of(
        group("g"), group("c", parent="g"), group("deep", parent="c"), node("a", parent="deep", properties={"k": ""}),
        node("b"), edge("b", "deep", id="e"), edge("g", "a", id="f", label="x"), edge("a", "b", id="b"),
    ).diagram,
)  # fmt: skip


@settings(max_examples=examples(150))
@given(st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.sampled_from(['"', "0", "g", "}", "group", "%", " "]))))
def test_no_damage_to_a_file_of_ours_gives_something_that_is_not_valid(damage: list[tuple[int, str]]) -> None:
    text = TEXT
    for place, put in damage:
        text = text[:place] + put + text[place + 1 :]
    with suppress(UnreadableSource):
        read_again(text)
