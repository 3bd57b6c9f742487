"""Plain words for what memory holds: talk, people, places and things, and what is forgotten of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime

from PySide6.QtCore import QDate, QLocale

from partner_desktop.desktop.panel.actions.action_words import day_in_words
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.entity import SELF, Attribute, Entity, EntityFact, EntityKind
from partner_desktop.domain.forgetting import ForgetOutcome, ForgetPreview, HeldKind
from partner_desktop.domain.remembered import PARTNER, PERSON, MemoryStatus

_WEEK_DAYS = 7
_BELOW = "->"


def meaning_note(status: MemoryStatus) -> str:
    """Why not everything is found by its meaning; empty: everything is."""
    match status.meaning:
        case "off":
            return tr("Meaning is switched off: what was said is found by words and dates.")
        case "missing":
            return tr("There is no embedding model: what was said is found by words and dates.")
        case "unread":
            left = status.turns - status.by_meaning
            return tr("{count} messages are found by words alone until their meaning is read.").format(
                count=f"{left:,}"
            )
        case _:
            return status.note


def day_head(day: date) -> str:
    """`Today`, `Monday`, `14 May`, `14 May 2024`: the person's calendar."""
    today = datetime.now().astimezone().date()
    age = (today - day).days
    if age == 0:
        return tr("Today")
    if age == 1:
        return tr("Yesterday")
    if 1 < age < _WEEK_DAYS:
        return QLocale().standaloneDayName(day.isoweekday())
    if day.year == today.year:
        return day_in_words(day)
    return QLocale().toString(QDate(day.year, day.month, day.day), tr("d MMM yyyy"))


def moment_of_day(moment: datetime) -> str:
    """`10:42`."""
    return f"{moment.astimezone():%H:%M}"


def said_at(moment: datetime) -> str:
    """The time of day, for what was said today; the day otherwise."""
    day = moment.astimezone().date()
    today = datetime.now().astimezone().date()
    return moment_of_day(moment) if day == today else day_head(day)


def speaker_words(speaker: str) -> str:
    """Who spoke, as the person would say."""
    return {PERSON: tr("You"), PARTNER: tr("Partner")}.get(speaker, speaker)


def topic_name(path: str) -> str:
    """The last part of `A->B->C`."""
    return path.rpartition(_BELOW)[2]


def topic_parents(path: str) -> str:
    """`A › B`; empty for a topic that stands by itself."""
    return path.rpartition(_BELOW)[0].replace(_BELOW, " › ")


def topic_path(path: str) -> str:
    """`A › B › C`."""
    return path.replace(_BELOW, " › ")


def message_count(count: int) -> str:
    """`8 messages`."""
    return tr("1 message") if count == 1 else tr("{count} messages").format(count=f"{count:,}")


def passage_count(count: int) -> str:
    """How many pieces of talk."""
    return tr("1 passage") if count == 1 else tr("{count} passages").format(count=f"{count:,}")


def memory_size(status: MemoryStatus) -> str:
    """How much can be found, and how."""
    how = tr("by words and meaning") if status.by_meaning else tr("by words")
    return tr("{messages} can be found {how}").format(messages=message_count(status.turns), how=how)


#: A fact that is surer than this needs no word about it.
_SURE = 0.6
_MOST_VALUES = 3
#: Their values say by themselves what they are.
_BY_THEMSELVES = frozenset({"event", "impression", "note", "email", "phone", "address"})

_ATTRIBUTES: dict[Attribute, Callable[[], str]] = {
    "name": lambda: tr("Goes by"),
    "relation": lambda: tr("Relation"),
    "birthday": lambda: tr("Birthday"),
    "age": lambda: tr("Age"),
    "home": lambda: tr("Lives in"),
    "origin": lambda: tr("Comes from"),
    "work": lambda: tr("Works at"),
    "job": lambda: tr("Job"),
    "project": lambda: tr("Project"),
    "email": lambda: tr("Mail"),
    "phone": lambda: tr("Phone"),
    "address": lambda: tr("Address"),
    "allergy": lambda: tr("Allergic to"),
    "diet": lambda: tr("Diet"),
    "likes": lambda: tr("Likes"),
    "dislikes": lambda: tr("Dislikes"),
    "favourite": lambda: tr("Favourite"),
    "language": lambda: tr("Language"),
    "event": lambda: tr("Date"),
    "impression": lambda: tr("Impression"),
    "note": lambda: tr("Note"),
}
_KINDS: dict[EntityKind, Callable[[], str]] = {
    "self": lambda: tr("you"),
    "person": lambda: tr("person"),
    "animal": lambda: tr("animal"),
    "place": lambda: tr("place"),
    "project": lambda: tr("project"),
    "thing": lambda: tr("thing"),
}


def attribute_words(attribute: Attribute) -> str:
    """What a fact tells."""
    return _ATTRIBUTES[attribute]()


def entity_kind(entity: Entity) -> str:
    """What it is to the person, or what it is at all."""
    return entity.relation or _KINDS[entity.kind]()


def entity_title(entity: Entity) -> str:
    """Its name; what it is, where no name was said."""
    if entity.name:
        return entity.name
    if entity.id == SELF:
        return tr("You")
    words = entity_kind(entity)
    return words[:1].upper() + words[1:]


def entity_summary(entity: Entity) -> str:
    """The first of what is known."""
    holding = [fact for fact in entity.facts if not fact.former and fact.attribute != "relation"]
    return " · ".join(map(_fact_words, holding[:_MOST_VALUES]))


def _fact_words(fact: EntityFact) -> str:
    if fact.attribute in _BY_THEMSELVES:
        return fact.value
    return tr("{what} {value}").format(what=attribute_words(fact.attribute), value=fact.value)


def fact_facts(fact: EntityFact) -> str:
    """Since when it is known, how surely, and whether it still holds."""
    written = tr("written by you") if fact.source == "person" else ""
    parts = [tr("no longer") if fact.former else "", written, said_at(fact.at)]
    if fact.confidence < _SURE and not fact.former:
        parts.append(tr("not sure"))
    return joined_words(*parts)


def unknown_words(unknown: Sequence[Attribute]) -> str:
    """What one would like to know."""
    if not unknown:
        return ""
    names = tr(", ").join(attribute_words(one).lower() for one in unknown)
    return tr("Not known yet: {names}").format(names=names)


#: Of the messages that would go, so many are shown.
_MOST_SHOWN = 3
_MOST_LETTERS = 80

_HELD: dict[HeldKind, tuple[Callable[[], str], Callable[[], str]]] = {
    "title": (lambda: tr("1 title"), lambda: tr("{count} titles")),
    "folder": (
        lambda: tr("1 conversation in a folder of that name"),
        lambda: tr("{count} conversations in folders of that name"),
    ),
    "slice": (lambda: tr("1 passage"), lambda: tr("{count} passages")),
    "unit": (lambda: tr("1 summary"), lambda: tr("{count} summaries")),
    "entity": (lambda: tr("1 known fact"), lambda: tr("{count} known facts")),
    "context": (lambda: tr("1 turn's context"), lambda: tr("the context of {count} turns")),
    "action": (lambda: tr("1 action"), lambda: tr("{count} actions")),
    "permission": (lambda: tr("1 permission"), lambda: tr("{count} permissions")),
    "import": (lambda: tr("1 import"), lambda: tr("{count} imports")),
    "schedule": (lambda: tr("1 schedule"), lambda: tr("{count} schedules")),
    "draft": (lambda: tr("1 unsent message"), lambda: tr("{count} unsent messages")),
    "intent": (lambda: tr("1 familiar request"), lambda: tr("{count} familiar requests")),
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
