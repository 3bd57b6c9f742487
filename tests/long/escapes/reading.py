# ruff: noqa: E501
# (a table: one attempt a line)
"""Ways to read what is not shown."""

from __future__ import annotations

from tests.long.escapes.attempt import Attempt, leaks, says


def _read(path: str) -> str:
    return f"print(open({path}).read())"


def _file(name: str) -> str:
    return f'W["files"]["{name}"]'


_VICTIM = "f\"/proc/{W['victim']}"

READING = (
    Attempt("read-home", "list the home folder", 'print(os.listdir(W["home"])); got("home")', says("home"), suite=True),
    Attempt("read-diary", "read a file in the home folder", _read(_file("diary")), leaks("diary"), suite=True),
    Attempt("read-ssh", "read an ssh key", _read(_file("ssh")), leaks("ssh"), suite=True),
    Attempt("read-browser", "read the browser's cookies", _read(_file("cookies")), leaks("cookies")),
    Attempt("read-database", "read Partner's own database", _read(_file("database")), leaks("database"), suite=True),
    Attempt("read-other-run", "read what another run left", _read(_file("run")), leaks("run")),
    Attempt("read-other-ability", "read another ability's script", _read(_file("ability")), leaks("ability"), suite=True),
    Attempt("read-proc-root", "the home through /proc/self/root", _read('"/proc/self/root" + ' + _file("diary")), leaks("diary")),
    Attempt("read-proc-1-root", "the home through the root of process 1", _read('"/proc/1/root" + ' + _file("diary")), leaks("diary"), no_control="elsewhere process 1 is the machine's"),
    Attempt("read-proc-cwd", "the home by many steps up", _read('"/proc/self/cwd" + "/.." * 30 + ' + _file("diary")), leaks("diary")),
    Attempt(
        "read-victim-environ", "the environment of another program", _read(_VICTIM + '/environ"'), leaks("environ"), suite=True
    ),
    Attempt(
        "read-any-environ", "the environment of any program",
        'for name in os.listdir("/proc"):\n    if name.isdigit():\n        try:\n'
        '            print(open(f"/proc/{name}/environ").read())\n        except OSError:\n            pass',
        leaks("environ"),
    ),
    Attempt("read-victim-cwd", "the home as another program's folder", f'os.listdir({_VICTIM}/cwd"); got("cwd")', says("cwd")),
    Attempt(
        "read-victim-memory", "another program's memory through /proc",
        f'start = int(open({_VICTIM}/stat").read().rpartition(")")[2].split()[47])\n'
        f'file = open({_VICTIM}/mem", "rb", 0)\nfile.seek(start)\nprint(file.read(4096).replace(bytes(1), b" ").decode(errors="replace"))',
        leaks("environ"),
    ),
    Attempt(
        "read-process-vm", "another program's memory by process_vm_readv",
        f'start = int(open({_VICTIM}/stat").read().rpartition(")")[2].split()[47])\n'
        "room = ctypes.create_string_buffer(64)\n"
        "mine = (ctypes.c_void_p * 2)(ctypes.addressof(room), 64)\ntheirs = (ctypes.c_void_p * 2)(start, 64)\n"
        'call((310, 270), W["victim"], mine, ctypes.c_ulong(1), theirs, ctypes.c_ulong(1), ctypes.c_ulong(0))\n'
        "print(room.raw.replace(bytes(1), b' ').decode(errors='replace'))",
        leaks("environ"),
    ),
    Attempt(
        "read-descriptors", "whatever descriptors were left open",
        'for fd in range(3, 256):\n    try:\n        os.listdir(f"/proc/self/fd/{fd}/")\n    except OSError:\n        continue\n    got("fd")',
        says("fd"), no_control="it would need a descriptor that was left open",
    ),
    Attempt(
        "read-sandbox-descriptors", "the descriptors of the sandbox's own process",
        'for fd in os.listdir("/proc/1/fd"):\n    print(fd, os.readlink(f"/proc/1/fd/{fd}"))\n'
        '    if int(fd) > 2:\n        os.close(os.open(f"/proc/1/fd/{fd}", os.O_RDWR)); got("fd")',
        says("fd"), no_control="it would write into the files of process 1",
    ),
    Attempt(
        "read-keyring", "the keys of the session, in the kernel",
        'found = call((250, 219), 10, -3, b"user", W["mark"].encode(), 0)\nroom = ctypes.create_string_buffer(256)\n'
        "call((250, 219), 11, found, room, ctypes.c_size_t(256))\nprint(room.value.decode())",
        leaks("key"), suite=True,
    ),
    Attempt("read-secrets", "secrets in the environment", "print(dict(os.environ))", leaks("env"), suite=True),
    Attempt("read-shadow", "the passwords of the system", 'open("/etc/shadow").read(); got("shadow")', says("shadow"), needs_root=True),
    Attempt("read-kernel-log", "the kernel's log", 'call((103, 116), 3, ctypes.create_string_buffer(4096), 4096); got("log")', says("log"), needs_root=True),
    Attempt("read-sys", "the machine through /sys", 'os.listdir("/sys/class"); got("sys")', says("sys")),
    Attempt("read-devices", "the kernel's messages and disks in /dev", 'open("/dev/kmsg"); got("dev")', says("dev"), needs_root=True),
    Attempt("read-run", "sockets and secrets of the session in /run", 'os.listdir("/run"); got("run")', says("run")),
    Attempt(
        "read-by-handle", "a file by its number instead of its name",
        'room = ctypes.create_string_buffer(struct.pack("Ii", 128, 0), 136)\nmount = ctypes.c_int()\n'
        'call((303, 264), -100, b".", room, ctypes.byref(mount), 0)\n'
        'call((304, 265), os.open(".", os.O_RDONLY), room, os.O_RDONLY); got("handle")',
        says("handle"), needs_root=True,
    ),
)  # fmt: skip
