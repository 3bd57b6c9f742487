"""Unheeded: a condition that was said and that nothing here can keep. It is left out in the open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Asked, Choice, Evidence, NoAbility, Proposed, Started
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.clauses import conditional
from partner_desktop.mind.question import IntentEvaluation


def depends(text: str, *given: JsonObject) -> bool:
    """Whether a request hangs on something that is in none of the arguments."""
    found = conditional(text)
    return found is not None and not _holds(found.clause, *given)


async def unheeded(
    text: str, evidence: Evidence, evaluate: Callable[[str], Awaitable[IntentEvaluation]]
) -> NoAbility | None:
    """What is to be told of the condition in a request; `None`: there is none, or an argument holds it.

    Where something is done in any case, all that hangs on the condition was left out, not it alone.
    """
    if not isinstance(evidence, Proposed | Asked | Started | Choice):
        return None
    found = conditional(text)
    if found is None or _holds(found.clause, *_arguments(evidence.action)):
        return None
    said = found.clause
    if found.before:
        evaluation = await evaluate(found.before)
        said = found.stretch if evaluation.chosen is not None or evaluation.ties else said
    return NoAbility((), near=False, text=said, left_out=True, condition=True)


def _arguments(action: ActionRecord) -> Iterator[JsonObject]:
    yield action.params
    yield from (step.params for step in (action.chain.steps if action.chain is not None else ()))


def _holds(clause: str, *given: JsonObject) -> bool:
    """Whether the words are what is to be written down, or told to somebody."""
    wanted = _plain(clause)
    return any(wanted in _plain(text) for params in given for text in _texts(params))


def _texts(params: JsonObject) -> Iterator[str]:
    for value in params.values():
        yield from _in(value)


def _in(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _in(each)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
