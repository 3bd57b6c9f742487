"""The one door for what the person should know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.wording import LazyText, resolve_text

Level: TypeAlias = Literal["info", "warning", "error"]


@dataclass(frozen=True)
class NoticeAction:
    """What can be done about a notice, once."""

    label: LazyText
    callback: Callable[[], object]
    undoes: bool = True
    """It takes back what the notice tells of: Ctrl+Z does the same."""


@dataclass(frozen=True)
class Notice:
    """A sentence for the person."""

    title: LazyText
    text: LazyText = ""
    level: Level = "info"
    action: NoticeAction | None = None
    choices: tuple[NoticeAction, ...] = ()
    """In place of one thing to do: several to choose from."""
    about: str = ""
    """A newer notice about the same takes its place."""
    stays: bool = False
    """Until a newer one about the same, or the person, takes it away; its words may change meanwhile."""

    def words(self) -> str:
        """All of it, in the present language."""
        return f"{resolve_text(self.title)} {resolve_text(self.text)}".strip()


@dataclass(frozen=True)
class Crash:
    """Something broke that should not: a sentence for the person, and the report for whoever mends it."""

    title: LazyText
    text: LazyText
    report: str


class Notices(QObject):
    """`posted(notice)`: toasts show it, the tray may too. `renewed(about, words)`: where it is still shown,
    it says this now. `settled(about)`: it is past. `crashed(crash)`: the crash card shows it."""

    posted = Signal(object)
    renewed = Signal(str, object)
    settled = Signal(str)
    crashed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keep: Callable[[str, str], object] | None = None
        """Takes a report and its kind, to keep it; set once the home is known."""

    def tell(
        self,
        title: LazyText,
        text: LazyText = "",
        *,
        level: Level = "info",
        action: NoticeAction | None = None,
        choices: tuple[NoticeAction, ...] = (),
        about: str = "",
        stays: bool = False,
    ) -> None:
        """Say it, with what can be done about it; in place of what was last said about the same."""
        self.posted.emit(Notice(title, text, level, action, choices, about, stays))

    def renew(self, about: str, text: LazyText) -> None:
        """What was said about this goes on with other words; one that was closed does not come back."""
        self.renewed.emit(about, text)

    def settle(self, about: str) -> None:
        """What was last said about this is past."""
        self.settled.emit(about)

    def fault(self, sentence: LazyText, *, about: str = "") -> None:
        """Something that was asked for did not work; the sentence says what and why."""
        self.tell("", sentence, level="error", about=about)

    def unexpected(self, error: BaseException, where: str = "the window") -> None:
        """Something broke in the window itself; it is in the log already."""
        from partner_desktop.runtime.reports import make_report  # noqa: PLC0415 - rarely needed

        report = make_report(error, where=where)
        if self.keep is not None:
            self.keep(report.text, report.kind)
        self.crash(report.text)

    def crash(self, report: str, *, title: LazyText = "", text: LazyText = "") -> None:
        """Show a report, with the sentence of an unexpected error where none is given."""
        self.crashed.emit(
            Crash(
                title or (lambda: self.tr("Something went wrong inside Partner")),
                text or (lambda: self.tr("Nothing is lost, and you can go on. A report helps to mend it.")),
                report,
            )
        )
