"""The command `doctor`. Not here: what it looks at (`adapters.doctor`)."""

from __future__ import annotations

import json
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from draftsmith.cli.server_options import host_option, load_settings, port_option
from draftsmith.cli.store import data_dir_option
from draftsmith.settings import Settings

if TYPE_CHECKING:
    from draftsmith.adapters.doctor.assistant import AssistantSetup

_MARKS = {"ok": ("ok  ", "green"), "warn": ("warn", "yellow"), "fail": ("FAIL", "red")}


@click.command()
@host_option
@port_option
@data_dir_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: {ok, checks: [{name, status, …}]}.")
@click.option("--model", "tries_model", is_flag=True, help="Try the AI model too; that costs a cent or two.")
def doctor(host: str | None, port: int | None, data_dir: Path | None, as_json: bool, tries_model: bool) -> None:
    """Check this machine and say what to do; exit code 1 if something would not work."""
    from draftsmith.adapters.doctor.assistant import TRIAL_COST, examine_assistant
    from draftsmith.adapters.doctor.doctor import DoctorCheck, ServerSetup, examine
    from draftsmith.components import images_of

    settings = load_settings(host=host, port=port, data_dir=data_dir)
    setup = ServerSetup(
        host=settings.host,
        port=settings.port,
        data_dir=settings.data_dir,
        redis_url=settings.redis_url,
        mode=settings.access_mode,
        editor_dir=settings.editor_dir,
        images=(lambda: images_of(settings).blobs) if settings.images_bucket or settings.images_dir else None,
    )
    if tries_model and not as_json:
        click.echo(f"note  each model is asked twice: {TRIAL_COST} per model")
    checks: list[DoctorCheck] = []
    for check in chain(examine(setup), examine_assistant(_assistant_setup(settings), tries_model=tries_model)):
        checks.append(check)
        if not as_json:
            mark, colour = _MARKS[check.status]
            click.echo(f"{click.style(mark, fg=colour)}  {check.name}: {check.detail}")
            if check.remedy:
                click.echo(f"      → {check.remedy}")
    fine = all(check.status != "fail" for check in checks)
    if as_json:
        click.echo(json.dumps({"ok": fine, "checks": [check.to_json() for check in checks]}, indent=2))
    sys.exit(0 if fine else 1)


def _assistant_setup(settings: Settings) -> AssistantSetup:
    from draftsmith.adapters.doctor.assistant import AssistantSetup, ModelSetup
    from draftsmith.adapters.model_providers import MODEL_PROVIDERS
    from draftsmith.addresses import may_serve
    from draftsmith.components import entered_servers_of, model_access_of

    entered = entered_servers_of(settings).access()
    available = []
    for access in [*(model_access_of(settings, info) for info in MODEL_PROVIDERS), *([entered] if entered else [])]:
        info = access.info
        model_setup = ModelSetup(
            info=info,
            key=access.key or None,
            key_source=info.key_variable if access.env_key else "the data folder",
            base_url=access.base_url,
            models=(access.models["edit"], access.models["ask"]),
            options={name: value for name in info.options if (value := settings.option_of(info.name, name))},
            lacks="" if access.is_set_up else access.lacks,
            needs_key=access.needs_key,
            may_connect=may_serve if access is entered else None,
        )
        available.append(model_setup)
    return AssistantSetup(
        assistant_provider=settings.assistant_provider,
        assistant_model=settings.assistant_model or "",
        assistant_ask_model=settings.assistant_ask_model or "",
        assistant_effort=settings.assistant_effort,
        available=available,
    )
