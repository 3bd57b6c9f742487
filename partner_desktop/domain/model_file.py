"""Model files as a person chooses among them: what a header says, whether it fits, where it was found."""

from __future__ import annotations

from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

ModelPurpose = Literal["chat", "embedding", "projector", "other"]
"""`projector`: the eyes of another model, `mmproj`."""
FindSource = Literal[
    "ollama", "lm_studio", "hugging_face", "gpt4all", "jan", "llama_cpp", "partner", "folder"
]
FitLevel = Literal["fits", "tight", "too_large", "unknown"]


@dataclass(frozen=True)
class ModelFacts:
    """What the header of a GGUF file says; empty or 0: it does not."""

    name: str = ""
    architecture: str = ""
    purpose: ModelPurpose = "other"
    parameters: int = 0
    quantisation: str = ""
    """As `Q4_K_M`."""
    context_tokens: int = 0
    """For which it was trained."""
    has_template: bool = False
    licence: str = ""
    size_bytes: int = 0
    """Of all its parts."""
    parts: int = 1


@dataclass(frozen=True)
class MemoryFit:
    """Whether a model can be run here now, told before it is loaded."""

    level: FitLevel = "unknown"
    needed_bytes: int = 0
    """Weights, keys and values of the context, room to compute, and the process."""
    free_bytes: int = 0
    """Free now; 0: unknown."""
    context_tokens: int = 0
    """For which it is reckoned: the longest that fits, at most what is chosen by itself."""
    tokens_per_s: float = 0.0
    """A guess from how fast this machine reads memory; 0: none."""


@dataclass(frozen=True)
class FoundModel:
    """A model that lies on this machine already."""

    path: str
    """Of its first part."""
    source: FindSource
    title: str
    """As its program calls it: `llama3.2:3b`."""
    facts: ModelFacts = ModelFacts()
    fit: MemoryFit = MemoryFit()
    projector: str = ""
    """The path of its eyes; empty: it has none."""
    known_as: str = ""
    """Its name in the settings; empty: it is not there."""
    trouble: str = ""
    """Why it cannot be used, in one sentence; empty if it can."""


@dataclass(frozen=True)
class FoundModels:
    """What a look at this machine found."""

    models: tuple[FoundModel, ...] = ()
    """Those that chat and fit first."""
    notes: tuple[str, ...] = ()
    """What could not be looked at, each in one sentence."""
    looked_ms: float = 0.0


@dataclass(frozen=True)
class FoundEndpoint:
    """A program on this machine that serves models now."""

    program: str
    """`Ollama`."""
    base_url: str
    models: tuple[str, ...] = ()
    known_as: str = ""
    """Its name in the settings; empty: it is not there."""
