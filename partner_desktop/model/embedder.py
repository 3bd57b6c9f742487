"""The Embedder port: texts into vectors, so that meaning can be compared by a product of two rows.

`vectors: float32, (n, dimensions)`, each row of length 1: the cosine of two texts is their rows' product.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from partner_desktop.base.late_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]

EmbeddingState = Literal["absent", "idle", "starting", "ready", "failed"]


@dataclass(frozen=True)
class EmbeddingStatus:
    """Whether meaning can be compared here.

    `absent`: something is missing. `idle`: it starts with its first use. `failed`: it was tried and does not
    work for now. `reason` says why it is not available, in one sentence; empty when it is.
    """

    state: EmbeddingState
    reason: str = ""
    model: str = ""
    """Its name, where it is not the shipped one."""

    @property
    def available(self) -> bool:
        """Whether asking is worth it; an answer may still fail or take its time."""
        return self.state in ("idle", "starting", "ready")


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def model_id(self) -> str:
        """Names the model; vectors of different models cannot be compared."""
        ...

    def status(self) -> EmbeddingStatus:
        """The state now; short looks at the disk."""
        ...

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        """One row a text, in order. Nothing is kept. An urgent call goes before waiting ones that are not.

        Raises:
            ModelError: There are no vectors now; the message says why.
        """
        ...


class KeepingEmbedder(Embedder, Protocol):
    """An embedder that remembers what it was asked to."""

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """Like `embed`, in the background and kept on disk: for descriptors, never for a person's words.

        Cancelling loses one batch at most.

        Raises:
            ModelError: A vector is neither kept nor can be computed now.
        """
        ...
