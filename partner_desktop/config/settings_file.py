"""One settings file on the disk: looked at, made, written. Blocking; for use off the loop."""

from __future__ import annotations

import inspect
import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from partner_desktop.base import private
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.checker import Checker
from partner_desktop.config.field import ANY_NAME, ConfigField
from partner_desktop.config.field_descriptions import describe
from partner_desktop.config.problem import ConfigProblem
from partner_desktop.config.template import template
from partner_desktop.config.toml_text import Unusable, decode, parse, read_bytes
from partner_desktop.domain.json_value import Json
from partner_desktop.files.atomic import write_whole

S = TypeVar("S", bound=BaseModel)


@dataclass(frozen=True)
class Look(Generic[S]):
    """What a look at the file found: settings, or problems, or neither where there is no file."""

    data: bytes | None = None
    settings: S | None = None
    problems: tuple[ConfigProblem, ...] = ()
    linked: bool = False
    """Whether the file is a link: the folder's watch does not see where it leads."""

    @property
    def missing(self) -> bool:
        return self.data is None and not self.problems

    def same(self, other: Look[S]) -> bool:
        """Whether the disk gave the same; what came of it may differ, when it was turned down."""
        return self.data == other.data and (self.data is not None or self.problems == other.problems)


class SettingsFile(Generic[S]):
    """The file of one model. Without `default` it must be there and say what has no default."""

    def __init__(self, path: Path, model: type[S], default: S | None) -> None:
        self.path = path
        self.model = model
        self._default = default
        self._checker = Checker(path, model, lambda: self.fields)

    @cached_property
    def fields(self) -> tuple[ConfigField, ...]:
        """Every key, with the defaults that hold here."""
        found = describe(self.model)
        if self._default is None:
            return found
        values: Json = self._default.model_dump(mode="json")
        return tuple(
            one if ANY_NAME in one.key else replace(one, default=value_at(values, one.key), required=False)
            for one in found
        )

    @property
    def description(self) -> str:
        """What the settings are for: the model's docstring."""
        return inspect.cleandoc(self.model.__doc__ or "")

    def holds(self, seen: Look[S], *, follow_link: bool) -> bool:
        """Whether there is no need for another look after `seen`: the disk still gives the same.

        With `follow_link` a link needs one.
        """
        try:
            same = read_bytes(self.path) == seen.data and (seen.data is not None or not seen.problems)
        except Unusable:
            return False
        return same and not (follow_link and os.path.islink(self.path))  # noqa: PTH114 - never raises

    def look(self) -> Look[S]:
        """Read and check it; never raises."""
        linked = os.path.islink(self.path)  # noqa: PTH114 - never raises
        try:
            data = read_bytes(self.path)
        except Unusable as error:
            return Look(problems=(error.problem,), linked=linked)
        return Look() if data is None else replace(self.judge(data), linked=linked)

    def judge(self, data: bytes) -> Look[S]:
        """What the file would be worth if it held `data`; never raises."""
        try:
            text = decode(self.path, data)
            checked = self._checker.check(parse(self.path, text), text)
        except Unusable as error:
            return Look(data, problems=(error.problem,))
        if isinstance(checked, list):
            return Look(data, problems=tuple(checked))
        return Look(data, settings=checked)

    def judge_nothing(self) -> Look[S]:
        """What no file at all is worth: the defaults, or a problem for each key that has none."""
        checked = self._checker.check({}, "")
        return Look(problems=tuple(checked)) if isinstance(checked, list) else Look(settings=checked)

    def create(self) -> bytes:
        """Write a new file with everything explained; returns what was written.

        Raises:
            OSError: It cannot be written.
        """
        data = self.fresh()
        private.make_folder(self.path.parent)
        if not os.path.lexists(self.path):
            write_whole(self.path, data, private=True)
        return data

    def fresh(self) -> bytes:
        """What a new file holds."""
        return template(self.description, self.fields).encode()

    def write(self, data: bytes, *, instead_of: bytes | None) -> bool:
        """Put `data` into the file if it still holds `instead_of`; whether it did. A link is followed.

        Raises:
            OSError: It cannot be written; the file is as it was.
            Unusable: What is there now cannot be read.
        """
        if read_bytes(self.path) != instead_of:
            return False
        private.make_folder(self.path.parent)
        write_whole(self.path.resolve(), data, private=True)
        return True


def value_at(values: Json, key: tuple[str, ...]) -> Json:
    """A value in nested tables; `None` where a table on the way is not set."""
    for part in key:
        if not isinstance(values, dict):
            return None
        values = values.get(part)
    return values
