"""What an open entry shows: all of its fields, as they stand in the log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from partner_desktop.desktop.audit.rows import AuditRow
from partner_desktop.desktop.audit.words import (
    by_words,
    kind_words,
    local_time,
    outcome_words,
    reason_words,
    scope_words,
)
from partner_desktop.desktop.parts.boxes import at_left, vbox
from partner_desktop.desktop.parts.controls import CopyButton, text_label
from partner_desktop.desktop.parts.placed_view import Sheet
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.audit import AuditEntry


class AuditSheet(Sheet[AuditRow]):
    """Stands below its row. An entry never changes."""

    def __init__(self, row: AuditRow) -> None:
        super().__init__()
        assert row.entry is not None, "heads do not open"
        self.entry = row.entry
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
        in_every_language(self, self._say)
        self._say()

    @property
    def text(self) -> str:
        """All that is shown."""
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
