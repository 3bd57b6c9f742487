"""The right column: one tab at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.desktop.accessible import Role, set_button_role
from partner_desktop.desktop.panel.abilities.abilities_tab import AbilitiesTab
from partner_desktop.desktop.panel.actions.actions_tab import ActionsTab
from partner_desktop.desktop.parts.boxes import hbox, horizontal_rule, vbox
from partner_desktop.desktop.parts.controls import IconButton, push_button
from partner_desktop.desktop.theme.theme import HEADER_HEIGHT, Theme, zoomed
from partner_desktop.desktop.wording import LazyText, resolve_text, set_tip

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.context.tab import ContextTab
    from partner_desktop.desktop.panel.memory.memory_tab import MemoryTab
    from partner_desktop.desktop.panel.token_foot import TokenFoot
    from partner_desktop.domain.model_call import ModelCall
    from partner_desktop.domain.snapshot import TurnSummary

#: Tabs that are made when they are first shown: what went into an answer, and what is kept.
CONTEXT_TAB = 2
MEMORY_TAB = 3
#: Beside the tabs; smaller with smaller text, so that all four fit.
_SIDE_PX = 12


class Panel(QWidget):
    """Actions, abilities, context and memory.

    `fold_pressed()` where it lies over the chat, whose own button it hides; `tab_shown(number)`.
    """

    fold_pressed = Signal()
    tab_shown = Signal(int)

    def __init__(self, theme: Theme, *, clock: Clock | None = None) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.actions_tab = ActionsTab(theme, (clock or SystemClock()).now)
        self.abilities_tab = AbilitiesTab(theme, (clock or SystemClock()).now)
        self._theme = theme
        self._context: ContextTab | None = None
        self._context_place = QWidget()
        self._memory: MemoryTab | None = None
        self._memory_place = QWidget()
        for place in (self._context_place, self._memory_place):
            place.setObjectName("panel_page")
        self._pages = QStackedWidget()
        self._group = QButtonGroup(self)
        self._buttons: list[QPushButton] = []
        self._row = row = hbox(gap=2)
        for number, (text, page) in enumerate(
            (
                (lambda: self.tr("Actions"), self.actions_tab),
                (lambda: self.tr("Abilities"), self.abilities_tab),
                (lambda: self.tr("Context"), self._context_place),
                (lambda: self.tr("Memory"), self._memory_place),
            )
        ):
            row.addWidget(self._tab_button(number, text))
            self._pages.addWidget(page)
        row.addStretch()
        self.fold_button = IconButton(theme, "close", lambda: self.tr("Fold the panel"), shortcut="F9")
        self.fold_button.clicked.connect(self.fold_pressed)
        self.fold_button.hide()
        row.addWidget(self.fold_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._column = layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(horizontal_rule())
        layout.addWidget(self._pages, 1)
        self._foot: TokenFoot | None = None
        self._fit_text_size()
        theme.changed.connect(self._fit_text_size)
        self.show_tab(0)

    def _fit_text_size(self) -> None:
        side = zoomed(_SIDE_PX)
        self._row.setContentsMargins(side, 0, side, 0)
        for button in self._buttons:
            button.setMinimumHeight(zoomed(HEADER_HEIGHT) - 1)

    def _tab_button(self, number: int, text: LazyText) -> QPushButton:
        button = push_button(text, "tab", name=lambda: self.tr("Show {tab}").format(tab=resolve_text(text)))
        button.setCheckable(True)
        set_button_role(button, Role.PageTab)
        set_tip(button, lambda: f"{resolve_text(text)} (Ctrl+{number + 1})")
        button.clicked.connect(lambda: self.show_tab(number))
        self._group.addButton(button)
        self._buttons.append(button)
        return button

    @property
    def tab(self) -> int:
        """The number of the tab in view, from 0."""
        return self._pages.currentIndex()

    @property
    def context_tab(self) -> ContextTab:
        """What went into an answer; made when it is first asked for."""
        if self._context is None:
            from partner_desktop.desktop.panel.context.tab import ContextTab  # noqa: PLC0415

            self._context = ContextTab(self._theme)
            vbox(self._context, into=self._context_place)
        return self._context

    @property
    def memory_tab(self) -> MemoryTab:
        """What is known and was said; made when it is first asked for."""
        if self._memory is None:
            from partner_desktop.desktop.panel.memory.memory_tab import MemoryTab  # noqa: PLC0415

            self._memory = MemoryTab(self._theme)
            vbox(self._memory, into=self._memory_place)
        return self._memory

    def show_newest(self, turn: TurnSummary | None) -> None:
        """The newest turn of the open conversation: its meter stands below the other tabs."""
        foot = self._foot_for(turn)
        if foot is not None:
            foot.show_turn(turn)
            self._fit_foot()

    def show_call(self, call: ModelCall | None) -> None:
        """The last answer of a model in the open conversation: its context is what the meter shows then."""
        foot = self._foot_for(call)
        if foot is not None:
            foot.show_call(call)
            self._fit_foot()

    def _foot_for(self, shown: object) -> TokenFoot | None:
        """Made with the first that it has to show."""
        if self._foot is None and shown is not None:
            from partner_desktop.desktop.panel.token_foot import TokenFoot  # noqa: PLC0415

            self._foot = TokenFoot(self._theme)
            self._foot.clicked.connect(lambda: self.show_tab(CONTEXT_TAB))
            self._column.addWidget(self._foot)
        return self._foot

    @property
    def foot(self) -> TokenFoot | None:
        """The meter, once there was a turn."""
        return self._foot

    def _fit_foot(self) -> None:
        """The Context tab has its own."""
        if self._foot is not None:
            self._foot.setVisible(not self._foot.empty and self.tab != CONTEXT_TAB)

    def show_tab(self, number: int) -> None:
        self._buttons[number].setChecked(True)
        self._pages.setCurrentIndex(number)
        self._fit_foot()
        self.tab_shown.emit(number)
