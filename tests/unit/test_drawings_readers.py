"""The readers with which the bench of pictures makes graphs of other programs' files."""

from __future__ import annotations

import base64
import urllib.parse
import zlib
from pathlib import Path

import pytest

from bench.drawings.compose import read_compose
from bench.drawings.drawio import read_drawio
from bench.drawings.graph import Graph, id_of, joined, moved
from bench.drawings.kubernetes import read_kubernetes
from bench.drawings.random_graphs import random_graph
from bench.drawings.structurizr import read_structurizr
from draftsmith.model.limits import UNLIMITED
from draftsmith.transform.requests.batch import parse_batch

_COMPOSE = """
services:
  web: {image: nginx, ports: ["80:80"], depends_on: [api], networks: [front]}
  api: {build: api, networks: [front, back], environment: ["DB_HOST=db"]}
  db: {image: postgres, networks: [back], volumes: ["data:/var/lib", "./conf:/etc"]}
"""
_STRUCTURIZR = """
workspace {
    model {
        archetypes {
            store = container {
                technology "SQL"
            }
        }
        ann = person "Ann"
        shop = softwareSystem "Shop" {
            site = container "Site" "What shoppers see" "React"
            store "Orders" {
                site -> this "writes" "SQL"
            }
        }
        mail = softwareSystem "Mail"
        ann -> site "buys"
        site -> mail
        deploymentEnvironment "Live" {
            deploymentNode "Box" {
                containerInstance site
            }
        }
    }
    views {
        container shop {
            include *
        }
    }
}
"""
_MANIFESTS = """
kind: Service
metadata: {name: db}
spec: {selector: {app: db}, ports: [{port: 5432}]}
---
kind: StatefulSet
metadata: {name: db-set}
spec: {template: {metadata: {labels: {app: db}}, spec: {containers: [{image: pg}]}}}
---
kind: Deployment
metadata: {name: api}
spec: {template: {metadata: {labels: {app: api}}, spec: {containers: [{env: [{value: db}], envFrom: [settings]}]}}}
---
kind: ConfigMap
metadata: {name: settings}
"""
_PAGE = """<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="zone" value="Zone" vertex="1" parent="1"><mxGeometry x="100" y="50" width="400" height="200"/></mxCell>
<mxCell id="a" value="&lt;b&gt;One&lt;/b&gt;&lt;br&gt;A" vertex="1" parent="zone">
<mxGeometry x="10" y="30" width="180" height="80"/></mxCell>
<mxCell id="b" value="" vertex="1" parent="1"><mxGeometry x="310" y="100" width="180" height="80"/></mxCell>
<mxCell id="in-b" value="Inside" vertex="1" parent="b"><mxGeometry width="20" height="20" relative="1"/></mxCell>
<mxCell id="c" value="Out" vertex="1" parent="1"><mxGeometry x="700" y="100" width="190" height="90"/></mxCell>
<mxCell id="e1" edge="1" source="a" target="b" parent="1"/><mxCell id="l" value="calls" vertex="1" parent="e1"/>
<mxCell id="e2" edge="1" source="b" target="c" parent="1"/><mxCell id="e3" edge="1" source="c" parent="1"/>
</root></mxGraphModel>"""


def _parents(graph: Graph) -> dict[str, str | None]:
    names: dict[str | None, str] = {id_: one["label"] for id_, one in graph.nodes.items()}
    return {one["label"]: names.get(one["parent"]) for one in graph.nodes.values()}


def _edges(graph: Graph) -> set[tuple[str, str, str]]:
    names = {id_: one["label"] for id_, one in graph.nodes.items()}
    return {(names[one["source"]], names[one["target"]], one["label"]) for one in graph.edges}


def test_compose(tmp_path: Path) -> None:
    """Services, named volumes and what reaches in from outside; a service in one network stands in its group."""
    file = tmp_path / "compose.yaml"
    file.write_text(_COMPOSE, "utf-8")
    graph = read_compose("c", file)
    assert _parents(graph) == {"front": None, "web": "front", "api": None, "back": None, "db": "back", "Outside": None,
                               "data": None}  # fmt: skip
    assert _edges(graph) == {("web", "api", "depends on"), ("api", "db", "is set to use"), ("db", "data", "stores"),
                             ("Outside", "web", "80:80")}  # fmt: skip


def test_structurizr(tmp_path: Path) -> None:
    """Elements in what holds them, words of one's own for kinds, `this`, and no deployments."""
    file = tmp_path / "workspace.dsl"
    file.write_text(_STRUCTURIZR, "utf-8")
    graph = read_structurizr("s", file)
    assert _parents(graph) == {"Ann": None, "Shop": None, "Site": "Shop", "Orders": "Shop", "Mail": None}
    assert _edges(graph) == {("Site", "Orders", "writes, SQL"), ("Ann", "Site", "buys"), ("Site", "Mail", "")}


def test_structurizr_that_extends(tmp_path: Path) -> None:
    """What another workspace holds is there, and can be gone on with."""
    (tmp_path / "base.dsl").write_text(_STRUCTURIZR, "utf-8")
    file = tmp_path / "workspace.dsl"
    more = '!ref shop {\n api = container "API"\n }\n ann -> api'
    file.write_text(f"workspace extends base.dsl {{\n model {{\n {more}\n }}\n}}", "utf-8")
    graph = read_structurizr("s", file)
    assert _parents(graph)["API"] == "Shop"
    assert ("Ann", "API", "") in _edges(graph)


def test_kubernetes(tmp_path: Path) -> None:
    """A service leads to the pods with its labels, a pod to what it names."""
    (tmp_path / "all.yaml").write_text(_MANIFESTS, "utf-8")
    graph = read_kubernetes("k", tmp_path)
    assert _parents(graph) == {"db": None, "db (Service)": "db", "db-set (StatefulSet)": "db", "api (Deployment)": None,
                               "settings (ConfigMap)": None}  # fmt: skip
    assert _edges(graph) == {("db (Service)", "db-set (StatefulSet)", "5432"),
                             ("api (Deployment)", "db (Service)", "calls"),
                             ("api (Deployment)", "settings (ConfigMap)", "uses")}  # fmt: skip


@pytest.mark.parametrize("is_packed", [False, True])
def test_drawio(tmp_path: Path, is_packed: bool) -> None:
    """What lines connect, in what stands around it, with the places of the author; also in the packed form."""
    quoted = urllib.parse.quote(_PAGE, safe="").encode()
    packer = zlib.compressobj(wbits=-15)
    packed = base64.b64encode(packer.compress(quoted) + packer.flush()).decode()
    file = tmp_path / "page.drawio"
    file.write_text(f"<mxfile><diagram>{packed if is_packed else _PAGE}</diagram></mxfile>", "utf-8")
    graph = read_drawio("d", file)
    assert _parents(graph) == {"Zone": None, "One A": "Zone", "Inside": "Zone", "Out": None}
    assert _edges(graph) == {("One A", "Inside", "calls"), ("Inside", "Out", "")}
    assert graph.author is not None
    places = {one["label"]: (one["position"]["x"], one["position"]["y"]) for one in graph.author["nodes"]}
    assert places == {"Zone": (100, 50), "One A": (10, 30), "Inside": (210, 50), "Out": (700, 100)}


def test_drawio_with_small_nodes(tmp_path: Path) -> None:
    """Places are stretched until most nodes are as large as ours; what has no words is named by its shape."""
    small = _PAGE.replace('width="1', 'width="0').replace(
        'value="Inside"', 'value="" style="shape=mxgraph.gcp2.users;a=1"'
    )
    file = tmp_path / "page.drawio"
    file.write_text(f"<mxfile><diagram>{small}</diagram></mxfile>", "utf-8")
    graph = read_drawio("d", file)
    assert graph.author is not None
    sizes = {one["label"]: one["size"]["width"] for one in graph.author["nodes"]}
    assert sizes["Users"] == 180
    assert sizes["Zone"] == 900


@pytest.mark.parametrize("size", [10, 60])
def test_random_graphs(size: int) -> None:
    """The same for the same seed, of the size that was asked for, in groups at most three deep; a batch that fits."""
    graph, again, other = random_graph(size, 1), random_graph(size, 1), random_graph(size, 2)
    assert graph.operations() == again.operations()
    assert graph.operations() != other.operations()
    assert sum(one["type"] != "group" for one in graph.nodes.values()) == size
    assert len(graph.edges) == round(1.2 * size)
    for one in graph.nodes.values():
        depth, link = 0, one["parent"]
        while link:
            depth, link = depth + 1, graph.nodes[link]["parent"]
        assert depth <= 3
    assert len(parse_batch(graph.operations(), UNLIMITED).operations) == len(graph.operations())


def test_graphs_can_be_joined() -> None:
    """Each in a group of its own, with all that is in it."""
    one, other = random_graph(10, 1), random_graph(10, 2)
    whole = joined("both", [one, other])
    assert len(whole.nodes) == len(one.nodes) + len(other.nodes) + 2
    assert len(whole.edges) == len(one.edges) + len(other.edges)


def test_moving_leaves_the_given_diagram_alone() -> None:
    """Places, sizes and routes of a `move_nodes` are those of the result."""
    diagram = random_graph(10, 1).diagram()
    node, edge = diagram["nodes"][0]["id"], diagram["edges"][0]["id"]
    place, size, route = {"x": 7, "y": 8}, {"width": 30, "height": 40}, [{"x": 1, "y": 2}]
    operation = {"op": "move_nodes", "positions": {node: place}, "sizes": {node: size}, "routes": {edge: route}}
    after = moved(diagram, operation)
    first = after["nodes"][0]
    assert (first["position"], first["size"], after["edges"][0]["route"]) == (place, size, route)
    assert diagram == random_graph(10, 1).diagram()


def test_ids() -> None:
    """Any word gives an id that the product takes."""
    assert [id_of(word) for word in ("Web shop", "1st", "äöü", "a--b")] == ["web-shop", "n-1st", "n", "a-b"]
