"""What an escape would reach: a person's home, sockets, a process, Partner's own files. All of it made up."""

from __future__ import annotations

import ctypes
import os
import secrets
import socket
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from partner_desktop.base.paths import Home

_ADD_KEY, _KEYCTL = (248, 250) if os.uname().machine == "x86_64" else (217, 219)
_JOIN_SESSION, _SESSION_KEYRING = 1, -3


class World:
    """Fresh for each run, so that what one attempt did is not taken for another's. A context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.token = secrets.token_hex(6)
        self.mark = f"mark-{self.token}"
        """What an attempt leaves or says where it got through."""
        self._stack = ExitStack()
        self._listening: dict[str, socket.socket] = {}
        self._heard: dict[str, bool] = {}
        self.home = self.folder / "ann"
        self.partner = Home(self.folder / "partner")
        self.outside = self.folder / "outside"
        self.armed = self.folder / "armed"
        """While it is there, the next sandbox meets with what an attempt does at the worst moment."""
        self.canaries = self._files()

    def secret(self, name: str) -> str:
        """The words that nobody but the person may read."""
        return f"secret-{name}-{self.token}"

    def _files(self) -> dict[str, Path]:
        own = self.partner.root
        return {
            "diary": self.home / "Documents" / "diary.txt",
            "ssh": self.home / ".ssh" / "id_ed25519",
            "cookies": self.home / ".mozilla" / "cookies.sqlite",
            "database": own / "partner.db",
            "config": own / "config" / "action.toml",
            "run": own / "runs" / "other" / "workspace" / "result.txt",
            "ability": self.folder / "action" / "dynamic" / "other" / "run.py",
            "outside": self.outside / "file.txt",
        }

    def __enter__(self) -> Self:
        self.partner.prepare()
        for name, path in self.canaries.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.secret(name))
        for name in ("keyring", "dbus", "wayland", "ssh-agent"):
            self._listen(name, socket.AF_UNIX, str(self.folder / f"{name}.sock"))
        self._listen("partner", socket.AF_UNIX, str(self.folder / "partner" / "attach.sock"))
        (self.folder / "sockets").mkdir()
        self._listen("near", socket.AF_UNIX, str(self.folder / "sockets" / "near.sock"))
        self._listen("abstract", socket.AF_UNIX, f"\0{self.mark}")
        self._listen_x11()
        self._listen("tcp", socket.AF_INET, ("127.0.0.1", 0))
        self._listen("tcp6", socket.AF_INET6, ("::1", 0))
        datagram = self._stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        datagram.bind(str(self.folder / "datagram.sock"))
        self._listening["datagram"] = datagram
        udp = self._stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        self._listening["udp"] = udp
        self._start_victim()
        self._add_key()
        before = os.environ.get("HOME", "")
        self._stack.callback(os.environ.__setitem__, "HOME", before)
        os.environ["HOME"] = str(self.home)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _listen(self, name: str, family: socket.AddressFamily, address: str | tuple[str, int]) -> None:
        server = self._stack.enter_context(socket.socket(family))
        with suppress(OSError):  # no IPv6 here
            server.bind(address)
            server.listen()
            server.setblocking(False)
            self._listening[name] = server

    def _listen_x11(self) -> None:
        folder = Path("/tmp/.X11-unix")
        made = not folder.exists()
        with suppress(OSError):
            folder.mkdir(exist_ok=True)
            if made:
                self._stack.callback(folder.rmdir)
            path = folder / f"X{os.getpid()}{self.token[:4]}"
            self._listen("x11", socket.AF_UNIX, str(path))
            self._stack.callback(path.unlink, missing_ok=True)

    def _start_victim(self) -> None:
        """Somebody else's program, with words in its arguments and its environment."""
        environment = {"PATH": os.defpath, "VICTIM": self.secret("environ")}
        self.victim = subprocess.Popen(
            ["sleep", "300", "0", *["0"] * 3], env=environment, cwd=self.home, stdin=subprocess.DEVNULL
        )
        self._stack.callback(self.victim.wait)
        self._stack.callback(self.victim.kill)

    def _add_key(self) -> None:
        """Into the keyring of this session, as a sign-in does."""
        call = ctypes.CDLL(None).syscall
        call(_KEYCTL, _JOIN_SESSION, None)
        text = self.secret("key").encode()
        call(_ADD_KEY, b"user", self.mark.encode(), text, ctypes.c_size_t(len(text)), _SESSION_KEYRING)

    # What a script is told, so that it need not search.

    def known(self) -> Mapping[str, object]:
        """Names, addresses and numbers, as an attacker would know them."""
        addresses = {}
        for name, server in self._listening.items():
            address = server.getsockname()
            addresses[name] = address.decode() if isinstance(address, bytes) else address
        return {
            "mark": self.mark,
            "home": str(self.home),
            "outside": str(self.outside),
            "files": {name: str(path) for name, path in self.canaries.items()},
            "sockets": addresses,
            "victim": self.victim.pid,
            "partner": os.getpid(),
        }

    # What can be seen from outside.

    def heard(self, name: str) -> bool:
        """Whether somebody came to this socket."""
        server = self._listening.get(name)
        if server is not None and not self._heard.get(name):
            with suppress(BlockingIOError):
                if name in ("udp", "datagram"):
                    server.setblocking(False)
                    self._heard[name] = bool(server.recv(64))
                else:
                    server.accept()[0].close()
                    self._heard[name] = True
        return self._heard.get(name, False)

    def has(self, name: str) -> bool:
        """Whether this machine offers the socket at all."""
        return name in self._listening

    def touched(self, name: str) -> bool:
        """Whether a canary is not as it was."""
        path = self.canaries[name]
        return not path.is_file() or path.read_text() != self.secret(name)

    def left(self) -> bool:
        """Whether a process goes by our mark."""
        for folder in Path("/proc").iterdir():
            with suppress(OSError):
                if folder.name.isdigit() and self.mark.encode() in (folder / "cmdline").read_bytes():
                    return True
        return False

    def end_left(self) -> None:
        """End what a control run left behind."""
        for folder in Path("/proc").iterdir():
            with suppress(OSError):
                if folder.name.isdigit() and self.mark.encode() in (folder / "cmdline").read_bytes():
                    os.kill(int(folder.name), 9)
