"""Perception's settings: `config/perceive.toml`."""

from __future__ import annotations

from pydantic import Field

from partner_desktop.config.settings_model import SettingsModel


class PerceiveSettings(SettingsModel):
    """How the surroundings are looked at."""

    system_refresh_s: float = Field(
        default=30.0,
        ge=1.0,
        le=3_600.0,
        description="How old the measured state of this computer may be before it is measured again.",
        json_schema_extra={"unit": "seconds"},
    )
