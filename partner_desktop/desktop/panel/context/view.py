"""One snapshot in view: its head, and below it the blocks or the exact prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import cast

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QStackedWidget, QWidget

from partner_desktop.desktop.forms.choice_fields import Segments
from partner_desktop.desktop.panel.context.rows import (
    ContextItem,
    ContextRow,
    Order,
    block_rows,
    call_rows,
    part_rows,
    whole_prompt,
)
from partner_desktop.desktop.panel.context.words import mind_words, share_of, used_words
from partner_desktop.desktop.panel.page import EmptyNote
from partner_desktop.desktop.parts.boxes import grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import (
    CopyButton,
    ElidedLabel,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_list import RowFilter, RowList
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText, in_every_language, set_tip
from partner_desktop.domain.model_call import CallTotals, ModelCall
from partner_desktop.domain.snapshot import BlockFate, ContextSnapshot


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


#: Fewer blocks are found at a glance.
_FILTER_FROM = 12


class SnapshotView(QWidget):
    """`arranged()` when the rows of what was asked for stand."""

    arranged = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.snapshot: ContextSnapshot | None = None
        self._calls: Sequence[ModelCall] = ()
        self._totals: CallTotals | None = None
        self.order: Order = "place"
        self.kind = "blocks"
        self._slices = Slices(self)
        self.head = ContextHead(theme)
        self.list: RowList[ContextItem] = RowList(
            theme, self._list_name, about=lambda: self.tr("Enter shows the exact text."), sheet=BlockSheet
        )
        self.filter = RowFilter(self.list, lambda: self.tr("Filter blocks"))
        self.filter.textChanged.connect(self.arrange)
        self.kinds = Segments(
            lambda: self.tr("Show"),
            (
                ("blocks", lambda: self.tr("Blocks")),
                ("prompt", lambda: self.tr("Exact prompt")),
                ("calls", lambda: self.tr("Calls")),
            ),
        )
        self.kinds.buttons["calls"].hide()
        self.kinds.show_choice("blocks")
        self.kinds.chosen.connect(self.show_kind)
        self.sort = push_button("", "quiet", pressed=self._turn_order)
        self.copy = CopyButton(self._prompt_text, lambda: self.tr("Copy the whole prompt"))
        self._nothing = EmptyNote(lambda: self.tr("Nothing found"), "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._nothing)
        self._build()
        in_every_language(self, self._say_again)

    def _build(self) -> None:
        vbox(
            self.head,
            hbox(self.kinds, stretch(), self.sort, self.copy, gap=4),
            self.filter,
            grow(self._pages),
            into=self,
            gap=8,
        )

    @property
    def arranging(self) -> bool:
        """Whether the rows of what was asked for are still being made."""
        return self._slices.busy

    def show_snapshot(self, snapshot: ContextSnapshot) -> None:
        """Another turn: what is open and where the list stands stays as far as it is there too."""
        self.snapshot = snapshot
        self.head.show_snapshot(snapshot)
        self.arrange()

    def show_calls(self, calls: Sequence[ModelCall], totals: CallTotals | None) -> None:
        """What the turn in view asked of models; nothing where it went without."""
        self._calls, self._totals = calls, totals
        self.kinds.buttons["calls"].setVisible(bool(calls))
        if self.kind == "calls":
            self.show_kind("calls" if calls else "blocks")

    def show_kind(self, kind: str) -> None:
        """`blocks`, `prompt` or `calls`."""
        self.kind = kind
        self.kinds.show_choice(kind)
        self.list.setAccessibleName(self._list_name())
        self.arrange()

    def arrange(self) -> None:
        """Show the rows anew, a portion at a time: the window is never held by many blocks."""
        if self.snapshot is None:
            return
        blocks = self.kind == "blocks"
        self.filter.setVisible(blocks and len(self.snapshot.blocks) >= _FILTER_FROM)
        self.sort.setVisible(blocks and bool(self.snapshot.blocks))
        self.copy.setVisible(self.kind == "prompt" and bool(self.snapshot.prompt))
        self._say_order()
        self._slices.start(self, self._arranging(self.snapshot))

    def _arranging(self, snapshot: ContextSnapshot) -> Iterator[None]:
        rows: list[ContextRow] | None = None
        if self.kind == "prompt":
            rows = part_rows(snapshot.prompt)
        elif self.kind == "calls":
            rows = list(call_rows(self._calls, self._totals))
        else:
            wanted = "" if self.filter.isHidden() else self.filter.text()
            for rows in block_rows(snapshot, order=self.order, wanted=wanted):
                if rows is None:
                    yield
            yield
        self.list.show_rows(rows or [])
        self._pages.setCurrentIndex(0 if rows else 1)
        self._say_nothing()
        self.arranged.emit()

    def _turn_order(self) -> None:
        self.order = cast("Order", {"place": "tokens", "tokens": "place"}[self.order])
        self.arrange()

    def _prompt_text(self) -> str:
        return whole_prompt(self.snapshot.prompt) if self.snapshot is not None else ""

    def _list_name(self) -> str:
        if self.kind == "calls":
            return self.tr("Calls of models")
        return self.tr("Parts of the prompt") if self.kind == "prompt" else self.tr("Blocks")

    def _say_again(self) -> None:
        self._say_order()
        self.arrange()

    def _say_order(self) -> None:
        by_place = self.order == "place"
        self.sort.setText(self.tr("Best first") if by_place else self.tr("Largest first"))
        now = self.tr("Sorted by place in the prompt") if by_place else self.tr("Sorted by tokens")
        self.sort.setAccessibleName(now)
        set_tip(self.sort, now)

    def _say_nothing(self) -> None:
        wanted = self.filter.text().strip()
        if self.kind == "blocks" and wanted and not self.filter.isHidden():
            self._nothing.say(self.tr("No block has “{words}” in it.").format(words=wanted))
        elif self.kind == "blocks":
            self._nothing.say(self.tr("No blocks went into this turn."))
        else:
            self._nothing.say(self.tr("No prompt was made in this turn."))


class ContextHead(QWidget):
    """A meter and two quiet lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._snapshot: ContextSnapshot | None = None
        self.used = text_label("", "label")
        self.percent = text_label("", "muted")
        self.meter = ProgressLine(theme, share=0.0)
        self.mind = ElidedLabel("", "muted")
        self.counts = text_label("", "muted", wrap=True)
        vbox(
            hbox(self.used, stretch(), self.percent, gap=None),
            self.meter,
            2,
            self.mind,
            self.counts,
            into=self,
            gap=4,
            margins=(4, 0, 4, 0),
        )
        in_every_language(self, self._say)

    def show_snapshot(self, snapshot: ContextSnapshot) -> None:
        self._snapshot = snapshot
        self._say()

    def _say(self) -> None:
        snapshot = self._snapshot
        if snapshot is None:
            return
        share = share_of(snapshot.used_tokens, snapshot.budget_tokens)
        self.used.setText(used_words(snapshot.used_tokens, snapshot.budget_tokens))
        self.percent.setText(self.tr("{percent} %").format(percent=round(100 * share)))
        self.meter.set_share(share)
        self.meter.setAccessibleName(
            self.tr("Tokens: {used}").format(used=used_words(snapshot.used_tokens, snapshot.budget_tokens))
        )
        self.mind.set_text(mind_words(snapshot))
        self.counts.setText(self._counts(snapshot))

    def _counts(self, snapshot: ContextSnapshot) -> str:
        fates = Counter(block.fate for block in snapshot.blocks)
        shown = fates[BlockFate.SHOWN] + fates[BlockFate.DEMOTED]
        parts = [self.tr("{count} shown").format(count=f"{shown:,}")]
        if fates[BlockFate.DEMOTED]:
            parts.append(self.tr("{count} shortened").format(count=f"{fates[BlockFate.DEMOTED]:,}"))
        if fates[BlockFate.DROPPED]:
            parts.append(self.tr("{count} left out").format(count=f"{fates[BlockFate.DROPPED]:,}"))
        return " · ".join(parts)
