"""The gate: authenticates and authorizes each request and socket before anything of it is read or done.

A route names its action (`contract.route`); the policy (`draftsmith.access.policy`) answers. In local mode everybody is
this machine's person and no store is asked. Not here: where a request comes from (`guard`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from starlette.requests import HTTPConnection

from draftsmith.access.actions import Action
from draftsmith.access.folders import Folder, FolderId, FolderTree, folder_not_found, role_in
from draftsmith.access.policy import check
from draftsmith.access.principal import Principal
from draftsmith.access.records import hash_of, sooner
from draftsmith.access.roles import Role, is_at_least
from draftsmith.access.workspace_access import UNCLAIMED, WorkspaceAccess, role_of
from draftsmith.api.access.cookies import SCRIPT, Profiles
from draftsmith.api.access.rates import Rates
from draftsmith.api.http.guard import note
from draftsmith.api.http.proxies import address_of
from draftsmith.errors import DraftsmithError
from draftsmith.history.actor import Actor
from draftsmith.model.ids import WorkspaceId
from draftsmith.ports.access import AccessFacts, AccessQuery
from draftsmith.usecases.access.authenticate import Authentication, Credentials, principal_of, query_of, read
from draftsmith.usecases.access.credentials import Credential
from draftsmith.usecases.access.dependencies import AccessDependencies, Asking
from draftsmith.usecases.access.standing import opens
from draftsmith.usecases.requests.identity import check_id, is_id

Mode = Literal["local", "token"]
_READS: Final = ("GET", "HEAD", "OPTIONS")
AGENT: Final = Actor("local:agent", "Agent", "script")
"""For whom an agent works that shows no key, in local mode: itself."""
_INVALID: Final = ("credential_invalid", "credential_expired")
_MOST_REMEMBERED: Final = 10_000
_CredentialName = tuple[str, str, tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class AuthorizedCaller:
    """A caller that the gate has let in, with their role.

    Attributes:
        principal: who they are.
        credential: their credential, to check it again while a socket is open.
        role: their role in the workspace or the folder; None where neither is asked.
        access: the record of the workspace; None where none is asked, and in local mode.
        folders: the folder that is asked, or in which the workspace lies, and those around it, the innermost first.
        rests_on: principal id of who made the share link of this workspace that they opened; empty for none.
        until_ms: until when all that is worth anything; None for ever.
        address: where the request comes from.
    """

    principal: Principal
    credential: Credential
    role: Role | None = None
    access: WorkspaceAccess | None = None
    until_ms: int | None = None
    address: str = ""
    folders: tuple[Folder, ...] = ()
    rests_on: str = ""

    @property
    def asking(self) -> Asking:
        """For use cases."""
        return Asking(self.principal, self.address)

    @property
    def sees_all_runs(self) -> bool:
        """Whether they may see what everybody asked the assistant: in local mode, or where the owner has opened it."""
        return self.access is None or self.access.shows_runs

    def sees_runs_of(self, actor_id: str) -> bool:
        """Whether they may see what somebody asked the assistant: their own at least."""
        return self.sees_all_runs or actor_id == self.principal.actor.id


@dataclass(frozen=True, slots=True)
class WorkspaceRole:
    """What a workspace is to somebody: their role, and the folder in which they see it; each None for none."""

    role: Role | None
    folder: FolderId | None


class Gate:
    """The gate of one worker."""

    def __init__(self, mode: Mode, profiles: Profiles, needs: AccessDependencies, rates: Rates) -> None:
        self.mode = mode
        self.profiles = profiles
        self.needs = needs
        self._rates = rates
        self._counted_as: dict[_CredentialName, str] = {}
        """As whom writes with a credential were counted last: a guess, which lets the next one be counted in the round
        trip in which it is looked up who that is. Where that says otherwise, it is counted once more, as it says."""

    async def enter(
        self,
        connection: HTTPConnection,
        action: Action,
        workspace_id: str | None = None,
        folder_id: str | None = None,
    ) -> AuthorizedCaller:
        """Let a request pass, and note who it is; repeated for the same request it asks no store again for that.

        Raises:
            DraftsmithError: `unauthorized`, `forbidden`, `workspace_not_found`, `folder_not_found`, as the policy says;
                what a credential is refused with; `too_many_tries`, `too_many_requests`.
        """
        entered, facts = await self._identify(connection, workspace_id)
        if workspace_id is not None:
            entered = await self._in_workspace(entered, check_id(workspace_id), facts)
        if folder_id is not None:
            entered = await self._in_folder(entered, folder_id)
        check(entered.principal, action, entered.role)
        connection.state.entered = entered
        return entered

    async def enter_agent(self, connection: HTTPConnection) -> AuthorizedCaller:
        """Let an agent pass: by a key, a token or a share link; in local mode also without any of them.

        Cookies count for nothing here, since a browser sends them by itself. What it may in a workspace, `enter` says.

        Raises:
            DraftsmithError: as `enter`.
        """
        address = address_of(connection)
        given = Credentials(*_shown_in(connection))
        if self.mode == "local" and given == Credentials():
            entered = _local(local_principal(AGENT), Credential())
        else:
            entered, _ = await self._authenticate(given, address)
        note(connection.scope, actor=entered.principal.actor.id)
        check(entered.principal, Action.AGENT)
        connection.state.entered = entered
        return entered

    async def enter_as(
        self, connection: HTTPConnection, credential: Credential, action: Action, workspace_id: str
    ) -> AuthorizedCaller:
        """Let somebody pass who was let in before, by a ticket; raises as `enter`."""
        if self.mode == "token":
            known = await principal_of(self.needs, credential)
            connection.state.entered = AuthorizedCaller(
                known.principal, credential, until_ms=known.until_ms, address=address_of(connection)
            )
        elif credential.profile is not None:
            connection.state.entered = _local(local_principal(credential.profile.actor), credential)
        return await self.enter(connection, action, workspace_id)

    async def recheck(self, credential: Credential, action: Action, workspace_id: WorkspaceId) -> AuthorizedCaller:
        """Ask again for whoever has a socket or a stream open; raises as `enter`."""
        facts = await self.needs.stores.facts.read(query_of(credential, workspace_id))
        known = await principal_of(self.needs, credential, facts)
        entered = await self._in_workspace(
            AuthorizedCaller(known.principal, credential, until_ms=known.until_ms), workspace_id, facts
        )
        check(entered.principal, action, entered.role)
        return entered

    async def roles(self, entered: AuthorizedCaller, workspace_ids: Sequence[WorkspaceId]) -> list[Role | None]:
        """The roles that somebody has in several workspaces; None where they may not know of one."""
        if self.mode == "local":
            return [role_of(entered.principal, UNCLAIMED)] * len(workspace_ids)
        return [place.role for place in await self.places(entered, workspace_ids)]

    async def places(self, entered: AuthorizedCaller, workspace_ids: Sequence[WorkspaceId]) -> list[WorkspaceRole]:
        """What several workspaces are to somebody; the folders are read once for all of them."""
        principal, stores = entered.principal, self.needs.stores
        tree = await stores.folders.all()
        if self.mode == "local" and not tree.folders:
            return [WorkspaceRole(role_of(principal, UNCLAIMED), None)] * len(workspace_ids)
        records = await stores.workspaces.many(workspace_ids)
        roles = folder_roles(principal, tree)
        places = []
        for workspace_id, record in zip(workspace_ids, records, strict=True):
            access = record or UNCLAIMED
            inherited = None if access.folder is None else roles.get(access.folder)
            role = role_of(principal, access, inherited=inherited)
            if workspace_id in principal.links:
                role = (await self._in_workspace(entered, workspace_id)).role
            places.append(WorkspaceRole(role, access.folder if inherited is not None else None))
        return places

    async def seen_folders(self, entered: AuthorizedCaller) -> frozenset[str]:
        """The folders that somebody may know of."""
        return frozenset(folder_roles(entered.principal, await self.needs.stores.folders.all()))

    async def as_session(self, connection: HTTPConnection, secret: str) -> AuthorizedCaller:
        """Who somebody is with a session that has just begun."""
        shown = Credential("session", hash_of(secret), profile=self.profiles.profile(connection))
        known = await principal_of(self.needs, shown)
        return AuthorizedCaller(known.principal, shown, until_ms=known.until_ms, address=address_of(connection))

    async def count_call(self, entered: AuthorizedCaller, agent_id: str) -> None:
        """Count a call of a tool; what is too much is in the audit, once a minute.

        Raises:
            DraftsmithError: `too_many_requests`.
        """
        try:
            await self._rates.agent(agent_id)
        except DraftsmithError as error:
            if await self._rates.is_first(f"told:{agent_id}"):
                await self.needs.note(entered.asking, "agent.slowed", error.detail)
            raise

    async def count_try(self, entered: AuthorizedCaller) -> None:
        """Count a refused secret of somebody; raises `too_many_tries`."""
        await self._rates.count_failure(entered.address)

    async def _identify(
        self, connection: HTTPConnection, workspace_id: str | None
    ) -> tuple[AuthorizedCaller, AccessFacts | None]:
        """Who asks, and what was looked up for that, with what is known of a workspace."""
        done: AuthorizedCaller | None = getattr(connection.state, "entered", None)
        if done is not None:
            return done, None
        profile = self.profiles.profile(connection)
        authorization, acts_for = _shown_in(connection)
        if self.mode == "local":
            if profile is None:
                return _SCRIPT, None
            return _local(local_principal(profile.actor), Credential(profile=profile)), None
        address = address_of(connection)
        given = Credentials(
            authorization=authorization,
            acts_for=acts_for,
            session=connection.cookies.get(self.profiles.session_cookie),
            profile=profile,
        )
        asked = WorkspaceId(workspace_id) if workspace_id is not None and is_id(workspace_id) else None
        is_write = connection.scope["type"] == "http" and connection.scope["method"] not in _READS
        entered, facts = await self._authenticate(given, address, asked, is_write=is_write)
        principal = entered.principal
        note(connection.scope, actor=principal.actor.id)
        if is_write:
            who = principal.actor.id if principal.is_known else address
            self._remember(entered.credential, who)
            await self._rates.write(who, facts)
        return entered, facts

    async def _authenticate(
        self, credentials: Credentials, address: str, workspace_id: WorkspaceId | None = None, *, is_write: bool = False
    ) -> tuple[AuthorizedCaller, AccessFacts]:
        """Who somebody is by what they show, and what is known of a workspace; what is refused is counted."""
        try:
            shown = await read(self.needs, credentials)
            known, facts = await self._look_up(shown, workspace_id, is_write=is_write)
        except DraftsmithError as error:
            if error.code in _INVALID:
                await self._rates.count_failure(address)
            raise
        return AuthorizedCaller(known.principal, shown, until_ms=known.until_ms, address=address), facts

    async def _look_up(
        self, credential: Credential, workspace_id: WorkspaceId | None, *, is_write: bool
    ) -> tuple[Authentication, AccessFacts]:
        """Who somebody is now; a write is counted in the same round trip where it was counted before."""
        counted_as = self._counted_as.get(_name_of(credential)) if is_write else None
        rate = None if counted_as is None else self._rates.of_writes(counted_as)
        facts = await self.needs.stores.facts.read(query_of(credential, workspace_id, rate))
        try:
            return await principal_of(self.needs, credential, facts), facts
        except DraftsmithError:  # what is shown from now on by whoever lost it must not count as theirs
            self._counted_as.pop(_name_of(credential), None)
            raise

    def _remember(self, credential: Credential, who: str) -> None:
        """As whom a write was counted with a credential."""
        if credential.id:
            if len(self._counted_as) >= _MOST_REMEMBERED:
                self._counted_as.clear()
            self._counted_as[_name_of(credential)] = who

    async def _in_workspace(
        self, entered: AuthorizedCaller, workspace_id: WorkspaceId, facts: AccessFacts | None = None
    ) -> AuthorizedCaller:
        principal = entered.principal
        if principal.kind == "local":
            return _local(principal, entered.credential) if entered.role is None else entered
        if not principal.is_known:
            return entered
        share_id = principal.links.get(workspace_id)
        if facts is None or (facts.query.workspace_id, facts.query.share_id) != (workspace_id, share_id):
            query = AccessQuery(workspace_id=workspace_id, share_id=share_id)
            facts = await self.needs.stores.facts.read(query)
        share = facts.share
        access, rests_on = facts.record or UNCLAIMED, "" if share is None else share.made_by
        folders = _folders_for(principal, facts)
        if share is not None and not await opens(self.needs, share, access, folders):
            share = None
        inherited = role_in(principal, folders)
        role = role_of(principal, access, None if share is None else share.role, inherited)
        lasting = role_of(principal, access, inherited=inherited)
        until = entered.until_ms
        if share is not None and not is_at_least(lasting, share.role):
            until = sooner(until, share.until_ms)
        return AuthorizedCaller(principal, entered.credential, role, access, until, entered.address, folders, rests_on)

    async def _in_folder(self, entered: AuthorizedCaller, folder_id: str) -> AuthorizedCaller:
        principal = entered.principal
        if not principal.is_known:
            return entered
        folders = tuple(await self.needs.stores.folders.chain(FolderId(folder_id))) if is_id(folder_id) else ()
        if not folders:  # also in local mode, where nobody is refused otherwise
            raise folder_not_found()
        role = role_in(principal, folders)
        return AuthorizedCaller(
            principal, entered.credential, role, until_ms=entered.until_ms, address=entered.address, folders=folders
        )


def _name_of(credential: Credential) -> _CredentialName:
    """What tells a credential from all others."""
    return credential.kind, credential.id, credential.acts_for


def folder_roles(principal: Principal, tree: FolderTree) -> dict[FolderId, Role]:
    """The folders that somebody may see, with their roles there."""
    roles = {folder_id: role_in(principal, tree.chain(folder_id)) for folder_id in tree.folders}
    return {folder_id: role for folder_id, role in roles.items() if role is not None}


def local_principal(actor: Actor) -> Principal:
    """Who asks in local mode, where everybody may everything."""
    return Principal(actor, "local", is_admin=True)


def _folders_for(principal: Principal, facts: AccessFacts) -> tuple[Folder, ...]:
    """The folders around a workspace; none where they give nothing to who asks, nor to who made a link."""
    if facts.share is None and (not principal.is_signed_in or principal.application is not None):
        return ()
    return facts.folders


def _local(principal: Principal, credential: Credential) -> AuthorizedCaller:
    return AuthorizedCaller(principal, credential, role=role_of(principal, UNCLAIMED))


_SCRIPT: Final = _local(local_principal(SCRIPT), Credential())
"""Whoever shows nothing in local mode."""


def _shown_in(connection: HTTPConnection) -> tuple[str | None, str | None]:
    """`Authorization` and `Draftsmith-Actor`, each None where it is not there.

    Raises:
        DraftsmithError: `header_repeated`: who is behind this server could read the other one.
    """
    found = []
    for name in ("Authorization", "Draftsmith-Actor"):
        values = connection.headers.getlist(name)
        if len(values) > 1:
            raise DraftsmithError("header_repeated", f"{name} is there {len(values)} times; send it once.")
        found.append(values[0] if values else None)
    return found[0], found[1]


def entered_of(connection: HTTPConnection) -> AuthorizedCaller:
    """Who has passed the gate with this request."""
    entered: AuthorizedCaller = connection.state.entered
    return entered
