"""What an open row of the Context tab shows: the whole reason, how it stood, its names, the exact words."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from partner_desktop.desktop.panel.context.rows import ContextItem, ContextRow
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, push_button, show_words, text_label
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.wording import LazyText, in_every_language


class BlockSheet(RowSheet[ContextItem]):
    """Stands below its row; the text is cut where it is very long, and one button shows all of it."""

    def __init__(self, row: ContextRow) -> None:
        super().__init__()
        self._row = row
        self._reason = text_label("", "", wrap=True, selectable=True)
        self._facts = text_label("", "muted", wrap=True)
        self._raw = text_label("", "muted", wrap=True, selectable=True)
        self.text = ExactText(self._text_name)
        self.copy = CopyButton(lambda: self._row.about.text, self._copy_name, look="bare")
        self.all_button = push_button("", "bare", pressed=self._show_all)
        in_every_language(self, self._say_all)
        vbox(
            self._reason,
            self._facts,
            self._raw,
            self.text,
            hbox(self.copy, self.all_button, stretch(), gap=12),
            into=self,
            gap=4,
            margins=(0, 2, 0, 0),
        )
        self._fill()

    def show_row(self, row: ContextRow) -> None:
        """The same block in another turn; a text that is the same stays as it was scrolled."""
        if row == self._row:
            return
        self._row = row
        self._fill()

    def _fill(self) -> None:
        row = self._row
        for label, words in (
            (self._reason, row.about.reason),
            (self._facts, row.about.facts),
            (self._raw, row.about.raw),
        ):
            show_words(label, words)
        self.text.show_text(row.about.text)
        for part in (self.text, self.copy):
            part.setVisible(bool(row.about.text))
        # Rows are made a portion at a time: in another language this one comes after that was announced.
        self.text.setAccessibleName(self._text_name())
        self.copy.setAccessibleName(self._copy_name())
        self._say_all()

    def _text_name(self) -> str:
        return self.tr("The exact text of {name}").format(name=self._row.title)

    def _copy_name(self) -> str:
        return self.tr("Copy the exact text of {name}").format(name=self._row.title)

    def _show_all(self) -> None:
        if self.all_button.hasFocus():
            self.text.setFocus(Qt.FocusReason.TabFocusReason)
        self.text.show_all()
        self._say_all()

    def _say_all(self) -> None:
        words = self.tr("Show all {count} characters").format(count=f"{len(self._row.about.text):,}")
        self.all_button.setText(words)
        self.all_button.setAccessibleName(words)
        self.all_button.setVisible(self.text.is_cut)


#: Characters that are shown at first.
CUT_AT = 4_000
#: No line that Qt lays out is longer.
LONGEST_LINE = 500
_MOST_LINES = 14
_PAD_X = 18
_PAD_Y = 14


class ExactText(CodeView):
    """The exact words of a block: as high as its wrapped lines, up to a limit; then it scrolls.

    Lines without an end are folded for the eye: Qt lays a line out as a whole, and one of 200,000 characters
    would hold the window for seconds. Copying gives the text as it is.
    """

    def __init__(self, name: LazyText) -> None:
        super().__init__(name, most_lines=_MOST_LINES)
        self._whole = ""
        self._all = False
        self._lines: dict[int, int] = {}
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def is_cut(self) -> bool:
        """Whether there is more than is shown."""
        return not self._all and len(self._whole) > CUT_AT

    def show_text(self, text: str) -> None:
        """Replace the text; the same one stays as it is."""
        if text == self._whole and self.toPlainText():
            return
        self._whole, self._all = text, False
        self._put()

    def show_all(self) -> None:
        if self.is_cut:
            self._all = True
            self._put()

    def _put(self) -> None:
        self._lines.clear()
        shown = self._whole[:CUT_AT] + "…" if self.is_cut else self._whole
        super().show_text(folded(shown))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return ceil(min(self._lines_in(width), _MOST_LINES) * self._line_height()) + _PAD_Y

    def _lines_in(self, width: int) -> int:
        """Kept, because layouts ask often."""
        if width not in self._lines:
            self._lines[width] = self._count_lines(max(40, width - _PAD_X))
        return self._lines[width]

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(120, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, ceil(self._line_height()) + _PAD_Y)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._fit()
        super().resizeEvent(event)

    def _line_height(self) -> float:
        """Of one line: the first block may have several."""
        layout = self.document().firstBlock().layout()
        laid_out = layout.lineAt(0).height() if layout.lineCount() else 0.0
        return max(laid_out, float(self.fontMetrics().lineSpacing()))

    def _fit(self) -> None:
        """A bar only where there is more than shows: it takes room from the lines, and makes more of them."""
        self._lines = {}
        more = self._lines_in(self.width()) > _MOST_LINES
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if more else policy.ScrollBarAlwaysOff)
        self.updateGeometry()

    def _count_lines(self, width: int) -> int:
        """Up to the most that show."""
        count = 0
        block = self.document().firstBlock()
        while block.isValid() and count <= _MOST_LINES:
            count += _wrapped(block.text(), self, width)
            block = block.next()
        return max(1, count)


def _wrapped(line: str, view: ExactText, width: int) -> int:
    layout = QTextLayout(line, view.font())
    layout.setTextOption(QTextOption(view.document().defaultTextOption()))
    layout.beginLayout()
    while (part := layout.createLine()).isValid():
        part.setLineWidth(width)
    layout.endLayout()
    return max(1, layout.lineCount())


def folded(text: str) -> str:
    """The text with no line longer than `LONGEST_LINE`, broken at a space where there is one."""
    if len(text) <= LONGEST_LINE:
        return text
    lines: list[str] = []
    for line in text.split("\n"):
        start = 0
        while len(line) - start > LONGEST_LINE:
            end = line.rfind(" ", start + 1, start + LONGEST_LINE)
            end = end + 1 if end > start else start + LONGEST_LINE
            lines.append(line[start:end])
            start = end
        lines.append(line[start:])
    return "\n".join(lines)
