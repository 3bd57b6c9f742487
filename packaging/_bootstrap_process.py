"""Children of the bootstrap: installers whose output goes to a log, and the app or pytest in the foreground.

Contract: no child outlives the call that started it, unless this process is killed outright; an installer
then keeps the lock that it has inherited until it ends.
"""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

GRACE_S = 10.0


def run_logged(
    command: list[str],
    log_path: Path,
    *,
    lock: IO[str],
    cwd: Path,
    variables: Mapping[str, str] | None = None,
) -> int:
    """Run an installer, its output going to the end of a log; return its exit code."""
    with log_path.open("a", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=os.environ | (variables or {}),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            process_group=0,
            pass_fds=(lock.fileno(),),
        )
    with ended_with_its_group(process):
        return process.wait()


@contextmanager
def ended_with_its_group(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> Iterator[None]:
    """When the block is left by an exception, end a child that leads its group, and all below it.

    SIGINT comes first: pip then deletes its temporary files.
    """
    try:
        yield
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE_S)
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def run_in_foreground(command: list[str], **variables: str) -> int:
    """Run the app or pytest on this terminal; return a shell's idea of its exit code."""
    process = subprocess.Popen(command, env=os.environ | variables)
    try:
        code = process.wait()
    except KeyboardInterrupt:
        # The terminal has told the child, too: let it end in its own way.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
        raise
    finally:
        _end(process)
    return code if code >= 0 else 128 - code


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a child that still runs, in bounded time."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
