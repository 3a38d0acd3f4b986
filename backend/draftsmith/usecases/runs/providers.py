"""Which model provider answers: the configured one, or the built-in commands where no key is there.

Never a silent fallback: a configured model that fails is an error and is told as one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from draftsmith.assistant.builtin import BuiltinProvider
from draftsmith.assistant.provider import AIProvider, Check
from draftsmith.errors import DraftsmithError
from draftsmith.model.workspace import Workspace
from draftsmith.ports.runs import KeyStore

T = TypeVar("T")
Look = Callable[[Callable[[Workspace], Any]], Awaitable[Any]]
Choice = Literal["auto", "anthropic", "builtin", "off"]
_NO_KEY = "No key for the model provider: set ANTHROPIC_API_KEY, or enter one in the page."


@dataclass
class Providers:
    """The model providers of this server.

    Attributes:
        choice: the setting ASSISTANT_PROVIDER.
        env_key: the key from the environment; empty for none. It wins over one that was entered.
        keys: where an entered key is kept.
        connect: makes the provider for a key and a model.
        models: the model for each workflow.
        may_enter_key: keys may be entered in the page.
        base_url: where the provider is reached; for people.
        close: lets go of every connection.
    """

    choice: Choice
    env_key: str
    keys: KeyStore
    connect: Callable[[str, str], AIProvider]
    models: Mapping[str, str]
    may_enter_key: bool
    base_url: str
    close: Callable[[], Awaitable[None]]
    last_check: Check | None = field(default=None)

    @property
    def key(self) -> str:
        """The key in use; empty for none."""
        return self.env_key or self.keys.read() or ""

    @property
    def key_source(self) -> str:
        """`environment`, `page` or `none`."""
        if self.env_key:
            return "environment"
        return "page" if self.keys.read() else "none"

    @property
    def name(self) -> str:
        """The provider that answers now: `anthropic`, `builtin` or `off`."""
        if self.choice != "auto":
            return self.choice
        return "anthropic" if self.key else "builtin"

    def open(self, workflow: str, wanted: str, look: Look) -> AIProvider:
        """The provider for a run.

        Raises:
            DraftsmithError: `assistant_off`, `needs_key`, `provider_unknown`.
        """
        name = wanted or self.name
        if self.choice == "off":
            raise DraftsmithError("assistant_off", "The assistant is switched off on this server (ASSISTANT_PROVIDER).")
        if name == "builtin":
            return BuiltinProvider(look)
        if name != "anthropic":
            message = f"There is no provider '{name[:40]}'; there are anthropic and builtin."
            raise DraftsmithError("provider_unknown", message)
        if self.choice == "builtin":
            message = "This server answers with built-in commands alone (ASSISTANT_PROVIDER=builtin)."
            raise DraftsmithError("provider_unknown", message)
        if not self.key:
            raise DraftsmithError("needs_key", _NO_KEY)
        return self.connect(self.key, self.models[workflow])

    async def check(self) -> Check:
        """Try the connection to the configured provider."""
        if self.name != "anthropic":
            ok = self.name == "builtin"
            detail = "Built-in commands need no connection." if ok else "The assistant is switched off on this server."
            self.last_check = Check(ok, "" if ok else "assistant_off", detail)
        elif not self.key:
            self.last_check = Check(False, "needs_key", _NO_KEY)
        else:
            self.last_check = await self.connect(self.key, self.models["edit"]).check()
        return self.last_check

    async def enter_key(self, key: str) -> Check:
        """Check a key and keep it if it works.

        Raises:
            DraftsmithError: `forbidden`, `key_from_environment`, `key_refused`.
        """
        self._may_change()
        check = await self.connect(key, self.models["edit"]).check()
        if not check.ok:
            raise DraftsmithError("key_refused", check.detail, extra={"reason": check.code})
        self.keys.save(key)
        self.last_check = check
        return check

    def forget_key(self) -> None:
        """Forget the entered key.

        Raises:
            DraftsmithError: `forbidden`, `key_from_environment`.
        """
        self._may_change()
        self.keys.delete()
        self.last_check = None

    def _may_change(self) -> None:
        if not self.may_enter_key:
            raise DraftsmithError("forbidden", "On this server the key is set by whoever runs it (ANTHROPIC_API_KEY).")
        if self.env_key:
            message = "The key comes from the environment (ANTHROPIC_API_KEY) and can only be changed there."
            raise DraftsmithError("key_from_environment", message)
