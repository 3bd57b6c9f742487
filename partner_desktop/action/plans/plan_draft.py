"""PlanDraft: what is wanted, in stages of steps, before anything of it is looked at.

It is what every maker of plans returns, be it of words, of what an ability depends on, or of an earlier
record. A maker looks for abilities and arguments and begins nothing; where there is no such plan, it raises
UsageError with why. What comes of a draft is up to `Proposals`: the same questions, card and yes for all.
What can be wrong with its shape, whoever made it, is told here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TypeAlias

from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, spoken_language
from partner_desktop.domain.action import KnownValue
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.leftover import Leftover
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Origin, Step, StepInput, StepPurpose
from partner_desktop.domain.schedule import LANDED, Terms


@dataclass(frozen=True)
class SavedPart:
    """What of a step comes from a saved plan; see the same of `Step`."""

    task: str = ""
    when: JsonObject = field(default_factory=dict)
    outcomes: JsonObject = field(default_factory=dict)
    computes: bool = False
    retries: int = 0
    pinned: bool = False

    @classmethod
    def of(cls, step: Step) -> SavedPart:
        """As a step has it."""
        return cls(step.task, step.when, step.outcomes, step.computes, step.retries, step.pinned)

    def put_on(self, step: Step) -> Step:
        """The step with it."""
        return replace(
            step,
            task=self.task,
            when=self.when,
            outcomes=self.outcomes,
            computes=self.computes,
            retries=self.retries,
            pinned=self.pinned,
        )


NO_PART = SavedPart()


@dataclass(frozen=True)
class StepDraft:
    """What is wanted of one ability."""

    info: MetaActionInfo
    text: str
    """The words that ask for it."""
    params: JsonObject = field(default_factory=dict)
    feeds: tuple[StepInput, ...] = ()
    """The parameters that earlier steps bring: what one step gives another, by name."""
    reason: StepPurpose | None = None
    origin: Origin = "request"
    """Who put it there."""
    mends: str = ""
    id: str = field(default_factory=new_id)
    saved: SavedPart = NO_PART
    """What a saved plan says of it."""
    leftovers: tuple[Leftover, ...] = ()
    """What of its words stands in no argument."""
    missing: tuple[str, ...] = ()
    """Parameters that its words meant and gave no value for, beside the required ones."""


Drafts: TypeAlias = Sequence[Sequence[StepDraft]]


@dataclass(frozen=True)
class PlanDraft:
    """Steps in stages: the stages run one after another, the steps of one together."""

    stages: Drafts
    text: str
    """The goal: what it is for, in the words that asked for it."""
    goal: JsonObject = field(default_factory=dict)
    """See `Plan.goal`."""
    why: str = ""
    """Why it is proposed, in a sentence, where nobody asked for it."""
    stands_alone: bool = False
    """It is one step and nothing more: an action by itself, which no mind judges or corrects."""
    asks_first: bool = False
    """The person is asked, whatever is allowed."""
    as_form: bool = False
    """What is missing is filled in on the card, and not asked for; nothing runs before."""
    known: tuple[KnownValue, ...] = ()
    """Arguments that nobody said: with any, the person is asked first."""
    terms: Terms | None = None
    """When it is to be done, where that is not now: then the person is asked, and a schedule made of it."""
    schedule_id: str = ""
    """The schedule that it is a firing of."""
    candidates: tuple[str, ...] = ()
    """The paths of which one was meant, where one is missing."""


def alone(draft: StepDraft) -> PlanDraft:
    """One step that stands for itself."""
    return PlanDraft([[draft]], draft.text, stands_alone=True)


def named(number: int, title: str) -> str:
    """A step as sentences name it."""
    return sentence_of("step.named", number=number, title=title)


def capital(sentence: str) -> str:
    """With a capital letter at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def shape_problem(stages: Drafts, *, most_steps: int, terms: Terms | None = None) -> str:
    """Why these can be no plan; empty: they can. With `terms` that wait for a file, that may be brought."""
    steps = [step for stage in stages for step in stage]
    if not steps:
        return sentence_of("chain.empty")
    if len(steps) > most_steps:
        return sentence_of("chain.too_long", count=len(steps), most=most_steps)
    if len({step.id for step in steps}) < len(steps):
        return sentence_of("chain.twice")
    brought = terms is not None and terms.lands is not None
    return _feed_problem(stages, steps, {LANDED} if brought else set())


def _feed_problem(stages: Drafts, steps: Sequence[StepDraft], earlier: set[str]) -> str:
    """What is fed comes from a step of an earlier stage: so no two steps can wait for each other."""
    numbers = {step.id: number for number, step in enumerate(steps, 1)}
    for stage in stages:
        for step in stage:
            problem = _problem_of(step, steps, numbers, earlier)
            if problem:
                return problem
        earlier |= {step.id for step in stage}
    return ""


def _problem_of(
    step: StepDraft, steps: Sequence[StepDraft], numbers: dict[str, int], earlier: set[str]
) -> str:
    own = capital(named(numbers[step.id], step.info.spoken(spoken_language.get()).title))
    taken: set[str] = set()
    for feed in step.feeds:
        if feed.param not in step.info.properties():
            return sentence_of("chain.no_such_param", step=own, param=feed.param)
        if feed.param in taken:
            return sentence_of("chain.fed_twice", step=own, param=feed.param)
        taken.add(feed.param)
        if feed.step == LANDED and LANDED in earlier:
            places = {**step.info.path_params(), **step.info.path_lists()}
            if feed.param in places:
                continue
        if feed.step not in numbers:
            return sentence_of("chain.fed_by_none", step=own, param=feed.param)
        if feed.step == step.id:
            return sentence_of("chain.fed_by_itself", step=own, param=feed.param)
        if feed.step not in earlier:
            source = named(
                numbers[feed.step], steps[numbers[feed.step] - 1].info.spoken(spoken_language.get()).title
            )
            return sentence_of("chain.fed_by_later", step=own, param=feed.param, source=source)
    return ""
