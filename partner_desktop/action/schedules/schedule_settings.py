"""The settings of what is done later: `config/schedules.toml`."""

from __future__ import annotations

import re
from datetime import time

from pydantic import ConfigDict, Field, field_validator

from partner_desktop.base.messages import sentence_of
from partner_desktop.config.handle import SettingsModel
from partner_desktop.domain.schedule import MissedPolicy

_TIME = re.compile(r"([01]?\d|2[0-3]):[0-5]\d")


class ScheduleSettings(SettingsModel):
    """When nothing is done, what is not told, and what becomes of times that passed."""

    model_config = ConfigDict(json_schema_extra={"section": "schedules"})

    paused: bool = Field(default=False, description="Whether nothing at all is done by a schedule.")
    quiet_from: str = Field(
        default="",
        description="From this time of day on nothing calls for attention; runs go on. Empty: it always may.",
        examples=["22:00"],
    )
    quiet_to: str = Field(default="", description="Until this time of day.", examples=["07:00"])
    most_turns_a_day: int = Field(
        default=20,
        ge=0,
        le=10_000,
        description="So often a day the outcome of what a schedule did is told; failures always are.",
    )
    missed: MissedPolicy = Field(
        default="once",
        description=(
            "What becomes of times that passed while Partner was closed: the latest is done, all of them are "
            "(ten at the most), or none."
        ),
    )
    shortest_seconds: int = Field(
        default=10,
        ge=1,
        le=86_400,
        description="Nothing is done again and again at a shorter distance than this.",
        json_schema_extra={"unit": "seconds"},
    )

    @field_validator("quiet_from", "quiet_to")
    @classmethod
    def _is_time(cls, value: str) -> str:
        if value and not _TIME.fullmatch(value):
            raise ValueError(sentence_of("schedules.no_time_of_day"))
        return value

    def is_quiet(self, at: time) -> bool:
        """Whether a time of day lies in the quiet hours, which may go over midnight."""
        if not self.quiet_from or not self.quiet_to:
            return False
        begin, end = map(time.fromisoformat, (self.quiet_from.zfill(5), self.quiet_to.zfill(5)))
        return begin <= at < end if begin <= end else at >= begin or at < end
