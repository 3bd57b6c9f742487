"""DayRemarks: with a day's first words, one short remark on what the person said earlier about that day.

Contract: only what names the day itself, said before it, by the person; once, and never in the quiet hours.
The day is noted before anything is said: a crash loses a remark, and never repeats one.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date, time

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.text import cut
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.evidence import SaidOfToday
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.memory.indexing import TurnIndexing
from partner_desktop.memory.settings import MemorySettings
from partner_desktop.memory.turn_index import TurnIndex
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.turn_reader import TurnReader
from partner_desktop.storage.database import Connection, Database

_log = log.area("memory")

_BLOCK = "saidoftoday"
_LONGEST = 200


class DatedTurns:
    """What was said about a day; owns the table `memory_remarks`."""

    def __init__(
        self, database: Database, index: TurnIndex, indexing: TurnIndexing, reader: TurnReader
    ) -> None:
        self._database = database
        self._index = index
        self._indexing = indexing
        self._reader = reader

    async def begin(self, day: date) -> RememberedTurn | None:
        """What to remark on, on the first call of a day.

        Raises:
            StorageError: The database or the index cannot be read.
        """
        known = await self._database.row("SELECT 1 FROM memory_remarks WHERE day = ?", (day.isoformat(),))
        if known is not None:
            return None
        await self._indexing.catch_up()
        turns = await self._reader.at(await self._index.speaking_of(day))

        def choose(db: Connection) -> RememberedTurn | None:
            for turn in sorted(turns.values(), key=lambda turn: turn.position, reverse=True):
                told = db.execute("SELECT 1 FROM memory_remarks WHERE message_id = ?", (turn.message_id,))
                if told.fetchone() is None:
                    break
            else:
                turn = None
            new = db.execute(
                "INSERT OR IGNORE INTO memory_remarks VALUES (?, ?)",
                (day.isoformat(), turn.message_id if turn is not None else ""),
            )
            return turn if new.rowcount else None

        return await self._database.write(choose)


class DayRemarks(RunningModule):
    """Runs beside the planner, on a day's first turn only."""

    order = 2

    def __init__(
        self,
        workspace: ContextWorkspace,
        dated: DatedTurns,
        settings: ConfigHandle[MemorySettings],
        *,
        clock: Clock,
    ) -> None:
        self._workspace = workspace
        self._dated = dated
        self._settings = settings
        self._clock = clock
        self._day: date | None = None

    async def execute(self, flow: RunningFlowContext) -> None:
        now = self._clock.now().astimezone()
        settings = self._settings.value.remarks
        if self._day == now.date() or not flow.text.strip() or flow.words_only:
            return
        quiet = time.fromisoformat(settings.quiet_from), time.fromisoformat(settings.quiet_until)
        if not settings.enabled or _within(*quiet, now.time()):
            return
        try:
            turn = await self._dated.begin(now.date())
        except PartnerError as error:
            _log.warning("nothing is remarked on: %s", error)
            return
        self._day = now.date()
        if turn is None:
            return
        said = SaidOfToday(replace(turn, text=await asyncio.to_thread(_sentence, turn, now.date())))
        words = words_of(said)
        self._workspace.register(
            ContextBlock(
                name=_BLOCK,
                source=self.name,
                domain=Domain.MEMORY,
                scope=flow.conversation_id,
                full=words.full,
                compact=words.compact,
                abstract=words.abstract,
                fades=block_settings.RECALLED_SLICES,
                evidence=said,
                turn_id=flow.turn_id,
            )
        )


def _within(first: time, past: time, at: time) -> bool:
    """Whether it is between `first` and `past`, over midnight as may be."""
    return first <= at < past if first <= past else at >= first or at < past


def _sentence(turn: RememberedTurn, day: date) -> str:
    """The sentence that speaks of a day."""
    from partner_desktop.language.values.past_times import past_times  # noqa: PLC0415 - with a day's first words

    text = turn.text
    named = [each for each in past_times(text, turn.at.astimezone()) if each.since == day and not each.vague]
    at = named[0].start if named else 0
    first = max((text.rfind(end, 0, at) + 1 for end in "!?\n。！？"), default=0)
    first = max(first, text.rfind(". ", 0, at) + 1)
    ends = [text.find(end, at) for end in (". ", "!", "?", "\n", "。", "！", "？")]
    past = min((end + 1 for end in ends if end >= 0), default=len(text))
    return cut(text[first:past].strip(), _LONGEST)
