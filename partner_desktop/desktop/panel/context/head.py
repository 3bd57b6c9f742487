"""The head of the Context tab: how full the prompt was, who answered, and what became of the blocks."""

from __future__ import annotations

from collections import Counter

from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.panel.context.words import mind_words, share_of, used_words
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.labels import ElidedLabel, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.snapshot import BlockFate, ContextSnapshot


class ContextHead(QWidget):
    """A meter and two quiet lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._snapshot: ContextSnapshot | None = None
        self.used = text_label("", "label")
        self.percent = text_label("", "muted")
        self.meter = ProgressLine(theme, share=0.0)
        self.mind = ElidedLabel("", "muted")
        self.counts = text_label("", "muted", wrap=True)
        vbox(
            hbox(self.used, stretch(), self.percent, gap=None),
            self.meter,
            2,
            self.mind,
            self.counts,
            into=self,
            gap=4,
            margins=(4, 0, 4, 0),
        )
        in_every_language(self, self._say)

    def show_snapshot(self, snapshot: ContextSnapshot) -> None:
        """Another turn."""
        self._snapshot = snapshot
        self._say()

    def _say(self) -> None:
        snapshot = self._snapshot
        if snapshot is None:
            return
        share = share_of(snapshot.used_tokens, snapshot.budget_tokens)
        self.used.setText(used_words(snapshot.used_tokens, snapshot.budget_tokens))
        self.percent.setText(self.tr("{percent} %").format(percent=round(100 * share)))
        self.meter.set_share(share)
        self.meter.setAccessibleName(
            self.tr("Tokens: {used}").format(used=used_words(snapshot.used_tokens, snapshot.budget_tokens))
        )
        self.mind.set_text(mind_words(snapshot))
        self.counts.setText(self._counts(snapshot))

    def _counts(self, snapshot: ContextSnapshot) -> str:
        fates = Counter(block.fate for block in snapshot.blocks)
        shown = fates[BlockFate.SHOWN] + fates[BlockFate.DEMOTED]
        parts = [self.tr("{count} shown").format(count=f"{shown:,}")]
        if fates[BlockFate.DEMOTED]:
            parts.append(self.tr("{count} shortened").format(count=f"{fates[BlockFate.DEMOTED]:,}"))
        if fates[BlockFate.DROPPED]:
            parts.append(self.tr("{count} left out").format(count=f"{fates[BlockFate.DROPPED]:,}"))
        return " · ".join(parts)
