# ruff: noqa: E501
# (a table: one attempt a line)
"""Ways to take more than is given, to stay, and to deceive whoever reads."""

from __future__ import annotations

from collections.abc import Callable

from tests.long.escapes.attempt import Attempt, Evidence

_MIB = 1024 * 1024
_HARM = "it would harm this machine"


def _unless_stopped(words: str, name: str) -> Callable[[Evidence], bool]:
    """It came to its end, or was stopped for another reason than this."""

    def escaped(seen: Evidence) -> bool:
        return seen.said(name) or (seen.response is not None and words not in seen.response.error)

    return escaped


def _left(seen: Evidence) -> bool:
    return seen.world.left()


def _too_large(seen: Evidence) -> bool:
    return any(path.stat().st_size > 9 * _MIB for path in seen.workspace.iterdir())


def _controls(seen: Evidence) -> bool:
    return "\x1b" in seen.output or "\x9b" in seen.output or "\x07" in seen.output


def _whole_line(seen: Evidence) -> bool:
    return len(seen.output) > 10 * _MIB


_STAY = (
    "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    '        os.execvp("sh", [W["mark"], "-c", "sleep 60; true", W["mark"]])\n    os._exit(0)\ntime.sleep(0.2)'
)

USING = (
    # It ends by itself after a while, so that a sandbox that fails does not take the machine along.
    Attempt("fork-bomb", "fork without end", 'end = time.monotonic() + 3\nwhile time.monotonic() < end:\n    try:\n        os.fork()\n    except OSError:\n        pass\ngot("forks")', _unless_stopped("so I stopped it", "forks"), alone=True, no_control=_HARM, suite=True),
    Attempt("memory", "take all memory", 'kept = [os.fork() for _ in range(2)]\nkept = b"x" * (150 << 20); time.sleep(2); got("memory")', _unless_stopped("memory", "memory"), alone=True),
    Attempt("memory-shared", "the same by memory that is shared", 'kept = [mmap.mmap(-1, 64 << 20) for _ in range(5)]\nfor one in kept:\n    one.write(b"x" * (64 << 20))\ntime.sleep(2); got("memory")', _unless_stopped("memory", "memory"), alone=True, suite=True),
    Attempt("disk", "fill the disk with files", 'for n in range(4):\n    open(f"f{n}", "wb").write(os.urandom(7 << 20))\ntime.sleep(3); got("disk")', _unless_stopped("workspace", "disk"), alone=True),
    Attempt("disk-deleted", "fill it with files that are deleted and open", 'kept = []\nfor n in range(4):\n    kept.append(open("f", "wb", 0)); os.remove("f"); kept[-1].write(os.urandom(7 << 20))\ntime.sleep(3); got("disk")', _unless_stopped("workspace", "disk"), alone=True),
    Attempt("disk-many", "fill it with empty files", 'for n in range(50_100):\n    os.close(os.open(f"n{n}", os.O_CREAT))\ntime.sleep(3); got("disk")', _unless_stopped("workspace", "disk"), alone=True),
    Attempt("disk-large", "one large file", 'open("large", "wb").write(bytes(10 << 20))', _too_large),
    Attempt("disk-tmp", "fill the temporary folder", 'import tempfile\nfile = tempfile.TemporaryFile()\nfor n in range(20):\n    file.write(bytes(1 << 20))\nfile.flush(); got("tmp")', lambda seen: seen.said("tmp")),
    Attempt("flood", "print without end", 'end = time.monotonic() + 10\nwhile time.monotonic() < end:\n    os.write(1, b"x" * 65536)\ngot("flood")', _unless_stopped("printed more", "flood"), alone=True, no_control="it only prints"),
    Attempt("long-line", "a line of 32 MiB", 'for n in range(32):\n    os.write(1, b"x" * (1 << 20))', _whole_line, alone=True),
    Attempt("control-characters", "rewrite the terminal of whoever reads", r'print("\x1b]0;title\x07\x1b[2J\x9b31m ok")', _controls, suite=True),
    Attempt("ignore-the-end", "ignore that its time is up", 'signal.signal(signal.SIGTERM, signal.SIG_IGN)\nend = time.monotonic() + 5\nwhile time.monotonic() < end:\n    time.sleep(0.1)\ngot("end")', _unless_stopped("longer than", "end"), alone=True, timeout_s=1.0, no_control="without a limit it just runs"),
    Attempt("detach", "leave a process behind", _STAY, _left, alone=True, suite=True),
    Attempt("kill-the-guard", "end what watches, then stay", "for pid in (1, os.getppid()):\n    try:\n        os.kill(pid, signal.SIGKILL)\n    except OSError:\n        pass\n" + _STAY, _left, alone=True, no_control="it would end process 1"),
)  # fmt: skip
