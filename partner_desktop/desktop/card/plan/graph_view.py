"""A plan that is not a line, drawn: a node for each step, zoomed and walked through by mouse and by keyboard.

The nodes are buttons, so that Tab, Enter and a screen reader find them; the lines are painted behind them.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.plan.graph_layout import (
    NODE_HEIGHT,
    NODE_WIDTH,
    GraphEdge,
    GraphLayout,
    Point,
    lay_out,
)
from partner_desktop.desktop.card.plan.row_parts import MARGIN, StepSign
from partner_desktop.desktop.card.plan.step_words import (
    chain_of,
    risk_chip,
    spoken_step,
    status_chip,
    verdict_chip,
)
from partner_desktop.desktop.parts.boxes import (
    before_unfolding,
    bring_into_view,
    drop_widget,
    hbox,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import PushButton, prepare_button, push_button, text_label
from partner_desktop.desktop.theme.theme import Radius, Theme, zoomed
from partner_desktop.desktop.wording import set_tip, tr
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.plan import Plan, Step, StepStatus

_LEAST, _MOST, _BY = 0.34, 2.0, 1.2
#: Below this zoom a title could not be read: a node has its number alone.
_WORDS_FROM = 0.62
_MOST_HEIGHT = 380
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_STATUS_COLORS = {
    StepStatus.RUNNING: "accent",
    StepStatus.WAITING: "careful",
    StepStatus.SUCCEEDED: "good",
    StepStatus.FAILED: "bad",
}
_KIND_COLORS = {"good": "good", "careful": "careful", "bad": "bad", "busy": "accent", "plain": "muted"}


class NodeButton(PushButton):
    """One step: its sign, its title, and where it stands in a word. `walked(right, down)` by the arrows."""

    walked = Signal(int, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title, self._word, self._color, self._number = "", "", "muted", ""
        self._border, self._zoom = "muted", 1.0
        prepare_button(self, "node", name="")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._sign = StepSign(theme)
        self._sign.setParent(self)

    def show_step(self, record: ActionRecord, step: Step) -> None:
        number = chain_of(record).number_of(step.id)
        words = (verdict_chip(record, step), status_chip(step), risk_chip(step))
        self._word, kind = next((word, kind) for word, kind in words if word)
        self._color, self._border = _KIND_COLORS[kind], _STATUS_COLORS.get(step.status, "muted")
        has_number = step.status in (StepStatus.PLANNED, StepStatus.WAITING)  # its sign is that
        self._title = shown(step.title) if has_number else f"{number}  {shown(step.title)}"
        self._number = "" if has_number else str(number)
        self._sign.show_step(number, step.status)
        self._put_sign()
        self.setAccessibleName(spoken_step(record, step))
        set_tip(self, f"{step.title}\n{self._word}")
        self.update()

    def place(self, left: float, top: float, zoom: float) -> None:
        """Stand there, so large."""
        self._zoom = zoom
        self.setGeometry(
            QRectF(left * zoom, top * zoom, NODE_WIDTH * zoom, NODE_HEIGHT * zoom).toAlignedRect()
        )
        self._put_sign()

    def _put_sign(self) -> None:
        """Before the words; alone in the middle where there are none and it is the number."""
        size = min(round(20 * max(self._zoom, 0.8)), self.height() - 4)
        left = top = round(10 * self._zoom)
        if self._zoom < _WORDS_FROM:
            top = (self.height() - size) // 2
            left = left if self._number else (self.width() - size) // 2
        self._sign.setGeometry(QRect(left, top, size, size))

    def sizeHint(self) -> QSize:
        return self.size()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = _ARROWS.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
        else:
            event.accept()
            self.walked.emit(*way)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.hasFocus()
        width = 2.5 if focused else 1.5
        border = self._theme.color("accent" if focused else self._border)
        if self._border == "muted" and not focused:
            border.setAlphaF(0.5)  # it is not its turn yet
        painter.setPen(QPen(border, width))
        painter.setBrush(self._theme.color("hover" if self.underMouse() else "raised"))
        inner = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawRoundedRect(inner, Radius.CONTROL, Radius.CONTROL)
        if self._zoom < _WORDS_FROM:
            self._paint_number(painter)
        else:
            self._paint_words(painter)
        painter.end()

    def _paint_number(self, painter: QPainter) -> None:
        painter.setFont(self._theme.font(self._theme.sizes.head, strong=True))
        painter.setPen(self._theme.color("ink"))
        room = QRectF(self.rect()).adjusted(self._sign.geometry().right() + 4, 0, -4, 0)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), self._number)

    def _paint_words(self, painter: QPainter) -> None:
        zoom = self._zoom / self._theme.zoom  # the sizes of the theme have grown already
        left, top, right = self._sign.geometry().right() + 8 * self._zoom, 8 * self._zoom, 8 * self._zoom
        room = QRectF(left, top, self.width() - left - right, self.height() - 2 * top)
        font = self._theme.font(self._theme.sizes.small * zoom, strong=True)
        painter.setFont(font)
        painter.setPen(self._theme.color("ink"))
        lines = _two_lines(self._title, QFontMetrics(font), int(room.width()))
        height = QFontMetrics(font).lineSpacing()
        for at, line in enumerate(lines):
            painter.drawText(QPointF(room.left(), room.top() + at * height + height * 0.8), line)
        small = self._theme.font(self._theme.sizes.head * zoom)
        painter.setFont(small)
        painter.setPen(self._theme.color(self._color))
        word = QFontMetrics(small).elidedText(self._word, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom), word)


def _two_lines(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """A text broken once, where a word ends if it can; the rest is left away behind an ellipsis."""
    if metrics.horizontalAdvance(text) <= width:
        return [text]
    fits = len(metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)) - 1
    space = text.rfind(" ", 0, fits + 1)
    end = space if space > fits // 2 else max(1, fits)
    rest = text[end:].strip()
    return [text[:end].rstrip(), metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)]


class GraphCanvas(QWidget):
    """The nodes on their lines. `chosen(step_id)`; `walked_to(node)`; `zoom_wanted(steps)`."""

    chosen = Signal(str)
    walked_to = Signal(object)
    zoom_wanted = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._theme = theme
        self._layout: GraphLayout | None = None
        self._zoom = 1.0
        self.nodes: dict[str, NodeButton] = {}

    def show_layout(self, layout: GraphLayout, zoom: float) -> None:
        self._layout, self._zoom = layout, zoom
        for step_id in [each for each in self.nodes if each not in layout.places]:
            drop_widget(self.nodes.pop(step_id))
        before: QWidget | None = None
        for step_id, (left, top) in layout.places.items():
            node = self.nodes.get(step_id) or self._new_node(step_id)
            node.place(left, top, zoom)
            node.show()
            if before is not None:
                QWidget.setTabOrder(before, node)
            before = node
        self.setFixedSize(round(layout.width * zoom), round(layout.height * zoom))
        self.update()

    def show_steps(self, record: ActionRecord) -> None:
        for step in chain_of(record).steps:
            if step.id in self.nodes:
                self.nodes[step.id].show_step(record, step)

    def _new_node(self, step_id: str) -> NodeButton:
        node = self.nodes[step_id] = NodeButton(self._theme)
        node.setParent(self)
        node.clicked.connect(lambda: self.chosen.emit(step_id))
        node.walked.connect(lambda right, down: self._walk(step_id, right, down))
        return node

    def _walk(self, step_id: str, right: int, down: int) -> None:
        if self._layout is not None:
            node = self.nodes[self._layout.next_to(step_id, right, down)]
            node.setFocus(Qt.FocusReason.OtherFocusReason)
            self.walked_to.emit(node)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.accept()
            self.zoom_wanted.emit(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self._layout is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self._zoom, self._zoom)
        for edge, points in self._layout.lines:
            self._paint_line(painter, edge, points, is_across=self._layout.is_across)
        painter.end()

    def _paint_line(
        self, painter: QPainter, edge: GraphEdge, points: tuple[Point, ...], *, is_across: bool
    ) -> None:
        path = QPainterPath(QPointF(*points[0]))
        for start, end in pairwise(points):
            half = (end[0] - start[0]) / 2 if is_across else (end[1] - start[1]) / 2
            aside, down = (half, 0.0) if is_across else (0.0, half)
            path.cubicTo(start[0] + aside, start[1] + down, end[0] - aside, end[1] - down, *end)
        color = self._theme.color("muted")
        style = Qt.PenStyle.SolidLine if edge.carries else Qt.PenStyle.DashLine
        painter.setPen(QPen(color, 1.4 / max(self._zoom, 0.5), style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        x, y = points[-1]
        back, side = 7.0, 4.0
        tips = (
            [(x - back, y - side), (x - back, y + side)]
            if is_across
            else [(x - side, y - back), (x + side, y - back)]
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF([QPointF(x, y), *(QPointF(*tip) for tip in tips)]))


class PlanGraph(QWidget):
    """The button that shows the graph, and the graph below it. `chosen(step_id)`."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._record: ActionRecord | None = None
        self._zoom = 0.0
        self.canvas: GraphCanvas | None = None
        self.switch = push_button(lambda: tr("Graph"), "segment", pressed=self.toggle)
        self.switch.setCheckable(True)
        self.smaller = push_button(
            "−", "segment", name=lambda: tr("Zoom out"), pressed=lambda: self.zoom_by(-1)
        )
        self.larger = push_button("+", "segment", name=lambda: tr("Zoom in"), pressed=lambda: self.zoom_by(1))
        self.fit = push_button(lambda: tr("Fit"), "segment", pressed=lambda: self.zoom_by(0))
        self._hint = text_label(
            lambda: tr("A line brings something; a dashed one is only the order."), "muted", wrap=True
        )
        self._tools = (self.smaller, self.larger, self.fit)
        for tool in (*self._tools, self._hint):
            tool.setParent(self)
            tool.hide()
        bar = hbox(self.switch, stretch(1), *self._tools, gap=6, margins=(MARGIN, 8, MARGIN, 8))
        self._column = vbox(bar, into=self)

    @property
    def zoom(self) -> float:
        """1 is the size of the design; while none was chosen, what shows all."""
        return self._zoom or self._fitting()[1]

    def show_record(self, record: ActionRecord) -> None:
        before, self._record = self._record, record
        if self.canvas is None:
            return
        if before is None or _shape(chain_of(before)) != _shape(chain_of(record)):
            self._place()
        self.canvas.show_steps(record)

    def toggle(self) -> None:
        """Show the graph, or fold it away."""
        before_unfolding(self)
        if self.canvas is None:
            self._open()
        else:
            self._column.removeWidget(self._hint)
            self._column.removeWidget(self._area)
            self._hint.hide()
            drop_widget(self._area)
            self.canvas = None
        for tool in self._tools:
            tool.setVisible(self.canvas is not None)
        self.switch.setChecked(self.canvas is not None)

    def zoom_by(self, steps: int) -> None:
        """Larger or smaller; 0: so that all can be seen."""
        self._zoom = 0.0 if steps == 0 else min(max(self.zoom * _BY**steps, _LEAST), _MOST)
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {"+": 1, "=": 1, "-": -1, "0": 0}.get(event.text())
        if steps is None or self.canvas is None:
            super().keyPressEvent(event)
        else:
            event.accept()
            self.zoom_by(steps)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place()

    def _open(self) -> None:
        self.canvas = GraphCanvas(self._theme)
        self.canvas.chosen.connect(self.chosen)
        self.canvas.walked_to.connect(bring_into_view)
        self.canvas.zoom_wanted.connect(self.zoom_by)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._area.setWidget(self.canvas)
        self._column.addWidget(self._area)
        self._column.addWidget(self._hint)
        self._hint.setContentsMargins(MARGIN, 0, MARGIN, 8)
        self._hint.show()
        self._place()
        if self._record is not None:
            self.canvas.show_steps(self._record)

    def _place(self) -> None:
        if self.canvas is None or self._record is None:
            return
        layout, fitting = self._fitting()
        self.canvas.show_layout(layout, (self._zoom or fitting) * self._theme.zoom)
        bar = self._area.horizontalScrollBar().sizeHint().height()
        wide = self.canvas.width() > self.width()
        self._area.setFixedHeight(min(self.canvas.height() + (bar if wide else 0), zoomed(_MOST_HEIGHT)))

    def _fitting(self) -> tuple[GraphLayout, float]:
        """The way round that shows more, and the zoom at which all of it can be seen."""
        plan = chain_of(self._record) if self._record is not None else Plan(())
        room = max(1, self.width()) / self._theme.zoom
        found = []
        for is_across in (False, True):
            layout = lay_out(plan, is_across=is_across)
            found.append((min(1.0, room / layout.width, _MOST_HEIGHT / layout.height), layout))
        zoom, layout = max(found, key=lambda each: each[0])
        return layout, max(zoom, _LEAST)


def _shape(plan: Plan) -> object:
    """All that its picture is made of, the states of its steps aside."""
    return [[(step.id, step.feeds, step.mends, step.reason) for step in stage.steps] for stage in plan.stages]
