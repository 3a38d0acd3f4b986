"""The commands `token` and `user`, as an operator types them beside a running server; and the way back in."""

from __future__ import annotations

import asyncio
import json
import re

from click.testing import CliRunner, Result

from draftsmith.cli.group import main
from tests.integration.client import check_problem, node
from tests.integration.people import Town
from tests.integration.sockets import seated
from tests.kit.fixtures import admin_workspace_fixture, town_fixture

START = {"name": "Shop", "document": {"text": "# Shop\n"}}


place = town_fixture("commands")


w = admin_workspace_fixture(**START)


def draftsmith(place: Town, *arguments: str, code: int = 0) -> Result:
    """Run a command on the store of the server; it must end with this exit code."""
    result = CliRunner().invoke(main, list(arguments), env={"REDIS_URL": place.store_url})
    assert result.exit_code == code, result.output
    return result


class TestTokens:
    def test_who_has_lost_every_link_gets_in_again(self, place: Town) -> None:
        """With the data folder or the address of the store: a key, and a link that makes an administrator, once."""
        done = draftsmith(place, "token", "create", "--admin")
        key = done.stdout.strip()
        found = re.search(r"/sign-in#(dsl_\S+)", done.stderr)
        assert found is not None, done.stderr
        back = place.stranger()
        me = back.ask("POST", "/sign-in/link", json={"token": found[1], "name": "Ada again"})
        assert (me["signed_in"], me["is_admin"]) == (True, True)
        again = place.stranger().send_to("POST", "/sign-in/link", json={"token": found[1]})
        check_problem(again, 422, "sign_in_failed")
        assert place.caller(key=key).ask("GET", "/users")["items"]

    def test_a_key_of_nobody_acts_as_itself_within_its_role(self, place: Town, w: str) -> None:
        made = draftsmith(place, "token", "create", "--name", "ci", "--role", "viewer", "--days", "90")
        program = place.caller(key=made.stdout.strip())
        assert (program.ask("GET", "/me")["name"], program.ask("GET", "/me")["is_admin"]) == ("ci", False)
        check_problem(program.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        place.admin.ask("PATCH", f"/workspaces/{w}/access", json={"everyone": "editor"})
        assert program.read(w)["role"] == "viewer"
        check_problem(program.send_to("GET", "/users"), 403, "forbidden")

    def test_a_key_of_an_application_acts_for_its_people(self, place: Town) -> None:
        made = draftsmith(place, "token", "create", "--delegate", "--name", "shop")
        person = place.caller(key=made.stdout.strip(), acts_for=json.dumps({"id": "42", "name": "Pia"}))
        assert person.ask("GET", "/me")["name"] == "Pia"
        assert person.read(person.create(**START))["role"] == "owner"

    async def test_are_listed_without_secrets_and_revoked_at_once(self, place: Town, w: str) -> None:
        made = await asyncio.to_thread(draftsmith, place, "token", "create", "--name", "gone")
        secret = made.stdout.strip()
        program = place.caller(key=secret)
        place.admin.ask("PATCH", f"/workspaces/{w}/access", json={"everyone": "editor"})
        listed = (await asyncio.to_thread(draftsmith, place, "token", "list")).stdout
        [line] = [line for line in listed.splitlines() if line.endswith("gone")]
        assert secret not in listed
        async with seated(program, w) as one:
            await asyncio.to_thread(draftsmith, place, "token", "revoke", line.split()[0])
            await one.closed()
        check_problem(program.send_to("GET", "/me"), 401, "credential_invalid")
        missing = await asyncio.to_thread(draftsmith, place, "token", "revoke", line.split()[0], code=1)
        assert "There is no such key" in missing.output


class TestPeople:
    def test_are_listed_made_administrators_and_removed(self, place: Town) -> None:
        ben = place.person("Ben")
        own = ben.create(**START)
        listed = draftsmith(place, "user", "list").stdout
        assert re.search(rf"^{re.escape(ben.id)} +Ben$", listed, re.MULTILINE), listed
        draftsmith(place, "user", "admin", ben.id)
        assert ben.ask("GET", "/users")["items"]
        draftsmith(place, "user", "admin", ben.id, "--off")
        check_problem(ben.send_to("GET", "/users"), 403, "forbidden")
        ben.batch(own, node("a"))
        assert f"Removed {ben.id}" in draftsmith(place, "user", "remove", ben.id).output
        assert ben.ask("GET", "/me")["signed_in"] is False
        assert ben.id not in draftsmith(place, "user", "list").stdout
        assert "There is no such person" in draftsmith(place, "user", "remove", ben.id, code=1).output

    def test_who_was_removed_is_let_in_again(self, place: Town) -> None:
        gus = place.person("Gus").id
        draftsmith(place, "user", "remove", gus)
        assert re.search(rf"^{gus} .*  Gus$", draftsmith(place, "user", "removed").stdout, re.MULTILINE)
        assert "Gus may sign in again" in draftsmith(place, "user", "let-in", gus).output
        assert gus not in draftsmith(place, "user", "removed").stdout
        assert "Nobody was removed" in draftsmith(place, "user", "let-in", gus, code=1).output

    def test_keys_that_stop_with_somebody_are_named_and_taken_over(self, place: Town) -> None:
        """By the machine's operator, for the installation: then they stop with nobody."""
        eve = place.person("Eve", admin=True)
        made = eve.ask("POST", "/keys", 201, json={"name": "shop", "delegate": True})
        assert made["id"] in draftsmith(place, "user", "admin", eve.id, "--off").output
        [line] = [line for line in draftsmith(place, "token", "list").stdout.splitlines() if made["id"] in line]
        assert f"made by {eve.id}" in line
        assert "stopped" in line
        assert made["id"] in draftsmith(place, "user", "remove", eve.id).output
        secret = draftsmith(place, "token", "take-over", made["id"]).stdout.strip()
        assert place.caller(key=secret).ask("GET", "/me")["name"] == "shop"
        [line] = [line for line in draftsmith(place, "token", "list").stdout.splitlines() if made["id"] in line]
        assert "made by" not in line
        assert "stopped" not in line

    def test_the_last_administrator_stays(self, place: Town) -> None:
        admins = [one["id"] for one in place.admin.ask("GET", "/users")["items"] if one["is_admin"]]
        for one in admins:
            if one != place.admin.id:
                draftsmith(place, "user", "admin", one, "--off")
        refused = draftsmith(place, "user", "remove", place.admin.id, code=1)
        assert "administrator" in refused.output
        assert place.admin.ask("GET", "/me")["is_admin"] is True
