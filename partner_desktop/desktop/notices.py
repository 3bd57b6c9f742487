"""The one door for what the person should know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

Level: TypeAlias = Literal["info", "warning", "error"]


@dataclass(frozen=True)
class Notice:
    """A sentence for the person."""

    title: str
    text: str = ""
    level: Level = "info"


class Notices(QObject):
    """`posted(notice)`: toasts show it, the tray may too."""

    posted = Signal(object)

    def tell(self, title: str, text: str = "", *, level: Level = "info") -> None:
        """Say it."""
        self.posted.emit(Notice(title, text, level))

    def fault(self, sentence: str) -> None:
        """Something that was asked for did not work; the sentence says what and why."""
        self.tell("", sentence, level="error")

    def unexpected(self, _error: BaseException) -> None:
        """Something broke that should not, and is in the log already."""
        self.fault(self.tr("Something went wrong inside Partner. Nothing is lost; the log file says more."))
