"""Who answers, the key, usage, the switch, completions and the conversation, over HTTP."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import running_store
from tests.integration.client import Api, check_problem, node
from tests.integration.model_beside import Model
from tests.integration.servers import Server, running
from tests.standin import HttpError, Text, Turn

NOBODY = "0" * 26
WRONG = "sk-standin-of-somebody-else"
NOWHERE = {"where": "nowhere: nothing leaves this machine", "what": []}


@pytest.fixture(scope="module")
def keyless(model: Model, folder: Path, redis_server: str) -> Iterator[list[Server]]:
    """Two workers without a key that share a data folder; they log everything."""
    environment = {"ANTHROPIC_BASE_URL": model.url, "DATA_DIR": str(folder), "LOG_LEVEL": "debug"}
    with running(redis_server, "w-key-one", "w-key-two", **environment) as servers:
        yield servers


@pytest.fixture
def open_api(keyless: list[Server], folder: Path, redis_url: str) -> Iterator[Api]:
    """A client of the first of them; store and data folder are empty."""
    (folder / "assistant-key").unlink(missing_ok=True)
    with Api(keyless[0].url) as api:
        yield api


def enter(api: Api, key: Any, expected: int = 200) -> Any:
    return api.ask("PUT", "/assistant/key", expected, json={"api_key": key}, headers=api.own_origin)


class TestWhoAnswers:
    def test_without_a_key_the_built_in_commands_do(self, open_api: Api) -> None:
        """Nothing leaves the machine, and it says so."""
        state = open_api.ask("GET", "/assistant")
        providers = state.pop("providers")
        assert state == {
            "provider": "builtin", "label": "Built-in commands (no AI model)", "model": "", "ask_model": "",
            "models": {}, "edit_mode": "tools", "key": {"source": "none", "may_enter": True}, "check": None,
            "sends": NOWHERE, "price": None, "prices": [], "choices": ["builtin"], "debug": None,
            "server": {"lacks": "", "address": None, "model": None, "trials": {}},
            "limits": {
                "turns": 12, "seconds": 300.0, "run_tokens": 400_000, "day_tokens": 5_000_000, "used_today": 0,
            },
            "workflows": ["edit", "ask", "generate", "investigate", "recommend"],
            "modes": ["auto", "apply", "propose"], "workload_plugins": [],
        }  # fmt: skip
        enterable = {one["name"]: one["key"]["may_enter"] for one in providers}
        assert enterable == {
            "anthropic": True, "openai": True, "azure": False, "google": True, "bedrock": False, "vertex": False,
        }  # fmt: skip
        for one in providers:
            assert (one["is_ready"], one["is_offered"], one["check"]) == (False, False, None)
            assert one["key"]["source"] == "none"
            assert one["lacks"]

    def test_settings_are_told(self, model: Model, redis_url: str) -> None:
        """The key of the environment, the models of each workflow, where everything goes: the host alone."""
        address = model.url.replace("://", "://somebody:secret@")
        environment = {
            "ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": address, "ASSISTANT_MODEL": "claude-opus-5-5",
            "EDIT_MODE": "regenerate", "ASSISTANT_DAY_TOKENS": "0", "ASSISTANT_PRICE_INPUT": "3",
            "ASSISTANT_PRICE_OUTPUT": "15.5",
        }  # fmt: skip
        with running(redis_url, "w-env", **environment) as (server,), Api(server.url) as api:
            response = api.send_to("GET", "/assistant")
            state = response.json()
            assert state["provider"] == "anthropic"
            assert "Anthropic" in state["label"]
            assert (state["model"], state["ask_model"]) == ("claude-opus-5-5", "claude-haiku-5-5")
            assert state["models"]["generate"] == "claude-opus-5-5"
            assert state["sends"]["where"] == model.url.removeprefix("http://")
            assert len(state["sends"]["what"]) > 3
            assert (state["edit_mode"], state["limits"]["day_tokens"]) == ("regenerate", 0)
            assert state["price"] == {"input": 3, "output": 15.5, "currency": "USD"}
            assert api.ask("GET", "/usage")["price"] == state["price"]
            assert state["key"] == {"source": "environment", "may_enter": False}
            refusals = (
                api.send_to("PUT", "/assistant/key", json={"api_key": WRONG}, headers=api.own_origin),
                api.send_to("DELETE", "/assistant/key", headers=api.own_origin),
            )
            for refusal in refusals:
                check_problem(refusal, 409, "key_from_environment")
            assert "secret" not in response.text
            assert model.key not in response.text + server.log

    def test_the_connection_is_tried_where_that_is_asked(self, open_api: Api, model: Model) -> None:
        """What came of it stays until the next try; a failure is an answer and not an error."""
        assert enter(open_api, model.key)["check"]["ok"]
        asked = len(model.standin.checked)
        assert open_api.ask("GET", "/assistant")["check"]["ok"]
        assert len(model.standin.checked) == asked
        check = open_api.ask("POST", "/assistant/check")["check"]
        assert (check["ok"], check["code"]) == (True, "")
        assert check["facts"]["display_name"]
        assert len(model.standin.checked) == asked, "the key was tried when it was entered, less than 30 s ago"
        check_problem(open_api.send_to("GET", "/assistant", params={"check": "true"}), 422, "invalid_request")
        assert len(model.standin.checked) == asked, "a GET tries nothing: any page of the web can have one sent"

    def test_switched_off_on_the_server_nothing_can_be_asked(self, redis_url: str) -> None:
        with running(redis_url, "w-off", ASSISTANT_PROVIDER="off") as (server,), Api(server.url) as api:
            state = api.ask("GET", "/assistant")
            assert (state["provider"], state["workflows"]) == ("off", [])
            w = api.create(name="Off")
            response = api.send_to("POST", f"/workspaces/{w}/runs", json={"prompt": "add a cache called C"})
            check_problem(response, 403, "assistant_off")

    def test_a_model_without_a_key_is_told_as_such(self, redis_url: str) -> None:
        """No silent fallback to the built-in commands."""
        with running(redis_url, "w-no-key", ASSISTANT_PROVIDER="anthropic") as (server,), Api(server.url) as api:
            state = api.ask("POST", "/assistant/check")
            assert (state["provider"], state["check"]["code"]) == ("anthropic", "needs_key")
            w = api.create(name="No key")
            response = api.send_to("POST", f"/workspaces/{w}/runs", json={"prompt": "add a cache called C"})
            check_problem(response, 422, "needs_key")


class TestTheKey:
    def test_a_key_that_works_is_kept_for_all_workers(
        self, open_api: Api, model: Model, folder: Path, keyless: list[Server]
    ) -> None:
        """In a file for its owner alone; the next request is answered by the model, on every worker.

        One that another worker has forgotten works no more, and nothing says that it does.
        """
        state = enter(open_api, f" {model.key}\n")
        assert (state["provider"], state["key"]) == ("anthropic", {"source": "page", "may_enter": True})
        kept = folder / "assistant-key"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert kept.read_text().strip() == model.key
        model.script[:] = [Turn([Text("Nothing to do.")])]
        with Api(keyless[1].url) as other:
            assert other.ask("GET", "/assistant")["provider"] == "anthropic"
            w = other.create(name="Key")
            run = other.run(w, "hello")
            assert (run["provider"], run["status"]) == ("anthropic", "answered")
        state = open_api.ask("DELETE", "/assistant/key", headers=open_api.own_origin)
        assert (state["provider"], state["key"]["source"], state["check"]) == ("builtin", "none", None)
        assert not kept.exists()
        assert open_api.ask("DELETE", "/assistant/key", headers=open_api.own_origin)["key"]["source"] == "none", (
            "twice does nothing more"
        )
        assert enter(open_api, model.key)["check"]["ok"]
        with Api(keyless[1].url) as other:
            other.ask("DELETE", "/assistant/key", headers=other.own_origin)
        state = open_api.ask("GET", "/assistant")
        assert (state["provider"], state["key"]["source"]) == ("builtin", "none")
        assert [one["check"] for one in state["providers"]] == [None] * len(state["providers"])

    def test_a_key_that_is_refused_is_not_kept(self, open_api: Api, model: Model, folder: Path) -> None:
        """The answer has the provider's reason, and the key that was there before stays."""
        enter(open_api, model.key)
        refused = open_api.send_to("PUT", "/assistant/key", json={"api_key": WRONG}, headers=open_api.own_origin)
        found = check_problem(refused, 422, "key_refused")
        assert found["reason"] == "auth"
        assert (folder / "assistant-key").read_text().strip() == model.key
        assert open_api.ask("GET", "/assistant")["check"]["ok"]

    @pytest.mark.parametrize("wrong", ["", "  ", "two words", "ключ", "x" * 1001, 5, None, "a\x00b"])
    def test_what_cannot_be_a_key_is_sent_nowhere(self, open_api: Api, model: Model, wrong: Any) -> None:
        asked = len(model.standin.checked)
        response = open_api.send_to("PUT", "/assistant/key", json={"api_key": wrong}, headers=open_api.own_origin)
        check_problem(response, 422, "invalid_request")
        assert len(model.standin.checked) == asked
        if isinstance(wrong, str) and len(wrong.strip()) > 3:
            assert wrong.strip() not in response.text, "not even a wrong key is shown again"

    def test_the_key_is_in_no_answer_and_in_no_log(self, open_api: Api, model: Model, keyless: list[Server]) -> None:
        """Also with the most talkative log, after a check, a refusal and a run that failed."""
        own = open_api.own_origin
        said = [
            open_api.send_to("PUT", "/assistant/key", json={"api_key": key}, headers=own) for key in (model.key, WRONG)
        ]
        model.script[:] = [HttpError("authentication_error", f"invalid key {model.key}")]
        w = open_api.create(name="Secret")
        run = open_api.run(w, "hello")
        said.append(open_api.send_to("GET", f"/workspaces/{w}/runs/{run['id']}"))
        paths = ("/assistant", "/usage", f"/workspaces/{w}/runs", f"/workspaces/{w}/conversation")
        said += [open_api.send_to("GET", path) for path in paths]
        log = "".join(server.log for server in keyless)
        assert "/api/v1/assistant/key" in log, "the requests are logged"
        for text in (log, *(one.text + str(one.headers) for one in (said[0], said[1], *said[3:4]))):
            assert model.key not in text
            assert WRONG not in text

    def test_pages_of_other_origins_enter_no_key(self, open_api: Api, model: Model) -> None:
        elsewhere = {"Origin": "https://evil.example"}
        response = open_api.send_to("PUT", "/assistant/key", json={"api_key": model.key}, headers=elsewhere)
        check_problem(response, 403, "cross_site")
        check_problem(open_api.send_to("DELETE", "/assistant/key", headers=elsewhere), 403, "cross_site")

    def test_who_neither_says_where_it_comes_from_nor_has_a_profile_enters_no_key(
        self, open_api: Api, model: Model
    ) -> None:
        """Our own page may, and a program that has a profile here; nothing was tried with the provider before."""
        asked = len(model.standin.checked)
        for refused in (
            open_api.send_to("PUT", "/assistant/key", json={"api_key": model.key}),
            open_api.send_to("DELETE", "/assistant/key"),
        ):
            assert "Origin" in check_problem(refused, 403, "forbidden")["detail"]
        assert len(model.standin.checked) == asked
        open_api.become("Ada")
        assert open_api.ask("PUT", "/assistant/key", json={"api_key": model.key})["key"]["source"] == "page"


class TestUsage:
    def test_calls_are_counted_by_who_and_what(self, model: Model) -> None:
        """No other server counts on its store: what it counted last is stored in the background, for a later test."""
        environment = {"ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": model.url}
        model.script[:] = [Turn([Text("Nothing to do.")], output_tokens=7)]
        with running_store() as url, running(url, "w-count", **environment) as (server,), Api(server.url) as api:
            w = api.create(name="Count")
            me = api.become("Ana")
            api.run(w, "hello", workflow="ask")
            totals = api.ask("GET", "/usage", params={"days": 1})
            assert (totals["days"], totals["total"]["calls"], totals["total"]["output"]) == (1, 1, 7)
            names = {part: [one["name"] for one in totals[f"by_{part}"]] for part in ("provider", "model", "operation")}
            assert names == {"provider": ["anthropic"], "model": ["claude-haiku-5-5"], "operation": ["ask"]}
            assert [one["name"] for one in totals["by_person"]] == [me]
            used = totals["total"]["input"] + totals["total"]["output"]
            assert totals["limit"] == {"day_tokens": 5_000_000, "used_today": used}
            assert api.ask("GET", "/assistant")["limits"]["used_today"] == used

    def test_a_day_that_is_used_up_says_when_it_goes_on(self, model: Model) -> None:
        """429 with Retry-After; the built-in commands still work. No other server counts on its store."""
        environment = {
            "ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": model.url, "ASSISTANT_DAY_TOKENS": "1",
        }  # fmt: skip
        model.script[:] = [Turn([Text("Nothing to do.")])]
        with running_store() as url, running(url, "w-day", **environment) as (server,), Api(server.url) as api:
            w = api.create(name="Day")
            place = f"/workspaces/{w}/runs"
            assert api.run(w, "hello")["status"] == "answered"
            response = api.send_to("POST", place, json={"prompt": "hello again"})
            check_problem(response, 429, "day_tokens")
            assert 0 < int(response.headers["retry-after"]) <= 86_400
            body = {"prompt": "add a cache called Sessions", "provider": "builtin"}
            assert api.ask("POST", place, json=body)["status"] == "applied"

    def test_without_a_limit_there_is_none(self, model: Model, redis_url: str) -> None:
        """0 stands for no limit, of a run as of a day."""
        environment = {
            "ANTHROPIC_API_KEY": model.key, "ANTHROPIC_BASE_URL": model.url,
            "ASSISTANT_DAY_TOKENS": "0", "ASSISTANT_RUN_TOKENS": "0",
        }  # fmt: skip
        model.script[:] = [Turn([Text("Nothing to do.")])]
        with running(redis_url, "w-free", **environment) as (server,), Api(server.url) as api:
            w = api.create(name="Free")
            run = api.run(w, "hello")
            assert run["status"] == "answered"

    @pytest.mark.parametrize("days", ["0", "91", "x", "1.5"])
    def test_days_of_the_wrong_form_are_refused(self, api: Api, days: str) -> None:
        check_problem(api.send_to("GET", "/usage", params={"days": days}), 422, "invalid_request")


class TestOfAWorkspace:
    def test_the_assistant_can_be_switched_off_and_on(self, api: Api) -> None:
        """For everybody in that workspace, and in no other."""
        w, other = api.create(name="Quiet"), api.create(name="Other")
        builtin = {
            "name": "builtin", "label": "Built-in commands (no AI model)", "model": "", "ask_model": "",
            "is_ready": True, "sends": NOWHERE,
        }  # fmt: skip
        on = {"enabled": True, "edit_mode": None, "provider": None, "answers": builtin}
        assert api.ask("GET", f"/workspaces/{w}/assistant") == on
        off = {**on, "enabled": False}
        assert api.ask("PATCH", f"/workspaces/{w}/assistant", json={"enabled": False}) == off
        assert api.ask("GET", f"/workspaces/{w}/assistant") == off
        assert api.ask("GET", f"/workspaces/{other}/assistant") == on
        body = {"prompt": "add a cache called Sessions"}
        check_problem(api.send_to("POST", f"/workspaces/{w}/runs", json=body), 403, "assistant_off")
        assert api.ask("POST", f"/workspaces/{other}/runs", json=body)["status"] == "applied"
        api.ask("PATCH", f"/workspaces/{w}/assistant", json={"enabled": True})
        assert api.ask("POST", f"/workspaces/{w}/runs", json=body)["status"] == "applied"
        here = api.ask("PATCH", f"/workspaces/{w}/assistant", json={"provider": "builtin"})
        assert here == {**on, "provider": "builtin"}
        unknown = api.send_to("PATCH", f"/workspaces/{w}/assistant", json={"provider": "openai"})
        check_problem(unknown, 422, "provider_unknown")
        assert api.ask("PATCH", f"/workspaces/{w}/assistant", json={"provider": None}) == on
        for wrong in ({}, {"enabled": "no"}, {"enabled": 1}, {"enabled": True, "for": "me"}):
            check_problem(api.send_to("PATCH", f"/workspaces/{w}/assistant", json=wrong), 422, "invalid_request")

    def test_completions_know_the_workspace(self, api: Api) -> None:
        w = api.create(name="Words")
        api.batch(w, node("orders", label="Orders Service"))

        def complete(text: str, **more: Any) -> list[Any]:
            found: list[Any] = api.ask("GET", f"/workspaces/{w}/completions", params={"text": text, **more})["items"]
            return found

        assert any("Orders Service" in one["text"] for one in complete("remove Ord"))
        assert len(complete("", limit=3)) == 3
        edits = {one["label"] for one in complete("", limit=50)}
        asks = {one["label"] for one in complete("", limit=50, ask=True)}
        assert "add" in edits - asks
        assert "what calls" in asks
        assert complete("zzz") == []
        for wrong in ({"limit": 0}, {"limit": 51}, {"text": "x" * 2_001}):
            response = api.send_to("GET", f"/workspaces/{w}/completions", params=wrong)
            check_problem(response, 422, "invalid_request")

    def test_the_conversation_is_kept_paged_and_forgotten(self, api: Api) -> None:
        """Newest first; forgetting it takes back nothing."""
        w = api.create(name="Talk")
        place = f"/workspaces/{w}/conversation"
        prompts = [f"add a cache called C{number}" for number in range(3)]
        runs = [api.ask("POST", f"/workspaces/{w}/runs", json={"prompt": prompt})["id"] for prompt in prompts]
        first = api.ask("GET", place, params={"limit": 2})
        second = api.ask("GET", place, params={"limit": 2, "cursor": first["next_cursor"]})
        turns = [*first["items"], *second["items"]]
        assert [turn["prompt"] for turn in turns] == prompts[::-1]
        assert [turn["run"] for turn in turns] == runs[::-1]
        assert [turn["revision"] for turn in turns] == [4, 3, 2]
        assert second["next_cursor"] is None
        assert api.ask("GET", place, params={"before": turns[1]["id"]})["items"] == turns[2:]
        for wrong in ({"before": "x"}, {"cursor": "eA"}, {"limit": 0}):
            check_problem(api.send_to("GET", place, params=wrong), 422, "invalid_request")
        assert api.ask("DELETE", place, 204) is None
        assert api.ask("GET", place) == {"items": [], "next_cursor": None}
        assert api.nodes(w) == ["c0", "c1", "c2"]
        assert len(api.ask("GET", f"/workspaces/{w}/runs")["items"]) == 3

    @pytest.mark.parametrize(
        "method, path", [
            ("GET", "assistant"), ("PATCH", "assistant"), ("GET", "completions"), ("GET", "conversation"),
            ("DELETE", "conversation"), ("GET", "runs"), ("GET", "proposals"),
        ],
    )  # fmt: skip
    def test_a_workspace_that_is_not_there_has_none_of_it(self, api: Api, method: str, path: str) -> None:
        options = {"json": {"enabled": True}} if method == "PATCH" else {}
        for w in (NOBODY, "nonsense"):
            check_problem(api.send_to(method, f"/workspaces/{w}/{path}", **options), 404, "workspace_not_found")
