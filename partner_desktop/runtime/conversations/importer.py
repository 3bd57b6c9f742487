"""Takes an exported conversation in, as history: nothing in it runs, waits or is allowed.

Contract: a file is taken whole or not at all. While it comes in, the conversation stands in the database as a
deleted one, so that a crash leaves nothing that the next start does not erase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Chain, Change, Stage, Step, StepInput, StepStatus
from partner_desktop.domain.events import record_to_text
from partner_desktop.domain.message import Conversation, MessageState
from partner_desktop.domain.run_facts import Isolation, PathUse
from partner_desktop.runtime.conversations.file_format import ChainItem, ExportedAction, MessageItem, StepItem
from partner_desktop.runtime.conversations.imported_file import ImportedFile
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
        self.conversation = Conversation(new_id(), title, created, updated)
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
        await self._database.write(self._show)
        return self.conversation

    def _past(self, moment: datetime) -> datetime:
        """History: what claims to be of the future would stay above all that is said from now on."""
        return min(moment, self._now)

    def _past_or_none(self, moment: datetime | None) -> datetime | None:
        return self._past(moment) if moment is not None else None

    def _insert_hidden(self, db: Connection) -> None:
        one = self.conversation
        db.execute(
            "INSERT INTO conversations (id, title, created_at, updated_at, deleted_at) "
            "VALUES (?, ?, ?, ?, ?)",
            (
                one.id,
                one.title,
                one.created_at.isoformat(),
                one.updated_at.isoformat(),
                self._now.isoformat(),
            ),
        )

    def _insert_actions(self, items: Sequence[ExportedAction], db: Connection) -> None:
        db.executemany(
            "INSERT INTO actions (id, conversation_id, key, status, created_at, record, parent) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [self._action_row(item) for item in items],
        )

    def _show(self, db: Connection) -> None:
        db.execute("UPDATE conversations SET deleted_at = NULL WHERE id = ?", (self.conversation.id,))

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
    item: ChainItem, *, id_of: Callable[[str], str], past: Callable[[datetime], datetime]
) -> Chain:
    """The chain, its steps under new ids; `past` takes times to come as the present."""
    stages = tuple(Stage(tuple(_step(step, id_of, past) for step in stage.steps)) for stage in item.stages)
    return Chain(
        stages,
        at=min(item.at, len(stages)),
        changes=tuple(Change(one.kind, one.by, one.text, past(one.at)) for one in item.changes),
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
        feeds=tuple(StepInput(feed.param, id_of(feed.step)) for feed in item.feeds),
        origin=item.origin,
        mends=id_of(item.mends) if item.mends else "",
        status=_ENDED_STEPS.get(item.status, item.status),
        result=item.result,
        error=item.error,
        started_at=past(item.started_at) if item.started_at is not None else None,
        finished_at=past(item.finished_at) if item.finished_at is not None else None,
    )
