"""A page as one script: its commands in order, in one shell, on the very lines where the page has them.

An error message of the shell therefore names the line of the page. What each block prints is kept, for what the page
promises about it. Not here: the server that is asked.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.docs.pages import Block
from tests.timeouts import TIMEOUT_SECONDS

ADDRESS = "http://127.0.0.1:8000"
"""Where the pages say that Draftsmith is."""
_HEAD = "set -Eeuo pipefail; trap 'echo \"stopped at line $LINENO, from ${BASH_LINENO[*]}\" >&2' ERR; "
_OURS = ("ANTHROPIC_", "ASSISTANT_", "DATA_DIR", "DRAFTSMITH_", "EDIT_MODE", "HOST", "PORT", "REDIS_URL", "WORKERS")


class Played:
    """What came of a page's script."""

    def __init__(self, status: int, said: str, folder: Path) -> None:
        self.status, self.said, self._folder = status, said, folder

    def output(self, block: Block) -> str:
        """What a block printed."""
        return (self._folder / f"{block.line}.out").read_text("utf-8")

    def answer(self, block: Block) -> Any:
        """The last JSON value that a block printed."""
        values = list(_values(self.output(block)))
        assert values, f"{block.place} printed no JSON"
        return values[-1]


def _values(text: str) -> Any:
    decoder, position = json.JSONDecoder(), 0
    while position < len(text):
        if text[position] not in "{[":
            position += 1
            continue
        try:
            value, position = decoder.raw_decode(text, position)
        except ValueError:
            position += 1
        else:
            yield value


def runs(block: Block) -> bool:
    """Whether a block is a part of its page's script."""
    return block.language in ("sh", "python") and not block.not_run


def script_of(blocks: list[Block], folder: Path, address: str) -> str:
    """The script. A block stands between braces, which keep its variables and catch what it prints."""
    lines = [""] * (max((block.end for block in blocks), default=0) + 1)
    lines[0] = _HEAD
    for block in filter(runs, blocks):
        out = folder / f"{block.line}.out"
        text = block.text.replace(ADDRESS, address)
        if block.language == "python":
            file = folder / f"{block.line}.py"
            file.write_text(text, "utf-8")
            text = f"python3 {file}"
        # A refusal makes curl fail; where the page says so, anything else is the failure.
        lines[block.line - 1] += "if {" if block.refused else "{"
        inside = text.split("\n")
        lines[block.line : block.line + len(inside)] = inside
        ending = f"; then echo 'line {block.line} was not refused' >&2; exit 1; fi" if block.refused else ""
        lines[block.end - 1] = f"}} > {out}{ending}"
    return "\n".join(lines) + "\n"


def play_page(blocks: list[Block], folder: Path, address: str, environment: Mapping[str, str]) -> Played:
    """Run a page's script in a folder of its own; an answer of 400 or more fails it, unless the page says so.

    Each block has the limit of time for itself, however many a page has.
    """
    assert shutil.which("curl"), "The pages speak in curl, which is not here. On Debian and Ubuntu: apt install curl"
    script = folder / f"{blocks[0].page.stem}.sh"
    script.write_text(script_of(blocks, folder, address), "utf-8")
    (folder / ".curlrc").write_text(f"fail-with-body\nmax-time = {TIMEOUT_SECONDS:.0f}\n")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    limit = TIMEOUT_SECONDS * sum(map(runs, blocks))
    try:
        done = subprocess.run(
            ["bash", str(script)],
            cwd=folder,
            env={**clean, "PATH": path, "CURL_HOME": str(folder), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return Played(124, f"not over after {limit:.0f} s: {late.stderr!r}", folder)
    last = next((block for block in reversed(blocks) if (folder / f"{block.line}.out").exists()), None)
    printed = (folder / f"{last.line}.out").read_text("utf-8")[-3000:] if last else ""
    return Played(done.returncode, f"{done.stderr}{done.stdout}\nprinted last:\n{printed}", folder)
