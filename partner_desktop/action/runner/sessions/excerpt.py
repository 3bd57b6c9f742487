"""The first and the last lines of what a command printed, short enough for a glance."""

from __future__ import annotations

from partner_desktop.action.runner.sessions.stream_log import StreamLog
from partner_desktop.base.text import cut

LINES = 5
#: Characters of the whole excerpt.
MOST_CHARACTERS = 2_048

_LOOK_BYTES = 16 * 1024
_GAP = "…"


def excerpt(log: StreamLog, *, ended: bool) -> str:
    """The first and last five lines. Blocking."""
    head = log.read(0, _LOOK_BYTES, ended=ended)
    tail = log.read(-_LOOK_BYTES, _LOOK_BYTES, ended=ended) if head.next_offset < log.total else head
    first, last = head.text.splitlines(), tail.text.splitlines()
    whole = tail is head and head.lost_bytes == 0
    if whole and len(first) <= 2 * LINES:
        return _fitted(first, [])
    return _fitted(first[:LINES], last[-LINES:])


def last_lines(log: StreamLog) -> str:
    """The last five lines that say something, of a command that has ended. Blocking."""
    text = log.read(-_LOOK_BYTES, _LOOK_BYTES, ended=True).text
    return _fitted([], [line for line in text.splitlines() if line.strip()][-LINES:])


def _fitted(first: list[str], last: list[str]) -> str:
    """Both, with long lines shortened so that each gets its share."""
    between = [_GAP] if first and last else []
    share = MOST_CHARACTERS // max(1, len(first) + len(last) + len(between)) - 1
    return "\n".join([*(cut(line, share) for line in first), *between, *(cut(line, share) for line in last)])
