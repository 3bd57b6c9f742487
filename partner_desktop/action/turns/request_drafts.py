"""RequestDrafter: from words that ask for several things to the stages of a chain, with arguments.

It asks the mind and begins nothing. What cannot be a step is not dropped without a word: it is handed back
as what no ability does, with the nearest, or as the failure that it was.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.feeds.input_sources import fed
from partner_desktop.action.feeds.step_paths import noun_of_name
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.action.turns.dependencies import MOST_PARTS, Stages, preceded
from partner_desktop.base.errors import ActionError, PartnerError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.base.text import cut
from partner_desktop.domain.evidence import NoAbility
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.anaphora import alike, is_destination, nouns, points_back, words_of
from partner_desktop.language.arguments.fit import joined_paths, one_by_one
from partner_desktop.language.clauses import MOST_TEXT
from partner_desktop.language.spoken_words import ResolvedText
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.parameter_finder import ParameterFinder, accounted
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractedParams,
    ExtractIntents,
    ExtractParams,
    Intents,
    Mind,
)

#: Characters of a part that is named in a sentence.
_NAMED = 120
#: A part of fewer words than these says no more than what is done: `zip`, `back up`.
_WORDS_OF_A_PART = 3


@dataclass(frozen=True)
class Meant:
    """What one part of a request asks for."""

    text: str
    info: MetaActionInfo | None = None
    unfit: NoAbility | None = None
    """Why it is no step."""
    failure: PartnerError | None = None
    """Nobody could tell what it asks for."""


@dataclass(frozen=True)
class Understood:
    """The parts of a request, stage by stage."""

    stages: tuple[tuple[Meant, ...], ...] = ()

    @property
    def parts(self) -> tuple[Meant, ...]:
        return tuple(part for stage in self.stages for part in stage)

    @property
    def chosen(self) -> tuple[Meant, ...]:
        """The parts that are steps."""
        return tuple(part for part in self.parts if part.info is not None)

    @property
    def left_out(self) -> tuple[NoAbility, ...]:
        """What is told of the parts that are none."""
        return tuple(part.unfit for part in self.parts if part.unfit is not None)

    @property
    def failure(self) -> PartnerError | None:
        """The first that nobody could look at."""
        return next((part.failure for part in self.parts if part.failure is not None), None)

    def drafts(self) -> list[list[StepDraft]]:
        """A draft for each part that is a step, not yet with arguments."""
        stages = [
            [StepDraft(part.info, part.text) for part in stage if part.info is not None]
            for stage in self.stages
        ]
        return [stage for stage in stages if stage]


class RequestDrafter:
    """A part of the planner. `turn`: which turn asks."""

    def __init__(self, mind: Mind, catalog: AbilityCatalog) -> None:
        self._mind = mind
        self._finder = ParameterFinder(mind.ask)
        self._catalog = catalog

    async def parts(self, said: ResolvedText, turn: TurnRef) -> Understood | None:
        """What each part of what was said asks for; `None` when it is one request.

        Raises:
            UsageError: It is more than is done in one go.
        """
        request = ExtractIntents(said.text, self._catalog.usable(), resolved=said, turn=turn)
        intents = in_bounds(await self._mind.ask(request))
        return await self._evaluated(intents, turn) if intents.compound else None

    async def _evaluated(self, intents: Intents, turn: TurnRef) -> Understood:
        async with asyncio.TaskGroup() as together:
            tasks = [
                [together.create_task(self._meant(part, turn), name="part of a request") for part in stage]
                for stage in intents.stages
            ]
        return Understood(tuple(tuple(task.result() for task in stage) for stage in tasks))

    async def _meant(self, text: str, turn: TurnRef) -> Meant:
        if len(text) > MOST_TEXT:  # no part of a request is longer than all of it
            return Meant(text, unfit=NoAbility((), near=False, text=cut(text, _NAMED), left_out=True))
        try:
            request = EvaluateIntent(text, self._catalog.usable(), turn=turn)
            evaluation = await self._mind.ask(request)
        except PartnerError as error:
            return Meant(text, failure=_failure(text, error))
        info = evaluation.step
        if info is None:
            return Meant(text, unfit=replace(evaluation.none_fits(text), left_out=True))
        if self._catalog.get(info.key) is None:
            return Meant(text, unfit=self._not_there(info.key, text))
        return Meant(text, info)

    def _not_there(self, key: str, text: str) -> NoAbility:
        found = (self._catalog.get(near) for near in self._catalog.nearest(key))
        nearest = tuple(info for info in found if info is not None)
        return NoAbility(nearest, near=bool(nearest), text=text, left_out=True)

    async def stages(
        self, drafts: Sequence[Sequence[StepDraft]], said: ResolvedText, turn: TurnRef
    ) -> Stages:
        """The drafts with what must come before them, and with the arguments that the words give.

        `said` is all that was said: what a part does not say, it may.

        Raises:
            UsageError: What must come before one cannot be done.
        """
        whole = preceded(
            [wide for stage in drafts for wide in await self._spread(stage, said, turn)], self._catalog
        )
        steps = [draft for stage in whole for draft in stage]
        backward = {draft.id for draft in steps if len(steps) > 1 and points_back(draft.text)}
        async with asyncio.TaskGroup() as together:
            tasks = [
                together.create_task(
                    self._found(draft.text, draft, said, turn, careful=draft.id in backward),
                    name="arguments of a step",
                )
                for draft in steps
            ]
        found = {draft.id: task.result() for draft, task in zip(steps, tasks, strict=True)}
        written = {value for draft in steps for value in _written(draft.info, found[draft.id].values)}
        done: list[tuple[StepDraft, ...]] = []
        ran: set[str] = set()
        for stage in whole:
            earlier = [draft for before in done for draft in before]
            filled = []
            for each in stage:
                later = [step for step in _spoken_before(each, steps, said) if step not in stage]
                told = [replace(step, params=found[step.id].values) for step in later if step.id not in ran]
                so_far = _so_far(each, said)
                draft = await self._with_params(each, found[each.id], earlier, told, so_far, turn, written)
                filled.append(_made_once(await asyncio.to_thread(_accounted, draft, said), earlier))
            ran |= {each.id for each in stage}
            spread = [for_each(each, found[each.id].values, earlier) for each in filled]
            # What is done for several paths is done one after the other, as where they are named.
            done += [(each,) for each in spread[0]] if len(spread) == 1 else [sum(spread, ())]
        return _brought_there(done)

    async def _spread(
        self, stage: Sequence[StepDraft], said: ResolvedText, turn: TurnRef
    ) -> list[list[StepDraft]]:
        """A step that is wanted for several paths, one after the other; other stages as they are."""
        if len(stage) != 1 or not joined_paths(stage[0].text):
            return [[*stage]]
        draft = stage[0]
        found = await self._found(draft.text, draft, said, turn)
        texts = one_by_one(draft.text, draft.info, found.values)
        return (
            [[StepDraft(draft.info, text, origin=draft.origin)] for text in texts]
            if len(texts) > 1
            else [[draft]]
        )

    async def _with_params(
        self,
        draft: StepDraft,
        own: ExtractedParams,
        earlier: Sequence[StepDraft],
        said_before: Sequence[StepDraft],
        said: ResolvedText,
        turn: TurnRef,
        written: Collection[str],
    ) -> StepDraft:
        """`said`: what may be borrowed from; `written`: what other steps make, which is no input of any."""
        draft = replace(draft, params=own.values)
        draft = await asyncio.to_thread(fed, draft, own.missing, earlier, said_before=said_before)
        lacking = _path_gaps(draft)
        if lacking and points_back(draft.text):  # what `it` is not, other words of its own may say
            read = (await self._found(draft.text, draft, said, turn)).values
            more = {name: value for name, value in read.items() if name in lacking}
            draft = replace(draft, params={**draft.params, **more})
        gaps = {name for name in _path_gaps(draft) if not _is_place(draft.info, name)}
        if not gaps or " ".join(said.text.split()) == " ".join(draft.text.split()):
            return draft
        whole = await self._found(said.text, draft, said, turn, careful=True)
        more = {
            name: value
            for name, value in whole.values.items()
            if name in gaps and value not in written and _is_wanted(draft.info, name, value)
        }
        return replace(draft, params={**draft.params, **more})

    async def _found(
        self, text: str, draft: StepDraft, said: ResolvedText, turn: TurnRef, *, careful: bool = False
    ) -> ExtractedParams:
        """What nobody could look for is asked for later, as what nobody said."""
        request = ExtractParams(text, draft.info, known=draft.params, resolved=said, turn=turn)
        try:
            return await self._finder.find(request, careful=careful)
        except PartnerError:
            missing = tuple(name for name in draft.info.required() if name not in draft.params)
            return ExtractedParams(dict(draft.params), missing)


def in_bounds(intents: Intents) -> Intents:
    """Without parts that are empty or say the same again, and without stages that nothing is left of.

    Raises:
        UsageError: It is more than is done in one go.
    """
    seen: set[str] = set()
    stages: list[tuple[str, ...]] = []
    for stage in intents.stages:
        new = {" ".join(part.split()).casefold(): part.strip() for part in stage if part.strip()}
        kept = tuple(part for said, part in new.items() if said not in seen)
        seen.update(new)
        if kept:
            stages.append(kept)
    if len(seen) > MOST_PARTS:
        raise UsageError("chain.too_many", count=f"{len(seen):,}", most=MOST_PARTS)
    return Intents(tuple(stages))


def _accounted(draft: StepDraft, said: ResolvedText) -> StepDraft:
    """With what was said kept to by what others brought, too."""
    request = ExtractParams(draft.text, draft.info, resolved=said)
    found = accounted(ExtractedParams({**draft.params}, ()), request)
    return replace(draft, params=found.values, leftovers=found.leftovers)


def _made_once(draft: StepDraft, earlier: Sequence[StepDraft]) -> StepDraft:
    """Without the name of a new thing that a step before makes: its own is asked for."""
    made = {value for step in earlier for value in _written(step.info, step.params)}
    new = [name for name, schema in draft.info.properties().items() if schema.get("x-partner-new")]
    kept = {name: value for name, value in draft.params.items() if name not in new or value not in made}
    return replace(draft, params=kept)


def _brought_there(stages: Sequence[tuple[StepDraft, ...]]) -> Stages:
    """The stages without a step that only moves what the one before makes: that makes it there."""
    found: list[tuple[StepDraft, ...]] = []
    made_by: dict[str, str] = {}
    for each in stages:
        stage = tuple(_fed_by(draft, made_by) for draft in each)
        maker = found[-1][0] if found and len(found[-1]) == len(stage) == 1 else None
        place = _only_place(stage[0], maker) if maker is not None else ""
        names = [name for name in maker.info.properties() if _is_free_place(maker, name)] if maker else []
        if maker is not None and place and len(names) == 1:
            text = f"{maker.text}, {stage[0].text}"
            found[-1] = (replace(maker, text=text, params={**maker.params, names[0]: place}),)
            made_by[stage[0].id] = maker.id
        else:
            found.append(stage)
    return tuple(found)


def _fed_by(draft: StepDraft, made_by: Mapping[str, str]) -> StepDraft:
    feeds = tuple(replace(feed, step=made_by.get(feed.step, feed.step)) for feed in draft.feeds)
    return replace(draft, feeds=feeds)


def _only_place(mover: StepDraft, maker: StepDraft) -> str:
    """Where a step moves the thing that another makes, where it says nothing else."""
    [(name, place), *others] = mover.params.items() or [("", "")]
    into = mover.info.properties().get(name, {}).get("x-partner-into")
    moves = bool(mover.info.annotations.destructive) and [each.param for each in mover.feeds] == [into]
    fed = moves and mover.feeds[0].step == maker.id
    return place if fed and not others and isinstance(place, str) and not PurePath(place).suffix else ""


def _is_free_place(maker: StepDraft, name: str) -> bool:
    """Whether what is made goes there, and nobody said where."""
    return _is_place(maker.info, name) and name not in {*maker.info.required(), *maker.params}


def _failure(text: str, error: PartnerError) -> PartnerError:
    return ActionError("chain.left_out", text=cut(text, _NAMED), error=error)


def _path_gaps(draft: StepDraft) -> set[str]:
    """Required paths that neither the words of the step nor another step give."""
    given = {*draft.params, *(feed.param for feed in draft.feeds)}
    return {
        name
        for name, schema in draft.info.properties().items()
        if schema.get("format") == "path" and name in draft.info.required() and name not in given
    }


def _is_place(info: MetaActionInfo, name: str) -> bool:
    """Whether it is where something is put: what is named elsewhere in the request is no such place."""
    return is_destination(name, info.properties()[name])


def _written(info: MetaActionInfo, values: JsonObject) -> Iterator[str]:
    """The paths that a step makes."""
    for name, schema in info.properties().items():
        value = values.get(name)
        if isinstance(value, str) and schema.get("access") == "write" and not schema.get("x-partner-there"):
            yield value


def _so_far(draft: StepDraft, said: ResolvedText) -> ResolvedText:
    """What was said up to the end of a step's own words; all of it, where these only say what is done."""
    end = said.text.find(draft.text) + len(draft.text)
    alone = len(draft.text.split()) < _WORDS_OF_A_PART and not has_cjk(draft.text)
    return said if alone or end < len(draft.text) else replace(said, text=said.text[:end])


def _spoken_before(draft: StepDraft, steps: Sequence[StepDraft], said: ResolvedText) -> Sequence[StepDraft]:
    """The steps whose words stand before a step's own."""
    start = said.text.find(draft.text)
    return [step for step in steps if 0 <= said.text.find(step.text) < start]


def _is_wanted(info: MetaActionInfo, name: str, value: Json) -> bool:
    """Whether a path is of the kind that its parameter wants."""
    wants = nouns(words_of(name, info.properties()[name]))
    return isinstance(value, str) and alike(wants, noun_of_name(value))


_SEVERAL = late(
    r"\b(?:them|both|these|those|each|(?:the|all) (?:\w+ )?(?:folders|directories|files|documents))\b"
    r"|它们|两个|俩|都|这些|那些|分别|各自",
    re.IGNORECASE,
)


def for_each(draft: StepDraft, said: JsonObject, earlier: Sequence[StepDraft]) -> tuple[StepDraft, ...]:
    """The draft once for each path that it points back to; `said` is what its own words gave.

    An argument that takes a list takes them all at once.
    """
    if not _SEVERAL.search(draft.text):
        return (draft,)
    for name, value in draft.params.items():
        one = value[0] if isinstance(value, list) and len(value) == 1 else value
        if not isinstance(one, str) or said.get(name) == value:
            continue
        values = _group(one, earlier)
        if len(values) > 1 and isinstance(value, list):
            return (replace(draft, params={**draft.params, name: [*values]}),)
        if len(values) > 1 and name in draft.info.path_params():
            first, *others = (replace(draft, params={**draft.params, name: each}) for each in values)
            return (first, *(replace(other, id=new_id()) for other in others))
    return (draft,)


def _group(value: str, earlier: Sequence[StepDraft]) -> list[str]:
    """The paths of the steps of one ability, one after the other, that end with that of this path."""
    for at in range(len(earlier) - 1, -1, -1):
        last = earlier[at]
        param = next((name for name in last.info.path_params() if last.params.get(name) == value), "")
        if not param:
            continue
        values: list[str] = []
        for step in reversed(earlier[: at + 1]):
            path = step.params.get(param)
            if step.info.key != last.info.key or not isinstance(path, str) or path in values:
                break
            values.insert(0, path)
        return values
    return []
