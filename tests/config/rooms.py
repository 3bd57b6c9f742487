"""A center on a folder of its own, with settings of every kind, and everything it says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from partner_desktop.config.center import ConfigCenter
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.events import ConfigEvent, NoticeEvent
from tests.support import Watcher


class Fuel(StrEnum):
    WOOD = "wood"
    GAS = "gas"


class Chimney(BaseModel):
    """Where the smoke goes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    height_m: float = Field(
        default=4.5, gt=0, le=30, description="How high it is.", json_schema_extra={"unit": "m"}
    )
    sweep: bool = Field(default=True, description="Whether it is swept.")


class ConversationController(BaseModel):
    """One shelf."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    boards: int = Field(default=2, ge=1, description="How many boards it has.")


class StoveSettings(BaseModel):
    """How the stove burns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heat_w: int = Field(
        default=300,
        ge=0,
        le=5_000,
        description="How strong it burns.",
        json_schema_extra={"unit": "W"},
        examples=[500],
    )
    fuel: Fuel = Field(default=Fuel.WOOD, description="What it burns.")
    mode: Literal["day", "night"] = Field(default="day", description="When it burns.")
    name: str = Field(default="Berta", max_length=20, description="What it is called.")
    beside: tuple[str, ...] = Field(default=(), description="What stands beside it.", examples=[["basket"]])
    ashes: Path = Field(
        default=Path("/tmp/ashes"), description="Where the ashes go.", json_schema_extra={"restart": True}
    )
    limit: int | None = Field(default=None, ge=1, description="The most logs a day.", examples=[7])
    chimney: Chimney = Chimney()
    shelves: dict[str, ConversationController] = Field(default={}, description="The shelves around it.")


class CellarSettings(BaseModel):
    """What the cellar holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bottles: int = Field(default=6, ge=0, le=99, description="How many bottles.")


class GateSettings(BaseModel):
    """Who gets in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: int = Field(
        ge=1_000,
        le=9_999,
        description="What opens it.",
        json_schema_extra={"unit": "digits"},
        examples=[1234],
    )


class Room:
    """A center with a stove and a cellar."""

    def __init__(self, folder: Path, *, apply_timeout_s: float = 5.0) -> None:
        self.folder = folder
        self.said = Watcher()
        self.center = ConfigCenter(folder, publish=self.said, apply_timeout_s=apply_timeout_s)
        self.stove: ConfigHandle[StoveSettings] = self.center.register("stove", StoveSettings())
        self.cellar: ConfigHandle[CellarSettings] = self.center.register("cellar", CellarSettings())
        self.file = folder / "stove.toml"

    def put(self, text: str | bytes, name: str = "stove") -> None:
        """Save a file as an editor does that knows no better: in place."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / f"{name}.toml").write_bytes(text.encode() if isinstance(text, str) else text)

    async def notice(self, part: str) -> NoticeEvent:
        """The next notice that says `part`; what was said before it is forgotten."""
        event = await self.said.until(lambda event: isinstance(event, NoticeEvent) and part in event.text)
        assert isinstance(event, NoticeEvent)
        self.said.events.clear()
        return event

    async def change(self, name: str = "stove") -> None:
        """The next change of a file."""
        await self.said.until(lambda event: isinstance(event, ConfigEvent) and event.name == name)
        self.said.events.clear()

    def notices(self) -> list[str]:
        return [event.text for event in self.said.events if isinstance(event, NoticeEvent)]

    def value(self, name: str, key: tuple[str, ...]) -> object:
        """What a form would show."""
        file = next(file for file in self.center.files() if file.name == name)
        field = file.field(key)
        assert field is not None
        return field.value


@asynccontextmanager
async def launched(room: Room) -> AsyncIterator[Room]:
    """The room while its center lives."""
    await room.center.launch()
    try:
        yield room
    finally:
        await room.center.shutdown()
