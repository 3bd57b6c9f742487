"""What a model has read and keeps: one sequence of tokens with its keys and values.

Contract: `held` is always what llama.cpp holds, also after an abort or an error. A call brings its whole
prompt; what it shares with `held` from the first token is kept, the rest is cut off and read. A picture is
kept or cut off whole: in `held` it is a run of its own number (`projector.py`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import llama_cpp

from partner_desktop.model.memory_fit import BATCH_TOKENS
from partner_desktop.model.worker.llama.model_loader import NativeModel
from partner_desktop.model.worker.llama.native_log import CancelledFaultError, ModelFaultError, native_log
from partner_desktop.model.worker.llama.projector import PictureChunk, Projector
from partner_desktop.model.worker.llama.prompt import common_length

_ABORTED = 2


class ModelMemory:
    """The one sequence of a native model."""

    def __init__(self, native: NativeModel) -> None:
        self._context = native.context
        self._memory = llama_cpp.llama_get_memory(native.context)
        self._whole_only = native.forgets_whole_only
        self.held = array("i")
        self._folded: list[tuple[int, int]] = []
        """Where a picture ends in `held`, and by how much it has fewer positions than tokens."""
        self.reader: object = None
        """Who had it last: whoever finds another here has to `keep` again."""
        self._room: Any = (llama_cpp.llama_token * BATCH_TOKENS)()
        self._positions: Any = (llama_cpp.llama_pos * BATCH_TOKENS)()
        self._single = (llama_cpp.llama_token * 1)()
        self._one = llama_cpp.llama_batch_get_one(self._single, 1)
        self._stop: Callable[[], bool] = _never
        # Called by native code: kept alive here as long as the context.
        self._callback = llama_cpp.ggml_abort_callback(lambda _: self._stop())
        self._nothing = llama_cpp.ggml_abort_callback(0)

    def keep(self, tokens: array[int], reader: object) -> int:
        """Cut back to what `tokens` begin with, but for their last; how many stay.

        The last one is always read anew: what may come next is known only right after it.
        """
        self.reader = reader
        shared = min(common_length(self.held, tokens), len(tokens) - 1)
        if shared == len(self.held):
            return shared
        if shared == 0 or self._whole_only or not self._cut(shared):
            self._clear()
            return 0
        del self.held[shared:]
        return shared

    def _cut(self, length: int) -> bool:
        if not llama_cpp.llama_memory_seq_rm(self._memory, 0, self._position(length), -1):
            return False
        self._folded = [(end, fewer) for end, fewer in self._folded if end <= length]
        return True

    def _clear(self) -> None:
        # The numbers need not be wiped.
        llama_cpp.llama_memory_clear(self._memory, False)
        del self.held[:]
        self._folded = []

    def _position(self, length: int) -> int:
        """Where llama.cpp puts what comes after so many tokens."""
        return length - sum(fewer for end, fewer in self._folded if end <= length)

    def _place(self, batch: Any, count: int) -> None:  # noqa: ANN401 - a structure of the binding
        """Say where a batch stands, where llama.cpp would count on from the picture's first position."""
        batch.pos = None
        if self._folded:
            first = self._position(len(self.held))
            self._positions[:count] = range(first, first + count)
            batch.pos = self._positions

    @contextmanager
    def _stoppable(self, gave_up: Callable[[], bool]) -> Iterator[None]:
        self._stop = gave_up
        llama_cpp.llama_set_abort_callback(self._context, self._callback, None)
        try:
            yield
        finally:
            llama_cpp.llama_set_abort_callback(self._context, self._nothing, None)
            self._stop = _never

    def read(self, tokens: array[int], gave_up: Callable[[], bool]) -> None:
        """Evaluate what comes next, at most a batch; the last one's logits are there then.

        Raises:
            CancelledFaultError: `gave_up` said so in the midst of it; nothing of it is held.
            ModelFaultError: llama.cpp failed.
        """
        count = len(tokens)
        if count == 1:
            self.add(tokens[0])
            return
        self._room[:count] = list(tokens)
        batch = llama_cpp.llama_batch_get_one(self._room, count)
        self._place(batch, count)
        with self._stoppable(gave_up):
            status = llama_cpp.llama_decode(self._context, batch)
        if status != 0:
            self._undo(status)
        self.held.extend(tokens)

    def see(self, picture: PictureChunk, eyes: Projector, gave_up: Callable[[], bool]) -> None:
        """Read a picture, or a part of one, that comes next.

        Raises:
            CancelledFaultError: `gave_up` said so in the midst of it; nothing of it is held.
            ModelFaultError: llama.cpp failed.
        """
        eyes.encode(picture, gave_up)
        try:
            with self._stoppable(gave_up):
                status = eyes.decode(picture, self._position(len(self.held)), gave_up)
        except CancelledFaultError:
            status = _ABORTED
        if status != 0:
            self._undo(status)
        self.held.extend(array("i", [picture.number]) * picture.tokens)
        if picture.positions != picture.tokens:
            self._folded.append((len(self.held), picture.tokens - picture.positions))

    def add(self, token: int) -> None:
        """Evaluate one more.

        Raises:
            ModelFaultError: llama.cpp failed.
        """
        self._single[0] = token
        self._place(self._one, 1)
        status = llama_cpp.llama_decode(self._context, self._one)
        if status != 0:
            self._undo(status)
        self.held.append(token)

    def _undo(self, status: int) -> None:
        """Of a batch that failed, nothing may stay."""
        if self._whole_only or not self._cut(len(self.held)):
            self._clear()
        if status == _ABORTED:
            raise CancelledFaultError
        why = native_log().first_error or f"llama.cpp answers {status}"
        raise ModelFaultError("model", f"The model failed: {why}.")


def _never() -> bool:
    return False
