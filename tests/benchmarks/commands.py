"""What a command costs: one that attaches to a running host, and one that becomes the host and answers.

Processor seconds of the whole process, the least of several starts, and their ratio to a bare interpreter
with what both have to load: `python -c "import asyncio, json, socket, pydantic"`, started in turn with them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

_ROUNDS = 7
_BARE = "import asyncio, json, socket, pydantic"
_LIST = "from partner_desktop.cli import main; raise SystemExit(main())"
#: Of the bare interpreter's processor time; on the machine of the issue 0.25 and 0.65 seconds.
MOST_ATTACHED, MOST_HOSTING = 2.5, 6.0


def measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        used, free = Path(folder) / "used", Path(folder) / "free"
        for home in (used, free):  # the first start of a home lays out what is shipped
            _cpu_s([sys.executable, "-c", _LIST, "--home", str(home), "actions", "list"])
        with _Host(used):
            ways: dict[str, Callable[[], float]] = {
                "bare": lambda: _cpu_s([sys.executable, "-c", _BARE]),
                "attached": lambda: _cpu_s(_list(used)),
                "hosting": lambda: _cpu_s(_list(free)),
            }
            times = [{name: way() for name, way in ways.items()} for _ in range(_ROUNDS)]
    least = {name: min(one[name] for one in times) for name in ways}
    attached, hosting = least["attached"] / least["bare"], least["hosting"] / least["bare"]
    return {
        **{f"{name}_cpu_s": round(value, 3) for name, value in least.items()},
        "attached_ratio": round(attached, 2),
        "hosting_ratio": round(hosting, 2),
        "ok": attached <= MOST_ATTACHED and hosting <= MOST_HOSTING,
    }


def _list(home: Path) -> list[str]:
    return [sys.executable, "-c", _LIST, "--home", str(home), "actions", "list"]


def _cpu_s(command: Sequence[str]) -> float:
    """Of a process and of those that it waited for."""
    # As it is installed: compiled once, with its first start.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ
    ) as process:
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[-1]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


class _Host:
    """A Partner that runs on a home until its input ends."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LIST, "--home", str(home), "chat", "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("hello\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if '"type": "done"' in line:
                return

    def __exit__(self, *exc: object) -> None:
        self._process.communicate()
