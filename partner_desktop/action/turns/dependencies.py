"""Dependencies: what must be done before an ability, as steps of earlier stages. No I/O.

Only where an ability says `strictDependencies`; without it, `preActions` add nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, spoken_language
from partner_desktop.domain.meta_action import MetaActionInfo

#: Requests in one breath; more are turned down in words.
MOST_PARTS = 50
Stages = tuple[tuple[StepDraft, ...], ...]


def needs_others(info: MetaActionInfo) -> bool:
    """Whether something must be done before it."""
    return info.strict_dependencies and bool(info.pre_actions)


def preceded(stages: Sequence[Sequence[StepDraft]], catalog: AbilityCatalog) -> Stages:
    """The stages, and before each the steps that those in it need and that are not there yet.

    A step that was put there has the words of the one that needs it: its arguments are looked for in them.
    These steps run one after another, in the order in which they are named.

    Raises:
        UsageError: An ability is not there, comes before itself, or these are too many.
    """
    whole: list[tuple[StepDraft, ...]] = []
    for stage in stages:
        needed = _Needed(catalog, done={draft.info.key for earlier in whole for draft in earlier})
        for draft in stage:
            needed.add_before(draft, (draft.info.key,))
        whole += [*((step,) for step in needed.steps), tuple(stage)]
        if sum(map(len, whole)) > MOST_PARTS:
            raise UsageError("chain.too_many_before", most=MOST_PARTS)
    return tuple(whole)


@dataclass
class _Needed:
    """What the steps of one stage need, the first to be done first."""

    catalog: AbilityCatalog
    done: set[str]
    """Keys of what is done in earlier stages."""
    steps: list[StepDraft] = field(default_factory=list)

    def add_before(self, draft: StepDraft, trail: tuple[str, ...]) -> None:
        """`trail`: what led here, so that a circle is seen."""
        for key in draft.info.pre_actions if needs_others(draft.info) else ():
            if key in trail:
                raise _circle((*trail, key), self.catalog)
            there = any((step.info.key, step.text) == (key, draft.text) for step in self.steps)
            if key in self.done or there:
                continue
            step = StepDraft(_required(key, draft.info, self.catalog), draft.text, origin="dependency")
            self.add_before(step, (*trail, key))
            self.steps.append(step)
            if len(self.steps) > MOST_PARTS:
                raise UsageError("chain.too_many_before", most=MOST_PARTS)


def _required(key: str, needed_by: MetaActionInfo, catalog: AbilityCatalog) -> MetaActionInfo:
    info = catalog.get(key)
    if info is not None:
        return info
    near = sentence_of("step.or").join(f"`{each}`" for each in catalog.nearest(key))
    off = catalog.entry(key) is not None
    title = needed_by.spoken(spoken_language.get()).title
    told = sentence_of("chain.comes_after_off" if off else "chain.comes_after_none", title=title, key=key)
    meant = sentence_of("chain.meant", near=near) if near and not off else ""
    raise UsageError("common.told", text=told + meant)


def _circle(trail: tuple[str, ...], catalog: AbilityCatalog) -> UsageError:
    round_ = trail[trail.index(trail[-1]) :]
    infos = [catalog.get(key) for key in round_]
    names = [info.title if info is not None else key for info, key in zip(infos, round_, strict=True)]
    return UsageError("chain.circle", first=names[0], round=" ← ".join(names))
