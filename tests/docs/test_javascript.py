"""What the pages write in JavaScript is held against the types of the client library that they speak of."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, Block, blocks_of

CLIENT = ROOT / "frontend" / "dist" / "client"
UNDEFINED = re.compile(r"error TS(2304|18004)\b")
"""Names that nobody has defined: those are the reader's own."""
WRITTEN = [block for page in PAGES for block in blocks_of(page) if block.language == "js" and not block.not_run]


@pytest.mark.parametrize("block", WRITTEN, ids=lambda block: block.place)
def test_javascript_fits_the_types_of_the_client_library(block: Block, folder: Path) -> None:
    """It speaks of the library as that is; the functions of the reader's own it need not define."""
    assert not wrong_in(block.text, folder), block.place


def test_a_wrong_word_in_javascript_is_found(folder: Path) -> None:
    text = """import { LiveClient, Client } from './draftsmith-client.js';
const client = new LiveClient({ workspace });
client.start();
client.begin();
"""
    assert [re.findall(r"example\.js\((\d)", line)[0] for line in wrong_in(text, folder)] == ["1", "4"]


def wrong_in(text: str, folder: Path) -> list[str]:
    """What the compiler says of a script beside the library, but for names of the reader's own."""
    (folder / "example.js").write_text(text, "utf-8")
    for name in ("draftsmith-client.js", "package.json"):
        shutil.copy(CLIENT / name, folder)
    shutil.copytree(CLIENT / "types", folder / "types", dirs_exist_ok=True)
    (folder / "draftsmith-client.d.ts").write_text("export * from './types/client';\n")
    options = ["--allowJs", "--checkJs", "--noEmit", "--skipLibCheck", "--module", "esnext", "--target", "es2022"]
    command = [ROOT / "frontend" / "node_modules" / ".bin" / "tsc", *options, "--moduleResolution", "bundler"]
    said = subprocess.run([*command, "example.js"], cwd=folder, capture_output=True, text=True, check=False).stdout
    return [line for line in said.splitlines() if "error TS" in line and not UNDEFINED.search(line)]
