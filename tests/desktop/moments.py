"""A real Partner behind a window, and the moments of its life that a test looks at.

What an earlier day left (talk, cards, turns) is written into its database as rows, so that it has the ids
that a test names; what only happens (a piece of a reply, a card that moves on) is said on its channels, as
any part of it says it. What comes of what the person does is read from its services and its database.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import astuple, fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol, TypeVar

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.context import snapshots
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import (
    ActionEvent,
    Event,
    MessageEvent,
    OutputEvent,
    ProposalEvent,
    ResultEvent,
    RunEvent,
    as_json,
    record_from_text,
    record_to_text,
)
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Conversation, Message, Role
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.domain.permission import Grant, Mode, Permissions, Rule
from partner_desktop.domain.schedule import Firing, Schedule
from partner_desktop.domain.snapshot import ContextSnapshot, TurnSummary
from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractedParams,
    ExtractIntents,
    ExtractParams,
    IntentEvaluation,
    Intents,
    JudgeChain,
    Mind,
    PlanVerdict,
    RankedAbility,
    ReplyRequest,
)
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.storage import search_text
from tests.support import HastyClock

from .chat import reply_events
from .samples import NOON

T = TypeVar("T")

#: Partner's own thread may be writing.
_PATIENCE_S = 10.0


def _stamp(at: datetime) -> str:
    """A moment as schedules have it: text that sorts as time does."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


class SilentMind(Answerers):
    """Hears only talk, wants nothing, and has nothing to say: for windows that are looked at."""

    name = "silent"

    def __init__(self) -> None:
        super().__init__(EvaluateIntent.answered_by(self._evaluate))

    async def _evaluate(self, question: EvaluateIntent) -> IntentEvaluation:
        return IntentEvaluation.of_talk(question.abilities)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        for nothing in request.text[:0]:
            yield nothing


class StuckMind(SilentMind):
    """Begins to answer, and never comes to the end of it."""

    name = "stuck"

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        yield f"{request.text}? Well"
        await asyncio.Event().wait()


class PlanningMind(SilentMind):
    """Takes whatever is said for these abilities, one after another, with these arguments."""

    name = "planning"

    def __init__(self, *steps: tuple[str, JsonObject]) -> None:
        super().__init__()
        self._steps = dict(steps)
        self.add(
            ExtractIntents.answered_by(self._divide),
            EvaluateIntent.answered_by(self._choose),
            ExtractParams.answered_by(self._find),
            JudgeChain.answered_by(self._judge),
        )

    async def _divide(self, question: ExtractIntents) -> Intents:
        del question
        return Intents(tuple((key,) for key in self._steps))

    async def _choose(self, question: EvaluateIntent) -> IntentEvaluation:
        wanted = question.text if question.text in self._steps else next(iter(self._steps))
        chosen = next(one for one in question.abilities if one.key == wanted)
        return IntentEvaluation(chosen, (RankedAbility(chosen, 0.9),))

    async def _find(self, question: ExtractParams) -> ExtractedParams:
        return ExtractedParams(dict(self._steps[question.info.key]), ())

    async def _judge(self, question: JudgeChain) -> PlanVerdict:
        last = question.steps[-1].status if question.steps else ActionStatus.SUCCEEDED
        return PlanVerdict(ok=last is not ActionStatus.FAILED, reason="The last step failed.")


class Loop(Protocol):
    """What lets a Partner live, as the stage does."""

    def run(self, work: Coroutine[Any, Any, T]) -> T: ...

    def closes(self, close: Callable[[], Coroutine[Any, Any, None]]) -> None: ...


class Moments:
    """One Partner on a home of its own. It launches when a window opens before it, or is asked for."""

    def __init__(self, loop: Loop, home: Home, action_dir: Path, *, now: datetime = NOON) -> None:
        self.home = home
        self.action_dir = action_dir
        self.mind: Mind | None = SilentMind()
        """Set before the launch; `None`: the starter mind."""
        self.equip: Callable[[Partner], None] = lambda _partner: None
        """Set before the launch: gives it parts of a test's own."""
        self._loop = loop
        self._now = now
        self._partner: Partner | None = None
        self._database: sqlite3.Connection | None = None
        self._later: list[Callable[[], object]] = []
        self._counted = Counter[str]()
        self.turns: list[TurnSummary] = []
        self.snapshots: dict[str, ContextSnapshot] = {}
        loop.closes(self._close)

    # Its life.

    @property
    def partner(self) -> Partner:
        """The Partner, launched."""
        if self._partner is None:
            self._loop.run(self._launch())
        assert self._partner is not None
        return self._partner

    async def _launch(self) -> None:
        partner = self._made()
        await partner.launch()
        self._partner = partner
        self._begin_to_write()

    def _made(self) -> Partner:
        made = Partner(
            self.home, self.action_dir, kind="window", mind=self.mind, meaning=False, quiet_clock=HastyClock()
        )
        self.equip(made)
        return made

    async def build(self) -> Partner:
        """For a window that launches it itself; everything is in its home before that."""
        self._begin_to_write()
        self._partner = self._made()
        return self._partner

    def _begin_to_write(self) -> None:
        self._database = sqlite3.connect(self.home.database, isolation_level=None, timeout=_PATIENCE_S)
        search_text.install(self._database)
        later, self._later = self._later, []
        for write in later:
            write()

    async def _close(self) -> None:
        if self._partner is not None:
            await self._partner.close()
        if self._database is not None:
            self._database.close()

    def ask(self, asked: Coroutine[Any, Any, T]) -> T:
        """What an operation gives, between two moments of the window."""
        return self._loop.run(asked)

    def ask_for(self, key: str, params: JsonObject) -> ActionRecord:
        """The card of an ability in `c1`, as a program has it proposed."""
        asked = self.partner.abilities.run(
            key, params, cwd=str(self.home.root), standing=ApprovalMode.ASK, conversation_id="c1"
        )
        self.ask(asked)
        return self.records()[-1]

    def ask_to_count(self, **params: Json) -> ActionRecord:
        """The same of an ability that is there for it; the folder to count is there too."""
        folder = self.home.root.parent / "Downloads"
        folder.mkdir(exist_ok=True)
        return self.ask_for("local::count_types", {"folder": str(folder), **params})

    def say(self, text: str) -> None:
        """The person says it in `c1`, where no window is needed for it."""
        self.ask(self.partner.messages.send(text, conversation_id="c1"))

    # What an earlier day left.

    def add_script(self, name: str, text: str, *, folder: str = "dynamic") -> Path:
        """An ability; it is listed from the launch on."""
        path = self.action_dir / folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def add_ability(self, name: str, description: str, *, folder: str = "dynamic", **more: str) -> Path:
        """A script that does nothing much; `more`: other lines of its head, as TOML."""
        lines = {"description": json.dumps(description), **more}
        head = "".join(f"# {key} = {value}\n" for key, value in lines.items())
        return self.add_script(f"{name}.py", f'# /// partner\n{head}# ///\nprint("done")\n', folder=folder)

    def add_conversation(
        self,
        title: str,
        *,
        days_ago: float = 0,
        id: str = "",  # noqa: A002 - as the column is called
    ) -> Conversation:
        """A conversation that is there: `c1`, `c2` …"""
        moment = self._now - timedelta(days=days_ago)
        conversation = Conversation(id or self._next("c"), title, moment, moment)
        self._put(
            "conversations",
            {
                "id": conversation.id,
                "title": title,
                "created_at": moment.isoformat(),
                "updated_at": moment.isoformat(),
            },
        )
        return conversation

    def add_message(
        self,
        conversation_id: str,
        role: Role,
        text: str,
        *,
        action_id: str = "",
        reasoning: str = "",
        at: datetime | None = None,
        id: str = "",  # noqa: A002 - as the column is called
        **facts: Any,
    ) -> Message:
        """A message that is there: `m1`, `m2` …; nobody hears of it."""
        number = self._next("m")
        message = Message(
            id or number,
            conversation_id,
            role,
            text,
            at or self._now,
            action_id=action_id,
            reasoning=reasoning,
            **facts,
        )
        row: dict[str, Any] = {
            "id": message.id,
            "conversation_id": conversation_id,
            "role": role.value,
            "text": text,
            "state": message.state.value,
            "action_id": action_id,
            "created_at": message.created_at.isoformat(),
            "reasoning": reasoning,
            "about": " ".join(message.about),
            "speaker": message.speaker,
        }
        if self._partner is None:
            row["position"] = position = self._counted["m"]
            self._put("messages", row)
        else:
            position = self._put("messages", row)
        return replace(message, position=position)

    def add_action(self, record: ActionRecord) -> ActionRecord:
        """An action that is there, as it stands; nobody hears of it."""
        self._put(
            "actions",
            {
                "id": record.id,
                "conversation_id": record.conversation_id,
                "key": record.key,
                "status": record.status.value,
                "created_at": record.created_at.isoformat(),
                "record": record_to_text(record),
                "parent": record.parent_id,
            },
        )
        return record

    def add_card(self, record: ActionRecord) -> Message:
        """An action and its place in the conversation; nobody hears of it."""
        self.add_action(record)
        return self.add_message(record.conversation_id, Role.ACTION, "", action_id=record.id)

    def next_turn(self) -> int:
        """The number of the turn that is added next."""
        return int(self._next("t")[1:])

    def add_turn(self, turn: TurnSummary, kept: ContextSnapshot) -> None:
        """A turn that was, and what went into it."""
        self.turns.append(turn)
        self.snapshots[turn.turn_id] = kept
        self._put(
            "context_snapshots",
            {
                "position": turn.position,
                "turn_id": turn.turn_id,
                "conversation_id": turn.conversation_id,
                "at": turn.at.isoformat(),
                "said": turn.text,
                "used_tokens": turn.used_tokens,
                "budget_tokens": turn.budget_tokens,
                "blocks": turn.blocks,
                "dropped": turn.dropped,
                "body": snapshots.to_bytes(kept),
                "context_tokens": turn.context_tokens,
                "answer_tokens": turn.answer_tokens,
                "prompt_tokens": turn.prompt_tokens,
                "left_out_messages": turn.left_out_messages,
            },
        )

    def amend_turn(self, turn_id: str, **facts: Any) -> None:
        """What went into a turn was otherwise."""
        self.snapshots[turn_id] = kept = replace(self.snapshots[turn_id], **facts)
        text = "UPDATE context_snapshots SET used_tokens = ?, body = ? WHERE turn_id = ?"
        self.write(text, kept.used_tokens, snapshots.to_bytes(kept), turn_id)

    def add_call(self, call: ModelCall) -> None:
        """A model was called, some time ago."""
        values = dict(zip((each.name for each in fields(call)), astuple(call), strict=True))
        row = {{"end": "ended"}.get(name, name): value for name, value in values.items()}
        self._put("model_calls", row | {"at": call.at.isoformat(), "id": self._next("call")})

    def add_grant(self, grant: Grant) -> None:
        """A yes that reaches further; one that is `current` fits whatever the ability is now."""
        places = grant.places
        self._put(
            "approvals",
            {
                "id": grant.id,
                "action_key": grant.action_key,
                "binding": grant.id,
                "created_at": grant.created_at.isoformat(),
                "scope": grant.scope,
                "conversation_id": grant.conversation_id,
                "title": grant.title,
                "held": grant.held,
                "content_hash": "" if grant.current else "another version",
                "program": grant.program,
                "places": None if places is None else json.dumps([[one.access, one.path] for one in places]),
            },
        )

    def write_rules(self, mode: Mode, *rules: Rule) -> None:
        """What `config/permission.toml` says."""
        text = f'mode = "{mode.value}"\n'
        for rule in rules:
            facts = {"effect": rule.effect.value, "action": rule.action, "hash": rule.hash, "note": rule.note}
            text += "\n[[rule]]\n" + "".join(f"{n} = {json.dumps(t)}\n" for n, t in facts.items() if t)
        self.rules_file.write_text(text, encoding="utf-8")

    @property
    def rules_file(self) -> Path:
        return self.home.config / "permission.toml"

    @property
    def permissions(self) -> Permissions:
        """What is in force now."""
        return self.ask(self.partner.permissions.list())

    def add_schedule(self, one: Schedule) -> None:
        """What is planned; it is armed by the launch."""
        waits_for = next(
            name for name in ("once", "cycle", "lands", "crosses", "ends") if getattr(one.terms, name)
        )
        facts = {
            name: getattr(one, name) for name in ("id", "conversation_id", "title", "state", "why", "asks")
        }
        made = {"waits_for": waits_for, "called_off": "[]", "language": "en", "template": ""}
        times = {"created_at": _stamp(one.created_at), "next_at": one.next_at and _stamp(one.next_at)}
        self._put("schedules", {**facts, **made, **times, "terms": json.dumps(as_json(one.terms))})

    def add_firing(self, one: Firing) -> None:
        """One time that it was due."""
        names = ("schedule_id", "state", "action_id", "message_id", "count", "why")
        times = {"due_at": _stamp(one.due_at), "at": _stamp(one.at), "told": ""}
        self._put("firings", {name: getattr(one, name) for name in names} | times)

    def add_audit(self, *entries: AuditEntry) -> None:
        """Rows of the audit log, oldest first."""
        for entry in entries:
            names = ("at", "kind", "action_id", "action_key", "content_hash", "params_hash", "outcome")
            row = {name: getattr(entry, name) for name in (*names, "scope", "by_whom", "reason")}
            self._put("audit", row)

    def _next(self, letter: str) -> str:
        self._counted[letter] += 1
        return f"{letter}{self._counted[letter]}"

    def _put(self, table: str, row: dict[str, Any]) -> int:
        marks = ", ".join("?" * len(row))
        text = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"
        return self.write(text, *row.values())

    def write(self, text: str, *values: Any) -> int:
        """Change its database as another process would; before the launch, with the launch."""
        if self._database is None:
            self._later.append(lambda: self.write(text, *values))
            return 0
        return int(self._database.execute(text, values).lastrowid or 0)

    # What happens.

    def deliver(self, *events: Event) -> None:
        """Something in Partner says it."""
        channels = self.partner.agent_context.capability(ChannelRegistry)
        for event in events:
            channels.publish(event)

    def propose(self, record: ActionRecord) -> None:
        """A card appears: its place first, then the proposal."""
        message = self.add_card(record)
        self.deliver(
            MessageEvent(conversation_id=record.conversation_id, message=message),
            ProposalEvent(conversation_id=record.conversation_id, action=record),
        )

    def change(self, action_id: str, status: ActionStatus, **facts: Any) -> ActionRecord:
        """An action moves on, and everyone hears."""
        record = replace(self.record(action_id), status=status, **facts)
        self.keep(record)
        kind = RunEvent if status is ActionStatus.RUNNING else ResultEvent
        self.deliver(kind(conversation_id=record.conversation_id, action=record))
        return record

    def show(self, record: ActionRecord) -> None:
        """An action is so now, and everyone hears."""
        self.keep(record)
        self.deliver(ActionEvent(conversation_id=record.conversation_id, action=record))

    def print(self, action_id: str, text: str, stream: Stream = "stdout") -> None:
        """A run prints, and everyone hears."""
        event = OutputEvent(conversation_id="c1", action_id=action_id, stream=stream, text=text)
        self.deliver(event)

    def book(self, call: ModelCall) -> None:
        """A model was called."""
        self.partner.usage.book(replace(call, id=self._next("call")))

    def keep(self, record: ActionRecord) -> None:
        """An action that is there stands otherwise; nobody hears of it."""
        text = "UPDATE actions SET status = ?, record = ? WHERE id = ?"
        self.write(text, record.status.value, record_to_text(record), record.id)

    def stream(
        self, conversation_id: str, reply_id: str, pieces: Sequence[str], *, done: bool = True
    ) -> None:
        """A reply comes in pieces."""
        self.deliver(*reply_events(conversation_id, reply_id, pieces, done=done))

    # What came of it.

    def record(self, action_id: str) -> ActionRecord:
        """An action as it is on the disk."""
        ((text,),) = self.read("SELECT record FROM actions WHERE id = ?", action_id)
        return record_from_text(text)

    def records(self) -> list[ActionRecord]:
        """All actions, oldest first."""
        return [
            record_from_text(text) for (text,) in self.read("SELECT record FROM actions ORDER BY position")
        ]

    def messages(self, conversation_id: str) -> list[tuple[str, str]]:
        """Who said what in the line that is shown, oldest first."""
        text = "SELECT role, text FROM messages WHERE conversation_id = ? AND take = '' ORDER BY position"
        return [(role, said) for role, said in self.read(text, conversation_id)]

    def said(self) -> list[str]:
        """What the person has said since the launch, oldest first."""
        text = "SELECT text FROM messages WHERE role = 'user' AND id NOT GLOB 'm[0-9]*' ORDER BY position"
        return [said for (said,) in self.read(text)]

    def titles(self) -> dict[str, str]:
        """The title of every conversation that was not deleted, by its id."""
        text = "SELECT id, title FROM conversations WHERE deleted_at IS NULL ORDER BY id"
        return {one: title for one, title in self.read(text)}  # noqa: C416 - rows are pairs of anything

    def decisions(self) -> list[tuple[str, str, str]]:
        """Every decision in the audit log, oldest first: action's id, outcome, scope."""
        text = "SELECT action_id, outcome, scope FROM audit WHERE kind = 'decision' ORDER BY position"
        return [(one, outcome, scope) for one, outcome, scope in self.read(text)]

    def read(self, text: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of its database as it is."""
        assert self._database is not None
        return self._database.execute(text, values).fetchall()
