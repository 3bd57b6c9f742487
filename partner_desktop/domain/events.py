"""What the outside sees happen. Every event has a `type`; `to_json` gives its line for `--json`.

Also an action's record as JSON text: as it is kept in the database and in exported conversations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import field, fields, is_dataclass
from datetime import date, time
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.command_session import CommandSession, Stream
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.elicitation import Elicitation
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.mcp_server import ServerStatus
from partner_desktop.domain.message import Conversation, Message, MessageState
from partner_desktop.domain.model_call import CallTotals, ModelCall
from partner_desktop.domain.model_check import ModelCheck
from partner_desktop.domain.model_download import Download
from partner_desktop.domain.model_status import ModelStatus
from partner_desktop.domain.permission import By, Permissions, Scope
from partner_desktop.domain.remembered import ChatImport, MemoryUnit
from partner_desktop.domain.schedule import Firing, Schedule


class ReplyMode(StrEnum):
    """How `content` joins what came before."""

    APPEND = "append"
    REPLACE = "replace"


@dataclass(frozen=True, kw_only=True)
class Event:
    """Root of the events. `conversation_id` and `exchange_id` are empty where none is concerned."""

    type: ClassVar[str]
    """The name of its class in small letters: `ConversationGoneEvent` is a `conversation_gone`."""
    conversation_id: str = ""
    exchange_id: str = ""

    def __init_subclass__(cls) -> None:
        if "type" not in vars(cls):
            cls.type = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__.removesuffix("Event")).lower()

    def to_json(self) -> JsonObject:
        """One flat JSON object; empty fields stay, so that readers can rely on them."""
        body: JsonObject = {"type": self.type}
        for item in fields(self):
            body[item.name] = as_json(getattr(self, item.name))
        return body


@dataclass(frozen=True, kw_only=True)
class MessageEvent(Event):
    """A message was accepted; it is on disk."""

    message: Message


@dataclass(frozen=True, kw_only=True)
class ProposalEvent(Event):
    """An action was proposed, with everything a card shows."""

    action: ActionRecord
    version: str = ""
    """Of what the card shows: a yes that names it is to this and to nothing else."""


@dataclass(frozen=True, kw_only=True)
class DecisionEvent(Event):
    """A proposal was decided on."""

    action_id: str
    outcome: Literal["allow", "deny"]
    scope: Scope
    by: By
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class RunEvent(Event):
    """A run began."""

    action: ActionRecord


@dataclass(frozen=True, kw_only=True)
class ResultEvent(Event):
    """An action reached its end."""

    action: ActionRecord


@dataclass(frozen=True, kw_only=True)
class ActionEvent(Event):
    """Any other change of an action's row (a question asked, a parameter filled)."""

    action: ActionRecord


@dataclass(frozen=True, kw_only=True)
class ReplyEvent(Event):
    """A piece of a reply. `seq` counts from 0 within one reply; the last has `done` and the whole text."""

    reply_id: str
    seq: int
    content: str
    mode: ReplyMode = ReplyMode.APPEND
    done: bool = False
    stopped: bool = False
    withdrawn: bool = False
    """With `done`: this reply is taken back, its message is gone; another one answers everything."""
    state: MessageState = MessageState.DONE
    """With `done`: how it ended, as its message has it."""
    text: str = ""
    position: int = 0
    reasoning: str = ""
    """The next piece of what the model thinks before it speaks; with `done` all of it. Never in `text`."""


@dataclass(frozen=True, kw_only=True)
class TurnEvent(Event):
    """A turn began or ended in a conversation. When more was said, `started` comes again, with `restarts`."""

    turn_id: str
    state: Literal["started", "ended", "stopped"]
    restarts: int = 0
    """How often it began anew, with more inputs."""
    exchanges: tuple[str, ...] = ()
    """The exchange of each input, in order; the reply goes by the last."""
    offsets_ms: tuple[int, ...] = ()
    """When each was said, after the first."""


@dataclass(frozen=True, kw_only=True)
class ModuleEvent(Event):
    """A module of a turn works, has ended, or failed; what a gateway shows as "what Partner is doing"."""

    turn_id: str
    module: str
    state: Literal["running", "done", "error"]


@dataclass(frozen=True, kw_only=True)
class DoneEvent(Event):
    """Everything that one input set off has come to its end, or waits for the person."""

    status: Literal["ok", "failed", "waiting"]


@dataclass(frozen=True, kw_only=True)
class ErrorEvent(Event):
    """Something failed that the person should know of."""

    message: str
    where: str = ""
    report: str = ""
    """For an unexpected error: the whole report, ready to be copied; empty where the message says all."""


@dataclass(frozen=True, kw_only=True)
class NoticeEvent(Event):
    """The system's event: a sentence for the person from the app itself, or from a `notify` action."""

    title: str
    text: str
    level: Literal["info", "warning", "error"] = "info"
    about: str = ""
    """What it is about: a newer notice about the same takes its place. Empty: it stands for itself."""


@dataclass(frozen=True, kw_only=True)
class ConfigEvent(Event):
    """The settings of one file changed, or what is wrong with it: whoever shows them reads them again."""

    name: str


@dataclass(frozen=True, kw_only=True)
class EntitiesEvent(Event):
    """Something of what is known of people and things changed: whoever shows it reads it again."""


@dataclass(frozen=True, kw_only=True)
class ModelsEvent(Event):
    """The models, or how one of them is, changed: all of them, as they are now."""

    models: tuple[ModelStatus, ...]
    mind: str = "starter"
    """Who answers now: `starter`, or the name of a model."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Conversation → the model that was chosen for it, or `starter`; others are answered by `mind`."""


@dataclass(frozen=True, kw_only=True)
class DownloadsEvent(Event):
    """A download came, went on or ended: all that are not cancelled, the newest first."""

    downloads: tuple[Download, ...]


@dataclass(frozen=True, kw_only=True)
class ModelCheckEvent(Event):
    """A self-test went on or ended: as it is now."""

    check: ModelCheck


@dataclass(frozen=True, kw_only=True)
class UsageEvent(Event):
    """A model was called; `totals` are those of the conversation."""

    call: ModelCall
    totals: CallTotals


@dataclass(frozen=True, kw_only=True)
class AbilitiesEvent(Event):
    """The list of abilities changed: what is new or different, and the keys that are gone."""

    changed: tuple[Ability, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ServersEvent(Event):
    """External MCP servers changed: those that are new or different, and the ids that are gone."""

    changed: tuple[ServerStatus, ...]
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ProgressEvent(Event):
    """How far a run is, as its server tells; `total` is `None` where it does not say."""

    action_id: str
    progress: float
    total: float | None = None
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class OutputEvent(Event):
    """What a run printed since the last of these, made fit to show; not kept beyond what the record keeps."""

    action_id: str
    stream: Stream
    text: str


@dataclass(frozen=True, kw_only=True)
class SessionEvent(Event):
    """A command in the background began, printed, or ended; with `gone` it is listed no more."""

    session: CommandSession
    gone: bool = False


@dataclass(frozen=True, kw_only=True)
class PermissionsEvent(Event):
    """Mode, rules or grants changed: all of them, as they are now."""

    permissions: Permissions


@dataclass(frozen=True, kw_only=True)
class ElicitationEvent(Event):
    """A server asks the person something for a run, or needs the answer no more."""

    elicitation: Elicitation
    open: bool = True


@dataclass(frozen=True, kw_only=True)
class ConversationEvent(Event):
    """A conversation began, got its title, was imported, or was brought back."""

    conversation: Conversation


@dataclass(frozen=True, kw_only=True)
class TakeEvent(Event):
    """The conversation goes on differently from a position on: what was shown from there on is read again."""

    from_position: int
    first_position: int = 0
    """Of the first message that stands there now; 0 while there is none."""


@dataclass(frozen=True, kw_only=True)
class ConversationGoneEvent(Event):
    """A conversation was deleted: it can be brought back until the same event comes with `erased`."""

    conversation: Conversation
    erased: bool = False


@dataclass(frozen=True, kw_only=True)
class DialogRolledEvent(Event):
    """A stretch of a conversation was summed up, or summed up anew: it is in memory as a unit."""

    unit: MemoryUnit


@dataclass(frozen=True, kw_only=True)
class ChatImportEvent(Event):
    """How far an import of chats is."""

    progress: ChatImport


@dataclass(frozen=True, kw_only=True)
class SchedulesEvent(Event):
    """Schedules are new or otherwise, and the ids of those that are gone."""

    changed: tuple[Schedule, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReminderEvent(Event):
    """The person is reminded of something now; it can be put off, or said to be done."""

    schedule: Schedule
    firing: Firing
    quiet: bool = False
    """It is in the conversation, and nothing else is to call for attention: the hours are quiet."""


def as_json(value: Any) -> Json:  # noqa: ANN401, PLR0911 - the one place that turns any domain value into JSON
    """Domain values as JSON: dataclasses as objects, times as ISO 8601, paths as text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (date, time)):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    if is_dataclass(value):
        return {item.name: as_json(getattr(value, item.name)) for item in fields(value)}
    raise TypeError(f"no JSON form for {type(value).__name__}")


def record_to_text(record: ActionRecord) -> str:
    """The whole record."""
    # ASCII: a lone surrogate (half an emoji, an undecodable path) must not keep a result off the disk.
    return json.dumps(as_json(record))


def record_from_text(text: str) -> ActionRecord:
    """The record back; fields of other versions are left out."""
    return decoded(ActionRecord, json.loads(text))
