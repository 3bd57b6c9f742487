"""GoalDomain: what can be called now, as a planner sees it: abilities as actions over conditions. No I/O."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.planning_facts import HAVE, RAN
from partner_desktop.planning import PlanAction

#: How the key of a goal begins, where a mind ranks it among others.
GOAL = "goal::"


def have(kind: str) -> str:
    """The condition that something of a type is there."""
    return f"{HAVE}{kind}"


def ran(key: str) -> str:
    """The condition that an ability ran."""
    return f"{RAN}{key}"


@dataclass(frozen=True)
class GoalDomain:
    """Of the abilities that take part in computed plans."""

    infos: Mapping[str, MetaActionInfo]
    """By key."""

    @classmethod
    def of(cls, infos: Iterable[MetaActionInfo]) -> GoalDomain:
        """What of these abilities says what it needs or brings."""
        return cls({info.key: info for info in infos if info.planning_facts.takes_part})

    @cached_property
    def actions(self) -> tuple[PlanAction, ...]:
        """Each ability as an action; its name is its key."""
        return tuple(map(plan_action, self.infos.values()))

    @cached_property
    def types(self) -> frozenset[str]:
        """All that is taken or brought."""
        facts = [info.planning_facts for info in self.infos.values()]
        return frozenset(kind for each in facts for kind in (*each.inputs.values(), *each.outputs.values()))

    @cached_property
    def conditions(self) -> frozenset[str]:
        """All that authors speak of beside types."""
        facts = [info.planning_facts for info in self.infos.values()]
        return frozenset(
            name for each in facts for name in (*each.preconditions, *each.effects, *each.senses)
        )

    @cached_property
    def goals(self) -> tuple[MetaActionInfo, ...]:
        """What can be had, as a mind ranks it: each thing that is brought, each condition that is made so."""
        found: dict[str, MetaActionInfo] = {}
        for info in self.infos.values():
            facts = info.planning_facts
            brought = () if facts.derived else facts.outputs.values()
            conditions = [(have(kind), as_words(kind)) for kind in brought]
            conditions += [(name, name) for name, value in facts.effects.items() if value]
            for condition, words in conditions:
                goal = MetaActionInfo(GOAL + condition, Route.BUILTIN, words, label=words)
                found.setdefault(condition, goal)
        return tuple(found.values())

    def told(self, condition: str, *, so: bool = True) -> str:
        """A condition as a person reads it."""
        if not so:
            return sentence_of("goal.not_so", condition=self.told(condition))
        if condition.startswith(HAVE):
            return condition.removeprefix(HAVE)
        if condition.startswith(RAN):
            info = self.infos.get(condition.removeprefix(RAN))
            return info.told.title if info is not None else condition.removeprefix(RAN)
        return condition


def as_words(name: str) -> str:
    """`MeetingNotes` and `meeting_notes` as words."""
    words = "".join(f" {each}" if each.isupper() else each for each in name)
    return " ".join(words.replace("_", " ").split()).lower()


def plan_action(info: MetaActionInfo) -> PlanAction:
    """An ability as an action: a required input must be there, an optional one need not."""
    facts = info.planning_facts
    needs = {have(kind): True for kind in required_inputs(info).values()}
    brings = {have(kind): True for kind in facts.outputs.values()}
    once = {} if facts.rerunnable else {ran(info.key): False}
    return PlanAction(
        info.key,
        preconditions={**once, **needs, **facts.preconditions},
        effects={**brings, **facts.effects, ran(info.key): True},
        cost=facts.cost,
        value=facts.value,
    )


def required_inputs(info: MetaActionInfo) -> dict[str, str]:
    """Parameter → type, of what it cannot be called without."""
    needed = info.required()
    return {name: kind for name, kind in known_inputs(info) if name in needed}


def known_inputs(info: MetaActionInfo) -> Iterator[tuple[str, str]]:
    """Parameter and type; what its author says of parameters that it does not have is nothing."""
    known = {} if info.takes_command() or info.free_args else info.properties()
    return ((name, kind) for name, kind in info.planning_facts.inputs.items() if name in known)


def unmet_words(domain: GoalDomain, missing: Iterable[tuple[str, bool]]) -> str:
    """What nothing brings, in words."""
    names = [
        sentence_of("goal.condition" if wanted else "goal.not_condition", condition=domain.told(condition))
        for condition, wanted in missing
    ]
    return sentence_of("step.comma").join(names)
