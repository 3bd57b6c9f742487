"""Paints the rows of the audit log: when, what, how it came out; below, why, and of which version."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, Literal

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QGridLayout

from partner_desktop.base.late_dataclass import dataclass
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
from partner_desktop.desktop.parts.controls import CopyButton, PillKind, text_label
from partner_desktop.desktop.parts.lists.list_rows import (
    RowPaint,
    RowsModel,
    paint_ground,
    paint_section_head,
    section_head_height,
)
from partner_desktop.desktop.parts.lists.placed_view import Sheet
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.audit import AuditEntry

_PAD_X = 12
_PAD_Y = 7
_GAP = 4
_SIGN = 14
_BESIDE = 12
#: What is open begins within the air below its row.
_UP = 6
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


_SHORT_HASH = 8


@dataclass(frozen=True)
class AuditRow:
    """A head of a day, or an entry."""

    kind: Literal["head", "entry"]
    key: str
    title: str
    day: date
    time: str = ""
    more: str = ""
    """The second line: by whom, and why."""
    version: str = ""
    """The beginning of the hash of what ran."""
    tag: str = ""
    tag_kind: PillKind = "plain"
    entry: AuditEntry | None = None

    @property
    def opens(self) -> bool:
        """Heads have nothing behind them."""
        return self.entry is not None


def audit_rows(
    entries: Iterable[AuditEntry], titles: Mapping[str, str], *, today: date, after: date | None = None
) -> Iterator[AuditRow]:
    """Newest first; a head where another day begins than that of the row before (`after`)."""
    for entry in entries:
        row = _row(entry, titles)
        if row.day != after:
            after = row.day
            yield AuditRow("head", f"day/{entry.position}", day_words(row.day, today), row.day)
        yield row


def _row(entry: AuditEntry, titles: Mapping[str, str]) -> AuditRow:
    moment = local_time(entry.at)
    return AuditRow(
        kind="entry",
        key=str(entry.position),
        title=what_happened(entry, entry_title(entry.action_key, titles)),
        day=moment.date(),
        time=f"{moment:%H:%M:%S}",
        more=" · ".join(
            part for part in (who_else(entry), reason_words(entry.reason), entry.action_key) if part
        ),
        version=entry.content_hash[:_SHORT_HASH],
        tag=outcome_words(entry.outcome),
        tag_kind=outcome_kind(entry.outcome),
        entry=entry,
    )


class AuditModel(RowsModel[AuditRow]):
    """Heads can be neither chosen nor reached."""

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].opens:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def describe(self, row: AuditRow, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (row.time, row.title, row.tag, row.more) if part)
        if role == Qt.ItemDataRole.ToolTipRole and row.opens:
            return "\n".join(part for part in (row.title, row.more) if part)
        return None


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
        in_every_language(self, self._say, now=True)

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


class AuditPaint(RowPaint[AuditRow]):
    """The time of an entry stands before both of its lines."""

    def sheet(self, row: AuditRow) -> AuditSheet:
        return AuditSheet(row)

    def sheet_place(self, rect: QRect) -> QRect:
        return rect.adjusted(_PAD_X + _SIGN, -_UP, -_PAD_X, -_PAD_Y - _GAP)

    def paint(
        self, painter: QPainter, rect: QRect, row: AuditRow, *, marked: bool, hovered: bool, sheet: int
    ) -> None:
        theme = self._theme
        if row.kind == "head":
            paint_section_head(painter, rect.adjusted(4, 0, -4, 0), row.title, theme)
            return
        card = rect.adjusted(0, 0, 0, -_GAP)
        fill = "hover" if hovered and not sheet else "surface"
        paint_ground(painter, card, theme.color(fill), line=theme.color("accent" if marked else "line"))
        first = QRect(card.x() + _PAD_X, card.y() + _PAD_Y, card.width() - 2 * _PAD_X, self._first_height())
        second = QRect(first.x(), first.bottom() + 1, first.width(), self._second_height())
        self._paint_sign(painter, QPointF(first.x() + 4, first.center().y() + 1), unfolded=bool(sheet))
        self._paint_first(painter, first.adjusted(_SIGN, 0, 0, 0), row)
        below = second.adjusted(_SIGN, 0, 0, 0)
        self._paint_quiet(painter, below, row.more, row.version, left=self._time_width())

    def _paint_first(self, painter: QPainter, rect: QRect, row: AuditRow) -> None:
        theme = self._theme
        painter.setFont(theme.font(theme.sizes.small))
        painter.setPen(theme.color("muted"))
        painter.drawText(rect, _LEFT, row.time)
        self._paint_title(painter, rect.adjusted(self._time_width(), 0, 0, 0), row, row.title)

    def _measure(self, row: AuditRow) -> int:
        if row.kind == "head":
            return section_head_height(self._theme)
        return 2 * _PAD_Y + self._first_height() + self._second_height() + _GAP

    def _time_width(self) -> int:
        metrics = QFontMetrics(self._theme.font(self._theme.sizes.small))
        return metrics.horizontalAdvance("00:00:00") + _BESIDE
