"""Constructors are filled by the types of their parameters; what does not fit is named."""

from __future__ import annotations

from typing import Protocol

import pytest
from pydantic import BaseModel

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.errors import WiringError
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.runtime.agent_context import AgentContext


class Speaks(Protocol):
    def speak(self) -> str: ...


class Cat:
    def speak(self) -> str:
        return "miaow"


class Dog:
    def speak(self) -> str:
        return "woof"


class Settings(BaseModel):
    loud: bool = False


class StatusController:
    def __init__(
        self, pet: Speaks, *, clock: Clock, settings: ConfigHandle[Settings], rooms: int = 3
    ) -> None:
        self.pet, self.clock, self.settings, self.rooms = pet, clock, settings, rooms


class Hermit:
    def __init__(self, guest: Speaks | None, clock: Clock | None = None) -> None:
        self.guest, self.clock = guest, clock


class Nameless:
    def __init__(self, thing) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - this is the mistake
        self.thing = thing


class Egg:
    def __init__(self, hen: Hen) -> None:
        self.hen = hen


class Hen:
    def __init__(self, egg: Egg) -> None:
        self.egg = egg


def test_a_constructor_is_filled_by_the_types_of_its_parameters() -> None:
    context, cat, clock = AgentContext(), Cat(), SystemClock()
    handle = ConfigHandle("house", Settings())
    context.provide(Speaks, cat)
    context.provide(Clock, clock)
    context.provide(ConfigHandle[Settings], handle)
    house = context.build(StatusController)
    assert (house.pet, house.clock, house.settings, house.rooms) == (cat, clock, handle, 3)


def test_an_optional_parameter_that_nothing_provides_stays_empty() -> None:
    hermit = AgentContext().build(Hermit)
    assert (hermit.guest, hermit.clock) == (None, None)


def test_an_optional_parameter_that_is_provided_is_filled() -> None:
    context, clock = AgentContext(), SystemClock()
    context.provide(Clock, clock)
    assert context.build(Hermit).clock is clock


@pytest.mark.promise("framework.container.unique")
def test_what_nothing_provides_names_the_class_and_the_parameter() -> None:
    context = AgentContext()
    context.provide(Clock, SystemClock())
    with pytest.raises(WiringError, match="StatusController needs pet: Speaks, which nothing provides"):
        context.build(StatusController)


@pytest.mark.promise("framework.container.unique")
def test_what_two_provide_names_both() -> None:
    context = AgentContext()
    context.provide(Speaks, Cat())
    context.provide(Speaks, Dog())
    with pytest.raises(
        WiringError, match="StatusController needs pet: Speaks, which Cat and Dog provide; only one may"
    ):
        context.build(StatusController)


def test_a_parameter_without_a_type_is_named() -> None:
    with pytest.raises(WiringError, match="Nameless needs thing, but does not say of which type"):
        AgentContext().build(Nameless)


def test_an_offered_class_is_built_once_and_only_when_it_is_needed() -> None:
    context = AgentContext()
    context.offer(Speaks, Cat)
    context.offer(Hermit, Hermit)
    assert context.capability(Hermit) is context.capability(Hermit)
    assert isinstance(context.capability(Hermit).guest, Cat)


def test_parts_that_need_each_other_are_named_as_a_circle() -> None:
    context = AgentContext()
    context.offer(Egg, Egg)
    context.offer(Hen, Hen)
    with pytest.raises(WiringError, match="Egg needs Hen, Hen needs Egg"):
        context.build(Egg)
