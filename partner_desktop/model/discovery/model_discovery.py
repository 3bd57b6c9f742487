"""ModelDiscovery: which models lie on this machine, what they are, and whether they fit.

Contract: `look` is blocking, for a thread; nothing is written anywhere. Each place is looked at in a thread
of its own, one after the other, so that a share that hangs costs its time limit and not the rest, and so that
two never take the interpreter in turns. What headers said is kept in memory while file, size and time of
change are the same.
"""

from __future__ import annotations

import contextvars
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.domain.model_file import FoundModel, FoundModels, MemoryFit, ModelFacts
from partner_desktop.model.discovery.folder_walk import MOST_ENTRIES, FolderWalk, GivenUpError
from partner_desktop.model.discovery.model_places import ModelPlace
from partner_desktop.model.discovery.model_scanners import ModelCandidate, eyes_for, scanned
from partner_desktop.model.gguf_header import is_projector_name, model_facts, read_header
from partner_desktop.model.memory_fit import (
    MemoryShape,
    fit_of,
    free_bytes,
    memory_speed,
    projector_bytes,
    shape_of,
)

#: A place that says nothing for so long hangs; one that goes on may take the second.
SILENCE_S = 3.0
PLACE_S = 20.0
#: Of one header, shorter than a silence: a bad file costs itself, not the place.
HEADER_S = 2.0
MOST_MODELS = 2000
_MOST_KEPT = 4 * MOST_MODELS
_LEVELS = ("fits", "tight", "unknown", "too_large")
_PURPOSES = ("chat", "embedding", "other", "projector")


PlaceScan: TypeAlias = Callable[[ModelPlace, FolderWalk], Iterator[ModelCandidate]]


@dataclass(frozen=True)
class _Read:
    """What a header came to."""

    facts: ModelFacts = ModelFacts()
    shape: MemoryShape | None = None
    trouble: str = ""
    seeing_bytes: int = 0
    """Of a projector: what it takes."""


@dataclass(frozen=True)
class _Found:
    """A file, where it really lies, and what it came to."""

    candidate: ModelCandidate
    real_path: str
    read: _Read


class ModelDiscovery:
    """`silence_s`, `place_s`, `most_entries`: the limits of one place. `scan` goes through one."""

    def __init__(
        self,
        *,
        silence_s: float = SILENCE_S,
        place_s: float = PLACE_S,
        most_entries: int = MOST_ENTRIES,
        scan: PlaceScan = scanned,
    ) -> None:
        self._silence_s, self._place_s, self._most_entries = silence_s, place_s, most_entries
        self._scan = scan
        self._kept: dict[tuple[str, int, int], _Read] = {}

    def look(self, places: Iterable[ModelPlace], gave_up: Callable[[], bool] = lambda: False) -> FoundModels:
        """Look at all of them. Blocking; never raises for what lies there."""
        begun = time.perf_counter()
        looks: list[_PlaceLook] = []
        for place in places:
            if gave_up():
                break
            look = _PlaceLook(place, self._scan, self._read, self._most_entries)
            look.wait(self._silence_s, self._place_s, gave_up)
            looks.append(look)
        found = _once(one for look in looks for one in tuple(look.found))
        notes = [note for look in looks for note in look.notes]
        if len(found) > MOST_MODELS:
            notes.append(sentence_of("finds.too_many", most=MOST_MODELS))
        free, speed = free_bytes(), memory_speed() if found else 0.0
        models = [_told(one.candidate, one.read, free, speed) for one in found[:MOST_MODELS]]
        models.sort(key=_order)
        return FoundModels(
            tuple(models), tuple(dict.fromkeys(notes)), looked_ms=1000 * (time.perf_counter() - begun)
        )

    def _read(self, path: Path) -> _Read:
        try:
            seen = path.stat()
        except (OSError, ValueError):
            key = None
        else:
            key = (str(path), seen.st_mtime_ns, seen.st_size)
            if key in self._kept:
                return self._kept[key]
        try:
            header = read_header(path, limit_s=HEADER_S)
        except ModelError as error:
            return _Read(trouble=str(error))
        facts = model_facts(header)
        seeing = projector_bytes(header) if facts.purpose == "projector" else 0
        read = _Read(facts, shape_of(header), seeing_bytes=seeing)
        if key is not None and read.facts.parts == 1:  # of other parts the time of change is not looked at
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = read
        return read


class _PlaceLook:
    """One place, in a thread that may be left behind."""

    def __init__(
        self, place: ModelPlace, scan: PlaceScan, read: Callable[[Path], _Read], most_entries: int
    ) -> None:
        self._place, self._scan, self._read = place, scan, read
        self._walk = FolderWalk(self._step, most_entries=most_entries)
        self._told: list[str] = []
        self._steps, self._left_behind = 0, False
        self.found: list[_Found] = []
        language = contextvars.copy_context()  # in which sentences are made
        self._thread = threading.Thread(
            target=language.run, args=(self._work,), name=f"models of {place.source}", daemon=True
        )

    @property
    def notes(self) -> Sequence[str]:
        return (*self._told, *self._walk.notes)

    def wait(self, silence_s: float, place_s: float, gave_up: Callable[[], bool]) -> None:
        """Until it has ended, or hangs, or nobody waits for it."""
        self._thread.start()
        ends_s = time.monotonic() + place_s
        steps, silent_s = 0, time.monotonic()
        while self._thread.is_alive():
            self._thread.join(min(0.05, silence_s))
            now = time.monotonic()
            if self._steps != steps:
                steps, silent_s = self._steps, now
            late = now - silent_s > silence_s or now > ends_s
            if self._thread.is_alive() and (late or gave_up()):
                self._left_behind = True
                self._told.append(sentence_of("finds.folder_late", folder=display_path(self._place.folder)))
                return

    def _step(self) -> None:
        self._steps += 1
        if self._left_behind:
            raise GivenUpError

    def _work(self) -> None:
        with suppress(GivenUpError):
            try:
                self._look()
            except ModelError as error:
                self._told.append(str(error))

    def _look(self) -> None:
        folder = self._place.folder
        try:
            if not folder.is_dir():
                if self._place.asked_for:
                    self._told.append(sentence_of("finds.folder_missing", folder=display_path(folder)))
                return
        except (OSError, ValueError):
            pass  # a look inside says why
        models: list[ModelCandidate] = []
        eyes: list[ModelCandidate] = []
        for one in self._scan(self._place, self._walk):
            (eyes if is_projector_name(one.path.name) else models).append(one)
            if len(models) > MOST_MODELS:
                break
        taken = set[Path | None]()
        for model in models:
            taken.add(self._took(model, eyes))
        for one in eyes:
            if one.path not in taken:
                self._took(one, [])

    def _took(self, model: ModelCandidate, eyes: list[ModelCandidate]) -> Path | None:
        """Keep what it came to; which eyes it has."""
        self._step()
        try:
            str(model.path).encode()
            real_path = os.path.realpath(model.path)
        except ValueError:  # a null byte, or half a sign
            self._told.append(sentence_of("model.name_no_text", path=display_path(model.path)))
            return None
        read = _Read(trouble=model.trouble) if model.trouble else self._read(model.path)
        mine = model.projector or eyes_for(model, eyes) if read.facts.purpose == "chat" else None
        if mine is not None and read.shape is not None:
            shape = replace(read.shape, projector_bytes=self._read(mine).seeing_bytes)
            read = replace(read, shape=shape)
        self.found.append(_Found(replace(model, projector=mine), real_path, read))
        return mine


def _once(found: Iterable[_Found]) -> list[_Found]:
    """Each file once, whatever links lead to it: as the first place has it."""
    kept: dict[str, _Found] = {}
    for one in found:
        kept.setdefault(one.real_path, one)
    return list(kept.values())


def _told(candidate: ModelCandidate, read: _Read, free: int | None, speed: float) -> FoundModel:
    fits = read.facts.purpose in ("chat", "embedding") and read.shape is not None
    fit = (
        fit_of(
            read.shape,
            read.facts.size_bytes,
            free,
            bytes_per_s=speed if read.facts.purpose == "chat" else 0.0,
        )
        if fits
        else MemoryFit()
    )
    return FoundModel(
        path=str(candidate.path),
        source=candidate.source,
        title=shown(candidate.title),  # a name with a line break would stand there as another model
        facts=read.facts,
        fit=fit,
        projector=str(candidate.projector) if candidate.projector and not read.trouble else "",
        trouble=candidate.trouble or read.trouble,
    )


def _order(model: FoundModel) -> tuple[bool, int, int, str]:
    """Those that chat and fit first."""
    purpose, level = _PURPOSES.index(model.facts.purpose), _LEVELS.index(model.fit.level)
    return bool(model.trouble), purpose, level, model.title.casefold()
