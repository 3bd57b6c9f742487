"""How far a run is, as its server tells: a line and a sentence."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.parts.boxes import grow, hbox, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.events import ProgressEvent

#: No line on a card is wider; what comes beyond would only cost.
_MOST_LETTERS = 400


def share_of(progress: ProgressEvent) -> float | None:
    """0 to 1, or `None` where it is not known how much there is."""
    if not progress.total or progress.total < 0:
        return None
    return min(max(progress.progress / progress.total, 0.0), 1.0)


def progress_words(progress: ProgressEvent) -> str:
    """`212 of 340`, or the bare count."""
    if progress.total:
        done, total = (f"{number:,.10g}" for number in (progress.progress, progress.total))
        return tr("{done} of {total}").format(done=done, total=total)
    return f"{progress.progress:,.10g}"


class RunProgress(QWidget):
    """A wandering piece until the first word comes."""

    def __init__(self, theme: Theme, progress: ProgressEvent | None = None) -> None:
        super().__init__()
        self.line = ProgressLine(theme)
        self.message = ElidedLabel("", "muted")
        self.count = text_label("", "muted")
        vbox(hbox(grow(self.message), self.count, gap=12), self.line, into=self, gap=6)
        self.show_progress(progress)

    def show_progress(self, progress: ProgressEvent | None) -> None:
        """As far as it is now."""
        message = progress.message[:_MOST_LETTERS] if progress is not None else ""
        self.message.set_text(message)
        self.message.setVisible(bool(message))
        share = share_of(progress) if progress is not None else None
        self.count.setText(progress_words(progress) if progress is not None else "")
        self.count.setVisible(progress is not None)
        self.line.set_share(share)
        spoken = [self.count.text(), message] if progress is not None else []
        self.line.setAccessibleDescription(", ".join(each for each in spoken if each))
