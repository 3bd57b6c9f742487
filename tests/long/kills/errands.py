"""Commands that a second process gives while the first one lives, and what each promised when it ended well.

A command that was killed may have done its work or not, but never half of it.
"""

from __future__ import annotations

import json
import random
import sqlite3
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.model.hub import FakeHub, HubFileData, model_bytes

#: Chats of one import, and the turns of each.
_CHATS, _TURNS = 12, 2
#: What the hub has, by repository.
MODELS = {f"someone/size{size}-GGUF": model_bytes(size * 500_000, b"of %d" % size) for size in (1, 4, 12, 24)}
FILE = "tiny-Q4_K_M.gguf"
_MARCH = datetime(2026, 3, 1, 9, tzinfo=UTC)


def fill(hub: FakeHub) -> None:
    """Everything that is fetched from it."""
    for name, content in MODELS.items():
        hub.add(name).files[FILE] = HubFileData(content)


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
    models: Path | None = None
    """Where downloaded models lie; `None`: there is no hub."""
    begun: list[Errand] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    """Words that were said and may be forgotten."""

    def secret(self) -> str:
        """Something to say that may be forgotten later."""
        self.secrets.append(f"plum{len(self.secrets)}q")
        return f"my secret word is {self.secrets[-1]}, keep it"

    def next(self, dice: random.Random, conversations: Sequence[str]) -> Errand:
        """A command that was not given yet."""
        number = len(self.begun)
        kind = dice.choice(("backup", "import", "forget", "schedule", "plan", "roll", "download"))
        if (
            (kind == "forget" and not self.secrets)
            or (kind == "roll" and not conversations)
            or (kind == "download" and self.models is None)
        ):
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
        elif kind == "roll":
            word = dice.choice(conversations)
            arguments = ("memory", "roll", word)
        elif kind == "download" and self.models is not None:
            word = dice.choice(sorted(MODELS))
            path = self.models / word / FILE
            arguments = ("models", "get", word)
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


def _roll(errand: Errand, database: sqlite3.Connection) -> list[str]:
    """Units do not overlap, and each is whole: its slices are what it covers, in order and without a gap."""
    units = database.execute(
        "SELECT id, first, past FROM memory_units WHERE conversation_id = ? ORDER BY first", (errand.word,)
    ).fetchall()
    wrong = []
    if errand.done and not units:
        (said,) = database.execute(
            "SELECT count(*) FROM messages WHERE conversation_id = ?", (errand.word,)
        ).fetchone()
        wrong += ["a conversation was rolled and has no unit"] if said else []
    for before, unit in zip([None, *units], units, strict=False):
        if before is not None and before["past"] > unit["first"]:
            wrong.append(f"{unit['id']} was summed up twice")
        slices = database.execute(
            "SELECT first, past FROM memory_slices WHERE unit_id = ? ORDER BY first", (unit["id"],)
        ).fetchall()
        edges = [unit["first"], *(one["past"] for one in slices)]
        if edges != [*(one["first"] for one in slices), unit["past"]]:
            wrong.append(f"{unit['id']} is there by half")
    return wrong


def _download(errand: Errand, _database: sqlite3.Connection) -> list[str]:
    if not errand.path.exists():
        return [f"{errand.word} was fetched and is not there"] if errand.done else []
    return [] if errand.path.read_bytes() == MODELS[errand.word] else [f"{errand.word} is half of a model"]


_LOOKS = {
    "roll": _roll,
    "download": _download,
    "backup": _backup,
    "import": _import,
    "forget": _forget,
    "schedule": _schedule,
}
