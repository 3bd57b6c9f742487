"""ChainApprovals: the person's yes, no and otherwise to a whole chain. The yes is one bounded grant.

Contract: what is approved is what was shown, step by step; anything else is shown anew and asks again. The
decisions on all steps and the chain's own row are one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from partner_desktop.action.chain.chain_core import denial, gap_sentence
from partner_desktop.action.chain.chain_maker import ChainMaker, MadeChain, of_step, planned_request
from partner_desktop.action.chain.chain_shape import capital, named
from partner_desktop.action.confirmation_expiry import waiting_from
from partner_desktop.action.store import Also
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Chain, Stage, Step, StepInput
from partner_desktop.domain.evidence import Amended
from partner_desktop.domain.intervention import ChainEdit, StepEdit
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.permission.request import Outcome
from partner_desktop.runtime.exchanges import Exchange
from partner_desktop.storage.database import Connection

if TYPE_CHECKING:
    from partner_desktop.action.chain.runner import ChainRunner


class ChainApprovals(WorkPart):
    """Settles chains that wait. Call these inside the executor's `settling`."""

    def __init__(self, parts: WorkParts, maker: ChainMaker, chains: ChainRunner) -> None:
        super().__init__(parts)
        self._maker = maker
        self._chains = chains

    async def approve(self, record: ActionRecord, *, exchange: Exchange) -> ActionRecord:
        """Run a waiting chain as its card shows it.

        Raises:
            UsageError: It is not as shown any more; the card shows it anew.
        """
        made = await self._as_shown(record)
        approved = _approved(record)
        answered = self._answered(record, "allow")
        kept = self._store.replacing(approved, only_from=ActionStatus.WAITING)

        def also(db: Connection) -> None:
            answered(db)
            kept(db)

        decisions = await self._engine.approve_all(
            made.requests(record), reason=f"chain {record.id}", also=also
        )
        no = next((each for each in decisions if each.outcome is Outcome.DENY), None)
        if no is not None:
            return await self._deny(record, denial(record, no), no)
        started = await self._chains.start(approved, exchange=exchange)
        self._publisher.decided(decisions[0], started)
        return started

    async def reject(self, record: ActionRecord) -> ActionRecord:
        """Turn a waiting chain down."""
        chain = _chain(record)
        known = [(step, self._catalog.entry(step.key)) for step in chain.steps]
        requests = [
            planned_request(record, step, entry.info)
            for step, entry in known
            if entry is not None and entry.info is not None  # switched off or not: the no is written down
        ]
        decisions = await self._engine.reject_all(
            requests, reason=f"chain {record.id}", also=self._answered(record, "deny")
        )
        return await self._executor.turn_down(record, "", decision=decisions[0] if decisions else None)

    async def amend(self, record: ActionRecord, step_id: str, params: JsonObject) -> Amended:
        """Show a waiting chain with other arguments of one step; it asks again."""
        step = _chain(record).step(step_id)
        if step is None:
            return Amended(record, problem="That step is not there any more.")
        try:
            wanted = _chain(record).with_step(with_params(step, params))
            made = await self._fit(record, wanted)
        except UsageError as error:
            return Amended(record, problem=str(error))
        now = made.chain.step(step_id)
        assert now is not None
        before = step.params
        changed = tuple(name for name, value in now.params.items() if before.get(name) != value)
        if not changed:
            return Amended(record)
        return Amended(await self._show(made.shown_in(record)), changed)

    async def edit(self, record: ActionRecord, edit: ChainEdit) -> ActionRecord:
        """Show a waiting chain reordered, shortened, or with other arguments; it asks again.

        Raises:
            UsageError: It cannot be so; nothing changed.
        """
        chain = _chain(record)
        wanted = edited(chain, edit)
        made = await self._fit(record, wanted)
        if made.chain == chain:
            return record
        return await self._show(made.shown_in(record))

    async def change(self, record: ActionRecord, wanted: Chain) -> ActionRecord:
        """Show a waiting chain with other steps, new ones among them; it asks again.

        Raises:
            UsageError: It cannot be so; nothing changed.
        """
        made = await self._maker.make(self._maker.drafts(wanted), cwd=record.cwd, language=record.language)
        if made.gap is not None:
            raise UsageError(gap_sentence(made.chain, made.gap))
        return await self._show(made.shown_in(record))

    async def rename(self, record: ActionRecord, old_key: str, new_key: str) -> None:
        """An ability has another key now: an open question goes on with it, a card shows it anew."""
        source, info = str(self._catalog.original(new_key) or ""), self._catalog.require(new_key)
        chain = _chain(record)
        for step in chain.steps:
            if step.key == old_key:
                chain = chain.with_step(
                    replace(step, key=new_key, title=info.spoken(record.language).title, source_path=source)
                )
        record = replace(record, chain=chain)
        if record.status is ActionStatus.ASKING:
            if await self._store.replace(record, only_from=ActionStatus.ASKING):
                self._publisher.changed(record)
            return
        with suppress(UsageError):  # another step of it is gone, which the yes will say
            made = await self._maker.make(self._maker.drafts(chain), cwd=record.cwd, language=record.language)
            record = _marked(record, made)
        await self._show(record)

    async def _as_shown(self, record: ActionRecord) -> MadeChain:
        """The steps as they are now, where they are what the card shows.

        Raises:
            UsageError: They are not; the card shows them anew.
        """
        chain = _chain(record)
        gone = self._maker.gone(chain)
        if gone is not None:
            await self._show(replace(record, chain=chain.with_step(replace(gone.step, error=gone.why))))
            number = chain.number_of(gone.step.id)
            raise UsageError(
                f"{gone.sentence} To do the rest, take it out with Edit, or say “leave out step {number}”; "
                "or say no."
            )
        made = await self._maker.make(self._maker.drafts(chain), cwd=record.cwd, language=record.language)
        for step in chain.steps:
            problem = _difference(chain, step, made)
            if problem:
                await self._show(_marked(record, made))
                raise UsageError(problem)
        return made

    async def _show(self, record: ActionRecord) -> ActionRecord:
        """It asks from now on."""
        renewed = waiting_from(record, self._clock.now(), record.number)
        if not await self._store.replace(renewed, only_from=ActionStatus.WAITING):
            raise UsageError(sentence_of("card.settled", title=record.title))
        self._publisher.proposed(renewed)
        return renewed

    async def _fit(self, record: ActionRecord, wanted: Chain) -> MadeChain:
        """The chain that is wanted in place of the one on the card.

        Raises:
            UsageError: Something does not do; nothing changed.
        """
        shown = _chain(record)
        made = await self._maker.make(
            self._maker.drafts(wanted, shown=shown), cwd=record.cwd, language=record.language
        )
        if made.gap is not None:
            raise UsageError(gap_sentence(made.chain, made.gap))
        return made

    def _answered(self, record: ActionRecord, outcome: str) -> Also:
        """The chain's own row in the audit log."""
        count = len(_chain(record).steps)
        return lambda db: self._audit.settled(
            db, record.id, record.key, outcome=outcome, reason=f"{count} steps"
        )


def _chain(record: ActionRecord) -> Chain:
    return record.chain or Chain(())


def _approved(record: ActionRecord) -> ActionRecord:
    """With the yes to each of its steps."""
    chain = _chain(record)
    stages = tuple(
        Stage(tuple(replace(step, approved=True, error="") for step in stage.steps)) for stage in chain.stages
    )
    return replace(record, chain=replace(chain, stages=stages))


def _marked(record: ActionRecord, made: MadeChain) -> ActionRecord:
    """As it is now; the step that does not do any more says why."""
    shown, gap = made.shown_in(record), made.gap
    step = made.chain.step(gap.step.id) if gap is not None else None
    if gap is None or step is None:
        return shown
    return replace(shown, chain=made.chain.with_step(replace(step, error=gap_sentence(made.chain, gap))))


def _difference(chain: Chain, step: Step, made: MadeChain) -> str:
    """Why the card does not tell the truth about a step any more; empty: it does."""
    now, own, gap = made.chain.step(step.id), of_step(chain, step), made.gap
    if now is None or now.content_hash != step.content_hash:
        return sentence_of("card.edited", title=own)
    if gap is not None and gap.step.id == step.id:
        return gap_sentence(chain, gap)
    shown = (step.isolation, step.paths, step.params, step.feeds)
    moved = not all(was.is_still(use) for was, use in zip(step.paths, now.paths, strict=False))
    if moved or shown != (now.isolation, now.paths, now.params, now.feeds):
        return sentence_of("card.moved", title=f"{own[:1].lower()}{own[1:]}")
    return ""


def edited(chain: Chain, edit: ChainEdit) -> Chain:
    """The chain as it is wanted; whether its arguments do is not looked at here.

    Raises:
        UsageError: It cannot be so.
    """
    left = {step.id: step for step in chain.steps}
    stages = [Stage(tuple(_taken(wish, left, chain) for wish in stage)) for stage in edit.stages]
    wanted = Chain(tuple(stage for stage in stages if stage.steps))
    if not wanted.steps:
        raise UsageError("Nothing would be left of it. Say no if none of it is to be done.")
    _check_feeds(wanted, chain)
    return wanted


def with_params(step: Step, params: JsonObject) -> Step:
    """A step with other arguments; what is given by hand is not waited for from another step any more."""
    given = {name: value for name, value in params.items() if not _is_placeholder(value)}
    feeds = tuple(feed for feed in step.feeds if given.get(feed.param) in (None, ""))
    kept = {feed.param for feed in feeds}
    params = {name: value for name, value in given.items() if name not in kept}
    return replace(step, params=params, feeds=feeds)


def _is_placeholder(value: Json) -> bool:
    """What stands for a value that another step brings."""
    return isinstance(value, dict) and [*value] == ["$from"]


def _taken(wish: StepEdit, left: dict[str, Step], chain: Chain) -> Step:
    step = left.pop(wish.id, None)
    if step is not None:
        return step if wish.params is None else with_params(step, wish.params)
    twice = chain.step(wish.id)
    if twice is None:
        raise UsageError("One of these steps does not belong to it. Look at the card again.")
    raise UsageError(f"{capital(_name(chain, twice))} can stand in it only once.")


def _check_feeds(wanted: Chain, chain: Chain) -> None:
    """What a step brings is there before another needs it."""
    earlier: Mapping[str, Step] = {}
    for stage in wanted.stages:
        for step in stage.steps:
            for feed in step.feeds:
                if feed.step not in earlier:
                    raise UsageError(_lost(step, feed, wanted, chain))
        earlier = {**earlier, **{step.id: step for step in stage.steps}}


def _lost(step: Step, feed: StepInput, wanted: Chain, chain: Chain) -> str:
    source = chain.step(feed.step)
    needs = f"{capital(_name(chain, step))} needs `{feed.param}` from"
    if source is None:
        return f"{needs} a step that is not there. Give it a value."
    found = f"{needs} {_name(chain, source)}"
    if wanted.step(feed.step) is None:
        return f"{found} which would be gone. Leave that one in, or give `{feed.param}` a value."
    return f"{found} which must come before it. Give `{feed.param}` a value to have it otherwise."


def _name(chain: Chain, step: Step) -> str:
    return named(chain.number_of(step.id), step.title)
