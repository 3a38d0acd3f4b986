"""The key of the model provider on disk: for its owner alone, whole at every moment, seen by every worker."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from draftsmith.adapters.files.api_key_file import ApiKeyFile
from draftsmith.errors import DraftsmithError


def test_what_was_saved_is_read_by_others(tmp_path: Path) -> None:
    keys, of_another_worker = ApiKeyFile(tmp_path), ApiKeyFile(tmp_path)
    assert keys.read() is None
    keys.save(" sk-ant-one\n")
    assert of_another_worker.read() == "sk-ant-one"
    of_another_worker.save("sk-ant-two")
    assert keys.read() == "sk-ant-two"
    keys.delete()
    assert of_another_worker.read() is None
    keys.delete()


def test_only_the_owner_may_read_it_whatever_the_mask_says(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        keys = ApiKeyFile(tmp_path / "data")
        keys.save("sk-ant-one")
    finally:
        os.umask(before)
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(keys.path.parent.stat().st_mode) == 0o700


def test_saving_again_closes_a_file_that_others_could_read(tmp_path: Path) -> None:
    keys = ApiKeyFile(tmp_path)
    keys.path.write_text("sk-ant-old")
    keys.path.chmod(0o644)
    keys.save("sk-ant-new")
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [keys.path.name]


@pytest.mark.parametrize("key", ["", "   ", "two words", "sk-ant-…", "sk\nant", "sk\x00ant", "x" * 1001])
def test_what_cannot_be_a_key_is_refused_and_not_repeated(tmp_path: Path, key: str) -> None:
    keys = ApiKeyFile(tmp_path)
    keys.save("sk-ant-one")
    with pytest.raises(DraftsmithError) as refusal:
        keys.save(key)
    assert refusal.value.code == "invalid_request"
    assert not key.strip() or key not in str(refusal.value)
    assert keys.read() == "sk-ant-one"


def test_a_folder_that_cannot_be_written_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(DraftsmithError) as refusal:
        ApiKeyFile(tmp_path / "data").save("sk-ant-one")
    assert refusal.value.code == "file_unwritable"
    assert "sk-ant-one" not in str(refusal.value)


def test_a_failed_save_leaves_the_key_and_no_draft(tmp_path: Path) -> None:
    keys = ApiKeyFile(tmp_path)
    keys.path.mkdir()
    with pytest.raises(DraftsmithError, match="cannot be saved"):
        keys.save("sk-ant-one")
    assert [path.name for path in tmp_path.iterdir()] == [keys.path.name]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"sk-\xc3\xa4"])
def test_a_damaged_file_counts_as_none_and_is_logged(tmp_path: Path, content: bytes) -> None:
    keys = ApiKeyFile(tmp_path)
    keys.path.write_bytes(content)
    with capture_logs() as logs:
        assert keys.read() is None
    assert [entry["event"] for entry in logs] == ["the saved API key cannot be read"]
