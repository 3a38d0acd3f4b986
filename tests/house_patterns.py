"""Every regular expression of the backend: compiled ones wherever a module holds them, and those in calls of `re`.

A call whose pattern is made of what only the running function knows is found as well: `Unknown` says where.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import draftsmith

METHODS = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
_ANY = frozenset({"match", "fullmatch", "search"})
_PROBE = "word"  # stands for an escaped text in a pattern


@dataclass(frozen=True)
class HousePattern:
    """A pattern, where it stands, and the methods that are called on it."""

    where: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


@dataclass(frozen=True)
class Unknown:
    """A call of `re` whose pattern is not known without running it."""

    where: str


def modules() -> Iterator[ModuleType]:
    """All modules of the package."""
    for found in pkgutil.walk_packages(draftsmith.__path__, "draftsmith."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


@cache
def all_patterns() -> tuple[tuple[HousePattern, ...], tuple[Unknown, ...]]:
    """The patterns of the package, and the calls whose patterns are not known."""
    known = list(modules())
    trees = {one.__name__: ast.parse(Path(one.__file__ or "").read_text()) for one in known}
    used = {name: _uses(tree) for name, tree in trees.items()}
    anywhere = _together(used.values())
    found: dict[tuple[str, int], HousePattern] = {}
    unknown: list[Unknown] = []
    for module in known:
        for name, pattern in held(module):
            key = pattern.pattern, pattern.flags
            here = found.get(key)
            methods = _methods_on(name, used[module.__name__] if name.startswith("_") else anywhere, anywhere)
            methods = methods | (here.methods if here else frozenset())
            found[key] = HousePattern(here.where if here else f"{module.__name__}.{name}", pattern, methods)
        calls, open_ones = called(trees[module.__name__], vars(module), module.__name__)
        unknown += open_ones
        for one in calls:
            key = one.pattern.pattern, one.pattern.flags
            here = found.get(key)
            methods = one.methods if one.methods or here else _ANY
            found[key] = HousePattern(
                here.where if here else one.where, one.pattern, methods | (here.methods if here else frozenset())
            )
    return tuple(found.values()), tuple(unknown)


def _methods_on(
    name: str, used: Mapping[str, frozenset[str]], anywhere: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """The methods that are called on a held pattern: by the field of an object, else by the name of what holds it."""
    head, _, field = name.partition(".")
    return anywhere.get(f".{field.rpartition('.')[2]}") or used.get(head) or _ANY


def held(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The compiled patterns in a module's globals, containers, dataclasses and classes, by their names."""
    seen: set[int] = set()
    for name, value in vars(module).items():
        if not name.startswith("__"):
            yield from ((f"{name}{more}", one) for more, one in _inside(value, module, seen, 0))


def _inside(value: Any, module: ModuleType, seen: set[int], depth: int) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield "", value
        return
    if depth > 5 or id(value) in seen or isinstance(value, (str, bytes, int, float, ModuleType)):
        return
    seen.add(id(value))
    if isinstance(value, Mapping):
        inner: list[tuple[Any, Any]] = list(value.items())
    elif isinstance(value, (list, tuple, set, frozenset)):
        inner = list(enumerate(value))
    elif isinstance(value, type):
        inner = list(vars(value).items()) if value.__module__ == module.__name__ else []
    elif is_dataclass(value):
        inner = [(one.name, getattr(value, one.name, None)) for one in fields(value)]
        inner += [(name, got) for name, got in getattr(value, "__dict__", {}).items()]
        inner += [
            (name, getattr(value, name))
            for name, what in vars(type(value)).items()
            if type(what).__name__ == "cached_property" and type(value).__module__.startswith("draftsmith")
        ]
    else:
        return
    for name, one in inner:
        yield from ((f".{name}{more}", found) for more, found in _inside(one, module, seen, depth + 1))


def called(tree: ast.AST, names: Mapping[str, Any], where: str) -> tuple[list[HousePattern], list[Unknown]]:
    """The patterns in calls of `re` in a module's source."""
    found: list[HousePattern] = []
    unknown: list[Unknown] = []
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and _is_of_re(call.func, names) and call.args):
            continue
        function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if function not in METHODS | {"compile"}:
            continue
        place = f"{where}:{call.lineno}"
        pattern = _pattern_of(call, names, function)
        if pattern is None:
            unknown.append(Unknown(place))
        else:
            methods = frozenset({function}) if function != "compile" else frozenset()
            found.append(HousePattern(place, pattern, methods))
    return found, unknown


def _is_of_re(function: ast.expr, names: Mapping[str, Any]) -> bool:
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return names.get(function.value.id) is re
    return isinstance(function, ast.Name) and getattr(names.get(function.id), "__module__", "") == "re"


def _pattern_of(call: ast.Call, names: Mapping[str, Any], function: str) -> re.Pattern[Any] | None:
    source = _value(call.args[0], names)
    place = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "findall": 2, "finditer": 2, "split": 3}.get(
        function, 4
    )
    given = [one.value for one in call.keywords if one.arg == "flags"] + call.args[place : place + 1]
    flags = _value(given[0], names) if given else 0
    if not isinstance(source, (str, bytes)) or flags is None:
        return None
    return re.compile(source, flags)


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.JoinedStr):
        pieces = [
            _value(part.value, names) if isinstance(part, ast.FormattedValue) else _value(part, names)
            for part in node.values
        ]
        return "".join(_PROBE if piece is None else str(piece) for piece in pieces)
    try:
        return eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(names))
    except Exception:  # noqa: BLE001 - made of what only the function knows
        return None


def _uses(tree: ast.AST) -> dict[str, frozenset[str]]:
    """For each name, the methods of patterns that are called on it; what is done else with it may be any."""
    nodes = list(ast.walk(tree))
    called_on = {
        id(node.value.value if isinstance(node.value, ast.Subscript) else node.value): node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr in METHODS
    }
    found: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            method = called_on.get(id(node))
            if isinstance(node, ast.Attribute):
                found.setdefault(f".{node.attr}", set()).update({method} if method else ())
            else:
                found.setdefault(node.id, set()).update({method} if method else _ANY)
    return {name: frozenset(methods) for name, methods in found.items() if methods}


def _together(uses: Iterable[Mapping[str, frozenset[str]]]) -> dict[str, frozenset[str]]:
    """For each name, the methods that are called on it in any of the modules."""
    found: dict[str, set[str]] = {}
    for one in uses:
        for name, methods in one.items():
            found.setdefault(name, set()).update(methods)
    return {name: frozenset(methods) for name, methods in found.items()}
