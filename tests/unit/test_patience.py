"""No test depends on how fast the machine is: what waits, waits as long as anything may take in a test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
HTTPX = {"Client", "AsyncClient", "get", "post", "put", "patch", "delete", "head", "options", "request", "stream"}


def _impatient(tree: ast.AST) -> Iterator[int]:
    """The lines of calls to httpx that leave the limit to it."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        module, name = call.func.value, call.func.attr
        is_httpx = isinstance(module, ast.Name) and module.id in ("httpx", "httpx2") and name in HTTPX
        if is_httpx and not {keyword.arg for keyword in call.keywords} & {"timeout", None}:
            yield call.lineno


def test_no_request_has_the_five_seconds_of_httpx() -> None:
    """`tests.patient` makes them with the limit of a test."""
    found = [
        f"{path.relative_to(TESTS)}:{line}"
        for path in sorted(TESTS.rglob("*.py"))
        for line in _impatient(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []
    assert list(_impatient(ast.parse("httpx.get('http://x')"))) == [1], "it finds what there is to find"
