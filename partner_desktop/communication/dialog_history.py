"""The part of a prompt that stands for the dialog before it: the summaries of what was rolled.

Contract: the newest summaries are whole as long as there is room; what is not told is counted. It changes
with a roll, and with nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from partner_desktop.base.prompts import messages
from partner_desktop.base.sentences import sentences
from partner_desktop.context import markup
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.remembered import MemoryUnit
from partner_desktop.domain.snapshot import PromptPart

NAME = "dialog_history"


def dialog_history(
    units: Sequence[MemoryUnit], *, language: str, most_tokens: int, counter: TokenCounter
) -> PromptPart | None:
    """The part for units with summaries, in order, as much of it as fits; `None`: nothing was rolled."""
    if not units:
        return None
    told: list[str] = []
    room = most_tokens - counter.count(_text([], len(units), language))
    for unit in reversed(units):
        entry = _entry(unit, unit.summary)
        room -= counter.count(entry) + 1
        if told and room < 0:
            break
        told.insert(0, entry)
    text = _text(told, len(units) - len(told), language)
    newest = sentences(units[-1].summary)
    while counter.count(text) > most_tokens and len(newest) > 1:
        newest.pop()
        shorter = _entry(units[-1], f"{''.join(newest).rstrip()} […]")
        text = _text([shorter], len(units) - 1, language)
    return PromptPart("user", NAME, text, counter.count(text))


def _entry(unit: MemoryUnit, summary: str) -> str:
    begun = markup.attribute("from", unit.at.isoformat(timespec="minutes"))
    return markup.leaf("part", summary, attributes=begun, depth=1)


def _text(told: Sequence[str], left_out: int, language: str) -> str:
    words: Mapping[str, str] = messages(NAME, language)
    lines = [words["head"]]
    if left_out:
        lines.append(words["more_one" if left_out == 1 else "more"].format(number=left_out))
    return markup.branch(NAME, [*(f"{markup.INDENT}{line}" for line in lines), *told])
