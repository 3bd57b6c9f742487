"""The command line: `partner-desktop` opens the window, its commands need none.

Exit codes: 0 success, 1 failed, 2 misuse (and no display).
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.messages import set_process_language, system_language
from partner_desktop.cli.parser import build_parser, of_operations
from partner_desktop.commands.options import CommandFolders, Run, home_folder
from partner_desktop.config.home import resolve_home


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
    if of_operation is None and options.command is None:
        return _window(place, hidden=options.hidden)
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


def _window(place: CommandFolders, *, hidden: bool) -> int:
    if place.home.host_file.exists() and place.home.of_host()[0].exists():
        from partner_desktop.commands.running_window import raised_running_window  # noqa: PLC0415

        if raised_running_window(place.home):
            return 0
    from partner_desktop.desktop.launch import main as open_window  # noqa: PLC0415 - Qt only for the window

    return open_window(place.home.root, place.action_dir, hidden=hidden)
