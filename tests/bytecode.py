"""The bytecode of the package and the tests, made once: on a clean checkout each process of a run would make it all."""

from __future__ import annotations

import compileall
import re
import sys
from contextlib import suppress
from importlib.util import find_spec, module_from_spec
from pathlib import Path

TESTS = Path(__file__).parent
TEST_MODULE = re.compile(r"[/\\]test_\w+\.py$")


def compile_once() -> None:
    """Write what is missing; where bytecode is not to be written (`PYTHONDONTWRITEBYTECODE`), nothing."""
    if sys.dont_write_bytecode:
        return
    for folder in (TESTS.parent / "backend", TESTS.parent / "plugins", TESTS):
        compileall.compile_dir(folder, rx=TEST_MODULE, quiet=2)
    for file in sorted(TESTS.rglob("test_*.py")):
        rewrite_assertions(".".join(file.relative_to(TESTS.parent).with_suffix("").parts))


def rewrite_assertions(name: str) -> None:
    """Have pytest write the bytecode of a test module, in which `assert` says more, and run none of it."""
    spec = find_spec(name)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    vars(module)["__builtins__"] = {}  # with which its first import fails
    with suppress(ImportError):
        spec.loader.exec_module(module)
