"""The tools: what a model may ask, and what it is answered. Where versions come from is in the modules beside."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Final, TypeVar

from pydantic import Field

from draftsmith.plugin import Plugin, PluginError
from draftsmith_versions.artifact_hub import NamedChart, fetch_named
from draftsmith_versions.cache import Cache
from draftsmith_versions.charts import ChartVersion, fetch_chart
from draftsmith_versions.fetch import Fetcher
from draftsmith_versions.kubernetes import fetch_channels, fetch_minor
from draftsmith_versions.order import SemverField, in_line, order, suffixes, up_to
from draftsmith_versions.registries import fetch_tags, read_image
from draftsmith_versions.settings import Settings, Source

T = TypeVar("T")
Told = dict[str, Any]
_FEW: Final = 20
_UNKNOWN: Final = "?"
Text = Annotated[str, Field(max_length=500)]
Most = Annotated[int, Field(ge=1, le=500)]


class LookUps:
    """Looks up versions at the sources of some settings, and keeps them for a while."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._cache: Cache[Any] = Cache(settings.cache_seconds)

    def sources(self) -> Told:
        """Which sources there are."""
        told = self.settings
        return {
            "charts": [{"repository": one.name, "url": one.url} for one in told.charts],
            "images": [one.name for one in told.images],
            "kubernetes": told.kubernetes is not None,
            **({} if told.artifact_hub is None else {"artifact_hub": told.artifact_hub.url}),
        }

    async def newest_chart(self, chart: str, repository: str) -> Told:
        """The newest version of a chart by its name; `?` where there is none."""
        source = self.settings.artifact_hub
        assert source is not None  # else the tool is not there
        kept = await self._cache.get(
            f"hub {repository} {chart}",
            lambda: self._fetch(source, lambda fetcher: fetch_named(fetcher, chart, repository)),
        )
        named: NamedChart = kept.value
        releases = order(named.versions).releases
        told: Told = {"chart": chart, "version": releases[0] if releases else _UNKNOWN}
        if not named.publishers:
            told |= {"said": f"{source.name} has no chart of this name.", "near": list(named.near[:_FEW])}
        else:
            first, *others = named.publishers
            told |= {"repository": first.repository, "url": first.url, "is_official": first.is_official}
            told |= {"is_verified": first.is_verified, "app_version": named.app_versions.get(told["version"])}
            told["also_in"] = [one.repository for one in others[:_FEW]]
        return told | {"source": source.url, **kept.told()}

    async def chart(self, repository: str, chart: str, line: str, most: int) -> Told:
        """Versions of a chart."""
        source = self._chart_source(repository)
        key = f"chart {source.name} {chart}"
        kept = await self._cache.get(key, lambda: self._fetch(source, lambda fetcher: fetch_chart(fetcher, chart)))
        versions: Sequence[ChartVersion] = kept.value
        by_version = {one.version: one for one in versions}
        ordered = order(in_line(by_version, line))
        told = {"repository": source.name, "chart": chart, **_lists(ordered.releases, ordered.pre_releases, most)}
        told["not_ordered"] = (ordered.short + ordered.others)[:most]
        named = [*told["releases"], *told["pre_releases"]]
        app_versions = {one: by_version[one].app_version for one in named if by_version[one].app_version}
        deprecated = [one for one in named if by_version[one].deprecated]
        newest = by_version.get(told["newest"] or "")
        return told | {
            "newest_created": (newest.created if newest else "") or None,
            "app_versions": app_versions,
            "deprecated": deprecated,
            "source": source.url,
            **kept.told(),
        }

    async def image(self, name: str, suffix: str, line: str, most: int) -> Told:
        """Tags of an image."""
        image = read_image(name)
        source = self._named(self.settings.images, image.registry, "registry of images")
        key = f"image {image.registry} {image.repository}"
        kept = await self._cache.get(
            key, lambda: self._fetch(source, lambda fetcher: fetch_tags(fetcher, source.address, image.repository))
        )
        tags: Sequence[str] = kept.value
        ordered = order(in_line(tags, line), suffix)
        told: Told = {"image": f"{image.registry}/{image.repository}", "suffix": suffix}
        told |= _lists(ordered.releases, ordered.pre_releases, most, "with_suffix")
        told["short"], told["not_ordered"] = ordered.short[:most], ordered.others[:most]
        told["suffixes"] = suffixes(tags, _FEW)
        told["tags_in_all"] = len(set(tags))
        if image.tag:
            told["asked_tag"] = {"tag": image.tag, "is_there": image.tag in tags}
        return told | {"source": source.url, **kept.told()}

    async def kubernetes_part(self, minor: str, field: SemverField) -> Told:
        """The newest release of Kubernetes up to one of its numbers; `?` where there is none of this minor release."""
        try:
            told = await self.kubernetes(minor)
        except PluginError as error:
            if error.code != "not_found":
                raise
            return {"version": _UNKNOWN, "said": error.message}
        return {"version": up_to(told["newest"], field), **told}

    async def kubernetes(self, minor: str) -> Told:
        """Newest releases of Kubernetes."""
        source = self.settings.kubernetes
        if source is None:
            raise PluginError("unknown_source", "No source of Kubernetes is configured for this plugin.")
        if minor:
            kept = await self._cache.get(
                f"kubernetes {minor}", lambda: self._fetch(source, lambda fetcher: fetch_minor(fetcher, minor))
            )
            return {"minor": minor, "newest": kept.value, "source": source.url, **kept.told()}
        kept = await self._cache.get("kubernetes", lambda: self._fetch(source, fetch_channels))
        channels = dict(kept.value)
        told = {"newest": channels.pop("stable"), "newest_with_pre_releases": channels.pop("latest")}
        return {**told, "newest_of_minor": channels, "source": source.url, **kept.told()}

    async def _fetch(self, source: Source, fetch: Callable[[Fetcher], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(self.settings.seconds):
                return await fetch(Fetcher(source, self.settings.most_bytes))
        except TimeoutError:
            message = f"'{source.name}' did not answer within {self.settings.seconds:g} seconds."
            raise PluginError("timeout", message) from None

    def _chart_source(self, repository: str) -> Source:
        wanted = repository.strip().rstrip("/")
        for source in self.settings.charts:
            if wanted == source.url:
                return source
        return self._named(self.settings.charts, wanted, "repository of charts")

    def _named(self, sources: Sequence[Source], name: str, kind: str) -> Source:
        for source in sources:
            if source.name == name:
                return source
        known = ", ".join(source.name for source in sources) or "none"
        message = f"'{name[:200]}' is no {kind} that is configured for this plugin. There are: {known}."
        raise PluginError("unknown_source", message)


def _lists(releases: Sequence[str], pre_releases: Sequence[str], most: int, pre_name: str = "pre_releases") -> Told:
    return {
        "newest": releases[0] if releases else None,
        "releases": list(releases[:most]),
        "releases_in_all": len(releases),
        pre_name: list(pre_releases[:most]),
        f"{pre_name}_in_all": len(pre_releases),
    }


def create(settings: Settings) -> Plugin:
    """Make the plugin with some settings."""
    plugin = Plugin("versions", "1.0.0")
    look_ups = LookUps(settings)

    @plugin.tool(read_only=True)
    def version_sources() -> Told:
        """Name the chart repositories and image registries that can be asked for versions.

        Use it before the first question for a chart, and where one was refused as `unknown_source`.
        """
        return look_ups.sources()

    @plugin.tool(read_only=True)
    async def chart_versions(repository: Text, chart: Text, line: Text = "", most: Most = _FEW) -> Told:
        """Find the newest version of a Helm chart and the ones before it, newest first, by the rules of semver.

        Use it before you write a version of a chart, or where somebody asks whether one is current; never write one
        from memory.

        `repository`: a name or URL that version_sources gives. `line`: only versions of it, such as 20 or 20.1.
        `most`: how many of each list. In the answer `newest` is the newest release, without pre-releases;
        `app_versions` what a chart version installs; `age_seconds` how long ago it was looked up, which belongs in what
        you tell.
        """
        return await look_ups.chart(repository, chart, line, most)

    @plugin.tool(read_only=True)
    async def image_versions(image: Text, suffix: Text = "", line: Text = "", most: Most = _FEW) -> Told:
        """Find the newest tag of a container image and the ones before it, newest first.

        Use it before you write a tag, or where somebody asks whether one is current or there at all; never write one
        from memory.

        `image`: as in a Dockerfile, such as redis:7.4 or ghcr.io/owner/name. `suffix`: only tags that end with it, such
        as alpine for 7.4.1-alpine. `line`: only versions of it, such as 7 or 7.4. `most`: how many of each list. In the
        answer `newest` is the newest of three numbers; it is null where an image has none, then look at `short` (17.2,
        17), which often move. `with_suffix` are pre-releases or variants, `suffixes` the frequent ones. `not_ordered`
        are names such as latest. `age_seconds` is how long ago it was looked up, which belongs in what you tell.
        """
        return await look_ups.image(image, suffix, line, most)

    @plugin.tool(read_only=True)
    async def kubernetes_versions(
        minor: Text = "",
        semverField: SemverField | None = None,  # noqa: N803  # the name that callers of this tool know
    ) -> Told:
        """Find the newest release of Kubernetes and the newest patch of each newer minor release, or of one.

        `minor`: such as 1.31. `semverField`: how much of the newest `version` is to be: major gives 1, minor 1.34,
        patch 1.34.2; it is ? where there is none. Use it before you write a version of Kubernetes, or where somebody
        asks whether one is current. `age_seconds` is how long ago it was looked up, which belongs in what you tell.
        """
        return await (
            look_ups.kubernetes(minor) if semverField is None else look_ups.kubernetes_part(minor, semverField)
        )

    if settings.artifact_hub is not None:

        @plugin.tool(read_only=True)
        async def newest_chart(chart: Text, repository: Text = "") -> Told:
            """Find the newest version of a Helm chart that you know by its name alone.

            Use it where no repository of version_sources has the chart; never write a version from memory. `version` is
            the newest release, or ? where nobody has such a chart or it has no release: say so then, and do not guess.
            `repository`: only of the one of this name, where `also_in` names several. Tell whose chart it is, and
            `age_seconds`, how long ago it was looked up.
            """
            return await look_ups.newest_chart(chart, repository)

    return plugin
