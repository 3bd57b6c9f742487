"""The engine's build: compile llama-cpp-python with pip, and tell how far it is.

Contract: the caller holds the engine lock, which pip inherits. The compile does not touch the environment,
so packages can be installed meanwhile; only the short last step takes the install lock, too. pip gets a
process group of its own, which is ended with this process, unless this one is killed outright.
"""

import os
import re
import shlex
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

from _bootstrap_checkout import BootstrapError, Checkout, Project, hold, sentence_about
from _bootstrap_pip import (
    explain_pip_failure,
    is_disk_full,
    pip_command,
    pip_install,
    pip_variables,
    remove_half_installed,
)
from _bootstrap_process import ended_with_its_group
from _bootstrap_status import (
    READY,
    EngineStatus,
    State,
    is_built_by_recipe,
    is_engine_installed,
    remember_outcome,
    remember_recipe,
)

Report = Callable[[EngineStatus], None]

TICK_S = 1.0
REBUILD = "--rebuild-engine"
STOPPED = "The build of the local model engine was stopped; it starts again with the next run."
WAITING = "Another bootstrap is installing into .venv; the engine follows when it has ended."

# What pip says when it hands over to the build itself: from there on a failure is the build's.
BUILD_BEGINS = re.compile(r"^\s*Building wheel for ")
# Ninja counts steps, "[12/83]"; make counts percent, "[ 14%]".
NINJA_STEP = re.compile(r"^\s*\[(\d+)/(\d+)\]")
MAKE_STEP = re.compile(r"^\s*\[\s*(\d+)%\]")


class EngineBuild:
    """One build; `report` gets each status after it is written, about once a second."""

    def __init__(self, checkout: Checkout, project: Project, *, lock: IO[str], report: Report) -> None:
        self._checkout = checkout
        self._project = project
        self._lock = lock
        self._report = report
        self._wheels = checkout.venv / "engine-wheels"
        self._status = EngineStatus("building", None, "Preparing the build of the local model engine.")

    def run(self, *, rebuild: bool) -> EngineStatus:
        """Bring the engine into `.venv`; return the last status, "done" or "failed".

        With `rebuild` it is compiled even when it is there. Raises: what stops it from outside, after
        the status file says so.
        """
        try:
            return self._run(rebuild=rebuild)
        except BootstrapError as failure:
            return self._tell("failed", None, str(failure))
        except OSError as error:
            return self._tell("failed", None, sentence_about(error))
        except BaseException:
            self._tell("failed", None, STOPPED)
            raise

    def _run(self, *, rebuild: bool) -> EngineStatus:
        self._tell("building", None, self._status.detail)
        rebuild = rebuild or not is_built_by_recipe(self._checkout, self._project)
        if rebuild or not is_engine_installed(self._checkout, self._project):
            self._compile(rebuild=rebuild)
            self._install(rebuild=rebuild)
            remember_recipe(self._checkout, self._project)
        remember_outcome(self._checkout, self._project, "done")
        return self._tell("done", 100, READY)

    def _tell(self, state: State, percent: int | None, detail: str) -> EngineStatus:
        self._status = self._status.then(state, percent, detail)
        self._status.write(self._checkout)
        self._report(self._status)
        return self._status

    def _compile(self, *, rebuild: bool) -> None:
        """Make wheels of the engine and of what it needs. Raises: BootstrapError."""
        self._checkout.engine_log.write_text("", encoding="utf-8")
        if rebuild:
            shutil.rmtree(self._wheels, ignore_errors=True)
        wheels = str(self._wheels)
        # A wheel that an interrupted build has left is used again; one of pip's cache is not, because it may
        # have been built by another recipe.
        arguments = ["--wheel-dir", wheels, "--find-links", wheels, "--no-cache-dir"]
        self._wheels.mkdir(exist_ok=True)
        progress = _CompileProgress()
        code = self._run_pip("wheel", *arguments, str(self._project.engine), progress=progress)
        if code != 0:
            raise BootstrapError(self._explain(progress))

    def _run_pip(self, *arguments: str, progress: "_CompileProgress") -> int:
        """Run pip, telling how far it is at least every `TICK_S`; return its exit code."""
        with _pip_in_own_group(self._checkout, *arguments, lock=self._lock) as pip, ended_with_its_group(pip):
            reader = threading.Thread(target=_copy_output, args=(pip, self._checkout.engine_log, progress))
            reader.start()
            while reader.is_alive():
                reader.join(TICK_S)
                self._tell("building", progress.percent, progress.detail)
            return pip.wait()

    def _explain(self, progress: "_CompileProgress") -> str:
        """Say why pip failed; a compile that failed is remembered, anything else is tried at each run."""
        log_name = self._checkout.relative(self._checkout.engine_log)
        output = self._checkout.engine_log.read_text(encoding="utf-8", errors="replace")
        if not progress.compiling or is_disk_full(output):
            return explain_pip_failure(output, log_name=log_name)
        remember_outcome(self._checkout, self._project, "failed")
        return (
            f"The local model engine could not be built (its log: {log_name}); everything else works. It is "
            "tried again when its version or the compiler changes, or with: "
            f"python3 packaging/bootstrap.py run {REBUILD}"
        )

    def _install(self, *, rebuild: bool) -> None:
        self._tell("building", 99, "Installing the local model engine.")
        arguments = ["--no-index", "--only-binary=:all:", "--find-links", str(self._wheels)]
        with hold(self._checkout.install_lock, sentence_while_waiting=WAITING) as install_lock:
            remove_half_installed(self._checkout.site_packages)
            if rebuild:
                arguments.append("--force-reinstall")
            pip_install(self._checkout, *arguments, str(self._project.engine), lock=install_lock)
        shutil.rmtree(self._wheels, ignore_errors=True)


class _CompileProgress:
    """What pip's output says about the compile; written by the reader thread, read by the build."""

    def __init__(self) -> None:
        self.percent: int | None = None
        self.detail = "Fetching the sources and build tools of the local model engine."
        self.compiling = False

    def read(self, line: str) -> None:
        """Take in one line of output."""
        if match := NINJA_STEP.match(line):
            step, steps = int(match[1]), int(match[2])
            detail = f"Building the local model engine, step {step} of {steps}."
            self._step(step * 100 // max(steps, 1), detail)
        elif match := MAKE_STEP.match(line):
            self._step(int(match[1]), "Building the local model engine.")
        elif BUILD_BEGINS.match(line):
            self.compiling = True

    def _step(self, percent: int, detail: str) -> None:
        self.compiling = True
        self.percent = min(percent, 98)
        self.detail = detail


def _pip_in_own_group(checkout: Checkout, *arguments: str, lock: IO[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        pip_command(checkout, *arguments),
        cwd=checkout.root,
        env=os.environ | pip_variables() | {"CMAKE_ARGS": _cmake_arguments(checkout)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        process_group=0,
        pass_fds=(lock.fileno(),),
    )


def _cmake_arguments(checkout: Checkout) -> str:
    """Leave out what the app never loads: llama.cpp's helper library, and films. The user's come last.

    Films would be taken apart by another program, which no model's worker may start.
    """
    include = checkout.root / "packaging" / "engine.cmake"
    ours = shlex.join(["-DMTMD_VIDEO=OFF", f"-DCMAKE_PROJECT_llama.cpp_INCLUDE={include}"])
    return f"{ours} {os.environ.get('CMAKE_ARGS', '')}".strip()


def _copy_output(pip: subprocess.Popen[str], log_path: Path, progress: _CompileProgress) -> None:
    """Copy pip's output to the log, line by line, and read the progress in it."""
    assert pip.stdout is not None
    with log_path.open("a", buffering=1, encoding="utf-8") as log:
        for line in pip.stdout:
            log.write(line)
            progress.read(line)
