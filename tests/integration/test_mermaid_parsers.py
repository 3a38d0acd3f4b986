"""Mermaid through its own parsers, in real V8 in a real process: each kind is a diagram, what is hostile is ended."""

from __future__ import annotations

import asyncio
import base64
import random
from pathlib import Path
from typing import Any

import orjson
import pytest

from bench.drawings.mermaid_import import damage
from draftsmith.adapters.doctor.doctor import check_charts
from draftsmith.adapters.server.chart_process import missing_for_charts
from draftsmith.model.mermaid.writer import from_mermaid, to_mermaid
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile
from draftsmith.model.readers.registry import recognize
from draftsmith.model.readers.sources import mark_of, with_marks
from draftsmith.usecases.prepare import parsed_charts
from draftsmith.usecases.prepare.parsed_charts import MERMAID
from draftsmith.usecases.upkeep.files_import import ReadSet, read_sets
from tests.integration.client import Api
from tests.mermaid_charts import parse_charts
from tests.unit.test_zips import zipped

pytest.importorskip("py_mini_racer", reason="the extra `layout` has no wheel for this machine")


def sets(*texts: str) -> list[ReadSet]:
    files = [SourceFile(f"chart{number}.mmd", text.encode()) for number, text in enumerate(texts)]
    return list(read_sets(asyncio.run(parse_charts(files)), MERMAID)[0])


def read(text: str) -> ReadWorkspace:
    """The workspace of a chart, which is read."""
    (one,) = sets(text)
    assert one.problem is None, one.problem
    (found,) = one.found
    return found


def nodes_of(found: ReadWorkspace) -> dict[str, dict[str, Any]]:
    """By what the chart calls them, else by id."""
    return {found.sources.get(node["id"], node["id"]): dict(node) for node in found.diagram["nodes"]}


def lines_of(found: ReadWorkspace) -> list[tuple[str, str, str, str, str]]:
    names = {node["id"]: found.sources.get(node["id"], node["id"]) for node in found.diagram["nodes"]}
    return [
        (names[edge["source"]], names[edge["target"]], edge.get("label", ""), edge["kind"], edge["direction"])
        for edge in found.diagram["edges"]
    ]


FLOWCHART = """---
title: Shop
---
%%{init: {
  'theme': 'base'
}}%%
flowchart TB
  subgraph "Net"["Network zone"]
    subgraph inner [Inner]
      svc:api["Web
      shop #quot;v2#quot;"] -->
      db:main[("`**Orders**<br/>[Postgres]`")]:::hot
    end
  end
  svc:api e1@-->|"pays &amp; waits"| bank{{Bank}}
  svc:api <-.-> db:main
  bank ==> svc:api
  bank --- svc:api
  svc:api ~~~ bank
  bank --> bank
  box@{ shape: cyl, label: "colors: {dark: brown}" }
  e1@{ animate: true }
  classDef hot fill:#f00,stroke-dasharray: 5 5
  click bank "https://bank.example" "Bank"
"""


def test_a_flowchart_is_read_as_mermaid_reads_it() -> None:
    """Labels and directives over lines, quoted ids of groups, ids with colons, ids of edges, colours of classes."""
    found = read(FLOWCHART)
    nodes = nodes_of(found)
    assert (found.name, found.flow) == ("Shop", "down")
    assert nodes.keys() == {"Net", "inner", "svc:api", "db:main", "bank", "box"}
    assert (nodes["Net"]["type"], nodes["Net"]["label"]) == ("group", "Network zone")
    assert nodes["inner"]["parent"] == nodes["Net"]["id"]
    assert nodes["svc:api"]["parent"] == nodes["db:main"]["parent"] == nodes["inner"]["id"]
    assert " ".join(nodes["svc:api"]["label"].split()) == 'Web shop "v2"'
    main = nodes["db:main"]
    assert (main["label"], main["technology"], main["type"]) == ("Orders", "Postgres", "database")
    assert (main["color"], main["style"]) == ("red", "dashed")
    assert (nodes["bank"]["type"], nodes["bank"]["properties"]) == ("external", {"url": "https://bank.example"})
    assert (nodes["box"]["label"], nodes["box"]["type"]) == ("colors: {dark: brown}", "database")
    assert lines_of(found) == [
        ("svc:api", "db:main", "", "sync", "forward"),
        ("svc:api", "bank", "pays & waits", "sync", "forward"),
        ("svc:api", "db:main", "", "async", "both"),
        ("bank", "svc:api", "", "data", "forward"),
        ("bank", "svc:api", "", "sync", "none"),
    ]
    reasons = {part.reason: part.place for part in found.unread}
    assert reasons == {
        "directives are not kept": "line 4",
        "a node cannot be linked to itself": "line 20",
        "an invisible link is not kept": "line 19",
        "only colours and dashes of a style are kept": "line 23",
    }


def test_c4_has_people_boundaries_databases_and_technologies() -> None:
    found = read(
        """C4Container
  title Shop, containers
  Person_Ext(buyer, "Buyer", "Buys")
  Boundary(b0, "Company") {
    System_Boundary(shop, "Shop") {
      Container(web, "Web shop", "Go, htmx", "Shows<br/>wares", $tags="v1")
      ContainerDb(db, "Orders", "Postgres")
      ContainerQueue(events, "Events", "Kafka")
    }
  }
  System_Ext(bank, "Bank")
  Rel(buyer, web, "Buys at", "HTTPS")
  BiRel(web, db, "Keeps")
  Rel_Back(web, bank, "Tells")
  UpdateElementStyle(web, $bgColor="#0a0", $borderColor="red")
"""
    )
    nodes = nodes_of(found)
    assert found.name == "Shop, containers"
    types = {name: node["type"] for name, node in nodes.items()}
    assert types == {
        "b0": "group",
        "shop": "group",
        "buyer": "user",
        "web": "web",
        "db": "database",
        "events": types["events"],
        "bank": "external",
    }
    assert types["events"] in ("queue", "stream")
    web = nodes["web"]
    assert (web["parent"], nodes["shop"]["parent"]) == (nodes["shop"]["id"], nodes["b0"]["id"])
    assert (web["technology"], web["description"], web["color"]) == ("Go, htmx", "Shows\nwares", "green")
    assert web["properties"] == {"c4": "container", "tags": "v1"}
    assert nodes["bank"]["properties"] == {"c4": "external system"}
    assert lines_of(found) == [
        ("buyer", "web", "Buys at [HTTPS]", "sync", "forward"),
        ("web", "db", "Keeps", "sync", "both"),
        ("bank", "web", "Tells", "sync", "forward"),
    ]


def test_relations_of_c4_that_mermaid_replaces_are_listed() -> None:
    """It keeps the last from an element to another, whatever the others say."""
    found = read(
        """C4Dynamic
  Container(a, "A")
  Container(b, "B")
  Rel(a, b, "Asks")
  Rel(b, a, "Answers")
  RelIndex(3, a, b, "Asks again")
  BiRel(a, b, "Talks", "HTTP")
"""
    )
    assert lines_of(found) == [("a", "b", "Talks [HTTP]", "sync", "both"), ("b", "a", "Answers", "sync", "forward")]
    assert [(part.place, part.text) for part in found.unread] == [
        ("line 4", 'Rel(a, b, "Asks")'),
        ("line 6", 'RelIndex(3, a, b, "Asks again")'),
    ]


def test_architecture_has_groups_services_and_junctions() -> None:
    found = read(
        """architecture-beta
  group api(cloud)[API]
  service db(database)[Orders] in api
  service fn(logos:aws-lambda)[Resize] in api
  service web(internet)[Web]
  junction j in api
  db:L -- R:fn
  web:R --> L:fn{group}
  fn:B <-- T:j
"""
    )
    nodes = nodes_of(found)
    assert {name: node["type"] for name, node in nodes.items()} == {
        "api": "group",
        "db": "database",
        "fn": "function",
        "web": "external",
        "j": "other",
    }
    assert nodes["fn"]["technology"] == "aws lambda"
    assert nodes["db"]["parent"] == nodes["j"]["parent"] == nodes["api"]["id"]
    assert lines_of(found) == [
        ("db", "fn", "", "sync", "none"),
        ("web", "api", "", "sync", "forward"),
        ("j", "fn", "", "sync", "forward"),
    ]


def test_class_diagrams_have_members_namespaces_and_relations() -> None:
    found = read(
        """classDiagram
  namespace Shapes {
    class Shape~T~ {
      <<interface>>
      +int id
      +area() double
    }
    class Circle
  }
  Shape <|.. Circle
  Canvas "1" *-- "*" Shape : holds
  Circle --> Canvas
  note for Circle "round\\nand flat"
"""
    )
    nodes = nodes_of(found)
    assert {"namespace Shapes", "Shape", "Circle", "Canvas"} < nodes.keys()
    shape = nodes["Shape"]
    assert (shape["label"], shape["parent"]) == ("Shape<T>", nodes["namespace Shapes"]["id"])
    assert shape["description"] == "«interface»\n+int id\n+area() : double"
    assert lines_of(found)[:3] == [
        ("Circle", "Shape", "implements", "dependency", "forward"),
        ("Canvas", "Shape", "holds", "sync", "forward"),
        ("Circle", "Canvas", "", "sync", "forward"),
    ]
    properties = [edge.get("properties", {}) for edge in found.diagram["edges"]]
    assert properties[0] == {"relation": "realization"}
    assert properties[1] == {"relation": "composition", "source cardinality": "1", "target cardinality": "*"}
    (note,) = [node for node in found.diagram["nodes"] if node["type"] == "note"]
    assert (note["label"], note["description"]) == ("round", "and flat")
    assert found.diagram["edges"][3]["source"] == note["id"]


def test_state_diagrams_have_composite_states_as_groups() -> None:
    found = read(
        """stateDiagram-v2
  [*] --> Open
  Open --> Paid : pays
  state "Being paid" as Paid {
    [*] --> Waiting
    Waiting --> [*] : money came
  }
  Paid --> [*]
  note right of Open : just made
"""
    )
    nodes = nodes_of(found)
    assert (nodes["Paid"]["type"], nodes["Paid"]["label"]) == ("group", "Being paid")
    assert nodes["Waiting"]["parent"] == nodes["Paid"]["id"]
    assert nodes["root_start"]["label"] == "Start"
    assert nodes["Paid_end"]["label"] == "End"
    assert ("Open", "Paid", "pays", "sync", "forward") in lines_of(found)
    assert ("Waiting", "Paid_end", "money came", "sync", "forward") in lines_of(found)
    (note,) = [node for node in found.diagram["nodes"] if node["type"] == "note"]
    assert note["label"] == "just made"
    assert len(found.diagram["edges"]) == 6


def test_entities_have_attributes_and_cardinalities() -> None:
    found = read(
        """erDiagram
  CUSTOMER ||--o{ ORDER : places
  ORDER }|..|{ ADDRESS : "goes to"
  CUSTOMER {
    string name PK "as signed"
    int age
  }
"""
    )
    nodes = nodes_of(found)
    assert {name: node["type"] for name, node in nodes.items()} == dict.fromkeys(
        ("CUSTOMER", "ORDER", "ADDRESS"), "database"
    )
    assert nodes["CUSTOMER"]["description"] == "string name PK “as signed”\nint age"
    first, second = found.diagram["edges"]
    assert (first["label"], first["kind"], first["direction"]) == ("places", "data", "none")
    assert first["properties"] == {"source cardinality": "exactly one", "target cardinality": "zero or more"}
    assert (first.get("style", ""), second["style"]) == ("", "dashed")


def test_messages_are_numbered_lines() -> None:
    found = read(
        """sequenceDiagram
  box Aqua Ours
    actor buyer as Buyer
    participant shop as Web shop
  end
  participant bank
  buyer->>shop: orders
  loop every day
    shop-)bank: asks
    bank-->>shop: pays
  end
  shop->>shop: thinks
  Note over shop,bank: by contract
"""
    )
    nodes = nodes_of(found)
    assert (nodes["buyer"]["type"], nodes["shop"]["type"]) == ("user", "web")
    group = next(node for node in found.diagram["nodes"] if node["type"] == "group")
    assert (group["label"], nodes["buyer"]["parent"], "parent" in nodes["bank"]) == ("Ours", group["id"], False)
    assert lines_of(found)[:3] == [
        ("buyer", "shop", "1. orders", "sync", "forward"),
        ("shop", "bank", "2. asks", "async", "forward"),
        ("bank", "shop", "3. pays", "sync", "forward"),
    ]
    assert found.diagram["edges"][2]["style"] == "dashed"
    assert [part.reason for part in found.unread] == [
        "a block (loop) is not kept, and the messages in it are",
        "a node cannot be linked to itself",
    ]
    (note,) = [node for node in found.diagram["nodes"] if node["type"] == "note"]
    assert [edge["target"] for edge in found.diagram["edges"][3:]] == [nodes["shop"]["id"], nodes["bank"]["id"]]
    assert found.diagram["edges"][3]["source"] == note["id"]


OWN: dict[str, Any] = {
    "nodes": [
        {"id": "platform", "type": "group", "label": "Platform"},
        {"id": "end", "type": "user", "label": 'style: a#b; "v2" <b>x</b>', "color": "teal"},
        {"id": "orders-db", "type": "database", "label": "a|b\nc", "technology": "Postgres", "parent": "platform"},
        {"id": "say", "type": "note", "label": "Mind", "description": "the gap"},
    ],
    "edges": [
        {
            "id": "e1",
            "source": "end",
            "target": "orders-db",
            "kind": "dependency",
            "direction": "none",
            "style": "bold",
        },
        {"id": "e2", "source": "end", "target": "platform", "kind": "async", "direction": "both", "label": "#1;"},
    ],
}


def test_what_our_export_writes_comes_back_as_before() -> None:
    """By the parsers as without them; also where somebody has added a line, with the ids in its comments."""
    text = to_mermaid(OWN)
    assert read(text).diagram == from_mermaid(text, is_placed=False).diagram
    more = read(f"{text}  extra[Extra] --> orders-db\n")
    nodes = {node["id"]: node for node in more.diagram["nodes"]}
    assert nodes.keys() == {"platform", "end", "orders-db", "say", "extra"}
    assert (nodes["end"]["type"], nodes["end"]["color"]) == ("user", "teal")
    assert (nodes["orders-db"]["technology"], nodes["orders-db"]["parent"]) == ("Postgres", "platform")
    edges = {(edge["source"], edge["target"]): edge for edge in more.diagram["edges"]}
    dependency = edges["end", "orders-db"]
    assert (dependency["kind"], dependency["direction"]) == ("dependency", "none")


def test_names_of_the_chart_are_marks_by_which_it_is_recognized() -> None:
    found = read('flowchart LR\n  A["Web shop"] --> B["Till"]\n')
    diagram = with_marks(found, MERMAID, "a/flow.mmd")
    marks = [mark_of(node.get("properties", {})) for node in diagram["nodes"]]
    assert [str(mark) for mark in marks] == ["mermaid:flow.mmd#A", "mermaid:flow.mmd#B"]
    assert [node["id"] for node in diagram["nodes"]] == ["web-shop", "till"]


def test_what_a_parser_refuses_is_said_with_its_line() -> None:
    """A flowchart is read line by line then; of other kinds nothing is."""
    flowchart, sequence, gantt = sets(
        "flowchart LR\n  a --> b\n  a[open\n", "%% drawn by hand\nsequenceDiagram\n  A->>B: hi\n  A ?? B\n", "gantt\n"
    )
    (found,) = flowchart.found
    assert [node["id"] for node in found.diagram["nodes"]] == ["a", "b"]
    assert [part.place for part in found.unread] == ["line 3"]
    assert sequence.problem is not None
    assert (sequence.problem.line, "Mermaid cannot read this line" in sequence.problem.reason) == (4, True)
    assert gantt.problem is not None
    assert gantt.problem.reason.startswith("this is a Gantt chart; read are flowcharts, C4, architecture, class,")


@pytest.mark.parametrize(
    "name, text",
    [
        ("chart.txt", "---\ntitle: x\n---\n%%{init: {\n'a': 1\n}}%%\nC4Context\n"),
        ("chart.txt", "sequenceDiagram\n A->>B: x"),
        ("chart.txt", "stateDiagram-v2\n a --> b"),
        ("chart.mmd", "gantt\n"),
    ],
)
def test_charts_are_recognized_by_their_first_word(name: str, text: str) -> None:
    (found,) = recognize([SourceFile(name, text.encode())]).sets
    assert found.reader == MERMAID


HOSTILE = {
    "labels": 'flowchart LR\n  a["<script>alert(1)</script><img src=x onerror=alert(1)>"] -->|"<svg onload=x>"| b\n',
    "deep": "flowchart LR\n" + "".join(f"subgraph s{n}\n" for n in range(3_000)) + "x\n" + "end\n" * 3_000,
    "circle": "flowchart LR\nsubgraph a\nb\nend\nsubgraph b\na\nend\n",
    "prototype": "flowchart LR\n  __proto__ --> constructor\n  toString --> hasOwnProperty\n",
    "states": "stateDiagram-v2\n" + "".join(f"state s{n} {{\n" for n in range(400)) + "}\n" * 400,
    "fan": "flowchart LR\n" + " & ".join(f"a{n}" for n in range(2_000)) + " --> " + " & ".join("b" * 5) + "\n",
    "brackets": "flowchart LR\n" + "a[" * 50_000,
    "yaml": "flowchart LR\n  a@{ " + "x: {" * 5_000 + " }\n",
    "commas": "sequenceDiagram\n  participant A\n" + "  A->>A: " + "<br/>" * 20_000 + "\n",
}


def test_hostile_charts_are_read_or_refused_in_words() -> None:
    """None crashes what comes after it, and markup of theirs is text."""
    found = dict(zip(HOSTILE, sets(*HOSTILE.values()), strict=True))
    for one in found.values():
        assert one.problem is None or one.problem.reason
    (labels,) = found["labels"].found
    assert labels.diagram["nodes"][0]["label"].startswith("<script>alert(1)")
    (circle,) = found["circle"].found
    assert {node["id"] for node in circle.diagram["nodes"]} == {"a", "b"}
    (prototype,) = found["prototype"].found
    assert len(prototype.diagram["edges"]) == 2


def test_a_chart_of_half_a_megabyte_is_read_and_what_takes_too_much_is_ended() -> None:
    """An ended one is refused with its reason where no other reader knows its kind; the next is read."""
    large = "flowchart LR\n" + "\n".join(f"  n{n}[Service {n} {'x' * 230}] --> n{n + 1}" for n in range(2_000))
    costly = "sequenceDiagram\n" + "\n".join(f"  A->>+B: {n}\n  B-->>-A: x" for n in range(30_000))
    whole, ended, small = sets(large, costly, "flowchart LR\n  a --> b\n")
    assert len(large) > 500_000
    assert len(whole.found[0].diagram["nodes"]) == 2_001
    assert ended.problem is not None
    assert "too much time or memory" in ended.problem.reason
    assert len(small.found[0].diagram["nodes"]) == 2


@pytest.mark.parametrize("seed", range(3))
def test_damaged_charts_are_read_or_refused(seed: int) -> None:
    """Cut, with pieces taken out, with other signs in places."""
    draw = random.Random(seed)
    charts = [FLOWCHART, to_mermaid(OWN), *HOSTILE.values()]
    for one in sets(*(damage(draw.choice(charts)[:5_000], draw) for _ in range(60))):
        assert one.problem is not None or one.found


def test_every_way_in_reads_them(api: Api) -> None:
    """A body of one format, files, and files beside a workspace that is open; pasted ones are flowcharts alone."""
    chart = "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n"
    body = {"name": "Shop", "import": {"format": "mermaid", "content": chart}}
    assert api.ask("POST", "/workspaces", 201, json=body)["nodes"] == 2
    files = [{"path": "shop.mmd", "content": chart}]
    (one,) = api.ask("POST", "/imports", json={"files": files})["sets"]
    assert (one["reader"], one["parts"][0]["nodes"]) == ("mermaid", 2)
    made = api.ask("POST", "/workspaces", 201, json={"import": {"format": "files", "files": files}})
    assert (made["nodes"], made["edges"]) == (2, 1)
    again = api.ask("POST", f"/workspaces/{made['id']}/imports", json={"files": files})
    assert (again["new"], again["changed"], again["missing"], again["unchanged"]) == ([], [], [], 3)
    api.ask("POST", f"/workspaces/{made['id']}/mermaid", 422, json={"text": chart})


C4 = 'C4Context\n  title Shop\n  Person(buyer, "Buyer")\n  System(shop, "Shop")\n  Rel(buyer, shop, "Buys")\n'
ENTITIES = "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n"


def test_charts_in_a_zip_are_read_as_beside_it(api: Api) -> None:
    """Each by its root, and once more into the workspace that it has become, whatever the zip is called."""

    def sent(name: str) -> list[dict[str, str]]:
        packed = zipped({"plans/shop.mmd": C4, "notes.txt": "Not a chart\n", "data.txt": ENTITIES})
        return [{"path": name, "content_base64": base64.b64encode(packed.content).decode()}]

    found = api.ask("POST", "/imports", json={"files": sent("docs.zip")})
    assert found["unrecognized"] == []
    assert [(one["root"], one["reader"], [part["nodes"] for part in one["parts"]]) for one in found["sets"]] == [
        ("docs.zip/plans/shop.mmd", "mermaid", [2]),
        ("docs.zip/notes.txt", "markdown", [0]),
        ("docs.zip/data.txt", "mermaid", [2]),
    ]
    root = found["sets"][0]["root"]
    made = api.ask(
        "POST", "/workspaces", 201, json={"import": {"format": "files", "files": sent("docs.zip"), "root": root}}
    )
    assert (made["name"], made["nodes"], made["edges"]) == ("Shop", 2, 1)
    again = api.ask("POST", f"/workspaces/{made['id']}/imports", json={"files": sent("docs (1).zip")})
    assert (again["new"], again["changed"], again["missing"], again["unchanged"]) == ([], [], [], 3)


def test_the_charts_of_a_zip_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those beyond the bound, as each that was ended, are refused with their reason; a root is parsed alone."""
    packed = zipped({"a.mmd": C4, "b.mmd": ENTITIES, "c.mmd": "flowchart LR\n  a --> b\n"})
    monkeypatch.setattr(parsed_charts, "_MOST_PACKED", len(C4))
    first, second, third = read_sets(asyncio.run(parse_charts([packed], None)), None)[0]
    assert len(first.found[0].diagram["nodes"]) == 2
    assert second.problem is not None
    assert "too much time or memory" in second.problem.reason
    assert len(third.found[0].diagram["nodes"]) == 2
    (alone,) = asyncio.run(parse_charts([packed], None, "docs.zip/b.mmd"))
    assert list(orjson.loads(alone.parsed)) == ["docs.zip/b.mmd"]


def test_a_chart_in_another_encoding_is_read() -> None:
    """UTF-16, as editors of Windows save it."""
    (one,) = read_sets(asyncio.run(parse_charts([SourceFile("a.mmd", C4.encode("utf-16"))], None)), None)[0]
    assert one.found[0].name == "Shop"


def test_a_chart_of_which_the_answer_is_large_is_too_costly() -> None:
    """A label stands in it once for each line; the next chart is read."""
    fan = " & ".join(f"a{number}" for number in range(100))
    large, small = sets(f"flowchart LR\n  {fan} -->|{'x' * 5_000}| {fan.replace('a', 'b')}\n", ENTITIES)
    reasons = [part.reason for part in large.found[0].unread]
    assert "too much time or memory, so this flowchart is read line by line" in reasons[0]
    assert len(small.found[0].diagram["nodes"]) == 2


def test_nothing_of_a_chart_is_left_for_the_next() -> None:
    """Parsers keep what they have read until they are asked again, of whoever's chart that is."""
    titled = [
        C4,
        f"---\ntitle: Secret\n---\n{ENTITIES}",
        FLOWCHART,
        '---\ntitle: Secret\n---\nclassDiagram\n  note "Secret"\n  A <|-- B\n  click A href "https://secret.example"\n',
        "---\ntitle: Secret\n---\nstateDiagram-v2\n  a --> b\n  note right of a : Secret\n",
        "sequenceDiagram\n  title Secret\n  autonumber\n  box Secret\n  actor A\n  end\n  A->>B: Secret\n",
        "architecture-beta\n  title Secret\n  group g(cloud)[Secret]\n  service s(server)[Secret] in g\n",
    ]
    plain = [
        'C4Context\n  Person(b, "B")\n', "erDiagram\n  A ||--|| B : c\n", "flowchart LR\n  x --> y\n",
        "classDiagram\n  C <|-- D\n", "stateDiagram-v2\n  c --> d\n", "sequenceDiagram\n  C->>D: hi\n",
        "architecture-beta\n  service t(server)[T]\n",
    ]  # fmt: skip
    alone = [sets(one)[0].found for one in plain]
    after = sets(*(one for secret in titled for one in (secret, *plain)))
    for start in range(0, len(after), len(plain) + 1):
        assert after[start].problem is None
        assert [one.found for one in after[start + 1 : start + 1 + len(plain)]] == alone


def test_doctor_says_what_reading_charts_lacks(tmp_path: Path) -> None:
    """The built editor without the script is a warning with a remedy."""
    check = check_charts(missing_for_charts(tmp_path))
    assert (check.status, "charts.js" in check.detail, bool(check.remedy)) == ("warn", True, True)
    assert check_charts("").status == "ok"
