"""The reply path with real parts and without an app around it: rows, workspace, prefix, builder and
producer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self

from partner_desktop.base.clock import Clock
from partner_desktop.base.paths import Home
from partner_desktop.capabilities import ModelCapability
from partner_desktop.communication.producer import CommunicationProducer
from partner_desktop.communication.prompt_budget import MOST_MESSAGES, PromptBudgets, carried_forms
from partner_desktop.communication.prompt_builder import PromptBuilder
from partner_desktop.communication.prompt_prefix import PrefixKeeper
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.snapshots import SnapshotStore
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import Event, NoticeEvent, ReplyEvent
from partner_desktop.domain.message import Message, Role
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.snapshot import ContextSnapshot, PromptPart
from partner_desktop.mind.question import Mind, ReplyRequest
from partner_desktop.runtime.attachment_store import AttachmentStore
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.picture_files import PictureFiles
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exchanges import Exchange
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext, Source
from partner_desktop.storage.database import Database
from tests.support import Watcher


class Abilities:
    """What can be done; tests change it as they like."""

    def __init__(self, *names: str) -> None:
        self.infos = [ability(name) for name in names]

    def usable(self) -> Sequence[MetaActionInfo]:
        return list(self.infos)

    def add(self, name: str, description: str = "") -> None:
        self.infos.append(ability(name, description))

    def drop(self, name: str) -> None:
        self.infos = [info for info in self.infos if info.name != name]

    def edit(self, name: str, description: str) -> None:
        self.infos = [
            replace(info, description=description) if info.name == name else info for info in self.infos
        ]


def ability(name: str, description: str = "") -> MetaActionInfo:
    return MetaActionInfo(f"local::{name}", Route.MCP, description or f"Do the {name}")


class All:
    """A channel that hears everything."""

    name = "all"

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def accepts(self, _event: Event) -> bool:
        return True

    def deliver(self, event: Event) -> None:
        self._watcher(event)


class Talk:
    """One conversation."""

    def __init__(
        self,
        home: Home,
        mind: Mind | Callable[[Talk], Mind],
        *,
        clock: Clock,
        models: ModelCapability | Callable[[Talk], ModelCapability] | None = None,
        settings: ContextSettings | None = None,
        most_messages: int = MOST_MESSAGES,
    ) -> None:
        """`mind` and `models` may be made of the other parts."""
        home.prepare()
        self.clock = clock
        self.watcher = Watcher()
        self.channels = ChannelRegistry()
        self.channels.register(All(self.watcher))
        self.database = Database(home.database, backups=home.backups, clock=clock)
        self.dialog = Dialog(self.database, self.channels, clock=clock)
        handle = ConfigHandle("context", settings or ContextSettings())
        self.workspace = ContextWorkspace(clock=clock, settings=handle)
        self.snapshots = SnapshotStore(self.database, settings=handle, forms=carried_forms)
        self.abilities = Abilities("count", "draw", "zip")
        self.models = models(self) if callable(models) else models
        self.budgets = PromptBudgets(self.workspace, handle, self.models, most_messages=most_messages)
        self.prefixes = PrefixKeeper(self.dialog, self.abilities, self.budgets)
        self.mind = mind(self) if callable(mind) else mind
        self.builder = PromptBuilder(
            self.mind, self.workspace, self.dialog, self.abilities, self.snapshots, self.prefixes,
            self.budgets, self.channels, pictures=PictureFiles(home.pictures, self.database),
            attachments=AttachmentStore(self.database), clock=clock,
        )  # fmt: skip
        self.producer = CommunicationProducer(
            self.mind, self.builder, self.channels, self.dialog, clock=clock
        )
        self.place = ""

    async def __aenter__(self) -> Self:
        await self.database.launch()
        await self.dialog.launch()
        self.place = (await self.dialog.create()).id
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.database.shutdown()

    async def flow(self, *texts: str) -> RunningFlowContext:
        """A turn about what is said now; about nothing said, without texts."""
        exchange = Exchange(self.place, lambda _: None)
        at = self.clock.now()
        said = [await self.dialog.append(self.place, Role.USER, text) for text in texts]
        source = Source("window" if texts else "self", self.place)
        inputs = [FlowInput(source, at, exchange, text=one.text, message_id=one.id) for one in said]
        return RunningFlowContext(self.place, tuple(inputs) or (FlowInput(source, at, exchange),))

    async def say(self, *texts: str) -> RunningFlowContext:
        """Say it, and have it answered."""
        flow = await self.flow(*texts)
        await self.producer.execute(flow)
        return flow

    async def messages(self) -> list[Message]:
        return await self.dialog.recent(self.place, limit=1_000)

    async def answer(self) -> Message:
        """The newest message of Partner's."""
        return next(one for one in reversed(await self.messages()) if one.role is Role.PARTNER)

    async def snapshot(self, flow: RunningFlowContext) -> ContextSnapshot:
        found = await self.snapshots.snapshot(flow.turn_id)
        assert found is not None
        return found

    def replies(self) -> list[ReplyEvent]:
        return [event for event in self.watcher.events if isinstance(event, ReplyEvent)]

    def notices(self) -> list[NoticeEvent]:
        return [event for event in self.watcher.events if isinstance(event, NoticeEvent)]


def prefix_of(request: ReplyRequest) -> list[PromptPart]:
    """The parts that all prompts of the conversation share."""
    return [part for part in request.prompt if part.name in ("persona", "capabilities", "dialog")]


def text_of(request: ReplyRequest, name: str) -> str:
    return "\n".join(part.text for part in request.prompt if part.name == name)
