"""The stories as files have them: one JSON object a line, checked when it is read.

The short names of the format (`x`, `st`, `v`, `fs`) are aliases: people write hundreds of these by hand.
Beside a file lie the home that its stories begin in (`home.toml` or `mkhome.sh`) and `scripts/`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from partner_desktop.permission.request import ApprovalMode
from tests.benchmarks.calls import DataError

#: Of an action: `card` waits for a yes, `asks` for a parameter, `ran` succeeded; `none`: there is no action.
State = Literal["card", "asks", "ran", "running", "failed", "rejected", "cancelled", "none"]
#: A value that must be among the arguments: a path (`~/Notes`), a number, a text, or `re:` and a pattern.
Wanted = bool | int | float | str


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expectation(_Frozen):
    """What must hold after a turn. What is left out is not looked at."""

    states: tuple[State, ...] = Field(default=(), alias="st")
    """One of them, of an action with one of the `keys` and all `values`."""
    keys: tuple[str, ...] = Field(default=(), alias="key")
    values: tuple[Wanted, ...] = Field(default=(), alias="v")
    steps: tuple[tuple[Wanted, ...], ...] = ()
    """Of a plan, in order: a key, then values of that step."""
    nothing_written: bool | str = Field(default=False, alias="norun")
    something_ran: bool = Field(default=False, alias="anyrun")
    never_ran: str = Field(default="", alias="nokeyrun")
    """A key."""
    never_proposed: tuple[tuple[str, Wanted], ...] = Field(default=(), alias="nocard")
    """A key and one of its values."""
    any_of: tuple[tuple[str, ...], ...] = Field(default=(), alias="any")
    """A state and a key, or `plancard`."""
    still_open: bool = Field(default=False, alias="still")
    closed: bool = Field(default=False, alias="gone")
    said: str = Field(default="", alias="say")
    """A pattern, found in the replies or in what was printed."""
    unsaid: str = Field(default="", alias="nsay")
    on_disk: tuple[str, ...] = Field(default=(), alias="fs")
    not_judged: Any = Field(default=None, alias="nsayrun")
    """Stories of others have it; nobody ever said what it means."""


class Turn(_Frozen):
    """Something said, or a script that is dropped into the action folder."""

    say: str = ""
    drop: str = ""
    when: Literal["asks", "card"] | None = None
    """Only said while something like that is open."""
    expected: Expectation | None = Field(default=None, alias="x")
    weak: tuple[Expectation, ...] = ()
    """What is acceptable too, and no more than that."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Turn:
        if bool(self.say) == bool(self.drop):
            raise ValueError("a turn says something or drops a script")
        return self


class Story(_Frozen):
    """A conversation and what a careful person expects of it."""

    id: str
    group: str
    kind: str = ""
    """Of a Chinese story: the group that it would be in, were it English."""
    want: str
    lang: Literal["en", "zh"]
    approve: ApprovalMode = ApprovalMode.ASK
    turns: tuple[Turn, ...] = Field(min_length=1)
    may: tuple[str, ...] = ()
    """What in the home may change: paths below it."""
    scripts: tuple[str, ...] = ()
    """There from the beginning, beside the samples."""
    place: Path = Field(exclude=True)
    """The folder of its file."""


def read_stories(places: Sequence[Path], only: Sequence[str] = ()) -> list[Story]:
    """The stories of files, and of folders with all their files; `only` those whose ids begin so.

    Raises:
        DataError: Something cannot be read, or there are no such stories.
    """
    files = [
        file for place in places for file in (sorted(place.glob("*.jsonl")) if place.is_dir() else [place])
    ]
    stories = [story for file in files for story in _read(file)]
    wanted = [story for story in stories if not only or story.id.startswith(tuple(only))]
    if not wanted:
        raise DataError(f"There are no such stories in {', '.join(map(str, places))}.")
    return wanted


def _read(file: Path) -> list[Story]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(f"{file} cannot be read: {problem}.") from problem
    return [_story(file, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _story(file: Path, number: int, line: str) -> Story:
    try:
        return Story.model_validate(json.loads(line) | {"place": file.resolve().parent})
    except (ValueError, TypeError) as problem:  # pydantic's own is a ValueError
        raise DataError(f"{file}, line {number} is no story: {problem}") from problem
