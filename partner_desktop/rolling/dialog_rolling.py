"""When conversations are rolled: DialogRolling looks after every turn, IdleRolling every so often.

Contract: neither delays a reply. What fails leaves the dialog as it was, and is tried again.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.capabilities import DialogRoomCapability, UnitCapability
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.rolling.roller import DialogRoller
from partner_desktop.rolling.rolling_settings import RollingSettings
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

_log = log.area("rolling")

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
