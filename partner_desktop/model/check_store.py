"""CheckStore: what self-tests of models came to, kept in the home's database.

A result belongs to a file as it was, or to a model of a server, not to a name in the settings.
"""

from __future__ import annotations

import json
from dataclasses import replace

from partner_desktop.base import log
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import as_json
from partner_desktop.domain.model_check import ModelCheck
from partner_desktop.model.model_slot import Entry
from partner_desktop.model.settings import FileModel, whole_path
from partner_desktop.storage.database import Connection, Database

_log = log.area("model")

#: Models whose results are kept, the newest tests first.
_MOST = 200


def bound_to(entry: Entry) -> str:
    """What a result is kept for. Blocking.

    Raises:
        OSError: The file cannot be looked at.
    """
    if not isinstance(entry, FileModel):
        return json.dumps(["endpoint", entry.base_url, entry.model])
    path = whole_path(entry.path)
    stat = path.stat()
    return json.dumps(["file", str(path), stat.st_size, stat.st_mtime_ns])


class CheckStore:
    """Of a `Database` that somebody else opens."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, check: ModelCheck, bound: str) -> None:
        """Keep it in place of an earlier one.

        Raises:
            StorageError: It cannot be written.
        """
        row = (bound, check.at.isoformat() if check.at else "", json.dumps(as_json(check)))

        def write(db: Connection) -> None:
            db.execute("INSERT OR REPLACE INTO model_checks (bound_to, at, result) VALUES (?, ?, ?)", row)
            db.execute(
                "DELETE FROM model_checks WHERE bound_to NOT IN "
                "(SELECT bound_to FROM model_checks ORDER BY at DESC LIMIT ?)",
                (_MOST,),
            )

        await self._database.write(write)

    async def last(self, model: str, bound: str) -> ModelCheck | None:
        """The newest of what is bound so, under the name that the model has now.

        Raises:
            StorageError: It cannot be read.
        """
        row = await self._database.row("SELECT result FROM model_checks WHERE bound_to = ?", (bound,))
        if row is None:
            return None
        try:
            return replace(decoded(ModelCheck, json.loads(row["result"])), model=model)
        except (TypeError, ValueError) as error:
            _log.warning("a self-test of %s is passed over: %s", model, error)
            return None
