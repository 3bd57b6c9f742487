"""All parts of one Partner and the order they live in, written out by hand; free of Qt.

The groups are built from the core services up. Then three lists say everything else: `_launch_order`
(parts open in that order and close in reverse), `_provide` (what modules and packages may ask for) and
`_MODULES` (who takes part in a turn). A new part is one line in its group and one line here.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.action_erasure import ActionErasure
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.schedules.measures import MachineLoad
from partner_desktop.action.schedules.schedule_erasure import ScheduleErasure
from partner_desktop.action.schedules.schedule_manager import ScheduleManager
from partner_desktop.action.turns.planner import ActionPlanner
from partner_desktop.action.turns.planning_parts import PlanningParts
from partner_desktop.api.ability_service import AbilityService
from partner_desktop.api.action_service import ActionService
from partner_desktop.api.attachment_service import AttachmentService
from partner_desktop.api.backup_service import BackupService
from partner_desktop.api.check_service import CheckService, RunsTasks
from partner_desktop.api.conversation_service import ConversationService
from partner_desktop.api.download_service import DownloadService
from partner_desktop.api.event_service import EventService
from partner_desktop.api.familiar_service import FamiliarService
from partner_desktop.api.find_service import FindService
from partner_desktop.api.memory_service import ForgettingService
from partner_desktop.api.message_service import MessageService
from partner_desktop.api.model_service import ModelService
from partner_desktop.api.permission_service import PermissionService
from partner_desktop.api.plan_service import PlanService
from partner_desktop.api.schedule_service import ScheduleService
from partner_desktop.api.server_service import ServerService
from partner_desktop.app.actions import ActionParts
from partner_desktop.app.core_services import CoreServices
from partner_desktop.app.memory_parts import MemoryParts
from partner_desktop.app.models import ModelParts
from partner_desktop.base.clock import Clock
from partner_desktop.base.tasks import Deferred
from partner_desktop.base.trace import Tracer
from partner_desktop.capabilities import (
    ActionCapability,
    CognitionCapability,
    DialogRoomCapability,
    Forgettable,
    MemoryCapability,
    ModelCapability,
    PrefixCapability,
)
from partner_desktop.communication.producer import CommunicationProducer
from partner_desktop.communication.prompt_budget import PromptBudgets
from partner_desktop.communication.prompt_builder import PromptBuilder
from partner_desktop.communication.prompt_prefix import PrefixKeeper
from partner_desktop.config.center import ConfigCenter
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.snapshots import SnapshotStore
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.memory.day_remarks import DatedTurns, DayRemarks
from partner_desktop.memory.entity_answers import EntityAnswers, EntityRecaller
from partner_desktop.memory.forget_backups import ForgetBackups
from partner_desktop.memory.forget_procedure import Forgetting
from partner_desktop.memory.forgotten import EntityErasure, Remembering
from partner_desktop.memory.selector import MemoryJudge, MemorySelector, RecalledPassages
from partner_desktop.memory.settings import MemorySettings
from partner_desktop.mind.answerers import SwitchingMind, TracedMind
from partner_desktop.mind.question import Mind
from partner_desktop.model.check_store import CheckStore
from partner_desktop.model.embedder import Embedder
from partner_desktop.perceive.attachment_reader import AttachmentReader
from partner_desktop.perceive.attachment_text import AttachmentTexts
from partner_desktop.perceive.monitor import Interactions, PerceiveMonitor
from partner_desktop.perceive.system_monitor import PerceiveSettings, SystemStatsMonitor
from partner_desktop.perceive.system_sample import SystemSample, take_sample
from partner_desktop.rolling.roller import DialogRoller, DialogRolling
from partner_desktop.runner.sandbox_policy import own_places
from partner_desktop.runtime.agent_context import AgentContext, Part
from partner_desktop.runtime.attachment_store import AttachmentStore
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.deletion import Deletion
from partner_desktop.runtime.conversations.picture_files import PictureFiles
from partner_desktop.runtime.exceptions import ExceptionDoor
from partner_desktop.runtime.extension_points import Phase
from partner_desktop.runtime.extensions import ExtensionLoader
from partner_desktop.runtime.update_check import UpdateCheck
from partner_desktop.storage.backup_file import home_key

#: Brought in by the first message: what reads words, and what answers them.
_READING = (
    "partner_desktop.mind.starter.mind",
    "partner_desktop.action.turns.turn_planning",
    "partner_desktop.memory.recaller",
    "partner_desktop.language.entity_questions",
    "partner_desktop.language.speech_acts.small_talk",
)

#: Brought in by the first self-test of a model.
_TESTING = (
    *_READING,
    "partner_desktop.mind.prompted.mind",
    "partner_desktop.mind.self_test",
    "partner_desktop.communication.single_prompt",
    "jsonschema",
)

_MODULES = (
    PerceiveMonitor,
    AttachmentReader,
    MemorySelector,
    EntityRecaller,
    DayRemarks,
    ActionPlanner,
    CommunicationProducer,
    MemoryJudge,
    DialogRolling,
)


class Composition:
    """`mind` and `embedder` take the place of the shipped ones; with `meaning` vectors are compared, too."""

    def __init__(
        self,
        core: CoreServices,
        action_dir: Path,
        *,
        mind: Mind | None,
        embedder: Embedder | None,
        meaning: bool,
        pace_s: float,
        stays: bool,
    ) -> None:
        self.core = core
        self._stays, self._meaning = stays, meaning
        self.models = ModelParts(core, embedder, stays=stays)
        self.memory = MemoryParts(
            core,
            self.models,
            meaning=meaning,
            erase=lambda each: self.conversations.deletion.erase_soon(each),  # noqa: PLW0108 - made below
        )
        traced = TracedMind(mind or self._mind(meaning=meaning, pace_s=pace_s), core.tracer)
        self.actions = ActionParts(
            core,
            action_dir,
            self.models,
            self.memory.recall,
            traced,
            look_at_load=self._look_at_load,
        )
        self.passages = RecalledPassages(core.workspace)
        self.interactions = Interactions(core.database)
        self.system_stats = SystemStatsMonitor(
            core.workspace,
            core.config.register("perceive", PerceiveSettings()),
            look=self._look_at_machine,
            clock=core.clock,
        )
        self._build_services(action_dir)
        self.budgets = PromptBudgets(core.workspace, core.context_settings, self.models.registry)
        self.prefixes = PrefixKeeper(core.dialog, self.actions.catalog, self.budgets, self.memory.slices)
        self.context = AgentContext(clock=core.clock)
        self.actions.know_agents(lambda: self.context.agents)
        self.extensions = ExtensionLoader(self.context, core.exceptions, core.extension_settings)
        thinking = self.actions.mind
        self.memory.roller.think_with(thinking)
        self.memory.titler.think_with(thinking)
        self.memory.learning.think_with(thinking)
        self._provide(thinking)
        self._register()

    async def get_ready(self) -> None:
        """A message is being written: bring in what will read it, in threads."""
        for name in _READING:
            await asyncio.to_thread(importlib.import_module, name)

    def _mind(self, *, meaning: bool, pace_s: float) -> Mind:
        """Who answers: the starter mind, or a model that `self.models.registry` serves the question with."""

        def starter() -> Mind:
            return self._starter(meaning=meaning, pace_s=pace_s)

        def prompted(starter: Mind) -> Mind:
            # Whoever has no model should not wait for this at the start.
            from partner_desktop.mind.prompted.familiar_mind import FamiliarMind  # noqa: PLC0415
            from partner_desktop.mind.prompted.mind import PromptedMind  # noqa: PLC0415

            asking = PromptedMind(self.models.registry, self.prefixes, starter, self._tell)
            return FamiliarMind(asking, starter, self.memory.familiar)

        return SwitchingMind(starter, prompted, self.models.registry)

    def _starter(self, *, meaning: bool, pace_s: float = 0.0) -> Mind:
        # A start should not wait for this: the first question does, or whoever begins to write one.
        from partner_desktop.mind.starter.mind import StarterMind  # noqa: PLC0415

        models = self.models
        return StarterMind(
            matcher=models.matcher(by_meaning=meaning),
            embedder=models.embedder if meaning else None,
            meaning=models.meaning if meaning else None,
            pace_s=pace_s,
        )

    async def _self_test(self, model: str, language: str) -> RunsTasks:
        """A test that is ready to run: imports and tables are read in a thread."""
        for name in _TESTING:
            await asyncio.to_thread(importlib.import_module, name)
        from partner_desktop.communication.single_prompt import SinglePrompt  # noqa: PLC0415 - as above
        from partner_desktop.mind.check_tasks import check_abilities  # noqa: PLC0415
        from partner_desktop.mind.prompted.mind import PromptedMind  # noqa: PLC0415
        from partner_desktop.mind.self_test import SelfTest  # noqa: PLC0415
        from partner_desktop.model.single_model import SingleModel  # noqa: PLC0415

        registry, clock = self.models.registry, self.core.clock
        abilities = await asyncio.to_thread(check_abilities, language)
        persona = registry.persona("reply")
        prompts = SinglePrompt(tuple(abilities.values()), language=language, persona=persona, clock=clock)
        lone = SingleModel(registry, model, language=language, clock=clock)
        starter = self._starter(meaning=self._meaning)
        return SelfTest(lone, prompts, starter, PromptedMind, language=language)

    def _tell(self, question: str, sentence: str) -> None:
        """The model's answer does not stand: the person is told, once a question at a time."""
        self.core.channels.publish(NoticeEvent(title="Model", text=sentence, about=f"mind:{question}"))

    def _build_services(self, action_dir: Path) -> None:
        """What is asked by name; the parts that are services themselves stand where they belong."""
        core, models, actions = self.core, self.models, self.actions
        servers = actions.servers
        deletion = Deletion(
            core.database,
            core.channels,
            halt=actions.halt,
            forget_runs=actions.forget_runs,
            sweep_pictures=core.pictures.sweep,
            clock=core.clock,
        )
        self.conversations = ConversationService(
            core.database,
            core.dialog,
            core.channels,
            deletion,
            forgotten=self.memory.forgotten.known,
            halt=actions.stop,
            follow=models.conversations.follow,
            clock=core.clock,
        )
        self.messages = MessageService(
            core.database,
            core.dialog,
            core.runtime,
            core.reception,
            core.exchanges,
            core.channels,
            core.audit,
            core.attachments,
            say_ended=actions.publisher.ended,
            asks_nobody=servers.manager.elicitations.nobody_in,
            clock=core.clock,
        )
        self._build_forgetting(deletion)
        self.permissions = PermissionService(
            core.config, core.policy, core.grants, actions.catalog, core.channels, core.audit
        )
        self.model_service = ModelService(
            core.config,
            models.registry,
            models.secrets,
            models.embedder,
            core.dialog,
            check=models.check_endpoint,
        )
        models.downloads.take_in_by(lambda path, title: self.model_service.add_file(path, title=title))
        self.download_service = DownloadService(
            models.downloads, models.catalog, known=models.known_files, clock=core.clock
        )
        self.check_service = CheckService(
            core.config,
            models.registry,
            CheckStore(core.database),
            self._self_test,
            core.channels.publish,
            clock=core.clock,
        )
        self.finds = FindService(
            self.model_service,
            models.registry,
            core.home.models,
            ask_ports=models.running_endpoints,
        )
        self.attachments = AttachmentService(core.attachments, actions.home_index, core.dialog)
        self.familiar = FamiliarService(self.memory.familiar, actions.catalog)
        self.ability_service = AbilityService(
            actions.catalog,
            actions.manager,
            actions.editor,
            actions.approvals,
            actions.desk,
            actions.store,
            core.dialog,
            core.exchanges,
        )
        self.action_service = ActionService(
            actions.store,
            actions.desk,
            actions.approvals,
            actions.executor,
            actions.plan_runner,
            trials=actions.trials,
            taking_back=actions.taking_back,
            run_files=actions.run_files,
            audit=core.audit.reader,
        )
        self.server_service = ServerService(
            servers.manager, actions.catalog, servers.server_import, servers.secrets
        )
        self.plans = PlanService(
            Deferred(actions.goal_plans),
            actions.desk,
            actions.plan_runner,
            actions.plan_saver,
            actions.checks,
            core.dialog,
            core.exchanges,
        )
        self.schedule_service = ScheduleService(
            actions.later.desk, actions.store, core.dialog, core.reception, core.exchanges
        )
        self.events = EventService(
            core.channels,
            self.messages,
            self.ability_service,
            self.action_service,
            self.server_service,
            self.plans,
        )
        self.updates = UpdateCheck(
            core.home, core.update_settings, core.channels.publish, clock=core.clock, stays=self._stays
        )
        self.backup = BackupService(core.home, action_dir, servers.manager, clock=core.clock)

    def _build_forgetting(self, deletion: Deletion) -> None:
        """Whoever keeps something that is made of what was said takes part: a line here."""
        core, actions, memory = self.core, self.actions, self.memory
        entities = EntityErasure(core.database)
        made_of_words: tuple[Forgettable, ...] = (memory.slices, entities, memory.familiar)
        keepers = (
            *made_of_words,
            ActionErasure(core.database, actions.forget_runs),
            ScheduleErasure(),
            core.snapshots,
            core.grants,
            memory.importing,
            core.drafts,
            core.pictures,
        )
        key = partial(home_key, core.home)
        self.forgetting = Forgetting(
            core.database,
            memory.slices,
            memory.indexing,
            memory.forgotten,
            deletion,
            core.audit,
            core.channels.publish,
            keepers=keepers,
            forget_blocks=self.passages.forget,
            idle=core.exchanges.idle,
            clock=core.clock,
            entities=entities,
        )
        actions.forget_with(self.forgetting)
        self.forgetting_service = ForgettingService(
            self.forgetting,
            ForgetBackups(core.home, core.database, keepers=keepers, key=key, clock=core.clock),
            Remembering(core.database, core.dialog, memory.indexing, made_of_words),
            core.channels,
        )

    def _provide(self, mind: Mind) -> None:
        context, core, actions = self.context, self.core, self.actions
        context.provide(CognitionCapability, core.dialog)
        context.provide(ActionCapability, actions.catalog)
        context.provide(Clock, core.clock)
        context.provide(Tracer, core.tracer)
        context.provide(ConfigCenter, core.config)
        context.provide(ConfigHandle[ContextSettings], core.context_settings)
        context.provide(Interactions, self.interactions)
        context.provide(ContextWorkspace, core.workspace)
        context.provide(SnapshotStore, core.snapshots)
        context.provide(PictureFiles, core.pictures)
        context.provide(AttachmentStore, core.attachments)
        own = own_places(core.home, (core.server_files,))
        context.provide(AttachmentTexts, AttachmentTexts(own, lambda: actions.machine.sandbox.sandbox))
        context.provide(ChannelRegistry, core.channels)
        context.provide(ExceptionDoor, core.exceptions)
        context.provide(Mind, mind)
        context.provide(ModelCapability, self.models.registry)
        context.provide(AbilityCatalog, actions.catalog)
        context.provide(PlanRunner, actions.plan_runner)
        context.provide(ScheduleManager, actions.later.desk)
        context.provide(ConfigHandle[MemorySettings], self.memory.settings)
        core.channels.register(self.passages)
        context.provide(RecalledPassages, self.passages)
        context.provide(MemoryCapability, self.memory.recall)
        context.provide(EntityAnswers, self.memory.known)
        context.provide(PlanningParts, actions.planning_parts(self.memory.known))
        context.provide(DatedTurns, self.memory.dated)
        context.provide(PromptBudgets, self.budgets)
        context.provide(PrefixKeeper, self.prefixes)
        context.provide(PrefixCapability, self.prefixes)
        context.provide(DialogRoomCapability, self.prefixes)
        context.provide(DialogRoller, self.memory.roller)
        context.offer(PromptBuilder, PromptBuilder)

    def _register(self) -> None:
        context = self.context
        context.add_module(self.system_stats)
        for module in _MODULES:
            context.add_module(context.build(module))
        context.use_modules(self.core.runtime.use)
        for name, part in self._launch_order():
            context.add_part(name, part)
        # Turns end before the modules that they run in.
        context.add_hook(Phase.PRE, "turns", self.core.runtime.shutdown)
        context.add_hook(Phase.POST, "reports", self.core.reports.close, order=80)

    def _launch_order(self) -> tuple[tuple[str, Part], ...]:
        core, models, actions = self.core, self.models, self.actions
        return (
            ("host lock", core.lock),
            ("crash marker", core.marker),
            ("settings", core.config),
            ("updates", self.updates),
            ("rules", core.policy),
            ("trace", core.tracer),
            ("database", core.database),
            ("embedding cache", models.vectors),
            ("embedding model", models.chosen),
            ("meaning", models.meaning),
            ("model calls", models.usage),
            ("models of conversations", models.conversations),
            ("models", models.registry),
            ("self-tests", self.check_service),
            ("downloads", models.downloads),
            ("dialog", core.dialog),
            ("pictures of messages", core.pictures),
            ("memory", self.memory.indexing),
            ("entities", self.memory.learning),
            ("familiar requests", self.memory.familiar),
            ("deletion", self.conversations.deletion),
            ("system stats", self.system_stats),
            ("turn queue", core.queue),
            ("runtime", core.runtime),
            ("undo journal", actions.undo_journal),
            ("run files", actions.run_files),
            ("runner", actions.machine),
            ("abilities", actions.catalog),
            ("servers", actions.servers.manager),
            ("permissions", self.permissions),
            ("background commands", actions.sessions),
            ("trials", actions.trials),
            ("executor", actions.executor),
            ("card patience", actions.confirmation_expiry),
            ("plans", actions.plan_runner),
            ("recovery", actions.recovery),
            *actions.later.launch_order(stays=self._stays),
            ("chat imports", self.memory.importing),
            ("idle rolling", self.memory.idle_rolling),
            ("titles", self.memory.titler),
            ("unfinished turns", actions.unfinished),
            ("forgetting", self.forgetting),
            ("extensions", self.extensions),
        )

    def _look_at_load(self) -> Callable[[], MachineLoad]:
        """Of the same look what thresholds are set on."""
        measure = self._look_at_machine()

        def load() -> MachineLoad:
            sample = measure()
            return MachineLoad(sample.memory.percent if sample.memory else None, sample.cpu_percent)

        return load

    def _look_at_machine(self) -> Callable[[], SystemSample]:
        """In a thread, psutil's import included."""
        from partner_desktop.perceive.system_stats import ThisMachine  # noqa: PLC0415

        return partial(take_sample, ThisMachine(self.core.home.root), clock=self.core.clock)
