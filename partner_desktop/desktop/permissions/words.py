"""Plain words for modes, grants and rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import QDate, QLocale

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.permission import SAME_ARGUMENTS, Effect, Grant, GrantedPlace, Mode, Rule

#: So much of a hash tells versions apart.
_SHORT_HASH = 8
#: So many names are said; the rest is counted.
_NAMED = 3

MODES: dict[Mode, tuple[Callable[[], str], Callable[[], str]]] = {
    Mode.ASK: (lambda: tr("Ask always"), lambda: tr("Every run asks first, whatever it does.")),
    Mode.SMART: (
        lambda: tr("Smart"),
        lambda: tr("Built-in actions that only look run, and what you granted; the rest asks."),
    ),
    Mode.AUTONOMOUS: (
        lambda: tr("Autonomous"),
        lambda: tr("What the sandbox keeps from changing or sending anything runs too; the rest asks."),
    ),
}
_EFFECTS: dict[Effect, tuple[Callable[[], str], PillKind]] = {
    Effect.DENY: (lambda: tr("Never"), "bad"),
    Effect.ASK: (lambda: tr("Ask"), "careful"),
    Effect.ALLOW: (lambda: tr("Allow"), "good"),
}


#: How a run is held, as it was written down in English.
_HELD: dict[str, Callable[[], str]] = {
    "sandboxed · no network": lambda: tr("sandboxed · no network"),
    "sandboxed · network allowed": lambda: tr("sandboxed · network allowed"),
    "not sandboxed · runs with your own rights": lambda: tr("not sandboxed · with your own rights"),
    "built in · only looks": lambda: tr("built in · only looks"),
}


def rule_held_words(held: str) -> str:
    """How a run is held; what is not known stays as it was written."""
    summary = held.removesuffix(f" · {SAME_ARGUMENTS}")
    words = _HELD[summary]() if summary in _HELD else summary
    return words if summary == held else " · ".join((words, tr("only with the same arguments")))


def effect_words(effect: Effect) -> str:
    """What a rule says, in a word."""
    return _EFFECTS[effect][0]()


def effect_kind(effect: Effect) -> PillKind:
    """The colour that repeats it."""
    return _EFFECTS[effect][1]


def rule_words(rule: Rule) -> str:
    """A rule as one knows it again."""
    return f"{effect_words(rule.effect)}: {rule.action}"


def short_hash(text: str) -> str:
    """As much of a hash as tells versions apart."""
    return text[:_SHORT_HASH]


def reach_words(grant: Grant, conversation: str) -> str:
    """How far a yes reaches."""
    if grant.scope == "always":
        return tr("always")
    if grant.scope == "everywhere":
        return tr("always, everywhere")
    if grant.scope == "once":
        return tr("once")
    if conversation:
        return tr("in “{conversation}”").format(conversation=conversation)
    return tr("in one conversation")


def grant_facts(grant: Grant, conversation: str) -> str:
    """How far it reaches, since when, and how the run was held."""
    day = grant.created_at.astimezone()
    written = QLocale().toString(QDate(day.year, day.month, day.day), tr("d MMM yyyy"))
    since = tr("since {day}").format(day=f"{written}, {day:%H:%M}")
    whole = [
        part.replace(" ", "\u00a0") for part in (since, *rule_held_words(grant.held).split(" · ")) if part
    ]
    return " · ".join((reach_words(grant, conversation), *whole))  # a line ends between the parts


def place_words(grant: Grant) -> str:
    """Whose calls it is for, and on which places; empty where neither is to be said."""
    said = []
    if grant.program:
        said.append(tr("Only for a program that calls itself “{program}”.").format(program=grant.program))
    if grant.scope == "everywhere":
        said.append(tr("On all files and folders."))
    elif grant.places is None:
        said.append(
            tr("It is from before places were kept: where a file or folder is chosen, it asks again.")
        )
    else:
        said += [_place_words(place) for place in grant.places]
    return "\n".join(said)


def _place_words(place: GrantedPlace) -> str:
    words = tr("writes {path}") if place.access == "write" else tr("reads {path}")
    return words.format(path=display_path(Path(place.path)))


def fitting(pattern: str, keys: Iterable[str]) -> list[str]:
    """The keys that a pattern with `*` is about."""
    wanted = re.compile(".*".join(re.escape(part) for part in pattern.split("*")), re.DOTALL)
    return [key for key in keys if wanted.fullmatch(key)]


def fitting_words(pattern: str, keys: Iterable[str]) -> str:
    """What a pattern is about now, in a sentence."""
    found = sorted(fitting(pattern, keys))
    if not found:
        return tr("It fits none of the abilities that are here now.")
    named = ", ".join(found[:_NAMED])
    if len(found) > _NAMED:
        return tr("It fits {named} and {count} more.").format(named=named, count=len(found) - _NAMED)
    return tr("It fits {named}.").format(named=named)
