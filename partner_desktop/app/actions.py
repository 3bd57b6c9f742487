"""Everything that makes an action of a wish: abilities, approval, execution, what a crash left of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.abilities.ability_editor import AbilityEditor, AbilityManager
from partner_desktop.abilities.builtin.calculator import CalculatorBuiltins
from partner_desktop.abilities.builtin.command_lines import CommandBuiltins
from partner_desktop.abilities.builtin.desktop import Clipboard, DesktopBuiltins
from partner_desktop.abilities.builtin.file_contents import ReadingBuiltins, WritingBuiltins
from partner_desktop.abilities.builtin.file_moves import MovingBuiltins
from partner_desktop.abilities.builtin.file_search import FindingBuiltins
from partner_desktop.abilities.builtin.intervention import (
    AcquiringBuiltins,
    InitiativeBuiltins,
    InterventionBuiltins,
    UndoBuiltins,
)
from partner_desktop.abilities.builtin.memory_builtins import ForgetBuiltins, RecallBuiltins
from partner_desktop.abilities.builtin.own_abilities import DynamicBuiltins, ServerBuiltins
from partner_desktop.abilities.builtin.registry import BuiltinActionRegistry, BuiltinRoute
from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.abilities.creation import CreationMind, Subject
from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.abilities.new_script import ScriptReader
from partner_desktop.action.approvals import Approvals
from partner_desktop.action.confirmation_expiry import ConfirmationExpiry
from partner_desktop.action.corrections.corrector import Corrector
from partner_desktop.action.corrections.interventions import Interventions
from partner_desktop.action.corrections.new_steps import NewSteps
from partner_desktop.action.corrections.plan_correction import PlanCorrection
from partner_desktop.action.dry_run import Trials
from partner_desktop.action.event_publisher import CardPlaces, EventPublisher
from partner_desktop.action.manual_actions import ManualActions
from partner_desktop.action.plans.plan_maker import PlanMaker
from partner_desktop.action.plans.plan_saver import PlanSaver
from partner_desktop.action.plans.saved_plan_maker import SavedPlanMaker
from partner_desktop.action.plans.step_maker import StepMaker
from partner_desktop.action.proposals import Proposals
from partner_desktop.action.questions import Questions
from partner_desktop.action.recovery import Recovery
from partner_desktop.action.runs.executor import ActionExecutor
from partner_desktop.action.runs.live_plan import PlanClosing, PlanRows
from partner_desktop.action.runs.plan_budget import PlanBudget
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.runs.run_files import FilesRunner, RunFiles
from partner_desktop.action.runs.stage_runner import RunParts
from partner_desktop.action.runs.step_inputs import StepInputs
from partner_desktop.action.runs.step_recovery import StepRecovery
from partner_desktop.action.runs.step_runner import StepRunner
from partner_desktop.action.sampling import Sampler, SamplingBuiltins
from partner_desktop.action.schedules.measures import LookAtLoad
from partner_desktop.action.settings import ActionSettings
from partner_desktop.action.store import ActionStore
from partner_desktop.action.turns.planning_parts import PlanningParts
from partner_desktop.action.turns.referents import Referents
from partner_desktop.action.undo.disk import UndoDisk
from partner_desktop.action.undo.journal import UndoJournal, UndoRows
from partner_desktop.action.undo.undo_service import UndoableRunner, UndoService
from partner_desktop.action.work_parts import WorkParts
from partner_desktop.app.core_services import CoreServices
from partner_desktop.app.lazy_agents import LazyAgents
from partner_desktop.app.models import ModelParts
from partner_desktop.app.schedule_parts import ScheduleParts
from partner_desktop.app.servers import ServerParts
from partner_desktop.base.tasks import Deferred
from partner_desktop.capabilities import EntityCapability, ForgetCapability, MemoryCapability
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.model_status import ModelStatus
from partner_desktop.files.home_index import HomeIndex
from partner_desktop.mind.question import Mind
from partner_desktop.runner.ability_content import SwitchStore
from partner_desktop.runner.client import LimitedRunner, PermittedRunner, RetryingRunner, WritersRunner
from partner_desktop.runner.local_runner import LocalRunnerClient, ServerRoute
from partner_desktop.runner.mcp.port import SamplingRequest
from partner_desktop.runner.run_folders import forget_outputs
from partner_desktop.runner.sandbox_policy import ExecutionPolicyKeeper, own_places
from partner_desktop.runner.script_route import ScriptRoute
from partner_desktop.runner.sessions.manager import CommandSessions, SessionStore
from partner_desktop.runtime.turn_recovery import TurnRecovery

if TYPE_CHECKING:
    from partner_desktop.action.goals.goal_plans import GoalPlans
    from partner_desktop.action.goals.rerouter import Rerouter
    from partner_desktop.action.turns.history_answers import HistoryAnswers
    from partner_desktop.action.verification.plan_checks import PlanChecks
    from partner_desktop.agents.agent_builtins import AgentBuiltins


class ActionParts:
    """Built and connected on the core services; nothing is open before the launch."""

    def __init__(
        self,
        core: CoreServices,
        action_dir: Path,
        models: ModelParts,
        memory: MemoryCapability,
        mind: Mind,
        *,
        look_at_load: LookAtLoad,
    ) -> None:
        """`mind`: who answers; `self.mind` is the same with what it takes to make abilities by words."""
        self._core = core
        self._memory = memory
        self._models = models
        self.store = ActionStore(core.database)
        self.home_index = HomeIndex(Path.home())
        self.publisher = EventPublisher(core.channels)
        self._build_aftercare()
        self._build_abilities(action_dir)
        self.mind = self._creating(mind)
        self._build_work()
        self._build_plans()
        self._build_decisions()
        self.later.complete(
            self.parts, self.maker, self.plan_runner, self.proposals, self.undo_journal, look_at_load
        )
        self._build_sampling()
        self._build_aftermath()

    def _build_abilities(self, action_dir: Path) -> None:
        core = self._core
        builtins = self._builtins()
        folders = LiveFolders(action_dir, snapshots=core.home.root / "cache" / "abilities")
        switches = SwitchStore(core.database, clock=core.clock)
        self.servers = ServerParts(
            core,
            action_dir,
            self._models,
            switches,
            exchange_of=self._exchange_of,
            sample=self._sample,
        )
        self.catalog = AbilityCatalog(
            folders,
            builtins.infos(),
            core.channels,
            sources=[self.servers.manager],
            switches=switches,
            clock=core.clock,
        )
        self._build_runner(builtins)
        self.editor = AbilityEditor(self.catalog, switches, folders, self.reader, clock=core.clock)

    def _build_runner(self, builtins: BuiltinActionRegistry) -> None:
        core = self._core
        also, settings = (core.server_files,), core.action_settings
        self.policy = ExecutionPolicyKeeper(lambda: settings.value.sandbox, own_places(core.home, also))
        settings.on_change(self._apply_policy)
        self.reader = ScriptReader(lambda: self.policy.current.sandbox)
        self.scripts = scripts = ScriptRoute(core.home, also=also, policy=self.policy)
        self.machine = LocalRunnerClient(
            BuiltinRoute(builtins), scripts, ServerRoute(self.servers.manager), runs=core.home.runs
        )
        # The audit log is no wrapper: the executor writes its rows in the transaction that changes the
        # action's own, so that after a crash the two never tell different stories.
        runs = RetryingRunner(LimitedRunner(self.machine), clock=core.clock)
        watched = UndoableRunner(FilesRunner(runs, self.run_files), self.undo_journal)
        self.runner = PermittedRunner(WritersRunner(watched))

    def _build_aftercare(self) -> None:
        """What is kept of runs beside their records: what they replaced, and what they made."""
        core, own, clock = self._core, self._own(), self._core.clock
        settings = lambda: core.action_settings.value  # noqa: E731
        self.undo_disk = UndoDisk(core.home.undo, own=own)
        self.undo_journal = UndoJournal(
            UndoRows(core.database), self.undo_disk, self.store, self.publisher, settings, clock=clock
        )
        self.taking_back = UndoService(self.undo_journal, self.store, core.audit)
        self.run_files = RunFiles(core.home.runs, self.store, self.publisher, settings, own=own, clock=clock)

    def _own(self) -> tuple[Path, ...]:
        core = self._core
        return (core.home.root, core.home.socket.parent, core.server_files)

    def _builtins(self) -> BuiltinActionRegistry:
        """What Partner itself can do. What is built later than this list is asked for with each call."""
        core = self._core
        own = self._own()
        self.clipboard = Clipboard()
        self.sessions = CommandSessions(
            SessionStore(core.database),
            core.channels,
            core.dialog,
            runs=core.home.runs,
            clock=core.clock,
        )
        self.background = CommandBuiltins(self.sessions, clock=core.clock)
        self.forgetting = ForgetBuiltins(lambda: self._forgetter)
        return BuiltinActionRegistry(
            [
                CalculatorBuiltins(clock=core.clock),
                FindingBuiltins(closed=own),
                ReadingBuiltins(),
                WritingBuiltins(),
                MovingBuiltins(closed=own),
                DesktopBuiltins(self._notify),
                self.clipboard,
                self.background,
                RecallBuiltins(core.dialog, self._memory),
                InitiativeBuiltins(core.dialog),
                DynamicBuiltins(lambda: self.manager),
                InterventionBuiltins(lambda: self.catalog, lambda: self.store, lambda: self.interventions),
                AcquiringBuiltins(lambda: self.servers.elicitations, lambda: self.store),
                SamplingBuiltins(self._models.registry),
                ServerBuiltins(lambda: self.servers.manager),
                UndoBuiltins(lambda: self.taking_back),
                self.forgetting,
                LazyAgents(Deferred(self._agents)),
            ]
        )

    def _build_work(self) -> None:
        core = self._core
        self.executor = ActionExecutor(
            self.runner,
            self.store,
            core.audit,
            core.dialog,
            self.publisher,
            core.workspace,
            clock=core.clock,
        )
        self.parts = WorkParts(
            self.catalog,
            self.runner,
            core.permission,
            core.audit,
            self.store,
            self.executor,
            self.publisher,
            CardPlaces(core.dialog, self.publisher),
            self._prefill,
            core.clock,
        )

    def _build_decisions(self) -> None:
        core = self._core
        self.approvals = Approvals(
            self.parts,
            self.maker,
            self.plan_runner,
            self.saved_plans,
            self.later.store,
            self.later.maker,
            self.later.news,
        )
        self.manager: AbilityManager = AbilityManager(
            self.catalog, self.editor, self.approvals, core.permission
        )
        self.trials = Trials(
            self.catalog,
            self.runner,
            core.permission,
            self.store,
            core.audit,
            core.database,
            core.home.runs,
            lambda: self.machine.sandbox,
            self.reader,
        )
        self.questions = Questions(self.parts)
        self.confirmation_expiry = ConfirmationExpiry(self.parts)
        self.interventions: Interventions = Interventions(
            self.parts, self.approvals, self.plan_runner, self.new_steps, most_steps=self._most_steps
        )
        self.proposals: Proposals = Proposals(
            self.parts,
            self.maker,
            self.plan_runner,
            core.output_access,
            self.saved_plans,
            self.later.maker,
            most_steps=self._most_steps,
        )
        self.desk = ManualActions(
            self.catalog, self.maker, self.proposals, self.store, core.dialog, core.exchanges
        )

    def _build_plans(self) -> None:
        """What makes plans, and what runs them."""
        core, parts = self._core, self.parts
        self.later = ScheduleParts(core)
        step_maker = StepMaker(self.catalog, self.runner, core.permission)
        self.maker = PlanMaker(self.catalog, step_maker, core.permission)
        self.saved_plans = SavedPlanMaker(self.catalog, self.mind)
        self.plan_saver = PlanSaver(self.store, self.catalog, self.editor)
        self.new_steps = NewSteps(self.catalog, step_maker, self.mind)
        rows = PlanRows(parts)
        budget = PlanBudget(
            lambda: core.action_settings.value.chain, self._models.usage.tokens_of, clock=core.clock
        )
        corrector = Corrector(self.catalog, core.channels, self.mind, most_steps=self._most_steps)
        inputs = StepInputs(self.catalog, step_maker, core.output_access, self.mind)

        def rerouter() -> Rerouter:
            # Who only opens the window need not wait for a planner.
            from partner_desktop.action.goals import rerouter as rerouting  # noqa: PLC0415
            from partner_desktop.action.goals.goal_maker import GoalMaker  # noqa: PLC0415

            return rerouting.Rerouter(GoalMaker(self.catalog), step_maker, self.mind, rows, clock=core.clock)

        def checks() -> PlanChecks:
            # Nothing is checked before the first plan has come to its end.
            from partner_desktop.action.verification.plan_checks import PlanChecks  # noqa: PLC0415
            from partner_desktop.action.verification.verifier import Verifier  # noqa: PLC0415

            verifier = Verifier(
                parts,
                step_maker,
                self.mind.ask,
                self.undo_disk,
                core.home.runs,
                lambda: core.action_settings.value.verification,
            )
            return PlanChecks(parts, verifier, rows, self.desk)

        self.step_recovery = StepRecovery(parts, rows)
        self.checks: Deferred[PlanChecks] = Deferred(checks)
        self.plan_runner = PlanRunner(
            parts,
            core.exchanges,
            RunParts(
                rows,
                StepRunner(parts, inputs, self.maker, rows),
                PlanCorrection(corrector, self.new_steps, Deferred(rerouter), rows, budget, clock=core.clock),
                budget,
                PlanClosing(parts),
                self.step_recovery,
            ),
            self.checks.get,
        )

    def _agents(self) -> AgentBuiltins:
        from partner_desktop.agents.agent_builtins import AgentBuiltins  # noqa: PLC0415 - with the first call

        return AgentBuiltins(
            self.mind.ask,
            self._models.usage.calls,
            self._agent_classes,
            lambda: self.servers.elicitations,
            self._core.database,
            clock=self._core.clock,
        )

    def goal_plans(self) -> GoalPlans:
        """What computes plans towards goals; who only opens the window need not wait for it."""
        from partner_desktop.action.goals import goal_plans  # noqa: PLC0415

        return goal_plans.GoalPlans(self.catalog, self.mind)

    def _most_steps(self) -> int:
        return self._core.action_settings.value.chain.most_steps

    def _creating(self, mind: Mind) -> Mind:
        subject = Subject(self.catalog, self.store, self.editor)
        return CreationMind(
            mind, self.catalog, self._core.dialog, self._models.registry, subject, self.reader
        )

    def planning_parts(self, entities: EntityCapability) -> PlanningParts:
        """What plans turns: what words do to actions, to plans and to what runs."""
        core = self._core
        return PlanningParts(
            self.mind,
            self.catalog,
            self.maker,
            self.proposals,
            self.approvals,
            self.questions,
            self.interventions,
            self.plan_runner,
            self.store,
            Referents(self.store, self.undo_disk, self._core.attachments),
            self.home_index,
            core.dialog,
            self._memory,
            entities,
            Deferred(self._accounts),
            core.channels.publish,
            self.later.desk,
        )

    def _accounts(self) -> HistoryAnswers:
        # With what plans turns, which the first question brings in.
        from partner_desktop.action.turns.history_answers import HistoryAnswers  # noqa: PLC0415

        core, registry = self._core, self._models.registry

        def used() -> Sequence[ModelStatus]:
            named = {registry.settings.use, *(role.model for role in registry.settings.role)}
            return [status for status in registry.statuses() if status.name in named]

        disk = self.undo_journal.disk
        return HistoryAnswers(self.store, disk, self.catalog, used, core.home.root, clock=core.clock)

    def _build_sampling(self) -> None:
        core = self._core
        self.sampler = Sampler(self.desk, self.executor, self.store, core.exchanges, self.publisher)

    def _build_aftermath(self) -> None:
        core = self._core
        self.recovery = Recovery(
            self.parts,
            self.questions,
            self.step_recovery,
            self.plan_runner,
            core.exchanges,
            core.queue,
            self.later.maker,
        )
        self.unfinished = TurnRecovery(
            core.queue,
            core.database,
            core.dialog,
            core.runtime,
            core.exchanges,
            core.channels,
            self.recovery,
            clock=core.clock,
        )
        self.recovery.followed_by(self.unfinished.follow)

    async def stop(self, conversation_id: str) -> None:
        """End the reply in progress and the running actions of a conversation."""
        await self._core.runtime.stop(conversation_id)
        await self.plan_runner.cancel_all(conversation_id)

    async def halt(self, conversation_id: str) -> None:
        """End everything in a conversation that is deleted."""
        await self._core.runtime.drop(conversation_id)
        await self.plan_runner.cancel_all(conversation_id, tell=False)
        await self.sessions.cancel_all(conversation_id)
        self._core.workspace.forget(conversation_id)

    def know_agents(self, classes: Callable[[], Mapping[str, type]]) -> None:
        """Set where the agents of installed packages are, for whoever runs one; wired once by the app."""
        self._agent_classes = classes

    def forget_with(self, forgetter: ForgetCapability) -> None:
        """Set what forgets, for whoever asks for it in words; wired once by the app."""
        self._forgetter = forgetter

    async def forget_runs(self, action_ids: Sequence[str]) -> None:
        """Erase what the runs of deleted actions left."""
        await self.sessions.forget(action_ids)
        await self.undo_journal.forget(action_ids)
        await forget_outputs(self._core.home.runs, action_ids)

    # Servers are built before what they call back.

    async def _prefill(self, info: MetaActionInfo, params: JsonObject, conversation_id: str) -> JsonObject:
        """What an ability is about, where that is known though nobody said it."""
        params = await self.background.prefill(info, params, conversation_id)
        params = await self.forgetting.prefill(info, params, conversation_id)
        return await self.taking_back.prefill(info, params, conversation_id)

    def _exchange_of(self, action_id: str) -> str:
        return self.executor.exchange_of(action_id)

    async def _sample(self, request: SamplingRequest) -> str:
        return await self.sampler.sample(request)

    async def _apply_policy(self, new: ActionSettings) -> None:
        await self.policy.apply(new.sandbox)

    def _notify(self, text: str) -> None:
        self._core.channels.publish(NoticeEvent(title="Partner", text=text))
