"""What a process that is held may not ask of the kernel: a seccomp filter, as bytes for `bwrap --seccomp`.

Namespaces hide what is outside; some system calls reach past them (the keyring of the session, the keys of a
terminal) or are doors to the kernel that scripts do not need. The filter is a classic BPF program
(`linux/filter.h`, `linux/seccomp.h`) that the kernel runs at every call: it refuses the few named here with
an error that programs know how to take, and lets everything else pass. The kernel remembers the answer for
each call that does not depend on arguments, so that the filter costs nothing that could be measured.
"""

from __future__ import annotations

import platform
import struct
import sys
from collections.abc import Iterator

from partner_desktop.base.late_dataclass import dataclass

_EPERM, _ENOSYS = 1, 38

# Offsets in struct seccomp_data; of an argument the lower half, which comes first on both architectures.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
# Opcodes: load a word, jump if equal, if not less, if any bit is set; return.
_LOAD, _JEQ, _JGE, _JSET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
#: Calls of the x32 flavour of x86_64 have this bit; nobody uses them but to get past filters.
_X32 = 0x40000000

#: The kernel's names of the architectures (`linux/audit.h`).
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

#: Refused whatever the arguments are: (x86_64, aarch64); the calls since 2019 have one number everywhere.
_REFUSED: dict[str, tuple[int, ...]] = {
    # the keyring of the person's session
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438),
    # mounts and namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "open_tree_attr": (467, 467), "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    # the machine
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "reboot": (169, 142), "syslog": (103, 116),
    "acct": (163, 89), "swapon": (167, 224), "swapoff": (168, 225), "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    # memory that is in no process's count
    "shmget": (29, 194), "memfd_secret": (447, 447),
}  # fmt: skip
#: The same, as if the kernel did not have them: programs then take the older way, whose arguments can be
#: looked at. What io_uring is asked for passes no filter at all; a memory file is in no process's count.
_ABSENT: dict[str, tuple[int, ...]] = {
    "clone3": (435, 435), "openat2": (437, 437), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "memfd_create": (319, 279),
}  # fmt: skip


@dataclass(frozen=True)
class _Rule:
    """Refuse the call `numbers` if argument `at` fits, and argument `also_at` has one of the bits `also`."""

    numbers: tuple[int | None, int | None]
    at: int
    value: int
    bits: bool = True
    """Whether any bit of `value` is enough; else the argument must be equal to it."""
    also_at: int = 0
    also: int = 0


_NEW_NAMESPACES = 0x7E020000
_SETUID = 0o4000
_CREATES = 0o100 | 0o20000000  # O_CREAT, and what of O_TMPFILE is its own
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_AF_UNIX, _AF_ALG, _AF_VSOCK = 1, 38, 40
_SOCK_DGRAM = 2  # the bit is in SOCK_RAW, too, which is the same here; not in SOCK_STREAM and SOCK_SEQPACKET

_RULES = (
    _Rule((56, 220), 0, _NEW_NAMESPACES),  # clone
    _Rule((16, 29), 1, _TIOCSTI, bits=False),  # ioctl: put keys into a terminal
    _Rule((16, 29), 1, _TIOCLINUX, bits=False),
    _Rule((41, 198), 0, _AF_VSOCK, bits=False),  # socket: to the host of this machine, past all namespaces
    _Rule((41, 198), 0, _AF_ALG, bits=False),  # the kernel's ciphers, which need not be in reach
    # A file that runs as its owner, whoever starts it, would be a trap outside of the sandbox.
    _Rule((90, None), 1, _SETUID),  # chmod
    _Rule((91, 52), 1, _SETUID),  # fchmod
    _Rule((268, 53), 2, _SETUID),  # fchmodat
    _Rule((452, 452), 2, _SETUID),  # fchmodat2
    _Rule((85, None), 1, _SETUID),  # creat
    _Rule((133, None), 1, _SETUID),  # mknod
    _Rule((259, 33), 2, _SETUID),  # mknodat
    _Rule((2, None), 2, _SETUID, also_at=1, also=_CREATES),  # open
    _Rule((257, 56), 3, _SETUID, also_at=2, also=_CREATES),  # openat
)
#: A socket in an approved folder, or one without a place (X11's), leads out of every sandbox: to the
#: desktop's bus, its agents, other programs, which take whoever speaks there for the person. A pair of
#: connected sockets (socketpair) stays.
_NO_LOCAL_SOCKETS = (
    _Rule((41, 198), 0, _AF_UNIX, bits=False),
    # Of a pair for single messages each end could send to any place by its name.
    _Rule((53, 199), 1, _SOCK_DGRAM),
)


def filter_program(*, local_sockets: bool = False, machine: str = "") -> bytes:
    """The program for `machine` (this one by default); where its calls are not known it refuses nothing.

    `local_sockets`: whether a run may open sockets of the kind AF_UNIX.
    """
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES or sys.byteorder != "little":
        return _instruction(_RETURN, _ALLOW)
    at = list(_ARCHITECTURES).index(machine)
    rules = _RULES if local_sockets else (*_RULES, *_NO_LOCAL_SOCKETS)
    return b"".join(_program(at, _ARCHITECTURES[machine], rules))


def _program(at: int, architecture: int, rules: tuple[_Rule, ...]) -> Iterator[bytes]:
    yield _instruction(_LOAD, _ARCHITECTURE)
    yield _instruction(_JEQ, architecture, skip_if=1)
    yield _refuse(_ENOSYS)
    yield _instruction(_LOAD, _NUMBER)
    yield _instruction(_JGE, _X32, skip_else=1)
    yield _refuse(_ENOSYS)
    for refused, error in ((_REFUSED, _EPERM), (_ABSENT, _ENOSYS)):
        for numbers in refused.values():
            yield _instruction(_JEQ, numbers[at], skip_else=1)
            yield _refuse(error)
    for rule in rules:
        yield from _ruled(rule, rule.numbers[at])
    yield _instruction(_RETURN, _ALLOW)


def _ruled(rule: _Rule, number: int | None) -> Iterator[bytes]:
    if number is None:  # this architecture does not have it
        return
    checks = [(rule.at, _JSET if rule.bits else _JEQ, rule.value)]
    if rule.also:
        checks.append((rule.also_at, _JSET, rule.also))
    rest = 2 * len(checks) + 2  # the checks, the refusal, and loading the number again
    yield _instruction(_JEQ, number, skip_else=rest)
    for done, (argument, test, value) in enumerate(checks):
        yield _instruction(_LOAD, _ARGUMENTS + 8 * argument)
        yield _instruction(test, value, skip_else=rest - 2 * done - 3)
    yield _refuse(_EPERM)
    yield _instruction(_LOAD, _NUMBER)


def _refuse(error: int) -> bytes:
    return _instruction(_RETURN, _ERRNO | error)


def _instruction(code: int, value: int, *, skip_if: int = 0, skip_else: int = 0) -> bytes:
    """One `struct sock_filter`; the skips say how many instructions are left out."""
    return struct.pack("=HBBI", code, skip_if, skip_else, value)
