"""The rights in the store that docs/operating.md names are those that the product needs, and no more are used."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from click.testing import CliRunner, Result

from draftsmith.adapters.doctor.doctor import ServerSetup, examine
from draftsmith.cli.group import main
from tests.integration.client import check_problem, node
from tests.integration.people import town
from tests.integration.sockets import seated
from tests.integration.stores import OwnStore

DOCS = Path(__file__).parents[2] / "docs" / "operating.md"
SAMPLE = {"name": "Checkout platform", "template": "sample"}
Grant = Callable[..., str]


def documented() -> list[str]:
    """The words of the ACL SETUSER command that the page shows, from the name of the user on."""
    found = re.search(r"^ACL SETUSER (draftsmith .*?)\n```", DOCS.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1].replace("\\\n", " ").replace("PASSWORD", "s3cret").split()


@pytest.fixture
def grant(own_store: OwnStore) -> Iterator[Grant]:
    """Make the documented user, perhaps with a change to its rights; the URL with which it connects."""
    with redis.Redis.from_url(own_store.url) as client:

        def granted(*changes: str) -> str:
            client.execute_command("ACL SETUSER", *documented(), *changes)
            client.acl_log_reset()
            return own_store.url.replace("unix://", "unix://draftsmith:s3cret@")

        yield granted


def refused_commands(store: OwnStore) -> list[str]:
    """What the store has refused anybody."""
    with redis.Redis.from_url(store.url, decode_responses=True) as client:
        told = [f"{one['reason']} {one['object']}" for one in client.acl_log()]
    return [one for one in told if one != "command client|setinfo"]  # which older servers do not have


async def test_a_round_of_the_product_needs_no_other_rights(own_store: OwnStore, grant: Grant, tmp_path: Path) -> None:
    """Everything by people, programs, pages, the assistant and the commands, as a user with the documented rights."""
    url = grant()
    with town(url, "rights") as place:
        ada = place.admin
        w = ada.create(**SAMPLE)
        async with seated(ada, w) as page:
            await page.submit(node("live"))
            ada.batch(w, node("rest"), headers={"Idempotency-Key": "once-and-again"})
            ada.batch(w, node("rest"), headers={"Idempotency-Key": "once-and-again"})
            ada.ask("POST", f"/workspaces/{w}/undo")
            ada.ask("POST", f"/workspaces/{w}/redo")
            await page.until(lambda: len(page.commits) >= 4)
        run = {"prompt": "add a cache called Sessions"}
        ada.ask("POST", f"/workspaces/{w}/runs", json=run)
        ada.ask("POST", f"/workspaces/{w}/batches", 201, json={"operations": [node("asked")], "propose": True})
        [proposal] = ada.ask("GET", f"/workspaces/{w}/proposals")["items"]
        ada.ask("POST", f"/workspaces/{w}/proposals/{proposal['id']}/accept")
        ada.ask("POST", f"/workspaces/{w}/checkpoints", 201, json={"name": "Now"})
        ada.ask("GET", "/usage")
        folder = ada.ask("POST", "/folders", 201, json={"name": "Shelf"})["id"]
        ada.ask("PUT", f"/workspaces/{w}/folder", json={"folder": folder})
        ben = place.holder(w, "editor")
        ben.batch(w, node("ben"))
        share = ada.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer"})
        ada.ask("DELETE", f"/workspaces/{w}/shares/{share['id']}", 204)
        program = place.caller(key=place.key(name="ci", role="editor"))
        assert program.ask("GET", "/me")["name"]
        assert ada.ask("GET", "/workspaces?q=check&sort=name")["items"]
        assert ada.get("/readyz").json() == {"status": "ok"}
        gone = ada.create(name="Gone")
        ada.ask("DELETE", f"/workspaces/{gone}", 204)
        assert ada.ask("GET", "/workspaces?trash=true")["items"]
        for words in (["token", "list"], ["backup", str(tmp_path / "all")], ["export", w],
                      ["recover", str(tmp_path / "all"), "--as-copies"]):  # fmt: skip
            env = {"REDIS_URL": url, "DATA_DIR": str(tmp_path / "d")}
            done: Result = await asyncio.to_thread(CliRunner().invoke, main, words, env=env)
            assert done.exit_code == 0, done.output
    checks = examine(ServerSetup(host="127.0.0.1", port=0, data_dir=tmp_path / "d", redis_url=url, mode="local"))
    of_the_store = [check for check in checks if check.name.startswith(("store", "durability", "eviction"))]
    assert {check.status for check in of_the_store} == {"ok"}
    assert refused_commands(own_store) == []


def test_a_right_that_is_missing_is_named(own_store: OwnStore, grant: Grant, tmp_path: Path) -> None:
    """In answers and by the doctor, and not as a wrong password."""
    url = grant()
    with town(url, "narrow") as place:
        grant("-xadd")
        answer = place.admin.send_to("POST", "/workspaces", json={"name": "Shop"})
        assert "permit the 'xadd' command" in check_problem(answer, 503, "storage_down")["detail"]
    url = grant("+xadd", "-set")
    checks = {
        check.name: check
        for check in examine(ServerSetup(host="127.0.0.1", port=0, data_dir=tmp_path, redis_url=url, mode="local"))
    }
    assert checks["store answers"].status == "ok"
    assert "'set' command" in checks["store writes"].detail
    assert "password" not in checks["store writes"].detail
    wrong = url.replace("s3cret", "other")
    told = next(
        check
        for check in examine(ServerSetup(host="127.0.0.1", port=0, data_dir=tmp_path, redis_url=wrong, mode="local"))
        if check.name == "store answers"
    )
    assert "user and password" in told.detail
