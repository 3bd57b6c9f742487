"""Starts of the real program that need not import all of it again: forks of a process that has.

    python -m tests.features.fork_server SOCKET

What a start is given it has: its own arguments, environment, folder, input and output, session, signals and
import path; it is a child of the process that asked (not of the server), so that its pid, its end and its
signals are real. The server has one thread and nothing but modules. What it cannot give, it leaves to a real
start: another locale or interpreter setting, more open files, something to be done before it begins.
"""

from __future__ import annotations

import array
import asyncio
import atexit
import ctypes
import gc
import importlib
import inspect
import io
import json
import os
import pkgutil
import platform
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from partner_desktop.mind.question import EvaluateIntent, ExtractIntents, JudgeConfirmation
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.support import REPOSITORY

#: What may be started this way.
_MODULES = (
    "partner_desktop",
    "tests.features.dying",
    "tests.features.dying_anew",
    "tests.long.kills.program",
)
#: Qt is not forked, what a worker imports is not the program's, and servers of models are rarely asked.
_NOT_IMPORTED = (
    "partner_desktop.desktop",
    "partner_desktop.model.worker",
    "partner_desktop.model.endpoint",
    "partner_desktop.__main__",
)
#: With anything else, a start is a real one.
_PLAIN = {
    "executable": None,
    "preexec_fn": None,
    "close_fds": True,
    "pass_fds": (),
    "shell": False,
    "gid": None,
    "gids": None,
    "uid": None,
    "process_group": -1,
}
_MOST_BYTES = 1 << 20
_CLONE_PARENT = 0x8000
_CLONE = {"x86_64": 56, "aarch64": 220}


def _settings(environment: Mapping[str, str]) -> dict[str, str]:
    """What an interpreter reads once, when it begins."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(("PYTHON", "LC_", "LANG", "LD_")) and name != "PYTHONPATH"
    }


def _ignored() -> set[int]:
    return {number for number in signal.valid_signals() if signal.getsignal(number) is signal.SIG_IGN}


def _umask() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("Umask:")).split()[1], 8)


class ForkServer:
    """The server, seen by those who ask; begun with the first start, ended with `close`."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._asking = threading.Lock()
        self._settings = _settings(dict(os.environ))
        self._ignored = _ignored()

    def takes(self, given: dict[str, Any]) -> bool:
        """Whether such a start, in the words of `Popen`, is the same as a fork."""
        args, environment = given["args"], os.environ if given["env"] is None else given["env"]
        return (
            platform.machine() in _CLONE
            and isinstance(args, list | tuple)
            and args[:2] in ([sys.executable, "-m"], (sys.executable, "-m"))
            and args[2] in _MODULES
            and all(given[name] == plain for name, plain in _PLAIN.items())
            and environment.get("PYTHONPATH", "").split(os.pathsep)[0] == str(REPOSITORY)
            and _settings(environment) == self._settings
            and _ignored() == self._ignored
        )

    def start(self, request: dict[str, Any], files: list[int]) -> int:
        """The pid of a child of this process, which has these files as input, output and errors."""
        message = json.dumps(request).encode()
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))
        with self._asking:
            requests = self._socket or self._begin()
            assert requests.sendmsg([message], [rights]) == len(message)
            answer = requests.recv(_MOST_BYTES)
        assert answer, "the fork server has ended"
        return int(answer)

    def _begin(self) -> socket.socket:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MOST_BYTES)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.features.fork_server", str(theirs.fileno())],
                cwd=REPOSITORY,
                env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        return self._socket

    def close(self) -> None:
        if self._socket is not None and self._process is not None:
            self._socket.close()
            self._process.wait(10)


def forking_popen(server: ForkServer) -> type[subprocess.Popen[Any]]:
    """A `Popen` that lets the server start what the server takes; the rest is as ever."""
    popen: Any = subprocess.Popen  # its inner door, which has no types
    names = list(inspect.signature(popen._execute_child).parameters)[1:]

    class ForkingPopen(subprocess.Popen[Any]):
        def _execute_child(self, *values: Any) -> None:
            given = dict(zip(names, values, strict=True))
            if not server.takes(given):
                real: Any = super()
                real._execute_child(*values)
                return
            asked = (given["p2cread"], given["c2pwrite"], given["errwrite"])
            self.pid = server.start(
                _request_of(given), [n if file == -1 else file for n, file in enumerate(asked)]
            )
            hidden: Any = self
            hidden._child_created = True
            hidden._close_pipe_fds(*(given[name] for name in names if name.startswith(("p2c", "c2p", "err"))))

    return ForkingPopen


def _request_of(given: dict[str, Any]) -> dict[str, Any]:
    environment = os.environ if given["env"] is None else given["env"]
    return {
        "words": [os.fspath(one) for one in given["args"][2:]],
        "folder": os.fspath(given["cwd"] or Path.cwd()),
        "environment": {str(name): str(value) for name, value in environment.items()},
        "umask": _umask() if given["umask"] == -1 else given["umask"],
        "session": bool(given["start_new_session"]),
    }


def _serve(requests: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Fork for each request; returns in the forks only, and ends with the last request."""
    libc = ctypes.PyDLL(None)
    while True:
        size = array.array("i").itemsize
        message, rights, _, _ = requests.recvmsg(_MOST_BYTES, socket.CMSG_SPACE(3 * size))
        if not message:
            os._exit(0)
        files = array.array("i")
        files.frombytes(rights[0][2][: 3 * size])
        assert len(os.listdir("/proc/self/task")) == 1, "a fork has one thread"  # noqa: PTH208 - names alone
        ctypes.pythonapi.PyOS_BeforeFork()
        pid = libc.syscall(_CLONE[platform.machine()], _CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
        if pid == 0:
            ctypes.pythonapi.PyOS_AfterFork_Child()
            return json.loads(message), list(files)
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        assert pid > 0
        for file in files:
            os.close(file)
        requests.send(str(pid).encode())


def _become(request: dict[str, Any], files: list[int], installed: list[str]) -> None:
    """Be as a fresh interpreter would be that was asked for this."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    if request["session"]:
        os.setsid()
    os.umask(request["umask"])
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    sys.argv = list(request["words"])
    sys.orig_argv = [sys.executable, "-m", *sys.argv]
    named = [str(Path.cwd() / place) for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    sys.path[:] = [str(Path.cwd()), *named, *installed]
    importlib.invalidate_caches()
    for number, (name, mode) in enumerate((("stdin", "rb"), ("stdout", "wb"), ("stderr", "wb"))):
        old = getattr(sys, f"__{name}__")
        stream = io.TextIOWrapper(
            open(number, mode, closefd=False),  # noqa: SIM115 - as long as the process
            encoding=old.encoding,
            errors=old.errors,
            newline=None if name == "stdin" else "\n",
            line_buffering=name == "stderr" or os.isatty(number),
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _import_all() -> None:
    """Whatever a command may want of Partner, and with it what that wants of others."""
    import partner_desktop  # noqa: PLC0415 - the server's business alone

    importlib.import_module("tests.features.dying_anew")
    for found in pkgutil.walk_packages(partner_desktop.__path__, "partner_desktop."):
        if not found.name.startswith(_NOT_IMPORTED):
            importlib.import_module(found.name)


#: Between them they lead to most of what the starter mind reads with.
_SAID = (
    "Hello!",
    "Please list the files in my downloads folder, then make a note of it.",
    "你好",
    "请整理下载文件夹，然后记一条笔记",
)


async def _read_sentences() -> None:
    """What every fork would do again with its first message: read tables and abilities, compile patterns."""
    mind, abilities = StarterMind(), builtin_infos()
    for said in _SAID:
        await mind.ask(JudgeConfirmation(said, ()))
        await mind.ask(ExtractIntents(said, abilities))
        await mind.ask(EvaluateIntent(said, abilities))


def main() -> None:
    """Import, freeze, and serve; a fork goes on here as the program."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy's library makes its threads when it is imported
    requests = socket.socket(fileno=int(sys.argv[1]))
    own = {str(REPOSITORY), ""}
    installed = [place for place in sys.path if place not in own]
    _import_all()
    asyncio.run(_read_sentences())
    gc.collect()
    gc.freeze()
    request, files = _serve(requests)
    requests.close()
    _become(request, files, installed)
    try:
        runpy.run_module(request["words"][0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        _end(end)
        raise


def _end(end: SystemExit) -> None:
    """All that an interpreter does at its end, but for taking every module apart.

    That would copy the memory of the server, object by object. What is no plain end, Python deals with.
    """
    if not isinstance(end.code, int | None):
        return
    inner: Any = threading
    inner._shutdown()  # waits for threads, and ends those of executors
    inner = atexit
    inner._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return
    os._exit((end.code or 0) & 0xFF)


if __name__ == "__main__":
    main()
