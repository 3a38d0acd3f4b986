"""What docker-compose.yml says, as far as it can be tried without Docker: its own commands, on the real store."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
import yaml

from draftsmith.adapters.model_providers import MODEL_PROVIDERS
from draftsmith.settings import Settings
from tests.conftest import valkey_binary, wait_until_ready
from tests.docs.test_words import NOT_OF_USERS

ROOT = Path(__file__).parents[2]
STORE_FILES = "/run/store"
FIXED = {
    "HOST": "the image listens on every address",
    "PORT": "the image has its own; outside it is the port that is published",
    "DATA_DIR": "the image has its own, a volume",
    "DRAFTSMITH_MODE": "in local mode nothing but loopback is listened on",
    "MODE": "the same",
}
"""Settings that are not passed on, and why."""
_VARIABLE = re.compile(r"\$\{(\w+)(?:(:?[-+])((?:[^${}]|\$\{\w+(?::?[-+][^${}]*)?\})*))?\}")


def resolved(text: str, outside: Mapping[str, str]) -> str:
    """A text as Compose fills it in: `${NAME}`, `${NAME:-where unset or empty}`, `${NAME-where unset}`, nested once."""

    def value(found: re.Match[str]) -> str:
        name, operator, other = found[1], found[2] or "", found[3] or ""
        given = outside.get(name)
        is_there = bool(given) if operator.startswith(":") else given is not None
        if operator.endswith("+"):
            return resolved(other, outside) if is_there else ""
        return given or "" if is_there else resolved(other, outside)

    return _VARIABLE.sub(value, text)


def environment_of(service: Mapping[str, Any], **outside: str) -> dict[str, str]:
    """What a container finds in its environment; what is null in the file comes from outside or is unset."""
    passed = {name: outside.get(name) if value is None else value for name, value in service["environment"].items()}
    return {name: resolved(value, outside) for name, value in passed.items() if value is not None}


@pytest.fixture(scope="module")
def compose_file() -> dict[str, Any]:
    shape: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return shape


@pytest.fixture(scope="module")
def services(compose_file: dict[str, Any]) -> dict[str, Any]:
    return dict(compose_file["services"])


def make_password(services: dict[str, Any], folder: Path) -> None:
    """Run the command of the service that makes the password, on a folder of ours."""
    service = services["password"]
    script = service["command"][0].replace("$$", "$").replace(STORE_FILES, str(folder))
    subprocess.run([*service["entrypoint"], script], check=True, capture_output=True)


@pytest.fixture
def store_files(services: dict[str, Any], tmp_path: Path) -> Path:
    make_password(services, tmp_path)
    return tmp_path


@pytest.fixture
def store_url(services: dict[str, Any], store_files: Path) -> Iterator[str]:
    """The store, started by the command of its service; the address has no password."""
    words = [word.replace(STORE_FILES, str(store_files)) for word in services["redis"]["command"]]
    assert words[0] == "valkey-server"
    socket = store_files / "s"
    place = ["--port", "0", "--unixsocket", str(socket), "--dir", str(store_files), "--logfile", str(store_files / "l")]
    server = subprocess.Popen([str(valkey_binary()), *words[1:], *place])
    try:
        wait_until_ready(server, f"unix://:{(store_files / 'password').read_text()}@{socket}", store_files / "l")
        yield f"unix://{socket}"
    finally:
        server.kill()
        server.wait()


def test_the_store_asks_for_the_password_that_the_first_start_made(
    store_url: str, store_files: Path, services: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the application finds it as its environment in the file says."""
    with redis.Redis.from_url(store_url) as nobody, pytest.raises(redis.AuthenticationError):
        nobody.ping()
    file = environment_of(services["app"])["REDIS_PASSWORD_FILE"].replace(STORE_FILES, str(store_files))
    monkeypatch.setenv("REDIS_URL", store_url)
    monkeypatch.setenv("REDIS_PASSWORD_FILE", file)
    with redis.Redis.from_url(str(Settings().redis_url)) as ours:
        assert ours.ping()
        assert ours.config_get("appendfsync") == {"appendfsync": "always"}, "its other options stand"
        most = int(ours.config_get("maxmemory")["maxmemory"])
    assert 0 < most <= 0.7 * bytes_of(services["redis"]["mem_limit"]), "it refuses before it is killed"


def test_a_later_start_keeps_the_password_and_a_first_one_that_broke_is_repeated(
    services: dict[str, Any], tmp_path: Path
) -> None:
    make_password(services, tmp_path)
    first = (tmp_path / "password").read_text()
    assert re.fullmatch("[0-9a-f]{64}", first)
    make_password(services, tmp_path)
    assert (tmp_path / "password").read_text() == first
    (tmp_path / "store.conf").unlink()  # as if it had ended just before; root without capabilities obeys file modes
    make_password(services, tmp_path)
    again = (tmp_path / "password").read_text()
    assert again != first
    assert (tmp_path / "store.conf").read_text() == f"requirepass {again}\n"


def test_every_container_is_confined(services: dict[str, Any]) -> None:
    """No capability, no way to gain rights, a read-only root, a user by its number; only what is named is written."""
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        assert service["user"].split(":")[0].isdigit(), name
        assert not {"privileged", "pid", "ipc", "devices"} & set(service), name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else []), name
    as_root = {name for name, service in services.items() if service["user"].startswith("0")}
    assert as_root == {"password", "proxy"}
    assert services["password"]["network_mode"] == "none"
    store_volumes = {
        name: [v for v in one["volumes"] if STORE_FILES in v] for name, one in services.items() if name != "proxy"
    }
    assert store_volumes == {
        "password": [f"store-password:{STORE_FILES}"],
        "redis": [f"store-password:{STORE_FILES}:ro"],
        "app": [f"store-password:{STORE_FILES}:ro"],
    }
    assert "ports" not in services["redis"], "the store is reached from inside alone"
    assert all(port.startswith("127.0.0.1:") for port in services["app"]["ports"])


def test_the_proxy_alone_is_believed_and_serves_the_file_that_is_tried(services: dict[str, Any]) -> None:
    """`test_proxies.py` runs that file with the server."""
    app, proxy = services["app"], services["proxy"]
    assert environment_of(app)["TRUSTED_PROXIES"] == proxy["networks"]["default"]["ipv4_address"]
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in proxy["volumes"]
    for outside in ({}, {"DOMAIN": "drafts.test"}):
        assert environment_of(app, **outside)["PUBLIC_URL"] == f"https://{environment_of(proxy, **outside)['DOMAIN']}"
    assert app["environment"]["DRAFTSMITH_MODE"] == "token"
    assert STORE_FILES not in str(proxy["volumes"])


def test_it_says_what_the_program_and_the_image_say(services: dict[str, Any]) -> None:
    app, image = services["app"], (ROOT / "Dockerfile").read_text("utf-8")
    assert f"--uid {app['user']} " in image
    assert app["ports"][0].rpartition(":")[2] == re.findall(r'"--port", "(\d+)"', image)[0]
    assert "VOLUME /data" in image, "what the application writes is a volume, since its root is read-only"
    assert re.findall(r'"--data-dir", "(.+?)"', image) == ["/data"]
    assert re.findall(r"^ENV .*DATA_DIR=(\S+)$", image, re.MULTILINE) == ["/data"], "of commands beside it as well"
    assert services["redis"]["image"] == services["password"]["image"], "one image more is one download more"
    assert os.path.commonpath([environment_of(app)["REDIS_PASSWORD_FILE"], STORE_FILES]) == STORE_FILES


def test_every_setting_that_is_documented_can_be_passed(services: dict[str, Any]) -> None:
    """What the program reads, what the pages list and what the file passes on are one list, or a reason says why not.

    A value from outside arrives as it is; where there is none, the program starts with its own default, or with what
    only this file can know.
    """
    rows = "\n".join(
        line
        for page in ("operating.md", "assistant.md")
        for line in (ROOT / "docs" / page).read_text("utf-8").splitlines()
        if line.startswith("| `")
    )
    read = {name.upper() for name in Settings.model_fields.keys() - NOT_OF_USERS}
    documented = set(re.findall(r"`([A-Z][A-Z_]+)`", "\n".join(row.split(" | ")[0] for row in rows.splitlines())))
    assert documented & read == read, "every setting is listed"
    app = services["app"]
    assert set(app["environment"]) | FIXED.keys() == read
    assert set(app["environment"]) & FIXED.keys() <= {"DRAFTSMITH_MODE"}
    for name in app["environment"].keys() - FIXED.keys():
        assert environment_of(app, **{name: "from outside"})[name] == "from outside", name
    assert environment_of(app).keys() == {
        "DRAFTSMITH_MODE", "PUBLIC_URL", "TRUSTED_PROXIES", "REDIS_URL", "REDIS_PASSWORD_FILE"
    }  # fmt: skip


@pytest.mark.parametrize(
    "outside, public, root",
    [
        ({}, "https://localhost", ""),
        ({"DOMAIN": "drafts.test"}, "https://drafts.test", ""),
        ({"DOMAIN": "drafts.test", "ROOT_PATH": "/team"}, "https://drafts.test/team", "/team"),
        ({"DOMAIN": "drafts.test", "PUBLIC_URL": "https://drafts.test:8443"}, "https://drafts.test:8443", ""),
    ],
)
def test_the_program_starts_with_what_arrives(
    services: dict[str, Any], outside: dict[str, str], public: str, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first link leads to where people come in, not to the container."""
    environment = environment_of(services["app"], **outside, REDIS_PASSWORD_FILE="", REDIS_URL="redis://:x@store:6379")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    settings = Settings()
    assert (settings.public_url, settings.root_path, settings.access_mode) == (public, root, "token")
    assert urlsplit(public).hostname in settings.answered_hosts
    assert settings.redis_url == "redis://:x@store:6379", "a store of one's own"


def test_nothing_that_is_written_ends_with_its_container(compose_file: dict[str, Any]) -> None:
    """Folders that an image declares as volumes, and all that the commands write to, are volumes with a name."""
    services, named = compose_file["services"], set(compose_file["volumes"])
    mounted = {name: dict(reversed(v.split(":")[:2]) for v in one["volumes"]) for name, one in services.items()}
    image = (ROOT / "Dockerfile").read_text("utf-8")
    kept = {"app": set(re.findall(r"^VOLUME (\S+)$", image, re.MULTILINE)), "redis": {"/data"}, "proxy": {"/data"}}
    for name, places in kept.items():
        assert places, name
        assert all(mounted[name].get(place) in named for place in places), name
    used = [source for places in mounted.values() for source in places.values() if not source.startswith(".")]
    assert set(used) == named
    data = [mounted[name]["/data"] for name in kept]
    assert len(set(data)) == len(data), "each has its own"


def bytes_of(size: str) -> int:
    """A size as Compose writes it."""
    return int(size[:-1]) * {"m": 1 << 20, "g": 1 << 30}[size[-1]]


def test_no_container_takes_all_the_memory_of_the_machine(services: dict[str, Any]) -> None:
    """Each has a limit, which leaves room for what its program holds at most."""
    limits = {name: bytes_of(resolved(one["mem_limit"], {})) for name, one in services.items()}
    settings = Settings()
    assert limits["app"] > 8 * settings.max_bodies_bytes
    assert sum(limits.values()) <= 4 << 30, "of a small machine"
    assert resolved(services["app"]["mem_limit"], {"APP_MEMORY": "6g"}) == "6g", "more workers want more"


def test_models_of_every_provider_can_be_set_and_are_in_the_other_image(services: dict[str, Any]) -> None:
    """Each setting comes from outside, unset where it is unset there; the lock holds what is developed with."""
    app, image = services["app"], (ROOT / "Dockerfile").read_text("utf-8")
    of_providers = tuple(f"{provider.name}_" for provider in MODEL_PROVIDERS)
    settings = {name.upper() for name in Settings.model_fields if name.startswith(of_providers)}
    passed = {name for name, value in app["environment"].items() if value is None}
    assert settings <= passed
    assert {"ASSISTANT_PROVIDER", "ASSISTANT_WORKSPACE_PROVIDERS"} <= passed
    assert app["build"]["args"] == {"LOCK": "${LOCK:-base}"}
    assert "ARG LOCK=base\n" in image
    assert 'requirements/$LOCK.lock"' in image
    base, providers, developed = (pins(name) for name in ("base", "providers", "dev"))
    assert base <= providers <= developed
    named = {pin.partition("==")[0] for pin in providers - base}
    assert {"openai", "google-genai", "google-auth", "boto3"} <= named


def pins(lock: str) -> set[str]:
    """What a lock pins: name and version."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text("utf-8")
    return {
        f"{name}=={version}" for name, version in re.findall(r"^([a-z0-9-]+)(?:\[.*?\])?==(\S+)", text, re.MULTILINE)
    }
