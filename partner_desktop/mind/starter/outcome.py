"""What to say of an action that reached its end, from its record alone."""

from __future__ import annotations

import shlex
from typing import assert_never

from partner_desktop.base.paths import display_text
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import CommandSession
from partner_desktop.mind.starter.markdown import bold, code, fence, sentence, shown
from partner_desktop.mind.starter.phrases import Phrases
from partner_desktop.mind.starter.results import result

#: Lines of a failed run's log that are shown: its last.
LAST_LINES = 8


def outcome(action: ActionRecord, phrases: Phrases) -> str:  # noqa: PLR0911 - one line per outcome
    """The answer for one action, whatever its outcome."""
    title = bold(action.title)
    match action.status:
        case ActionStatus.SUCCEEDED:
            return result(action, phrases)
        case ActionStatus.FAILED:
            return _failed(action, phrases)
        case ActionStatus.CANCELLED:
            return phrases.cancelled.format(title=title)
        case ActionStatus.INTERRUPTED:
            said = phrases.stopped_for_good if action.error else phrases.interrupted
            return said.format(title=title, error=sentence(display_text(action.error)))
        case ActionStatus.REJECTED:
            return phrases.rejected
        case ActionStatus.EXPIRED:
            said = phrases.expired if action.waits_until is None else phrases.card_expired
            return said.format(title=title)
        case ActionStatus.ASKING | ActionStatus.WAITING | ActionStatus.RUNNING:
            return phrases.not_ended.format(title=title)
        case _:
            assert_never(action.status)


def command_ended(session: CommandSession, output: str, phrases: Phrases) -> str:
    """The answer for a command in the background that ended by itself."""
    command, error = code(shlex.join(session.argv)), sentence(display_text(session.error))
    template = phrases.command_failed if error else phrases.command_ended
    lead = template.format(command=command, error=error)
    shown_lines = shown(output).strip()
    return f"{lead}\n\n{phrases.last_words}\n\n{fence(shown_lines)}" if shown_lines else lead


def _failed(action: ActionRecord, phrases: Phrases) -> str:
    title, error = bold(action.title), sentence(display_text(action.error))
    lead = (
        phrases.failed_because.format(title=title, error=error)
        if error
        else phrases.failed.format(title=title)
    )
    return "\n\n".join(
        block
        for block in (phrases.gap.join([lead, *_exit(action, phrases)]), _tail(action, phrases))
        if block
    )


def _exit(action: ActionRecord, phrases: Phrases) -> list[str]:
    """The exit code in words, where it says more than the error did."""
    code = action.exit_code
    if not code or str(code) in action.error:
        return []
    meaning = phrases.exit_meanings.get(code % 256 if code > 0 else 128 - code)
    told = f"{code} ({meaning})" if meaning else str(code)
    return [phrases.exit_code.format(code=told)]


def _tail(action: ActionRecord, phrases: Phrases) -> str:
    """The last lines of the log, or of the output where there is no log."""
    log = action.stderr if action.stderr.strip() else action.stdout
    lines = [line[:500] for line in shown(log).strip().split("\n") if line.strip()]
    if not lines or (len(lines) == 1 and lines[0].strip() in action.error):
        return ""
    lead = phrases.last_words
    if len(lines) > LAST_LINES:
        lead = phrases.last_words_of.format(shown=LAST_LINES, count=len(lines))
    return f"{lead}\n\n{fence(chr(10).join(lines[-LAST_LINES:]))}"
