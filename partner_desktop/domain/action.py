"""Action: something proposed to the person, from proposal to outcome. One row in the database.

ResultPart is a piece of a result that is more than its text: a picture, a sound, a link, a file.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan import Plan, Stage, Step
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk
from partner_desktop.domain.schedule import Terms
from partner_desktop.domain.verification import Verification


@dataclass(frozen=True)
class ResultPart:
    """One piece. What is large lies in the run's own folder, at `path`."""

    kind: Literal["image", "audio", "link", "resource", "file"]
    title: str = ""
    mime: str = ""
    path: str = ""
    uri: str = ""
    size_bytes: int = 0


class ActionStatus(StrEnum):
    """Where an action stands."""

    ASKING = "asking"
    """Something was asked in the chat: a required parameter, or which of several abilities was meant."""
    WAITING = "waiting"
    """It waits for the person's decision."""
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """Partner ended while it ran; how far it came is unknown."""
    EXPIRED = "expired"
    """Nobody answered in time."""

    @property
    def ended(self) -> bool:
        return self not in (ActionStatus.ASKING, ActionStatus.WAITING, ActionStatus.RUNNING)


@dataclass(frozen=True)
class RunFile:
    """A file that a run left in its workspace."""

    name: str
    """Relative to the workspace."""
    size_bytes: int


class UndoState(StrEnum):
    """Whether what a run did to files can be taken back."""

    POSSIBLE = "possible"
    DONE = "done"
    """It was taken back."""
    GONE = "gone"
    """It was possible once; the copies are kept no more, or the files went on changing."""


@dataclass(frozen=True)
class Undo:
    """What the undo journal holds for one run."""

    state: UndoState
    count: int
    """How many files the run changed, made or removed."""
    note: str = ""
    """One sentence: what of it cannot be taken back, or why none of it."""


@dataclass(frozen=True)
class KnownValue:
    """An argument that the person did not say, because it is known."""

    param: str
    who: str
    """Whose it is."""
    at: datetime
    """When the person told it."""
    message_id: str = ""
    """Where; empty: it was entered by hand."""
    conversation_id: str = ""


@dataclass(frozen=True)
class ActionRecord:
    """One row of the actions table."""

    id: str
    conversation_id: str
    exchange_id: str
    """Empty: it was never asked for here, an imported file brought it."""
    key: str
    title: str
    description: str
    params: JsonObject
    schema: JsonObject
    """JSON Schema of the parameters at the time of the proposal."""
    status: ActionStatus
    created_at: datetime
    content_hash: str = ""
    risk: Risk = Risk.WRITE
    isolation: Isolation | None = None
    paths: tuple[PathUse, ...] = ()
    source_path: str = ""
    request_text: str = ""
    """The words that led here."""
    language: str = ""
    """What the conversation was held in then, as in `base/prompts.py`; empty: unknown."""
    cwd: str = ""
    """What relative paths are relative to."""
    program: str = ""
    """The program that asked for it, as that calls itself; a yes that reaches further is for that program."""
    asked_param: str = ""
    """With ASKING: the parameter that was asked for."""
    options: tuple[str, ...] = ()
    """With ASKING: the keys of the abilities of which one is to be chosen, the likeliest first."""
    asked_at: datetime | None = None
    """With ASKING: when the person was asked last."""
    candidates: tuple[str, ...] = ()
    """With ASKING: the values of which one was meant, in the order in which they were offered."""
    kept: Literal["", "left", "back"] = ""
    """With ASKING: the person went on to something else, and was asked again since."""
    waits_until: datetime | None = None
    """With WAITING: when it expires unless it is decided on; kept when it did."""
    reminded: bool = False
    """With WAITING: the person was told that the end is near."""
    number: int = 0
    """With WAITING: which of the cards that wait beside it this is, counted from 1; 0: it was not counted."""
    known: tuple[KnownValue, ...] = ()
    """Of the arguments: those that come from what is known of people."""
    asks_first: bool = False
    """It is put to the person, whatever allows it."""
    grantable: bool = True
    """Whether "always" may be offered."""
    was_allowed: bool = False
    """With WAITING: an earlier version of the ability was allowed beyond one run; it was edited since."""
    once: bool = False
    """Once it is done, doing the same again makes no sense."""
    started_at: datetime | None = None
    finished_at: datetime | None = None
    exit_code: int | None = None
    stdout: str = ""
    stderr: str = ""
    data: Json = None
    error: str = ""
    truncated: bool = False
    stdout_path: str = ""
    stderr_path: str = ""
    """Where the whole output lies, when its text here is shortened."""
    duration_ms: int = 0
    parts: tuple[ResultPart, ...] = ()
    files: tuple[RunFile, ...] = ()
    """What it left in its workspace, at most a hundred of them; they can be kept."""
    files_until: datetime | None = None
    """With files: when they are removed unless they were kept."""
    undo: Undo | None = None
    """`None`: it changed no files of the person's, or nothing watched it."""
    resumes: int = 0
    """How often it was begun again because Partner had ended while it ran."""
    chain: Plan | None = None
    """What it does in several steps; `None`: it is one call."""
    verification: Verification | None = None
    """What was found when it was checked whether what it claims is so; `None`: nobody looked."""
    terms: Terms | None = None
    """When it is to be done, where that is not now: a yes to it makes a schedule of it."""
    schedule_id: str = ""
    """With `terms`: the schedule that it became. Else: the schedule that it is a firing of."""
    parent_id: str = ""
    """The action whose chain this is a step of; empty: it stands for itself."""

    @property
    def plan(self) -> Plan:
        """What it does in steps; a single call is the one step of its plan, under the same id."""
        if self.chain is not None:
            return self.chain
        step = Step(
            id=self.id,
            key=self.key,
            title=self.title,
            text=self.request_text,
            params=self.params,
            schema=self.schema,
            risk=self.risk,
            isolation=self.isolation or _UNKNOWN_HOLD,
            paths=self.paths,
            content_hash=self.content_hash,
            source_path=self.source_path,
        )
        return Plan((Stage((step,)),), asked_step=self.id if self.asked_param else "")

    def is_older_than(self, known: ActionRecord) -> bool:
        """Whether it came late: what has ended does not begin again, but for a plan that is taken up anew."""
        taken_up = known.status is ActionStatus.FAILED and self.status is ActionStatus.RUNNING
        is_new = taken_up and self.chain is not None and self.exchange_id != known.exchange_id
        return known.status.ended and not self.status.ended and not is_new

    @property
    def wants_name(self) -> bool:
        """Whether a bare yes in words is too little: nothing holds a run that could change something.

        The sandbox holds. Of Partner's own abilities, what only looks needs no hold, and work on files is
        held by the places that the card shows: it touches nothing else, and undo takes it back. A command
        line with a hazard is never held. A chain is as its most dangerous step.
        """
        parts = self.chain.steps if self.chain is not None else (self,)
        return any(_is_unheld(part.key, part.isolation, part.risk) for part in parts)


#: Nobody has looked yet at what will hold it.
_UNKNOWN_HOLD = Isolation(sandboxed=False, net=True, summary="")
#: Partner's own work on files.
_OWN_FILES = "builtin::files::"


def _is_unheld(key: str, isolation: Isolation | None, risk: Risk) -> bool:
    if isolation is None or isolation.hazard:
        return True
    return not isolation.sandboxed and risk is not Risk.READ and not key.startswith(_OWN_FILES)
