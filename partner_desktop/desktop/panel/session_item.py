"""One command in the background: a small card to click on for what it prints, with Cancel while it runs."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime

from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.panel.action_item import PanelItem
from partner_desktop.desktop.panel.action_words import clock_words
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, size_words
from partner_desktop.domain.command_session import CommandSession, SessionState


def session_title(session: CommandSession) -> str:
    """What it is for, or the command itself."""
    return " ".join(session.description.split()) or shlex.join(session.argv)


def session_pill(session: CommandSession) -> tuple[str, PillKind]:
    """Where it stands."""
    if session.state is SessionState.FAILED and session.exit_code is not None:
        return tr("exit code {code}").format(code=session.exit_code), "bad"
    words: dict[SessionState, tuple[str, PillKind]] = {
        SessionState.RUNNING: (tr("running"), "busy"),
        SessionState.ENDED: (tr("done"), "good"),
        SessionState.FAILED: (tr("failed"), "bad"),
        SessionState.CANCELLED: (tr("cancelled"), "plain"),
        SessionState.LOST: (tr("interrupted"), "careful"),
    }
    return words[session.state]


def session_facts(session: CommandSession) -> str:
    """Since when, until when, and how much it printed."""
    began = clock_words(session.started_at)
    if session.ended_at is None:
        parts = [tr("since {time}").format(time=began)]
    else:
        parts = [tr("{start} to {end}").format(start=began, end=clock_words(session.ended_at))]
    printed = session.stdout_bytes + session.stderr_bytes
    parts.append(size_words(printed) if printed else tr("nothing printed"))
    return " · ".join(parts)


class SessionItem(PanelItem):
    """One command. A click asks for its output."""

    def __init__(self, session: CommandSession, theme: Theme) -> None:
        super().__init__(theme)
        self.session = session
        self.cancel_button = self._make_cancel(session.id)
        in_every_language(self, lambda: self.show_session(self.session))
        self.show_session(session)

    @property
    def moment(self) -> datetime:
        """What the list is ordered by."""
        return self.session.started_at

    def holds(self, words: Sequence[str]) -> bool:
        """Whether it is what somebody looks for."""
        text = f"{session_title(self.session)} {shlex.join(self.session.argv)} {self.session.cwd}".casefold()
        return all(word in text for word in words)

    def show_session(self, session: CommandSession) -> None:
        """As it is now."""
        self.session = session
        self.cancel_button.setVisible(session.state is SessionState.RUNNING)
        state, _ = session_pill(session)
        self.setAccessibleName(f"{session_title(session)}, {state}, {session_facts(session)}")
        set_tip(self, shlex.join(session.argv))
        self.update()

    def _title(self) -> str:
        return session_title(self.session)

    def _second_line(self) -> str:
        return session_facts(self.session)

    def _pill(self, room: int) -> tuple[str, PillKind]:
        del room
        return session_pill(self.session)
