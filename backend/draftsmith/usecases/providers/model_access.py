"""One provider of models as this server uses it: its key, its address, its models, and whether it can be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from draftsmith.assistant.model_provider import Connections, ModelProvider
from draftsmith.assistant.provider import AIProvider
from draftsmith.errors import DraftsmithError
from draftsmith.ports.runs import ProviderKeyStore

KeySource = Literal["environment", "page", "none"]


@dataclass(kw_only=True)
class ModelAccess:
    """A provider of models with the key, the address and the models that this server uses.

    Attributes:
        env_key: the key from the environment; empty for none. It wins over an entered one.
        keys: where an entered key is kept.
        models: the model for each workflow; one without a model of its own has that of `edit`.
        base_url: where the provider is reached; for people.
        is_installed: its SDK is there.
        missing: the variables of settings without which it cannot be asked, and that are not set.
        needs_key: nothing is answered there without a key.
        measured_context: how many tokens its model was found to read before it cuts; 0 where that is not known.
        cut_beyond: how long a request may be before its beginning is lost without a word; 0 where that is not known.
        refusal: why this server may not ask it any more; empty where it may.
    """

    info: ModelProvider
    env_key: str
    keys: ProviderKeyStore
    models: Mapping[str, str]
    base_url: str
    connections: Connections
    is_installed: bool = True
    missing: Sequence[str] = ()
    needs_key: bool = True
    measured_context: int = 0
    cut_beyond: int = 0
    refusal: str = ""

    @property
    def key(self) -> str:
        """The key in use; empty for none."""
        return self.env_key or self.keys.read() or ""

    @property
    def key_source(self) -> KeySource:
        """Where the key in use comes from."""
        if self.env_key:
            return "environment"
        return "page" if self.keys.read() else "none"

    @property
    def is_set_up(self) -> bool:
        """Whether it can be asked once there is a key."""
        return self.is_installed and not self.missing and not self.refusal

    @property
    def is_ready(self) -> bool:
        """Whether it can be asked."""
        return self.is_set_up and (not self.needs_key or bool(self.key))

    @property
    def lacks(self) -> str:
        """What to do so that it can be asked; empty where it can."""
        if not self.is_installed:
            extra = self.info.extra
            return f"{self.info.label} needs the extra '{extra}' of Draftsmith: install draftsmith[{extra}]."
        if self.refusal:
            return self.refusal
        if self.missing:
            return f"{self.info.label} needs further settings: {', '.join(self.missing)}."
        if self.needs_key and not self.key:
            return f"No key for the model provider: set {self.info.key_variable}, or enter one in the page."
        return ""

    @property
    def label(self) -> str:
        """For people: the model that edits, or the provider where it cannot be asked."""
        if self.is_ready:
            return self.open("edit").label
        return f"{self.info.label} ({'no key' if self.is_set_up else 'not set up'})"

    def require(self) -> None:
        """Refuse to go on where it cannot be asked.

        Raises:
            DraftsmithError: `needs_key`, `provider_unknown`.
        """
        if self.lacks:
            raise DraftsmithError("needs_key" if self.is_set_up else "provider_unknown", self.lacks)

    def open(self, workflow: str, key: str | None = None) -> AIProvider:
        """The provider with the model of a workflow, and with a key that is not the one in use if it is given."""
        return self.connections.provider(
            self.key if key is None else key, self.models.get(workflow) or self.models["edit"]
        )
