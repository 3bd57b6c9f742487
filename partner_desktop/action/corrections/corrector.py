"""Corrector: asks a mind how a chain that went wrong is to go on, and checks what it says.

Contract: a mind that fails is no failure of the chain: nothing is changed then, and the person is told once.
Nothing is applied here; `changing` says what of it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.runs.step_outcomes import broken
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.messages import sentence_of, sentences_joined
from partner_desktop.base.tasks import Deferred
from partner_desktop.base.text import cut
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.intervention import Intervention
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.question import CorrectChain, JudgeChain, Mind, PlanVerdict
from partner_desktop.runtime.channel import ChannelRegistry

if TYPE_CHECKING:
    from partner_desktop.mind.starter.matcher import AbilityMatcher

#: Changes that are looked at of one answer.
_MOST_CHANGES = 20
_LONGEST_KEY = 60
#: Abilities that a mind is shown to choose from, beside those of the plan.
_NEAREST = 12


class Corrector:
    """Names that nothing has are answered with the nearest ones once, then dropped; see `mind.question`."""

    def __init__(
        self,
        catalog: AbilityCatalog,
        channels: ChannelRegistry,
        mind: Mind,
        *,
        most_steps: Callable[[], int],
    ) -> None:
        self._catalog = catalog
        self._channels = channels
        self._mind = mind
        self._most_steps = most_steps
        self._nearby = CandidateAbilities(catalog)

    async def correct(
        self, action: ActionRecord, steps: Sequence[ActionRecord], problem: str
    ) -> tuple[Intervention, ...]:
        """Interventions whose abilities exist; nothing where the mind knows no way."""
        near = await self._nearby.to(f"{action.request_text}\n{problem}", [action])
        request = CorrectChain(action, steps, problem, near, turn=_turn(action))
        try:
            wishes = await self._mind.ask(request)
            unknown = self._unknown(wishes)
            if unknown:
                told = sentences_joined(filter(None, [problem, self.answer_to(unknown)]))
                wishes = await self._mind.ask(replace(request, problem=told))
        except PartnerError as error:
            self.tell(action, sentence_of("plans.no_correction", error=error))
            return ()
        return self._usable(action, wishes)

    async def judge(self, action: ActionRecord, steps: Sequence[ActionRecord], *, final: bool) -> PlanVerdict:
        """Whether it is on its way (`final`: done). Where the mind fails, the outcomes speak."""
        try:
            return await self._mind.ask(JudgeChain(action, steps, final=final, turn=_turn(action)))
        except PartnerError as error:
            ok = not unmended(action, steps) and not _never_ran(action, steps)
            return PlanVerdict(ok, sentence_of("plans.unchecked", error=error))

    def answer_to(self, unknown: Sequence[str]) -> str:
        """What a mind is told that named what nothing has."""
        comma = sentence_of("step.comma")
        named = comma.join(f"`{cut(key, _LONGEST_KEY)}`" for key in unknown[:_MOST_CHANGES])
        near = dict.fromkeys(key for name in unknown[:_MOST_CHANGES] for key in self._catalog.nearest(name))
        what = sentence_of("plans.no_ability", keys=named)
        return sentence_of("plans.nearest", error=what, near=comma.join(near)) if near else what

    def _unknown(self, wishes: Sequence[Intervention]) -> tuple[str, ...]:
        """Keys that cannot be called, each once."""
        keys = (step.key for wish in wishes[:_MOST_CHANGES] for step in wish.steps)
        return tuple(dict.fromkeys(key for key in keys if self._catalog.get(key) is None))

    def _usable(self, action: ActionRecord, wishes: Sequence[Intervention]) -> tuple[Intervention, ...]:
        """What of an answer can be looked at further; a change that lacks a part of itself is dropped."""
        if len(wishes) > _MOST_CHANGES:
            self.tell(action, sentence_of("plans.correction_too_long", count=len(wishes)))
            return ()
        why = {index: told for index, wish in enumerate(wishes) if (told := self._flaw(wish))}
        if why:
            told = sentences_joined(dict.fromkeys(why.values()))
            partly = len(why) < len(wishes)
            dropped = "plans.part_dropped" if partly else "plans.correction_dropped"
            self.tell(action, sentence_of(dropped, why=told))
        return tuple(wish for index, wish in enumerate(wishes) if index not in why)

    def _flaw(self, wish: Intervention) -> str:
        """Why nothing can come of a change; empty: it can be looked at."""
        room, unknown = self._most_steps(), self._unknown([wish])
        if len(wish.steps) > room:
            return sentence_of("plans.more_steps", count=len(wish.steps), most=room)
        return self.answer_to(unknown) if unknown else ""

    def tell(self, action: ActionRecord, sentence: str) -> None:
        """Say what came of a correction where nothing else does."""
        self._channels.publish(
            NoticeEvent(
                conversation_id=action.conversation_id,
                exchange_id=action.exchange_id,
                title=action.title,
                text=sentence,
                about=f"correction:{action.id}",
            )
        )


class CandidateAbilities:
    """By words alone: what is asked is asked often, and a dozen leaves room for what words miss."""

    def __init__(self, catalog: AbilityCatalog) -> None:
        self._catalog = catalog
        self._matcher = Deferred(_by_words)

    async def to(self, text: str, chains: Iterable[ActionRecord]) -> tuple[MetaActionInfo, ...]:
        """The abilities nearest to the text, then those of the chains, each once."""
        ranked = await (await self._matcher.get()).rank(text, self._catalog.usable())
        found = {one.info.key: one.info for one in ranked[:_NEAREST]}
        for record in chains:
            for step in record.chain.steps if record.chain is not None else ():
                info = self._catalog.get(step.key)
                if info is not None:
                    found[info.key] = info
        return tuple(found.values())


def _by_words() -> AbilityMatcher:
    from partner_desktop.mind.starter.matcher import WordMatcher  # noqa: PLC0415 - not at the start

    return WordMatcher()


def _turn(action: ActionRecord) -> TurnRef:
    """What a chain asks a mind belongs to its conversation, and is booked there."""
    return TurnRef(action.conversation_id, action.id)


def unmended(action: ActionRecord, steps: Sequence[ActionRecord]) -> tuple[ActionRecord, ...]:
    """The steps that ended without success, and that no other made good."""
    ended = {step.id: step.status for step in steps}
    mended = {
        step.mends
        for step in (action.chain.steps if action.chain is not None else ())
        if ended.get(step.id) is ActionStatus.SUCCEEDED
    }
    return tuple(
        step
        for step in steps
        if step.status.ended and step.status is not ActionStatus.SUCCEEDED and step.id not in mended
    )


def _never_ran(action: ActionRecord, steps: Sequence[ActionRecord]) -> bool:
    """Whether a step came to nothing before it could be called, and nothing made it good."""
    if action.chain is None:
        return False
    ran = {step.id for step in steps}
    return any(step.id not in ran for step in broken(action.chain))
