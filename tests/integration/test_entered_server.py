"""A server of models that is entered in the page: looked at, tried, kept, asked, and where it may be."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

from draftsmith.adapters.judged_transport import AddressRefused, JudgedTransport
from draftsmith.adapters.openai.provider import OWN, list_models
from draftsmith.assistant.model_provider import Reach
from draftsmith.assistant.provider import ProviderError
from draftsmith.cli import group as cli
from draftsmith.components import entered_servers_of
from draftsmith.ports.runs import EnteredServer
from draftsmith.settings import Settings
from tests.conftest import running_store
from tests.integration.client import Api, check_problem
from tests.integration.model_beside import Model, model_beside
from tests.integration.people import town
from tests.integration.servers import running
from tests.kit.fixtures import model_fixture
from tests.standin import HttpError, Standin, Text, Turn, serve
from tests.standin.conversation import request, told
from tests.standin.kinds import KINDS
from tests.standin.small_model import small_model
from tests.timeouts import TIMEOUT_SECONDS

KEY = "sk-of-this-server"
STEPS = ("answers", "tools", "reads_4k", "reads_16k")
ALL_STEPS = (*STEPS, "reads_32k")


model = model_fixture(scope="function", key="", kind="ollama")
"""A server that speaks as Ollama does and wants no key."""


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    """The data folder."""
    return tmp_path / "data"


def look_at_server(api: Api, address: str, **more: Any) -> Any:
    return api.send_to("POST", "/assistant/server/look", json={"address": address, **more}, headers=api.own_origin)


def enter_server(api: Api, address: str, model: str = "qwen3", **more: Any) -> Any:
    body = {"address": address, "model": model, **more}
    return api.send_to("PUT", "/assistant/server", json=body, headers=api.own_origin)


def attempt(api: Api, step: str) -> Any:
    state = api.ask("POST", "/assistant/server/trials", json={"step": step}, headers=api.own_origin)
    return state["server"]["trials"][step]


def test_it_is_looked_at_kept_and_asked_by_every_worker_and_after_a_restart(
    model: Model, data_folder: Path, redis_url: str
) -> None:
    """No setting names it and nothing is started anew; a workspace may choose it; forgotten, it is asked no more."""
    bare = model.url.removeprefix("http://").removesuffix("/v1")
    environment = {"DATA_DIR": str(data_folder), "LOG_LEVEL": "debug"}
    with running(redis_url, "w-one", "w-two", **environment) as (one, two), Api(one.url) as api, Api(two.url) as other:
        before = api.ask("GET", "/assistant")
        assert (before["provider"], before["server"]["lacks"]) == ("builtin", "")
        found = look_at_server(api, bare).json()
        assert (found["address"], found["ip_addresses"]) == (model.url, ["127.0.0.1"])
        assert "qwen3" in found["models"]
        assert api.ask("GET", "/assistant")["server"]["address"] is None, "looking keeps nothing"
        refused = check_problem(enter_server(api, bare, "no-such-model"), 422, "server_unusable")
        assert refused["reason"] == "model_not_found"
        state = enter_server(api, bare).json()
        assert (state["provider"], state["model"], state["server"]["address"]) == ("own", "qwen3", model.url)
        assert stat.S_IMODE((data_folder / "assistant-server.json").stat().st_mode) == 0o600
        assert other.ask("GET", "/assistant")["provider"] == "own"
        assert other.ask("POST", "/assistant/check")["check"]["ok"]
        enter_server(api, bare, "gpt-6-sol")
        now = other.ask("GET", "/assistant")
        assert (now["model"], now["check"]) == ("gpt-6-sol", None), "what was found of another model does not stand"
        enter_server(api, bare)
        w = other.create(name="Asked")
        model.script[:] = [Turn([Text("Nothing to do.")])]
        run = other.run(w, "hello")
        assert (run["provider"], run["model"], run["status"]) == ("own", "qwen3", "answered")
        chosen = other.ask("PATCH", f"/workspaces/{w}/assistant", json={"provider": "own"})
        assert chosen["answers"]["sends"]["where"] == bare
    with running(redis_url, "w-three", **environment) as (again,), Api(again.url) as api:
        assert api.ask("GET", "/assistant")["provider"] == "own"
        model.script[:] = [Turn([Text("Still here.")])]
        assert api.run(w, "hello")["status"] == "answered"
        state = api.ask("DELETE", "/assistant/server", headers=api.own_origin)
        assert (state["provider"], state["server"]["address"]) == ("builtin", None)
        assert list(data_folder.glob("assistant-*")) == []


def test_it_is_tried_step_by_step_and_a_context_that_cuts_is_found(
    model: Model, data_folder: Path, redis_url: str
) -> None:
    """Whether it answers, calls tools, and how much it reads, by marks that come back; what it says does not count."""
    with running(redis_url, "w-tried", DATA_DIR=str(data_folder)) as (server,), Api(server.url) as api:
        check_problem(
            api.send_to("POST", "/assistant/server/trials", json={"step": "tools"}, headers=api.own_origin),
            422, "provider_unknown",
        )  # fmt: skip
        enter_server(api, model.url)
        model.brain = small_model(8_000)
        found = {step: attempt(api, step) for step in STEPS}
        assert [found[step]["ok"] for step in STEPS] == [True, True, True, False]
        assert found["answers"]["facts"]["is_streamed"]
        assert found["reads_4k"]["facts"]["read_tokens"] == 4_000
        assert 6_000 <= found["reads_16k"]["facts"]["read_tokens"] <= 8_000
        assert "OLLAMA_CONTEXT_LENGTH" in found["reads_16k"]["detail"]
        assert api.ask("GET", "/assistant")["server"]["trials"] == found, "kept"
        assert api.run(api.create(), "Describe the system")["status"] == "answered"
        asked = model.standin.asked[-1].body
        assert asked["max_tokens"] == found["reads_16k"]["facts"]["read_tokens"] // 4, "what was measured counts"
        count = len(model.standin.asked)
        failed = api.run(api.create(), "Describe the system" + "…" * 15_000)
        assert (failed["status"], failed["outcome"]["error"]["code"]) == ("failed", "too_large")
        assert len(model.standin.asked) == count, "what would lose its beginning is not sent"
        model.brain = small_model(8_000, calls_tools=False)
        assert attempt(api, "answers")["ok"]
        assert list(api.ask("GET", "/assistant")["server"]["trials"]) == ["answers"], "begun anew"
        assert attempt(api, "tools")["code"] == "no_tools"
        refusal = "This model's maximum context length is 8000 tokens."
        model.brain = lambda _: HttpError("invalid_request_error", refusal)
        assert refusal in attempt(api, "reads_16k")["detail"]
        model.brain = lambda _: HttpError("invalid_request_error", "registry.ollama.ai/qwen3 does not support tools")
        found = attempt(api, "tools")
        assert (found["ok"], "choose another" in found["detail"]) == (False, True)


def test_as_it_is_installed_it_edits_the_sample(model: Model, data_folder: Path, redis_url: str) -> None:
    """Its context cuts: what fits is applied, what does not is not done, what would lose its beginning is not sent."""
    notes = "Orders are kept in the order in which they came. " * 240
    long = f"Add a queue called Letters\n\n{notes}"
    with running(redis_url, "w-sample", DATA_DIR=str(data_folder)) as (server,), Api(server.url) as api:

        def tried(context_tokens: int, name: str, steps: Sequence[str]) -> list[bool]:
            model.brain = small_model(context_tokens)
            enter_server(api, model.url, name)
            return [attempt(api, step)["ok"] for step in steps]

        assert tried(4_096, "qwen3", STEPS) == [True, True, True, False]
        w = api.create(name="Shop", template="sample")

        run = api.run(w, "Add a cache called Sessions, then connect Checkout to Sessions")
        outcome = run["outcome"]
        assert (run["status"], outcome["iterations"]) == ("applied", 2), "both calls came in one answer"
        assert [call["status"] for call in outcome["tool_calls"]] == ["ok", "ok"]
        assert [one["what"] for one in outcome["operations"]] == [
            "Added node Sessions",
            "Added edge Checkout → Sessions",
        ]
        before, diagram = api.state(w), api.read(w)["diagram"]
        [made] = [one for one in diagram["nodes"] if one["label"] == "Sessions"]
        [checkout] = [one["id"] for one in diagram["nodes"] if one["label"] == "Checkout"]
        assert made["type"] == "cache"
        assert (checkout, made["id"]) in [(one["source"], one["target"]) for one in diagram["edges"]]

        run = api.run(w, "Remove the billing service")
        outcome = run["outcome"]
        assert "Done" in outcome["summary"], "as the model says"
        assert (run["status"], outcome["parts"]) == ("answered", {"done": 0, "of": 1})
        [refused] = outcome["refused"]
        assert [problem["code"] for problem in refused["problems"]] == ["node_not_found"]
        assert api.state(w) == before

        count = len(model.standin.asked)
        run = api.run(w, long)
        error = run["outcome"]["error"]
        assert (run["status"], error["code"]) == ("failed", "too_large")
        assert "so nothing was sent" in error["detail"]
        assert "OLLAMA_CONTEXT_LENGTH=32768" in error["detail"]
        assert len(model.standin.asked) == count
        assert api.state(w) == before

        assert all(tried(32_768, "qwen3", ALL_STEPS))
        run = api.run(w, long)
        assert (run["status"], run["outcome"]["operations"][0]["what"]) == ("applied", "Added node Letters")
        assert notes.strip() in str(model.standin.asked[-1].body), "sent as a whole"
        before, diagram = api.state(w), api.read(w)["diagram"]
        assert [one["type"] for one in diagram["nodes"] if one["label"] == "Letters"] == ["queue"]

        assert all(tried(32_768, "llama3.2:1b", ALL_STEPS))
        run = api.run(w, "Rename Checkout to Cashier")
        outcome = run["outcome"]
        assert (run["status"], outcome["tool_calls"]) == ("proposed", [])
        assert outcome["reason"] == "The model wrote it down as text and called no tool."
        assert api.state(w) == before, "not before somebody says yes"
        api.ask("POST", f"/workspaces/{w}/proposals/{outcome['proposal']}/accept")
        labels = {one["id"]: one["label"] for one in api.read(w)["diagram"]["nodes"]}
        assert labels[checkout] == "Cashier"


def test_its_tokens_are_counted_like_those_of_any_request(model: Model, data_folder: Path) -> None:
    """By step and person, also of one that found something; where the day's are used up, nothing more is asked.

    No other server counts on its store.
    """
    environment = {"DATA_DIR": str(data_folder), "ASSISTANT_DAY_TOKENS": "5000"}
    with running_store() as url, running(url, "w-metered", **environment) as (server,), Api(server.url) as api:
        enter_server(api, model.url)
        model.brain = small_model(2_000)
        assert attempt(api, "answers")["ok"]
        assert attempt(api, "reads_4k")["code"] == "cut"
        usage = api.ask("GET", "/usage")
        [trial] = usage["by_operation"]
        assert (trial["name"], trial["calls"], trial.get("failed", 0)) == ("trial", 2, 0)
        assert 4_000 < trial["input"] < 5_000
        assert [one["name"] for one in usage["by_provider"]] == ["own"]
        assert usage["limit"]["used_today"] == trial["input"] + trial["output"]
        attempt(api, "reads_4k")
        count = len(model.standin.asked)
        refused = api.send_to("POST", "/assistant/server/trials", json={"step": "tools"}, headers=api.own_origin)
        check_problem(refused, 429, "day_tokens")
        assert len(model.standin.asked) == count


def test_its_key_is_kept_like_any_and_sent_to_no_other_address(data_folder: Path, redis_url: str) -> None:
    """Refused, it is not kept; kept, it is in no answer and no log; at another address it is forgotten."""
    with (
        model_beside(key=KEY, kind="ollama") as keyed,
        model_beside(key="", kind="ollama") as free,
        running(redis_url, "w-keyed", DATA_DIR=str(data_folder), LOG_LEVEL="debug") as (server,),
        Api(server.url) as api,
    ):
        kept = data_folder / "assistant-key-own"
        wrong = check_problem(enter_server(api, keyed.url, api_key="sk-wrong"), 422, "server_unusable")
        assert (wrong["reason"], kept.exists(), "sk-wrong" in str(wrong)) == ("auth", False, False)
        entered = enter_server(api, keyed.url, api_key=KEY)
        assert (kept.read_text().strip(), stat.S_IMODE(kept.stat().st_mode)) == (KEY, 0o600)
        keyed.script[:] = [Turn([Text("Hello.")])]
        assert api.run(api.create(), "hello")["status"] == "answered"
        assert enter_server(api, keyed.url).is_success, "the same address: the key that is kept"
        assert KEY not in entered.text + server.log
        assert look_at_server(api, free.url).is_success
        assert enter_server(api, free.url).is_success
        assert not kept.exists()
        free.script[:] = [Turn([Text("Hello.")])]
        assert api.run(api.create(), "hello")["status"] == "answered"
        assert KEY not in str(free.standin.asked[-1].headers)


@pytest.mark.parametrize(
    "address, words",
    [
        ("http://169.254.169.254/latest", "169.254.169.254"),
        ("http://[fe80::1]/v1", "fe80::1"),
        ("http://0xa9fea9fe/v1", "169.254.169.254"),
        ("http://0.0.0.0:11434", "0.0.0.0"),
        ("http://no-such-host.invalid/v1", "no host"),
    ],
)
def test_nothing_is_asked_where_no_server_may_be(redis_url: str, data_folder: Path, address: str, words: str) -> None:
    """Not link-local, no metadata of clouds, however it is written, and also not while somebody only looks."""
    with running(redis_url, "w-refused", DATA_DIR=str(data_folder)) as (server,), Api(server.url) as api:
        for refused in (look_at_server(api, address), enter_server(api, address)):
            assert words in check_problem(refused, 422, "server_address_refused")["detail"]
        assert not (data_folder / "assistant-server.json").exists()


def test_only_hosts_that_the_operator_named_may_be_entered(model: Model, data_folder: Path, redis_url: str) -> None:
    """Where there is a list; taken out of it later, a server that was entered is asked no more."""
    bare = model.url.removeprefix("http://").removesuffix("/v1")
    environment = {"DATA_DIR": str(data_folder)}
    with running(redis_url, "w-listed", MODEL_HOSTS=bare, **environment) as (server,), Api(server.url) as api:
        refused = check_problem(
            look_at_server(api, f"localhost:{bare.partition(':')[2]}"), 422, "server_address_refused"
        )
        assert "MODEL_HOSTS" in refused["detail"]
        assert enter_server(api, bare).is_success
        assert api.ask("GET", "/assistant")["provider"] == "own"
    with running(redis_url, "w-unlisted", MODEL_HOSTS="other.lan", **environment) as (server,), Api(server.url) as api:
        state = api.ask("GET", "/assistant")
        own = next(one for one in state["providers"] if one["name"] == "own")
        assert (state["provider"], own["is_ready"]) == ("builtin", False)
        assert "MODEL_HOSTS: other.lan" in own["lacks"]


def test_where_people_sign_in_administrators_alone_enter_a_server(
    model: Model, data_folder: Path, redis_url: str
) -> None:
    """At the hosts that are named, and at none by default; others neither look nor see what was entered."""
    bare = model.url.removeprefix("http://").removesuffix("/v1")
    with town(redis_url, "t-none", DATA_DIR=str(data_folder)) as place:
        assert "MODEL_HOSTS" in place.admin.ask("GET", "/assistant")["server"]["lacks"]
        assert "MODEL_HOSTS" in check_problem(look_at_server(place.admin, bare), 422, "provider_unknown")["detail"]
    with town(redis_url, "t-named", MODEL_HOSTS=bare, DATA_DIR=str(data_folder)) as place:
        ben = place.person("Ben")
        for refused in (look_at_server(ben, bare), enter_server(ben, bare)):
            check_problem(refused, 403, "forbidden")
        assert enter_server(place.admin, bare).is_success
        state = ben.ask("GET", "/assistant")
        assert (state["provider"], state["server"]) == ("own", None)


def test_the_doctor_knows_of_it(model: Model, data_folder: Path) -> None:
    """It is who answers where nothing else is set."""
    entered_servers_of(Settings(data_dir=data_folder)).store.save(EnteredServer(address=model.url, model="qwen3"))
    done = CliRunner().invoke(cli.main, ["doctor", "--data-dir", str(data_folder), "--port", "0"])
    assert f"assistant: qwen3 ({model.url.removeprefix('http://').removesuffix('/v1')}) answers" in done.output


async def test_every_request_to_it_is_judged() -> None:
    """The list of models, the check and the turns, also where an address was good when it was entered."""
    standin = KINDS["own"].standin([])
    async with serve(standin) as url:
        reach = Reach(base_url=f"{url}/v1", may_connect=lambda _: False)
        connections = OWN.connect(reach)
        provider = connections.provider("", "qwen3")
        try:
            assert "was not asked" in (await provider.check()).detail
            with pytest.raises(ProviderError, match="was not asked"):
                await told(provider, request(provider.user("hi")))
            with pytest.raises(ProviderError, match="was not asked"):
                await list_models(reach, "")
        finally:
            await connections.close()
        assert (standin.asked, standin.checked) == ([], [])


async def test_what_was_judged_is_what_is_connected_to() -> None:
    """A name is looked up once for a request, and refused where any of its addresses is one that may not be asked."""
    standin, asked = Standin([]), []
    leads_to = ["127.0.0.1"]

    async def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return list(leads_to)

    async with serve(standin) as url:
        port = url.rpartition(":")[2]
        transport = JudgedTransport(lambda address: address == "127.0.0.1", resolve=resolve)
        async with httpx2.AsyncClient(transport=transport, trust_env=False, timeout=TIMEOUT_SECONDS) as client:
            there = f"http://models.invalid:{port}/v1/models"
            answer = await client.get(there, headers={"x-api-key": standin.key, "anthropic-version": "2023-06-01"})
            assert answer.status_code == 200, answer.text
            assert (str(answer.request.url), answer.request.headers["host"]) == (there, f"models.invalid:{port}")
            assert asked == ["models.invalid"]
            leads_to[:] = ["127.0.0.1", "169.254.169.254"]
            with pytest.raises(AddressRefused):
                await client.get(there)
