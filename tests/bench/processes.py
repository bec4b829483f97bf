"""What processes cost."""

import os
import resource
import subprocess
import time
from pathlib import Path

_PARENT, _TIMES = 1, slice(11, 15)  # fields of /proc/PID/stat behind the name; see proc_pid_stat(5)


def cost(command, **how):
    """(wall seconds, CPU seconds) of a whole process with all its children; `how` is `subprocess.run`'s."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(command, check=True, **how)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def below(root):
    """{pid: (CPU seconds, command line)} of `root` and all below it, with those that have ended."""
    stats = {int(folder.name): found for folder in Path("/proc").glob("[0-9]*") if (found := _read(folder))}
    family = {root}
    while more := {pid for pid, (parent, *_rest) in stats.items() if parent in family} - family:
        family |= more
    return {pid: stats[pid][1:] for pid in family if pid in stats}


def cpu_seconds(root):
    return sum(seconds for seconds, _command in below(root).values())


def parent_of(pid):
    return _read(Path(f"/proc/{pid}"))[0]


def _read(folder):
    """(parent, CPU seconds, command line); None when it has ended."""
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        command = (folder / "cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(fields[_PARENT]), sum(map(int, fields[_TIMES])) / os.sysconf("SC_CLK_TCK"), command
