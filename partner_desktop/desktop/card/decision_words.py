"""How a card says who let it run, and how far that yes reaches."""

from __future__ import annotations

from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.events import DecisionEvent
from partner_desktop.domain.run_facts import Risk


def decision_words(event: DecisionEvent, risk: Risk | None) -> LazyText:
    """For the card; empty for a plain yes or no of the person, which the card shows by itself."""
    if event.outcome == "deny":
        return "" if event.by == "person" else _sentence(event.reason)
    if event.by == "person" and event.scope == "once":
        return ""
    return lambda: _allowed_words(event, risk)


def _sentence(reason: str) -> str:
    """As it stands by itself."""
    told = reason[:1].upper() + reason[1:]
    return told if not told or told.endswith((".", "!", "?", "。")) else f"{told}."


def _allowed_words(event: DecisionEvent, risk: Risk | None) -> str:
    here = event.scope == "conversation"
    words = {
        "person": tr("You allowed it in this conversation. Once it is edited, it asks again.")
        if here
        else tr("You allowed it from now on. Once it is edited, it asks again."),
        "grant": tr("Allowed by what you granted in this conversation.")
        if here
        else tr("Allowed by what you granted before."),
        "rule": tr("Allowed by a rule of yours."),
        "policy": tr("It only reads, so it ran without a question.")
        if risk in (Risk.READ, None)
        else tr("The sandbox holds it, and you let such runs go ahead."),
        "flag": tr("Allowed by the option that Partner was started with."),
    }
    return words[event.by]


def scope_words(event: DecisionEvent) -> str:
    """How far it reaches, as a fact."""
    if event.outcome == "deny":
        return ""
    return {
        "once": tr("once"),
        "conversation": tr("in this conversation"),
        "always": tr("from now on"),
        "everywhere": tr("from now on, everywhere"),
    }[event.scope]
