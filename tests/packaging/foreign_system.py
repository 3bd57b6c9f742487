"""Import every module of Partner as on another system: `foreign_system.py win32|darwin`, JSON on stdout.

What Linux has and that system has not is hidden first: modules, functions of `os`, signals, kinds of sockets.
Packages of others are imported before, as themselves, for what they do there is theirs to know. Printed is
which file of ours fails by itself, and why.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
import traceback
from types import ModuleType

import partner_desktop

_MODULES = {"win32": ("curses", "fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")}
_OF_LINUX = (
    "eventfd", "memfd_create", "pidfd_open", "pipe2", "sched_getaffinity", "sched_setaffinity", "setresuid",
)  # fmt: skip
_OF_POSIX = (
    *_OF_LINUX, "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG", "chown", "fchmod",
    "fchown", "fork", "geteuid", "getgid", "getgroups", "getpgid", "getsid", "getuid", "killpg", "lchown",
    "mkfifo", "nice", "posix_spawn", "setpgid", "setsid", "statvfs", "sysconf", "wait4", "waitid",
)  # fmt: skip
_FUNCTIONS = {"win32": _OF_POSIX, "darwin": _OF_LINUX}
_SIGNALS = (
    "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP",
    "SIGUSR1", "SIGUSR2", "SIGWINCH",
)  # fmt: skip


def failures(system: str) -> dict[str, str]:
    """What fails there by itself, by its file."""
    walked = pkgutil.walk_packages(partner_desktop.__path__, "partner_desktop.")
    names = sorted(one.name for one in walked if not one.name.endswith("__main__"))
    for name in names:
        importlib.import_module(name)
    for name in [name for name in sys.modules if name.partition(".")[0] == "partner_desktop"]:
        del sys.modules[name]
    sys.modules.update(dict.fromkeys(_MODULES.get(system, ())))  # type: ignore[arg-type]  # None: not there
    _hide(os, _FUNCTIONS[system])
    if system == "win32":
        _hide(signal, _SIGNALS)
        _hide(socket, ("AF_UNIX",))
    sys.platform = system
    found: dict[str, str] = {}
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            frames = traceback.extract_tb(error.__traceback__)
            (*_, last) = (one.filename for one in frames if "/partner_desktop/" in one.filename)
            found.setdefault(last.rpartition("/partner_desktop/")[2], str(error))
    return found


def _hide(module: ModuleType, names: tuple[str, ...]) -> None:
    for name in names:
        vars(module).pop(name, None)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(failures(sys.argv[1])))
