"""What the API tells of the assistant: who answers, which providers there are, what leaves this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final, cast

from draftsmith.api.access.gate import AuthorizedCaller
from draftsmith.api.context import Context
from draftsmith.api.forms import run_answers as answers
from draftsmith.api.shared.disclosure import NOWHERE, host_of, what_leaves
from draftsmith.assistant.builtin import BuiltinProvider
from draftsmith.assistant.provider import ProviderStatus
from draftsmith.errors import DraftsmithError
from draftsmith.history.times import iso
from draftsmith.ports.runs import DebugLog, Switch, TrialResult
from draftsmith.usecases.providers.entered_server import EnteredServers, ServerLook
from draftsmith.usecases.providers.providers import ModelAccess, Providers

WORKFLOWS: Final = ["edit", "ask", "generate", "investigate", "recommend"]
MODES: Final = ["auto", "apply", "propose"]


async def assistant_state(context: Context, entered: AuthorizedCaller) -> answers.AssistantOut:
    """The assistant of this server as a caller may see it; only administrators see providers that are not offered."""
    dependencies = context.assistant.dependencies
    providers, limits, prices = dependencies.providers, dependencies.run_limits, dependencies.metering.prices
    name, access, choices = providers.name, providers.current, providers.choices()
    models = {} if access is None else dict(access.models)
    price = None if access is None else prices.of_all
    is_admin = entered.principal.is_admin
    shown = [one for one in providers.accesses if is_admin or one.info.name in choices]
    return {
        "provider": _name(name),
        "label": _label(name) if access is None else access.label,
        "model": models.get("edit", ""),
        "ask_model": models.get("ask", ""),
        "models": models,
        "edit_mode": dependencies.edit_mode,
        "key": _key(providers.default, is_admin=is_admin),
        "check": _check(providers.last_check),
        "sends": _sends(context, access),
        "limits": {
            "turns": limits.turns,
            "seconds": limits.seconds,
            "run_tokens": limits.tokens,
            **(await dependencies.metering.totals(1))["limit"],
        },
        "price": None if price is None else price.to_json(),
        "prices": prices.to_json(),
        "server": _server(providers.entered) if is_admin else None,
        "providers": [_provider(providers, one, is_admin=is_admin) for one in shown],
        "choices": [_name(one) for one in choices],
        "workflows": WORKFLOWS if name != "off" else [],
        "modes": MODES,
        "debug": _debug(dependencies.debug),
        "workload_plugins": [] if context.workloads is None else context.workloads.sources.names,
    }


def switch_state(context: Context, switch: Switch) -> answers.SwitchOut:
    """How the assistant of a workspace is set, and who answers there."""
    providers = context.assistant.dependencies.providers
    try:
        name = providers.name_for("", switch.provider)
    except DraftsmithError:  # switched off, or no longer offered
        name = ""
    access = providers.find(name)
    answering: answers.WorkspaceProviderOut | None = None
    if name:
        answering = {
            "name": _name(name),
            "label": _label(name) if access is None else access.label,
            "model": "" if access is None else access.models["edit"],
            "ask_model": "" if access is None else access.models["ask"],
            "is_ready": access is None or access.is_ready,
            "sends": _sends(context, access),
        }
    return {
        "enabled": not switch.is_off,
        "edit_mode": switch.edit_mode,
        "provider": None if switch.provider is None else _name(switch.provider),
        "answers": answering,
    }


def _provider(providers: Providers, access: ModelAccess, *, is_admin: bool) -> answers.ModelProviderOut:
    name = access.info.name
    return {
        "name": _name(name),
        "label": access.info.label,
        "model": access.models["edit"],
        "ask_model": access.models["ask"],
        "key": _key(access, is_admin=is_admin),
        "is_ready": access.is_ready,
        "lacks": access.lacks,
        "is_offered": name in providers.choices(),
        "sends_to": host_of(access.base_url) if access.base_url else None,
        "check": _check(providers.last_check_of(name)),
        "capabilities": cast(answers.CapabilitiesOut, asdict(access.info.capabilities)),
    }


def _server(entered: EnteredServers | None) -> answers.EnteredServerOut | None:
    if entered is None:
        return None
    kept = entered.store.read()
    return {
        "lacks": entered.lacks,
        "address": None if kept is None else kept.address,
        "model": None if kept is None else kept.model,
        "trials": {} if kept is None else {step: _trial(result) for step, result in kept.trials.items()},
    }


def _trial(result: TrialResult) -> answers.CheckOut:
    return {"ok": result["ok"], "code": result["code"], "detail": result["detail"], "facts": {**result["facts"]}}


def server_look(look: ServerLook) -> answers.ServerLookOut:
    """What is at the address of a server of models."""
    status = look.status
    return {
        "address": look.address,
        "ip_addresses": list(look.ip_addresses),
        "models": list(look.models),
        "check": {"ok": status.ok, "code": status.code, "detail": status.detail, "facts": {**status.facts}},
    }


def _key(access: ModelAccess, *, is_admin: bool) -> answers.KeyState:
    source = access.key_source
    is_of_use = access.is_set_up or source == "page"  # one that is kept can be forgotten
    may_enter = is_admin and source != "environment" and access.info.takes_entered_key and is_of_use
    return {"source": source, "may_enter": may_enter}


def _sends(context: Context, access: ModelAccess | None) -> answers.SendsOut:
    registered = context.assistant.dependencies.plugins
    health = [] if registered is None else registered.health
    plugins = [(one.registered.name, host_of(one.registered.url)) for one in health]
    return {
        "where": NOWHERE if access is None else host_of(access.base_url),
        "what": list(what_leaves(is_model=access is not None, plugins=plugins)),
    }


def _name(name: str) -> answers.ProviderName:
    return cast(answers.ProviderName, name)


def _label(name: str) -> str:
    return "Switched off" if name == "off" else BuiltinProvider.label


def _debug(debug: DebugLog | None) -> answers.DebugOut | None:
    until_ms = None if debug is None else debug.until_ms
    return None if until_ms is None else {"until": iso(until_ms)}


def _check(check: ProviderStatus | None) -> answers.CheckOut | None:
    if check is None:
        return None
    facts: dict[str, Any] = dict(check.facts)
    return {"ok": check.ok, "code": check.code, "detail": check.detail, "facts": facts}
