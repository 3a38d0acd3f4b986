"""Folders of workspaces: the roles that they give below, what moving and deleting does, and what is taken away."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from draftsmith.access.folders import MOST_DEPTH
from tests.integration.client import Api, check_problem, node
from tests.integration.people import Caller, Town
from tests.integration.sockets import seated
from tests.kit.fixtures import town_fixture
from tests.timeouts import TIMEOUT_SECONDS

START = {"name": "Shop", "document": {"text": "# Shop\n"}}
DEPOT = {"name": "Depot"}
"""To be told apart, in a list, from what other tests have opened to everybody."""


place = town_fixture("f-one", "f-two")


def new_folder(who: Api, name: str = "Team", parent: str | None = None) -> str:
    """Make a folder; its id."""
    found: str = who.ask("POST", "/folders", 201, json={"name": name, "parent": parent})["id"]
    return found


def give(owner: Api, where: str, who: Caller, role: str) -> None:
    owner.ask("PUT", f"/folders/{where}/members/{who.id}", json={"role": role})


def put(who: Api, w: str, into: str | None) -> Any:
    return who.ask("PUT", f"/workspaces/{w}/folder", json={"folder": into})


def listed(who: Api, **query: Any) -> dict[str, str | None]:
    """The workspaces that somebody sees, with the folder in which they see each."""
    return {one["id"]: one["folder"] for one in who.ask("GET", "/workspaces", params=query)["items"]}


class TestRoles:
    def test_are_inherited_from_all_folders_around_and_the_larger_counts(self, place: Town) -> None:
        ann, ben, cleo = (place.person(name) for name in ("Ann", "Ben", "Cleo"))
        ops = place.person("Olaf", groups=("ops",))
        top = new_folder(ann, "Top")
        inner = new_folder(ann, "Inner", top)
        w = ann.create(**START, folder=inner)
        check_problem(ben.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        give(ann, top, ben, "viewer")
        assert ben.read(w)["role"] == "viewer"
        check_problem(ben.send_to("POST", f"/workspaces/{w}/nodes", json={}), 403, "forbidden")
        give(ann, inner, ben, "editor")
        assert ben.batch(w, node("a"))["changed"]
        ann.ask("PUT", f"/workspaces/{w}/members/{ben.id}", json={"role": "viewer"})
        assert ben.read(w)["role"] == "editor", "never less than what the folder gives"
        ann.ask("PUT", f"/folders/{top}/groups/ops", json={"role": "commenter"})
        assert ops.read(w)["role"] == "commenter"
        ann.ask("PATCH", f"/folders/{inner}/access", json={"everyone": "viewer"})
        assert (cleo.read(w)["role"], listed(cleo)[w]) == ("viewer", inner)
        key = ben.ask("POST", "/keys", 201, json={"name": "ci", "role": "viewer"})["key"]
        assert place.caller(key=key).read(w)["role"] == "viewer"
        told = cleo.ask("GET", f"/workspaces/{w}/access")
        assert [one["name"] for one in told["inherited"]] == ["Inner"], "Top is not hers to see"
        told = ann.ask("GET", f"/workspaces/{w}/access")["inherited"]
        assert [(one["name"], [member["role"] for member in one["members"]]) for one in told] == [
            ("Inner", ["editor"]),
            ("Top", ["viewer"]),
        ]

    def test_of_links_and_applications_come_from_no_folder(self, place: Town) -> None:
        """A guest sees the workspace of the link and no folder; an application reaches what it made alone."""
        ann = place.person("Ann L")
        shared = new_folder(ann)
        ann.ask("PATCH", f"/folders/{shared}/access", json={"everyone": "editor"})
        w, beside = (ann.create(**START, folder=shared) for _ in range(2))
        token = ann.ask("POST", f"/workspaces/{w}/shares", 201, json={"role": "viewer"})["token"]
        guest = place.opened(token)
        assert (guest.read(w)["role"], listed(guest)) == ("viewer", {w: None})
        assert guest.ask("GET", "/folders")["items"] == []
        check_problem(guest.send_to("GET", f"/folders/{shared}"), 404, "folder_not_found")
        check_problem(guest.send_to("GET", f"/workspaces/{beside}"), 404, "workspace_not_found")
        assert guest.ask("GET", f"/workspaces/{w}/access")["inherited"] == []
        key = place.key(delegate=True, personal=False)
        pia = place.caller(key=key, acts_for=json.dumps({"id": "42", "name": "Pia"}))
        check_problem(pia.send_to("POST", "/workspaces", json={**START, "folder": shared}), 404, "folder_not_found")
        check_problem(pia.send_to("POST", "/folders", json={"name": "x"}), 403, "forbidden")
        assert listed(pia) == {}
        own = pia.create(**START)
        check_problem(pia.send_to("PUT", f"/workspaces/{own}/folder", json={"folder": shared}), 404, "folder_not_found")

    @pytest.mark.parametrize("taken", ["member", "move out", "move folder", "delete", "person"])
    async def test_that_are_taken_close_at_once_all_that_is_open_below(self, place: Town, taken: str) -> None:
        """On every worker; what is open elsewhere stays."""
        ann, ben = place.person(f"Ann {taken}"), place.person(f"Ben {taken}", place.servers[1].url)
        top = new_folder(ann, "Top")
        inner = new_folder(ann, "Inner", top)
        w, other = ann.create(**START, folder=inner), ann.create(**START)
        give(ann, top, ben, "editor")
        ann.ask("PUT", f"/workspaces/{other}/members/{ben.id}", json={"role": "viewer"})
        async with seated(ben, w) as one, seated(ann, w) as owner, seated(ben, other) as elsewhere:
            if taken == "member":
                ann.ask("DELETE", f"/folders/{top}/members/{ben.id}")
            elif taken == "move out":
                put(ann, w, None)
            elif taken == "move folder":
                ann.ask("PATCH", f"/folders/{inner}", json={"parent": None})
            elif taken == "delete":
                ann.ask("DELETE", f"/folders/{top}?contents=move_up", 204)
            else:
                place.admin.ask("DELETE", f"/users/{ben.id}", 204)
            assert (await one.closed())[0] == (4401 if taken == "person" else 4404)
            if taken != "person":
                check_problem(ben.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
                assert elsewhere.end is None
            assert owner.end is None

    def test_go_to_the_administrators_with_the_folders_of_who_is_removed(self, place: Town) -> None:
        ann, ben = place.person("Ann gone"), place.person("Ben stays")
        lost, bens = new_folder(ann, "Lost"), new_folder(ben, "Bens")
        w = ann.create(**START, folder=lost)
        give(ben, bens, ann, "editor")
        check_problem(place.admin.send_to("GET", f"/workspaces/{w}"), 404, "workspace_not_found")
        place.admin.ask("DELETE", f"/users/{ann.id}", 204)
        assert place.admin.ask("GET", f"/folders/{lost}/access")["owner"] is None
        assert place.admin.read(w)["role"] == "owner"
        assert ben.ask("GET", f"/folders/{bens}/access")["members"] == []
        place.admin.ask("POST", f"/folders/{lost}/transfer", json={"to": ben.id})
        assert ben.read(w)["role"] == "owner"
        check_problem(place.admin.send_to("GET", f"/folders/{lost}"), 404, "folder_not_found")


class TestPlaces:
    def test_moving_takes_an_owner_and_an_editor_of_the_folder(self, place: Town) -> None:
        ann, ben = place.person("Ann M"), place.person("Ben M")
        anns, bens = ann.create(**START), ben.create(**START)
        target = new_folder(ann)
        check_problem(ben.send_to("PUT", f"/workspaces/{bens}/folder", json={"folder": target}), 404,
                      "folder_not_found")  # fmt: skip
        give(ann, target, ben, "viewer")
        check_problem(ben.send_to("PUT", f"/workspaces/{bens}/folder", json={"folder": target}), 403, "forbidden")
        check_problem(ben.send_to("POST", "/workspaces", json={**START, "folder": target}), 403, "forbidden")
        check_problem(ben.send_to("POST", "/folders", json={"name": "x", "parent": target}), 403, "forbidden")
        give(ann, target, ben, "editor")
        assert put(ben, bens, target)["folder"] == target
        assert ann.read(bens)["role"] == "owner", "who owns a folder owns what others put into it"
        put(ann, anns, target)
        assert ben.read(anns)["role"] == "editor"
        check_problem(ben.send_to("PUT", f"/workspaces/{anns}/folder", json={"folder": None}), 403, "forbidden")
        check_problem(ben.send_to("PATCH", f"/folders/{target}", json={"parent": None}), 403, "forbidden")
        assert ben.ask("PATCH", f"/folders/{target}", json={"name": "  Ours \n two "})["name"] == "Ours two"
        told = [(one["what"], one["name"]) for one in ann.ask("GET", f"/workspaces/{bens}/audit")["items"]]
        assert told == [("folder.changed", "Ben M")]
        told = [(one["what"], one["name"]) for one in ann.ask("GET", f"/folders/{target}/audit")["items"]]
        assert told[0] == ("folder.changed", "Ben M")
        assert told[-1] == ("folder.created", "Ann M")

    def test_a_folder_goes_when_it_is_empty_or_its_contents_move_up(self, place: Town) -> None:
        """What is in the trash moves up in any case, and comes back where the folder lay."""
        ann = place.person("Ann D")
        top = new_folder(ann, "Top")
        middle = new_folder(ann, "Middle", top)
        inner = new_folder(ann, "Inner", middle)
        w, trashed = ann.create(**DEPOT, folder=middle), ann.create(**DEPOT, folder=middle)
        ann.ask("DELETE", f"/workspaces/{trashed}", 204)
        check_problem(ann.send_to("DELETE", f"/folders/{middle}"), 409, "folder_not_empty")
        ann.ask("DELETE", f"/folders/{middle}?contents=move_up", 204)
        check_problem(ann.send_to("GET", f"/folders/{middle}"), 404, "folder_not_found")
        assert listed(ann, q="depot") == {w: top}
        assert ann.ask("GET", f"/folders/{inner}")["parent"] == top
        assert ann.ask("POST", f"/workspaces/{trashed}/undelete")["folder"] == top
        ann.ask("DELETE", f"/folders/{inner}", 204)
        put(ann, w, None)
        ann.ask("DELETE", f"/workspaces/{trashed}", 204)
        ann.ask("DELETE", f"/folders/{top}", 204)
        assert not {top, middle, inner} & {one["id"] for one in ann.ask("GET", "/folders")["items"]}
        assert ann.ask("POST", f"/workspaces/{trashed}/undelete")["folder"] is None

    def test_the_list_is_of_one_folder_of_none_or_of_all(self, place: Town) -> None:
        ann, ben = place.person("Ann A"), place.person("Ben A")
        top = new_folder(ann, "Top")
        inner = new_folder(ann, "Inner", top)
        free, upper, lower = ann.create(**DEPOT), ann.create(**DEPOT, folder=top), ann.create(**DEPOT, folder=inner)
        assert listed(ann, q="depot") == {free: None, upper: top, lower: inner}
        assert listed(ann, folder=top) == {upper: top}
        assert listed(ann, q="depot", folder="none") == {free: None}
        assert listed(ann, q="depot", folder=inner) == {lower: inner}
        check_problem(ben.send_to("GET", "/workspaces", params={"folder": top}), 404, "folder_not_found")
        check_problem(ann.send_to("GET", "/workspaces", params={"folder": "../x"}), 404, "folder_not_found")
        give(ann, inner, ben, "viewer")
        seen = [one for one in ben.ask("GET", "/folders")["items"] if one["id"] in (top, inner)]
        assert [(one["name"], one["parent"], one["role"]) for one in seen] == [("Inner", None, "viewer")]
        ann.ask("PUT", f"/workspaces/{upper}/members/{ben.id}", json={"role": "viewer"})
        assert listed(ben, q="depot") == {upper: None, lower: inner}
        assert listed(ben, q="depot", folder="none") == {upper: None}

    def test_what_cannot_be_is_refused_in_words(self, place: Town) -> None:
        ann = place.person("Ann R")
        chain: list[str] = []
        for number in range(MOST_DEPTH):
            chain.append(new_folder(ann, f"{number}", chain[-1] if chain else None))
        deepest = {"name": "x", "parent": chain[-1]}
        check_problem(ann.send_to("POST", "/folders", json=deepest), 422, "folder_too_deep")
        move = {"parent": chain[-1]}
        check_problem(ann.send_to("PATCH", f"/folders/{chain[0]}", json=move), 422, "folder_cycle")
        for body in ({"name": ""}, {"name": "x" * 121}, {"name": " \n "}, {"name": None}, {}, {"name": "x", "more": 1}):
            check_problem(ann.send_to("POST", "/folders", json=body), 422, "invalid_request")
        check_problem(ann.send_to("PATCH", f"/folders/{chain[0]}", json={"name": None}), 422, "invalid_request")
        check_problem(ann.send_to("GET", "/folders/none"), 404, "folder_not_found")

    def test_making_one_is_repeated_safely_and_reads_have_tags(self, place: Town) -> None:
        ann = place.person("Ann T")
        key = {"Idempotency-Key": "folder-0001"}
        first = ann.send_to("POST", "/folders", json={"name": "Once"}, headers=key)
        again = ann.send_to("POST", "/folders", json={"name": "Once"}, headers=key)
        assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
        assert again.headers["Idempotent-Replayed"] == "true"
        check_problem(ann.send_to("POST", "/folders", json={"name": "Other"}, headers=key), 422, "key_reused")
        for path in ("/folders", f"/folders/{first.json()['id']}"):
            tag = {"If-None-Match": ann.send_to("GET", path).headers["ETag"]}
            assert ann.send_to("GET", path, headers=tag).status_code == 304
        ann.ask("PATCH", f"/folders/{first.json()['id']}", json={"name": "Twice"})
        assert ann.send_to("GET", path, headers=tag).status_code == 200

    async def test_no_workspace_stays_in_a_folder_that_goes_meanwhile(self, place: Town) -> None:
        """Whoever moves while another deletes: it is in the folder around, or was refused and is in none."""
        ann = place.person("Ann W")
        there = place.caller(place.servers[1].url, ann.ask("POST", "/keys", 201, json={"name": "x"})["key"])
        top = new_folder(ann, "Top")
        for _ in range(8):
            inner = new_folder(ann, "Inner", top)
            w = ann.create(**START)
            async with asyncio.timeout(TIMEOUT_SECONDS):
                moved, deleted = await asyncio.gather(
                    asyncio.to_thread(there.send_to, "PUT", f"/workspaces/{w}/folder", json={"folder": inner}),
                    asyncio.to_thread(ann.send_to, "DELETE", f"/folders/{inner}?contents=move_up"),
                )
            assert deleted.status_code == 204
            assert moved.status_code in (200, 404)
            in_record = ann.ask("GET", f"/workspaces/{w}/access")["inherited"]
            assert [one["name"] for one in in_record] == ([] if listed(ann)[w] is None else ["Top"])


class TestInLocalMode:
    def test_folders_order_workspaces_and_everybody_owns_them(self, api: Api) -> None:
        assert listed(api, folder="none").keys() == listed(api).keys()
        top = new_folder(api, "Mine")
        inner = new_folder(api, "Inner", top)
        w = api.create(**START, folder=inner)
        free = api.create(**START)
        assert put(api, free, top) | {"role": "owner", "folder": top} == put(api, free, top)
        assert (listed(api, folder=inner), listed(api, folder=top)) == ({w: inner}, {free: top})
        check_problem(api.send_to("PATCH", f"/folders/{top}/access", json={"everyone": "viewer"}), 403, "local_mode")
        check_problem(api.send_to("GET", f"/folders/{'0' * 26}"), 404, "folder_not_found")
        check_problem(api.send_to("PUT", f"/workspaces/{'0' * 26}/folder", json={"folder": top}), 404,
                      "workspace_not_found")  # fmt: skip
        api.ask("DELETE", f"/folders/{top}?contents=move_up", 204)
        assert listed(api, folder="none")[free] is None
        assert api.ask("GET", f"/folders/{inner}")["parent"] is None
