"""Serve the demonstration: `python -m tests.standin [--port N] [--rehearsal | --relay | --small N] [command …]`.

With a command, that is run with the stand-in as its model provider, and both end together.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence

from tests.standin import Standin, serve
from tests.standin.demonstration import demonstrate
from tests.standin.kinds import KINDS
from tests.standin.rehearsal import rehearse
from tests.standin.relaying import relay
from tests.standin.small_model import small_model


async def serve_beside(standin: Standin, port: int, command: Sequence[str], *, gives_key: bool = True) -> int:
    """Serve until a signal comes, or until the command ends; the exit code.

    `gives_key`: the command is given the key; without, somebody has to enter it there.
    """
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    async with serve(standin, port) as url:
        print(f"A stand-in for the model provider, no AI behind it: {url}", flush=True)
        for number in (signal.SIGINT, signal.SIGTERM):  # before the command can be seen to run
            loop.add_signal_handler(number, stopped.set)
        if not command:
            await stopped.wait()
            return 0
        given = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "", "ASSISTANT_PROVIDER": "auto"}
        if gives_key:
            given |= {"ANTHROPIC_API_KEY": standin.key, "ASSISTANT_PROVIDER": "anthropic"}
        # In a session of its own: else Ctrl-C would reach it twice, and the second time means at once.
        child = await asyncio.create_subprocess_exec(*command, env={**os.environ, **given}, start_new_session=True)
        passing = asyncio.create_task(_pass_on(stopped, child))
        try:
            return await child.wait()
        finally:
            passing.cancel()


async def _pass_on(stopped: asyncio.Event, child: asyncio.subprocess.Process) -> None:
    """Tell the command to end. As SIGTERM, since in the background of a script it was born deaf to SIGINT."""
    await stopped.wait()
    child.send_signal(signal.SIGTERM)


def main() -> int:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m tests.standin", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="where to listen on 127.0.0.1; default: any free port")
    parser.add_argument("--rehearsal", action="store_true", help="answer as tests say that ask it to")
    parser.add_argument("--relay", action="store_true", help="answer what `tests.replay --relay` asks")
    parser.add_argument(
        "--small", type=int, metavar="TOKENS", help="speak as Ollama with small models that read so many"
    )
    parser.add_argument("--without-key", action="store_true", help="do not give the command the key")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what to run with it")
    given = parser.parse_args()
    return asyncio.run(_serve(given))


async def _serve(given: argparse.Namespace) -> int:
    brain = relay if given.relay else demonstrate
    standin = rehearse() if given.rehearsal else Standin(brain, key="sk-demonstration")
    if given.small:
        standin = KINDS["ollama"].standin(small_model(given.small))
        standin.key = ""
    return await serve_beside(standin, given.port, given.command, gives_key=not given.without_key)


if __name__ == "__main__":
    sys.exit(main())
