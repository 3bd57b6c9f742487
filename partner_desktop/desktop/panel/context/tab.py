"""The Context tab: a turn to choose, and what went into it. Knows no Partner.

The past turns of a conversation are listed newest first; older ones come as one scrolls.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from partner_desktop.desktop.panel.context.view import SnapshotView
from partner_desktop.desktop.panel.context.words import moment_words, share_of, turn_words, used_words
from partner_desktop.desktop.panel.page import EmptyNote
from partner_desktop.desktop.parts.boxes import grow, hbox, vbox
from partner_desktop.desktop.parts.controls import (
    IconButton,
    PushButton,
    on_escape,
    prepare_button,
    push_button,
)
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, set_tip, tr
from partner_desktop.domain.model_call import CallTotals, ModelCall
from partner_desktop.domain.snapshot import ContextSnapshot, TurnSummary

#: What is there sooner needs no word about waiting.
_WAIT_MS = 200


class ContextTab(QWidget):
    """`turn_chosen(turn_id)`, `stepped(-1 | 1)`, `older_wanted()`, `again_pressed()`."""

    turn_chosen = Signal(str)
    stepped = Signal(int)
    older_wanted = Signal()
    again_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel_page")
        self._beneath: QWidget
        self.chooser = TurnChooser(theme)
        self.turns: RowList[TurnSummary] = RowList(theme, lambda: self.tr("Past turns"), look=TURN_LOOK)
        self._turns: Sequence[TurnSummary] = ()
        self._shown_id = ""
        self.view = SnapshotView(theme)
        self._make_notes()
        self.pages = QStackedWidget()
        for page in (self.view, self.turns, self.nothing, self.gone, self.waiting, self.fault):
            self.pages.addWidget(page)
        vbox(self.chooser, grow(self.pages), into=self, gap=10, margins=(12, 10, 12, 12))
        self._late = QTimer(self, interval=_WAIT_MS, singleShot=True)
        self._late.timeout.connect(lambda: self._bring(self.waiting))
        self.chooser.stepped.connect(self.stepped)
        self.chooser.list_toggled.connect(self._toggle_list)
        self.turns.older_wanted.connect(self.older_wanted)
        self.turns.chosen.connect(self._choose)
        on_escape(self.turns, self._close_list)
        in_every_language(self, self._list_turns)
        self.again.clicked.connect(self.again_pressed)
        self.show_nothing()

    def _make_notes(self) -> None:
        self.nothing = EmptyNote(
            lambda: self.tr("Nothing to explain yet"),
            lambda: self.tr(
                "After an answer, this shows what went into it: which pieces, how much of each, and why."
            ),
        )
        self.gone = EmptyNote(
            lambda: self.tr("Not kept any more"),
            lambda: self.tr("What went into this turn was forgotten, or is older than what is kept."),
        )
        self.waiting = EmptyNote(lambda: self.tr("Looking it up…"), "")
        self.again = push_button(lambda: self.tr("Try again"))
        self.fault = EmptyNote(lambda: self.tr("This could not be read"), "", self.again)

    @property
    def list_open(self) -> bool:
        """Whether the past turns are in view."""
        return self.pages.currentWidget() is self.turns

    def show_nothing(self) -> None:
        self.chooser.hide()
        self._turns = ()
        self._list_turns()
        self._beneath = self.nothing
        self._close_list()
        self._bring(self.nothing)

    def show_turns(self, turns: Sequence[TurnSummary], shown_id: str, *, complete: bool) -> None:
        """The turns that are known, oldest first, and which one is looked at."""
        at = next((at for at, turn in enumerate(turns) if turn.turn_id == shown_id), None)
        turn = turns[at] if at is not None else None
        self.chooser.show()
        first = at == 0 and complete
        self.chooser.show_turn(turn, first=first, newest=at == len(turns) - 1)
        self._turns, self._shown_id = turns, shown_id
        self._list_turns()

    def _list_turns(self) -> None:
        """Newest first."""
        self.turns.show_rows([turn_row(turn) for turn in reversed(self._turns)])
        self.turns.show_chosen(self._shown_id)

    def wait(self) -> None:
        """A turn is being looked up; after a moment that is said."""
        self._late.start()

    def show_snapshot(
        self,
        snapshot: ContextSnapshot | None,
        calls: Sequence[ModelCall] = (),
        totals: CallTotals | None = None,
    ) -> None:
        """What went into the turn and what it asked of models; `None`: it is not kept any more."""
        self.view.show_calls(calls, totals)
        if snapshot is None:
            self._bring(self.gone)
        else:
            self.view.show_snapshot(snapshot)
            self._bring(self.view)

    def show_fault(self, sentence: str) -> None:
        self.fault.say(sentence)
        self._bring(self.fault)

    def take_keyboard(self) -> None:
        """After a jump to here: to the blocks, or what stands in their place."""
        target: QWidget = self.view.list if self.pages.currentWidget() is self.view else self.chooser.button
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def _bring(self, page: QWidget) -> None:
        """The list of turns stays in view until something is chosen."""
        self._late.stop()
        self._beneath = page
        if not self.list_open:
            self.pages.setCurrentWidget(page)

    def _toggle_list(self) -> None:
        if self.list_open:
            self._close_list()
        else:
            self.pages.setCurrentWidget(self.turns)
            self.turns.begin()
            self.turns.mark(self._shown_id)
            self.turns.look_for_end()

    def _close_list(self) -> None:
        had = self.turns.hasFocus()
        self.pages.setCurrentWidget(self._beneath)
        if had:
            self.chooser.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, row: RowSpec[TurnSummary]) -> None:
        self._close_list()
        self.turn_chosen.emit(row.about.turn_id)


_MARK = " ▾"


class TurnButton(PushButton):
    """Time and the beginning of what was said, on one line."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        prepare_button(self, "turn", name="")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_words(self, words: str, name: str) -> None:
        """`name` is what screen readers say."""
        self._words = words
        self.setAccessibleName(name)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        room = self.width() - 22 - metrics.horizontalAdvance(_MARK)
        shown = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, max(20, room))
        set_tip(self, self._words if shown != self._words else "")
        self.setText((shown + _MARK).replace("&", "&&"))


class TurnChooser(QWidget):
    """`stepped(-1 | 1)`; `list_toggled()`."""

    stepped = Signal(int)
    list_toggled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._turn: TurnSummary | None = None
        self._newest = True
        self.back = IconButton(theme, "chevron_left", lambda: self.tr("The turn before"))
        self.on = IconButton(theme, "chevron_right", lambda: self.tr("The turn after"))
        self.button = TurnButton()
        self.back.clicked.connect(lambda: self.stepped.emit(-1))
        self.on.clicked.connect(lambda: self.stepped.emit(1))
        self.button.clicked.connect(self.list_toggled)
        hbox(self.back, grow(self.button), self.on, into=self, gap=2)
        in_every_language(self, self._say)

    def show_turn(self, turn: TurnSummary | None, *, first: bool, newest: bool) -> None:
        """The turn that is looked at; at the ends there is nothing further."""
        self._turn, self._newest = turn, newest
        for button, enabled in ((self.back, not first), (self.on, not newest)):
            if not enabled and button.hasFocus():
                self.button.setFocus(Qt.FocusReason.OtherFocusReason)  # it is about to go grey
            button.setEnabled(enabled)
        self._say()

    def _say(self) -> None:
        turn = self._turn
        words = f"{moment_words(turn.at)}  {turn_words(turn)}" if turn else self.tr("An earlier turn")
        whole = self.tr("Newest turn: {turn}") if self._newest else self.tr("Turn: {turn}")
        self.button.show_words(words, whole.format(turn=words))


TURN_LOOK = RowLook(pad_x=10, pad_y=7, gap=2, cards=False, strong=False)


def turn_row(turn: TurnSummary) -> RowSpec[TurnSummary]:
    """What was said, and below it when and how full it was; what Partner began itself is quiet."""
    share = round(100 * share_of(turn.used_tokens, turn.budget_tokens))
    facts = tr("{percent} %").format(percent=share)
    if turn.dropped:
        facts = tr("{percent} % · {count} left out").format(percent=share, count=f"{turn.dropped:,}")
    words, moment = turn_words(turn), moment_words(turn.at)
    return RowSpec(
        turn.turn_id,
        words,
        turn,
        lines=(RowLine(moment, facts),),
        quiet=not turn.text.strip(),
        tip=f"{words}\n{used_words(turn.used_tokens, turn.budget_tokens)}",
        spoken=f"{moment}, {words}, {facts}",
    )
