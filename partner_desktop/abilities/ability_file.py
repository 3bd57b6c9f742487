"""From what lies in a live folder to an ability: reading, hashing, snapshot. Blocking; off the loop.

An ability is read whole, once: the bytes that were hashed are the bytes that are kept in the snapshot
and run later, its own launcher among them. An edit between approval and run therefore changes nothing that
was approved. A launcher from elsewhere, unless it is the system's or Partner's interpreter, is in the hash
with its bytes, and compared before each run.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from partner_desktop.abilities.script_file import READ_BYTES, describe, has_block
from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import AbilityPermissions, Annotations, MetaActionInfo, Route
from partner_desktop.runner.ability_content import files_hash, read_files, whole_hash
from partner_desktop.runner.descriptor import Descriptor, from_json, params_schema
from partner_desktop.runner.launchers import (
    find_launcher,
    find_program,
    launcher_fault,
)

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
    main = _main_file(path, files)
    text = files[main][:READ_BYTES].decode("utf-8", "replace")
    descriptor_bytes = files.get("desc.json") if path.is_dir() else None
    hints: tuple[str, ...] = ()
    if descriptor_bytes is not None:
        if len(descriptor_bytes) > _MAX_DESCRIPTION:
            raise DescriptorError(
                f"it is larger than {_MAX_DESCRIPTION // 1024} KiB; keep data elsewhere", line=1
            )
        descriptor = from_json(_utf8(descriptor_bytes, "desc.json"))
        described = not descriptor.freeArgs
        if has_block(text):
            hints = (f"desc.json describes it; the partner block in {main} is not read.",)
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


def _tool(path: Path, launcher: str, files: dict[str, bytes]) -> str:
    """Which of the ability's own files its launcher is; empty for another program.

    Raises:
        DescriptorError: It is a program that an ability may not name.
    """
    place = Path(launcher)
    if path.is_dir() and place.is_relative_to(path):
        name = place.relative_to(path).as_posix()
        if name not in files:
            raise DescriptorError(f"its launcher {name} is none of its files; links and hidden files are not")
        return name
    fault = launcher_fault(launcher, live=path.parent.parent)
    if fault:
        raise DescriptorError(f"the launcher {display_path(place)} cannot be used: {fault}")
    return ""


def _info(
    key: str,
    route: Route,
    script: Path,
    descriptor: Descriptor,
    described: bool,
    launcher: tuple[str, ...],
) -> MetaActionInfo:
    hints = descriptor.annotations
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
        annotations=Annotations(
            read_only=hints.readOnlyHint,
            destructive=hints.destructiveHint,
            idempotent=hints.idempotentHint,
            open_world=hints.openWorldHint,
        ),
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
        raise DescriptorError("its name is not valid UTF-8; rename it") from error
    if "::" in path.name or not path.name.isprintable():
        raise DescriptorError("its name holds `::` or control characters; rename it")
    return path.name


def _utf8(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DescriptorError(f"{name} is not valid UTF-8; save it as UTF-8", line=line) from error


def _main_file(path: Path, files: dict[str, bytes]) -> str:
    if not path.is_dir():
        return path.name
    found = sorted(
        name for name in files if "/" not in name and Path(name).stem == "run" and Path(name).suffix
    )
    if len(found) == 1:
        return found[0]
    if not found:
        raise DescriptorError("the folder has no run.<ext>; name its script run.py, run.sh, …")
    raise DescriptorError(f"the folder has {' and '.join(found)}; keep exactly one run.<ext>")
