"""The paths that a finished step offers: what its result names, and what it left, sent or wrote. Blocking."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import expanded_path
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.anaphora import alike, nouns, words_of

_LONGEST_PATH = 4_096
_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}")
_PATH_WORDS = re.compile(
    r"path|file|folder|archive|target|output|saved|written|backup|zip|result|location", re.IGNORECASE
)


def paths_in(schema: JsonObject, result: ActionRecord, workspace: Path | None, words: str) -> list[Json]:
    """What the result names, then what the run left, sent or was given to write; its own input at last.

    Where it left several files and says of none that it is meant, nothing is offered: see `left_in`.
    """
    wants = nouns(words_of("", schema))
    echoed = input_paths_of(result)
    named = [*_said(result, workspace)]
    said = [path for path in named if str(path) not in echoed]
    if not any(alike(wants, noun_of(path)) for path in said):
        left = left_in(schema, result, workspace, words=words)
        if len(left) > 1:
            return []
        said += left
    others = [part.path for part in result.parts]
    others += [use.path for use in result.paths if use.access == "write"]
    found = [*said, *(path for each in others if (path := there(each, "", None)) is not None), *named]
    return [str(path) for path in dict.fromkeys(found) if alike(wants, noun_of(path))]


def left_in(
    schema: JsonObject, result: ActionRecord, workspace: Path | None, *, words: str = ""
) -> list[Path]:
    """The files in a run's workspace that may be meant by a parameter; one alone is the one.

    `words`: what asks for the step that needs it, and what its ability says of itself.
    """
    if workspace is None or not alike(nouns(words_of("", schema)), frozenset({"file"})):
        return []
    lying = (there(file.name, "", workspace) for file in result.files)
    found = [path for path in lying if path is not None and path.is_file()]
    described = words_of("", schema)
    for fits in (partial(_is_called, words), partial(_ends_as, described), partial(_ends_as, words)):
        fitting = [path for path in found if fits(path)]
        if len(fitting) == 1:
            return fitting
    return found


def _is_called(words: str, path: Path) -> bool:
    """Whether the words name the file."""
    return path.name.casefold() in words.casefold()


def _ends_as(words: str, path: Path) -> bool:
    """Whether the words are about files of such an ending."""
    from partner_desktop.language.disk_names import FILE, FOLDER, is_of_kind, kinds_in  # noqa: PLC0415 - not at the start

    kinds = kinds_in(words) - {FILE, FOLDER}
    return any(is_of_kind(path.name, kind, is_folder=False) for kind in kinds)


def input_paths_of(result: ActionRecord) -> set[str]:
    """What the run was given to read: who names it again has not made it."""
    return {use.path for use in result.paths if use.access == "read"}


def _said(result: ActionRecord, workspace: Path | None) -> Iterator[Path]:
    """The paths that a result names, those in its workspace first, and those that are called paths."""
    named = [leaf for leaf in leaves_of(result.data) if isinstance(leaf.value, str)]
    named.sort(key=lambda leaf: _PATH_WORDS.search(leaf.name) is None)  # stable: else as they stand
    lines = result.stdout.strip().splitlines()
    said = [str(leaf.value) for leaf in named] + (lines if len(lines) == 1 else [])
    found = [path for each in said if (path := there(each, result.cwd, workspace)) is not None]
    found.sort(key=lambda path: workspace is None or not path.is_relative_to(workspace))  # stable
    yield from found


def there(text: str, cwd: str, workspace: Path | None) -> Path | None:
    """The path that a text is, if it is there; a bare name lies in the run's workspace or folder."""
    text = text.strip().removeprefix("file://")
    if not text or len(text) > _LONGEST_PATH or not text.isprintable():
        return None
    try:
        path = expanded_path(text)
        if path.is_absolute():
            return path.resolve() if path.exists() else None
        inside = (workspace / path).resolve() if workspace is not None else None
        if (
            inside is not None
            and workspace is not None
            and inside.is_relative_to(workspace.resolve())
            and inside.exists()
        ):
            return inside
        beside = Path(cwd) / path if cwd and ("/" in text or path.suffix) else None
        return beside.resolve() if beside is not None and beside.exists() else None
    except (OSError, RuntimeError, ValueError):
        return None


def noun_of(path: Path) -> frozenset[str]:
    return frozenset({"folder"} if path.is_dir() else {"file"})


def noun_of_name(said: str) -> frozenset[str]:
    """What a path is that need not be there yet; empty: its name does not tell."""
    try:
        path = expanded_path(said)
        if path.exists():
            return noun_of(path)
    except (OSError, RuntimeError, ValueError):
        return frozenset()
    return frozenset({"file"} if _ENDING.fullmatch(path.suffix) else ())


#: Characters of a text that is brought.
MOST_TEXT = 1_000_000
#: Places of a result that are looked at, and how deep they lie.
_MOST_LEAVES, DEEPEST = 2_000, 6


@dataclass(frozen=True)
class Leaf:
    """A value in a result, and what it is called there."""

    name: str
    value: Json


def _leaves(data: Json, name: str = "", depth: int = 0) -> Iterator[Leaf]:
    """Everything in a result that is no object, outer things first; lists as a whole, then what they hold."""
    if depth > DEEPEST:
        return
    if isinstance(data, dict):
        inner = [(str(key), value) for key, value in data.items()]
        yield from (Leaf(key, value) for key, value in inner if not isinstance(value, dict))
        for key, value in inner:
            if isinstance(value, dict | list):
                yield from _leaves(value, key, depth + 1)
    elif isinstance(data, list):
        for value in data:
            if isinstance(value, dict | list):
                yield from _leaves(value, name, depth + 1)
            else:
                yield Leaf(name, value)
    else:
        yield Leaf(name, data)


def leaves_of(data: Json) -> list[Leaf]:
    found: list[Leaf] = []
    for leaf in _leaves(data):
        found.append(leaf)
        if len(found) >= _MOST_LEAVES:
            break
    return found
