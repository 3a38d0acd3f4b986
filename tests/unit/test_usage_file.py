"""Rows of usage on disk: whole lines, bounded in number, and never a reason for a run to fail."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs

from draftsmith.adapters.files.usage_file import KEPT_DAYS, UsageFile


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_rows_are_lines_of_json_and_for_the_owner_alone(tmp_path: Path) -> None:
    usage = UsageFile(tmp_path / "usage", "w1")
    usage.write({"turn": 0, "model": "ä\nb"})
    usage.write({"turn": 1})
    assert usage.path == tmp_path / "usage" / "usage-w1.jsonl"
    assert rows(usage.path) == [{"turn": 0, "model": "ä\nb"}, {"turn": 1}]
    assert stat.S_IMODE(usage.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(usage.path.parent.stat().st_mode) == 0o700


def test_nothing_is_made_before_the_first_row(tmp_path: Path) -> None:
    UsageFile(tmp_path / "usage", "w1")
    assert list(tmp_path.iterdir()) == []


def test_a_later_start_under_the_same_name_goes_on_in_the_file(tmp_path: Path) -> None:
    UsageFile(tmp_path, "w1").write({"n": 0})
    later = UsageFile(tmp_path, "w1")
    later.write({"n": 1})
    assert rows(later.path) == [{"n": 0}, {"n": 1}]


def test_a_full_file_is_put_aside_and_the_oldest_goes(tmp_path: Path) -> None:
    """No row is cut, none is lost but those of the file that is dropped, and the newest is always at the same place."""
    usage = UsageFile(tmp_path, "w1", max_bytes=30, file_count=2)
    for n in range(10):
        usage.write({"n": n, "fill": "x"})  # 17 bytes each, so one fits in a file
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "usage-w1.1.jsonl",
        "usage-w1.2.jsonl",
        "usage-w1.jsonl",
    ]
    found = [rows(tmp_path / name)[0]["n"] for name in ("usage-w1.2.jsonl", "usage-w1.1.jsonl", "usage-w1.jsonl")]
    assert found == [7, 8, 9]


def test_a_row_larger_than_a_file_is_written_all_the_same(tmp_path: Path) -> None:
    usage = UsageFile(tmp_path, "w1", max_bytes=10)
    usage.write({"long": "x" * 100})
    assert len(rows(usage.path)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["usage-w1.jsonl"]


def test_workers_do_not_touch_each_others_files(tmp_path: Path) -> None:
    other = UsageFile(tmp_path, "w2", max_bytes=30)
    other.write({"n": "kept"})
    usage = UsageFile(tmp_path, "w1", max_bytes=30, file_count=1)
    for n in range(5):
        usage.write({"n": n, "fill": "x" * 20})
    assert rows(other.path) == [{"n": "kept"}]


def test_files_of_workers_long_gone_are_removed(tmp_path: Path) -> None:
    old, recent, foreign = tmp_path / "usage-w9-ab.jsonl", tmp_path / "usage-w8-cd.3.jsonl", tmp_path / "notes.jsonl"
    for path, days in ((old, KEPT_DAYS + 1), (recent, KEPT_DAYS - 1), (foreign, 1000)):
        path.write_text("{}\n")
        at = time.time() - days * 86_400
        os.utime(path, (at, at))
    UsageFile(tmp_path, "w1").write({})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.jsonl", "usage-w1.jsonl", "usage-w8-cd.3.jsonl"]


def test_what_cannot_be_written_is_logged_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with capture_logs() as logs:
        UsageFile(tmp_path / "file", "w1").write({"n": 0})
        UsageFile(tmp_path, "w1").write({"n": object()})
    assert [entry["event"] for entry in logs] == ["a row of usage was lost"] * 2


def test_rows_go_on_when_the_folder_was_removed(tmp_path: Path) -> None:
    """The row that finds it gone is lost, the one after it is not."""
    usage = UsageFile(tmp_path / "usage", "w1")
    usage.write({"n": 0})
    usage.path.unlink()
    usage.path.parent.rmdir()
    with capture_logs() as logs:
        usage.write({"n": 1})
    usage.write({"n": 2})
    assert len(logs) == 1
    assert rows(usage.path) == [{"n": 2}]
