"""Writes a conversation to a file: Markdown to read, JSON to keep or to take along.

The JSON file, version 1:

    {"format": "partner-desktop.conversation", "version": 1, "exported_at": …,
     "conversation": {"title", "created_at", "updated_at", "pinned", "archived", "folder"},
     "messages": [{"role", "text", "state", "created_at", "action_id", "source", "reasoning",
                   "speaker", "pictures": [{"name", "mime", "size_bytes"}, …],
                   "attachments": [{"name", "kind", "mime", "size_bytes"}, …]}, …],
     "actions": [the whole record of each action, …]}

Messages stand in their order; their pictures and what else came with them are named, and stay where they are.
`action_id` names an action of the same file, and so does `parent_id`: the chain that the action is a step of.
Times are ISO 8601 with a zone; a reader takes times to come as the present. Fields that it does not know are
left out by it; what it needs differently gets a new version number.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import as_json, record_from_text
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Conversation, Message, MessageState, Role
from partner_desktop.domain.plan import ChangeKind, Origin, Step, StepStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.files.atomic import write_parts
from partner_desktop.runtime.conversations.verdict_items import Moment, VerificationItem
from partner_desktop.runtime.dialog import messages_of
from partner_desktop.storage.database import Connection, Database, Row

T = TypeVar("T")

_ASIDE = "(SELECT action_id FROM messages WHERE conversation_id = ?1 AND take <> '')"

#: The line that is shown, its cards and their steps: what was set aside stays in the database.
_IN_LINE = {
    "messages": "take = ''",
    "actions": f"id NOT IN {_ASIDE} AND parent NOT IN {_ASIDE}",
}

#: Of an action, what says nothing anywhere else.
_OF_HERE = ("conversation_id", "exchange_id", "waits_until", "reminded", "number")

#: Rows that are read at a time: others reach the database in between.
_PAGE = 500


@dataclass(frozen=True)
class ExportedConversation:
    """Everything of one conversation."""

    conversation: Conversation
    messages: tuple[Message, ...]
    actions: tuple[ActionRecord, ...]


async def read_transcript(database: Database, conversation: Conversation) -> ExportedConversation:
    """All messages that the person may see, and the actions of their line, in their order."""
    messages = [
        message
        for message in await _all(database, "messages", conversation.id, messages_of)
        if message.state is not MessageState.NOT_REPLIED
    ]
    actions = await _all(
        database,
        "actions",
        conversation.id,
        lambda _db, rows: [record_from_text(str(row["record"])) for row in rows],
    )
    return ExportedConversation(conversation, tuple(messages), tuple(actions))


async def _all(
    database: Database,
    table: Literal["messages", "actions"],
    conversation_id: str,
    make: Callable[[Connection, Sequence[Row]], list[T]],
) -> list[T]:
    found: list[T] = []
    after: int | None = 0
    while after is not None:
        page, after = await database.read(partial(_page, table, conversation_id, after, make))
        found += page
    return found


def _page(
    table: str,
    conversation_id: str,
    after: int,
    make: Callable[[Connection, Sequence[Row]], list[T]],
    db: Connection,
) -> tuple[list[T], int | None]:
    """A page, made into what is wanted on the database's thread, and where the next one begins."""
    rows = db.execute(
        f"SELECT * FROM {table} WHERE conversation_id = ?1 AND position > ?2 AND {_IN_LINE[table]} "  # noqa: S608 - constants
        "ORDER BY position LIMIT ?3",
        (conversation_id, after, _PAGE),
    ).fetchall()
    return make(db, rows), rows[-1]["position"] if len(rows) == _PAGE else None


async def write_transcript(
    transcript: ExportedConversation, path: Path, kind: Literal["markdown", "json"], *, now: datetime
) -> None:
    """Write the file whole, or leave what was there.

    Raises:
        UsageError: It cannot be written.
    """
    if kind == "json":
        parts = json_parts(transcript, now=now)
    else:
        parts = markdown(transcript.conversation, transcript.messages, transcript.actions)
    try:
        await asyncio.to_thread(write_parts, path, parts)
    except OSError as error:
        raise UsageError("common.unwritable", path=display_path(path), reason=system_reason(error)) from error


def json_parts(transcript: ExportedConversation, *, now: datetime) -> Iterator[str]:
    """The file's text, a line a message and an action."""
    head: JsonObject = {"format": FORMAT, "version": VERSION, "exported_at": now.isoformat()}
    yield _line(head)[:-1]
    conversation = transcript.conversation
    yield ',\n"conversation": ' + _line(
        {
            "title": conversation.title,
            "created_at": conversation.created_at.isoformat(),
            "updated_at": conversation.updated_at.isoformat(),
            "pinned": conversation.pinned,
            "archived": conversation.archived,
            "folder": conversation.folder,
        }
    )
    yield from _list("messages", (_message(message) for message in transcript.messages))
    yield from _list("actions", (_action(action) for action in transcript.actions))
    yield "}\n"


def _list(name: str, items: Iterable[JsonObject]) -> Iterator[str]:
    yield f',\n"{name}": ['
    for number, item in enumerate(items):
        yield (",\n" if number else "\n") + _line(item)
    yield "\n]"


def _message(message: Message) -> JsonObject:
    whole = as_json(message)
    assert isinstance(whole, dict)
    own = ("conversation_id", "position", "id", "about")
    item = {name: value for name, value in whole.items() if name not in own}
    item["pictures"] = [
        {"name": picture.name, "mime": picture.mime, "size_bytes": picture.size_bytes}
        for picture in message.pictures
    ]
    item["attachments"] = [
        {"name": each.name, "kind": each.kind.value, "mime": each.mime, "size_bytes": each.size_bytes}
        for each in message.attachments
    ]
    return item


def _action(action: ActionRecord) -> JsonObject:
    whole = as_json(action)
    assert isinstance(whole, dict)
    return {name: value for name, value in whole.items() if name not in _OF_HERE}


def _line(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a character, which only the escaped form carries
        return json.dumps(value)
    return text


_FENCE = re.compile(r"`{3,}")
_MARKUP = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})


def markdown(
    conversation: Conversation, messages: Sequence[Message], actions: Sequence[ActionRecord]
) -> Iterator[str]:
    """The file's text, piece by piece. Times are the machine's own."""
    records = {action.id: action for action in actions}
    yield f"# {_one_line(conversation.title) or 'Conversation'}\n\n{_time(conversation.created_at)}\n"
    for message in messages:
        record = records.get(message.action_id)
        if message.role is Role.ACTION and record is not None:
            yield _action_line(record, records)
        elif message.text:
            yield _said(message)


def _said(message: Message) -> str:
    speaker = _one_line(message.speaker).translate(_MARKUP)
    who = speaker or ("You" if message.role is Role.USER else "Partner")
    broken = {
        MessageState.STOPPED: "\n\n*(stopped)*",
        MessageState.BROKEN_OFF: "\n\n*(broken off)*",
        MessageState.CUT: "\n\n*(cut off at its longest length)*",
    }.get(message.state, "")
    came = [("picture", picture.name) for picture in message.pictures]
    came += [("attached", each.name) for each in message.attachments]
    beside = "".join(f"\n\n*({kind}: {_one_line(name).translate(_MARKUP)})*" for kind, name in came)
    return f"\n## {who} · {_time(message.created_at)}\n\n{message.text}{beside}{broken}\n"


def _action_line(record: ActionRecord, records: Mapping[str, ActionRecord]) -> str:
    status = record.status.value.replace("_", " ")
    head = f"{_one_line(record.title).translate(_MARKUP)} · {status} · {_time(record.created_at)}"
    if record.chain is not None:
        chain = record.chain
        parts = [_step(chain.number_of(step.id), step, records) for step in chain.steps]
    else:
        parts = [_call(record.key, record.params)]
    body = "\n\n".join([*parts, *_outcome(record)])
    return f"\n<details>\n<summary>{head}</summary>\n\n{body}\n\n</details>\n"


def _step(number: int, step: Step, records: Mapping[str, ActionRecord]) -> str:
    """A step of a chain: as it ran, where it did; else as it was planned."""
    ran = records.get(step.id)
    head = f"{number}. {_one_line(step.title).translate(_MARKUP)} · {step.status.value}"
    call = _call(step.key, ran.params if ran is not None else step.params)
    told = _outcome(ran) if ran is not None else [step.error] if step.error else []
    return "\n\n".join([head, call, *told])


def _call(key: str, params: JsonObject) -> str:
    return f"`{key}`\n\n{_block(json.dumps(params, indent=2, ensure_ascii=False), 'json')}"


def _outcome(record: ActionRecord) -> list[str]:
    outputs = (("Output", record.stdout), ("Log", record.stderr))
    told = [f"{name}:\n\n{_block(text)}" for name, text in outputs if text.strip()]
    return [record.error, *told] if record.error else told


def _block(text: str, language: str = "") -> str:
    """A code block that nothing in the text can end."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _time(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


FORMAT = "partner-desktop.conversation"
VERSION = 1

#: No system's exit codes go over 32 bits.
_LARGEST_CODE = 2**32
#: No run took longer than some thirty years.
_LONGEST_MS = 10**12


class ConversationItem(BaseModel):
    """The conversation itself."""

    title: str
    created_at: Moment
    updated_at: Moment
    pinned: bool = False
    archived: bool = False
    folder: str = ""


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
    output: str = ""


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
    removed: list[str] = []
    after: str = ""


class PlanItem(BaseModel):
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
    chain: PlanItem | None = None
    verification: VerificationItem | None = None
    parent_id: str = ""
    language: Literal["", "en", "zh"] = ""
