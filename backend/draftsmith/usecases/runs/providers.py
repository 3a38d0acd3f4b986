"""Choose the provider of a run: a model provider, or the built-in commands where no key is there.

A configured model provider that fails is an error; nothing else answers in its place. Which model providers there are:
`adapters/model_providers.py`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import structlog

from draftsmith.assistant.builtin import BuiltinProvider
from draftsmith.assistant.provider import AIProvider, Check, Connections, ModelProvider
from draftsmith.errors import DraftsmithError
from draftsmith.model.workspace import Workspace
from draftsmith.ports.runs import KeyStore

_log = structlog.get_logger("draftsmith.assistant")

REMEMBERED_S = 30.0
"""How long the result of a check stands, so that asking again and again costs the provider nothing."""

KeySource = Literal["environment", "page", "none"]
ReadWorkspace = Callable[[Callable[[Workspace], Any]], Awaitable[Any]]


@dataclass(kw_only=True)
class ModelAccess:
    """A model provider with the key, the address and the models that this server uses.

    Attributes:
        env_key: the key from the environment; empty for none. It wins over an entered one.
        keys: where an entered key is kept.
        models: the model for each workflow.
        base_url: where the provider is reached; for people.
    """

    info: ModelProvider
    env_key: str
    keys: KeyStore
    models: Mapping[str, str]
    base_url: str
    connections: Connections

    @property
    def key(self) -> str:
        """The key in use; empty for none."""
        return self.env_key or self.keys.read() or ""

    @property
    def key_source(self) -> KeySource:
        """Where the key in use comes from."""
        if self.env_key:
            return "environment"
        return "page" if self.keys.read() else "none"

    @property
    def no_key(self) -> str:
        """What to do where there is no key."""
        return f"No key for the model provider: set {self.info.key_variable}, or enter one in the page."

    @property
    def label(self) -> str:
        """For people: the model that edits, or the provider where there is no key."""
        return self.open("edit").label if self.key else f"{self.info.label} (no key)"

    def open(self, workflow: str, key: str | None = None) -> AIProvider:
        """The provider with the model of a workflow, and with a key that is not the one in use if it is given."""
        return self.connections.provider(self.key if key is None else key, self.models[workflow])


@dataclass(kw_only=True)
class Providers:
    """The providers of this server.

    Attributes:
        choice: the setting ASSISTANT_PROVIDER: `auto`, `builtin`, `off` or the name of a model provider.
        available: every model provider, in the order in which `auto` takes the first that has a key.
        last_check: the result of the newest check.
    """

    choice: str
    available: Sequence[ModelAccess]
    last_check: Check | None = None
    now: Callable[[], float] = time.monotonic
    _checked: tuple[str, float] = ("", float("-inf"))
    _checking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _loaded: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """Who answers now: the name of a model provider, `builtin` or `off`."""
        if self.choice != "auto":
            return self.choice
        return next((access.info.name for access in self.available if access.key), "builtin")

    @property
    def current(self) -> ModelAccess | None:
        """The model provider that answers now; None if none does."""
        return self._named(self.name)

    @property
    def configured(self) -> ModelAccess:
        """The model provider whose key can be entered: the one that answers, else the first."""
        return self.current or self.available[0]

    def _named(self, name: str) -> ModelAccess | None:
        return next((access for access in self.available if access.info.name == name), None)

    def open(self, workflow: str, wanted: str, read_workspace: ReadWorkspace) -> AIProvider:
        """The provider for a run; `wanted` by name, empty for the one that answers.

        Raises:
            DraftsmithError: `assistant_off`, `needs_key`, `provider_unknown`.
        """
        name = wanted or self.name
        if self.choice == "off":
            raise DraftsmithError("assistant_off", "The assistant is switched off on this server (ASSISTANT_PROVIDER).")
        if name == "builtin":
            return BuiltinProvider(read_workspace)
        access = self._named(name)
        if access is None:
            known = ", ".join(one.info.name for one in self.available)
            raise DraftsmithError(
                "provider_unknown", f"There is no provider '{name[:40]}'; there are {known} and builtin."
            )
        if self.choice == "builtin":
            message = "This server answers with built-in commands alone (ASSISTANT_PROVIDER=builtin)."
            raise DraftsmithError("provider_unknown", message)
        if not access.key:
            raise DraftsmithError("needs_key", access.no_key)
        return access.open(workflow)

    def keys(self) -> list[str]:
        """Every key that is in use."""
        return [access.key for access in self.available if access.key]

    def load_in_background(self) -> None:
        """Import what the model provider that answers needs, once, in a thread; nothing as long as there is no key."""
        access = self.current
        if access is None or access.info.name in self._loaded or not access.key:
            return
        self._loaded.add(access.info.name)
        # Not the event loop's executor: a server that stops would wait for it.
        threading.Thread(target=_load, args=(access.info,), name=f"load {access.info.name}", daemon=True).start()

    async def check(self) -> Check:
        """Try the connection to the provider that answers; a result of the last 30 seconds with the same key stands."""
        access = self.current
        key = "" if access is None else access.key
        async with self._checking:
            tried, at = self._checked
            if not key or tried != key or self.now() - at >= REMEMBERED_S or self.last_check is None:
                await self._check_now(access)
                self._checked = key, self.now()
            assert self.last_check is not None
            return self.last_check

    async def _check_now(self, access: ModelAccess | None) -> None:
        if access is None:
            ok = self.name == "builtin"
            detail = "Built-in commands need no connection." if ok else "The assistant is switched off on this server."
            self.last_check = Check(ok, "" if ok else "assistant_off", detail)
        elif not access.key:
            self.last_check = Check(False, "needs_key", access.no_key)
        else:
            self.last_check = await access.open("edit").check()

    async def enter_key(self, key: str) -> Check:
        """Check a key and keep it if it works.

        Raises:
            DraftsmithError: `forbidden`, `key_from_environment`, `key_refused`.
        """
        access = self._changeable()
        check = await access.open("edit", key).check()
        if not check.ok:
            raise DraftsmithError("key_refused", check.detail, extra={"reason": check.code})
        access.keys.save(key)
        self.last_check = check
        self._checked = key, self.now()
        return check

    def forget_key(self) -> None:
        """Forget the entered key.

        Raises:
            DraftsmithError: `forbidden`, `key_from_environment`.
        """
        self._changeable().keys.delete()
        self.last_check = None

    def _changeable(self) -> ModelAccess:
        access = self.configured
        variable = access.info.key_variable
        if access.env_key:
            message = f"The key comes from the environment ({variable}) and can only be changed there."
            raise DraftsmithError("key_from_environment", message)
        return access

    async def close(self) -> None:
        """Close every connection."""
        for access in self.available:
            await access.connections.close()


def _load(info: ModelProvider) -> None:
    began = time.monotonic()
    try:
        info.load()
    except Exception as problem:  # noqa: BLE001  # whatever it is, the first run tries again and tells the person
        _log.warning("a model provider could not be loaded", provider=info.name, reason=repr(problem))
    else:
        _log.debug("a model provider is loaded", provider=info.name, ms=round((time.monotonic() - began) * 1000))
