"""Where the program of a server lies, or why it cannot be started; what it holds; and the PATH.

To look for it blocks. The PATH is that of the person's login shell: an app that is started from a menu
inherits the session's, without what `.bashrc` or `.zshrc` add (nvm, uv, Homebrew). So the shell is asked,
once, as a login and interactive one; what its start-up files print does no harm, because the answer stands
between markers. They know by `PARTNER_RESOLVING_ENVIRONMENT` that they are only asked. A shell that fails or
hangs is given up after `LIMIT_S` with everything it started, and the usual places are searched instead.

Contract: `get` never raises for what a shell does; several callers wait for one run. A caller that is
cancelled ends the run; the next one begins anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from partner_desktop.base import log
from partner_desktop.base.errors import ActionError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.patterns import late
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.runner.launchers import file_hashes, is_code
from partner_desktop.runner.mcp.port import ServerEndedError
from partner_desktop.runner.process_launch import LaunchSpec
from partner_desktop.runner.script_process import run_process

#: The advice on a program that is not there: the message of that name in `servers.advice`.
_ADVICE = {
    **dict.fromkeys(("npx", "npm", "node"), "node"),
    **dict.fromkeys(("uvx", "uv"), "uv"),
    **dict.fromkeys(("python", "python3"), "python"),
    **dict.fromkeys(("cmd", "cmd.exe", "powershell"), "windows"),
    **{name: name for name in ("docker", "podman", "pipx", "bunx", "bun", "deno")},
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
        raise cannot(sentence_of("servers.start.no_cwd", folder=display_path(found)))
    return found


def find_program(command: str, *, path: str, home: str, folder: str, trouble: str = "") -> Path:
    """The program that a command names, by the search path or by its own.

    `trouble` says why the search path is not the login shell's.

    Raises:
        ServerEndedError: It is not there, or cannot be executed.
    """
    if not command:
        raise cannot(sentence_of("servers.start.no_command"))
    if "/" in command:
        return _by_path(command, home=home, folder=folder)
    found = shutil.which(command, path=path)
    if found is not None:
        return Path(found)
    for place in path.split(os.pathsep):
        if place and _is_file(Path(place, command)):
            raise _not_executable(Path(place, command))
    advice = _advice(command, path=path, folder=folder)
    told = "servers.start.not_in_usual" if trouble else "servers.start.not_in_path"
    raise cannot(sentence_of(told, command=command, advice=advice, trouble=trouble))


def _by_path(command: str, *, home: str, folder: str) -> Path:
    path = expanded(command, home=home, folder=folder)
    shown = display_path(path)
    if _is_file(path):
        if not os.access(path, os.X_OK):
            raise _not_executable(path)
        return path
    if is_folder(path):
        raise cannot(sentence_of("servers.start.names_folder", path=shown))
    first, _, rest = command.partition(" ")
    if rest and _is_file(expanded(first, home=home, folder=folder)):
        raise cannot(sentence_of("servers.start.program_alone", program=first, rest=rest.strip()))
    raise cannot(sentence_of("servers.start.no_program", path=shown))


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
    python = path.suffix == ".py"
    told = "servers.start.not_executable_python" if python else "servers.start.not_executable"
    return cannot(sentence_of(told, path=display_path(path)))


def _advice(command: str, *, path: str, folder: str) -> LazySentence:
    if " " in command:
        return LazySentence("servers.advice.alone")
    if folder and _is_file(Path(folder, command)):
        return LazySentence("servers.advice.beside", command=command)
    if command == "python" and shutil.which("python3", path=path):
        return LazySentence("servers.advice.python_three")
    return LazySentence(f"servers.advice.{_ADVICE.get(command, 'other')}")


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


_log = log.area("mcp")

LIMIT_S = 3.0
ASKED_VARIABLE = "PARTNER_RESOLVING_ENVIRONMENT"

_MARK = "<<partner-path>>"
#: In quotes: fish joins a list of paths with `:` then, like every other shell has it already.
_QUESTION = f"printf '\\n%s%s%s\\n' '{_MARK}' \"$PATH\" '{_MARK}'"
_USUAL = (
    "~/.local/bin", "~/bin", "~/.cargo/bin", "~/.volta/bin", "~/.bun/bin", "~/.deno/bin", "~/.asdf/shims",
    "~/.local/share/mise/shims", "~/.local/share/pnpm", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin",
    "/usr/local/bin", "/usr/bin", "/bin", "/snap/bin",
)  # fmt: skip


@dataclass(frozen=True)
class SearchPath:
    """Folders joined by `:`, and why they are not the login shell's, if they are not."""

    value: str
    trouble: str = ""


class LoginPath:
    """Asks the shell of `environ` once; keeps the answer until `forget`."""

    def __init__(self, environ: Mapping[str, str], *, limit_s: float = LIMIT_S) -> None:
        self._environ = environ
        self._limit_s = limit_s
        self._asking = asyncio.Lock()
        self._found: SearchPath | None = None

    async def get(self) -> SearchPath:
        """The search path; the first call takes as long as the shell."""
        async with self._asking:
            if self._found is None:
                self._found = await self._ask()
            return self._found

    def forget(self) -> None:
        """Ask again the next time: something may have been installed."""
        self._found = None

    async def _ask(self) -> SearchPath:
        shell = self._environ.get("SHELL", "") or await asyncio.to_thread(_shell_of_user)
        answer, trouble = await self._answer_of(shell)
        inherited = self._environ.get("PATH", os.defpath).split(os.pathsep)
        if answer:
            return SearchPath(_joined([*answer.split(os.pathsep), *inherited]))
        _log.info("the login shell told no PATH: %s", trouble)
        usual = await asyncio.to_thread(_usual_places, self._environ.get("HOME", ""))
        return SearchPath(_joined([*inherited, *usual]), trouble)

    async def _answer_of(self, shell: str) -> tuple[str, str]:
        """The shell's PATH, or why there is none."""
        if not shell:
            return "", sentence_of("servers.start.no_shell")
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="partner-shell-"))
        env = {name: text for name, text in self._environ.items() if not name.startswith("PARTNER_")}
        spec = LaunchSpec(
            argv=(shell, "-lic", _QUESTION),
            spill_dir=folder,
            cwd=self._environ.get("HOME", ""),
            env=env | {ASKED_VARIABLE: "1"},
            timeout_s=self._limit_s,
        )
        try:
            outcome = await run_process(spec)
        except ActionError:
            return "", sentence_of("servers.start.shell_not_started", shell=shell)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        # The last pair: what was started by the files themselves may have asked the same.
        parts = outcome.stdout.rsplit(_MARK, 2)
        if len(parts) == 3 and parts[1].strip():
            return parts[1].strip(), ""
        if outcome.stopped_by == "timeout":
            return "", sentence_of("servers.start.shell_slow", shell=shell, seconds=self._limit_s)
        return "", sentence_of("servers.start.shell_silent", shell=shell)


def _shell_of_user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_shell
    except KeyError:  # a user without an entry, as in some containers
        return ""


def _usual_places(home: str) -> list[str]:
    """Where programs usually lie, as far as it is there. Blocking."""
    places = [place.replace("~", home, 1) for place in _USUAL if home or not place.startswith("~")]
    node = sorted(Path(home, ".nvm/versions/node").glob("*/bin"), key=_version, reverse=True) if home else []
    return [place for place in [*places, *map(str, node[:1])] if is_folder(Path(place))]


def _version(folder: Path) -> list[int]:
    """`…/v22.3.0/bin` as numbers, so that 22 is newer than 9."""
    return [int(part) for part in folder.parent.name.lstrip("v").split(".") if part.isdigit()]


def _joined(places: Iterable[str]) -> str:
    """Each once; a relative one would be found wherever the process happens to be."""
    return os.pathsep.join(dict.fromkeys(place for place in places if place.startswith("/")))
