"""What the plugin may look at: a TOML file of sources. Nothing is a source by default.

cache_seconds = 3600

[[charts]]
name = "bitnami"
url = "oci://registry-1.docker.io/bitnamicharts"
hosts = ["auth.docker.io"]
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final, Self
from urllib.parse import urlsplit

import httpx2
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from draftsmith.plugin.settings import read_toml

_HOST: Final = re.compile(r"(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?|\[[0-9a-f:]+\](:\d{1,5})?")
_SCHEMES: Final = {"https": "https", "http": "http", "oci": "https", "oci+http": "http"}
Host = Annotated[str, Field(pattern=rf"^({_HOST.pattern})$")]


class Source(BaseModel):
    """A place that is asked.

    Attributes:
        name: what it is called in questions; of a registry of images its host as images name it, such as `ghcr.io`.
        url: where it is: `https://…`, or `oci://…` of charts in a registry. `http://…`, `oci+http://…` where private.
        hosts: further ones that it may send to and have its tokens from, `name`, `name:port` or `*.name`.
        private: whether its addresses may be those of a private network.
        username: sent, with the password, to where its tokens are given or to itself.
        password_file: a file with the password alone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=100)
    url: str = Field(max_length=1000)
    hosts: tuple[Host, ...] = ()
    private: bool = False
    username: str = ""
    password_file: Path | None = None

    @field_validator("url")
    @classmethod
    def _trim(cls, url: str) -> str:
        return url.rstrip("/")

    @model_validator(mode="after")
    def _check(self) -> Self:
        parts = urlsplit(self.url)
        if parts.scheme not in _SCHEMES or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("'url' must be https://host/path or oci://host/path")
        try:
            httpx2.URL(self.address)
        except httpx2.InvalidURL as error:
            raise ValueError(f"'url' cannot be used: {error}") from None
        if parts.username is not None:
            raise ValueError("'url' holds a name or a password; use 'username' and 'password_file'")
        if _SCHEMES[parts.scheme] == "http" and not self.private:
            raise ValueError("only a source with 'private = true' is asked without TLS")
        if self.private and any(host.startswith("*.") for host in self.hosts):
            raise ValueError("a source with 'private = true' names each of its hosts")
        if bool(self.username) != (self.password_file is not None):
            raise ValueError("'username' and 'password_file' are given together")
        return self

    @property
    def is_oci(self) -> bool:
        """Whether it is a part of a registry."""
        return self.url.startswith("oci")

    @property
    def address(self) -> str:
        """Its URL with the scheme of HTTP, as it is asked."""
        scheme, _, rest = self.url.partition("://")
        return f"{_SCHEMES[scheme]}://{rest}"

    def password(self) -> str:
        """Read the password; empty where there is none.

        Raises:
            OSError: the file cannot be read.
        """
        return "" if self.password_file is None else self.password_file.read_text("utf-8").strip()


class KubernetesSource(Source):
    """Where Kubernetes names its releases."""

    name: str = "kubernetes"
    url: str = "https://dl.k8s.io"
    hosts: tuple[Host, ...] = ("cdn.dl.k8s.io",)


class ArtifactHubSource(Source):
    """Artifact Hub, or a server of one's own that speaks as it."""

    name: str = "artifact_hub"
    url: str = "https://artifacthub.io"


class Settings(BaseModel):
    """All sources, how long an answer is kept, and the limits of one look-up."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cache_seconds: float = Field(default=3600, ge=0, le=7 * 86_400)
    seconds: float = Field(default=20, gt=0, le=25)
    most_bytes: int = Field(default=40_000_000, ge=1000, le=200_000_000)
    charts: tuple[Source, ...] = ()
    images: tuple[Source, ...] = ()
    kubernetes: KubernetesSource | None = None
    artifact_hub: ArtifactHubSource | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        for kind, sources in (("charts", self.charts), ("images", self.images)):
            names = [source.name for source in sources]
            if len(set(names)) < len(names):
                raise ValueError(f"two sources of '{kind}' have one name")
        if any(source.is_oci for source in self.images):
            raise ValueError("the 'url' of a registry of images begins with https://")
        if self.artifact_hub is not None and self.artifact_hub.is_oci:
            raise ValueError("the 'url' of 'artifact_hub' begins with https://")
        return self


def read_settings(file: Path) -> Settings:
    """Read a file of settings.

    Raises:
        ValueError: it cannot be read, or something in it is wrong; the message says what.
    """
    return read_toml(file, Settings)
