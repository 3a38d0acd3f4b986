"""The names of keys of access that are no workspace's; those of a workspace are in `adapters.redis.keys`.

What a script touches together has one hash tag. What grows with use (sessions, one-time values, rates, links) has keys
of its own, spread over the slots of a cluster.
"""

from __future__ import annotations

from typing import Final

_STEM: Final = "draftsmith:{access}:"
USERS: Final = f"{_STEM}users"
SUBJECTS: Final = f"{_STEM}subjects"
REMOVED: Final = f"{_STEM}removed"
REMOVED_SECRET: Final = f"{_STEM}removed-secret"
KEYS: Final = f"{_STEM}keys"
KEY_IDS: Final = f"{_STEM}key-ids"
KEYS_USED: Final = f"{_STEM}keys-used"
AUDIT: Final = f"{_STEM}audit"
FOLDERS: Final = f"{_STEM}folders"
FOLDERS_VERSION: Final = f"{_STEM}folders-version"
NEWS: Final = "draftsmith:access-news"


def session(secret_hash: str) -> str:
    """Name a session."""
    return f"draftsmith:session:{secret_hash}"


def sessions_of(user_id: str) -> str:
    """Name the list of a person's sessions."""
    return f"draftsmith:sessions-of:{user_id}"


def share_token(token_hash: str) -> str:
    """Name what the token of a share link leads to."""
    return f"draftsmith:share:{token_hash}"


def shares_by(principal_id: str) -> str:
    """Name the list of the links that somebody made."""
    return f"draftsmith:shares-by:{principal_id}"


def application(key_id: str) -> str:
    """Name the workspaces of an application, by what it calls them; a number where it has no name for one."""
    return f"draftsmith:application:{key_id}"


def folder_audit(folder_id: str) -> str:
    """Name the audit of a folder."""
    return f"draftsmith:folder-audit:{folder_id}"


def single_use_key(name: str) -> str:
    """Name a value that can be taken once."""
    return f"draftsmith:once:{name}"


def rate(name: str, window: int) -> str:
    """Name the counter of a window of time."""
    return f"draftsmith:rate:{window}:{name}"
