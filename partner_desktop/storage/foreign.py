"""A backup of another home comes without what would act or allow here: whoever made it is not known.

Contract: works on what was unpacked, before it counts, so that no part of it holds for a moment. A home knows
its own backups by their signature (`backup_file.py`); everything else is another home's, also what was made
before backups were signed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from partner_desktop.base import private
from partner_desktop.base.errors import BackupError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, sentences_joined
from partner_desktop.storage import search_text
from partner_desktop.storage.backup_file import ACTION, CONFIG, DATABASE, Manifest
from partner_desktop.storage.migrations import shipped_steps

#: Settings that open something: what may run, what scripts see, whose code is loaded, who is let in, where
#: words are sent to.
_OPENING = ("action.toml", "extensions.toml", "gateways.toml", "model.toml")
_PERMISSION = "permission.toml"
_ASIDE = ".from-backup"
_OFF = ".json.disabled"
_CONFIGURATIONS = (".json", ".jsonc")
#: Rows that allow, that would go on, that tell what to put back where, which ability words mean, which files
#: are read for a model, which model a conversation is sent to, or how far a model can be trusted.
_ACTING = (
    "approvals",
    "turn_queue",
    "command_sessions",
    "undo",
    "attachments",
    "drafts",
    "firings",
    "schedules",
    "intent_words",
    "intents",
    "conversation_models",
    "model_downloads",
    "model_checks",
)


@dataclass(frozen=True)
class LeftOut:
    """What a backup of another home was put in place without."""

    servers: tuple[str, ...] = ()
    """The files in `mcp/` that are switched off now, by the names that they had."""
    settings: tuple[str, ...] = ()
    """The files in `config/` that hold nothing here any more that opens something."""
    grants: int = 0
    unfinished: int = 0
    """Runs, cards and questions that had not ended."""


def omission_sentence(dropped: LeftOut) -> str:
    """What the person reads of it."""
    sentences = [sentence_of("storage.left_out")]
    if dropped.servers:
        sentences.append(sentence_of("storage.left_out_servers", names=", ".join(dropped.servers)))
    if dropped.settings:
        names = ", ".join(dropped.settings)
        sentences.append(sentence_of("storage.left_out_settings", names=names, suffix=_ASIDE))
    sentences.append(sentence_of("storage.left_out_mode"))
    if dropped.grants:
        sentences.append(sentence_of("storage.left_out_grants", count=dropped.grants))
    if dropped.unfinished:
        sentences.append(sentence_of("storage.left_out_unfinished", count=dropped.unfinished))
    return sentences_joined(sentences)


def signature(manifest: Manifest, key: bytes) -> str:
    """What a home writes under its backup: an HMAC of all that the manifest says, hashes of the files too."""
    said = json.dumps(manifest.model_dump(exclude={"signature"}), sort_keys=True)
    return hmac.new(key, said.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def is_own(manifest: Manifest, key: bytes) -> bool:
    """Whether this home wrote the backup, and nobody changed it since."""
    return hmac.compare_digest(manifest.signature.encode(), signature(manifest, key).encode())


def disarm(stage: Path) -> LeftOut:
    """Take out of an unpacked backup what would act or allow.

    Raises:
        BackupError: Its database holds programs of somebody's own.
        OSError: The disk refuses.
    """
    grants, unfinished = _disarm_database(stage / DATABASE)
    return LeftOut(
        servers=tuple(_switch_off(stage / ACTION / "mcp")),
        settings=tuple(_close_settings(stage / CONFIG)),
        grants=grants,
        unfinished=unfinished,
    )


def _switch_off(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*")):
        if path.suffix not in _CONFIGURATIONS or path.name.endswith(".disabled.json"):
            continue
        names = (f"{path.stem}{number}{_OFF}" for number in ("", *(f"-{n}" for n in range(2, 10_000))))
        path.rename(next(target for name in names if not (target := folder / name).exists()))
        yield path.name


def _close_settings(folder: Path) -> Iterator[str]:
    for name in _OPENING:
        path = folder / name
        if path.exists():
            path.rename(path.with_name(name + _ASIDE))
            yield name
    path = folder / _PERMISSION
    if path.exists():
        text = path.read_text(encoding="utf-8", errors="replace")
        path.rename(path.with_name(_PERMISSION + _ASIDE))
        private.write_text(path, _what_closes(text))
        yield _PERMISSION


def _what_closes(text: str) -> str:
    """Of the rules those that deny or ask; the mode is the usual one."""
    try:
        rules = tomllib.loads(text).get("rule", [])
    except (tomllib.TOMLDecodeError, RecursionError):
        return ""
    kept = []
    for rule in rules if isinstance(rules, list) else []:
        effect, action = (rule.get("effect"), rule.get("action")) if isinstance(rule, dict) else ("", "")
        if effect in ("deny", "ask") and isinstance(action, str):
            kept.append(f'[[rule]]\neffect = "{effect}"\naction = {json.dumps(action, ensure_ascii=False)}\n')
    return "\n".join(kept)


def _disarm_database(path: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        _check_programs(db)
        search_text.install(db)
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        db.execute("BEGIN IMMEDIATE")
        gone = {
            table: db.execute(f"DELETE FROM {table}").rowcount  # noqa: S608 - a constant
            for table in _ACTING
            if table in tables
        }
        unfinished = db.execute(
            "UPDATE actions SET status = 'interrupted', record = json_set(record, '$.status', 'interrupted') "
            "WHERE status IN ('asking', 'waiting', 'running')"
        ).rowcount
        db.execute("COMMIT")
    return gone.get("approvals", 0), unfinished


def _check_programs(db: sqlite3.Connection) -> None:
    """A trigger of somebody's own could write a grant with the next message."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    with closing(sqlite3.connect(":memory:")) as known:
        search_text.install(known)
        for number, sql in shipped_steps().items():
            if number <= version:
                known.executescript(sql)
        ours = _programs(known)
    if not _programs(db) <= ours:
        raise BackupError("storage.foreign_parts")


def _programs(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    found = db.execute("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')")
    return {(str(kind), str(name), str(sql)) for kind, name, sql in found}
