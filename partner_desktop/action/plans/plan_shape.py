"""What can be wrong with the shape of a plan, whoever planned it. Pure; each answer is a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.plans.plan_draft import Drafts, StepDraft
from partner_desktop.base.spoken import sentence_of, spoken_language


def named(number: int, title: str) -> str:
    """A step as sentences name it."""
    return sentence_of("step.named", number=number, title=title)


def capital(sentence: str) -> str:
    """With a capital letter at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def shape_problem(stages: Drafts, *, most_steps: int) -> str:
    """Why these can be no plan; empty: they can."""
    steps = [step for stage in stages for step in stage]
    if not steps:
        return sentence_of("chain.empty")
    if len(steps) > most_steps:
        return sentence_of("chain.too_long", count=len(steps), most=most_steps)
    if len({step.id for step in steps}) < len(steps):
        return sentence_of("chain.twice")
    return _feed_problem(stages, steps)


def _feed_problem(stages: Drafts, steps: Sequence[StepDraft]) -> str:
    """What is fed comes from a step of an earlier stage: so no two steps can wait for each other."""
    numbers = {step.id: number for number, step in enumerate(steps, 1)}
    earlier: set[str] = set()
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
