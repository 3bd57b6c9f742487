"""MeaningIndex: how near a message is in meaning to what each ability says about itself.

Contract: vectors are made when a message first needs them and kept by text. A message waits for its own
vector and for those of the abilities that are likeliest by words; the others are made behind it and serve the
next message. Without vectors (no engine, a worker that fails) it answers nothing, and words alone decide.
The model starts behind a first message whose words are plain (`asleep`, `wake`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from partner_desktop.base import log
from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.model.embedder import KeepingEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]

_log = log.area("mind")

#: Abilities whose vectors a message waits for; with more, the rest come behind it.
FIRST = 48
#: Texts of one ability that are compared: its description, its name, and so many aliases.
ALIASES = 8
#: An alias is short and says what a person would: near ones are nearer than descriptions ever are.
_ALIAS_DISCOUNT = 0.1
#: A first answer is out by then, which starting the model would only slow down.
_WAKE_AFTER_S = 1.0
#: For examples a message waits so often, and so long: those that are on disk are there by then.
_TRIES, _PATIENCE_S = 2, 0.25
#: Vectors kept in memory (1.5 KB each).
_KEPT = 20_000


@dataclass(frozen=True)
class Nearness:
    """Cosines, -1 to 1."""

    description: float
    name: float


class MeaningIndex:
    """The vectors of abilities, by text. `embedder` makes them and keeps them on disk."""

    def __init__(self, embedder: KeepingEmbedder, *, wake_after_s: float = _WAKE_AFTER_S) -> None:
        self._embedder = embedder
        self._wake_after_s = wake_after_s
        self._vectors: dict[str, Vector] = {}
        self._model = ""
        """Whose vectors they are."""
        self._tasks = TaskSet("meaning")
        self._learning: asyncio.Task[None] | None = None

    async def launch(self) -> None:
        """Nothing is made before it is needed."""

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def settled(self) -> None:
        """Wait until no vectors are being made behind."""
        if self._learning is not None:
            await asyncio.wait([self._learning])

    async def prepare(self, infos: Sequence[MetaActionInfo]) -> None:
        """Make the vectors of abilities, and of what is said to Partner, before a message needs them."""
        from partner_desktop.language.speech_acts.small_talk import self_talk_examples  # noqa: PLC0415

        if self._embedder.status().available:
            examples = await asyncio.to_thread(self_talk_examples, "en")
            self._learn_behind([*_all(_texts(info) for info in infos), *examples.texts])

    @property
    def asleep(self) -> bool:
        """Whether a vector would have to wait for the model to start."""
        return self._embedder.status().state in ("idle", "starting")

    def wake(self, text: str) -> None:
        """Start the model behind, with a text that it may as well know."""
        if self._embedder.status().state == "idle":
            self._tasks.start("wake", self._wake(text))

    async def _wake(self, text: str) -> None:
        await asyncio.sleep(self._wake_after_s)
        await self.vector_of(text)

    async def vector_of(self, text: str) -> Vector | None:
        """What the text means; `None` where that cannot be known."""
        if not text.strip() or not self._embedder.status().available:
            return None
        try:
            vectors = await self._embedder.embed([text], urgent=True)
        except ModelError as error:
            _log.info("abilities are found by words only: %s", error)
            return None
        vector: Vector = vectors[0]
        return vector

    async def likeness(self, text: str, others: Sequence[str]) -> list[float] | None:
        """The cosine of a text with each of the others; `None` where that is not known yet."""
        for _ in range(_TRIES if self._missing(others) and not self.asleep else 0):
            self._learn_behind(others)
            if self._learning is not None:
                await asyncio.wait([self._learning], timeout=_PATIENCE_S)
        if self.asleep or self._missing(others):
            return None
        asked = await self.vector_of(text)
        if asked is None:
            return None
        cosines = await asyncio.to_thread(_cosines, asked, {each: self._vectors[each] for each in others})
        return [cosines[each] for each in others]

    async def nearness(self, asked: Vector, likeliest: Sequence[MetaActionInfo]) -> Mapping[str, Nearness]:
        """Key → nearness to what was asked, for abilities whose vectors are there; `likeliest` first."""
        texts = {info.key: _texts(info) for info in likeliest}
        first = self._missing(_all(texts[info.key] for info in likeliest[:FIRST]))
        try:
            await self._learn(first)
        except ModelError as error:
            _log.info("abilities are found by words only: %s", error)
            return {}
        self._learn_behind(_all(texts.values()))
        known = {key: told for key, told in texts.items() if not self._missing(told.every)}
        vectors = {text: self._vectors[text] for text in _all(known.values())}
        return await asyncio.to_thread(_compare, asked, known, vectors)

    def _missing(self, texts: Iterable[str]) -> list[str]:
        """What has no vector of the model that embeds now; those of another one go."""
        if self._model != self._embedder.model_id:
            self._vectors.clear()
            self._model = self._embedder.model_id
        return [text for text in texts if text not in self._vectors]

    async def _learn(self, texts: Sequence[str]) -> None:
        if not texts:
            return
        model = self._embedder.model_id
        made = await self._embedder.vectors(texts)
        if model != self._model:
            return
        if len(self._vectors) + len(texts) > _KEPT:
            self._vectors.clear()
        self._vectors.update(zip(texts, made, strict=True))

    def _learn_behind(self, texts: Sequence[str]) -> None:
        missing = self._missing(texts)[:_KEPT]
        if missing and (self._learning is None or self._learning.done()):
            self._learning = self._tasks.start("vectors", self._learn_all(missing))

    async def _learn_all(self, texts: Sequence[str]) -> None:
        try:
            await self._learn(texts)
        except ModelError as error:
            _log.info("the vectors of %d texts could not be made: %s", len(texts), error)


@dataclass(frozen=True)
class _Texts:
    """What an ability says about itself, as it is compared."""

    description: str
    name: str
    aliases: tuple[str, ...]

    @property
    def every(self) -> tuple[str, ...]:
        return (self.description, self.name, *self.aliases)


def _texts(info: MetaActionInfo) -> _Texts:
    """The embedding model is English: Chinese aliases are left to the words."""
    # The index is there from the start, what it compares only with the first message.
    from partner_desktop.language.terms import TEXT_LIMIT, mainly_cjk  # noqa: PLC0415

    name = _spoken(info.title)
    aliases = [alias for alias in info.aliases if not mainly_cjk(alias)]
    return _Texts(f"{name}: {info.description[:TEXT_LIMIT]}", name, tuple(aliases[:ALIASES]))


def _spoken(name: str) -> str:
    """`getUserInfo.v2` → `get user info v2`."""
    return re.sub(r"[_.\-:]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)).strip().lower() or name


def _all(texts: Iterable[_Texts]) -> list[str]:
    return list(dict.fromkeys(text for told in texts for text in told.every))


def _compare(asked: Vector, told: Mapping[str, _Texts], vectors: Mapping[str, Vector]) -> dict[str, Nearness]:
    cosines = _cosines(asked, vectors)
    return {key: _nearness(item, cosines) for key, item in told.items()}


def _cosines(asked: Vector, vectors: Mapping[str, Vector]) -> dict[str, float]:
    """Numpy comes with the engine and is slow to import: in a thread, and only when there are vectors."""
    import numpy as np  # noqa: PLC0415

    if not vectors:
        return {}
    return dict(zip(vectors, (np.stack(list(vectors.values())) @ asked).tolist(), strict=True))


def _nearness(told: _Texts, cosines: Mapping[str, float]) -> Nearness:
    alias = max((cosines[alias] - _ALIAS_DISCOUNT for alias in told.aliases), default=-1.0)
    return Nearness(max(cosines[told.description], alias), max(cosines[told.name], alias))
