"""The language of the window: the system's, English or Simplified Chinese, switched while it runs.

The words come from `resources/i18n/partner_*.qm` (made by `packaging/translate.py`), and those of Qt's own
dialogs from Qt's files. English needs no file: it stands in the code.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from partner_desktop.base import paths
from partner_desktop.base.messages import set_process_language
from partner_desktop.desktop import wording
from partner_desktop.desktop.window_change import WindowChange

CHINESE = "zh_CN"
ENGLISH = "en"


class LanguageChoice(StrEnum):
    """What the person chose."""

    SYSTEM = "system"
    ENGLISH = ENGLISH
    CHINESE = CHINESE


class Language:
    """Holds the translators of the application; one for each process."""

    def __init__(self, app: QCoreApplication) -> None:
        self._app = app
        self._choice = LanguageChoice.SYSTEM
        self._applied = ENGLISH
        self._translators: list[QTranslator] = []
        self.change = WindowChange(app)
        """What is said goes through the windows."""

    @property
    def choice(self) -> LanguageChoice:
        return self._choice

    @property
    def name(self) -> str:
        """`en` or `zh_CN`: what is spoken now."""
        return self._applied

    def choose(self, choice: LanguageChoice) -> None:
        """Follow the system, or hold one language; everything in view is said anew."""
        self._choice = choice
        wanted = system_language() if choice is LanguageChoice.SYSTEM else choice.value
        set_process_language(wanted.partition("_")[0])
        if wanted != self._applied:
            self._apply(wanted)

    def _apply(self, name: str) -> None:
        self._applied = name
        old, self._translators = self._translators, []
        for translator in old:
            self._app.removeTranslator(translator)
        QLocale.setDefault(QLocale(name))
        for path in _files(name):
            translator = QTranslator(self._app)
            if translator.load(str(path)):
                self._app.installTranslator(translator)
                self._translators.append(translator)
        wording.retranslate_others()
        self.change.start(wording.say_again, parents_last=True)


def system_language() -> str:
    """The language that the system speaks, where it is one of ours; English otherwise."""
    first = next(iter(QLocale.system().uiLanguages()), "")
    return CHINESE if first.partition("-")[0] == "zh" else ENGLISH


def _files(name: str) -> tuple[Path, ...]:
    """Qt's own words first: what is installed later is asked first."""
    if name == ENGLISH:
        return ()
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    ours = paths.shipped("resources") / "i18n"
    return (qt / f"qtbase_{name}.qm", ours / f"partner_{name}.qm")
