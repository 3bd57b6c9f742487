"""Referents: what the actions of a conversation left, read from their records, the undo journal and the disk;
and what came with the person's messages.

Contract: nothing of its own is kept, and no content is read. What is not on the disk is no item, or `gone`.
"""

from __future__ import annotations

import asyncio
import re
import stat
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from os.path import normpath
from pathlib import Path

from partner_desktop.action.store import ActionStore
from partner_desktop.action.undo.disk import UndoDisk
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import expanded_path
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.referent import ATTACHED, Referent, ResultItem
from partner_desktop.domain.run_facts import PathUse, Risk
from partner_desktop.language.anaphora import is_destination
from partner_desktop.runtime.attachment_store import AttachedMessage, AttachmentStore

#: Nothing came of these, but whoever read the card knows what it is about.
_PROPOSED = {ActionStatus.WAITING, ActionStatus.REJECTED, ActionStatus.EXPIRED}
#: Actions that are looked back on, texts of a result that may be names, and items that are kept of it.
_MOST_ACTIONS, _MOST_NAMES, _MOST_ITEMS = 8, 600, 300
_DEEPEST, _LONGEST_NAME = 6, 4_096
_SIZE = re.compile(r"([\d.,]+)\s?(bytes?|[kKMGT]i?B)")
_UNITS = {"b": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
#: What stands behind the name in a line of a listing begins so.
_BESIDE = " · "
#: Formats of what is looked for.
_WORDS = (None, "file-name")
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_EXACT = "builtin::files::"
"""How the keys begin of what makes the very path that it is given."""


class Referents:
    """Asked once a turn."""

    def __init__(self, store: ActionStore, disk: UndoDisk, attachments: AttachmentStore) -> None:
        self._store = store
        self._disk = disk
        self._attachments = attachments

    async def of(self, conversation_id: str) -> tuple[Referent, ...]:
        """What the latest of a conversation left, and what its cards are about, the newest first."""
        records = await self._store.newest_runs(conversation_id, limit=_MOST_ACTIONS)
        latest = await self._store.latest(conversation_id, limit=_MOST_ACTIONS)
        attached = await self._attachments.of_conversation(conversation_id)

        def look() -> tuple[Referent, ...]:
            found = [(each.at, _of_attached(each)) for each in attached]
            found += [(each.finished_at or _EARLIEST, _referent(each, self._disk)) for each in records]
            found += [(each.created_at, _proposed(each)) for each in latest if each.status in _PROPOSED]
            return tuple(each for _, each in sorted(found, key=lambda pair: pair[0], reverse=True))  # stable

        return await asyncio.to_thread(look)


def _referent(record: ActionRecord, disk: UndoDisk) -> Referent:
    """Blocking."""
    items = tuple(_items(record, disk))
    return Referent(
        record.id,
        record.key,
        record.title,
        record.params,
        items,
        _place(items),
        dict(_counts(record.data)),
        record.parent_id,
        _searched(record),
        _chief(record, items),
    )


def _of_attached(message: AttachedMessage) -> Referent:
    """What came with a message, as a list that was shown. Blocking."""
    named = [_Name(each.path) for each in message.attachments if each.path]
    items = tuple(_item(name.text, name, made=False, given=False, source=False) for name in named)
    folders = [item.path for item in items if item.is_folder and not item.gone]
    place = folders[0] if len(folders) == 1 == len(items) else ""
    return Referent(message.message_id, ATTACHED, "", {}, items, place)


def _proposed(record: ActionRecord) -> Referent:
    """What a card is to be done with; where it is to go is not what it is about. Blocking."""
    about = dict.fromkeys(use.path for use in record.paths if not _is_destination(use, record))
    items = tuple(
        item
        for path in about
        if not (item := _item(path, _Name(path), made=False, given=True, source=False)).gone
    )
    looked = next((item.path for item in items if item.is_folder and record.risk is Risk.READ), "")
    return Referent(record.id, record.key, record.title, record.params, items, looked, proposed=True)


def _is_destination(use: PathUse, record: ActionRecord) -> bool:
    properties = record.schema.get("properties")
    schema = properties.get(use.param) if isinstance(properties, dict) else None
    return isinstance(schema, dict) and is_destination(use.param, schema)


def _chief(record: ActionRecord, items: Sequence[ResultItem]) -> str:
    """The thing that the sentence at the head of a result names."""
    told = next((name.text for name in _names(record.data)), "")
    found = {Path(item.path).name: item.path for item in items if not item.given}
    named = [name for name in found if name in told]
    longest = [name for name in named if not any(name in other for other in named if other != name)]
    return found[longest[0]] if len(longest) == 1 else ""


@dataclass(frozen=True)
class _Name:
    """A text of a result that may be the name of something."""

    text: str
    group: int = 0
    size_bytes: int | None = None


def _items(record: ActionRecord, disk: UndoDisk) -> Iterator[ResultItem]:
    """In the order of `Referent.items`."""
    given = {use.path for use in record.paths}
    every, gone = _changed(record, disk)
    made = _outermost(every)
    found: dict[str, _Name] = {}
    folders = [path for path in given if Path(path).is_dir()]
    # What was done in a folder names things of this folder: one called alike elsewhere is not meant.
    bases = [*dict.fromkeys(str(Path(path).parent) for path in every), *(folders or [record.cwd])]
    for name in islice(_names(record.data or [*record.stdout.splitlines()]), _MOST_NAMES):
        path = _named_path(name.text, bases)
        if path:
            found.setdefault(path, name)
    # A folder that came to be only to hold what the result names is not what was made.
    told = [path for path in found if path in every]
    made = [*told, *(path for path in made if not any(Path(path) in Path(each).parents for each in told))]
    for path in (*made, *_outermost(every), *sorted(gone), *sorted(given)):
        found.setdefault(path, _Name(path, size_bytes=_total(record.data) if folders == [path] else None))
    sources = {str(Path(folder, found[path].text)) for path in told for folder in folders}
    for path in sorted(sources - found.keys()):
        if Path(path).is_file():
            found[path] = _Name(path)
    for path, name in islice(found.items(), _MOST_ITEMS):
        yield _item(path, name, made=path in made, given=path in given, source=path in sources)


def _outermost(paths: Sequence[str]) -> list[str]:
    """Those that lie in none of the others."""
    every = {Path(path) for path in paths}
    return [path for path in paths if every.isdisjoint(Path(path).parents)]


def _named_path(text: str, bases: list[str]) -> str:
    """The path that a text of a result names, if it is there; empty: none."""
    if not text.strip() or len(text) > _LONGEST_NAME or not text.isprintable():
        return ""
    for said in dict.fromkeys((text, text.partition(_BESIDE)[0])):
        try:
            whole = expanded_path(said)
            for path in [whole] if whole.is_absolute() else [Path(base, said) for base in bases if base]:
                if (path.exists() or path.is_symlink()) and normpath(path) not in bases:
                    return normpath(path)
        except (OSError, RuntimeError, ValueError):
            continue
    return ""


def _item(path: str, name: _Name, *, made: bool, given: bool, source: bool) -> ResultItem:
    try:
        info = Path(path).stat()
    except OSError:
        return ResultItem(path, group=name.group, given=given, gone=not Path(path).is_symlink())
    is_folder = stat.S_ISDIR(info.st_mode)
    return ResultItem(
        path,
        is_folder,
        name.size_bytes if is_folder else info.st_size,
        name.group,
        made,
        given and not made,
        source=source and not made,
        modified_s=info.st_mtime,
    )


def _changed(record: ActionRecord, disk: UndoDisk) -> tuple[list[str], set[str]]:
    """What came to be there by a run, and what went."""
    changes = disk.changes(record.id)
    if changes is None:
        written = [use.path for use in record.paths if use.access == "write"]
        return [path for path in written if record.key.startswith(_EXACT) or Path(path).is_file()], set()
    made = [each.now_at or each.path for each in changes.changes if each.now_at or each.before is None]
    gone = {each.path for each in changes.changes if each.now_at or each.after is None}
    return [path for path in made if not _in_trash(path)], gone


def _in_trash(path: str) -> bool:
    folder = Path(path).parent
    return folder.name == "files" and any(part.startswith((".Trash", "Trash")) for part in folder.parts)


def _names(data: Json, group: int = 0, size_bytes: int | None = None, depth: int = 0) -> Iterator[_Name]:
    """The texts of a result as a person is shown them: of an object what is plain comes first."""
    if depth > _DEEPEST:
        return
    if isinstance(data, str):
        yield _Name(data, group, size_bytes)
    elif isinstance(data, list):
        for number, each in enumerate(data, 1):
            yield from _names(each, number if _is_group(each) else group, size_bytes, depth + 1)
    elif isinstance(data, dict):
        told = [(name, value) for name, value in data.items() if not name.startswith("_")]
        told.sort(key=lambda row: isinstance(row[1], dict | list))  # stable
        for _, value in told:
            yield from _names(value, group, _size(data), depth + 1)


def _is_group(data: Json) -> bool:
    """Whether a row of a result is several of a kind: `{"copies": 2, "files": […]}`."""
    parts = data.values() if isinstance(data, dict) else [data]
    lists = (part for part in parts if isinstance(part, list))
    return any(len(part) > 1 and all(isinstance(each, str) for each in part) for part in lists)


def _size(row: JsonObject) -> int | None:
    """The size that stands in a row beside a name."""
    for value in row.values():
        said = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
        if said is not None:
            return int(float(said[1].replace(",", "")) * _UNITS[said[2][0].lower()])
    return None


def _total(data: Json) -> int | None:
    """The size of all that was looked at together."""
    rows = data.items() if isinstance(data, dict) else ()
    return next((int(v) for k, v in rows if k.endswith("total_bytes") and isinstance(v, int | float)), None)


def _counts(data: Json) -> Iterator[tuple[str, float]]:
    for name, value in data.items() if isinstance(data, dict) else ():
        if isinstance(value, int | float) and not isinstance(value, bool) and not name.startswith("_"):
            yield name, float(value)


def _searched(record: ActionRecord) -> bool:
    properties = record.schema.get("properties")
    schemas = properties if isinstance(properties, dict) else {}
    return record.risk is Risk.READ and any(
        isinstance(schema := schemas.get(name), dict)
        and schema.get("type") == "string"
        and "enum" not in schema
        and schema.get("format") in _WORDS
        for name in record.params
    )


def _place(items: tuple[ResultItem, ...]) -> str:
    """A folder that was made; where it looked, or else where what was made lies, or what was given."""
    there = [item for item in items if not item.gone]
    made = [item for item in there if item.made]
    if len(made) == 1 and made[0].is_folder:
        return made[0].path
    given = [item for item in there if item.given]
    folders = {item.path for item in given if item.is_folder}
    around = [path for path in folders if all(Path(path) in Path(item.path).parents for item in made)]
    parents = {str(Path(item.path).parent) for item in made or given}
    found = around if len(around) == 1 else sorted(parents)
    return found[0] if len(found) == 1 else ""
