"""The plugin `versions` as a process, called as the server calls it, against registries written by hand, over TLS."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from draftsmith.adapters.plugins.connection import HttpPlugin
from draftsmith.cli import group as cli
from draftsmith.ports.plugins import PluginFailure, RegisteredPlugin
from tests.integration.client import Api
from tests.integration.handwritten_registries import Registries, handwritten_registries, versions_plugin
from tests.integration.model_beside import model_beside
from tests.integration.plugin_servers import PluginProcess
from tests.integration.servers import running
from tests.standin import Text, ToolUse, Turn
from tests.timeouts import TIMEOUT_SECONDS


@pytest.fixture(scope="module")
def registries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registries]:
    with handwritten_registries(tmp_path_factory.mktemp("registries")) as found:
        yield found


@pytest.fixture(scope="module")
def process(registries: Registries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PluginProcess]:
    with versions_plugin(registries, tmp_path_factory.mktemp("settings"), most_bytes=1_000_000) as process:
        yield process


@pytest.fixture
async def plugin(process: PluginProcess) -> AsyncIterator[HttpPlugin]:
    plugin = HttpPlugin(RegisteredPlugin(name="versions", url=process.url))
    yield plugin
    await plugin.close()


async def invoke(plugin: HttpPlugin, tool: str, **args: Any) -> Any:
    return (await plugin.invoke("s", tool, args, {})).result


async def tool_failure(plugin: HttpPlugin, tool: str, **args: Any) -> str:
    with pytest.raises(PluginFailure) as failure:
        await plugin.invoke("s", tool, args, {})
    return str(failure.value)


async def test_its_tools_only_read_and_all_are_offered(plugin: HttpPlugin) -> None:
    described = await plugin.describe()
    assert (described.name, described.refused) == ("versions", ())
    assert [tool.name for tool in described.tools] == [
        "version_sources",
        "chart_versions",
        "image_versions",
        "kubernetes_versions",
        "newest_chart",
    ]
    assert all(tool.read_only for tool in described.tools)
    sources = await invoke(plugin, "version_sources")
    assert sources["kubernetes"] is True
    assert "oci" in [source["repository"] for source in sources["charts"]]
    assert "docker.io" in sources["images"]


async def test_a_chart_of_a_repository(plugin: HttpPlugin, registries: Registries) -> None:
    """Newest first by number and not by letter or date; what it depends on and its annotations are no versions."""
    answer = await invoke(plugin, "chart_versions", repository="nginx", chart="ingress-nginx")
    assert answer["newest"] == "4.12.0"
    assert answer["releases"] == ["4.12.0", "4.11.10", "4.11.3", "4.10.1", "4.9.1", "3.41.0"]
    assert answer["pre_releases"] == ["4.12.0-beta.0"]
    assert answer["app_versions"]["4.11.10"] == "1.11.10"
    assert answer["deprecated"] == ["3.41.0"]
    assert answer["newest_created"] == "2024-12-30T18:44:16.910923713Z"
    assert answer["age_seconds"] >= 0
    assert "outdated_because" not in answer
    by_url = f"https://localhost:{registries.port}/handwritten"
    line = await invoke(plugin, "chart_versions", repository=by_url, chart="ingress-nginx", line="4.1", most=1)
    assert (line["newest"], line["releases"]) == (None, [])
    line = await invoke(plugin, "chart_versions", repository=by_url, chart="ingress-nginx", line="4.11", most=1)
    assert (line["newest"], line["releases"], line["releases_in_all"]) == ("4.11.10", ["4.11.10"], 2)
    assert line["fetched_at"] == answer["fetched_at"]
    assert [path for _, path, _ in registries.asked].count("/handwritten/index.yaml") == 1
    missing = await tool_failure(plugin, "chart_versions", repository="nginx", chart="nginx-ingress")
    assert missing.startswith("not_found: ")
    assert "ingress-nginx" in missing


async def test_a_chart_in_a_registry(plugin: HttpPlugin, registries: Registries) -> None:
    """The token comes from where the challenge says, for reading this repository alone; `_` in a tag is `+`."""
    answer = await invoke(plugin, "chart_versions", repository="oci", chart="redis")
    assert answer["newest"] == "21.2.13+build.7"
    assert answer["releases"] == ["21.2.13+build.7", "21.2.13", "21.2.5", "21.1.3", "20.13.4", "v19.0.0"]
    assert answer["pre_releases"] == ["22.0.0-rc.1"]
    assert answer["not_ordered"] == ["latest", "sha256-1f2d0c"]
    [(host, path, sent)] = [
        one for one in registries.asked if one[1].startswith("/token") and "bitnamicharts" in one[1]
    ]
    assert host == f"127.0.0.1:{registries.port}"
    assert path == "/token?scope=repository%3Abitnamicharts%2Fredis%3Apull&service=registry.docker.io"
    assert sent == ""


async def test_an_image_of_docker_hub(plugin: HttpPlugin) -> None:
    """All pages are read; variants, short names and words are apart; a suffix asks for one variant."""
    answer = await invoke(plugin, "image_versions", image="redis:7.4.9")
    assert answer["image"] == "docker.io/library/redis"
    assert answer["releases"] == ["8.10.0", "8.2.1", "8.0.3", "7.4.5", "7.4.1", "7.2.9", "7.0.15", "6.2.14"]
    assert answer["tags_in_all"] == 54
    assert answer["asked_tag"] == {"tag": "7.4.9", "is_there": False}
    assert answer["short"][:4] == ["8.10", "8.2", "8.0", "8"]
    assert "latest" in answer["not_ordered"]
    assert "8.12.0-rc1" in answer["with_suffix"]
    assert answer["suffixes"][0] in ("alpine", "bookworm", "alpine3.22")
    alpine = await invoke(plugin, "image_versions", image="docker.io/library/redis", suffix="alpine", line="7.4")
    assert (alpine["newest"], alpine["releases"]) == ("7.4.5-alpine", ["7.4.5-alpine", "7.4.1-alpine"])
    assert alpine["short"] == ["7.4-alpine"]
    postgres = await invoke(plugin, "image_versions", image="postgres")
    assert (postgres["newest"], postgres["releases"]) == (None, [])
    assert postgres["short"] == ["17.6", "17.2", "17", "16.10", "16.4", "16", "12.22", "12"]


async def test_a_registry_with_a_password(plugin: HttpPlugin, registries: Registries) -> None:
    """The password goes where tokens are given, the token to the registry and not along with a redirect."""
    answer = await invoke(plugin, "image_versions", image=f"localhost:{registries.port}/team/api")
    assert answer["newest"] == "8.10.0"
    sent = {(path.partition("?")[0], sent.partition(" ")[0]) for _, path, sent in registries.asked if "team" in path}
    assert sent == {("/token", "Basic"), ("/v2/team/api/tags/list", ""), ("/v2/team/api/tags/list", "Bearer")}
    moved = await invoke(plugin, "image_versions", image="moved/api")
    assert moved["short"][0] == "17.6"
    assert [sent for _, path, sent in registries.asked if path == "/moved/tags.json"] == [""]
    assert (await tool_failure(plugin, "image_versions", image="team/api")).startswith("unauthorized: ")
    assert (await tool_failure(plugin, "image_versions", image="team/none")).startswith("not_found: ")


async def test_kubernetes(plugin: HttpPlugin) -> None:
    """The newest by channel, through the redirect that its host makes; of a minor release by name."""
    answer = await invoke(plugin, "kubernetes_versions")
    assert (answer["newest"], answer["newest_with_pre_releases"]) == ("v1.34.1", "v1.35.0-alpha.3")
    assert answer["newest_of_minor"] == {"1.34": "v1.34.1", "1.33": "v1.33.5", "1.32": "v1.32.9", "1.31": "v1.31.13"}
    assert (await invoke(plugin, "kubernetes_versions", minor="1.19"))["newest"] == "v1.19.16"
    assert (await tool_failure(plugin, "kubernetes_versions", minor="1.77")).startswith("not_found: ")
    assert (await tool_failure(plugin, "kubernetes_versions", minor="../x")).startswith("invalid_args: ")


async def test_part_of_the_newest_kubernetes(plugin: HttpPlugin) -> None:
    """By its numbers; of a minor release as well, and a question mark where there is none of it."""
    found = [
        (await invoke(plugin, "kubernetes_versions", semverField=one))["version"] for one in ("major", "minor", "patch")
    ]
    assert found == ["1", "1.34", "1.34.1"]
    of_minor = await invoke(plugin, "kubernetes_versions", minor="1.19", semverField="patch")
    assert (of_minor["version"], of_minor["newest"]) == ("1.19.16", "v1.19.16")
    assert (await invoke(plugin, "kubernetes_versions", minor="1.77", semverField="patch"))["version"] == "?"
    assert (await tool_failure(plugin, "kubernetes_versions", semverField="build")).startswith("invalid_args: ")


class TestArtifactHubWrittenByHandFromTheSpecification:
    """Answers as the hub's OpenAPI document describes them; the hub itself was never asked."""

    async def test_the_official_chart_of_a_name_and_its_newest_release(
        self, plugin: HttpPlugin, registries: Registries
    ) -> None:
        """Whoever has more stars; a pre-release is not the newest, nor what a letter puts first; asked once."""
        before = len(registries.asked)
        answer = await invoke(plugin, "newest_chart", chart="grafana")
        assert (answer["version"], answer["repository"], answer["is_official"]) == ("10.9.1", "zed-labs", True)
        assert answer["app_version"] is None, "the hub says it of its newest version alone, which is another one"
        assert answer["also_in"] == ["walrus", "oldies"]
        assert (answer["url"], answer["age_seconds"]) == ("https://charts.zed-labs.example.com", answer["age_seconds"])
        assert (await invoke(plugin, "newest_chart", chart="grafana"))["fetched_at"] == answer["fetched_at"]
        assert [path.partition("?")[0] for _, path, _ in registries.asked[before:]] == [
            "/hub/api/v1/packages/search", "/hub/api/v1/packages/helm/zed-labs/grafana",
        ]  # fmt: skip

    async def test_a_repository_may_be_named(self, plugin: HttpPlugin) -> None:
        answer = await invoke(plugin, "newest_chart", chart="grafana", repository="oldies")
        assert (answer["version"], answer["app_version"], answer["also_in"]) == ("9.1.0", "10.0.0", [])
        assert (answer["is_official"], answer["is_verified"]) == (False, False)

    async def test_what_is_not_known_is_a_question_mark(self, plugin: HttpPlugin) -> None:
        """No such chart, with names that are near; a chart without a release; an answer without packages."""
        missing = await invoke(plugin, "newest_chart", chart="grafan")
        assert (missing["version"], missing["near"]) == ("?", ["grafana", "grafana-agent"])
        assert (await invoke(plugin, "newest_chart", chart="preview"))["version"] == "?"
        assert (await invoke(plugin, "newest_chart", chart="null"))["version"] == "?"

    async def test_what_cannot_be_asked_or_read_is_refused(self, plugin: HttpPlugin) -> None:
        assert (await tool_failure(plugin, "newest_chart", chart="../x?y")).startswith("invalid_args: ")
        assert (await tool_failure(plugin, "newest_chart", chart="broken")).startswith("unreadable: ")


@pytest.mark.parametrize(
    "repository, code, words",
    [
        ("https://charts.example.com", "unknown_source", "There are: nginx, "),
        ("http://169.254.169.254/latest", "unknown_source", "configured"),
        ("metadata", "refused_host", "169.254.169.254"),
        ("elsewhere", "refused_host", "localhost:1"),
        ("plain", "refused_host", "localhost:80"),
        ("circle", "unreadable", "redirects"),
        ("public", "private_address", "private network"),
        ("broken", "unreadable", "alias"),
        ("endless", "too_large", "1,000,000 bytes"),
    ],
)
async def test_nothing_but_what_is_configured_is_asked(
    plugin: HttpPlugin, repository: str, code: str, words: str
) -> None:
    """Other addresses, redirects to them, private ones, and answers without an end are refused with the reason."""
    said = await tool_failure(plugin, "chart_versions", repository=repository, chart="x")
    assert said.startswith(f"{code}: ")
    assert words in said


async def test_tokens_come_from_a_host_of_the_source(plugin: HttpPlugin) -> None:
    """A challenge that leads to a host that was not named is not followed."""
    assert (await tool_failure(plugin, "image_versions", image="ghcr.io/library/redis")).startswith("refused_host: ")
    assert (await tool_failure(plugin, "image_versions", image="quay.io/a/b")).startswith("unknown_source: ")


async def test_an_old_answer_is_told_as_old(registries: Registries, tmp_path: Path) -> None:
    """Where a source is away, what is kept is given with its age and the reason; without any, the reason alone."""
    with versions_plugin(registries, tmp_path, cache_seconds=0) as process:
        plugin = HttpPlugin(RegisteredPlugin(name="versions", url=process.url))
        try:
            fresh = await invoke(plugin, "kubernetes_versions")
            registries.is_failing = True
            old = await invoke(plugin, "kubernetes_versions")
            assert old.pop("outdated_because") == "'localhost' answers with status 503."
            assert old["fetched_at"] == fresh["fetched_at"]
            assert old["newest"] == fresh["newest"]
            said = await tool_failure(plugin, "image_versions", image="redis")
            assert said.startswith("source_away: ")
        finally:
            registries.is_failing = False
            await plugin.close()


def test_a_request_looks_a_version_up_and_writes_it(
    process: PluginProcess, redis_server: str, redis_url: str, tmp_path: Path
) -> None:
    """An edit asks the tool without a yes, and a question does, too; what it answered is in the outcome of both."""
    added = CliRunner().invoke(cli.main, ["plugin", "add", "versions", process.url, "--data-dir", str(tmp_path)])
    assert added.exit_code == 0, added.output
    look = Turn([ToolUse("versions__image_versions", {"image": "redis", "line": "7.4"})])
    operation = {"op": "append_to_section", "section": "# Plan", "text": "The cache is redis:7.4.5."}
    edit = Turn([ToolUse("edit_document", {"operations": [operation], "explanation": "The newest of its line"})])
    told = Turn([Text("The newest of the line is redis:7.4.5.")])
    with model_beside() as model:
        environment = {"ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": model.url}
        plugins = str(tmp_path / "plugins.json")
        with running(redis_server, "w", PLUGINS_FILE=plugins, **environment) as [server], Api(server.url) as api:
            api.become("Ana")
            deadline = time.monotonic() + TIMEOUT_SECONDS
            while api.ask("GET", "/plugins")["items"][0]["status"] != "ready":
                assert time.monotonic() < deadline, "the plugin is not ready"
                time.sleep(0.05)
            w = api.create(name="Plan", document={"text": "# Plan\n\nWe use a cache.\n"})
            for workflow, turns, status in (("edit", [look, edit, told], "applied"), ("ask", [look, told], "answered")):
                model.script[:] = turns
                body = {"prompt": "Which Redis of 7.4 is the newest?", "workflow": workflow}
                run_id = api.ask("POST", f"/workspaces/{w}/runs", 202, json=body)["id"]
                run = api.ended(w, run_id)
                assert run["status"] == status, run["outcome"]
                looked = run["outcome"]["tool_calls"][0]
                assert (looked["name"], looked["status"]) == ("versions__image_versions", "ok")
                assert '"newest": "7.4.5"' in looked["result"]
                sent = str(model.standin.asked[-1].body)
                assert "age_seconds" in sent
            assert model.standin.refused == []
            assert "redis:7.4.5." in api.ask("GET", f"/workspaces/{w}/document")["text"]
