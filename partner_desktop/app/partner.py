"""The public face of the app: what the window, the commands and the gateways ask of it.

`Partner` is used on one asyncio loop. `launch` becomes the host of the home and brings back what a
crash left; `close` ends everything in reverse order. Both are safe to call once each.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from partner_desktop.abilities.builtin.desktop import ClipboardPort
from partner_desktop.api.services import Services
from partner_desktop.app.composition import Composition
from partner_desktop.app.core_services import CoreServices
from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import Heartbeat, TaskSet, take_errors
from partner_desktop.domain.events import ErrorEvent, Event, NoticeEvent
from partner_desktop.domain.window_request import JUST_RAISED, WindowRequest
from partner_desktop.gateways.attach import AttachGateway
from partner_desktop.gateways.registry import GatewayRegistry
from partner_desktop.gateways.settings import WEBSOCKET
from partner_desktop.gateways.websocket import websocket_factory
from partner_desktop.mind.question import Mind
from partner_desktop.model.embedder import Embedder
from partner_desktop.runner.sandbox_probe import SandboxProbe
from partner_desktop.runtime.host import HostKind

#: Seconds that a thread keeps the interpreter while others wait for it.
_THREADS_TURN_S = 0.001
#: Seconds between the words of a starter reply in the window; commands need no show.
WINDOW_PACE_S = 0.012


class Partner(Services):
    """One Partner on one home. Without `meaning` it finds abilities by words alone and starts no model.

    `mind` takes the place of the starter mind, `embedder` that of the shipped model of meaning; `quiet_clock`
    measures the pauses between messages, real time unless it is given. One that `stays` does what is due;
    a short command would cut that off, and leaves it to the next that stays.
    """

    def __init__(
        self,
        home: Home,
        action_dir: Path,
        *,
        kind: HostKind = "command",
        stays: bool = True,
        clock: Clock | None = None,
        pace_s: float = 0.0,
        meaning: bool = True,
        mind: Mind | None = None,
        embedder: Embedder | None = None,
        quiet_clock: Clock | None = None,
    ) -> None:
        self.home = home
        self.action_dir = action_dir
        self.heartbeat = Heartbeat()
        self._restore_note = ""
        """What the last restore left out, until a window has said it."""
        self._kind = kind
        self._tasks = TaskSet("app")
        self._raise_window: Callable[[WindowRequest], bool] | None = None
        self._undo_errors: Callable[[], object] = lambda: None
        self._window_wanted: Callable[[], None] = lambda: None
        core = CoreServices(
            home, action_dir, kind=kind, clock=clock or SystemClock(), quiet_clock=quiet_clock
        )
        self._parts = parts = Composition(
            core, action_dir, mind=mind, embedder=embedder, meaning=meaning, pace_s=pace_s, stays=stays
        )
        super().__init__(
            abilities=parts.ability_service,
            actions=parts.action_service,
            audit=core.audit.reader,
            backup=parts.backup,
            checks=parts.check_service,
            commands=parts.actions.sessions,
            config=core.config,
            context=core.snapshots,
            conversations=parts.conversations,
            downloads=parts.download_service,
            drafts=core.drafts,
            entities=parts.memory.entity_service,
            events=parts.events,
            attachments=parts.attachments,
            familiar=parts.familiar,
            finds=parts.finds,
            forgetting=parts.forgetting_service,
            memory=parts.memory.service,
            messages=parts.messages,
            models=parts.model_service,
            permissions=parts.permissions,
            plans=parts.plans,
            schedules=parts.schedule_service,
            servers=parts.server_service,
            updates=parts.updates,
            usage=parts.models.usage,
        )
        self.lock = core.lock
        self.exceptions = core.exceptions
        self.agent_context = parts.context
        """What is launched and shut down, in its order."""
        self.extensions = parts.extensions
        self.embedder = parts.models.embedder
        self._channels = core.channels
        self._add_gateways(core)

    def _add_gateways(self, core: CoreServices) -> None:
        """They talk to this face, so they come after all parts."""
        self._attach = AttachGateway(self, self.home)
        self.gateways = GatewayRegistry(
            self,
            core.gateway_settings,
            {WEBSOCKET: websocket_factory(self.home)},
            self.extensions.gateway_factories(),
        )
        for gateway in (self._attach, self.gateways):
            self.agent_context.add_gateway(gateway)

    # Life.

    async def launch(self) -> None:
        """Become the host and open everything.

        Raises:
            PartnerError: It cannot; the message is for the person, and what was opened is closed again.
        """
        # While threads work, the loop waits for each of them this long; Python's own five are too many.
        sys.setswitchinterval(_THREADS_TURN_S)
        self._tasks.start("heartbeat", self.heartbeat.run())
        self.subscribe(lambda _event: self.heartbeat.quicken())
        self._undo_errors = take_errors(self.exceptions.report_of_task)
        await self.agent_context.launch()
        if self._kind == "window":
            self._restore_note = await asyncio.to_thread(_taken_note, self.home)

    async def close(self) -> None:
        """End everything in reverse order; idempotent."""
        await self.agent_context.shutdown()
        await self._tasks.close()
        self._undo_errors()

    async def settled(self) -> None:
        await self._parts.core.exchanges.idle()

    async def idle(self) -> None:
        """Wait for what an earlier run left, for commands in the background, and for those who attach."""
        await self._parts.actions.unfinished.idle()
        await self.commands.idle()
        await self._attach.idle()

    # Listening.

    def start_notices(self) -> Sequence[Event]:
        told: list[Event] = []
        if self.rescue_report:
            told.append(
                NoticeEvent(
                    title=sentence_of("runtime.data_moved_aside"), text=self.rescue_report, level="error"
                )
            )
        if self._restore_note:
            told.append(
                NoticeEvent(
                    title=sentence_of("runtime.backup_restored"), text=self._restore_note, level="warning"
                )
            )
        told += [*self.config.start_notices(), *self.extensions.start_notices()]
        for fault in self.closed_to_scripts:
            title = sentence_of("runtime.closed_to_scripts")
            told.append(NoticeEvent(title=title, text=fault, level="error", about="settings action"))
        if self.crash_notice:
            told.append(self.crash_notice)
        for fault in self.gateways.faults:
            told.append(NoticeEvent(title=sentence_of("runtime.gateway_closed"), text=fault, level="error"))
        return told

    @property
    def closed_to_scripts(self) -> tuple[str, ...]:
        """What the settings would open to every script and what stays closed, a sentence each."""
        return tuple(map(str, self._parts.actions.policy.current.faults))

    @property
    def rescue_report(self) -> str:
        """One sentence when this start had to set the database aside; empty otherwise."""
        return self._parts.core.database.rescue_report

    @property
    def crash_notice(self) -> Event | None:
        """What to say when the Partner before this one was cut off; `None` when it came to its end."""
        return self._parts.core.marker.notice

    def raise_window(self, request: WindowRequest = JUST_RAISED) -> bool:
        if self._raise_window is None:
            self._window_wanted()
            return False
        return self._raise_window(request)

    def on_window_wanted(self, tell: Callable[[], None]) -> None:
        self._window_wanted = tell

    def on_raise(self, show: Callable[[WindowRequest], bool]) -> None:
        """Set what brings the window to the front and shows what is asked for, where it still does."""
        self._raise_window = show

    def use_clipboard(self, door: ClipboardPort) -> Callable[[], None]:
        """Reach the clipboard through the window's; returns the undo."""
        return self._parts.actions.clipboard.use(door)

    # What the machine offers.

    async def warm_up(self, conversation_id: str = "") -> None:
        """A message is being written: get ready to find what it means."""
        self._parts.models.registry.warm_up(conversation_id)
        await self._parts.get_ready()
        await self._parts.models.meaning.prepare(self._parts.actions.catalog.usable())

    @property
    def sandbox(self) -> SandboxProbe:
        """Whether scripts can be held, and why not."""
        return self._parts.actions.machine.sandbox

    def report(self, message: str, *, where: str) -> None:
        """Say that something failed, where the person will see it."""
        self._channels.publish(ErrorEvent(message=message, where=where))


def _taken_note(home: Home) -> str:
    """Blocking. What a restore has to say; said in a window, it is gone from the disk."""
    try:
        text = home.restore_note.read_text(encoding="utf-8", errors="replace")
        home.restore_note.unlink()
    except OSError:
        return ""
    return text
