"""`partner-desktop audit`: what was decided and run, to read or into a file."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import cast

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home, display_path
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.domain.audit import KINDS, OUTCOMES, AuditQuery
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.wire import json_line

_USUAL = 200


async def audit(
    home: Home, action_dir: Path | None, query: AuditQuery, *, limit: int | None, as_json: bool
) -> int:
    """Print the newest entries that fit, oldest of them first."""
    async with connect(home, action_dir) as client:
        await _check(client, query)
        pages = client.stream("audit.pages", query=_as_json(query), limit=limit or _USUAL)
        async with aclosing(pages):
            async for page in pages:
                for entry in cast("list[JsonObject]", page):
                    print(json_line(entry) if as_json else plain(_line(entry)))
    return 0


async def export_audit(
    home: Home,
    action_dir: Path | None,
    query: AuditQuery,
    path: Path,
    *,
    limit: int | None,
    force: bool,
    as_json: bool,
) -> int:
    """Have the Partner of this home write the file, be it running or not.

    Raises:
        UsageError: The name does not do, or the file is there already.
    """
    from partner_desktop.permission.audit_export import check_target  # noqa: PLC0415 - only an export needs it

    await asyncio.to_thread(check_target, path, force=force)
    async with connect(home, action_dir) as client:
        await _check(client, query)
        asked: JsonObject = {"query": _as_json(query), "path": str(path), "limit": limit, "force": force}
        count = cast("int", await client.call("audit.export", **asked))
    entries = "1 entry" if count == 1 else f"{count:,} entries"
    told: JsonObject = {"path": str(path), "entries": count}
    print(json_line(told) if as_json else f"Wrote {entries} to {plain(display_path(path))}.")
    return 0


async def _check(client: PartnerClient, query: AuditQuery) -> None:
    """A word that nothing has would find nothing, and say nothing of why."""
    if query.kind in ("", *KINDS) and query.outcome in ("", *OUTCOMES):
        return
    words = await client.object("audit.words")
    for what, word, known in (
        ("kind", query.kind, words["kinds"]),
        ("outcome", query.outcome, words["outcomes"]),
    ):
        assert isinstance(known, list)
        if word and word not in known:
            raise UsageError(f"The log knows no {what} “{word}”; use one of {', '.join(map(str, known))}.")


def _as_json(query: AuditQuery) -> JsonObject:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(query).items()
    }


def _line(entry: JsonObject) -> str:
    by = f" by {entry['by_whom']} ({entry['scope']})" if entry["by_whom"] else ""
    why = f": {entry['reason']}" if entry["reason"] else ""
    what = f"{entry['kind']:<8} {entry['outcome']:<11}"
    return f"{_local(str(entry['at']))}  {what} {entry['action_key']}{by}{why}"


def _local(at: str) -> str:
    """In the person's zone, in which `--since` and `--until` are given too."""
    return datetime.fromisoformat(at).astimezone().isoformat(sep=" ", timespec="seconds")[:19]
