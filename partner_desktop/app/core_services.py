"""What everything else stands on: settings, trace and database, the way of a turn, and permission."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.action.feeds.output_access import StepOutputAccess
from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.settings import ActionSettings
from partner_desktop.action.store import ActionStore
from partner_desktop.base.clock import Clock
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import Home
from partner_desktop.communication.prompt_budget import carried_forms
from partner_desktop.config.center import ConfigCenter
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.snapshots import SnapshotStore
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.gateways.settings import GatewaySettings
from partner_desktop.model.settings import ModelSettings
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.grants import GrantStore
from partner_desktop.permission.policy import PermissionSettings, PolicyKeeper
from partner_desktop.runtime.agent_runtime import AgentRuntime
from partner_desktop.runtime.attachment_store import AttachmentStore
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.draft_store import DraftStore
from partner_desktop.runtime.conversations.picture_files import PictureFiles
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exceptions import ExceptionDoor
from partner_desktop.runtime.exchanges import ExchangeRegistry
from partner_desktop.runtime.host import HostKind, HostLock
from partner_desktop.runtime.reception import Reception
from partner_desktop.runtime.reports import CrashMarker, ReportStore
from partner_desktop.runtime.settings import ExtensionSettings, RuntimeSettings, UpdateSettings
from partner_desktop.runtime.trace.channel import TraceChannel
from partner_desktop.runtime.trace.writer import TraceSettings, TraceWriter
from partner_desktop.runtime.turn_queue import TurnQueue
from partner_desktop.storage.database import Database


class CoreServices:
    """Built and connected; nothing is open before the launch."""

    def __init__(
        self, home: Home, action_dir: Path, *, kind: HostKind, clock: Clock, quiet_clock: Clock | None
    ) -> None:
        self.home = home
        # Wherever they lie: they hold tokens, and what is written there is started, outside of the sandbox.
        self.server_files = action_dir / "mcp"
        self.clock = clock
        self.channels = ChannelRegistry()
        self._build_settings()
        self._build_ground(kind)
        self._build_turns(quiet_clock)
        self.audit = AuditLog(self.database, clock=clock)
        self.grants = GrantStore(self.database, clock=clock)
        settings = self.config.register(
            "permission", PermissionSettings(), stand_in="config.stand_in_permission"
        )
        self.policy = PolicyKeeper(settings)
        self.output_access = StepOutputAccess(ActionStore(self.database), home.runs)
        self.permission = PermissionEngine(
            self.grants,
            self.audit,
            home=home,
            policy=self.policy.now,
            also=(self.server_files,),
            handed=self.output_access.handed,
        )

    def _build_settings(self) -> None:
        self.config = ConfigCenter(self.home.config, publish=self.channels.publish)
        self.runtime_settings = self.config.register("runtime", RuntimeSettings())
        self.extension_settings = self.config.register("extensions", ExtensionSettings())
        self.context_settings = self.config.register("context", ContextSettings())
        self.gateway_settings = self.config.register("gateways", GatewaySettings())
        self.model_settings = self.config.register("model", ModelSettings.model_construct())
        self.schedule_settings = self.config.register("schedules", ScheduleSettings())
        self.action_settings = self.config.register("action", ActionSettings())
        self.update_settings = self.config.register("updates", UpdateSettings())
        self.trace_settings = self.config.register("trace", TraceSettings())

    def _build_ground(self, kind: HostKind) -> None:
        home, clock = self.home, self.clock
        self.tracer = TraceWriter(
            home.traces, self.trace_settings, clock=clock, on_trouble=self._warn_of_trace
        )
        self.lock = HostLock(home, kind=kind)
        self.database = Database(home.database, backups=home.backups, clock=clock)
        self.channels.register(TraceChannel(self.tracer))
        self.workspace = ContextWorkspace(clock=clock, settings=self.context_settings, tracer=self.tracer)
        self.snapshots = SnapshotStore(self.database, settings=self.context_settings, forms=carried_forms)
        self.dialog = Dialog(self.database, self.channels, clock=clock)
        self.pictures = PictureFiles(home.pictures, self.database)
        self.attachments = AttachmentStore(self.database)
        self.drafts = DraftStore(self.database, self.pictures, clock=clock)
        self.reports = ReportStore(home.reports)
        self.exceptions = ExceptionDoor(
            self.channels, clock=clock, store=self.reports, workspace=self.workspace, tracer=self.tracer
        )
        self.marker = CrashMarker(home, clock=clock)
        self.channels.register(self.marker)

    def _build_turns(self, quiet_clock: Clock | None) -> None:
        self.queue = TurnQueue(self.database)
        self.runtime = AgentRuntime(
            self.channels,
            self.workspace,
            exceptions=self.exceptions,
            settings=self.runtime_settings,
            clock=self.clock,
            quiet_clock=quiet_clock,
            tracer=self.tracer,
            on_begun=self.queue.begun,
            on_settled=self.queue.settled,
            on_reopened=self.queue.reopened,
        )
        self.exchanges = ExchangeRegistry(self.channels)
        self.reception = Reception(
            self.dialog,
            self.runtime,
            self.exchanges,
            queue=self.queue,
            pictures=self.pictures,
            clock=self.clock,
        )
        self.dialog.turns_by(self.reception.self_turn)

    def _warn_of_trace(self, text: str) -> None:
        self.channels.publish(
            NoticeEvent(title=sentence_of("runtime.tracing_paused"), text=text, level="warning")
        )
