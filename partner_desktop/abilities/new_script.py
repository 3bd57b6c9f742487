"""A script that is not there yet: what was given, looked at as text before anything is written. Blocking.

Whether it is what it is called, its interpreter says: it reads it, in the sandbox and nowhere else. A flag
that makes a program only read belongs to that program: another one that runs the same kind of file may not
know it, and run the file. So it is chosen by what the program really is, and one that is not known looks at
nothing. Even a program that only reads takes strangers' text apart: it gets nothing but that text, and where
nothing can hold it, it does not look.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import field
from pathlib import Path

from partner_desktop.abilities.ability_file import find_block
from partner_desktop.base.errors import ActionError, DescriptorError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.ability import LANGUAGES, ScriptLanguage, language_of
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.runner.ability_content import checked_name
from partner_desktop.runner.descriptor import Descriptor, Raw, checked, params_schema
from partner_desktop.runner.launchers import find_launcher
from partner_desktop.runner.process_launch import LaunchSpec, OutputLimits
from partner_desktop.runner.sandbox import Limits, Sandbox, SandboxSpec
from partner_desktop.runner.script_process import run_process

#: More is no script but data.
MOST_CODE_BYTES = 256 * 1024
_MOST_META = 64 * 1024
#: Of a name that is made from a description.
_NAME_WORDS, _NAME_LENGTH = 4, 40
_SAID = 200
#: What makes a text look different from what a program reads: controls, marks that turn its direction,
#: letters that nobody sees (some languages take them as names), and joiners behind a plain letter.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
    "|(?<=[\x00-\x7f])[\u200c\u200d]"
)


@dataclass(frozen=True)
class NewScript:
    """A script that passed every look. Nothing of it has run."""

    name: str
    code: str
    """Ends with a line break; lines end with `\\n`."""
    language: ScriptLanguage
    raw: Raw = field(default_factory=dict)
    """Its whole description."""

    @property
    def ending(self) -> str:
        return self.language.ending_for(self.code)


def new_script(given: JsonObject) -> NewScript:
    """What `dynamic::generate` was given, as a script.

    Raises:
        UsageError: It does not do; one sentence says why.
    """
    texts = {name: value if isinstance(value, str) else "" for name, value in given.items()}
    code, language = _code(texts.get("code", "")), _language(texts.get("codeType", ""))
    raw = _described(code, language) | _meta(texts.get("meta", ""))
    described = " ".join(texts.get("desc", "").split())
    if described:
        raw["description"] = described
    if texts.get("launcher", "").strip():
        raw["launcher"] = _launcher(texts["launcher"])
    name = _name(texts.get("name", ""), str(raw.get("description") or ""))
    raw.setdefault("title", _title(texts.get("name", "").strip() or name))
    script = NewScript(name, code, language, _checked(raw))
    _check_launcher(script)
    return script


def _code(code: str) -> str:
    code = code.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if not code.strip():
        raise UsageError("scripts.no_code")
    try:
        size = len(code.encode())
    except UnicodeEncodeError:
        raise UsageError("scripts.half_character") from None
    if size > MOST_CODE_BYTES:
        raise UsageError("scripts.long_code", size=size // 1024, most=MOST_CODE_BYTES // 1024)
    unseen = _UNSEEN.search(code)
    if unseen is not None:
        line = code.count("\n", 0, unseen.start()) + 1
        raise UsageError("scripts.unseen", line=line, code=ord(unseen[0]))
    return code + "\n"


def _language(name: str) -> ScriptLanguage:
    language = language_of(name)
    if language is None:
        known = ", ".join(each.code_type for each in LANGUAGES)
        if name.strip():
            raise UsageError("scripts.no_language", name=_shown(name), known=known)
        raise UsageError("scripts.which_language", known=known)
    return language


def _described(code: str, language: ScriptLanguage) -> Raw:
    """What the code says of itself in a block."""
    if not language.sign:
        return {}
    try:
        block = find_block(code)
        if block is None:
            return {}
        checked(tomllib.loads(block[0]), block[0], first_line=block[1], model=Descriptor)
        return tomllib.loads(block[0])
    except (DescriptorError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError("scripts.block_unfit", error=error) from error


def _meta(text: str) -> Raw:
    if not text.strip():
        return {}
    try:
        if len(text) > _MOST_META:
            raise UsageError("scripts.long_meta", most=_MOST_META // 1024)
        raw = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise UsageError("scripts.meta_not_json", reason=error.msg, line=error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise UsageError("scripts.meta_too_deep") from error
    if not isinstance(raw, dict):
        raise UsageError("scripts.meta_no_object")
    return {key: value for key, value in raw.items() if value is not None}


def _no_number(text: str) -> float:
    raise ValueError(text)


def _launcher(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if not words:
        raise UsageError("scripts.launcher_unread", launcher=_shown(text))
    return words


def _name(name: str, description: str) -> str:
    if name.strip():
        return script_name(name)
    words = re.findall(r"\w+", description)[:_NAME_WORDS]
    return script_name("_".join(words).lower()[:_NAME_LENGTH].strip("_") or "script")


def script_name(name: str) -> str:
    """The name as it stands in a file's.

    Raises:
        UsageError: It cannot be one.
    """
    return checked_name(re.sub(r"[ \t]+", "_", _shown(name)))


def _title(name: str) -> str:
    words = name.replace("_", " ").strip()
    return cut(words[:1].upper() + words[1:], 80)


def _checked(raw: Raw) -> Raw:
    """As it will stand in the file; parameters one by one."""
    try:
        text = json.dumps(raw, ensure_ascii=False)
        params = checked(raw, text, first_line=1, model=Descriptor).params
        schema = params_schema(params)
    except (TypeError, ValueError) as error:
        raise UsageError("scripts.odd_value") from error
    except DescriptorError as error:
        raise UsageError("scripts.description_unfit", error=str(error).rstrip(".?。？")) from error
    first: Raw = {key: raw[key] for key in ("title", "description") if key in raw}
    return {**first, **raw, **({"params": _one_by_one(schema)} if params else {})}


def _one_by_one(schema: JsonObject) -> Raw:
    properties, required = schema["properties"], schema["required"]
    assert isinstance(properties, dict), "`params_schema` makes it so"
    assert isinstance(required, list), "`params_schema` makes it so"
    found: Raw = {}
    for name, spec in properties.items():
        assert isinstance(spec, dict)
        plain = name in required or "default" in spec
        found[name] = dict(spec) if plain else {**spec, "required": False}
    return found


def _check_launcher(script: NewScript) -> None:
    declared = script.raw.get("launcher") or ()
    declared = declared.split() if isinstance(declared, str) else declared
    try:
        find_launcher(Path(f"script{script.ending}"), declared=declared)
    except DescriptorError as error:
        clause = str(error)
        raise UsageError("scripts.whole", clause=clause[:1].upper() + clause[1:]) from error


def _shown(text: str) -> str:
    """What was said, without what would spoil a sentence."""
    return cut(shown(text.strip()), _SAID)


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
        reason = _reason(outcome.stderr, path)
        raise UsageError("scripts.not_valid", language=script.language.title, reason=reason)


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
