"""LiveChain: one chain that is under way in this process, and what its parts share.

Contract: `record` is what stands in the database; it changes under `lock`, after it was written. While the
chain works it holds its exchange; while it only waits for the person it does not. What the person says to
one of its steps takes it over into the exchange of those words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from partner_desktop.base.errors import PartnerError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Chain, Stage, Step
from partner_desktop.runtime.exchanges import Exchange, Release


class ChainOverError(PartnerError):
    """The chain was settled by somebody else."""


@dataclass(frozen=True)
class Ending:
    """How a chain ends."""

    status: ActionStatus
    reason: str = ""
    tell: bool = True


class ChainEndedError(PartnerError):
    """Raised inside of a chain's own work to end it."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.reason)
        self.ending = ending


def failed(reason: str) -> ChainEndedError:
    """The chain ends here, without success."""
    return ChainEndedError(Ending(ActionStatus.FAILED, reason))


@dataclass(eq=False)
class LiveChain:
    """Built by the runner; `reopen` gives the exchange of an id, opened like another if it is over."""

    record: ActionRecord
    exchange: Exchange
    reopen: Callable[[str, Exchange], Exchange]
    children: dict[str, ActionRecord] = field(default_factory=dict)
    """What its steps have become, by their id, as last heard."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever something is to be looked at."""
    steps: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    """The steps under way or waited for."""
    work: asyncio.Task[None] | None = None
    begun: bool = False
    """Its work has been entered."""
    ending: Ending | None = None
    """Set by whoever ends it from outside, before its work is cancelled."""
    anew: bool = False
    """It is being rebuilt: its work begins again."""
    failure: BaseException | None = None
    """What one of its steps could not go on for."""
    discussed: set[str] = field(default_factory=set)
    """The failed steps that a mind was asked about."""
    judged: int = 0
    """The number of stages after which the recogniser was asked."""
    repeated: str = ""
    """Why the loop guard stops it."""
    on_work: Callable[[bool], None] = lambda working: None
    """Told when it begins and ceases to work."""
    _release: Release | None = None
    _waiting: list[asyncio.Future[None]] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def chain(self) -> Chain:
        """As it stands.

        Raises:
            ChainOverError: The record is none of a chain.
        """
        if self.record.chain is None:
            raise ChainOverError(f"{self.record.title} is no chain.")
        return self.record.chain

    @property
    def stage(self) -> Stage | None:
        """The stage that runs; `None` when all are settled."""
        chain = self.chain
        return chain.stages[chain.at] if chain.at < len(chain.stages) else None

    def is_ending(self) -> bool:
        """Whether somebody ends it."""
        return self.ending is not None

    def step(self, step_id: str) -> Step:
        """One of its steps.

        Raises:
            ChainOverError: It was taken out.
        """
        found = self.chain.step(step_id)
        if found is None:
            raise ChainOverError("The step is not there any more.")
        return found

    async def changed(self, step_id: str, known: ActionRecord) -> None:
        """Wait until the action of a step is another than the known one."""
        while self.children[step_id] == known:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting

    def hear(self, child: ActionRecord) -> None:
        """One of its steps' actions has come further."""
        before = self.children.get(child.id)
        self.children[child.id] = child
        if before is not None and before.exchange_id != child.exchange_id:
            self.move(child.exchange_id)
        if child.status is ActionStatus.RUNNING or child.status.ended:
            self.hold()
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)
        self.news.set()

    def took(self, record: ActionRecord) -> None:
        """It stands in the database now; where it belongs may have changed while that was written."""
        self.record = replace(record, exchange_id=self.record.exchange_id)

    def move(self, exchange_id: str) -> None:
        """Go on in the exchange of the words that it goes on by: whoever said them waits for the outcome."""
        before, release = self.exchange, self._release
        self.record = replace(self.record, exchange_id=exchange_id)
        self.exchange = self.reopen(exchange_id, before)
        if release is not None:
            self._release = self.exchange.hold()
            before.status = "waiting"
            release()

    @property
    def works(self) -> bool:
        """Whether it does something by itself now."""
        return self._release is not None

    def hold(self) -> None:
        """It works: whoever waits for the exchange waits for it."""
        if self._release is None:
            self.exchange = self.reopen(self.exchange.id, self.exchange)
            self._release = self.exchange.hold()
            self.on_work(True)

    def let_go(self, status: str = "") -> None:
        """It waits for the person, or is over."""
        if self._release is None:
            return
        if status == "waiting":
            self.exchange.status = "waiting"
        release, self._release = self._release, None
        self.on_work(False)
        release()

    @property
    def waits(self) -> bool:
        """Whether all that it has under way waits for the person."""
        open_ones = (ActionStatus.ASKING, ActionStatus.WAITING)
        under_way = [self.children.get(step_id) for step_id in self.steps]
        return bool(under_way) and all(child is not None and child.status in open_ones for child in under_way)

    def ran(self) -> list[ActionRecord]:
        """What its steps have become, in the chain's order."""
        return [self.children[step.id] for step in self.chain.steps if step.id in self.children]
