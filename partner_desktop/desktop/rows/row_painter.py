"""Paints every row of every list, and says where on it the controls are."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextLayout

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec
from partner_desktop.desktop.rows.strokes import (
    AT_LEFT,
    AT_RIGHT,
    paint_angle,
    paint_dot,
    paint_dots,
    paint_ground,
    paint_line,
    paint_pill,
    paint_section_head,
    paint_share,
    paint_sign,
    paint_switch,
    pill_width,
    row_text,
    section_head_height,
)
from partner_desktop.desktop.theme.theme import Theme

#: Whatever a row stands for, it is painted alike.
AnyRow: TypeAlias = RowSpec[Any]
RowControl: TypeAlias = Literal["switch", "menu", "fold", "link", ""]


@dataclass(frozen=True)
class RowLook:
    """How the rows of a list look, in pixels where nothing else is said."""

    pad_x: int = 12
    pad_y: int = 9
    gap: int = 6
    """The air below a row belongs to it."""
    head_pad: int = 4
    cards: bool = True
    """Each has a ground and a line; else only where the pointer or the keyboard is, and what is chosen."""
    strong: bool = True
    """Titles are."""
    dots: Literal["", "always", "pointed"] = ""
    """When the sign of a row's menu shows."""
    indent: int = 12
    """Of inner rows."""
    before: str = ""
    """As wide as what stands in front of titles."""


CARDS = RowLook()

#: Heights that are remembered: those of rows that wrap are as many as their texts.
_MOST_KEPT = 4_000
_SIGN = 14
_BESIDE = 12
_BAR = 3
_DOTS = 22
_SWITCH_WIDTH, _SWITCH_HEIGHT = 28, 16
_CONTROLS_GAP = 8
#: Around a control what is near counts as on it.
_NEAR = 5
#: Between a row and what is open below it.
_AIR = 8
_NOWHERE = QRect()


class RowParts(NamedTuple):
    """Where everything of a row stands; what it does not have has an empty place."""

    card: QRect
    first: QRect
    title: QRect
    moment: QRect
    lines: tuple[QRect, ...]
    tag: QRect
    tag_words: str
    switch: QRect
    dots: QRect
    fold: QRect
    link: QRect


class RowPainter:
    """Heights are measured once for each shape of a row and each size of text."""

    def __init__(self, theme: Theme, look: RowLook = CARDS) -> None:
        self.theme = theme
        self.look = look
        self._heights: dict[object, int] = {}
        theme.changed.connect(self._heights.clear)

    # How high.

    def height(self, row: AnyRow, width: int) -> int:
        """Of the row itself in a list of that width, without what is open below it."""
        lines = row.lines  # asked for each of ten thousand rows
        shape: object = (row.kind, len(lines), row.share is None)
        wraps = row.kind == "note"
        for line in lines:
            wraps = wraps or line.most > 1
        if wraps:
            shape = (shape, row.title if row.kind == "note" else "", lines, row.inner, width)
        height = self._heights.get(shape)
        if height is None:
            if len(self._heights) >= _MOST_KEPT:
                self._heights.clear()
            height = self._heights[shape] = self._measure(row, width)
        return height

    def _measure(self, row: AnyRow, width: int) -> int:
        if row.kind == "head":
            return section_head_height(self.theme)
        if row.kind == "note":
            return round(self._note(row, width).boundingRect().height()) + self.look.gap
        room = width - 2 * self.look.pad_x - self._lead(row) - (self.look.indent if row.inner else 0)
        lines = sum(self._line_height(line, room) for line in row.lines)
        bar = _BAR + 5 if row.share is not None else 0
        return 2 * self.look.pad_y + self._first_height() + lines + bar + self.look.gap

    def sheet_place(self, rect: QRect) -> QRect:
        """Where what is open stands within the room below its row."""
        look = self.look
        left = look.pad_x + (_SIGN if look.before else 0)
        return rect.adjusted(left, _AIR - look.pad_y - look.gap, -look.pad_x, -look.pad_y - look.gap)

    # Where.

    def parts(self, rect: QRect, row: AnyRow, *, dots: bool = True) -> RowParts:
        """`rect`: the row's whole place; `dots`: whether they show, where the list has any."""
        look = self.look
        card = rect.adjusted(look.indent if row.inner else 0, 0, 0, -look.gap)
        if row.kind == "head":
            link = self._link_place(rect.adjusted(0, 6, -look.head_pad, 0), row)
            none = _NOWHERE
            return RowParts(card, card, card, none, (), none, "", none, none, none, link)
        inner = card.adjusted(look.pad_x, look.pad_y, -look.pad_x, 0)
        first = QRect(inner.x(), inner.y(), inner.width(), self._first_height())
        title = first.adjusted(self._lead(row), 0, 0, 0)
        lines = self._lines_below(title, row)
        dots_place = switch = _NOWHERE
        if look.dots and dots and row.menu:
            right = first.right() + 1 if look.cards else card.right() - 4
            dots_place = QRect(right - _DOTS, first.center().y() - _DOTS // 2, _DOTS, _DOTS)
            title.setRight(dots_place.left() - _CONTROLS_GAP // 2)
        if row.on is not None:
            left = title.right() - _SWITCH_WIDTH
            top = first.center().y() - _SWITCH_HEIGHT // 2 + 1
            switch = QRect(left, top, _SWITCH_WIDTH, _SWITCH_HEIGHT)
            title.setRight(left - _CONTROLS_GAP)
        link = self._link_place(lines[0], row) if lines else _NOWHERE
        if not link.isNull():
            lines[0].setRight(link.left() - _CONTROLS_GAP)
        moment = _NOWHERE
        if row.moment:
            moment = QRect(title)
            moment.setLeft(title.right() + 1 - self._small().horizontalAdvance(row.moment))
            title.setRight(moment.left() - 8)
        words = self._tag_words(row, title.width())
        tag = self._tag_place(row, words, title, lines)
        fold = self._fold_place(row, lines)
        return RowParts(card, first, title, moment, tuple(lines), tag, words, switch, dots_place, fold, link)

    def control_at(self, rect: QRect, row: AnyRow, place: QPoint) -> RowControl:
        """What lies under the pointer, within the row's whole place."""
        parts = self.parts(rect, row)
        fold = parts.fold.united(parts.lines[0]) if not parts.fold.isNull() else _NOWHERE
        controls: tuple[tuple[RowControl, QRect], ...] = (
            ("fold", fold),
            ("menu", _near(parts.dots)),
            ("switch", _near(parts.switch)),
            ("link", _near(parts.link)),
        )
        return next((control for control, where in controls if where.contains(place)), "")

    def _lead(self, row: AnyRow) -> int:
        """What stands in front of the title takes so much."""
        lead = _SIGN if row.opens or row.leads or row.folds else 0
        if row.dot is not None:
            lead += self._small().height() if self.look.cards else _SIGN
        if self.look.before:
            lead += self._small().horizontalAdvance(self.look.before) + _BESIDE
        return lead

    def _lines_below(self, title: QRect, row: AnyRow) -> list[QRect]:
        places, top = [], title.bottom() + 1
        for line in row.lines:
            height = self._line_height(line, title.width())
            places.append(QRect(title.x(), top, title.width(), height))
            top += height
        return places

    def _link_place(self, line: QRect, row: AnyRow) -> QRect:
        if row.link is None:
            return QRect()
        width = self._small().horizontalAdvance(row.link.words)
        return QRect(line.right() + 1 - width, line.y(), width, line.height())

    def _tag_words(self, row: AnyRow, room: int) -> str:
        too_wide = row.tag_short is not None and pill_width(row.tag, self.theme) > room // 2
        return (row.tag_short or "") if too_wide else row.tag

    def _tag_place(self, row: AnyRow, words: str, title: QRect, lines: list[QRect]) -> QRect:
        """Takes its room from the line on which it stands."""
        if not words:
            return QRect()
        line, width = title, pill_width(words, self.theme)
        if row.tag_below and lines:
            needed = self._small().horizontalAdvance(row.lines[0].text)
            line = lines[0] if needed <= lines[0].width() - width - 8 else title
        place = QRect(line.right() + 1 - width, line.y(), width, line.height())
        line.setRight(place.left() - 8)
        return place

    def _fold_place(self, row: AnyRow, lines: list[QRect]) -> QRect:
        """Behind the words of the second line."""
        if row.folded is None or not lines:
            return QRect()
        line = lines[0]
        words = self._small().horizontalAdvance(row.lines[0].text)
        left = min(line.left() + words + _CONTROLS_GAP // 2, line.right() - line.height())
        line.setRight(left - 2)
        return QRect(left, line.top(), line.height(), line.height())

    # How it looks.

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        row: AnyRow,
        *,
        marked: bool,
        hovered: bool,
        chosen: bool = False,
        picked: bool = False,
        sheet: int = 0,
    ) -> None:
        """`rect`: of the row and of what is open below it together, `sheet`: how high that is."""
        if row.kind == "head":
            self._paint_head(painter, rect, row, marked=marked)
        elif row.kind == "note":
            painter.setPen(self.theme.color("muted"))
            self._note(row, rect.width()).draw(painter, QPointF(rect.x() + self.look.head_pad, rect.y()))
        else:
            own = rect.adjusted(0, 0, 0, -sheet)
            parts = self.parts(own, row, dots=self.look.dots == "always" or chosen or hovered or marked)
            card = parts.card.adjusted(0, 0, 0, sheet)
            hovered = hovered and not sheet
            self._paint_card(painter, card, row, marked=marked, hovered=hovered, chosen=chosen or picked)
            if picked:  # what is open has the same ground
                bar = card.adjusted(0, _BAR, _BAR - card.width(), -_BAR)
                paint_ground(painter, bar, self.theme.color("accent"), radius=_BAR / 2)
            self._paint_controls(painter, parts, row)
            self._paint_first(painter, parts, row, chosen=chosen, unfolded=bool(sheet))
            for place, line in zip(parts.lines, row.lines, strict=True):
                self._paint_line(painter, place, line)
            self._paint_share(painter, parts, row)

    def _paint_head(self, painter: QPainter, rect: QRect, row: AnyRow, *, marked: bool) -> None:
        theme, pad = self.theme, self.look.head_pad
        place = rect.adjusted(pad, 0, -pad, 0)
        if row.link is not None:
            link = self.parts(rect, row).link
            self._paint_link(painter, link, row.link.words, "accent")
            if marked:
                ring = link.adjusted(-5, 2, 5, -2)
                painter.setPen(theme.color("accent"))
                painter.drawRoundedRect(ring, 4, 4)
            place.setRight(link.left() - _BESIDE)
        width = QFontMetrics(theme.font(theme.sizes.head)).horizontalAdvance(row.moment)
        paint_section_head(painter, place.adjusted(0, 0, -width - (8 if width else 0), 0), row.title, theme)
        painter.drawText(place.adjusted(0, 6, 0, 0), AT_RIGHT, row.moment)

    def _paint_card(
        self, painter: QPainter, card: QRect, row: AnyRow, *, marked: bool, hovered: bool, chosen: bool
    ) -> None:
        theme = self.theme
        ground = "raised" if row.set_back else "surface" if self.look.cards else "background"
        fill = "accent_soft" if chosen else "hover" if hovered else ground
        if self.look.cards:
            paint_ground(painter, card, theme.color(fill), line=theme.color("accent" if marked else row.ring))
        elif chosen or hovered or marked:
            paint_ground(painter, card, theme.color(fill), line=theme.color("accent") if marked else None)

    def _paint_controls(self, painter: QPainter, parts: RowParts, row: AnyRow) -> None:
        theme = self.theme
        if not parts.dots.isNull():
            paint_dots(painter, parts.dots, theme)
        if row.on is not None:
            paint_switch(painter, parts.switch, theme, on=row.on)
        if row.folded is not None and not parts.fold.isNull():
            paint_sign(painter, parts.fold, "chevron_down" if row.folded else "chevron_up", theme)
        if row.link is not None:
            self._paint_link(painter, parts.link, row.link.words, "bad")

    def _paint_link(self, painter: QPainter, place: QRect, words: str, color: str) -> None:
        painter.setFont(self._small_font())
        painter.setPen(self.theme.color(color))
        painter.drawText(place, AT_RIGHT, words)

    def _paint_first(
        self, painter: QPainter, parts: RowParts, row: AnyRow, *, chosen: bool, unfolded: bool
    ) -> None:
        theme, first, title = self.theme, parts.first, parts.title
        small = theme.font(theme.sizes.small)
        if row.opens or row.leads or row.folds:
            middle = QPointF(first.x() + 4, first.center().y() + 1)
            paint_angle(painter, middle, theme, unfolded=unfolded or row.folded is False)
        if row.dot is not None:
            self._paint_dot(painter, first, row.dot)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        if row.before:
            painter.drawText(first.adjusted(_SIGN if row.opens else 0, 0, 0, 0), AT_LEFT, row.before)
        painter.drawText(parts.moment, AT_RIGHT, row.moment)
        if parts.tag_words:
            right, middle_y = parts.tag.right() + 1, parts.tag.center().y()
            paint_pill(painter, right, middle_y, parts.tag_words, row.tag_kind, theme)
        color = "muted" if row.quiet else "ink"
        strong = self.look.strong or chosen or row.strong
        points = theme.sizes.body
        if row.marks:
            self._draw_marked(painter, title, row)
        else:
            paint_line(painter, title, row.title, theme, points=points, color=color, strong=strong)

    def _draw_marked(self, painter: QPainter, title: QRect, row: AnyRow) -> None:
        font = self.theme.font(self.theme.sizes.body)
        text = row_text(
            row.title, font, title.width(), 1, marks=row.marks, mark_color=self.theme.color("ink")
        )
        painter.setPen(self.theme.color("ink"))
        text.draw(painter, QPointF(title.topLeft()))

    def _paint_dot(self, painter: QPainter, first: QRect, color: str) -> None:
        radius = self._small().height() / 4 if self.look.cards else 3.5
        middle = QPointF(first.x() + radius, first.center().y() + 0.5)
        paint_dot(painter, middle, self.theme.color(color), radius)

    def _paint_line(self, painter: QPainter, place: QRect, line: RowLine) -> None:
        theme = self.theme
        font = theme.font(theme.sizes.small)
        painter.setFont(font)
        if line.most > 1:
            painter.setPen(theme.color(line.color))
            self._wrapped(line, place.width()).draw(painter, QPointF(place.topLeft()))
            return
        width = QFontMetrics(font).horizontalAdvance(line.right)
        painter.setPen(theme.color(line.right_color))
        painter.drawText(place, AT_RIGHT, line.right)
        room = place.adjusted(0, 0, -width - (_BESIDE if width else 0), 0)
        paint_line(painter, room, line.text, theme, points=theme.sizes.small, color=line.color)

    def _paint_share(self, painter: QPainter, parts: RowParts, row: AnyRow) -> None:
        if row.share is not None:
            last = parts.lines[-1] if parts.lines else parts.title
            place = QRect(last.x(), last.bottom() + 5, parts.first.right() + 1 - last.x(), _BAR)
            paint_share(painter, place, row.share, self.theme, color="muted" if row.set_back else "accent")

    # Text.

    def _line_height(self, line: RowLine, width: int) -> int:
        if line.most > 1:
            return round(self._wrapped(line, width).boundingRect().height()) + 2
        return self._small().height() + 2

    def _wrapped(self, line: RowLine, width: int) -> QTextLayout:
        font, ink = self._small_font(), self.theme.color("ink")
        return row_text(line.text, font, max(width, 80), line.most, marks=line.marks, mark_color=ink)

    def _note(self, row: AnyRow, width: int) -> QTextLayout:
        return row_text(row.title, self._small_font(), max(width - 2 * self.look.head_pad, 80), 20)

    def _small_font(self) -> QFont:
        return self.theme.font(self.theme.sizes.small)

    def _small(self) -> QFontMetrics:
        return QFontMetrics(self._small_font())

    def _first_height(self) -> int:
        strong = self.look.strong
        return QFontMetrics(self.theme.font(self.theme.sizes.body, strong=strong)).height() + (
            2 if self.look.cards else 0
        )


def _near(place: QRect) -> QRect:
    return place if place.isNull() else place.adjusted(-_NEAR, -_NEAR, _NEAR, _NEAR)
