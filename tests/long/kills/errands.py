"""Commands that a second process gives while the first one lives, and what each promised when it ended well.

A command that was killed may have done its work or not, but never half of it.
"""

from __future__ import annotations

import json
import random
import sqlite3
import zipfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

#: Chats of one import, and the turns of each.
_CHATS, _TURNS = 12, 2
_MARCH = datetime(2026, 3, 1, 9, tzinfo=UTC)


@dataclass
class Errand:
    """One command; `done` once it ended with 0."""

    kind: str
    word: str
    arguments: tuple[str, ...]
    path: Path
    done: bool = False


@dataclass
class Errands:
    """All commands of an ordeal."""

    folder: Path
    begun: list[Errand] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    """Words that were said and may be forgotten."""

    def secret(self) -> str:
        """Something to say that may be forgotten later."""
        self.secrets.append(f"plum{len(self.secrets)}q")
        return f"my secret word is {self.secrets[-1]}, keep it"

    def next(self, dice: random.Random) -> Errand:
        """A command that was not given yet."""
        number = len(self.begun)
        kind = dice.choice(("backup", "import", "forget", "schedule", "plan"))
        if kind == "forget" and not self.secrets:
            kind = "import"
        path, word = self.folder / f"{kind}{number}", f"isle{number}q"
        arguments: tuple[str, ...] = ("backup", str(path))
        if kind == "import":
            path.write_text(
                "".join(_line(word, chat, turn) for chat in range(_CHATS) for turn in range(_TURNS))
            )
            arguments = ("memory", "import", str(path))
        elif kind == "forget":
            word = self.secrets.pop(dice.randrange(len(self.secrets)))
            arguments = ("memory", "forget", word, "--yes")
        elif kind == "schedule":
            word = f"pot{number}q"
            arguments = (
                "schedule",
                "add",
                f"remind me in 2 minutes to look after {word}",
                "--approve",
                "all",
            )
        elif kind == "plan":
            word = f"once{10**6 + number}"
            told = f'scribble the word "{word}" and then repeat the word "again{10**6 + number}"'
            arguments = ("chat", "--once", told, "--approve", "all")
        self.begun.append(Errand(kind, word, (*arguments, "--json"), path))
        return self.begun[-1]

    def is_gone(self, text: str) -> bool:
        """Whether a message may have been forgotten."""
        return any(each.kind == "forget" and each.word in text for each in self.begun)

    def broken(self, database: sqlite3.Connection) -> list[str]:
        """One sentence for each promise that does not hold."""
        return [wrong for each in self.begun for wrong in _LOOKS.get(each.kind, _nothing)(each, database)]


def _line(word: str, chat: int, turn: int) -> str:
    told = {
        "text": f"{word} {chat}-{turn}",
        "role": ("user", "assistant")[turn % 2],
        "conversation": f"{word}-{chat}",
        "title": f"{word} {chat}",
        "at": (_MARCH + timedelta(days=chat, minutes=turn)).isoformat(),
    }
    return json.dumps(told) + "\n"


def _nothing(_errand: Errand, _database: sqlite3.Connection) -> list[str]:
    return []


def _backup(errand: Errand, _database: sqlite3.Connection) -> list[str]:
    if not errand.path.exists():
        return [f"the backup {errand.path.name} was acknowledged and is not there"] if errand.done else []
    try:
        with zipfile.ZipFile(errand.path) as archive:
            bad = archive.testzip() or ("" if "partner.db" in archive.namelist() else "no database")
    except zipfile.BadZipFile as error:
        bad = str(error)
    return [f"the backup {errand.path.name} is half of one: {bad}"] if bad else []


def _import(errand: Errand, database: sqlite3.Connection) -> list[str]:
    rows = database.execute(
        "SELECT text, count(*) AS times FROM messages WHERE text LIKE ? GROUP BY text", (f"{errand.word} %",)
    ).fetchall()
    wrong = [f"“{row['text']}” was brought in {row['times']} times" for row in rows if row["times"] > 1]
    if errand.done and len(rows) < _CHATS * _TURNS:
        wrong.append(f"the import of {errand.word} was acknowledged and {len(rows)} turns are there")
    if len(rows) % _TURNS:
        wrong.append(f"a chat of {errand.word} is there by half")
    return wrong


def _forget(errand: Errand, database: sqlite3.Connection) -> list[str]:
    (count,) = database.execute(
        "SELECT count(*) FROM messages WHERE text LIKE ?", (f"%{errand.word}%",)
    ).fetchone()
    return [f"“{errand.word}” was forgotten and is there"] if errand.done and count else []


def _schedule(errand: Errand, database: sqlite3.Connection) -> list[str]:
    found = database.execute("SELECT id FROM schedules WHERE terms LIKE ?", (f"%{errand.word}%",)).fetchall()
    wrong = [f"{errand.word} was planned and is not there"] if errand.done and not found else []
    if len(found) > 1:
        wrong.append(f"{errand.word} was planned {len(found)} times")
    for row in found:
        (told,) = database.execute(
            "SELECT count(*) FROM firings WHERE schedule_id = ?", (row["id"],)
        ).fetchone()
        if told > 1:
            wrong.append(f"{errand.word} was due {told} times")
    return wrong


_LOOKS = {"backup": _backup, "import": _import, "forget": _forget, "schedule": _schedule}
