"""ConfigCenter: typed settings of every package, one TOML file each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

S = TypeVar("S", bound=BaseModel)

#: Takes the new settings; raising PartnerError turns the reload down, and the old values stay.
Apply = Callable[[S], Awaitable[None]]


class ConfigHandle(Generic[S]):
    """The door to one file's settings: `value` is always whole and valid."""

    def __init__(self, name: str, default: S) -> None:
        self.name = name
        self._value = default
        self._appliers: list[Apply[S]] = []

    @property
    def value(self) -> S:
        """The settings in force; replaced as a whole by a reload, never changed in place."""
        return self._value

    def on_change(self, apply: Apply[S]) -> Callable[[], None]:
        """Call `apply` with new settings before they are in force; returns the undo."""
        self._appliers.append(apply)
        return lambda: self._appliers.remove(apply)


class ConfigCenter:
    """Every registered file of `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def register(self, name: str, default: S) -> ConfigHandle[S]:
        """Settings `default` (all fields have defaults) under `name`, kept in `<name>.toml`."""
        return ConfigHandle(name, default)
