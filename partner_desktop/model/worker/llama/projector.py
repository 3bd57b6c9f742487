"""A model's eyes: a projector (`mmproj`) makes of a picture what stands in a prompt as tokens do.

Contract: it is opened with the first picture, not with the model, so that one that is missing, foreign or
broken takes nothing from the words. Everything native here runs in the worker, the decoder (stb_image) too;
how large a picture says it is, is looked at before.

A picture fills places of a prompt. In a list of tokens each of them is the picture's own number, which is
negative: whatever compares prompts compares pictures, too, and the same picture is the same number as long
as the process lives. What it came to is kept for a while: a picture is shown again with what is said next.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import llama_cpp

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.model.memory_fit import BATCH_TOKENS, free_bytes, spoken
from partner_desktop.model.worker.llama.model_loader import NativeModel
from partner_desktop.model.worker.llama.native_log import CancelledFaultError, ModelFaultError, native_log
from partner_desktop.model.worker.llama.picture_header import require_seeable

#: So many steps of a picture's computing pass between two looks at whether somebody gave it up.
_NODES_AT_ONCE = 32
_MOST_KEPT_BYTES = 64 << 20
_MAGIC = b"GGUF"


@dataclass(frozen=True)
class PictureChunk:
    """What a picture, or a part of it, fills of a prompt."""

    number: int
    """Stands in the prompt's tokens, `tokens` times; negative."""
    tokens: int
    positions: int
    """Fewer than tokens with models that count a picture's places in two directions (M-RoPE)."""
    native: Any
    """llama.cpp's; it lives as long as its `ShownPicture`."""


class ShownPicture:
    """One picture as it stands in a prompt. `close` gives its memory back; idempotent."""

    def __init__(
        self, tokens: array[int], chunks: tuple[PictureChunk, ...], free: Callable[[], None]
    ) -> None:
        self.tokens, self.chunks = tokens, chunks
        self._free = free

    def close(self) -> None:
        """It is not computed any more."""
        self._free()
        self._free = _nothing


class Projector:
    """One file, open. One thread at a time; `close` gives its memory back."""

    def __init__(self, path: Path, native: NativeModel, gave_up: Callable[[], bool]) -> None:
        """Open it.

        Raises:
            ModelFaultError: It cannot be used (`projector`); the message is a clause that says why.
            CancelledFaultError: It was given up.
        """
        self._native = native
        self._mtmd = _require_mtmd()
        self._numbers: dict[tuple[str, int], int] = {}
        self._kept: OrderedDict[int, ctypes.Array[ctypes.c_char]] = OrderedDict()
        self._kept_bytes = self._nodes = 0
        self._stop: Callable[[], bool] = gave_up
        # Called by native code: kept alive here as long as the context.
        self._progress = self._mtmd.mtmd_progress_callback(lambda _share, _: not self._stop())
        self._look = llama_cpp.ggml_backend_sched_eval_callback(lambda _node, ask, _: self._goes_on(ask))
        self._decoded = self._mtmd.mtmd_helper_post_decode_callback(lambda _batch, _: int(self._stop()))
        self._context = self._open(path)

    def _open(self, path: Path) -> Any:  # noqa: ANN401 - a pointer of the binding
        _look_at(path)
        mtmd, log = self._mtmd, native_log()
        log.listen()
        log.listen_to(mtmd.mtmd_helper_log_set)
        log.errors.clear()
        params = mtmd.mtmd_context_params_default()
        params.use_gpu = self._native.gpu_layers > 0
        params.n_threads = self._native.threads
        params.warmup = False  # the first picture is one
        params.print_timings = False
        params.cb_eval = self._look
        params.progress_callback = self._progress
        context = mtmd.mtmd_init_from_file(str(path).encode(), self._native.model, params)
        if self._stop():
            if context:
                mtmd.mtmd_free(context)
            raise CancelledFaultError
        if not context:
            raise ModelFaultError("projector", log.why or "llama.cpp does not say why")
        if not mtmd.mtmd_support_vision(context):
            mtmd.mtmd_free(context)
            raise ModelFaultError("projector", "it hears, and does not see")
        return context

    def _goes_on(self, ask: bool) -> bool:
        """llama.cpp asks of each step whether to look at it then; and, looking, whether to go on."""
        if not ask:
            return not self._stop()
        self._nodes += 1
        return self._nodes % _NODES_AT_ONCE == 0

    @contextmanager
    def _stoppable(self, gave_up: Callable[[], bool]) -> Iterator[None]:
        self._stop = gave_up
        try:
            yield
        finally:
            self._stop = _never
        if gave_up():
            raise CancelledFaultError

    def shown(self, data: bytes) -> ShownPicture:
        """What a picture fills of a prompt; nothing of it is computed yet.

        Raises:
            ModelFaultError: It cannot be read (`picture`); the message is a clause that says why.
        """
        require_seeable(data)
        mtmd, log = self._mtmd, native_log()
        log.errors.clear()
        with ExitStack() as held:
            buffer = (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
            bitmap = mtmd.mtmd_helper_bitmap_init_from_buf(self._context, buffer, len(data), False)
            if not bitmap:
                raise ModelFaultError("picture", "it is damaged")
            held.callback(mtmd.mtmd_bitmap_free, bitmap)
            chunks = mtmd.mtmd_input_chunks_init()
            kept = held.enter_context(ExitStack())
            kept.callback(mtmd.mtmd_input_chunks_free, chunks)
            marker = mtmd.mtmd_get_marker(self._context) or mtmd.mtmd_default_marker()
            text = mtmd.mtmd_input_text(marker, len(marker), False, True)
            bitmaps = (ctypes.c_void_p * 1)(bitmap)
            if mtmd.mtmd_tokenize(self._context, chunks, ctypes.byref(text), bitmaps, 1) != 0:
                raise ModelFaultError("picture", log.first_error or "llama.cpp does not say why")
            tokens, found = self._filled(chunks, sha256(data).hexdigest())
            return ShownPicture(tokens, found, kept.pop_all().close)

    def _filled(self, chunks: Any, digest: str) -> tuple[array[int], tuple[PictureChunk, ...]]:  # noqa: ANN401
        """The places, with the tokens that the model wants around a picture and between its parts."""
        mtmd = self._mtmd
        tokens, found = array("i"), list[PictureChunk]()
        for at in range(mtmd.mtmd_input_chunks_size(chunks)):
            chunk = mtmd.mtmd_input_chunks_get(chunks, at)
            if mtmd.mtmd_input_chunk_get_type(chunk) == mtmd.MTMD_INPUT_CHUNK_TYPE_TEXT:
                count = ctypes.c_size_t()
                written = mtmd.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(count))
                tokens.extend(written[: count.value])
                continue
            number = self._numbers.setdefault((digest, at), -1 - len(self._numbers))
            size = mtmd.mtmd_input_chunk_get_n_tokens(chunk)
            found.append(PictureChunk(number, size, mtmd.mtmd_input_chunk_get_n_pos(chunk), chunk))
            tokens.extend(array("i", [number]) * size)
        return tokens, tuple(found)

    def encode(self, chunk: PictureChunk, gave_up: Callable[[], bool]) -> None:
        """Compute what it comes to, unless that is known; it is kept for `decode`.

        Raises:
            CancelledFaultError: It was given up in the midst of it.
            ModelFaultError: llama.cpp failed.
        """
        if chunk.number in self._kept:
            self._kept.move_to_end(chunk.number)
            return
        native_log().errors.clear()
        with self._stoppable(gave_up):
            status = self._mtmd.mtmd_encode_chunk(self._context, chunk.native)
        if status != 0:
            why = native_log().first_error or f"llama.cpp answers {status}"
            raise ModelFaultError("picture", why)
        size = (
            chunk.tokens
            * llama_cpp.llama_model_n_embd_inp(self._native.model)
            * ctypes.sizeof(ctypes.c_float)
        )
        kept = ctypes.create_string_buffer(size)
        ctypes.memmove(kept, self._mtmd.mtmd_get_output_embd(self._context), size)
        self._kept[chunk.number] = kept
        self._kept_bytes += size
        while self._kept_bytes > _MOST_KEPT_BYTES and len(self._kept) > 1:
            self._kept_bytes -= len(self._kept.popitem(last=False)[1])

    def decode(self, chunk: PictureChunk, position: int, gave_up: Callable[[], bool]) -> int:
        """Let the model read an encoded picture, from this position of its memory on; llama.cpp's status.

        Raises:
            CancelledFaultError: It was given up in the midst of it; the memory is not as it was.
        """
        numbers = ctypes.cast(self._kept[chunk.number], ctypes.POINTER(ctypes.c_float))
        end = llama_cpp.llama_pos(position)
        with self._stoppable(gave_up):
            return int(
                self._mtmd.mtmd_helper_decode_image_chunk(
                    *(self._context, self._native.context, chunk.native, numbers),
                    *(position, 0, BATCH_TOKENS, ctypes.byref(end), self._decoded, None),
                )
            )

    def close(self) -> None:
        """Give its memory back; idempotent."""
        if self._context:
            self._mtmd.mtmd_free(self._context)
        self._context = None
        self._kept.clear()


def _require_mtmd() -> Any:  # noqa: ANN401 - the binding has no types
    """llama.cpp's library for pictures, which an engine may have been built without."""
    try:
        from llama_cpp import mtmd_cpp  # noqa: PLC0415 - it fails where the library is not there
    except Exception as error:
        # A half-installed or foreign build fails with whatever its loader raises.
        raise ModelFaultError(
            "projector", "the model engine was built without pictures; its next build has them"
        ) from error
    return mtmd_cpp


def _look_at(path: Path) -> None:
    """What can be said of the file without llama.cpp, and whether it would fit."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
        size_bytes = path.stat().st_size
    except OSError as error:
        reason = (
            "the file is not there" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        )
        raise ModelFaultError("projector", reason) from error
    if magic != _MAGIC:
        raise ModelFaultError("projector", "it is not a GGUF file")
    free = free_bytes()
    if free is not None and size_bytes > free:
        raise ModelFaultError(
            "projector", f"it needs {spoken(size_bytes)} of memory, and {spoken(free)} are free"
        )


def _never() -> bool:
    return False


def _nothing() -> None:
    return
