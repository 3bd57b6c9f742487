"""What can be tried before it is allowed, and whether there is a sandbox to try it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from partner_desktop.domain.action import ActionRecord

GENERATE: Final = "builtin::dynamic::generate"
#: The parameter that holds the source.
CODE: Final = "code"


@dataclass(frozen=True)
class SandboxSeen:
    """Whether scripts can be held here; `reason` is the sentence why not."""

    available: bool
    reason: str = ""


def proposed_code(record: ActionRecord) -> str | None:
    """The source of the ability that a card proposes; `None` for any other card."""
    code = record.params.get(CODE)
    return code if record.key == GENERATE and isinstance(code, str) else None


def can_be_tried(record: ActionRecord) -> bool:
    """Whether there is a script that a sandbox could hold: no server's tool, nothing built in."""
    if proposed_code(record) is not None:
        return True
    local = record.key.startswith(("origin::", "local::"))
    return local and bool(record.source_path) and (record.isolation is None or not record.isolation.server)
