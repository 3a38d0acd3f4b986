"""Draws functions at random for a cold reading: `python tests/cold_reading.py SEED` prints ten of them.

Only the path, the class and the signature are printed. docs/findings/cold-reading.md explains the exercise.
"""

import ast
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXPORTED = re.compile(r"^export (?:async )?(?:function|const) \w+.*?(?=\{\n|=> |;\n)", re.MULTILINE | re.DOTALL)


def python_functions() -> Iterator[str]:
    """Every function and method of the backend, nested ones left out."""
    for path in (ROOT / "backend" / "draftsmith").rglob("*.py"):
        place = path.relative_to(ROOT)
        for node in ast.parse(path.read_text("utf-8")).body:
            for item in node.body if isinstance(node, ast.ClassDef) else [node]:
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                    owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
                    returns = f" -> {ast.unparse(item.returns)}" if item.returns else ""
                    yield f"{place}: {owner}{item.name}({ast.unparse(item.args)}){returns}"


def page_functions() -> Iterator[str]:
    """Every exported function of the page, with its signature in one line."""
    for path in (*(ROOT / "frontend" / "src").rglob("*.ts"), *(ROOT / "frontend" / "src").rglob("*.tsx")):
        for found in EXPORTED.findall(path.read_text("utf-8")):
            if "(" in found:
                yield f"{path.relative_to(ROOT)}: {' '.join(found.split())}"


if __name__ == "__main__":
    seeded = random.Random(int(sys.argv[1]))
    for line in (*seeded.sample(sorted(python_functions()), 7), *seeded.sample(sorted(page_functions()), 3)):
        print(line)
