"""How folders lie in one another, and the role that they give in what lies in them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from draftsmith.access.folders import MOST_DEPTH, Folder, FolderId, FolderTree, folder_from_json, role_in
from draftsmith.access.principal import STRANGER, Kind, Principal
from draftsmith.access.roles import Role
from draftsmith.access.workspace_access import WorkspaceAccess, role_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor

TOP = Folder(FolderId("top"), "Top", owner="user:ann", members={"user:ben": "editor"}, groups={"ops": "commenter"})
INNER = Folder(FolderId("inner"), "Inner", TOP.id, owner="user:ben", members={"user:cleo": "viewer"}, everyone=None)
CHAIN = (INNER, TOP)


def somebody(name: str, kind: Kind = "user", **more: object) -> Principal:
    return Principal(Actor(f"user:{name}", name, "person"), kind, **more)  # type: ignore[arg-type]


def chain(length: int) -> list[Folder]:
    """So many folders in one another, the outermost first."""
    ids = [FolderId(f"f{number}") for number in range(length)]
    return [Folder(one, one, ids[number - 1] if number else None) for number, one in enumerate(ids)]


@pytest.mark.parametrize(
    "who, role",
    [
        (somebody("ann"), "owner"),
        (somebody("ben"), "owner"),
        (somebody("cleo"), "viewer"),
        (somebody("dora", groups=frozenset({"ops"})), "commenter"),
        (somebody("ann", limit="viewer"), "viewer"),
        (somebody("eve"), None),
        (somebody("eve", is_admin=True), None),
        (somebody("ann", "guest"), None),
        (somebody("ann", "delegate", application="k1"), None),
        (somebody("ann", "key", application="k1"), None),
        (STRANGER, None),
        (somebody("x", "local"), "owner"),
    ],
)
def test_a_role_is_the_largest_of_the_folder_and_those_around_it(who: Principal, role: Role | None) -> None:
    """Guests and applications have none; a key never gives more than it may."""
    assert role_in(who, CHAIN) == role


def test_a_folder_of_local_mode_is_the_administrators() -> None:
    unclaimed = Folder(FolderId("x"), "X")
    assert role_in(somebody("eve", is_admin=True), [unclaimed]) == "owner"
    assert role_in(somebody("eve"), [unclaimed]) is None


def test_a_workspace_has_the_larger_of_its_own_role_and_what_it_inherits() -> None:
    """A link counts beside both, the limit of a key over all of them; an application reaches its own alone."""
    access = WorkspaceAccess("user:ann", members={"user:ben": "viewer"}, application="k1")
    ben = somebody("ben")
    assert role_of(ben, access) == "viewer"
    assert role_of(ben, access, inherited="editor") == "editor"
    assert role_of(ben, replace(access, members={"user:ben": "owner"}), inherited="editor") == "owner"
    assert role_of(somebody("eve"), access, "commenter", "viewer") == "commenter"
    assert role_of(replace(ben, limit="commenter"), access, inherited="owner") == "commenter"
    assert role_of(somebody("ben", "delegate", application="k2"), access, inherited="owner") is None


def test_places_that_cannot_be_are_refused() -> None:
    """Not in itself or in what lies in it, not in what is not there, not deeper than folders may lie."""
    deep = chain(MOST_DEPTH)
    pair = [Folder(FolderId("outer"), "O"), Folder(FolderId("inside"), "I", FolderId("outer"))]
    tree = FolderTree([*deep, *pair])

    def refused(folder: str, parent: str | None) -> str | None:
        try:
            tree.check_place(FolderId(folder), None if parent is None else FolderId(parent))
        except DraftsmithError as error:
            return error.code
        return None

    assert refused("new", deep[-2].id) is None
    assert refused("new", deep[-1].id) == "folder_too_deep"
    assert refused("outer", deep[-3].id) is None
    assert refused("outer", deep[-2].id) == "folder_too_deep", "it has another one in it"
    assert refused("f0", "f0") == refused("f0", deep[-1].id) == "folder_cycle"
    assert refused("inside", None) is refused("inside", "outer") is None
    assert refused("new", "nowhere") == "folder_not_found"


def test_what_is_damaged_gives_nothing_and_ends() -> None:
    """A circle, a parent that is gone, a role that is none."""
    one, other = FolderId("one"), FolderId("other")
    circle = FolderTree([Folder(one, "1", other), Folder(other, "2", one)])
    assert [folder.id for folder in circle.chain(one)] == [one, other]
    assert FolderTree([INNER]).chain(INNER.id) == (INNER,)
    assert FolderTree().chain(one) == ()
    read = folder_from_json({"id": "one", "name": "1", "members": {"user:eve": "emperor"}, "everyone": "god"})
    assert (read.members, read.everyone) == ({}, None)
    assert folder_from_json(INNER.to_json()) == INNER
