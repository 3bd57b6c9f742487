"""One way out: what it does, how it is seen from outside, and whether it would work without the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.run_facts import PathUse
from tests.long.escapes.world import World


@dataclass(frozen=True)
class Evidence:
    """What there is to judge by after a run."""

    world: World
    script: Path
    workspace: Path
    output: str
    """All that it printed."""
    response: RunnerResponse | None = None
    """`None` of a run without the sandbox."""
    script_text: str = ""

    def said(self, name: str) -> bool:
        """The script got through where nothing is left to be seen: it says so with our mark."""
        return f"{self.world.mark}:{name}" in self.output

    def leaked(self, name: str) -> bool:
        return self.world.secret(name) in self.output


@dataclass(frozen=True)
class Around:
    """How a run is asked for, beyond its code."""

    launcher: tuple[str, ...] = ()
    """Makes it a folder ability, which names this program."""
    uses: tuple[PathUse, ...] = ()
    """What was approved, as it was seen then."""
    swap: str = ""
    """What another run does on the disk between the last look and the mount, for the shell."""
    before: str = ""
    """What it does after the ability was read, and before it is asked for."""
    net: bool = False
    sockets: bool = False


@dataclass(frozen=True)
class Attempt:
    """`code` is a function's body; `W` holds what an attacker would know, `got(name)` says "I am out"."""

    name: str
    tried: str
    code: str
    escaped: Callable[[Evidence], bool]
    no_control: str = ""
    """Why it cannot be tried without the sandbox; empty: it is, and must succeed there."""
    needs_root: bool = False
    """The control needs root; elsewhere there is none."""
    alone: bool = False
    """It ends its run, or needs it to itself."""
    net: bool = False
    read: tuple[str, ...] = ()
    """Canaries that the run may read."""
    write: tuple[str, ...] = ()
    around: Callable[[World], Around] | None = None
    """What is put around the script, for ways that begin outside of the sandbox."""
    timeout_s: float = 20.0
    suite: bool = False
    """It runs with the tests, too."""


def leaks(name: str) -> Callable[[Evidence], bool]:
    """The secret is in what the run printed."""
    return lambda seen: seen.leaked(name)


def touches(name: str) -> Callable[[Evidence], bool]:
    """The file is not as it was."""
    return lambda seen: seen.world.touched(name)


def reaches(name: str) -> Callable[[Evidence], bool]:
    """Somebody came to the socket."""
    return lambda seen: seen.world.heard(name)


def says(name: str) -> Callable[[Evidence], bool]:
    """The script says that it got through."""
    return lambda seen: seen.said(name)


def appears(path: str) -> Callable[[Evidence], bool]:
    """A file of that name lies outside."""
    return lambda seen: (seen.world.outside / path).exists()


def dead(seen: Evidence) -> bool:
    """The other program is no more."""
    return seen.world.victim.poll() is not None
