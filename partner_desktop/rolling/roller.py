"""DialogRoller: sums up what was said, and makes a unit of memory of it.

Contract: one roll at a time. It reads what is in no unit yet, has a mind sum it up, and memory writes unit,
slices, summaries and shortened messages in one transaction: a crash, a full disk or a cancelled task before
its end leaves the dialog as it was, and the next look rolls it. What is said meanwhile is not part of it. A
model sums up only while nobody waits for an answer: a turn that begins ends its work, which is begun anew
after it, and done without a model where that happens too often.

DialogRolling looks after every turn whether to roll, IdleRolling every so often; neither delays a reply. The
settings are `config/rolling.toml`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal

from pydantic import ConfigDict, Field

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.text import cut
from partner_desktop.base.text_compression import compressed
from partner_desktop.capabilities import DialogRoomCapability, ModelCapability, UnitCapability
from partner_desktop.config.handle import ConfigHandle, SettingsModel
from partner_desktop.domain.events import DialogRolledEvent, Event, NoticeEvent, TurnEvent
from partner_desktop.domain.remembered import (
    MemoryUnit,
    RememberedTurn,
    RollReason,
    UnitSummaries,
    UnrolledDialog,
)
from partner_desktop.mind.question import Mind, Summarise
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.interruption import QuietTurns, TurnInterrupted

_log = log.area("rolling")

#: Of the messages since the last roll: what stays as it was said.
_KEPT_PART = 6
#: From this part of its room on a dialog is rolled: what is said until that is done must fit, too.
_FULL = 0.75
#: A unit holds no more messages than this; what is older and still more goes into several.
_MOST_MESSAGES = 144
#: Characters of a slice's summary, and of a unit's.
_SLICE_CHARACTERS, _UNIT_CHARACTERS = 400, 900
#: How often a model begins anew because somebody spoke, and how many seconds it waits for the end of a turn.
_TRIES, _TURN_S = 3, 300.0

#: Which part of their room in a prompt some messages (id and words) would take.
Share = Callable[[Sequence[tuple[str, str]]], float]


def _takes_none(_said: Sequence[tuple[str, str]]) -> float:
    return 0.0


@dataclass(frozen=True)
class DueRoll:
    """What is to be rolled: everything before the position `past`."""

    past: int
    reason: RollReason
    plain: bool = False
    """More follows: no model is asked for what is so far back."""


def due_roll(
    dialog: UnrolledDialog, settings: RollingSettings, *, share: Share, now: datetime
) -> DueRoll | None:
    """What of a dialog is to be rolled now, the oldest first; `None`: nothing is."""
    turns, idle = dialog.turns, timedelta(minutes=settings.idle_minutes)
    if not turns:
        return None
    moments = [*(turn.at for turn in turns), now]
    pauses = [
        number for number in range(2, len(moments)) if idle and moments[number] - moments[number - 1] >= idle
    ]
    session = pauses[0] if pauses else 0
    if (session or len(turns)) > _MOST_MESSAGES:
        return DueRoll(turns[_MOST_MESSAGES // 2].position, "length", plain=True)
    if session:
        past = turns[session].position if session < len(turns) else dialog.past
        return DueRoll(past, "idle", plain=len(pauses) > 1)
    said = [(turn.message_id, turn.text) for turn in turns]
    if len(turns) < settings.messages and share(said) < _FULL:
        return None
    kept = -(-len(turns) // _KEPT_PART)
    while kept and share(said[-kept:]) >= _FULL / 2:
        kept -= 1
    return DueRoll(turns[-kept].position if kept else dialog.past, "length") if kept < len(turns) else None


class DialogRoller:
    """Also a channel, which hears when somebody waits for an answer."""

    name = "rolling"

    def __init__(
        self,
        units: UnitCapability,
        models: ModelCapability,
        settings: ConfigHandle[RollingSettings],
        publish: Callable[[Event], None],
        *,
        clock: Clock,
    ) -> None:
        self._units = units
        self._models = models
        self._settings = settings
        self._publish = publish
        self._clock = clock
        self._mind: Mind | None = None
        self._one_at_a_time = asyncio.Lock()
        self._turns = QuietTurns()
        self._failing: set[str] = set()
        """Conversations of which it was told that they cannot be summed up."""

    def think_with(self, mind: Mind) -> None:
        """Set who sums up; wired once by the app."""
        self._mind = mind

    def accepts(self, event: Event) -> bool:
        """Turns only."""
        return isinstance(event, TurnEvent)

    def deliver(self, event: Event) -> None:
        """Somebody waits for an answer, or no longer."""
        assert isinstance(event, TurnEvent)
        self._turns.hear(event)

    async def roll_all(self, conversation_id: str) -> MemoryUnit | None:
        """Roll everything that was said since the last unit, because the person wants it.

        Raises:
            UsageError: It keeps changing.
            StorageError: It cannot be saved; nothing of it is there.
        """
        async with self._one_at_a_time:
            found = await self._units.unrolled(conversation_id)
            if not found.turns:
                return None
            return await self._roll(conversation_id, found, DueRoll(found.past, "asked"))

    async def roll_due(
        self, conversation_id: str, *, share: Share = _takes_none, plain: bool = False
    ) -> bool:
        """Roll what is due, and sum up anew what has lost its summary; whether that went well.

        `plain`: no model is asked. What keeps it from going well is told once, however often it is tried.
        """
        try:
            await self._roll_due(conversation_id, share, plain=plain)
        except PartnerError as error:
            _log.warning("conversation %s is not rolled: %s", conversation_id[:8], error)
            if conversation_id not in self._failing:
                self._failing.add(conversation_id)
                text = f"A conversation could not be summed up, and stays as it is: {error}"
                self._publish(NoticeEvent(title="Memory", text=text, level="warning", about="rolling"))
            return False
        self._failing.discard(conversation_id)
        return True

    async def _roll_due(self, conversation_id: str, share: Share, *, plain: bool) -> None:
        async with self._one_at_a_time:
            while True:
                found = await self._units.unrolled(conversation_id, most=_MOST_MESSAGES + 1)
                due = due_roll(found, self._settings.value, share=share, now=self._clock.now())
                if due is None:
                    break
                due = replace(due, plain=due.plain or plain)
                if await self._roll(conversation_id, found, due) is None:
                    break
            for unit in await self._units.units(conversation_id):
                if not unit.summary:
                    self._tell(
                        await self._units.sum_anew(unit, partial(self._sum_up, plain=bool(unit.origin)))
                    )

    async def _roll(self, conversation_id: str, found: UnrolledDialog, due: DueRoll) -> MemoryUnit | None:
        unit = await self._units.keep(
            conversation_id,
            found.first,
            due.past,
            reason=due.reason,
            sum_up=partial(self._sum_up, plain=due.plain),
        )
        return self._tell(unit)

    def _tell(self, unit: MemoryUnit | None) -> MemoryUnit | None:
        if unit is not None:
            _log.info("rolled %s up to %d (%s)", unit.conversation_id[:8], unit.past, unit.reason)
            self._publish(DialogRolledEvent(conversation_id=unit.conversation_id, unit=unit))
        return unit

    async def _sum_up(self, slices: Sequence[Sequence[RememberedTurn]], *, plain: bool) -> UnitSummaries:
        shorter = await asyncio.to_thread(
            lambda: [[replace(turn, text=compressed(turn.text)) for turn in turns] for turns in slices]
        )
        told = []
        for turns in shorter:
            asked = Summarise(tuple(turns), most_characters=_SLICE_CHARACTERS, plain=plain)
            told.append(await self._ask(asked) if turns else "")
        parts = tuple(text for text in told if text)
        whole = parts[0] if len(parts) == 1 else ""
        if len(parts) > 1:
            every = tuple(turn for turns in shorter for turn in turns)
            whole = await self._ask(Summarise(every, parts, most_characters=_UNIT_CHARACTERS, plain=plain))
        return UnitSummaries(
            whole,
            tuple(told),
            {
                after.position: after.text
                for before, after in zip(_all(slices), _all(shorter), strict=True)
                if after.text != before.text
            },
        )

    async def _ask(self, question: Summarise) -> str:
        """The summary, never empty."""
        assert self._mind is not None
        summary = ""
        if question.plain or not self._models.serves(question.name):
            summary = await self._mind.ask(question)
        else:
            summary = await self._ask_in_quiet(question, self._mind)
        texts = question.parts or [turn.text for turn in question.turns]
        return summary.strip() or cut(" ".join(" ".join(texts).split()), question.most_characters) or "…"

    async def _ask_in_quiet(self, question: Summarise, mind: Mind) -> str:
        with suppress(TimeoutError):
            for _ in range(_TRIES):
                async with asyncio.timeout(_TURN_S):
                    await self._turns.wait()
                with suppress(TurnInterrupted):
                    return await self._turns.unless_disturbed(mind.ask(question))
        return await mind.ask(replace(question, plain=True))


def _all(slices: Sequence[Sequence[RememberedTurn]]) -> list[RememberedTurn]:
    return [turn for turns in slices for turn in turns]


#: Seconds after the start until the first look for conversations that rest, and between two looks.
_FIRST_S, _EVERY_S = 20.0, 60.0
#: Conversations of one look that a model may sum up; there are many after an update, or a long time.
_BY_MODEL = 3


class DialogRolling(RunningModule):
    """Runs last, and only begins what goes on behind the turn."""

    order = 7

    def __init__(self, roller: DialogRoller, room: DialogRoomCapability) -> None:
        self._roller = roller
        self._room = room
        self._tasks = TaskSet("rolling")
        self._waiting: set[str] = set()

    async def execute(self, flow: RunningFlowContext) -> None:
        if flow.conversation_id not in self._waiting:
            self._waiting.add(flow.conversation_id)
            self._tasks.start(f"roll:{flow.conversation_id[:8]}", self._roll(flow.conversation_id))

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def _roll(self, conversation_id: str) -> None:
        self._waiting.discard(conversation_id)
        await self._roller.roll_due(conversation_id, share=partial(self._room.dialog_share, conversation_id))


class IdleRolling:
    """A part of the AgentContext: rolls the conversations in which nobody spoke for a time."""

    def __init__(
        self,
        roller: DialogRoller,
        units: UnitCapability,
        settings: ConfigHandle[RollingSettings],
        *,
        clock: Clock,
    ) -> None:
        self._roller = roller
        self._units = units
        self._settings = settings
        self._clock = clock
        self._tasks = TaskSet("idle rolling")
        self._looked = datetime.min.replace(tzinfo=UTC)
        """What rests since then was looked at."""

    async def launch(self) -> None:
        self._tasks.start("look", self._look())

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def _look(self) -> None:
        await self._clock.sleep(_FIRST_S)
        while True:
            if idle := self._settings.value.idle_minutes:
                await self._roll_resting(self._clock.now() - timedelta(minutes=idle))
            await self._clock.sleep(_EVERY_S)

    async def _roll_resting(self, until: datetime) -> None:
        try:
            resting = await self._units.resting(self._looked, until)
        except PartnerError as error:
            _log.warning("nobody knows which conversations rest: %s", error)
            return
        rolled = [
            await self._roller.roll_due(one, plain=number >= _BY_MODEL) for number, one in enumerate(resting)
        ]
        if all(rolled):
            self._looked = until


class RollingSettings(SettingsModel):
    """When a conversation is summed up, so that it never grows too long for the model."""

    model_config = ConfigDict(json_schema_extra={"section": "memory", "place": 40})

    messages: int = Field(
        default=72,
        ge=12,
        le=72,
        description="Sum up when so many messages were said since the last time; a sixth of them stays.",
    )
    idle_minutes: int = Field(
        default=60,
        ge=0,
        le=43_200,
        description="Sum up all of it when nobody spoke for so long; 0: never for that reason.",
        json_schema_extra={"unit": "min"},
    )
    titles: Literal["model", "words"] = Field(
        default="model",
        description="What a conversation is called: what a model makes of its beginning, where there is one; "
        "or the first words said in it. A title that you give stays.",
    )
