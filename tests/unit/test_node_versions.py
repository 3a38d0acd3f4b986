"""Which Node.js builds the editor is said in one way: to people, to npm, by `make`, and in the image."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "frontend" / "scripts" / "node.mjs"
WANTED = "Node.js 22.13 or newer"


def verdicts(*versions: str) -> list[dict[str, object]]:
    """What the script says of versions."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    program = f"import {{ verdict }} from {json.dumps(SCRIPT.as_uri())}; "
    program += f"console.log(JSON.stringify({json.dumps(versions)}.map(verdict)))"
    done = subprocess.run(
        [node, "--input-type=module", "-e", program], check=True, capture_output=True, text=True
    )  # fmt: skip
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def test_what_is_asked_for_is_taken_without_a_word() -> None:
    assert verdicts("22.13.0", "22.23.2", "24.19.0", "26.7.0") == [{"fits": True, "says": ""}] * 4


def test_what_has_ended_still_does_and_is_told() -> None:
    for found in verdicts("20.19.0", "20.20.2"):
        assert found["fits"] is True
        assert "has ended" in str(found["says"])
        assert WANTED in str(found["says"])


def test_what_is_too_old_is_refused_with_what_to_install() -> None:
    for found in verdicts("18.20.8", "20.18.3", "21.7.3", "22.12.0", "9.0.0"):
        assert found["fits"] is False
        assert WANTED in str(found["says"])


def test_it_is_said_everywhere() -> None:
    for page in ("README.md", "CONTRIBUTING.md", "docs/getting-started.md"):
        assert WANTED in (ROOT / page).read_text("utf-8"), page
    package = json.loads((ROOT / "frontend/package.json").read_text("utf-8"))
    lock = json.loads((ROOT / "frontend/package-lock.json").read_text("utf-8"))
    assert package["engines"] == lock["packages"][""]["engines"] == {"node": "^20.19.0 || >=22.13.0"}
    make = (ROOT / "Makefile").read_text("utf-8")
    assert "@node frontend/scripts/node.mjs\n" in make
    assert WANTED in make, "where there is no node at all"
    image = re.search(r"^ARG NODE_IMAGE=node:([\d.]+)", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert image is not None
    assert verdicts(image[1]) == [{"fits": True, "says": ""}]
