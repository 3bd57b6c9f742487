"""Plain words for what would be forgotten, and for what was."""

from __future__ import annotations

from collections.abc import Callable

from partner_desktop.desktop.panel.memory.memory_words import message_count, said_at, speaker_words
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.forgetting import ForgetOutcome, ForgetPreview, HeldKind

#: Of the messages that would go, so many are shown.
_MOST_SHOWN = 3
_MOST_LETTERS = 80

_HELD: dict[HeldKind, tuple[Callable[[], str], Callable[[], str]]] = {
    "title": (lambda: tr("1 title"), lambda: tr("{count} titles")),
    "slice": (lambda: tr("1 passage"), lambda: tr("{count} passages")),
    "unit": (lambda: tr("1 summary"), lambda: tr("{count} summaries")),
    "entity": (lambda: tr("1 known fact"), lambda: tr("{count} known facts")),
    "context": (lambda: tr("1 turn's context"), lambda: tr("the context of {count} turns")),
    "action": (lambda: tr("1 action"), lambda: tr("{count} actions")),
}


def preview_words(preview: ForgetPreview) -> str:
    """How much would go, and what goes with it."""
    chats = preview.conversations
    where = tr("in 1 conversation") if chats == 1 else tr("in {count} conversations").format(count=chats)
    held = held_places(preview)
    words = tr("{messages} {where}, with {places}.") if held else tr("{messages} {where}.")
    whole = words.format(messages=message_count(preview.count), where=where, places=held)
    final = tr("This cannot be undone.")
    return f"{whole} {final}"


def preview_notes(preview: ForgetPreview) -> list[str]:
    """The first of what would go, and what is not touched."""
    notes = []
    for item in preview.items[:_MOST_SHOWN]:
        text = " ".join(item.turn.text.split())
        shown = text[:_MOST_LETTERS].rstrip() + "…" if len(text) > _MOST_LETTERS else text
        who, when = speaker_words(item.turn.speaker), said_at(item.turn.at)
        notes.append(tr("{speaker}, {day}: “{words}”").format(speaker=who, day=when, words=shown))
    more = preview.count - len(notes)
    if more > 0 and notes:
        notes.append(tr("and 1 more") if more == 1 else tr("and {count} more").format(count=f"{more:,}"))
    return [*notes, *preview.kept]


def held_places(preview: ForgetPreview) -> str:
    """`2 passages, 1 summary`."""
    parts = []
    for kind, count in preview.held_counts.items():
        if count:
            one, many = _HELD[kind]
            parts.append(one() if count == 1 else many().format(count=f"{count:,}"))
    return tr(", ").join(parts)


def forgotten_words(outcome: ForgetOutcome) -> str:
    """What is gone, and where it still stands."""
    gone = tr("Forgotten: {messages}.").format(messages=message_count(outcome.messages))
    count = len(outcome.backups)
    if not count:
        return gone
    held = tr("1 backup still holds it.") if count == 1 else tr("{count} backups still hold it.")
    return f"{gone} {held.format(count=count)}"
