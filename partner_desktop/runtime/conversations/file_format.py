"""The exported conversation as a JSON file, version 1.

    {"format": "partner-desktop.conversation", "version": 1, "exported_at": …,
     "conversation": {"title", "created_at", "updated_at"},
     "messages": [{"role", "text", "state", "created_at", "action_id", "source", "reasoning",
                   "speaker"}, …],
     "actions": [the whole record of each action, …]}

Messages stand in their order; `action_id` names an action of the same file, and so does `parent_id`: the
chain that the action is a step of. Times are ISO 8601 with a zone.
A reader takes times to come as the present.
Fields that a reader does not know are left out by it; what it needs differently gets a new version number.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, Field

from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.chain import ChangeKind, Origin, StepStatus
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.domain.run_facts import Risk

FORMAT = "partner-desktop.conversation"
VERSION = 1

#: No system's exit codes go over 32 bits.
_LARGEST_CODE = 2**32
#: No run took longer than some thirty years.
_LONGEST_MS = 10**12


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("this time is out of range") from error


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class ConversationItem(BaseModel):
    """The conversation itself."""

    title: str
    created_at: Moment
    updated_at: Moment


class MessageItem(BaseModel):
    """One entry."""

    role: Role
    text: str
    created_at: Moment
    state: MessageState = MessageState.DONE
    action_id: str = ""
    source: str = ""
    reasoning: str = ""
    speaker: str = ""


class PathItem(BaseModel):
    """A path that a run could touch."""

    param: str
    path: str
    access: str


class IsolationItem(BaseModel):
    """What held a run."""

    sandboxed: bool
    net: bool
    summary: str
    interpreter: str = ""


class FeedItem(BaseModel):
    """A parameter that another step brings."""

    param: str
    step: str


class StepItem(BaseModel):
    """A step of a chain."""

    id: str
    key: str
    title: str
    text: str = ""
    params: dict[str, Any] = {}
    params_schema: dict[str, Any] = Field(default={}, alias="schema")
    risk: Risk = Risk.WRITE
    isolation: IsolationItem
    paths: list[PathItem] = []
    content_hash: str = ""
    feeds: list[FeedItem] = []
    origin: Origin = "request"
    mends: str = ""
    status: StepStatus = StepStatus.PLANNED
    result: str = ""
    error: str = ""
    started_at: Moment | None = None
    finished_at: Moment | None = None


class StageItem(BaseModel):
    """Steps that ran together."""

    steps: list[StepItem] = []


class ChangeItem(BaseModel):
    """What became different of a chain after it was approved."""

    kind: ChangeKind
    by: Literal["person", "mind", "partner"]
    text: str
    at: Moment


class ChainItem(BaseModel):
    """What an action did in several steps."""

    stages: list[StageItem] = []
    at: int = Field(default=0, ge=0)
    changes: list[ChangeItem] = []
    corrections: int = Field(default=0, ge=0)
    rebuilt: bool = False
    checked: str = ""


class ExportedAction(BaseModel):
    """One action; Any: arguments, results and schemas are whatever JSON they are."""

    id: str
    key: str
    title: str
    description: str = ""
    params: dict[str, Any] = {}
    params_schema: dict[str, Any] = Field(default={}, alias="schema")
    status: ActionStatus
    created_at: Moment
    content_hash: str = ""
    risk: Risk = Risk.WRITE
    isolation: IsolationItem | None = None
    paths: list[PathItem] = []
    request_text: str = ""
    started_at: Moment | None = None
    finished_at: Moment | None = None
    exit_code: int | None = Field(default=None, ge=-_LARGEST_CODE, le=_LARGEST_CODE)
    stdout: str = ""
    stderr: str = ""
    data: Any = None
    error: str = ""
    truncated: bool = False
    duration_ms: int = Field(default=0, ge=0, le=_LONGEST_MS)
    chain: ChainItem | None = None
    parent_id: str = ""
    language: Literal["", "en", "zh"] = ""
