"""Releases of Kubernetes by channel: the text files `release/stable.txt`, `latest.txt` and `stable-1.N.txt` of a host.

They name the newest of a channel or of a minor release. A list of every patch is not there; the tags of an image such
as `registry.k8s.io/kube-apiserver` are one.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Final

from draftsmith.plugin import PluginError
from draftsmith_versions.fetch import Fetcher
from draftsmith_versions.order import version_or_none

MINORS: Final = 4
"""How many minor releases are told: those that get patches, and the one before."""
_MINOR: Final = re.compile(r"v?(\d{1,4})\.(\d{1,4})")


async def fetch_channels(fetcher: Fetcher) -> Mapping[str, str]:
    """Fetch the newest release, the newest pre-release, and the newest patch of each of the newest minor releases.

    Raises:
        PluginError: one of `Fetcher.get`, `not_found` or `unreadable`.
    """
    stable, latest = await asyncio.gather(_channel(fetcher, "stable"), _channel(fetcher, "latest"))
    version = version_or_none(stable)
    assert version is not None
    minors = [f"{version.major}.{version.minor - behind}" for behind in range(min(MINORS, version.minor + 1))]
    patches = await asyncio.gather(*(fetch_minor(fetcher, minor) for minor in minors))
    return {"stable": stable, "latest": latest, **dict(zip(minors, patches, strict=True))}


async def fetch_minor(fetcher: Fetcher, minor: str) -> str:
    """Fetch the newest patch of a minor release such as `1.31`.

    Raises:
        PluginError: it is none, `invalid_args`; there is none of it, `not_found`; or one of `Fetcher.get`.
    """
    numbers = _MINOR.fullmatch(minor)
    if numbers is None:
        raise PluginError("invalid_args", f"'{minor[:50]}' is no minor release, such as '1.31'.")
    return await _channel(fetcher, f"stable-{numbers[1]}.{numbers[2]}")


async def _channel(fetcher: Fetcher, name: str) -> str:
    answer = await fetcher.get(f"{fetcher.source.address}/release/{name}.txt", accept="text/plain")
    if answer.status == 404:
        raise PluginError("not_found", f"There is no release of Kubernetes in the channel '{name}'.")
    text = answer.body[:100].decode("ascii", "replace").strip()
    if answer.status != 200 or version_or_none(text) is None:
        raise PluginError("unreadable", f"The channel '{name}' names no version (status {answer.status}).")
    return text
