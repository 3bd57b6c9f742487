"""What can be wrong with the shape of a chain, whoever planned it. Pure; each answer is a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.chain.step_maker import StepDraft

Stages = Sequence[Sequence[StepDraft]]


def named(number: int, title: str) -> str:
    """A step as sentences name it."""
    return f"step {number}, {title},"


def capital(sentence: str) -> str:
    """With a capital letter at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def shape_problem(stages: Stages, *, most_steps: int) -> str:
    """Why these can be no chain; empty: they can."""
    steps = [step for stage in stages for step in stage]
    if not steps:
        return "There is nothing to do in it."
    if len(steps) > most_steps:
        return (
            f"That takes {len(steps)} steps, and I take on {most_steps} at once. "
            "Ask for less at a time, or raise `most_steps` in the settings under `[action.chain]`."
        )
    if len({step.id for step in steps}) < len(steps):
        return "One of its steps stands in it twice."
    return _feed_problem(stages, steps)


def _feed_problem(stages: Stages, steps: Sequence[StepDraft]) -> str:
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
    own = capital(named(numbers[step.id], step.info.title))
    taken: set[str] = set()
    for feed in step.feeds:
        if feed.param not in step.info.properties():
            return f"{own} has no `{feed.param}` that another step could bring."
        if feed.param in taken:
            return f"{own} would get `{feed.param}` from two steps."
        taken.add(feed.param)
        if feed.step not in numbers:
            return f"{own} waits for `{feed.param}` from a step that is not there."
        if feed.step == step.id:
            return f"{own} waits for `{feed.param}` from itself."
        if feed.step not in earlier:
            source = named(numbers[feed.step], steps[numbers[feed.step] - 1].info.title)
            return f"{own} waits for `{feed.param}` from {source} which does not come before it."
    return ""
