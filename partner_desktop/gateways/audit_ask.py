"""What a command asks about the audit log, and the answer from the Partner of this process."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from partner_desktop.domain.audit import AuditQuery
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import JsonObject

if TYPE_CHECKING:
    from partner_desktop.api.services import Services


@dataclass(frozen=True)
class AuditAsk:
    """Which entries, and how many of the newest (`None`: all)."""

    query: AuditQuery = field(default_factory=AuditQuery)
    limit: int | None = None

    def to_json(self) -> JsonObject:
        """As it crosses the socket."""
        query = self.query
        return {
            "action": query.action,
            "kind": query.kind,
            "outcome": query.outcome,
            "since": query.since.isoformat() if query.since is not None else None,
            "until": query.until.isoformat() if query.until is not None else None,
            "entries": self.limit,
        }


def audit_ask(
    *,
    action: str,
    kind: str,
    outcome: str,
    since: datetime | None,
    until: datetime | None,
    entries: int | None,
) -> AuditAsk:
    """The ask as it came over the socket."""
    return AuditAsk(AuditQuery(action, kind, outcome, since, until), entries)


async def answer_with_pages(partner: Services, ask: AuditAsk) -> AsyncGenerator[JsonObject, None]:
    """The entries, oldest first, a page in each object."""
    async for page in partner.audit.pages(ask.query, limit=ask.limit):
        yield {"entries": [as_json(entry) for entry in page]}
