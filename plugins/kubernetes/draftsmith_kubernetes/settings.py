"""Which cluster, which namespaces, and how much: a TOML file. Nothing is readable by default.

kubeconfig = "/etc/draftsmith/kubeconfig"
context = "production"
namespaces = ["shop", "shop-data"]
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from draftsmith.plugin.settings import read_toml

NAMESPACE: Final = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_IN_A_POD: Final = "KUBERNETES_SERVICE_HOST"
Namespace = Annotated[str, Field(pattern=f"^{NAMESPACE}$")]


class Settings(BaseModel):
    """One cluster and the limits of what is read of it.

    Attributes:
        namespaces: those that may be read; there is no word for all of them.
        kubeconfig: the file of credentials; without one, the plugin runs in a pod and reads as its ServiceAccount.
        context: of that file; needed with it, as its current context may be switched by others.
        cluster: what the cluster is called in answers; the context where it is empty.
        cluster_kinds: kinds outside of namespaces that may be read, as `plural` or `plural.group`.
        kubectl: the program, by name or path.
        apply: whether the tool `apply`, a dry run on the server, is there.
        apply_context: the context that it uses; the same as for reading where it is empty.
        kubectl_names: whether tools are there under names that begin with `kubectl_` as well.
        seconds: after which kubectl is given up.
        most_bytes: what kubectl may print for one call.
        answer_chars: how long a text in an answer may be.
        log_lines: the most lines of a log.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    namespaces: tuple[Namespace, ...] = Field(min_length=1, max_length=200)
    kubeconfig: Path | None = None
    context: str = Field(default="", max_length=500, pattern=r"^([^-\s]\S*)?$")
    cluster: str = Field(default="", max_length=100)
    cluster_kinds: tuple[str, ...] = (
        "customresourcedefinitions.apiextensions.k8s.io",
        "ingressclasses.networking.k8s.io",
        "storageclasses.storage.k8s.io",
    )
    kubectl: str = Field(default="kubectl", min_length=1, pattern=r"^[^-]")
    apply: bool = False
    apply_context: str = Field(default="", max_length=500, pattern=r"^([^-\s]\S*)?$")
    kubectl_names: bool = False
    seconds: float = Field(default=20, gt=0, le=25)
    most_bytes: int = Field(default=20_000_000, ge=10_000, le=200_000_000)
    answer_chars: int = Field(default=14_000, ge=1000, le=200_000)
    log_lines: int = Field(default=300, ge=1, le=5000)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(set(self.namespaces)) < len(self.namespaces):
            raise ValueError("a namespace is named twice in 'namespaces'")
        if self.kubeconfig is None:
            if self.context or self.apply_context:
                raise ValueError("a context is that of a 'kubeconfig'; name the file, too")
            if _IN_A_POD not in os.environ:
                raise ValueError("name 'kubeconfig' and 'context'; only in a pod of the cluster they may be left out")
        elif not self.context:
            raise ValueError("name the 'context' of the 'kubeconfig'")
        elif not self.kubeconfig.is_file():
            raise ValueError(f"'kubeconfig': there is no file {self.kubeconfig}")
        if shutil.which(self.kubectl) is None:
            raise ValueError(f"'kubectl': there is no program {self.kubectl}; install it or name another one")
        return self

    @property
    def cluster_name(self) -> str:
        """What the cluster is called in answers."""
        return self.cluster or self.context or "in-cluster"


def read_settings(file: Path) -> Settings:
    """Read a file of settings.

    Raises:
        ValueError: it cannot be read, or something in it is wrong; the message says what.
    """
    return read_toml(file, Settings)
