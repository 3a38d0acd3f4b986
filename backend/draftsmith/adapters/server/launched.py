"""The launcher as a program of its own, which `draftsmith serve` becomes once it has read the settings.

What reads settings and options is two thirds of a launcher's memory, held for months and used for a moment. `exec`
leaves it behind: the process stays the same, to whoever started it and to its terminal.

The options travel as one argument of JSON; the address of the store, which may hold a password, in the environment
(DRAFTSMITH_STORE_URL), where processes of other users cannot read it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import NoReturn

from draftsmith.adapters.process.parent_death import with_parent_death_signal
from draftsmith.adapters.server.http_client import ensure_sample
from draftsmith.adapters.server.launcher import Launcher, Options
from draftsmith.errors import DraftsmithError

_STORE_URL = "DRAFTSMITH_STORE_URL"


def become_launcher(options: Options, *, sample: bool) -> NoReturn:
    """Go on as the launcher; with `sample`, it creates the sample workspace if there is none at all."""
    environment = {name: value for name, value in os.environ.items() if name != _STORE_URL}
    if options.redis_url is not None:
        environment[_STORE_URL] = options.redis_url
    told = {**asdict(options), "data_dir": str(options.data_dir), "redis_url": None, "sample": sample}
    # -P: a file in the current folder must not be imported as one of our modules.
    program = [sys.executable, "-P", "-m", "draftsmith.adapters.server.launched", json.dumps(told)]
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, program, environment)


def main(argument: str) -> int:
    """Launch what `become_launcher` was told; the exit code."""
    told = json.loads(argument)
    sample = told.pop("sample")
    told |= {"data_dir": Path(told["data_dir"]), "redis_url": os.environ.get(_STORE_URL)}
    options = Options(**told)
    try:
        return Launcher(options, _show, partial(_on_ready, options, sample)).run()
    except DraftsmithError as problem:
        sys.stderr.write(f"Error: {problem.detail} [{problem.code}]\n")
        return 1


def _show(message: str) -> None:
    # The reader may have gone (`draftsmith serve | head`), which is no reason to stop.
    with suppress(OSError):
        sys.stdout.write(message + "\n")
        sys.stdout.flush()


def _on_ready(options: Options, sample: bool, url: str, store_url: str) -> None:
    # Both in a thread, since the launcher supervises its children meanwhile.
    if options.mode == "token":
        address = options.public_url or url
        threading.Thread(target=_show_first_link, args=(address, store_url), name="first link", daemon=True).start()
    elif sample:
        threading.Thread(target=_create_sample, args=(url,), name="sample", daemon=True).start()


def _show_first_link(url: str, store_url: str) -> None:
    """In a process of its own: it imports what speaks with the store, which would stay here."""
    environment = {**os.environ, _STORE_URL: store_url}
    command = [sys.executable, "-P", "-m", "draftsmith.cli.first_link", url]
    # It ends with this thread, which waits for it, and so with this process.
    subprocess.run(with_parent_death_signal(command), env=environment, check=False)


def _create_sample(url: str) -> None:
    workspace = ensure_sample(url)
    if workspace is not None:
        _show(f"A sample to look at: {workspace}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
