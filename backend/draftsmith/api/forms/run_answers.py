"""The JSON shapes that the routes of the assistant put together, like `answers`. Types alone."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from draftsmith.assistant.builtin.completion import CompletionOut
from draftsmith.assistant.patterns.shapes import PatternOut
from draftsmith.ports.proposal_shapes import ProposalOut
from draftsmith.ports.run_shapes import RunOut
from draftsmith.ports.runs import ConversationTurn, EditMode
from draftsmith.usecases.providers.providers import KeySource
from draftsmith.usecases.usage.shapes import ModelPriceOut, PriceOut

ProviderName = Literal["anthropic", "openai", "azure", "google", "bedrock", "vertex", "own", "builtin", "off"]


class KeyState(TypedDict):
    """Where the key of the model provider comes from, and whether one may be entered here; never the key."""

    source: KeySource
    may_enter: bool


class CheckOut(TypedDict):
    """What came of trying the model provider; `code` is empty where it answers."""

    ok: bool
    code: str
    detail: str
    facts: dict[str, Any]


class SendsOut(TypedDict):
    """What leaves this machine when the assistant is asked, and to whom."""

    where: str
    what: list[str]


class LimitsOut(TypedDict):
    """Where runs are stopped; 0 stands for no limit. `used_today`: tokens that all runs of this day (UTC) have used."""

    turns: int
    seconds: float
    run_tokens: int
    day_tokens: int
    used_today: int


class DebugOut(TypedDict):
    """The operator has switched it on that everything models are sent and answer is kept in files, until then."""

    until: str


class CapabilitiesOut(TypedDict):
    """What a provider can do of what the assistant uses."""

    strict_schemas: bool
    parallel_calls: bool
    carries_reasoning: bool
    cache: Literal["marks", "automatic", "unknown"]
    streams_calls: bool


class ModelProviderOut(TypedDict):
    """A provider of models: whether it can be asked, with which models, and where what is sent would go.

    `lacks` says what to do so that it can be asked, and is empty where it can. `is_offered`: a workspace may choose it.
    `check` is null until this worker has tried it; `sends_to` is null where it is not known yet.
    """

    name: ProviderName
    label: str
    model: str
    ask_model: str
    key: KeyState
    is_ready: bool
    lacks: str
    is_offered: bool
    sends_to: str | None
    check: CheckOut | None
    capabilities: CapabilitiesOut


class ServerLookOut(TypedDict):
    """What is at the address of a server of models: its address in one form, and where its host leads now.

    `models` are those that it lists; `check` says why there are none where the list did not come.
    """

    address: str
    ip_addresses: list[str]
    models: list[str]
    check: CheckOut


class EnteredServerOut(TypedDict):
    """The server of models that can be entered in the page; for administrators.

    `lacks` says why none can be, with what to do, and is empty where one can. `address` and `model` are those of the
    one that is kept, null where there is none; `trials` what came of each step of trying it.
    """

    lacks: str
    address: str | None
    model: str | None
    trials: dict[str, CheckOut]


class AssistantOut(TypedDict):
    """Who answers here, within which limits. `check` is null until this worker has tried the connection.

    `providers` are all providers of models, `choices` those that the owner of a workspace may choose for it, and
    `builtin`. `server` is null for who may not enter one. `price` counts for every model without one of its own in
    `prices`.
    `debug` is null where runs leave no debug records, as they do unless the operator asks for them. `workload_plugins`
    can say what runs (`…/workloads/compare`), without a model.
    """

    provider: ProviderName
    label: str
    model: str
    ask_model: str
    models: dict[str, str]
    edit_mode: Literal["tools", "regenerate"]
    key: KeyState
    check: CheckOut | None
    sends: SendsOut
    limits: LimitsOut
    price: PriceOut | None
    prices: list[ModelPriceOut]
    server: EnteredServerOut | None
    providers: list[ModelProviderOut]
    choices: list[ProviderName]
    workflows: list[str]
    modes: list[str]
    debug: DebugOut | None
    workload_plugins: list[str]


class WorkspaceProviderOut(TypedDict):
    """Who answers in a workspace: who it is for people, its models, and where what is sent goes."""

    name: ProviderName
    label: str
    model: str
    ask_model: str
    is_ready: bool
    sends: SendsOut


class SwitchOut(TypedDict):
    """Whether the assistant may be used in a workspace, how models edit there, and which provider was chosen for it.

    Null: as the server is set. `answers` is who answers there, null where nobody does.
    """

    enabled: bool
    edit_mode: EditMode | None
    provider: ProviderName | None
    answers: WorkspaceProviderOut | None


class CompletionList(TypedDict):
    """Completions, likeliest first."""

    items: list[CompletionOut]
    next_cursor: NotRequired[None]


class PatternList(TypedDict):
    """Patterns and anti-patterns."""

    items: list[PatternOut]
    next_cursor: str | None


class RunList(TypedDict):
    """A page of runs, newest first."""

    items: list[RunOut]
    next_cursor: str | None


class TalkOut(ConversationTurn):
    """One turn of a workspace's conversation with the assistant."""

    id: str
    at: str


class TalkList(TypedDict):
    """A page of the conversation, newest first."""

    items: list[TalkOut]
    next_cursor: str | None


class ProposalList(TypedDict):
    """All proposals that are kept, newest first."""

    items: list[ProposalOut]
    next_cursor: NotRequired[None]
