"""Compose files and manifests over HTTP, all at once and again into the workspace that they became."""

from __future__ import annotations

from tests.integration.client import Api
from tests.integration.test_api_imports import compare, make, named_files
from tests.unit.test_compose_reader import SHOP as COMPOSE
from tests.unit.test_kubernetes_reader import SHOP as MANIFESTS


def test_each_format_of_a_folder_is_found(api: Api) -> None:
    """What is beside, such as settings and charts, is left and named."""
    named = (
        ("shop/compose.yaml", COMPOSE),
        ("shop/compose.override.yaml", "services:\n  web: {ports: ['443:443']}\n"),
        ("shop/k8s/all.yaml", MANIFESTS),
        ("shop/values.yaml", "replicas: 3\n"),
    )
    found = api.ask("POST", "/imports", json={"files": named_files(*named)})
    assert [(one["reader"], one["files"], one["problem"]) for one in found["sets"]] == [
        ("compose", ["shop/compose.yaml", "shop/compose.override.yaml"], None),
        ("kubernetes", ["shop/k8s/all.yaml"], None),
    ]
    assert found["unrecognized"] == ["shop/values.yaml"]


def test_a_compose_file_comes_in_again_as_what_it_is(api: Api) -> None:
    """Nothing is new where nothing changed; a service that was added, and one that is gone, are told."""
    w = make(api, ("shop/compose.yaml", COMPOSE))["id"]
    again = compare(api, w, ("shop/compose.yaml", COMPOSE))
    assert (again["new"], again["changed"], again["missing"]) == ([], [], [])
    changed = COMPOSE.replace('  cache: {image: "redis:7-alpine"}\n', "  mail: {image: axllent/mailpit}\n")
    told = compare(api, w, ("shop/compose.yaml", changed))
    assert [row["id"] for row in told["new"]] == ["new:node:mail"]
    assert [row["id"] for row in told["missing"]] == ["missing:edge:api--cache", "missing:node:cache"]


def test_manifests_come_in_again_as_what_they_are(api: Api) -> None:
    w = make(api, ("shop.yaml", MANIFESTS))["id"]
    again = compare(api, w, ("shop.yaml", MANIFESTS))
    assert (again["new"], again["changed"], again["missing"]) == ([], [], [])
