"""ChosenEmbedder: the embedding model that the settings name, else the shipped one.

Contract: `model_id` changes with the model, and with the file of one, so that whoever keeps vectors can tell
whose they are, also where it is put in place of another while Partner runs. A file that goes away, is no
embedding model, or gives no numbers, leaves it to the shipped model, which is told once. Everything runs on
one loop.

What compares meanings was made for the shipped model: rows of 384 numbers, texts that have nothing to do with
each other near a cosine of 0. `FoldedEmbedder` gives another model's vectors that form. It takes off what all
texts share (Mu and Viswanath, All-but-the-Top, ICLR 2018): with many models any two texts are near 0.8
without that. Longer rows are projected at random (Johnson and Lindenstrauss), which keeps cosines to some
hundredths; shorter ones are filled up, which keeps them as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from partner_desktop.base import log
from partner_desktop.base.errors import ModelError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path, shipped
from partner_desktop.base.tasks import TaskSet
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.events import Event, NoticeEvent
from partner_desktop.model.embedder import EmbeddingStatus
from partner_desktop.model.gguf_header import model_facts, read_header
from partner_desktop.model.llama_embedder import DIMENSIONS, LlamaEmbedder
from partner_desktop.model.settings import ModelSettings, whole_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from partner_desktop.model.embedder import Vectors

_log = log.area("model")

_NOTHING = "-"
#: Raised with every change of what is made of a model's own vectors.
_FORM = 1


def require_embedder(path: Path) -> None:
    """See that a file is an embedding model. Blocking.

    Raises:
        ModelError: It is none, or cannot be read; the sentence says why.
    """
    if model_facts(read_header(path)).purpose != "embedding":
        raise ModelError("model.no_embeddings", path=display_path(path))


class ChosenEmbedder:
    """An `Embedder`; owns the models that it asks. `make` makes one of a file."""

    def __init__(
        self,
        shipped_one: LlamaEmbedder,
        settings: ConfigHandle[ModelSettings],
        *,
        make: Callable[[Path], LlamaEmbedder],
        publish: Callable[[Event], None],
    ) -> None:
        self._shipped, self._settings = shipped_one, settings
        self._make, self._publish = make, publish
        self._other: FoldedEmbedder | None = None
        self._written = ""
        self._tasks = TaskSet("embedding models")
        self._undo: Callable[[], None] = lambda: None

    async def launch(self) -> None:
        """Look at what the settings name; nothing is loaded."""
        self._undo = self._settings.on_change(self._follow)
        await self._follow(self._settings.value)

    async def shutdown(self) -> None:
        """End the models, bounded in time."""
        self._undo()
        if self._other is not None:
            await self._other.shutdown()
        await self._tasks.close()
        await self._shipped.shutdown()

    async def _follow(self, settings: ModelSettings) -> None:
        if settings.embedding == self._written:
            return
        self._written = settings.embedding
        other = None
        if self._written:
            path = whole_path(self._written)
            try:
                await asyncio.to_thread(require_embedder, path)
                other = FoldedEmbedder(path, self._make(path), await asyncio.to_thread(_state_of, path))
            except ModelError as error:
                self._tell_lost(str(error))
        self._put(other)

    def _put(self, other: FoldedEmbedder | None) -> None:
        gone, self._other = self._other, other
        if gone is not None:
            self._tasks.start("close an embedding model", gone.shutdown())

    def _now(self) -> FoldedEmbedder | LlamaEmbedder:
        """Who embeds now; a short look at the disk."""
        other = self._other
        if other is None:
            return self._shipped
        state = _state_of(other.path)
        if state == other.state:
            return other
        if not state:
            self._leave(other, sentence_of("model.no_file", path=display_path(other.path)))
            return self._shipped
        fresh = FoldedEmbedder(other.path, self._make(other.path), state)
        self._put(fresh)
        self._tasks.start("look at another embedding file", self._look_at(fresh))
        return fresh

    async def _look_at(self, fresh: FoldedEmbedder) -> None:
        """What lies now where an embedding model lay may be none."""
        try:
            await asyncio.to_thread(require_embedder, fresh.path)
        except ModelError as error:
            self._leave(fresh, str(error))

    def _leave(self, other: FoldedEmbedder, why: str) -> None:
        """It cannot be used any more; told once, whoever notices it first."""
        if self._other is other:
            self._put(None)
            self._tell_lost(why)

    def _tell_lost(self, why: str) -> None:
        _log.warning("the chosen embedding model cannot be used: %s", why)
        text = sentence_of("model.embedding_lost", why=why)
        self._publish(NoticeEvent(title="Model", text=text, level="warning", about="embedding model"))

    # As an Embedder.

    @property
    def model_id(self) -> str:
        return self._now().model_id

    def status(self) -> EmbeddingStatus:
        """See `Embedder.status`; with the model's name where it is not the shipped one."""
        now = self._now()
        return replace(now.status(), model=now.path.stem) if isinstance(now, FoldedEmbedder) else now.status()

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        """See `Embedder.embed`."""
        now = self._now()
        try:
            return await now.embed(texts, urgent=urgent)
        except _NoNumbersError as error:
            if isinstance(now, FoldedEmbedder):
                self._leave(now, str(error))
            return await self._shipped.embed(texts, urgent=urgent)


class _NoNumbersError(ModelError):
    """What a model makes of any text cannot be compared."""


def _state_of(path: Path) -> str:
    """What tells a file from another one of its name; empty: there is none. Blocking, shortly."""
    try:
        stat = path.stat()
    except OSError:
        return ""
    return f"{stat.st_size}.{stat.st_mtime_ns}" if S_ISREG(stat.st_mode) else ""


class FoldedEmbedder:
    """Another model's vectors in the form of the shipped one's. Owns `inner`, which gives them as made."""

    def __init__(self, path: Path, inner: LlamaEmbedder, state: str) -> None:
        """`state` tells the file from another one of its name."""
        self.path, self.state = path, state
        self.model_id = f"{path.stem} {state} {_FORM}"
        self._inner = inner
        self._shared: Vectors | None = None
        self._measuring = asyncio.Lock()

    def status(self) -> EmbeddingStatus:
        """See `Embedder.status`."""
        return self._inner.status()

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        """See `Embedder.embed`."""
        shared = await self._what_all_share()
        # Of no tokens at all llama.cpp makes no vector; the shipped model's texts always have two.
        read = [text or _NOTHING for text in texts or ("",)]
        rows = await self._inner.embed(read, urgent=urgent)
        folded = await asyncio.to_thread(_folded, rows, shared)
        return folded[: len(texts)]

    async def _what_all_share(self) -> Vectors:
        async with self._measuring:
            if self._shared is None:
                texts = await asyncio.to_thread(_unlike_sentences)
                shared = (await self._inner.embed(texts, urgent=True)).mean(axis=0)
                if not (abs(shared) < float("inf")).all():  # a broken file's weights are no numbers
                    raise _NoNumbersError("model.no_numbers", path=display_path(self.path))
                self._shared = shared
            return self._shared

    async def shutdown(self) -> None:
        """End the worker, bounded in time."""
        await self._inner.shutdown()


def _unlike_sentences() -> list[str]:
    text = (shipped("resources") / "models" / "unlike_sentences.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line]


def _folded(rows: Vectors, shared: Vectors) -> Vectors:
    """Each row `(d,)` → `(384,)`, of length 1."""
    import numpy as np  # noqa: PLC0415 - there since the rows are

    left = rows - shared
    left[~np.isfinite(left).all(axis=1)] = 0.0  # one text that a model cannot read says nothing
    if left.shape[1] > DIMENSIONS:
        left = left @ _projection(left.shape[1])
    folded = np.zeros((len(left), DIMENSIONS), dtype="<f4")
    folded[:, : left.shape[1]] = left
    lengths = np.linalg.norm(folded, axis=1)
    folded[lengths < 1e-6, 0] = 1.0  # a text that says nothing of its own has to point somewhere
    whole: Vectors = (folded / np.where(lengths < 1e-6, 1.0, lengths)[:, None]).astype("<f4")
    return whole


@cache
def _projection(dimensions: int) -> NDArray[np.float32]:
    """The same everywhere and for ever: what is kept on disk was made by it."""
    import numpy as np  # noqa: PLC0415 - as above

    # The older generator is the one whose numbers are promised never to change.
    numbers = np.random.RandomState(DIMENSIONS).standard_normal((dimensions, DIMENSIONS))
    scaled: NDArray[np.float32] = (numbers / DIMENSIONS**0.5).astype("<f4")
    return scaled
