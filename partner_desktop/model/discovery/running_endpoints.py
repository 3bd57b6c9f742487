"""Programs on this machine that serve models now: one question to each port that they usually have.

Contract: asked only when a person wants it, all at once, each bounded in time; nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.model_file import FoundEndpoint
from partner_desktop.model.endpoint.body import prepare
from partner_desktop.model.endpoint.chat_model import EndpointChatModel
from partner_desktop.model.endpoint.constraint import DialectMemory
from partner_desktop.model.endpoint.failure import EndpointError
from partner_desktop.model.settings import EndpointModel

#: On the loopback whoever is there answers at once; a busy one may take a moment.
CONNECT_S = 1.0
ANSWER_S = 3.0
_NEEDS_KEY = (401, 403)


@dataclass(frozen=True)
class ServingProgram:
    """What it is called, and the port that it has where nobody chose another."""

    name: str
    port: int
    common: bool = False
    """Many other programs have this port: a mere refusal does not show that it is this one."""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


KNOWN_PROGRAMS = (
    ServingProgram("Ollama", 11_434),
    ServingProgram("LM Studio", 1234),
    ServingProgram("llama-server", 8080, common=True),
    ServingProgram("vLLM", 8000, common=True),
    ServingProgram("Jan", 1337),
    ServingProgram("GPT4All", 4891),
)


async def running_endpoints(
    programs: Sequence[ServingProgram] = KNOWN_PROGRAMS, *, clock: Clock, answer_s: float = ANSWER_S
) -> tuple[FoundEndpoint, ...]:
    """Those that answer with a list of models, or want a key first."""
    await prepare()
    found = await asyncio.gather(*(_asked(program, clock, answer_s) for program in programs))
    return tuple(one for one in found if one is not None)


async def _asked(program: ServingProgram, clock: Clock, answer_s: float) -> FoundEndpoint | None:
    settings = EndpointModel(
        name=program.name,
        base_url=program.base_url,
        connect_seconds=min(CONNECT_S, answer_s),
        answer_seconds=answer_s,
    )
    model = EndpointChatModel(settings, key=_no_key, clock=clock, dialects=DialectMemory(None, clock=clock))
    guarded = False
    try:
        async with asyncio.timeout(answer_s):
            await model.load()
    except EndpointError as error:
        guarded = error.refusal.status in _NEEDS_KEY and not program.common
    except (ModelError, TimeoutError):
        pass  # nobody there, or somebody else
    finally:
        await model.shutdown()
    if not (model.reached or guarded):
        return None
    return FoundEndpoint(program.name, program.base_url, model.listed)


async def _no_key() -> str:
    return ""
