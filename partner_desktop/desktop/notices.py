"""The one door for what the person should know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

Level: TypeAlias = Literal["info", "warning", "error"]


@dataclass(frozen=True)
class NoticeAction:
    """What can be done about a notice, once."""

    label: str
    callback: Callable[[], None]
    undoes: bool = True
    """It takes back what the notice tells of: Ctrl+Z does the same."""


@dataclass(frozen=True)
class Notice:
    """A sentence for the person."""

    title: str
    text: str = ""
    level: Level = "info"
    action: NoticeAction | None = None


class Notices(QObject):
    """`posted(notice)`: toasts show it, the tray may too."""

    posted = Signal(object)

    def tell(
        self, title: str, text: str = "", *, level: Level = "info", action: NoticeAction | None = None
    ) -> None:
        """Say it; with `action`, offer it too."""
        self.posted.emit(Notice(title, text, level, action))

    def fault(self, sentence: str) -> None:
        """Something that was asked for did not work; the sentence says what and why."""
        self.tell("", sentence, level="error")

    def unexpected(self, _error: BaseException) -> None:
        """Something broke that should not, and is in the log already."""
        self.fault(self.tr("Something went wrong inside Partner. Nothing is lost; the log file says more."))
