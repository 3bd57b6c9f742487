"""EventService: what happens, for as long as somebody listens.

Contract: a stream is closed by whoever reads it, at any moment; it leaves no listener behind. Those of one
exchange (`say`, `run`, `plan`, `resume`, `decide`) end with its `done`; `follow` and `watch` have no end of
their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, Self, TypeAlias

from partner_desktop.api.ability_service import AbilityService
from partner_desktop.api.action_service import ActionService
from partner_desktop.api.message_service import MessageService
from partner_desktop.api.operations import WorkingFolder
from partner_desktop.api.plan_service import GoalNames, PlanService
from partner_desktop.api.server_service import ServerService
from partner_desktop.base.errors import HostError, PartnerError
from partner_desktop.base.ids import new_id
from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.events import (
    AbilitiesEvent,
    DoneEvent,
    ErrorEvent,
    Event,
    NoticeEvent,
    ResultEvent,
    RunEvent,
)
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Scope
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.channel import ChannelRegistry

Deliver: TypeAlias = Callable[[Event], None]

#: Events that may wait for whoever looks; one who is further behind begins again.
MOST_WAITING = 5_000


class EventService:
    """Gives events as they are (`subscribe`), or as streams of JSON objects with a `type`."""

    def __init__(
        self,
        channels: ChannelRegistry,
        messages: MessageService,
        abilities: AbilityService,
        actions: ActionService,
        servers: ServerService,
        plans: PlanService,
    ) -> None:
        self._channels = channels
        self._messages = messages
        self._abilities = abilities
        self._actions = actions
        self._servers = servers
        self._plans = plans

    def subscribe(self, deliver: Deliver) -> Callable[[], None]:
        """Get every event from now on, on the loop, in order; `deliver` must not block. Returns the undo."""
        return self._channels.register(_Subscriber(deliver))

    # Of one exchange.

    @operation(Caller.ATTACHED)
    async def say(
        self,
        text: str,
        *,
        conversation_id: str | None,
        cwd: WorkingFolder = "",
        standing: ApprovalMode = ApprovalMode.ASK,
        can_ask: bool = False,
        pictures: Sequence[Path] = (),
        attachments: Sequence[Path] = (),
    ) -> AsyncGenerator[JsonObject, None]:
        """Say something; the events of the exchange.

        `can_ask`: a person is there who can answer what a server asks meanwhile. `pictures` and
        `attachments`: as of `messages.send`.

        Raises:
            UsageError: It is empty or too long, a picture is none, or the conversation does not exist.
        """
        exchange_id = self._exchange(can_ask=can_ask)
        with _Listener(self, exchange_id) as listener:
            await self._messages.send(
                text,
                conversation_id=conversation_id,
                source="terminal",
                cwd=cwd,
                standing=standing,
                exchange_id=exchange_id,
                pictures=pictures,
                attachments=attachments,
            )
            async for event in listener.until_done():
                yield event

    @operation(Caller.ATTACHED)
    async def run(
        self,
        key: str,
        params: JsonObject,
        *,
        cwd: WorkingFolder,
        standing: ApprovalMode,
        conversation_id: str = "",
        title: str = "",
        program: str = "",
        bound: bool = False,
        can_ask: bool = False,
    ) -> AsyncGenerator[JsonObject, None]:
        """Propose an ability by its key; the events of the exchange. A server that starts is waited for.

        One who goes before its end, by a cancellation or by closing this generator, ends a `bound` run. The
        rest is as of `abilities.run` and `events.say`.

        Raises:
            UsageError: There is no such ability.
        """
        await self._servers.location_settled(key)
        exchange_id = self._exchange(can_ask=can_ask)
        with _Listener(self, exchange_id) as listener:
            try:
                await self._abilities.run(
                    key,
                    params,
                    cwd=cwd,
                    standing=standing,
                    exchange_id=exchange_id,
                    conversation_id=conversation_id,
                    title=title,
                    program=program,
                )
                async for event in listener.until_done():
                    yield event
            finally:
                if bound and listener.running:
                    await self._actions.cancel(listener.running)

    @operation(Caller.ATTACHED)
    async def plan(
        self,
        goal: GoalNames,
        *,
        cwd: WorkingFolder,
        standing: ApprovalMode,
        have: JsonObject | None = None,
        can_ask: bool = False,
    ) -> AsyncGenerator[JsonObject, None]:
        """Propose the cheapest way to a goal; the events of the exchange. As `plans.run` and `events.say`.

        Raises:
            UsageError: Nothing is called so, or there is no way; with why.
        """
        await self._servers.settled()
        exchange_id = self._exchange(can_ask=can_ask)
        with _Listener(self, exchange_id) as listener:
            await self._plans.run(goal, cwd=cwd, standing=standing, have=have, exchange_id=exchange_id)
            async for event in listener.until_done():
                yield event

    @operation(Caller.ATTACHED)
    async def resume(
        self, action_id: str, *, standing: ApprovalMode = ApprovalMode.ASK, can_ask: bool = False
    ) -> AsyncGenerator[JsonObject, None]:
        """Go on with a plan that was given up; the events of the exchange. See `plans.resume`.

        Raises:
            UsageError: It is no plan of several steps that failed, or none of them is left to be tried.
        """
        exchange_id = self._exchange(can_ask=can_ask)
        with _Listener(self, exchange_id) as listener:
            await self._plans.resume(action_id, standing=standing, exchange_id=exchange_id)
            async for event in listener.until_done():
                yield event

    @operation(Caller.ATTACHED)
    async def decide(
        self, action_id: str, verdict: Scope | Literal["reject"], *, version: str
    ) -> AsyncGenerator[JsonObject, None]:
        """Settle a proposal; what follows from it. A yes is to the `version` of its event.

        Raises:
            UsageError: It no longer waits, or shows something else: then its new event came before.
        """
        record = await self._actions.get(action_id)
        with _Listener(self, record.exchange_id) as listener:
            if verdict == "reject":
                await self._actions.reject(action_id)
            else:
                try:
                    await self._actions.approve(action_id, scope=verdict, shown=version)
                except PartnerError:
                    for event in listener.so_far():
                        yield event
                    raise
            async for event in listener.until_done():
                yield event

    def _exchange(self, *, can_ask: bool) -> str:
        exchange_id = new_id()
        if not can_ask:
            self._servers.asks_nobody(exchange_id)
        return exchange_id

    # For as long as somebody looks.

    @operation(Caller.ATTACHED)
    async def follow(self, conversation_id: str) -> AsyncGenerator[JsonObject, None]:
        """The events of a conversation, and notices and errors that belong to none; first a `following`.

        Raises:
            HostError: Whoever looks is too far behind.
        """
        waiting: asyncio.Queue[Event] = asyncio.Queue()

        def take(event: Event) -> None:
            if concerns(event, conversation_id):
                waiting.put_nowait(event)

        undo = self.subscribe(take)
        try:
            yield {"type": "following", "conversation_id": conversation_id}
            while True:
                event = await waiting.get()
                if waiting.qsize() > MOST_WAITING:
                    raise HostError("api.too_fast")
                yield event.to_json()
        finally:
            undo()

    @operation(Caller.ATTACHED)
    async def watch(self) -> AsyncGenerator[JsonObject, None]:
        """An `abilities` after changes of their list, several at once told as one; first a `watching`."""
        changed = asyncio.Event()

        def take(event: Event) -> None:
            if isinstance(event, AbilitiesEvent):
                changed.set()

        undo = self.subscribe(take)
        try:
            yield {"type": "watching"}
            while True:
                await changed.wait()
                changed.clear()
                yield {"type": "abilities"}
        finally:
            undo()


def concerns(event: Event, conversation_id: str) -> bool:
    """Whether somebody who looks at this conversation should be told."""
    if event.conversation_id:
        return event.conversation_id == conversation_id
    return isinstance(event, (NoticeEvent, ErrorEvent))


class _Listener:
    """Collects the events of one exchange."""

    def __init__(self, events: EventService, exchange_id: str) -> None:
        self._events = events
        self._exchange_id = exchange_id
        self.running = ""
        """The action that runs; of a step, the chain that it belongs to, which goes on after it."""
        self._waiting: asyncio.Queue[Event] = asyncio.Queue()

    def __enter__(self) -> Self:
        self._undo = self._events.subscribe(self._take)
        return self

    def __exit__(self, *exc: object) -> None:
        self._undo()

    def _take(self, event: Event) -> None:
        if event.exchange_id == self._exchange_id:
            if isinstance(event, RunEvent):
                self.running = event.action.parent_id or event.action.id
            elif isinstance(event, ResultEvent) and event.action.id == self.running:
                self.running = ""
            self._waiting.put_nowait(event)

    def so_far(self) -> Iterator[JsonObject]:
        """What came and was not taken yet."""
        while not self._waiting.empty():
            yield self._waiting.get_nowait().to_json()

    async def until_done(self) -> AsyncIterator[JsonObject]:
        while True:
            event = await self._waiting.get()
            yield event.to_json()
            if isinstance(event, DoneEvent):
                return


class _Subscriber:
    """A channel that takes everything."""

    name = "subscriber"

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = deliver

    def accepts(self, event: Event) -> bool:
        del event
        return True

    def deliver(self, event: Event) -> None:
        self._deliver(event)
