"""What was found when a plan was checked: what a step's verdict rests on, and a line for all."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.base.paths import display_text
from partner_desktop.base.text import shown
from partner_desktop.desktop.card.guard import ClickGuard, GuardedButton
from partner_desktop.desktop.card.plan.step_words import verification_words
from partner_desktop.desktop.card.words import VERDICT_KINDS, value_words, verdict_words
from partner_desktop.desktop.parts.boxes import at_middle, grid, grow, hbox, horizontal_rule, vbox
from partner_desktop.desktop.parts.controls import Pill, text_label
from partner_desktop.desktop.wording import LazyText, resolve_text, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.verification import CheckedFact, StepVerdict, VerdictStatus, Verification


class EvidenceView(QWidget):
    """Why a step has its verdict: each thing that was looked at, and who told it."""

    def __init__(self, verdict: StepVerdict) -> None:
        super().__init__()
        self._facts = grid(across=8, down=4)
        column = vbox(text_label(self._title(verdict), "label", wrap=True), into=self, gap=4)
        if verdict.reason:
            column.addWidget(text_label(_plain(verdict.reason), "small", wrap=True, selectable=True))
        for fact in verdict.facts:
            self._add(fact)
        column.addLayout(self._facts)
        loose = [key for key in verdict.abilities if key not in {fact.ability for fact in verdict.facts}]
        if loose:
            words = tr("Asked: {abilities}").format(abilities=", ".join(loose))
            column.addWidget(text_label(shown(words), "muted", wrap=True, selectable=True))

    def _title(self, verdict: StepVerdict) -> str:
        if not verdict.owner:
            return tr("Check: {verdict}").format(verdict=verdict_words(verdict.status))
        words = tr("Check by {owner}: {verdict}")
        return words.format(owner=shown(verdict.owner), verdict=verdict_words(verdict.status))

    def _add(self, fact: CheckedFact) -> None:
        line = self._facts.rowCount()
        sign = text_label("✓" if fact.holds else "✗", "check-good" if fact.holds else "check-bad")
        sign.setAccessibleName(tr("it is so") if fact.holds else tr("it is not so"))
        self._facts.addWidget(sign, line, 0, Qt.AlignmentFlag.AlignTop)
        text = text_label(_plain(fact.text), "small", wrap=True, selectable=True)
        below = text_label(_fact_words(fact), "muted", wrap=True, selectable=True)
        below.setHidden(not below.text())
        self._facts.addLayout(vbox(text, below, gap=1), line, 1)


def _fact_words(fact: CheckedFact) -> str:
    """What was wanted and what is there, where they differ; who told it."""
    told = []
    if not fact.holds and fact.wanted != fact.found:
        words = tr("wanted: {wanted} · found: {found}")
        told.append(words.format(wanted=_value(fact.wanted), found=_value(fact.found)))
    if fact.ability:
        told.append(tr("told by {ability}").format(ability=shown(fact.ability)))
    return "\n".join(told)


def _value(value: Json) -> str:
    return tr("not there") if value is None else display_text(value_words(value))


def _plain(text: str) -> str:
    return shown(display_text(text), lines=True)


class VerificationBar(QWidget):
    """The line below the steps. `asked(verb)`: `verify` or `repair`."""

    asked = Signal(str)

    def __init__(self, title: str, guard: ClickGuard) -> None:
        """`title`: of the plan."""
        super().__init__()
        self._guard = guard
        self._title = title
        self.pill = Pill()
        self.words = text_label("", "small", wrap=True)
        self.again = self._button("verify", lambda: tr("Check again"))
        self.repair = self._button("repair", lambda: tr("Repair…"))
        self._buttons = hbox(self.again, self.repair, gap=8)
        line = hbox(at_middle(self.pill), grow(self.words), self._buttons, gap=10)
        vbox(horizontal_rule(), line, into=self)
        line.setContentsMargins(16, 10, 16, 10)

    def show_record(self, record: ActionRecord, found: Verification | None) -> None:
        """What is known now; nothing where nobody looked."""
        self.setVisible(found is not None)
        if found is None:
            return
        busy = found.ended_at is None
        if busy:
            self.pill.say(tr("checking…"), "busy")
        else:
            self.pill.say(verdict_words(found.overall), VERDICT_KINDS[found.overall])
        self.words.setText(verification_words(record, found))
        self.setAccessibleName(f"{self.pill.text()}: {self.words.text()}")
        over = record.status is ActionStatus.SUCCEEDED and not busy
        wants = over and found.overall is VerdictStatus.FAILED
        for button, offered in ((self.again, over), (self.repair, wants)):
            button.setEnabled(True)
            button.setVisible(offered)

    def settle(self) -> None:
        """What was asked may be asked again."""
        for button in (self.again, self.repair):
            button.setEnabled(True)

    def _button(self, verb: str, text: LazyText) -> GuardedButton:
        button = GuardedButton(
            self._guard, text, "small", name=lambda: f"{resolve_text(text)}: {self._title}"
        )
        button.clicked.connect(lambda: self._press(button, verb))
        return button

    def _press(self, button: GuardedButton, verb: str) -> None:
        if self._guard.open:
            button.setEnabled(False)
            self.asked.emit(verb)
