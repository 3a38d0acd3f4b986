"""The plugin `versions` without a registry: order, names, settings, indexes, and a source that never answers.

Look-ups against registries written by hand are in tests/integration/test_plugin_versions.py.
"""

from __future__ import annotations

import asyncio
import random
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from draftsmith.plugin import PluginError
from draftsmith.plugin.testing import PluginCaller
from draftsmith_versions.cache import Cache
from draftsmith_versions.charts import read_index
from draftsmith_versions.fetch import is_public
from draftsmith_versions.order import in_line, order, suffixes
from draftsmith_versions.plugin import LookUps, create
from draftsmith_versions.registries import Image, read_image
from draftsmith_versions.settings import Settings, Source, read_settings
from tests.timeouts import TIMEOUT_SECONDS

PACKAGE = Path(__file__).parents[1]
SPECIFIED = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
]
"""In the order that https://semver.org/#spec-item-11 gives."""


def test_versions_are_in_the_order_that_semver_gives() -> None:
    """Numbers as numbers, pre-releases apart, a `v` kept; the order in which they come does not matter."""
    texts = [*SPECIFIED, "1.0.0", "v1.10.0", "1.9.0", "V0.1.0", "1.0.0+build.2", "latest", "17", "17.2", "17.0", "v16"]
    texts += ["01.2.3", "1.2.3.4", "20240101", "1.2.3-", "١.٢.٣", "9" * 5000]
    random.Random(7).shuffle(texts)
    ordered = order(texts)
    assert ordered.releases == ["v1.10.0", "1.9.0", "1.0.0+build.2", "1.0.0", "V0.1.0"]
    assert ordered.pre_releases == SPECIFIED[::-1]
    assert ordered.short == ["17.2", "17.0", "17", "v16"]
    assert ordered.others == ["01.2.3", "1.2.3-", "1.2.3.4", "20240101", "9" * 5000, "latest", "١.٢.٣"]


def test_a_suffix_asks_for_one_variant() -> None:
    """What stands before it is read; other suffixes that end alike are not it."""
    tags = ["7.4.1-alpine", "7.10.0-alpine", "7.4.1-rc1-alpine", "7-alpine", "alpine", "7.4.1-slim-myalpine", "7.4.1"]
    ordered = order(tags, "alpine")
    assert (ordered.releases, ordered.pre_releases) == (["7.10.0-alpine", "7.4.1-alpine"], ["7.4.1-rc1-alpine"])
    assert (ordered.short, ordered.others) == (["7-alpine"], [])
    assert suffixes(tags, 1) == ["alpine"]


def test_a_line_is_whole_numbers() -> None:
    assert in_line(["7.4.1", "7.40.0", "v7.4.2", "7.4", "17.4.1", "7.4-alpine"], "v7.4") == [
        "7.4.1",
        "v7.4.2",
        "7.4",
        "7.4-alpine",
    ]


@pytest.mark.parametrize(
    "reference, image",
    [
        ("redis", Image("docker.io", "library/redis", "")),
        ("bitnami/redis:7.2.4", Image("docker.io", "bitnami/redis", "7.2.4")),
        ("index.docker.io/redis", Image("docker.io", "library/redis", "")),
        ("docker.io/library/redis:latest", Image("docker.io", "library/redis", "latest")),
        ("ghcr.io/a/b/c@sha256:00", Image("ghcr.io", "a/b/c", "")),
        ("localhost/x", Image("localhost", "x", "")),
        ("registry.example.com:5000/team/api:v1", Image("registry.example.com:5000", "team/api", "v1")),
    ],
)
def test_images_are_named_as_in_a_dockerfile(reference: str, image: Image) -> None:
    assert read_image(reference) == image


@pytest.mark.parametrize("reference", ["", "Redis", "a/../b", "a//b", "ghcr.io/", "x y", "redis?x=1", "ä"])
def test_what_is_no_name_of_an_image_is_refused(reference: str) -> None:
    with pytest.raises(PluginError) as refused:
        read_image(reference)
    assert refused.value.code == "invalid_args"


@pytest.mark.parametrize(
    "address",
    [
        *[
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ],
        *["::1", "::", "fe80::1%eth0", "fc00::1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1"],
        *["2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "ff02::1"],
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


def test_public_addresses_are() -> None:
    assert is_public("140.82.121.33")
    assert is_public("2606:4700::6810:84e5")
    assert is_public("::ffff:140.82.121.33")


@pytest.mark.parametrize(
    "text, words",
    [
        ('[[images]]\nname = "x"\nurl = "http://x"', "without TLS"),
        ('[[images]]\nname = "x"\nurl = "https://a:b@x"', "password_file"),
        ('[[images]]\nname = "x"\nurl = "file:///etc/passwd"', "https://host/path"),
        ('[[images]]\nname = "x"\nurl = "https://x:port"', "cannot be used"),
        ('[[images]]\nname = "x"\nurl = "oci://x"', "begins with https"),
        ('[[charts]]\nname = "x"\nurl = "https://x"\nprivate = true\nhosts = ["*.x"]', "names each"),
        ('[[charts]]\nname = "x"\nurl = "https://x"\nhosts = ["*"]', "charts.0.hosts"),
        ('[[charts]]\nname = "x"\nurl = "https://x"\nusername = "a"', "given together"),
        ('[[charts]]\nname = "x"\nurl = "https://x"\n[[charts]]\nname = "x"\nurl = "https://y"', "one name"),
        ('[artifact_hub]\nurl = "oci://x"', "begins with https"),
        ('[artifact_hub]\nurl = "http://x"', "without TLS"),
        ("cache = 1", "cache: Extra"),
        ("cache_seconds", "versions.toml"),
    ],
)
def test_settings_that_cannot_be_used_are_told(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "versions.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"versions\.toml") as refused:
        read_settings(file)
    assert words in str(refused.value)


def test_the_examples_of_settings_are_read_and_nothing_is_a_source_by_default(tmp_path: Path) -> None:
    assert len(read_settings(PACKAGE / "versions.example.toml").images) == 4
    shown = re.search(r"```toml\n(.*?)```", (PACKAGE / "README.md").read_text("utf-8"), re.DOTALL)
    assert shown is not None
    (tmp_path / "versions.toml").write_text(shown[1])
    assert read_settings(tmp_path / "versions.toml").kubernetes is not None
    caller = PluginCaller(create(Settings()))
    assert caller.problems() == []
    assert caller.invoke("version_sources") == {"charts": [], "images": [], "kubernetes": False}
    for tool, args in (
        ("image_versions", {"image": "redis"}),
        ("chart_versions", {"repository": "https://x", "chart": "y"}),
        ("kubernetes_versions", {}),
    ):
        with pytest.raises(PluginError) as refused:
            caller.invoke(tool, **args)
        assert refused.value.code == "unknown_source"


def test_it_does_not_start_without_settings() -> None:
    """The command says what it lacks."""
    code = f"import sys; sys.path.insert(0, {str(PACKAGE)!r}); from draftsmith_versions.__main__ import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={}, timeout=TIMEOUT_SECONDS, check=False
    )
    assert ended.returncode == 2
    assert "VERSIONS_SETTINGS" in ended.stderr


def test_an_index_in_json_is_read_and_a_wrong_one_is_refused() -> None:
    """Of whatever form it is, the depth is bounded and nothing is expanded."""
    index = (
        b'{"apiVersion": "v1", "entries": {"a": [], "b": [{"version": "1.0.0", "deprecated": true}, {"name": "b"}]}}'
    )
    [one] = read_index(index, "b")
    assert (one.version, one.deprecated) == ("1.0.0", True)
    assert read_index(index, "a") == []
    with pytest.raises(PluginError, match="no chart 'c'"):
        read_index(index, "c")
    for wrong in (
        b"- " * 5000,
        b"{" * 100_000,
        b"a: &a [1]\nb: *a",
        b"text",
        b"? [a]\n: b",
        b"\xff\xfe\x00",
        b"a: [",
        b"[",
    ):
        with pytest.raises((ValueError, yaml.YAMLError)):
            read_index(wrong, "b")


async def test_a_source_that_never_answers_is_given_up() -> None:
    """Within the seconds of the settings, whatever else is asked meanwhile."""
    with socket.create_server(("127.0.0.1", 0)) as listening:  # it takes connections, and nobody reads from them
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        look_ups = LookUps(Settings(seconds=0.2, charts=(Source(name="silent", url=url, private=True),)))
        with pytest.raises(PluginError) as refused:
            await look_ups.chart("silent", "redis", "", 20)
    assert (refused.value.code, str(refused.value)) == ("timeout", "'silent' did not answer within 0.2 seconds.")


async def test_what_is_kept_is_fetched_once_and_anew_when_it_is_old() -> None:
    """Two that ask at the same time share one look-up; a failure is told where nothing is kept, or it is the answer."""
    now, calls = [1000.0], []
    cache: Cache[int] = Cache(60, most=2, clock=lambda: now[0])
    failing = [""]

    async def fetch() -> int:
        await asyncio.sleep(0)
        calls.append(1)
        if failing[0]:
            raise PluginError(failing[0], "why")
        return len(calls)

    first, second = await asyncio.gather(cache.get("a", fetch), cache.get("a", fetch))
    assert (first.value, second.value, len(calls)) == (1, 1, 1)
    now[0] += 59
    assert (await cache.get("a", fetch)).told() == {"fetched_at": "1970-01-01T00:16:40+00:00", "age_seconds": 59}
    now[0] += 2
    failing[0] = "source_away"
    assert (await cache.get("a", fetch)).told()["outdated_because"] == "why"
    with pytest.raises(PluginError, match="why"):
        await cache.get("b", fetch)
    failing[0] = "not_found"
    with pytest.raises(PluginError, match="why"):
        await cache.get("a", fetch)
    failing[0] = ""
    assert (await cache.get("a", fetch)).age == 0
    for key in "bc":  # what was not asked for longest goes
        await cache.get(key, fetch)
    before = len(calls)
    await cache.get("a", fetch)
    assert len(calls) == before + 1
