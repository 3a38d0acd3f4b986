"""The command line `draftsmith`.

Commands turn options into `Settings`, call what does the work, and turn a `DraftsmithError` into one line and exit
code 1 (2 for wrong options or settings). Imports are inside the commands, so that `draftsmith --help` answers at once.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from pydantic import ValidationError

from draftsmith import __version__
from draftsmith.cli_access import token, user
from draftsmith.cli_backup import backup, recover
from draftsmith.cli_data import export, import_
from draftsmith.cli_history import history
from draftsmith.cli_mcp import mcp
from draftsmith.cli_plugin import plugin
from draftsmith.errors import DraftsmithError
from draftsmith.settings import Settings

if TYPE_CHECKING:
    from draftsmith.adapters.doctor.assistant import AssistantSetup

_MOST_PROBLEMS = 20
_MARKS = {"ok": ("ok  ", "green"), "warn": ("warn", "yellow"), "fail": ("FAIL", "red")}


class _Commands(click.Group):
    """Commands whose errors are printed as one line with the stable code, and one for each problem."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a `DraftsmithError` becomes a message and exit code 1."""
        try:
            return super().invoke(ctx)
        except DraftsmithError as problem:
            lines = [f"{problem.detail} [{problem.code}]"]
            lines += [f"  {one.path or one.code}: {one.message}" for one in problem.problems[:_MOST_PROBLEMS]]
            raise click.ClickException("\n".join(lines)) from problem


def load_settings(**given: object) -> Settings:
    """Build the settings from the environment; options that were given win.

    Raises:
        click.UsageError: a value is not valid; the message names each setting in upper case.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]  # names and types are checked by pydantic
    except ValidationError as problem:
        lines = [f"{'.'.join(map(str, error['loc'])).upper()}: {error['msg']}" for error in problem.errors()]
        raise click.UsageError("; ".join(lines)) from problem


def _show(message: str) -> None:
    # The reader may have gone (`draftsmith serve | head`), which is no reason to stop.
    with suppress(OSError):
        click.echo(message)
        sys.stdout.flush()


_data_dir = click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False), help="Folder of everything stored (DATA_DIR)."
)
_host = click.option("--host", help="Address to listen on (HOST, 127.0.0.1).")
_port = click.option("--port", type=int, help="Port to listen on; 0 takes a free one (PORT, 8000).")


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="Draftsmith", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Draftsmith: an architecture diagram and its design document, edited together."""
    # Passed to commands of other modules, which must not import this one.
    context.obj = load_settings


for _command in (export, import_, backup, recover, history, mcp, plugin, token, user):
    main.add_command(_command)


@main.command()
@_host
@_port
@_data_dir
@click.option("--workers", type=int, help="Number of worker processes (WORKERS, 1).")
@click.option("--sample/--no-sample", default=False, help="Create a sample workspace if there is none at all.")
def serve(host: str | None, port: int | None, data_dir: Path | None, workers: int | None, sample: bool) -> None:
    """Run Draftsmith until Ctrl-C or SIGTERM."""
    from draftsmith.adapters.server.launched import become_launcher
    from draftsmith.adapters.server.launcher import Options

    settings = load_settings(host=host, port=port, data_dir=data_dir, workers=workers)
    if settings.jwt_key_file is not None:  # said here in one line, in place of by each worker
        from draftsmith.adapters.identity.issuers import keys_in

        keys_in(settings.jwt_key_file)
    if settings.prompts_dir is not None:
        _check_prompts(settings.prompts_dir)
    if settings.plugins_path.exists():  # likewise
        from draftsmith.adapters.plugins.registered_file import read_registered

        read_registered(settings.plugins_path)
    if settings.foreign_mode is not None:
        _show(
            f"MODE={settings.foreign_mode[:40]!r} is another tool's and is ignored: this server is in local mode. "
            "Token mode is DRAFTSMITH_MODE=token."
        )
    options = Options(
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        data_dir=settings.data_dir,
        redis_url=settings.redis_url,
        mode=settings.access_mode,
        public_url=settings.public_url,
        log_level=settings.log_level,
        log_format=settings.log_format,
    )
    become_launcher(options, sample=sample)


def _check_prompts(folder: Path) -> None:
    """Refuse prompts that cannot be used in one line, in place of by each worker."""
    from draftsmith.adapters.files.prompt_files import read_prompts
    from draftsmith.assistant.prompts import WORKFLOWS, prompt_set

    try:
        for workflow in WORKFLOWS:
            prompt_set(workflow, read_prompts(workflow, folder))
    except ValueError as problem:
        raise click.UsageError(f"PROMPTS_DIR: {problem}") from problem


@main.command()
@_host
@_port
@_data_dir
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: {ok, checks: [{name, status, …}]}.")
@click.option("--model", "tries_model", is_flag=True, help="Try the AI model too; that costs a cent or two.")
def doctor(host: str | None, port: int | None, data_dir: Path | None, as_json: bool, tries_model: bool) -> None:
    """Check this machine and say what to do; exit code 1 if something would not work."""
    from draftsmith.adapters.doctor.assistant import TRIAL_COST, examine_assistant
    from draftsmith.adapters.doctor.doctor import Check, ServerSetup, examine

    settings = load_settings(host=host, port=port, data_dir=data_dir)
    setup = ServerSetup(
        host=settings.host,
        port=settings.port,
        data_dir=settings.data_dir,
        redis_url=settings.redis_url,
        mode=settings.access_mode,
        editor_dir=settings.editor_dir,
    )
    if tries_model and not as_json:
        click.echo(f"note  each model is asked twice: {TRIAL_COST} per model")
    checks: list[Check] = []
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
    from draftsmith.parts import model_access_of

    available = []
    for info in MODEL_PROVIDERS:
        access = model_access_of(settings, info)
        model_setup = ModelSetup(
            info=info,
            key=access.key or None,
            key_source=info.key_variable if access.env_key else "the data folder",
            base_url=access.base_url,
            models=(access.models["edit"], access.models["ask"]),
            options={name: value for name in info.options if (value := settings.option_of(info.name, name))},
            lacks="" if access.is_set_up else access.lacks,
            needs_key=access.needs_key,
        )
        available.append(model_setup)
    return AssistantSetup(
        assistant_provider=settings.assistant_provider,
        assistant_model=settings.assistant_model or "",
        assistant_ask_model=settings.assistant_ask_model or "",
        assistant_effort=settings.assistant_effort,
        available=available,
    )


@main.command()
@click.argument("what", type=click.Choice(["openapi", "operations", "live"]))
def schema(what: Literal["openapi", "operations", "live"]) -> None:
    """Print the contract: OpenAPI of the HTTP API, or the JSON Schema of operations or of the live protocol."""
    from draftsmith.main import contract

    _show(json.dumps(contract(what), indent=1, ensure_ascii=False, sort_keys=True))


if __name__ == "__main__":
    main()
