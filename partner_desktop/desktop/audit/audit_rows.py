"""The rows of the audit log: when, what, how it came out; below, why, and of which version."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import date
from typing import TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from partner_desktop.desktop.audit.words import (
    by_words,
    day_words,
    entry_title,
    kind_words,
    local_time,
    outcome_kind,
    outcome_words,
    reason_words,
    scope_words,
    what_happened,
    who_else,
)
from partner_desktop.desktop.parts.boxes import at_left, vbox
from partner_desktop.desktop.parts.controls import CopyButton, text_label
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, head_row
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.audit import AuditEntry

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
    more = " · ".join(part for part in said if part)
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
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.L)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for line, (name, value) in enumerate(zip(self._names, self._values, strict=True)):
            grid.addWidget(name, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, line, 1)
        self.copy = CopyButton(
            lambda: json.dumps(asdict(self.entry), ensure_ascii=False),
            lambda: self.tr("Copy this entry"),
            look="bare",
        )
        vbox(grid, at_left(self.copy), into=self, gap=Space.XS, margins=(0, 2, 0, 0))
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
