"""The bodies of requests about access, read strictly as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from draftsmith.access.names import shown_name
from draftsmith.api.forms.schemas import In, one_line

_Secret = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80), AfterValidator(one_line)]
GivenRole = Literal["viewer", "commenter", "editor", "owner"]
LinkRole = Literal["viewer", "commenter", "editor"]


class LinkBody(In):
    """The secret of an administrator's link, which came in the fragment of its address."""

    token: _Secret
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60), AfterValidator(shown_name)] = ""


class TokenBody(In):
    """The token of a share link, which came in the fragment of its address."""

    token: _Secret


class SharedPictureBody(In):
    """What a link to a picture shows; by itself the whole diagram as it is now."""

    section: Annotated[
        str | None, StringConstraints(min_length=1, max_length=2_000), Field(description="As of a picture.")
    ] = None
    nodes: Annotated[
        list[Annotated[str, StringConstraints(min_length=1, max_length=200)]],
        Field(
            default_factory=list,
            max_length=500,
            description="Ids or names: these alone are drawn, with what they hold.",
        ),
    ]
    revision: Annotated[int | None, Field(ge=0, description="As it was then; without it as it is now.")] = None


class ShareBody(In):
    """A new share link."""

    role: LinkRole
    expires_in_hours: Annotated[int | None, Field(ge=1, le=24 * 366, description="Without it: never.")] = None
    picture: Annotated[
        SharedPictureBody | None,
        Field(description="Whoever has the link sees this picture, and no more; its role is viewer."),
    ] = None


class ApiKeyBody(In):
    """A new key for a program."""

    name: _Name
    role: Annotated[GivenRole | None, Field(description="No more than this role in any workspace.")] = None
    expires_in_days: Annotated[int | None, Field(ge=1, le=3660, description="Without it: never.")] = None
    admin: Annotated[bool, Field(description="Whether it administers; administrators only.")] = False
    delegate: Annotated[
        bool, Field(description="Whether it acts for people of an application; administrators only.")
    ] = False
    personal: Annotated[bool, Field(description="Whether it acts as who makes it, or as itself.")] = True


class UserBody(In):
    """What changes about a person."""

    is_admin: bool


class RoleBody(In):
    """A role."""

    role: GivenRole


class AccessBody(In):
    """What changes about who may what; what is left out stays."""

    everyone: Annotated[LinkRole | None, Field(description="The role of everybody who is signed in.")] = None
    shows_runs: bool = False


FolderName = Annotated[str, StringConstraints(min_length=1, max_length=120), AfterValidator(one_line)]
FolderReference = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class FolderBody(In):
    """A new folder."""

    name: FolderName
    parent: Annotated[FolderReference | None, Field(description="The folder in which it lies; null: the top.")] = None


class FolderChangeBody(In):
    """What changes about a folder; what is left out stays."""

    name: FolderName | None = None
    parent: Annotated[FolderReference | None, Field(description="The folder into which it goes; null: the top.")] = None


class FolderAccessBody(In):
    """What changes about who may what in a folder."""

    everyone: Annotated[LinkRole | None, Field(description="The role of everybody who is signed in.")]


class PlaceBody(In):
    """Where a workspace lies."""

    folder: Annotated[FolderReference | None, Field(description="A folder; null for none.")]


class TransferBody(In):
    """The new owner."""

    to: Annotated[str, StringConstraints(min_length=1, max_length=200)]
