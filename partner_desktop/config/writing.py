"""One setting changed from a form: taken over, then written; nothing of the person's is overwritten.

Contract: the file is read, changed and checked anew for each try. New settings come into force before they
are written, so that the file never holds what was turned down; if the file changed meanwhile, or cannot be
written, that is undone and tried again, or told. `entry.lock` is taken here.
"""

from __future__ import annotations

import asyncio
import codecs
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from partner_desktop.base import log
from partner_desktop.base.errors import ConfigError
from partner_desktop.config.editing import with_value, without
from partner_desktop.config.entry import Entry
from partner_desktop.config.field import ConfigField
from partner_desktop.config.settings_file import Look
from partner_desktop.config.toml_text import Unusable, decode, read_bytes
from partner_desktop.config.toml_value import toml_key
from partner_desktop.domain.json_value import Json

_log = log.area("config")

_TRIES = 3


async def change_setting(entry: Entry[Any], key: tuple[str, ...], value: Json, *, limit_s: float) -> None:
    """Set `key`, or with `None` give it its default again. `limit_s` is for each part that takes it over.

    Raises:
        ConfigError: It cannot be done; everything is as it was.
    """
    field = next((one for one in entry.file.fields if one.key == key and one.editable), None)
    if field is None:
        raise ConfigError(f"{toml_key(key)} is not a setting of {entry.name} that can be changed here.")
    async with entry.lock:
        before = entry.handle.value
        try:
            for _try in range(_TRIES):
                if await _tried(entry, field, value, limit_s=limit_s):
                    return
            raise ConfigError(f"{entry.file.path.name} is being changed by another program; try again.")
        except (OSError, Unusable, ConfigError) as error:
            if entry.handle.value is not before:
                await _put_back(entry, before, limit_s=limit_s)
            if isinstance(error, ConfigError):
                raise
            raise ConfigError(_reason(entry, error)) from error


async def _put_back(entry: Entry[Any], before: BaseModel, *, limit_s: float) -> None:
    try:
        await entry.handle.change(before, limit_s=limit_s)
    except ConfigError as error:
        _log.error("%s is not as its file says, for it cannot be put back: %s", entry.name, error)


async def _tried(entry: Entry[Any], field: ConfigField, value: Json, *, limit_s: float) -> bool:
    there = await asyncio.to_thread(read_bytes, entry.file.path)
    data = await asyncio.to_thread(_edited, entry, field, value, there)
    look: Look[Any] = await asyncio.to_thread(entry.file.judge, data)
    if look.settings is None:
        raise ConfigError("\n".join(str(problem) for problem in look.problems))
    if look.settings != entry.handle.value:
        await entry.handle.change(look.settings, limit_s=limit_s)
    if not await asyncio.to_thread(entry.file.write, data, instead_of=there):
        return False
    entry.seen = look
    _log.info("%s: %s changed in the window", entry.file.path.name, field.name)
    return True


def _edited(entry: Entry[Any], field: ConfigField, value: Json, there: bytes | None) -> bytes:
    path = entry.file.path
    data = entry.file.fresh() if there is None or not there.strip() else there
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = decode(path, data)
    lines = text.count("\n")
    foreign = 0 < lines == text.count("\r\n")
    try:
        text = _changed(path, text.replace("\r\n", "\n") if foreign else text, field, value)
        return mark + (text.replace("\n", "\r\n") if foreign else text).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"{field.name} must be {field.expected}, for example {field.sample}.") from error


def _changed(path: Path, text: str, field: ConfigField, value: Json) -> str:
    return without(path, text, field) if value is None else with_value(path, text, field.key, value)


def _reason(entry: Entry[Any], error: OSError | Unusable) -> str:
    if isinstance(error, Unusable):
        return f"The file must be corrected first. {error.problem}"
    return f"{entry.file.path.name} cannot be written ({error.strerror}); the setting is as it was."
