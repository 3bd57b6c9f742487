"""`partner-desktop doctor`: what is here, what is missing, how to fix it. Touches nothing."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from partner_desktop import __version__
from partner_desktop.action.settings import ActionSettings
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ModelError, PartnerError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import Home, display_path, display_text
from partner_desktop.commands.options import CommandFolders
from partner_desktop.config.settings_file import SettingsFile
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.remote import RemoteClient
from partner_desktop.gateways.wire import json_line
from partner_desktop.model.chosen_embedder import require_embedder
from partner_desktop.model.endpoint.address import shown_address
from partner_desktop.model.engine import read_engine_status, why_blind
from partner_desktop.model.engine_devices import backends_sentence, engine_backends
from partner_desktop.model.llama_embedder import SHIPPED_MODEL, LlamaEmbedder
from partner_desktop.model.settings import FileModel, ModelSettings, unfit_reason, whole_path
from partner_desktop.model.worker.isolation import isolation_sentence
from partner_desktop.runner.sandbox_policy import ExecutionPolicy, limits_words, make_policy, own_places
from partner_desktop.runtime.extensions import Extensions, load_extensions
from partner_desktop.runtime.host import host_info
from partner_desktop.runtime.settings import ExtensionSettings, UpdateSettings
from partner_desktop.runtime.update_check import known_update
from partner_desktop.storage.database import ENGINE_VERSION

State = Literal["ok", "note", "missing"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    state: State
    detail: str

    def to_json(self) -> JsonObject:
        return {"name": self.name, "state": self.state, "detail": self.detail}


async def examine(home: Home, action_dir: Path) -> list[Finding]:
    """Look at everything; blocking looks are short."""
    extensions = await asyncio.to_thread(_known_extensions, home)
    return [
        *_program(),
        await asyncio.to_thread(_update, home),
        *await _sandbox(home, action_dir),
        _engine(),
        *await _backends(),
        await asyncio.to_thread(_models_held),
        await _meaning(),
        *await asyncio.to_thread(_embedding, home),
        *_places(home, action_dir),
        await asyncio.to_thread(_kept, home),
        *await _models(home),
        _mind(),
        *_extensions(extensions),
    ]


async def _sandbox(home: Home, action_dir: Path) -> list[Finding]:
    """Tried for real, with the settings as they are in the file."""
    file = SettingsFile(home.config / "action.toml", ActionSettings, ActionSettings())
    look = await asyncio.to_thread(file.look)
    settings = (look.settings or ActionSettings()).sandbox
    policy = await make_policy(settings, own_places(home, (action_dir / "mcp",)))
    found = [Finding("sandbox", _held(settings.provider, policy), _sandbox_words(policy))]
    if look.problems:
        found.append(
            Finding("sandbox", "missing", sentence_of("terminal.defaults_hold", problem=look.problems[0]))
        )
    return found + [Finding("sandbox", "missing", str(fault)) for fault in policy.faults]


def _held(provider: str, policy: ExecutionPolicy) -> State:
    if policy.probe.available:
        return "ok"
    return "note" if provider == "none" else "missing"


def _sandbox_words(policy: ExecutionPolicy) -> str:
    probe = policy.probe
    if not probe.available:
        return sentence_of("terminal.no_sandbox", reason=probe.reason)
    return sentence_of(
        "terminal.run_limits",
        reason=probe.reason,
        limits=limits_words(policy.limits),
        keeper=probe.watched_by,
    )


def _known_extensions(home: Home) -> Extensions:
    """Blocking."""
    look = SettingsFile(home.config / "extensions.toml", ExtensionSettings, ExtensionSettings()).look()
    return load_extensions(look.settings or ExtensionSettings())


def _extensions(known: Extensions) -> Iterator[Finding]:
    if not (known.found or known.broken or known.waiting):
        yield Finding("extensions", "note", sentence_of("terminal.no_extension"))
    for each in known.found:
        yield Finding("extension", "ok", f"{each.group[:-1]} {each.name} ({each.package})")
    for package in known.waiting:
        yield Finding("extension", "note", str(package))
    for broken in known.broken:
        yield Finding("extension", "missing", str(broken))


def _program() -> Iterator[Finding]:
    yield Finding("partner", "ok", f"Partner Desktop {__version__}")
    yield Finding("python", "ok", f"{platform.python_version()} at {display_path(Path(sys.executable))}")
    yield Finding("sqlite", "ok", ENGINE_VERSION)
    if find_spec("PySide6") is None:
        yield Finding("window", "missing", sentence_of("terminal.no_pyside"))
    elif _has_display():
        yield Finding("window", "ok", f"Qt {_version('PySide6_Essentials')}")
    else:
        yield Finding("window", "note", sentence_of("terminal.no_display"))


def _update(home: Home) -> Finding:
    """What the last question for a newer version came to; nobody is asked. Blocking."""
    look = SettingsFile(home.config / "updates.toml", UpdateSettings, UpdateSettings()).look()
    report = known_update(home, look.settings or UpdateSettings())
    known = bool(report.newest) and not report.is_newer
    return Finding("newer version", "ok" if known else "note", report.sentence)


def _has_display() -> bool:
    if sys.platform != "linux":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _engine() -> Finding:
    status = read_engine_status()
    if status.state == "ready":
        return Finding("engine", "ok", f"llama-cpp-python {_version('llama_cpp_python')}")
    return Finding("engine", "note" if status.state == "building" else "missing", status.detail)


async def _backends() -> list[Finding]:
    """What the engine computes on: asked of it, in a process of its own."""
    if read_engine_status().state != "ready":
        return []
    try:
        found = await engine_backends()
    except ModelError as error:
        return [Finding("engine devices", "missing", str(error))]
    return [Finding("engine devices", "ok" if found.cards else "note", backends_sentence(found))]


def _models_held() -> Finding:
    """Tried for real. Blocking."""
    held, words = isolation_sentence()
    return Finding("models held", "ok" if held else "note", words)


def _places(home: Home, action_dir: Path) -> Iterator[Finding]:
    host = host_info(home)
    used = sentence_of("terminal.in_use_by", kind=host.kind, pid=host.pid) if host else ""
    yield _writable("home", home.root, used)
    yield _writable("action folder", action_dir, "")


def _kept(home: Home) -> Finding:
    """What runs have left on the disk. Blocking."""
    undo, runs = (_size_mb(folder) for folder in (home.undo, home.runs))
    return Finding("kept of runs", "ok", sentence_of("terminal.kept_of_runs", undo=undo, runs=runs))


def _size_mb(folder: Path) -> float:
    size_bytes = 0
    for place, _folders, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # it went meanwhile
                size_bytes += (Path(place) / name).lstat().st_size
    return size_bytes / 1_000_000


def _writable(name: str, folder: Path, more: str) -> Finding:
    existing = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    if not os.access(existing, os.W_OK):
        return Finding(name, "missing", sentence_of("terminal.folder_unwritable", path=display_path(folder)))
    made = "" if existing == folder else sentence_of("terminal.made_at_start")
    return Finding(name, "ok", display_path(folder) + made + more)


async def _meaning() -> Finding:
    """Tried for real: a model that is there may still not run on this machine."""
    embedder = LlamaEmbedder(clock=SystemClock())
    status = embedder.status()
    if not status.available:
        return Finding("meaning", "note", sentence_of("terminal.meaning_off", reason=status.reason))
    try:
        await embedder.embed(["hello"], urgent=True)
    except ModelError as error:
        return Finding("meaning", "missing", sentence_of("terminal.meaning_off", reason=error))
    finally:
        await embedder.shutdown()
    return Finding(
        "meaning",
        "ok",
        sentence_of("terminal.meaning_on", model=SHIPPED_MODEL),
    )


def _embedding(home: Home) -> list[Finding]:
    """The embedding model that the settings name, if any. Blocking."""
    look = SettingsFile(home.config / "model.toml", ModelSettings, ModelSettings()).look()
    if look.settings is None or not look.settings.embedding:
        return []
    path = whole_path(look.settings.embedding)
    try:
        require_embedder(path)
    except ModelError as error:
        return [Finding("meaning", "missing", sentence_of("model.embedding_lost", why=error))]
    return [Finding("meaning", "ok", sentence_of("terminal.meaning_chosen", path=display_path(path)))]


async def _models(home: Home) -> list[Finding]:
    """As the Partner that runs knows them; else what the settings say of them, without opening anything."""
    found = await _running_models(home)
    if found is None:
        found = await asyncio.to_thread(_listed_models, home)
    none = Finding("models", "note", sentence_of("terminal.doctor_no_models"))
    return [_model(item) for item in found] or [none]


async def _running_models(home: Home) -> list[JsonObject] | None:
    """`None` where no Partner runs that could tell."""
    try:
        return await RemoteClient(home).objects("models.list")
    except PartnerError:
        return None


def _listed_models(home: Home) -> list[JsonObject]:
    """Blocking."""
    look = SettingsFile(home.config / "model.toml", ModelSettings, ModelSettings()).look()
    if look.settings is None:
        return []
    settings = look.settings
    files = [(one, whole_path(one.path)) for one in settings.file]
    found: list[JsonObject] = [
        {"name": one.name, "where": str(path), "reason": unfit_reason(path), **_seeing(one)}
        for one, path in files
    ]
    found += [
        {"name": one.name, "where": shown_address(one.base_url), "reason": "", "sees": False, "note": ""}
        for one in settings.endpoint
    ]
    return [{**item, "state": "", "in_use": item["name"] == settings.use} for item in found]


def _seeing(entry: FileModel) -> JsonObject:
    """Whether it can see pictures, and why not where it should. Blocking."""
    note = why_blind(whole_path(entry.projector)) if entry.projector else ""
    return {"sees": bool(entry.projector) and not note, "note": note}


def _model(item: JsonObject) -> Finding:
    used = sentence_of("terminal.it_answers") if item["in_use"] else ""
    how = f", {item['state']}" if item["state"] else ""
    if item["reason"]:
        return Finding("model", "missing", f"{item['name']}{how}: {item['reason']}{used}")
    sees = f", {sentence_of('terminal.sees_pictures')}" if item["sees"] else ""
    said = f"{item['name']}{how} ({display_text(str(item['where']))}){sees}{used}"
    return Finding("model", "ok", f"{said} — {item['note']}" if item["note"] else said)


def _mind() -> Finding:
    return Finding(
        "mind",
        "note",
        sentence_of("terminal.starter_mind"),
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return sentence_of("terminal.unknown_version")


async def doctor(options: argparse.Namespace, place: CommandFolders) -> int:
    """Print the findings; 1 when something is missing."""
    findings = await examine(place.home, place.action_dir or place.home.action_dir)
    for finding in findings:
        sign = {"ok": "✓", "note": "·", "missing": "✗"}[finding.state]
        print(json_line(finding.to_json()) if options.json else f"{sign} {finding.name:<14} {finding.detail}")
    return 1 if any(finding.state == "missing" for finding in findings) else 0
