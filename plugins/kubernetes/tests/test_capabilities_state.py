"""Of which state of the cluster kinds are described, and how that is read; without a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from draftsmith.plugin import PluginError
from draftsmith_kubernetes.capabilities import Capabilities, ClusterState
from draftsmith_kubernetes.capabilities_kinds import ApiResource
from draftsmith_kubernetes.capabilities_source import KubectlSource
from draftsmith_kubernetes.kinds import Kind, Kinds
from draftsmith_kubernetes.kubectl import Kubectl
from plugins.kubernetes.tests.known_kinds import Source, definition


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def with_versions(version: str) -> ClusterState:
    kinds = [ApiResource("acme.example", "Gadget", "gadgets", namespaced=True)]
    return ClusterState(kinds, [definition("acme.example", "Gadget", "gadgets", f"About {version}.", {}, version)])


async def descriptions(capabilities: Capabilities) -> Sequence[str]:
    told = await capabilities.search("gadget", 5)
    return [one["description"] for one in told["results"]]


async def test_kinds_are_described_once_for_each_state_of_the_cluster() -> None:
    """It is looked at again after a while, described anew when a definition has another version; the age is told."""
    source, clock = Source(with_versions("1")), Clock()
    capabilities = Capabilities(source, clock)
    assert await descriptions(capabilities) == ["About 1."]
    source.state = with_versions("2")
    clock.seconds += 100
    told = await capabilities.search("gadget", 5)
    assert (told["age_seconds"], told["described_at"], source.reads) == (100, "1970-01-01T00:16:40+00:00", 1)
    clock.seconds += 100
    assert await descriptions(capabilities) == ["About 2."]
    clock.seconds += 200
    same = await capabilities.search("gadget", 5)
    assert (same["age_seconds"], same["described_at"], source.reads) == (0, "1970-01-01T00:20:00+00:00", 3)


async def test_while_the_cluster_is_away_the_last_answer_says_so() -> None:
    """Without one there is an error; it is asked again at the next call."""
    source, clock = Source(with_versions("1")), Clock()
    capabilities = Capabilities(source, clock)
    source.failure = PluginError("cluster_away", "connection refused")
    with pytest.raises(PluginError, match="connection refused"):
        await capabilities.search("gadget", 5)
    source.failure = None
    assert await descriptions(capabilities) == ["About 1."]
    clock.seconds += 500
    source.failure = PluginError("cluster_away", "connection refused")
    told = await capabilities.search("gadget", 5)
    assert (told["outdated_because"], told["age_seconds"]) == ("cluster_away: connection refused", 500)
    source.failure = None
    assert "outdated_because" not in await capabilities.search("gadget", 5)


class Pages:
    """kubectl and kinds for a cluster whose definitions come in pages; after the last one it fails."""

    def __init__(self, *pages: Any, code: str = "") -> None:
        self.pages, self.code = list(pages), code
        self.asked: list[str] = []
        self.settings = SimpleNamespace(cluster_kinds=("customresourcedefinitions.apiextensions.k8s.io",))
        self.incomplete = ""

    async def all(self) -> list[Kind]:
        return [
            Kind("gadgets", ("g",), "acme.example/v1", True, "Gadget", ("get", "list")),
            Kind("reviews", (), "acme.example/v1", False, "Review", ("create",)),
        ]

    async def raw(self, path: str) -> Any:
        self.asked.append(path)
        if self.code and not self.pages:
            raise PluginError(self.code, "no")
        return self.pages.pop(0)


def read(pages: Pages) -> KubectlSource:
    return KubectlSource(cast(Kinds, pages), cast(Kubectl, pages))


async def test_definitions_are_read_page_by_page() -> None:
    """A token is passed on as it came, quoted; what cannot be listed is no kind to be found."""
    pages = Pages({"items": [1], "metadata": {"continue": "a/b&c=d"}}, {"items": [2], "metadata": {}})
    state = await read(pages).read()
    assert state.definitions == [1, 2]
    assert [one.kind for one in state.resources] == ["Gadget"]
    assert [path.partition("?")[2] for path in pages.asked] == ["limit=50", "limit=50&continue=a%2Fb%26c%3Dd"]


async def test_definitions_beyond_the_last_page_that_is_read_are_told_as_lacking() -> None:
    state = await read(Pages(*[{"items": [number], "metadata": {"continue": "on"}} for number in range(101)])).read()
    assert state.definitions == list(range(100))
    assert state.lacks == "The first 100 definitions (CRDs) were read; there are more."


@pytest.mark.parametrize("code", ["forbidden", "not_found", "too_large"])
async def test_definitions_that_may_not_be_read_are_told_as_lacking(code: str) -> None:
    state = await read(Pages(code=code)).read()
    assert state.definitions == []
    assert state.lacks.startswith("Definitions (CRDs) cannot be read")


@pytest.mark.parametrize("pages", [Pages(code="cluster_away"), Pages("text"), Pages({"items": None})])
async def test_a_cluster_that_is_away_or_makes_no_sense_is_an_error(pages: Pages) -> None:
    with pytest.raises(PluginError):
        await read(pages).read()
