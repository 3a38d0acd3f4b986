"""Every kind of thing that can be asked of the server, with what it takes. Routes and messages name one of these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from draftsmith.access.roles import Role

Who = Literal["anybody", "known", "signed_in", "administrator"]
"""anybody: also who shows no credential. known: also who came by a share link."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What an action takes: a role in a workspace or in a folder, or being somebody in this installation.

    Attributes:
        role: the least role; None for an action in the installation.
        of: of what `role` is one.
        who: who may, where there is no role.
        limit: the least role to which a key may be limited with which it is done, where there is no role; None where
            no limited key does it. So such a key reads, and changes nothing that no role gives.
        says: what it is, after "may".
    """

    role: Role | None = None
    of: Literal["workspace", "folder"] = "workspace"
    who: Who = "known"
    limit: Role | None = None
    says: str = ""


class Action(Enum):
    """What can be asked."""

    # In a workspace.
    READ = Needs("viewer", says="read it")
    RUN_READ = Needs("viewer", says="see requests to the assistant")
    PRESENCE = Needs("viewer", says="show where one is")
    ASK = Needs("commenter", says="ask the assistant, which proposes")
    PROPOSE = Needs("commenter", says="propose changes")
    OWN_RUN = Needs("commenter", says="cancel or rate one's own request")
    WRITE = Needs("editor", says="change it")
    DECIDE = Needs("editor", says="accept or reject proposals")
    CHECKPOINT = Needs("editor", says="name checkpoints")
    CONVERSATION_CLEAR = Needs("editor", says="clear the conversation")
    TRASH = Needs("owner", says="put it into the trash and back")
    ASSISTANT_SWITCH = Needs("owner", says="switch its assistant")
    ACCESS_READ = Needs("viewer", says="see who may what")
    ACCESS_WRITE = Needs("owner", says="decide who may what")
    AUDIT_READ = Needs("owner", says="read its audit")
    MOVE = Needs("owner", says="put it into a folder, or take it out of one")
    # In a folder.
    FOLDER_READ = Needs("viewer", "folder", says="see it and who may what in it")
    FOLDER_WRITE = Needs("editor", "folder", says="rename it and put something into it")
    FOLDER_OWN = Needs("owner", "folder", says="move or delete it, decide who may what in it, read its audit")
    # In the installation.
    PUBLIC = Needs(who="anybody", says="load the editor, the contract and the health")
    SIGN_IN = Needs(who="anybody", says="sign in, open a share link, ask who one is")
    SELF_READ = Needs(who="known", limit="viewer", says="see where one is signed in")
    SELF = Needs(who="known", says="change one's own name, sign out")
    LIST = Needs(who="known", limit="viewer", says="list the workspaces and folders one may see")
    ASSISTANT_READ = Needs(who="known", limit="viewer", says="see which assistant answers")
    AGENT = Needs(who="known", limit="viewer", says="work here as an agent")
    CREATE = Needs(who="signed_in", limit="editor", says="create a workspace or a folder")
    KEYS_READ = Needs(who="signed_in", limit="viewer", says="see one's own keys")
    KEYS = Needs(who="signed_in", says="have keys of one's own")
    SETTINGS_READ = Needs(who="administrator", limit="viewer", says="see usage, metrics and plugins")
    SETTINGS = Needs(who="administrator", says="change settings and model keys")
    PEOPLE_READ = Needs(who="administrator", limit="viewer", says="see people and the audit")
    PEOPLE = Needs(who="administrator", says="remove people, and make administrators")


def is_of_workspace(action: Action) -> bool:
    """Whether it is asked of one workspace."""
    return action.value.role is not None and action.value.of == "workspace"


def is_of_folder(action: Action) -> bool:
    """Whether it is asked of one folder."""
    return action.value.role is not None and action.value.of == "folder"
