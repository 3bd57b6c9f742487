"""`partner-desktop audit`: what was decided and run, to read or into a file."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import aclosing
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import cast

from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.commands.connection import connect
from partner_desktop.commands.options import CommandFolders, home_folder
from partner_desktop.commands.plain import plain
from partner_desktop.domain.audit import KINDS, OUTCOMES, AuditQuery
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.wire import json_line

_USUAL = 200


async def audit(options: argparse.Namespace, place: CommandFolders) -> int:
    """Print the newest entries that fit, oldest of them first; or have the Partner of this home, be it
    running or not, write them into a file.

    Raises:
        UsageError: What was said does not fit together, the name does not do, or the file is there already.
    """
    if options.force and options.export is None:
        raise UsageError("terminal.force_for_export")
    if options.since is not None and options.until is not None and options.since >= options.until:
        raise UsageError("terminal.since_after_until")
    query = AuditQuery(options.action, options.kind, options.outcome, options.since, options.until)
    path = home_folder(options.export) if options.export is not None else None
    if path is not None:
        from partner_desktop.permission.audit_export import check_target  # noqa: PLC0415 - only an export needs it

        await asyncio.to_thread(check_target, path, force=options.force)
    async with connect(*place) as client:
        await _check(client, query)
        if path is None:
            await _print(client, query, options)
        else:
            await _export(client, query, options, path)
    return 0


async def _print(client: PartnerClient, query: AuditQuery, options: argparse.Namespace) -> None:
    pages = client.stream("audit.pages", query=_as_json(query), limit=options.limit or _USUAL)
    async with aclosing(pages):
        async for page in pages:
            for entry in cast("list[JsonObject]", page):
                print(json_line(entry) if options.json else plain(_line(entry)))


async def _export(client: PartnerClient, query: AuditQuery, options: argparse.Namespace, path: Path) -> None:
    asked: JsonObject = {"path": str(path), "limit": options.limit, "force": options.force}
    count = cast("int", await client.call("audit.export", query=_as_json(query), **asked))
    told: JsonObject = {"path": str(path), "entries": count}
    wrote = sentence_of(
        "terminal.wrote_entry" if count == 1 else "terminal.wrote_entries",
        count=count,
        path=plain(display_path(path)),
    )
    print(json_line(told) if options.json else wrote)


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
            raise UsageError(f"terminal.no_audit_{what}", word=word, known=", ".join(map(str, known)))


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
