"""The other stand-in, which nobody here wrote: `aimock` of npm, a program that speaks the APIs of all providers.

It answers by fixtures, found by what the person said last. Its process is started once for a module of tests.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.standin.kinds import KINDS, Kind

_PACKAGE: Final = Path(__file__).parents[2] / "frontend" / "node_modules" / "@copilotkit" / "aimock"
_LISTENS = re.compile(r"listening on (http://\S+)")
AIMOCK_KINDS: Final[Mapping[str, Kind]] = {
    name: Kind(kind.info, kind.model, kind.standin, kind.path, {**kind.options, **more})
    for name, more in {
        "anthropic": {},
        "chat": {},
        "responses": {},
        "azure": {},
        "google": {"api_version": "v1beta"},
    }.items()
    for kind in [KINDS[name]]
}
"""The providers that it knows. Not Claude at the clouds: at Vertex AI it has the models of Google alone, and the chunks
of its Bedrock lack the `bytes` in which AWS's own SDK finds the events."""


def is_there() -> bool:
    """Whether it can be started: Node.js and the editor's packages are installed."""
    return shutil.which("node") is not None and (_PACKAGE / "dist" / "cli.js").exists()


@contextmanager
def aimock(fixtures: Sequence[Mapping[str, Any]], folder: Path) -> Iterator[str]:
    """Run it with fixtures; its address."""
    file = folder / "fixtures.json"
    file.write_text(json.dumps({"fixtures": fixtures}))
    command = ["node", str(_PACKAGE / "dist" / "cli.js"), "-p", "0", "-f", str(file), "--log-level", "info"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            said: list[str] = []
            for line in process.stdout:
                said.append(line)
                if found := _LISTENS.search(line):
                    break
            else:
                raise AssertionError(f"aimock did not start: {''.join(said)}")
            yield found[1]
        finally:
            process.kill()
