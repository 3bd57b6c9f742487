"""The virtual environment: made once, filled by pip, repaired after an interruption."""

import importlib.util
import shutil
import sys

from _bootstrap_checkout import (
    PYTHON_TAG,
    BootstrapError,
    Checkout,
    Project,
    hold,
    read_or_empty,
    say,
    write_atomically,
)
from _bootstrap_pip import pip_install, remove_half_installed
from _bootstrap_process import run_logged

WAITING = "Another bootstrap is installing into .venv; waiting for it to end."
ENGINE_WAITING = "The local model engine is being built for another Python; waiting for it to end."


def install(checkout: Checkout, project: Project, *, with_tests: bool) -> None:
    """Make `.venv` complete, but for the engine; at once when its stamp says that it is.

    The stamp is written last, so whatever ends this early is repaired by the next call.
    Raises: BootstrapError, OSError.
    """
    if _is_complete(checkout, project, with_tests=with_tests):
        return
    checkout.venv.mkdir(exist_ok=True)
    with hold(checkout.install_lock, sentence_while_waiting=WAITING) as lock:
        if _is_complete(checkout, project, with_tests=with_tests):
            return
        for stamp in checkout.venv.glob("installed-*"):
            stamp.unlink()
        checkout.install_log.write_text("", encoding="utf-8")
        if not _is_usable(checkout):
            _make(checkout)
        remove_half_installed(checkout.site_packages)
        log_name = checkout.relative(checkout.install_log)
        say(f"Installing the packages; the first time this takes a minute or two (log: {log_name}).")
        wanted = project.small + (project.test if with_tests else ())
        # Wheels only: one package alone may compile, and it is not among these.
        if wanted:
            pip_install(checkout, "--only-binary=:all:", *wanted, lock=lock)
        pip_install(checkout, "--no-deps", "--editable", ".", lock=lock)
        _check_scripts(checkout, project)
        _write_stamps(checkout, project, with_tests=with_tests)


def _is_complete(checkout: Checkout, project: Project, *, with_tests: bool) -> bool:
    stamp = checkout.venv / ("installed-test" if with_tests else "installed-run")
    return checkout.python.exists() and read_or_empty(stamp) == project.install_stamp(with_tests=with_tests)


def _write_stamps(checkout: Checkout, project: Project, *, with_tests: bool) -> None:
    if with_tests:
        write_atomically(checkout.venv / "installed-test", project.install_stamp(with_tests=True))
    write_atomically(checkout.venv / "installed-run", project.install_stamp(with_tests=False))


def _check_scripts(checkout: Checkout, project: Project) -> None:
    for script in project.scripts:
        if not (checkout.python.parent / script).exists():
            raise BootstrapError(
                f"pip has not made .venv/bin/{script}; delete the folder .venv and start again."
            )


def _is_usable(checkout: Checkout) -> bool:
    """Tell whether `.venv` has this Python version and a complete pip."""
    pip_is_complete = any(checkout.site_packages.glob("pip-*.dist-info/RECORD"))
    return checkout.python.exists() and pip_is_complete


def _make(checkout: Checkout) -> None:
    """Make the environment anew, after a running engine build in the old one has ended."""
    _check_venv_module()
    with hold(checkout.engine_lock, sentence_while_waiting=ENGINE_WAITING) as engine_lock:
        say(f"Making .venv with Python {sys.version.split()[0]}.")
        _empty(checkout)
        command = [sys.executable, "-I", "-m", "venv", str(checkout.venv)]
        code = run_logged(command, checkout.install_log, lock=engine_lock, cwd=checkout.root)
    if code != 0:
        raise BootstrapError(
            f".venv cannot be made; the reason is in {checkout.relative(checkout.install_log)}."
        )


def _check_venv_module() -> None:
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        raise BootstrapError(
            f"This Python {PYTHON_TAG} lacks its module {' and '.join(missing)}, which makes .venv; "
            "install it (on Debian: apt-get install python3-venv) and start again."
        )


def _empty(checkout: Checkout) -> None:
    """Delete what is in `.venv`, except the locks, which are held, and the log, which is being written."""
    kept = {checkout.install_lock, checkout.engine_lock, checkout.install_log}
    for entry in checkout.venv.iterdir():
        if entry in kept:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
