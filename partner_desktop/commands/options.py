"""What the commands have in common: where they work, how they are run, and the options that several take."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from partner_desktop.base.paths import Home
from partner_desktop.base.prompts import LANGUAGES

if TYPE_CHECKING:
    Subparsers: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - has no public name

#: The most entries that one command prints.
_MOST = 1_000_000
_APPROVE = ("never", "ask", "all")


class CommandFolders(NamedTuple):
    """Where a command works; without `action_dir` it is the usual one of the home."""

    home: Home
    action_dir: Path | None


#: A command; its parser names one as `run`.
Run: TypeAlias = Callable[[argparse.Namespace, CommandFolders], Coroutine[Any, Any, int]]


def home_folder(path: Path) -> Path:
    """A path as the person wrote it, made absolute."""
    return Path(os.path.expanduser(path)).absolute()  # noqa: PTH111 - never raises


def places(*, default: str | None) -> argparse.ArgumentParser:
    """The options of every command, as a parent."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--home", type=Path, default=default, metavar="DIR", help="Partner's own folder")
    common.add_argument(
        "--action-dir", type=Path, default=default, metavar="DIR", help="the folder of live abilities"
    )
    common.add_argument(
        "--language",
        choices=LANGUAGES,
        default=default,
        help="what the terminal is told in; the system's language where nothing is said (the window has a "
        "setting)",
    )
    return common


def count(text: str) -> int:
    """How many entries to print."""
    number = int(text)
    if not 0 < number <= _MOST:
        raise argparse.ArgumentTypeError(f"use a number from 1 to {_MOST:,}")
    return number


def add_approve(parser: argparse.ArgumentParser) -> None:
    """What is answered where an approval is needed."""
    parser.add_argument(
        "--approve",
        choices=_APPROVE,
        default="ask",
        help="what to do where an approval is needed: nothing, ask (default), or approve each run once",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """For programs that read the output."""
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
