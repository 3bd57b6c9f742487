"""The card's middle, one form for each state, and whether it is to be made anew for a record.

A body that is not made anew keeps what the person has typed on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.guard import ClickGuard
from partner_desktop.desktop.card.outcome import OutcomeView, RunProgress
from partner_desktop.desktop.card.param_form import ParamForm
from partner_desktop.desktop.card.words import (
    CODE,
    SandboxSeen,
    asked_title,
    needs_consent,
    params_words,
    path_words,
    proposed_code,
    waits_words,
)
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.controls import show_words, text_label
from partner_desktop.desktop.parts.result_parts import ResultPartsView
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import LazyText, resolve_text, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.meta_action import properties_of
from partner_desktop.domain.verification import Verification

if TYPE_CHECKING:
    from partner_desktop.desktop.card.aftermath import Aftermath


class CardBody(QWidget):
    """Made anew for each state; `form` is there while parameters can be edited."""

    def __init__(
        self,
        record: ActionRecord,
        theme: Theme,
        note: LazyText,
        progress: ProgressEvent | None = None,
        *,
        guard: ClickGuard,
        sandbox: SandboxSeen | None = None,
    ) -> None:
        super().__init__()
        self._sandbox = sandbox
        self.aftermath: Aftermath | None = None
        self.form: ParamForm | None = None
        self.progress: RunProgress | None = None
        self.parts: ResultPartsView | None = None
        self._layout = vbox(into=self, gap=10, margins=(16, 12, 16, 14))
        self._problem = text_label("", "fault", wrap=True, selectable=True)
        if record.status is ActionStatus.WAITING:
            self._fill_waiting(record, theme)
        elif record.status is ActionStatus.RUNNING:
            self._fill_running(record, theme, progress)
        else:
            self._fill_other(record, theme)
            self._add_aftermath(record, guard)
        if note:
            self._layout.addWidget(text_label(resolve_text(note), "muted", wrap=True))
        self._layout.addWidget(self._problem)
        self._problem.hide()

    @property
    def empty(self) -> bool:
        return self._layout.count() == 1

    def show_problem(self, sentence: str) -> None:
        """Say why a decision could not be carried out."""
        show_words(self._problem, sentence)

    def _fill_waiting(self, record: ActionRecord, theme: Theme) -> None:
        born = proposed_code(record) is not None
        if record.description:
            self._layout.addWidget(text_label(shown(record.description, lines=True), wrap=True))
        if record.was_allowed:
            words = tr("You had allowed an earlier version of this; it was edited since.")
            self._layout.addWidget(text_label(words, "muted", wrap=True))
        if needs_consent(record):
            reason = record.isolation.reason if record.isolation is not None else ""
            self._layout.addWidget(consent_strip(reason or self._why_open))
        self.form = ParamForm(record, without=CODE if born else "")
        if not self.form.empty:
            self._layout.addWidget(self.form)
        if born:
            self._add_born(record, theme)
        named = properties_of(record.schema)
        beyond = [use for use in record.paths if use.param not in named]
        if beyond:
            self._layout.addWidget(
                text_label("\n".join(path_words(use) for use in beyond), "muted", wrap=True)
            )
        waits = waits_words(record)
        if waits:
            self._layout.addWidget(text_label(waits, "muted"))

    @property
    def _why_open(self) -> str:
        """Why there is no sandbox; empty where there is one."""
        return self._sandbox.reason if self._sandbox is not None and not self._sandbox.available else ""

    def _add_born(self, record: ActionRecord, theme: Theme) -> None:
        from partner_desktop.desktop.card.proposed_script import ProposedSourceView  # noqa: PLC0415 - rarely needed

        self._layout.addWidget(ProposedSourceView(record, theme))
        if self._why_open and not needs_consent(record):
            words = tr("There is no sandbox to try it in. {reason}").format(reason=self._why_open)
            self._layout.addWidget(text_label(words, "muted", wrap=True, selectable=True))

    def _add_aftermath(self, record: ActionRecord, guard: ClickGuard) -> None:
        if record.files or record.undo is not None:
            from partner_desktop.desktop.card.aftermath import Aftermath  # noqa: PLC0415 - few runs leave any

            self.aftermath = Aftermath(record, guard)
            self._layout.addWidget(self.aftermath)

    def _fill_running(self, record: ActionRecord, theme: Theme, progress: ProgressEvent | None) -> None:
        self._add_params(record)
        self.progress = RunProgress(theme, progress)
        self._layout.addWidget(self.progress)

    def _fill_other(self, record: ActionRecord, theme: Theme) -> None:
        if record.status is ActionStatus.ASKING:
            asked = asked_title(record) if record.asked_param else tr("which one you mean")
            words = tr("Tell Partner in the chat: {name}").format(name=asked)
            self._layout.addWidget(text_label(words, wrap=True))
            return
        if record.status is ActionStatus.INTERRUPTED:
            words = tr("Partner was closed while this ran. How far it came is not known.")
            self._layout.addWidget(text_label(words, wrap=True))
        if record.status in (ActionStatus.REJECTED, ActionStatus.EXPIRED):
            return
        self._add_params(record)
        said = record.stdout or record.stderr or record.error
        ran = record.status in (ActionStatus.SUCCEEDED, ActionStatus.FAILED) and record.terms is None
        if said or ran:
            outcome = OutcomeView(record, theme)
            self.parts = outcome.parts
            self._layout.addWidget(outcome)
        if record.verification is not None:
            self._add_verdict(record, record.verification)

    def _add_verdict(self, record: ActionRecord, found: Verification) -> None:
        from partner_desktop.desktop.card.plan.verification_view import EvidenceView  # noqa: PLC0415 - few are checked

        verdict = found.verdict(record.id)
        if verdict is not None:
            self._layout.addWidget(EvidenceView(verdict))
        elif found.ended_at is None:
            self._layout.addWidget(text_label(tr("checking…"), "muted"))

    def _add_params(self, record: ActionRecord) -> None:
        words = params_words(record)
        if words:
            self._layout.addWidget(text_label(words, "muted", wrap=True, selectable=True))


def consent_strip(why: str, *, title: str = "") -> QWidget:
    """The visible warning that belongs to a run that nothing holds, `why` nothing does, and which it is."""
    strip = QFrame()
    set_look(strip, "strip")
    layout = QVBoxLayout(strip)
    layout.setContentsMargins(12, 10, 12, 10)
    layout.setSpacing(2)
    words = title or tr("This runs without a sandbox, with your own rights.")
    layout.addWidget(text_label(words, "strong", wrap=True))
    words = tr("It can read, change and delete what you can, and use the network.")
    layout.addWidget(text_label(words, wrap=True))
    if why:
        words = tr("Why there is no sandbox: {reason}").format(reason=why)
        layout.addWidget(text_label(words, "small", wrap=True, selectable=True))
    return strip


_SHOWN = (
    *(
        "status",
        "title",
        "description",
        "params",
        "schema",
        "isolation",
        "paths",
        "grantable",
        "risk",
        "was_allowed",
        "once",
        "terms",
        "schedule_id",
    ),
    *("content_hash", "asked_param", "error", "stdout", "stderr", "data", "exit_code", "truncated"),
    *("stdout_path", "parts", "files", "undo", "chain", "verification"),
)


def asks_differently(before: ActionRecord, now: ActionRecord) -> bool:
    """Whether body or buttons change; a mere time stamp does not count."""
    return any(getattr(before, name) != getattr(now, name) for name in _SHOWN)
