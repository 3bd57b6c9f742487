"""Where downloads are kept: one row each in the home's database.

Everything raises a `StorageError` where it cannot be done.
"""

from __future__ import annotations

import json
from dataclasses import field
from datetime import datetime
from typing import Any, cast

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import shown_sentence
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_download import Download, DownloadState
from partner_desktop.domain.model_file import ModelPurpose
from partner_desktop.storage.database import Database

_log = log.area("model")

#: Downloads that are over and listed; older ones are forgotten, their files stay.
_MOST_OVER = 50


@dataclass(frozen=True)
class KeptPart:
    """One file of a download, and what it has to be whatever the hub says."""

    file: str
    size_bytes: int = 0
    """0: the hub's word is taken."""
    sha256: str = ""
    """Empty: the hub's word is taken."""


@dataclass(frozen=True)
class KeptDownload:
    """A download as it is kept; what is only so while it loads is not here."""

    id: str
    title: str
    repository: str
    parts: tuple[KeptPart, ...]
    state: DownloadState
    begun_at: datetime
    purpose: ModelPurpose = "chat"
    revision: str = ""
    """The commit, once the hub was asked: a file that is changed there meanwhile is not mixed with it."""
    size_bytes: int = 0
    """Of all parts, as the hub says; 0: it was not asked yet."""
    done_bytes: int = 0
    trouble: str = ""
    """Its kind; empty: none."""
    values: JsonObject = field(default_factory=dict)
    """What fills the sentence about the trouble, in whichever language it is read."""
    path: str = ""
    model: str = ""
    told: tuple[KeptPart, ...] = ()
    """The parts as the hub told them the last time."""

    @property
    def file(self) -> str:
        """Of its first part."""
        return self.parts[0].file

    @property
    def names(self) -> list[str]:
        """Of its files, as they lie here."""
        return [part.file.rpartition("/")[2] for part in self.parts]

    def shown(self, *, bytes_per_s: float = 0.0) -> Download:
        """As a person sees it."""
        left = max(0, self.size_bytes - self.done_bytes)
        return Download(
            id=self.id,
            title=self.title,
            repository=self.repository,
            file=self.file,
            state=self.state,
            size_bytes=self.size_bytes,
            done_bytes=self.done_bytes,
            bytes_per_s=bytes_per_s,
            left_s=left / bytes_per_s if bytes_per_s > 0 else 0.0,
            reason=trouble_sentence(self.trouble, self.values) if self.trouble else "",
            path=self.path,
            model=self.model,
            begun_at=self.begun_at,
        )


def trouble_sentence(kind: str, values: JsonObject) -> str:
    """One sentence about a trouble, in the language that is spoken."""
    filled: dict[str, object] = dict(values)
    wanted, found = filled.get("wanted"), filled.get("found")
    if isinstance(wanted, int) and isinstance(found, int) and byte_words(wanted) == byte_words(found):
        filled |= {"wanted": f"{wanted:,} B", "found": f"{found:,} B"}
    for name in ("needed", "free", "wanted", "found"):
        amount = filled.get(name)
        if isinstance(amount, int):
            filled[name] = byte_words(amount)
    return shown_sentence(f"downloads.trouble_{kind}", filled)


def byte_words(size_bytes: int) -> str:
    """As hubs write it: `4.7 GB`, of a thousand each."""
    value = float(size_bytes)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if abs(value) < 1000 or unit == "TB":
            break
        value /= 1000
    return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"


def new_download(
    repository: str,
    parts: tuple[KeptPart, ...],
    *,
    title: str,
    purpose: ModelPurpose,
    revision: str,
    clock: Clock,
) -> KeptDownload:
    """One that waits."""
    return KeptDownload(
        id=new_id(),
        title=title,
        repository=repository,
        parts=parts,
        state="waiting",
        size_bytes=sum(part.size_bytes for part in parts) if all(part.size_bytes for part in parts) else 0,
        begun_at=clock.now(),
        purpose=purpose,
        revision=revision,
    )


class DownloadStore:
    """The rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> list[KeptDownload]:
        """The oldest first; a row that cannot be read is passed over."""
        found = []
        for row in await self._database.rows("SELECT document FROM model_downloads ORDER BY place"):
            try:
                raw = cast("dict[str, Any]", json.loads(row["document"]))
                found.append(decoded(KeptDownload, raw))
            except (ValueError, TypeError, KeyError) as error:
                _log.warning("a download that cannot be read is passed over: %s", error)
        return found

    async def save(self, kept: KeptDownload) -> None:
        """Keep it in place of what was kept of it before; it is on the disk when this returns."""
        document = json.dumps(as_json(kept))
        await self._database.execute(
            "INSERT INTO model_downloads (id, place, state, document) VALUES "
            "(?, (SELECT coalesce(max(place), 0) + 1 FROM model_downloads), ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET state = excluded.state, document = excluded.document",
            (kept.id, kept.state, document),
        )
        await self._database.execute(
            "DELETE FROM model_downloads WHERE id IN (SELECT id FROM model_downloads "
            "WHERE state = 'done' ORDER BY place DESC LIMIT -1 OFFSET ?)",
            (_MOST_OVER,),
        )

    async def remove(self, download_id: str) -> None:
        """Forget one."""
        await self._database.execute("DELETE FROM model_downloads WHERE id = ?", (download_id,))
