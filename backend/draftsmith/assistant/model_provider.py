"""A provider of models as its adapter registers it: what it is called, what it needs, what it can.

The choice of a provider, its key, `draftsmith doctor` and what the API tells of it are derived from this. Not here: one
turn with it (`provider`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from draftsmith.assistant.provider import AIProvider, Effort

KeyNeed = Literal["always", "at_home", "never"]
"""Whether a key is needed: always, at the provider's own address but not at another one, or never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a provider can do of what the tool loop uses; the table in docs/assistant.md.

    Attributes:
        strict_schemas: it can be held to the schema of a tool. Nothing relies on it: every input is validated here.
        parallel_calls: a turn can hold several calls.
        carries_reasoning: its thoughts are sent back to it within a run, with their signatures.
        cache: whether it keeps prompts: where a mark says so, by itself, or not that anybody knows.
        streams_calls: a call comes in pieces while it is written, so that it is shown before it is whole.
    """

    strict_schemas: bool
    parallel_calls: bool
    carries_reasoning: bool
    cache: Literal["marks", "automatic", "unknown"]
    streams_calls: bool


class Connections(Protocol):
    """The connections to one provider of models, one for each key that was used."""

    def provider(self, key: str, model: str) -> AIProvider:
        """A provider with one model; nothing is sent."""
        ...

    async def close(self) -> None:
        """Close every connection; a provider that is used again opens another."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How a provider is reached.

    Attributes:
        base_url: its address; it may hold a password.
        effort: how much effort its models are to make.
        run_seconds: how long a run with it may take.
        options: what else the settings say, by the names in `ModelProvider.options`; empty values are absent.
        may_connect: whether an IP address may be connected to; None for an address that the operator has set, which
            may be anywhere.
    """

    base_url: str
    effort: Effort = "medium"
    run_seconds: float = 300.0
    options: Mapping[str, str] = field(default_factory=dict)
    may_connect: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProvider:
    """A provider of models, as its adapter registers it.

    The settings `<NAME>_API_KEY`, `<NAME>_BASE_URL`, `<NAME>_MODEL` and `<NAME>_ASK_MODEL` belong to it.

    Attributes:
        name: short and stable, lower case: the value of ASSISTANT_PROVIDER, and what the API calls it.
        label: for people.
        base_url: where it is reached unless the settings say otherwise; empty where they have to.
        key_file: name of the file in the data folder that keeps a key entered in the page.
        connect: makes its connections.
        capabilities: what it can do.
        models: the models that edit and that answer questions unless settings say otherwise; empty where they have to.
        key_need: whether it needs a key.
        takes_entered_key: whether one can be entered in the page; an access token that is over in an hour cannot.
        options: names of further settings of its own, without its name: `region` is the setting `<NAME>_REGION`.
        needs: names of settings without which it cannot be asked: `base_url`, `model` or one of `options`.
        package: the module of its SDK, without which it cannot be asked.
        extra: the extra of this package that installs the SDK; empty where it is always installed.
        locate: gives that address where it follows from the options.
        load: imports what the first turn would else have to wait for; called in a thread.
    """

    name: str
    label: str
    base_url: str
    key_file: str
    connect: Callable[[Reach], Connections]
    capabilities: Capabilities
    models: tuple[str, str] = ("", "")
    key_need: KeyNeed = "always"
    takes_entered_key: bool = True
    options: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    package: str = ""
    extra: str = ""
    locate: Callable[[Mapping[str, str]], str] | None = None
    load: Callable[[], None] = lambda: None

    def address(self, options: Mapping[str, str]) -> str:
        """Where it is reached unless the settings say otherwise."""
        return self.base_url if self.locate is None else self.locate(options)

    def variable(self, setting: str) -> str:
        """The environment variable of one of its settings, such as `model`."""
        return f"{self.name}_{setting}".upper()

    @property
    def key_variable(self) -> str:
        """The environment variable of its key."""
        return self.variable("api_key")
