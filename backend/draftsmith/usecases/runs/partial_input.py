"""The input of a tool call while it is being streamed: which of its operations are complete, found as it comes.

Every byte is looked at once, and every operation is parsed once, however small the pieces are. Not here: reading
operations out of it (`assistant.answers.parse`), and what they would do (`staging`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from draftsmith.usecases.staging.staged_values import Preview

_SIGNS = re.compile(rb'[\\"{}\[\]]')
_LIST: Final = b"{["  # what is open around an operation
_GATHERED: Final = 8  # operations are gathered once so many times their number is known

_Span = tuple[int, int]


@dataclass
class PartialInput:
    """The part of a call's input that has come so far.

    Attributes:
        tool: which tool is called.
        shown_count: how many of its operations have been previewed, or did not fit.
        preview: what those of them that fit would do.
    """

    tool: str
    shown_count: int = 0
    preview: Preview = field(default_factory=Preview)
    _json: bytearray = field(default_factory=bytearray)
    _scanned: int = 0
    _open: bytearray = field(default_factory=bytearray)  # the brackets that are open
    _is_in_text: bool = False
    _escaped: int = -1  # where a character stands that a backslash takes its meaning from
    _key: _Span = (0, 0)  # of the newest text in the outermost object
    _begins: int = 0
    _complete: list[tuple[_Span, _Span]] = field(default_factory=list)  # key of the list, operation; not yet taken
    _taken_count: int = 0

    def append(self, piece: str) -> list[str]:
        """Append a piece; inputs of the same tool that hold the operations which are complete now, each once.

        They are gathered, so that a call of many operations is not looked at for each: the first comes at once, later
        ones some at a time, the last with the end. An input of another form comes whole, when it is complete.
        """
        self._json += piece.encode("utf-8", "surrogatepass")
        self._scan()
        is_over = bool(self._json) and not self._open
        if not is_over and _GATHERED * len(self._complete) <= self._taken_count:
            return []
        found = self._take()
        return [self._text((0, len(self._json)))] if is_over and not self._taken_count else found

    def _take(self) -> list[str]:
        if self.tool.startswith("rewrite_"):  # a part of a whole is none
            return []
        lists: dict[_Span, list[str]] = {}
        for key, span in self._complete:
            lists.setdefault(key, []).append(self._text(span))
        self._taken_count += len(self._complete)
        self._complete.clear()
        return [f"{{{self._text(key)}:[{','.join(some)}]}}" for key, some in lists.items()]

    def _text(self, span: _Span) -> str:
        return self._json[slice(*span)].decode("utf-8", "surrogatepass")

    def _scan(self) -> None:
        for found in _SIGNS.finditer(bytes(self._json[self._scanned :])):
            at = self._scanned + found.start()
            if at == self._escaped:
                continue
            sign = found[0]
            if self._is_in_text:
                self._in_text(sign, at)
            elif sign == b'"':
                self._is_in_text = True
                if len(self._open) == 1:
                    self._key = at, at
            elif sign in b"{[":
                if self._open == _LIST:
                    self._begins = at
                self._open += sign
            elif sign in b"}]":
                self._close(at)
        self._scanned = len(self._json)

    def _in_text(self, sign: bytes, at: int) -> None:
        if sign == b"\\":
            self._escaped = at + 1
        elif sign == b'"':
            self._is_in_text = False
            if len(self._open) == 1:
                self._key = self._key[0], at + 1

    def _close(self, at: int) -> None:
        if self._open:
            del self._open[-1]
        if self._open == _LIST and self._json[self._begins] == ord("{"):
            self._complete.append((self._key, (self._begins, at + 1)))
