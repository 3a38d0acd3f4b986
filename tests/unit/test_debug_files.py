"""Debug records of runs: what is in them, that no key is, and that they end."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from draftsmith.adapters.files import debug_files
from draftsmith.adapters.files.debug_files import KEPT_MS, DebugFiles, remove_records
from draftsmith.assistant.provider import (
    Event,
    ProviderError,
    TextDelta,
    ToolCall,
    ToolDelta,
    ToolSpec,
    ToolStart,
    TurnEnd,
    TurnRequest,
)
from draftsmith.components import debug_of
from draftsmith.history.times import iso
from draftsmith.settings import Settings
from draftsmith.usecases.runs.debug_record import RecordedProvider, hide
from tests.scripted import HandClock, Scripted

NOW = 1_800_000_000_000
W, OTHER = "0" * 26, "1" * 26
HOUR_MS = 3_600_000
KEY = "sk-ant-0123456789abcdef"


class Lines:
    """A record in memory."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        self.lines.append(line)

    @property
    def entries(self) -> list[Any]:
        return [json.loads(line) for line in self.lines]


class Saying(Scripted):
    """A provider that says given events, and then fails or stalls where that is asked."""

    def __init__(self, *events: Event, error: ProviderError | None = None, stalls: bool = False) -> None:
        super().__init__([])
        self._events, self._error, self._stalls = events, error, stalls
        self.has_stalled = asyncio.Event()

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        request.usage.output = 3
        for event in self._events:
            yield event
        if self._error:
            raise self._error
        if self._stalls:
            self.has_stalled.set()
            await asyncio.Event().wait()


async def recorded(provider: Saying, secrets: Sequence[str] = (KEY,)) -> Lines:
    """What is recorded of one turn."""
    record = Lines()
    wrapped = RecordedProvider(provider, record, lambda: secrets)
    request = TurnRequest([f"system {KEY}"], [ToolSpec("t", "d", {"type": "object"})], [{"user": KEY}], 9)

    async def make() -> list[Event]:
        return [event async for event in wrapped.turn(request)]

    turn = asyncio.create_task(make())
    if provider._stalls:
        await provider.has_stalled.wait()
        turn.cancel()
    if provider._stalls or provider._error:
        await asyncio.wait([turn])
    else:
        assert await turn == list(provider._events)
    if provider._error:
        assert isinstance(turn.exception(), ProviderError)
    return record


async def test_a_turn_is_one_request_and_one_answer_without_keys() -> None:
    end = TurnEnd("tools", [ToolCall("c", "t", {"a": KEY})], {"content": [{"text": f"it is {KEY}"}]})
    record = await recorded(Saying(TextDelta("it is "), TextDelta(KEY), end))
    request, answer = record.entries
    assert request == {
        "kind": "request", "system": ["system …"], "messages": [{"user": "…"}], "max_tokens": 9,
        "tools": [
            {"name": "t", "description": "d", "input_schema": {"type": "object"}, "examples": [], "eager": False},
        ],
    }  # fmt: skip
    assert (answer["kind"], answer["stop"], answer["message"]) == (
        "answer",
        "tools",
        {"content": [{"text": "it is …"}]},
    )
    assert answer["usage"]["output"] == 3


@pytest.mark.parametrize(
    "provider, code",
    [
        (
            Saying(TextDelta("it is sk-ant-0123"), TextDelta("45678"), error=ProviderError("network", f"no {KEY}")),
            "network",
        ),
        (Saying(ToolStart("c", "t"), ToolDelta("c", '{"a": "sk-ant-0123456789abcde'), stalls=True), "left"),
        (Saying(TextDelta(KEY[:9]), TextDelta(KEY[9:]), stalls=True), "left"),
    ],
)
async def test_what_came_of_an_answer_that_broke_off_is_kept_without_the_key_or_half_of_it(
    provider: Saying, code: str
) -> None:
    """Pieces are joined before they are written, so that no key is spread over two of them."""
    record = await recorded(provider)
    _, broken = record.entries
    assert (broken["kind"], broken["code"]) == ("broken", code)
    assert len(broken["pieces"]) == 1
    assert "…" in broken["pieces"][0]["content"]
    assert "sk-ant-0" not in "".join(record.lines)


async def test_each_message_is_written_once_and_a_repeat_is_seen_as_one() -> None:
    """A turn that is tried again sends nothing new; a key that was changed in between stays hidden."""
    record, secrets = Lines(), [KEY]
    wrapped = RecordedProvider(Saying(TurnEnd("end", [], {"answer": KEY})), record, lambda: secrets)
    messages: list[Any] = [{"user": "one"}]
    for sent in ([], [{"answer": KEY}, {"user": f"two {KEY}"}], [{"answer": KEY}, {"user": "three"}]):
        messages = [*messages, *sent]
        async for _ in wrapped.turn(TurnRequest(["s"], [], messages, 9)):
            pass
        secrets[:] = ["sk-ant-another-key"]
    requests = [entry for entry in record.entries if entry["kind"] == "request"]
    assert [entry["messages"] for entry in requests] == [[{"user": "one"}], [{"user": "two …"}], [{"user": "three"}]]
    assert ["system" in entry for entry in requests] == [True, False, False]
    broken = RecordedProvider(Saying(error=ProviderError("overloaded", "no")), record, lambda: secrets)
    record.lines.clear()
    for _ in range(2):
        with pytest.raises(ProviderError):
            await anext(aiter(broken.turn(TurnRequest(["s"], [], messages, 9))))
    assert [len(entry["messages"]) for entry in record.entries if entry["kind"] == "request"] == [len(messages), 0]


@pytest.mark.parametrize("secret", ['with "quotes"', "back\\slash\\", "plain-secret"])
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_secret_is_hidden_however_deep_in_json(secret: str, depth: int) -> None:
    """As a text, in the input of a call, in a text of that."""
    value, written = secret, json.dumps(secret)[1:-1]
    for _ in range(depth):
        value, written = json.dumps({"in": value}), json.dumps(written)[1:-1]
    line = json.dumps({"a": value, "b": 1})
    assert written in line
    hidden = hide(line, secret)
    assert written not in hidden
    found = json.loads(hidden)["a"]
    for _ in range(depth):
        found = json.loads(found)["in"]
    assert found == "…"


def files_for(folder: Path, clock: HandClock, hours: int | None = 1) -> DebugFiles:
    return DebugFiles(folder, clock, None if hours is None else clock.now_ms() + hours * HOUR_MS)


def test_recording_ends_by_itself(tmp_path: Path) -> None:
    """No run begins a record after the end, and one that goes on writes no more."""
    clock = HandClock(NOW)
    log = files_for(tmp_path / "d", clock)
    assert log.until_ms == NOW + HOUR_MS
    record = log.open("r1", W)
    assert record is not None
    record.write('{"kind":"request"}')
    clock.ms += HOUR_MS
    record.write('{"kind":"answer"}')
    assert log.until_ms is None
    assert log.open("r2", W) is None
    (path,) = (tmp_path / "d").iterdir()
    assert [json.loads(line)["kind"] for line in path.read_text().splitlines()] == ["request"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert files_for(tmp_path / "off", clock, None).open("r", W) is None
    assert not (tmp_path / "off").exists()


def test_the_end_is_counted_from_the_start_of_the_server(tmp_path: Path) -> None:
    """A worker that is started again does not prolong it, and says at its start what is kept, where and how long."""
    clock = HandClock(NOW)
    asked: dict[str, Any] = {"data_dir": tmp_path, "assistant_debug_runs": True, "assistant_debug_hours": 3}
    with capture_logs() as logs:
        assert debug_of(Settings(**asked, draftsmith_started_ms=NOW - HOUR_MS), clock).until_ms == NOW + 2 * HOUR_MS
        assert debug_of(Settings(**asked), clock).until_ms == NOW + 3 * HOUR_MS
    assert [line["log_level"] for line in logs] == ["warning", "warning"]
    assert logs[0]["folder"] == str(tmp_path / "debug-runs")
    assert logs[0]["until"] == iso(NOW + 2 * HOUR_MS)
    with capture_logs() as logs:
        assert debug_of(Settings(**asked, draftsmith_started_ms=NOW - 3 * HOUR_MS), clock).until_ms is None
        assert debug_of(Settings(data_dir=tmp_path), clock).until_ms is None
    assert logs == []


def test_a_record_and_all_of_them_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that is full says so; the oldest go where there are too many or too much; other files stay."""
    monkeypatch.setattr(debug_files, "RUN_BYTES", 400)
    monkeypatch.setattr(debug_files, "RUNS", 3)
    monkeypatch.setattr(debug_files, "ALL_BYTES", 1_000)
    clock = HandClock(NOW)
    log = files_for(tmp_path, clock)
    (tmp_path / "notes.txt").write_text("mine")
    for number in range(5):
        record = log.open(f"r{number}", "w")
        assert record is not None
        for _ in range(9):
            record.write(f'{{"kind":"answer","text":"{"x" * 100}"}}')
        path = tmp_path / f"run-r{number}.jsonl"
        assert path.stat().st_size <= 400
        assert json.loads(path.read_text().splitlines()[-1]) == {"kind": "full"}
        os.utime(path, ns=(0, (NOW - 100 + number) * 1_000_000))
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["notes.txt", "run-r3.jsonl", "run-r4.jsonl"], "there is room for one more of the full size"


def test_old_records_go_also_after_it_was_switched_off(tmp_path: Path) -> None:
    """Seven days after the last line."""
    clock = HandClock(NOW)
    for name, age in (("run-old.jsonl", KEPT_MS + 1), ("run-new.jsonl", KEPT_MS - HOUR_MS)):
        (tmp_path / name).write_text("{}\n")
        os.utime(tmp_path / name, ns=(0, (NOW - age) * 1_000_000))
    log = files_for(tmp_path, clock, None)
    log.tidy()
    assert [path.name for path in tmp_path.iterdir()] == ["run-new.jsonl"]
    clock.ms += 2 * HOUR_MS
    log.tidy()
    assert list(tmp_path.iterdir()) == []
    files_for(tmp_path / "absent", clock, None).tidy()


def test_a_record_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert files_for(tmp_path / "file" / "folder", HandClock(NOW)).open("r", W) is None
    log = files_for(tmp_path / "d", HandClock(NOW))
    record = log.open("r", W)
    assert record is not None
    (tmp_path / "d").rmdir()
    record.write("{}")
    record.write("{}")


@pytest.mark.parametrize("secret", ["hunter-22-secret", 'a "quoted" \\ secret', "пароль-ключ"])
def test_records_of_a_workspace_are_removed_and_of_others_where_a_text_stands(tmp_path: Path, secret: str) -> None:
    """However deep in JSON within JSON; those that name no workspace are from before, and count as of it."""
    log = files_for(tmp_path, HandClock(0))
    inner = json.dumps({"text": json.dumps({"said": secret})})
    for name, workspace, line in (
        ("its", W, {"kind": "request", "messages": ["hello"]}),
        ("other", OTHER, {"kind": "request", "messages": ["hello", W]}),
        ("told", OTHER, {"kind": "request", "messages": [secret]}),
        ("deep", OTHER, {"kind": "answer", "message": inner}),
    ):
        record = log.open(name, workspace)
        assert record is not None
        record.write(json.dumps(line))
        record.write('{"kind":"answer"}')
    (tmp_path / "run-before.jsonl").write_text('{"ts":"2026-11-01T00:00:00.000+00:00","kind":"request"}\n')
    (tmp_path / "notes.txt").write_text(secret)
    assert remove_records(tmp_path, W, secret) == (4, [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "run-other.jsonl"]
    assert remove_records(tmp_path, OTHER) == (1, [])
    assert remove_records(tmp_path / "none", W) == (0, [])
