"""Choose the provider of a run: a provider of models, or the built-in commands where none can be asked.

A configured provider that fails is an error; nothing else answers in its place. Which providers of models there are:
`adapters/model_providers.py`. Not here: one of them with its key (`model_access`).
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog

from draftsmith.assistant.builtin import BuiltinProvider
from draftsmith.assistant.model_provider import ModelProvider
from draftsmith.assistant.provider import AIProvider, ProviderStatus
from draftsmith.errors import DraftsmithError
from draftsmith.model.workspace import Workspace
from draftsmith.usecases.providers.entered_server import EnteredServers
from draftsmith.usecases.providers.model_access import KeySource, ModelAccess

__all__ = ["REMEMBERED_S", "KeySource", "ModelAccess", "Providers"]

_log = structlog.get_logger("draftsmith.assistant")

REMEMBERED_S = 30.0
"""How long the result of a check stands, so that asking again and again costs the provider nothing."""

ReadWorkspace = Callable[[Callable[[Workspace], Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class _CachedCheck:
    """The result of a check with a key, at a time; `access`: of which provider as it was then."""

    access: ModelAccess | None
    check: ProviderStatus
    key: str
    at: float

    def is_of(self, access: ModelAccess | None) -> bool:
        """Whether it is of this provider with the key that it has now, which any worker may have changed."""
        return self.access is access and self.key == ("" if access is None else access.key)


@dataclass(kw_only=True)
class Providers:
    """The providers of this server.

    Attributes:
        choice: the setting ASSISTANT_PROVIDER: `auto`, `builtin`, `off` or the name of a provider of models.
        available: every provider of models, in the order in which `auto` takes the first that can be asked.
        entered: the server of one's own that an administrator may enter in the page; asked by `auto` after all others,
            and offered to every workspace.
        offered: names of those that the owner of a workspace may choose for it (ASSISTANT_WORKSPACE_PROVIDERS).
    """

    choice: str
    available: Sequence[ModelAccess]
    offered: Collection[str] = ()
    entered: EnteredServers | None = None
    now: Callable[[], float] = time.monotonic
    _checks: dict[str, _CachedCheck] = field(default_factory=dict)
    _checking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _loaded: set[str] = field(default_factory=set)

    @property
    def accesses(self) -> list[ModelAccess]:
        """Every provider of models, that of the server that was entered last."""
        own = None if self.entered is None else self.entered.access()
        return [*self.available, *([] if own is None else [own])]

    @property
    def name(self) -> str:
        """Who answers now: the name of a provider of models, `builtin` or `off`."""
        if self.choice != "auto":
            return self.choice
        return next((access.info.name for access in self.accesses if access.is_ready), "builtin")

    @property
    def current(self) -> ModelAccess | None:
        """The provider of models that answers now; None if none does."""
        return self.find(self.name)

    @property
    def default(self) -> ModelAccess:
        """The provider of models whose key is meant where none is named: the one that answers, else the first."""
        return self.current or self.available[0]

    @property
    def last_check(self) -> ProviderStatus | None:
        """The result of the newest check of who answers now; None where this worker has made none."""
        return self.last_check_of(self.name)

    def last_check_of(self, name: str) -> ProviderStatus | None:
        """The result of the newest check of a provider; None where this worker has made none with the key in use."""
        known = self._checks.get(name)
        return known.check if known is not None and known.is_of(self.find(name)) else None

    def find(self, name: str) -> ModelAccess | None:
        """A provider of models by its name; None if there is no such."""
        return next((access for access in self.accesses if access.info.name == name), None)

    def choices(self) -> list[str]:
        """The providers that a workspace may choose, by name: the server's own among them, and `builtin`."""
        if self.choice == "off":
            return []
        own = () if self.entered is None else (self.entered.info.name,)
        may = {self.name, *((*self.offered, *own) if self.choice != "builtin" else ())}
        return [access.info.name for access in self.accesses if access.info.name in may] + ["builtin"]

    def check_choice(self, name: str) -> None:
        """Refuse a provider that a workspace may not choose.

        Raises:
            DraftsmithError: `provider_unknown`, with those that it may.
        """
        if name not in self.choices():
            raise self._unknown(name)

    def name_for(self, wanted: str, chosen: str | None) -> str:
        """Who answers a run: `wanted` by the request, else `chosen` for its workspace, else the server's.

        What the owner of a workspace chose cannot be left for another model by whoever asks there.

        Raises:
            DraftsmithError: `assistant_off`, `provider_unknown`.
        """
        if self.choice == "off":
            raise DraftsmithError("assistant_off", "The assistant is switched off on this server (ASSISTANT_PROVIDER).")
        name = wanted or chosen or self.name
        if name != "builtin" and self.find(name) is None:
            raise self._unknown(name)
        if self.choice == "builtin" and name != "builtin":
            message = "This server answers with built-in commands alone (ASSISTANT_PROVIDER=builtin)."
            raise DraftsmithError("provider_unknown", message)
        if chosen and wanted not in ("", "builtin", chosen):
            message = f"This workspace is set to ask {chosen}; its owner can change that."
            raise DraftsmithError("provider_unknown", message)
        # Without anybody who answers, the first is what is missing: its key is asked for.
        if name not in (*self.choices(), self.default.info.name):
            raise self._unknown(name)
        return name

    def open(self, workflow: str, wanted: str, read_workspace: ReadWorkspace, chosen: str | None = None) -> AIProvider:
        """The provider for a run; `wanted` by name, empty for the one that answers, `chosen` for the workspace.

        Raises:
            DraftsmithError: `assistant_off`, `needs_key`, `provider_unknown`.
        """
        access = self.find(self.name_for(wanted, chosen))
        if access is None:
            return BuiltinProvider(read_workspace)
        access.require()
        return access.open(workflow)

    def _unknown(self, name: str) -> DraftsmithError:
        known = ", ".join(one.info.name for one in self.accesses)
        if self.find(name) is None:
            message = f"There is no provider '{name[:40]}'; there are {known} and builtin."
        else:
            may = " or ".join(self.choices())
            message = f"This server does not ask {name} here; {may} can be asked (ASSISTANT_WORKSPACE_PROVIDERS)."
        return DraftsmithError("provider_unknown", message)

    def keys(self) -> list[str]:
        """Every key that is in use."""
        return [access.key for access in self.accesses if access.key]

    def load_in_background(self) -> None:
        """Import what the provider that answers needs, once, in a thread; nothing as long as it cannot be asked."""
        access = self.current
        if access is None or access.info.name in self._loaded or not access.is_ready:
            return
        self._loaded.add(access.info.name)
        # Not the event loop's executor: a server that stops would wait for it.
        threading.Thread(target=_load, args=(access.info,), name=f"load {access.info.name}", daemon=True).start()

    async def check(self, name: str = "") -> ProviderStatus:
        """Try the connection to a provider, else to the one that answers; a result of the last 30 seconds stands.

        Raises:
            DraftsmithError: `provider_unknown`.
        """
        access = self._find_or_raise(name) if name not in ("", "builtin") else None if name else self.current
        if access is None:
            return self._check_nobody(name or self.name)
        async with self._checking:
            known = self._checks.get(access.info.name)
            key = access.key
            if known is None or not known.is_of(access) or self.now() - known.at >= REMEMBERED_S or not access.is_ready:
                check = await access.open("edit").check() if access.is_ready else _lacking(access)
                known = self._checks[access.info.name] = _CachedCheck(access, check, key, self.now())
            return known.check

    def _check_nobody(self, name: str) -> ProviderStatus:
        ok = name == "builtin"
        detail = "Built-in commands need no connection." if ok else "The assistant is switched off on this server."
        check = ProviderStatus(ok, "" if ok else "assistant_off", detail)
        self._checks[name] = _CachedCheck(None, check, "", self.now())
        return check

    async def enter_key(self, key: str, name: str = "") -> ProviderStatus:
        """Check a key of a provider and keep it if it works; without a name, of the one whose key is meant.

        Raises:
            DraftsmithError: `forbidden`, `key_from_environment`, `key_refused`, `provider_unknown`.
        """
        access = self._changeable(name)
        if not access.is_set_up:
            access.require()
        check = await access.open("edit", key).check()
        if not check.ok:
            raise DraftsmithError("key_refused", check.detail, extra={"reason": check.code})
        access.keys.save(key)
        self._checks[access.info.name] = _CachedCheck(access, check, key, self.now())
        return check

    def forget_key(self, name: str = "") -> None:
        """Forget the entered key of a provider; without a name, of the one whose key is meant.

        Raises:
            DraftsmithError: `forbidden`, `key_from_environment`, `provider_unknown`.
        """
        access = self._changeable(name)
        access.keys.delete()
        self._checks.pop(access.info.name, None)

    def _find_or_raise(self, name: str) -> ModelAccess:
        access = self.find(name) if name else self.default
        if access is None:
            raise self._unknown(name)
        return access

    def _changeable(self, name: str) -> ModelAccess:
        access = self._find_or_raise(name)
        variable = access.info.key_variable
        if not access.info.takes_entered_key:
            message = f"{access.info.label} is asked with the credentials of this server; no key is entered for it."
            raise DraftsmithError("forbidden", message)
        if access.env_key:
            message = f"The key comes from the environment ({variable}) and can only be changed there."
            raise DraftsmithError("key_from_environment", message)
        return access

    async def close(self) -> None:
        """Close every connection."""
        for access in self.available:
            await access.connections.close()
        if self.entered is not None:
            await self.entered.close()


def _lacking(access: ModelAccess) -> ProviderStatus:
    return ProviderStatus(False, "needs_key" if access.is_set_up else "provider_unknown", access.lacks)


def _load(info: ModelProvider) -> None:
    began = time.monotonic()
    try:
        info.load()
    except Exception as problem:  # noqa: BLE001  # whatever it is, the first run tries again and tells the person
        _log.warning("a model provider could not be loaded", provider=info.name, reason=repr(problem))
    else:
        _log.debug("a model provider is loaded", provider=info.name, ms=round((time.monotonic() - began) * 1000))
