"""The processor time of a process, as the kernel counts it: how much it may use, and whether it wants any.

Processor time does not pass while a machine is busy, asleep or stopped, so a limit in it means the same everywhere.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_STATE, _USER_TICKS, _SYSTEM_TICKS = 0, 11, 12  # fields of /proc/<pid>/stat behind the name of the program: proc(5)
_ASLEEP: Final = frozenset("SI")


@dataclass(frozen=True, slots=True)
class ProcessorUse:
    """How a process stands with the processor.

    Attributes:
        ticks: processor time that all its threads have used, in ticks of the kernel (1/100 s).
        is_asleep: whether every thread waits for something other than a processor, a disk or leave to go on.
    """

    ticks: int
    is_asleep: bool


def allow_processor_seconds(seconds: int) -> None:
    """Have the kernel end this process by SIGXCPU once it has used so much more processor time than it has by now."""
    try:
        import resource  # absent on some systems
    except ImportError:
        return
    wanted = math.ceil(time.process_time()) + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def processor_use_or_none(pid: int) -> ProcessorUse | None:
    """How a process stands with the processor; None if it has ended, or where the kernel does not say (only Linux)."""
    folder = Path("/proc") / str(pid)
    try:
        whole = _fields(folder)
        threads = [_fields(thread) for thread in (folder / "task").iterdir()]
        ticks = int(whole[_USER_TICKS]) + int(whole[_SYSTEM_TICKS])
        return ProcessorUse(ticks, all(thread[_STATE] in _ASLEEP for thread in threads))
    except (OSError, ValueError, IndexError):
        return None


def _fields(folder: Path) -> list[str]:
    """The fields behind the program's name, which may hold anything but ends with the last bracket."""
    return (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
