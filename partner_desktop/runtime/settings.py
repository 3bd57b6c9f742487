"""The runtime's settings: `config/runtime.toml`."""

from __future__ import annotations

from typing import Self
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, model_validator

from partner_desktop.base.messages import sentence_of
from partner_desktop.config.handle import SettingsModel


class AllowedExtension(SettingsModel):
    """One installed package whose code may run inside Partner, or shall not and is not told of any more."""

    package: str = Field(
        min_length=1, description="The package's name, as `doctor` shows it.", examples=["partner-matrix"]
    )
    place: str = Field(
        min_length=1,
        description="The folder that it is installed in; from another one it is not loaded.",
        examples=["~/.venv/lib/python3.11/site-packages"],
    )
    enabled: bool = Field(
        default=True,
        description="Whether it is loaded; with false it stays off without a word.",
    )


class ExtensionSettings(SettingsModel):
    """Which installed packages may add modules, gateways and agents.

    Their code has all of your rights. A package that does not stand here is not loaded; `doctor` lists what
    was found, with the lines that allow it.
    """

    model_config = ConfigDict(json_schema_extra={"section": "advanced", "place": 60})

    allowed: tuple[AllowedExtension, ...] = Field(
        default=(),
        description="The packages that you allowed, each with the place that it had then.",
        json_schema_extra={"restart": True},
        examples=[[{"package": "partner-matrix", "place": "~/.venv/lib/python3.11/site-packages"}]],
    )


class RuntimeSettings(SettingsModel):
    """How turns run."""

    model_config = ConfigDict(json_schema_extra={"section": "advanced", "place": 10})

    debounce_window_ms: int = Field(
        default=300,
        ge=0,
        le=5_000,
        description="Messages of one conversation that come within this time are answered together.",
        json_schema_extra={"unit": "ms", "section": "general"},
    )
    parallel_turns: int = Field(
        default=4,
        ge=1,
        le=32,
        description="How many conversations may be answered at the same time.",
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
    )


_NEARBY = ("127.0.0.1", "::1", "localhost")


class UpdateSettings(SettingsModel):
    """Whether Partner asks for a newer version of itself. It only tells; nothing is fetched or installed."""

    model_config = ConfigDict(json_schema_extra={"section": "general", "place": 80})

    enabled: bool = Field(
        default=False,
        description="Ask the address below once a day; the question says nothing about you or this computer.",
    )
    url: str = Field(
        default="",
        max_length=2_000,
        description=(
            "Who is asked: a page of JSON with `version`, of GitHub's (`releases/latest`) or PyPI's "
            "(`pypi/NAME/json`) form. Without one nobody is."
        ),
        examples=["https://example.org/partner-desktop.json"],
    )

    @model_validator(mode="after")
    def _address_is_one(self) -> Self:
        if not self.url:
            return self
        parts = urlsplit(self.url)
        if not parts.hostname or not self.url.isprintable() or " " in self.url:
            raise ValueError(sentence_of("updates.no_url"))
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _NEARBY):
            raise ValueError(sentence_of("updates.not_https"))
        return self
