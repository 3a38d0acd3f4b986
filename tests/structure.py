"""Count what the layout of the code promises: rooms, arrows between modules, constructors, types left open.

    python tests/structure.py                  this checkout
    python tests/structure.py --repo DIR       another checkout, also one of an older layout
    python tests/structure.py --before DIR     a Markdown table of two columns, DIR before and this one after
    python tests/structure.py --check          whether this checkout keeps the bounds in tests/structure.toml

Standard library alone, read-only, a few seconds. The table stands in docs/decisions/0016. `make lint` checks the
bounds; what may import what is checked by import-linter (pyproject.toml) and by frontend/tests.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

PACKAGE = "draftsmith"
TS_IMPORT = re.compile(
    r"^\s*(?:import|export)\b[^'\"]*?from\s*['\"]([^'\"]+)['\"]|^\s*import\s*['\"]([^'\"]+)['\"]", re.M
)
TS_LAZY = re.compile(r"\bimport\(\s*['\"]([^'\"]+)['\"]")

KIT_FOLDERS = ("contracts", "docs", "faults", "integration", "kit", "unit")
"""Folders of tests whose helpers are one kit (`tests/kit` and the modules beside the tests)."""

Arrows = set[tuple[str, str]]


class Checkout:
    """The sources of one checkout: parsed once, asked many times."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.backend = root / "backend" / PACKAGE
        self.page = root / "frontend" / "src"

    @cached_property
    def text(self) -> dict[str, str]:
        """Every Python module that holds code, by its dotted name below the package."""
        files = sorted(self.backend.rglob("*.py"))
        named = {".".join(file.relative_to(self.backend).with_suffix("").parts): file for file in files}
        texts = {name.removesuffix(".__init__"): file.read_text("utf-8") for name, file in named.items()}
        return {name: text for name, text in texts.items() if text.strip() and name != "__init__"}

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        """Their syntax trees."""
        return {name: ast.parse(text) for name, text in self.text.items()}

    @cached_property
    def test_trees(self) -> list[ast.Module]:
        """The syntax trees of the tests that have one kit of helpers."""
        files = [file for folder in KIT_FOLDERS for file in sorted((self.root / "tests" / folder).rglob("*.py"))]
        return [ast.parse(file.read_text("utf-8")) for file in files]

    def lines(self, pattern: str) -> int:
        """Lines of Python that match."""
        found = re.compile(pattern)
        return sum(1 for text in self.text.values() for line in text.splitlines() if found.search(line))

    @cached_property
    def arrows(self) -> Arrows:
        """Imports from module to module, inside the package."""
        return {(name, one) for name, tree in self.trees.items() for one in self._imports(tree) if one != name}

    def _imports(self, tree: ast.Module) -> Iterator[str]:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == PACKAGE:
                base = node.module.removeprefix(PACKAGE).lstrip(".")
                for alias in node.names:
                    inner = f"{base}.{alias.name}".lstrip(".")
                    found = inner if inner in self.text else base
                    if found in self.text:
                        yield found
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    name = alias.name.removeprefix(f"{PACKAGE}.")
                    if name in self.text:
                        yield name

    @cached_property
    def page_files(self) -> list[Path]:
        """Sources of the page, without what is generated."""
        return sorted(file for file in self.page.rglob("*.ts*") if not file.name.endswith(".d.ts"))

    def page_arrows(self, lazy: bool = True) -> Arrows:
        """Imports from file to file of the page, as paths below `frontend/src`."""
        known = {file.relative_to(self.page).as_posix() for file in self.page_files}
        found: Arrows = set()
        for file in self.page_files:
            text = file.read_text("utf-8")
            named = [one[0] or one[1] for one in TS_IMPORT.findall(text)] + (TS_LAZY.findall(text) if lazy else [])
            for module in named:
                if not module.startswith("."):
                    continue
                target = (file.parent / module).resolve().relative_to(self.page.resolve()).as_posix()
                for end in ("", ".ts", ".tsx", "/index.ts"):
                    if target + end in known:
                        found.add((file.relative_to(self.page).as_posix(), target + end))
        return found


def stage(module: str) -> str:
    """`usecases.commits.writer` → `usecases`."""
    return module.split(".", maxsplit=1)[0]


def room(name: str, separator: str = ".") -> str:
    """The folder in which a module stands, without its stage: `usecases.commits.writer` → `commits`."""
    return separator.join(name.split(separator)[1:-1]) or "(top)"


def rooms(names: list[str], separator: str = ".") -> str:
    """How many modules, in how many rooms, and the largest."""
    counted = Counter(room(name, separator) for name in names)
    largest, size = counted.most_common(1)[0]
    return f"{len(names)} in one folder" if len(counted) == 1 else f"{len(names)} in {len(counted)}; {largest}: {size}"


def modules_of(wanted: str) -> Callable[[Checkout], str]:
    return lambda code: rooms([name for name in code.text if stage(name) == wanted and "." in name])


def files_of(folder: str) -> Callable[[Checkout], str]:
    def count(code: Checkout) -> str:
        files = [file.relative_to(code.page).as_posix() for file in code.page_files]
        return rooms([name for name in files if name.startswith(f"{folder}/")], "/")

    return count


def inside_usecases(code: Checkout) -> Arrows:
    return {(left, right) for left, right in code.arrows if stage(left) == stage(right) == "usecases"}


def between_rooms(arrows: Arrows, separator: str = ".") -> Arrows:
    """Pairs of rooms of which the first imports the second."""
    pairs = {(room(left, separator), room(right, separator)) for left, right in arrows}
    return {(left, right) for left, right in pairs if left != right}


def usecase_rooms(code: Checkout) -> str:
    pairs = between_rooms(inside_usecases(code))
    return f"{len(pairs)}, of them back: {len(returning(pairs))}" if pairs else "no rooms"


def returning(pairs: Arrows) -> Arrows:
    """Pairs that stand on a cycle."""
    return {(left, right) for left, right in pairs if left in reached(pairs, right)}


def reached(pairs: Arrows, start: str) -> set[str]:
    """Everything that can be reached from `start`, itself included."""
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for left, right in pairs:
            if left == here and right not in seen:
                seen.add(right)
                waiting.append(right)
    return seen


def mutual_pairs(code: Checkout, inside: str = "", lazy: bool = True) -> dict[tuple[str, str], int]:
    """Pairs of folders that import each other, with the imports that would have to go: of each pair the fewer."""
    counted: Counter[tuple[str, str]] = Counter()
    for left, right in code.page_arrows(lazy):
        if left.startswith(inside) and right.startswith(inside):
            folders = (folder_of(left, inside), folder_of(right, inside))
            counted[folders] += folders[0] != folders[1] and "" not in folders
    mutual = {pair for pair, count in counted.items() if count and counted[pair[::-1]] and pair < pair[::-1]}
    return {pair: min(counted[pair], counted[pair[::-1]]) for pair in mutual}


def folder_of(file: str, inside: str) -> str:
    """The folder of a file; below `view/`, the room of the view, empty for what stands in none (`App.tsx`)."""
    parts = file.removeprefix(inside).split("/")
    return (parts[0] if len(parts) > 1 else "") if inside else "/".join(parts[:-1])


def folders_both_ways(code: Checkout) -> str:
    pairs = mutual_pairs(code)
    nested = sum(1 for outer, inner in pairs if inner.startswith(f"{outer}/"))
    return f"{len(pairs)}, of them a folder and one inside it: {nested}"


def view_both_ways(code: Checkout) -> str:
    pairs, static = mutual_pairs(code, "view/"), mutual_pairs(code, "view/", lazy=False)
    return f"{len(pairs)} by {sum(pairs.values())} imports ({len(static)} by {sum(static.values())} without `import()`)"


def page_cycles(code: Checkout) -> str:
    """Groups of files that import one another in a circle."""
    arrows = code.page_arrows()
    aims: dict[str, Arrows] = {}
    for left, right in arrows:
        aims.setdefault(left, set()).add((left, right))
    seen: set[str] = set()
    cycles = 0
    for file in sorted(aims):
        if file not in seen:
            circle = {one for one in closure(aims, file) if file in closure(aims, one)}
            seen |= circle
            cycles += len(circle) > 1
    return str(cycles)


def closure(aims: dict[str, Arrows], start: str) -> set[str]:
    """Every file that is imported from `start`, directly or not, itself included."""
    seen, waiting = {start}, [start]
    while waiting:
        new = {right for _, right in aims.get(waiting.pop(), ())} - seen
        seen |= new
        waiting += new
    return seen


def constructors(code: Checkout) -> list[tuple[int, int, str]]:
    """Each written `__init__`: all its parameters, those that may be given by position, and its class."""
    found = []
    for name, tree in code.trees.items():
        for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            for method in owner.body:
                if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                    placed = len(method.args.posonlyargs) + len(method.args.args) - 1
                    found.append((placed + len(method.args.kwonlyargs), placed, f"{owner.name} in {name}"))
    return found


def longest_constructor(code: Checkout) -> str:
    count, placed, name = max(constructors(code))
    return f"{count}, of them by position {placed} ({name})"


def long_constructors(code: Checkout) -> str:
    return str(sum(1 for _, placed, _ in constructors(code) if placed > 5))


def step_kinds(code: Checkout) -> dict[str, set[str]]:
    """Names of step classes (those of `transform/steps` with an inverse and a JSON form), or of several, by module."""
    classes = {
        node.name
        for name, tree in code.trees.items()
        if name.startswith("transform.steps")
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and {"inverse", "to_json"} <= {getattr(one, "name", "") for one in node.body}
    } - {"Step"}
    known: dict[str, set[str]] = {}
    for name, tree in code.trees.items():
        imported = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}.transform.steps")
            for alias in node.names
            if alias.name in classes
        }
        known[name] = imported | (classes if name.startswith("transform.steps") else set())
        for node in tree.body:
            if isinstance(node, ast.Assign) and names_in(node.value) & known[name]:
                known[name] |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return known


def names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


Lines = set[tuple[str, int]]
"""Lines of code, each by its module and number."""


def told_apart(code: Checkout) -> tuple[Lines, Lines]:
    """Lines that tell kinds of steps apart: by `isinstance`, and by a `case`, which mypy checks to be complete."""
    kinds = step_kinds(code)
    asked: Lines = set()
    matched: Lines = set()
    for name, tree in code.trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                if names_in(node.args[1]) & kinds[name]:
                    asked.add((name, node.args[1].lineno))
            elif isinstance(node, ast.MatchClass) and names_in(node.cls) & kinds[name]:
                matched.add((name, node.cls.lineno))
    return asked, matched


def asked_for_kind(code: Checkout) -> str:
    asked, matched = told_apart(code)
    files = {name for name, _ in asked | matched}
    return f"{len(asked)} and {len(matched)}, in {len(files)} files"


OPEN = re.compile(r"^(?:dict|Mapping)\[str, (?:typing\.)?Any\]$")


def open_aliases(code: Checkout) -> dict[str, set[str]]:
    """By module the names that stand there for `dict[str, Any]` or `Mapping[str, Any]`, its own and imported ones."""
    by_module = {
        name: {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign) and OPEN.match(ast.unparse(node.value))
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for name, tree in code.trees.items()
    }
    every = set().union(*by_module.values())
    return {name: own | (imported_names(code.trees[name]) & every) for name, own in by_module.items()}


def imported_names(tree: ast.Module) -> set[str]:
    """What a module imports by name from the package."""
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE)
        for alias in node.names
    }


def open_mappings(code: Checkout) -> tuple[int, int]:
    """Lines that name `dict[str, Any]` or `Mapping[str, Any]`, themselves or by a name given to one of them."""
    aliases = open_aliases(code)
    direct, named = 0, 0
    for name, tree in code.trees.items():
        lines = {n.lineno for n in ast.walk(tree) if isinstance(n, ast.Subscript) and OPEN.match(ast.unparse(n))}
        meant = {n.lineno for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in aliases[name]}
        direct, named = direct + len(lines), named + len(meant - lines)
    return direct, named


def open_signatures(code: Checkout) -> int:
    """Parameters and results of functions in `usecases` and `transform` that have such a type."""
    aliases = open_aliases(code)
    count = 0
    for name, tree in code.trees.items():
        if stage(name) in ("usecases", "transform"):
            types = [one for node in ast.walk(tree) for one in annotations(node)]
            count += sum(any(is_open(node, aliases[name]) for node in ast.walk(one)) for one in types)
    return count


def annotations(node: ast.AST) -> list[ast.expr]:
    """The types in the signature of a function; none for what is no function."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    types = [*(one.annotation for one in parameters(node)), node.returns]
    return [one for one in types if one is not None]


def is_open(node: ast.AST, aliases: set[str]) -> bool:
    if isinstance(node, ast.Subscript):
        return OPEN.match(ast.unparse(node)) is not None
    return isinstance(node, ast.Name) and node.id in aliases


def count_open_mappings(code: Checkout) -> str:
    direct, named = open_mappings(code)
    return f"{direct + named} ({direct} so, {named} by another name)"


def graph_from_outside(code: Checkout) -> str:
    lines = {
        (name, node.lineno)
        for name, tree in code.trees.items()
        if stage(name) != "model"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "graph"
    }
    return f"{len(lines)} in {len({name for name, _ in lines})} files"


def docstrings(code: Checkout) -> str:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    told = 0
    for tree in code.trees.values():
        for node in ast.walk(tree):
            if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
                told += (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
    whole = sum(len(text.splitlines()) for text in code.text.values())
    return f"{100 * told / whole:.1f} % of {whole} lines"


def longest_files(code: Checkout) -> str:
    sizes = [len(text.splitlines()) for text in code.text.values()]
    return f"{max(sizes)}; over 300 lines: {sum(1 for size in sizes if size > 300)} of {len(sizes)}"


ROWS: dict[str, Callable[[Checkout], str]] = {
    "Modules in `usecases`, by room": modules_of("usecases"),
    "Modules in `adapters`, by room": modules_of("adapters"),
    "Files in the page's `model`, by room": files_of("model"),
    "Files in the page's `sync`, by room": files_of("sync"),
    "Imports from module to module inside `usecases`": lambda code: str(len(inside_usecases(code))),
    "The same from room to room": usecase_rooms,
    "Page: circles of files that import one another": page_cycles,
    "Page: pairs of folders that import each other": folders_both_ways,
    "Page: such pairs inside `view`, and imports that run back up": view_both_ways,
    "Longest constructor: parameters": longest_constructor,
    "Constructors with more than five parameters by position": long_constructors,
    "Lines that tell kinds of steps apart: by `isinstance`, by `match`": asked_for_kind,
    "Lines with `dict[str, Any]` or `Mapping[str, Any]`": count_open_mappings,
    "Lines that reach `.graph` from outside `model`": graph_from_outside,
    "Lines with `w: str`": lambda code: str(code.lines(r"\bw: str\b")),
    "Docstrings": docstrings,
    "Longest Python module": longest_files,
}


CODE, SHORT = frozenset((".py", ".ts", ".tsx")), frozenset((".css", ".lua"))
MOST_FILES, MOST_SHORT_FILES = 25, 50
"""Files of code in one folder, where no other bound is set; and files of styles or scripts of the store."""


def files_by_folder(code: Checkout) -> dict[str, tuple[int, int]]:
    """By folder its files and their bound; without what is generated, and without empty modules."""
    counted: Counter[tuple[str, int]] = Counter()
    for file in [*code.backend.rglob("*"), *code.page.rglob("*")]:
        is_code = file.suffix in CODE and not file.name.endswith(".d.ts")
        if (is_code or file.suffix in SHORT) and file.read_text("utf-8").strip():
            most = MOST_FILES if is_code else MOST_SHORT_FILES
            counted[file.parent.relative_to(code.root).as_posix(), most] += 1
    # A folder of both is bound by what it has more of.
    return {folder: (count, most) for (folder, most), count in sorted(counted.items(), key=lambda one: one[1])}


def names_used_twice(code: Checkout) -> int:
    """Class names that more than one class has."""
    names = Counter(
        node.name for tree in code.trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    return sum(1 for count in names.values() if count > 1)


PARTICIPLE = re.compile(r"_?[a-z]+ed")
"""Functions that say what is done to something, but not to what (`_listed`)."""

IRREGULAR = {
    "begun", "born", "come", "drawn", "done", "frozen", "given", "gone", "heard", "held", "hidden", "kept", "known",
    "left", "lost", "made", "meant", "seen", "sent", "shown", "spoken", "taken", "told", "unborn", "woken", "written",
}  # fmt: skip
VAGUE = {
    "again", "apart", "aside", "back", "beside", "between", "earlier", "elsewhere", "far", "near", "once", "pieces",
    "rest", "same", "some", "whole",
}  # fmt: skip
"""Words that say neither what something is nor what it is for."""

USUAL = {"embed", "exceed", "feed", "need", "proceed", "seed"}
"""Verbs that end like a participle."""


def vague_functions(code: Checkout) -> int:
    """Functions and methods whose name is one participle, or one word that says nothing of what they give."""
    names = [name for name, _ in defined_names(code) if name is not None]
    return sum(is_vague(name) or is_participle(name) for name in names)


def vague_values(code: Checkout) -> int:
    """Parameters and attributes whose name is one irregular participle, or one word that says nothing of the value."""
    return sum(is_vague(value) for _, values in defined_names(code) for value in values)


def is_vague(name: str) -> bool:
    return name.lstrip("_") in IRREGULAR | VAGUE


def is_participle(name: str) -> bool:
    return PARTICIPLE.fullmatch(name) is not None and name not in USUAL


def defined_names(code: Checkout) -> Iterator[tuple[str | None, list[str]]]:
    """Each function with its parameters; each attribute that a class or one of its methods sets, without a function."""
    for tree in code.trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, [one.arg for one in parameters(node)]
            elif isinstance(node, ast.ClassDef):
                fields = [one.target for one in node.body if isinstance(one, ast.AnnAssign)]
                yield None, [one.id for one in fields if isinstance(one, ast.Name)]
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield None, [node.attr] if ast.unparse(node.value) == "self" else []


SEVERAL = 3


def ambiguous_helpers(code: Checkout) -> list[str]:
    """Names that helpers and fixtures of tests have, of which as many as `SEVERAL` differ in more than a docstring."""
    bodies: dict[str, set[str]] = {}
    for tree in code.test_trees:
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_test(node.name):
                bodies.setdefault(node.name, set()).add(ast.dump(node.args) + "".join(map(ast.dump, own_body(node))))
    return sorted(name for name, found in bodies.items() if len(found) >= SEVERAL)


def is_test(name: str) -> bool:
    """Whether a function is a test or the entry of a program, whose name is given."""
    return name.startswith("test_") or name == "main"


def own_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """What a function does, without what it says of itself."""
    return node.body if ast.get_docstring(node, clean=False) is None else node.body[1:]


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    of = node.args
    every = [*of.posonlyargs, *of.args, *of.kwonlyargs, of.vararg, of.kwarg]
    return [one for one in every if one is not None]


def broken_bounds(code: Checkout, bounds: Mapping[str, Mapping[str, int]]) -> list[str]:
    """What is more than its bound, and what is less, whose bound is to be lowered."""
    files = files_by_folder(code)
    counts = {
        "lines that tell steps apart by isinstance": (len(told_apart(code)[0]), 0),
        "lines with an open mapping": (sum(open_mappings(code)), 0),
        "open mappings in signatures of usecases and transform": (open_signatures(code), 0),
        "class names used twice": (names_used_twice(code), 0),
        "functions named by one participle or vague word": (vague_functions(code), 0),
        "parameters and attributes named by one vague word": (vague_values(code), 0),
        "names of test helpers with several bodies": (len(ambiguous_helpers(code)), 0),
    }
    found = []
    for kind, counted in (("files", files), ("counts", counts)):
        for name in sorted(counted.keys() | bounds[kind].keys()):
            count, usual = counted.get(name, (0, 0))
            bound = bounds[kind].get(name, usual)
            what = f"{count} files in {name}" if kind == "files" else f"{count} {name}"
            if count > bound:
                found.append(f"{what}: at most {bound}")
            elif name in bounds[kind] and count < bound:
                found.append(f"{what}: lower the bound, which is {bound}")
    return found


def check(code: Checkout) -> int:
    bounds = tomllib.loads((code.root / "tests" / "structure.toml").read_text("utf-8"))
    found = broken_bounds(code, bounds)
    if found:
        print("The structure does not keep its bounds (tests/structure.toml):", *found, sep="\n  ")
    return 1 if found else 0


def main() -> int:
    here = Path(__file__).parents[1]
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--repo", type=Path, default=here, help="the checkout to count; this one by default")
    arguments.add_argument("--before", type=Path, help="an older checkout for a column of its own")
    arguments.add_argument("--check", action="store_true", help="compare with the bounds that it sets itself")
    given = arguments.parse_args()
    if given.check:
        return check(Checkout(given.repo))
    columns = [Checkout(folder) for folder in (given.before, given.repo) if folder]
    print("| What is counted | Before | After |" if given.before else "| What is counted | Now |")
    print("|---" * (len(columns) + 1) + "|")
    for name, count in ROWS.items():
        print("| " + " | ".join([name, *(count(code) for code in columns)]) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
