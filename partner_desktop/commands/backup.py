"""`partner-desktop backup FILE` and `partner-desktop restore FILE`."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import asdict
from pathlib import Path

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import counted_words, sentence_of, sentences_joined
from partner_desktop.base.paths import Home, display_path
from partner_desktop.commands.connection import connect
from partner_desktop.commands.options import CommandFolders, home_folder
from partner_desktop.commands.plain import plain
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.wire import json_line
from partner_desktop.runtime.host import HostLock, host_info
from partner_desktop.storage.foreign import omission_sentence
from partner_desktop.storage.restore import RestoreReport, restore

_MOST_SHOWN = 10


async def backup(options: argparse.Namespace, place: CommandFolders) -> int:
    """Have the Partner of this home write the file, be it running or not."""
    path, as_json = home_folder(options.path), options.json
    async with connect(*place) as client:
        report = await client.object("backup.write", path=str(path), force=options.force)
    size_bytes = report["size_bytes"]
    told = sentence_of(
        "terminal.backed_up", path=display_path(path), files=report["members"], size=size_bytes
    )
    print(json_line(report) if as_json else told)
    if report["left_out"] and not as_json:
        print(_left_out(report["left_out"]))
    if report["plain"] and not as_json:
        print(_plain_secrets(report["plain"]))
    return 0


async def restore_backup(options: argparse.Namespace, place: CommandFolders) -> int:
    """Put a backup in the place of the home's state; nobody may use it meanwhile.

    Raises:
        UsageError: Partner runs on this home, or the backup holds what was forgotten since.
        BackupError: The file is no sound backup; nothing was changed.
    """
    home, path = place.home, home_folder(options.path)
    lock = HostLock(home, kind="command")
    if not lock.acquire():
        info = host_info(home)
        window = info is not None and info.kind == "window"
        raise UsageError("terminal.window_open" if window else "terminal.command_open")
    try:
        if not options.forgotten:
            await asyncio.to_thread(_refuse_forgotten, home, path)
        report = await asyncio.to_thread(restore, home, path, now=SystemClock().now())
    finally:
        await lock.shutdown()
    print(json_line(_as_json(path, report)) if options.json else _sentence(report))
    return 0


def _refuse_forgotten(home: Home, path: Path) -> None:
    from partner_desktop.memory.forget_backups import forgotten_in  # noqa: PLC0415 - with a backup only

    if count := forgotten_in(home, path):
        messages = counted_words("message", count)
        raise UsageError("terminal.holds_forgotten", path=display_path(path), messages=messages, given=path)


def _left_out(paths: Json) -> str:
    assert isinstance(paths, list)
    shown = ", ".join(plain(path) for path in paths[:_MOST_SHOWN])
    more = (
        sentence_of("terminal.and_more", count=len(paths) - _MOST_SHOWN) if len(paths) > _MOST_SHOWN else ""
    )
    return sentence_of("terminal.left_out", shown=shown, more=more)


def _plain_secrets(names: Json) -> str:
    assert isinstance(names, list)
    shown = ", ".join(plain(name) for name in names)
    return sentence_of("terminal.secret_in_backup", shown=shown)


def _as_json(path: Path, report: RestoreReport) -> JsonObject:
    return {
        "path": str(path),
        "created_at": report.manifest.created_at,
        "app_version": report.manifest.app_version,
        "members": len(report.manifest.members),
        "kept": str(report.kept) if report.kept is not None else None,
        "own": report.dropped is None,
        "dropped": asdict(report.dropped) if report.dropped is not None else None,
    }


def _sentence(report: RestoreReport) -> str:
    sentences = [sentence_of("terminal.restored", moment=report.manifest.created_at[:16].replace("T", " "))]
    if report.kept is not None:
        sentences.append(sentence_of("terminal.kept_before", path=display_path(report.kept)))
    if report.dropped is not None:
        sentences.append(omission_sentence(report.dropped))
    return plain(sentences_joined(sentences))
