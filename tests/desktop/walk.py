"""Every text of a window: what is read, what is hinted at, what screen readers say."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)


def texts(window: QWidget) -> Iterator[tuple[str, str]]:
    """Where (a widget's class and the kind of text) and what; Qt's own inner parts are left out."""
    for widget in (window, *window.findChildren(QWidget)):
        if widget.objectName().startswith("qt_"):
            continue
        for kind, text in _of(widget):
            if text.strip():
                yield f"{type(widget).__name__}.{kind}", text


def _of(widget: QWidget) -> Iterator[tuple[str, str]]:
    yield "accessibleName", widget.accessibleName()
    yield "accessibleDescription", widget.accessibleDescription()
    yield "toolTip", widget.toolTip()
    yield "windowTitle", widget.windowTitle()
    match widget:
        case QLabel() | QAbstractButton():
            yield "text", widget.text()
        case QLineEdit():
            yield "text", widget.text()
            yield "placeholderText", widget.placeholderText()
        case QPlainTextEdit() | QTextEdit():
            yield "text", widget.toPlainText()
            yield "placeholderText", widget.placeholderText()
        case QComboBox():
            yield from (("item", widget.itemText(index)) for index in range(widget.count()))
        case QAbstractItemView():
            yield from _items(widget.model())


def _items(model: QAbstractItemModel) -> Iterator[tuple[str, str]]:
    for row in range(model.rowCount()):
        for role in _ROLES:
            said = model.index(row, 0).data(role)
            if isinstance(said, str):
                yield f"row.{role.name}", said
