"""The server of models that an administrator enters in the page: looked at, tried, kept, and asked like any provider.

Its address is read and held against the list of hosts each time that it is used, also where it was kept before the list
was made shorter. Its key is kept like that of any provider, and is sent to no other address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from draftsmith.addresses import may_serve
from draftsmith.assistant.model_provider import Connections, ModelProvider, Reach
from draftsmith.assistant.provider import Effort, ProviderError, ProviderStatus, Usage
from draftsmith.errors import DraftsmithError
from draftsmith.ports.runs import EnteredServer, EnteredServerStore, ProviderKeyStore, TrialResult
from draftsmith.usecases.providers.model_access import ModelAccess
from draftsmith.usecases.providers.server_address import ServerAddress, is_listed, read_address
from draftsmith.usecases.providers.trial import TrialStep, cut_beyond, measured_context, run_trial

_RESOLVE_SECONDS: Final = 10.0
_WORKFLOWS: Final = ("edit", "generate", "ask", "investigate", "recommend")
_OPTIONS: Final = {"api": "chat", "schemas": "flat"}  # what all of these servers know, and small models follow


@dataclass(frozen=True, slots=True)
class ServerLook:
    """What is at an address: the IP addresses that its host stands for now, and the models that are listed there.

    Attributes:
        status: whether the list came.
    """

    address: str
    ip_addresses: Sequence[str]
    models: Sequence[str]
    status: ProviderStatus


@dataclass(kw_only=True)
class EnteredServers:
    """The one server of models that can be entered.

    Attributes:
        info: its provider.
        store: where its address and its model are kept.
        keys: where its key is kept.
        list_models: asks a server for the names of its models.
        resolve: gives the IP addresses of a host and a port.
        hosts: patterns of hosts that may be entered; None for any.
        is_installed: the SDK is there.
        is_asked: this server asks models at all, as it is set.
        run_seconds: how long a run may take, and so how long it may be silent.
    """

    info: ModelProvider
    store: EnteredServerStore
    keys: ProviderKeyStore
    list_models: Callable[[Reach, str], Awaitable[list[str]]]
    resolve: Callable[[str, int], Awaitable[list[str]]]
    hosts: Sequence[str] | None = ()
    is_installed: bool = True
    is_asked: bool = True
    effort: Effort = "medium"
    run_seconds: float = 300.0
    _access: ModelAccess | None = None
    _replaced: list[Connections] = field(default_factory=list)

    @property
    def lacks(self) -> str:
        """Why no server can be entered here, with what to do; empty where one can."""
        if not self.is_installed:
            extra = self.info.extra
            return f"A server of your own needs the extra '{extra}' of Draftsmith: install draftsmith[{extra}]."
        if not self.is_asked:
            return "This server asks no models (ASSISTANT_PROVIDER)."
        if self.hosts is not None and not self.hosts:
            return "Whoever runs this server first names the hosts that may be entered here (MODEL_HOSTS)."
        return ""

    def access(self) -> ModelAccess | None:
        """The provider that asks the server that is kept; None where none is. The same one until another is kept."""
        kept = self.store.read()
        if kept is None:
            return None
        access = self._access
        if access is None or (access.base_url, access.models["edit"]) != (kept.address, kept.model):
            if access is not None:
                self._replaced.append(access.connections)  # a run may still be answered by it
            access = self._access = ModelAccess(
                info=self.info,
                env_key="",
                keys=self.keys,
                models=dict.fromkeys(_WORKFLOWS, kept.model),
                base_url=kept.address,
                connections=self.info.connect(self._reach(kept.address)),
                is_installed=self.is_installed,
                needs_key=False,
            )
        access.measured_context = measured_context(kept.trials)
        access.cut_beyond = cut_beyond(kept.trials)
        access.refusal = self._refusal(kept.address)
        return access

    async def look(self, text: str, key: str = "") -> ServerLook:
        """Say where an address leads, and which models are listed there; nothing is kept.

        Raises:
            DraftsmithError: `server_address_refused`, `provider_unknown`.
        """
        address = self._read_allowed(text)
        found = await self._addresses_of(address)
        models: list[str] = []
        try:
            models = await self.list_models(self._reach(address.url), key or self._key_for(address))
            status = ProviderStatus(True, "", f"{len(models)} models are listed." if models else "It lists no models.")
        except ProviderError as problem:
            status = ProviderStatus(False, problem.code, problem.detail)
        return ServerLook(address.url, found, models, status)

    async def enter(self, text: str, model: str, key: str = "") -> ProviderStatus:
        """Try a model of a server and keep both if it answers; without a key, with the one kept for this address.

        Raises:
            DraftsmithError: `server_address_refused`, `server_unusable`, `provider_unknown`, `file_unwritable`.
        """
        address = self._read_allowed(text)
        await self._addresses_of(address)
        key = key or self._key_for(address)
        connections = self.info.connect(self._reach(address.url))
        try:
            status = await connections.provider(key, model).check()
        finally:
            await connections.close()
        if not status.ok:
            raise DraftsmithError("server_unusable", status.detail, extra={"reason": status.code})
        if key != (self.keys.read() or ""):
            self.keys.delete()  # before the address: one server's key is not sent to another
        self.store.save(EnteredServer(address=address.url, model=model))
        if key and key != self.keys.read():
            self.keys.save(key)
        return status

    def forget(self) -> None:
        """Forget the server and its key.

        Raises:
            DraftsmithError: `file_unwritable`.
        """
        self.keys.delete()
        self.store.delete()

    async def try_step(self, step: TrialStep, usage: Usage) -> ProviderStatus:
        """Make a step of trying the server that is kept, and keep what came of it; the first begins anew.

        `usage` is filled in with the tokens that it takes.

        Raises:
            DraftsmithError: `provider_unknown`, `file_unwritable`.
        """
        access, tried = self.access(), self.store.read()
        if access is None or tried is None:
            raise DraftsmithError("provider_unknown", "No server of your own has been entered.")
        access.require()
        status = await run_trial(access.open("edit"), step, usage)
        kept = self.store.read()
        if kept is not None and (kept.address, kept.model) == (tried.address, tried.model):
            before = {} if step == "answers" else kept.trials
            result = TrialResult(ok=status.ok, code=status.code, detail=status.detail, facts=dict(status.facts))
            self.store.save(replace(kept, trials={**before, step: result}))
        return status

    async def close(self) -> None:
        """Close every connection."""
        current = [] if self._access is None else [self._access.connections]
        for connections in (*self._replaced, *current):
            await connections.close()

    def _reach(self, address: str) -> Reach:
        return Reach(
            base_url=address,
            effort=self.effort,
            run_seconds=self.run_seconds,
            options=_OPTIONS,
            may_connect=may_serve,
        )

    def _key_for(self, address: ServerAddress) -> str:
        kept = self.store.read()
        return (self.keys.read() or "") if kept is not None and kept.address == address.url else ""

    def _read_allowed(self, text: str) -> ServerAddress:
        if self.lacks:
            raise DraftsmithError("provider_unknown", self.lacks)
        address = read_address(text)
        if refusal := self._refusal(address.url):
            raise DraftsmithError("server_address_refused", refusal)
        return address

    def _refusal(self, url: str) -> str:
        try:
            address = read_address(url)
        except DraftsmithError as error:  # somebody has written into the file
            return error.detail
        if self.hosts is None or is_listed(address, self.hosts):
            return ""
        named = ", ".join(self.hosts) or "none"
        return f"{address.host}:{address.port} is none of the hosts that may be entered here (MODEL_HOSTS: {named})."

    async def _addresses_of(self, address: ServerAddress) -> list[str]:
        try:
            async with asyncio.timeout(_RESOLVE_SECONDS):
                found = await self.resolve(address.host, address.port)
        except (OSError, UnicodeError, TimeoutError):
            message = f"There is no host {address.host}, as far as this server can see. Check how it is written."
            raise DraftsmithError("server_address_refused", message) from None
        for one in found:
            if not may_serve(one):
                message = f"{address.host} leads to {one}, where no server of models is asked: link-local or reserved."
                raise DraftsmithError("server_address_refused", message)
        return found
