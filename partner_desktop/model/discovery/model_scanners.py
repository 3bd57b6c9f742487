"""How each program lays its models out: from a folder to files with titles. Blocking, read-only.

No header is read here; what is a model and what only bears the name shows later.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.model_file import FindSource
from partner_desktop.model.discovery.folder_walk import FolderWalk
from partner_desktop.model.discovery.model_places import ModelPlace
from partner_desktop.model.gguf_header import is_projector_name, parts_of

_MOST_TEXT_BYTES = 1 << 20
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_LAYER = "application/vnd.ollama.image."
#: What is left out of a title: Ollama's own registry, and its own models there.
_USUAL_REGISTRY, _USUAL_OWNER = "registry.ollama.ai", "library"
_HUB_FOLDER = re.compile(r"^models--(?P<owner>.+?)--(?P<name>.+)$")
#: A line of Jan's `model.yml` that is one key and one text.
_YAML_LINE = re.compile(r"^(?P<key>\w+):[ \t]+(?P<value>[^#\n]+?)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class ModelCandidate:
    """A file that may be a model."""

    path: Path
    source: FindSource
    title: str
    projector: Path | None = None
    """Where its program says which are its eyes."""
    flat: bool = False
    """Files of several models lie in its folder."""
    trouble: str = ""


def scanned(place: ModelPlace, walk: FolderWalk) -> Iterator[ModelCandidate]:
    """What may be models in a place, eyes of others among them.

    Raises:
        ModelError: The folder cannot be read.
    """
    yield from _SCANNERS.get(place.source, _any_folder)(place, walk)


def _any_folder(place: ModelPlace, walk: FolderWalk) -> Iterator[ModelCandidate]:
    """Every GGUF file; of a split model the first part."""
    for path in walk.files(place.folder):
        if _is_model_name(path):
            yield ModelCandidate(path, place.source, path.stem, flat=path.parent == place.folder)


def _is_model_name(path: Path) -> bool:
    """A model that is there whole, or the first part of one."""
    name = path.name.lower()
    if not name.endswith(".gguf") or name.startswith(("incomplete-", ".")):
        return False
    return parts_of(path)[0] == path


def _hub(place: ModelPlace, walk: FolderWalk) -> Iterator[ModelCandidate]:
    """`models--owner--name/snapshots/<revision>/<file>`, which are links into `blobs`."""
    for path in walk.files(place.folder, without=("blobs",)):
        if _is_model_name(path):
            inside = path.relative_to(place.folder).parts
            named = _HUB_FOLDER.match(inside[0])
            title = f"{named['owner']}/{named['name']}: {path.stem}" if named else path.stem
            yield ModelCandidate(path, place.source, title)


def _jan(place: ModelPlace, walk: FolderWalk) -> Iterator[ModelCandidate]:
    """A folder a model; its `model.yml` names files that may lie elsewhere."""
    told, files = set[Path](), []
    for path in walk.files(place.folder):
        if path.name in ("model.yml", "model.yaml"):
            entry = _yaml(path)
            model, eyes = entry.get("model_path", ""), entry.get("mmproj_path", "")
            if model:
                whole = _jan_path(place, model)
                told.add(whole)
                mine = _jan_path(place, eyes) if eyes else None
                yield ModelCandidate(whole, place.source, entry.get("name", "") or path.parent.name, mine)
        elif _is_model_name(path):
            files.append(path)
    for path in files:
        if path not in told:
            title = path.parent.name if path.stem == "model" else path.stem
            yield ModelCandidate(path, place.source, title, flat=path.parent == place.folder)


def _jan_path(place: ModelPlace, written: str) -> Path:
    """From Jan's data folder, or from the root of the disk."""
    data = place.folder.parent.parent if place.folder.parent.name == "llamacpp" else place.folder.parent
    return data / written


def _yaml(path: Path) -> Mapping[str, str]:
    """The plain texts of the first level."""
    return {line["key"]: line["value"].strip("\"'") for line in _YAML_LINE.finditer(_text(path))}


def _text(path: Path) -> str:
    """A short text file; empty where it cannot be read or is none."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_TEXT_BYTES:
            return ""
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return ""


def _ollama(place: ModelPlace, walk: FolderWalk) -> Iterator[ModelCandidate]:
    """`manifests/<registry>/<owner>/<model>/<tag>` name layers, which are `blobs/sha256-…`."""
    manifests = place.folder / "manifests"
    if _is_missing(manifests):
        return
    for path in walk.files(manifests):
        inside = path.relative_to(manifests).parts
        if len(inside) < 3 or path.name.startswith("."):
            continue
        *where, name, tag = inside
        title = "/".join(
            (*(one for one in where if one not in (_USUAL_REGISTRY, _USUAL_OWNER)), f"{name}:{tag}")
        )
        layers = _layers(path)
        if layers is None:
            damaged = sentence_of("finds.manifest_damaged", title=title)
            yield ModelCandidate(path, place.source, title, trouble=damaged)
        elif "model" in layers:  # one that is served elsewhere has none
            blob = place.folder / "blobs" / layers["model"]
            eyes = place.folder / "blobs" / layers["projector"] if "projector" in layers else None
            missing = sentence_of("finds.blob_missing", title=title) if _is_missing(blob) else ""
            yield ModelCandidate(blob, place.source, title, eyes, trouble=missing)


def _is_missing(path: Path) -> bool:
    """Whether it is known not to be there; one that may not be looked at is not."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _layers(manifest: Path) -> Mapping[str, str] | None:
    """The names of blobs by what they are, `model`, `projector`; `None`: it cannot be read."""
    try:
        found = json.loads(_text(manifest))
        layers = [(str(layer["mediaType"]), str(layer["digest"])) for layer in found["layers"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    known = ((kind, _DIGEST.fullmatch(digest)) for kind, digest in reversed(layers))  # the first one counts
    return {kind.removeprefix(_LAYER): f"sha256-{digest[1]}" for kind, digest in known if digest}


_SCANNERS: Mapping[FindSource, Callable[[ModelPlace, FolderWalk], Iterator[ModelCandidate]]] = {
    "ollama": _ollama,
    "hugging_face": _hub,
    "jan": _jan,
}


def eyes_for(model: ModelCandidate, eyes: list[ModelCandidate]) -> Path | None:
    """Which of the files that are eyes belongs to a model: that of its folder; where many lie, by name."""
    beside = [one for one in eyes if one.path.parent == model.path.parent]
    if not beside or is_projector_name(model.path.name):
        return None
    best = max(beside, key=lambda one: _alike(one.path.name, model.path.name))
    if model.flat and _alike(best.path.name, model.path.name) < _LEAST_ALIKE:
        return None
    return best.path


def eyes_beside(model: Path) -> Path | None:
    """The eyes of a model that somebody points at: in its folder, as `eyes_for` has it. Blocking."""
    try:
        with os.scandir(model.parent) as entries:
            names = sorted(entry.name for entry in islice(entries, _MOST_BESIDE))
    except (OSError, ValueError):
        return None
    files = [model.with_name(name) for name in names if _is_model_name(model.with_name(name))]
    eyes = [ModelCandidate(path, "folder", path.stem) for path in files if is_projector_name(path.name)]
    alone = len(files) - len(eyes) <= 1
    return eyes_for(ModelCandidate(model, "folder", model.stem, flat=not alone), eyes)


#: Files of one folder that are looked at.
_MOST_BESIDE = 10_000
_LEAST_ALIKE = 8
_EYES_WORD = re.compile(r"mmproj[-._]?(model[-._]?)?", re.IGNORECASE)


def _alike(eyes: str, model: str) -> int:
    """How many signs both names begin with, apart from the word for eyes."""
    plain = _EYES_WORD.sub("", eyes).lower()
    return next(
        (at for at, (one, other) in enumerate(zip(plain, model.lower(), strict=False)) if one != other),
        min(len(plain), len(model)),
    )
