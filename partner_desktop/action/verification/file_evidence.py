"""Files that a step says it made, changed, moved or removed, looked at as they are now. Blocking.

Contract: nothing is written and nothing is run; how many files and how much of each is read has an end. What
a later step was given to write may be otherwise by now: that speaks against nobody.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from partner_desktop.action.undo.changes import Changes, PathChange
from partner_desktop.action.verification.answer_judgement import shown_value
from partner_desktop.action.verification.file_formats import (
    MOST_BYTES,
    MOST_PARSED,
    TEXTS,
    counted_in,
    is_whole,
)
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.step_claim import (
    is_path_text,
    member_name,
    moments_of,
    records_in,
    same_value,
    slack_of,
)
from partner_desktop.domain.verification import CheckedFact
from partner_desktop.files.tree import Kind

_Measure: TypeAlias = Literal["size", "hash", "count"]

#: Files of one step that are looked at.
MOST_FILES = 40
_PIECE = 1024 * 1024
_PATH_NAME = re.compile(
    r"(?:^|_)(?:path|file|folder|dir|directorie|directory|output|target|destination|to|archive|saved|written"
    r"|created|document|image|report)s?$"
)
_SOURCE_NAME = re.compile(r"(?:^|_)(?:from|source|src|origin|old_path|moved_from)s?$")
_GONE_NAME = re.compile(r"^(?:deleted|removed|trashed|deleted_path|removed_path|trashed_path)s?$")
_MOVED = frozenset({"moved", "moved_to", "moved_from", "renamed", "new_path", "old_path"})
_SIZE = frozenset({"size", "size_bytes", "bytes", "file_size"})
_HASHES = {"sha256": "sha256", "sha1": "sha1", "md5": "md5", "sha512": "sha512"}
_BARE_HASH = {64: "sha256", 40: "sha1", 32: "md5", 128: "sha512"}
_COUNTS = frozenset({"count", "lines", "rows", "entries", "files", "line_count", "row_count", "file_count"})
#: Of a text only its lines are counted: a report tells of `files` that are not in it.
_LINE_COUNTS = frozenset({"lines", "rows", "line_count", "row_count"})
#: With `false` a step says that it left a file as it was.
_CHANGED = frozenset({"changed", "created", "written", "updated", "modified"})
#: When it was written; any other time (`taken_at`, `expires_at`) is one of what it is about.
_TIMES = re.compile(
    r"^(?:file_)?(?:(?:last_)?modified|created|updated|changed|written|saved|timestamp|mtime)(?:_at)?$"
)
_MEASURES = _SIZE | _COUNTS | _HASHES.keys() | {"hash", "checksum", "digest"}
_OWN_WORK = "builtin::files::"
#: A step tells when it wrote a file by a look at the clock after that.
_NEAR = timedelta(seconds=60)


@dataclass(frozen=True)
class FileLook:
    """What was found of a step's files."""

    facts: tuple[CheckedFact, ...] = ()
    measured: bool = False
    """At least one file is what the step says it is: so large, of these contents, moved, or not there."""
    changed_later: bool = False
    """Something was left out, because a later step may have changed it."""


@dataclass
class StepFiles:
    """Of one step: `run` is its action, `changes` what the journal holds of its run."""

    run: ActionRecord
    changes: Changes | None = None
    later: Sequence[str] = ()
    """The places that later steps were given to write."""
    check: Callable[[], None] = lambda: None
    """Raises where nobody wants to know any more."""
    closed: Collection[str] = ()
    """Those of its `places` that may not be looked at."""
    _facts: list[CheckedFact] = field(default_factory=list)
    _there: dict[str, int] = field(default_factory=dict)
    """What is there → its size; of each one fact, once all of it was looked at."""
    _right: dict[str, dict[_Measure, None]] = field(default_factory=dict)
    """Path → what was compared with what the step says of it, and is so."""
    _filled: set[str] = field(default_factory=set)
    """Folders that hold as many as the step says."""
    _measured: bool = False
    _changed_later: bool = False

    def places(self) -> tuple[str, ...]:
        """All that would be looked at. Blocking."""
        claimed = [path for record in records_in(self.run.data) for _, path in self._claims_of(record)]
        places = [*self._removed(), *claimed, *(change.path for change in self._changes), *self._written]
        return tuple(dict.fromkeys(places))[:MOST_FILES]

    def look(self) -> FileLook:
        """All that can be told. Blocking."""
        there = [place for place in self.places() if place not in self.closed]
        gone = [path for path in dict.fromkeys(self._removed()) if path in there]
        for path in gone:
            self._must_be_gone(path)
        for record in records_in(self.run.data):
            for _, path in self._claims_of(record):
                if path in there and path not in gone:
                    self._must_be_there(path, record)
        for change in self._changes:
            if change.path in there and change.path not in self._seen:
                self._as_journal(change)
        for path in self._written:
            if path in there and path not in self._seen:
                self._given(path)
        return FileLook((*self._facts, *self._as_said()), self._measured, self._changed_later)

    @property
    def _seen(self) -> set[str]:
        return {*self._there, *(fact.subject for fact in self._facts)}

    @property
    def _changes(self) -> Sequence[PathChange]:
        return self.changes.changes[:MOST_FILES] if self.changes is not None else ()

    @property
    def _written(self) -> list[str]:
        return [use.path for use in self.run.paths if use.access == "write" and use.param]

    # Which files.

    def _absolute(self, text: Json) -> str:
        """Empty: it is no path, or nobody knows from where it counts."""
        if not isinstance(text, str) or not text or len(text) > 4_000 or "\0" in text or "\n" in text:
            return ""
        if is_path_text(text):
            return os.path.normpath(os.path.expanduser(text))  # noqa: PTH111 - unknown users
        folders = [use.path for use in self.run.paths if use.access == "write"]
        found = [os.path.join(each, text) for each in folders]  # noqa: PTH118 - texts
        beside = [os.path.join(os.path.dirname(each), text) for each in folders]  # noqa: PTH118, PTH120
        if text in {file.name for file in self.run.files}:
            return ""  # it waits in the run's workspace, where its record says so
        return next((path for path in (*found, *beside) if os.path.lexists(path)), "")

    def _claims_of(self, record: JsonObject) -> Iterator[tuple[str, str]]:
        """The paths that an object of the result says are there; not what it only found where it read."""
        read = [use.path for use in self.run.paths if use.access == "read"]
        measured = any(member_name(name) in _MEASURES for name in record)
        for name, value in record.items():
            plain = member_name(name)
            if _SOURCE_NAME.search(plain) or _GONE_NAME.match(plain):
                continue
            for each in value if isinstance(value, list) else [value]:
                if not (_PATH_NAME.search(plain) or plain in _MOVED):
                    continue
                path = self._absolute(each)
                if path and (measured or not any(_is_in(path, place) for place in read)):
                    yield name, path

    def _removed(self) -> Iterator[str]:
        """What the result, or what it was given, says is not there any more."""
        for record in records_in(self.run.data):
            moved = any(member_name(name) in _MOVED for name in record) or self._writes_source()
            for name, value in record.items():
                plain = member_name(name)
                if _GONE_NAME.match(plain) or (moved and _SOURCE_NAME.search(plain)):
                    paths = map(self._absolute, value if isinstance(value, list) else [value])
                    yield from filter(None, paths)

    def _writes_source(self) -> bool:
        """What is given its source to write to does not copy."""
        return any(
            use.access == "write" and _SOURCE_NAME.search(member_name(use.param)) for use in self.run.paths
        )

    # What is so of them.

    def _note(self, path: str, told: str, *, holds: bool, wanted: Json = None, found: Json = None) -> None:
        if not holds and any(_is_in(path, each) for each in self.later):
            self._changed_later = True
            return
        text = sentence_of(
            told, path=display_path(Path(path)), wanted=shown_value(wanted), found=shown_value(found)
        )
        fact = CheckedFact("file", text, holds=holds, subject=path, wanted=wanted, found=found)
        if fact not in self._facts:
            self._facts.append(fact)

    def _compare(
        self, path: str, measure: _Measure, *, holds: bool, wanted: Json = None, found: Json = None
    ) -> None:
        self._measured = True
        if holds:
            self._right.setdefault(path, {})[measure] = None
        else:
            self._note(path, f"verification.file_{measure}", holds=False, wanted=wanted, found=found)

    def _as_said(self) -> Iterator[CheckedFact]:
        """What is there and nothing speaks against; a folder that only holds what else is told of is none."""
        told = {fact.subject for fact in self._facts}
        for path, size in self._there.items():
            compared = path in self._right or path in self._filled
            holds_others = any(_is_in(each, path) for each in self._seen - {path})
            if path not in told and (compared or not holds_others):
                yield CheckedFact("file", self._there_words(path), holds=True, subject=path, found=size)

    def _there_words(self, path: str) -> str:
        """That it is there, and what of it is as the step says."""
        shown = display_path(Path(path))
        right = [sentence_of(f"verification.measure.{each}") for each in self._right.get(path, ())]
        if not right:
            filled = path in self._filled
            return sentence_of(f"verification.{'folder_filled' if filled else 'file_there'}", path=shown)
        what = right[-1]
        if right[:-1]:
            first = sentence_of("step.comma").join(right[:-1])
            what = sentence_of("verification.measure.both", first=first, last=what)
        return sentence_of("verification.file_as_said", path=shown, what=what)

    def _must_be_gone(self, path: str) -> None:
        self._measured = True
        there = os.path.lexists(path)
        self._note(path, "verification.still_there" if there else "verification.gone", holds=not there)

    def _must_be_there(self, path: str, record: JsonObject) -> None:
        self.check()
        before = len(self._facts)
        try:
            found = os.stat(path)  # noqa: PTH116 - texts
        except OSError:
            self._note(path, "verification.file_missing", holds=False)
            return
        whole = stat.S_ISREG(found.st_mode)
        size = next((value for each, value in record.items() if member_name(each) in _SIZE), None)
        if whole and isinstance(size, int) and not isinstance(size, bool):
            fits = size == found.st_size
            self._compare(path, "size", holds=fits, wanted=size, found=found.st_size)
        self._times(path, record, found)
        if len(self._facts) == before and self._says_nothing(record, found):
            return
        if whole:
            self._content(path, record, found.st_size)
        elif stat.S_ISDIR(found.st_mode):
            self._fill(path, record)
        self._there[path] = found.st_size

    def _times(self, path: str, record: JsonObject, found: os.stat_result) -> None:
        """It was changed since the step began, and when the step says."""
        changed = datetime.fromtimestamp(found.st_mtime, UTC)
        told = [
            moment
            for name, value in record.items()
            if _TIMES.search(member_name(name))
            for moment in moments_of(value)
        ]
        touched = datetime.fromtimestamp(found.st_ctime, UTC)  # what is copied may keep its time of change
        differs = bool(told) and not any(self._fits(each, changed, touched) for each in told)
        stale = stat.S_ISREG(found.st_mode) and self._is_stale(found) and not _is_unchanged(record)
        if differs or (stale and (bool(self._written) or self._may_write(path))):
            at = changed.isoformat(timespec="seconds")
            said = told[0].isoformat(timespec="seconds") if told else None
            self._note(path, "verification.file_stale", holds=False, wanted=said, found=at)

    def _fits(self, told: datetime, changed: datetime, touched: datetime) -> bool:
        """Whether it was then that a file was changed, or while the step was at it."""
        began, near = self.run.started_at, max(_NEAR, slack_of(told))
        if began is not None and began - slack_of(told) <= told <= max(changed, touched) + near:
            return True
        return any(abs(told - each) <= near for each in (changed, touched))

    def _may_write(self, path: str) -> bool:
        return any(use.access == "write" and _is_in(path, use.path) for use in self.run.paths)

    def _says_nothing(self, record: JsonObject, found: os.stat_result) -> bool:
        """Whether it was there as it is before the step began. Of a folder that is no fault: its time tells
        of what lies in it itself, and not of what is further in.
        """
        return self._is_stale(found) and not _is_unchanged(record)

    def _is_stale(self, found: os.stat_result) -> bool:
        """What is moved or copied keeps its time of change, and is given another of its name."""
        began = self.run.started_at
        changed = datetime.fromtimestamp(max(found.st_mtime, found.st_ctime), UTC)
        return began is not None and changed < began - slack_of(changed)

    def _content(self, path: str, record: JsonObject, size: int) -> None:
        for name, value in record.items():
            if not isinstance(value, str) or size > MOST_BYTES:
                continue
            plain, told = member_name(name), value.rpartition(":")[2]
            bare = _BARE_HASH.get(len(told)) if plain in ("hash", "checksum", "digest") else None
            kind = _HASHES.get(plain) or bare
            found = self._hash(path, kind) if kind is not None else ""
            if found:
                self._compare(path, "hash", holds=same_value(found, told), wanted=value, found=found)
        if size <= MOST_BYTES and not self._opens(path, size):
            self._note(path, "verification.file_broken", holds=False)
        elif size <= MOST_PARSED:
            self._count(path, record, *counted_in(path))

    def _hash(self, path: str, kind: str) -> str:
        made = hashlib.new(kind)  # what the step chose is compared, nothing is kept safe by it
        try:
            with Path(path).open("rb") as file:
                while piece := file.read(_PIECE):
                    self.check()
                    made.update(piece)
        except OSError:
            return ""
        return made.hexdigest()

    def _count(self, path: str, record: JsonObject, *found: int) -> None:
        names = _LINE_COUNTS if Path(path).suffix.casefold() in TEXTS else _COUNTS
        for name, value in record.items():
            counts = member_name(name) in names and isinstance(value, int) and not isinstance(value, bool)
            if not counts or not found:
                continue
            self._compare(path, "count", holds=value in found, wanted=value, found=found[0])

    def _fill(self, path: str, record: JsonObject) -> None:
        """A folder holds what was put there, and may hold more, or hold it further in."""
        for name, value in record.items():
            if member_name(name) in _COUNTS and isinstance(value, int) and not isinstance(value, bool):
                found = self._entries(path, value)
                self._measured = True
                if found < value:
                    self._note(path, "verification.file_count", holds=False, wanted=value, found=found)
                elif value > 0:
                    self._filled.add(path)

    def _entries(self, path: str, most: int) -> int:
        """How many files and folders are in a folder; it is not counted on beyond `most`."""
        count = 0
        for _, folders, files in os.walk(path):
            self.check()
            count += len(folders) + len(files)
            if count >= most:
                break
        return count

    def _opens(self, path: str, size: int) -> bool:
        """Whether it is what its ending says; what is not known is taken for whole.

        Partner's own work puts there what it was given, whole or not: a copy of a broken file is a true one.
        """
        self.check()
        if self.run.key.startswith(_OWN_WORK):
            return True
        return is_whole(path, size)

    def _as_journal(self, change: PathChange) -> None:
        """What the run did to a file, as the undo journal saw it; Partner's own work is no more than that."""
        self.check()
        self._measured |= self.run.key.startswith(_OWN_WORK)
        if change.now_at or change.after is None:
            self._must_be_gone(change.path)
            if change.now_at and not os.path.lexists(change.now_at):
                self._note(change.now_at, "verification.file_missing", holds=False)
        elif change.after.kind is not Kind.LINK:
            self._must_be_there(change.path, {})

    def _given(self, path: str) -> None:
        """A place that it was given to write, of which its result says nothing."""
        try:
            found = os.stat(path)  # noqa: PTH116 - texts
        except OSError:
            return  # it may have been given to be emptied, and nobody said otherwise
        if not self._is_stale(found):
            size = found.st_size
            if stat.S_ISREG(found.st_mode) and size <= MOST_BYTES and not self._opens(path, size):
                self._note(path, "verification.file_broken", holds=False)
            else:
                self._there[path] = size


def tells_of_files(run: ActionRecord) -> bool:
    """Whether its result names a file that it was not given. Asks no disk."""
    given = {use.path for use in run.paths}
    return any(
        is_path_text(value) and value not in given and bool(_PATH_NAME.search(member_name(name)))
        for record in records_in(run.data)
        for name, value in record.items()
    )


def _is_in(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


def _is_unchanged(record: JsonObject) -> bool:
    """Whether a result says that it left a file as it was."""
    return any(member_name(name) in _CHANGED and value is False for name, value in record.items())
