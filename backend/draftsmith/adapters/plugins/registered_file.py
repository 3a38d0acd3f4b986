"""The file of registered plugins: `plugins.json` of the data folder, or what PLUGINS_FILE names.

    {"plugins": [{"name": "charts", "url": "http://127.0.0.1:8080", "tools": {"newest": "reads"}}]}

Written by `draftsmith plugin add` for its owner alone, read when the server starts. Tokens are in files of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from draftsmith.adapters.private_file import replace_private_file
from draftsmith.assistant.tools.plugin_tools import WORKFLOWS
from draftsmith.errors import DraftsmithError
from draftsmith.ports.plugins import DEFAULT_SECONDS, RegisteredPlugin

FILE: Final = "plugins.json"
NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,23}")
MOST_SECONDS: Final = 120.0
MOST_PLUGINS: Final = 32
_FIELDS: Final = frozenset({"name", "url", "tools", "workflows", "seconds", "token_file"})


def read_registered(path: Path) -> list[RegisteredPlugin]:
    """The registered plugins; none if there is no such file.

    Raises:
        DraftsmithError: `plugins_misconfigured`; the message says where and what.
    """
    shapes = read_shapes(path)
    plugins = [_plugin(shape, f"plugins/{index}", path) for index, shape in enumerate(shapes)]
    names = [one.name for one in plugins]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise _configuration_error(path, f"two plugins are called '{twice}'")
    if len(plugins) > MOST_PLUGINS:
        raise _configuration_error(path, f"{len(plugins)} plugins; {MOST_PLUGINS} are allowed")
    return plugins


def read_shapes(path: Path) -> list[Any]:
    """The entries of the file as they stand.

    Raises:
        DraftsmithError: `plugins_misconfigured`.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as problem:
        raise _configuration_error(path, f"it cannot be read: {problem}") from None
    if not isinstance(content, dict) or content.keys() - {"plugins"} or not isinstance(content.get("plugins"), list):
        raise _configuration_error(path, 'it must be {"plugins": [{"name", "url", …}, …]}')
    shapes: list[Any] = content["plugins"]
    return shapes


def check_entry(shape: Mapping[str, object], path: Path) -> RegisteredPlugin:
    """Read one entry, which is to be written.

    Raises:
        DraftsmithError: `plugins_misconfigured`.
    """
    return _plugin(shape, "the new one", path)


def write_shapes(path: Path, shapes: Sequence[Any]) -> None:
    """Replace the file atomically, readable by its owner alone.

    Raises:
        DraftsmithError: `file_unwritable`.
    """
    try:
        text = f"{json.dumps({'plugins': list(shapes)}, indent=2, ensure_ascii=False)}\n"
        replace_private_file(path, text.encode())
    except OSError as problem:
        why = problem.strerror or problem
        raise DraftsmithError("file_unwritable", f"{path} cannot be written: {why}.") from problem


def _plugin(shape: Any, where: str, path: Path) -> RegisteredPlugin:
    if not isinstance(shape, Mapping):
        raise _configuration_error(path, f"{where} is no object")
    if unknown := sorted(shape.keys() - _FIELDS):
        raise _configuration_error(path, f"{where} has '{unknown[0]}'; there are {', '.join(sorted(_FIELDS))}")
    name, seconds = shape.get("name"), shape.get("seconds", DEFAULT_SECONDS)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise _configuration_error(path, f"{where}: 'name' must match {NAME.pattern}")
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds <= MOST_SECONDS:
        raise _configuration_error(path, f"'{name}': 'seconds' must be a number up to {MOST_SECONDS:g}")
    return RegisteredPlugin(
        name=name,
        url=_url(shape.get("url"), name, path),
        tools=_tools(shape.get("tools"), name, path),
        workflows=_workflows(shape.get("workflows"), name, path),
        seconds=float(seconds),
        token=_token(shape.get("token_file"), name, path),
    )


def _url(value: Any, name: str, path: Path) -> str:
    try:
        parts = urlsplit(value) if isinstance(value, str) else urlsplit("")
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    is_whole = parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
    if not is_whole or parts.username is not None:
        raise _configuration_error(
            path, f"'{name}': 'url' must be http://host:port or https://host, without a user in it"
        )
    return str(value)


def _tools(value: Any, name: str, path: Path) -> Mapping[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or not all(one in ("reads", "writes") for one in value.values()):
        raise _configuration_error(path, f"'{name}': 'tools' must be an object of names with \"reads\" or \"writes\"")
    return dict(value)


def _workflows(value: Any, name: str, path: Path) -> Sequence[str] | None:
    if value is not None and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        raise _configuration_error(path, f"'{name}': 'workflows' must be a list of names, such as \"ask\"")
    if unknown := next((one for one in value or () if one not in WORKFLOWS), None):
        raise _configuration_error(path, f"'{name}': plugins are offered in {', '.join(WORKFLOWS)}, not in '{unknown}'")
    return value


def _token(value: Any, name: str, path: Path) -> str:
    if value is None:
        return ""
    try:
        token = Path(value).expanduser().read_text("ascii").strip()
    except (OSError, TypeError, ValueError) as problem:
        raise _configuration_error(
            path, f"'{name}': its token_file cannot be read ({type(problem).__name__})"
        ) from None
    if not token or not token.isprintable() or " " in token:
        raise _configuration_error(path, f"'{name}': its token_file must hold one word")
    return token


def _configuration_error(path: Path, why: str) -> DraftsmithError:
    return DraftsmithError("plugins_misconfigured", f"The registered plugins ({path}): {why}.")
