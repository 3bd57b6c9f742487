"""Actions and commands in the background as rows, with Cancel while they run; what they print is a sheet."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.outcome import share_of
from partner_desktop.desktop.card.words import needs_consent, risk_words, standing_words
from partner_desktop.desktop.panel.actions.action_words import (
    current_step,
    ended_steps,
    second_line,
    tip_words,
)
from partner_desktop.desktop.panel.actions.session_page import session_facts, session_pill, session_title
from partner_desktop.desktop.panel.schedules.schedule_facts import schedule_verbs
from partner_desktop.desktop.parts.boxes import drop_widget, vbox
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, RowVerb
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import CommandSession, SessionState, Stream
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.plan import StepStatus
from partner_desktop.domain.schedule import Schedule

if TYPE_CHECKING:
    from partner_desktop.desktop.parts.controls import PillKind
    from partner_desktop.desktop.parts.live_text import LiveText
    from partner_desktop.desktop.theme.theme import Theme

#: What a row of the tab is about; of a head nothing.
Listed: TypeAlias = ActionRecord | CommandSession | Schedule | None
ListedRow: TypeAlias = RowSpec[Listed]
_LIVE_LINES = 4


def action_key(action_id: str) -> str:
    """Of its row."""
    return f"action/{action_id}"


def action_row(
    record: ActionRecord, now: datetime, *, told: ProgressEvent | None = None, plan: str = ""
) -> ListedRow:
    """`told`: how far the run is; `plan`: the title of the plan that it is a step of."""
    waits, runs = record.status is ActionStatus.WAITING, record.status is ActionStatus.RUNNING
    status, kind = _risk(record) if waits else standing_words(record)
    reminds = record.terms is not None and record.terms.is_reminder and not record.status.ended
    words = second_line(record, now, told=told, plan=plan)
    # The riskiest has the longest words.
    held = not waits or not needs_consent(record)
    return RowSpec(
        action_key(record.id),
        record.title,
        record,
        tag="" if runs or reminds else status,
        tag_kind=kind,
        tag_short="" if held else tr("not sandboxed"),
        tag_below=record.chain is not None,
        lines=(RowLine(words),),
        link=_cancel() if runs else None,
        menu=False,
        tip=tip_words(record),
        spoken=", ".join(part for part in (record.title, status, words) if part),
    )


def _risk(record: ActionRecord) -> tuple[str, PillKind]:
    if record.chain is None:
        return risk_words(record)
    from partner_desktop.desktop.card.plan.step_words import chain_risk_words  # noqa: PLC0415 - few have steps

    return chain_risk_words(record)


def session_row(session: CommandSession) -> ListedRow:
    """A command that goes on in the background, or did."""
    state, kind = session_pill(session)
    title, facts = session_title(session), session_facts(session)
    return RowSpec(
        f"session/{session.id}",
        title,
        session,
        tag=state,
        tag_kind=kind,
        lines=(RowLine(facts),),
        link=_cancel() if session.state is SessionState.RUNNING else None,
        menu=False,
        tip=shlex.join(session.argv),
        spoken=f"{title}, {state}, {facts}",
    )


def session_text(session: CommandSession) -> str:
    """What a command is looked for in."""
    return f"{session_title(session)} {shlex.join(session.argv)} {session.cwd}".casefold()


def _cancel() -> RowVerb:
    return RowVerb("cancel", tr("Cancel"), key="Del")


def listed_verbs(row: ListedRow) -> Iterator[RowVerb]:
    """What can be done with a row."""
    if isinstance(row.about, Schedule):
        for verb, words in schedule_verbs(row.about):
            yield RowVerb(verb, words, parted=verb == "cancel")
    elif row.link is not None and row.kind != "head":
        yield row.link


class LiveRun(QWidget):
    """Of what runs: how far it is, and the end of what it prints. Hidden unless it runs."""

    def __init__(self, record: ActionRecord, theme: Theme, *, lines: int) -> None:
        super().__init__()
        self._record = record
        self._theme = theme
        self._lines = lines
        self._told: ProgressEvent | None = None
        self._progress = ProgressLine(theme)
        self._progress.setFixedHeight(4)
        self.text: LiveText | None = None
        """What it prints, once it has."""
        self._text_is_old = False
        self._column = vbox(self._progress, into=self, gap=Space.S)
        self.show_record(record)

    def show_record(self, record: ActionRecord) -> None:
        """What a chain's step before told and printed is over with it."""
        if steps_on(self._record, record):
            self._told = None
            self._text_is_old = True
        self._record = record
        step = current_step(record.chain) if record.chain is not None else None
        if step is not None and step.status is StepStatus.WAITING and self.text is not None:
            drop_widget(self.text)
            self.text = None
        self._show_share()
        self.setVisible(record.status is ActionStatus.RUNNING)

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far it is, or the step that runs."""
        self._told = progress
        self._show_share()

    def show_output(self, stream: Stream, text: str) -> None:
        if self._record.status is not ActionStatus.RUNNING:
            return
        if self.text is None:
            from partner_desktop.desktop.parts.live_text import LiveText  # noqa: PLC0415 - most print nothing

            name = lambda: tr("What it prints: {title}").format(title=self._record.title)  # noqa: E731
            self.text = LiveText(name, self._theme, lines=self._lines)
            self._column.addWidget(self.text)
        elif self._text_is_old:
            self.text.start_over()  # only now: an empty place says nothing
        self._text_is_old = False
        self.text.add(stream, text)

    def _show_share(self) -> None:
        """Of a chain the steps that have ended, and as much of the next as is told."""
        share = share_of(self._told) if self._told is not None else None
        chain = self._record.chain
        if chain is not None:
            share = (ended_steps(chain) + (share or 0)) / max(1, len(chain.last_tries))
        self._progress.set_share(share)


class RunSheet(RowSheet[Listed]):
    """Stands below what runs."""

    def __init__(self, theme: Theme, row: ListedRow) -> None:
        super().__init__()
        assert isinstance(row.about, ActionRecord)
        self.run = LiveRun(row.about, theme, lines=_LIVE_LINES)
        vbox(self.run, into=self)

    def show_row(self, row: ListedRow) -> None:
        assert isinstance(row.about, ActionRecord)
        self.run.show_record(row.about)


def steps_on(before: ActionRecord, after: ActionRecord) -> bool:
    """Whether another step of a chain has its turn now."""
    last = current_step(before.chain) if before.chain is not None else None
    step = current_step(after.chain) if after.chain is not None else None
    return last is not None and (step is None or step.id != last.id)
