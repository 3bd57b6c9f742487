"""Who is at the other end of the local socket: this user, and not from inside a sandbox.

A socket can be reached through any name that leads to it, so the rights of its folder are not all that
stands before it. What the kernel says about the peer cannot be made up by it.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import struct
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

_OTHER_USER, _ELSEWHERE, _UNSEEN = "gateways.other_user", "gateways.from_sandbox", "gateways.unseen"

#: What a sandbox has of its own, and a command of the person has in common with Partner.
_NAMESPACES = ("pid", "user", "mnt")
#: Linux: a descriptor of the very process that connected, from 6.5 on; Python has no name for it.
_SO_PEERPIDFD = 77
#: macOS: `struct xucred`, which begins with a version and the user.
_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES = 0, 1, 76


def peer_refusal(peer: socket.socket) -> str:
    """Why this peer is not answered, the id of a message; empty when it is."""
    if sys.platform != "linux":
        return _refusal_elsewhere(peer)
    return _refusal_on_linux(peer)


def _refusal_elsewhere(peer: socket.socket) -> str:
    with suppress(OSError, struct.error):
        _version, user = struct.unpack_from(
            "=II", peer.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
        )
        return "" if user == os.geteuid() else _OTHER_USER
    return ""  # where the system tells nothing, the rights of the folder have to do


def _refusal_on_linux(peer: socket.socket) -> str:
    """The number of a process may be another's by now; a descriptor of it stays with that process."""
    with ExitStack() as stack:
        try:
            pid, user, _group = struct.unpack(
                "iII", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
            )
            if user != os.geteuid():
                return _OTHER_USER
            if pid <= 0:  # of a namespace that has no number for it here
                return _ELSEWHERE
            process = os.open(f"/proc/{pid}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, process)
            _check_lives(peer)
            for name in _NAMESPACES:
                theirs, ours = os.stat(f"ns/{name}", dir_fd=process), Path(f"/proc/self/ns/{name}").stat()
                if not os.path.samestat(theirs, ours):
                    return _ELSEWHERE
        except OSError:  # it has ended, or it hides what it is
            return _UNSEEN
    return ""


def _check_lives(peer: socket.socket) -> None:
    """That whoever connected had not ended when its number was looked up.

    Raises:
        OSError: It had.
    """
    try:
        process = peer.getsockopt(socket.SOL_SOCKET, _SO_PEERPIDFD)
    except OSError as error:
        if error.errno == errno.ENOPROTOOPT:
            return  # an older kernel; its numbers come round too slowly for one to be had in this moment
        raise
    try:
        signal.pidfd_send_signal(process, 0)
    finally:
        os.close(process)
