"""Versions of a Helm chart: from the `index.yaml` of a repository, or from the tags of a registry.

An index may have tens of megabytes, so it is read as events and only the one chart is kept. Aliases, which Helm never
writes, are refused: what they stand for could be of any size. https://helm.sh/docs/topics/chart_repository/
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import yaml

from draftsmith.plugin import PluginError
from draftsmith_versions.fetch import Fetcher
from draftsmith_versions.registries import fetch_tags, is_repository

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._/-]{0,250}")
_KEPT: Final = {"version", "appVersion", "created", "deprecated"}
_MOST_CHARS: Final = 100
_START = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_END = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_DEEPEST: Final = 100
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChartVersion:
    """One version; what the repository does not say is empty."""

    version: str
    app_version: str = ""
    created: str = ""
    deprecated: bool = False


def check_chart(chart: str) -> None:
    """Refuse what is no name of a chart.

    Raises:
        PluginError: `invalid_args`.
    """
    if not _NAME.fullmatch(chart):
        raise PluginError("invalid_args", f"'{chart[:100]}' is no name of a chart.")


async def fetch_chart(fetcher: Fetcher, chart: str) -> list[ChartVersion]:
    """Fetch all versions of a chart, in the order of the source.

    Raises:
        PluginError: `not_found`, with names that are close to it, or one of `fetch_tags` and `Fetcher.get`.
    """
    check_chart(chart)
    base = fetcher.source.address
    if fetcher.source.is_oci:
        scheme, _, rest = base.partition("://")
        host, _, path = rest.partition("/")
        repository = f"{path}/{chart}" if path else chart
        if not is_repository(repository):
            raise PluginError("invalid_args", f"'{repository[:200]}' is no name in a registry.")
        # A tag has no `+`, so Helm writes build metadata with `_`.
        return [
            ChartVersion(tag.replace("_", "+")) for tag in await fetch_tags(fetcher, f"{scheme}://{host}", repository)
        ]
    answer = await fetcher.get(f"{base}/index.yaml")
    if answer.status != 200:
        raise PluginError("unreadable", f"'{fetcher.source.name}' has no index.yaml (status {answer.status}).")
    try:
        return await asyncio.to_thread(read_index, answer.body, chart)
    except (yaml.YAMLError, ValueError) as error:
        said = str(error).partition("\n")[0][:200]
        raise PluginError("unreadable", f"The index.yaml of '{fetcher.source.name}' cannot be read: {said}.") from None


def read_index(text: bytes, chart: str) -> list[ChartVersion]:
    """Read all versions of one chart from an index.

    Raises:
        PluginError: it has none of this chart, `not_found`.
        ValueError: it is no index; also `yaml.YAMLError`.
    """
    found: list[dict[str, str]] = []
    names: list[str] = []
    for path, value in _walk(text):
        if path[:1] != ("entries",) or len(path) < 2:
            continue
        if not names or names[-1] != path[1]:
            names.append(path[1])
        if path[1] != chart:
            continue
        if len(path) == 3 and value is None:
            found.append({})
        elif len(path) == 4 and path[3] in _KEPT and found and value is not None:
            found[-1][path[3]] = value[:_MOST_CHARS]
    if chart not in names:
        close = get_close_matches(chart, dict.fromkeys(names), n=5, cutoff=0.5)
        hint = f" Names that are close: {', '.join(close)}." if close else ""
        raise PluginError("not_found", f"There is no chart '{chart}' among {len(set(names))}.{hint}")
    return [
        ChartVersion(
            one["version"], one.get("appVersion", ""), one.get("created", ""), one.get("deprecated", "") == "true"
        )
        for one in found
        if one.get("version")
    ]


def _walk(text: bytes) -> Iterator[tuple[Path, str | None]]:
    """Every scalar with the keys above it, and every collection, with None, when it begins."""
    open_: list[_Open] = []
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("it has an alias")
        if isinstance(event, _END):
            open_.pop()
        elif isinstance(event, yaml.ScalarEvent):
            if not open_:
                raise ValueError("it is a text")
            if open_[-1].takes_key():
                open_[-1].begin(event.value)
            else:
                yield tuple(one.key for one in open_), event.value
                open_[-1].go_on()
        elif isinstance(event, _START):
            if open_ and open_[-1].takes_key():
                raise ValueError("a key is no text")
            if len(open_) >= _DEEPEST:
                raise ValueError("it is nested too deep")
            if open_:
                yield tuple(one.key for one in open_), None
                open_[-1].go_on()
            open_.append(_Open(isinstance(event, yaml.MappingStartEvent)))


class _Open:
    """A collection that has begun, and the key at which its reader stands."""

    def __init__(self, is_mapping: bool) -> None:
        self.key = "" if is_mapping else "0"
        self._is_mapping = is_mapping
        self._has_key = False

    def takes_key(self) -> bool:
        """Whether what comes next is a key."""
        return self._is_mapping and not self._has_key

    def begin(self, key: str) -> None:
        """Stand at a key."""
        self.key, self._has_key = key, True

    def go_on(self) -> None:
        """Stand behind a value."""
        self._has_key = False
