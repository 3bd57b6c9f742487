"""StepInputs: the arguments of a step just before its call, of what was approved, brought and still said.

Contract: what is known stays as it is. A mind is asked only for what is required and still missing; it never
replaces an argument that a card showed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.feeds.input_sources import value_from
from partner_desktop.action.feeds.output_access import StepOutputAccess
from partner_desktop.action.feeds.step_paths import left_in
from partner_desktop.action.plans.plan_draft import SavedPart, StepDraft
from partner_desktop.action.plans.step_maker import MadeStep, StepMaker
from partner_desktop.action.runs.live_plan import LivePlan
from partner_desktop.action.runs.step_outcomes import bringer_of, brought
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step, StepInput
from partner_desktop.language.anaphora import wanted_kind
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import ExtractParams, Mind

#: Files that a question names.
_MOST_NAMED = 8


@dataclass(frozen=True)
class Ready:
    """A step with its arguments as they are now."""

    made: MadeStep
    guessed: bool = False
    """A mind found something of it that no card showed and no step brought."""

    @property
    def lacks(self) -> str:
        """The parameter that the person is to be asked for; empty: none, or it is about all of them."""
        unfit = [name for name in self.made.problems if name]
        return next(iter([*unfit, *self.made.missing]), "")

    @property
    def unfit(self) -> str:
        """What is wrong with all of it."""
        return self.made.problems.get("", "")

    @property
    def gap(self) -> str:
        """The same where nobody can be asked, in a sentence."""
        problem = self.made.problems.get(self.lacks, "")
        return sentence_of("param.unfit" if problem else "param.missing", param=self.lacks, problem=problem)

    @property
    def fits(self) -> bool:
        return not self.made.problems and not self.made.missing


class FeedLostError(PartnerError):
    """The step that was to bring an argument did not come to its end."""

    def __init__(self, step: Step) -> None:
        super().__init__("chain.lost", title=step.title)
        self.step = step


@dataclass(frozen=True)
class _Brings:
    """What earlier steps bring to one."""

    values: JsonObject = field(default_factory=dict)
    unclear: dict[str, str] = field(default_factory=dict)
    """Parameters for which too much was brought: a sentence each."""


class StepInputs:
    """Looks at results, disk and catalog; asks the mind; nothing runs."""

    def __init__(
        self, catalog: AbilityCatalog, maker: StepMaker, output_access: StepOutputAccess, mind: Mind
    ) -> None:
        self._catalog = catalog
        self._finder = ParameterFinder(mind.ask)
        self._maker = maker
        self._output_access = output_access

    async def of(self, live: LivePlan, step: Step) -> Ready:
        """The step as it can be called now.

        Raises:
            FeedLostError: What it needs was not brought.
            UsageError: Its ability cannot be called any more.
        """
        info = self._catalog.require(step.key)
        brings = await self._fed(live, step, info)
        params = {**step.params, **brings.values}
        ready = await self._made(live, step, info, params, brings)
        if ready.lacks:
            found = await self._found(live, step, ready, brings)
            ready = replace(await self._made(live, step, info, found, brings), guessed=found != params)
        return ready

    async def _made(
        self, live: LivePlan, step: Step, info: MetaActionInfo, params: JsonObject, brings: _Brings
    ) -> Ready:
        known = info.properties()
        given: JsonObject = {name: value for name, value in params.items() if name in known}
        saved = SavedPart.of(step)
        draft = StepDraft(info, step.text, given, (), step.reason, step.origin, step.mends, step.id, saved)
        beside = self._output_access.places_of(live.chain, step.id)
        made = await self._maker.make(
            draft, cwd=live.record.cwd, language=live.record.language, beside=beside
        )
        unclear = {name: why for name, why in brings.unclear.items() if name not in made.step.params}
        return Ready(replace(made, problems={**unclear, **made.problems}))

    async def _fed(self, live: LivePlan, step: Step, info: MetaActionInfo) -> _Brings:
        found = _Brings()
        for feed in step.feeds:
            source = _source(live.chain, feed)
            if source is None:
                continue
            schema = info.properties().get(feed.param, {})
            child, words = live.children[source.id], f"{step.text} {info.title} {info.description}"
            workspace = self._output_access.workspace(child.id)
            values = await asyncio.to_thread(
                value_from, schema, child, output=feed.output, workspace=workspace, words=words
            )
            if values:
                found.values[feed.param] = values[0]
            elif wanted_kind("", schema) == "path":
                left = await asyncio.to_thread(left_in, schema, child, workspace, words=words)
                if len(left) > 1:
                    found.unclear[feed.param] = _which(
                        child, [str(one.relative_to(workspace)) for one in left]
                    )
        return found

    async def _found(self, live: LivePlan, step: Step, ready: Ready, brings: _Brings) -> JsonObject:
        """What is known, and what the words and the results before say of the rest."""
        bad = ready.made.problems
        known: JsonObject = {name: value for name, value in ready.made.step.params.items() if name not in bad}
        request = ExtractParams(
            "\n".join(_told(live, step)),
            ready.made.info,
            known=known,
            problems={name: why for name, why in bad.items() if name},
            turn=TurnRef(live.record.conversation_id, live.id),
        )
        try:
            found = await self._finder.find(request)
        except PartnerError:
            return known  # the person is asked instead
        # A result that tells of several files names all of them: which one is meant is not in there.
        wanted = {*ready.made.missing, *bad} - set(brings.unclear)
        return {**{name: value for name, value in found.values.items() if name in wanted}, **known}


def _which(child: ActionRecord, names: Sequence[str]) -> str:
    """What makes a question of several files."""
    shown, more = sentence_of("step.comma").join(names[:_MOST_NAMED]), len(names) - _MOST_NAMED
    if more > 0:
        return sentence_of("plans.many_files", title=child.title, names=shown, count=more)
    return sentence_of("plans.several_files", title=child.title, names=shown)


def asked(ready: Ready) -> Step:
    """The step as its question shows it: without what does not do."""
    kept = {name: v for name, v in ready.made.step.params.items() if name not in ready.made.problems}
    return replace(ready.made.step, params=kept)


def _source(chain: Plan, feed: StepInput) -> Step | None:
    """The step that brings it, or the one that made it good; `None`: it is not there any more."""
    step, source = chain.step(feed.step), bringer_of(chain, feed)
    if step is not None and source is None:
        raise FeedLostError(step)
    return source


def _told(live: LivePlan, step: Step) -> Iterable[str]:
    """The step's words, and what came before it."""
    yield step.text or live.record.request_text
    for child in live.ran():
        text = brought(child).strip() if child.id != step.id else ""
        if text:
            yield f"{child.title}: {text}"
