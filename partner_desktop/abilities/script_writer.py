"""A new script gets its place in `tmp/`: whole or not at all, under a name of its own. Blocking.

Contract: it is built in a hidden folder beside `tmp/`, read back as it will be read there, brought to the
disk, entered as made by Partner, and only then appears, by one step that replaces nothing. A crash in between
leaves nothing in `tmp/`; the hidden folder goes at the next start (`AbilityPersister.recover`).
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from partner_desktop.abilities.ability_file import AbilityFile, find_block, read_ability
from partner_desktop.abilities.new_script import NewScript
from partner_desktop.abilities.persistence import BUILDING, TemporaryFiles
from partner_desktop.base.errors import DescriptorError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.meta_action import Route
from partner_desktop.files.atomic import place_beside, sync_path, sync_tree, take_place
from partner_desktop.runner.ability_content import hash_of
from partner_desktop.runner.descriptor import Raw

_MOST_TRIES = 20


class ScriptWriter:
    """Of one `action/` folder. Used from one thread at a time."""

    def __init__(self, root: Path, temporary: TemporaryFiles) -> None:
        self._tmp = root / "tmp"
        self._temporary = temporary

    def make(self, script: NewScript, *, now_ms: int) -> str:
        """Put it into `tmp/`; its key.

        Raises:
            UsageError: It could not be read back as an ability.
            OSError: The disk refused; nothing is there.
        """
        self._tmp.mkdir(parents=True, exist_ok=True)
        place = place_beside(self._tmp) / f"{BUILDING}{new_id()[:12]}"
        place.mkdir()
        try:
            for stamp in range(now_ms, now_ms + _MOST_TRIES):
                read = build(place, script, stem=f"{stamp}-{script.name}")
                sync_tree(place)
                try:
                    self._appear(next(place.iterdir()))
                except FileExistsError:
                    _empty(place)  # somebody has that name: the next one
                    continue
                return read.info.key
        finally:
            shutil.rmtree(place, ignore_errors=True)
        raise FileExistsError(sentence_of("scripts.too_many", name=script.name))

    def _appear(self, built: Path) -> None:
        self._temporary.made(built.name, content_hash=hash_of(built))
        take_place(built, self._tmp / built.name)
        sync_path(self._tmp)


def build(place: Path, script: NewScript, *, stem: str) -> AbilityFile:
    """Write it into an empty folder, as one file, or as a folder where its language has no comments to begin
    with; and read it back.

    Raises:
        UsageError: It cannot be read back.
        OSError: The disk refused.
    """
    if script.language.sign:
        path = place / f"{stem}{script.ending}"
        path.write_text(_single_file(script), encoding="utf-8", newline="\n")
    else:
        path = place / stem
        path.mkdir()
        (path / f"run{script.ending}").write_text(script.code, encoding="utf-8", newline="\n")
        described = json.dumps(script.raw, ensure_ascii=False, indent=2) + "\n"
        (path / "desc.json").write_text(described, encoding="utf-8", newline="\n")
    try:
        return read_ability(path, location="origin", route=Route.ORIGIN)
    except DescriptorError as error:
        raise UsageError("scripts.no_ability", error=error) from error


def _single_file(script: NewScript) -> str:
    try:
        return with_block(script.code, script.raw, sign=script.language.sign)
    except DescriptorError as error:
        raise UsageError("scripts.description_unfit", error=error) from error


def _empty(place: Path) -> None:
    for path in place.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
#: What a basic string of TOML may not hold as it is, or what would end a line of comment.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
#: Lines that only work where they are: which program runs it, and how its text is encoded.
_FIRST = re.compile(r"#!")
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")


def with_block(code: str, raw: Raw, *, sign: str) -> str:
    """The code with its description in front, in place of the block that it may have.

    Raises:
        DescriptorError: Its block is not closed, or the description holds what TOML does not know.
    """
    lines = _without_block(code)
    first = 0
    while first < min(2, len(lines)) and (
        (first == 0 and _FIRST.match(lines[0])) or _CODING.match(lines[first])
    ):
        first += 1
    block = [f"{sign} /// partner", *(f"{sign} {line}".rstrip() for line in toml_lines(raw)), f"{sign} ///"]
    return "\n".join([*lines[:first], *block, *lines[first:]]) + "\n"


def _without_block(code: str) -> list[str]:
    lines = code.rstrip("\n").split("\n")
    block = find_block(code)
    if block is None:
        return lines
    body, first_line = block
    opened = first_line - 2
    return lines[:opened] + lines[opened + len(body.split("\n") if body else []) + 2 :]


def toml_lines(raw: Raw) -> Iterator[str]:
    """The description as TOML: what is short on a line of its own, each parameter as a table.

    Raises:
        DescriptorError: It holds what TOML does not know (`null`).
    """
    params = raw.get("params")
    tables = (
        isinstance(params, dict) and bool(params) and all(isinstance(each, dict) for each in params.values())
    )
    for key, value in raw.items():
        if key != "params" or not tables:
            yield f"{_key(key)} = {_value(value)}"
    for name, spec in params.items() if isinstance(params, dict) and tables else ():
        yield f"[params.{_key(name)}]"
        yield from (f"{_key(key)} = {_value(value)}" for key, value in spec.items())


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(key)} = {_value(each)}' for key, each in value.items())} }}"
    raise DescriptorError("descriptor.null_value")
