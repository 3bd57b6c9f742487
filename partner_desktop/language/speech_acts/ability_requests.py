"""Which ability a few words mean, and whether somebody wants a new one: of code that is there, or written.

Of several on offer one is meant by number, place or name; else one by its name. Pure.

A new one is wished for by plain phrases only. Only words outside of code count, and only a line that is a
request as a whole: `make this an ability called resize`, `把这个变成一个能力`. What merely mentions an
ability is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.lexicon import number_of
from partner_desktop.language.pasted_code import guessed, is_script, parted
from partner_desktop.language.rule_table import first_match, group_of, groups_of, rule_tables, whole
from partner_desktop.language.terms import FUNCTION_WEIGHT, terms

#: A choice is said in so many characters.
_LONGEST_CHOICE = 80
_AROUND = " \t\n.,!?;:()[]\"'。，！？；：“”"


def pick(text: str, options: Sequence[MetaActionInfo]) -> MetaActionInfo | None:
    """The option that the text chooses; `None` when it chooses none, or not just one."""
    index = pick_named(text, [(f"{info.title} {info.location}", *info.aliases) for info in options])
    return options[index] if index is not None else None


def pick_named(text: str, names: Sequence[Sequence[str]]) -> int | None:
    """Which of several things the text chooses, by its place or by one of its names, counted from 0."""
    index = _place(text, len(names))
    return index if index is not None else _named(text, names)


def is_called(info: MetaActionInfo, text: str) -> bool:
    """Whether the text is exactly the name or an alias of an ability."""
    said = [term.stem for term in terms(text)]
    return any(said == [term.stem for term in terms(name)] for name in (info.title, *info.aliases))


def _place(text: str, count: int) -> int | None:
    match = whole("pointing", "choice", text[:_LONGEST_CHOICE].strip(_AROUND))
    number = number_of(group_of(match, "place")) if match is not None else 0
    index = number - 1 if number > 0 else count + number
    return index if number and 0 <= index < count else None


def _named(text: str, names: Sequence[Sequence[str]]) -> int | None:
    """That of whose names most was said, when no other comes as near."""
    said = {term.stem for term in terms(text) if term.weight > FUNCTION_WEIGHT}
    if not said:
        return None
    shares = sorted(((_share(said, own), -place) for place, own in enumerate(names)), reverse=True)
    best, second = shares[0], shares[1] if len(shares) > 1 else (0.0, 0)
    return -best[1] if best[0] > second[0] and best[0] >= 0.5 else None


def _share(said: set[str], names: Sequence[str]) -> float:
    """How much of the answer one of the names covers: an answer says little else."""
    return max(len(said & {term.stem for term in terms(name)}) / len(said) for name in names)


#: A request is said in so many characters; a longer line is text.
_LONGEST = 400
#: A message longer than this holds no request, only material.
_MOST = 2 * 1024 * 1024
#: Lines at each end of a message in which it is looked for.
_ENDS = 3


@dataclass(frozen=True)
class CreationRequest:
    """What was asked for."""

    kind: Literal["paste", "write"]
    """Of code that is there, or to be written."""
    line: int
    """The line that says so."""
    name: str = ""
    """What it shall be called; empty where nothing was said."""
    purpose: str = ""
    """What it shall do, in the person's words."""


def wish_in(text: str) -> CreationRequest | None:
    """The wish for a new ability that a message says."""
    return creation_request(parted(text).lines) if len(text) <= _MOST else None


def spoken_in(text: str) -> str:
    """What of a message is said, not pasted: all of it without code, nothing where it is code alone."""
    if len(text) > _MOST:
        return text
    message = parted(text)
    if message.code:
        return "\n".join(message.lines).strip()
    return "" if is_script(text) else text


def holds_script(text: str) -> bool:
    """Whether a message holds code that an ability could be made of."""
    if len(text) > _MOST:
        return False
    code = parted(text).code
    return is_script(text) if not code else any(guessed(one) is not None for one in code)


def creation_request(lines: list[str]) -> CreationRequest | None:
    """The wish that one of the first or last lines says; the last of them where several do."""
    spoken = [number for number, line in enumerate(lines) if line.strip()]
    for number in sorted({*spoken[:_ENDS], *spoken[-_ENDS:]}, reverse=True):
        wish = _in_line(lines[number], number)
        if wish is not None:
            return wish
    return None


def _in_line(line: str, number: int) -> CreationRequest | None:
    said = " ".join(line.replace("’", "'").split())
    if not said or len(said) > _LONGEST:
        return None
    kinds: tuple[Literal["paste", "write"], ...] = ("paste", "write")
    for kind in kinds:
        for table in rule_tables("creation", said):
            if (match := table[kind].match(said)) is not None:
                found = groups_of(match)  # a name stands before what it becomes, or behind it
                rest = f"{found.get('called', '')} {found.get('rest', '')}".strip()
                return CreationRequest(kind, number, _name(rest), _purpose(rest))
    return None


def _name(rest: str) -> str:
    match = first_match("creation", "called", rest)
    return group_of(match, "name").rstrip(".,:;，。") if match is not None else ""


def _purpose(rest: str) -> str:
    named = first_match("creation", "called", rest)
    told = whole("creation", "purpose", rest.replace(named.group(), "", 1) if named is not None else rest)
    return group_of(told, "told").rstrip(":：") if told is not None else ""
