"""DOT: what is written is read back the same, what people write is understood, and nothing is unbounded."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from draftsmith.model.dot.reader import MAX_BYTES, read, recognizes, sets_of
from draftsmith.model.dot.syntax import MAX_DEPTH, MAX_EDGES, MAX_NODES
from draftsmith.model.dot.writer import to_dot
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from draftsmith.model.vocabulary import COLOR_STROKES, STYLES
from draftsmith.model.workspace import Workspace
from tests.builders import edge, group, node, workspace_of
from tests.kit.readers import check_valid, nodes_by_id
from tests.laws.test_batches import workspaces
from tests.seeds import examples
from tests.unit.test_drawio_writer import IMAGE, as_drawn, workspace_from, workspace_of_every_kind


def read_all(text: str | bytes) -> list[ReadWorkspace]:
    file = SourceFile("plan.dot", text if isinstance(text, bytes) else text.encode())
    found = list(read(SourceSet(file, {file.path: file})))
    for one in found:
        check_valid(one)
    return found


def read_one(text: str | bytes) -> ReadWorkspace:
    (found,) = read_all(text)
    return found


def labels(found: ReadWorkspace) -> dict[str, str]:
    return {one["id"]: one["label"] for one in found.diagram["nodes"]}


def links(found: ReadWorkspace) -> list[tuple[str, str, str]]:
    return [(one["source"], one["target"], one.get("label", "")) for one in found.diagram["edges"]]


def check_same(workspace: Workspace) -> None:
    found = read_one(to_dot(workspace.name, workspace.diagram))
    assert list(found.unread) == []
    assert found.name == workspace.name
    assert as_drawn(workspace_from(found).diagram) == as_drawn(workspace.diagram)


@settings(max_examples=examples(150))
@given(workspaces())
def test_whatever_is_drawn_comes_back_the_same(workspace: Workspace) -> None:
    check_same(workspace)


def test_every_field_comes_back() -> None:
    hostile = 'a & b <b>"c"</b>\n\tÄ 🚀 \\N \\\\ &amp; &#65; \\" \u200d\r x\\'
    keys = ["team", "label", "type", "two words", 'quo"te', "größe", "back\\slash", "a\nb", "x" * 64]
    properties = {**dict.fromkeys(keys, hostile), "empty": ""}
    everything = {
        "description": hostile, "technology": "Go <1.22> & \\N", "notes": hostile, "image": IMAGE, "color": "grey",
        "style": "dotted", "properties": properties, "size": {"width": 20, "height": 33.25}, "locked": True,
    }  # fmt: skip
    line = {
        "description": hostile, "color": "red", "style": "muted", "properties": properties, "label": "reads <b>\nthen",
        "kind": "dependency", "direction": "both", "route": [{"x": -12.75, "y": 400}], "route_by": "hand",
        "label_at": 0.29, "shape": "curved",
    }  # fmt: skip
    check_same(
        workspace_of(
            group("g", 12.5, -40, label="Group &amp;"),
            group("inner", 24, 200, parent="g", color="red"),
            group("empty", 600, 0, technology="Go", locked=True, style="bold"),
            node("node", 24, 40, label="Orders <i>v2</i>\n🚀  twice \\N", parent="g", **everything),
            node("1", 300.25, 40, label="Go\nGo", technology="Go"),
            node("graph", 300.25, 400, parent="inner"),
            edge("node", "1", id="0", **line),
            edge("1", "g", id="g", shape="straight"),
            edge("g", "graph", id="within"),
            edge("empty", "inner", id="node", label_at=1),
            edge("1", "node", id="1"),
        )
    )


@pytest.mark.parametrize("color", ["", *COLOR_STROKES])
@pytest.mark.parametrize("style", ["", *STYLES])
def test_every_look_comes_back(color: str, style: str) -> None:
    looks = {"color": color, "style": style}
    check_same(workspace_of(group("g", 0, 300, **looks), node("a", **looks), edge("a", "g", id="e", **looks)))


def test_every_type_kind_and_direction_comes_back() -> None:
    check_same(workspace_of_every_kind())


def test_golden_output() -> None:
    """Golden: a cluster, places upwards from the middle in points, an edge cut off at the cluster, what is ours."""
    workspace = workspace_of(
        group("data", 100, 0, label='The "data"'),
        node("db", 24, 40, parent="data", label="Orders", type="database", technology="PostgreSQL"),
        node("api", -200, 0, label="API"),
        edge("api", "data", id="e", label="reads", kind="async"),
    )
    assert to_dot("Shop", workspace.diagram) == (
        'digraph "Shop" {\n'
        '  graph [compound=true, rankdir=LR, inputscale=72, fontname="Helvetica", fontsize=12];\n'
        '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#94a3b8", '
        'fontname="Helvetica", fontsize=12];\n'
        '  edge [color="#475569", fontname="Helvetica", fontsize=10];\n'
        '  "api" [label="API", id="api", type="service", pos="-82.5,-27!", width=1.875, height=0.75];\n'
        '  subgraph "cluster_data" {\n'
        '    graph [label="The \\"data\\"", id="data", type="group", bb="75,-102,246,0", labeljust=l,'
        ' color="#94a3b8", style="rounded,solid"];\n'
        '    "db" [label="Orders\\nPostgreSQL", id="db", type="database", pos="160.5,-57!", width=1.875, height=0.75,'
        ' style="filled,solid", shape=cylinder, technology="PostgreSQL"];\n'
        "  }\n"
        '  "api" -> "db" [label="reads", id="e", dir=forward, kind=async, style="dashed", lhead="cluster_data"];\n'
        "}\n"
    )


def test_edges_and_nodes_of_every_form_are_read() -> None:
    """Chains, sets, ports, defaults, names in quotes, joined strings, comments, several statements in a line."""
    found = read_one("""
        // made by hand
        # and by the C preprocessor
        strict digraph "Shop" { /* all of it */
          node [shape=box]; edge [label="calls"]
          a -> b -> c [label="then"]; "d e":p0:nw -> {f; g}
          subgraph s { h; i } -> a
          a [label="Web \\
shop"] b [label="Or" + "ders"]; c=1 3.5 -> -.5
        }
    """)
    assert found.name == "Shop"
    assert labels(found) == {
        "a": "Web shop", "b": "Orders", "c": "c", "d-e": "d e", "f": "f", "g": "g", "h": "h", "i": "i", "3-5": "3.5",
        "5": "-.5",
    }  # fmt: skip
    assert links(found) == [
        ("a", "b", "then"), ("b", "c", "then"), ("d-e", "f", "calls"), ("d-e", "g", "calls"), ("h", "a", "calls"),
        ("i", "a", "calls"), ("3-5", "5", "calls"),
    ]  # fmt: skip
    assert found.is_placed is False
    assert found.sources[next(one["id"] for one in found.diagram["nodes"] if one["label"] == "d e")] == "d e"


def test_clusters_become_groups() -> None:
    """Nested ones as well; a node lies in the innermost in which it is named, wherever that is."""
    found = read_one("""digraph {
      a -> b; compound=true
      subgraph cluster_0 { label="Shop"; a; subgraph cluster_in { label=<In<br/>side>; b; c } { rank=same; d } }
      subgraph other { label="No"; e }
      subgraph cluster_empty { }
      e -> d [lhead=cluster_0]
    }""")
    nodes = nodes_by_id(found.diagram)
    assert {one["label"]: nodes.get(one.get("parent"), {}).get("label") for one in nodes.values()} == {
        "Shop": None, "In side": "Shop", "a": "Shop", "b": "In side", "c": "In side", "d": "Shop", "e": None,
    }  # fmt: skip
    shop = next(one["id"] for one in nodes.values() if one["label"] == "Shop")
    assert links(found) == [("a", "b", ""), ("e", shop, "")]


@pytest.mark.parametrize(
    "said, direction, kind, ends",
    [
        ("a -> b", "forward", "sync", "ab"),
        ("a -> b [dir=back]", "forward", "sync", "ba"),
        ("a -> b [dir=both, style=dashed]", "both", "async", "ab"),
        ("a -> b [dir=none]", "none", "sync", "ab"),
        ("a -> b [arrowhead=none]", "none", "sync", "ab"),
        ('a -> b [style="dashed" arrowhead=vee]', "forward", "dependency", "ab"),
    ],
)
def test_directions_and_dashes_are_kept(said: str, direction: str, kind: str, ends: str) -> None:
    (made,) = read_one(f"digraph {{ {said} }}").diagram["edges"]
    assert (made["direction"], made["kind"], made["source"] + made["target"]) == (direction, kind, ends)


def test_a_graph_without_arrows_has_none() -> None:
    (made,) = read_one("graph { a -- b }").diagram["edges"]
    assert made["direction"] == "none"


def test_labels_of_every_kind_are_reduced_to_their_words() -> None:
    found = read_one("""digraph {
      a [label=<<b>Web</b><br/>shop &amp; co>]; b [shape=record label="{<p> Order|id: int|{a|b}}"]
      c [label="\\N of \\G\\lnext"]; d [label="caf&eacute;"]; e [label="one\\ntwo\\nthree\\nfour"]; f [label=""]
    }""")
    nodes = nodes_by_id(found.diagram)
    assert {key: one["label"] for key, one in nodes.items()} == {
        "a": "Web shop & co", "b": "Order", "c": "c of next", "d": "café", "e": "one", "f": "f",
    }  # fmt: skip
    assert (nodes["b"]["description"], nodes["e"]["description"]) == ("id: int\na\nb", "two\nthree\nfour")


@pytest.mark.parametrize(
    "said, node_type, color",
    [
        ("[shape=cylinder]", "database", ""),
        ('[label="Redis cache" style=filled fillcolor=lightblue]', "cache", "blue"),
        ('[style=filled color="#ffcccc"]', "service", "red"),
        ("[color=darkgreen]", "service", "green"),
        ('[color="#888888"]', "service", ""),
        ("[fillcolor=red]", "service", ""),
        ("[shape=note]", "other", ""),
    ],
)
def test_shapes_words_and_colours_say_what_a_node_is(said: str, node_type: str, color: str) -> None:
    (found,) = read_one(f"digraph {{ x {said} }}").diagram["nodes"]
    assert (found["type"], found.get("color", "")) == (node_type, color)


def test_places_of_graphviz_are_kept() -> None:
    """Upwards and in points, where it has laid out; in inches, where somebody pins nodes. Or all are laid out here."""
    drawn = read_one(
        'digraph { graph [bb="0,0,300,200"]; a [pos="90,150", width=2.5, height=1];'
        ' b [pos="90,30", width=2.5, height=1];'
        ' subgraph cluster_x { bb="0,100,200,200"; label=X; a } }'
    )
    nodes = nodes_by_id(drawn.diagram)
    assert drawn.is_placed
    middles = {
        key: (one["position"]["x"], one["position"]["y"]) for key, one in nodes.items() if one["type"] != "group"
    }
    assert nodes["x"]["position"]["y"] < middles["b"][1]
    assert nodes["a"]["parent"] == "x"
    pinned = nodes_by_id(read_one('digraph { a [pos="0,0!"]; b [pos="0,-3!"] }').diagram)
    assert pinned["b"]["position"]["y"] - pinned["a"]["position"]["y"] == 288
    assert not read_one('digraph { a [pos="0,0!"]; b }').is_placed


def test_what_is_invisible_twice_or_a_loop_is_listed() -> None:
    found = read_one("digraph {\n a -> b\n a -> b\n a -> a [label=self]\n b -> c [style=invis]\n d [style=invis]\n}")
    assert [(one.place, one.text, one.reason) for one in found.unread] == [
        ("line 3", "", "the same line is there already"),
        ("line 4", "self", "both ends of the line are at the same node"),
        ("", "", "what is invisible only shapes the layout (2 nodes and edges)"),
    ]


def test_each_graph_of_a_file_becomes_a_workspace() -> None:
    found = read_all('digraph One { a } graph Two { label="The second"; b }')
    assert [one.name for one in found] == ["One", "The second"]


@pytest.mark.parametrize(
    "content, is_it",
    [
        (b"digraph x {}", True), (b"\xef\xbb\xbf// hello\n/* a\n b */ strict graph{", True),
        (b"#include\nDigraph", True),
        (b"graph LR\n  a --> b", True), (b"hello graph", False), (b"", False), (b"graphics", False),
    ],
)  # fmt: skip
def test_a_file_is_recognized_by_how_it_begins(content: bytes, is_it: bool) -> None:
    file = SourceFile("x.dot", content)
    assert recognizes(file) is is_it
    assert [one.root for one in sets_of([file])] == [file]


@pytest.mark.parametrize(
    "text, reason, line",
    [
        ("digraph {\n a -> }", "“}” cannot stand here", 2),
        ("digraph {\n a -> b", "it breaks off", 2),
        ('digraph {\n "a', "a quotation mark is never closed", 2),
        ("digraph { /* a", "a comment is never closed", 1),
        ("digraph { a [label=<<b>x]", "a label in HTML is never closed", 1),
        ("digraph { a [\n->] }", "“->” cannot stand in brackets", 2),
        ("\nhello { }", "a graph begins with `graph` or `digraph`", 2),
        ("", "there is no graph in it", 1),
        ("digraph { a \x01 }", "“\x01” cannot stand here", 1),
        ("digraph " + "{" * 1_000_000, f"braces are nested more than {MAX_DEPTH} deep", 1),
        ("digraph { a" + " -> a" * 1_000_000, "it has more than", 1),
        ("digraph {" + "".join(f"n{at};" for at in range(MAX_NODES + 1)) + "}", f"more than {MAX_NODES:,} nodes", 1),
        ("digraph {" + "{a b c d e f g h i j k l m}->" * 2_000 + "a}", f"more than {MAX_EDGES:,} edges", 1),
        ("digraph {" + "".join(f"subgraph cluster{n} {{subgraph cluster{n + 1} {{}}}}" for n in range(MAX_DEPTH)) + "}",
         f"clusters are nested more than {MAX_DEPTH} deep", 1),
        ("graph {}" * 101, "there are more than 100 graphs", 1),
        ("digraph {" + " " * MAX_BYTES + "}", "longer than 10 MB", None),
    ],
    ids=["end", "cut", "quote", "comment", "HTML", "brackets", "prose", "nothing", "control", "deep", "long", "nodes",
         "edges", "clusters", "graphs", "large"],
)  # fmt: skip
def test_hostile_and_broken_files_are_refused_in_words(text: str, reason: str, line: int | None) -> None:
    with pytest.raises(UnreadableSource) as refused:
        read_all(text)
    assert reason in refused.value.reason
    assert refused.value.line == line


def test_long_strings_and_many_defaults_are_cut_to_their_limits() -> None:
    text = "x" * 30_000
    many = " ".join(f"k{at}=1" for at in range(1_000))
    found = read_one(f'digraph {{ node [{many}]; a [label="{text}", comment="{text}"]; a -> b [label="{text}"] }}')
    (first, _) = found.diagram["nodes"]
    assert len(first["label"]) == 120


SEEDED = [
    to_dot("Shop", workspace_of(group("g"), node("a", parent="g"), node("b"), edge("a", "b", label="x")).diagram),
    'graph { subgraph cluster_a { a [label=<<b>x</b>>] } { b c } -- a:n [pos="1,2"] }',
]


@settings(max_examples=examples(300))
@given(st.sampled_from(SEEDED), st.integers(0, 2**32))
def test_no_damage_makes_it_fail(content: str, seed: int) -> None:
    """Files with pieces cut out, put in or twice give something valid or a reason."""
    dice = random.Random(seed)
    damaged = bytearray(content.encode())
    pieces = [b'"', b"{", b"}", b"[", b"<", b"->", b"\\", b"cluster", b"1e99", b"lhead=cluster_g ", b"\xff", b"pos="]
    for _ in range(dice.randrange(1, 12)):
        place = dice.randrange(len(damaged) + 1)
        kind = dice.randrange(3)
        if kind == 0:
            damaged[place:place] = dice.choice(pieces)
        elif kind == 1:
            damaged[place:place] = damaged[place // 2 : place]
        else:
            del damaged[place : place + dice.randrange(9)]
    with suppress(UnreadableSource):
        read_all(bytes(damaged))
