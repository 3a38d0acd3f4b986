"""What the assistant sends to whom, in sentences for the people whose work it is.

Kept beside the API and not in a prompt, since it is a promise: whoever changes what `assistant.context` and the readers
give to a model changes these sentences and docs/assistant.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

NOWHERE: Final = "nowhere: nothing leaves this machine"
_WHAT: Final = (
    "Your request, the name of the workspace, and what is selected while you ask.",
    "The diagram, one line for each node with its names, technology and connections.",
    "Of a diagram of more than about 200 nodes, counts of types and groups, and the nodes nearest to the request.",
    "The document; of more than 12,000 characters (6,000 to edit) its outline and the sections that the request names.",
    "Sections, lines, nodes and connections of this workspace that the model asks to read while it works.",
    "While it investigates: commits that the model asks for, with who made them and what they changed, deleted or not.",
    "A recap of the last turns of this workspace's conversation, with the names of who asked.",
    "What has changed since the last turn, one sentence each, with the names of who changed it.",
    "To tell what has changed, where you ask for that: those commits, a sentence each, and what they come to.",
)


def host_of(base_url: str) -> str:
    """The host of an address, with its port if it names one; the rest may hold a password."""
    try:
        parts = urlsplit(base_url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "an address that cannot be read"
    return f"{parts.hostname or 'an address that cannot be read'}{port}"


def what_leaves(*, is_model: bool, plugins: Sequence[tuple[str, str]] = ()) -> Sequence[str]:
    """What leaves this machine when a run is answered; nothing if no model is asked.

    `plugins`: the name and the host of each that is registered.
    """
    if not is_model:
        return ()
    return [
        *_WHAT,
        *(f"To the plugin {name} at {host}: what the model calls its tools with." for name, host in plugins),
    ]
