"""What marks a class as an agent and its methods as actions, conditions, costs and goals.

    @agent(description="Writes a story about what it is told, and reviews it")
    class StoryAgent:
        @action()
        async def write(self, topic: UserInput, step: StepContext) -> Story: ...

        @goal(description="A story with a review of it")
        @action(cost="price")
        async def review(self, story: Story, step: StepContext) -> ReviewedStory: ...

        @cost()
        def price(self, story: Story | None) -> float: ...

The parameters of a method say what it needs, its result says what it gives: `definition` reads them. Marks
change nothing of the class: it can be used and tested as any other.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from partner_desktop.agents.blackboard import IT
from partner_desktop.base.errors import WiringError

C = TypeVar("C", bound=type)
#: A method of an agent. Any: its parameters are what is derived from it.
M = TypeVar("M", bound=Callable[..., Any])

_AGENT, _MARKS = "__partner_agent__", "__partner_marks__"


@dataclass(frozen=True)
class UserInput:
    """What the person asked for, in their words: what a run begins with."""

    content: str


@dataclass(frozen=True)
class Named:
    """`Annotated[Story, Named("draft")]`: an input that is looked for by a name, not by its type alone.

    Without a name it is that of the parameter.
    """

    name: str = ""


@dataclass(frozen=True, kw_only=True)
class AgentMark:
    """Marks a class as an agent."""

    description: str
    """What it can do for somebody who asks in words."""
    name: str = ""
    """The name of the class where it is empty."""
    version: str = "0.1.0"
    inputs: tuple[type, ...] = (UserInput,)
    """What a run begins with; it outlives a `clears`."""
    given: tuple[str, ...] = ()
    """Conditions of the blackboard that somebody else sets."""

    def __call__(self, cls: C) -> C:
        setattr(cls, _AGENT, self)
        return cls


class Mark:
    """Marks a method; of which kind, the subclass says."""

    def __call__(self, method: M) -> M:
        """Mark it.

        Raises:
            WiringError: The class has a marked method of this name, which this one would silently replace.
        """
        here = inspect.currentframe()
        body = here.f_back.f_locals if here is not None and here.f_back is not None else {}
        name = method.__name__
        if "__qualname__" in body and marks_on(body.get(name)):
            raise WiringError(
                f"{body['__qualname__']} has two methods called {name}: the first would be lost."
            )
        setattr(method, _MARKS, (*marks_on(method), self))
        return method


@dataclass(frozen=True, kw_only=True)
class ActionMark(Mark):
    """Marks a method as a step."""

    description: str = ""
    name: str = ""
    """The name of the method where it is empty."""
    pre: tuple[str, ...] = ()
    """Conditions that it needs: `checked`, or `not checked`."""
    post: tuple[str, ...] = ()
    """Conditions that hold after it."""
    output: str = IT
    """The name that the result is bound to."""
    cost: float | str = 0.0
    """From 0 up, or the name of a method that `@cost` marks."""
    value: float | str = 0.0
    rerunnable: bool = False
    """It may run again although its result is there."""
    clears: bool = False
    """It leaves nothing on the blackboard but its result and what is protected."""
    trigger: type | None = None
    """The class that the very last object has to be of."""
    idempotent: bool = True
    """Doing it twice is doing it once; otherwise it is repeated only where a person says so."""
    attempts: int = 5
    """How often it is tried where trying again may help."""
    confirm: str = ""
    """What the person is asked before it."""


@dataclass(frozen=True, kw_only=True)
class ConditionMark(Mark):
    """Marks a method as a condition: it gives a bool, `None` where it cannot tell, or a `Tristate`."""

    name: str = ""
    cost: float = 0.0
    """Above 0: it is asked only where its answer can change what is best to do."""


@dataclass(frozen=True)
class CostMark(Mark):
    """Marks a method that computes a cost or a value as things stand: a number from 0 up."""


@dataclass(frozen=True, kw_only=True)
class GoalMark(Mark):
    """Marks an action that reaches a goal: its result is there, `post` holds, and `pre` does as well."""

    description: str
    name: str = ""
    value: float = 0.0
    pre: tuple[str, ...] = ()


agent = AgentMark
action = ActionMark
condition = ConditionMark
cost = CostMark
goal = GoalMark


def agent_mark(cls: type) -> AgentMark | None:
    """What `@agent` said of just this class; a base that is an agent makes no agent of it."""
    found = vars(cls).get(_AGENT)
    return found if isinstance(found, AgentMark) else None


def marks_on(method: object) -> tuple[Mark, ...]:
    """What was said of a method, the innermost mark first."""
    return tuple(getattr(method, _MARKS, ()))
