"""The command line `draftsmith`.

Commands turn options into `Settings`, call what does the work, and turn a `DraftsmithError` into one line and exit
code 1 (2 for wrong options or settings). Imports are inside the commands, so that `draftsmith --help` answers at once.
"""

from __future__ import annotations

from typing import Any

import click

from draftsmith import __version__
from draftsmith.cli.backup import backup
from draftsmith.cli.doctor import doctor
from draftsmith.cli.export import export
from draftsmith.cli.history import history
from draftsmith.cli.import_ import import_
from draftsmith.cli.mcp import mcp
from draftsmith.cli.plugin import plugin
from draftsmith.cli.recover import recover
from draftsmith.cli.schema import schema
from draftsmith.cli.serve import serve
from draftsmith.cli.server_options import load_settings
from draftsmith.cli.token import token
from draftsmith.cli.user import user
from draftsmith.errors import DraftsmithError

_MOST_PROBLEMS = 20


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


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="Draftsmith", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Draftsmith: an architecture diagram and its design document, edited together."""
    # Passed to commands that the library uses, too, and that must not import the settings.
    context.obj = load_settings


for _command in (serve, doctor, schema, export, import_, backup, recover, history, mcp, plugin, token, user):
    main.add_command(_command)
