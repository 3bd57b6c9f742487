"""The public face of the app: what the window, the commands and the gateways ask of it.

`Partner` is used on one asyncio loop. `launch` becomes the host of the home and brings back what a
crash left; `close` ends everything in reverse order. Both are safe to call once each.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from partner_desktop.action.birth_face import BirthFace
from partner_desktop.action.chain_face import ChainFace
from partner_desktop.action.command_face import CommandFace
from partner_desktop.action.face import ActionFace
from partner_desktop.action.permission_face import PermissionFace
from partner_desktop.action.runner.builtin.clipboard import ClipboardDoor
from partner_desktop.action.runner.sandbox_probe import SandboxProbe
from partner_desktop.action.server_face import ServerFace
from partner_desktop.action.undo_face import UndoFace
from partner_desktop.app.composition import Composition
from partner_desktop.app.floor import Floor
from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.heartbeat import Heartbeat
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet, take_errors
from partner_desktop.context.face import ContextFace
from partner_desktop.domain.backup import BackupReport
from partner_desktop.domain.events import ErrorEvent, Event, NoticeEvent
from partner_desktop.domain.message import Conversation, Message
from partner_desktop.gateways.attach import AttachGateway
from partner_desktop.gateways.registry import GatewayRegistry
from partner_desktop.gateways.session import LocalSession
from partner_desktop.gateways.settings import WEBSOCKET
from partner_desktop.gateways.websocket import websocket_factory
from partner_desktop.mind.question import Mind
from partner_desktop.model.embedder import EmbeddingStatus
from partner_desktop.model.engine import EngineStatus, read_engine_status
from partner_desktop.model.face import ModelFace
from partner_desktop.permission.request import StandingAnswer
from partner_desktop.runtime.host import HostKind
from partner_desktop.runtime.shelf.face import ShelfFace
from partner_desktop.runtime.takes.face import TakesFace

#: Seconds between the words of a starter reply in the window; commands need no show.
WINDOW_PACE_S = 0.012
#: Where messages come from that have a person behind them who sees questions.
_ASKING = ("window", "terminal")


class Partner(
    ActionFace,
    BirthFace,
    ChainFace,
    CommandFace,
    PermissionFace,
    UndoFace,
    ServerFace,
    ShelfFace,
    TakesFace,
    ContextFace,
    ModelFace,
):
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
        self.restore_note = ""
        """What the last restore left out, until a window has said it."""
        self._kind = kind
        self._clock = clock or SystemClock()
        self._tasks = TaskSet("app")
        self._raise_window: Callable[[], None] | None = None
        self._undo_errors: Callable[[], object] = lambda: None
        self._window_wanted: Callable[[], None] = lambda: None
        floor = Floor(home, action_dir, kind=kind, clock=self._clock, quiet_clock=quiet_clock)
        self._parts = Composition(floor, action_dir, mind=mind, meaning=meaning, pace_s=pace_s)
        self._show_floor(floor)
        self._show_parts(self._parts)
        self._add_gateways(floor)

    def _show_floor(self, floor: Floor) -> None:
        """Take what this face, and those that it inherits, speak for."""
        self.lock = floor.lock
        self.config = floor.config
        self.exceptions = floor.exceptions
        self.snapshots = floor.snapshots
        self._audit = floor.audit
        self._channels = floor.channels
        self._database = floor.database
        self._dialog = floor.dialog
        self._exchanges = floor.exchanges

    def _show_parts(self, parts: Composition) -> None:
        self.context = parts.context
        self.extensions = parts.extensions
        self.embedder = parts.models.embedder
        self._model_shelf = parts.models.shelf
        self._usage = parts.models.usage
        self._secrets = parts.models.secrets
        self._check_endpoint = parts.models.check_endpoint
        self.shelf = parts.shelf
        self._permissions = parts.permissions
        self._takes = parts.takes
        self._branching = parts.branching
        actions = parts.actions
        self._approvals = actions.approvals
        self._catalog = actions.catalog
        self._chains = actions.chains
        self._desk = actions.desk
        self._executor = actions.executor
        self._keeper = actions.keeper
        self._server_secrets = actions.servers.secrets
        self._servers = actions.servers.manager
        self._intake = actions.servers.intake
        self._run_files = actions.run_files
        self._sessions = actions.sessions
        self._store = actions.store
        self._taking_back = actions.taking_back
        self._trials = actions.trials
        self._workbench = actions.workbench

    def _add_gateways(self, floor: Floor) -> None:
        """They talk to this face, so they come after all parts."""
        self._attach = AttachGateway(LocalSession(self), self.home)
        self.gateways = GatewayRegistry(
            self,
            floor.gateway_settings,
            {WEBSOCKET: websocket_factory(self.home)},
            self.extensions.gateway_factories(),
        )
        for gateway in (self._attach, self.gateways):
            self.context.add_gateway(gateway)

    # Life.

    async def launch(self) -> None:
        """Become the host and open everything.

        Raises:
            PartnerError: It cannot; the message is for the person, and what was opened is closed again.
        """
        self._tasks.start("heartbeat", self.heartbeat.run())
        self._channels.register(_Subscriber(lambda _event: self.heartbeat.quicken()))
        self._undo_errors = take_errors(self.exceptions.report_of_task)
        await self.context.launch()
        self.restore_note = await asyncio.to_thread(_taken_note, self.home, keep=self._kind != "window")

    async def close(self) -> None:
        """End everything in reverse order; idempotent."""
        await self.context.shutdown()
        await self._tasks.close()
        self._undo_errors()

    async def idle(self) -> None:
        """Wait for what an earlier run left, for commands in the background, and for those who attach."""
        await self._parts.actions.unfinished.idle()
        await self._sessions.idle()
        await self._attach.idle()

    # Listening.

    def subscribe(self, deliver: Callable[[Event], None]) -> Callable[[], None]:
        """Get every event, on the loop, in order, and first what the start had to say; returns the undo."""
        report = self.rescue_report
        if report:
            deliver(NoticeEvent(title="Your data was moved aside", text=report, level="error"))
        if self.restore_note:
            deliver(NoticeEvent(title="A backup was restored", text=self.restore_note, level="warning"))
        for notice in (*self.config.start_notices(), *self.extensions.start_notices()):
            deliver(notice)
        for fault in self.closed_to_scripts:
            title = "Something stays closed to scripts"
            deliver(NoticeEvent(title=title, text=fault, level="error", about="settings action"))
        if self.crash_notice:
            deliver(self.crash_notice)
        for fault in self.gateways.faults:
            deliver(NoticeEvent(title="A gateway is closed", text=fault, level="error"))
        return self._channels.register(_Subscriber(deliver))

    @property
    def closed_to_scripts(self) -> tuple[str, ...]:
        """What the settings would open to every script and what stays closed, a sentence each."""
        return self._parts.actions.policy.current.faults

    @property
    def rescue_report(self) -> str:
        """One sentence when this start had to set the database aside; empty otherwise."""
        return self._database.rescue_report

    @property
    def crash_notice(self) -> Event | None:
        """What to say when the Partner before this one was cut off; `None` when it came to its end."""
        return self._parts.floor.marker.notice

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

    def use_clipboard(self, door: ClipboardDoor) -> Callable[[], None]:
        """Reach the clipboard through the window's; returns the undo."""
        return self._parts.actions.clipboard.use(door)

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

    async def create_conversation(self, title: str = "") -> Conversation:
        """An empty one; it is listed once something was said in it."""
        return await self._dialog.create(title)

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

        Only the window and a terminal can put a server's question to a person.

        Raises:
            UsageError: It is empty or too long, or the conversation does not exist.
            StorageError: It could not be saved; nothing happened.
        """
        if source not in _ASKING:
            exchange_id = exchange_id or new_id()
            self.asks_nobody(exchange_id)
        return await self._parts.floor.reception.send(
            text,
            conversation_id=conversation_id,
            source=source,
            cwd=cwd,
            standing=standing,
            exchange_id=exchange_id,
        )

    async def stop(self, conversation_id: str) -> None:
        """End the reply in progress and the running actions of a conversation."""
        await self._parts.floor.runtime.stop(conversation_id)
        await self._chains.cancel_all(conversation_id)
        await self._executor.cancel_all(conversation_id)

    async def backup(self, path: Path, *, force: bool = False) -> BackupReport:
        """Write everything that must not be lost into one file.

        Raises:
            UsageError: The file is there already (and not `force`), or its folder is not.
            BackupError: It could not be written.
        """
        from partner_desktop.storage.backup import Backup  # noqa: PLC0415 - start-up needs none of it

        report = await Backup(self.home, self.action_dir, clock=self._clock).write(path, force=force)
        own = self.action_dir.absolute() == (self.home.root / "action").absolute()
        plain = [f"{name} of {each.id}" for each in self.servers() for name in each.plain if own]
        return replace(report, plain=tuple(plain))

    # What the machine offers.

    async def warm_up(self) -> None:
        """A message is being written: get ready to find what it means."""
        self._model_shelf.warm_up()
        await self._parts.get_ready()
        await self._parts.models.meaning.prepare(self._catalog.usable())

    @property
    def sandbox(self) -> SandboxProbe:
        """Whether scripts can be held, and why not."""
        return self._parts.actions.machine.sandbox

    def engine_status(self) -> EngineStatus:
        """The model engine's state now: two short looks at the disk."""
        return read_engine_status()

    def embedding_status(self) -> EmbeddingStatus:
        """Whether abilities are found by meaning, and why not: short looks at the disk."""
        return self.embedder.status()

    def report(self, message: str, *, where: str) -> None:
        """Say that something failed, where the person will see it."""
        self._channels.publish(ErrorEvent(message=message, where=where))


def _taken_note(home: Home, *, keep: bool) -> str:
    """Blocking. What a restore has to say; said in a window, it is gone from the disk."""
    try:
        text = home.restore_note.read_text(encoding="utf-8", errors="replace")
        if not keep:
            home.restore_note.unlink()
    except OSError:
        return ""
    return text


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
