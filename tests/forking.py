"""Processes forked from one that has the product imported, which spares most of what their start takes.

`Popen` and `run` are those of `subprocess`, and `create_subprocess_exec` is that of `asyncio`, but what they start with
`python -m <module>` is forked from the parent: one process for all of a run's pytest processes. A forked process lives
as one that was started: with the environment, folder, files, command line and session that were asked for, and with
random numbers, signal handlers and a `__main__` of its own. What it starts of the product is forked in its turn. It is
killed when whoever started it ends, as what the product starts is anyway (`process.parent_death`).

A new process is started elsewhere than on Linux, and where Python itself would read something else in the environment;
and wherever a test uses `subprocess`, since how a process starts or is related to others is what it tests.

`python -m tests.forking` is for tests that are not in Python: alone it has a parent until its standard input ends, and
prints the parent's address; with a command it stands for that process, forked, until one of them ends.

What is not as in a new process: more modules are imported; the seed of hashes is the parent's
(`tests/unit/test_determinism.py` tries others); `os.getppid` gives who asked for the process; `os.execve` of
`python -m <module>` goes on in the same process; and at its end nothing is taken apart, so no `__del__` runs then.
"""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import gc
import inspect
import io
import json
import os
import runpy
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from asyncio.base_subprocess import BaseSubprocessTransport
from asyncio.subprocess import Process, SubprocessStreamProtocol
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

from draftsmith.adapters.process import parent_death

ROOT = Path(__file__).parents[1]
BACKEND = ROOT / "backend"
ADDRESS = "DRAFTSMITH_TESTS_FORK"
"""Names the socket of the parent to the pytest processes of a run."""
CAN_FORK = sys.platform.startswith("linux")

_PATHS: Final = [str(path) for path in (BACKEND, ROOT, *sorted((ROOT / "plugins").iterdir())) if path.is_dir()]
_IMPORTED: Final = (
    "draftsmith.main",
    "draftsmith.cli.group",
    "draftsmith.preparer",
    "draftsmith.snapshotter",
    "draftsmith.adapters.anthropic.errors",
    "draftsmith.adapters.google.errors",
    "draftsmith.adapters.google.streaming",
    "draftsmith.adapters.openai.errors",
    "draftsmith.adapters.server.launched",
    "draftsmith.adapters.server.slow_clients",
    "draftsmith.adapters.server.websocket",
    "draftsmith.api.mcp.server",
    "networkx",
    "uvicorn",
    "uvloop",
)
"""What workers, preparers, snapshotters and commands import, be it later: the SDK of a model alone takes a second."""
_UNDERSTOOD: Final = frozenset(
    ("args", "bufsize", "stdin", "stdout", "stderr", "close_fds", "cwd", "env", "universal_newlines", "pass_fds",
     "start_new_session", "text", "encoding", "errors", "shell")
)  # fmt: skip
_installed: Final[list[str]] = []
"""Where the parent finds modules without being told."""
_ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LONGEST: Final = 1 << 18
_MOST_FILES: Final = 32
_FAR: Final = 200
"""No file that is asked for has such a number."""
_NAME_BYTES: Final = 2048
_exec_subprocess: Final = asyncio.create_subprocess_exec
_execve: Final = os.execve


class Popen(subprocess.Popen[Any]):
    """A process, forked if it can be.

    Attributes:
        line: for a forked one the connection that it lives as long as; its end is told there.
    """

    def __init__(self, args: Sequence[Any], **options: Any) -> None:
        self.line: socket.socket | None = None
        can_fork = _UNDERSTOOD.issuperset(options) and not options.get("shell")
        self._command = command_or_none(args, options.get("env")) if can_fork else None
        super().__init__(args, **options)

    def _execute_child(self, *given: Any) -> None:
        start = super()._execute_child  # type: ignore[misc]
        if self._command is None:
            start(*given)
            return
        asked = inspect.signature(start).bind(*given).arguments
        redirected = enumerate(asked[name] for name in ("p2cread", "c2pwrite", "errwrite"))
        files = {number: number if file == -1 else file for number, file in redirected}
        files |= {number: number for number in asked["pass_fds"]}
        request = {
            "command": self._command,
            "environment": dict(os.environ if asked["env"] is None else asked["env"]),
            "folder": str(asked["cwd"] or Path.cwd()),
            "session": bool(asked["start_new_session"]),
            "asker": os.getpid(),
            "files": list(files),
        }
        try:
            self.line, self.pid = _fork(request, list(files.values()))
            self._child_created = True
        finally:
            ends = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
            self._close_pipe_fds(*(asked[name] for name in ends))  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if self.line is None:
            return super()._try_wait(wait_flags)  # type: ignore[misc]
        try:
            told = self.line.recv(_LONGEST, socket.MSG_DONTWAIT if wait_flags & os.WNOHANG else 0)
        except BlockingIOError:
            return 0, 0
        except ConnectionError:
            told = b""
        self.line.close()
        # Nothing but the end of the line: the parent is gone, and all that it has forked with it.
        return self.pid, int(told or signal.SIGKILL)

    def _internal_poll(self, _deadstate: int | None = None, **more: Any) -> int | None:
        if self.line is None:
            return super()._internal_poll(_deadstate, **more)  # type: ignore[misc]
        if self.returncode is None and self._waitpid_lock.acquire(blocking=False):  # type: ignore[attr-defined]
            try:
                if self.returncode is None and (ended := self._try_wait(os.WNOHANG))[0]:
                    self._handle_exitstatus(ended[1])  # type: ignore[attr-defined]
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode


def run(
    args: Sequence[Any], *, check: bool = False, timeout: float | None = None, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a command, forked if it can be, as `subprocess.run` does."""
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Popen(args, **options) as process:
        try:
            out, errors = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(args, process.returncode, out, errors)
    if check:
        done.check_returncode()
    return done


async def create_subprocess_exec(*args: Any, **options: Any) -> Process:
    """Start a process of the running loop, forked if it can be, as `asyncio.create_subprocess_exec` does."""
    if command_or_none(args, options.get("env")) is None:
        return await _exec_subprocess(*args, **options)
    loop = asyncio.get_running_loop()
    protocol = SubprocessStreamProtocol(limit=options.pop("limit", 1 << 16), loop=loop)
    stdin, stdout, stderr = (options.pop(name, None) for name in ("stdin", "stdout", "stderr"))
    connected = loop.create_future()
    transport = _Transport(loop, protocol, args, False, stdin, stdout, stderr, 0, connected, **options)
    try:
        await connected
    except BaseException:
        transport.close()
        raise
    return Process(transport, protocol, loop)


class _Transport(BaseSubprocessTransport):
    """What `asyncio` has of a process; for every kind of loop."""

    def _start(self, args: Any, **options: Any) -> None:  # type: ignore[override]
        self._proc = Popen(args, **options)
        assert self._proc.line is not None
        # A descriptor of its own: the line is closed once somebody has asked how the process ended.
        self._end = self._proc.line.dup()
        self._loop.add_reader(self._end, self._on_end)

    def close(self) -> None:
        """Close it; what had to be killed for that has ended then, since the loop may be gone before it is told."""
        super().close()
        if self._proc is not None and self._proc.returncode is None:
            self._proc.wait()
            self._on_end()

    def _on_end(self) -> None:
        code = self._proc.poll()
        if code is not None and self._end.fileno() != -1:
            self._loop.remove_reader(self._end)
            self._end.close()
            self._process_exited(code)


def command_or_none(args: Sequence[Any], environment: Mapping[str, str] | None) -> list[str] | None:
    """The command as a forked process would have it; None if a new one has to be started for it."""
    words = [str(word) for word in args]
    if words[1:3] == ["-I", "-S"] and words[3:4] == [parent_death.__file__]:
        del words[:5]  # a forked process ends with whoever asked for it without that
    module = words.index("-m") if "-m" in words[1:-1] else 0
    if not CAN_FORK or words[:1] != [sys.executable] or not module or words[1:module] not in ([], ["-P"]):
        return None
    environment = os.environ if environment is None else environment
    read = {name for name in (*environment, *os.environ) if name.startswith("PYTHON")} - {"PYTHONPATH"}
    if any(environment.get(name) != os.environ.get(name) for name in read):
        return None  # the interpreter reads them when it starts
    # Modules that lie elsewhere may be there in place of imported ones.
    return words if set(_python_path(environment)) <= set(_PATHS) else None


def _python_path(environment: Mapping[str, str]) -> list[str]:
    return [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]


def _fork(request: Mapping[str, Any], files: Sequence[int]) -> tuple[socket.socket, int]:
    """Have the parent fork a process; the connection that it lives as long as, and its id."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        line.connect(_address())
        socket.send_fds(line, [json.dumps(request).encode()], files)
        told = line.recv(_LONGEST)
        if not told:
            raise OSError("the parent of forked processes has ended")
    except BaseException:
        line.close()
        raise
    return line, int(told)


@cache
def _address() -> str:
    return os.environ.get(ADDRESS) or start_parent()


def start_parent() -> str:
    """Start the process that those of this run are forked from; its address, which the environment has from now on.

    It imports the product when it is first asked, and ends with this process.
    """
    address = str(Path(tempfile.mkdtemp(prefix="ds-")) / "s")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen(512)
        number = listener.fileno()
        code = f"import sys; sys.path[:0] = {_PATHS}; from tests.forking import Parent; Parent({number}).run()()"
        # The comment makes room for the names of processes.
        command = [sys.executable, "-P", "-c", f"{code}  #{'.' * _NAME_BYTES}"]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        parent = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, pass_fds=[number])
    os.environ[ADDRESS] = address

    def end() -> None:
        assert parent.stdin is not None
        parent.stdin.close()
        parent.wait()

    atexit.register(end)
    return address


class Parent:
    """The process that others are forked from. Its standard input is closed when the run is over."""

    def __init__(self, listener: int) -> None:
        """Answer on a socket, which listens."""
        _installed[:] = sys.path[len(_PATHS) :]
        self._listener = socket.socket(fileno=listener)
        self._address = Path(self._listener.getsockname())
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, socket.socket] = {}
        self._is_ready = False
        self._handlers: dict[signal.Signals, Any] = {}
        self._woken, self._wakes = os.pipe()

    def run(self) -> Callable[[], object]:
        """Fork processes until the run is over; what is then to be done, in a forked process what it is for."""
        _show_as(["tests.forking"])
        os.set_blocking(self._wakes, False)
        self._handlers[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in _ENDINGS:
            # Whoever sends them to all of a run means the tests, after whose end nobody is there to ask any more.
            self._handlers[number] = signal.signal(number, signal.SIG_IGN)
        signal.set_wakeup_fd(self._wakes, warn_on_full_buffer=False)
        for file in (sys.stdin, self._woken, self._listener):
            self._selector.register(file, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    return partial(shutil.rmtree, self._address.parent, ignore_errors=True)
                if key.fileobj is self._listener:
                    self._selector.register(self._listener.accept()[0], selectors.EVENT_READ)
                elif key.fileobj == self._woken:
                    os.read(self._woken, _LONGEST)
                    self._tell_ends()
                elif (child := self._answer(key.fileobj)) is not None:
                    return child

    def _answer(self, line: socket.socket) -> Callable[[], object] | None:
        """Fork what is asked for, and end it when nobody is there any more; in the forked process, what it is for."""
        if line.fileno() < 0:
            return None  # closed since it became readable
        try:
            message, files, _, _ = socket.recv_fds(line, _LONGEST, _MOST_FILES)
        except ConnectionError:
            message, files = b"", []
        if not message:
            self._forget(line)
            return None
        self._get_ready()
        request = json.loads(message)
        signal.pthread_sigmask(signal.SIG_BLOCK, self._handlers)  # none may meet the parent's handler in the child
        pid = os.fork()
        if pid == 0:
            self._close()
            os.environ[ADDRESS] = str(self._address)
            return partial(_be_process, request, files)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, self._handlers)
        for file in files:
            os.close(file)
        self._running[pid] = line
        with suppress(OSError):
            line.send(str(pid).encode())
        return None

    def _get_ready(self) -> None:
        if self._is_ready:
            return
        gc.disable()  # as a worker does while it imports
        for module in _IMPORTED:
            import_module(module)
        gc.freeze()  # nor do forked processes look through it
        assert len(list(Path("/proc/self/task").iterdir())) == 1, "a process with threads cannot be forked safely"
        self._is_ready = True

    def _forget(self, line: socket.socket) -> None:
        for pid, its in list(self._running.items()):
            if its is line:
                os.kill(pid, signal.SIGKILL)
                del self._running[pid]
        self._selector.unregister(line)
        line.close()

    def _tell_ends(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                line = self._running.pop(ended[0], None)
                if line is not None:
                    with suppress(OSError):
                        line.send(str(ended[1]).encode())
                    self._forget(line)

    def _close(self) -> None:
        """Have nothing open that is the parent's."""
        signal.set_wakeup_fd(-1)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, self._handlers)
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        self._selector.close()
        os.close(self._woken)
        os.close(self._wakes)


def _be_process(request: Mapping[str, Any], files: Sequence[int]) -> NoReturn:
    """Go on as the process that was asked for."""
    parent_death.die_with_parent(os.getppid())
    if request["session"]:
        os.setsid()
    away = [fcntl(file, F_DUPFD_CLOEXEC, _FAR) for file in files]
    for file in files:
        os.close(file)
    for file, number in zip(away, request["files"], strict=True):
        os.dup2(file, number)
        os.close(file)
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        before = getattr(sys, name)
        unbuffered = before.write_through  # PYTHONUNBUFFERED
        file = open(number, f"{mode}b", 0 if unbuffered and mode == "w" else -1, closefd=False)  # noqa: SIM115  # for as long as the process lives
        by_lines = not unbuffered and (name == "stderr" or os.isatty(number))
        after = io.TextIOWrapper(
            file, before.encoding, before.errors, line_buffering=by_lines, write_through=unbuffered
        )
        setattr(sys, name, after)
        setattr(sys, f"__{name}__", after)
    os.chdir(request["folder"])
    tempfile.tempdir = None
    # What it asks and starts itself.
    address, asker = os.environ[ADDRESS], request["asker"]
    _address.cache_clear()
    globals()["_address"] = lambda: address
    os.getppid = lambda: asker
    os.execve = _go_on
    subprocess.Popen = Popen  # type: ignore[misc]
    asyncio.create_subprocess_exec = create_subprocess_exec
    _become(request["command"], request["environment"])


def _go_on(path: Any, args: Sequence[Any], environment: Mapping[str, str]) -> NoReturn:
    """`os.execve`, but `python -m <module>` goes on in the same process."""
    command = command_or_none(args, environment)
    if command is None:
        _execve(path, args, environment)
    _become(command, environment)


def _become(command: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Do what a new process does for a command, and end."""
    os.environ.clear()
    os.environ.update(environment)
    _show_as(command)
    module = command.index("-m") + 1
    safe = command[1] == "-P"
    sys.path[:] = dict.fromkeys([*([] if safe else [str(Path.cwd())]), *_python_path(environment), *_installed])
    sys.argv[:] = [command[module], *command[module + 1 :]]
    sys.orig_argv[:] = command
    if "PROMETHEUS_MULTIPROC_DIR" in environment:
        _share_metrics()
    sys.modules.pop(command[module], None)  # else there would be a warning that it is there twice
    gc.enable()
    code = 0
    try:
        runpy.run_module(command[module], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise  # which is printed
        code = end.code or 0
    _end(code)


def _end(code: int) -> NoReturn:
    """End as Python does, but take nothing apart: that would copy all memory that is shared with the parent."""
    threading._shutdown()  # type: ignore[attr-defined]  # waits for those that are no daemons
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)  # Python has a way to tell that
    os._exit(code & 0xFF)


def _share_metrics() -> None:
    """Have the metrics, which were made when the product was imported, in files that workers share."""
    from prometheus_client import REGISTRY, values
    from prometheus_client.metrics import MetricWrapperBase

    values.ValueClass = values.get_value_class()
    for metric in set(REGISTRY._names_to_collectors.values()):
        if isinstance(metric, MetricWrapperBase) and metric._is_observable():
            metric._metric_init()


def _show_as(command: Sequence[str]) -> None:
    """Have a process shown with a command line, by `ps` and to tests that look for it."""
    fields = Path("/proc/self/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    start, end = int(fields[45]), int(fields[46])  # arg_start, arg_end: proc(5)
    if not 0 < start < end:
        return
    # Its end is not zero, so what is shown ends with the first zero and not there.
    line = " ".join(command).encode()[: end - start - 2].ljust(end - start - 1, b"\0") + b"\1"
    ctypes.memmove(start, line, len(line))


def main() -> int:
    """Have a parent until standard input ends, or run the command of the command line; the exit code."""
    if not sys.argv[1:]:
        address = start_parent()
        for number in _ENDINGS:  # not before: what is forked would ignore them, too
            signal.signal(number, signal.SIG_IGN)
        print(address, flush=True)
        sys.stdin.read()
        return 0
    started, early = list[Popen](), list[int]()
    for number in _ENDINGS:  # before it starts: whoever hears of it may end it at once
        signal.signal(number, lambda number, _: started[0].send_signal(number) if started else early.append(number))
    process = Popen(sys.argv[1:])
    started.append(process)
    for number in early:
        process.send_signal(number)
    code = process.wait()
    return int(code) if code >= 0 else 128 - int(code)


if __name__ == "__main__":
    sys.exit(main())
