"""What is known about the engine's build: the status file for the window, and the remembered outcome."""

import json
import os
import re
import shlex
import shutil
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal

from _bootstrap_checkout import ENGINE, Checkout, Project, read_or_empty, write_atomically

State = Literal["building", "done", "failed"]
Outcome = Literal["done", "failed"]

READY = "The local model engine is ready."


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class EngineStatus:
    """What the window shows. "building" with a `pid` that is gone means that the build was interrupted."""

    state: State
    percent: int | None
    detail: str
    pid: int = field(default_factory=os.getpid)
    started_at: str = field(default_factory=_now)

    def then(self, state: State, percent: int | None, detail: str) -> "EngineStatus":
        """Return a later status of the same build."""
        return replace(self, state=state, percent=percent, detail=detail)

    def write(self, checkout: Checkout) -> None:
        """Replace the status file in one step."""
        write_atomically(checkout.engine_status, json.dumps(asdict(self)) + "\n")


def written_state(checkout: Checkout) -> str:
    """Return the state in the status file; empty when there is none that can be read."""
    try:
        return str(json.loads(read_or_empty(checkout.engine_status))["state"])
    except (ValueError, KeyError, TypeError):
        return ""


def is_engine_installed(checkout: Checkout, project: Project) -> bool:
    """Tell whether the engine is in `.venv`, complete and in the version that the constraints pin."""
    pinned = re.search(rf"^{ENGINE}==(\S+)", project.constraints, flags=re.MULTILINE)
    distribution = f"{ENGINE.replace('-', '_')}-{pinned[1] if pinned else '*'}.dist-info"
    return any(checkout.site_packages.glob(f"{distribution}/RECORD"))


def find_compilers() -> tuple[str, str] | None:
    """Return the C and the C++ compiler, or None when either is missing."""
    c = _first_program(os.environ.get("CC"), "cc", "gcc", "clang")
    cxx = _first_program(os.environ.get("CXX"), "c++", "g++", "clang++")
    return (c, cxx) if c and cxx else None


def remember_outcome(checkout: Checkout, project: Project, outcome: Outcome) -> None:
    """Note how the build of this very engine ended."""
    write_atomically(checkout.venv / "engine.stamp", _outcome_line(project, outcome))


def remembered_outcome(checkout: Checkout, project: Project) -> Outcome | None:
    """Return how the build ended, unless something that it depends on has changed since."""
    line = read_or_empty(checkout.venv / "engine.stamp")
    outcomes: tuple[Outcome, ...] = ("done", "failed")
    return next((each for each in outcomes if line == _outcome_line(project, each)), None)


def remember_recipe(checkout: Checkout, project: Project) -> None:
    """Note how the engine that is installed was built."""
    write_atomically(checkout.venv / "engine.recipe", project.engine_recipe)


def is_built_by_recipe(checkout: Checkout, project: Project) -> bool:
    """Whether the engine that is installed was built as one would be now; also while none is installed."""
    installed = is_engine_installed(checkout, project)
    return not installed or read_or_empty(checkout.venv / "engine.recipe") == project.engine_recipe


def _outcome_line(project: Project, outcome: Outcome) -> str:
    # A failure may be the compiler's: another one is a reason to try again, but not to build anew.
    tools = [] if outcome == "done" else [*(find_compilers() or ()), os.environ.get("CMAKE_ARGS", "")]
    return " ".join([project.engine_stamp, outcome, *tools])


def _first_program(*commands: str | None) -> str | None:
    """Return the path of the first of some command lines whose program is there."""
    programs = [shlex.split(command)[0] for command in commands if command and command.strip()]
    return next((path for path in map(shutil.which, programs) if path), None)
