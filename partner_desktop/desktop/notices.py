"""The one door for what the person should know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

from partner_desktop.desktop.wording import Words, told

Level: TypeAlias = Literal["info", "warning", "error"]


@dataclass(frozen=True)
class NoticeAction:
    """What can be done about a notice, once."""

    label: Words
    callback: Callable[[], None]
    undoes: bool = True
    """It takes back what the notice tells of: Ctrl+Z does the same."""


@dataclass(frozen=True)
class Notice:
    """A sentence for the person."""

    title: Words
    text: Words = ""
    level: Level = "info"
    action: NoticeAction | None = None

    def words(self) -> str:
        """All of it, in the present language."""
        return f"{told(self.title)} {told(self.text)}".strip()


class Notices(QObject):
    """`posted(notice)`: toasts show it, the tray may too."""

    posted = Signal(object)

    def tell(
        self, title: Words, text: Words = "", *, level: Level = "info", action: NoticeAction | None = None
    ) -> None:
        """Say it; with `action`, offer it too."""
        self.posted.emit(Notice(title, text, level, action))

    def fault(self, sentence: Words) -> None:
        """Something that was asked for did not work; the sentence says what and why."""
        self.tell("", sentence, level="error")

    def unexpected(self, _error: BaseException) -> None:
        """Something broke that should not, and is in the log already."""
        self.fault(
            lambda: self.tr("Something went wrong inside Partner. Nothing is lost; the log file says more.")
        )
