"""Path arguments: from what the person wrote to one real, resolved target. Touches the disk; off the loop."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, path_kind
from partner_desktop.domain.run_facts import PathKind, PathUse
from partner_desktop.permission.sensitive_paths import known_as
from partner_desktop.runner.mounts import seen_of

#: Where a bare name is looked for after the working folder.
_USUAL_PLACES = ("", "Desktop", "Documents", "Downloads")
_FILE_URL = "file://"


@dataclass(frozen=True)
class ResolvedPaths:
    """Arguments with their paths resolved, and what the run may touch."""

    params: JsonObject
    uses: tuple[PathUse, ...]
    problems: dict[str, str]
    """Parameter → why its path does not do, in one sentence."""


#: Nothing was left for any parameter.
_NOWHERE: Mapping[str, Path] = {}


def resolve_paths(
    info: MetaActionInfo,
    params: JsonObject,
    *,
    cwd: str,
    beside: Mapping[str, Path] = _NOWHERE,
    coming: Collection[Path] = (),
) -> ResolvedPaths:
    """Resolve every path argument, symlinks and `..` included; declared paths of the script are added.

    A path that was not given is the default of its schema, for what is not resolved is not mounted.
    An empty one is not given: see `is_given`. With `x-partner-there` what is written to must exist.
    `beside`: of a parameter that another step brings, the folder in which a name is looked for first.
    `coming`: what will be there by then, for steps before make it.
    """
    resolved, uses, problems = dict(params), [], {}
    for name, access in info.path_params().items():
        value = params.get(name)
        if not is_given(value):
            value = info.properties()[name].get("default")
        if not isinstance(value, str) or not value:
            continue
        try:
            schema = info.properties()[name]
            target = _left(value, beside.get(name)) or _find(value, cwd=cwd)
            target = _inside(target, schema, resolved, coming)
            needs = "read" if schema.get("x-partner-there") else access
            problem = "" if _comes(target, coming) else _problem(value, target, needs)
        except (OSError, RuntimeError, ValueError):  # too long, a loop of links, a NUL
            problem = sentence_of("no_path", value=value[:60])
        if problem:
            problems[name] = problem
            continue
        resolved[name] = str(target)
        makes = bool({"x-partner-new", "x-partner-into"} & schema.keys())
        taken = makes and target.exists() and not _comes(target, coming)
        uses.append(replace(_use(name, target, access, path_kind(schema)), is_taken=taken))
    for name, access in info.path_lists().items():
        listed, problem = _listed(params.get(name), access, cwd=cwd, beside=beside.get(name))
        if problem:
            problems[name] = problem
        elif listed:
            resolved[name] = [str(target) for target in listed]
            kind = _kind_of_items(info.properties()[name])
            uses.extend(_use(name, target, access, kind) for target in listed)
    for name, schema in info.properties().items():
        if schema.get("x-partner-target"):
            opened = _target(resolved.get(name), cwd=cwd)
            if opened is not None:
                resolved[name] = str(opened)
                uses.append(PathUse(param=name, path=str(opened), access="read"))
    for access, declared in (("read", info.permissions.read), ("write", info.permissions.write)):
        uses.extend(_declared(path, access) for path in declared)
    return ResolvedPaths(resolved, tuple(uses), problems)


def _listed(value: Json, access: str, *, cwd: str, beside: Path | None) -> tuple[list[Path], str]:
    """The places that a list of paths names, each once, or why one of them does not do."""
    found: list[Path] = []
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, str) or not each:
            return [], ""  # no path: what is wrong with it, the schema says
        try:
            target = _left(each, beside) or _find(each, cwd=cwd)
            problem = _problem(each, target, access)
        except (OSError, RuntimeError, ValueError):
            problem = sentence_of("no_path", value=each[:60])
        if problem:
            return [], problem
        found.append(target)
    return list(dict.fromkeys(found)), ""


def _comes(target: Path, coming: Collection[Path]) -> bool:
    """Whether it, or the folder that it lies in, is yet to be made."""
    return target in coming or target.parent in coming


def _inside(target: Path, schema: JsonObject, resolved: JsonObject, coming: Collection[Path]) -> Path:
    """A folder to copy or move into stands for the new place in it, so that the card shows just that.

    `x-partner-into` names the path parameter, declared before, whose name is taken over.
    """
    source = resolved.get(str(schema.get("x-partner-into", "")))
    folder = target.is_dir() or (target in coming and not target.suffix)
    if isinstance(source, str) and source and folder:
        return target / Path(source).name
    return target


def is_given(value: Json) -> bool:
    """Whether somebody said a value; what an emptied field holds says none."""
    return value is not None and value != ""


def _target(value: Json, *, cwd: str) -> Path | None:
    """The file or folder that is to be opened, where that is one which exists, and no link to a page."""
    if not isinstance(value, str):
        return None
    try:
        if len(urlsplit(value).scheme) > 1 and not value.startswith(_FILE_URL):
            return None
        found = _find(
            unquote(value.removeprefix(_FILE_URL)) if value.startswith(_FILE_URL) else value, cwd=cwd
        )
        return found if found.exists() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _declared(path: str, access: str) -> PathUse:
    return _use("", Path(os.path.expanduser(path)).resolve(), access)  # noqa: PTH111


def _kind_of_items(schema: JsonObject) -> PathKind:
    items = schema.get("items")
    return path_kind(schema) or (path_kind(items) if isinstance(items, dict) else "")


def _use(param: str, target: Path, access: str, kind: PathKind = "") -> PathUse:
    shown, known = str(target), known_as(target)
    return PathUse(param=param, path=shown, access=access, seen=seen_of(shown), known_as=known, kind=kind)


def _left(value: str, folder: Path | None) -> Path | None:
    """What is meant by a name in a folder, if it is there."""
    if folder is None or Path(value).is_absolute() or value.startswith("~"):
        return None
    found = (folder / value).resolve()
    return found if found.is_relative_to(folder) and found.exists() else None


def _find(value: str, *, cwd: str) -> Path:
    """The first existing candidate, else the first one, resolved."""
    text = value.removeprefix("file://")
    path = Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises for unknown users
    if path.is_absolute():
        return path.resolve()
    base = Path(cwd) if cwd else Path.home()
    candidates = [base / path, *(Path.home() / place / path for place in _USUAL_PLACES)]
    for candidate in candidates:
        if candidate.exists():
            return candidate.resolve()
    return candidates[0].resolve()


def _problem(value: str, target: Path, access: str) -> str:
    try:
        os.fsencode(target).decode("utf-8")
    except UnicodeDecodeError:
        return sentence_of("not_utf8", path=display_path(target))
    if not target.exists():
        if access == "write" and target.parent.is_dir():
            return ""
        where = display_path(target.parent)
        # A bare name was looked for in more than one place.
        told = "not_found_in" if target.parent.is_dir() and "/" in value else "not_found"
        return sentence_of(told, value=value, folder=where)
    if not os.access(target, os.R_OK):
        return sentence_of("may_not_read", path=display_path(target))
    return ""
