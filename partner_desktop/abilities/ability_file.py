"""From what lies in a live folder to an ability: reading, hashing, snapshot. Blocking; off the loop.

An ability is read whole, once: the bytes that were hashed are the bytes that are kept in the snapshot
and run later, its own launcher among them. An edit between approval and run therefore changes nothing that
was approved. A launcher from elsewhere, unless it is the system's or Partner's interpreter, is in the hash
with its bytes, and compared before each run.

A script describes itself by its `# /// partner` block (like PEP 723's), or its docstring, or not at all. It
is a stranger's text: what it says of itself stands at its beginning, and no more than that is read. It is
scanned and not parsed: Python's own parser holds the whole interpreter, for minutes where somebody means it
to.

A description becomes a draft for the form and a text again: what the form does not show (types, annotations,
permissions, keys of other versions) goes through untouched.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from dataclasses import replace
from pathlib import Path

from partner_desktop.abilities.plan_file import PLAN_FILE, read_plan
from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import AbilityPermissions, MetaActionInfo, Route
from partner_desktop.runner.ability_content import files_hash, read_files, whole_hash
from partner_desktop.runner.descriptor import (
    Descriptor,
    Raw,
    from_json,
    from_toml,
    in_languages,
    params_schema,
)
from partner_desktop.runner.launchers import (
    find_launcher,
    find_program,
    launcher_fault,
)
from partner_desktop.runner.located_json import as_text, parse

_READ_CHARS = 64 * 1024
#: Of a script, what holds that many signs, however they are written.
READ_BYTES = 4 * _READ_CHARS
_DESCRIPTION = 500
_OPENING = re.compile(r"^(#|//|--|;|%)\s*/// partner\s*$")
_COMMENT = re.compile(r"^\s*(?:#|//|--|;|%)\s?(.*)$")

#: What may stand before the first statement of Python, and a text that is that statement.
_UNSAID = re.compile(r"(?:[ \t\f\r\n\ufeff]+|#[^\n]*)*+")
_TEXTS = tuple(
    re.compile(rf"(?P<raw>[rR]?)[uU]?{quote}(?P<text>(?:{plain}++|\\.{also})*+){quote}", re.DOTALL)
    for quote, plain, also in (
        ('"""', r'[^"\\]', '|"(?!"")'),
        ("'''", r"[^'\\]", "|'(?!'')"),
        ('"', r'[^"\\\n]', ""),
        ("'", r"[^'\\\n]", ""),
    )
)
_ENDS = re.compile(r"[ \t]*(?:[\r\n;#]|\Z)")
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_ESCAPED = {"\n": "", "n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}


@dataclass(frozen=True)
class ScriptDescription:
    """What a script says of itself."""

    descriptor: Descriptor
    described: bool
    """Whether it declares its parameters; otherwise it takes one free `args` field."""


def has_block(text: str) -> bool:
    """Whether a script describes itself in a block, be it a good one or not."""
    return any(_OPENING.match(line) for line in text[:_READ_CHARS].splitlines())


def find_block(text: str) -> tuple[str, int] | None:
    """The TOML of the block, and the line of the file that it begins in; `None` where there is no block.

    Raises:
        DescriptorError: The block is not closed; `line` is set.
    """
    lines = text[:_READ_CHARS].splitlines()
    for number, line in enumerate(lines):
        opening = _OPENING.match(line)
        if opening:
            return _block(lines[number + 1 :], opening.group(1), opened_at=number + 1), number + 2
    return None


def describe(text: str, *, is_python: bool) -> ScriptDescription:
    """The description inside a script's text.

    Raises:
        DescriptorError: The block is not closed or not valid; `line` is set.
    """
    block = find_block(text)
    if block is not None:
        body, first_line = block
        return ScriptDescription(from_toml(body, first_line=first_line), described=True)
    return ScriptDescription(Descriptor(description=_docstring(text, is_python=is_python)), described=False)


def _block(lines: list[str], sign: str, *, opened_at: int) -> str:
    """The block's lines without their comment signs, up to the closing one."""
    body: list[str] = []
    for offset, line in enumerate(lines, start=1):
        if line.rstrip() == f"{sign} ///":
            return "\n".join(body)
        if not line.startswith(sign):
            raise _not_closed(sign, opened_at, line=opened_at + offset)
        body.append(line.removeprefix(sign).removeprefix(" "))
    raise _not_closed(sign, opened_at, line=opened_at)


def _not_closed(sign: str, opened_at: int, *, line: int) -> DescriptorError:
    return DescriptorError("descriptor.block_open", opened=opened_at, sign=sign, line=line)


def _docstring(text: str, *, is_python: bool) -> str:
    """The first paragraph of the docstring, or of the leading comments."""
    text = text[:_READ_CHARS]
    found = _first_text(text) if is_python else ""
    if found:
        return found
    words: list[str] = []
    for line in text.splitlines():
        if line.startswith("#!") and not words:
            continue
        comment = _COMMENT.match(line)
        if not comment or not comment.group(1).strip():
            break
        words.append(comment.group(1).strip())
    return " ".join(words)[:_DESCRIPTION]


def _first_text(text: str) -> str:
    """The first paragraph of the text that Python code begins with; empty where it begins otherwise."""
    begin = _UNSAID.match(text)
    at = begin.end() if begin else 0
    found = next((match for each in _TEXTS if (match := each.match(text, at))), None)
    if found is None or not _ENDS.match(text, found.end()):
        return ""
    said = found["text"]
    if not found["raw"]:
        said = _ESCAPE.sub(lambda sign: _ESCAPED.get(sign[1], sign[0]), said)
    words: list[str] = []
    for line in said.strip().splitlines():
        if not line.strip():
            break
        words += line.split()
    return " ".join(words)[:_DESCRIPTION]


_MAX_DESCRIPTION = 256 * 1024

_FREE_ARGS: JsonObject = {
    "type": "object",
    "properties": {
        "args": {
            "type": "string",
            "description": "arguments, as you would type them after the script's name",
            "default": "",
        }
    },
    "required": [],
}


@dataclass(frozen=True)
class AbilityFile:
    """A read ability: its description, and its bytes by relative path."""

    info: MetaActionInfo
    files: dict[str, bytes]
    main: str
    hints: tuple[str, ...]
    tool: str = ""
    """Which of the files is its launcher; empty: the launcher is another program."""

    @property
    def description_file(self) -> str:
        """Where the description of a folder is written."""
        return self.main if self.info.plan is not None else "desc.json"

    @property
    def files_hash(self) -> str:
        """Of what lies in the folder alone."""
        return files_hash(self.files)


def read_ability(path: Path, *, location: str, route: Route) -> AbilityFile:
    """Read a script file or an ability folder.

    Raises:
        DescriptorError: It cannot become an ability; the message says why, `line` where.
    """
    name = clean_name(path)
    files = read_files(path)
    if path.is_dir() and PLAN_FILE in files and not _scripts(files):
        return _plan_ability(path, files, f"{location}::{name}", route)
    main = _main_file(path, files)
    text = files[main][:READ_BYTES].decode("utf-8", "replace")
    descriptor_bytes = files.get("desc.json") if path.is_dir() else None
    hints: tuple[str, ...] = ()
    if descriptor_bytes is not None:
        if len(descriptor_bytes) > _MAX_DESCRIPTION:
            raise DescriptorError("descriptor.too_large", size=_MAX_DESCRIPTION // 1024, unit="KiB", line=1)
        descriptor = from_json(_utf8(descriptor_bytes, "desc.json"))
        described = not descriptor.freeArgs
        if has_block(text):
            hints = (sentence_of("descriptor.block_unused", name=main),)
    else:
        found = describe(text, is_python=main.endswith((".py", ".pyw")))
        descriptor, described = found.descriptor, found.described and not found.descriptor.freeArgs
    key_name = name if path.is_dir() or route is Route.ORIGIN else Path(name).stem
    script = path / main if path.is_dir() else path
    launcher = find_launcher(script, declared=descriptor.launcher)
    tool = _tool(path, launcher[0], files)
    info = _info(f"{location}::{key_name}", route, script, descriptor, described, launcher)
    hashed = whole_hash(files, "" if tool else launcher[0])
    info = replace(info, content_hash=hashed, opens=() if tool else find_program(launcher[0]).opens)
    return AbilityFile(info, files, main, hints=(*descriptor.unknown_keys(), *hints), tool=tool)


def _plan_ability(path: Path, files: dict[str, bytes], key: str, route: Route) -> AbilityFile:
    """A folder with a `plan.json` and no script: a saved plan."""
    if route is Route.ORIGIN:
        raise DescriptorError("descriptor.plan.in_tmp")
    found = read_plan(files[PLAN_FILE])
    info = _info(key, route, path / PLAN_FILE, found.descriptor, True, ())
    info = replace(info, plan=found.plan, pre_actions=(), post_actions=(), content_hash=whole_hash(files, ""))
    return AbilityFile(info, files, PLAN_FILE, hints=found.hints)


def _tool(path: Path, launcher: str, files: dict[str, bytes]) -> str:
    """Which of the ability's own files its launcher is; empty for another program.

    Raises:
        DescriptorError: It is a program that an ability may not name.
    """
    place = Path(launcher)
    if path.is_dir() and place.is_relative_to(path):
        name = place.relative_to(path).as_posix()
        if name not in files:
            raise DescriptorError("descriptor.launcher_not_own", name=name)
        return name
    fault = launcher_fault(launcher, live=path.parent.parent)
    if fault:
        raise DescriptorError("descriptor.launcher_unfit", name=display_path(place), fault=fault)
    return ""


def _info(
    key: str,
    route: Route,
    script: Path,
    descriptor: Descriptor,
    described: bool,
    launcher: tuple[str, ...],
) -> MetaActionInfo:
    return MetaActionInfo(
        key=key,
        route=route,
        description=descriptor.description,
        label=descriptor.title,
        aliases=tuple(descriptor.aliases),
        params=params_schema(descriptor.params) if described else _FREE_ARGS,
        launcher=launcher,
        source=script,
        free_args=not described,
        tags=tuple(descriptor.tags),
        owner=descriptor.owner or key.partition("::")[2],
        annotations=descriptor.annotations.told(),
        permissions=AbilityPermissions(
            net=descriptor.permissions.net,
            read=tuple(descriptor.permissions.read),
            write=tuple(descriptor.permissions.write),
            sockets=descriptor.permissions.sockets,
        ),
        timeout_s=descriptor.timeoutSeconds,
        response_schema=descriptor.responseSchema,
        pre_actions=descriptor.keys_before(key.partition("::")[0]),
        post_actions=descriptor.keys_after(key.partition("::")[0]),
        strict_dependencies=descriptor.strictDependencies,
        declared=descriptor.planning_facts(),
        localized=descriptor.localized,
    )


def clean_name(path: Path) -> str:
    """The file's name, if it can be one of an ability.

    Raises:
        DescriptorError: It is not valid UTF-8, or holds control characters or `::`.
    """
    try:
        os.fsencode(path.name).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DescriptorError("descriptor.name_not_utf8") from error
    if "::" in path.name or not path.name.isprintable():
        raise DescriptorError("descriptor.name_odd")
    return path.name


def _utf8(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DescriptorError("descriptor.file_not_utf8", name=name, line=line) from error


def _main_file(path: Path, files: dict[str, bytes]) -> str:
    if not path.is_dir():
        return path.name
    found = _scripts(files)
    if len(found) == 1:
        return found[0]
    if not found:
        raise DescriptorError("descriptor.no_run")
    raise DescriptorError("descriptor.many_runs", names=sentence_of("descriptor.and_also").join(found))


def _scripts(files: dict[str, bytes]) -> list[str]:
    """What of a folder may be what runs."""
    return sorted(
        name for name in files if "/" not in name and Path(name).stem == "run" and Path(name).suffix
    )


def written_description(read: AbilityFile) -> Raw:
    """The description that an ability has in writing; of one without any, what its text tells."""
    if read.info.plan is not None:
        plan = parse(as_text(read.files[read.main])).root.plain()
        return plan if isinstance(plan, dict) else {}
    if "desc.json" in read.files:
        raw: Raw = json.loads(read.files["desc.json"].decode("utf-8-sig"))
        return raw
    block = find_block(read.files[read.main].decode("utf-8", "replace"))
    if block is not None:
        return tomllib.loads(block[0])
    return {"description": read.info.description, "freeArgs": True}


def draft_of_description(info: MetaActionInfo, *, name: str) -> AbilityDraft:
    """What the form begins with."""
    shown = {} if info.free_args else info.properties()
    return AbilityDraft(
        name=name,
        title=info.label,
        description=info.description,
        aliases=info.aliases,
        params={param: str(schema.get("description") or "") for param, schema in shown.items()},
        timeout_s=info.timeout_s,
    )


def redescribed(raw: Raw, draft: AbilityDraft) -> Raw:
    """`raw` with what the draft says; equal to `raw` where it says the same.

    Raises:
        DescriptorError: The draft does not make a description.
    """
    before = Descriptor.model_validate(raw)
    new = dict(raw)
    _put(new, "title", draft.title, before.title)
    _put(new, "description", draft.description, before.description)
    _put(new, "aliases", list(draft.aliases), before.aliases)
    _put(new, "timeoutSeconds", draft.timeout_s, before.timeoutSeconds)
    if isinstance(raw.get("params"), dict):
        new["params"] = _with_texts(raw["params"], draft)
    try:
        params_schema(from_json(description_text(new)).params)
    except DescriptorError as error:
        raise DescriptorError("common.told", text=error) from error  # its line is one that nobody has seen
    return new


def description_text(raw: Raw) -> str:
    """The text of a `desc.json`.

    Raises:
        DescriptorError: It holds what JSON does not know.
    """
    try:
        return json.dumps(raw, ensure_ascii=False, indent=2) + "\n"
    except (TypeError, ValueError) as error:
        raise DescriptorError("descriptor.odd_value") from error


def _put(new: Raw, key: str, value: object, before: object) -> None:
    """An unchanged value keeps its form (aliases by language, for one); an emptied one goes."""
    if value == before:
        return
    if value in ("", []):
        new.pop(key, None)
    else:
        new[key] = value


def _with_texts(params: Raw, draft: AbilityDraft) -> Raw:
    whole = params.get("type") == "object" and isinstance(params.get("properties"), dict)
    properties = params["properties"] if whole else params
    described = {name: _with_text(spec, draft.params.get(name)) for name, spec in properties.items()}
    return {**params, "properties": described} if whole else described


def _with_text(spec: object, text: str | None) -> object:
    if text is None or isinstance(spec, str):
        return spec if text is None else text
    if not isinstance(spec, dict) or text == str(in_languages(spec)[0].get("description") or ""):
        return spec  # also one by language
    return {**spec, "description": text}
