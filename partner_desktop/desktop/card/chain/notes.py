"""What is said below the steps: what changed since the plan was approved, what the final check found."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QLabel, QWidget

from partner_desktop.base.paths import display_text
from partner_desktop.desktop.card.chain.facts import chain_of
from partner_desktop.desktop.card.words import asked_title, tr
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.flow import clear_layout
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.wording import Words, told
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Change

#: The newest; what came before is in the record.
_MOST_CHANGES = 6


class ChainNotes(QWidget):
    """Made anew with each change of the record; `show_problem` stays until then."""

    def __init__(self) -> None:
        super().__init__()
        self._problem: QLabel | None = None
        self._column = vbox(into=self, gap=6, margins=(16, 12, 16, 12))

    @property
    def empty(self) -> bool:
        """Whether there is nothing to say."""
        return self._column.count() == 0

    def show_record(self, record: ActionRecord, note: Words) -> None:
        """All that is to be said of it now."""
        clear_layout(self._column)
        self._problem = None
        chain = chain_of(record)
        for change in chain.changes[-_MOST_CHANGES:]:
            self._add(_change_words(change), "muted")
        for text, look in _status_words(record):
            self._add(text, look)
        if chain.checked and record.status.ended:
            self._add(display_text(chain.checked), "")
        if note:
            self._add(told(note), "muted")
        self.setVisible(not self.empty)

    def show_problem(self, sentence: str) -> None:
        """Why something could not be done."""
        if self._problem is None:
            self._problem = self._add("", "fault")
        self._problem.setText(sentence)
        self._problem.setVisible(bool(sentence))
        self.show()

    def _add(self, text: str, look: str) -> QLabel:
        label = text_label(text, look, wrap=True, selectable=True)
        self._column.addWidget(label)
        return label


def _change_words(change: Change) -> str:
    if change.by == "person":
        return tr("You changed the plan: {what}").format(what=change.text)
    if change.kind in ("skip", "cancel") or change.by == "partner":
        return change.text
    return tr("Replanned: {what}").format(what=change.text)


def _status_words(record: ActionRecord) -> list[tuple[str, str]]:
    """Each with its look."""
    match record.status:
        case ActionStatus.ASKING:
            return [(tr("Tell Partner in the chat: {name}").format(name=_asked(record)), "")]
        case ActionStatus.INTERRUPTED:
            return [(tr("Partner was closed while this ran. How far it came is not known."), "")]
        case ActionStatus.FAILED | ActionStatus.CANCELLED if record.error:
            error = display_text(record.error)
            return [(error, "fault" if record.status is ActionStatus.FAILED else "muted")]
    return []


def _asked(record: ActionRecord) -> str:
    step = chain_of(record).step(chain_of(record).asked_step)
    if not record.asked_param:
        return tr("which one you mean")
    if step is None:
        return asked_title(record)
    return asked_title(replace(record, schema=step.schema))
