"""What stands in the audit log, in plain words and as rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import TypeAlias

from partner_desktop.desktop.panel.actions.action_words import day_in_words
from partner_desktop.desktop.panel.context.words import plain_name
from partner_desktop.desktop.parts.boxes import at_left, pairs, vbox
from partner_desktop.desktop.parts.controls import CopyButton, PillKind, text_label
from partner_desktop.desktop.permissions.words import rule_held_words
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, head_row
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import in_every_language, joined_words, tr
from partner_desktop.domain.audit import AuditEntry

_Said = Callable[[], str]

_KINDS: dict[str, _Said] = {
    "decision": lambda: tr("Decisions"),
    "run": lambda: tr("Runs that began"),
    "resume": lambda: tr("Runs begun again"),
    "result": lambda: tr("Results"),
    "undo": lambda: tr("What was undone"),
    "settings": lambda: tr("Changed permissions"),
    "forget": lambda: tr("What was forgotten"),
    "firing": lambda: tr("Times of schedules"),
}
_KIND: dict[str, _Said] = {
    "decision": lambda: tr("decision"),
    "run": lambda: tr("run"),
    "resume": lambda: tr("begun again"),
    "result": lambda: tr("result"),
    "undo": lambda: tr("undone"),
    "settings": lambda: tr("permissions"),
    "forget": lambda: tr("forgotten"),
    "firing": lambda: tr("planned time"),
}
_OUTCOMES: dict[str, tuple[_Said, PillKind]] = {
    "allow": (lambda: tr("allowed"), "good"),
    "ask": (lambda: tr("asked"), "careful"),
    "deny": (lambda: tr("refused"), "bad"),
    "started": (lambda: tr("began"), "busy"),
    "succeeded": (lambda: tr("succeeded"), "good"),
    "failed": (lambda: tr("failed"), "bad"),
    "cancelled": (lambda: tr("cancelled"), "plain"),
    "interrupted": (lambda: tr("cut off"), "careful"),
    "rejected": (lambda: tr("turned down"), "plain"),
    "expired": (lambda: tr("expired"), "plain"),
    "done": (lambda: tr("undone"), "good"),
    "half": (lambda: tr("undone in part"), "careful"),
    "missed": (lambda: tr("missed"), "careful"),
    "skipped": (lambda: tr("passed over"), "plain"),
    "added": (lambda: tr("added"), "plain"),
    "removed": (lambda: tr("taken out"), "plain"),
    "changed": (lambda: tr("changed"), "plain"),
    "revoked": (lambda: tr("taken back"), "plain"),
}
_BY: dict[str, _Said] = {
    "person": lambda: tr("you"),
    "grant": lambda: tr("a grant"),
    "rule": lambda: tr("a rule"),
    "policy": lambda: tr("Partner’s policy"),
    "flag": lambda: tr("a standing answer"),
}
_SCOPES: dict[str, _Said] = {
    "once": lambda: tr("this once"),
    "conversation": lambda: tr("in its conversation"),
    "always": lambda: tr("always"),
    "everywhere": lambda: tr("always, everywhere"),
}
_ALLOWED: dict[tuple[str, str], _Said] = {
    ("person", "once"): lambda: tr("You allowed {title}, once"),
    ("person", "conversation"): lambda: tr("You allowed {title} in its conversation"),
    ("person", "always"): lambda: tr("You allowed {title}, always"),
    ("person", "everywhere"): lambda: tr("You allowed {title}, always and everywhere"),
}
_ALLOWED_BY: dict[str, _Said] = {
    "grant": lambda: tr("Your grant allowed {title}"),
    "rule": lambda: tr("A rule allowed {title}"),
    "policy": lambda: tr("{title} needed no question"),
    "flag": lambda: tr("{title} was allowed beforehand"),
}
_REFUSED_BY: dict[str, _Said] = {
    "person": lambda: tr("You turned down {title}"),
    "rule": lambda: tr("A rule refused {title}"),
    "policy": lambda: tr("Policy refused {title}"),
    "flag": lambda: tr("{title} was refused beforehand"),
}
_HAPPENED: dict[tuple[str, str], _Said] = {
    ("decision", "ask"): lambda: tr("You were asked about {title}"),
    ("run", "started"): lambda: tr("{title} began"),
    ("resume", "started"): lambda: tr("{title} began again after a restart"),
    ("result", "succeeded"): lambda: tr("{title} succeeded"),
    ("result", "failed"): lambda: tr("{title} failed"),
    ("result", "cancelled"): lambda: tr("{title} was cancelled"),
    ("result", "interrupted"): lambda: tr("{title} was cut off"),
    ("result", "rejected"): lambda: tr("{title} was turned down"),
    ("result", "expired"): lambda: tr("{title} expired"),
    ("undo", "done"): lambda: tr("You undid what {title} did to files"),
    ("undo", "half"): lambda: tr("You undid a part of what {title} did to files"),
    ("forget", "done"): lambda: tr("You had something forgotten for good"),
    ("settings", "added"): lambda: tr("A rule for {title} was written"),
    ("settings", "removed"): lambda: tr("A rule for {title} was taken out"),
    ("settings", "changed"): lambda: tr("What runs without a question was changed"),
    ("settings", "revoked"): lambda: tr("You took back what you had allowed {title}"),
}
#: A step that was approved with its plan; the plan's id follows.
_OF_PLAN = "chain "
#: Reasons as the engine writes them, in English; the window says them in its own language.
_REASONS: dict[str, _Said] = {
    "it only reads": lambda: tr("it only reads"),
    "it needs your yes first": lambda: tr("it needs your yes first"),
    "approvals are switched off for this request": lambda: tr("approvals are switched off for this request"),
    "set aside with its part of the conversation": lambda: tr("set aside with its part of the conversation"),
    "a path of this run holds Partner's own data": lambda: tr("a path of this run holds Partner's own data"),
    "no ability is given the whole file system": lambda: tr("no ability is given the whole file system"),
    "tried out": lambda: tr("tried out"),
    "resumed": lambda: tr("resumed"),
    "a command line needs your own yes, on its card or a terminal": lambda: tr(
        "a command line needs your own yes, on its card or a terminal"
    ),
    "a shell command line needs your own yes on its card": lambda: tr(
        "a shell command line needs your own yes on its card"
    ),
    "a command that runs code from its arguments needs your own yes on its card": lambda: tr(
        "a command that runs code from its arguments needs your own yes on its card"
    ),
    "a command with administrator's rights needs your own yes on its card": lambda: tr(
        "a command with administrator's rights needs your own yes on its card"
    ),
    "the sandbox keeps it from changing or sending anything": lambda: tr(
        "the sandbox keeps it from changing or sending anything"
    ),
    "there is no sandbox here, and running without one needs your own yes on its card": lambda: tr(
        "there is no sandbox here, and running without one needs your own yes on its card"
    ),
}


def what_happened(entry: AuditEntry, title: str) -> str:
    """One row in a sentence, without its reason."""
    words: _Said | None = _HAPPENED.get((entry.kind, entry.outcome))
    if entry.kind == "decision" and entry.outcome == "allow":
        words = _ALLOWED.get((entry.by_whom, entry.scope)) or _ALLOWED_BY.get(entry.by_whom)
    elif entry.kind == "decision" and entry.outcome == "deny":
        words = _REFUSED_BY.get(entry.by_whom)
    if words is not None:
        return words().format(title=title)
    said = (title, kind_words(entry.kind), outcome_words(entry.outcome))
    return joined_words(*said)


def who_else(entry: AuditEntry) -> str:
    """By whom, where the sentence does not say it."""
    if not entry.by_whom or entry.by_whom in ("person", "grant", "rule"):
        return ""
    if (entry.outcome, entry.by_whom) == ("deny", "policy"):
        return ""
    return tr("by {whom}").format(whom=by_words(entry.by_whom))


def entry_title(key: str, titles: Mapping[str, str]) -> str:
    """What an action is called: by its ability while that is there, else by its key."""
    if key in titles:
        return titles[key]
    return plain_name(key.rpartition("::")[2] or key) or tr("an action")


def kinds_words(kind: str) -> str:
    """Rows of a kind, to choose from."""
    return _KINDS[kind]() if kind in _KINDS else plain_name(kind)


def kind_words(kind: str) -> str:
    """What a row is about."""
    return _KIND[kind]() if kind in _KIND else plain_name(kind).lower()


def outcome_words(outcome: str) -> str:
    """How it came out, in a word."""
    return _OUTCOMES[outcome][0]() if outcome in _OUTCOMES else plain_name(outcome).lower()


def outcome_kind(outcome: str) -> PillKind:
    """The colour that repeats it."""
    return _OUTCOMES[outcome][1] if outcome in _OUTCOMES else "plain"


def by_words(by_whom: str) -> str:
    """Who decided."""
    return _BY[by_whom]() if by_whom in _BY else by_whom


def scope_words(scope: str) -> str:
    """How far a decision reaches."""
    return _SCOPES[scope]() if scope in _SCOPES else scope


def reason_words(reason: str) -> str:
    """Why; what is not known stays as it was written."""
    if reason in _REASONS:
        return _REASONS[reason]()
    return tr("as a step of its plan") if reason.startswith(_OF_PLAN) else rule_held_words(reason)


def day_words(day: date, today: date) -> str:
    """The head of a day's rows."""
    days = (today - day).days
    if days == 0:
        return tr("Today")
    if days == 1:
        return tr("Yesterday")
    return day_in_words(day) if day.year == today.year else f"{day_in_words(day)} {day.year}"


def local_time(at: str) -> datetime:
    """A row's moment in the person's zone."""
    return datetime.fromisoformat(at).astimezone()


#: An entry; of the head of a day the first one below it.
AuditRow: TypeAlias = RowSpec[AuditEntry]
AUDIT_LOOK = RowLook(pad_y=7, gap=4, before="00:00:00")
_SHORT_HASH = 8


def audit_rows(
    entries: Iterable[AuditEntry], titles: Mapping[str, str], *, today: date, after: date | None = None
) -> Iterator[AuditRow]:
    """Newest first; a head where another day begins than that of the row before (`after`)."""
    for entry in entries:
        day = entry_day(entry)
        if day != after:
            after = day
            yield head_row(f"day/{entry.position}", day_words(day, today), entry)
        yield _row(entry, titles)


def entry_day(entry: AuditEntry) -> date:
    """Under whose head it stands."""
    return local_time(entry.at).date()


def _row(entry: AuditEntry, titles: Mapping[str, str]) -> AuditRow:
    title = what_happened(entry, entry_title(entry.action_key, titles))
    said = (who_else(entry), reason_words(entry.reason), entry.action_key)
    more = joined_words(*said)
    moment, tag = f"{local_time(entry.at):%H:%M:%S}", outcome_words(entry.outcome)
    return RowSpec(
        str(entry.position),
        title,
        entry,
        before=moment,
        lines=(RowLine(more, entry.content_hash[:_SHORT_HASH]),),
        tag=tag,
        tag_kind=outcome_kind(entry.outcome),
        opens=True,
        tip="\n".join(part for part in (title, more) if part),
        spoken=", ".join(part for part in (moment, title, tag, more) if part),
    )


class AuditSheet(RowSheet[AuditEntry]):
    """Stands below its row. An entry never changes."""

    def __init__(self, row: AuditRow) -> None:
        super().__init__()
        self.entry = row.about
        self._names = [text_label("", "muted") for _ in _fields(self.entry)]
        self._values = [text_label("", "small", wrap=True, selectable=True) for _ in self._names]
        fields = pairs(zip(self._names, self._values, strict=True), across=Space.L, down=2)
        self.copy = CopyButton(
            lambda: json.dumps(asdict(self.entry), ensure_ascii=False),
            lambda: self.tr("Copy this entry"),
            look="bare",
        )
        vbox(fields, at_left(self.copy), into=self, gap=Space.XS, margins=(0, 2, 0, 0))
        in_every_language(self, self._say, now=True)

    @property
    def text(self) -> str:
        pairs = zip(self._names, self._values, strict=True)
        return "\n".join(f"{name.text()}: {value.text()}" for name, value in pairs)

    def show_row(self, row: AuditRow) -> None:
        del row

    def _say(self) -> None:
        for (name, value), label, shown in zip(self._told(), self._names, self._values, strict=True):
            label.setText(name)
            shown.setText(value)

    def _told(self) -> Iterator[tuple[str, str]]:
        names = {
            "at": self.tr("Time"),
            "kind": self.tr("Kind"),
            "action_key": self.tr("Action"),
            "outcome": self.tr("Outcome"),
            "by_whom": self.tr("Decided by"),
            "scope": self.tr("Holds"),
            "reason": self.tr("Why, or how held"),
            "content_hash": self.tr("Version"),
            "params_hash": self.tr("Arguments, as a hash"),
            "action_id": self.tr("Card"),
            "position": self.tr("Entry"),
        }
        for field, value in _fields(self.entry):
            yield names[field], value


def _fields(entry: AuditEntry) -> list[tuple[str, str]]:
    """The fields that say something, in the order of the sheet."""
    fields = (
        ("at", local_time(entry.at).isoformat(sep=" ", timespec="milliseconds")),
        ("kind", kind_words(entry.kind)),
        ("action_key", entry.action_key),
        ("outcome", outcome_words(entry.outcome)),
        ("by_whom", by_words(entry.by_whom)),
        ("scope", scope_words(entry.scope)),
        ("reason", reason_words(entry.reason)),
        ("content_hash", entry.content_hash),
        ("params_hash", entry.params_hash),
        ("action_id", entry.action_id),
        ("position", f"{entry.position:,}"),
    )
    return [(name, value) for name, value in fields if value]
