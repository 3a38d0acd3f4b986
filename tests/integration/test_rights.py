"""Whoever loses a right has lost it by whatever they show, and nobody loses more: every credential × loss × action.

Eve administers, owns a workspace and a folder, and has given credentials of every kind away or keeps them herself. Then
something is taken from her. What each credential may from then on is written down here (`after`), apart from the code
that decides it; every action is asked by one route, and by a tool, a message and a stream where it has one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from draftsmith.access.actions import Action
from draftsmith.access.roles import Role, is_at_least, smaller
from draftsmith.adapters.process.system import SystemClock
from draftsmith.ports.identity import Claims
from draftsmith.usecases.access import people
from draftsmith.usecases.access.dependencies import AccessDependencies
from tests.integration.client import node
from tests.integration.people import Caller, Town, on_store
from tests.integration.sockets import Page, new_id, page
from tests.kit.fixtures import town_fixture
from tests.kit.tokens import TokenIssuer
from tests.timeouts import timeout

TOKENS = TokenIssuer("https://issuer", "https://draftsmith.test/api")
HEADERS = {"Accept": "application/json, text/event-stream"}
START = {"name": "Shop", "document": {"text": "# Shop\n"}}
W, F = "/workspaces/{w}", "/folders/{f}"

ROUTES: Mapping[Action, str] = {
    Action.READ: f"GET {W}",
    Action.RUN_READ: f"GET {W}/runs",
    Action.ASK: f"POST {W}/runs",
    Action.PROPOSE: f"POST {W}/batches",
    Action.OWN_RUN: f"PUT {W}/runs/none/rating",
    Action.WRITE: f"POST {W}/nodes",
    Action.DECIDE: f"POST {W}/proposals/none/accept",
    Action.CHECKPOINT: f"POST {W}/checkpoints",
    Action.CONVERSATION_CLEAR: f"DELETE {W}/conversation",
    Action.TRASH: f"POST {W}/undelete",
    Action.ASSISTANT_SWITCH: f"PATCH {W}/assistant",
    Action.ACCESS_READ: f"GET {W}/access",
    Action.ACCESS_WRITE: f"POST {W}/shares",
    Action.AUDIT_READ: f"GET {W}/audit",
    Action.MOVE: f"PUT {W}/folder",
    Action.FOLDER_READ: f"GET {F}",
    Action.FOLDER_WRITE: f"PATCH {F}",
    Action.FOLDER_OWN: f"POST {F}/transfer",
    Action.PUBLIC: "GET /healthz",
    Action.SIGN_IN: "GET /me",
    Action.SELF_READ: "GET /sessions",
    Action.SELF: "PATCH /me",
    Action.LIST: "GET /workspaces",
    Action.ASSISTANT_READ: "GET /assistant",
    Action.CREATE: "POST /folders",
    Action.KEYS_READ: "GET /keys",
    Action.KEYS: "POST /keys",
    Action.SETTINGS_READ: "GET /usage",
    Action.SETTINGS: "PUT /assistant/key",
    Action.PEOPLE_READ: "GET /users",
    Action.PEOPLE: "PATCH /users/none",
}
"""One for each action; what is sent is nonsense, so that nothing comes of it."""
TOOLS: Mapping[Action, tuple[str, dict[str, Any]]] = {
    Action.READ: ("read_workspace", {"workspace": "{w}"}),
    Action.PROPOSE: ("edit", {"workspace": "{w}", "base_revision": 1, "operations": [node("x")], "dry_run": True}),
    Action.WRITE: ("undo", {"workspace": "{w}", "revision": 1, "dry_run": True}),
    Action.LIST: ("list_workspaces", {}),
    Action.CREATE: ("create_workspace", {"name": "New", "id": "short"}),
    Action.AGENT: ("", {}),
}
"""The same for agents; no name for the list of tools itself."""
MESSAGES: Mapping[Action, str] = {Action.PRESENCE: "presence", Action.WRITE: "submit"}
"""Over a socket that is open (`goes_on`)."""
REFUSED = {"unauthorized", "credential_invalid", "credential_expired", "user_removed", "forbidden",
           "workspace_not_found", "folder_not_found"}  # fmt: skip


@dataclass(frozen=True)
class May:
    """What a credential lets do, as this test expects it.

    Attributes:
        is_good: whether it is worth anything; a session that is not leaves a stranger, anything else is refused.
        is_signed_in, is_admin: in the installation.
        role, in_folder: in the workspace and in the folder beside it.
        limit: of a key.
    """

    is_good: bool = True
    is_signed_in: bool = True
    is_admin: bool = False
    role: Role | None = None
    in_folder: Role | None = None
    limit: Role | None = None

    def do(self, action: Action) -> bool:
        """Whether they may."""
        needs = action.value
        if action is Action.PUBLIC:
            return True
        if not self.is_good or action is Action.SIGN_IN:
            return self.is_good
        if needs.role is not None:
            role = self.role if needs.of == "workspace" else self.in_folder
            return is_at_least(role, needs.role) and (self.limit is None or is_at_least(self.limit, needs.role))
        who = {"known": True, "signed_in": self.is_signed_in, "administrator": self.is_admin}[needs.who]
        return who and (self.limit is None or (needs.limit is not None and is_at_least(self.limit, needs.limit)))


Loss = Literal["removed", "demoted", "lowered", "taken out", "group left", "out of the folder", "signed out", "ended"]
LOSSES: tuple[Loss, ...] = (
    "removed", "demoted", "lowered", "taken out", "group left", "out of the folder", "signed out", "ended",
)  # fmt: skip
EVE = May(is_admin=True, role="owner", in_folder="owner")
NOTHING = May(is_good=False)


def eve_after(loss: Loss) -> May:
    """Eve herself; "ended" ends one credential, not her."""
    return {
        "removed": NOTHING,
        "demoted": replace(EVE, is_admin=False),
        "lowered": replace(EVE, role="viewer", in_folder="viewer"),
        "taken out": replace(EVE, role=None, in_folder=None),
        "group left": replace(EVE, role=None, in_folder=None),
        "out of the folder": replace(EVE, role=None, in_folder=None),
    }.get(loss, EVE)


def if_good(loss: Loss, *ends: Loss, then: May | None = None) -> May:
    """What is left of one that certain losses end, and "ended" always; else as Eve is."""
    return NOTHING if loss in ("ended", *ends) else then or eve_after(loss)


@dataclass(frozen=True)
class Credential:
    """One kind of credential.

    Attributes:
        before: what it lets do while Eve has everything.
        after: what it lets do after a loss.
    """

    before: May
    after: Callable[[Loss], May]


SHARES_OF_EVE: tuple[Loss, ...] = ("removed", "lowered", "taken out", "group left", "out of the folder")
GUEST = May(is_signed_in=False, role="editor")
APPLICATION = May(role="owner")
PROGRAM = May(is_admin=True, role="editor")
LIMITED: Role = "viewer"
CREDENTIALS: Mapping[str, Credential] = {
    "session": Credential(EVE, lambda loss: if_good(loss, "signed out")),
    "token": Credential(EVE, lambda loss: if_good(loss, "signed out")),
    "key": Credential(EVE, lambda loss: if_good(loss, "signed out")),
    "limited key": Credential(
        replace(EVE, limit=LIMITED), lambda loss: replace(if_good(loss, "signed out"), limit=LIMITED)
    ),
    "administrator's key": Credential(PROGRAM, lambda loss: if_good(loss, "removed", "demoted", then=PROGRAM)),
    "application": Credential(APPLICATION, lambda loss: if_good(loss, "removed", "demoted", then=APPLICATION)),
    "person of an application": Credential(
        APPLICATION, lambda loss: if_good(loss, "removed", "demoted", then=APPLICATION)
    ),
    # A browser stays the guest that it was, who sees nothing then.
    "link in a browser": Credential(
        GUEST, lambda loss: replace(GUEST, role=None if loss in ("ended", *SHARES_OF_EVE) else "editor")
    ),
    "link of a program": Credential(GUEST, lambda loss: if_good(loss, *SHARES_OF_EVE, then=GUEST)),
}
AGENTS = CREDENTIALS.keys() - {"session", "link in a browser"}
"""By cookie no agent comes."""


place = town_fixture("rights", issuer=TOKENS, TRIES_PER_MINUTE="0", WRITES_PER_MINUTE="0", AGENT_CALLS_PER_MINUTE="0")


@dataclass
class Scene:
    """Eve with what she has, one credential of her, and Root, who takes something away."""

    place: Town
    eve: Caller
    root: Caller
    w: str
    f: str
    name: str
    eve_id: str
    headers: dict[str, str] = field(default_factory=dict)
    caller: Caller = field(init=False)
    end: Callable[[], object] = field(init=False)
    of_eve: str = field(init=False)

    def __post_init__(self) -> None:
        self.of_eve = self.w

    def show(self, kind: str) -> None:
        """Have `caller` show a credential of this kind; `end` takes just that away."""
        place, eve = self.place, self.eve
        if kind == "session":
            self.caller = place.person(self.name)
            [session] = [one for one in self.caller.ask("GET", "/sessions")["items"] if one["current"]]
            self.end = lambda: eve.ask("DELETE", f"/sessions/{session['id']}", 204)
        elif kind == "token":
            self.caller = place.caller(key=TOKENS.token(self.name, name=self.name, groups=["crew"]))
            self.end = self.sign_out
        elif kind.startswith("link"):
            made = eve.ask("POST", f"/workspaces/{self.w}/shares", 201, json={"role": "editor"})
            self.caller = place.opened(made["token"]) if "browser" in kind else place.caller(key=made["token"])
            self.end = lambda: self.root.ask("DELETE", f"/workspaces/{self.w}/shares/{made['id']}", 204)
        else:
            self._show_key(kind)

    def _show_key(self, kind: str) -> None:
        bodies: dict[str, dict[str, Any]] = {
            "key": {"admin": True},
            "limited key": {"admin": True, "role": LIMITED},
            "administrator's key": {"admin": True, "personal": False},
        }
        made = self.eve.ask("POST", "/keys", 201, json={"name": kind, **bodies.get(kind, {"delegate": True})})
        self.caller = self.place.caller(key=made["key"])
        self.end = lambda: self.eve.ask("DELETE", f"/keys/{made['id']}", 204)
        if kind == "administrator's key":
            member = f"/workspaces/{self.w}/members/key:{made['id']}"
            self.root.ask("PUT", member, json={"role": "editor"})
        if "application" in kind:
            if kind.startswith("person"):
                self.headers = {"Draftsmith-Actor": json.dumps({"id": "42", "name": "Pia"})}
                self.caller.headers.update(self.headers)
            self.w = self.caller.create(**START)

    def sign_out(self) -> None:
        """The issuer says that Eve is signed out."""

        async def work(needs: AccessDependencies) -> None:
            await needs.stores.sessions.end_all(self.eve_id)
            await people.sign_out(needs, self.eve_id, SystemClock().now_ms())

        on_store(self.place.store_url, work)

    def take(self, loss: Loss) -> None:
        """Something is taken away."""
        root, w, f, eve = self.root, f"/workspaces/{self.of_eve}", f"/folders/{self.f}", self.eve_id
        if loss == "removed":
            root.ask("DELETE", f"/users/{eve}", 204)
        elif loss == "demoted":
            root.ask("PATCH", f"/users/{eve}", json={"is_admin": False})
        elif loss == "lowered":
            for of in (w, f):
                root.ask("PUT", f"{of}/members/{eve}", json={"role": "viewer"})
        elif loss == "taken out":
            for of in (w, f):
                root.ask("DELETE", f"{of}/members/{eve}")
        elif loss == "group left":
            claims = Claims(f"{TOKENS.url}|{self.name}", self.name)
            on_store(self.place.store_url, lambda needs: people.user_of(needs, claims))
        elif loss == "out of the folder":
            root.ask("DELETE", f"{f}/members/{eve}")
        elif loss == "signed out":
            self.sign_out()
        else:
            self.end()


def scene(place: Town, loss: Loss, name: str) -> Scene:
    """Root owns a workspace and a folder; Eve has every role there in the way that the loss takes away."""
    root = place.admin
    eve = place.person(name, groups=("crew",), admin=True)
    w, f = root.create(**START), root.ask("POST", "/folders", 201, json={"name": "Team"})["id"]
    body = {"role": "owner"}
    if loss == "out of the folder":
        root.ask("PUT", f"/workspaces/{w}/folder", json={"folder": f})
        root.ask("PUT", f"/folders/{f}/members/{eve.id}", json=body)
    else:
        who = "groups/crew" if loss == "group left" else f"members/{eve.id}"
        for of in (f"/workspaces/{w}", f"/folders/{f}"):
            root.ask("PUT", f"{of}/{who}", json=body)
    return Scene(place, eve, root, w, f, name, eve.id)


def is_refused(response: httpx.Response) -> bool:
    kind = response.headers.get("content-type", "")
    return kind.startswith("application/problem") and response.json()["code"] in REFUSED


def asks(one: Scene, action: Action) -> bool:
    """Whether the action's route lets the credential pass; what it is asked with is nonsense."""
    if action is Action.PUBLIC:
        return one.caller.get("/healthz").status_code == 200
    method, _, path = ROUTES[action].partition(" ")
    body: dict[str, Any] = {} if method in ("GET", "DELETE") else {"json": {"nonsense": 1}}
    response = one.caller.send_to(method, path.format(w=one.w, f=one.f), **body)
    if action is Action.SIGN_IN:
        return response.status_code == 200 and response.json()["id"] != "nobody"
    return not is_refused(response)


def asks_as_agent(one: Scene, action: Action) -> bool:
    """Whether the action's tool lets the credential pass."""
    tool, arguments = TOOLS[action]
    filled = json.loads(json.dumps(arguments).replace("{w}", one.w))
    call = {"name": tool, "arguments": filled} if tool else {}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call" if tool else "tools/list", "params": call}
    response = one.caller.post("/mcp", json=message, headers=HEADERS)
    if is_refused(response):
        return False
    problem = response.json().get("result", {}).get("_meta", {}).get("draftsmith/problem", {})
    is_of_role = "role" in problem.get("detail", "") or "sign in" in problem.get("detail", "")
    return problem.get("code") not in REFUSED or (problem["code"] == "forbidden" and not is_of_role)


def wrong(one: Scene, kind: str, may: May) -> dict[str, str]:
    """By action, what a credential may and should not, or the reverse."""
    found = {}
    for action in Action:
        said = {}
        if action in ROUTES:
            said["route"] = asks(one, action)
        if action in TOOLS and kind in AGENTS:
            said["tool"] = asks_as_agent(one, action)
        found |= {f"{action.name} by {way}": f"{did}" for way, did in said.items() if did != may.do(action)}
    return found


@asynccontextmanager
async def stream_of(one: Scene) -> AsyncIterator[AsyncIterator[str]]:
    """The lines of what a credential follows."""
    headers = {**one.headers, **{n: v for n, v in one.caller.headers.items() if n == "authorization"}}
    url = f"{one.place.url}/api/v1/workspaces/{one.w}/commits/events"
    async with (
        httpx.AsyncClient(headers=headers, cookies=one.caller.cookies, timeout=None) as client,
        client.stream("GET", url) as response,
    ):
        assert response.status_code == 200
        yield response.aiter_lines()


def role_in_workspace(may: May) -> Role | None:
    """Their role there, at most that of the key."""
    return smaller(may.role, may.limit) if may.limit else may.role


async def goes_on(one: Scene, socket: Page, lines: AsyncIterator[str], may: May) -> None:
    """What is open stays so, and over it they may what they may."""
    await socket.say(MESSAGES[Action.PRESENCE], state={"view": "diagram"})
    write = await socket.say(MESSAGES[Action.WRITE], id=new_id(), operations=[node("more")])
    if may.do(Action.WRITE):
        await socket.next("committed", id=write)
    else:
        assert (await socket.next("rejected", id=write))["code"] == "forbidden"
        one.root.batch(one.w, node("more"))
    await socket.at(2)
    async for line in lines:
        if line.startswith("data:"):
            break


async def opens_with_ticket(one: Scene, ticket: str, may: May) -> None:
    """A ticket of before is worth what its credential is now."""
    role = role_in_workspace(may) if may.is_good else None
    if role is None:
        with pytest.raises(InvalidStatus, match=r"HTTP 40[14]"):
            async with page(one.place.stranger(), one.w, ticket=ticket):
                await asyncio.sleep(0)
        return
    async with page(one.place.stranger(), one.w, ticket=ticket) as opened:
        assert (await opened.next("welcome"))["role"] == role


def test_every_action_is_asked() -> None:
    assert ROUTES.keys() | TOOLS.keys() | MESSAGES.keys() == set(Action)


@pytest.mark.parametrize("kind", CREDENTIALS)
def test_everything_works_before(place: Town, kind: str) -> None:
    """So that what is refused below is refused for the loss."""
    one = scene(place, "demoted", f"Eve of before, {kind}")
    one.show(kind)
    assert wrong(one, kind, CREDENTIALS[kind].before) == {}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("kind", CREDENTIALS)
async def test_what_is_taken_is_gone_at_once_and_nothing_else(place: Town, kind: str, loss: Loss) -> None:
    one = scene(place, loss, f"Eve, {kind}, {loss}")
    one.show(kind)
    before, after = CREDENTIALS[kind].before, CREDENTIALS[kind].after(loss)
    ticket = one.caller.ask("POST", f"/workspaces/{one.w}/live-tickets", 201)["ticket"]
    async with timeout(), AsyncExitStack() as stack:
        socket = await stack.enter_async_context(page(one.caller, one.w, headers=one.headers))
        lines = await stack.enter_async_context(stream_of(one))
        await socket.next("roster")
        one.take(loss)
        assert wrong(one, kind, after) == {}
        if after.is_good and role_in_workspace(after) == role_in_workspace(before):
            await goes_on(one, socket, lines, after)
        else:
            await socket.closed()
            async for _ in lines:
                pass
    await opens_with_ticket(one, ticket, after)
