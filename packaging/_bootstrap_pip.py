"""pip as a subprocess: how it is called, and what its failures mean."""

import os
import re
import shutil
from pathlib import Path
from typing import IO

from _bootstrap_checkout import BootstrapError, Checkout
from _bootstrap_process import run_logged

# Relative to the checkout, where pip is started: pip splits these variables at blanks, so a checkout whose
# path has one would break an absolute path.
CONSTRAINTS = "packaging/constraints.txt"

UNREACHABLE = re.compile(r"Could not fetch URL \S+: (?!404)|WARNING: Retrying \(Retry|HTTPS?ConnectionPool\(")


def pip_command(checkout: Checkout, *arguments: str) -> list[str]:
    """Return pip's command line; isolated, so that no PYTHONPATH passes for an installed package."""
    return [str(checkout.python), "-I", "-m", "pip", "-vv", *arguments]


def pip_variables() -> dict[str, str]:
    """Return what must hold for pip here, on top of the user's own settings.

    The constraints are given as variables because only so do they reach the isolated build environments;
    the second one is what pip 25.3 and later read for those.
    """
    return {
        "PIP_CONSTRAINT": CONSTRAINTS,
        "PIP_BUILD_CONSTRAINT": CONSTRAINTS,
        "PIP_NO_INPUT": "1",
        "PIP_USER": "0",
        "PIP_PROGRESS_BAR": "off",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONUNBUFFERED": "1",
    }


def pip_install(checkout: Checkout, *arguments: str, lock: IO[str]) -> None:
    """Run `pip install`, its output going to the install log.

    Raises: BootstrapError with the cause in a sentence.
    """
    log = checkout.install_log
    written_before = log.stat().st_size if log.exists() else 0
    command = pip_command(checkout, "install", *arguments)
    code = run_logged(command, log, lock=lock, cwd=checkout.root, variables=pip_variables())
    if code != 0:
        output = log.read_bytes()[written_before:].decode(errors="replace")
        raise BootstrapError(explain_pip_failure(output, log_name=checkout.relative(log)))


def explain_pip_failure(output: str, *, log_name: str) -> str:
    """Say in one sentence why pip failed.

    pip has one exit code for everything that can go wrong, so its output is the only place to look.
    """
    hint = f"pip's full output is in {log_name}."
    if is_disk_full(output):
        return f"The disk is full, so pip cannot go on; free some space and start again; {hint}"
    if re.search(r"\[Errno (13|30)\]", output):
        return f"pip may not write to the checkout or the temporary folder; make them writable; {hint}"
    if UNREACHABLE.search(output):
        return f"The package registry cannot be reached; check the network or pip's configuration; {hint}"
    if missing := _missing_package(output):
        return (
            f"pip finds no ready-made {missing} for this Python and machine; check the network and pip's "
            f"configuration; {hint}"
        )
    return f"The packages cannot be installed: {_last_error(output)}; {hint}"


def is_disk_full(output: str) -> bool:
    """Tell whether pip, or a compiler below it, ran out of space."""
    return "[Errno 28]" in output or os.strerror(28) in output


def _missing_package(output: str) -> str:
    """Return what pip has found nowhere: a pinned package is reported as a conflict with its constraint."""
    found = re.search(r"requested \(constraint\) (\S+)|satisfies the requirement (\S+) ", output)
    return (found[1] or found[2]) if found else ""


def _last_error(output: str) -> str:
    """Return the last exception of a build backend, which says more than pip's own last error."""
    raised = re.findall(r"^\s*(\w+Error: .+)$", output, flags=re.MULTILINE)
    errors = raised or re.findall(r"^\s*(?:ERROR|error): (.+)$", output, flags=re.MULTILINE)
    return re.sub(r"\s*https?://\S+", "", errors[-1]).strip().rstrip(".") if errors else "pip gave no reason"


def remove_half_installed(site_packages: Path) -> None:
    """Forget packages whose installation was cut short, so that pip installs them again.

    pip writes a package's RECORD last; before that, metadata may be there already and would make pip
    believe that the package is complete. The caller holds the install lock.
    """
    for metadata in site_packages.glob("*.dist-info"):
        if not (metadata / "RECORD").is_file():
            shutil.rmtree(metadata)
