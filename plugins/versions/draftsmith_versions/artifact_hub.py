"""The newest version of a Helm chart that is known by its name alone, from Artifact Hub or a server that speaks as it.

Many repositories may have a chart of one name: the official one comes first, then those of verified publishers, then
by stars. What the hub says of each is read by its OpenAPI document, https://artifacthub.io/docs/api/ (`searchPackages`
and `getHelmPackageDetails`). Which of the versions is the newest is decided here, as for every other source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, TypeVar
from urllib.parse import quote, urlencode

from pydantic import BaseModel, Field, ValidationError

from draftsmith.plugin import PluginError
from draftsmith_versions.charts import check_chart
from draftsmith_versions.fetch import Fetcher

_HELM: Final = 0
_MOST: Final = 60  # the most that the hub gives at once
Name = Annotated[str, Field(max_length=300)]
Url = Annotated[str, Field(max_length=2000)]


class _Repository(BaseModel):
    name: Name
    url: Url
    official: bool
    verified_publisher: bool


class _Package(BaseModel):
    name: Name
    stars: int
    repository: _Repository
    official: bool = False


class _Found(BaseModel):
    packages: list[_Package] = []


class _Version(BaseModel):
    version: Name


class _Details(BaseModel):
    name: Name
    app_version: Name = ""
    version: Name
    available_versions: list[_Version]


Answered = TypeVar("Answered", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Publisher:
    """A repository that has a chart of a name.

    Attributes:
        is_official: its people make the software that the chart installs, as the hub has checked.
        is_verified: it belongs to whom it says, as the hub has checked.
    """

    repository: str
    url: str
    is_official: bool
    is_verified: bool
    stars: int


@dataclass(frozen=True, slots=True)
class NamedChart:
    """The charts of a name.

    Attributes:
        publishers: whose they are, the likeliest first; empty where nobody has one.
        versions: those of the first, in the order of the hub.
        app_versions: what a version installs, where the hub says so.
        near: other names that the hub finds for this one.
    """

    publishers: Sequence[Publisher]
    versions: Sequence[str]
    app_versions: dict[str, str]
    near: Sequence[str]


async def fetch_named(fetcher: Fetcher, chart: str, repository: str) -> NamedChart:
    """Fetch who has a chart of this name, and the versions of the likeliest one.

    Args:
        repository: only of the repository of this name; empty for all.

    Raises:
        PluginError: `invalid_args`, `unreadable`, or one of `Fetcher.get`.
    """
    check_chart(chart)
    asked = {"kind": _HELM, "ts_query_web": chart, "facets": "false", "sort": "relevance", "limit": _MOST, "offset": 0}
    if repository:
        asked["repo"] = repository
    found = await _read(fetcher, f"/packages/search?{urlencode(asked)}", _Found)
    named = sorted((one for one in found.packages if one.name == chart), key=_likelihood)
    near = list(dict.fromkeys(one.name for one in found.packages if one.name != chart))
    if not named:
        return NamedChart((), (), {}, near)
    of = f"/packages/helm/{quote(named[0].repository.name, safe='')}/{quote(chart, safe='')}"
    details = await _read(fetcher, of, _Details)
    app_versions = {details.version: details.app_version} if details.app_version else {}
    versions = [one.version for one in details.available_versions]
    return NamedChart([_publisher(one) for one in named], versions, app_versions, near)


def _likelihood(one: _Package) -> tuple[bool, bool, int, str]:
    return not _is_official(one), not one.repository.verified_publisher, -one.stars, one.repository.name


def _is_official(one: _Package) -> bool:
    return one.official or one.repository.official


def _publisher(one: _Package) -> Publisher:
    at = one.repository
    return Publisher(at.name, at.url, _is_official(one), at.verified_publisher, one.stars)


async def _read(fetcher: Fetcher, path: str, form: type[Answered]) -> Answered:
    answer = await fetcher.get(f"{fetcher.source.address}/api/v1{path}", accept="application/json")
    if answer.status != 200:
        raise PluginError("unreadable", f"'{fetcher.source.name}' answers with status {answer.status}.")
    try:
        return form.model_validate_json(answer.body)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])[:100]
        message = f"The answer of '{fetcher.source.name}' cannot be read: {place}: {first['msg'][:100]}."
        raise PluginError("unreadable", message) from None
