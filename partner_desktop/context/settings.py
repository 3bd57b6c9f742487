"""The context's settings: `config/context.toml`."""

from __future__ import annotations

from pydantic import Field

from partner_desktop.config.settings_model import SettingsModel


class ContextSettings(SettingsModel):
    """How much of what is known goes into a prompt, and how long that can be looked up."""

    budget_tokens: int = Field(
        default=4_096,
        ge=256,
        le=1_000_000,
        description="The most tokens that the context blocks of one prompt may hold together.",
        json_schema_extra={"unit": "tokens"},
    )
    housekeeping_percent: int = Field(
        default=25,
        ge=0,
        le=100,
        description="The part of that budget that blocks written by a clock may take.",
        json_schema_extra={"unit": "percent"},
    )
    dialog_tokens: int = Field(
        default=8_192,
        ge=256,
        le=1_000_000,
        description="The most tokens that the retained dialog of one prompt may hold.",
        json_schema_extra={"unit": "tokens"},
    )
    kept_turns: int = Field(
        default=500,
        ge=1,
        le=100_000,
        description="How many turns of a conversation keep their prompt, so that it can be shown again.",
    )
