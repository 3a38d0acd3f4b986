"""Token mode: who is who, what a role gives, share links, keys, delegates, and what is taken away."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from typing import Any

import pytest

from draftsmith.model.ids import WorkspaceId
from draftsmith.usecases.access import sessions
from tests.integration.client import check_problem, node
from tests.integration.people import Town, on_store
from tests.integration.sockets import Message, Page, new_id, page, seated
from tests.kit.fixtures import admin_workspace_fixture, town_fixture

START = {"name": "Shop", "document": {"text": "# Shop\n"}}


place = town_fixture("t-one", "t-two")


w = admin_workspace_fixture(**START)


async def rejected_write(one: Page, *operations: Any) -> Message:
    """Run a batch that is refused; what is said of it."""
    write = await one.say("submit", id=new_id(), operations=list(operations))
    return await one.next("rejected", id=write)


class TestPeople:
    def test_a_stranger_is_nobody_and_gets_nothing(self, place: Town, w: str) -> None:
        stranger = place.stranger()
        me = stranger.ask("GET", "/me")
        assert (me["id"], me["mode"], me["signed_in"], me["is_admin"]) == ("nobody", "token", False, False)
        check_problem(stranger.send_to("GET", f"/workspaces/{w}"), 401, "unauthorized")
        check_problem(stranger.send_to("GET", "/workspaces"), 401, "unauthorized")
        check_problem(stranger.send_to("POST", "/workspaces", json=START), 401, "unauthorized")
        check_problem(stranger.send_to("GET", "/assistant"), 401, "unauthorized")
        assert stranger.get("/").status_code == 200
        assert stranger.get("/healthz").status_code == 200

    def test_the_first_link_makes_an_administrator_once(self, place: Town) -> None:
        link = on_store(place.store_url, sessions.administrator_link)
        first, second = place.stranger(), place.stranger()
        me = first.ask("POST", "/sign-in/link", json={"token": link, "name": "Root"})
        assert (me["name"], me["signed_in"], me["is_admin"]) == ("Root", True, True)
        assert first.ask("GET", "/me") == me
        check_problem(second.send_to("POST", "/sign-in/link", json={"token": link}), 422, "sign_in_failed")
        check_problem(second.send_to("POST", "/sign-in/link", json={"token": "dsl_no"}), 422, "sign_in_failed")

    def test_somebody_who_is_signed_in_sees_what_is_theirs(self, place: Town, w: str) -> None:
        ben = place.person("Ben")
        own = ben.create(**START)
        seen = [one["id"] for one in ben.ask("GET", "/workspaces")["items"]]
        assert (own in seen, w in seen) == (True, False)
        assert ben.read(own)["role"] == "owner"
        check_problem(ben.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        check_problem(ben.send_to("GET", f"/workspaces/{'0' * 26}"), 404, "workspace_not_found")
        check_problem(ben.send_to("PUT", "/assistant/key", json={"api_key": "x" * 20}), 403, "forbidden")
        check_problem(ben.send_to("GET", "/users"), 403, "forbidden")
        check_problem(place.admin.send_to("GET", f"/workspaces/{own}"), 404, "workspace_not_found")

    def test_two_devices_are_one_person_with_one_undo_stack(self, place: Town) -> None:
        here, there = place.person("Cleo"), place.person("Cleo", place.servers[1].url)
        assert here.id == there.id
        own = here.create(**START)
        here.batch(own, node("a"))
        there.ask("POST", f"/workspaces/{own}/undo")
        assert here.nodes(own) == []

    def test_signing_out_everywhere_ends_every_session(self, place: Town) -> None:
        here, there = place.person("Dora"), place.person("Dora")
        assert len(here.ask("GET", "/sessions")["items"]) == 2
        here.ask("DELETE", "/sessions", 204)
        assert there.ask("GET", "/me")["signed_in"] is False

    def test_signing_in_over_a_session_ends_it(self, place: Town) -> None:
        dora = place.person("Dora")
        kept = dict(dora.cookies)
        link = on_store(place.store_url, sessions.administrator_link)
        dora.ask("POST", "/sign-in/link", json={"token": link, "name": "Root"})
        before = place.stranger()
        before.cookies.update(kept)
        assert before.ask("GET", "/me")["signed_in"] is False
        assert dora.ask("GET", "/me")["name"] == "Root"

    def test_signing_out_here_leaves_the_others(self, place: Town) -> None:
        here, there = place.person("Emil"), place.person("Emil")
        kept = dict(here.cookies)
        here.ask("DELETE", "/session", 204)
        here.cookies.update(kept)
        assert here.ask("GET", "/me")["signed_in"] is False, "a cookie that was kept is worth nothing"
        assert there.ask("GET", "/me")["signed_in"] is True

    def test_a_name_is_of_the_person_and_of_each_commit(self, place: Town) -> None:
        fay = place.person("Fay")
        own = fay.create(**START)
        before = fay.batch(own, node("a"))["revision"]
        assert fay.ask("PATCH", "/me", json={"name": "Fay Wray"})["name"] == "Fay Wray"
        after = fay.batch(own, node("b"))["revision"]
        names = [fay.ask("GET", f"/workspaces/{own}/commits/{one}")["actor"]["name"] for one in (before, after)]
        assert names == ["Fay", "Fay Wray"]

    def test_who_is_removed_gets_nothing_any_more(self, place: Town, w: str) -> None:
        gus = place.person("Gus")
        own = gus.create(**START)
        key = gus.ask("POST", "/keys", 201, json={"name": "mine"})["key"]
        token = gus.ask("POST", f"/workspaces/{own}/shares", 201, json={"role": "editor"})["token"]
        guest = place.opened(token)
        assert guest.read(own)["role"] == "editor"
        place.admin.ask("DELETE", f"/users/{gus.id}", 204)
        assert gus.ask("GET", "/me")["signed_in"] is False
        check_problem(place.caller(key=key).send_to("GET", "/me"), 401, "credential_invalid")
        check_problem(guest.send_to("GET", f"/workspaces/{own}"), 404, "workspace_not_found")
        check_problem(place.stranger().send_to("POST", "/shares/open", json={"token": token}), 422, "share_invalid")


class TestShares:
    def test_a_link_gives_its_role_and_no_more(self, place: Town, w: str) -> None:
        viewer = place.holder(w, "viewer")
        assert viewer.read(w)["role"] == "viewer"
        batch = {"operations": [node("a")]}
        said = check_problem(viewer.send_to("POST", f"/workspaces/{w}/batches", json=batch), 403, "forbidden")
        assert "commenter" in said["detail"], "the least that may send batches, to propose them"
        check_problem(viewer.send_to("GET", f"/workspaces/{w}/shares"), 403, "forbidden")
        check_problem(viewer.send_to("POST", f"/workspaces/{w}/runs", json={"prompt": "hello"}), 403, "forbidden")
        assert [one["id"] for one in viewer.ask("GET", "/workspaces")["items"]] == [w]
        editor = place.holder(w, "editor")
        assert editor.batch(w, node("a"))["changed"]
        check_problem(editor.send_to("DELETE", f"/workspaces/{w}"), 403, "forbidden")
        check_problem(editor.send_to("POST", "/workspaces", json=START), 403, "forbidden")

    def test_two_holders_of_one_link_are_two_people(self, place: Town, w: str) -> None:
        token = place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "editor"})["token"]
        one, other = place.opened(token), place.opened(token)
        assert one.id != other.id
        one.batch(w, node("a"))
        other.batch(w, node("b"))
        one.ask("POST", f"/workspaces/{w}/undo")
        assert one.nodes(w) == ["b"]

    def test_a_link_is_listed_without_its_token_and_revoked_at_once(self, place: Town, w: str) -> None:
        made = place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer", "expires_in_hours": 1})
        assert made["url"] == f"{place.url}/s#{made['token']}"
        guest = place.opened(made["token"])
        [listed] = place.admin.ask("GET", f"/workspaces/{w}/shares")["items"]
        assert listed.keys() == {"id", "role", "made_by", "created_at", "until", "used_at", "opens", "picture"}
        assert (listed["made_by"], listed["used_at"] is not None) == ("Ada", True)
        place.admin.ask("DELETE", f"/workspaces/{w}/shares/{made['id']}", 204)
        check_problem(guest.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        check_problem(
            place.stranger().send_to("POST", "/shares/open", json={"token": made["token"]}), 422, "share_invalid"
        )

    async def test_a_revoked_link_closes_its_pages_on_every_worker(self, place: Town, w: str) -> None:
        made = place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "editor"})
        guests = [place.opened(made["token"], server.url) for server in place.servers]
        async with (
            seated(guests[0], w) as one,
            seated(guests[1], w) as other,
            seated(place.admin, w) as owner,
        ):
            assert (await one.submit(node("a")))["changed"]
            place.admin.ask("DELETE", f"/workspaces/{w}/shares/{made['id']}", 204)
            for gone in (one, other):
                assert (await gone.closed())[0] == 4404
            assert (await owner.submit(node("b")))["changed"]

    async def test_a_viewer_hears_everything_and_changes_nothing(self, place: Town, w: str) -> None:
        viewer = place.holder(w, "viewer")
        async with seated(viewer, w) as reading:
            assert (await rejected_write(reading, node("a")))["code"] == "forbidden"
            place.admin.batch(w, node("b"))
            await reading.at(2)
        assert place.admin.nodes(w) == ["b"]

    async def test_a_link_opens_while_who_made_it_may_share(self, place: Town, w: str) -> None:
        """Not by who was taken out, for whoever has it; a page that is open with it closes, and the list says so."""
        eve = place.person("Eve, who shares")
        member = f"/workspaces/{w}/members/{eve.id}"
        place.admin.ask("PUT", member, json={"role": "owner"})
        made = eve.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "editor"})
        guest = place.opened(made["token"])
        async with seated(guest, w) as one:
            place.admin.ask("DELETE", member)
            assert (await one.closed())[0] == 4404
        for who in (guest, eve):
            check_problem(who.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        opening = {"token": made["token"]}
        check_problem(eve.send_to("POST", "/shares/open", json=opening), 422, "share_invalid")
        [listed] = place.admin.ask("GET", f"/workspaces/{w}/shares")["items"]
        assert (listed["id"], listed["opens"]) == (made["id"], False)
        place.admin.ask("PUT", member, json={"role": "owner"})
        assert guest.read(w)["role"] == "editor", "as long as nobody revokes it"

    async def test_a_link_closes_when_who_made_it_administers_no_longer(self, place: Town) -> None:
        """Where only administrators share: in a workspace of local mode."""
        eve = place.person("Eve, administrator", admin=True)
        w = eve.create(**START)
        on_store(place.store_url, lambda needs: needs.stores.workspaces.drop(WorkspaceId(w)))
        guest = place.opened(eve.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer"})["token"])
        async with seated(guest, w) as one:
            place.admin.ask("PATCH", f"/users/{eve.id}", json={"is_admin": False})
            assert (await one.closed())[0] == 4404

    async def test_a_smaller_role_counts_at_once(self, place: Town, w: str) -> None:
        hal = place.person("Hal")
        place.admin.ask("PUT", f"/workspaces/{w}/members/{hal.id}", json={"role": "editor"})
        async with seated(hal, w) as one:
            assert (await one.submit(node("a")))["changed"]
            place.admin.ask("PUT", f"/workspaces/{w}/members/{hal.id}", json={"role": "viewer"})
            assert "role_changed" in (await one.closed())[1]
        async with seated(hal, w) as again:
            assert (await rejected_write(again, node("b")))["code"] == "forbidden"


class TestMembers:
    def test_members_groups_and_everybody(self, place: Town, w: str) -> None:
        ida, jon = place.person("Ida", groups=("team-red",)), place.person("Jon")
        shop = f"/workspaces/{w}"
        check_problem(ida.send_to("GET", shop), 404, "workspace_not_found")
        place.admin.ask("PUT", f"{shop}/groups/team-red", json={"role": "commenter"})
        assert ida.read(w)["role"] == "commenter"
        place.admin.ask("PATCH", f"{shop}/access", json={"everyone": "viewer"})
        assert jon.read(w)["role"] == "viewer"
        place.admin.ask("PUT", f"{shop}/members/{jon.id}", json={"role": "editor"})
        access = jon.ask("GET", f"{shop}/access")
        assert access["members"] == [{"id": jon.id, "name": "Jon", "role": "editor"}]
        assert (access["owner"]["name"], access["everyone"], access["role"]) == ("Ada", "viewer", "editor")
        place.admin.ask("DELETE", f"{shop}/members/{jon.id}")
        place.admin.ask("PATCH", f"{shop}/access", json={"everyone": None})
        check_problem(jon.send_to("GET", shop), 404, "workspace_not_found")
        check_problem(
            place.admin.send_to("PUT", f"{shop}/members/user:nobody", json={"role": "editor"}), 404, "user_not_found"
        )

    def test_ownership_is_transferred(self, place: Town, w: str) -> None:
        kim = place.person("Kim")
        place.admin.ask("POST", f"/workspaces/{w}/transfer", json={"to": kim.id})
        assert (kim.read(w)["role"], place.admin.read(w)["role"]) == ("owner", "editor")
        check_problem(place.admin.send_to("DELETE", f"/workspaces/{w}"), 403, "forbidden")

    def test_what_others_asked_is_theirs_unless_the_owner_opens_it(self, place: Town, w: str) -> None:
        leo = place.holder(w, "commenter")
        run = place.admin.run(w, "what is unconnected", workflow="ask")
        assert leo.ask("GET", f"/workspaces/{w}/runs")["items"] == []
        assert leo.ask("GET", f"/workspaces/{w}/conversation")["items"] == []
        check_problem(leo.send_to("GET", f"/workspaces/{w}/runs/{run['id']}"), 404, "run_not_found")
        check_problem(leo.send_to("GET", f"/workspaces/{w}/runs/{run['id']}/events"), 404, "run_not_found")
        place.admin.ask("PATCH", f"/workspaces/{w}/access", json={"shows_runs": True})
        assert [one["id"] for one in leo.ask("GET", f"/workspaces/{w}/runs")["items"]] == [run["id"]]

    def test_a_commenter_asks_and_proposes_and_accepts_nothing(self, place: Town, w: str) -> None:
        mia = place.holder(w, "commenter")
        run = mia.run(w, "add a queue called Jobs", mode="apply")
        assert run["mode"] == "propose"
        proposal = run["outcome"]["proposal"]
        check_problem(mia.send_to("POST", f"/workspaces/{w}/proposals/{proposal}/accept"), 403, "forbidden")
        place.admin.ask("POST", f"/workspaces/{w}/proposals/{proposal}/accept")
        assert len(place.admin.nodes(w)) == 1

    def test_who_may_only_propose_is_told_which_images_of_an_import_are_not_kept(self, place: Town, w: str) -> None:
        """By each row that names one: a node comes without it, a text says it. What is there already is no loss."""
        image = b'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'
        sha256 = hashlib.sha256(image).hexdigest()
        shown = {"id": "n", "type": "service", "label": "N", "image": f"images/{sha256}.svg"}
        export = {
            "format": "draftsmith/1",
            "diagram": {"nodes": [shown, {"id": "m", "type": "service", "label": "M"}], "edges": []},
            "document": {"text": f"# New\n\n![logo](images/{sha256}.svg)\n"},
            "images": {sha256: {"type": "image/svg+xml", "data": base64.b64encode(image).decode()}},
        }
        body = {"files": [{"path": "shop.json", "content": json.dumps(export)}]}
        mia = place.holder(w, "commenter")
        found = mia.ask("POST", f"/workspaces/{w}/imports", json=body)
        with_image, without, text = found["new"]
        assert with_image["reason"] == "its image is not kept, so it comes without it"
        assert text["reason"] == "images that it shows are not kept, so nothing is seen in their places"
        assert (without["reason"], found["unread"][0]["text"]) == ("", "1 image")
        assert "takes the role editor" in found["unread"][0]["reason"]
        operations = [one for row in found["new"] for one in row["operations"]]
        batch = {"operations": operations, "propose": True}
        proposed = mia.ask("POST", f"/workspaces/{w}/batches", 201, json=batch)
        place.admin.ask("POST", f"/workspaces/{w}/proposals/{proposed['id']}/accept")
        assert not any(one["image"] for one in place.admin.read(w)["diagram"]["nodes"])
        place.admin.ask("POST", f"/workspaces/{w}/imports", json=body)
        kept = mia.ask("POST", f"/workspaces/{w}/imports", json=body)
        assert kept["unread"] == []
        [changed] = kept["changed"]
        assert (changed["reason"], changed["operations"][0]["image"]) == ("", f"images/{sha256}.svg")


class TestKeys:
    def test_a_personal_key_acts_as_its_person_within_its_role(self, place: Town) -> None:
        ned = place.person("Ned")
        own = ned.create(**START)
        key = ned.ask("POST", "/keys", 201, json={"name": "ci", "role": "viewer"})
        program = place.caller(key=key["key"])
        assert (program.id, program.read(own)["role"]) == (ned.id, "viewer")
        check_problem(program.send_to("POST", f"/workspaces/{own}/nodes", json={}), 403, "forbidden")
        [listed] = ned.ask("GET", "/keys")["items"]
        assert "key" not in listed
        assert listed["used_at"] is not None
        ned.ask("DELETE", f"/keys/{key['id']}", 204)
        check_problem(program.send_to("GET", "/me"), 401, "credential_invalid")

    def test_only_administrators_make_keys_that_administer_or_act_for_others(self, place: Town) -> None:
        ola = place.person("Ola")
        for body in ({"admin": True}, {"delegate": True}, {"personal": False}):
            check_problem(ola.send_to("POST", "/keys", json={"name": "x", **body}), 403, "forbidden")

    def test_an_application_acts_for_its_people_in_its_own_workspaces(self, place: Town, w: str) -> None:
        key = place.key(delegate=True, personal=False)
        pia = place.caller(key=key, acts_for=json.dumps({"id": "42", "name": "Pia"}))
        rob = place.caller(key=key, acts_for=json.dumps({"id": "43", "name": "Rob"}))
        application = place.caller(key=key)
        assert pia.id.endswith("/42")
        own = pia.create(**START, external_id="order-7")
        again = pia.send_to("POST", "/workspaces", json={**START, "external_id": "order-7"})
        assert (again.status_code, again.json()["id"]) == (201, own)
        assert pia.batch(own, node("a"))["changed"]
        assert pia.ask("GET", f"/workspaces/{own}/commits/2")["actor"]["name"] == "Pia"
        check_problem(rob.send_to("GET", f"/workspaces/{own}"), 404, "workspace_not_found")
        application.ask("PUT", f"/workspaces/{own}/members/{rob.id}", json={"role": "viewer"})
        assert rob.read(own)["role"] == "viewer"
        assert application.read(own)["role"] == "owner"
        check_problem(application.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        check_problem(place.admin.send_to("GET", f"/workspaces/{own}"), 404, "workspace_not_found")

    @pytest.mark.parametrize(
        "said",
        [
            "",
            "Pia",
            "[]",
            "{}",
            '{"id": 1, "name": "x"}',
            '{"id": "a b", "name": "x"}',
            '{"id": "1", "name": ""}',
            '{"id": "1", "name": "x", "role": "owner"}',
        ],
    )
    def test_whom_it_acts_for_is_read_strictly(self, place: Town, said: str) -> None:
        key = place.key(delegate=True, personal=False)
        check_problem(place.caller(key=key, acts_for=said).send_to("GET", "/me"), 401, "credential_invalid")

    def test_other_keys_act_for_nobody(self, place: Town) -> None:
        said = json.dumps({"id": "42", "name": "Pia"})
        check_problem(place.caller(key=place.key(), acts_for=said).send_to("GET", "/me"), 401, "credential_invalid")
        check_problem(place.caller(acts_for=said).send_to("GET", "/me"), 401, "credential_invalid")

    @pytest.mark.parametrize("shown", ["Bearer", "Bearer dsk_none", "Basic YTpi", "dsk_none", "Bearer a.b.c"])
    def test_a_wrong_credential_is_refused_and_not_passed_over(self, place: Town, shown: str) -> None:
        answer = place.admin.send_to("GET", "/me", headers={"Authorization": shown})
        check_problem(answer, 401, "credential_invalid")

    def test_a_key_of_nobody_stops_with_who_made_it_and_is_taken_over(self, place: Town) -> None:
        """With a new secret, since whoever made it knows the old one; the application keeps its workspaces."""
        eve = place.person("Eve, who leaves", admin=True)
        made = eve.ask("POST", "/keys", 201, json={"name": "shop", "delegate": True})
        assert (made["made_by"], made["works"]) == (eve.id, True)
        own = place.caller(key=made["key"]).create(**START)
        place.admin.ask("DELETE", f"/users/{eve.id}", 204)
        check_problem(place.caller(key=made["key"]).send_to("GET", "/me"), 401, "credential_invalid")
        audit = place.admin.ask("GET", "/audit", params={"limit": 10})["items"]
        stopped = [one["detail"] for one in audit if one["what"] == "key.stopped" and made["id"] in one["detail"]]
        assert stopped == [f"shop ({made['id']})"]
        assert not self.listed(place, made["id"])["works"]
        taken = place.admin.ask("POST", f"/keys/{made['id']}/take-over", 201)
        assert (taken["id"], taken["made_by"], taken["works"]) == (made["id"], place.admin.id, True)
        assert place.caller(key=taken["key"]).read(own)["role"] == "owner"
        check_problem(place.caller(key=made["key"]).send_to("GET", "/me"), 401, "credential_invalid")
        assert self.listed(place, made["id"])["works"]

    def listed(self, place: Town, key_id: str) -> dict[str, Any]:
        [found] = [one for one in place.admin.ask("GET", "/keys")["items"] if one["id"] == key_id]
        return dict(found)

    def test_a_key_gives_no_right_back_and_waits_for_who_made_it(self, place: Town) -> None:
        """Who is demoted cannot make herself an administrator with her key; once she is one again, it works again."""
        eve = place.person("Eve, demoted", admin=True)
        bodies: list[dict[str, Any]] = [{"personal": False}, {"personal": True}]
        programs = [
            place.caller(key=eve.ask("POST", "/keys", 201, json={"name": "x", "admin": True, **body})["key"])
            for body in bodies
        ]
        users = f"/users/{eve.id}"
        place.admin.ask("PATCH", users, json={"is_admin": False})
        for program in programs:
            assert program.send_to("PATCH", users, json={"is_admin": True}).status_code in (401, 403)
            assert program.send_to("GET", "/users").status_code in (401, 403)
        place.admin.ask("PATCH", users, json={"is_admin": True})
        for program in programs:
            assert program.ask("GET", "/users")["items"]

    def test_what_a_key_of_nobody_makes_is_of_whoever_answers_for_it(self, place: Town) -> None:
        """Also through another key in between."""
        eve = place.person("Eve, with keys", admin=True)
        body = {"name": "x", "admin": True, "personal": False}
        first = place.caller(key=eve.ask("POST", "/keys", 201, json=body)["key"])
        second = first.ask("POST", "/keys", 201, json=body)
        assert second["made_by"] == eve.id
        place.admin.ask("DELETE", f"/users/{eve.id}", 204)
        check_problem(place.caller(key=second["key"]).send_to("GET", "/users"), 401, "credential_invalid")

    def test_personal_keys_are_not_taken_over(self, place: Town) -> None:
        ola = place.person("Ola, with a key")
        made = ola.ask("POST", "/keys", 201, json={"name": "mine"})
        check_problem(place.admin.send_to("POST", f"/keys/{made['id']}/take-over"), 404, "key_not_found")
        check_problem(ola.send_to("POST", f"/keys/{made['id']}/take-over"), 403, "forbidden")
        assert place.caller(key=made["key"]).id == ola.id

    @pytest.mark.parametrize("role", ["viewer", "commenter", "editor", "owner"])
    def test_a_limited_key_changes_nothing_but_through_its_role(self, place: Town, role: str) -> None:
        """Not even what its person may by themselves; one that edits makes workspaces, too."""
        pat = place.person(f"Pat, {role}")
        other = place.person(f"Pat, {role}")
        made = pat.ask("POST", "/keys", 201, json={"name": "ci", "role": role})
        program = place.caller(key=made["key"])
        [session, *_] = pat.ask("GET", "/sessions")["items"]
        asked = [
            ("PATCH", "/me", {"name": "Eve"}), ("DELETE", "/sessions", None), ("DELETE", f"/keys/{made['id']}", None),
            ("DELETE", f"/sessions/{session['id']}", None), ("POST", "/keys", {"name": "more"}),
        ]  # fmt: skip
        for method, path, body in asked:
            check_problem(program.send_to(method, path, **({"json": body} if body else {})), 403, "forbidden")
        makes = 201 if role in ("editor", "owner") else 403
        assert program.send_to("POST", "/workspaces", json=START).status_code == makes
        assert program.send_to("POST", "/folders", json={"name": "Mine"}).status_code == makes
        for path in ("/me", "/sessions", "/keys", "/workspaces"):
            program.ask("GET", path)
        assert (pat.ask("GET", "/me")["name"], other.ask("GET", "/me")["signed_in"]) == (f"Pat, {role}", True)

    @pytest.mark.parametrize("name", ["Draftsmith-Actor", "Authorization"])
    def test_a_header_that_says_who_asks_is_there_once(self, place: Town, name: str) -> None:
        """Whoever stands in front of this server may have read the other one."""
        key = place.key(delegate=True, personal=False)
        actor = json.dumps({"id": "42", "name": "Pia"})
        shown = [("Authorization", f"Bearer {key}"), ("Draftsmith-Actor", actor)]
        again = [(one, value) for one, value in shown if one == name]
        for method, path in (("GET", "/api/v1/me"), ("POST", "/api/v1/workspaces"), ("POST", "/mcp")):
            headers = [("Content-Type", "application/json"), *shown, *again]
            answer = place.stranger().request(method, path, content=b"{}", headers=headers)
            check_problem(answer, 400, "header_repeated")

    async def test_a_revoked_key_closes_what_is_open_with_it(self, place: Town, w: str) -> None:
        made = place.admin.ask("POST", "/keys", 201, json={"name": "socket"})
        bearer = {"Authorization": f"Bearer {made['key']}"}
        async with seated(place.admin, w, headers=bearer) as one:
            place.admin.ask("DELETE", f"/keys/{made['id']}", 204)
            assert (await one.closed())[0] == 4401


class TestAudit:
    def test_owners_see_who_changed_who_may_what(self, place: Town, w: str) -> None:
        sue = place.person("Sue")
        place.admin.ask("PUT", f"/workspaces/{w}/members/{sue.id}", json={"role": "viewer"})
        place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer"})
        found = place.admin.ask("GET", f"/workspaces/{w}/audit")["items"]
        assert [(one["what"], one["name"], one["address"]) for one in found] == [
            ("share.created", "Ada", "127.0.0.1"),
            ("member.set", "Ada", "127.0.0.1"),
        ]
        lines = place.admin.get(f"/api/v1/workspaces/{w}/audit", headers={"Accept": "application/x-ndjson"})
        assert [json.loads(line) for line in lines.text.splitlines()] == found
        first = place.admin.ask("GET", f"/workspaces/{w}/audit", params={"limit": 1})
        older = {"limit": 1, "cursor": first["next_cursor"]}
        assert place.admin.ask("GET", f"/workspaces/{w}/audit", params=older)["items"] == found[1:]
        check_problem(sue.send_to("GET", f"/workspaces/{w}/audit"), 403, "forbidden")

    def test_no_secret_is_in_the_logs(self, place: Town, w: str) -> None:
        key = place.key()
        place.caller(key=key).ask("GET", "/me")
        token = place.admin.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer"})["token"]
        place.opened(token)
        said = "".join(server.log for server in place.servers)
        assert key not in said
        assert token not in said


class TestTickets:
    async def test_a_ticket_opens_once_and_ends_with_what_it_was_issued_for(self, place: Town, w: str) -> None:
        made = place.admin.ask("POST", "/keys", 201, json={"name": "tickets"})
        program = place.caller(key=made["key"])
        ticket = program.ask("POST", f"/workspaces/{w}/live-tickets", 201)["ticket"]
        stranger = place.stranger()
        async with seated(stranger, w, ticket=ticket) as one:
            assert one.heard[0]["me"]["id"] == place.admin.id
            place.admin.ask("DELETE", f"/keys/{made['id']}", 204)
            assert (await one.closed())[0] == 4401
        with pytest.raises(Exception, match="401"):
            async with page(stranger, w, ticket=ticket):
                await asyncio.sleep(0)
