"""Kinds of input that are files: headers of models, settings, imports, backups."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import random
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from partner_desktop.action.settings import ActionSettings
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.paths import Home
from partner_desktop.config.center import ConfigCenter
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.gateways.settings import GatewaySettings
from partner_desktop.memory.chat_exports.chat_export import ChatExport
from partner_desktop.memory.settings import MemorySettings
from partner_desktop.model.gguf_header import model_facts, read_header
from partner_desktop.model.memory_fit import fit_of, shape_of
from partner_desktop.model.settings import ModelSettings
from partner_desktop.permission.policy import PermissionSettings
from partner_desktop.runtime.conversations.importer import Importer, read_file
from partner_desktop.runtime.settings import RuntimeSettings
from partner_desktop.storage.database import Database
from partner_desktop.storage.restore import restore
from tests.long.badinput.damage import damaged_bytes, damaged_json, damaged_text, json_text, odd_value
from tests.long.badinput.family import Family, check_sentence
from tests.long.badinput.gguf_damage import damaged_model
from tests.long.badinput.small_home import make_small_home
from tests.memory.test_chat_exports import TREE, claude, gpt, jan_folder, lines, wrote, zipped
from tests.model.tiny import make_tiny_model

_NOW = datetime(2026, 5, 13, 8, tzinfo=UTC)


class GgufHeaders(Family):
    """Headers of model files, as discovery reads them."""

    name = "gguf_headers"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._whole = make_tiny_model(folder / "tiny.gguf", width=32, layers=1).read_bytes()

    def make(self, dice: random.Random) -> bytes:
        return damaged_model(self._whole, dice)

    def take(self, given: bytes) -> str:
        path = self.folder / "bad.gguf"
        path.write_bytes(given)
        header = read_header(path)
        model_facts(header)
        assert shape_of(header).needed_bytes(4096) >= 0
        fit_of(header, len(given), 8 << 30, bytes_per_s=1e10)
        return "read"


class SettingsFiles(Family):
    """A file of settings of the real kinds."""

    name = "settings"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._center = ConfigCenter(folder / "config")
        models = {
            "runtime": RuntimeSettings(),
            "context": ContextSettings(),
            "gateways": GatewaySettings(),
            "model": ModelSettings(),
            "action": ActionSettings(),
            "memory": MemorySettings(),
            "permission": PermissionSettings(),
        }
        for name, default in models.items():
            self._center.register(name, default)
        self._runner = asyncio.Runner()
        self._runner.run(self._first())
        self._files = {name: (folder / "config" / f"{name}.toml").read_text() for name in models}
        self._values: dict[str, Any] = {name: each.model_dump(mode="json") for name, each in models.items()}

    async def _first(self) -> None:
        await self._center.launch()
        await self._center.shutdown()

    def make(self, dice: random.Random) -> bytes:
        name = dice.choice(list(self._files))
        text = self._files[name].replace("\n# ", "\n") if dice.random() < 0.3 else self._files[name]
        if dice.random() < 0.6:
            text = _as_toml(damaged_json(self._values[name], dice))
        if dice.random() < 0.5:
            return name.encode() + b"\n" + damaged_bytes(text.encode("utf-8", "surrogatepass"), dice)
        return name.encode() + b"\n" + text.encode("utf-8", "surrogatepass")

    def take(self, given: bytes) -> str:
        name, _, data = given.partition(b"\n")
        path = self._center.folder / f"{name.decode()}.toml"
        path.write_bytes(data)
        problems = self._center.check()
        path.write_text(self._files[name.decode()])
        for problem in problems:
            assert problem.path == path
            check_sentence(problem.message)
        return "refused" if problems else "read"

    def close(self) -> None:
        self._runner.close()


def _as_toml(value: Any, *, key: str = "") -> str:  # Any: JSON
    """JSON as far as TOML has it."""
    if not isinstance(value, dict):
        return f"x = {json.dumps(value)}\n"
    plain = [
        f"{json.dumps(name)} = {json.dumps(one)}\n"
        for name, one in value.items()
        if not isinstance(one, dict)
    ]
    tables = [
        f"[{key}{json.dumps(name)}]\n{_as_toml(one, key=f'{key}{json.dumps(name)}.')}"
        for name, one in value.items()
        if isinstance(one, dict)
    ]
    return "".join([*plain, *tables])


class Imports(Family):
    """A conversation that Partner exported, or the chats of another program."""

    name = "imports"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        made = make_small_home(folder / "small")
        self._own = json.loads(made.conversation.read_text())
        self._chats = [
            [gpt(TREE, "a", title="1"), gpt(TREE, "q")],
            [claude(wrote("human", "A"), wrote("assistant", "B"))],
        ]
        turns = (
            {"text": str(n), "role": "user", "conversation": n % 3, "at": _NOW.isoformat()} for n in range(6)
        )
        self._lines = lines(*turns)
        jan = jan_folder(folder / "jan")
        members = {str(p.relative_to(jan)): p.read_text() for p in jan.rglob("*") if p.is_file()}
        self._zips = [
            zipped(folder / "jan.zip", members).read_bytes(),
            zipped(folder / "gpt.zip", {"conversations.json": json.dumps(self._chats[0])}).read_bytes(),
        ]
        self._runner = asyncio.Runner()
        self._database = Database(folder / "partner.db", backups=folder / "backups", clock=SystemClock())
        self._runner.run(self._database.launch())

    def make(self, dice: random.Random) -> bytes:
        kind = dice.randrange(5)
        if kind < 2:
            return b"o" + json_text(damaged_json(self._own, dice), dice).encode("utf-8", "surrogatepass")
        if kind == 2:
            return b"c" + json_text(damaged_json(dice.choice(self._chats), dice), dice).encode(
                "utf-8", "surrogatepass"
            )
        if kind == 3:
            return b"c" + damaged_text(self._lines, dice).encode("utf-8", "surrogatepass")
        return b"c" + damaged_bytes(dice.choice(self._zips), dice)

    def take(self, given: bytes) -> str:
        path = self.folder / "given"
        path.write_bytes(given[1:])
        if given[:1] == b"o":
            self._runner.run(Importer(self._database, read_file(path), now=_NOW).write())
            return "own, read"
        found = list(ChatExport(path).chats())
        for told in found:
            if isinstance(told, str):
                check_sentence(told)
        return "read with problems" if any(isinstance(each, str) for each in found) else "read"

    def close(self) -> None:
        self._runner.run(self._database.shutdown())
        self._runner.close()


class Backups(Family):
    """A backup: its bytes, its manifest or what it holds damaged."""

    name = "backups"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        made = make_small_home(folder / "small")
        self._whole = made.backup.read_bytes()
        with zipfile.ZipFile(made.backup) as archive:
            self._members = {name: archive.read(name) for name in archive.namelist()}
        self._manifest = json.loads(self._members.pop("manifest.json"))
        self._times = 0

    def make(self, dice: random.Random) -> bytes:
        kind = dice.randrange(4)
        if kind == 0:
            return damaged_bytes(self._whole, dice)
        members, manifest = dict(self._members), json.loads(json.dumps(self._manifest))
        if kind == 1:
            manifest = damaged_json(manifest, dice)
        else:
            name = dice.choice(list(members))
            members[name] = damaged_bytes(members[name], dice)
            if dice.random() < 0.2:
                members[str(odd_value(dice))[:60] or "x"] = b"more"
            if kind == 2:  # the manifest does not lie of it
                manifest["members"] = [_listed(name, data) for name, data in members.items()]
        return _packed(members, manifest)

    def take(self, given: bytes) -> str:
        self._times += 1
        home = Home(self.folder / f"home{self._times}")
        home.root.mkdir()
        (home.root / "config").mkdir()
        (home.root / "config" / "runtime.toml").write_text("# mine\n")
        before = _there(home)
        backup = self.folder / "given.zip"
        backup.write_bytes(given)
        try:
            restore(home, backup, now=_NOW)
        except BaseException:
            assert _there(home) == before, "a refused backup changed something"
            raise
        assert home.database.exists()
        return "restored"


def _there(home: Home) -> dict[str, bytes]:
    return {
        str(path.relative_to(home.root)): path.read_bytes() for path in home.root.rglob("*") if path.is_file()
    }


def _listed(name: str, data: bytes) -> dict[str, Any]:
    return {"name": name, "size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _packed(members: Mapping[str, bytes], manifest: object) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.encode("utf-8", "replace").decode().replace("\0", "") or "x", data)
        archive.writestr("manifest.json", json.dumps(manifest))
    return target.getvalue()


FILE_FAMILIES: tuple[type[Family], ...] = (GgufHeaders, SettingsFiles, Imports, Backups)
