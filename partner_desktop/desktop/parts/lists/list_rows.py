"""What the lists share: rows that are changed by their difference, and how rows are painted.

Painted are section heads, grounds of rows, pills, and rows of two lines that open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QListView

from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.parts.tips import plain_tip
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText, bind_text

T = TypeVar("T")

#: The role under which a row itself is found.
ROW_ROLE = int(Qt.ItemDataRole.UserRole)


class RowsModel(QAbstractListModel, Generic[T]):
    """A list of rows that compare by value."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[T] = []

    @property
    def rows(self) -> Sequence[T]:
        """What is shown, in order."""
        return self._rows

    def set_rows(self, rows: Sequence[T]) -> None:
        """Show these: the unequal stretch between the equal ends is replaced."""
        old = self._rows
        start = 0
        while start < min(len(old), len(rows)) and old[start] == rows[start]:
            start += 1
        end = 0
        while end < min(len(old), len(rows)) - start and old[-1 - end] == rows[-1 - end]:
            end += 1
        old_stop, new_stop = len(old) - end, len(rows) - end
        if old_stop - start == new_stop - start:
            self.replace(start, rows[start:new_stop])
            return
        if old_stop > start:
            self.beginRemoveRows(QModelIndex(), start, old_stop - 1)
            del old[start:old_stop]
            self.endRemoveRows()
        if new_stop > start:
            self.beginInsertRows(QModelIndex(), start, new_stop - 1)
            old[start:start] = rows[start:new_stop]
            self.endInsertRows()

    def reset_rows(self, rows: Sequence[T]) -> None:
        """Show these without comparing: for very many rows, of which a view keeps what it needs itself."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def add_rows(self, rows: Sequence[T]) -> None:
        """Show these too, at the end."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows += rows
            self.endInsertRows()

    def replace(self, start: int, rows: Sequence[T]) -> None:
        """Show these in place of as many from `start` on."""
        if rows:
            self._rows[start : start + len(rows)] = rows
            self.dataChanged.emit(self.index(start), self.index(start + len(rows) - 1))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's own signature
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        said = self.describe(row, role)
        tip = role == Qt.ItemDataRole.ToolTipRole and isinstance(said, str)
        return plain_tip(said) if tip else said

    def describe(self, row: T, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        """What a role shows of a row; also what screen readers say."""
        raise NotImplementedError


class RowsList(QListView):
    """Painted rows, reached by Tab; a click and Enter choose one."""

    def __init__(self, rows: RowsModel[Any], name: LazyText) -> None:
        super().__init__()
        bind_text(self, self.setAccessibleName, name)
        self.setModel(rows)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

    def _choose(self, index: QModelIndex) -> None:
        raise NotImplementedError


_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_CENTER = int(Qt.AlignmentFlag.AlignCenter)
_PILL_PAD = 8
_BESIDE = 12


def section_head_height(theme: Theme) -> int:
    """Room for a section's name and the air above it."""
    return QFontMetrics(theme.font(theme.sizes.head)).height() + 22


def paint_section_head(painter: QPainter, rect: QRect, text: str, theme: Theme) -> None:
    """A section's name in small capitals' manner."""
    painter.setFont(theme.font(theme.sizes.head))
    painter.setPen(theme.color("muted"))
    painter.drawText(rect.adjusted(0, 6, 0, 0), _LEFT, text.upper())


def paint_line(
    painter: QPainter,
    rect: QRect,
    text: str,
    theme: Theme,
    *,
    points: float,
    color: str,
    strong: bool = False,
) -> None:
    """One line of text that ends in an ellipsis where it does not fit."""
    font = theme.font(points, strong=strong)
    painter.setFont(font)
    painter.setPen(theme.color(color))
    painter.drawText(
        rect, _LEFT, QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    )


def paint_ground(
    painter: QPainter, rect: QRect, fill: QColor, *, line: QColor | None = None, radius: float = 10
) -> None:
    """A rounded ground, with a line around it when one is given."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill)
    painter.setPen(QPen(line, 1) if line is not None else Qt.PenStyle.NoPen)
    inset = 0.5 if line is not None else 0.0
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius)


def pill_width(text: str, theme: Theme) -> int:
    """How wide a pill with this word is."""
    return QFontMetrics(theme.font(theme.sizes.head, strong=True)).horizontalAdvance(text) + 2 * _PILL_PAD


def paint_pill(painter: QPainter, right: int, middle: int, text: str, kind: PillKind, theme: Theme) -> QRect:
    """A pill whose right end is at `right`; returns its place."""
    font = theme.font(theme.sizes.head, strong=True)
    height = QFontMetrics(font).height() + 4
    rect = QRect(right - pill_width(text, theme), middle - height // 2, pill_width(text, theme), height)
    fill, ink = {
        "plain": ("raised", "muted"),
        "good": ("good_soft", "good"),
        "careful": ("careful_soft", "careful"),
        "bad": ("bad_soft", "bad"),
        "busy": ("accent_soft", "accent"),
    }[kind]
    line = theme.color("line") if kind == "plain" else None
    paint_ground(painter, rect, theme.color(fill), line=line, radius=height / 2)
    painter.setFont(font)
    painter.setPen(theme.color(ink))
    painter.drawText(rect, _CENTER, text)
    return rect


class Drawn(Protocol):
    """What of a row is painted."""

    @property
    def kind(self) -> str: ...

    @property
    def tag(self) -> str: ...

    @property
    def tag_kind(self) -> PillKind: ...


D = TypeVar("D", bound=Drawn)


class RowPaint(Generic[D]):
    """Rows of a strong line and a quiet one. Heights are measured once for each size of text."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._heights: dict[str, int] = {}
        theme.changed.connect(self._heights.clear)

    def height(self, row: D) -> int:
        """Of the row itself."""
        if row.kind not in self._heights:
            self._heights[row.kind] = self._measure(row)
        return self._heights[row.kind]

    def _measure(self, row: D) -> int:
        raise NotImplementedError

    def _paint_title(self, painter: QPainter, rect: QRect, row: D, title: str, color: str = "ink") -> None:
        """The strong line from the left of `rect`, its pill at the right."""
        theme = self._theme
        if row.tag:
            paint_pill(painter, rect.right() + 1, rect.center().y(), row.tag, row.tag_kind, theme)
            rect = rect.adjusted(0, 0, -pill_width(row.tag, theme) - 8, 0)
        paint_line(painter, rect, title, theme, points=theme.sizes.body, color=color, strong=True)

    def _paint_quiet(
        self, painter: QPainter, rect: QRect, words: str, beside: str, *, left: int, color: str = "muted"
    ) -> None:
        """The quiet line: `beside` at the right, the words from `left` on in the room before it."""
        theme = self._theme
        font = theme.font(theme.sizes.small)
        width = QFontMetrics(font).horizontalAdvance(beside)
        painter.setFont(font)
        painter.setPen(theme.color(color))
        painter.drawText(rect, _RIGHT, beside)
        room = rect.adjusted(left, 0, -width - (_BESIDE if width else 0), 0)
        paint_line(painter, room, words, theme, points=theme.sizes.small, color="muted")

    def _paint_sign(self, painter: QPainter, middle: QPointF, *, unfolded: bool) -> None:
        """A small angle: to the right where there is more, down where it is shown."""
        angle = [middle + QPointF(-2, -4), middle + QPointF(2, 0), middle + QPointF(-2, 4)]
        if unfolded:
            angle = [middle + QPointF(-4, -2), middle + QPointF(0, 2), middle + QPointF(4, -2)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._theme.color("muted"), 1.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(angle))

    def _first_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.body, strong=True)).height() + 3

    def _second_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.small)).height() + 2
