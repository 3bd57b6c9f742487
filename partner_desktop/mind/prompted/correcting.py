"""How a chain that went wrong goes on, asked of a model: a few typed changes, or none."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.domain.chain import Chain
from partner_desktop.domain.intervention import Intervention
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.prompted.abilities import MOST_SHOWN, NamedAbilities
from partner_desktop.mind.prompted.answers import ChangesAnswer, object_schema, read_answer
from partner_desktop.mind.prompted.asking import Asker
from partner_desktop.mind.prompted.chain_lines import chain_lines, turn_of
from partner_desktop.mind.prompted.changes import (
    MOST_TOKENS,
    ChangeReader,
    changes_schema,
    words_of_chain,
)
from partner_desktop.mind.prompted.prompts import quoted
from partner_desktop.mind.question import CorrectChain, EvaluateIntent, Mind

_SAID, _PROBLEM, _RANKED_BY = 1_500, 600, 300


async def correct(asker: Asker, starter: Mind, request: CorrectChain) -> tuple[Intervention, ...]:
    """The model's changes, which may be none; the starter's where the model gives no usable answer."""
    chain = request.action.chain or Chain(())
    wish = f"{request.action.request_text} {request.problem[:_RANKED_BY]}"
    own = {step.key for step in chain.steps}
    named = NamedAbilities(await nearest(starter, wish, request.abilities, first=own))
    reader = ChangeReader(chain, named, words_of_chain(request.action), mending=True)

    async def read(text: str) -> tuple[Intervention, ...]:
        return reader.interventions(read_answer(ChangesAnswer, text).changes)

    found = await asker.ask(
        request,
        read,
        {
            "said": quoted(request.action.request_text, _SAID),
            "chain": chain_lines(request.action, request.steps, named),
            "problem": quoted(request.problem, _PROBLEM),
            "abilities": named.lines() or "-",
        },
        turn=request.turn or turn_of(request.action),
        schema=object_schema(changes=changes_schema(named, len(chain.stages))),
        max_tokens=MOST_TOKENS,
    )
    return await starter.ask(request) if found is None else found


async def nearest(
    starter: Mind, text: str, abilities: Sequence[MetaActionInfo], *, first: set[str]
) -> list[MetaActionInfo]:
    """The abilities that are shown: those with these keys first, then what comes near to the text."""
    if len(abilities) <= MOST_SHOWN:
        return list(abilities)
    ranked = (await starter.ask(EvaluateIntent(text, abilities))).ranked
    own = [info for info in abilities if info.key in first]
    others = [item.info for item in ranked if item.info.key not in first]
    return [*own, *others][:MOST_SHOWN]
