"""`partner-desktop config docs|check|path`: the settings files, without a host."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.commands.options import CommandFolders
from partner_desktop.commands.plain import plain
from partner_desktop.config.center import ConfigCenter
from partner_desktop.config.field import ConfigField, ConfigFile
from partner_desktop.config.toml_edit import default_words
from partner_desktop.gateways.wire import json_line


async def config(options: argparse.Namespace, place: CommandFolders) -> int:
    """Explain, check, or say where they are; nothing is written.

    Raises:
        UsageError: There is no settings file of that name.
    """
    # Built, never launched: it alone knows who registers settings.
    center = Partner(place.home, place.home.action_dir, meaning=False).config
    if options.verb == "path":
        print(center.folder)
        return 0
    if options.verb == "check":
        return await _check(center, as_json=options.json)
    return _docs(center, options.name, as_json=options.json)


async def _check(center: ConfigCenter, *, as_json: bool) -> int:
    problems = await asyncio.to_thread(center.check)
    for problem in problems:
        print(json_line(problem.to_json()) if as_json else plain(str(problem)))
    if not problems and not as_json:
        print(sentence_of("terminal.settings_right", path=display_path(center.folder)))
    return 1 if problems else 0


def _docs(center: ConfigCenter, name: str, *, as_json: bool) -> int:
    files = center.files()
    wanted = [file for file in files if name in ("", file.name, file.path.name)]
    if not wanted:
        known = ", ".join(file.name for file in files)
        raise UsageError("terminal.no_settings", name=name, known=known)
    for file in wanted:
        if as_json:
            for field in file.fields:
                print(json_line({"file": file.name, **field.to_json()}))
        else:
            print("\n".join(_page(file)))
    return 0


def _page(file: ConfigFile) -> Iterator[str]:
    yield f"# {file.name}\n\n{file.text}\nFile: {display_path(file.path)}\n"
    for field in file.fields:
        yield "\n".join(_section(field))


def _section(field: ConfigField) -> Iterator[str]:
    field = field.told
    yield f"## {field.name}\n"
    if field.description:
        yield f"{field.description}\n"
    yield f"- Type: {field.kind}"
    if field.unit:
        yield f"- Unit: {field.unit}"
    if field.spread:
        yield f"- Range: {field.spread}"
    if field.choices:
        yield f"- Choices: {', '.join(field.choices)}"
    if field.entries and not field.choices:
        yield f"- Entries: {field.entries}"
    if field.hint:
        yield f"- Must: {field.hint}"
    yield "- Required: it has no default" if field.required else f"- Default: {default_words(field)}"
    yield f"- Example: {field.sample}"
    if field.restart:
        yield "- Takes effect at the next start"
    yield ""
