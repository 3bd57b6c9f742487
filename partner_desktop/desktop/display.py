"""Whether a window can open here, found out before Qt is asked: Qt answers "no" by aborting.

Linux: the platform plugins that Qt would try are looked at in turn. For X11 the plugin's own library is
loaded (a missing library is named) and the server is spoken to through libxcb, which knows addresses and
permissions; for Wayland the socket is connected. Standard library only.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import socket
import sys
from pathlib import Path

_ADVICE = "Use `partner-desktop chat` in a terminal, or start it from a desktop session."
_CONNECT_TIMEOUT_S = 2.0


def missing_display() -> str:
    """One sentence that says why no window can open and what to do; empty where one can."""
    if not sys.platform.startswith("linux"):
        return ""
    problems = [_problem(name) for name in _platforms()]
    if "" in problems:
        return ""
    reason = problems[0] if problems else "neither DISPLAY nor WAYLAND_DISPLAY is set"
    return f"There is no display here that a window could open on ({reason}). {_ADVICE}"


def _platforms() -> list[str]:
    """The platform plugins that Qt would try."""
    asked = os.environ.get("QT_QPA_PLATFORM", "")
    if asked:
        return [entry.partition(":")[0] for entry in asked.split(";") if entry]
    names = []
    if os.environ.get("WAYLAND_DISPLAY"):
        names.append("wayland")
    if os.environ.get("DISPLAY"):
        names.append("xcb")
    return names


def _problem(platform: str) -> str:
    """Why this platform cannot be used; empty where it can."""
    loading = _plugin_problem(platform)
    if loading:
        return loading
    if platform == "xcb":
        return _x11_problem()
    if platform.startswith("wayland"):
        return _wayland_problem()
    return ""


def _plugin_problem(platform: str) -> str:
    folder = _plugin_folder()
    if folder is None:
        return ""
    path = folder / f"libq{platform.removesuffix('-egl')}.so"
    if not path.exists():
        return f"Qt has no platform called {platform}; see QT_QPA_PLATFORM"
    if platform != "xcb" and not platform.startswith("wayland"):
        return ""
    try:
        ctypes.CDLL(str(path))
    except OSError as error:
        library = str(error).partition(":")[0]
        return f"the system library {library} is missing; install it with the system's package manager"
    return ""


def _plugin_folder() -> Path | None:
    """Where the wheel keeps Qt's platform plugins; `None` where Qt came another way."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "Qt" / "plugins" / "platforms"
    return folder if folder.is_dir() else None


def _x11_problem() -> str:
    name = os.environ.get("DISPLAY", "")
    if not name:
        return "DISPLAY is not set"
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return "the system library libxcb.so.1 is missing; install it with the system's package manager"
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    refused = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return f"the X server at DISPLAY={name} does not answer" if refused else ""


def _wayland_problem() -> str:
    name = os.environ.get("WAYLAND_DISPLAY", "wayland-0")
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "")) / name
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_CONNECT_TIMEOUT_S)
        try:
            probe.connect(str(path))
        except OSError:
            return f"the Wayland server at WAYLAND_DISPLAY={name} does not answer"
    return ""
