"""Models as the window, the commands and the settings show them."""

from __future__ import annotations

from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

ModelKind = Literal["file", "endpoint"]
ModelState = Literal["idle", "loading", "ready", "failed"]


@dataclass(frozen=True)
class ModelStatus:
    """One model of the settings, and how it is now."""

    name: str
    kind: ModelKind
    where: str
    """The file's path or the endpoint's address."""
    state: ModelState = "idle"
    """`idle`: it starts with its first use. An endpoint is `ready` once it has answered."""
    reason: str = ""
    """With `failed`: why, in one sentence."""
    in_use: bool = False
    """Whether it answers by default."""
    progress: float = 0.0
    """With `loading`: 0 to 1."""
    description: str = ""
    """What the model says of itself, such as `qwen2 7B Q4_K_M`; known once it was opened."""
    size_bytes: int = 0
    context_tokens: int = 0
    """0: unknown."""
    threads: int = 0
    gpu_layers: int = 0
    tokens_per_s: float = 0.0
    """Of its last answer."""
    memory_bytes: int = 0
    """What its process held of this machine's memory when it was opened or answered last, with its weights as
    far as they were read; 0: nothing, or unknown."""
    busy: bool = False
    """Whether it works on something."""
    sees: bool = False
    """Whether it can see pictures, as far as that is known; of a server's model it is not."""
    note: str = ""
    """What else should be known, such as a chat template that does not work; empty mostly."""


@dataclass(frozen=True)
class EndpointDraft:
    """An OpenAI-compatible server as a person types it in."""

    name: str
    base_url: str
    model: str = ""
    """Empty: the first that the server lists."""
    context_tokens: int = 0
    """0: unknown."""


@dataclass(frozen=True)
class EndpointCheck:
    """One thing that was tried."""

    what: Literal["reachable", "key", "model", "stream", "structured"]
    ok: bool
    sentence: str


@dataclass(frozen=True)
class EndpointReport:
    """What of an endpoint works."""

    checks: tuple[EndpointCheck, ...]
    models: tuple[str, ...] = ()
    """What the server lists."""

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)
