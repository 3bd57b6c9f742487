"""Which steps of a chain a few words are about, or point at: by number, by place, or by name. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Step, StepStatus
from partner_desktop.language.lexicon import FUNCTION_WORDS, word_set
from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.terms import FUNCTION_WEIGHT, Term, stem, terms

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
_PLACES = {
    **dict.fromkeys(("first", "1st", "one", "一"), 1),
    **dict.fromkeys(("second", "2nd", "two", "二", "两"), 2),
    **dict.fromkeys(("third", "3rd", "three", "三"), 3),
    **dict.fromkeys(("fourth", "4th", "four", "四"), 4),
    **dict.fromkeys(("fifth", "5th", "five", "五"), 5),
    **dict.fromkeys(("last", "final", "最后"), -1),
}
_PLACE = (
    r"(?:the )?(?:step |number |no\.? ?|#)(?P<digit>[0-9]{1,2}|one|two|three|four|five)"
    r"|(?P<bare>[0-9]{1,2})"
    r"|(?:the )?(?P<place>first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th|last|final)"
    r"(?: (?:step|one|part))?"
    r"|(?:第 ?(?P<zh>[一二两三四五]|[0-9]{1,2})|(?P<end>最后)(?:一|的)?) ?(?:个?步骤?|个|项)?"
)
_AND = r"\s*,\s*(?:and )?|\s+and\s+|[和与跟、]|以及"
#: Words that stand around a name without being part of it.
_AROUND = word_set("step steps one part it that this thing them")


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


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def steps_named(words: str, chain: ActionRecord) -> tuple[Step, ...]:
    """The steps that lower-case `words` point at, all of them plainly; otherwise none.

    Of several that are called alike, the only one that is still to come is meant.
    """
    steps = chain.chain.steps if chain.chain is not None else ()
    whole = _named(words.strip(), steps)
    if whole is not None:
        return (whole,)
    found = [_named(part.strip(), steps) for part in _pattern(_AND).split(words) if part.strip()]
    if len(found) < 2 or any(each is None for each in found):
        return ()
    return tuple({step.id: step for step in found if step is not None}.values())


def _named(words: str, steps: Sequence[Step]) -> Step | None:
    place = _pattern(_PLACE).fullmatch(words)
    if place is not None:
        said = next(value for value in place.groupdict().values() if value)
        number = int(said) if said.isdigit() else _PLACES[said]
        number = len(steps) if number < 0 else number
        return steps[number - 1] if 0 < number <= len(steps) else None
    said_terms = [term for term in terms(words) if term.weight > FUNCTION_WEIGHT and term.word not in _AROUND]
    if not said_terms:
        return None
    fits = [step for step in steps if _is_called(said_terms, step)]
    to_come = [step for step in fits if step.status is StepStatus.PLANNED]
    return next((one[0] for one in (fits, to_come) if len(one) == 1), None)


def _is_called(said: Sequence[Term], step: Step) -> bool:
    """Whether every word is one of the step's own, and one of them tells what is done."""
    name = step.key.rpartition("::")[2]
    title = terms(f"{step.title} {name}")
    text = terms(blank(step.text, find_spans(step.text)))
    known = {term.stem for term in (*title, *text)}
    # What a word means counts only of the title: `打包` for “Zip folder”.
    meant = {concept for term in title for concept in term.concepts}
    return all(term.stem in known or not meant.isdisjoint(term.concepts) for term in said)
