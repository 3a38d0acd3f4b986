"""Install this checkout's wheel over the last release, and go back: `make try-upgrade` (docs/operating.md, Upgrading).

The last release is built from its commit in a worktree of its own, and installed from its own lock; it makes data, this
wheel is installed over it and opens them; then the way back is gone as documented. What was run and seen is written to
build/try-upgrade.txt, without paths of this machine. Nothing of it stays but that file.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from draftsmith import __version__
from tests import patient
from tests.release import data
from tests.release.version import ROOT, releases

EXTRAS = "[embedded,layout,mcp]"  # as docs/getting-started.md installs it
KEPT_BY_A_BACKUP = ("", "/commits", "/undo", "/checkpoints", "/compare", "/export")
"""What a backup keeps of what is read of a workspace: no runs, proposals or conversation."""
ORDERS = {"op": "update_node", "id": "orders", "label": "Orders of today"}


class Transcript:
    """What was run and what came of it, without what differs from machine to machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        """Write a line, and show it."""
        text = re.sub(
            r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text.replace(str(self._folder), "…").replace(str(ROOT), ".")
        )
        self.lines.append(text)
        print(text, flush=True)

    def run(self, *command: object, cwd: Path | None = None, shown: int = 3) -> str:
        """Run a command, which must succeed; the end of what it says is written, all of it returned."""
        self.say("$ " + " ".join(str(part) for part in command))
        ran = subprocess.run([str(part) for part in command], cwd=cwd, check=False, capture_output=True, text=True)
        said = [line for line in (ran.stdout + ran.stderr).splitlines() if line and not line.startswith("WARNING: Loc")]
        assert ran.returncode == 0, "\n".join(said)
        for line in said[-shown:] if shown else ():
            self.say(f"  {line}")
        return ran.stdout

    def check(self, holds: bool, promise: str) -> None:
        """Write that something is so; fail where it is not."""
        assert holds, f"not so: {promise}"
        self.say(f"  ✓ {promise}")


class Installed:
    """An environment in which one release after the other is installed."""

    def __init__(self, folder: Path, transcript: Transcript) -> None:
        self._transcript = transcript
        self._bin = folder / "venv" / "bin"
        transcript.run(sys.executable, "-m", "venv", folder / "venv")

    def pip(self, *arguments: object) -> None:
        """`pip install`."""
        self._transcript.run(
            self._bin / "python", "-m", "pip", "install", "--disable-pip-version-check", *arguments, shown=1
        )

    def draftsmith(self, *arguments: object) -> str:
        """Run the command `draftsmith`."""
        return self._transcript.run(self._bin / "draftsmith", *arguments)

    def is_version(self, version: str) -> None:
        """Check what is installed now."""
        shown = self._transcript.run(self._bin / "python", "-m", "pip", "show", "draftsmith", shown=0)
        self._transcript.check(f"\nVersion: {version}\n" in shown, f"{version} is installed")

    @contextmanager
    def serving(self, folder: Path) -> Iterator[httpx.Client]:
        """A server of what is installed now, on this data folder."""
        self._transcript.say(f"$ {self._bin / 'draftsmith'} serve --port 0 --no-sample --data-dir {folder}")
        with data.served([str(self._bin / "draftsmith")], folder) as api:
            yield api


def holds(now: Any, before: Any) -> bool:
    """Whether all that was said before is said now; fields may have been added."""
    if isinstance(before, dict):
        return isinstance(now, dict) and all(name in now and holds(now[name], value) for name, value in before.items())
    if isinstance(before, list):
        return isinstance(now, list) and len(now) == len(before) and all(map(holds, now, before))
    return bool(now == before)


def commit_of(version: str) -> str:
    """The commit that gave a release its heading in the changelog."""
    command = ["git", "log", "--format=%H", "--reverse", f"-S## [{version}]", "--", "CHANGELOG.md"]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    assert found, f"no commit gave {version} its heading in CHANGELOG.md; is this a whole clone?"
    return found[0]


@contextmanager
def checked_out(commit: str, folder: Path, transcript: Transcript) -> Iterator[Path]:
    """A worktree of a commit, which is removed in the end."""
    tree = folder / "released"
    transcript.run("git", "worktree", "add", "--quiet", "--detach", tree, commit, cwd=ROOT)
    try:
        yield tree
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)


def build(tree: Path, into: Path, transcript: Transcript) -> Path:
    """The wheel of a checkout, with its editor inside."""
    transcript.run("npm", "ci", "--silent", "--no-audit", "--no-fund", cwd=tree / "frontend")
    transcript.run("npm", "run", "--silent", "build", "--", "--logLevel", "error", cwd=tree / "frontend")
    return wheel(tree, into, transcript)


def wheel(tree: Path, into: Path, transcript: Transcript) -> Path:
    """The wheel of a checkout whose editor is built."""
    transcript.run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", into, cwd=tree)
    [made] = into.glob("*.whl")
    return made


def ask_api(api: httpx.Client, method: str, path: str, **body: Any) -> Any:
    """What the API answers, which must not be a refusal."""
    answer = api.request(method, f"/api/v1{path}", **({"json": body} if method != "GET" else {}))
    assert answer.is_success, answer.text
    return answer.json()


def check_same_answers(
    api: httpx.Client, w: str, said: Mapping[str, Any], paths: tuple[str, ...], transcript: Transcript
) -> None:
    """Check that the API says of a workspace what it said; `paths` are the beginnings of what is read, none for all."""
    read = [path for path in said if not paths or path.split("?")[0] == "" or path.startswith(paths[1:])]
    for path in read:
        now = data.read_path(api, f"/workspaces/{w}{path}")
        assert holds(now, said[path]), f"{path} was\n{json.dumps(said[path])}\nand is\n{json.dumps(now)}"
    transcript.say(f"  ✓ the same answers as before at {len(read)} addresses")


def undone(api: httpx.Client, w: str, transcript: Transcript) -> None:
    """Check that undo and redo go on."""

    def content() -> Any:
        now = ask_api(api, "GET", f"/workspaces/{w}")
        return now["diagram"], now["document"]

    label, before = ask_api(api, "GET", f"/workspaces/{w}/undo")["undo"]["label"], content()
    ask_api(api, "POST", f"/workspaces/{w}/undo")
    without = content()
    ask_api(api, "POST", f"/workspaces/{w}/redo")
    transcript.check(without != before == content(), f"undo takes back “{label}”, and redo brings it again")


def try_upgrade(released: str, folder: Path, transcript: Transcript) -> None:
    """All of it; the paths of a fresh folder are used."""
    transcript.say(f"Draftsmith {released} is installed, makes data, and is replaced by {__version__}.\n")
    commit = commit_of(released)
    kept = ROOT / ".make" / f"released-{commit[:12]}"
    if kept.is_dir():
        transcript.say(f"The wheel of {released} (commit {commit[:12]}) was built before.")
    else:
        with checked_out(commit, folder, transcript) as tree:
            build(tree, folder / "old", transcript)
            shutil.copy(tree / "requirements" / "base.lock", folder / "old")
        shutil.copytree(folder / "old", kept)
    [old] = kept.glob("*.whl")
    environment = Installed(folder, transcript)
    environment.pip("--quiet", "--require-hashes", "-r", kept / "base.lock")
    environment.pip("--no-deps", "--no-index", old)
    environment.is_version(released)
    store = folder / "data"
    with environment.serving(store) as api:
        w, other = data.work(api), ask_api(api, "POST", "/workspaces", name="Second", template="web-service")["id"]
        said, of_other = data.read_everything(api, w), data.read_everything(api, other)
        transcript.say(f"  two workspaces, of which {len(said) + len(of_other)} answers are kept")
        environment.draftsmith("backup", folder / "before.backup", "--data-dir", store)

    transcript.say("\nUpgrade: back up (above), stop, install, start.\n")
    new = wheel(ROOT, folder / "new", transcript)
    environment.pip(f"{new}{EXTRAS}")
    environment.is_version(__version__)
    with environment.serving(store) as api:
        page = patient.get(api.base_url).text  # not as `api`, which would be a person then
        transcript.check(f'content="{__version__}"' in page, f"the page is that of {__version__}")
        check_same_answers(api, w, said, (), transcript)
        check_same_answers(api, other, of_other, (), transcript)
        undone(api, w, transcript)
        ask_api(api, "POST", f"/workspaces/{w}/batches", operations=[ORDERS])
        changed = ask_api(api, "GET", f"/workspaces/{w}")
        transcript.check("Orders of today" in json.dumps(changed["diagram"]), "work goes on")
        environment.draftsmith("export", w, "-o", folder / "later.json", "--data-dir", store)

    transcript.say(
        f"\nBack to {released}: an export of what has to be kept (above), the older release, an empty folder.\n"
    )
    environment.pip("--no-index", "--no-deps", old)
    environment.is_version(released)
    with environment.serving(store) as api:
        answer = api.get(f"/api/v1/workspaces/{w}")
        seen = "opens it" if answer.is_success else f"refuses it ({answer.json()['code']})"
        transcript.say(f"  (not documented: on the folder that {__version__} has written to, {released} {seen})")
    fresh = folder / "fresh"
    environment.draftsmith("recover", folder / "before.backup", "--data-dir", fresh)
    imported = environment.draftsmith("import", folder / "later.json", "--data-dir", fresh).split()[-1]
    with environment.serving(fresh) as api:
        check_same_answers(api, w, said, KEPT_BY_A_BACKUP, transcript)
        check_same_answers(api, other, of_other, KEPT_BY_A_BACKUP, transcript)
        undone(api, w, transcript)
        later = ask_api(api, "GET", f"/workspaces/{imported}")
        text = later["document"]["text"] == changed["document"]["text"]
        labels = [sorted(node["label"] for node in one["diagram"]["nodes"]) for one in (later, changed)]
        transcript.check(text and labels[0] == labels[1], "the export is a workspace with the later change")
        lost = [
            ask_api(api, "GET", f"/workspaces/{w}/{what}")["items"] for what in ("runs", "proposals", "conversation")
        ]
        transcript.check(not any(lost), "runs, proposals and conversation are lost, as documented")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.release.try_upgrade", description=__doc__)
    before = [one for one in releases((ROOT / "CHANGELOG.md").read_text("utf-8")) if one != __version__]
    parser.add_argument("--from", dest="released", default=before[0], help="the release to begin with")
    with tempfile.TemporaryDirectory(prefix="try-upgrade-") as name:
        transcript = Transcript(Path(name))
        try:
            try_upgrade(parser.parse_args().released, Path(name), transcript)
        finally:
            kept = ROOT / "build" / "try-upgrade.txt"
            kept.parent.mkdir(exist_ok=True)
            kept.write_text("\n".join(transcript.lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
