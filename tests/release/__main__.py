"""Cut a release: `python -m tests.release cut 0.2.0`; state a version: `python -m tests.release version 0.3.0.dev0`.

A cut leaves the files of a commit, and commits nothing (CONTRIBUTING.md, "Cutting a release").
"""

from __future__ import annotations

import argparse
import datetime
import shutil
import subprocess
import sys
from pathlib import Path

from tests.release.version import ROOT, problem_or_none, with_heading, write_version

FIXTURES = ROOT / "tests" / "fixtures"
CHANGELOG = ROOT / "CHANGELOG.md"
REVIEWED = """\
# Changes since {version} that break a client, each with the version that makes it and why.
# `tests/unit/test_contract_changes.py` fails for each one that is not here, and for each one here that is no longer so.
# [[change]]
# what = "openapi: GET /api/v1/example: removed"
# version = "9.9.0"
# reason = "Nothing used it."
"""


def cut(version: str, day: str) -> None:
    """Give the unreleased changes their heading, and keep contract and data of the release for the tests."""
    changelog = with_heading(CHANGELOG.read_text("utf-8"), version, day)
    assert (problem := problem_or_none(version, changelog)) is None, problem
    CHANGELOG.write_text(changelog, "utf-8")
    write_version(version)
    keep_contract(version)
    keep_data(version)


def keep_contract(version: str) -> None:
    """Put the contract beside those of the releases before: from now on it is compared with this one, too."""
    kept = FIXTURES / f"contracts-{version}"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    for name in ("openapi.json", "operations.schema.json", "live.schema.json"):
        shutil.copy(ROOT / "docs" / name, kept)
    (kept / "reviewed.toml").write_text(REVIEWED.format(version=version), "utf-8")


def keep_data(version: str) -> None:
    """Let a server of this code leave its data, beside those of the releases before."""
    kept = FIXTURES / f"release-{version}"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    subprocess.run([sys.executable, Path(__file__).with_name("data.py")], cwd=kept, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.release", description=__doc__)
    words = parser.add_subparsers(dest="word", required=True)
    for word, what in (("cut", cut), ("version", write_version), ("data", keep_data)):
        words.add_parser(word, help=what.__doc__).add_argument("version")
    words.choices["cut"].add_argument("--day", default=datetime.datetime.now(datetime.UTC).date().isoformat())
    arguments = parser.parse_args()
    if arguments.word == "cut":
        cut(arguments.version, arguments.day)
    else:
        {"version": write_version, "data": keep_data}[arguments.word](arguments.version)


if __name__ == "__main__":
    main()
