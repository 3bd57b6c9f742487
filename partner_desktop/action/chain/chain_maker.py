"""ChainMaker: all steps of a chain as things are now, with what keeps them from being proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.chain.chain_shape import capital, named
from partner_desktop.action.chain.step_maker import MadeStep, StepDraft, StepMaker, as_action, planned_params
from partner_desktop.action.facts import request_for
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.spoken import sentence_of
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Stage, Step
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.run_facts import Risk
from partner_desktop.permission.request import PermissionRequest

_RISKS = (Risk.READ, Risk.WRITE, Risk.SYSTEM)


@dataclass(frozen=True)
class Gap:
    """What a step lacks."""

    step: Step
    """Without the value that does not do."""
    param: str
    """Empty: it is about all of its arguments."""
    problem: str = ""
    """Why its value does not do; empty: there is none."""


@dataclass(frozen=True)
class Gone:
    """A step that cannot run any more."""

    step: Step
    why: str
    sentence: str
    """The same, naming the step."""


@dataclass(frozen=True)
class MadeChain:
    """Steps as made now; nothing is kept yet."""

    stages: tuple[tuple[MadeStep, ...], ...]
    infos: Mapping[str, MetaActionInfo]
    """Step id → its ability."""

    @property
    def chain(self) -> Chain:
        """Not begun, and not approved."""
        return Chain(tuple(Stage(tuple(made.step for made in stage)) for stage in self.stages))

    @property
    def gap(self) -> Gap | None:
        """The first that is to be asked for, in the order of the steps."""
        return next(filter(None, (_gap(made, self.infos) for stage in self.stages for made in stage)), None)

    @property
    def once(self) -> bool:
        """Whether it makes no sense to do all of it again."""
        return any(info.once for info in self.infos.values())

    def shown_in(self, record: ActionRecord) -> ActionRecord:
        """The record with these steps, and what follows of them for its head."""
        chain = self.chain
        risk = max((step.risk for step in chain.steps), key=_RISKS.index, default=Risk.READ)
        title = chain_title(chain.stages)
        return replace(record, chain=chain, title=title, risk=risk, once=self.once, asked_param="")

    def requests(self, record: ActionRecord) -> list[PermissionRequest]:
        """What the permission engine is asked about each step, in their order."""
        return [planned_request(record, step, self.infos[step.id]) for step in self.chain.steps]


class ChainMaker:
    """Looks things up; nothing runs and nothing is kept."""

    def __init__(self, catalog: AbilityCatalog, maker: StepMaker) -> None:
        self._catalog = catalog
        self._maker = maker

    def gone(self, chain: Chain, *, shown: Chain | None = None) -> Gone | None:
        """The first step whose ability cannot be called any more; its number is that of the chain `shown`."""
        for step in chain.steps:
            try:
                self._catalog.require(step.key)
            except UsageError as error:
                return Gone(step, str(error), f"{of_step(shown or chain, step)} cannot run: {error}")
        return None

    def drafts(self, chain: Chain, *, shown: Chain | None = None) -> list[list[StepDraft]]:
        """The steps of a chain, to be made anew of their abilities as these are now.

        What keeps one from it is said with its number in the chain `shown`.

        Raises:
            UsageError: One of them cannot be called any more.
        """
        gone = self.gone(chain, shown=shown)
        if gone is not None:
            raise UsageError(gone.sentence)
        return [
            [draft_of_step(step, self._catalog.require(step.key)) for step in stage.steps]
            for stage in chain.stages
        ]

    async def anew(self, chain: Chain) -> list[list[StepDraft]]:
        """The steps as they were asked for, to be done once more: without those that were to mend others.

        Raises:
            UsageError: One of their abilities is gone, or nothing of it was ever asked for.
        """
        asked = [[step for step in stage.steps if step.origin != "mind"] for stage in chain.stages]
        ids = {step.id: new_id() for stage in asked for step in stage}
        if not ids:
            raise UsageError("Nothing of it can be done again: say anew what you want.")
        return [[await self._anew(step, ids) for step in stage] for stage in asked if stage]

    async def _anew(self, step: Step, ids: Mapping[str, str]) -> StepDraft:
        info = self._catalog.require(await self._catalog.successor(step.key))
        feeds = tuple(replace(feed, step=ids[feed.step]) for feed in step.feeds if feed.step in ids)
        return draft_of_step(replace(step, id=ids[step.id], feeds=feeds, mends=""), info)

    async def make(self, stages: Sequence[Sequence[StepDraft]], *, cwd: str, language: str) -> MadeChain:
        """The chain that these drafts are, told in `language`.

        Raises:
            UsageError: One of their abilities cannot be called any more.
        """
        while True:
            now = [[_as_now(draft, self._catalog.require(draft.info.key)) for draft in one] for one in stages]
            made: list[tuple[MadeStep, ...]] = []
            coming: set[Path] = set()
            for one in now:
                steps = [
                    await self._maker.make(draft, cwd=cwd, language=language, coming=coming) for draft in one
                ]
                made.append(tuple(steps))
                coming |= {path for each in steps for path in _written(each.step)}
            infos = {draft.id: draft.info for one in now for draft in one}
            # Edited while its arguments were looked at: once more.
            if all(self._catalog.get(info.key) == info for info in infos.values()):
                return MadeChain(tuple(made), infos)


def _written(step: Step) -> Iterator[Path]:
    """What will be there once a step has run."""
    properties = step.schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for use in step.paths:
        schema = known.get(use.param)
        if use.access == "write" and isinstance(schema, dict) and not schema.get("x-partner-there"):
            yield Path(use.path)


def chain_title(stages: Sequence[Stage]) -> str:
    """`A → B`, of many steps the first and how many more."""
    return step_title([step.title for stage in stages for step in stage.steps])


def step_title(titles: Sequence[str]) -> str:
    """The same of the titles of its steps."""
    if len(titles) > 3:
        return sentence_of("chain.title", first=titles[0], count=len(titles) - 1)
    return " → ".join(titles)


def of_step(chain: Chain, step: Step) -> str:
    """A step at the beginning of a sentence about it."""
    return capital(named(chain.number_of(step.id), step.title))


def draft_of_step(step: Step, info: MetaActionInfo) -> StepDraft:
    """What a step wants of its ability as it is now; what an edit took away is left out."""
    known = info.properties()
    params: JsonObject = {name: value for name, value in step.params.items() if name in known}
    feeds = tuple(feed for feed in step.feeds if feed.param in known)
    return StepDraft(info, step.text, params, feeds, step.origin, step.mends, step.id)


def planned_request(record: ActionRecord, step: Step, info: MetaActionInfo) -> PermissionRequest:
    """What the permission engine is asked about a step that is planned."""
    return request_for(replace(as_action(record, step), params=planned_params(step)), info)


def _as_now(draft: StepDraft, info: MetaActionInfo) -> StepDraft:
    """With its ability as it is now; what an edit took away is left out."""
    gone = draft.info.properties().keys() - info.properties().keys()
    params: JsonObject = {name: value for name, value in draft.params.items() if name not in gone}
    feeds = tuple(feed for feed in draft.feeds if feed.param not in gone)
    return replace(draft, info=info, params=params, feeds=feeds)


def _gap(made: MadeStep, infos: Mapping[str, MetaActionInfo]) -> Gap | None:
    declared = [name for name in infos[made.step.id].properties() if name in made.problems]
    unfit = declared or [*made.problems]
    if not unfit and not made.missing:
        return None
    param = unfit[0] if unfit else made.missing[0]
    kept = {name: value for name, value in made.step.params.items() if name not in made.problems}
    return Gap(replace(made.step, params=kept), param, made.problems.get(param, ""))
