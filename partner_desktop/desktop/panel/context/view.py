"""One snapshot in view: its head, and below it the blocks or the exact prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

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
from partner_desktop.desktop.panel.context.sheet import BlockSheet
from partner_desktop.desktop.panel.context.words import mind_words, share_of, used_words
from partner_desktop.desktop.panel.page import EmptyNote
from partner_desktop.desktop.parts.boxes import grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import (
    CopyButton,
    ElidedLabel,
    push_button,
    text_label,
)
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.rows.row_list import RowFilter, RowList
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, set_tip
from partner_desktop.domain.model_call import CallTotals, ModelCall
from partner_desktop.domain.snapshot import BlockFate, ContextSnapshot

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
