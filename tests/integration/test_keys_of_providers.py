"""Keys of several providers on one server, over HTTP: each is entered, tried, kept and forgotten by itself."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.client import Api, check_problem
from tests.integration.model_beside import Model
from tests.integration.servers import BACKEND, Server, running
from tests.kit.fixtures import api_fixture, model_fixture
from tests.standin import Text, Turn

OF_ANTHROPIC = "sk-ant-of-the-environment"
WRONG = "sk-of-somebody-else"


model = model_fixture(kind="chat")
"""A server that speaks as OpenAI does."""


@pytest.fixture(scope="module")
def keyed(model: Model, folder: Path, redis_server: str) -> Iterator[Server]:
    """A server with Anthropic's key in its environment, and without Google's packages."""
    (folder / "hidden" / "google").mkdir(parents=True)
    (folder / "hidden" / "google" / "__init__.py").touch()
    environment = {
        "ANTHROPIC_API_KEY": OF_ANTHROPIC, "OPENAI_BASE_URL": model.url, "GOOGLE_API_KEY": "of-google",
        "ASSISTANT_WORKSPACE_PROVIDERS": "openai", "DATA_DIR": str(folder / "data"), "LOG_LEVEL": "debug",
        "PYTHONPATH": f"{folder / 'hidden'}:{BACKEND}",
    }  # fmt: skip
    with running(redis_server, "w-keys", **environment) as (server,):
        yield server


api = api_fixture("keyed")


def provider(state: Any, name: str) -> Any:
    return next(one for one in state["providers"] if one["name"] == name)


def enter(api: Api, key: str, name: str) -> Any:
    return api.send_to("PUT", "/assistant/key", json={"api_key": key, "provider": name}, headers=api.own_origin)


def test_what_each_lacks_is_told_and_no_key_is_taken_where_it_would_not_do(api: Api, model: Model) -> None:
    """Not installed, not set up, set in the environment, asked with other credentials: each in its own words."""
    state = api.ask("GET", "/assistant")
    assert (state["provider"], state["choices"]) == ("anthropic", ["anthropic", "openai", "builtin"])
    may_enter = {one["name"]: one["key"]["may_enter"] for one in state["providers"]}
    assert may_enter == {
        "anthropic": False, "openai": True, "azure": False, "google": False, "bedrock": False, "vertex": False,
    }  # fmt: skip
    assert provider(state, "google")["key"]["source"] == "environment"
    assert "draftsmith[google]" in provider(state, "google")["lacks"]
    asked = len(model.standin.checked)
    refusals = {
        "anthropic": (409, "key_from_environment", "ANTHROPIC_API_KEY"),
        "google": (409, "key_from_environment", "GOOGLE_API_KEY"),
        "azure": (422, "provider_unknown", "AZURE_BASE_URL, AZURE_MODEL"),
        "bedrock": (422, "provider_unknown", "BEDROCK_REGION, BEDROCK_MODEL"),
        "vertex": (403, "forbidden", "credentials"),
        "nobody": (422, "provider_unknown", "anthropic, openai, azure, google"),
    }
    for name, (status, code, words) in refusals.items():
        assert words in check_problem(enter(api, model.key, name), status, code)["detail"], name
    assert len(model.standin.checked) == asked, "nobody was sent the key of another"
    check = api.ask("POST", "/assistant/check", json={"provider": "google"})
    found = provider(check, "google")["check"]
    assert (found["ok"], found["code"]) == (False, "provider_unknown")


def test_a_key_is_kept_for_its_provider_alone(api: Api, model: Model, keyed: Server, folder: Path) -> None:
    """It does not change who answers; a workspace that chose the provider is answered with it; it is in no log."""
    kept = folder / "data" / "assistant-key-openai"
    refused = check_problem(enter(api, WRONG, "openai"), 422, "key_refused")
    assert refused["reason"] == "auth"
    assert not kept.exists()
    entered = enter(api, model.key, "openai")
    assert entered.status_code == 200
    state = entered.json()
    assert (state["provider"], provider(state, "openai")["key"]["source"]) == ("anthropic", "page")
    assert provider(state, "openai")["check"]["ok"]
    assert (kept.read_text().strip(), stat.S_IMODE(kept.stat().st_mode)) == (model.key, 0o600)
    assert not (folder / "data" / "assistant-key").exists()

    w = api.create(name="Chosen")
    answers = api.ask("PATCH", f"/workspaces/{w}/assistant", json={"provider": "openai"})["answers"]
    assert answers["sends"]["where"] == model.url.removeprefix("http://").removesuffix("/v1")
    model.script[:] = [Turn([Text("Nothing to do.")])]
    run = api.run(w, "hello")
    assert (run["provider"], run["status"]) == ("openai", "answered")
    assert model.standin.asked[-1].headers["authorization"] == f"Bearer {model.key}"

    refused_too = api.send_to("DELETE", "/assistant/key?provider=anthropic", headers=api.own_origin)
    check_problem(refused_too, 409, "key_from_environment")
    state = api.ask("DELETE", "/assistant/key?provider=openai", headers=api.own_origin)
    assert (provider(state, "openai")["key"]["source"], kept.exists()) == ("none", False)
    said = entered.text + keyed.log
    for key in (OF_ANTHROPIC, model.key, WRONG):
        assert key not in said
