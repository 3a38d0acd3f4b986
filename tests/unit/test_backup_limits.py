"""A small file that unpacks to very much is refused before it costs memory; one of our own can be read all the same."""

from __future__ import annotations

import random
import tracemalloc
import warnings
import zipfile
import zlib
from collections.abc import Iterable
from copy import copy
from pathlib import Path

import pytest
from click.testing import CliRunner

from draftsmith.adapters.files.backup_file import NO_LIMITS, BackupReader, BackupWriter, Limits
from draftsmith.cli.group import main
from draftsmith.errors import DraftsmithError
from draftsmith.history.commit import encode_body
from draftsmith.usecases.upkeep.backup import File
from draftsmith.usecases.upkeep.recover import check_unpacked
from tests.seeds import run_seed

MIB = 1 << 20


def written(path: Path, members: dict[str, Iterable[bytes]]) -> dict[str, File]:
    """A backup of no workspace with some files in it; what its manifest would say of them."""
    with BackupWriter(path) as writer:
        files = {name: writer.write(name, chunks) for name, chunks in members.items()}
        writer.finish("draftsmith test", 1, [])
    return files


@pytest.fixture
def bomb(tmp_path: Path) -> Path:
    """Less than a hundred kilobytes that unpack to ninety megabytes, in files none of which is too large by itself."""
    path = tmp_path / "bomb"
    written(path, {f"w{number}/log": [bytes(MIB)] * 15 for number in range(6)})
    assert path.stat().st_size < 100_000
    return path


def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked(bomb: Path) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(DraftsmithError, match="backup_too_large"):
            BackupReader(bomb)
        assert tracemalloc.get_traced_memory()[1] < MIB
    finally:
        tracemalloc.stop()
    with BackupReader(bomb, NO_LIMITS) as reader:
        assert reader.saved == []


def test_the_command_says_how_it_is_read_all_the_same(bomb: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["recover", str(bomb), "--data-dir", str(tmp_path)])
    assert (run.exit_code, "--any-size" in run.output) == (1, True), run.output
    run = CliRunner().invoke(main, ["recover", str(bomb), "--data-dir", str(tmp_path), "--any-size"])
    assert "holds no workspace" in run.output


@pytest.mark.parametrize(
    "limits, why",
    [
        (Limits(members=2), "3 files"),
        (Limits(member_bytes=999), "1,000 bytes"),
        (Limits(total_bytes=1_050), "unpacked it has"),
        (Limits(values=3), "more than 3 values"),
        (Limits(), ""),
    ],
)
def test_each_limit_is_named(limits: Limits, why: str, tmp_path: Path) -> None:
    path = tmp_path / "b"
    files = written(path, {"a": [b"[1,2,3,4]"], "b": [b" " * 1_000]})

    def read() -> bytes:
        with BackupReader(path, limits) as reader:
            return reader.read(files["a"])

    if not why:
        assert read() == b"[1,2,3,4]"
        return
    with pytest.raises(DraftsmithError, match="backup_too_large") as refusal:
        read()
    assert why in refusal.value.detail


def test_a_manifest_of_empty_lists_is_not_parsed(tmp_path: Path) -> None:
    """Twelve megabytes of them would be three hundred."""
    path = tmp_path / "b"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("manifest.json", b"[" + b"[]," * (4 * MIB) + b"[]]")
    tracemalloc.start()
    try:
        with pytest.raises(DraftsmithError, match="backup_too_large"):
            BackupReader(path)
        assert tracemalloc.get_traced_memory()[1] < 32 * MIB
    finally:
        tracemalloc.stop()


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "b", "w") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library warns whoever writes such a file
        for content in (b"{}", b"[]"):
            made.writestr("manifest.json", content)
    with pytest.raises(DraftsmithError, match="backup_damaged") as refusal:
        BackupReader(tmp_path / "b")
    assert "twice" in refusal.value.detail


def test_files_that_share_bytes_are_refused(tmp_path: Path) -> None:
    """So that a kilobyte cannot be unpacked under a thousand names."""
    with zipfile.ZipFile(tmp_path / "b", "w") as made:
        made.writestr("manifest.json", random.Random(1).randbytes(10_000))
        again = copy(made.filelist[0])
        again.filename = again.orig_filename = "again"
        made.filelist.append(again)
    with pytest.raises(DraftsmithError, match="backup_damaged") as refusal:
        BackupReader(tmp_path / "b")
    assert "share" in refusal.value.detail


def test_a_long_log_is_read_line_by_line(tmp_path: Path) -> None:
    """As `read` gives it, wherever lines lie, without all of it in memory."""
    rng = random.Random(run_seed())
    lines = [rng.randbytes(rng.randrange(30)).hex().encode() * rng.randrange(200) for _ in range(9_000)]
    content = b"\n".join(lines)
    assert len(content) > 20 * MIB
    file = written(tmp_path / "b", {"log": [content]})["log"]
    with BackupReader(tmp_path / "b") as reader:
        tracemalloc.start()
        try:
            count = sum(1 for _ in reader.lines(file))
            assert tracemalloc.get_traced_memory()[1] < 8 * MIB
        finally:
            tracemalloc.stop()
        found = list(reader.lines(file))
        assert found == reader.read(file).split(b"\n") == lines
        assert count == len(lines)
        with pytest.raises(DraftsmithError, match="backup_damaged"):
            list(reader.lines(File("log", "0" * 64, file.size)))


@pytest.mark.parametrize("content", [b" " * (2 * MIB + 1), b"[" + b"[]," * 5_000 + b"[]]"])
def test_a_commit_that_unpacks_to_too_much_is_refused(content: bytes) -> None:
    """The workspace would be opened by a server that others use."""
    with pytest.raises(ValueError, match="than any request can make"):
        check_unpacked(b"z" + zlib.compress(content, 1), 2 * MIB, 10_000)


def test_other_commits_pass() -> None:
    """Whole documents, short bodies, and damaged ones, which freeze a workspace when it is loaded."""
    rng = random.Random(run_seed())
    check_unpacked(encode_body({"text": "".join(rng.choices("ab\x01", k=2_000_000))}))
    check_unpacked(encode_body({}))
    check_unpacked(b"z" + rng.randbytes(1_000))
    check_unpacked(b"")
