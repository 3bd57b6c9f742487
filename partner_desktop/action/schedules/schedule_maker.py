"""ScheduleMaker: of what the person said yes to, the schedule that does it later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from partner_desktop.action.schedules.firing_times import is_too_often, next_time, times_by, zone_called
from partner_desktop.action.schedules.schedule_news import ScheduleNews
from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.schedules.schedule_store import ScheduleStore, StoredSchedule
from partner_desktop.action.schedules.trigger_store import FolderSnapshot
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import display_path
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Missed, NoSuchTime, Scheduled
from partner_desktop.domain.schedule import MOST_MESSAGE_CHARS, Schedule, Terms
from partner_desktop.files.new_files import MOST_NAMES, fitting_files
from partner_desktop.files.tree import TooManyError

#: No time on a wall is before it.
_BEFORE_ALL = datetime(1969, 12, 30, tzinfo=UTC)


class ScheduleMaker:
    """Looks and makes; what it made is written by whoever asked."""

    def __init__(
        self,
        store: ScheduleStore,
        news: ScheduleNews,
        settings: Callable[[], ScheduleSettings],
        *,
        clock: Clock,
    ) -> None:
        self._store = store
        self._news = news
        self._settings = settings
        self._clock = clock

    @property
    def all_paused(self) -> bool:
        """Whether nothing at all is done at present."""
        return self._settings().paused

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is to call for attention now."""
        return self._settings().is_quiet(self._clock.now().astimezone().time())

    async def unfit(self, terms: Terms, text: str) -> NoSuchTime | None:
        """Why there can be no such schedule; `None`: there can."""
        if len(terms.message) > MOST_MESSAGE_CHARS:
            return NoSuchTime(text, "long")
        return await asyncio.to_thread(self._unfit, terms, text)

    def _unfit(self, terms: Terms, text: str) -> NoSuchTime | None:
        now = self._clock.now()
        if terms.timing is None:
            happening = terms.lands or terms.crosses or terms.ends
            return NoSuchTime(text, "unclear") if happening is None else None
        try:
            zone_called(terms.zone)
        except UsageError:
            return NoSuchTime(text, "unclear")
        try:
            if is_too_often(terms, now, shortest_s=self._settings().shortest_seconds):
                return NoSuchTime(text, "often")
            if next(times_by(terms, now), None) is None:
                return NoSuchTime(text, "never" if terms.cycle is not None else "past")
        except UsageError:
            return NoSuchTime(text, "never")
        return None

    async def made(self, record: ActionRecord, *, asks: bool) -> StoredSchedule:
        """The schedule of an action that was approved, new or in the place of another; it is not written yet.

        Raises:
            UsageError: It would never be due.
        """
        assert record.terms is not None, "it is to be done later"
        replaced = record.terms.replaces
        old = await self._store.get(replaced) if replaced else None
        terms = replace(record.terms, replaces="")
        schedule = Schedule(
            id=old.id if old is not None else new_id(),
            conversation_id=record.conversation_id,
            title=terms.message or record.title,
            terms=terms,
            state="armed",
            created_at=old.schedule.created_at if old is not None else self._clock.now(),
            asks=asks,
        )
        schedule = replace(schedule, next_at=await self.first_time(schedule))
        template = None if terms.is_reminder else template_of(record, schedule.id)
        return StoredSchedule(schedule, template, record.language, await self.there(terms))

    async def there(self, terms: Terms) -> FolderSnapshot | None:
        """The names in the folder that it waits for a file in: what lies there as it is armed is not new.

        Raises:
            UsageError: They are too many to be told apart.
        """
        lands = terms.lands
        if lands is None:
            return None
        try:
            names = frozenset(await asyncio.to_thread(fitting_files, lands.folder, lands.pattern))
        except OSError:
            names = frozenset()  # what comes into it, once it is there, is new
        except TooManyError as error:
            raise UsageError(
                "schedules.too_many_files", folder=display_path(Path(lands.folder)), most=f"{MOST_NAMES:,}"
            ) from error
        return FolderSnapshot(self._clock.now(), names)

    async def first_time(self, schedule: Schedule) -> datetime | None:
        """When it is due first; a single time that passed while its card waited is due at once.

        Raises:
            UsageError: It has times, and none of them is to come.
        """
        if schedule.terms.timing is None:
            return None
        now = self._clock.now()
        since = now
        if schedule.terms.once is not None:
            since = _BEFORE_ALL
        at = await asyncio.to_thread(next_time, schedule, since)
        if at is None:
            raise UsageError("schedules.never")
        return at

    async def scheduled(self, record: ActionRecord) -> Scheduled:
        """What to tell of an action that became a schedule.

        Raises:
            UsageError: That is gone.
        """
        return Scheduled(record, await self._news.one(record.schedule_id))

    async def missed(self, told: str) -> Sequence[Missed]:
        """What is to be told of times that had passed; see `ScheduleNews.missed`."""
        return await self._news.missed(told)


def template_of(record: ActionRecord, schedule_id: str) -> ActionRecord:
    """What of an approved action its firings are made of."""
    return replace(record, status=ActionStatus.SUCCEEDED, schedule_id=schedule_id, waits_until=None, number=0)
