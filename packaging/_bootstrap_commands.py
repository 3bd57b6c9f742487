"""The commands `run` and `test`, from a fresh checkout to the app's or pytest's exit code."""

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from _bootstrap_builder import REBUILD
from _bootstrap_checkout import BootstrapError, Checkout, read_project, say, sentence_about
from _bootstrap_engine import BUILDER_COMMAND, build_as_builder, build_in_foreground, start_build_behind
from _bootstrap_process import run_in_foreground
from _bootstrap_system import provide_system_packages
from _bootstrap_venv import install

#: One test process a processor; `-n 0` behind it takes that back.
AT_ONCE = ("-n", "logical", "--dist", "worksteal")
USAGE = "python3 packaging/bootstrap.py run [app arguments] | test [pytest arguments]"
STILL_BUILDING = "The local model engine is still being built in the background; the next run uses it."
STOPPED = "Stopped; the next start goes on from here."
PACKAGE = "partner_desktop"


def dispatch(arguments: list[str]) -> int:
    """Run a command; return the exit code: the app's or pytest's, 2 for misuse, 1 for a failure."""
    signal.signal(signal.SIGTERM, _exit_on_signal)
    try:
        return _dispatch(arguments)
    except BootstrapError as failure:
        say(str(failure))
        return failure.exit_code
    except OSError as error:
        say(sentence_about(error))
        return 1
    except KeyboardInterrupt:
        say(STOPPED)
        return 128 + signal.SIGINT


def _dispatch(arguments: list[str]) -> int:
    checkout = Checkout(Path(__file__).resolve().parent.parent)
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command == "run":
        return run(checkout, rest)
    if command == "test":
        return test(checkout, rest)
    if command == BUILDER_COMMAND:
        return build_as_builder(checkout, read_project(checkout), rest)
    if command in {"-h", "--help"}:
        print(f"Usage: {USAGE}")
        return 0
    problem = f"Unknown command {command!r}" if command else "A command is missing"
    raise BootstrapError(f"{problem}; use: {USAGE}", exit_code=2)


def run(checkout: Checkout, arguments: list[str]) -> int:
    """Start the app as soon as Qt is there, the engine's build behind it; return the app's exit code."""
    project = read_project(checkout)
    install(checkout, project, with_tests=False)
    provide_system_packages(checkout)
    builder = start_build_behind(checkout, project, rebuild=REBUILD in arguments)
    if builder is not None:
        # A process that ended stays visible until somebody asks for its exit code, and its pid is how the
        # window tells a build that goes on from one that was interrupted.
        threading.Thread(target=builder.wait, daemon=True).start()
    try:
        return run_in_foreground(
            _app_command(checkout, arguments), PARTNER_ENGINE_STATUS=str(checkout.engine_status)
        )
    finally:
        if builder is not None and builder.returncode is None:
            say(STILL_BUILDING)


def test(checkout: Checkout, arguments: list[str]) -> int:
    """Install everything, the engine too, and run pytest in the checkout; return its exit code."""
    project = read_project(checkout)
    install(checkout, project, with_tests=True)
    provide_system_packages(checkout)
    build_in_foreground(checkout, project)
    os.chdir(checkout.root)
    at_once = AT_ONCE if any("pytest-xdist" in each for each in project.test) else ()
    command = [str(checkout.python), "-m", "pytest", *at_once, *arguments]
    return run_in_foreground(command, QT_QPA_PLATFORM="offscreen")


def _app_command(checkout: Checkout, arguments: list[str]) -> list[str]:
    """Return the app's command line; -P keeps the folder in which the user is out of its imports."""
    app_arguments = [each for each in arguments if each != REBUILD]
    has_action_dir = any(each.split("=")[0] == "--action-dir" for each in app_arguments)
    action_dir = [] if has_action_dir else ["--action-dir", str(checkout.root / "action")]
    return [str(checkout.python), "-P", "-m", PACKAGE, *action_dir, *app_arguments]


def _exit_on_signal(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
