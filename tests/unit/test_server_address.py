"""The address of a server of models: how it is read, which hosts may be entered, and where they may lead."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from draftsmith.addresses import may_serve
from draftsmith.components import entered_servers_of
from draftsmith.errors import DraftsmithError
from draftsmith.settings import Settings
from draftsmith.usecases.providers.server_address import is_listed, read_address


@pytest.mark.parametrize(
    "text, url, host, port",
    [
        (" localhost:11434 ", "http://localhost:11434/v1", "localhost", 11434),
        ("http://GPU.Lan:8000/", "http://gpu.lan:8000/v1", "gpu.lan", 8000),
        ("https://models.example/api/v1/", "https://models.example/api/v1", "models.example", 443),
        ("https://models.example.:443", "https://models.example/v1", "models.example", 443),
        ("http://[::1]:8080", "http://[::1]:8080/v1", "::1", 8080),
    ],
)
def test_an_address_is_read_in_one_form(text: str, url: str, host: str, port: int) -> None:
    """A host alone means plain HTTP and the usual path."""
    found = read_address(text)
    assert (found.url, found.host, found.port) == (url, host, port)
    assert read_address(found.url) == found


@pytest.mark.parametrize(
    "text",
    [
        "", "http://", "ftp://host/v1", "file:///etc/passwd", "http://me:secret@host/v1", "http://me@host",
        "host/v1?x=1", "host/v1#x", "http://ho st/v1", "http://host:99999/", "http://[::1", "http://[fe80::1%25eth0]/",
        "http://hö.lan/",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_server_is_refused(text: str) -> None:
    """Nothing of a password is repeated."""
    with pytest.raises(DraftsmithError) as refused:
        read_address(text)
    assert refused.value.code == "server_address_refused"
    assert "secret" not in refused.value.detail


@pytest.mark.parametrize(
    "patterns, listed, not_listed",
    [
        ("gpu.lan", ["gpu.lan", "gpu.lan:8000"], ["gpu.lan.evil", "xgpu.lan", "lan"]),
        ("gpu.lan:8000", ["gpu.lan:8000"], ["gpu.lan", "gpu.lan:8001"]),
        ("*.lan:8000", ["a.lan:8000", "a.b.lan:8000"], ["lan:8000", "a.lan", "alan:8000"]),
        ("https.example:443", ["https://https.example"], ["http://https.example"]),
        ("[::1]:8080", ["http://[::1]:8080"], ["http://[::1]", "http://[::2]:8080"]),
        ("[::1]", ["http://[::1]:8080"], ["http://[::2]:8080"]),
        ("127.0.0.1:11434", ["127.0.0.1:11434"], ["127.0.0.1", "127.0.0.2:11434", "2130706433:11434"]),
        ("a,b:1", ["a:9", "b:1"], ["b:2", "c"]),
        ("", [], ["a"]),
    ],
)
def test_hosts_are_listed_by_name_port_and_domain(patterns: str, listed: list[str], not_listed: list[str]) -> None:
    """A pattern is for what it says and for nothing that merely contains it."""
    read = [one for one in patterns.split(",") if one]
    assert [one for one in (*listed, *not_listed) if is_listed(read_address(one), read)] == listed


@pytest.mark.parametrize(
    "value", ["*", "http://host", "*.", "a*.lan", "host:", "host:x", "host:70000", "host/path", "::1", "a b"]
)
def test_a_pattern_that_is_none_stops_the_start(value: str) -> None:
    """Also one for all hosts, which nobody should mean."""
    with pytest.raises(ValidationError):
        Settings(model_hosts=value)
    assert Settings(model_hosts="Gpu.Lan:8000, *.ai.lan, [::1]:8080").model_hosts == "gpu.lan:8000,*.ai.lan,[::1]:8080"


def test_where_everybody_shows_who_they_are_no_host_is_listed_by_itself(tmp_path: Path) -> None:
    """In token mode an operator has to name them; in local mode whoever is there may enter any."""
    local = entered_servers_of(Settings(data_dir=tmp_path, draftsmith_mode="local"))
    assert (local.hosts, local.lacks) == (None, "")
    shared = entered_servers_of(Settings(data_dir=tmp_path, draftsmith_mode="token"))
    assert (shared.hosts, "MODEL_HOSTS" in shared.lacks) == ([], True)
    named = entered_servers_of(Settings(data_dir=tmp_path, draftsmith_mode="token", model_hosts="gpu.lan"))
    assert (named.hosts, named.lacks) == (["gpu.lan"], "")
    for choice in ("builtin", "off"):
        none = entered_servers_of(Settings(data_dir=tmp_path, assistant_provider=choice))
        assert "ASSISTANT_PROVIDER" in none.lacks


@pytest.mark.parametrize(
    "address, may",
    [
        ("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("10.1.2.3", True), ("192.168.0.9", True),
        ("172.20.0.2", True), ("fd12::1", True), ("8.8.8.8", True), ("2606:4700::1", True),
        ("169.254.169.254", False), ("::ffff:169.254.169.254", False), ("64:ff9b::a9fe:a9fe", False),
        ("fe80::1", False), ("fe80::1%eth0", False), ("168.63.129.16", False), ("100.100.100.200", False),
        ("fd00:ec2::254", False), ("0.0.0.0", False), ("::", False), ("224.0.0.1", False), ("255.255.255.255", False),
        ("64:ff9b::7f00:1", False), ("2002:7f00:1::", False),
    ],
)  # fmt: skip
def test_link_local_and_metadata_are_never_served_at(address: str, may: bool) -> None:
    """Whatever stands for them; a machine's own loopback and private networks are where such servers are."""
    assert may_serve(address) is may
