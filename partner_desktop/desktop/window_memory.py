"""What the window remembers from one start to the next: place, look, zoom, language, folds, how it closes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QByteArray, QPoint, QRect, QSettings
from PySide6.QtWidgets import QWidget

from partner_desktop.base import private
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.sidebar.conversation_rows import LIST_ORDERS, ListOrder, ListView
from partner_desktop.desktop.theme.theme import NeedChoice, Theme, ThemeChoice

FILE_NAME = "window.ini"


class WindowMemory:
    """An ini file in the home. Without a home nothing is remembered; a broken file is as good as none."""

    def __init__(self, home_root: Path | None) -> None:
        self.home_root = home_root
        self._settings: QSettings | None = None
        if home_root is not None:
            self._settings = QSettings(str(home_root / FILE_NAME), QSettings.Format.IniFormat)

    def restore_theme(self, theme: Theme) -> None:
        """Set the theme, its contrast and motion, and the zoom as they were, and apply them."""
        kept = self._settings
        try:
            choice = ThemeChoice(str(kept.value("theme", "system")) if kept is not None else "system")
            zoom = float(str(kept.value("zoom", "1.0")) if kept is not None else "1.0")
        except ValueError:
            choice, zoom = ThemeChoice.SYSTEM, 1.0
        theme.restore(choice, zoom, contrast=self._need("contrast"), motion=self._need("motion"))

    def _need(self, name: str) -> NeedChoice:
        with suppress(ValueError):
            if self._settings is not None:
                return NeedChoice(str(self._settings.value(name, NeedChoice.SYSTEM.value)))
        return NeedChoice.SYSTEM

    def restore_language(self, language: Language) -> None:
        """Speak as was chosen; as the system does where nothing was."""
        choice = LanguageChoice.SYSTEM
        if self._settings is not None:
            with suppress(ValueError):
                choice = LanguageChoice(str(self._settings.value("language", choice.value)))
        language.choose(choice)

    def restore_place(self, window: QWidget) -> bool:
        """Put the window where it was, or on a screen that is there; false when that is not known."""
        if self._settings is None:
            return False
        place, corner = self._settings.value("geometry"), self._settings.value("corner")
        if not isinstance(place, QByteArray) or not window.restoreGeometry(place):
            return False
        # Qt keeps a title bar free over a window, also where nothing draws one: it would come back lower.
        room = window.screen().availableGeometry()
        free = isinstance(corner, QPoint) and room.contains(QRect(corner, window.size()))
        if isinstance(corner, QPoint) and free and not window.isMaximized():
            window.move(corner)
        return True

    def folds(self) -> dict[str, bool]:
        """Which servers the person folded or unfolded; what cannot be read is as good as none."""
        kept = self._settings.value("folds", "") if self._settings is not None else ""
        try:
            found = json.loads(str(kept or "{}"))
        except ValueError:
            return {}
        if not isinstance(found, dict):
            return {}
        return {server: folded for server, folded in found.items() if isinstance(folded, bool)}

    def list_view(self) -> ListView:
        """How the conversations are listed; what cannot be read is as it is made."""
        kept = self._settings.value("conversations", "") if self._settings is not None else ""
        try:
            found = json.loads(str(kept or "{}"))
        except ValueError:
            return ListView()
        if not isinstance(found, dict):
            return ListView()
        folded = found.get("folded")
        order: ListOrder = next((one for one in LIST_ORDERS if one == found.get("order")), "used")
        return ListView(order, {str(one) for one in folded} if isinstance(folded, list) else set())

    def recent_choices(self) -> list[str]:
        """What was chosen in the palette lately, the newest first."""
        kept = self._settings.value("recent", "") if self._settings is not None else ""
        try:
            found = json.loads(str(kept or "[]"))
        except ValueError:
            return []
        return [key for key in found if isinstance(key, str)] if isinstance(found, list) else []

    def keeps_running(self) -> bool | None:
        """Whether closing the window only hides it; `None`: the person was never asked."""
        kept = str(self._settings.value("keep_running", "")) if self._settings is not None else ""
        return {"true": True, "false": False}.get(kept)

    def quick_keys(self) -> str:
        """What opens the small window from anywhere; empty for nothing."""
        return str(self._settings.value("quick_keys", "")) if self._settings is not None else ""

    def checks_spelling(self) -> bool:
        """Whether wrong words are marked."""
        return self._settings is None or str(self._settings.value("spelling", "")) != "false"

    def first_run_over(self) -> bool:
        """Whether the person chose to begin without a model."""
        return self._settings is not None and str(self._settings.value("first_run_over", "")) == "true"

    def keep(
        self,
        window: QWidget,
        theme: Theme,
        language: Language,
        folds: Mapping[str, bool] | None = None,
        *,
        keeps_running: bool | None = None,
        quick_keys: str = "",
        checks_spelling: bool = True,
        first_run_over: bool = False,
        recent_choices: Sequence[str] = (),
        list_view: ListView | None = None,
    ) -> None:
        if self._settings is None:
            return
        private.claim(Path(self._settings.fileName()))
        self._settings.setValue("geometry", window.saveGeometry())
        if not window.isMaximized() and not window.isFullScreen():
            self._settings.setValue("corner", window.pos())
        self._settings.setValue("theme", theme.choice.value)
        self._settings.setValue("contrast", theme.contrast_choice.value)
        self._settings.setValue("motion", theme.motion_choice.value)
        self._settings.setValue("language", language.choice.value)
        self._settings.setValue("zoom", f"{theme.zoom:.2f}")
        if keeps_running is not None:
            self._settings.setValue("keep_running", "true" if keeps_running else "false")
        self._settings.setValue("quick_keys", quick_keys)
        self._settings.setValue("spelling", "true" if checks_spelling else "false")
        self._settings.setValue("first_run_over", "true" if first_run_over else "false")
        self._settings.setValue("recent", json.dumps(list(recent_choices)))
        view = list_view or ListView()
        self._settings.setValue(
            "conversations", json.dumps({"order": view.order, "folded": sorted(view.folded)})
        )
        self._settings.setValue("folds", json.dumps(dict(folds or {})))
        self._settings.sync()
