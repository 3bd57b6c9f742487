"""Which of the waiting cards a few words point at: by place, by name, or all of them; and which steps of a
chain they are about. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.plan import Step, StepStatus
from partner_desktop.language.lexicon import (
    CJK_FUNCTION_WORDS,
    CJK_TALK,
    FUNCTION_WORDS,
    TALK,
    number_of,
    word_set,
)
from partner_desktop.language.rule_table import first_match, groups_of, whole
from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.terms import FUNCTION_WEIGHT, Term, has_cjk, stem, terms

_OF_TWO = frozenset({"former", "latter", "前者", "后者"})
#: Words that stand in a name's place without being part of it.
_AROUND = word_set(
    "the a an one it that this them please for my to with card action ability do run only just then"
)
_AROUND_ZH = late(r"^(?:请|就|把|它|这个|那个|这条|那条)+|(?:吧|了|一下)+$")
#: Words that say nothing of what is to be done: a yes may have them for any reason.
_COMMON = FUNCTION_WORDS | TALK
_COMMON_ZH = late("|".join(sorted(CJK_FUNCTION_WORDS | CJK_TALK, key=len, reverse=True)))
#: What any run may be called: of `run a command`, the command is what tells it from others.
_RUNS = word_set("run do start take execute")
_RUNS_ZH = late(r"^(?:运行|执行|做)|(?:运行|执行)$")
_THE = late(r"\s*(?:the|this|that|an?)\b|这|那|.*(?:运行|执行)")
#: What a name may be said with, and what it need not be said with.
_BESIDE = word_set("the a an one it that this them ability please for my to with only just then now")
_EITHER = late(r"(\w+) or (?:an? )?(\w+)")
#: In Chinese a name is a piece of what was said; these would turn its sense.
_TURNING = late(r"[不别没非勿无]|如果|要是|除非")


@dataclass(frozen=True)
class Pointed:
    """What words point at: `ids`, or with `rest` whatever is not pointed at otherwise."""

    ids: tuple[str, ...] = ()
    rest: bool = False
    single: bool = False
    """With `rest`: just one is meant."""
    unclear: bool = False
    """They point at something, and it cannot be told at what."""
    part: bool = False
    """With `unclear`: at a step of a chain, which is settled as a whole only."""
    whole: bool = False
    """At all the steps of a chain: said alone, that is a yes to the question whether to do them."""
    plan: bool = False
    """At a chain by what it is: said alone, that is no yes yet."""
    named: bool = False
    """By the whole of a name of Partner's own, not by its place, not as one of all, and not by other words
    that led to it: those may stand in a yes to anything."""


_UNCLEAR = Pointed(unclear=True)
_PART = Pointed(unclear=True, part=True)


#: Key of an ability → other ways to ask for it.
AlsoCalled = Mapping[str, Sequence[str]]
NO_MORE_NAMES: AlsoCalled = MappingProxyType({})


def pointed_at(
    words: str,
    cards: Sequence[ActionRecord],
    *,
    by_name: bool = True,
    also_called: AlsoCalled = NO_MORE_NAMES,
    done: bool = False,
) -> Pointed | None:
    """What lower-case `words` point at; `None` where they are about something else.

    `done`: a verb such as `run` stood before them. A name must be said with no other word that could turn its
    sense: `not resize` names nothing.
    """
    parts = re.split(r"\s+(?:and|&)\s+|[和与跟]|\s&\s", words)
    names = also_called if by_name else None
    every = [_one(part.strip(), cards, names, done) for part in parts]
    if len(every) > 1 and any(each is None or each.part for each in every):
        every = [_one(words, cards, names, done)]
    known = [each for each in every if each is not None]
    if len(known) != len(every):
        return None
    if len(known) == 1:
        return known[0]
    if any(each.unclear or each.rest for each in known):
        return _UNCLEAR
    return Pointed(
        tuple(name for each in known for name in each.ids), named=all(each.named for each in known)
    )


_whole, _found = partial(whole, "pointing"), partial(first_match, "pointing")


def is_place(words: str) -> bool:
    """Whether lower-case words are nothing but a place: `the first one`, `2`, `第二个`."""
    return _whole("place", words) is not None


def says_something(words: str) -> bool:
    """Whether lower-case words are more than those that any talk is made of."""
    if has_cjk(words):
        return re.search(r"\w", _COMMON_ZH.sub("", words)) is not None
    return any(word not in _COMMON for word in re.findall(r"\w+", words))


def is_ours(card: ActionRecord) -> bool:
    """Whether Partner itself named what the card does; the names of all else were written by others."""
    return card.chain is None and card.key.startswith("builtin::")


def _one(words: str, cards: Sequence[ActionRecord], names: AlsoCalled | None, done: bool) -> Pointed | None:
    if _whole("all", words):
        steps = len(cards[0].chain.steps) if len(cards) == 1 and cards[0].chain is not None else 0
        both = _found("both", words) and 2 not in (len(cards), steps)
        return _UNCLEAR if both else Pointed(tuple(card.id for card in cards), whole=steps > 0)
    if _whole("rest", words):
        return Pointed(rest=True, single=bool(_found("one_more", words)))
    chains = [card for card in cards if card.chain is not None]
    if chains and _whole("whole", words):
        plan, named = bool(_found("plan", words)), bool(_found("plan_named", words))
        return (
            Pointed((chains[0].id,), whole=not plan, plan=plan, named=named) if len(chains) == 1 else _UNCLEAR
        )
    if chains and _found("step", words):
        return _PART
    place = _whole("place", words)
    if place is not None:
        return _PART if chains and len(cards) == 1 else _at(place, cards)
    return _named(words, cards, names, done) if names is not None else None


def _at(place: re.Match[str], cards: Sequence[ActionRecord]) -> Pointed:
    said = next(iter(groups_of(place).values()))
    number = number_of(said)
    if said in _OF_TWO and len(cards) != 2:
        return _UNCLEAR
    return _counted(number, cards) if number >= 0 else Pointed((cards[-1].id,))


def _counted(number: int, cards: Sequence[ActionRecord]) -> Pointed:
    """The card of a number. It was counted when others still waited: where that makes a difference, ask."""
    if not 0 < number <= max(len(cards), *(card.number for card in cards)):
        return _UNCLEAR
    by_rank = cards[number - 1].id if number <= len(cards) else ""
    by_number = next((card.id for card in cards if card.number == number), "")
    counted = all(card.number for card in cards)
    if not by_rank or (counted and by_rank != by_number):
        return _UNCLEAR
    return Pointed((by_rank,))


def _named(words: str, cards: Sequence[ActionRecord], names: AlsoCalled, done: bool) -> Pointed | None:
    if has_cjk(words):
        said = _AROUND_ZH.sub("", words.strip("“”「」 "))
        fits = [card for card in cards if len(said) > 1 and said in _called(card, names).lower()]
        fits = [] if _TURNING.search(said) else fits
        part = any(_is_part({said}, card, lambda text: text) for card in fits)
    else:
        stems = {stem(word) for word in re.findall(r"[\w.]+", words) if word not in _AROUND}
        fits = [card for card in cards if stems and stems <= _names(card, names)]
        if not stems and re.search(r"\b(?:it|that|this|one)\b", words):  # `yes, this one`
            return Pointed((cards[0].id,)) if len(cards) == 1 else _UNCLEAR
        part = any(_is_part(stems, card, _stems) for card in fits)
    if not fits or not says_something(words):
        return None
    if part or len(fits) > 1:
        return _PART if part else _UNCLEAR
    [card] = fits
    own = (card.title, *names.get(card.key, ())) if is_ours(card) else ()
    return Pointed((card.id,), named=any(_says_name(words, name.lower(), done) for name in own))


def _says_name(words: str, name: str, done: bool) -> bool:
    """Whether words are a name as a whole and nothing else, but for what stands around a name anyway."""
    done = done or _THE.match(words) is not None
    if has_cjk(words):
        said = _AROUND_ZH.sub("", words.strip("“”「」 "))
        return said == name or (done and said == _RUNS_ZH.sub("", name))
    said_words = re.findall(r"[^\W_]+", words)
    done = done or not _RUNS.isdisjoint(said_words)
    said_stems = {stem(word) for word in said_words if word not in _BESIDE}
    for one in {_EITHER.sub(r"\1", name), _EITHER.sub(r"\2", name)}:
        of_name = re.findall(r"[^\W_]+", one)
        wanted = [word for word in of_name if word not in FUNCTION_WORDS | _BESIDE | _RUNS]
        runs = not _RUNS.isdisjoint(of_name)
        if not any(word not in _COMMON for word in wanted) or (runs and not done):
            continue
        if {stem(word) for word in wanted} <= said_stems <= {stem(word) for word in of_name}:
            return True
    return False


def _is_part(said: set[str], card: ActionRecord, read: Callable[[str], Container[str]]) -> bool:
    """Whether some steps of a chain are called so, and others are not: who says yes to these means them."""
    if card.chain is None:
        return False
    names = [read(f"{step.title} {step.text}".lower()) for step in card.chain.steps]
    alone = [all(word in name for word in said) for name in names]
    touched = [any(word in name for word in said) for name in names]
    return any(each and not all(among) for among in (alone, touched) for each in among)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text)}


def _called(card: ActionRecord, names: AlsoCalled) -> str:
    """What the card is called, and the words that led to it."""
    steps = card.chain.steps if card.chain is not None else ()
    keys = [card.key] if card.chain is None else [step.title for step in steps]
    also = [name for key in (card.key, *(step.key for step in steps)) for name in names.get(key, ())]
    return " ".join((card.title, *keys, card.request_text, *also))


def _names(card: ActionRecord, names: AlsoCalled) -> set[str]:
    """The words that the card is called by, and those that led to it."""
    return _stems(_called(card, names).lower()) - {
        stem(word) for word in ("no", "not", "don't", "t", "never", "but", "if", "only", "without")
    }


_AND = late(r"\s*,\s*(?:and )?|\s+and\s+|[和与跟、]|以及")
#: Words that stand around a name without being part of it.
_AROUND_STEP = word_set("step steps one part bit it that this thing stuff them any anything file folder")


def in_order(words: str, steps: Sequence[Step]) -> list[Step]:
    """All steps, the likeliest to be meant first: by number, by a word of its name, else the last."""
    number = number_said(words, len(steps))
    last_first = list(reversed(steps))
    return [steps[number - 1]] if number else sorted(last_first, key=lambda step: -_shared(words, step))


def names_step(words: str, step: Step) -> bool:
    """Whether the words point at a step: by its number, or by a word of its name."""
    return bool(number_said(words)) or _shared(words, step) > 0


def _shared(words: str, step: Step) -> int:
    """How many words that say something stand in the name of a step, too."""
    said, title = ({term.stem for term in _telling(text)} for text in (words, step.title))
    return len(said & title)


def _telling(words: str) -> list[Term]:
    return [term for term in terms(words) if term.weight > FUNCTION_WEIGHT]


def number_said(words: str, count: int = 0) -> int:
    """The number of the step that is said, from 1, -1 for the last; 0: none, or none of `count`."""
    match = _found("number", words)
    groups = groups_of(match) if match is not None else {}
    number = -1 if "end" in groups else number_of(next(iter(groups.values()), ""))
    if number < 0:
        return count or -1
    return number if number <= (count or number) else 0


def is_in_step_number(words: str, position: int) -> bool:
    """Whether what stands there only tells which step is meant: `step 2`."""
    match = _found("number", words)
    return match is not None and match.start() <= position < match.end()


def steps_named(words: str, chain: ActionRecord) -> tuple[Step, ...]:
    """The steps that lower-case `words` point at, all of them plainly; otherwise none.

    Of several that are called alike, the only one that is still to come is meant.
    """
    steps = chain.chain.last_tries if chain.chain is not None else ()
    words = words.strip()
    whole = _step_named(words, steps) or _step_named(re.sub(r"^(?:the )?middle |^中间的?", "", words), steps)
    if whole is not None:
        return (whole,)
    if (run := _whole("run", words)) is not None:
        count = number_of(run["count"])
        return tuple(steps[:count] if run["end"] in ("first", "前") else steps[-count:])
    parts = [_step_named(part.strip(), steps) for part in _AND.split(words) if part.strip()]
    named = {step.id: step for step in parts if step is not None}
    return tuple(named.values()) if len(parts) > 1 and None not in parts else ()


def files_named(words: str, chain: ActionRecord, files: Mapping[str, str]) -> tuple[str, ...] | None:
    """The steps whose files words name, of `files` by step; none: one cannot be told; `None`: they name none.

    Every word is one of the file's name or of its folder's; a step is named by its place, too.
    """
    if _whole("step_place", words.strip()) is not None:
        return tuple(step.id for step in steps_named(words, chain) if step.id in files)
    whole = _with_file(words, files)
    each = [_with_file(part, files) for part in _AND.split(words) if part.strip()] if not whole else [whole]
    if not any(each):
        return None
    return tuple(dict.fromkeys(part[0] for part in each)) if all(len(part) == 1 for part in each) else ()


def _with_file(words: str, files: Mapping[str, str]) -> list[str]:
    said = {term.stem for term in _telling(words) if term.word not in _AROUND_STEP}
    fits = []
    for step_id, path in files.items():
        name, folder = (
            {term.stem for term in terms(each)} for each in (Path(path).name, Path(path).parent.name)
        )
        inside = has_cjk(words) and len(words.strip()) > 1 and words.strip() in Path(path).name.lower()
        if inside or (said & name and said <= name | folder):
            fits.append(step_id)
    return fits


def _step_named(words: str, steps: Sequence[Step]) -> Step | None:
    place = _whole("step_place", words)
    if place is not None:
        number = number_of(next(iter(groups_of(place).values())))
        middle = (len(steps) + 1) // 2 if len(steps) % 2 else 0
        number = {-1: len(steps), 0: middle}.get(number, number)
        return steps[number - 1] if 0 < number <= len(steps) else None
    said_terms = [term for term in _telling(words) if term.word not in _AROUND_STEP]
    if not said_terms:
        return None
    fits = [step for step in steps if _is_called(said_terms, step)]
    to_come = [step for step in fits if step.status is StepStatus.PLANNED]
    return next((one[0] for one in (fits, to_come) if len(one) == 1), None)


def _is_called(said: Sequence[Term], step: Step) -> bool:
    """Whether every word is one of the step's own, and one of them tells what is done."""
    name = step.key.rpartition("::")[2]
    title = terms(f"{step.title} {name}")
    names = " ".join(Path(str(value)).name for value in step.params.values() if isinstance(value, str))
    text = terms(f"{blank(step.text, find_spans(step.text))} {names}")
    known = {term.stem for term in (*title, *text)}
    # What a word means counts only of the title: `打包` for “Zip folder”.
    meant = {concept for term in title for concept in term.concepts}
    return all(term.stem in known or not meant.isdisjoint(term.concepts) for term in said)
