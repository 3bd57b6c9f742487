"""One home, many lives: each life is the real program under input, ended by SIGKILL or a cut of the power.

What the program printed is what it acknowledged. After every life the database is looked at, and after
some of them, and the last, a life that ends by itself settles what is owed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from partner_desktop.storage.migrations import shipped_steps
from tests.long.kills.errands import Errand, Errands
from tests.long.kills.power import Disk
from tests.support import REPOSITORY

_LIFE_S = 60.0
#: Said in one message only.
_OWN_WORD = re.compile(r"once\d+")
#: Longest time from the first input of a life to its end.
_LONGEST_S = 0.7

#: Writes its word into a file, one line each run; `{idempotent}` says whether it may run twice.
WRITER = """\
# /// partner
# description = "{description}"
# annotations = {{ idempotentHint = {idempotent} }}
# [params.word]
# type = "string"
# description = "the word"
# [permissions]
# write = ["{path}"]
# ///
import os, sys, time
given = dict(a[2:].split("=", 1) for a in sys.argv[1:] if "=" in a)
with open("{path}", "a") as file:
    file.write(given["word"] + "\\n")
    file.flush()
    os.fsync(file.fileno())
time.sleep({pause_s})
print("written")
"""


@dataclass
class Acknowledged:
    """What was heard on the wire, over all lives."""

    messages: dict[str, str] = field(default_factory=dict)
    """Message id → text."""
    approved: set[str] = field(default_factory=set)
    started: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    replies: dict[str, str] = field(default_factory=dict)
    """Reply id → its whole text."""
    conversations: set[str] = field(default_factory=set)

    def hear(self, event: dict[str, Any]) -> None:
        kind, action = event.get("type"), event.get("action")
        if kind == "message" and event["message"]["role"] == "user":
            self.messages[event["message"]["id"]] = event["message"]["text"]
            self.conversations.add(event["conversation_id"])
        elif kind == "decision" and event["outcome"] == "allow":
            self.approved.add(event["action_id"])
        elif kind == "run" and isinstance(action, dict):
            self.started.add(action["id"])
        elif kind == "result" and isinstance(action, dict):
            self.ended.add(action["id"])
        elif kind == "reply" and event["done"] and not event.get("withdrawn"):
            self.replies[event["reply_id"]] = event["text"]


class Ordeal:
    """Runs the lives and finds what was lost."""

    def __init__(self, folder: Path, *, seed: int, hub_url: str = "", disk: Disk | None = None) -> None:
        """`hub_url`: where models are downloaded from. `disk`: what the folder lies on; its power is cut."""
        self._random = random.Random(seed)
        self._hub_url, self._disk = hub_url, disk
        self._home, self._actions, self._user = folder / "home", folder / "action", folder / "user"
        self._user.mkdir()
        (self._actions / "dynamic").mkdir(parents=True)
        self._words = {name: self._user / f"{name}.txt" for name in ("once", "again")}
        for name, path in self._words.items():
            path.touch()
            self._write_ability(name, path)
        (folder / "errands").mkdir()
        self.errands = Errands(folder / "errands", models=self._home / "models" if hub_url else None)
        self.heard = Acknowledged()
        self.counts: Counter[str] = Counter()
        self.starts_s: list[float] = []
        """From the start of a life after a kill to its first word."""
        self._number = 0
        self._longest_s = _LONGEST_S
        self._children: list[asyncio.subprocess.Process] = []

    def _write_ability(self, name: str, path: Path) -> None:
        text = WRITER.format(
            description="Scribble a word" if name == "once" else "Repeat a word again",
            idempotent="false" if name == "once" else "true",
            path=path,
            pause_s=0.15,
        )
        (self._actions / "dynamic" / f"{'scribble' if name == 'once' else 'repeat'}.py").write_text(text)

    async def run(self, times: int) -> list[str]:
        """Live and die; one sentence for everything that was lost."""
        losses: list[str] = []
        for number in range(1, times + 1):
            await self._live(aimed=number % 2 == 0)
            losses += self._look()
            if number % 10 == 0 or number == times:
                await self._settle()
                losses += self._look(settled=True)
            if losses:
                break
            if number % 5 == 0 and not self.heard.started:  # the machine is busy: nothing gets far enough
                self._longest_s *= 2
        self.counts["messages"] = len(self.heard.messages)
        self.counts["approved"] = len(self.heard.approved)
        self.counts["started"] = len(self.heard.started)
        self.counts["replies"] = len(self.heard.replies)
        return losses

    # Lives.

    async def _live(self, *, aimed: bool) -> None:
        """A host, now and then a window before it and a second command attached to it, and the end."""
        self.counts["kills" if self._disk is None else "cuts of the power"] += 1
        windows = []
        if self._random.random() < 0.2:  # it is the host, or takes the home over in the midst
            self.counts["windows"] += 1
            windows.append(await self._start())
            await asyncio.sleep(self._random.random() * self._longest_s * 3)
        host = await self._start("chat", "--json", *self._approve())
        readers = [asyncio.ensure_future(self._read(host, stop_at=self._aim() if aimed else ""))]
        self._type(host, self._line())
        attached: list[asyncio.subprocess.Process] = []
        errand: Errand | None = None
        if self._random.random() < 0.4:  # it attaches to the host, or comes first and is it
            self.counts["attached"] += 1
            errand = (
                self.errands.next(self._random, sorted(self.heard.conversations))
                if self._random.random() < 0.7
                else None
            )
            told = (
                errand.arguments if errand else ("chat", "--json", "--once", self._line(), *self._approve())
            )
            attached.append(await self._start(*told))
            readers.append(asyncio.ensure_future(self._read(attached[0])))
        with suppress(TimeoutError):
            async with asyncio.timeout(_LIFE_S):
                await self._first_word(readers[0])
        for _ in range(self._random.randrange(4)):
            self._type(host, self._line())
        if aimed:
            await asyncio.wait([readers[0]], timeout=self._longest_s * 2)
        else:
            await asyncio.sleep(self._random.random() * self._longest_s)
        if errand is not None and self._random.random() < 0.6:  # to its end, or into the midst of it
            await asyncio.wait([readers[1]], timeout=self._random.choice((_LIFE_S, self._longest_s * 3)))
        self._end(host, *attached, *windows)
        await asyncio.gather(*(process.wait() for process in (host, *attached, *windows)))
        await asyncio.gather(*readers)
        if self._disk is not None:
            await asyncio.to_thread(self._disk.restore)
        if errand is not None:
            errand.done = attached[0].returncode == 0
            self.counts[f"{errand.kind}, {'done' if errand.done else 'killed'}"] += 1

    def _end(self, *processes: asyncio.subprocess.Process) -> None:
        """Now: the power first, so that nobody brings anything to the disk after it."""
        if self._disk is not None:
            self._disk.cut()
        for process in processes:
            _kill(process)

    def _aim(self) -> str:
        """The acknowledgement at which the aimed kill strikes."""
        return self._random.choice(["message", "message", "decision", "run", "result", "reply", "done"])

    def _approve(self) -> tuple[str, str]:
        return "--approve", self._random.choice(["all", "all", "ask"])

    def _line(self) -> str:
        """Something to say: small talk, a run, a question, or a yes to what waits."""
        self._number += 1
        return self._random.choice(
            [
                f"hello number {self._number}",
                f'scribble the word "once{self._number}"',
                f'scribble the word "once{self._number}"',
                f'repeat the word "again{self._number}"',
                f'repeat the word "again{self._number}"',
                "scribble a word",
                "yes",
                self.errands.secret(),
                f"what time is it now, {self._number}?",
            ]
        )

    async def _start(self, *arguments: str) -> asyncio.subprocess.Process:
        where = ["--home", str(self._home), "--action-dir", str(self._actions)]
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.long.kills.program",
            *arguments,
            *where,
            cwd=self._user,
            env=os.environ
            | {"PYTHONPATH": str(REPOSITORY), "HOME": str(self._user), "QT_QPA_PLATFORM": "offscreen"}
            | ({"HF_ENDPOINT": self._hub_url} if self._hub_url else {}),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=2**24,
        )

    @staticmethod
    def _type(process: asyncio.subprocess.Process, line: str) -> None:
        assert process.stdin is not None
        process.stdin.write(line.encode() + b"\n")

    async def _read(self, process: asyncio.subprocess.Process, *, stop_at: str = "") -> None:
        """Hear every line that the program got out; with `stop_at`, kill it at once when that comes."""
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self.counts["events"] += 1
            with suppress(json.JSONDecodeError):  # the last line of a life may be half
                event = json.loads(line)
                self.heard.hear(event)
                if stop_at and event.get("type") == stop_at:
                    self._end(process)
                    stop_at = ""

    async def _first_word(self, reader: asyncio.Future[None]) -> None:
        """Until the program has said anything since its start."""
        before = self.counts["events"]
        while self.counts["events"] == before and not reader.done():  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.005)

    async def _settle(self) -> None:
        """A life that ends by itself: everything that is owed is done in it."""
        self.counts["settlings"] += 1
        begun_s = time.monotonic()
        last = await self._start("chat", "--json", "--once", "hello")
        async with asyncio.timeout(_LIFE_S * 2):
            reader = asyncio.ensure_future(self._read(last))
            await self._first_word(reader)
            self.starts_s.append(time.monotonic() - begun_s)
            await reader
            await last.wait()
        if last.returncode != 0:
            self.counts["settlings that failed"] += 1

    # Looks.

    def _look(self, *, settled: bool = False) -> list[str]:
        """What is not there any more, on a copy: looking must not mend anything."""
        copy = self._home.parent / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for path in self._home.glob("partner.db*"):
            shutil.copy2(path, copy / path.name)
        with closing(sqlite3.connect(copy / "partner.db")) as database:
            database.row_factory = sqlite3.Row
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version < max(shipped_steps()):  # killed before its database was made: nothing could be said
                losses = ["everything is gone"] if self.heard.messages else []
            else:
                losses = self._lost(database) + (self._unsettled(database) if settled else [])
        lives = self.counts["kills"] + self.counts["cuts of the power"]
        return [f"life {lives}: {loss}" for loss in losses]

    def _lost(self, database: sqlite3.Connection) -> list[str]:
        losses = []
        (check,) = database.execute("PRAGMA integrity_check").fetchone()
        if check != "ok":
            losses.append(f"the database is damaged: {check}")
        texts = {row["id"]: row["text"] for row in database.execute("SELECT id, text FROM messages")}
        for message_id, text in self.heard.messages.items():
            if texts.get(message_id) != text and not self.errands.is_gone(text):
                losses.append(f"the message “{text}” was acknowledged and is gone")
        for reply_id, text in self.heard.replies.items():
            if texts.get(reply_id) != text and not self.errands.is_gone(text):
                losses.append(f"the reply “{text[:60]}” was shown whole and is {texts.get(reply_id)!r}")
        statuses = {row["id"]: row["status"] for row in database.execute("SELECT id, status FROM actions")}
        settled = self.heard.approved | self.heard.started
        losses += _stand_at(statuses, settled, {None, "waiting", "asking"}, "approval")
        losses += _stand_at(statuses, self.heard.ended, {None, "waiting", "asking", "running"}, "end")
        return losses + self._owed(database) + self._twice(database) + self.errands.broken(database)

    @staticmethod
    def _owed(database: sqlite3.Connection) -> list[str]:
        """Everything said is queued, or was answered, or set a run off whose outcome is yet to be told."""
        rows = database.execute(
            "SELECT text FROM messages AS said WHERE role = 'user' AND text NOT LIKE 'isle%' "
            "AND NOT EXISTS (SELECT 1 FROM turn_queue WHERE subject_id = said.id "
            "OR (kind = 'told' AND conversation_id = said.conversation_id)) "
            "AND NOT EXISTS (SELECT 1 FROM actions WHERE status = 'running' "
            "AND conversation_id = said.conversation_id) "
            "AND NOT EXISTS (SELECT 1 FROM messages WHERE role = 'partner' AND position > said.position "
            "AND conversation_id = said.conversation_id AND exchange_id <> '' AND state <> 'streaming')"
        )
        return [f"“{row['text']}” is neither queued nor answered" for row in rows]

    def _twice(self, database: sqlite3.Connection) -> list[str]:
        """A word of its own stands once, an answer such as “the word” as often as it was to be written."""
        lines = Counter(self._words["once"].read_text().splitlines())
        self.counts["written once"] = len(lines)
        self.counts["written again"] = len(self._words["again"].read_text().splitlines())
        records = database.execute(
            "SELECT record FROM actions WHERE key = 'local::scribble' AND status NOT IN ('waiting', 'asking')"
        )
        asked = Counter(str(json.loads(row["record"])["params"].get("word")) for row in records)
        return [
            f"“{word}” was written {count} times by {asked[word]} actions"
            for word, count in lines.items()
            if count > (1 if _OWN_WORD.fullmatch(word) else asked[word])
        ]

    @staticmethod
    def _unsettled(database: sqlite3.Connection) -> list[str]:
        queued = database.execute("SELECT kind, subject_id, attempts FROM turn_queue").fetchall()
        running = database.execute("SELECT id FROM actions WHERE status = 'running'").fetchall()
        return [f"still queued after a quiet life: {tuple(row)}" for row in queued] + [
            f"still running after a quiet life: {row['id']}" for row in running
        ]


def _kill(process: asyncio.subprocess.Process) -> None:
    """Not by `send_signal`, which looks at the child behind asyncio's back."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def _stand_at(statuses: dict[str, str], ids: set[str], wrong: set[str | None], what: str) -> list[str]:
    return [
        f"the {what} of {one} was acknowledged and it is {statuses.get(one)}"
        for one in ids
        if statuses.get(one) in wrong
    ]
