"""Forgetting: what is to be forgotten is shown, and then erased wherever it stands.

Contract: `look` changes nothing; what it shows is sealed, and `forget` does that or nothing. Once it is on
disk that something is forgotten, it goes on whatever happens: every step can be done again, and the next
start does what is left. The messages go first and for good; then all that was made of them, the index and the
write-ahead log; and when nothing goes on any more that an input set off, once again what was made of them
meanwhile. Of the words nothing stays but keyed hashes, by which they are known when they come again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.recent import Recent
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.base.text import cut
from partner_desktop.capabilities import EntityEvidence, Forgettable
from partner_desktop.domain.entity import SELF
from partner_desktop.domain.events import ConversationEvent, Event, TakeEvent
from partner_desktop.domain.forgetting import (
    ForgetItem,
    ForgetPreview,
    ForgetReason,
    ForgetSelection,
    Forgotten,
    HeldWords,
)
from partner_desktop.domain.message import places_in
from partner_desktop.domain.remembered import PARTNER, PERSON, RememberedTurn
from partner_desktop.memory.forgotten import ForgottenTexts
from partner_desktop.memory.indexing import TurnIndexing
from partner_desktop.memory.slice_store import SliceStore
from partner_desktop.permission.audit import AuditLog
from partner_desktop.runtime.conversations.deletion import Deletion
from partner_desktop.runtime.conversations.dialog_erasure import (
    DialogErasure,
    SaidMessages,
    clean_search,
    conversation_rows,
    emptied,
    phrase_of,
)
from partner_desktop.runtime.dialog import storable
from partner_desktop.runtime.turn_reader import TurnReader
from partner_desktop.storage.database import Connection, Database

_log = log.area("memory")

#: Of a list that is shown; and previews that are remembered.
_MOST_SHOWN, _MOST_PREVIEWS = 200, 32
_SHOWN_CHARACTERS = 400
_LETTERS_ALIKE = 3
_BEYOND = 2**62

ERASING, SETTLING, DONE = "erasing", "settling", "done"


@dataclass(frozen=True)
class ForgetPlan:
    """What is erased, as it is written down while that goes on."""

    messages: tuple[tuple[str, int, str], ...]
    """Id, position and conversation."""
    exchanges: tuple[str, ...]
    texts: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[str, ...] = ()
    """Of those who are known from nothing else."""
    ids: tuple[str, ...] = ()
    order: str = ""
    """The conversation in which it was asked for: what was said about it there goes, too."""
    since: int = 0
    """From this position on; and what Partner said of it from there on, wherever."""
    until: int = 0
    """Up to this position: what the person says after it is said anew."""
    answers: bool = True
    """With what Partner was still answering when it was begun."""

    async def gone(self) -> Forgotten:
        """For those who keep something that was made of it."""
        from partner_desktop.language.quotations import Quotations  # noqa: PLC0415 - a start does not wait for it

        quotations = await asyncio.to_thread(Quotations, self.texts, self.words)
        mentions = await asyncio.to_thread(Quotations, self.texts, (*self.words, *self.names))
        return Forgotten(
            frozenset(one for one, _, _ in self.messages),
            frozenset(position for _, position, _ in self.messages),
            frozenset(conversation for _, _, conversation in self.messages),
            frozenset(self.exchanges),
            frozenset(self.ids),
            quotations.holds,
            mentions.holds,
        )


@dataclass(frozen=True)
class _Look:
    """What a selection comes to now."""

    items: tuple[ForgetItem, ...]
    held: tuple[HeldWords, ...]
    plan: ForgetPlan
    seal: str


@dataclass(frozen=True)
class Order:
    """Where it was asked for in words: the conversation, and the message that asked."""

    conversation_id: str
    position: int


#: Seconds that closing waits for what is being erased.
_PATIENCE_S = 3.0


class Forgetting:
    """A part: owns the tables `forgettings` and `forgotten_ids`.

    `keepers` erase what they keep, and `forget_blocks` what is before the mind; `idle` waits until nothing
    goes on that an input set off.
    """

    def __init__(
        self,
        database: Database,
        slices: SliceStore,
        indexing: TurnIndexing,
        texts: ForgottenTexts,
        deletion: Deletion,
        audit: AuditLog,
        publish: Callable[[Event], None],
        *,
        keepers: Sequence[Forgettable],
        forget_blocks: Callable[[Callable[[str], bool]], None],
        idle: Callable[[], Awaitable[None]],
        clock: Clock,
        entities: EntityEvidence | None = None,
    ) -> None:
        self._database = database
        self._slices = slices
        self._indexing = indexing
        self._deletion = deletion
        self._audit = audit
        self._publish = publish
        self._dialog = DialogErasure()
        self._keepers = keepers
        self._forget_blocks = forget_blocks
        self._idle = idle
        self._texts = texts
        self._clock = clock
        self._entities = entities
        self._said = SaidMessages(database)
        self._previews: Recent[str, tuple[ForgetSelection, Order | None]] = Recent(_MOST_PREVIEWS)
        self._alone = asyncio.Lock()
        self._tasks = TaskSet("forgetting")
        self._going: set[asyncio.Task[None]] = set()

    # Life.

    async def launch(self) -> None:
        """Go on with what a restart cut off, behind the start."""
        rows = await self._database.rows("SELECT id, plan FROM forgettings WHERE step <> ?", (DONE,))
        for row in rows:
            self._start(row["id"], self._go_on(row["id"], _plan_from(row["plan"]), ERASING))

    async def shutdown(self) -> None:
        """What only waits for the last turn is done; what is not done then goes on at the next start."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.settled(), _PATIENCE_S)
        await self._tasks.close()

    async def settled(self) -> None:
        """Wait until all that was begun is done."""
        while self._going:
            await asyncio.wait(self._going)

    def _start(self, forgetting_id: str, work: Coroutine[Any, Any, None]) -> None:
        task = self._tasks.start(f"forget:{forgetting_id[:8]}", work)
        self._going.add(task)
        task.add_done_callback(self._going.discard)

    # Showing.

    async def look(self, selection: ForgetSelection, order: Order | None = None) -> ForgetPreview:
        """What would be forgotten.

        Raises:
            UsageError: Nothing is chosen, or what is named is not there.
        """
        return self._shown(await self._look(selection, order), selection, order)

    async def ordered(self, conversation_id: str, *, words: str, day: date | None) -> ForgetPreview:
        """See `ForgetCapability.ordered`."""
        latest = await self._said.latest(conversation_id)
        asked = next((turn for turn in reversed(latest) if turn.speaker == PERSON), None)
        position = asked.position if asked is not None else _BEYOND
        if words or day is not None:
            selection = ForgetSelection(words=words, day=day)
        else:
            selection = _just_now([turn for turn in latest if turn.position < position])
        order = Order(conversation_id, position) if asked is not None else None
        preview = await self.look(selection, order)
        if not preview.count:
            told = "nothing_said_of" if words else "nothing_said" if day is None else "nothing_said_on"
            raise UsageError(f"talk.{told}", query=cut(words, 80), day=f"{day or ''}")
        return preview

    def _shown(self, look: _Look, selection: ForgetSelection, order: Order | None) -> ForgetPreview:
        self._previews[look.seal] = (selection, order)
        going = [one for one in look.held if not one.stays]
        return ForgetPreview(
            look.seal,
            selection,
            len(look.items),
            len({item.turn.conversation_id for item in look.items}),
            tuple(_shortened(item) for item in look.items[:_MOST_SHOWN]),
            tuple(going[:_MOST_SHOWN]),
            dict(Counter(one.kind for one in going)),
            tuple(f"“{cut(one.shown, 80)}” stays: {one.stays}." for one in look.held if one.stays),
        )

    async def _look(self, selection: ForgetSelection, order: Order | None) -> _Look:
        chosen, words = await self._choose(selection)
        end = await TurnReader(self._database).end_of()
        begun = await self._said.begun_answer()
        reasons: dict[str, tuple[RememberedTurn, ForgetReason]] = {
            turn.message_id: (turn, "chosen") for turn in chosen
        }
        if selection.quotes and chosen:
            for turn in await self._said.answers_to(list(reasons)):
                reasons.setdefault(turn.message_id, (turn, "answer"))
            for turn in await self._quotes(chosen, words):
                reasons.setdefault(turn.message_id, (turn, "quote"))
        items, own = [], []
        for turn, reason in sorted(reasons.values(), key=lambda each: each[0].position):
            is_own = order is not None and turn.conversation_id == order.conversation_id
            if is_own and order is not None and turn.position >= order.position:
                own.append(turn)
            else:
                items.append(ForgetItem(turn, reason))
        # Of the exchange that asks for it nothing is counted: it goes when it is over.
        texts = await self._telling_texts([item.turn for item in items])
        plan = ForgetPlan(
            tuple((each.turn.message_id, each.turn.position, each.turn.conversation_id) for each in items),
            tuple(await self._said.exchanges_of([item.turn.message_id for item in items])),
            tuple(texts),
            tuple(words),
            await self._names([item.turn.message_id for item in items]),
            (selection.entity_id,) if selection.entity_id else (),
            order=order.conversation_id if order is not None else "",
            since=min(end if begun is None else begun, end if order is None else order.position),
            until=end,
            answers=selection.quotes,
        )
        held = await self._held(self._database, await plan.gone(), plan.order)
        ids = (one.id for one in held if not one.stays and one.kind != "title")
        plan = replace(plan, ids=(*plan.ids, *ids))
        return _Look(tuple(items), tuple(held), plan, await asyncio.to_thread(_seal, selection, items))

    async def _names(self, message_ids: Sequence[str]) -> tuple[str, ...]:
        if self._entities is None:
            return ()
        return tuple(await self._entities.named_only_in(message_ids))

    async def _held(self, database: Database, gone: Forgotten, where: str) -> list[HeldWords]:
        found: list[HeldWords] = []
        if gone.message_ids:
            for keeper in (self._dialog, *self._keepers):
                found += await keeper.held(database, gone)
        # The card that asks for it is over when this is.
        return [one for one in found if not one.stays or one.conversation_id != where]

    # Choosing.

    async def _choose(self, selection: ForgetSelection) -> tuple[list[RememberedTurn], list[str]]:
        """The messages that fit all that is given, and words that are to stand nowhere any more."""
        found: list[list[RememberedTurn]] = []
        words: list[str] = []
        if selection.message_ids:
            found.append(await self._said.by_id(selection.message_ids))
        if selection.slice_ids:
            opened = [await self._slices.get(one) for one in selection.slice_ids]
            found.append([turn for each in opened for turn in each.turns])
        if selection.topic:
            stretches = await self._slices.positions_of_topic(selection.topic.strip())
            reader = TurnReader(self._database)
            found.append([turn for each in stretches for turn in await reader.within(*each)])
        if selection.day is not None:
            since = datetime.combine(selection.day, time()).astimezone()
            until = datetime.combine(selection.day + timedelta(days=1), time()).astimezone()
            found.append(await self._said.between(since, until))
        if selection.conversation_id:
            found.append(await self._said.of_conversation(selection.conversation_id))
        if selection.words.strip():
            names, turns = await self._of_words(storable(selection.words))
            words += names
            found.append(turns)
        if selection.entity_id:
            names, turns = await self._of_entity(selection.entity_id)
            words += names
            found.append(turns)
        if not found:
            raise UsageError("memory.forget_what")
        whole = {turn.message_id: turn for turn in found[0]}
        for some in found[1:]:
            there = {turn.message_id for turn in some}
            whole = {one: turn for one, turn in whole.items() if one in there}
        # Words that narrow a choice may stand elsewhere; only by themselves they are to stand nowhere.
        return [*whole.values()], words if len(found) == 1 else []

    async def _of_words(self, said: str) -> tuple[list[str], list[RememberedTurn]]:
        """Every message that says them; of somebody who is called so, all under their other names, too."""
        names, turns = [said], {turn.message_id: turn for turn in await self._saying(said)}
        for entity_id in await self._entities.called(said) if self._entities is not None else ():
            if entity_id != SELF:
                others, known = await self._of_entity(entity_id)
                names += [name for name in others if name not in names]
                turns |= {turn.message_id: turn for turn in known}
        return names, [*turns.values()]

    async def _of_entity(self, entity_id: str) -> tuple[list[str], list[RememberedTurn]]:
        if self._entities is None:
            raise UsageError("memory.nobody_known")
        names, evidence = await self._entities.told_in(entity_id)
        turns = {turn.message_id: turn for turn in await self._said.by_id(evidence)}
        for name in names:
            turns |= {turn.message_id: turn for turn in await self._saying(name)}
        return list(names), [*turns.values()]

    async def _saying(self, words: str) -> list[RememberedTurn]:
        """Every message that says some words, in whatever form.

        Raises:
            UsageError: They are words of grammar alone.
        """
        from partner_desktop.language.quotations import Quotations, plain_words  # noqa: PLC0415 - as in `gone`
        from partner_desktop.language.recollection import remembered_terms  # noqa: PLC0415

        terms = await asyncio.to_thread(remembered_terms, words)
        if not terms:
            raise UsageError("talk.too_little", words=cut(words, 80))
        said = [one for one in plain_words(words) if remembered_terms(one)]
        phrase = " AND ".join(
            phrase_of([_beginning(one)], beginning=_beginning(one).isascii()) for one in said
        )
        found = await self._said.holding([f"({phrase})"], Quotations([], [words]).holds)
        return found + [
            turn
            for turn in await self._said.thought(Quotations([], [words]).holds)
            if turn.message_id not in {one.message_id for one in found}
        ]

    async def _quotes(self, chosen: Sequence[RememberedTurn], words: Sequence[str]) -> list[RememberedTurn]:
        """What Partner said again of it, and copies in branches; what the person says again is their own."""
        from partner_desktop.language.quotations import Quotations  # noqa: PLC0415 - as in `gone`

        texts = [turn.text for turn in chosen if turn.speaker != PARTNER] or [turn.text for turn in chosen]
        quotations = await asyncio.to_thread(Quotations, texts, words)
        phrases = await asyncio.to_thread(lambda: [phrase_of(one) for one in quotations.phrases()])
        found = await self._said.holding(phrases, quotations.holds)
        originals = {(turn.text, turn.at) for turn in chosen}
        return [turn for turn in found if turn.speaker == PARTNER or (turn.text, turn.at) in originals]

    async def _telling_texts(self, turns: Sequence[RememberedTurn]) -> list[str]:
        """Their texts, but for what Partner says to everybody."""
        own = [turn for turn in turns if turn.speaker == PARTNER]
        common = await self._said.said_besides(own)
        return [turn.text for turn in turns if turn.text not in common]

    # Doing.

    async def forget(self, preview_id: str) -> ForgetPreview | int:
        """Erase what was shown; how many messages, or what it is now where that is something else.

        Raises:
            UsageError: It was not shown, or too long ago; or there is nothing to forget.
            StorageError: It could not be written down; nothing was erased.
        """
        if preview_id not in self._previews:
            raise UsageError("talk.too_long_ago")
        return await uninterrupted(self._forget(preview_id))

    async def _forget(self, preview_id: str) -> ForgetPreview | int:
        selection, order = self._previews[preview_id]
        async with self._alone:
            look = await self._look(selection, order)
            if look.seal != preview_id:
                return self._shown(look, selection, order)
            if not look.items:
                raise UsageError("talk.nothing_fits")
            del self._previews[preview_id]
            forgetting_id = new_id()
            known = await self._texts.rows([(item.turn.text, item.turn.at) for item in look.items])
            now = self._clock.now()

            def begin(db: Connection) -> None:
                db.execute(
                    "INSERT INTO forgettings (id, at, step, messages, plan) VALUES (?, ?, ?, ?, ?)",
                    (forgetting_id, now.isoformat(), ERASING, len(look.items), json.dumps(asdict(look.plan))),
                )
                self._texts.keep(db, known)
                _note_ids(db, forgetting_id, [*(one for one, _, _ in look.plan.messages), *look.plan.ids])
                self._audit.forgotten(db, forgetting_id, messages=len(look.items))

            await self._database.write(begin)
            await self._erase(forgetting_id, look.plan)
        self._start(forgetting_id, self._go_on(forgetting_id, look.plan, SETTLING))
        return len(look.items)

    async def _go_on(self, forgetting_id: str, plan: ForgetPlan, step: str) -> None:
        try:
            if step == ERASING:
                async with self._alone:
                    await self._erase(forgetting_id, plan)
            await self._settle(forgetting_id, plan)
        except PartnerError as error:
            _log.warning("what was to be forgotten goes on at the next start: %s", error)

    async def _erase(self, forgetting_id: str, plan: ForgetPlan) -> None:
        await self._erase_all(plan)
        await self._clean()
        await self._step(forgetting_id, SETTLING)

    async def _settle(self, forgetting_id: str, plan: ForgetPlan) -> None:
        """When turns are over that knew of it, what they wrote goes too; then the words of the plan."""
        await self._idle()
        async with self._alone:
            late = await self._said_since(plan)
            await self._database.write(lambda db: _note_ids(db, forgetting_id, [one for one, _, _ in late]))
            await self._erase_all(replace(plan, messages=(*plan.messages, *late)))
            await self._end(forgetting_id, plan)
            await self._clean()

    async def _said_since(self, plan: ForgetPlan) -> list[tuple[str, int, str]]:
        """What was said of it while it was forgotten, as `ForgetPlan.messages`."""
        holds = (await plan.gone()).holds
        said = [
            turn
            for turn in await self._said.since(plan.since)
            if turn.speaker == PARTNER or (turn.conversation_id == plan.order and turn.position < plan.until)
        ]
        own = await asyncio.to_thread(lambda: [turn for turn in said if holds(turn.text)])
        late = await self._said.said_in(plan.exchanges) if plan.answers else []
        # Of the exchange that asked for it only what says words of it.
        own += [turn for turn in late if turn.conversation_id != plan.order or turn.position < plan.since]
        return [(turn.message_id, turn.position, turn.conversation_id) for turn in own]

    async def _erase_all(self, plan: ForgetPlan) -> None:
        gone = await plan.gone()
        titled = {one.id for one in await self._dialog.held(self._database, gone)}
        await erase_everywhere(self._database, gone, self._dialog, self._keepers)
        self._forget_blocks(gone.mentions)
        await self._tell(plan, titled)
        for conversation_id in await emptied(self._database, gone.conversation_ids - {plan.order}):
            await self._deletion.erase([conversation_id])

    async def _step(self, forgetting_id: str, step: str) -> None:
        await self._database.execute("UPDATE forgettings SET step = ? WHERE id = ?", (step, forgetting_id))

    async def _end(self, forgetting_id: str, plan: ForgetPlan) -> None:
        """No word of it is kept any more; what is not over yet is erased by its id, at a later start."""
        gone = await plan.gone()
        held = [one for keeper in self._keepers for one in await keeper.held(self._database, gone)]
        left = tuple(one.id for one in held if one.kind == "action" and one.stays)
        step, rest = (
            (SETTLING, json.dumps(asdict(ForgetPlan((), (), (), (), ids=left)))) if left else (DONE, "")
        )
        await self._database.execute(
            "UPDATE forgettings SET step = ?, plan = ? WHERE id = ?", (step, rest, forgetting_id)
        )

    async def _clean(self) -> None:
        """Nothing of it stands in the index, in the search, or in the write-ahead log."""
        await self._indexing.erased()
        await clean_search(self._database)
        await self._database.forget_erased()

    async def _tell(self, plan: ForgetPlan, titled: set[str]) -> None:
        """Whoever shows these conversations reads them again."""
        firsts: dict[str, int] = {}
        for _, position, conversation_id in plan.messages:
            firsts[conversation_id] = min(position, firsts.get(conversation_id, position))
        for conversation_id, first in firsts.items():
            self._publish(
                TakeEvent(conversation_id=conversation_id, from_position=first, first_position=first)
            )
        for conversation in await conversation_rows(self._database, titled):
            self._publish(ConversationEvent(conversation_id=conversation.id, conversation=conversation))


def _note_ids(db: Connection, forgetting_id: str, ids: Sequence[str]) -> None:
    """By these a backup is known that still has them."""
    db.executemany("INSERT OR IGNORE INTO forgotten_ids VALUES (?, ?)", [(one, forgetting_id) for one in ids])


async def erase_everywhere(
    database: Database, gone: Forgotten, dialog: DialogErasure, keepers: Sequence[Forgettable]
) -> None:
    """What was made of messages, the messages, and what was made of them in between."""
    for keeper in (*keepers, dialog, *keepers):
        await keeper.erase(database, gone)


def _just_now(before: Sequence[RememberedTurn]) -> ForgetSelection:
    """What was shown last: the messages that Partner has just pointed at, or else what was said last.

    Raises:
        UsageError: Nothing was.
    """
    said = next((number for number in reversed(range(len(before))) if before[number].speaker == PERSON), None)
    if said is None:
        raise UsageError("talk.nothing_before")
    shown = dict.fromkeys(message_id for turn in before[said + 1 :] for message_id, _ in places_in(turn.text))
    return ForgetSelection(message_ids=(before[said].message_id, *shown))


def _beginning(word: str) -> str:
    """What all forms of a word begin with: `happ` of `happy`."""
    from partner_desktop.language.terms import stem  # noqa: PLC0415 - with the first words that are looked for

    stemmed = stem(word)
    alike = 0
    while alike < min(len(word), len(stemmed)) and word[alike] == stemmed[alike]:
        alike += 1
    return word[: max(alike, min(len(word), _LETTERS_ALIKE))]


def _seal(selection: ForgetSelection, items: Sequence[ForgetItem]) -> str:
    told = [asdict(replace(selection)), [[one.turn.message_id, one.turn.text] for one in items]]
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:32]


def _shortened(item: ForgetItem) -> ForgetItem:
    return replace(item, turn=replace(item.turn, text=cut(item.turn.text, _SHOWN_CHARACTERS)))


def _plan_from(text: str) -> ForgetPlan:
    read = json.loads(text)
    return ForgetPlan(
        tuple((str(one), int(position), str(where)) for one, position, where in read["messages"]),
        tuple(read["exchanges"]),
        tuple(read["texts"]),
        tuple(read["words"]),
        tuple(read["names"]),
        tuple(read["ids"]),
        read["order"],
        read["since"],
        read["until"],
        read["answers"],
    )
