r"""The statements of Structurizr DSL, across the files that include one another.

A statement is a line, or several that are continued with `\` or hold a block of text between three quotes. Comments go,
constants and variables are put in, `!include` is followed among the files that came together, and a script ends where
its block does. All of it is bounded. Not here: what statements mean (`dsl`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from draftsmith.model.readers.alone import text_of
from draftsmith.model.readers.limits import SHOWN
from draftsmith.model.readers.paths import path_from
from draftsmith.model.readers.reading import SourceFile, UnreadableSource, UnreadPart

MAX_BYTES: Final = 5_000_000
"""Of one file."""
MAX_READ: Final = 10_000_000
"""Characters of all files together, each as often as it is included, and of constants where they are put in."""
MAX_STATEMENTS: Final = 200_000
MAX_INCLUDES: Final = 1_000
MAX_FILES_DEEP: Final = 32
"""Files that are open in one another."""

_TEXT_BLOCK: Final = '"""'
_TOKEN = re.compile(r'"((?>[^"\\]*+(?:\\.[^"\\]*+)*))"?|(\S++)', re.DOTALL)
_CONSTANT = re.compile(r"\$\{([A-Za-z0-9_.-]++)\}")
_CONSTANTS: Final = frozenset(("!const", "!constant", "!var"))


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement.

    Attributes:
        file: its path.
        line: its first, from 1.
        text: as written, the beginning of it.
        identifier: before `=`, empty for none.
        words: without quotes, the brace at the end, and what is before `=`; none where a brace stands alone.
        opens: it ends with `{`.
    """

    file: str
    line: int
    text: str
    identifier: str
    words: Sequence[str]
    opens: bool

    @property
    def keyword(self) -> str:
        """The first word in lower case."""
        return self.words[0].lower() if self.words else ""

    def word(self, number: int) -> str:
        """One of the words; empty where there are fewer."""
        return self.words[number] if number < len(self.words) else ""


@dataclass(slots=True)
class _Line:
    """A line with those that continue it; `block`: the text between three quotes at its end."""

    number: int
    text: str
    block: str | None = None


@dataclass(frozen=True, slots=True)
class _OpenFile:
    """A file that is being read, and the one that includes it."""

    path: str
    lines: Iterator[_Line]
    includer: _OpenFile | None = None

    def paths(self) -> Sequence[str]:
        """Its path and those of all that include it."""
        found, current = [self.path], self.includer
        while current is not None:
            found.append(current.path)
            current = current.includer
        return found


class StatementReader:
    """Reads statements from files that came together.

    Attributes:
        files: by path.
        used: the paths of those that were read.
        constants: by name.
        unread: what was not followed.
    """

    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self.files = files
        self.used: dict[str, None] = {}
        self.constants: dict[str, str] = {}
        self.unread: list[UnreadPart] = []
        self._characters = self._statements = self._includes = 0

    def statements(self, path: str) -> Iterator[Statement]:
        """The statements of a file and of those that it includes, in order.

        Raises:
            UnreadableSource: it is no text, or beyond a bound.
        """
        readings = [self._open(path, None)]
        while readings:
            line = next(readings[-1].lines, None)
            if line is None:
                readings.pop()
                continue
            statement = self._statement(readings[-1].path, line)
            if statement.keyword == "!include":
                readings += reversed(self._included_files(statement, readings[-1]))
            elif statement.keyword in _CONSTANTS:
                self.constants[statement.word(1)] = statement.word(2)
            elif statement.keyword == "!script" and statement.opens:
                yield replace(statement, opens=False)
                _skip_to_brace(readings[-1].lines)
            else:
                yield statement

    def path(self, statement: Statement, named: str) -> str | None:
        """The path of what a statement names; lists it and returns None if it is somewhere else."""
        if "://" in named:
            self.list_unread(statement, "it is at another address, and nothing is fetched")
            return None
        found = path_from(statement.file, named)
        if found is None:
            self.list_unread(statement, "it leads out of the folder that was uploaded")
        return found

    def paths_below(self, path: str, statement: Statement) -> Sequence[str]:
        """The paths of files in a folder and in those below, without hidden ones; a file itself if it is one.

        Raises:
            UnreadableSource: that was asked too often.
        """
        self._includes += 1
        if self._includes > MAX_INCLUDES:
            reason = f"it names other files and folders more than {MAX_INCLUDES:,} times"
            raise UnreadableSource(reason, statement.file, statement.line)
        if path in self.files:
            return [path]
        start = f"{path}/" if path else ""
        return sorted(
            one for one in self.files if one.startswith(start) and not one.startswith(".") and "/." not in one
        )

    def list_unread(self, statement: Statement, reason: str) -> None:
        """List a statement that is not followed."""
        self.unread.append(UnreadPart(statement.file, f"line {statement.line}", statement.text, reason))

    def spend(self, characters: int, file: str, line: int | None = None) -> None:
        """Count characters that are read.

        Raises:
            UnreadableSource: there are too many.
        """
        self._characters += characters
        if self._characters > MAX_READ:
            raise UnreadableSource(f"with all that it includes it has more than {MAX_READ:,} characters", file, line)

    def _included_files(self, statement: Statement, includer: _OpenFile) -> list[_OpenFile]:
        """The files that an `!include` means, without those that are open."""
        path = self.path(statement, statement.word(1))
        if path is None:
            return []
        around = includer.paths()
        if len(around) >= MAX_FILES_DEEP:
            raise UnreadableSource(
                f"files include one another more than {MAX_FILES_DEEP} deep", statement.file, statement.line
            )
        found = [one for one in self.paths_below(path, statement) if one.lower().endswith(".dsl") or one == path]
        if not found:
            self.list_unread(statement, "this file did not come along")
        included = []
        for one in found:
            if one in around:
                self.list_unread(statement, "this file includes itself")
                continue
            try:
                included.append(self._open(one, includer))
            except UnreadableSource as problem:
                if self._characters > MAX_READ:
                    raise
                self.list_unread(statement, problem.reason)
        return included

    def _open(self, path: str, includer: _OpenFile | None) -> _OpenFile:
        self.used[path] = None
        text = text_of(self.files[path], MAX_BYTES)
        self.spend(len(text), path)
        return _OpenFile(path, _joined_lines(text), includer)

    def _statement(self, file: str, line: _Line) -> Statement:
        self._statements += 1
        if self._statements > MAX_STATEMENTS:
            raise UnreadableSource(f"it has more than {MAX_STATEMENTS:,} statements", file, line.number)
        words = [_word(found) for found in _TOKEN.finditer(line.text)]
        if line.block is not None:
            words.append(line.block)
        if "${" in line.text or (line.block and "${" in line.block):
            words = [self._with_constants(word, file, line.number) for word in words]
        opens = len(words) > 0 and words[-1] == "{"
        if opens:
            words.pop()
        elif words[-2:] == ["{", "}"]:
            del words[-2:]
        elif len(words) > 1 and words[-1] == "{}":
            words.pop()
        identifier = ""
        if len(words) > 2 and words[1] == "=":
            identifier, words = words[0], words[2:]
        return Statement(file, line.number, line.text.strip()[:SHOWN], identifier, words, opens)

    def _with_constants(self, word: str, file: str, line: int) -> str:
        """A word with constants put in; one that is not known stays as it is."""
        length = len(word) + sum(len(self.constants.get(name, "")) for name in _CONSTANT.findall(word))
        self.spend(length, file, line)
        return _CONSTANT.sub(lambda match: self.constants.get(match[1], match[0]), word)


def _word(found: re.Match[str]) -> str:
    word = found[2] if found[1] is None else found[1]
    return word.replace('\\"', '"').replace("\\n", "\n") if "\\" in word else word


def _joined_lines(text: str) -> Iterator[_Line]:
    """Lines with what continues them, comments and empty ones left out."""
    parts: list[str] = []
    begun = 0
    lines = enumerate(text.split("\n"), 1)
    for number, raw in lines:
        line = raw.strip()
        if not parts:
            if not line or line.startswith(("#", "//")):
                continue
            if line.startswith("/*"):
                _skip_comment(line, lines)
                continue
            begun = number
        if line.endswith(_TEXT_BLOCK):
            yield _Line(begun, "".join([*parts, line[: -len(_TEXT_BLOCK)]]), _text_block(lines))
            parts = []
        elif line.endswith("\\"):
            parts.append(line[:-1])
        else:
            yield _Line(begun, "".join([*parts, line]))
            parts = []
    if parts:
        yield _Line(begun, "".join(parts))


def _skip_comment(start: str, lines: Iterator[tuple[int, str]]) -> None:
    if start.endswith("*/") and len(start) > 3:
        return
    for _, line in lines:
        if line.rstrip().endswith("*/"):
            return


def _skip_to_brace(lines: Iterator[_Line]) -> None:
    for line in lines:
        if line.text == "}":
            return


def _text_block(lines: Iterator[tuple[int, str]]) -> str:
    """The lines up to the end of a block of text, without the indentation that the first has."""
    found: list[str] = []
    indentation: int | None = None
    for _, raw in lines:
        line = raw.rstrip()
        if line.endswith(_TEXT_BLOCK):
            break
        if indentation is None:
            indentation = len(line) - len(line.lstrip())
        found.append(line[indentation:])
    return "\n".join(found)
