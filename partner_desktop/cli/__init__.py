"""The command line: `partner-desktop` opens the window, its commands need none.

Exit codes: 0 success, 1 failed, 2 misuse (and no display).
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.messages import set_process_language, system_language
from partner_desktop.cli.parser import build_parser, of_operations
from partner_desktop.commands.options import CommandFolders, Run, home_folder
from partner_desktop.config.home import resolve_home

if TYPE_CHECKING:
    from partner_desktop.domain.window_request import WindowRequest


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    try:
        return _do(sys.argv[1:] if argv is None else argv)
    except UsageError as error:
        print(_shown(error), file=sys.stderr)
        return 2
    except PartnerError as error:
        print(_shown(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output went away; pointing stdout elsewhere keeps the interpreter's exit quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _do(argv: Sequence[str]) -> int:
    set_process_language(system_language())
    of_operation = of_operations(argv)
    options = of_operation[0] if of_operation is not None else build_parser().parse_args(argv)
    if options.language:
        set_process_language(options.language)
    action_dir = home_folder(options.action_dir) if options.action_dir else None
    place = CommandFolders(resolve_home(options.home), action_dir)
    if of_operation is None and options.command in _OF_WINDOW:
        return _window(place, options)
    from partner_desktop.commands.exit_signals import run  # noqa: PLC0415 - the window needs none of it

    if of_operation is not None:
        from partner_desktop.commands.verb import run_command  # noqa: PLC0415 - as above

        return run(run_command(*of_operation[1:], place))
    module, _, name = options.run.partition(".")
    command: Run = getattr(importlib.import_module(f"partner_desktop.commands.{module}"), name)
    return run(command(options, place))


def _shown(error: PartnerError) -> str:
    from partner_desktop.commands.plain import plain  # noqa: PLC0415 - brings the wire in

    return plain(str(error))


#: Commands that are the window's; without any it opens as it was.
_OF_WINDOW = (None, "open", "quick")


def _window(place: CommandFolders, options: argparse.Namespace) -> int:
    request: WindowRequest | None = None
    if options.command is not None:
        from partner_desktop.commands.running_window import window_request  # noqa: PLC0415 - seldom asked for

        request = window_request(getattr(options, "opens", ()), quick=options.command == "quick")
    if place.home.host_file.exists() and place.home.of_host()[0].exists():
        from partner_desktop.commands.running_window import raised_running_window  # noqa: PLC0415

        if raised_running_window(place.home, request):
            return 0
    from partner_desktop.desktop.launch import main as open_window  # noqa: PLC0415 - Qt only for the window

    # With a question for the small window, the large one is not what was asked for.
    hidden = options.hidden or (request is not None and request.quick)
    return open_window(place.home.root, place.action_dir, hidden=hidden, request=request)
