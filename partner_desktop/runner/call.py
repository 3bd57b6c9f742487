"""Call: one submission on its way through a RunnerClient and the wrappers around it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import RunFile
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.meta_action import MetaAction
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.permission.request import Decision

#: How much is done, of how much (`None`: nobody knows), and a word about it. Called on the loop.
OnProgress = Callable[[float, float | None, str], None]

#: A piece of what a run prints: the stream, and the text made fit to show. Called on the loop.
OnOutput = Callable[[Stream, str], None]

#: The files that a run left in its workspace. Called in the run's own thread.
OnLeft = Callable[[tuple[RunFile, ...]], None]

#: Around a question to the person: meanwhile the time of the run stands still.
Asking = Callable[[], AbstractContextManager[None]]


def silent(done: float, total: float | None, message: str) -> None:
    """Nobody wants to hear how far it is."""


def unnoted(files: tuple[RunFile, ...]) -> None:
    """Nobody asks what it left."""


def unheard(stream: Stream, text: str) -> None:
    """Nobody looks on."""


@dataclass(frozen=True)
class Call:
    """What shall run, under which decision, and what it may touch."""

    meta_action: MetaAction
    decision: Decision
    paths: tuple[PathUse, ...] = ()
    """The approved paths, resolved."""
    on_progress: OnProgress = silent
    asking: Asking = nullcontext
    on_output: OnOutput = unheard
    on_left: OnLeft = unnoted
