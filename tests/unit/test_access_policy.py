"""The one policy, action by action, without a server: who may, and how a refusal reads.

`integration/test_policy.py` shows that every route asks it.
"""

from __future__ import annotations

import json

import pytest

from draftsmith.access.actions import Action
from draftsmith.access.folders import FolderId
from draftsmith.access.policy import check, refusal
from draftsmith.access.principal import STRANGER, Kind, Principal
from draftsmith.access.roles import ROLES, Role
from draftsmith.access.workspace_access import WorkspaceAccess, access_from_json, role_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor

OF_PLACES = [action for action in Action if action.value.role is not None]
OF_INSTALLATION = [action for action in Action if action.value.role is None]
FOR_ANYBODY = {Action.PUBLIC, Action.SIGN_IN}


def somebody(kind: Kind = "user", limit: Role | None = None, *, is_admin: bool = False) -> Principal:
    return Principal(Actor(f"{kind}:ada", "Ada", "person"), kind, limit=limit, is_admin=is_admin)


def code(principal: Principal, action: Action, role: Role | None = None) -> str:
    """The code of the refusal; empty where they may."""
    found = refusal(principal, action, role)
    return "" if found is None else found.code


def words(principal: Principal, action: Action, role: Role | None = None) -> str:
    """How the refusal reads."""
    found = refusal(principal, action, role)
    assert found is not None
    return found.detail


@pytest.mark.parametrize("role", [None, *ROLES])
def test_anybody_may_everything_in_local_mode(role: Role | None) -> None:
    """Whatever role is looked up, and although nobody there is an administrator."""
    assert [action for action in Action if code(somebody("local"), action, role)] == []


@pytest.mark.parametrize("limit", [None, *ROLES])
def test_in_local_mode_anybody_owns_everything_or_has_the_role_they_are_limited_to(limit: Role | None) -> None:
    """Whoever owns it by its record."""
    access = WorkspaceAccess(owner="user:ben", everyone="viewer")
    assert role_of(somebody("local", limit), access) == (limit or "owner")


@pytest.mark.parametrize("folder", [None, FolderId("team")])
@pytest.mark.parametrize("shows_runs", [False, True])
def test_who_may_what_is_read_as_it_was_written(folder: FolderId | None, shows_runs: bool) -> None:
    """Every field of the record; one that lies in no folder is as before there were any."""
    members: dict[str, Role] = {"user:ben": "editor"}
    groups: dict[str, Role] = {"ops": "viewer"}
    access = WorkspaceAccess(
        "user:ann", members, {"user:ben": "Ben"}, groups, "commenter", "shop", "7", shows_runs, folder
    )
    written = json.loads(json.dumps(access.to_json()))
    assert access_from_json(written) == access
    assert ("folder" in written) == (folder is not None)


def test_a_role_that_there_is_none_of_gives_nothing() -> None:
    read = access_from_json({"owner": "user:ann", "members": {"user:ben": "king"}, "everyone": "king"})
    assert read == WorkspaceAccess("user:ann")


@pytest.mark.parametrize("role", [None, "owner"])
def test_who_shows_no_credential_may_what_anybody_may(role: Role | None) -> None:
    """With a role, too, which they cannot have."""
    found = {action: code(STRANGER, action, role) for action in Action}
    assert found == {action: "" if action in FOR_ANYBODY else "unauthorized" for action in Action}


@pytest.mark.parametrize("kind", ["guest", "user", "key", "delegate"])
@pytest.mark.parametrize("is_admin", [False, True])
def test_in_a_workspace_or_folder_the_role_decides(kind: Kind, is_admin: bool) -> None:
    """For administrators as for guests; without one it is not there."""
    one = somebody(kind, is_admin=is_admin)
    assert {action: code(one, action) for action in OF_PLACES} == {
        action: f"{action.value.of}_not_found" for action in OF_PLACES
    }
    for number, role in enumerate(ROLES):
        may = [action for action in OF_PLACES if action.value.role in ROLES[: number + 1]]
        assert {action: code(one, action, role) for action in OF_PLACES} == {
            action: "" if action in may else "forbidden" for action in OF_PLACES
        }


def test_too_small_a_role_is_told_with_the_one_that_it_takes() -> None:
    """Of what it is a role, which one has, and what was asked."""
    assert words(somebody(), Action.DECIDE, "commenter") == (
        "As commenter of this workspace one may not accept or reject proposals; that takes the role editor."
    )
    assert words(somebody(), Action.FOLDER_WRITE, "viewer") == (
        "As viewer of this folder one may not rename it and put something into it; that takes the role editor."
    )


@pytest.mark.parametrize(
    "one, may",
    [
        (somebody("guest"), ["anybody", "known"]),
        (somebody("user"), ["anybody", "known", "signed_in"]),
        (somebody("key"), ["anybody", "known", "signed_in"]),
        (somebody("delegate"), ["anybody", "known", "signed_in"]),
        (somebody("user", is_admin=True), ["anybody", "known", "signed_in", "administrator"]),
    ],
    ids=["guest", "user", "key", "delegate", "administrator"],
)
def test_in_the_installation_it_is_who_one_is(one: Principal, may: list[str]) -> None:
    """A link makes known, signing in makes somebody, and administrators may all of it."""
    found = {action: code(one, action) for action in OF_INSTALLATION}
    assert found == {action: "" if action.value.who in may else "forbidden" for action in OF_INSTALLATION}


@pytest.mark.parametrize("kind", ["user", "key", "local"])
def test_a_limited_key_does_what_its_limit_covers(kind: Kind) -> None:
    """An administrator's, too, and in local mode, where nothing else is refused."""
    for number, limit in enumerate(ROLES):
        covered = [action for action in OF_INSTALLATION if action.value.limit in ROLES[: number + 1]]
        found = {action: code(somebody(kind, limit, is_admin=True), action) for action in OF_INSTALLATION}
        may = {*covered, *FOR_ANYBODY}
        assert found == {action: "" if action in may else "forbidden" for action in OF_INSTALLATION}


def test_what_a_limit_refuses_is_told_with_the_limit() -> None:
    """Before anything else, so that who may it without the limit hears of the limit."""
    assert words(somebody(limit="commenter"), Action.CREATE) == (
        "This key is limited to the role commenter; with it one may not create a workspace or a folder."
    )


def test_a_limited_key_of_local_mode_has_the_role_of_its_limit() -> None:
    """It is no way around the role, which is asked as of anybody."""
    one = somebody("local", "viewer")
    assert code(one, Action.READ, "viewer") == ""
    assert code(one, Action.WRITE, "viewer") == "forbidden"
    assert (code(one, Action.READ), code(one, Action.FOLDER_READ)) == ("workspace_not_found", "folder_not_found")


def test_no_limit_gives_what_its_owner_may_not() -> None:
    """A key up to the role owner of somebody who is no administrator, or of who came by a link."""
    assert code(somebody(limit="owner"), Action.PEOPLE_READ) == "forbidden"
    assert code(somebody("guest", "owner"), Action.CREATE) == "forbidden"


def test_what_it_takes_to_be_is_told() -> None:
    """To sign in, or to be an administrator."""
    assert words(somebody("guest"), Action.CREATE) == "To create a workspace or a folder, sign in."
    assert words(somebody(), Action.PEOPLE) == (
        "Only administrators of this installation may remove people, and make administrators."
    )


def test_a_check_raises_the_refusal() -> None:
    """And nothing where there is none."""
    check(somebody(), Action.READ, "viewer")
    with pytest.raises(DraftsmithError) as raised:
        check(somebody(), Action.WRITE, "viewer")
    assert raised.value.code == "forbidden"
