"""ChatImporting: brings chats of other programs in, as conversations and units of memory.

Contract: a chat is in whole or not at all, and how far the file was read is written in the same transaction:
a stop, a crash or a full disk loses nothing, and the next start goes on. What is there already, by its words,
is not taken twice; of a chat that grew since it was exported before, what is new is added to it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, sentences_joined, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import ChatImportEvent, ConversationEvent, Event, NoticeEvent
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.message import Conversation, Role
from partner_desktop.domain.remembered import PARTNER, PERSON, ChatImport, MemoryUnit
from partner_desktop.memory.forgotten import ForgottenTexts
from partner_desktop.memory.indexing import TurnIndexing
from partner_desktop.memory.slice_store import SliceStore, UnitPlan, insert_unit, plan_unit
from partner_desktop.runtime.conversations.past_talk import (
    MOST_AT_ONCE,
    PastTurn,
    WrittenHistory,
    extend_history,
    insert_history,
    write_history,
)
from partner_desktop.runtime.dialog import storable
from partner_desktop.runtime.turn_reader import TurnReader
from partner_desktop.storage.database import Connection, Database

if TYPE_CHECKING:
    from partner_desktop.memory.chat_exports.exported_chat import ExportedChat, ExportedTurn

_log = log.area("memory")

#: Chats that are read from the file in one go.
_CHATS_AT_ONCE = 16
#: Turns that are written in one transaction, where a chat is not longer by itself.
_TURNS_AT_ONCE = 200
#: Between two turns of a chat that gives no times.
_STEP = timedelta(seconds=1)
_SOURCE = "import"


class ChatImporting:
    """A part: owns the tables `memory_imports` and `memory_known_chats`."""

    def __init__(
        self,
        database: Database,
        reader: TurnReader,
        slices: SliceStore,
        indexing: TurnIndexing,
        forgotten: ForgottenTexts,
        publish: Callable[[Event], None],
        *,
        erase: Callable[[str], None],
        clock: Clock,
    ) -> None:
        self._database = database
        self._erase = erase
        self._reader = reader
        self._slices = slices
        self._indexing = indexing
        self._forgotten = forgotten
        self._publish = publish
        self._clock = clock
        self._tasks = TaskSet("chat import")
        self._running: dict[str, asyncio.Task[None]] = {}
        self._now: dict[str, ChatImport] = {}
        self._moved = asyncio.Condition()
        self._stopping: set[str] = set()
        self._starting = asyncio.Lock()

    async def launch(self) -> None:
        """Go on with what a restart cut off, and make the units that it kept from being made."""
        rows = await self._database.rows(
            "SELECT DISTINCT k.conversation_id FROM memory_known_chats AS k WHERE NOT EXISTS "
            "(SELECT 1 FROM memory_units AS u WHERE u.conversation_id = k.conversation_id)"
        )
        for row in rows:
            past = await self._reader.end_of(row["conversation_id"])
            await self._slices.keep(row["conversation_id"], 0, past, origin=_SOURCE)
        for row in await self._database.rows("SELECT * FROM memory_imports WHERE state = 'running'"):
            self._begin(_import(row))

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def start(self, path: Path, *, encoding: str = "", forgotten: bool = False) -> ChatImport:
        """Begin to bring a file, or a folder, in; one that was stopped goes on, one that goes on is given.

        `encoding`: of text that is not UTF-8; one that goes on has that which it began with. `forgotten`:
        chats that hold what the person had forgotten come in, too.

        Raises:
            UsageError: It is no export that can be read.
        """
        path = await asyncio.to_thread(_readable, path, encoding)
        if storable(str(path)) != str(path):
            raise UsageError("memory.name_not_utf8", path=display_path(path))
        async with self._starting:
            row = await self._database.row(
                "SELECT * FROM memory_imports WHERE path = ? AND state IN ('running', 'stopped', 'failed') "
                "ORDER BY begun_at DESC LIMIT 1",
                (str(path),),
            )
            if row is not None and row["id"] in self._running:
                return self._now[row["id"]]  # it goes on since the start, or somebody else began it
            one = replace(_import(row), state="running", problem="") if row is not None else _new(path)
            one = replace(one, with_forgotten=forgotten or one.with_forgotten)
            # The mark of a file that goes on stays: it tells whether the file is another one by now.
            other = row is None or (encoding and encoding != _encoding_of(row["mark"]))
            await self._keep(one, mark=await asyncio.to_thread(_mark, path, encoding) if other else "")
            self._begin(one)
        return one

    async def stop(self, import_id: str) -> ChatImport:
        """End an import after the chat at hand; what is in stays, and it can go on later.

        Raises:
            UsageError: No import of this id goes on.
        """
        task = self._running.get(import_id)
        if task is None:
            raise UsageError("memory.import_over")
        self._stopping.add(import_id)
        await asyncio.wait([task])
        return self._now[import_id]

    async def all(self) -> list[ChatImport]:
        """Every import, the newest first."""
        rows = await self._database.rows("SELECT * FROM memory_imports ORDER BY begun_at DESC LIMIT 100")
        return [self._now.get(row["id"]) or _import(row) for row in rows]

    async def follow(self, import_id: str) -> AsyncGenerator[ChatImport, None]:
        """How an import goes on, until it ends."""
        said: ChatImport | None = None
        while True:
            found = [one for one in await self.all() if one.id == import_id]
            if not found:
                raise UsageError("memory.no_import", import_id=import_id)
            if found[0] != said:
                said = found[0]
                yield said
            if said.state != "running":
                return
            async with self._moved:
                if self._now.get(import_id, said) == said:
                    await self._moved.wait()

    # A `Forgettable`: what an import that is over told of the file and of its first problem.

    async def held(self, database: Database, gone: Forgotten) -> list[HeldWords]:
        """See `Forgettable.held`."""
        rows = await database.rows("SELECT id, path, problem FROM memory_imports WHERE state <> 'running'")
        return [
            HeldWords("import", row["id"], row["path"])
            for row in rows
            if gone.holds(row["path"]) or gone.holds(row["problem"])
        ]

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        ids = [(one.id,) for one in await self.held(database, gone)]
        await database.write(lambda db: db.executemany("DELETE FROM memory_imports WHERE id = ?", ids))
        for (import_id,) in ids:
            self._now.pop(import_id, None)

    # The work.

    def _begin(self, one: ChatImport) -> None:
        self._now[one.id] = one
        task = self._tasks.start(f"import:{one.id[:8]}", self._run(one.id))
        self._running[one.id] = task
        task.add_done_callback(lambda _task: self._running.pop(one.id, None))

    async def _run(self, import_id: str) -> None:
        try:
            whole = await self._read(import_id)
            one = self._now[import_id]
            ended = replace(one, state="done", share=1.0) if whole else replace(one, state="stopped")
        except PartnerError as error:
            ended = replace(self._now[import_id], state="failed", problem=str(error))
        except Exception as error:  # noqa: BLE001 - whatever it was, the import must not stay "running"
            _log.exception("an import of chats broke off")
            problem = f"Something went wrong inside Partner ({type(error).__name__}); its log says more."
            ended = replace(self._now[import_id], state="failed", problem=problem)
        self._stopping.discard(import_id)
        with suppress(PartnerError):
            await self._keep(ended)
        await self._tell(ended)
        if ended.state != "stopped":  # whoever stopped it knows
            level: Literal["info", "error"] = "error" if ended.state == "failed" else "info"
            self._publish(
                NoticeEvent(title="Memory", text=told(ended), level=level, about=f"memory:{import_id}")
            )
        self._indexing.want_meaning()

    async def _read(self, import_id: str) -> bool:
        """Bring in what is left of the file; whether that was all of it."""
        from partner_desktop.memory.chat_exports.chat_export import ChatExport  # noqa: PLC0415

        one = self._now[import_id]
        path = Path(one.path)
        row = await self._database.row("SELECT mark FROM memory_imports WHERE id = ?", (import_id,))
        encoding = _encoding_of(row["mark"])
        mark = await asyncio.to_thread(_mark, path, encoding)
        if row["mark"] != mark:
            # The file is another one than before: it is read from its beginning; what is in is recognised.
            one = ChatImport(import_id, one.path, "running", with_forgotten=one.with_forgotten)
            self._now[import_id] = one
            await self._keep(one, mark=mark)
        export = await asyncio.to_thread(ChatExport, path, encoding=encoding or None)
        chats = export.chats(after=one.seen)

        def read() -> tuple[list[_ReadChat | str], float]:
            now = self._clock.now()
            return [self._read_chat(item, now) for item in islice(chats, _CHATS_AT_ONCE)], export.progress()

        # The next chats are read while these are written: disk and processor work side by side.
        # Not in the task set: whoever awaits it tells its errors, and it ends with this function.
        ahead = asyncio.create_task(asyncio.to_thread(read), name="import:reading")
        try:
            while (portion := await ahead)[0]:
                ahead = asyncio.create_task(asyncio.to_thread(read), name="import:reading")
                for some in _groups(portion[0]):
                    if import_id in self._stopping:
                        return False
                    await self._take(import_id, some, portion[1])
                await self._tell(self._now[import_id])
        finally:
            ahead.cancel()
            await asyncio.gather(ahead, return_exceptions=True)
        return True

    async def _take(self, import_id: str, chats: Sequence[_ReadChat | str], share: float) -> None:
        """Some short chats, or a long one; each counts in the transaction that brings it in."""
        one = replace(self._now[import_id], share=round(min(1.0, share), 4))
        now = self._clock.now()
        places = await self._known([chat for chat in chats if not isinstance(chat, str)])
        known = {*places, *await self._own([chat for chat in chats if not isinstance(chat, str)], places)}
        if not one.with_forgotten and await self._forgotten.any():
            chats = [await self._marked_forgotten(chat) for chat in chats]
        grown = {
            chat.digest: await self._grown(chat, places[chat.key], now)
            for chat in chats
            if not isinstance(chat, str) and chat.key in places and chat.comes_in(known)
        }
        long = [each for each in chats if not isinstance(each, str) and len(each.turns) > MOST_AT_ONCE]
        if long and grown.get(long[0].digest) is None:
            self._now[import_id] = await self._take_long(one, long[0], known, now)
            return

        def write(db: Connection) -> tuple[ChatImport, list[Conversation]]:
            counted, new = one, []
            for chat in chats:
                more = grown.get(chat.digest) if not isinstance(chat, str) else None
                counted = _counted(counted, chat, known, more)
                if isinstance(chat, str) or not chat.turns:
                    continue
                if chat.digest in known:
                    _know_key(db, chat)
                if not chat.comes_in(known):
                    continue
                written = _written(db, chat, more, now)
                _know(db, chat, written)
                known.add(chat.digest)
                new.append(written.conversation)
            _write(db, counted, now)
            return counted, new

        self._now[import_id], new = await self._database.write(write)
        for conversation in new:
            self._publish(ConversationEvent(conversation_id=conversation.id, conversation=conversation))

    async def _take_long(
        self, one: ChatImport, chat: _ReadChat, known: set[bytes], now: datetime
    ) -> ChatImport:
        counted = _counted(one, chat, known)
        if not chat.comes_in(known):
            await self._keep(counted)
            return counted

        def also(db: Connection, written: WrittenHistory) -> None:
            _know(db, chat, written)
            _write(db, counted, now)

        written = await write_history(
            self._database, chat.title, chat.turns, source=_SOURCE, now=now, also=also, erase=self._erase
        )
        conversation = written.conversation
        await self._slices.keep(conversation.id, written.first, written.past, origin=chat.origin)
        self._publish(ConversationEvent(conversation_id=conversation.id, conversation=conversation))
        return counted

    async def _known(self, chats: Sequence[_ReadChat]) -> dict[bytes, str]:
        """Where chats are that are here already, by digest and by key; what was deleted can come again."""
        digests = [each for chat in chats for each in (chat.digest, chat.key)]
        marks = ",".join("?" * len(digests))
        query = f"SELECT digest, conversation_id FROM memory_known_chats WHERE digest IN ({marks})"  # noqa: S608 - marks only
        rows = await self._database.rows(query, digests)
        kept = await self._reader.kept([row["conversation_id"] for row in rows]) if rows else ()
        found = {bytes(row["digest"]): str(row["conversation_id"]) for row in rows}
        return {digest: place for digest, place in found.items() if place in kept}

    async def _own(self, chats: Sequence[_ReadChat], places: Mapping[bytes, str]) -> set[bytes]:
        """Which chats are of conversations of this home, by its own export, and stand there still.

        So are those that are not to be remembered: they would come in once more, to be remembered.
        """
        kept = await self._reader.kept([chat.name for chat in chats if chat.origin == "jsonl"])
        unremembered = await self._reader.unremembered([*kept, *places.values()])
        found = set()
        for chat in chats:
            if not unremembered.isdisjoint((chat.name, places.get(chat.key, ""))):
                found.add(chat.digest)
            elif chat.name in kept:
                said = {turn.text.strip() for turn in await self._reader.within(chat.name, 0, 2**62)}
                if all(turn.text in said for turn in chat.turns):
                    found.add(chat.digest)
        return found

    async def _marked_forgotten(self, chat: _ReadChat | str) -> _ReadChat | str:
        """A chat that holds what the person had forgotten is not brought in unasked."""
        if isinstance(chat, str):
            return chat
        texts = zip(chat.turns, chat.times, strict=True)
        return replace(
            chat, forgotten=any(await self._forgotten.known([(turn.text, at) for turn, at in texts]))
        )

    async def _grown(self, chat: _ReadChat, place: str, now: datetime) -> _More | None:
        """What is new in a chat of which the beginning is here, all but the last portion of it written."""
        brought = [unit for unit in await self._slices.units(place) if unit.origin == chat.origin]
        here = [
            _plain(turn.text)
            for unit in brought
            for turn in await self._reader.within(place, unit.first, unit.past)
        ]
        if not here or here != [_plain(turn.text) for turn in chat.turns[: len(here)]]:
            return None  # it went on from another place: that is another chat
        left = chat.turns[len(here) :]
        new = len(left)
        while len(left) > MOST_AT_ONCE:
            more = await asyncio.to_thread(_more, place, left[:MOST_AT_ONCE], now, new)
            await self._database.write(partial(_written, chat=chat, more=more, now=now))
            left = left[MOST_AT_ONCE:]
        return await asyncio.to_thread(_more, place, left, now, new) if left else None

    def _read_chat(self, item: ExportedChat | str, now: datetime) -> _ReadChat | str:
        if isinstance(item, str):
            return item
        turns = self._turns(item)
        plan = plan_unit([(turn.text, min(turn.at, now)) for turn in turns])
        times = tuple(turn.at for turn in item.turns)
        return _ReadChat(
            item.title,
            item.key,
            item.origin,
            item.problems,
            tuple(turns),
            times,
            _digest(item),
            _key(item),
            plan,
        )

    def _turns(self, chat: ExportedChat) -> list[PastTurn]:
        """Every turn has a time: its own, or that of the one before it."""
        known = [turn.at for turn in chat.turns if turn.at is not None]
        at = known[0] if known else self._clock.now()
        found = []
        for turn in chat.turns:
            at = turn.at if turn.at is not None else at + _STEP
            found.append(PastTurn(turn.role, turn.text, at, _name(turn, chat.origin)))
        return found

    async def _keep(self, one: ChatImport, *, mark: str = "") -> None:
        await self._database.write(lambda db: _write(db, one, self._clock.now(), mark))

    async def _tell(self, one: ChatImport) -> None:
        self._now[one.id] = one
        self._publish(ChatImportEvent(progress=one))
        async with self._moved:
            self._moved.notify_all()


@dataclass(frozen=True)
class _ReadChat:
    """A chat of an export, ready to be written."""

    title: str
    name: str
    """Its id in the export."""
    origin: str
    problems: tuple[str, ...]
    turns: tuple[PastTurn, ...]
    times: tuple[datetime | None, ...]
    """Of its turns, as the export has them."""
    digest: bytes
    key: bytes
    """Stands for its name, as the digest for its words."""
    plan: UnitPlan
    forgotten: bool = False
    """It holds what the person had forgotten, and nobody asked for that."""

    def comes_in(self, known: Collection[bytes]) -> bool:
        """Whether there is anything in it to be brought in."""
        return bool(self.turns) and self.digest not in known and not self.forgotten


@dataclass(frozen=True)
class _More:
    """What is new in a chat that is here."""

    conversation_id: str
    turns: tuple[PastTurn, ...]
    plan: UnitPlan
    new: int
    """Turns, with those of earlier portions."""


def _groups(chats: Sequence[_ReadChat | str]) -> Iterator[list[_ReadChat | str]]:
    """Chats that are short enough to be written together."""
    group: list[_ReadChat | str] = []
    size = 0
    for chat in chats:
        turns = 0 if isinstance(chat, str) else len(chat.turns)
        if group and size + turns > _TURNS_AT_ONCE:
            yield group
            group, size = [], 0
        group.append(chat)
        size += turns
    yield group


def _more(place: str, turns: tuple[PastTurn, ...], now: datetime, new: int) -> _More:
    return _More(place, turns, plan_unit([(turn.text, min(turn.at, now)) for turn in turns]), new)


def _written(db: Connection, chat: _ReadChat, more: _More | None, now: datetime) -> WrittenHistory:
    """The whole chat as a new conversation, or what is new in it at the end of the one that is here."""
    if more is None:
        written = insert_history(db, chat.title, chat.turns, source=_SOURCE, now=now)
    else:
        written = extend_history(db, more.conversation_id, more.turns, source=_SOURCE, now=now)
    plan = chat.plan if more is None else more.plan
    unit = MemoryUnit(
        new_id(), written.conversation.id, written.first, written.past, plan.times[0], chat.origin
    )
    insert_unit(db, unit, range(written.first, written.past), plan=plan)
    return written


def _plain(text: str) -> str:
    return " ".join(text.split())


def _counted(
    one: ChatImport, chat: _ReadChat | str, known: Collection[bytes], more: _More | None = None
) -> ChatImport:
    if isinstance(chat, str):
        return replace(one, left_out=one.left_out + 1, problem=one.problem or chat)
    problem = one.problem or next(iter(chat.problems), "")
    one = replace(one, seen=one.seen + 1, left_out=one.left_out + len(chat.problems), problem=problem)
    if not chat.turns:
        return one
    if chat.digest in known:
        return replace(one, known=one.known + 1)
    if more is not None:
        return replace(one, known=one.known + 1, turns=one.turns + more.new)
    if chat.forgotten:
        return replace(one, forgotten=one.forgotten + 1)
    return replace(one, chats=one.chats + 1, turns=one.turns + len(chat.turns))


def _know(db: Connection, chat: _ReadChat, written: WrittenHistory) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO memory_known_chats VALUES (?, ?)",
        [(chat.digest, written.conversation.id), (chat.key, written.conversation.id)],
    )


def _know_key(db: Connection, chat: _ReadChat) -> None:
    """Of a chat that came in by its words alone."""
    db.execute(
        "INSERT OR IGNORE INTO memory_known_chats "
        "SELECT ?, conversation_id FROM memory_known_chats WHERE digest = ?",
        (chat.key, chat.digest),
    )


def told(one: ChatImport) -> str:
    """How an import ended, or how far it is, in a sentence or two."""
    name = Path(one.path).name
    said = []
    if one.state == "failed":
        said.append(sentence_of("memory.import_failed", name=name, problem=one.problem))
    if one.known and not one.chats and not one.forgotten:
        said.append(sentence_of("memory.import_known", known=one.known, name=name))
        if one.turns:
            said.append(sentence_of("memory.import_added", turns=one.turns))
    else:
        said.append(sentence_of("memory.import_came", chats=one.chats, turns=one.turns, name=name))
        if one.known:
            said.append(sentence_of("memory.import_known_some", known=one.known))
    if one.forgotten:
        said.append(sentence_of("memory.import_forgotten", forgotten=one.forgotten))
    if one.left_out:
        said.append(sentence_of("memory.import_left_out", left_out=one.left_out, problem=one.problem))
    return sentences_joined(said)


def _readable(path: Path, encoding: str) -> Path:
    """Blocking. The whole path of an export that can be read."""
    from partner_desktop.memory.chat_exports.chat_export import ChatExport  # noqa: PLC0415 - with the first

    path = path.absolute()
    ChatExport(path, encoding=encoding or None)
    return path


#: Who answered, by where a chat comes from.
_PROGRAMS = {"chatgpt": "ChatGPT", "claude": "Claude", "jan": "Jan"}


def _name(turn: ExportedTurn, origin: str) -> str:
    """A name that cannot be taken for the person or for Partner; another program has its own."""
    if not turn.speaker and turn.role is Role.PARTNER:
        return _PROGRAMS.get(origin, "")
    return f"“{turn.speaker}”" if turn.speaker.casefold() in (PERSON, PARTNER) else turn.speaker


def _new(path: Path) -> ChatImport:
    return ChatImport(new_id(), str(path), "running")


def _encoding_of(mark: str) -> str:
    return mark.rpartition("|")[0]


def _mark(path: Path, encoding: str) -> str:
    """What tells a file from what it was when it was read before, and the encoding that was named for it."""
    try:
        facts = path.stat()
        if path.is_dir():
            inside = sorted(
                (str(one.relative_to(path)), one.stat().st_size, one.stat().st_mtime_ns)
                for one in path.rglob("*")
                if one.is_file()
            )
            digest = hashlib.blake2b(repr(inside).encode("utf-8", "surrogatepass"), digest_size=16)
            return f"{encoding}|{digest.hexdigest()}" if encoding else digest.hexdigest()
    except OSError as error:
        raise UsageError("common.unreadable", path=path, reason=system_reason(error)) from error
    own = f"{facts.st_size}:{facts.st_mtime_ns}"
    return f"{encoding}|{own}" if encoding else own


def _digest(chat: ExportedChat) -> bytes:
    """By what was said, and by whom; of a single sentence also when, where the export tells."""
    made = hashlib.blake2b(digest_size=16)
    for turn in chat.turns:
        at = int(turn.at.timestamp()) if turn.at is not None and len(chat.turns) == 1 else ""
        said = f"{turn.role}\0{turn.speaker}\0{at}\0{' '.join(turn.text.split())}\1"
        made.update(said.encode("utf-8", "surrogatepass"))
    return made.digest()


def _key(chat: ExportedChat) -> bytes:
    return hashlib.blake2b(
        f"{chat.origin}\0{chat.key}".encode("utf-8", "surrogatepass"), digest_size=16, person=b"key of a chat"
    ).digest()


def _write(db: Connection, one: ChatImport, now: datetime, mark: str = "") -> None:
    db.execute(
        "INSERT INTO memory_imports "
        "(id, path, mark, state, seen, chats, turns, known, left_out, share, problem, begun_at, changed_at, "
        "forgotten, with_forgotten) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET "
        "mark = iif(excluded.mark = '', mark, excluded.mark), state = excluded.state, seen = excluded.seen, "
        "chats = excluded.chats, turns = excluded.turns, known = excluded.known, "
        "left_out = excluded.left_out, share = excluded.share, "
        "forgotten = excluded.forgotten, with_forgotten = excluded.with_forgotten, "
        "problem = excluded.problem, changed_at = excluded.changed_at",
        (one.id, one.path, mark, one.state, one.seen, one.chats, one.turns, one.known, one.left_out,
         one.share, one.problem, now.isoformat(), now.isoformat(), one.forgotten, one.with_forgotten),
    )  # fmt: skip


def _import(row: object) -> ChatImport:
    found: dict[str, object] = dict(row)  # type: ignore[call-overload] # a row is a mapping
    return decoded(ChatImport, found, with_forgotten=bool(found["with_forgotten"]))
