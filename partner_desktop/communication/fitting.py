"""Fitting: what of a turn's prompt must be shorter, so that the model can hold it.

The context blocks give way first, down to a small rest; then the dialog, for this turn only; at last the
inputs themselves, of which the beginning and the end are carried with a mark between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from partner_desktop.communication.prompt import input_text, text_of
from partner_desktop.communication.prompt_budget import FRAME_TOKENS, cost_of
from partner_desktop.communication.prompt_prefix import KeptPrefix, PrefixKeeper
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.turn_ref import TurnRef
from partner_desktop.runtime.flow import FlowInput

#: Of the room for a prompt: what context blocks keep, and at most how many tokens.
_BLOCKS_PART, _LEAST_BLOCKS = 0.1, 256
#: An input is never cut to less: nobody could answer it.
_LEAST_CHARACTERS = 200
#: Parts of a tail: context, abilities, input, and the answer's own frame.
_TAIL_FRAMES = 4 * FRAME_TOKENS
_STEPS = 12


@dataclass(frozen=True)
class Fit:
    """What a prompt is made of."""

    kept: KeptPrefix
    blocks_tokens: int
    """What the context blocks may hold."""
    most_characters: int | None = None
    """Of each input; `None`: all of it."""


async def fit(
    prefixes: PrefixKeeper, turn: TurnRef, inputs: Sequence[FlowInput], *, kept: KeptPrefix, fresh: str
) -> Fit:
    """How the prompt of a turn fits.

    Raises:
        StorageError: The dialog cannot be read.
    """
    usable, most = kept.budgets.usable_tokens, kept.budgets.blocks_tokens
    if usable is None:
        return Fit(kept, most)
    counter = kept.budgets.counter
    least = min(_LEAST_BLOCKS, round(usable * _BLOCKS_PART))
    needed = counter.count(input_text(inputs)) + counter.count(fresh) + _TAIL_FRAMES
    if (rest := usable - kept.tokens - needed) >= least:
        return Fit(kept, min(most, rest))
    dialog = cost_of(part for part in kept.parts if part.name == "dialog")
    kept = await prefixes.shorter(turn, dialog_tokens=usable - (kept.tokens - dialog) - needed - least)
    if (rest := usable - kept.tokens - needed) >= least:
        return Fit(kept, min(most, rest))
    said = counter.count(input_text(inputs))
    room = usable - kept.tokens - (needed - said) - least
    characters = _characters(inputs, room, counter)
    return Fit(kept, min(most, least), characters)


def _characters(inputs: Sequence[FlowInput], room_tokens: int, counter: TokenCounter) -> int | None:
    """The most characters of each input with which all of them take no more than `room_tokens`."""
    longest = most = max(len(text_of(item)) for item in inputs)
    for _ in range(_STEPS):
        tokens = counter.count(input_text(inputs, most_characters=most))
        if tokens <= room_tokens or most <= _LEAST_CHARACTERS:
            break
        most = max(_LEAST_CHARACTERS, int(most * min(0.95, max(0.1, room_tokens / tokens))))
    return most if most < longest else None
