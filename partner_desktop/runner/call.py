"""Call: one submission on its way through a RunnerClient and its wrappers; RunScope: on its route."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

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


@dataclass(frozen=True)
class RunScope:
    """Whose call it is, and where its outputs go."""

    action_id: str
    conversation_id: str
    folder: Path
    """The run's own folder; made by whoever writes into it first."""
    paths: tuple[PathUse, ...] = ()
    """What the run may touch, resolved and approved. Only what runs here can be held to it."""
    held: bool = False
    """Whether the decision was for a run in the sandbox: then it runs there or not at all."""
    approved: str = ""
    """`content_hash` of the ability that was approved; empty: whatever the tool is by now."""
    timeout_s: float | None = None
    """How long a server may take to answer; `None`: as its configuration says."""
    on_progress: OnProgress = silent
    on_output: OnOutput = unheard
    """What a process of this machine prints, as it comes, made fit to show."""
    on_left: OnLeft = unnoted
    """The files that a script left in its workspace; called in the run's own thread, when it has ended."""
    asking: Asking = nullcontext
    """Around a question to the person: meanwhile the time of the run stands still."""
