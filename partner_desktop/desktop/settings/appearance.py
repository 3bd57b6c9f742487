"""Appearance: theme, size of the text and language, and how it opens and closes, in one sheet."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from partner_desktop.desktop import autostart
from partner_desktop.desktop.forms.choice_fields import Segments
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.parts.boxes import grow, hbox, horizontal_rule, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.parts.veil import WindowSheet
from partner_desktop.desktop.theme.theme import Space, Theme, ThemeChoice, zoomed
from partner_desktop.desktop.wording import LazyText, bind_text, set_tip

_LEAST_WIDTH = 280


class Appearance(WindowSheet):
    """Lies over the window; every choice shows at once. A click elsewhere or Esc closes it.

    `keys_wanted()`, `settings_wanted()`, `models_wanted()`, `permissions_wanted()`; `login_chosen(on)`:
    whether it opens by itself at login; `keep_running_chosen(on)`: whether closing the window only hides it.
    """

    keys_wanted = Signal()
    settings_wanted = Signal()
    models_wanted = Signal()
    permissions_wanted = Signal()
    login_chosen = Signal(bool)
    keep_running_chosen = Signal(bool)

    def __init__(self, theme: Theme, language: Language, parent: QWidget) -> None:
        super().__init__(parent, lambda: self.tr("Appearance"), dims=False)
        self._theme = theme
        self._language = language
        self._anchor: QWidget | None = None
        self.themes = self._make_themes()
        self.languages = self._make_languages()
        self.smaller = push_button("−", "segment", name=lambda: self.tr("Smaller text"))
        self.size_button = push_button("", "segment", name=lambda: self.tr("Text size: back to normal"))
        self.larger = push_button("+", "segment", name=lambda: self.tr("Larger text"))
        for button, steps in ((self.smaller, -1), (self.size_button, 0), (self.larger, 1)):
            self._zooms(button, steps)
        self.login_box = _box(
            lambda: self.tr("Open hidden when I log in"),
            lambda: self.tr("So that what is planned is done in time."),
        )
        self.login_box.clicked.connect(self.login_chosen)
        self.running_box = _box(
            lambda: self.tr("Keep running when I close the window"),
            lambda: self.tr("It goes into the tray; Ctrl+Q ends it."),
        )
        self.running_box.clicked.connect(self.keep_running_chosen)
        self.models_button = self._way(lambda: self.tr("Models…"), self.models_wanted)
        self.permissions_button = self._way(lambda: self.tr("Permissions…"), self.permissions_wanted)
        self.settings_button = self._way(lambda: self.tr("All settings…"), self.settings_wanted)
        self.keys_button = self._way(lambda: self.tr("Keyboard shortcuts…"), self.keys_wanted)
        self._lay_out()
        theme.changed.connect(self._show_choices)
        self._show_choices()

    def _make_themes(self) -> Segments:
        choices: tuple[tuple[str, LazyText], ...] = (
            (ThemeChoice.SYSTEM.value, lambda: self.tr("System")),
            (ThemeChoice.LIGHT.value, lambda: self.tr("Light")),
            (ThemeChoice.DARK.value, lambda: self.tr("Dark")),
        )
        themes = Segments(lambda: self.tr("Theme"), choices)
        themes.chosen.connect(lambda value: self._theme.choose(ThemeChoice(value)))
        return themes

    def _make_languages(self) -> Segments:
        """Each language is named in itself, so that whoever speaks it finds it."""
        choices: tuple[tuple[str, LazyText], ...] = (
            (LanguageChoice.SYSTEM.value, lambda: self.tr("System")),
            (LanguageChoice.ENGLISH.value, "English"),
            (LanguageChoice.CHINESE.value, "简体中文"),
        )
        languages = Segments(lambda: self.tr("Language"), choices)
        languages.chosen.connect(lambda value: self._language.choose(LanguageChoice(value)))
        return languages

    def _zooms(self, button: QPushButton, steps: int) -> None:
        button.clicked.connect(lambda: self._theme.zoom_by(steps))

    def _lay_out(self) -> None:
        vbox(
            text_label(lambda: self.tr("Theme"), "label"),
            self.themes,
            Space.S,
            text_label(lambda: self.tr("Text size"), "label"),
            hbox(grow(self.smaller), grow(self.size_button), grow(self.larger), gap=Space.XS),
            Space.S,
            text_label(lambda: self.tr("Language"), "label"),
            self.languages,
            Space.S,
            self.login_box,
            self.running_box,
            Space.S,
            horizontal_rule(),
            self.models_button,
            self.permissions_button,
            self.settings_button,
            self.keys_button,
            into=self,
            gap=Space.XS,
            margins=(Space.L, Space.M, Space.L, Space.S),
        )

    def show_habits(self, *, keeps_running: bool, can_hide: bool) -> None:
        """How it opens and closes; `can_hide`: there is a tray to bring it back from."""
        self.login_box.setVisible(autostart.can_be())
        self.login_box.setChecked(autostart.is_on())
        self.running_box.setVisible(can_hide)
        self.running_box.setChecked(keeps_running)

    def open_over(self, anchor: QWidget) -> None:
        """Show it over the anchor, the choice that holds in focus; take it away when it is there."""
        if self.isVisible():
            self.close()
            return
        self._anchor = anchor
        self._show_choices()
        self._place()
        self.lay_over()
        self.themes.buttons[self._theme.choice.value].setFocus(Qt.FocusReason.PopupFocusReason)

    def refit(self) -> None:
        """Larger text and longer words need more room, and get it upwards."""
        if self.isVisible():
            self._place()

    def _place(self) -> None:
        """Its lower left corner stands on the anchor, as far as the window has room."""
        window, anchor = self.parentWidget(), self._anchor
        if window is None or anchor is None:
            return
        self.setMinimumWidth(zoomed(_LEAST_WIDTH))
        self.adjustSize()
        corner = anchor.mapTo(window, QPoint(0, -Space.XS)) - QPoint(0, self.height())
        x = min(corner.x(), window.width() - self.width() - Space.S)
        self.move(max(int(Space.S), x), max(int(Space.S), corner.y()))

    def _show_choices(self) -> None:
        self.themes.show_choice(self._theme.choice.value)
        self.languages.show_choice(self._language.choice.value)
        self.size_button.setText(f"{round(self._theme.zoom * 100)} %")

    def _way(self, words: LazyText, wanted: SignalInstance) -> QPushButton:
        """To a page, which is seen without the sheet."""
        button = push_button(words, "menu", pressed=self.close)
        button.clicked.connect(wanted)
        return button


def _box(words: LazyText, tip: LazyText) -> QCheckBox:
    box = QCheckBox()
    bind_text(box, box.setText, words)
    bind_text(box, box.setAccessibleName, words)
    bind_text(box, box.setAccessibleDescription, tip)
    set_tip(box, tip)
    return box
