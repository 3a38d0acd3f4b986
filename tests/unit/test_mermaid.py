"""Mermaid flowcharts: what is written is read back, what people write is understood, nothing fails."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftsmith.model.fields import written_on
from draftsmith.model.mermaid.format_reader import from_chart
from draftsmith.model.mermaid.parsed_chart import FAILED, read_chart
from draftsmith.model.mermaid.writer import UnreadLine, from_mermaid, to_mermaid
from draftsmith.model.vocabulary import (
    ANNOTATIONS,
    COLOR_STROKES,
    DIRECTIONS,
    EDGE_KINDS,
    GROUP,
    NODE_TYPES,
    SHAPES,
    STYLES,
)
from tests.kit.readers import check_diagram, nodes_by_id

GOLDEN_DIAGRAM: dict[str, Any] = {
    "nodes": [
        {"id": "platform", "type": "group", "label": "Platform"},
        {"id": "data", "type": "group", "label": "Data", "parent": "platform"},
        {
            "id": "orders",
            "type": "service",
            "label": 'Orders "v2" [beta]',
            "technology": "Go 1.22",
            "parent": "platform",
        },
        {"id": "orders-db", "type": "database", "label": "Orders DB #1", "parent": "data"},
        {"id": "end-user", "type": "user", "label": "Käufer 🛒"},
        {"id": "a--b", "type": "queue", "label": "a|b\nc"},
    ],
    "edges": [
        {"id": "e1", "source": "end-user", "target": "orders", "label": "buys | browses"},
        {"id": "e2", "source": "orders", "target": "orders-db", "kind": "data", "direction": "both"},
        {"id": "e3", "source": "orders", "target": "a--b", "kind": "async", "label": "events"},
        {"id": "e4", "source": "a--b", "target": "data", "kind": "dependency", "direction": "none"},
    ],
}
GOLDEN_TEXT = """flowchart LR
  %% id n_end-user: end-user
  %% id n_a_-b: a--b
  subgraph platform["Platform"]
    subgraph data["Data"]
      orders-db[("Orders DB #35;1")]:::database
    end
    orders["Orders #quot;v2#quot; #91;beta#93;<br/>[Go 1.22]"]:::service
  end
  n_end-user(("Käufer 🛒")):::user
  n_a_-b[/"a#124;b<br/>c"/]:::queue
  n_end-user -->|"buys #124; browses"| orders
  orders <==> orders-db
  orders -.->|"events"| n_a_-b
  n_a_-b -..- data
"""


def read(text: str) -> dict[str, Any]:
    """The diagram of a text of which every line is read."""
    found = from_mermaid(text)
    assert found.unread == []
    return found.diagram


def arrows(diagram: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(edge["source"], edge.get("label", ""), edge["target"]) for edge in diagram["edges"]]


def test_golden_output() -> None:
    """Golden: nesting, shapes, escapes, names Mermaid would stumble over, arrows by kind and direction."""
    assert to_mermaid(GOLDEN_DIAGRAM) == GOLDEN_TEXT


def test_golden_output_is_read_back() -> None:
    """Golden: ids, labels, technologies, types, nesting and links come back; positions and group sizes are made."""
    diagram = read(GOLDEN_TEXT)
    found = nodes_by_id(diagram)
    for node in GOLDEN_DIAGRAM["nodes"]:
        for field, value in node.items():
            assert found[node["id"]][field] == value
    assert found["data"]["size"] == {"width": 228, "height": 136}
    written = [{"kind": "sync", "direction": "forward", **edge} for edge in GOLDEN_DIAGRAM["edges"]]
    assert [{**edge, "id": ""} for edge in diagram["edges"]] == [{**edge, "id": ""} for edge in written]


labels = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), min_size=1, max_size=120
).filter(lambda label: bool(label.strip()))
node_ids = st.one_of(
    st.from_regex(r"[a-z0-9][a-z0-9_-]{0,20}", fullmatch=True),
    st.sampled_from(["end", "end-user", "graph", "subgraph-1", "a--b", "a-", "style", "x", "o", "default", "n_end"]),
)

looks = st.fixed_dictionaries(
    {}, optional={"color": st.sampled_from(sorted(COLOR_STROKES)), "style": st.sampled_from(STYLES)}
)
line_looks = st.fixed_dictionaries({}, optional={"shape": st.sampled_from(SHAPES)})


@st.composite
def diagrams(draw: st.DrawFn) -> dict[str, Any]:
    """Any diagram of up to eight nodes, groups nested as they come."""
    ids = draw(st.lists(node_ids, unique=True, min_size=1, max_size=8))
    nodes: list[dict[str, Any]] = []
    for node_id in ids:
        groups = [node["id"] for node in nodes if node["type"] == GROUP]
        node = {"id": node_id, "type": draw(st.sampled_from(NODE_TYPES)), "label": draw(labels).strip()}
        if draw(st.booleans()):
            node["technology"] = draw(labels).strip()
        node |= draw(looks)
        if groups and draw(st.booleans()):
            node["parent"] = draw(st.sampled_from(groups))
        nodes.append(node)
    edges = []
    seen: set[tuple[str, ...]] = set()
    for source, target in draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=10)):
        edge = {"source": source, "target": target, "kind": draw(st.sampled_from(EDGE_KINDS))}
        edge["label"] = draw(st.one_of(st.just(""), labels)).strip()
        key = (source, target, edge["kind"], edge["label"])
        if source != target and key not in seen:
            seen.add(key)
            more = {"id": f"e{len(edges)}", "direction": draw(st.sampled_from(DIRECTIONS)), **draw(looks)}
            edges.append({**edge, **more, **draw(line_looks)})
    return {"nodes": nodes, "edges": edges}


def _words_of(node: dict[str, Any]) -> str:
    """The label; of notes and texts what is written on them, whose further lines are their description."""
    return re.sub(r"\s*\n", "\n", written_on(node)) if node["type"] in ANNOTATIONS else node["label"]  # type: ignore[arg-type,no-any-return]


@given(diagrams())
def test_what_is_written_is_read_back(diagram: dict[str, Any]) -> None:
    """Ids, types, labels, technologies, looks, nesting, links, kinds and directions survive; nothing is unread."""
    found = read(to_mermaid(diagram))

    def nodes(of: dict[str, Any]) -> list[tuple[Any, ...]]:
        return sorted(
            (
                node["id"],
                node["type"],
                _words_of(node),
                *(node.get(field) or "" for field in ("technology", "color", "style", "parent")),
            )
            for node in of["nodes"]
        )

    def links(of: dict[str, Any]) -> list[tuple[Any, ...]]:
        fields = ("source", "target", "kind", "direction")
        optional = ("label", "color", "style", "shape")
        return [
            (*(edge[field] for field in fields), *(edge.get(field, "") for field in optional)) for edge in of["edges"]
        ]

    assert nodes(found) == nodes(diagram)
    assert links(found) == links(diagram)
    assert to_mermaid(diagram) == to_mermaid(diagram)


def test_looks_are_lines_of_their_own_and_arrows_stay_those_of_kinds() -> None:
    nodes = [
        {"id": "a", "type": "service", "label": "A", "color": "red"},
        {"id": "b", "type": "service", "label": "B", "color": "red", "style": "dashed"},
    ]
    edges = [
        {"id": "e1", "source": "a", "target": "b", "kind": "data"},
        {"id": "e2", "source": "b", "target": "a", "kind": "async", "color": "blue"},
        {"id": "e3", "source": "b", "target": "a", "style": "muted", "color": "teal", "shape": "straight"},
        {"id": "e4", "source": "a", "target": "b", "shape": "curved"},
    ]
    lines = to_mermaid({"nodes": nodes, "edges": edges}).splitlines()
    assert [line.strip() for line in lines[3:]] == [
        "a ==> b",
        "b -.-> a",
        "b --> a",
        "a --> b",
        "style a stroke:#dc2626,stroke-width:2px",
        "style b stroke:#dc2626,stroke-width:2px,stroke-dasharray:6 4",
        "linkStyle 1 stroke:#2563eb",
        "linkStyle 2 interpolate linear stroke:#0f766e,opacity:0.6",
        "linkStyle 3 interpolate basis",
    ]


def test_a_link_is_counted_as_mermaid_counts_it() -> None:
    """Those that are left out count, each of a list does, and behind what was not read nobody knows."""
    text = "flowchart LR\n  a & b --> c\n  a ~~~ b\n  c --> c\n  a --> c\n  c --> d\n"
    found = from_mermaid(
        text + "  linkStyle 1 stroke:#dc2626\n  linkStyle 5 stroke-width:4px\n  linkStyle 3 opacity:0.6\n"
    )
    said = [(edge["source"], edge.get("color", ""), edge.get("style", "")) for edge in found.diagram["edges"]]
    assert said == [("a", "", ""), ("b", "red", ""), ("c", "", "bold")]
    assert found.unread[-1].reason == "`linkStyle` is not kept"
    unread = from_mermaid("flowchart LR\n  a -->\n  a --> b\n  linkStyle 0 stroke:#dc2626\n")
    assert [line.line for line in unread.unread] == [2, 4]
    assert "color" not in unread.diagram["edges"][0]


@pytest.mark.parametrize(
    "line",
    ["linkStyle default stroke:#dc2626", "linkStyle 7 stroke:#dc2626", "linkStyle 0 stroke:#123456", "linkStyle 0",
     "style a stroke:#123456,stroke-width:2px", "style a", "linkStyle 99999999999 opacity:0.6",
     "linkStyle 0 interpolate step", "linkStyle 0 stroke:#dc2626 interpolate basis"],
)  # fmt: skip
def test_other_looks_are_listed(line: str) -> None:
    found = from_mermaid(f"flowchart LR\n  a --> b\n  {line}\n")
    assert [one.reason for one in found.unread] == [f"`{line.split(maxsplit=1)[0]}` is not kept"]


PIECES = (
    "flowchart LR", "graph TD", "subgraph", "end", "a", "b", "A", "Ä", "ß-x", "a b", "\n", "\n", " ", " ", "&", "|",
    "[x]", "[(", ")]", "((", "))", "{{", "}}", ">", "[/", "/]", '"', '"q"', "|x|", '|"y"|', "@{ shape: cyl, label: L }",
    "-->", "---", "-.->", "==>", "<-->", "--", "-.", ".->", "~~~", "x--x", "o--o", ":::cache", "style a", "class b c",
    "%%", "%%{init: {}}%%", "%% id a: b", ";", "direction TB", "#35;", "#0;", "#55296;", "<br/>", "`", "\\", "🚀",
    "\x00", "\ud800",
)  # fmt: skip
pieces = st.sampled_from(PIECES)


@given(st.one_of(st.text(max_size=200), st.lists(pieces, max_size=40).map("".join)), st.booleans())
def test_no_text_fails(text: str, with_head: bool) -> None:
    """Any text gives a valid diagram and a list of what was not read."""
    check_diagram(from_mermaid("flowchart LR\n" + text if with_head else text).diagram)


def test_people_write_chains_and_shapes() -> None:
    """Chains, `&`, all shapes, both label forms, statements behind semicolons, links of any length."""
    diagram = read(
        """
        graph TD;
        A[Web app] --> B(Order service) -- "places order" --> C[(PostgreSQL)]
        B -->|reads| D{{Stripe}}; B -. retries .-> E[[Mail worker]]
        F((User)) & G>Grafana] ==> A   %% a remark
        B ---- H[/Kafka/]
        H <-.-> I{Valid?}
        I x--x J(((Stop))):::other
        K@{ shape: cyl, label: "Order cache" } e1@--> B
        """
    )
    assert arrows(diagram) == [
        ("web-app", "", "order-service"),
        ("order-service", "places order", "postgresql"),
        ("order-service", "reads", "stripe"),
        ("order-service", "retries", "mail-worker"),
        ("user", "", "web-app"),
        ("grafana", "", "web-app"),
        ("order-service", "", "kafka"),
        ("kafka", "", "valid"),
        ("valid", "", "stop"),
        ("order-cache", "", "order-service"),
    ]
    assert {node["id"]: node["type"] for node in diagram["nodes"]} == {
        "web-app": "web",
        "order-service": "service",
        "postgresql": "database",
        "stripe": "external",
        "mail-worker": "worker",
        "user": "user",
        "grafana": "monitoring",
        "kafka": "stream",
        "valid": "other",
        "stop": "other",
        "order-cache": "cache",
    }
    kinds = [(edge["kind"], edge["direction"]) for edge in diagram["edges"]]
    assert kinds[3:6] == [("async", "forward"), ("data", "forward"), ("data", "forward")]
    assert kinds[6:9] == [("sync", "none"), ("async", "both"), ("sync", "both")]


def test_subgraphs_nest_and_may_be_linked() -> None:
    """Groups by id, by title and by both; a node stands in the innermost group that mentions it."""
    diagram = read(
        """flowchart LR
        subgraph one
          a --> b
          subgraph two [Second group]
            b --> c
          end
        end
        subgraph "Third group"
          d["spans
          lines"]
        end
        subgraph id-4["Fourth"]
        end
        a --> two
        one --> d
        """
    )
    found = nodes_by_id(diagram)
    assert {name: node.get("parent") for name, node in found.items()} == {
        "one": None,
        "a": "one",
        "b": "two",
        "two": "one",
        "c": "two",
        "third-group": None,
        "d": "third-group",
        "id-4": None,
    }
    assert [found[name]["label"] for name in ("two", "third-group", "id-4")] == [
        "Second group",
        "Third group",
        "Fourth",
    ]
    assert found["d"]["label"].split() == ["spans", "lines"]
    assert arrows(diagram)[-2:] == [("a", "", "two"), ("one", "", "d")]


def test_nodes_flow_in_the_direction_given() -> None:
    """TD runs down, RL to the left; siblings do not overlap."""
    down = nodes_by_id(read("flowchart TD\n a --> b"))
    assert down["a"]["position"]["y"] < down["b"]["position"]["y"]
    left = nodes_by_id(read("flowchart RL\n a --> b"))
    assert left["a"]["position"]["x"] > left["b"]["position"]["x"]


def test_ids_come_from_names_or_labels() -> None:
    """A name that is an id stays; single capitals give way to their label; nothing clashes."""
    found = read("flowchart LR\n orders_db[(DB)] --> A[Order API] --> B[Order API] --> ordersAPI --> J[日本] --> Ж")
    assert list(nodes_by_id(found)) == ["orders_db", "order-api", "order-api-2", "ordersapi", "j", "service-1"]
    assert [node["label"] for node in found["nodes"]][-2:] == ["日本", "Ж"]


def test_types_are_guessed_from_words_before_shapes() -> None:
    """The last known word says what a thing is; a shape only where no word does; a class of ours above all."""
    diagram = read(
        """flowchart LR
        a[(Redis)] --> b[Kafka consumer] --> c[User service] --> d[API gateway] --> e[(Blobs)]
        e --> f["Jobs<br/>[RabbitMQ]"] --> g[(Redis)]:::queue --> h[Anything]:::unknown
        """
    )
    types = [node["type"] for node in diagram["nodes"]]
    assert types == ["cache", "worker", "service", "gateway", "database", "queue", "queue", "service"]


def test_what_is_not_kept_is_listed() -> None:
    """Styles, clicks, directives, broken lines: each with its line, its text and a reason; the rest is read."""
    found = from_mermaid(
        """---
title: x
---
%%{init: {"theme": "dark"}}%%
%% a comment is no loss
flowchart LR
  a --> b
  classDef red fill:#f00
  class a red
  style a fill:#fff;
  linkStyle 0 stroke:red
  click a "https://example.org"
  a -->
  a --> a
  a --> b
  a ~~~ c
  ??? what is this
  d[open
  end
  subgraph s
  direction TB
  end"""
    )
    assert [(line.line, line.reason) for line in found.unread] == [
        (1, "front matter is not kept"),
        (4, "directives are not kept"),
        (8, "`classDef` is not kept"),
        (9, "`class` is not kept"),
        (10, "`style` is not kept"),
        (11, "`linkStyle` is not kept"),
        (12, "`click` is not kept"),
        (13, "the line ends where a node was expected"),
        (14, "a node cannot be linked to itself"),
        (15, "the same link is there already"),
        (16, "an invisible link is not kept"),
        (17, "there is more on the line than could be read"),
        (18, "there is more on the line than could be read"),
        (19, "there is no group to end"),
        (21, "the direction of a single group is not kept"),
    ]
    assert found.unread[2].text == "classDef red fill:#f00"
    assert list(nodes_by_id(found.diagram)) == ["a", "b", "c", "s"]
    assert arrows(found.diagram) == [("a", "", "b")]


OTHER_KINDS = {
    "sequenceDiagram\n A->>B: hi": "a sequence diagram",
    "classDiagram-v2\n class A": "a class diagram",
    "stateDiagram-v2\n [*] --> A": "a state diagram",
    "erDiagram\n A ||--o{ B : has": "an entity relationship diagram",
    "gantt\n title A": "a Gantt chart",
    "pie title Pets": "a pie chart",
    "journey\n title A": "a user journey",
    "gitGraph:\n commit": "a Git graph",
    "mindmap\n root((x))": "a mind map",
    "timeline\n 2002 : A": "a timeline",
    "quadrantChart\n title A": "a quadrant chart",
    "requirementDiagram\n": "a requirement diagram",
    "C4Context\n Person(a, A)": "a C4 diagram",
    "C4Deployment\n": "a C4 diagram",
    "sankey-beta\na,b,1": "a Sankey diagram",
    "xychart-beta horizontal": "an XY chart",
    "block-beta\n a b": "a block diagram",
    "packet-beta\n": "a packet diagram",
    "architecture-beta\n group api(cloud)[API]": "an architecture diagram",
    "kanban\n Todo": "a Kanban board",
    "radar-beta\n": "a radar chart",
    "treemap-beta\n": "a treemap",
    "zenuml\n A->B: x": "a ZenUML diagram",
}


@pytest.mark.parametrize("text, kind", OTHER_KINDS.items(), ids=OTHER_KINDS.values())
def test_a_diagram_of_another_kind_is_called_by_its_name(text: str, kind: str) -> None:
    """It gives nothing but the line that names its kind, counted from the beginning of the text."""
    found = from_mermaid(f"---\ntitle: Mine\n---\n%% a comment\n{text}")
    assert found.diagram == {"nodes": [], "edges": []}
    assert found.fault is not None
    first, _, _ = text.partition("\n")
    assert (found.fault.line, found.fault.text, found.is_flowchart) == (5, first, False)
    begins = "and only flowcharts are read, which begin with `flowchart` or `graph`"
    assert found.fault.reason == f"this is {kind}, {begins}; nothing was read"
    assert found.unread[-1] == found.fault


@pytest.mark.parametrize("text", ["hello", "flowchartX LR\n a-->b", "pies", "```mermaid\nflowchart LR"])
def test_what_is_no_flowchart_is_said_to_be_none(text: str) -> None:
    """Another kind of text gives an empty diagram and one reason."""
    found = from_mermaid(text)
    assert found.diagram == {"nodes": [], "edges": []}
    first, _, _ = text.partition("\n")
    assert found.fault == UnreadLine(1, first, "a flowchart begins with `flowchart` or `graph`; nothing was read")
    assert found.unread == [found.fault]


@pytest.mark.parametrize("text", ["", "\n\n", "---\nnever closed"])
def test_nothing_gives_nothing(text: str) -> None:
    """Without a flowchart the diagram is empty, and that is said."""
    found = from_mermaid(text)
    assert found.diagram == {"nodes": [], "edges": []}
    assert found.unread[-1].reason == "there is no flowchart, which begins with `flowchart` or `graph`"
    assert (found.fault, found.is_flowchart) == (found.unread[-1], False)


def test_a_flowchart_of_which_nothing_is_read_is_no_empty_one() -> None:
    """Where no line could be read the first of them is the fault; an empty flowchart has none."""
    found = from_mermaid("flowchart LR\n  %% none\n  ??? what\n  a[open")
    assert found.fault == UnreadLine(3, "??? what", found.unread[0].reason)
    assert found.is_flowchart
    for text in ("flowchart LR", "graph TD\n classDef red fill:#f00\n", to_mermaid({"nodes": [], "edges": []})):
        assert from_mermaid(text).fault is None
    assert from_mermaid("flowchart LR\n  a\n  ??? what").fault is None


def test_groups_cannot_stand_in_themselves() -> None:
    """A group inside itself is not read, and its end closes nothing else."""
    found = from_mermaid("flowchart LR\nsubgraph a\nsubgraph b\nsubgraph a\nx\nend\ny\nend\nz\nend\nw")
    assert [(line.line, line.reason) for line in found.unread] == [(4, "the group would stand in itself")]
    parents = {node["id"]: node.get("parent") for node in found.diagram["nodes"]}
    assert parents == {"a": None, "b": "a", "x": "b", "y": "b", "z": "a", "w": None}
    check_diagram(
        from_mermaid("flowchart LR\nsubgraph a\nb\nend\nsubgraph b\na\nend\nsubgraph b\nsubgraph a\nend\nend").diagram
    )


def test_long_labels_are_cut_and_kept_whole_beside() -> None:
    """A label of more than 120 characters is cut; the whole of it becomes the description."""
    (node,) = read(f'flowchart LR\n a["{"word " * 40}"]')["nodes"]
    assert len(node["label"]) <= 120
    assert node["label"].endswith("…")
    assert node["description"] == ("word " * 40).strip()


def test_html_and_icons_in_labels() -> None:
    """Tags, icons and Markdown marks go; entities of both kinds become characters; unknown ones stay."""
    diagram = read(
        """flowchart LR
        a["<b>fa:fa-user Bold</b> &amp; #quot;x#quot; #9829; #nosuch; #0;"] --> b["`**md** text`"] --> c[two\\nlines]
        """
    )
    assert [node["label"] for node in diagram["nodes"]] == ['Bold & "x" ♥ #nosuch; #0;', "md text", "two\nlines"]


HOSTILE = [
    "flowchart LR\n" + "a[(" * 300_000,
    "flowchart LR\n" + "a[(x]&" * 160_000,
    "flowchart LR\n" + ("a" + "&a" * 2_000 + "-->b" + "&b" * 2_000 + "\n") * 100,
    "flowchart LR\n" + "subgraph x\n" * 80_000,
    "flowchart LR\n" + "subgraph\n" * 100_000,
    "flowchart LR\n" + "x[\n" * 300_000,
    "flowchart LR\n" + '"\n' * 400_000,
    "flowchart LR\n" + "a -- b " * 130_000,
    "flowchart LR\n" + ("é" * 60 + "\n") * 8_000,
    "flowchart LR\n" + "\n".join(f"n{n} --> n{n + 1}" for n in range(40_000)),
]
"""A megabyte of what could keep a reader busy for ever; how long each takes is measured in `bench`."""


def read_hostile(text: str) -> None:
    """Read it; the list of unread lines stays short."""
    assert len(from_mermaid(text[:1_000_000]).unread) <= 1_001


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[13:25].strip())
def test_large_hostile_texts_are_read(text: str) -> None:
    read_hostile(text)


def test_more_than_a_megabyte_is_refused() -> None:
    """Beyond the limit nothing is read, and the reason is given."""
    found = from_mermaid("flowchart LR\n" + "é" * 500_000)
    assert found.diagram == {"nodes": [], "edges": []}
    assert [line.reason for line in found.unread] == ["the text is longer than 1 MB; nothing was read"]
    assert found.fault == found.unread[0]


def test_what_of_a_parsed_chart_is_not_kept_has_its_line() -> None:
    """The first with both ends and the label; one on which an end stands a thousand times costs no more."""
    text = f"stateDiagram-v2\n  %% {'A' * 20_000}\n  A --> [*]\n  A --> [*]\n  A --> A : again\n"
    lines = [{"source": "A", "target": end, "text": said} for end, said in (("root_end", ""),) * 2 + (("A", "again"),)]
    chart: Any = {
        "kind": "state",
        "boxes": [{"name": "A"}, {"name": "root_end", "text": "End"}],
        "lines": [{**line, "kind": "sync", "direction": "forward"} for line in lines],
    }
    found = read_chart(text, chart)
    assert [(one.line, one.reason) for one in found.unread] == [
        (1, "the same link is there already"),  # its end is called by its parser
        (5, "a node cannot be linked to itself"),
    ]


def test_of_a_parsed_chart_a_thousand_parts_are_listed_and_the_others_counted() -> None:
    chart: Any = {"kind": "sequence", "left_out": [{"text": "x", "reason": "no"}] * 1_200}
    listed = read_chart("sequenceDiagram\n", chart).unread
    assert (len(listed), listed[-1].reason) == (1_001, "and 200 more parts")


def test_a_parser_that_fails_is_named() -> None:
    """A flowchart is read line by line, whatever is listed of its first line; of other charts nothing is read."""
    flowchart = from_chart("---\ntitle: x\n---\nflowchart LR\n  a --> b\n", FAILED, is_placed=False)
    assert len(flowchart.diagram["nodes"]) == 2
    assert [one.reason for one in flowchart.unread] == [
        "Mermaid's parser has failed, so this flowchart is read line by line",
        "front matter is not kept",
    ]
    other = from_chart("C4Context\n", FAILED, is_placed=False)
    assert other.fault is not None
    assert other.fault.reason == "Mermaid's parser has failed"
