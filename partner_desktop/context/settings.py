"""The context's settings: `config/context.toml`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ContextSettings(BaseModel):
    """How much of what is known goes into a prompt."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    budget_tokens: int = Field(
        default=4_096,
        ge=256,
        le=1_000_000,
        description="The most tokens that the context blocks of one prompt may hold together.",
        json_schema_extra={"unit": "tokens"},
        examples=[4096],
    )
