"""Run a module without the garbage collector, in place of `python -m <module> <argument> …`; `command` says how.

Importing frees next to nothing, and being looked through again and again takes an eighth of its time. It cannot be said
to Python in an option, and a module that says it would say it to everybody who imports the module. Whether and when the
collector runs from then on is the module's own matter.
"""

from __future__ import annotations

import gc
import runpy
import sys


def command(module: str, *arguments: str) -> list[str]:
    """The command line that runs `module` so."""
    # -P: a file in the current folder must not be imported as one of our modules.
    return [sys.executable, "-P", "-m", "draftsmith.adapters.process.without_gc", module, *arguments]


if __name__ == "__main__":
    gc.disable()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
