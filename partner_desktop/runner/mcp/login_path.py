"""The PATH that programs are looked for in: the one of the person's login shell.

An app that is started from a menu inherits the session's PATH, without what `.bashrc` or `.zshrc` add
(nvm, uv, Homebrew). So the shell is asked, once, as a login and interactive one; what its start-up files
print does no harm, because the answer stands between markers. They know by `PARTNER_RESOLVING_ENVIRONMENT`
that they are only asked. A shell that fails or hangs is given up after `LIMIT_S` with everything it
started, and the usual places are searched instead.

Contract: `get` never raises for what a shell does; several callers wait for one run. A caller that is
cancelled ends the run; the next one begins anew.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from partner_desktop.base import log
from partner_desktop.base.errors import ActionError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.runner.launch_spec import LaunchSpec
from partner_desktop.runner.mcp.program import is_folder
from partner_desktop.runner.process import run_process

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
            return "", "you have no login shell"
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
            return "", f"your login shell {shell} could not be started"
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        # The last pair: what was started by the files themselves may have asked the same.
        parts = outcome.stdout.rsplit(_MARK, 2)
        if len(parts) == 3 and parts[1].strip():
            return parts[1].strip(), ""
        if outcome.stopped_by == "timeout":
            return "", f"your login shell {shell} did not answer within {self._limit_s:g} s"
        return "", f"your login shell {shell} did not tell its PATH"


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
