"""What a process sees when it looks: which conditions hold, what the steps cost now, and how to go on.

Contract: conditions and costs are methods of somebody else. Each is asked within a limit; what raises, takes
too long or gives no sense is not known, or costs `DOUBTFUL_COST`, and is told of. One that never returned is
not asked again, so that its threads do not pile up.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from threading import Event

from partner_desktop.agents.agent_specs import (
    LAST,
    AgentDefinition,
    ConditionSpec,
    GoalSpec,
    MethodSpec,
    has_run,
)
from partner_desktop.agents.blackboard import IT, Blackboard
from partner_desktop.agents.method_call import call_method, on_own_thread, within_limit
from partner_desktop.agents.process_state import Reason
from partner_desktop.agents.tristate import Tristate
from partner_desktop.base.clock import Clock
from partner_desktop.planning import (
    ActionSet,
    GaveUp,
    GoalChoice,
    PlanAction,
    SearchLimits,
    find_best_plan,
    worth_sensing,
)

#: Seconds that a condition or a cost is waited for.
ASK_LIMIT_S = 5.0
#: What a step costs that cannot tell: more than one that can, as costs usually are at most 1.
DOUBTFUL_COST = 1.0
#: What a condition costs that was asked and stayed unknown: it comes after all that can still be asked.
_ASKED = 1e9
#: A search that is over at once; a longer one is done on a thread.
_SHORT = SearchLimits(expansions=100)


@dataclass
class SeenWorld:
    """The conditions that matter, as far as they are known."""

    known: dict[str, bool]
    unknown: set[str]

    @property
    def text(self) -> str:
        """The same for the same world."""
        return " ".join([*(f"{k}={v:d}" for k, v in sorted(self.known.items())), *sorted(self.unknown)])


class WorldView:
    """The eyes of one process."""

    def __init__(
        self,
        definition: AgentDefinition,
        board: Blackboard,
        clock: Clock,
        doubt: Callable[[str, Reason], None],
    ) -> None:
        self._definition = definition
        self._board = board
        self._clock = clock
        self._doubt = doubt
        self._conditions = {each.name: each for each in definition.conditions}
        self._sources = [(key, self._source(key)) for key in definition.keys]
        self._hung: set[str] = set()
        self._priced: tuple[object, ActionSet] | None = None

    async def look(self, ran: Collection[str]) -> SeenWorld:
        """The world as it is; a condition that has a cost is not asked yet."""
        world = SeenWorld({}, set())
        done, there = set(ran), self._board.kinds
        for key, source in self._sources:
            if isinstance(source, str):
                world.known[key] = source in done
            elif isinstance(source, tuple):
                name, kind = source
                world.known[key] = kind in there if name == IT else self._is_there(name, kind)
            elif source is None:
                world.known[key] = self._board.condition(key)
            elif source.cost > 0:
                world.unknown.add(key)
            else:
                await self._ask(source, world)
        return world

    def _is_there(self, name: str, kind: type) -> bool:
        if name == LAST:
            return isinstance(self._board.last, kind)
        found: object = self._board.get(name, kind)
        return found is not None

    def _source(self, key: str) -> str | tuple[str, type] | ConditionSpec | None:
        """What tells whether a condition holds: a step that ran, an object, a method; `None`: the board."""
        if key in self._conditions:
            return self._conditions[key]
        name, colon, kind = key.partition(":")
        if colon:
            return name, self._definition.types[kind]
        return next((each.name for each in self._definition.actions if has_run(each.name) == key), None)

    async def _ask(self, condition: ConditionSpec, world: SeenWorld) -> None:
        arguments = condition.method.arguments(self._board, {Blackboard: self._board})
        world.unknown.discard(condition.name)
        if arguments is None:  # what it is about is not there
            world.known[condition.name] = False
            return
        told = await self._told(condition.name, condition.method, arguments)
        try:
            known = Tristate.of(told).known
        except TypeError as error:
            self._doubt(condition.name, Reason.of(error))
            known = None
        if known is None:
            world.unknown.add(condition.name)
        else:
            world.known[condition.name] = known

    async def _told(self, name: str, method: MethodSpec, arguments: Mapping[str, object]) -> object:
        """What a method gives; `None`: it cannot tell."""
        return await self.ask(name, lambda: call_method(method.call, arguments))

    async def ask(self, name: str, call: Callable[[], Awaitable[object]]) -> object:
        """What somebody else's code says under a name; `None`: it cannot tell."""
        if name in self._hung:
            return None
        try:
            return await within_limit(ASK_LIMIT_S, _contained(call), self._clock)
        except TimeoutError:
            self._hung.add(name)
            self._doubt(name, Reason("agents.no_answer", {"limit": f"{ASK_LIMIT_S:g}"}))
        except Exception as error:  # noqa: BLE001 - it cannot tell
            self._doubt(name, Reason.of(error))
        return None

    async def choose(
        self, world: SeenWorld, goals: Iterable[GoalSpec], without: Collection[str]
    ) -> GoalChoice:
        """How to go on; what is not known is asked where it can change that, the cheapest first."""
        wanted = [each.wanted for each in goals]
        actions = await self._actions(without)
        asked = {name for name, each in self._conditions.items() if each.cost == 0}
        stopped = Event()
        limits = SearchLimits(cancelled=stopped.is_set)

        def worth_asking() -> str | None:
            costs = {name: _ASKED if name in asked else each.cost for name, each in self._conditions.items()}
            ask = partial(worth_sensing, unknown=world.unknown, costs=costs, limits=limits)
            found = (ask(world.known, goal.conditions, actions) for goal in wanted)
            return next((each for each in found if each is not None and each not in asked), None)

        def plan(limits: SearchLimits) -> GoalChoice:
            return find_best_plan(world.known, wanted, actions, unknown=world.unknown, limits=limits)

        try:
            while world.unknown - asked and (name := await on_own_thread(worth_asking)) is not None:
                asked.add(name)
                await self._ask(self._conditions[name], world)
            choice = plan(_SHORT)
            if any(isinstance(each, GaveUp) for each in choice.answers.values()):
                choice = await on_own_thread(lambda: plan(limits))
            return choice
        finally:
            stopped.set()

    async def _actions(self, without: Collection[str]) -> ActionSet:
        """The steps at what they cost now; the same set as before where nothing of it changed."""
        steps = [each for each in self._definition.actions if each.name not in without]
        prices = [
            (
                each.cost
                if isinstance(each.cost, float)
                else await self._number(each.name, each.cost, DOUBTFUL_COST),
                each.value
                if isinstance(each.value, float)
                else await self._number(each.name, each.value, 0.0),
            )
            for each in steps
        ]
        key = ([each.name for each in steps], prices)
        if self._priced is None or self._priced[0] != key:
            made = (
                PlanAction(each.name, each.preconditions, each.effects, *price)
                for each, price in zip(steps, prices, strict=True)
            )
            self._priced = (key, ActionSet(made))
        return self._priced[1]

    async def _number(self, name: str, said: MethodSpec, doubtful: float) -> float:
        arguments = said.arguments(self._board, {Blackboard: self._board})
        told = doubtful if arguments is None else await self._told(name, said, arguments)
        if isinstance(told, (int, float)) and math.isfinite(told) and told >= 0:
            return float(told)
        if told is not None:
            self._doubt(name, Reason("agents.no_cost", {"told": repr(told)}))
        return doubtful


async def _contained(call: Callable[[], Awaitable[object]]) -> object:
    """What would end the loop is an error like any other."""
    try:
        return await call()
    except (KeyboardInterrupt, SystemExit, GeneratorExit) as error:
        raise RuntimeError(f"{type(error).__name__}: {error}") from error
