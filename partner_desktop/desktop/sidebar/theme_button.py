"""The small button that opens appearance and keys; its sign is the present theme."""

from __future__ import annotations

from partner_desktop.desktop.parts.buttons import IconButton
from partner_desktop.desktop.theme.signs import SignName
from partner_desktop.desktop.theme.theme import Theme, ThemeChoice

_SIGNS: dict[ThemeChoice, SignName] = {
    ThemeChoice.SYSTEM: "system",
    ThemeChoice.LIGHT: "sun",
    ThemeChoice.DARK: "moon",
}


class ThemeButton(IconButton):
    """What it opens is the window's business."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "system", lambda: self.tr("Appearance and keys"))
        self._choices = theme
        theme.changed.connect(self._show_choice)
        self._show_choice()

    def _show_choice(self) -> None:
        self.show_sign(_SIGNS[self._choices.choice])
