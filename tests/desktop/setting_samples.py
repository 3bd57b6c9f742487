"""Settings to show, of every kind, as a house has them."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.config.field import ConfigField, ConfigFile
from partner_desktop.config.toml_text import ConfigProblem

FOLDER = Path("/home/user/partner/config")


def setting(name: str, title: str, description: str, **facts: object) -> ConfigField:
    """A setting that holds its default, if nothing else is said."""
    facts.setdefault("value", facts.get("default"))
    return ConfigField(key=tuple(name.split(".")), title=title, description=description, **facts)  # type: ignore[arg-type] # a test's own facts


def house_files() -> list[ConfigFile]:
    """Settings of every kind, as a house has them."""
    return [_context(), _gateway(), _notes(), _runtime()]


def _context() -> ConfigFile:
    path = FOLDER / "context.toml"
    budget = setting(
        "budget_tokens",
        "Budget",
        "The most tokens that the context blocks of one prompt may hold together.",
        kind="int",
        unit="tokens",
        minimum=256,
        maximum=1_000_000,
        default=4_096,
        value=6_000,
    )
    message = 'blocks.memory.fade must be a number from 0 to 1, for example 0.2; it says "slow".'
    return ConfigFile(
        name="context",
        path=path,
        description="How much of what is known goes into a prompt.",
        fields=(budget,),
        problems=(ConfigProblem(path, message, line=14, key=("blocks", "memory", "fade")),),
    )


def _gateway() -> ConfigFile:
    return ConfigFile(
        name="websocket",
        path=FOLDER / "websocket.toml",
        description="The door for other programs on this machine.",
        fields=(
            setting(
                "on", "On", "Whether other programs may connect.", kind="bool", default=False, value=True
            ),
            setting(
                "port",
                "Port",
                "Where it listens on 127.0.0.1.",
                kind="int",
                minimum=1_024,
                maximum=65_535,
                default=8_765,
                restart=True,
            ),
            setting(
                "origins",
                "Origins",
                "Pages that may connect, by their address.",
                kind="list",
                entries="texts",
                default=[],
                value=["http://localhost:5173", "https://notes.example.org"],
            ),
            setting(
                "tokens", "Tokens", "The name of each program with its own limits.", kind="table", default={}
            ),
            setting("tokens.*.size_kb", "Size", "The largest frame.", kind="int", unit="KB", default=64),
        ),
    )


def _notes() -> ConfigFile:
    return ConfigFile(
        name="traces",
        path=FOLDER / "traces.toml",
        description="What is written down about each turn.",
        fields=(
            setting(
                "detail",
                "Detail",
                "How much of a turn is kept.",
                kind="choice",
                choices=("short", "normal", "everything"),
                default="normal",
            ),
            setting(
                "folder", "Folder", "Where the files go.", kind="path", default="/home/user/partner/traces"
            ),
            setting("keep", "Keeping", "How long they stay.", kind="table"),
            setting(
                "keep.days", "Days", "The oldest that is kept.", kind="int", unit="d", minimum=1, default=14
            ),
            setting(
                "keep.size_mb",
                "Size",
                "All of them together; the oldest go first.",
                kind="float",
                unit="MB",
                minimum=0,
                minimum_excluded=True,
                default=64.0,
            ),
        ),
    )


def _runtime() -> ConfigFile:
    return ConfigFile(
        name="runtime",
        path=FOLDER / "runtime.toml",
        description="How turns run.",
        fields=(
            setting(
                "debounce_window_ms",
                "Debounce window",
                "Messages of one conversation that come within this time are answered together.",
                kind="int",
                unit="ms",
                minimum=0,
                maximum=5_000,
                default=300,
            ),
            setting("greeting", "Greeting", "What a new chat begins with.", kind="str", default=None),
        ),
    )
