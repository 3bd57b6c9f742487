"""What is done later: who keeps it, what a person does to it, and who sees to it."""

from __future__ import annotations

from partner_desktop.action.plans.plan_maker import PlanMaker
from partner_desktop.action.proposals import Proposals
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.schedules.completion_trigger import CompletionTrigger
from partner_desktop.action.schedules.file_trigger import FileTrigger
from partner_desktop.action.schedules.firing_causes import FiringCauses
from partner_desktop.action.schedules.firing_runner import FiringParts, FiringRunner
from partner_desktop.action.schedules.measures import LookAtLoad
from partner_desktop.action.schedules.schedule_maker import ScheduleMaker
from partner_desktop.action.schedules.schedule_manager import ScheduleManager
from partner_desktop.action.schedules.schedule_news import ScheduleNews
from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.schedules.schedule_store import ScheduleStore
from partner_desktop.action.schedules.scheduler import Scheduler
from partner_desktop.action.schedules.threshold_trigger import ThresholdTrigger
from partner_desktop.action.schedules.trigger_store import TriggerStore
from partner_desktop.action.undo.journal import UndoJournal
from partner_desktop.action.work_parts import WorkParts
from partner_desktop.app.core_services import CoreServices
from partner_desktop.runtime.agent_context import Part


class ScheduleParts:
    """Rows and their makers at first, which whoever says yes needs; the rest by `complete`."""

    def __init__(self, core: CoreServices) -> None:
        self._core = core
        self.store = ScheduleStore(core.database)
        self.news = ScheduleNews(self.store, core.channels.publish, clock=core.clock)
        self.maker = ScheduleMaker(self.store, self.news, self._settings, clock=core.clock)

    def _settings(self) -> ScheduleSettings:
        return self._core.schedule_settings.value

    def complete(
        self,
        work: WorkParts,
        maker: PlanMaker,
        plan_runner: PlanRunner,
        proposals: Proposals,
        undo_journal: UndoJournal,
        look_at_load: LookAtLoad,
    ) -> None:
        """What fires, and what a person does to it."""
        core = self._core
        firing_parts = FiringParts(
            self.store,
            self.news,
            maker,
            plan_runner,
            core.dialog,
            core.exchanges,
            self._settings,
            core.channels.publish,
        )
        self._runner = FiringRunner(work, firing_parts)
        work.executor.told_if(self._runner.is_worth_telling)
        self.desk = ScheduleManager(
            work, self.store, self.news, self.maker, self._runner, proposals, maker, self._pause_all
        )
        self._scheduler = Scheduler(
            self.store, self._runner, self.news, core.dialog, self._settings, clock=core.clock
        )
        self._watch(work, FiringCauses(self.store, work.store, undo_journal), look_at_load)

    def _watch(self, work: WorkParts, traces: FiringCauses, look_at_load: LookAtLoad) -> None:
        core, triggers = self._core, TriggerStore(self._core.database)
        self._ends = CompletionTrigger(
            self.store, work.store, self._runner, work.publisher, core.schedule_settings, clock=core.clock
        )
        self._landings = FileTrigger(
            self.store, triggers, traces, self._runner, self.news, self._settings, clock=core.clock
        )
        self._thresholds = ThresholdTrigger(
            self.store,
            triggers,
            traces,
            self._runner,
            self.news,
            self._settings,
            look_at_load,
            clock=core.clock,
        )
        core.schedule_settings.on_change(self._scheduler.apply)
        core.schedule_settings.on_change(self._landings.apply)
        core.schedule_settings.on_change(self._ends.apply)

    def launch_order(self, *, stays: bool) -> tuple[tuple[str, Part], ...]:
        """Who sees to what is due. Where Partner ends at once, only what a person has done now is."""
        if not stays:
            return (("firings", self._runner),)
        return (
            ("firings", self._runner),
            ("schedules", self._scheduler),
            ("ends of actions", self._ends),
            ("landing files", self._landings),
            ("thresholds", self._thresholds),
        )

    async def _pause_all(self, paused: bool) -> None:
        await self._core.config.set("schedules", ("paused",), paused)
        self._scheduler.wake()
