"""Takes an exported conversation in, as history: nothing in it runs, waits or is allowed.

Contract: a file is taken whole or not at all. While it comes in, the conversation stands in the database as a
deleted one, so that a crash leaves nothing that the next start does not erase.

The file is read and checked blocking, for use off the loop. `json.loads` holds the interpreter for as long
as it parses, in a thread too: of a large file the window would feel it. Here each element of a list at the
top is parsed for itself.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import record_to_text
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import Conversation, MessageState, Role
from partner_desktop.domain.plan import Change, Plan, Stage, Step, StepInput, StepStatus
from partner_desktop.domain.run_facts import Isolation, PathUse
from partner_desktop.runtime.conversations.export import (
    FORMAT,
    VERSION,
    ConversationItem,
    ExportedAction,
    MessageItem,
    PlanItem,
    StepItem,
)
from partner_desktop.runtime.conversations.organizer import LONGEST_FOLDER, folder_as_there
from partner_desktop.runtime.conversations.verdict_items import imported_verification
from partner_desktop.runtime.dialog import storable
from partner_desktop.storage.database import Connection, Database

_LONGEST_TITLE = 200
_LONGEST_NAME = 200
_ROWS = 200

#: What had not ended in the file has ended here.
_ENDED = {
    ActionStatus.RUNNING: ActionStatus.INTERRUPTED,
    ActionStatus.WAITING: ActionStatus.REJECTED,
    ActionStatus.ASKING: ActionStatus.REJECTED,
}


class Importer:
    """Writes what was read, in steps that let others at the database."""

    def __init__(self, database: Database, file: ImportedFile, *, now: datetime) -> None:
        self._database = database
        self._file = file
        self._now = now
        item = file.conversation
        title = _one_line(item.title, _LONGEST_TITLE)
        created, updated = self._past(item.created_at), self._past(item.updated_at)
        self.conversation = Conversation(
            new_id(),
            title,
            created,
            updated,
            pinned=item.pinned,
            archived=item.archived,
            folder=_one_line(item.folder, LONGEST_FOLDER),
        )
        # The place of a reply that had not begun when it was exported holds nothing.
        self._messages = [each for each in file.messages if each.text or each.action_id or each.reasoning]
        self._ids = {action.id: new_id() for action in file.actions}
        self._chains = {action.id for action in file.actions if action.chain is not None}

    async def write(self) -> Conversation:
        """The conversation, in sight when this returns.

        Raises:
            StorageError: The database refused; what is there already is hidden.
        """
        await self._database.write(self._insert_hidden)
        messages, actions = self._messages, self._file.actions
        for start in range(0, len(messages), _ROWS):
            part = [self._message_row(item) for item in messages[start : start + _ROWS]]
            await self._database.write(partial(_insert_messages, part))
        for start in range(0, len(actions), _ROWS):
            await self._database.write(partial(self._insert_actions, actions[start : start + _ROWS]))
        folder = await self._database.write(self._show)
        self.conversation = replace(self.conversation, folder=folder)
        return self.conversation

    def _past(self, moment: datetime) -> datetime:
        """History: what claims to be of the future would stay above all that is said from now on."""
        return min(moment, self._now)

    def _past_or_none(self, moment: datetime | None) -> datetime | None:
        return self._past(moment) if moment is not None else None

    def _insert_hidden(self, db: Connection) -> None:
        one = self.conversation
        db.execute(
            "INSERT INTO conversations "
            "(id, title, created_at, updated_at, deleted_at, pinned, archived, folder) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                one.id,
                one.title,
                one.created_at.isoformat(),
                one.updated_at.isoformat(),
                self._now.isoformat(),
                one.pinned,
                one.archived,
                one.folder,
            ),
        )

    def _insert_actions(self, items: Sequence[ExportedAction], db: Connection) -> None:
        db.executemany(
            "INSERT INTO actions (id, conversation_id, key, status, created_at, record, parent) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [self._action_row(item) for item in items],
        )

    def _show(self, db: Connection) -> str:
        """In the folder of that name that is there, whatever its capitals; how that is written."""
        folder = folder_as_there(db, self.conversation.folder)
        db.execute(
            "UPDATE conversations SET deleted_at = NULL, folder = ? WHERE id = ?",
            (folder, self.conversation.id),
        )
        return folder

    def _message_row(self, item: MessageItem) -> tuple[str, ...]:
        state = MessageState.BROKEN_OFF if item.state is MessageState.STREAMING else item.state
        return (
            new_id(),
            self.conversation.id,
            item.role.value,
            item.text.replace("\x00", ""),
            state.value,
            self._ids.get(item.action_id, ""),
            item.source,
            self._past(item.created_at).isoformat(),
            item.reasoning.replace("\x00", ""),
            _one_line(item.speaker, _LONGEST_NAME),
        )

    def _action_row(self, item: ExportedAction) -> tuple[str, ...]:
        record = self._record(item)
        return (
            record.id,
            record.conversation_id,
            record.key,
            record.status.value,
            record.created_at.isoformat(),
            record_to_text(record),
            record.parent_id,
        )

    def _id_of(self, step_id: str) -> str:
        """The id here of a step, which is that of the action that it became."""
        return self._ids.setdefault(step_id, new_id())

    def _record(self, item: ExportedAction) -> ActionRecord:
        """History: what had not ended has; files of another machine are not pointed to."""
        isolation = Isolation(**item.isolation.model_dump()) if item.isolation is not None else None
        return ActionRecord(
            id=self._ids[item.id],
            conversation_id=self.conversation.id,
            exchange_id="",
            key=item.key,
            title=item.title,
            description=item.description,
            params=item.params,
            schema=item.params_schema,
            status=_ENDED.get(item.status, item.status),
            created_at=self._past(item.created_at),
            content_hash=item.content_hash,
            risk=item.risk,
            isolation=isolation,
            paths=tuple(PathUse(**use.model_dump()) for use in item.paths),
            request_text=item.request_text,
            started_at=self._past_or_none(item.started_at),
            finished_at=self._past_or_none(item.finished_at),
            exit_code=item.exit_code,
            stdout=item.stdout,
            stderr=item.stderr,
            data=item.data,
            error=item.error,
            truncated=item.truncated,
            duration_ms=item.duration_ms,
            chain=imported_chain(item.chain, id_of=self._id_of, past=self._past) if item.chain else None,
            verification=imported_verification(item.verification, id_of=self._id_of, past=self._past)
            if item.verification
            else None,
            parent_id=self._ids[item.parent_id] if item.parent_id in self._chains - {item.id} else "",
            language=item.language,
        )


def _one_line(text: str, longest: int) -> str:
    return " ".join(storable(text.replace("\x00", "")).split())[:longest]


def _insert_messages(rows: list[tuple[str, ...]], db: Connection) -> None:
    db.executemany(
        "INSERT INTO messages "
        "(id, conversation_id, role, text, state, action_id, source, created_at, reasoning, speaker) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


#: What had not ended in the file has ended here; what was only planned never began.
_ENDED_STEPS = {StepStatus.WAITING: StepStatus.CANCELLED, StepStatus.RUNNING: StepStatus.CANCELLED}


def imported_chain(
    item: PlanItem, *, id_of: Callable[[str], str], past: Callable[[datetime], datetime]
) -> Plan:
    """The chain, its steps under new ids; `past` takes times to come as the present."""
    stages = tuple(Stage(tuple(_step(step, id_of, past) for step in stage.steps)) for stage in item.stages)
    return Plan(
        stages,
        at=min(item.at, len(stages)),
        changes=tuple(
            Change(
                one.kind,
                one.by,
                one.text,
                past(one.at),
                tuple(one.removed),
                id_of(one.after) if one.after else "",
            )
            for one in item.changes
        ),
        corrections=item.corrections,
        rebuilt=item.rebuilt,
        checked=item.checked,
    )


def _step(item: StepItem, id_of: Callable[[str], str], past: Callable[[datetime], datetime]) -> Step:
    return Step(
        id=id_of(item.id),
        key=item.key,
        title=item.title,
        text=item.text,
        params=item.params,
        schema=item.params_schema,
        risk=item.risk,
        isolation=Isolation(**item.isolation.model_dump()),
        paths=tuple(PathUse(**use.model_dump()) for use in item.paths),
        content_hash=item.content_hash,
        feeds=tuple(StepInput(feed.param, id_of(feed.step), feed.output) for feed in item.feeds),
        origin=item.origin,
        mends=id_of(item.mends) if item.mends else "",
        status=_ENDED_STEPS.get(item.status, item.status),
        result=item.result,
        error=item.error,
        started_at=past(item.started_at) if item.started_at is not None else None,
        finished_at=past(item.finished_at) if item.finished_at is not None else None,
    )


_MOST_BYTES = 256 * 1024 * 1024
_LARGEST_NUMBER = 2**63
#: Where a file says what it is.
_HEAD_BYTES = 64 * 1024
_SAYS_OWN = re.compile(rb'"format"\s*:\s*"%s"' % FORMAT.encode())

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class ImportedFile:
    """A file that was read and fits together."""

    conversation: ConversationItem
    messages: tuple[MessageItem, ...]
    actions: tuple[ExportedAction, ...]


def read_file(path: Path) -> ImportedFile:
    """Read and check.

    Raises:
        UsageError: One sentence says what is wrong with it.
    """
    name = display_path(path)
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):  # a pipe would be waited for without an end
            raise UsageError("runtime.no_file", name=name)
        if facts.st_size > _MOST_BYTES:
            raise UsageError("runtime.file_too_large", name=name, most=_MOST_BYTES // 2**20)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError("common.unreadable", path=name, reason=system_reason(error)) from error
    except UnicodeDecodeError as error:
        raise UsageError("runtime.no_text", name=name) from error
    try:
        return _checked(text)
    except (ValueError, RecursionError) as error:
        raise UsageError("runtime.no_json", name=name, error=error) from error
    except _UnfitError as error:
        raise UsageError("runtime.not_imported", name=name, error=error) from error


def is_conversation_file(path: Path) -> bool:
    """Whether a file says of itself that Partner exported it, blocking; one that cannot be read does not.

    Within a text of JSON no quotation mark stands by itself, so that a chat that only speaks of such a file
    is none. A broken file, or one of a newer Partner, is.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        with path.open("rb") as file:
            return _SAYS_OWN.search(file.read(_HEAD_BYTES)) is not None
    except OSError:
        return False


class _UnfitError(Exception):
    """What does not fit, as the end of a sentence."""


def _checked(text: str) -> ImportedFile:
    found: dict[str, Json] = {}
    messages: list[MessageItem] = []
    actions: list[ExportedAction] = []
    for key, value in entries(text):
        if key == "messages":
            messages.append(
                _fit(MessageItem, value, sentence_of("runtime.message_number", number=len(messages) + 1))
            )
        elif key == "actions":
            actions.append(
                _fit(ExportedAction, value, sentence_of("runtime.action_number", number=len(actions) + 1))
            )
        else:
            found[key] = value
            _check_format(found)
    if found.get("format") != FORMAT or "version" not in found:
        raise _UnfitError(sentence_of("runtime.not_exported"))
    conversation = _fit(ConversationItem, found.get("conversation"), sentence_of("runtime.its_conversation"))
    if not messages:
        raise _UnfitError(sentence_of("runtime.no_messages"))
    known = {action.id for action in actions}
    if len(known) < len(actions):
        raise _UnfitError(sentence_of("runtime.same_id"))
    for number, message in enumerate(messages, 1):
        if message.role is Role.ACTION and message.action_id not in known:
            raise _UnfitError(sentence_of("runtime.card_without_action", number=number))
    return ImportedFile(conversation, tuple(messages), tuple(actions))


def _check_format(found: dict[str, Json]) -> None:
    if found.get("format", FORMAT) != FORMAT:
        raise _UnfitError(sentence_of("runtime.not_exported"))
    version = found.get("version", VERSION)
    if not isinstance(version, int) or version < 1:
        raise _UnfitError(sentence_of("runtime.odd_version"))
    if version > VERSION:
        raise _UnfitError(sentence_of("runtime.newer_export", version=version, known=VERSION))


def _fit(model: type[M], value: Json, where: str) -> M:
    try:
        return model.model_validate(_whole(value))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        named = sentence_of("runtime.place_of", place=place, where=where) if place else where
        why = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise _UnfitError(sentence_of("runtime.does_not_fit", named=named, why=why)) from error


def _whole(value: Json) -> Json:
    """Half characters, which neither the database nor pydantic takes, become question marks.

    A whole number that no window can show as one (over 64 bits) becomes its digits.
    """
    if isinstance(value, int) and abs(value) >= _LARGEST_NUMBER:
        return str(value)
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): _whole(item) for key, item in value.items()}
    return value


_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def entries(text: str) -> Iterator[tuple[str, Json]]:
    """The entries of the object that `text` holds: `(key, value)`; of a list, each element under its key.

    Raises:
        ValueError: It is not one JSON object.
    """
    at = _expect(text, 0, "{")
    if text[at : at + 1] == "}":
        at += 1
    else:
        while True:
            key, at = _value(text, at)
            if not isinstance(key, str):
                raise json.JSONDecodeError(sentence_of("runtime.name_expected"), text, at)
            at = _expect(text, at, ":")
            for values, end in _elements(text, at):
                at = end
                for value in values:
                    yield key, value
            if text[at : at + 1] != ",":
                at = _expect(text, at, "}")
                break
            at = _expect(text, at, ",")
    if at != len(text):
        raise json.JSONDecodeError(sentence_of("runtime.follows_end"), text, at)


def _elements(text: str, at: int) -> Iterator[tuple[list[Json], int]]:
    """The value at a place, or one by one the elements of the list there, with the place after each."""
    if text[at : at + 1] != "[":
        value, at = _value(text, at)
        yield [value], at
        return
    at = _expect(text, at, "[")
    if text[at : at + 1] == "]":
        yield [], _expect(text, at, "]")
        return
    while True:
        value, at = _value(text, at)
        ends = text[at : at + 1] == "]"
        at = _expect(text, at, "]" if ends else ",")
        yield [value], at
        if ends:
            return


def _value(text: str, at: int) -> tuple[Json, int]:
    value, end = _DECODER.raw_decode(text, at)
    return value, _skip(text, end)


def _expect(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(sentence_of("runtime.sign_expected", sign=sign), text, at)
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at
