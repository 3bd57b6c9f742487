"""The shipped list of models, `resources/models/catalog.toml`: a curated few for each size of memory."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from partner_desktop.base import log
from partner_desktop.base.errors import ModelError, UsageError
from partner_desktop.base.messages import current_language, system_reason
from partner_desktop.base.paths import display_path, shipped
from partner_desktop.domain.model_download import CatalogModel, CatalogUse
from partner_desktop.model.downloads.hub_files import quantisation_of
from partner_desktop.model.downloads.hub_reference import require_file_name, require_repository
from partner_desktop.model.memory_fit import MemoryShape, guessed_shape

_log = log.area("model")
#: Bits of a weight on average.
_BITS = {"Q4_K_M": 4.9, "Q8_0": 8.5, "MXFP4": 4.6}
_USUAL_BITS = 4.9
_PERMISSIVE = Literal["Apache-2.0", "MIT"]


class CatalogWhy(BaseModel):
    """One sentence in each language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    en: str = Field(min_length=1, max_length=200)
    zh: str = Field(min_length=1, max_length=200)


class CatalogSampling(BaseModel):
    """How its makers would have its words chosen; what they do not say is left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    top_k: int | None = Field(default=None, ge=0, le=1_000)
    min_p: float | None = Field(default=None, ge=0, le=1)


class CatalogEntry(BaseModel):
    """One model of the list."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]{1,60}$")
    title: str = Field(min_length=1, max_length=60)
    use: CatalogUse
    repository: str
    file: str
    size_bytes: int = Field(default=0, ge=0)
    """0: the hub's word is taken."""
    sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")
    """Empty: the hub's word is taken."""
    memory_gb: Literal[4, 8, 16, 32]
    licence: _PERMISSIVE
    why: CatalogWhy
    sampling: CatalogSampling = CatalogSampling()
    parameters: int = Field(default=0, ge=0)
    """For a guess at the size, where that is not known."""
    layers: int = Field(default=0, ge=0)
    kv_width: int = Field(default=0, ge=0)
    """Numbers that a layer keeps of a token as its key, and as many as its value: heads × their size."""
    active_parameters: int = Field(default=0, ge=0)
    """Of a mixture of experts, those that work on one token; 0: all."""

    @field_validator("repository")
    @classmethod
    def _names_a_repository(cls, name: str) -> str:
        return _fitting(name, require_repository)

    @field_validator("file")
    @classmethod
    def _names_a_file(cls, name: str) -> str:
        return _fitting(name, require_file_name)

    @property
    def reason(self) -> str:
        """Why to take it, in the language that is spoken."""
        return self.why.zh if current_language() == "zh" else self.why.en

    @property
    def shape(self) -> MemoryShape:
        """What memory it will need, as far as the list tells; a guess, until its header is here."""
        bits = _BITS.get(quantisation_of(self.file), _USUAL_BITS)
        size_bytes = self.size_bytes or int(self.parameters * bits / 8)
        shape = guessed_shape(size_bytes)
        if self.layers and self.kv_width:
            shape = replace(shape, kv_numbers_a_token=2 * self.layers * self.kv_width)
        if self.active_parameters and self.parameters:
            shape = replace(shape, read_bytes=size_bytes * self.active_parameters // self.parameters)
        return shape


def _fitting(name: str, require: object) -> str:
    assert callable(require)
    try:
        return str(require(name))
    except UsageError as error:
        raise ValueError(str(error)) from error


class ModelCatalog:
    """Read when it is first asked for; blocking."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or shipped("resources") / "models" / "catalog.toml"

    @cached_property
    def entries(self) -> tuple[CatalogEntry, ...]:
        """All that fit; what does not is left out, and told in the log.

        Raises:
            ModelError: The file cannot be read; all else works without it.
        """
        try:
            raw = tomllib.loads(self._path.read_text(encoding="utf-8")).get("model", [])
        except OSError as error:
            raise ModelError(
                "downloads.catalog_broken", path=display_path(self._path), reason=system_reason(error)
            ) from error
        except ValueError as error:
            raise ModelError(
                "downloads.catalog_broken", path=display_path(self._path), reason=error
            ) from error
        reader: TypeAdapter[CatalogEntry] = TypeAdapter(Annotated[CatalogEntry, Field()])
        found: dict[str, CatalogEntry] = {}
        for number, one in enumerate(raw if isinstance(raw, list) else []):
            try:
                entry = reader.validate_python(one)
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                _log.warning("%s: model %d: %s: %s", self._path, number + 1, first["loc"], first["msg"])
                continue
            found.setdefault(entry.id, entry)
        return tuple(found.values())

    def sampling_of(self, path: Path) -> dict[str, float]:
        """How the makers of a file's model would have its words chosen; it is known by its name."""
        try:
            known = next((one for one in self.entries if PurePosixPath(one.file).name == path.name), None)
        except ModelError:
            known = None
        return known.sampling.model_dump(exclude_none=True) if known is not None else {}

    def find(self, entry_id: str) -> CatalogEntry | None:
        """The one of this id; `None`, too, where the list is broken."""
        try:
            return next((one for one in self.entries if one.id == entry_id), None)
        except ModelError:
            return None


#: Tokens a second below which nobody waits for the end of an answer.
_LEAST_SPEED = 3.0


def suggested_id(models: Sequence[CatalogModel], *, total_bytes: int) -> str:
    """The one to begin with on a machine of so much memory; empty: the list has none to talk with.

    The largest for that memory that fits now and answers in good time; where none does, the smallest.
    `models` begin with the smallest.
    """
    chats = [one for one in models if one.use == "chat"]
    # A machine sold with 8 GB has somewhat less.
    meant = [one for one in chats if one.memory_gb * 10**9 <= total_bytes * 1.05]
    fitting = [one for one in meant if one.fit.level in ("fits", "unknown")]
    quick = [one for one in fitting if not 0 < one.fit.tokens_per_s < _LEAST_SPEED]
    if quick:
        return max(quick, key=lambda one: (one.memory_gb, one.size_bytes)).id
    return next((one.id for one in (*fitting, *chats)), "")
