# ruff: noqa: E501
# (a table: one attempt a line)
"""Ways to reach other programs: sockets, signals, traces."""

from __future__ import annotations

import os

from tests.long.escapes.attempt import Attempt, Evidence, dead, reaches, says


def _victim_nice(seen: Evidence) -> bool:
    return os.getpriority(os.PRIO_PROCESS, seen.world.victim.pid) == 7


def _victim_limited(seen: Evidence) -> bool:
    with open(f"/proc/{seen.world.victim.pid}/limits") as file:  # noqa: PTH123
        return any(line.startswith("Max open files") and " 77 " in line for line in file)


REACHING = (
    Attempt("socket-keyring", "the keyring's socket", 'send("keyring")', reaches("keyring"), suite=True),
    Attempt("socket-dbus", "the session bus", 'send("dbus")', reaches("dbus"), suite=True),
    Attempt("socket-wayland", "the Wayland display", 'send("wayland")', reaches("wayland")),
    Attempt("socket-ssh-agent", "the ssh agent", 'send("ssh-agent")', reaches("ssh-agent")),
    Attempt("socket-x11", "the X11 display", 'send("x11")', reaches("x11"), suite=True),
    Attempt("socket-partner", "Partner's own socket", 'send("partner")', reaches("partner")),
    Attempt("socket-abstract", "an abstract socket", 'send("abstract")', reaches("abstract"), suite=True),
    Attempt("socket-abstract-net", "an abstract socket, with the network allowed", 'send("abstract")', reaches("abstract"), net=True, alone=True),
    Attempt("socket-keyring-net", "the keyring's socket, with the network allowed", 'send("keyring")', reaches("keyring"), net=True, alone=True),
    Attempt("socket-pair-datagram", "a pair of sockets for messages, sent to another one's place", 'a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\na.sendto(b"x", W["sockets"]["datagram"])', reaches("datagram"), suite=True),
    Attempt("net-tcp", "a service of this machine", 'send("tcp", socket.AF_INET)', reaches("tcp"), suite=True),
    Attempt("net-tcp6", "the same by IPv6", 'send("tcp6", socket.AF_INET6)', reaches("tcp6"), no_control="" if os.path.exists("/proc/net/if_inet6") else "there is no IPv6 here"),  # noqa: PTH110
    Attempt("net-udp", "the same by UDP", 'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", tuple(W["sockets"]["udp"]))', reaches("udp")),
    Attempt("net-vsock", "the host of a virtual machine", 'socket.socket(40, socket.SOCK_STREAM); got("vsock")', says("vsock"), no_control="not every kernel has it"),
    Attempt("net-raw", "raw packets", 'socket.socket(socket.AF_PACKET, socket.SOCK_RAW); got("raw")', says("raw"), needs_root=True),
    Attempt("kill", "end another program", 'os.kill(W["victim"], signal.SIGKILL)', dead, suite=True),
    Attempt("kill-pidfd", "the same by a descriptor", 'signal.pidfd_send_signal(os.pidfd_open(W["victim"]), signal.SIGKILL)', dead),
    Attempt("kill-all", "end everything", "os.kill(-1, signal.SIGKILL)", dead, alone=True, no_control="it would end everything"),
    Attempt("kill-group", "end Partner's process group", "os.killpg(1, signal.SIGKILL)", dead, alone=True, no_control="it would end the machine"),
    Attempt("ptrace", "take another program over", 'call((101, 117), 0x4206, W["victim"], None, ctypes.c_void_p(0x100000)); got("ptrace")', says("ptrace")),
    Attempt("slow-down", "slow another program down", 'os.setpriority(os.PRIO_PROCESS, W["victim"], 7)', _victim_nice),
    Attempt("limit", "take another program's files away", 'import resource; resource.prlimit(W["victim"], resource.RLIMIT_NOFILE, (77, 77))', _victim_limited),
    Attempt("see-processes", "see that Partner runs", 'open(f"/proc/{W[\'partner\']}/status"); got("partner")', says("partner")),
    Attempt("terminal", "put keys into the terminal that Partner was started from", 'import fcntl; fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x"); got("keys")', says("keys"), no_control="it would type into the terminal"),
    Attempt("terminal-own", "the same into a terminal of its own making", 'import fcntl, pty; fcntl.ioctl(pty.openpty()[1], 0x5412, b"x"); got("keys")', says("keys"), no_control="newer kernels do not let even root do it everywhere"),
)  # fmt: skip
