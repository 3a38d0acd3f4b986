"""The pages of the documentation as their fenced blocks: what each is, where it stands, and what is said above it.

Not here: running them (`scripts.py`), or what must hold for them (the tests beside).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "examples" / "embed" / "README.md",
    *sorted((ROOT / "plugins").glob("*/README.md")),
]

# Why a block may stand without being run. A new reason needs a place here, so that none is made up in passing.
REASONS = {
    "installs packages",
    "needs Docker",
    "needs a cluster",
    "needs a key",
    "needs a machine of its own",
    "needs another store",
    "starts the server that these pages are tried on",
    "tried in plugins/kubernetes/tests/test_kubernetes_alone.py",
    "tried in plugins/versions/tests/test_versions_alone.py",
    "tried in tests/integration/test_embed_example.py",
    "tried in tests/integration/test_plugin_examples.py",
    "tried in tests/integration/test_plugins.py",
}
_FENCE = re.compile(r"^( *)(`{3,})(\S*)\s*$")
_NOT_RUN = re.compile(r"^<!-- not run: (.+) -->$")
_REFUSED = re.compile(r"^<!-- refused: (\w+) -->$")


class Block(NamedTuple):
    """A fenced block.

    Attributes:
        line: of its first fence, counted from 1.
        end: of its last one.
        not_run: the reason given for not running it; empty where there is none.
        refused: the code of the problem with which its last request must be refused; empty where it must not.
    """

    page: Path
    line: int
    end: int
    language: str
    text: str
    not_run: str
    refused: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page: Path, text: str | None = None) -> list[Block]:
    """Every fenced block of a page, in order."""
    lines = (page.read_text("utf-8") if text is None else text).splitlines()
    found: list[Block] = []
    number = 0
    while number < len(lines):
        opening = _FENCE.match(lines[number])
        number += 1
        if not opening:
            continue
        start, fence = number, opening[2]
        while number < len(lines) and lines[number].strip() != fence:
            number += 1
        assert number < len(lines), f"{page}:{start} is never closed"
        above = next((line for line in reversed(lines[: start - 1]) if line.strip()), "")
        said, refused = _NOT_RUN.match(above), _REFUSED.match(above)
        inside = "\n".join(line.removeprefix(opening[1]) for line in lines[start:number])
        block = Block(
            page, start, number + 1, opening[3], inside, said[1] if said else "", refused[1] if refused else ""
        )
        found.append(block)
        number += 1
    return found


def is_promise(blocks: list[Block], index: int) -> bool:
    """Whether a block of JSON is the answer to the commands before it: nothing but blanks or a word stands between."""
    if blocks[index].language != "json" or index == 0:
        return False
    before = blocks[index - 1]
    between = before.page.read_text("utf-8").splitlines()[before.end : blocks[index].line - 1]
    return before.language == "sh" and not before.not_run and not any(line.strip() for line in between)


def differences(promised: Any, answered: Any, path: str = "") -> list[str]:
    """Where an answer is not what a page promises: a part of it, in which "…" stands for anything."""
    if promised == "…":
        return []
    if isinstance(promised, dict) and isinstance(answered, dict):
        missing = [f"{path}/{key} is missing" for key in promised if key not in answered]
        shared = [(key, value) for key, value in promised.items() if key in answered]
        return missing + [
            fault for key, value in shared for fault in differences(value, answered[key], f"{path}/{key}")
        ]
    if isinstance(promised, list) and isinstance(answered, list):
        if len(promised) > len(answered):
            return [f"{path} has {len(answered)} items"]
        pairs = enumerate(zip(promised, answered, strict=False))
        return [fault for index, (left, right) in pairs for fault in differences(left, right, f"{path}/{index}")]
    return [] if promised == answered else [f"{path} is {json.dumps(answered)}, not {json.dumps(promised)}"]
