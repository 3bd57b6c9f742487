"""What the installed engine computes on: asked of a short process, so that the app never loads the engine."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress

from pydantic import BaseModel, ValidationError

from partner_desktop.base.errors import ModelError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.own_program import PACKAGE_PARENT, module_command

_MODULE = "partner_desktop.model.worker.llama.device_list"
#: A graphics card's driver may take seconds to come up.
_TIMEOUT_S = 30.0
#: Of a processor's features those that change how fast a model is.
_TELLING = (
    "AVX",
    "AVX2",
    "AVX512",
    "AVX_VNNI",
    "FMA",
    "F16C",
    "NEON",
    "DOTPROD",
    "SVE",
    "MATMUL_INT8",
    "SME",
)


class BackendDevice(BaseModel):
    """Something that computes."""

    backend: str
    """`CPU`, `CUDA`, `Metal`, `Vulkan`, …"""
    name: str
    what: str
    """As its driver calls it."""


class EngineBackends(BaseModel):
    """What the engine was built for, and what of it is here."""

    offload: bool
    """Whether layers can go to a graphics card."""
    features: tuple[str, ...]
    """Of the processor, that the engine uses."""
    devices: tuple[BackendDevice, ...]

    @property
    def cards(self) -> tuple[BackendDevice, ...]:
        """What is no processor."""
        return tuple(one for one in self.devices if one.backend not in ("CPU", "BLAS"))


async def engine_backends() -> EngineBackends:
    """Ask the installed engine.

    Raises:
        ModelError: It does not answer; the sentence says how it ended.
    """
    command = module_command(_MODULE)
    try:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=PACKAGE_PARENT, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
        )
    except OSError as error:
        raise ModelError("model.backends_unread", reason=error) from error
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            told, wrong = await process.communicate()
    except TimeoutError as error:
        reason = sentence_of("model.worker_no_answer", seconds=_TIMEOUT_S)
        raise ModelError("model.backends_unread", reason=reason) from error
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    try:
        return EngineBackends.model_validate_json(told)
    except ValidationError as error:
        last = wrong.decode("utf-8", "replace").strip().rpartition("\n")[2]
        reason = last or sentence_of("model.worker_status", status=process.returncode)
        raise ModelError("model.backends_unread", reason=reason) from error


def backends_sentence(found: EngineBackends) -> str:
    """What it computes on, and where it has no graphics card, how it would get one."""
    features = ", ".join(one for one in found.features if one in _TELLING)
    if found.cards:
        cards = "; ".join(f"{one.backend}: {one.what or one.name}" for one in found.cards)
        return sentence_of("model.backends_with_card", cards=cards, features=features)
    if found.offload:
        return sentence_of("model.backends_card_missing", features=features)
    return sentence_of("model.backends_processor", features=features)
