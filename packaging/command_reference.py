"""Write the manual page and the shells' completions: `command_reference.py FOLDER`.

Both are made from the parsers that the terminal reads its words with, and those of commands whose verbs are
operations are made from the table of operations: so nothing is written here that a command does not take.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import shtab
from argparse_manpage.manpage import Manpage

from partner_desktop.base.messages import set_process_language
from partner_desktop.base.own_program import PROGRAM
from partner_desktop.base.paths import Home
from partner_desktop.cli.parser import build_parser
from partner_desktop.commands.partner_host import load_partner
from partner_desktop.commands.verb import whole_command_parser

#: Where each shell of a system looks.
COMPLETIONS = {"bash": PROGRAM, "zsh": f"_{PROGRAM}", "fish": f"{PROGRAM}.fish"}


def main() -> int:
    """Write them into the folder that is named."""
    parser = argparse.ArgumentParser(description="Write the manual page and the shells' completions.")
    parser.add_argument("folder", type=Path)
    write_reference(parser.parse_args().folder)
    return 0


def write_reference(folder: Path) -> None:
    """Write `partner-desktop.1`, and of each shell the file that COMPLETIONS names."""
    folder.mkdir(parents=True, exist_ok=True)
    set_process_language("en")
    whole = asyncio.run(whole_parser())
    about = {
        "project_name": "Partner Desktop",
        "description": "a local-first desktop companion that can act",
        "manual_title": "Partner Desktop",
    }
    page = Manpage(whole, format="single-commands-section", _data=about)
    # Long words such as lists of choices leave gaps in lines of equal length, and groff warns of each.
    ragged = str(page).replace("\n.SH", "\n.ad l\n.SH", 1)
    (folder / f"{PROGRAM}.1").write_text(ragged, encoding="utf-8")
    for shell, name in COMPLETIONS.items():
        (folder / name).write_text(shtab.complete(whole, shell), encoding="utf-8")


async def whole_parser() -> argparse.ArgumentParser:
    """The parser of the command line, with every verb of every command."""
    whole = build_parser()
    (commands,) = _subparsers(whole)
    with tempfile.TemporaryDirectory() as folder:
        partner = load_partner(Home(Path(folder)), None)
        for name, short in list(commands.choices.items()):
            if short.add_help:  # those without are read by their operations
                continue
            commands.choices[name] = whole_command_parser(name, partner)
    return whole


def _subparsers(parser: argparse.ArgumentParser) -> Iterator[Any]:  # Any: argparse hides the class
    return (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001


if __name__ == "__main__":
    sys.exit(main())
