"""Where the program of a server lies, or the sentence that says why it cannot be started; and what it holds.

Blocking, all of it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from partner_desktop.base.paths import display_path
from partner_desktop.base.patterns import late
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.runner.launchers import file_hashes, is_code
from partner_desktop.runner.mcp.port import ServerEndedError

_NODE = (
    "it comes with Node.js: install that, for example with `sudo apt install npm` or from https://nodejs.org"
)
_UV = "it comes with uv: install that as https://docs.astral.sh/uv says, for example with `pipx install uv`"
_DOCKER = "install Docker as https://docs.docker.com/engine/install says"
_PYTHON = "install Python, for example with `sudo apt install python3`"
_WINDOWS = "this was written for Windows: make what stands behind `/c` in `args` the `command`"
_ADVICE = {
    "npx": _NODE,
    "npm": _NODE,
    "node": _NODE,
    "uvx": _UV,
    "uv": _UV,
    "docker": _DOCKER,
    "podman": "install it, for example with `sudo apt install podman`",
    "python": _PYTHON,
    "python3": _PYTHON,
    "pipx": "install it, for example with `sudo apt install pipx`",
    "bunx": "it comes with Bun: install that as https://bun.sh says",
    "bun": "install it as https://bun.sh says",
    "deno": "install it as https://deno.com says",
    "cmd": _WINDOWS,
    "cmd.exe": _WINDOWS,
    "powershell": _WINDOWS,
}
#: A word in a line for a shell.
_WORD = late(r"[^\s'\"`;|&<>()]+")
_DATABASE = b"SQLite format 3\0"


def cannot(message: str, *, needs: tuple[str, ...] = ()) -> ServerEndedError:
    """The end of a start that never began."""
    return ServerEndedError(ServerFailure(ServerStep.RESOLVE, message, needs=needs))


def expanded(text: str, *, home: str, folder: str) -> Path:
    """A path as written: `~` is the home, and what is relative is so to the configuration's folder."""
    if home and (text == "~" or text.startswith("~/")):
        text = home + text[1:]
    return Path(os.path.normpath(Path(folder, text)))


def find_folder(text: str, *, home: str, folder: str) -> Path | None:
    """The folder where the process begins; `None` leaves it where Partner is.

    Raises:
        ServerEndedError: It is not there.
    """
    if not text and not folder:
        return None
    found = expanded(text, home=home, folder=folder)
    if not is_folder(found):
        raise cannot(f"Its folder `cwd`, {display_path(found)}, is not there; make it, or correct `cwd`.")
    return found


def find_program(command: str, *, path: str, home: str, folder: str, trouble: str = "") -> Path:
    """The program that a command names, by the search path or by its own.

    `trouble` says why the search path is not the login shell's.

    Raises:
        ServerEndedError: It is not there, or cannot be executed.
    """
    if not command:
        raise cannot("`command` is empty once it is filled in; look at what its placeholders stand for.")
    if "/" in command:
        return _by_path(command, home=home, folder=folder)
    found = shutil.which(command, path=path)
    if found is not None:
        return Path(found)
    for place in path.split(os.pathsep):
        if place and _is_file(Path(place, command)):
            raise _not_executable(Path(place, command))
    where = "in the PATH of your login shell" if not trouble else "in the usual places"
    more = f" ({trouble}, so its PATH is not known)" if trouble else ""
    advice = _advice(command, path=path, folder=folder)
    raise cannot(
        f"The program `{command}` was not found {where}{more}; {advice}, then start the server again."
    )


def _by_path(command: str, *, home: str, folder: str) -> Path:
    path = expanded(command, home=home, folder=folder)
    shown = display_path(path)
    if _is_file(path):
        if not os.access(path, os.X_OK):
            raise _not_executable(path)
        return path
    if is_folder(path):
        raise cannot(f"`command` names the folder {shown}; name the program in it.")
    first, _, rest = command.partition(" ")
    if rest and _is_file(expanded(first, home=home, folder=folder)):
        raise cannot(
            f"`command` names the program alone: write `{first}` there, and `{rest.strip()}` as a list into "
            "`args`."
        )
    raise cannot(f"There is no program {shown}; correct `command`, or install it there.")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long, a folder that may not be entered
        return False


def is_folder(path: Path) -> bool:
    """Whether a folder is there and may be seen."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _not_executable(path: Path) -> ServerEndedError:
    shown = display_path(path)
    python = path.suffix == ".py"
    other = f', or write "command": "python3" and "{shown}" as the first of `args`' if python else ""
    return cannot(f"{shown} is there, but may not be executed; run `chmod +x {shown}`{other}.")


def _advice(command: str, *, path: str, folder: str) -> str:
    if " " in command:
        return "`command` names the program alone: put what follows it into `args`"
    if folder and _is_file(Path(folder, command)):
        return f"there is one beside the configuration: write `./{command}`"
    if command == "python" and shutil.which("python3", path=path):
        return "there is a `python3`: write that"
    return _ADVICE.get(command, "install it, or write its whole path as `command`")


def held_by(program: Path, arguments: Sequence[str], folder: Path) -> tuple[str, ...]:
    """What a program and the files that its arguments name hold by now; of databases nothing."""
    return tuple(file_hashes([str(program), *sorted({*_named_files(arguments, folder)})]))


def _named_files(arguments: Sequence[str], folder: Path) -> Iterator[str]:
    """The files that arguments name: as they are, as words of a line for a shell, or behind a `=`.

    What stands behind `--option` is data, which may change with its use, unless it looks like a program.
    """
    option = False
    for argument in arguments:
        words = {argument: option, **dict.fromkeys(_WORD.findall(argument), False)}
        words = words if not option else {argument: True}
        behind = {value: key.startswith("--") for key, _, value in (word.partition("=") for word in words)}
        for word, is_value in (words | behind).items():
            place = folder / word
            with contextlib.suppress(OSError, ValueError):  # no name of a file at all, or none for us
                if word and place.is_file() and (is_code(place) or not (is_value or _is_database(place))):
                    yield str(place)
        option = argument.startswith("--") and "=" not in argument


def _is_database(place: Path) -> bool:
    with place.open("rb") as file:
        return file.read(len(_DATABASE)) == _DATABASE
