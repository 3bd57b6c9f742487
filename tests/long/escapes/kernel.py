# ruff: noqa: E501
# (a table: one attempt a line)
"""Ways through the kernel."""

from __future__ import annotations

from tests.long.escapes.attempt import Attempt, says

_MACHINE = "it would change the machine"

KERNEL = (
    Attempt("unshare", "a namespace of its own, to be root in it", 'call((272, 97), 0x10000000); got("userns")', says("userns"), suite=True),
    Attempt("unshare-clone", "the same by clone", 'call((56, 220), 0x10000011, None, None, None, None); got("clone")', says("clone"), alone=True),
    Attempt("unshare-clone3", "the same by clone3", 'args = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)\ncall((435, 435), args, ctypes.c_size_t(88)); got("clone3")', says("clone3"), alone=True),
    Attempt("unshare-mount", "mounts of its own", 'call((272, 97), 0x00020000); got("mountns")', says("mountns"), needs_root=True),
    Attempt("setns", "into the namespaces of process 1", 'call((308, 268), os.open("/proc/1/ns/mnt", os.O_RDONLY), 0); got("setns")', says("setns"), no_control="elsewhere process 1 is the machine's"),
    Attempt("mount", "mount a folder", 'os.mkdir("m"); call((165, 40), b"none", b"m", b"tmpfs", 0, None); got("mount")', says("mount"), no_control=_MACHINE),
    Attempt("remount", "make its script writable by a new mount", 'call((165, 40), None, os.path.dirname(sys.argv[0]).encode(), None, 0x1020, None); got("remount")', says("remount"), no_control=_MACHINE),
    Attempt("fsopen", "mount by the newer calls", 'call((430, 430), b"tmpfs", 0); got("fsopen")', says("fsopen"), needs_root=True),
    Attempt("umount", "take /proc away to see what lies under it", 'call((166, 39), b"/proc", 2); got("umount")', says("umount"), no_control=_MACHINE),
    Attempt("chroot", "another root", 'os.chroot("."); got("chroot")', says("chroot"), needs_root=True),
    Attempt("become-root", "become root", 'os.setuid(0); got("root")', says("root"), needs_root=True),
    Attempt("add-key", "put a key into the session", 'call((248, 217), b"user", b"x", b"y", ctypes.c_size_t(1), -3); got("key")', says("key")),
    Attempt("bpf", "a program in the kernel", 'call((321, 280), 0, struct.pack("IIIII", 2, 4, 4, 1, 0) + bytes(108), 128); got("bpf")', says("bpf"), needs_root=True),
    Attempt("perf", "measure the kernel", 'call((298, 241), struct.pack("IIQ", 1, 112, 0) + bytes(96), 0, -1, -1, 0); got("perf")', says("perf"), no_control="not every machine has it"),
    Attempt("userfaultfd", "stop the kernel in the middle of a copy", 'call((323, 282), 0); got("fault")', says("fault"), needs_root=True),
    Attempt("io-uring", "calls that no filter sees", 'call((425, 425), 4, ctypes.create_string_buffer(120)); got("uring")', says("uring"), no_control="not every machine lets it"),
    Attempt("fileless", "run a program that is in no file", 'fd = call((319, 279), b"x", 0); got("memfd")', says("memfd"), suite=True),
    Attempt("shared-segment", "memory that belongs to no process", 'call((29, 194), 0, ctypes.c_size_t(1 << 20), 0o1600); got("shm")', says("shm")),
    Attempt("module", "load a module", 'call((175, 105), b"", 0, b""); got("module")', says("module"), no_control=_MACHINE),
    Attempt("reboot", "switch the machine off", 'call((169, 142), 0xFEE1DEAD, 672274793, 0x89ABCDEF, None); got("reboot")', says("reboot"), no_control=_MACHINE),
    Attempt("sysrq", "the kernel's emergency keys", 'open("/proc/sysrq-trigger", "w").write("h"); got("sysrq")', says("sysrq"), no_control=_MACHINE),
    Attempt("clock", "set the clock", 'time.clock_settime(time.CLOCK_REALTIME, time.time()); got("clock")', says("clock"), no_control=_MACHINE),
)  # fmt: skip
