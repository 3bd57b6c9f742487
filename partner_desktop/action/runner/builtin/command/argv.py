"""The command line of a call: its parts, its folder, and the program that it means."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

from partner_desktop.action.runner.builtin.registry import BuiltinCall
from partner_desktop.base.errors import AskHumanError
from partner_desktop.domain.json_value import JsonObject

ARGV: JsonObject = {
    "type": "array",
    "title": "Command",
    "items": {"type": "string"},
    "minItems": 1,
    "description": "the program and its arguments, one a line",
    "x-partner-rest": True,
    "x-partner-command": True,
}
"""The parameter's schema."""


def given_argv(call: BuiltinCall) -> tuple[str, ...]:
    """What was approved, word by word."""
    given = call.params["argv"]
    return tuple(str(part) for part in given) if isinstance(given, list) else ()


def folder_of(call: BuiltinCall) -> Path:
    """Where it runs: the folder that was given, or where the person stands."""
    return Path(call.text("cwd") or call.cwd or Path.home())


async def with_program(argv: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """The same with the program's own path.

    Raises:
        AskHumanError: There is no such program.
    """
    name = argv[0] if argv else ""
    # A name with a slash is relative to where the person stands, not to where Partner runs.
    named = str(folder / name) if os.sep in name else name
    program = await asyncio.to_thread(shutil.which, named) if named else None
    if program is None:
        raise AskHumanError(f"There is no program called `{name}` here.")
    return (program, *argv[1:])
