"""The trace's settings: `config/trace.toml`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class TraceSettings(BaseModel):
    """What is kept of the course of past turns. It holds names, numbers and times, no words of yours."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(
        default=True,
        description="Whether the course of every turn is written down.",
        examples=[True],
    )
    file_mib: int = Field(
        default=16,
        ge=1,
        le=1_024,
        description="A trace file that reaches this size is closed and compressed.",
        json_schema_extra={"unit": "MiB"},
        examples=[16],
    )
    file_records: int = Field(
        default=2_000,
        ge=10,
        le=1_000_000,
        description="A trace file that holds this many records is closed and compressed.",
        json_schema_extra={"unit": "records"},
        examples=[2_000],
    )
    total_mib: int = Field(
        default=256,
        ge=1,
        le=65_536,
        description="All trace files together stay below this; the oldest go first.",
        json_schema_extra={"unit": "MiB"},
        examples=[256],
    )
    days: int = Field(
        default=14,
        ge=1,
        le=3_650,
        description="Trace files older than this are removed.",
        json_schema_extra={"unit": "days"},
        examples=[14],
    )
