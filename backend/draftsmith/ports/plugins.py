"""What the assistant needs of plugins: those that an administrator registered, and a connection to each.

The values are those of the file of registered plugins; what a plugin says of itself is `draftsmith.plugin.protocol`.
Nothing here is imported where no plugin is registered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from draftsmith.plugin.protocol import Description

Allowed = Literal["reads", "writes"]
DEFAULT_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredPlugin:
    """A plugin as an administrator has registered it.

    Attributes:
        name: by which its tools are told apart from those of others.
        url: where it is; hooks are sent to `<url>/execute`.
        tools: the tools that may be offered. One that `writes` needs a yes for each call whatever the plugin says of
            it; one that `reads` needs one as soon as the plugin says that it writes. None: all, as the plugin says.
        workflows: where its tools may be offered, of those where they can; None: in all.
        seconds: after which a call is given up.
        token: sent as `Authorization: Bearer`; empty for none.
    """

    name: str
    url: str
    tools: Mapping[str, Allowed] | None = None
    workflows: Sequence[str] | None = None
    seconds: float = DEFAULT_SECONDS
    token: str = field(default="", repr=False)


class PluginFailure(Exception):
    """A plugin did not do what it was asked.

    Attributes:
        code: `plugin_away` (it cannot be reached), `plugin_slow`, `plugin_too_large`, `plugin_redirects`,
            `plugin_unreadable` (what it answers is not of the protocol), or `plugin_failed` (it says that it failed).
        message: what went wrong, for people and models; words of the plugin may be in it.
        is_away: whether it can be asked at all.
    """

    def __init__(self, code: str, message: str, *, is_away: bool = False) -> None:
        super().__init__(message)
        self.code, self.message, self.is_away = code, message, is_away


@dataclass(frozen=True, slots=True)
class PluginResult:
    """What a call came to: its result, and the state for the next call of the session; both JSON values."""

    result: Any
    state: Mapping[str, object]


class PluginConnection(Protocol):
    """A connection to one plugin; every method is bounded in time and in size."""

    async def describe(self) -> Description:
        """Ask what it is and which tools it has.

        Raises:
            PluginFailure: it cannot be asked, or what it answers cannot be read.
        """
        ...

    async def invoke(
        self, session_id: str, tool: str, args: Mapping[str, object], state: Mapping[str, object]
    ) -> PluginResult:
        """Call a tool.

        Raises:
            PluginFailure: it was not called, or it says that it failed, or what it answers cannot be taken.
        """
        ...

    async def close(self) -> None:
        """Close its connections."""
        ...
