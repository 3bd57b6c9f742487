"""What is derived from the types of an agent's methods, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from partner_desktop.agents.agent_registry import AgentRegistry
from partner_desktop.agents.declarations import (
    Named,
    UserInput,
    action,
    agent,
    condition,
    cost,
    goal,
)
from partner_desktop.agents.definition import define
from partner_desktop.agents.step_context import StepContext
from partner_desktop.base.errors import WiringError
from tests.extension_example.partner_extension_example.agent import Gardener
from tests.tables import all_rows


class Draft(BaseModel):
    text: str


class FinalDraft(Draft):
    pass


@dataclass(frozen=True)
class Tone:
    name: str


@dataclass(frozen=True)
class Mail:
    text: str


class Base:
    @action(post=("seen",))
    async def read_it(self, asked: UserInput) -> Draft:
        return Draft(text=asked.content)

    @condition()
    def polite(self, draft: Draft) -> bool:
        return "please" in draft.text


@agent(description="Everything that is derived")
class Deriving(Base):
    """A base class's methods count as well."""

    @action(pre=("polite", "not sent"), post=("final",), output="last", cost=0.25, value=0.5)
    async def finish(self, draft: Draft, tone: Tone | None, step: StepContext) -> FinalDraft:
        raise NotImplementedError

    @goal(description="It is sent", value=2.0)
    @action(post=("sent",), idempotent=False)
    async def send(self, final: Annotated[FinalDraft, Named("last")], pages: int = 3) -> None:
        raise NotImplementedError

    @action(rerunnable=True, trigger=Draft)
    async def revise(self, draft: Draft) -> Draft:
        return draft

    @action(clears=True)
    async def restart(self, draft: Draft) -> Mail:
        raise NotImplementedError


@pytest.mark.promise("planning.derive")
def test_what_a_step_needs_and_changes_is_derived_from_its_types() -> None:
    found = define(Deriving)
    steps = {each.name.removeprefix("Deriving."): each for each in found.actions}
    ran = "hasRun_Deriving."
    assert steps["read_it"].preconditions == {
        "it:UserInput": True,
        "it:Draft": False,
        f"{ran}read_it": False,
    }
    assert steps["read_it"].effects == {
        "it:Draft": True,
        "lastResult:Draft": True,
        "seen": True,
        f"{ran}read_it": True,
    }
    # An optional input adds nothing, a condition of the class is its own, the base class is there as well.
    assert steps["finish"].preconditions == {
        "it:Draft": True,
        "Deriving.polite": True,
        "sent": False,
        "last:FinalDraft": False,
        f"{ran}finish": False,
    }
    assert steps["finish"].effects == {
        "last:FinalDraft": True,
        "last:Draft": True,
        "it:FinalDraft": True,
        "it:Draft": True,
        "lastResult:Draft": True,
        "final": True,
        f"{ran}finish": True,
    }
    assert steps["send"].preconditions == {"last:FinalDraft": True, f"{ran}send": False}
    assert steps["send"].effects == {"lastResult:Draft": False, "sent": True, f"{ran}send": True}
    # It may run again: neither its result nor its having run keeps it from that.
    assert steps["revise"].preconditions == {"it:Draft": True, "lastResult:Draft": True}
    # What is cleared is gone, what the run began with is not, and nothing has run any more.
    assert steps["restart"].preconditions == {"it:Draft": True, f"{ran}restart": False}
    assert steps["restart"].effects == {
        **dict.fromkeys(("it:Draft", "it:Tone", "last:FinalDraft", "seen", "final", "sent"), False),
        f"{ran}read_it": False,
        f"{ran}finish": False,
        f"{ran}send": False,
        f"{ran}revise": False,
        f"{ran}restart": False,
        "it:Mail": True,
        "lastResult:Draft": False,
    }
    (wanted,) = found.goals
    assert (wanted.name, wanted.wanted.value) == ("Deriving.send", 2.0)
    assert wanted.wanted.conditions == {"sent": True}
    assert (steps["finish"].cost, steps["finish"].value) == (0.25, 0.5)


@pytest.mark.promise("planning.derive")
def test_a_goal_whose_result_may_be_there_before_wants_its_action_to_have_run() -> None:
    @agent(description="Edits", inputs=(Draft,))
    class Edits:
        @goal(description="A better draft")
        @action()
        async def edit(self, draft: Draft) -> Draft:
            return draft

    (wanted,) = define(Edits).goals
    assert wanted.wanted.conditions == {"it:Draft": True, "hasRun_Edits.edit": True}


def wish(self: object, asked: UserInput) -> Draft:
    raise NotImplementedError


def two_drafts(self: object, first: Draft, second: Draft) -> Mail:
    raise NotImplementedError


def draft_and_its_base(self: object, first: Draft, second: FinalDraft) -> Mail:
    raise NotImplementedError


def two_named(self: object, first: Annotated[Draft, Named()], second: Annotated[Draft, Named()]) -> Mail:
    raise NotImplementedError


def plain_text(self: object, text: str) -> Mail:
    raise NotImplementedError


def anything(self: object, text: Any) -> Mail:
    raise NotImplementedError


def gives_dict(self: object, asked: UserInput) -> dict[str, str]:
    raise NotImplementedError


def gives_either(self: object, asked: UserInput) -> Draft | Mail:
    raise NotImplementedError


def gives_nothing(self: object, asked: UserInput) -> None:
    raise NotImplementedError


def many(self: object, *asked: UserInput) -> Mail:
    raise NotImplementedError


def no_such_type(self: object, asked: Telegram) -> Mail:  # type: ignore[name-defined]  # noqa: F821
    raise NotImplementedError


def untyped(self, asked) -> Mail:  # type: ignore[no-untyped-def]  # noqa: ANN001
    raise NotImplementedError


def says_nothing(self: object, asked: UserInput):  # type: ignore[no-untyped-def]  # noqa: ANN201
    raise NotImplementedError


OtherMail = type("Mail", (), {"__annotations__": {}})


def other_mail(self: object, asked: UserInput) -> OtherMail:  # type: ignore[valid-type]
    raise NotImplementedError


TO_GOAL = (action(), goal(description="There"))


@pytest.mark.promise("planning.ambiguous")
@all_rows(
    "methods, said",
    [
        ({"f": (two_drafts, TO_GOAL)}, "takes first and second, which one Draft would be"),
        ({"f": (draft_and_its_base, TO_GOAL)}, "takes first and second, which one FinalDraft would be"),
        ({"f": (plain_text, TO_GOAL)}, "takes text: str"),
        ({"f": (anything, TO_GOAL)}, "takes text: Any"),
        ({"f": (gives_dict, TO_GOAL)}, "gives dict"),
        ({"f": (gives_either, TO_GOAL)}, "let it be one class"),
        ({"f": (gives_nothing, TO_GOAL)}, "Give it a result, or a condition in `post`"),
        ({"f": (many, TO_GOAL)}, r"takes \*asked"),
        ({"f": (no_such_type, TO_GOAL)}, "a type that does not exist: name 'Telegram'"),
        ({"f": (untyped, TO_GOAL)}, "does not say of what type asked is"),
        ({"f": (says_nothing, TO_GOAL)}, "does not say what it gives"),
        ({"f": (wish, (action(),))}, "has no goal"),
        ({"f": (wish, (goal(description="There"),))}, "is a goal and no action|has no goal"),
        ({"f": (wish, (action(name="x"),)), "g": (wish, (action(name="x"),))}, "two actions called A.x"),
        ({"f": (other_mail, TO_GOAL), "g": (plain_text, ())}, "cannot be written down|two classes"),
        ({"f": (wish, (action(cost=-1.0), goal(description="There")))}, "a cost of -1.0"),
        ({"f": (wish, (action(cost=float("inf")), goal(description="There")))}, "a cost of inf"),
        (
            {"f": (wish, (action(cost="price"), goal(description="There")))},
            "no method of that name with @cost",
        ),
        ({"f": (wish, (action(pre=("it:Letter",)), goal(description="There")))}, "speaks of a Letter"),
        # What cannot be reached is named, with who needs it.
        ({"f": (two_named, TO_GOAL)}, "nothing makes first:Draft true, which A.f needs"),
        ({"f": (wish, (action(pre=("paid",)), goal(description="There")))}, "nothing makes paid true"),
    ],
)
def test_what_can_be_read_in_two_ways_or_in_none_is_refused(
    methods: dict[str, tuple[Any, tuple[Any, ...]]], said: str
) -> None:
    body: dict[str, Any] = {}
    for name, (method, marks) in methods.items():
        made = type(method)(method.__code__, method.__globals__, name, None, None)
        made.__annotations__ = method.__annotations__
        for mark in marks:
            made = mark(made)
        body[name] = made
    cls = agent(description="A")(type("A", (), body))
    with pytest.raises(WiringError, match=said):
        AgentRegistry().register(cls)


@pytest.mark.promise("planning.ambiguous")
def test_a_second_method_of_one_name_replaces_none_silently() -> None:
    with pytest.raises(WiringError, match="Twice has two methods called go"):

        class Twice:
            @action()
            def go(self, asked: UserInput) -> Draft:
                raise NotImplementedError

            @goal(description="There")  # type: ignore[no-redef]
            @action()
            def go(self, draft: Draft) -> Mail:  # noqa: F811
                raise NotImplementedError


@agent(description="Writes a mail")
class Mailer:
    def __init__(self) -> None:
        self.price = 1.0

    @cost()
    def dear(self, draft: Draft | None) -> float:
        return self.price

    @goal(description="A mail")
    @action(cost="dear")
    async def write(self, asked: UserInput) -> Mail:
        return Mail(asked.content)


@pytest.mark.promise("planning.ambiguous")
def test_a_name_belongs_to_one_agent_until_it_is_taken_back() -> None:
    registry = AgentRegistry()
    undo = registry.register(Mailer)
    with pytest.raises(WiringError, match="two agents are called Mailer"):
        registry.register(Mailer)
    with pytest.raises(WiringError, match="Base is no agent"):
        registry.register(Base)
    undo()
    registry.register(Mailer)
    assert [each.name for each in registry] == ["Mailer"]


def test_agents_of_packages_come_in_and_a_broken_one_is_left_out() -> None:
    class Broken:
        def __init__(self) -> None:
            raise SystemExit("not today")

    broken = agent(description="Broken")(Broken)
    refused: dict[str, str] = {}
    registry = AgentRegistry()
    registry.register_found(
        {"mailer": Mailer, "old": Base, "rude": broken, "gardener": Gardener},
        lambda name, error: refused.update({name: f"{type(error).__name__}: {error}"}),
    )
    assert [each.name for each in registry] == ["Mailer", "Gardener"]
    assert refused["rude"] == "SystemExit: not today"
    assert "Base is no agent" in refused["old"]
