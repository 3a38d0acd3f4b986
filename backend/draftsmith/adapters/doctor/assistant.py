"""Examine what the assistant needs: who is to answer, whether there is a key, whether the model can be reached.

Asking for the model costs nothing. Trying it does: one tool call, made twice, so that the second shows whether the
prompt cache works; that is done on request only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

from draftsmith.adapters.doctor.doctor import DoctorCheck
from draftsmith.assistant.model_provider import ModelProvider, Reach
from draftsmith.assistant.provider import (
    AIProvider,
    Effort,
    ProviderError,
    TurnRequest,
)
from draftsmith.usecases.providers.trial import STATUS_TOOL, STATUS_WORD, calls_the_tool

TRIAL_COST: Final = "about 7,000 tokens, a cent or two"

_ANSWER_TOKENS: Final = 2_000
# Long enough to be cached by every model; shorter prompts silently are not.
_SYSTEM: Final = (
    "This is a test of the connection. Call the tool report_status with the word you are given.\n\n"
    + "".join(
        f"{number}. Ignore this line; it is here to make the text long enough for the prompt cache to keep it.\n"
        for number in range(1, 121)
    )
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSetup:
    """A model provider with what it is reached by.

    Attributes:
        key_source: where the key is from.
        models: those that edit and that answer questions; None for those of `AssistantSetup`.
        options: what else the settings say of it.
        lacks: what to do so that it can be asked; empty where a key is all that may be missing.
        needs_key: nothing is answered there without a key.
        may_connect: whether an IP address may be connected to; None for any.
    """

    info: ModelProvider
    key: str | None = field(default=None, repr=False)
    key_source: str = ""
    base_url: str | None = field(default=None, repr=False)
    models: tuple[str, str] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    lacks: str = ""
    needs_key: bool = True
    may_connect: Callable[[str], bool] | None = None

    @property
    def is_ready(self) -> bool:
        """Whether it can be asked."""
        return not self.lacks and (self.key is not None or not self.needs_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantSetup:
    """Who is to answer; the fields are those of `Settings`, and `available` every model provider."""

    assistant_provider: str
    assistant_model: str
    assistant_ask_model: str
    assistant_effort: Effort
    available: Sequence[ModelSetup]


def examine_assistant(setup: AssistantSetup, *, tries_model: bool = False) -> Iterator[DoctorCheck]:
    """Yield the checks of the assistant; with `tries_model`, the model is called, which costs tokens."""
    if setup.assistant_provider == "off":
        yield DoctorCheck("assistant", "ok", "switched off (ASSISTANT_PROVIDER)")
    elif setup.assistant_provider == "builtin":
        yield DoctorCheck("assistant", "ok", "built-in commands, no AI model (ASSISTANT_PROVIDER)")
    else:
        yield from _examine_provider(setup, tries_model=tries_model)


def _examine_provider(setup: AssistantSetup, *, tries_model: bool) -> Iterator[DoctorCheck]:
    choice, variables = setup.assistant_provider, ", ".join(one.info.key_variable for one in setup.available)
    candidates = [one for one in setup.available if choice in ("auto", one.info.name)]
    chosen = next((one for one in candidates if one.is_ready), None)
    if chosen is not None:
        yield from _examine_models(setup, chosen, chosen.key or "", tries_model=tries_model)
    elif choice == "auto":
        yield DoctorCheck("assistant", "ok", f"built-in commands, no AI model: there is no API key ({variables})")
    elif candidates[0].lacks:
        yield DoctorCheck(
            "assistant", "fail", f"ASSISTANT_PROVIDER is {choice}, which cannot be asked", candidates[0].lacks
        )
    else:
        remedy = (
            f"Set {candidates[0].info.key_variable}, enter a key in the page, or set ASSISTANT_PROVIDER to builtin."
        )
        yield DoctorCheck("assistant", "fail", f"ASSISTANT_PROVIDER is {choice}, but there is no API key", remedy)


def _examine_models(setup: AssistantSetup, chosen: ModelSetup, key: str, *, tries_model: bool) -> Iterator[DoctorCheck]:
    def with_provider(model: str, examine: Callable[[AIProvider], Awaitable[T]]) -> T:
        async def run() -> T:
            base_url = chosen.base_url or chosen.info.address(chosen.options)
            reach = Reach(
                base_url=base_url,
                effort=setup.assistant_effort,
                options=chosen.options,
                may_connect=chosen.may_connect,
            )
            connections = chosen.info.connect(reach)
            try:
                return await examine(connections.provider(key, model))
            finally:
                await connections.close()

        return asyncio.run(run())

    models = dict.fromkeys(chosen.models or (setup.assistant_model, setup.assistant_ask_model))
    for place, model in enumerate(models):
        name = "assistant" if place == 0 else "assistant, questions"
        check = with_provider(model, partial(_check_model, name))
        is_told = place == 0 and key
        yield replace(check, detail=f"{check.detail}, key from {chosen.key_source}") if is_told else check
        if check.status != "fail" and tries_model:
            yield with_provider(model, partial(_try_model, f"trial of {model}"))


async def _check_model(name: str, provider: AIProvider) -> DoctorCheck:
    found = await provider.check()
    if not found.ok:
        return _failure(name, f"{provider.model}: {found.code}", ProviderError(found.code, found.detail))
    detail = f"{provider.label} answers in {found.facts['latency_ms']} ms"
    if found.facts["lifecycle"] == "deprecated":
        return DoctorCheck(name, "warn", f"{detail}, but will be retired", "Set ASSISTANT_MODEL to a newer model.")
    return DoctorCheck(name, "ok", detail)


async def _try_model(name: str, provider: AIProvider) -> DoctorCheck:
    """Make the same tool call twice, in two conversations."""
    await provider.check()  # it finds out which parameters the model takes
    began = time.monotonic()
    used = cached = 0
    for _ in range(2):
        request = TurnRequest(
            [_SYSTEM], [STATUS_TOOL], [provider.user(f"Report the status word: {STATUS_WORD}")], _ANSWER_TOKENS
        )
        try:
            called = await calls_the_tool(provider, request)
        except ProviderError as problem:
            return _failure(name, problem.code, problem)
        used += request.usage.input + request.usage.output
        cached = request.usage.cache_read
        if not called:
            return DoctorCheck(
                name,
                "fail",
                f"it answered without calling the tool ({used:,} tokens used)",
                "Set ASSISTANT_MODEL to a model that uses tools.",
            )
    detail = f"tool called twice in {(time.monotonic() - began) * 1000:.0f} ms, {used:,} tokens used"
    if not cached and provider.name in ("anthropic", "bedrock", "vertex"):  # others cache as they like
        return DoctorCheck(
            name, "warn", f"{detail}, none from the cache", "It works, but each turn costs more; a gateway may be why."
        )
    return DoctorCheck(name, "ok", f"{detail}, {cached:,} of them from the cache" if cached else detail)


def _failure(name: str, detail: str, problem: ProviderError) -> DoctorCheck:
    """A failure; only a warning if the problem is transient."""
    return DoctorCheck(name, "warn" if problem.is_transient else "fail", detail, problem.detail)
