"""A Draftsmith workspace in a page of one's own: what the backend of that page does. Standard library alone.

It serves `page.html` and a copy of the client library from an origin of its own, asks Draftsmith for a ticket whenever
the page wants to connect, makes a workspace if none is named, and prints every commit as it happens. With a key in
DRAFTSMITH_KEY (`draftsmith token create --delegate --name example`) it works with a server in token mode: every browser
is a visitor of its own there. Not here: who may see the page. A real backend asks that before it hands out a ticket,
since whoever holds one may write.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

PAGE = Path(__file__).with_name("page.html")
ANSWER_SECONDS = 30
SILENCE_SECONDS = 90
"""Draftsmith gives signs of life on a stream far more often; a connection that is silent for as long is dead."""
AGAIN_SECONDS = 1


class Draftsmith:
    """The few calls of the API that an embedder needs.

    Attributes:
        url: where Draftsmith answers, without a slash at the end.
        key: of this application; empty for a server in local mode, which asks for none.
    """

    def __init__(self, url: str, key: str = "") -> None:
        self.url, self.key = url.rstrip("/"), key

    def headers(self, person: Mapping[str, str] | None = None, **more: str) -> dict[str, str]:
        """The headers of a request: the key, and in whose name, `{id, name}`; without one in the application's own."""
        known = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        if self.key and person is not None:
            known["Draftsmith-Actor"] = json.dumps(person)
        return {**known, **more}

    def ask(self, method: str, path: str, body: object = None, person: Mapping[str, str] | None = None) -> Any:
        """Call the API; the decoded answer. Raises urllib.error.HTTPError, whose body is a problem document."""
        data = None if method == "GET" else json.dumps(body if body is not None else {}).encode()
        headers = self.headers(person, **{"Content-Type": "application/json"})
        request = Request(f"{self.url}/api/v1{path}", data, headers, method=method)
        with urlopen(request, timeout=ANSWER_SECONDS) as answer:
            return json.load(answer)

    def let_in(self, workspace: str, person: Mapping[str, str]) -> None:
        """Give a person of this application the role of an editor; a server in local mode knows no roles."""
        if self.key:
            known = self.ask("GET", "/me", person=person)["id"]
            self.ask("PUT", f"/workspaces/{workspace}/members/{quote(known)}", {"role": "editor"})

    def client_library(self) -> bytes:
        """The module that the page imports, of the very version that the server speaks."""
        with urlopen(f"{self.url}/client/draftsmith-client.js", timeout=ANSWER_SECONDS) as answer:
            return bytes(answer.read())

    def commits(self, workspace: str, after: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Commits after a revision as they happen, each with the id to go on from; ends with the connection."""
        headers = self.headers(Accept="text/event-stream", **({"Last-Event-ID": after} if after else {}))
        request = Request(f"{self.url}/api/v1/workspaces/{workspace}/commits/events", headers=headers)
        with urlopen(request, timeout=SILENCE_SECONDS) as stream:
            yield from events(stream)


def events(lines: Iterator[bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read server-sent events; comments are signs of life and say nothing."""
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        if name:
            fields[name] = value.removeprefix(" ")
        elif not value:  # an empty line ends an event
            if "data" in fields:
                yield fields.get("id", ""), json.loads(fields["data"])
            fields = {}


def print_commits(draftsmith: Draftsmith, workspace: str, last: str | None) -> None:
    """Print each commit once, in order, over restarts and lost connections; `last` is what is known already."""
    while True:
        try:
            for event_id, commit in draftsmith.commits(workspace, last):
                last = event_id
                why = f" ({commit['why']})" if commit["why"] else ""
                print(f"{commit['revision']}. {commit['actor']['name']}: {commit['what']}{why}", flush=True)
        except HTTPError as error:
            print(f"Draftsmith says: {error}", flush=True)
            if error.code == 404:
                return
            if error.code in (409, 410):  # too old, or of another history: what lies between is in GET …/commits
                last = None
        except (URLError, OSError, http.client.HTTPException):
            pass  # it is away, or restarts
        time.sleep(AGAIN_SECONDS)


class Backend(BaseHTTPRequestHandler):
    """Serves the page; `draftsmith` and `workspace` are set by `main`."""

    draftsmith: Draftsmith
    workspace: str

    def do_GET(self) -> None:
        """The page, the library, and what the page must know to connect."""
        if self.path == "/":
            cookie = f"visitor={self._visitor()}; Path=/; HttpOnly; SameSite=Lax"
            self._answer(200, "text/html; charset=utf-8", PAGE.read_bytes(), ("Set-Cookie", cookie))
        elif self.path == "/draftsmith-client.js":
            self._answer(200, "text/javascript", self.draftsmith.client_library())
        elif self.path == "/settings":
            self._json(200, {"origin": self.draftsmith.url, "workspace": self.workspace})
        else:
            self._json(404, {"detail": "There is no such page."})

    def do_POST(self) -> None:
        """A ticket for one connection, for this page alone."""
        own = f"http://{self.headers['Host']}"
        if self.path != "/ticket" or self.headers.get("Origin", own) != own:
            self._json(404, {"detail": "There is no such page."})
            return
        try:
            visitor = self._visitor()
            person = {"id": visitor, "name": f"Visitor {visitor[:4].upper()}"}
            self.draftsmith.let_in(self.workspace, person)
            self._json(200, self.draftsmith.ask("POST", f"/workspaces/{self.workspace}/live-tickets", person=person))
        except OSError:  # refusals and lost connections alike; the client asks again by itself
            self._json(503, {"detail": "Draftsmith does not answer."})

    def _visitor(self) -> str:
        """Who this browser is: a cookie stands for the sign-in that a real backend has."""
        found = SimpleCookie(self.headers.get("Cookie", "")).get("visitor")
        return found.value if found is not None else secrets.token_hex(8)

    def _json(self, status: int, body: object) -> None:
        self._answer(status, "application/json", json.dumps(body).encode())

    def _answer(self, status: int, kind: str, body: bytes, *more: tuple[str, str]) -> None:
        self.send_response(status)
        length = ("Content-Length", str(len(body)))
        for name, value in (("Content-Type", kind), length, ("Cache-Control", "no-store"), *more):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is the base class's
        """Keep the terminal for the commits."""


def main() -> None:
    """Serve the page until somebody ends it."""
    parser = argparse.ArgumentParser(description="A page of one's own with a Draftsmith workspace in it.")
    parser.add_argument("--draftsmith", default="http://127.0.0.1:8000", help="where Draftsmith answers")
    parser.add_argument("--workspace", help="id of a workspace; a new one if absent")
    parser.add_argument("--port", type=int, default=8100, help="where the page is served; 0 for any free port")
    given = parser.parse_args()
    draftsmith = Draftsmith(given.draftsmith, os.environ.get("DRAFTSMITH_KEY", ""))
    new = {"name": "Embedded", "template": "blank"}
    workspace = given.workspace or draftsmith.ask("POST", "/workspaces", new)["id"]
    newest = draftsmith.ask("GET", f"/workspaces/{workspace}")["revision"]
    Backend.draftsmith, Backend.workspace = draftsmith, workspace
    with ThreadingHTTPServer(("127.0.0.1", given.port), Backend) as server:
        server.daemon_threads = True
        print(f"The page is at http://127.0.0.1:{server.server_port}/ (workspace {workspace})", flush=True)
        threading.Thread(target=print_commits, args=(draftsmith, workspace, str(newest)), daemon=True).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("Ended.")


if __name__ == "__main__":
    main()
