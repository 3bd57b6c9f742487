"""What would fit where a model did not: a shorter context of it by number, or another one of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.errors import ModelError
from partner_desktop.base.messages import sentence_of
from partner_desktop.model.gguf_header import GgufHeader, model_facts, read_header
from partner_desktop.model.memory_fit import LEAST_TOKENS, fit_of, free_bytes, projector_bytes, shape_of

_STEP_TOKENS = 256


def memory_advice(
    path: Path, others: Mapping[str, Path], *, failed_tokens: int = 0, projector: Path | None = None
) -> str:
    """One sentence for a person; reads the headers of the files. Blocking.

    `others`: the files of the settings by their names. `failed_tokens`: the context that was too long; 0: the
    shortest one was. `projector`: what sees for it.
    """
    free = free_bytes()
    seeing = _header(projector) if projector is not None else None
    tokens = _shorter(_header(path), seeing, free, failed_tokens)
    if tokens:
        return sentence_of("model.fits_shorter", tokens=f"{tokens:,}")
    fitting = {
        name: size for name, file in others.items() if file != path and (size := _fitting_bytes(file, free))
    }
    if fitting:
        return sentence_of("model.fits_other", name=max(fitting, key=fitting.__getitem__))
    return sentence_of("model.fits_nothing")


def _shorter(
    header: GgufHeader | None, seeing: GgufHeader | None, free: int | None, failed_tokens: int
) -> int:
    """A context that is clearly shorter than the one that failed, and fits now; 0: there is none."""
    if header is None or failed_tokens <= LEAST_TOKENS:
        return 0
    most = failed_tokens // 2 // _STEP_TOKENS * _STEP_TOKENS
    shape = replace(shape_of(header), projector_bytes=projector_bytes(seeing) if seeing is not None else 0)
    chosen = fit_of(shape, 0, free)
    tokens = max(LEAST_TOKENS, min(most, chosen.context_tokens))
    return tokens if fit_of(shape, 0, free, tokens).level in ("fits", "tight") else 0


def _fitting_bytes(file: Path, free: int | None) -> int:
    """The size of a model that chats and would fit now; 0: it is none."""
    header = _header(file)
    if header is None or model_facts(header).purpose != "chat":
        return 0
    return header.size_bytes if fit_of(header, 0, free).level in ("fits", "tight") else 0


def _header(file: Path) -> GgufHeader | None:
    try:
        return read_header(file)
    except ModelError:
        return None
