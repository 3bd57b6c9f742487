"""Whether a new script is what it is called: its interpreter reads it, in the sandbox and nowhere else.

A flag that makes a program only read belongs to that program: another one that runs the same kind of file may
not know it, and run the file. So it is chosen by what the program really is, and one that is not known looks
at nothing. Even a program that only reads takes strangers' text apart: it gets nothing but that text, and
where nothing can hold it, it does not look.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from partner_desktop.abilities.new_script import NewScript, new_script
from partner_desktop.base.errors import ActionError, DescriptorError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.runner.launch_spec import LaunchSpec, OutputLimits
from partner_desktop.runner.launchers import find_launcher
from partner_desktop.runner.process import run_process
from partner_desktop.runner.sandbox import Limits, Sandbox, SandboxSpec

_LOOK_S = 5.0
_LIMITS = Limits(memory_bytes=512 * 1024**2, file_bytes=1024**2, workspace_bytes=1024**2)
_REASON = 200

_COMPILE = """
import sys, warnings
warnings.simplefilter("ignore")
with open(sys.argv[1], encoding="utf-8", newline="\\n") as file:
    text = file.read()
try:
    compile(text, "<script>", "exec", dont_inherit=True)
except SyntaxError as error:
    sys.exit(f"{sys.argv[1]}: line {error.lineno or 1}\\nError: {error.msg}")
except (ValueError, RecursionError, MemoryError, OverflowError):
    sys.exit(f"{sys.argv[1]}\\nError: it cannot be read, or is nested too deeply")
"""
#: A program, by the name of its own file → what makes it read a file without running any of it.
_ONLY_READS: dict[str, tuple[str, ...]] = {
    "bash": ("-n",),
    "dash": ("-n",),
    "zsh": ("-n",),
    "fish": ("--no-execute",),
    "node": ("--check",),
    "nodejs": ("--check",),
    "python": ("-I", "-S", "-B", "-c", _COMPILE),
}
_VERSION = re.compile(r"[-.\d]+$")
_LINE_TOLD = re.compile(r"(?:line |:)(\d+)\b")


@dataclass(frozen=True)
class ScriptReader:
    """Reads scripts that are not there yet. `sandbox`: what holds an interpreter now, if anything does."""

    sandbox: Callable[[], Sandbox | None]

    async def read(self, given: JsonObject) -> NewScript:
        """What `dynamic::generate` was given, as a script. Nothing of it has run.

        Raises:
            UsageError: It does not do; one sentence says why.
        """
        script = await asyncio.to_thread(new_script, given)
        command = await asyncio.to_thread(_reading_command, script)
        sandbox = self.sandbox()
        if sandbox is not None and command:
            await _look(script, command, sandbox)
        return script


def _reading_command(script: NewScript) -> tuple[str, ...]:
    """What reads it; empty where that is not known, or where the script names its program itself."""
    if script.raw.get("launcher"):
        return ()
    try:
        program = find_launcher(Path(f"script{script.ending}"))[0]
    except DescriptorError:
        return ()
    flags = _ONLY_READS.get(_VERSION.sub("", Path(os.path.realpath(program)).name))
    return (program, *flags) if flags else ()


async def _look(script: NewScript, command: tuple[str, ...], sandbox: Sandbox) -> None:
    """One that takes too long, or fails in its own ways, is no reason."""
    place = await asyncio.to_thread(_written, script)
    path, spill = place / f"script{script.ending}", OutputLimits(spill_bytes=0)
    try:
        spec = SandboxSpec(sandbox=sandbox, script=path, workspace=place / "workspace", limits=_LIMITS)
        outcome = await run_process(
            LaunchSpec(
                argv=(*command, str(path)), spill_dir=place, timeout_s=_LOOK_S, sandbox=spec, output=spill
            )
        )
    except ActionError:
        return
    finally:
        await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)
    if outcome.exit_code and outcome.stopped_by is None and str(path) in outcome.stderr:
        raise UsageError(f"It is not valid {script.language.title}: {_reason(outcome.stderr, path)}.")


def _written(script: NewScript) -> Path:
    place = Path(tempfile.mkdtemp(prefix="partner-")).resolve()
    (place / "workspace").mkdir()
    (place / f"script{script.ending}").write_text(script.code, encoding="utf-8", newline="\n")
    return place


def _reason(told: str, path: Path) -> str:
    """`…/script.sh: line 3: unexpected end of file` → `line 3: unexpected end of file`."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    at = _LINE_TOLD.search(told.replace(str(path), ""))
    named = next((line for line in lines if "Error: " in line), "")
    error = named.partition("Error: ")[2] or lines[0].rpartition(": ")[2]
    return cut(f"line {at[1]}: {error.rstrip('.')}" if at else error.rstrip("."), _REASON)
