"""Small changes of sources: every place of a file where one word makes it another program.

Comparisons, `and` and `or`, `not`, truth values, numbers, calls whose result nobody uses, `continue`, and what is
returned; in Python, in Lua and, by `frontend/scripts/mutants.mjs`, in TypeScript. Not here: which of them are tried.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_COMPARED: Final = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
_JOINED: Final = {ast.And: "or", ast.Or: "and"}
_OPERATOR: Final = re.compile(rb"#[^\n]*|(?P<word>not\s+in\b|is\s+not\b|\bin\b|\bis\b|\band\b|\bor\b|[<>=!]=|[<>])")
_NOT_RUN: Final = frozenset({"annotation", "returns", "decorator_list", "type_params"})
_LUA_SWAPPED: Final = {"==": "~=", "~=": "==", "and": "or", "or": "and", ">": ">=", "<": "<=", "not": ""}
_LUA_WORD: Final = re.compile(
    r"--.*|'[^']*'|(?P<word>==|~=|\band\b|\bor\b|\bnot\b|(?<![<>=~])[<>](?!=)|(?<![\w.])\d+\b)"
)


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """Some bytes of one file, from `start` to `end`, and what comes in their place."""

    file: str
    start: int
    end: int
    text: str

    def made_in(self, source: bytes) -> bytes:
        """The file with this change."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def words_in(self, source: bytes) -> str:
        """What a person reads of it: the place, the line as it was and as it is."""
        number = source.count(b"\n", 0, self.start) + 1
        before, after = (code.decode().split("\n")[number - 1].strip() for code in (source, self.made_in(source)))
        return f"{self.file}:{number}: `{before}` → `{after}`"


def changes_of(files: Sequence[str], root: Path) -> Sequence[Change]:
    """Every change of some files, in the order of files and places."""
    pages = [file for file in files if file.endswith(".ts")]
    found = _typescript_changes(pages, root / "frontend") if pages else []
    for file in files:
        source = (root / file).read_text("utf-8")
        if file.endswith(".py"):
            found += python_changes(file, source)
        elif file.endswith(".lua"):
            found += lua_changes(file, source)
    return sorted(found)


def python_changes(file: str, source: str) -> list[Change]:
    """Every change of a module."""
    code = source.encode()
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def begin(node: ast.stmt | ast.expr) -> int:
        return starts[node.lineno - 1] + node.col_offset

    def end(node: ast.stmt | ast.expr) -> int:
        return starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def operator(left: ast.expr, right: ast.expr) -> tuple[int, int]:
        return next(one.span() for one in _OPERATOR.finditer(code, end(left), begin(right)) if one["word"])

    def places() -> Iterator[tuple[int, int, str]]:
        for node in _live_nodes(ast.parse(source)):
            match node:
                case ast.Compare(left=left, ops=[op], comparators=[right]):
                    yield (*operator(left, right), _COMPARED[type(op)])
                case ast.BoolOp(op=op, values=[left, right, *_]):
                    yield (*operator(left, right), _JOINED[type(op)])
                case ast.UnaryOp(op=ast.Not()):
                    yield begin(node), begin(node) + len("not"), ""
                case ast.Constant(value=bool(value)):
                    yield begin(node), end(node), str(not value)
                case ast.Constant(value=int(value)):
                    yield begin(node), end(node), str(value + 1)
                case ast.Expr(value=ast.Call()) | ast.AugAssign():
                    yield begin(node), end(node), "pass"
                case ast.Continue():
                    yield begin(node), end(node), "break"
                case ast.Return(value=ast.expr() as value) if not _is_none(value):
                    yield begin(value), end(value), "None"

    return [Change(file, *place) for place in places()]


def lua_changes(file: str, source: str) -> list[Change]:
    """Every change of a script of the store."""
    found = []
    for match in _LUA_WORD.finditer(source):
        word = match["word"]
        if word is not None:
            start = len(source[: match.start()].encode())
            text = str(int(word) + 1) if word.isdigit() else _LUA_SWAPPED[word]
            found.append(Change(file, start, start + len(word), text))
    return found


def _typescript_changes(files: Sequence[str], page: Path) -> list[Change]:
    command = ["node", "scripts/mutants.mjs", *(file.removeprefix("frontend/") for file in files)]
    printed = subprocess.run(command, cwd=page, capture_output=True, text=True, check=True).stdout
    return [Change(f"frontend/{one['file']}", one["start"], one["end"], one["text"]) for one in json.loads(printed)]


def _live_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of what runs: no annotations, tables of the module, refusals and their texts."""
    for name, value in ast.iter_fields(tree):
        if name in _NOT_RUN:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.Assert | ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            if isinstance(tree, ast.Module) and isinstance(child, ast.Assign | ast.AnnAssign):
                continue
            yield child
            yield from _live_nodes(child)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
