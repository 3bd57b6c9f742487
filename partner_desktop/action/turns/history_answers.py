"""HistoryAnswers: what records say about what the person asks.

It may be of what was done, what is open, what can be done, or of Partner itself. Contract: it looks and does
nothing. What was done is what the records of actions and the undo journal hold. `None`: there is nothing here
that the question could be about.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from partner_desktop.action.store import ActionStore
from partner_desktop.action.undo.changes import PathChange
from partner_desktop.action.undo.disk import UndoDisk
from partner_desktop.base.clock import Clock
from partner_desktop.base.recent import Recent
from partner_desktop.capabilities import ActionCapability
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Described, Disclosed, Evidence, Explained, Recounted
from partner_desktop.domain.inquiry import AskedAbout, Deed, FileChange, Topic
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import LOCAL, MetaActionInfo, Route
from partner_desktop.domain.model_status import ModelStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.language.speech_acts.ability_requests import is_called
from partner_desktop.language.speech_acts.asked_about import abilities_about, object_of, says_all
from partner_desktop.mind.question import EvaluateIntent, Mind

#: Actions that are looked back on: of the conversation, and of all where what was done to files is asked for.
_MOST_OF_ONE, _MOST_OF_ALL = 20, 500
#: Runs that are told of, and abilities that are named.
_MOST_TOLD, _MOST_NAMED = 5, 4
#: Conversations of which it is known what was explained.
_CONVERSATIONS = 32
_RAN = (ActionStatus.SUCCEEDED, ActionStatus.FAILED, ActionStatus.CANCELLED, ActionStatus.INTERRUPTED)
_OPEN = (ActionStatus.ASKING, ActionStatus.WAITING, ActionStatus.RUNNING)
#: What took something back is told of with what it took back.
_UNDO = "builtin::files::undo"


class HistoryAnswers:
    """Asked before any ability is looked for."""

    def __init__(
        self,
        store: ActionStore,
        undo: UndoDisk,
        abilities: ActionCapability,
        models: Callable[[], Sequence[ModelStatus]],
        home: Path,
        *,
        clock: Clock,
    ) -> None:
        self._store = store
        self._undo = undo
        self._abilities = abilities
        self._models = models
        self._home = home
        self._clock = clock
        self._explained: Recent[str, tuple[MetaActionInfo, ...]] = Recent(_CONVERSATIONS)
        """Conversation → what was explained last, which `is it dangerous` is about."""

    async def of(
        self, asked: AskedAbout, conversation_id: str, mind: Mind, *, turn: TurnRef | None = None
    ) -> Evidence | None:
        """What is to be told; `None`: the words ask for something else."""
        match asked.topic:
            case Topic.OPEN | Topic.PLAN | Topic.RISK:
                return await self._open(asked, conversation_id)
            case Topic.ABILITY | Topic.SKILL | Topic.SKILLS:
                return await self._explain(asked, conversation_id, mind, turn)
            case (
                Topic.PRIVACY
                | Topic.NETWORK
                | Topic.KEEPING
                | Topic.CONSENT
                | Topic.NATURE
                | Topic.TALK
                | Topic.ATTACHED
            ):
                return self._disclose(asked)
            case Topic.DEEDS if (asked.yes_or_no and not asked.last) or asked.since is not None:
                return await self._all(asked)
            case _:
                return await self._last(asked, conversation_id)

    # What is open.

    async def _open(self, asked: AskedAbout, conversation_id: str) -> Evidence | None:
        latest = await self._store.latest(conversation_id, limit=_MOST_OF_ONE)
        open_ = [record for record in reversed(latest) if record.status in _OPEN]
        named = [record for record in open_ if says_all(f"{record.title} {record.key}", asked.about)]
        if asked.topic is Topic.RISK and not named:
            infos = self._abilities.usable()
            about = (
                abilities_about(asked.about, infos) if asked.about else self._explained.get(conversation_id)
            )
            return Explained(asked, about[:1]) if about else None
        questions = [record for record in open_ if record.status is ActionStatus.ASKING]
        if (asked.only_if_there and questions == open_) or (asked.topic is Topic.RISK and not open_):
            return None  # what is asked back of a question is about what that asks for
        return Described(tuple(named or open_), asked.step, asked.beyond)

    # What was done.

    async def _last(self, asked: AskedAbout, conversation_id: str) -> Evidence | None:
        """Of what was done last here; where that is still to be decided on or under way, of how it stands."""
        latest = await self._store.latest(conversation_id, limit=_MOST_OF_ONE)
        named = [record for record in latest if asked.about and says_all(_text(record), asked.about)]
        about = named or latest
        if about and about[0].status in _OPEN and asked.topic not in (Topic.REVERSAL, Topic.DEEDS):
            left = asked.only_if_there or asked.topic is Topic.COUNT
            return None if left else Described((about[0],))
        if about and about[0].status is ActionStatus.WAITING and asked.topic is Topic.REVERSAL:
            info = next((info for info in self._abilities.usable() if info.key == about[0].key), None)
            return (
                Explained(asked, (info,), waiting=(about[0],)) if info is not None else Described((about[0],))
            )
        told = asked.topic in (Topic.OUTCOME, Topic.FAILURE, Topic.WHY)
        ended = [record for record in about if record.status.ended and (told or record.key != _UNDO)]
        deeds = [await self._deed(record) for record in ended[:_MOST_TOLD]]
        if asked.about and not named:
            deeds = [deed for deed in deeds if _is_about(deed, asked.about)]
        if asked.topic is Topic.DEEDS and asked.deed != "run":
            deeds = [wanted for deed in deeds if (wanted := _wanted(deed, asked)) is not None]
        elif asked.topic is Topic.PLACE:
            deeds = [deed for deed in deeds if deed.files][:1]
        elif asked.topic is Topic.COUNT:
            deeds = [deed for deed in deeds[:1] if deed.files or deed.counts]
        elif asked.topic is Topic.REVERSAL:
            deeds = [deed for deed in deeds if deed.action.undo is not None][:1]
        elif asked.topic is not Topic.DEEDS:
            deeds = deeds[:1]
        failed = bool(deeds) and deeds[0].action.status is not ActionStatus.SUCCEEDED
        needed = asked.about or asked.topic in (Topic.PLACE, Topic.COUNT, Topic.TIME)
        if (not deeds and needed) or (asked.only_if_there and not failed):
            return None
        return Recounted(asked, tuple(deeds), self._clock.now().astimezone().date())

    async def _all(self, asked: AskedAbout) -> Recounted:
        """Of all that was done, whatever the conversation."""
        newest = [record for record in await self._store.newest(limit=_MOST_OF_ALL) if record.status in _RAN]
        fitting = [record for record in newest if record.key != _UNDO and _in_time(record, asked)]
        if asked.deed != "run":
            fitting = [record for record in fitting if record.risk is not Risk.READ]
        deeds = [await self._deed(record) for record in fitting]
        told = [wanted for deed in deeds if (wanted := _wanted(deed, asked)) is not None]
        unknown = tuple(deed.action for deed in deeds if deed.unknown and asked.deed != "run")
        return Recounted(asked, tuple(told), self._clock.now().astimezone().date(), unknown)

    async def _deed(self, record: ActionRecord) -> Deed:
        steps = await self._store.steps_of(record.id) if record.chain is not None else []
        parts = steps or [record]
        files = await asyncio.to_thread(
            lambda: tuple(change for part in parts for change in _changes(self._undo, part))
        )
        unknown = any(_may_have_changed(part) for part in parts)
        return Deed(record, files, unknown, tuple(_counts(record.data)))

    # What can be done.

    async def _explain(
        self, asked: AskedAbout, conversation_id: str, mind: Mind, turn: TurnRef | None
    ) -> Evidence | None:
        infos = self._abilities.usable()
        found = abilities_about(asked.about, infos)
        if asked.only_if_there:
            called = tuple(info for info in found if is_called(info, asked.about))
            return Explained(asked, called) if called else None
        ranked: tuple[MetaActionInfo, ...] = ()
        order = [*infos]
        if asked.topic is not Topic.SKILLS:
            evaluation = await mind.ask(EvaluateIntent(asked.about, infos, turn=turn))
            order, ranked = [item.info for item in evaluation.ranked], evaluation.meant
            meant = tuple(info for info in ranked if info in found)
            found = meant or abilities_about(asked.about, infos, literally=True)
        if not found and not (asked.yes_or_no or ranked):
            return None
        near = abilities_about(object_of(asked.about), infos, literally=True) or ranked
        near = tuple(info for info in order if info in near)
        self._explained[conversation_id] = found or near[:1]
        return Explained(asked, found[:_MOST_NAMED], () if found else near[:1])

    # Partner itself.

    def _disclose(self, asked: AskedAbout) -> Disclosed:
        infos = self._abilities.usable()
        used = [model for model in self._models() if model.in_use]
        servers = (info.location for info in infos if info.route is Route.MCP and info.location != LOCAL)
        return Disclosed(
            asked,
            next((model.name for model in used), ""),
            tuple((model.name, model.where) for model in used if model.kind == "endpoint"),
            tuple(dict.fromkeys(servers)),
            tuple(info for info in infos if info.permissions.net),
            str(self._home),
        )


def _text(record: ActionRecord) -> str:
    steps = record.chain.steps if record.chain is not None else ()
    return " ".join([record.title, record.key, *(step.title for step in steps)])


def _is_about(deed: Deed, words: str) -> bool:
    """Whether one of the files is called so."""
    return any(says_all(f"{change.path} {change.now_at}", words) for change in deed.files)


def _in_time(record: ActionRecord, asked: AskedAbout) -> bool:
    if asked.since is None or asked.until is None:
        return True
    at = record.finished_at or record.created_at
    return asked.since <= at.astimezone().date() < asked.until


def _wanted(deed: Deed, asked: AskedAbout) -> Deed | None:
    """What of it was asked for; anything that was done to a file changed it."""
    if asked.deed == "run" and not asked.about:
        return deed
    files = tuple(
        change
        for change in deed.files
        if asked.deed in ("run", "changed", change.deed)
        and (not asked.about or says_all(f"{change.path} {change.now_at}", asked.about))
    )
    return Deed(deed.action, files, deed.unknown, deed.counts) if files else None


def _changes(undo: UndoDisk, record: ActionRecord) -> Iterator[FileChange]:
    """What the undo journal holds of one run, without what lies in folders that it made. Blocking."""
    kept = undo.changes(record.id)
    found = [_change(change) for change in kept.changes] if kept is not None else []
    made = Counter(str(Path(change.path).parent) for change in found if change.deed == "made")
    for change in found:
        folders = [str(folder) for folder in Path(change.path).parents]
        whole = change.deed == "made" and made[change.path] == 1  # its one file says more
        if not whole and not any(made[folder] > 1 and _is_made(folder, found) for folder in folders):
            yield change


def _is_made(path: str, changes: Sequence[FileChange]) -> bool:
    return any(change.deed == "made" and change.path == path for change in changes)


def _change(change: PathChange) -> FileChange:
    if change.now_at:
        trashed = _is_trash(Path(change.now_at))
        return FileChange("removed" if trashed else "moved", change.path, change.now_at, trashed=trashed)
    if change.before is None:
        return FileChange("made", change.path)
    return FileChange("removed" if change.after is None else "changed", change.path)


def _is_trash(path: Path) -> bool:
    """Whether it lies in a desktop's trash: `Trash/files` at home, `.Trash-1000/files` elsewhere."""
    folder = path.parent
    return folder.name == "files" and "Trash" in folder.parent.name


def _may_have_changed(record: ActionRecord) -> bool:
    """Whether it ran with leave to change something, and neither a sandbox nor the journal saw to that."""
    held = record.isolation is not None and record.isolation.sandboxed
    ours = record.key.startswith("builtin::files::")
    return record.status in _RAN and record.risk is not Risk.READ and not (held or ours or record.undo)


def _counts(data: Json) -> Iterator[tuple[str, float]]:
    """How many things a result names: the length of a list, or a number that stands for one."""
    if isinstance(data, list):
        yield "", len(data)
    elif isinstance(data, dict):
        for name, value in data.items():
            if isinstance(value, list):
                yield name, len(value) + _left_out(data, value)
            elif isinstance(value, int) and not isinstance(value, bool) and name != "left_out":
                yield name, value


def _left_out(data: dict[str, Json], value: list[Json]) -> int:
    """What a result says that it holds back of its only list."""
    more = data.get("left_out")
    only = [each for each in data.values() if isinstance(each, list)] == [value]
    return more if only and isinstance(more, int) else 0
