"""What docker-compose.yml says, as far as it can be tried without Docker: its own commands, on the real store."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml

from draftsmith.adapters.model_providers import MODEL_PROVIDERS
from draftsmith.settings import Settings
from tests.conftest import valkey_binary, wait_until_ready

ROOT = Path(__file__).parents[2]
STORE_FILES = "/run/store"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    shape: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
    return dict(shape["services"])


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
    file = services["app"]["environment"]["REDIS_PASSWORD_FILE"].replace(STORE_FILES, str(store_files))
    monkeypatch.setenv("REDIS_URL", store_url)
    monkeypatch.setenv("REDIS_PASSWORD_FILE", file)
    with redis.Redis.from_url(str(Settings().redis_url)) as ours:
        assert ours.ping()
        assert ours.config_get("appendfsync") == {"appendfsync": "always"}, "its other options stand"


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
    assert app["environment"]["TRUSTED_PROXIES"] == proxy["networks"]["default"]["ipv4_address"]
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in proxy["volumes"]
    assert proxy["environment"]["DOMAIN"] == app["environment"]["ALLOWED_HOSTS"]
    assert app["environment"]["DRAFTSMITH_MODE"] == "token"
    assert STORE_FILES not in str(proxy["volumes"])


def test_it_says_what_the_program_and_the_image_say(services: dict[str, Any]) -> None:
    app, image = services["app"], (ROOT / "Dockerfile").read_text("utf-8")
    assert {name.lower() for name in app["environment"]} <= set(Settings.model_fields)
    assert f"--uid {app['user']} " in image
    assert app["ports"][0].rpartition(":")[2] == re.findall(r'"--port", "(\d+)"', image)[0]
    assert "VOLUME /data" in image, "what the application writes is a volume, since its root is read-only"
    assert services["redis"]["image"] == services["password"]["image"], "one image more is one download more"
    assert os.path.commonpath([app["environment"]["REDIS_PASSWORD_FILE"], STORE_FILES]) == STORE_FILES


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
