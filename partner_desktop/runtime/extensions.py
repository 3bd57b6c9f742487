"""Extensions: modules, gateways and agents that installed packages bring by their entry points.

Groups: `partner_desktop.modules` names RunningModule classes, built like ours by the types of their
constructor's parameters; `partner_desktop.gateways` names classes made with the host's face and their
settings; `partner_desktop.agents` names agent classes. Contract: a package is imported only where the person
allowed it at the place where it lies (`config/extensions.toml`), for its code has all of their rights; one
that is not allowed is told of, and nothing of it runs. Packages are imported in a thread, once, at launch.
One that is broken is reported with its package and the reason, and skipped; a name that two of the allowed
packages give in one group is refused to both.
"""

from __future__ import annotations

import asyncio
import os
import site
import stat
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import lru_cache
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from pathlib import Path
from typing import Literal, Protocol, cast

from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError, WiringError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.config.toml_text import toml_value
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.json_value import Json
from partner_desktop.runtime.agent_context import AgentContext
from partner_desktop.runtime.exceptions import ExceptionDoor
from partner_desktop.runtime.extension_points import Gateway, RunningModule
from partner_desktop.runtime.settings import AllowedExtension, ExtensionSettings

_log = log.area("extensions")

Group = Literal["modules", "gateways", "agents"]
GROUPS: tuple[Group, ...] = ("modules", "gateways", "agents")
PREFIX = "partner_desktop."


@dataclass(frozen=True)
class Extension:
    """One class of an installed package."""

    group: Group
    name: str
    package: str
    """The distribution's name and version."""
    loaded: type


@dataclass(frozen=True)
class BrokenExtension:
    """One that cannot be used, and why, in a sentence."""

    group: Group
    name: str
    package: str
    reason: str

    def __str__(self) -> str:
        return sentence_of(
            "runtime.extension_left_out", name=self.name, package=self.package, reason=self.reason
        )


@dataclass(frozen=True)
class WaitingExtension:
    """A package that was found and not loaded: nobody said yet whether it may run."""

    name: str
    version: str
    place: Path
    brings: tuple[str, ...]
    """What it would add, such as “gateway matrix”."""

    def __str__(self) -> str:
        named, adds = shown(f"{self.name} {self.version}"), shown(", ".join(self.brings))
        return sentence_of(
            "runtime.extension_waits",
            named=named,
            path=display_path(self.place),
            adds=adds,
            package=toml_value(self.name),
            place=toml_value(str(self.place)),
        )


@dataclass(frozen=True)
class Extensions:
    """What was found."""

    found: tuple[Extension, ...] = ()
    broken: tuple[BrokenExtension, ...] = ()
    waiting: tuple[WaitingExtension, ...] = ()

    def of(self, group: Group) -> list[Extension]:
        """Those of one group, by name."""
        return sorted((each for each in self.found if each.group == group), key=lambda each: each.name)


class GatewayFactory(Protocol):
    """A gateway class, or what makes one; `host` is a `partner_desktop.api.services.Services`."""

    def __call__(self, host: object, params: Mapping[str, Json], /) -> Gateway: ...


def load_extensions(settings: ExtensionSettings) -> Extensions:
    """Import what the person allowed. Blocks as long as the packages' own imports take."""
    found: list[Extension] = []
    broken: list[BrokenExtension] = []
    waiting: dict[tuple[str, Path], WaitingExtension] = {}
    for group in GROUPS if _is_any_offered() else ():
        allowed: list[EntryPoint] = []
        for point in filter(_is_installed, entry_points(group=PREFIX + group)):
            package = _found(point, f"{group[:-1]} {point.name}")
            said = _said(package, settings.allowed)
            if said is None:
                known = waiting.get((package.name, package.place), replace(package, brings=()))
                waiting[package.name, package.place] = replace(known, brings=known.brings + package.brings)
            elif said:
                allowed.append(point)
        for point in allowed:
            others = [other for other in allowed if other is not point and other.name == point.name]
            loaded = _load(group, point, others)
            if isinstance(loaded, Extension):
                found.append(loaded)
            else:
                broken.append(loaded)
    return Extensions(tuple(found), tuple(broken), tuple(waiting.values()))


def _said(package: WaitingExtension, allowed: Iterable[AllowedExtension]) -> bool | None:
    """What the person said of a package at its place; `None`: nothing yet."""
    for entry in allowed:
        place = Path(os.path.expanduser(entry.place)).resolve()  # noqa: PTH111 - that one raises
        if entry.package == package.name and place == package.place:
            return entry.enabled
    return None


def _found(point: EntryPoint, brings: str) -> WaitingExtension:
    assert point.dist is not None, "those without one are not installed"
    return WaitingExtension(point.dist.name, point.dist.version, _place(point.dist), (brings,))


def _load(group: Group, point: EntryPoint, others: list[EntryPoint]) -> Extension | BrokenExtension:
    package = _package(point)
    if others:
        named = ", ".join(_package(other) for other in others)
        return BrokenExtension(group, point.name, package, sentence_of("runtime.same_name", named=named))
    try:
        loaded = point.load()
    except BaseException as error:  # noqa: BLE001 - foreign code: whatever it does, Partner starts without it
        return BrokenExtension(group, point.name, package, f"{type(error).__name__}: {error}")
    if not isinstance(loaded, type):
        return BrokenExtension(group, point.name, package, sentence_of("runtime.no_class", value=point.value))
    if group == "modules" and not issubclass(loaded, RunningModule):
        return BrokenExtension(
            group, point.name, package, sentence_of("runtime.no_module", value=point.value)
        )
    return Extension(group, point.name, package, loaded)


def _is_any_offered() -> bool:
    """Whether a package has entry points for Partner; to read all of every package takes its time."""
    return any(map(_offers, distributions()))


def _offers(package: Distribution) -> bool:
    """Whether one has; its file is read again when it is another."""
    folder = getattr(package, "_path", None)  # not every kind of package lies in a folder
    if not isinstance(folder, Path):
        return f"[{PREFIX}" in (package.read_text("entry_points.txt") or "")
    path = f"{folder}/entry_points.txt"
    try:
        info = os.stat(path)  # noqa: PTH116 - asked of every package
    except OSError:
        return False
    return _says_so(path, (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns))


@lru_cache(maxsize=2_000)
def _says_so(path: str, _file: tuple[int, int, int, int]) -> bool:
    try:
        return f"[{PREFIX}" in Path(path).read_text("utf-8", "replace")
    except OSError:
        return False


def _is_installed(point: EntryPoint) -> bool:
    """Whether somebody put it where Python looks for packages.

    `python -m` looks into the folder that it is started in, too: what lies there came with a download, maybe.
    Nor does a folder count that everybody may write to.
    """
    if point.dist is None:
        return False
    place = _place(point.dist)
    named = [*os.environ.get("PYTHONPATH", "").split(os.pathsep), *site.getsitepackages()]
    known = {Path(one).resolve() for one in [*named, site.getusersitepackages()] if one}
    try:
        open_to_all = bool(place.stat().st_mode & stat.S_IWOTH)
        return not open_to_all and (place in known or place != Path.cwd().resolve())
    except OSError:
        return False


def _place(package: Distribution) -> Path:
    return Path(str(package.locate_file(""))).resolve()


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.module


@dataclass
class ExtensionLoader:
    """Brings them in. A part of the AgentContext: launched after ours, before any module is."""

    context: AgentContext
    exceptions: ExceptionDoor
    settings: ConfigHandle[ExtensionSettings]
    known: Extensions = field(default_factory=Extensions)
    _gateways: dict[str, GatewayFactory] = field(default_factory=dict)

    async def launch(self) -> None:
        """Load; a package that cannot be used never keeps Partner from starting."""
        self.known = await asyncio.to_thread(load_extensions, self.settings.value)
        for package in self.known.waiting:
            _log.warning("%s", package)
        for broken in self.known.broken:
            self._leave_out(broken)
        for module in self.known.of("modules"):
            self._add(module)
        for gateway in self.known.of("gateways"):
            self._gateways[gateway.name] = cast("GatewayFactory", gateway.loaded)
        self.context.agents.update({agent.name: agent.loaded for agent in self.known.of("agents")})

    async def shutdown(self) -> None:
        """Nothing is open: what was brought in closes by itself."""

    def start_notices(self) -> list[NoticeEvent]:
        """What was found and is off, for whoever begins to listen."""
        return [
            NoticeEvent(
                title=sentence_of("runtime.extension_off"),
                text=str(package),
                about=f"extension {package.name} {package.place}",
            )
            for package in self.known.waiting
        ]

    def gateway_factories(self) -> Mapping[str, GatewayFactory]:
        """The gateways that packages bring, by name: a live view, filled at launch."""
        return self._gateways

    def refuse(self, extension: Extension, error: BaseException) -> None:
        """It could be loaded and yet does not work: say so, and go on without it."""
        reason = str(error) if isinstance(error, PartnerError) else f"{type(error).__name__}: {error}"
        broken = BrokenExtension(extension.group, extension.name, extension.package, reason)
        self._leave_out(broken)
        kept = tuple(each for each in self.known.found if each is not extension)
        self.known = Extensions(kept, (*self.known.broken, broken))

    def _leave_out(self, broken: BrokenExtension) -> None:
        _log.warning("%s", broken)
        self.exceptions.report(WiringError(str(broken)), where=broken.package)

    def _add(self, extension: Extension) -> None:
        try:
            module: RunningModule = self.context.build(extension.loaded)
            if any(module.name == known.name for known in self.context.modules):
                raise WiringError(f"another module is called {module.name} already.")
            int(module.order)  # every turn sorts by it
            self.context.add_guest(module, on_fault=lambda error: self.refuse(extension, error))
        except Exception as error:  # noqa: BLE001 - foreign code
            self.refuse(extension, error)
