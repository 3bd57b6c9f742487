"""Memory's settings: `config/memory.toml`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from partner_desktop.config.handle import SettingsModel

_TIME_OF_DAY = r"^([01]\d|2[0-3]):[0-5]\d$"


class SignalSettings(BaseModel):
    """By what earlier talk is found; each can be switched off by itself."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"place": 30})

    words: bool = Field(default=True, description="Find what has the same words.")
    meaning: bool = Field(default=True, description="Find what means the same in other words.")
    time: bool = Field(default=True, description="Find by when it was said, and by the days it speaks of.")
    topic: bool = Field(default=True, description="Find what belongs to the same topics.")
    speaker: bool = Field(default=True, description="Prefer the words of whom the question names.")
    neighbourhood: bool = Field(default=True, description="Find what was said just before and after.")


class RemarkSettings(BaseModel):
    """Remarks on what was said earlier about the day that begins."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"place": 20})

    enabled: bool = Field(
        default=True, description="With a day's first words, remark on what was said earlier about that day."
    )
    quiet_from: str = Field(
        default="22:00", pattern=_TIME_OF_DAY, description="From when on nothing is remarked on."
    )
    quiet_until: str = Field(
        default="07:00", pattern=_TIME_OF_DAY, description="Until when nothing is remarked on."
    )


class MemorySettings(SettingsModel):
    """How earlier talk is found again."""

    model_config = ConfigDict(json_schema_extra={"section": "memory", "place": 10})

    recall: bool = Field(
        default=True, description="Look for earlier talk that fits what is said, and put it before the mind."
    )
    threshold: float = Field(
        default=0.5,
        ge=0.0,
        le=1.0,
        description="How sure it must be that something was said at all before it is recalled.",
    )
    passages: int = Field(
        default=5, ge=1, le=25, description="The most passages that one question brings back."
    )
    remarks: RemarkSettings = Field(
        default=RemarkSettings(), description="Remarks on what was said about the day that begins."
    )
    signals: SignalSettings = Field(default=SignalSettings(), description="By what earlier talk is found.")
