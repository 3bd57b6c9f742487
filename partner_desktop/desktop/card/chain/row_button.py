"""The line of a step that is pressed to see more of it: a button with widgets on it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.chain.step_sign import StepSign
from partner_desktop.desktop.parts.boxes import at_middle, hbox, vbox
from partner_desktop.desktop.parts.buttons import PushButton, prepare_button
from partner_desktop.desktop.parts.labels import ElidedLabel, Pill, PillKind, show_words, text_label
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.signs import SignName, sign_icon
from partner_desktop.desktop.theme.style import set_look, zoomed
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.chain import StepStatus

MARGIN, GAP = 16, 12
#: Where the words begin, behind the sign.
WORDS_LEFT = 48
_ARROW = 12


class RowButton(PushButton):
    """Sign, title and a line below it; at the right what it may and where it stands."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._open = False
        prepare_button(self, "step", name="")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.sign = StepSign(theme)
        self.title = ElidedLabel("")
        self.line = ElidedLabel("", "muted")
        self.risk = Pill()
        self.note = text_label("", "muted")
        self.status = Pill()
        self._arrow = text_label()
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 9, MARGIN, 9)
        row.setSpacing(GAP)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(vbox(self.title, self.line, gap=1), 1)
        chips = hbox(
            at_middle(self.note), at_middle(self.risk), at_middle(self.status), at_middle(self._arrow), gap=8
        )
        row.addLayout(chips)
        for part in (self.title, self.line, self.risk, self.note, self.status, self._arrow):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self._draw_arrow)
        self._draw_arrow()

    def show_sign(self, number: int, status: StepStatus) -> None:
        """Its number, or what became of it."""
        self.sign.show_step(number, status)
        put_aside = status in (StepStatus.SKIPPED, StepStatus.CANCELLED)
        set_look(self.title, "dim" if put_aside else "")

    def show_words(self, title: str, line: str, *, fault: bool) -> None:
        """What it is, and its arguments or what came of it."""
        self.title.set_text(shown(title))
        self.line.set_text(line)
        self.line.setVisible(bool(line))
        set_look(self.line, "fault-small" if fault else "muted")

    def fits(self, line: str) -> bool:
        """Whether a line of words would be shown whole."""
        return line == shown(line) and self.line.fontMetrics().horizontalAdvance(line) <= self.title.width()

    def show_chips(self, risk: tuple[str, PillKind], status: tuple[str, PillKind], note: str) -> None:
        """What it may do and where it stands, each in a word."""
        self.risk.say(*risk)
        self.status.say(*status)
        show_words(self.note, note)

    def show_open(self, *, is_open: bool) -> None:
        """Point the arrow the right way."""
        self._open = is_open
        self._draw_arrow()

    def sizeHint(self) -> QSize:
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._row.minimumSize()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        if event.type() == QEvent.Type.ToolTip:
            cut_short = [label.text() for label in (self.title, self.line) if label.toolTip()]
            set_tip(self, cut_short[0] if cut_short else "")
        return super().event(event)

    def _draw_arrow(self) -> None:
        size = zoomed(_ARROW)
        name: SignName = "chevron_up" if self._open else "chevron_down"
        icon = sign_icon(name, self._theme.color("muted"), size_px=size)
        self._arrow.setPixmap(icon.pixmap(QSize(size, size), self.devicePixelRatioF()))
