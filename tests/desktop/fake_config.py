"""Settings without files: what the window asked is written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from partner_desktop.base.errors import ConfigError
from partner_desktop.config.field import ConfigField, ConfigFile
from partner_desktop.config.problem import ConfigProblem
from partner_desktop.domain.json_value import Json

FOLDER = Path("/home/user/partner/config")


@dataclass
class FakeConfig:
    """The face of `partner_desktop.config.center.ConfigCenter`."""

    known: Sequence[ConfigFile] = ()
    folder: Path = FOLDER
    asked: list[tuple[object, ...]] = field(default_factory=list)
    set_error: str = ""

    def files(self) -> Sequence[ConfigFile]:
        return self.known

    async def set(self, name: str, key: tuple[str, ...], value: Json) -> None:
        if self.set_error:
            raise ConfigError(self.set_error)
        self.asked.append(("set", name, key, value))
        self._put(name, key, value)

    async def reset(self, name: str, key: tuple[str, ...]) -> None:
        self.asked.append(("reset", name, key))
        one = next(file for file in self.known if file.name == name).field(key)
        assert one is not None
        self._put(name, key, one.default)

    def _put(self, name: str, key: tuple[str, ...], value: Json) -> None:
        self.known = [
            replace(
                file,
                fields=tuple(replace(one, value=value) if one.key == key else one for one in file.fields),
            )
            if file.name == name
            else file
            for file in self.known
        ]


def setting(name: str, title: str, description: str, **facts: object) -> ConfigField:
    """A setting that holds its default, if nothing else is said."""
    facts.setdefault("value", facts.get("default"))
    return ConfigField(key=tuple(name.split(".")), title=title, description=description, **facts)  # type: ignore[arg-type] # a test's own facts


def house_files() -> list[ConfigFile]:
    """Settings of every kind, as a house has them."""
    return [_context(), _gateway(), _notes(), _runtime()]


def many_files(count: int) -> list[ConfigFile]:
    """`count` numbers in five files."""
    fields = [
        setting(
            f"number_{at}", f"Number {at}", f"The number in place {at}.", kind="int", default=at, minimum=0
        )
        for at in range(count)
    ]
    size = count // 5
    return [
        ConfigFile(
            name=f"file_{part}",
            path=FOLDER / f"file_{part}.toml",
            description=f"The numbers of part {part}.",
            fields=tuple(fields[part * size : (part + 1) * size]),
        )
        for part in range(5)
    ]


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
