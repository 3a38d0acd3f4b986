"""Tags of a repository by the distribution specification: `tags/list` in pages, tokens by challenge; names of images.

https://github.com/opencontainers/distribution-spec and https://distribution.github.io/distribution/spec/auth/token/
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from draftsmith.plugin import PluginError
from draftsmith_versions.fetch import Answer, Fetcher, joined

_PART = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_REPOSITORY: Final = re.compile(rf"{_PART}(?:/{_PART})*")
_TAG: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
_NEXT: Final = re.compile(r"<([^<>]+)>\s*;[^,]*\brel=\"?next\"?")
_PARAMETER: Final = re.compile(r'(\w+)="([^"]*)"')
_DOCKER_HUB: Final = {"docker.io", "index.docker.io", "registry-1.docker.io"}
_MOST_PAGES: Final = 200
_MOST_NAME: Final = 255
_PAGE: Final = 1000


class Image(NamedTuple):
    """An image as it is named in a Dockerfile: its registry, its repository there, and the tag, empty without one."""

    registry: str
    repository: str
    tag: str


def read_image(reference: str) -> Image:
    """Read a name; without a host it is one of Docker Hub, and there without a slash one of `library/`.

    Raises:
        PluginError: it is no name of an image, `invalid_args`.
    """
    name = reference.strip().partition("@")[0]
    first, slash, rest = name.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        registry, path = first.lower(), rest
    else:
        registry, path = "docker.io", name
    path, _, tag = path.partition(":")
    if registry in _DOCKER_HUB:
        registry = "docker.io"
        path = path if "/" in path else f"library/{path}"
    if not is_repository(path) or (tag and not _TAG.fullmatch(tag)):
        raise PluginError(
            "invalid_args", f"'{reference[:200]}' is no name of an image, such as 'redis' or 'ghcr.io/a/b'."
        )
    return Image(registry, path, tag)


def is_repository(path: str) -> bool:
    """Whether a registry may have a repository of this name."""
    return len(path) <= _MOST_NAME and _REPOSITORY.fullmatch(path) is not None


async def fetch_tags(fetcher: Fetcher, base: str, repository: str) -> list[str]:
    """Fetch all tags of a repository, in the order of the registry.

    Half of a list could lack the newest, so what is too long is an error.

    Raises:
        PluginError: `not_found`, `unauthorized`, `too_large`, `unreadable`, or one of `Fetcher.get`.
    """
    url = f"{base}/v2/{repository}/tags/list?n={_PAGE}"
    tags: list[str] = []
    authorization = ""
    for _ in range(_MOST_PAGES):
        answer = await fetcher.get(url, accept="application/json", authorization=authorization)
        if answer.status == 401 and not authorization:
            authorization = await _authorize(fetcher, answer, repository)
            answer = await fetcher.get(url, accept="application/json", authorization=authorization)
        tags += _tags_of(answer, repository)
        following = _NEXT.search(answer.headers.get("Link", ""))
        if following is None:
            return tags
        url = joined(url, following[1])
        if urlsplit(url).netloc != urlsplit(base).netloc:
            authorization = ""  # a token stays with the host that it is for
    raise PluginError("too_large", f"'{repository}' has more than {_MOST_PAGES} pages of tags.")


def _tags_of(answer: Answer, repository: str) -> list[str]:
    if answer.status == 404:
        raise PluginError("not_found", f"'{repository}' is not there.")
    if answer.status in (401, 403):
        raise PluginError(
            "unauthorized", f"'{repository}' is not there, or not for everybody (status {answer.status})."
        )
    tags = _json_of(answer).get("tags")
    if tags is None:  # how registries say that there are none
        return []
    if not isinstance(tags, list):
        raise PluginError("unreadable", "The registry's list of tags is none.")
    return [tag for tag in tags if isinstance(tag, str) and _TAG.fullmatch(tag)]


async def _authorize(fetcher: Fetcher, refused: Answer, repository: str) -> str:
    """Do what the challenge of a refused request asks for; the value of `Authorization`."""
    challenge = refused.headers.get("WWW-Authenticate", "")
    scheme, _, rest = challenge.partition(" ")
    basic = _basic(fetcher)
    if scheme.lower() == "basic" and basic:
        return basic
    asked = dict(_PARAMETER.findall(rest))
    if scheme.lower() != "bearer" or not asked.get("realm"):
        raise PluginError("unauthorized", f"'{repository}' wants a name and a password, and the source has none.")
    # Reading this one repository is all that is asked for, whatever the challenge says.
    query = {
        "scope": f"repository:{repository}:pull",
        **({"service": asked["service"]} if asked.get("service") else {}),
    }
    realm = joined(refused.url, asked["realm"])
    glue = "&" if urlsplit(realm).query else "?"
    answer = await fetcher.get(f"{realm}{glue}{urlencode(query)}", accept="application/json", authorization=basic)
    if answer.status != 200:
        raise PluginError("unauthorized", f"No token is given for '{repository}' (status {answer.status}).")
    given = _json_of(answer)
    token = given.get("token") or given.get("access_token")
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise PluginError("unreadable", "What gives out tokens answered without one.")
    return f"Bearer {token}"


def _basic(fetcher: Fetcher) -> str:
    source = fetcher.source
    if not source.username:
        return ""
    try:
        password = source.password()
    except OSError:
        raise PluginError("unauthorized", f"The password file of '{source.name}' cannot be read.") from None
    return "Basic " + base64.b64encode(f"{source.username}:{password}".encode()).decode()


def _json_of(answer: Answer) -> Mapping[str, Any]:
    try:
        value = json.loads(answer.body) if answer.status == 200 else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise PluginError("unreadable", f"'{urlsplit(answer.url).hostname}' answers no JSON (status {answer.status}).")
    return value
