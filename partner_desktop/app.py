"""The composition root, free of Qt: the one file that knows every part, and the app's public face.

`Partner` is used on one asyncio loop. `launch` becomes the host of the home and brings back what a
crash left; `close` ends everything in reverse order. Both are safe to call once each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from partner_desktop.action.announcer import Announcer
from partner_desktop.action.approvals import Approvals
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.core import ActionCore
from partner_desktop.action.desk import ActionDesk
from partner_desktop.action.executor import ActionExecutor
from partner_desktop.action.face import ActionFace
from partner_desktop.action.planner import ActionPlanner
from partner_desktop.action.questions import Questions
from partner_desktop.action.recovery import Recovery
from partner_desktop.action.runner.builtin.command import command_definition
from partner_desktop.action.runner.builtin.desktop import notify_definition, open_definition
from partner_desktop.action.runner.builtin.looking import list_folder_definition, time_definition
from partner_desktop.action.runner.builtin.registry import BuiltinActionRegistry
from partner_desktop.action.runner.folders import LiveFolders
from partner_desktop.action.runner.local import LocalRunnerClient
from partner_desktop.action.runner.run_folders import forget_outputs
from partner_desktop.action.runner.sandbox_probe import SandboxProbe
from partner_desktop.action.store import ActionStore
from partner_desktop.action.switches import SwitchStore
from partner_desktop.action.workbench import Workbench
from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.heartbeat import Heartbeat
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet, take_errors
from partner_desktop.base.trace import Tracer
from partner_desktop.capabilities.action import ActionCapability
from partner_desktop.capabilities.cognition import CognitionCapability
from partner_desktop.communication.desk import PromptDesk
from partner_desktop.communication.producer import CommunicationProducer
from partner_desktop.communication.window import carried
from partner_desktop.config.center import ConfigCenter, ConfigHandle
from partner_desktop.context.face import ContextFace
from partner_desktop.context.settings import ContextSettings
from partner_desktop.context.snapshots import SnapshotStore
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.backup import BackupReport
from partner_desktop.domain.events import ErrorEvent, Event, NoticeEvent
from partner_desktop.domain.message import Conversation, Message
from partner_desktop.gateways.attach import AttachGateway
from partner_desktop.gateways.registry import GatewayRegistry
from partner_desktop.gateways.session import LocalSession
from partner_desktop.gateways.settings import WEBSOCKET, GatewaySettings
from partner_desktop.gateways.websocket import websocket_factory
from partner_desktop.memory.selector import MemorySelector
from partner_desktop.mind.port import Mind
from partner_desktop.mind.starter.matcher import MeaningMatcher, WordMatcher
from partner_desktop.mind.starter.meaning import MeaningIndex
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.mind.traced import TracedMind
from partner_desktop.model.cached_embedder import CachedEmbedder
from partner_desktop.model.embedder import EmbeddingStatus
from partner_desktop.model.embedding_cache import EmbeddingCache
from partner_desktop.model.engine import EngineStatus, read_engine_status
from partner_desktop.model.llama_embedder import LlamaEmbedder
from partner_desktop.perceive.interactions import Interactions
from partner_desktop.perceive.machine import take_sample
from partner_desktop.perceive.monitor import PerceiveMonitor
from partner_desktop.perceive.settings import PerceiveSettings
from partner_desktop.perceive.system_monitor import SystemStatsMonitor
from partner_desktop.perceive.system_sample import SystemSample
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.grants import GrantStore
from partner_desktop.permission.request import StandingAnswer
from partner_desktop.rolling.dialog_rolling import DialogRolling
from partner_desktop.runtime.agent_context import AgentContext
from partner_desktop.runtime.agent_runtime import AgentRuntime
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.crash_marker import CrashMarker
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exceptions import ExceptionDoor
from partner_desktop.runtime.exchanges import ExchangeBook
from partner_desktop.runtime.extensions import ExtensionLoader
from partner_desktop.runtime.hooks import Phase
from partner_desktop.runtime.host import HostKind, HostLock
from partner_desktop.runtime.reception import Reception
from partner_desktop.runtime.reports import ReportShelf
from partner_desktop.runtime.settings import RuntimeSettings
from partner_desktop.runtime.shelf.deletion import Deletion
from partner_desktop.runtime.shelf.face import ShelfFace
from partner_desktop.runtime.shelf.shelf import ConversationShelf
from partner_desktop.runtime.trace.channel import TraceChannel
from partner_desktop.runtime.trace.settings import TraceSettings
from partner_desktop.runtime.trace.writer import TraceWriter
from partner_desktop.runtime.turn_queue import TurnQueue
from partner_desktop.runtime.unfinished import UnfinishedTurns
from partner_desktop.storage.database import Database

#: Seconds between the words of a starter reply in the window; commands need no show.
WINDOW_PACE_S = 0.012


class Partner(ActionFace, ShelfFace, ContextFace):
    """One Partner on one home. Without `meaning` it finds abilities by words alone and starts no model.

    `mind` takes the place of the starter mind; `quiet_clock` measures the pauses between messages, real time
    unless it is given.
    """

    def __init__(
        self,
        home: Home,
        action_dir: Path,
        *,
        kind: HostKind = "command",
        clock: Clock | None = None,
        pace_s: float = 0.0,
        meaning: bool = True,
        mind: Mind | None = None,
        quiet_clock: Clock | None = None,
    ) -> None:
        self.home = home
        self.action_dir = action_dir
        self.heartbeat = Heartbeat()
        self._clock = clock or SystemClock()
        self._quiet_clock = quiet_clock
        self._tasks = TaskSet("app")
        self._raise_window: Callable[[], None] | None = None
        self._undo_errors: Callable[[], object] = lambda: None
        self._window_wanted: Callable[[], None] = lambda: None
        self._build_config()
        self._build_floor(kind)
        self._build_models()
        self._build_actions()
        self._build_senses()
        self._build_shelf()
        self._meaning = MeaningIndex(self.embedder)
        matcher = MeaningMatcher(WordMatcher(), self._meaning) if meaning else WordMatcher()
        self._build_modules(TracedMind(mind or StarterMind(matcher=matcher, pace_s=pace_s), self._tracer))
        self._wire()

    # The parts, from the floor up.

    def _build_config(self) -> None:
        self.config = ConfigCenter(self.home.config, publish=self._publish)
        self._runtime_settings = self.config.register("runtime", RuntimeSettings())
        self._context_settings = self.config.register("context", ContextSettings())
        self._gateway_settings = self.config.register("gateways", GatewaySettings())
        trace_settings = self.config.register("trace", TraceSettings())
        self._tracer = TraceWriter(
            self.home.traces, trace_settings, clock=self._clock, on_trouble=self._warn_of_trace
        )

    def _build_floor(self, kind: HostKind) -> None:
        clock = self._clock
        self.lock = HostLock(self.home, kind=kind)
        self._database = Database(self.home.database, backups=self.home.backups, clock=clock)
        self._channels = ChannelRegistry()
        self._channels.register(TraceChannel(self._tracer))
        self._workspace = ContextWorkspace(clock=clock, settings=self._context_settings, tracer=self._tracer)
        self.snapshots = SnapshotStore(self._database, settings=self._context_settings, carried=carried)
        self._dialog = Dialog(self._database, self._channels, clock=clock)
        self._reports = ReportShelf(self.home.reports)
        self.exceptions = ExceptionDoor(
            self._channels, clock=clock, shelf=self._reports, workspace=self._workspace, tracer=self._tracer
        )
        self._marker = CrashMarker(self.home, clock=clock)
        self._channels.register(self._marker)
        self._queue = TurnQueue(self._database)
        self._runtime = AgentRuntime(
            self._channels,
            self._workspace,
            exceptions=self.exceptions,
            settings=self._runtime_settings,
            clock=clock,
            quiet_clock=self._quiet_clock,
            tracer=self._tracer,
            on_begun=self._queue.begun,
            on_settled=self._queue.settled,
            on_reopened=self._queue.reopened,
        )
        self._exchanges = ExchangeBook(self._channels)
        self._reception = Reception(
            self._dialog, self._runtime, self._exchanges, queue=self._queue, clock=clock
        )
        self._audit = AuditLog(self._database, clock=clock)
        self._engine = PermissionEngine(GrantStore(self._database, clock=clock), self._audit, home=self.home)

    def _build_models(self) -> None:
        self._llama = LlamaEmbedder(clock=self._clock, tracer=self._tracer)
        self._vectors = EmbeddingCache(self.home.root / "cache" / "embeddings.db")
        self.embedder = CachedEmbedder(self._llama, self._vectors)

    def _build_actions(self) -> None:
        builtins = BuiltinActionRegistry(
            [
                time_definition(self._clock),
                list_folder_definition(),
                open_definition(),
                notify_definition(self._notify),
                command_definition(),
            ]
        )
        folders = LiveFolders(self.action_dir, snapshots=self.home.root / "cache" / "abilities")
        switches = SwitchStore(self._database, clock=self._clock)
        self._catalog = AbilityCatalog(
            folders, builtins.infos(), self._channels, switches=switches, clock=self._clock
        )
        self._runner = LocalRunnerClient(builtins, self.home)
        self._store = ActionStore(self._database)
        announcer = Announcer(self._channels)
        self._executor = ActionExecutor(
            self._runner,
            self._store,
            self._audit,
            self._dialog,
            announcer,
            self._workspace,
            clock=self._clock,
        )
        self._core = ActionCore(
            self._catalog,
            self._runner,
            self._engine,
            self._store,
            self._executor,
            self._dialog,
            announcer,
            clock=self._clock,
        )
        self._approvals = Approvals(
            self._catalog, self._runner, self._engine, self._store, self._executor, announcer
        )
        self._questions = Questions(self._catalog, self._store, self._executor, announcer, clock=self._clock)
        self._desk = ActionDesk(
            self._catalog, self._core, self._approvals, self._store, self._dialog, self._exchanges
        )
        self._recovery = Recovery(
            self._catalog,
            self._runner,
            self._engine,
            self._store,
            self._executor,
            self._questions,
            self._exchanges,
            self._queue,
        )
        self._unfinished = UnfinishedTurns(
            self._queue,
            self._database,
            self._dialog,
            self._runtime,
            self._exchanges,
            self._channels,
            self._recovery,
            clock=self._clock,
        )
        self._workbench = Workbench(self._catalog, switches, self.action_dir)

    def _build_senses(self) -> None:
        self._interactions = Interactions(self._database)
        self._system_stats = SystemStatsMonitor(
            self._workspace,
            self.config.register("perceive", PerceiveSettings()),
            measure=self._measure_machine,
            clock=self._clock,
        )

    def _build_shelf(self) -> None:
        deletion = Deletion(
            self._database,
            self._dialog,
            self._channels,
            halt=self._halt,
            forget_runs=self._forget_runs,
            clock=self._clock,
        )
        self.shelf = ConversationShelf(
            self._database, self._dialog, self._channels, deletion, clock=self._clock
        )

    def _build_modules(self, mind: Mind) -> None:
        self.context = context = AgentContext(clock=self._clock)
        context.provide(CognitionCapability, self._dialog)
        context.provide(ActionCapability, self._catalog)
        context.provide(Clock, self._clock)
        context.provide(Tracer, self._tracer)
        context.provide(ConfigCenter, self.config)
        context.provide(ConfigHandle[ContextSettings], self._context_settings)
        context.provide(Interactions, self._interactions)
        context.provide(ContextWorkspace, self._workspace)
        context.provide(SnapshotStore, self.snapshots)
        context.provide(ChannelRegistry, self._channels)
        context.provide(ExceptionDoor, self.exceptions)
        context.provide(Mind, mind)
        context.provide(AbilityCatalog, self._catalog)
        context.provide(ActionCore, self._core)
        context.provide(Approvals, self._approvals)
        context.provide(Questions, self._questions)
        context.offer(PromptDesk, PromptDesk)
        context.add_module(self._system_stats)
        for module in (PerceiveMonitor, MemorySelector, ActionPlanner, CommunicationProducer, DialogRolling):
            context.add_module(context.build(module))

    def _wire(self) -> None:
        self.context.use_modules(self._runtime.use)
        self._dialog.turns_by(self._reception.self_turn)
        self._recovery.followed_by(self._unfinished.follow)
        self._attach = AttachGateway(LocalSession(self), self.home)
        self.extensions = ExtensionLoader(self.context, self.exceptions)
        factories = {WEBSOCKET: websocket_factory(self.home)}
        self.gateways = GatewayRegistry(
            self, self._gateway_settings, factories, self.extensions.gateway_factories()
        )
        for name, part in (
            ("host lock", self.lock),
            ("crash marker", self._marker),
            ("settings", self.config),
            ("trace", self._tracer),
            ("database", self._database),
            ("embedding cache", self._vectors),
            ("embedding model", self._llama),
            ("meaning", self._meaning),
            ("dialog", self._dialog),
            ("deletion", self.shelf.deletion),
            ("system stats", self._system_stats),
            ("turn queue", self._queue),
            ("runtime", self._runtime),
            ("runner", self._runner),
            ("abilities", self._catalog),
            ("executor", self._executor),
            ("questions", self._questions),
            ("recovery", self._recovery),
            ("unfinished turns", self._unfinished),
            ("extensions", self.extensions),
        ):
            self.context.add_part(name, part)
        for gateway in (self._attach, self.gateways):
            self.context.add_gateway(gateway)
        self.context.add_hook(Phase.POST, "reports", self._reports.close, order=80)

    # Life.

    async def launch(self) -> None:
        """Become the host and open everything.

        Raises:
            PartnerError: It cannot; the message is for the person, and what was opened is closed again.
        """
        self._tasks.start("heartbeat", self.heartbeat.run())
        self._undo_errors = take_errors(self.exceptions.report_of_task)
        await self.context.launch()

    async def close(self) -> None:
        """End everything in reverse order; idempotent."""
        await self.context.shutdown()
        await self._tasks.close()
        self._undo_errors()

    async def idle(self) -> None:
        """Wait until no attached command is being served, and what an earlier run left is finished."""
        await self._unfinished.idle()
        await self._attach.idle()

    # Listening.

    def subscribe(self, deliver: Callable[[Event], None]) -> Callable[[], None]:
        """Get every event, on the loop, in order, and first what the start had to say; returns the undo."""
        report = self.rescue_report
        if report:
            deliver(NoticeEvent(title="Your data was moved aside", text=report, level="error"))
        for notice in self.config.start_notices():
            deliver(notice)
        if self.crash_notice:
            deliver(self.crash_notice)
        for fault in self.gateways.faults:
            deliver(NoticeEvent(title="A gateway is closed", text=fault, level="error"))
        return self._channels.register(_Subscriber(deliver))

    @property
    def rescue_report(self) -> str:
        """One sentence when this start had to set the database aside; empty otherwise."""
        return self._database.rescue_report

    @property
    def crash_notice(self) -> Event | None:
        """What to say when the Partner before this one was cut off; `None` when it came to its end."""
        return self._marker.notice

    def raise_window(self) -> bool:
        """Bring this process's window to the front, if it has one."""
        if self._raise_window is None:
            self._window_wanted()
            return False
        self._raise_window()
        return True

    def on_window_wanted(self, tell: Callable[[], None]) -> None:
        """Set who is told that a window waits for this process to let the home go."""
        self._window_wanted = tell

    def on_raise(self, show: Callable[[], None]) -> None:
        """Set what brings the window to the front."""
        self._raise_window = show

    # Conversations.

    async def conversations(self) -> list[Conversation]:
        """Newest first."""
        return await self._dialog.conversations()

    async def conversation(self, conversation_id: str) -> Conversation:
        """One of them.

        Raises:
            UsageError: There is none of this id, or it was deleted.
        """
        return await self._dialog.conversation(conversation_id)

    async def create_conversation(self) -> Conversation:
        """An empty one; it is listed once something was said in it."""
        return await self._dialog.create()

    async def messages(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> list[Message]:
        """A page, oldest first; `before` is the position that the page ends at."""
        return await self._dialog.messages(conversation_id, before=before, limit=limit)

    async def send(
        self,
        text: str,
        *,
        conversation_id: str | None,
        source: str = "window",
        cwd: str = "",
        standing: StandingAnswer = StandingAnswer.ASK,
        exchange_id: str = "",
    ) -> Message:
        """Take a message: it is on disk when this returns, and its turn is queued.

        Raises:
            UsageError: It is empty or too long, or the conversation does not exist.
            StorageError: It could not be saved; nothing happened.
        """
        return await self._reception.send(
            text,
            conversation_id=conversation_id,
            source=source,
            cwd=cwd,
            standing=standing,
            exchange_id=exchange_id,
        )

    async def stop(self, conversation_id: str) -> None:
        """End the reply in progress and the running actions of a conversation."""
        await self._runtime.stop(conversation_id)
        await self._executor.cancel_all(conversation_id)

    async def _halt(self, conversation_id: str) -> None:
        """End everything in a conversation that is deleted."""
        await self._runtime.drop(conversation_id)
        await self._executor.cancel_all(conversation_id, tell=False)
        self._workspace.forget(conversation_id)

    async def _forget_runs(self, action_ids: Sequence[str]) -> None:
        await forget_outputs(self.home.runs, action_ids)

    async def backup(self, path: Path, *, force: bool = False) -> BackupReport:
        """Write everything that must not be lost into one file.

        Raises:
            UsageError: The file is there already (and not `force`), or its folder is not.
            BackupError: It could not be written.
        """
        from partner_desktop.storage.backup import Backup  # noqa: PLC0415 - start-up needs none of it

        return await Backup(self.home, self.action_dir, clock=self._clock).write(path, force=force)

    # What the machine offers.

    async def warm_up(self) -> None:
        """A message is being written: get ready to find what it means."""
        await self._meaning.prepare(self._catalog.usable())

    @property
    def sandbox(self) -> SandboxProbe:
        """Whether scripts can be held, and why not."""
        return self._runner.sandbox

    def engine_status(self) -> EngineStatus:
        """The model engine's state now: two short looks at the disk."""
        return read_engine_status()

    def embedding_status(self) -> EmbeddingStatus:
        """Whether abilities are found by meaning, and why not: short looks at the disk."""
        return self.embedder.status()

    def _publish(self, event: Event) -> None:
        """For what is built before the channels are."""
        self._channels.publish(event)

    def _measure_machine(self) -> SystemSample:
        """In a thread, psutil's import included."""
        from partner_desktop.perceive.system_stats import ThisMachine  # noqa: PLC0415

        return take_sample(ThisMachine(self.home.root), clock=self._clock)

    def _notify(self, text: str) -> None:
        self._channels.publish(NoticeEvent(title="Partner", text=text))

    def _warn_of_trace(self, text: str) -> None:
        self._channels.publish(NoticeEvent(title="Tracing is paused", text=text, level="warning"))

    def report(self, message: str, *, where: str) -> None:
        """Say that something failed, where the person will see it."""
        self._channels.publish(ErrorEvent(message=message, where=where))


class _Subscriber:
    """A channel that takes everything."""

    name = "subscriber"

    def __init__(self, deliver: Callable[[Event], None]) -> None:
        self._deliver = deliver

    def accepts(self, event: Event) -> bool:
        del event
        return True

    def deliver(self, event: Event) -> None:
        self._deliver(event)
