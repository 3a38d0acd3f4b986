"""A coding agent that is not ours, opencode, between a stand-in for a model and Draftsmith.

It is started with nothing of whoever runs it: an empty home, its updates, downloads and own tools switched off. What it
would send to other addresses goes to a proxy that takes nothing, and fails the trial.
Not here: what the stand-in answers (`coding_session`).
"""

from __future__ import annotations

import json
import shutil
import socketserver
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = "1.18.33"
MODEL = "claude-sonnet-5-5"
_HERE = Path(__file__).parent / "opencode"
_SECONDS = 240  # it waits for ever for a model that is away
_SWITCHES = (
    "AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD", "PROJECT_CONFIG", "SHARE", "CLAUDE_CODE",
)  # fmt: skip
_PLUGIN = {"lockfileVersion": 3, "packages": {"": {"dependencies": {"@opencode-ai/plugin": VERSION}}}}
"""It installs its plugin package at every start, unless a lock file says that it is there."""


def install(folder: Path) -> Path:
    """Install the agent from its lock file, once; its program."""
    program = folder / "node_modules" / "opencode-linux-x64" / "bin" / "opencode"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(_HERE / name, folder / name)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, check=True)
    return program


@dataclass(frozen=True)
class Errand:
    """What it is asked for.

    Attributes:
        prompt: the words.
        repository: a folder that it works in a copy of; None for an empty one.
        skill: a `SKILL.md` that it has; empty for none.
    """

    prompt: str
    repository: Path | None = None
    skill: str = ""

    @property
    def own_tools(self) -> Sequence[str]:
        """Those of its own that it may use."""
        return [*(("skill",) if self.skill else ()), *(("bash", "read") if self.repository else ())]


def run(
    program: Path, home: Path, *, model_url: str, server_url: str, key: str, errand: Errand
) -> list[dict[str, Any]]:
    """Give it one prompt; its events, of which those of tools are `{tool, status, output}`.

    Args:
        program: as `install` gives it.
        home: an empty folder.
        model_url: of the stand-in for a model, with the key `sk-standin`.
        server_url: of Draftsmith.
        key: what it shows there.
        errand: what it is asked for; it works in `work` below `home`.
    """
    config = home / ".config" / "opencode"
    (config / "node_modules").mkdir(parents=True)
    (config / "package-lock.json").write_text(json.dumps(_PLUGIN), "utf-8")
    work = home / "work"
    if errand.repository is None:
        work.mkdir()
    else:
        shutil.copytree(errand.repository, work, symlinks=True)
    if errand.skill:
        (config / "skills" / "draftsmith").mkdir(parents=True)
        (config / "skills" / "draftsmith" / "SKILL.md").write_text(errand.skill, "utf-8")
    settings = home / "opencode.json"
    settings.write_text(json.dumps(_settings(model_url, server_url, key, errand.own_tools)), "utf-8")
    environment = {
        "PATH": _path(errand), "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"), "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_STATE_HOME": str(home / ".local/state"), "OPENCODE_CONFIG": str(settings), "OPENCODE_DB": ":memory:",
        "OPENCODE_PURE": "1", "NO_PROXY": "127.0.0.1", **{f"OPENCODE_DISABLE_{name}": "1" for name in _SWITCHES},
    }  # fmt: skip
    with _proxy() as (proxy, refused):
        environment |= dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), proxy)
        done = subprocess.run(
            [str(program), "run", "--pure", "--format", "json", "--title", "Trial"],
            input=errand.prompt, cwd=work, env=environment, capture_output=True, text=True, timeout=_SECONDS,
            check=False,
        )  # fmt: skip
    assert not refused, f"it wanted to reach other addresses: {refused}"
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [_tool(event["part"]) for event in events if event["type"] == "tool_use"]


def _path(errand: Errand) -> str:
    """Where it finds programs; in a repository it wants `rg`, and downloads it where there is none."""
    if errand.repository is None:
        return "/usr/bin:/bin"
    found = shutil.which("rg")
    assert found is not None, "install ripgrep (rg) first, or opencode wants to download it"
    return f"{Path(found).parent}:/usr/bin:/bin"


@contextmanager
def _proxy() -> Iterator[tuple[str, list[str]]]:
    """A proxy that takes nothing: its URL, and what it was asked for."""
    asked: list[str] = []

    class Refusing(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            asked.append(self.rfile.readline(1_000).decode(errors="replace").strip())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Refusing) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()


def _tool(part: dict[str, Any]) -> dict[str, Any]:
    state = part["state"]
    return {"tool": part["tool"], "status": state["status"], "output": state.get("output") or state.get("error", "")}


def _settings(model_url: str, server_url: str, key: str, own_tools: Sequence[str]) -> dict[str, Any]:
    limit = {"context": 1_000_000, "output": 8_000}
    model = {
        "name": "Stand-in", "tool_call": True, "reasoning": False, "temperature": False, "attachment": False,
        "limit": limit,
    }  # fmt: skip
    name = f"anthropic/{MODEL}"
    return {
        "autoupdate": False,
        "share": "disabled",
        "model": name,
        "small_model": name,
        "enabled_providers": ["anthropic"],
        "provider": {
            "anthropic": {"options": {"baseURL": f"{model_url}/v1", "apiKey": "sk-standin"}, "models": {MODEL: model}}
        },
        "mcp": {
            "draftsmith": {
                "type": "remote",
                "url": f"{server_url}/mcp",
                "enabled": True,
                "oauth": False,
                "timeout": 60_000,
                "headers": {"Authorization": f"Bearer {key}"},
            }
        },
        "permission": {"*": "deny", "draftsmith_*": "allow", **dict.fromkeys(own_tools, "allow")},
    }
