"""Runs kubectl: argument lists without a shell, bounded in time and output, its failures as errors with a code.

Callers pass names that `names` or `kinds` have checked; nothing comes from a model unchecked. Credentials are those of
the settings: what else the environment says of a kubeconfig is not used.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from draftsmith.manifests.masking import mask_text
from draftsmith.plugin import PluginError
from draftsmith_kubernetes.settings import Settings

_CHUNK: Final = 65_536
_MOST_STDERR: Final = 65_536
_MOST_REASON: Final = 600
_AT_ONCE: Final = 4
_CODES: Final = (
    (re.compile(r"\(NotFound\)"), "not_found"),
    (re.compile(r"\(Forbidden\)"), "forbidden"),
    (re.compile(r"\(Unauthorized\)|must be logged in to the server"), "unauthorized"),
    (re.compile(r"\((Invalid|BadRequest)\)| is invalid\b|not declared in schema|unknown field"), "invalid"),
    (re.compile(r"\(Conflict\)|conflicts? with", re.IGNORECASE), "conflict"),
    (
        re.compile(
            r"Unable to connect|connection to the server|connection refused|no such host|i/o timeout|"
            r"TLS handshake|deadline exceeded|Client\.Timeout|\(ServiceUnavailable\)"
        ),
        "cluster_away",
    ),
)


@dataclass(frozen=True, slots=True)
class Output:
    """What kubectl printed.

    Attributes:
        failure: what it said of a failure; empty where it ended well.
    """

    stdout: bytes
    failure: str


class Kubectl:
    """kubectl for the cluster of some settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._cache = tempfile.mkdtemp(prefix="draftsmith-kubernetes-")
        weakref.finalize(self, shutil.rmtree, self._cache, ignore_errors=True)
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._prefix: str | None = None

    async def run(self, *arguments: str, stdin: bytes = b"", context: str = "") -> Output:
        """Run it and give what it printed, also where it failed.

        Args:
            context: instead of that of the settings.

        Raises:
            PluginError: `timeout`, `too_large`, or `no_kubectl` where it cannot be started.
        """
        async with self._at_once:
            try:
                async with asyncio.timeout(self.settings.seconds):
                    return await self._run(self._command(arguments, context), stdin)
            except TimeoutError:
                message = f"kubectl did not end within {self.settings.seconds:g} seconds."
                raise PluginError("timeout", message) from None

    async def text(self, *arguments: str) -> str:
        """Run it and give what it printed as text.

        Raises:
            PluginError: that of `run`, or it failed: the code says how, the message what it said.
        """
        output = await self.run(*arguments)
        if output.failure:
            raise failed(output.failure)
        return output.stdout.decode("utf-8", "replace")

    async def json(self, *arguments: str) -> Any:
        """Run it and read what it printed as JSON; `-o json` is the caller's.

        Raises:
            PluginError: that of `text`, or `unreadable`.
        """
        return read_json(await self.text(*arguments))

    async def raw(self, path: str) -> Any:
        """Read a path of the API server as JSON; the path is ours, of checked parts.

        kubectl takes it as that of the host, so what the address of the cluster has before it is written here: several
        clusters may stand behind one host.

        Raises:
            PluginError: that of `json`.
        """
        if self._prefix is None:
            self._prefix = await self._address_path()
        return await self.json("get", f"--raw={self._prefix}{path}")

    async def _address_path(self) -> str:
        """The path in the address of the cluster; a pod's own cluster has none."""
        if self.settings.kubeconfig is None:
            return ""
        config = await self.json("config", "view", "--minify", "--output=json")
        clusters = config.get("clusters") if isinstance(config, dict) else None
        server = clusters[0].get("cluster", {}).get("server", "") if clusters else ""
        return urlsplit(server).path.rstrip("/")

    def _command(self, arguments: Sequence[str], context: str) -> list[str]:
        settings = self.settings
        options = [f"--cache-dir={self._cache}", f"--request-timeout={max(1, int(settings.seconds))}s"]
        if settings.kubeconfig is not None:
            options += [f"--kubeconfig={settings.kubeconfig}", f"--context={context or settings.context}"]
        return [settings.kubectl, *options, *arguments]

    async def _run(self, command: Sequence[str], stdin: bytes) -> Output:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=_environment(self.settings),
                limit=_CHUNK,
            )
        except OSError as error:
            raise PluginError("no_kubectl", f"kubectl cannot be started: {error.strerror}.") from None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            _, out, err = await asyncio.gather(
                _feed(process.stdin, stdin),
                _read(process.stdout, self.settings.most_bytes),
                _read(process.stderr, _MOST_STDERR, is_cut=True),
            )
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        said = err.decode("utf-8", "replace").strip()
        return Output(out, (said or f"kubectl ended with status {code}.") if code else "")


def failed(said: str) -> PluginError:
    """The error for what kubectl said when it failed, masked and cut."""
    code = next((code for pattern, code in _CODES if pattern.search(said)), "kubectl_failed")
    lines = [line for line in said.splitlines() if line.strip() and not re.match(r"[EWI]\d{4} ", line)]
    reason = mask_text("\n".join(lines) or said)
    return PluginError(code, reason[:_MOST_REASON] + ("…" if len(reason) > _MOST_REASON else ""))


def read_json(text: str) -> Any:
    """Read what kubectl printed as JSON.

    Raises:
        PluginError: `unreadable`.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise PluginError("unreadable", "What the cluster answered is no JSON.") from None


def _environment(settings: Settings) -> dict[str, str]:
    """The plugin's own, as programs that give credentials need it, without what would choose another cluster."""
    kept = {name: value for name, value in os.environ.items() if name not in ("KUBECONFIG", "PLUGIN_TOKEN")}
    kept |= {"KUBERC": "off", "KUBECTL_KUBERC": "false"}
    # Without a file of its own kubectl would take the one in the home folder before the ServiceAccount.
    return kept if settings.kubeconfig is not None else kept | {"KUBECONFIG": os.devnull}


async def _feed(writer: asyncio.StreamWriter, content: bytes) -> None:
    try:
        writer.write(content)
        await writer.drain()
        writer.close()
        await writer.wait_closed()
    except ConnectionError:
        return  # it ended without reading; what it says of that is in its output


async def _read(reader: asyncio.StreamReader, most: int, is_cut: bool = False) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := await reader.read(_CHUNK):
        size += len(chunk)
        if size <= most:
            parts.append(chunk)
        elif not is_cut:
            raise PluginError("too_large", f"This is more than {most:,} bytes. Ask for less: a name, one namespace.")
    return b"".join(parts)
