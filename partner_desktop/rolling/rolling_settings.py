"""Rolling's settings: `config/rolling.toml`."""

from __future__ import annotations

from pydantic import Field

from partner_desktop.config.settings_model import SettingsModel


class RollingSettings(SettingsModel):
    """When a conversation is summed up, so that it never grows too long for the model."""

    messages: int = Field(
        default=72,
        ge=12,
        le=72,
        description="Sum up when so many messages were said since the last time; a sixth of them stays.",
    )
    idle_minutes: int = Field(
        default=60,
        ge=0,
        le=43_200,
        description="Sum up all of it when nobody spoke for so long; 0: never for that reason.",
        json_schema_extra={"unit": "min"},
    )
