"""Which step of a chain a few words are about. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from partner_desktop.domain.action import ActionRecord
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.terms import stem

_ORDINALS = {
    **dict.fromkeys(("first", "1st", "一"), 1),
    **dict.fromkeys(("second", "2nd", "二"), 2),
    **dict.fromkeys(("third", "3rd", "三"), 3),
    **dict.fromkeys(("fourth", "4th", "四"), 4),
    **dict.fromkeys(("fifth", "5th", "五"), 5),
}
_NUMBER = re.compile(
    r"\bstep\s*(?:number\s*)?(?P<digit>\d{1,3})\b|\bthe\s+(?P<place>first|1st|second|2nd|third|3rd|fourth|4th"
    r"|fifth|5th|last)\s+(?:one|step)\b|第\s*(?P<zh>[一二三四五]|\d{1,3})\s*[步个]|最后(?P<end>一)[步个]",
    re.IGNORECASE,
)


def in_order(words: str, steps: Sequence[ActionRecord]) -> list[ActionRecord]:
    """All steps, the likeliest to be meant first: by number, by a word of its name, else the last."""
    number = number_said(words, len(steps))
    if number:
        return [steps[number - 1]]
    said = _stems(words)
    shared = {step.id: len(said & _stems(step.title)) for step in steps}
    last_first = list(steps)[::-1]
    return sorted(last_first, key=lambda step: -shared[step.id])


def names_step(words: str, step: ActionRecord) -> bool:
    """Whether the words point at a step: by its number, or by a word of its name."""
    return bool(number_said(words)) or not _stems(words).isdisjoint(_stems(step.title))


def number_said(words: str, count: int = 0) -> int:
    """The number of the step that is said, from 1, -1 for the last; 0: none, or none of `count`."""
    match = _NUMBER.search(words)
    if match is None:
        return 0
    if match["end"] or (match["place"] or "").casefold() == "last":
        return count or -1
    said = match["digit"] or match["place"] or match["zh"] or ""
    number = int(said) if said.isdigit() else _ORDINALS.get(said.casefold(), 0)
    return number if 0 < number <= (count or number) else 0


def _stems(text: str) -> set[str]:
    """The words that say something; of Chinese its pairs of characters."""
    words = {word for word in re.findall(r"[a-z0-9]+", text.casefold()) if word not in FUNCTION_WORDS}
    runs = re.findall(r"[\u4e00-\u9fff]+", text)
    pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    return {stem(word) for word in words} | pairs
