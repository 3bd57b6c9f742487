"""Entries of the audit log as rows under the heads of their days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from partner_desktop.desktop.audit.words import (
    day_words,
    local_time,
    outcome_kind,
    outcome_words,
    reason_words,
    title_of,
    what_happened,
    who_else,
)
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.parts.rows import RowsModel
from partner_desktop.domain.audit import AuditEntry

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
        title=what_happened(entry, title_of(entry.action_key, titles)),
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
