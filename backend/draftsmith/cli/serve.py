"""The command `serve`. Not here: the launcher (`adapters.server`)."""

from __future__ import annotations

from pathlib import Path

import click

from draftsmith.cli.server_options import host_option, load_settings, port_option, show
from draftsmith.cli.store import data_dir_option


@click.command()
@host_option
@port_option
@data_dir_option
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
        show(
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
