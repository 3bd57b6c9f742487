"""What the names of model files say, as people who share them write these."""

from __future__ import annotations

import re
from collections.abc import Iterable

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.model_download import HubFile
from partner_desktop.domain.model_file import ModelPurpose
from partner_desktop.model.downloads.fetch_messages import PartSpec
from partner_desktop.model.downloads.hub_reference import require_file_name

#: A repository that lists more is cut there.
MOST_FILES = 2_000
_MOST_PARTS = 999
_SPLIT = re.compile(r"(?P<stem>.+)-(?P<part>\d{5})-of-(?P<parts>\d{5})\.gguf", re.IGNORECASE)
_QUANTISATION = re.compile(
    r"(?<![A-Za-z0-9])(?P<name>(?:UD[-_])?(?:I?Q\d(?:_[A-Z0-9]+)*|TQ\d_\d|MXFP4(?:_MOE)?|BF16|F(?:P)?16|F(?:P)?32))"
    r"(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_EMBEDS = re.compile(
    r"(?<![a-z])(?:embed(?:ding)?s?|bge|gte|e5|minilm|rerank(?:er)?)(?![a-z])", re.IGNORECASE
)


def quantisation_of(file: str) -> str:
    """As `Q4_K_M`; empty where the name does not say it."""
    found = list(_QUANTISATION.finditer(file.rpartition("/")[2]))
    return found[-1]["name"].upper() if found else ""


def purpose_of(file: str, repository: str = "") -> ModelPurpose:
    """What it is for, as far as names tell."""
    if "mmproj" in file.rpartition("/")[2].lower():
        return "projector"
    return "embedding" if _EMBEDS.search(f"{repository} {file}") else "chat"


def split_parts(file: str) -> tuple[str, ...]:
    """The files that belong to it, from the first on; itself where it is whole.

    Raises:
        UsageError: It says that it has more parts than one could fetch.
    """
    found = _SPLIT.fullmatch(file)
    if found is None:
        return (file,)
    count = int(found["parts"])
    if not 1 <= count <= _MOST_PARTS:
        raise UsageError("downloads.odd_file", file=file)
    ending = file[-5:]
    return tuple(f"{found['stem']}-{number:05}-of-{count:05}{ending}" for number in range(1, count + 1))


def file_title(file: str) -> str:
    """What a model is called where nothing says it: the name of its file."""
    name = file.rpartition("/")[2]
    found = _SPLIT.fullmatch(name)
    return found["stem"] if found else name[: -len(".gguf")]


def model_files(repository: str, seen: Iterable[PartSpec]) -> tuple[HubFile, ...]:
    """The models among the files of a repository: one that is split is one, and what lacks a part is none.

    Names that cannot be taken over are left out. Smaller ones first, projectors last.
    """
    sizes: dict[str, int] = {}
    for one in seen:
        try:
            sizes[require_file_name(one.file)] = max(0, one.size_bytes)
        except UsageError:
            continue
        if len(sizes) >= MOST_FILES:
            break
    files = []
    for file in sizes:
        try:
            parts = split_parts(file)
        except UsageError:
            continue
        if parts[0] == file and all(part in sizes for part in parts):
            files.append(
                HubFile(
                    file,
                    sum(sizes[part] for part in parts),
                    quantisation=quantisation_of(file),
                    purpose=purpose_of(file, repository),
                    parts=len(parts),
                )
            )
    return tuple(sorted(files, key=lambda one: (one.purpose == "projector", one.size_bytes, one.file)))
