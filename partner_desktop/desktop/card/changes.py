"""Whether a card is to be made anew for a record, or keeps what the person has typed on it."""

from __future__ import annotations

from partner_desktop.domain.action import ActionRecord

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
    ),
    *("content_hash", "asked_param", "error", "stdout", "stderr", "data", "exit_code", "truncated"),
    *("stdout_path", "parts", "files", "undo", "chain"),
)


def asks_differently(before: ActionRecord, now: ActionRecord) -> bool:
    """Whether body or buttons change; a mere time stamp does not count."""
    return any(getattr(before, name) != getattr(now, name) for name in _SHOWN)
