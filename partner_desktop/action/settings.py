"""The settings of what acts: `config/action.toml`."""

from __future__ import annotations

from pathlib import Path

from pydantic import ConfigDict, Field, field_validator

from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import expanded_path
from partner_desktop.config.handle import SettingsModel
from partner_desktop.runner.sandbox_policy import SandboxSettings


class UndoSettings(SettingsModel):
    """What is kept so that the work of an ability on your files can be taken back."""

    model_config = ConfigDict(json_schema_extra={"section": "abilities", "place": 20})

    enabled: bool = Field(
        default=True,
        description="Whether files are copied before an ability may change them.",
    )
    cap_mb: int = Field(
        default=512,
        ge=1,
        le=1_000_000,
        description="The copies made for one run stay below this; small files are copied first.",
        json_schema_extra={"unit": "MB"},
    )
    total_mb: int = Field(
        default=2_048,
        ge=1,
        le=10_000_000,
        description="All copies together stay below this; the oldest go first.",
        json_schema_extra={"unit": "MB"},
    )
    max_files: int = Field(
        default=50_000,
        ge=10,
        le=1_000_000,
        description="A folder that holds more than this is not watched: a run in it cannot be undone.",
        json_schema_extra={"unit": "files and folders"},
    )
    keep_days: int = Field(
        default=7,
        ge=1,
        le=3_650,
        description="For how long a run can be undone.",
        json_schema_extra={"unit": "days"},
    )


class PlanSettings(SettingsModel):
    """How far a plan of several steps may go."""

    model_config = ConfigDict(json_schema_extra={"section": "abilities", "place": 30})

    together: int = Field(
        default=4, ge=1, le=64, description="Steps of one stage that run at the same time.", examples=[2]
    )
    most_steps: int = Field(
        default=30,
        ge=1,
        le=200,
        description="Steps of one plan, those that corrections add included.",
        examples=[50],
    )
    most_minutes: int = Field(
        default=60,
        ge=1,
        le=10_080,
        description="A plan ends after working for so long; waiting for you does not count.",
        json_schema_extra={"unit": "minutes"},
        examples=[240],
    )
    most_tokens: int = Field(
        default=200_000,
        ge=1_000,
        le=100_000_000,
        description="A plan ends when the model has read and written so much for it.",
        json_schema_extra={"unit": "tokens"},
        examples=[1_000_000],
    )
    corrections: int = Field(
        default=3,
        ge=0,
        le=20,
        description="How often a plan that goes wrong is mended.",
        examples=[1],
    )


class VerificationSettings(SettingsModel):
    """How long it may take to check whether what was done is so."""

    model_config = ConfigDict(json_schema_extra={"section": "abilities", "place": 40})

    each_s: float = Field(
        default=5.0,
        ge=0.5,
        le=600,
        description="One step of a plan is checked for so long at the most.",
        json_schema_extra={"unit": "seconds"},
        examples=[10.0],
    )
    all_s: float = Field(
        default=15.0,
        ge=1,
        le=3_600,
        description="All steps of a plan together are checked for so long at the most.",
        json_schema_extra={"unit": "seconds"},
        examples=[60.0],
    )


class ActionSettings(SettingsModel):
    """What external servers are told of this computer, what holds the scripts, and what is kept of runs."""

    model_config = ConfigDict(json_schema_extra={"section": "abilities"})

    roots: tuple[str, ...] = Field(
        default=(),
        max_length=100,
        description="Folders that external MCP servers are told they may work in: a word, not a wall.",
        json_schema_extra={"section": "servers"},
        examples=[["~/Documents"]],
    )
    files_keep_days: int = Field(
        default=30,
        ge=1,
        le=3_650,
        description="For how long the files that a run made for itself wait to be kept.",
        json_schema_extra={"unit": "days", "section": "abilities"},
    )
    undo: UndoSettings = UndoSettings()

    chain: PlanSettings = Field(default=PlanSettings(), description="How far a plan of several steps may go.")

    verification: VerificationSettings = Field(
        default=VerificationSettings(), description="How long checks may take of what was done."
    )

    sandbox: SandboxSettings = Field(
        default=SandboxSettings(), description="What holds the scripts, and what each run of one may use."
    )

    @field_validator("roots")
    @classmethod
    def _whole_paths(cls, roots: tuple[str, ...]) -> tuple[str, ...]:
        for root in roots:
            if not root.startswith(("/", "~")) or "\0" in root:
                raise ValueError(sentence_of("runner.policy.not_whole", path=root))
        return roots

    def root_folders(self) -> tuple[Path, ...]:
        """The folders as absolute paths."""
        # A user that nobody knows (`~nobody/x`) stays as it is written, and no folder is there.
        return tuple(expanded_path(root) for root in self.roots)
