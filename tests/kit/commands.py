"""Runs the command line of the product in this process, as somebody in a terminal does."""

from __future__ import annotations

from click.testing import CliRunner, Result

from draftsmith.cli.group import main


def draftsmith(*arguments: object, code: int = 0, said: str = "", **environment: str) -> Result:
    """Run a command, which must end with this exit code; `said` is what is typed."""
    result = CliRunner().invoke(main, [str(one) for one in arguments], env=environment, input=said)
    assert result.exit_code == code, f"{result.output} {result.stderr}"
    return result


def draftsmith_on(url: str, *arguments: object, code: int = 0, said: str = "") -> Result:
    """Run a command on a store."""
    return draftsmith(*arguments, code=code, said=said, REDIS_URL=url)
