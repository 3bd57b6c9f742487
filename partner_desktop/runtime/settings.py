"""The runtime's settings: `config/runtime.toml`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class RuntimeSettings(BaseModel):
    """How turns run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    debounce_window_ms: int = Field(
        default=300,
        ge=0,
        le=5_000,
        description="Messages of one conversation that come within this time are answered together.",
        json_schema_extra={"unit": "ms"},
        examples=[300],
    )
    parallel_turns: int = Field(
        default=4,
        ge=1,
        le=32,
        description="How many conversations may be answered at the same time.",
        examples=[4],
    )
    masked_modules: tuple[str, ...] = Field(
        default=(),
        description="Modules that take part in no turn, by name.",
        examples=[["SystemStatsMonitor"]],
    )
    module_timeout_s: int = Field(
        default=600,
        ge=1,
        le=86_400,
        description="A module that works this long without a sign of life is ended; the turn goes on.",
        json_schema_extra={"unit": "s"},
        examples=[600],
    )
