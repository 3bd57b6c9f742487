"""The audit log as a file: JSON lines, JSON or CSV by its name, closed to others, whole or not at all.

Contract: pages are read on the database's thread and written on another; no more than one is held. Whoever
is cancelled leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import threading
from collections.abc import AsyncIterable, Iterable, Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import IO

from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.private import building_beside, opener
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.events import as_json
from partner_desktop.files.atomic import take_place

#: Endings of file names, and so the forms.
FORMS = (".jsonl", ".json", ".csv")
#: What a spreadsheet would take for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def check_target(path: Path, *, force: bool) -> None:
    """Look whether the log can be written there.

    Raises:
        UsageError: It cannot; the sentence says what to do.
    """
    if path.suffix.lower() not in FORMS:
        raise UsageError("permission.no_form", name=path.name)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError("common.cannot_be_a_file", path=display_path(path))
    if os.path.lexists(path) and not force:
        raise UsageError("common.there_already", path=display_path(path))


async def export(pages: AsyncIterable[Sequence[AuditEntry]], path: Path, *, force: bool = False) -> int:
    """Write these rows; how many there were.

    Raises:
        UsageError: The name does not do, or the file is there already (and not `force`).
        PartnerError: It could not be written; nothing was left behind.
    """
    await asyncio.to_thread(check_target, path, force=force)
    building = _Building(path)
    try:
        await asyncio.to_thread(building.begin)
        async for page in pages:
            await asyncio.to_thread(building.add, page)
        await asyncio.to_thread(building.end, force=force)
    except FileExistsError as error:
        raise UsageError("common.there_already", path=display_path(path)) from error
    except OSError as error:
        raise PartnerError(
            "common.not_written", path=display_path(path), reason=system_reason(error)
        ) from error
    finally:
        building.drop()
    return building.count


class _Building:
    """A file beside the target that takes its place in the end. A write that is under way is never cut."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._path = building_beside(target)
        self._form = target.suffix.lower()
        self._file: IO[str] | None = None
        self._lock = threading.Lock()
        self.count = 0

    def begin(self) -> None:
        with self._lock:
            self._file = open(  # noqa: SIM115 - closed by `drop`
                self._path, "x", encoding="utf-8", errors="replace", newline="", opener=opener
            )
            self._file.write({".csv": _csv([_HEAD]), ".json": "[\n"}.get(self._form, ""))

    def add(self, page: Sequence[AuditEntry]) -> None:
        with self._lock:
            if self._file is not None:
                self._file.write(self._text(page))
                self.count += len(page)

    def end(self, *, force: bool) -> None:
        with self._lock:
            if self._file is None:
                return
            self._file.write("\n]\n" if self._form == ".json" else "")
            self._file.flush()
            os.fsync(self._file.fileno())
            if force:
                self._path.replace(self._target)
            else:
                take_place(self._path, self._target)

    def drop(self) -> None:
        """Close it; what did not get its name goes."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
                self._path.unlink(missing_ok=True)

    def _text(self, page: Sequence[AuditEntry]) -> str:
        if self._form == ".csv":
            return _csv([_cell(value) for value in astuple(entry)] for entry in page)
        lines = [json.dumps(as_json(entry), ensure_ascii=False) for entry in page]
        if self._form == ".json":
            return (",\n" if self.count else "") + ",\n".join(lines)
        return "".join(f"{line}\n" for line in lines)


_HEAD = [field.name for field in fields(AuditEntry)]


def _csv(rows: Iterable[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def _cell(value: object) -> str:
    """As text; what a spreadsheet would run begins with a mark that keeps it a text."""
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULAS) else text
