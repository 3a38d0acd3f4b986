"""The wheel on its own: built, installed into an empty environment outside the checkout, and used.

Nothing of the checkout is in reach there: not its packages, not its folder, not its environment. Which editor goes in:
the one in frontend/dist, or in the folder that EDITOR_DIR names.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from socket import create_server
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from draftsmith import __version__
from tests.integration.processes import own_folder, processes_of, wait_for
from tests.timeouts import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[2]
EDITOR = Path(os.environ.get("EDITOR_DIR") or ROOT / "frontend" / "dist")
INGREDIENTS = (
    "backend",
    "prompts",
    "pyproject.toml",
    "hatch_build.py",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "NOTICE",
)
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def outside() -> Iterator[Path]:
    """A folder outside the checkout."""
    with own_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def source(outside: Path) -> Path:
    """What a build is made of, and nothing else: a copy, so that strays of the checkout are not taken for ours."""
    if not (EDITOR / "index.html").is_file() or not any(EDITOR.rglob("*.js.br")):
        why = f"No built editor in {EDITOR}: run `make setup`. The wheel was NOT tested."
        assert not os.environ.get("CI"), why
        pytest.skip(why)
    made = outside / "source"
    for name in INGREDIENTS:
        place = ROOT / name
        ignored = shutil.ignore_patterns("__pycache__", "_static", "_prompts")
        if place.is_dir():
            shutil.copytree(place, made / name, ignore=ignored)
        else:
            shutil.copy(place, made / name)
    shutil.copytree(EDITOR, made / "frontend" / "dist")
    return made


@pytest.fixture(scope="module")
def wheel(source: Path, outside: Path) -> Path:
    """The wheel."""
    build(source, "wheel", outside / "wheel")
    (made,) = (outside / "wheel").iterdir()
    return made


def build(source: Path, target: str, into: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(into)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=TIMEOUT_SECONDS)


@pytest.fixture(scope="module")
def installed(wheel: Path, outside: Path) -> Path:
    """The command `draftsmith` of an environment that holds the wheel and what is pinned for it."""
    place = outside / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True, timeout=TIMEOUT_SECONDS)
    pip = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--no-compile"]
    # Not bounded as a whole, since it is work and much of it: on a busy machine it took longer than any wait may. What
    # could hang, the network, pip bounds itself, request by request.
    said = subprocess.run(
        [*install, "--require-hashes", "-r", str(ROOT / "requirements" / "base.lock")],
        cwd=outside, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    # Nothing is fetched any more: what is pinned is all that the wheel and its extra ask for.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    said = subprocess.run(
        [*install, "--no-index", f"draftsmith[embedded] @ {wheel.as_uri()}"],
        cwd=outside, env=environment | {"PIP_CONFIG_FILE": os.devnull}, check=False, capture_output=True, text=True,
        timeout=TIMEOUT_SECONDS,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    return place / "bin" / "draftsmith"


def clean(folder: Path) -> dict[str, str]:
    """An environment that knows nothing of the checkout; what is stored goes below its home."""
    (folder / "home").mkdir(exist_ok=True)
    return {"PATH": "/usr/bin:/bin", "HOME": str(folder / "home"), "LANG": "C.UTF-8"}


def says(command: Path, folder: Path, *arguments: str, **environment: str) -> str:
    empty = folder / "empty"
    empty.mkdir(exist_ok=True)
    said = subprocess.run(
        [str(command), *arguments],
        cwd=empty,
        env=clean(folder) | environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


class Serving:
    """`draftsmith serve` from an empty folder, on a free port; killed at the end where it has not ended itself."""

    def __init__(self, command: Path, folder: Path) -> None:
        (folder / "empty").mkdir(exist_ok=True)
        self._out = folder / "out"
        with self._out.open("wb") as out:
            self.process = subprocess.Popen(
                [str(command), "serve", "--port", "0"],
                cwd=folder / "empty", env=clean(folder), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
            )  # fmt: skip
        self.host = urlsplit(wait_for(self._url, self._out.read_text)).netloc

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(TIMEOUT_SECONDS)

    def _url(self) -> str:
        said = self._out.read_text()
        assert self.process.poll() is None, said
        found = re.search(r"is ready: (\S+)\n", said)
        return found[1] if found else ""

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        return self.ask("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        with closing(http.client.HTTPConnection(self.host, timeout=TIMEOUT_SECONDS)) as connection:
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, {**(JSON if body is not None else {}), **(headers or {})})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()

    def api(self, method: str, path: str, body: object = None) -> Any:
        status, _, content = self.ask(method, f"/api/v1{path}", body)
        assert status in (200, 201), content
        return json.loads(content)


def test_it_holds_what_is_ours_and_nothing_of_this_machine(wheel: Path, source: Path) -> None:
    """Package, prompts, editor, licences; no tests, no source maps, no path of where it was built."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        assert wheel.name == f"draftsmith-{__version__}-py3-none-any.whl"
        assert {name.split("/")[0] for name in names} == {"draftsmith", f"draftsmith-{__version__}.dist-info"}
        licences = {f"draftsmith-{__version__}.dist-info/licenses/{name}" for name in ("LICENSE", "NOTICE")}
        needed = {"draftsmith/py.typed", "draftsmith/_static/index.html", "draftsmith/_prompts/edit/system.md"}
        needed |= {f"draftsmith/_static/{one}.js" for one in ("engine/layout", "picture/picture", "charts/charts")}
        assert licences | needed <= set(names)
        strays = re.compile(r"(^|/)(tests?|node_modules|__pycache__)/|\.(map|pyc|test\.ts)(\.br|\.gz)?$|/\.")
        assert [name for name in names if strays.search(name)] == []
        places = {str(place).encode() for place in (ROOT, source, Path(sys.prefix), EDITOR)}
        assert [name for name in names if any(place in packed.read(name) for place in places)] == []


def test_the_source_archive_makes_the_same_wheel(wheel: Path, source: Path, outside: Path) -> None:
    """With the built editor inside, so that whoever builds from it needs no Node.js."""
    build(source, "sdist", outside / "sdist")
    (archive,) = (outside / "sdist").iterdir()
    (outside / "unpacked").mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", outside / "unpacked"], check=True)
    (unpacked,) = (outside / "unpacked").iterdir()
    assert not (unpacked / "tests").exists()
    build(unpacked, "wheel", outside / "again")
    (again,) = (outside / "again").iterdir()
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert other.namelist() == one.namelist()
        assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []


def test_it_serves_everything_and_keeps_it(installed: Path, outside: Path) -> None:
    """The page with its files, a workspace, a batch, undo, the live connection, a command; after a crash, too.

    All in one test: processes that run tests side by side would each install it.
    """
    assert says(installed, outside, "--version") == f"Draftsmith {__version__}\n"
    # A port of its own: what else runs on this machine, on the usual one perhaps, is no fault of the wheel's.
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    found = json.loads(says(installed, outside, "doctor", "--json", PORT=str(port)))
    assert found["ok"], found
    with Serving(installed, outside) as server:
        w, whole = use(server)
    wait_for(lambda: not processes_of(outside), lambda: f"still there: {processes_of(outside)}")
    with Serving(installed, outside) as again:
        assert again.api("GET", w) == whole
        assert again.api("POST", f"{w}/undo", {})["changed"], "what was done before the crash can be undone after it"
        again.process.send_signal(signal.SIGTERM)
        assert again.process.wait(TIMEOUT_SECONDS) == 0


def use(server: Serving) -> tuple[str, Any]:
    """Do a little of everything; the address of the workspace, and what it holds in the end."""
    check_page(server)
    made = server.api("POST", "/workspaces", {"name": "Shop", "template": "web-service"})
    w = f"/workspaces/{made['id']}"
    before = server.api("GET", w)
    assert len(before["diagram"]["nodes"]) > 3
    node = {"op": "add_node", "id": "smoke", "type": "service", "label": "Smoke"}
    assert server.api("POST", f"{w}/batches", {"operations": [node]})["changed"]
    assert server.api("POST", f"{w}/undo", {})["kind"] == "undo"
    assert server.api("GET", w)["diagram"] == before["diagram"]
    run = server.api("POST", f"{w}/runs", {"prompt": "add a Redis cache called Quick"})
    assert run["status"] == "applied", run
    check_live(server, made["id"], run["outcome"]["revision"])
    return w, server.api("GET", w)


def check_page(server: Serving) -> None:
    """The page, every file it names, packed, to be kept for good; addresses of workspaces are the page, too."""
    status, headers, page = server.get("/")
    assert status == 200
    assert headers["content-security-policy"]
    text = page.decode()
    assert f'content="{__version__}"' in text
    files = re.findall(r'(?:src|href)="(/assets/[^"]+)"', text)
    assert any(name.endswith(".js") for name in files)
    assert any(name.endswith(".css") for name in files)
    for name in files:
        assert re.search(r"-[\w-]{8}\.\w+$", name), f"{name} has no hash"
        status, headers, content = server.get(name, Accept_Encoding="br")
        assert status == 200
        assert "immutable" in headers["cache-control"]
        if len(content) > 1024 and not name.endswith(".png"):
            assert headers["content-encoding"] == "br", name
    assert server.get("/w/anything")[0] == 200
    assert server.get("/client/draftsmith-client.js")[0] == 200
    assert server.get("/docs")[0] == 200


def check_live(server: Serving, w: str, revision: int) -> None:
    """A hello is answered with a welcome and the state."""
    with connect(f"ws://{server.host}/api/v1/workspaces/{w}/live", open_timeout=TIMEOUT_SECONDS) as socket:
        socket.send(json.dumps({"t": "hello", "v": 1, "resume": None, "pending": []}))
        welcome, state, *_ = json.loads(socket.recv(TIMEOUT_SECONDS))
    assert (welcome["t"], state["t"], state["rev"]) == ("welcome", "state", revision)
