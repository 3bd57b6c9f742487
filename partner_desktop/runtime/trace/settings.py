"""The trace's settings: `config/trace.toml`."""

from __future__ import annotations

from pydantic import Field

from partner_desktop.config.settings_model import SettingsModel


class TraceSettings(SettingsModel):
    """What is kept of the course of past turns. It holds names, numbers and times, no words of yours."""

    enabled: bool = Field(
        default=True,
        description="Whether the course of every turn is written down.",
    )
    file_mib: int = Field(
        default=16,
        ge=1,
        le=1_024,
        description="A trace file that reaches this size is closed and compressed.",
        json_schema_extra={"unit": "MiB"},
    )
    file_records: int = Field(
        default=2_000,
        ge=10,
        le=1_000_000,
        description="A trace file that holds this many records is closed and compressed.",
        json_schema_extra={"unit": "records"},
    )
    total_mib: int = Field(
        default=256,
        ge=1,
        le=65_536,
        description="All trace files together stay below this; the oldest go first.",
        json_schema_extra={"unit": "MiB"},
    )
    days: int = Field(
        default=14,
        ge=1,
        le=3_650,
        description="Trace files older than this are removed.",
        json_schema_extra={"unit": "days"},
    )
