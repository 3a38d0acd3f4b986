"""What has been asked so far, one line of JSON each, so that a comparison goes on where it was stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

Row = Mapping[str, Any]
_FILE: Final = "answers.jsonl"
_SHORTEST_SECRET: Final = 6
"""Characters; a server of one's own that wants any key at all is given something like `x`."""


class OtherComparison(ValueError):
    """The folder holds another comparison."""


class Journal:
    """The file of a comparison; the first line says what is compared, every other is an answer.

    Attributes:
        rows: all answers so far, oldest first.
    """

    def __init__(self, folder: Path, head: Mapping[str, Any], secrets: Collection[str]) -> None:
        """Open the journal in a folder, or begin it; a line that was cut off when it was stopped is dropped.

        Args:
            folder: made if missing.
            head: what is compared.
            secrets: what is replaced by … wherever it stands.

        Raises:
            OtherComparison: there is one of something else.
        """
        self._path = folder / _FILE
        self._secrets = sorted((one for one in secrets if len(one) >= _SHORTEST_SECRET), key=len, reverse=True)
        folder.mkdir(parents=True, exist_ok=True)
        lines = list(_whole_lines(self._path)) if self._path.exists() else []
        if lines and lines[0] != json.loads(json.dumps(head)):
            raise OtherComparison(
                f"{folder} holds another comparison: other sides, prompts or requests. Name another folder with --out."
            )
        self.rows: list[Row] = lines[1:]
        self._write([head, *self.rows])

    def add(self, row: Row) -> Row:
        """Write an answer down for good; as it was written, without secrets."""
        line = self._line(row)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        written: Row = json.loads(line)
        self.rows.append(written)
        return written

    def hidden(self, text: str) -> str:
        """A text without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, "…")
        return text

    def judged(self) -> dict[tuple[str, str], Row]:
        """The answers that count, by request and side: of several the last; errors are none."""
        return {(row["case"], row["side"]): row for row in self.rows if row["verdict"] != "error"}

    def _line(self, row: Row) -> str:
        return json.dumps(self._without_secrets(row), ensure_ascii=False) + "\n"

    def _without_secrets(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.hidden(value)
        if isinstance(value, Mapping):
            return {name: self._without_secrets(one) for name, one in value.items()}
        return [self._without_secrets(one) for one in value] if isinstance(value, list | tuple) else value

    def _write(self, rows: Iterable[Row]) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.write_text("".join(map(self._line, rows)), "utf-8")
        fresh.replace(self._path)


def _whole_lines(path: Path) -> Iterable[Row]:
    for line in path.read_text("utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            yield json.loads(line)
