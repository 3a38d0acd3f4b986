"""Who calls a tool: an agent, and the person for whom it works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from draftsmith.access.names import shown_name
from draftsmith.access.principal import Principal
from draftsmith.history.actor import Actor

_MOST_NAME: Final = 60
_NAMELESS: Final = "Agent"


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent at work.

    Attributes:
        id: names it for ever: the key or link that it shows, such as `key:01J…`, else whom it works for.
        actor: as commits name it.
        person: for whom it works; its commits stand on their undo stack.
    """

    id: str
    actor: Actor
    person: Actor


def agent_of(principal: Principal, program: str = "") -> Agent:
    """The agent that a principal's credential stands for.

    Args:
        principal: who has passed the gate.
        program: as the program that calls names itself; believed only where its credential has no name.
    """
    person = principal.actor
    kind, _, name_of_one = principal.credential.partition(" ")
    id_ = f"{kind}:{name_of_one}" if kind in ("key", "link") else person.id
    if principal.kind == "delegate":  # one key for many people
        id_ = f"{id_}:{person.id}"
    name = shown_name(principal.credential_name or program)[:_MOST_NAME].strip() or _NAMELESS
    if person.kind == "person":
        name = f"{name} · for {person.name}"
    return Agent(id_, Actor(f"agent:{id_}", name, "agent"), person)
