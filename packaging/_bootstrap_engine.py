"""Who builds the engine, and when: behind the window for `run`, in the foreground for `test`."""

import os
import subprocess
import sys
from typing import IO

from _bootstrap_builder import REBUILD, EngineBuild
from _bootstrap_checkout import Checkout, Project, hold, say, try_to_hold
from _bootstrap_status import (
    READY,
    EngineStatus,
    find_compilers,
    is_engine_installed,
    remembered_outcome,
    written_state,
)

BUILDER_COMMAND = "build-engine-behind-the-window"
NICENESS = 10

NO_COMPILER = (
    "No C/C++ compiler was found, so the local model engine is not built; everything else works. "
    "Install one (on Debian: apt-get install build-essential) and start again."
)
FAILED_BEFORE = (
    "The local model engine could not be built and nothing has changed since, so it is not tried again "
    "(its log: {log}; to try: python3 packaging/bootstrap.py run " + REBUILD + ")."
)
BUILDING_ALREADY = "The local model engine is being built already."


def start_build_behind(
    checkout: Checkout, project: Project, *, rebuild: bool
) -> subprocess.Popen[bytes] | None:
    """Start the build as a process that outlives the window, if one is needed and none runs."""
    if project.engine is None:
        return None
    with checkout.engine_lock.open("a", encoding="utf-8") as lock:
        if not try_to_hold(lock):
            say(BUILDING_ALREADY)
            return None
        if _is_settled(checkout, project, rebuild=rebuild):
            return None
        log_name = checkout.relative(checkout.engine_log)
        say(f"Building the local model engine behind the window (log: {log_name}).")
        # Until the builder writes its own status, this process stands for it.
        EngineStatus("building", None, "Starting the build of the local model engine.").write(checkout)
        return _spawn_builder(checkout, lock, rebuild=rebuild)


def build_in_foreground(checkout: Checkout, project: Project) -> None:
    """Build the engine now, with short progress lines; a failed build is a sentence, not an error."""
    if project.engine is None or remembered_outcome(checkout, project) == "done":
        return
    with hold(
        checkout.engine_lock, sentence_while_waiting=f"{BUILDING_ALREADY[:-1]}; waiting for it."
    ) as lock:
        if not _is_settled(checkout, project, rebuild=False):
            log_name = checkout.relative(checkout.engine_log)
            say(f"Building the local model engine; this takes some minutes (log: {log_name}).")
            EngineBuild(checkout, project, lock=lock, report=_ProgressLines()).run(rebuild=False)


def build_as_builder(checkout: Checkout, project: Project, arguments: list[str]) -> int:
    """Be the process that `start_build_behind` starts; return the exit code.

    `arguments` are the inherited lock's descriptor and, if so, `--rebuild-engine`.
    """
    os.nice(NICENESS)  # the window comes first
    with os.fdopen(int(arguments[0]), "a", encoding="utf-8") as lock:
        build = EngineBuild(checkout, project, lock=lock, report=lambda _status: None)
        return 0 if build.run(rebuild=REBUILD in arguments).state == "done" else 1


def _is_settled(checkout: Checkout, project: Project, *, rebuild: bool) -> bool:
    """Tell whether there is nothing to build, or no way to; say so, and leave the right status behind."""
    outcome = None if rebuild else remembered_outcome(checkout, project)
    is_installed = is_engine_installed(checkout, project)
    if outcome == "done" or (outcome == "failed" and is_installed):  # a rebuild failed; the old one works
        if written_state(checkout) != "done":
            EngineStatus("done", 100, READY).write(checkout)
        return True
    if find_compilers() is None and not is_installed:
        return _settle_as_failed(checkout, NO_COMPILER)
    if outcome == "failed":
        return _settle_as_failed(checkout, FAILED_BEFORE.format(log=checkout.relative(checkout.engine_log)))
    return False


def _settle_as_failed(checkout: Checkout, sentence: str) -> bool:
    say(sentence)
    EngineStatus("failed", None, sentence).write(checkout)
    return True


def _spawn_builder(checkout: Checkout, lock: IO[str], *, rebuild: bool) -> subprocess.Popen[bytes]:
    """Start this bootstrap once more, in a session of its own: closing the terminal does not end it."""
    bootstrap = checkout.root / "packaging" / "bootstrap.py"
    descriptor = lock.fileno()
    command = [
        sys.executable,
        str(bootstrap),
        BUILDER_COMMAND,
        str(descriptor),
        *([REBUILD] if rebuild else []),
    ]
    with checkout.engine_log.open("a", encoding="utf-8") as log:
        return subprocess.Popen(
            command,
            cwd=checkout.root,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=(descriptor,),
        )


class _ProgressLines:
    """Print a build's progress: a line for each phase, and one for each tenth of the compile."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, status: EngineStatus) -> None:
        line = status.detail
        if status.state == "building" and status.percent is not None and status.percent < 99:
            line = f"Building the local model engine: {status.percent // 10 * 10} %."
        if line != self._last:
            say(line)
        self._last = line
