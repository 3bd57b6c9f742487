"""The gateways' settings: `config/gateways.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import ConfigDict, Field, model_validator

from partner_desktop.base.messages import sentence_of
from partner_desktop.config.handle import SettingsModel
from partner_desktop.domain.json_value import Json

WEBSOCKET = "websocket"


class WebsocketSettings(SettingsModel):
    """The websocket gateway: other programs of this machine talk to Partner through it."""

    enabled: bool = Field(
        default=False,
        description="Whether programs on this machine that know the token may connect.",
        examples=[True],
    )
    port: int = Field(
        default=29_600,
        ge=0,
        le=65_535,
        description="The port on 127.0.0.1; 0 takes any free one.",
    )
    allowed_origins: tuple[str, ...] = Field(
        default=(),
        description="Web pages that may connect, by origin; programs other than browsers need no entry.",
        examples=[["http://localhost:3000"]],
    )
    max_clients: int = Field(
        default=16, ge=1, le=256, description="How many clients may be connected at once."
    )
    max_frame_kib: int = Field(
        default=256,
        ge=4,
        le=16_384,
        description="The largest frame that a client may send.",
        json_schema_extra={"unit": "KiB"},
    )
    frames_per_second: float = Field(
        default=20.0,
        ge=1,
        le=10_000,
        description="How many frames a second a client may send in the long run.",
        json_schema_extra={"unit": "frames/s"},
    )
    frame_burst: int = Field(default=60, ge=1, le=10_000, description="How many frames may come at once.")
    ping_seconds: float = Field(
        default=10.0,
        ge=0.1,
        le=600,
        description="How often a client is pinged; it is let go when two of them stay unanswered.",
        json_schema_extra={"unit": "s"},
    )


class GatewayEntry(SettingsModel):
    """A gateway that another package brought."""

    name: str = Field(min_length=1, description="Its name, as its package gives it.", examples=["matrix"])
    enabled: bool = Field(default=True, description="Whether it runs.")
    # Any: whatever TOML can hold; the gateway itself checks its own parameters.
    params: dict[str, Any] = Field(
        default_factory=dict, description="What it is told.", examples=[{"room": "#home"}]
    )


class GatewaySettings(SettingsModel):
    """The ways in and out besides the window and the terminal."""

    model_config = ConfigDict(json_schema_extra={"section": "servers"})

    websocket: WebsocketSettings = Field(
        default=WebsocketSettings(), description="Other programs of this machine."
    )
    gateway: tuple[GatewayEntry, ...] = Field(
        default=(),
        description="Gateways that other packages brought.",
        examples=[[{"name": "matrix", "params": {"room": "#home"}}]],
    )

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [WEBSOCKET, *(entry.name for entry in self.gateway)]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(sentence_of("gateways.name_twice", name=name))
        return self

    def wanted(self) -> dict[str, Mapping[str, Json]]:
        """What shall run: the parameters of each gateway by its name, in the order of the file."""
        found: dict[str, Mapping[str, Json]] = {}
        if self.websocket.enabled:
            found[WEBSOCKET] = self.websocket.model_dump(mode="json")
        found.update((entry.name, entry.params) for entry in self.gateway if entry.enabled)
        return found
