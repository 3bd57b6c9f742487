"""How much memory a model takes, whether that is free now, and how fast it may write. Standard library only.

The worker's loader goes by this too, so what is told before a load is what the load then does.

What is reckoned is what the worker's process holds while it answers, of memory that cannot be had otherwise:
its weights once (they are mapped; a model whose pages are thrown out and read again is no model to talk
with, but the copy in the file of weights that llama.cpp laid out anew is not read again), keys and values of
the whole context, room for one batch, vocabulary, interpreter and libraries. llama.cpp also reserves room for
the likelihoods of a whole batch; only one row of it is ever written, so it takes addresses and no memory.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.model_file import FitLevel, MemoryFit

if TYPE_CHECKING:
    from partner_desktop.model.gguf_header import GgufHeader

#: The longest that is chosen without being asked for: more costs memory that a desktop has better use for.
MOST_CHOSEN_TOKENS = 32_768
LEAST_TOKENS = 512
BATCH_TOKENS = 512
#: Interpreter, llama.cpp, numpy and the template's engine, as measured.
PROCESS_BYTES = 66 << 20
_STEP_TOKENS = 256
_BYTES_OF_A_NUMBER = 2
_FLOAT_BYTES = 4
#: What stays free for everything else, of what is free now.
_RESERVE = 0.15
#: Below this a context holds no conversation with results in it.
_TIGHT_TOKENS = 2048
#: llama.cpp's maps of a vocabulary: of one token, and of one merge of two.
_TOKEN_BYTES, _MERGE_BYTES = 155, 115
#: Models whose memory is a state throughout, whatever they say of heads.
_STATE_ONLY = frozenset(("mamba", "mamba2", "rwkv6", "rwkv7", "rwkv6qwen2", "arwkv7"))
#: Of what can be read in a second, so much is weights: the rest is keys, values, waiting and computing.
_WELL_READ = 0.6
_EXPERTS = re.compile(r"_exps\.")
_INPUT, _OUTPUT = "token_embd.weight", "output.weight"


@dataclass(frozen=True)
class MemoryShape:
    """What memory is needed for, out of a model's header."""

    trained_tokens: int
    kv_numbers_a_token: int
    """Keys and values of all layers."""
    vocabulary: int
    width: int
    size_bytes: int
    """Of the weights."""
    feed_width: int = 0
    """Of the widest layer between; 0: unknown, and reckoned as usual."""
    heads_width: int = 0
    """Of all heads of a layer; 0: as wide as the model."""
    state_bytes: int = 0
    """What a model keeps that has a state instead of keys and values, at any length."""
    merges: int = 0
    read_bytes: int = 0
    """Of the weights, for one token: without the experts that are not asked. 0: all."""
    projector_bytes: int = 0
    """What sees for it takes, see `projector_bytes`; 0: it cannot see."""

    def context_bytes(self, tokens: int) -> int:
        """For a context of `tokens`; weights, vocabulary and the process apart."""
        feed = self.feed_width or 7 * self.width // 2
        numbers = 2 * feed + 4 * self.width + 2 * (self.heads_width or self.width)
        computing = BATCH_TOKENS * (numbers * _FLOAT_BYTES + tokens * _BYTES_OF_A_NUMBER)
        cells = ceil(tokens / _STEP_TOKENS) * _STEP_TOKENS
        kept = cells * self.kv_numbers_a_token * _BYTES_OF_A_NUMBER + self.state_bytes
        return kept + computing + 2 * self.vocabulary * _FLOAT_BYTES

    def needed_bytes(self, tokens: int) -> int:
        """Everything, for a context of `tokens`."""
        words = self.vocabulary * _TOKEN_BYTES + self.merges * _MERGE_BYTES
        return self.size_bytes + words + PROCESS_BYTES + self.projector_bytes + self.context_bytes(tokens)


def shape_of(header: GgufHeader) -> MemoryShape:
    """What a header says of it."""
    width, heads = header.number("embedding_length"), header.number("attention.head_count")
    head = width // max(1, heads)
    experts = max(header.number("expert_used_count"), 1)
    feed = max(header.number("feed_forward_length"), experts * header.number("expert_feed_forward_length"))
    inner = header.number("ssm.inner_size")
    return MemoryShape(
        trained_tokens=header.number("context_length"),
        kv_numbers_a_token=_kv_numbers(header, head),
        vocabulary=header.lengths.get("tokenizer.ggml.tokens", 0) or header.number("vocab_size"),
        width=width,
        size_bytes=sum(weight.size_bytes for weight in header.weights),
        feed_width=max(feed, 2 * inner),
        heads_width=heads * header.number("attention.key_length", head),
        state_bytes=_state_bytes(header),
        merges=header.lengths.get("tokenizer.ggml.merges", 0),
        read_bytes=_read_bytes(header),
    )


def _kv_numbers(header: GgufHeader, head: int) -> int:
    """Keys and values of one token, of all layers that keep any."""
    if header.architecture in _STATE_ONLY:
        return 0
    layers = header.number("block_count")
    key = header.number("attention.key_length", head)
    value = header.number("attention.value_length", head)
    if header.number("attention.key_length_mla"):
        value = 0  # they are a part of the keys
    kv_heads = header.numbers("attention.head_count_kv", header.number("attention.head_count"))
    keep = max(0, layers - header.number("attention.shared_kv_layers"))
    interval = header.number("full_attention_interval")
    if interval:
        keep //= interval  # the others have a state
    if len(kv_heads) == 1:
        return keep * kv_heads[0] * (key + value)
    sliding = header.numbers("attention.sliding_window_pattern")
    narrow = header.number("attention.key_length_swa", key) + header.number(
        "attention.value_length_swa", value
    )
    return sum(
        heads * (narrow if at < len(sliding) and len(sliding) > 1 and sliding[at] else key + value)
        for at, heads in enumerate(kv_heads[:keep])
    )


def _state_bytes(header: GgufHeader) -> int:
    """Of the layers that keep a state, in 32 bits."""
    width, layers = header.number("embedding_length"), header.number("block_count")
    kv_heads = header.numbers("attention.head_count_kv", 1)
    if len(kv_heads) > 1 and header.architecture not in _STATE_ONLY:
        layers = kv_heads.count(0) or layers
    interval = header.number("full_attention_interval")
    if interval:
        layers -= layers // interval
    inner, state = header.number("ssm.inner_size"), header.number("ssm.state_size")
    kernel = max(1, header.number("ssm.conv_kernel"))
    numbers = (kernel - 1) * (inner + 2 * header.number("ssm.group_count") * state) + inner * state
    if header.number("wkv.head_size"):
        numbers += width * (2 + header.number("wkv.head_size"))
    numbers += max(0, header.number("shortconv.l_cache") - 1) * width
    return layers * numbers * _FLOAT_BYTES


def _read_bytes(header: GgufHeader) -> int:
    """Of the weights, what one more token needs: words are looked up, and few experts are asked."""
    used, experts = header.number("expert_used_count"), header.number("expert_count")
    share = min(1.0, used / experts) if used and experts else 1.0
    tied = all(weight.name != _OUTPUT for weight in header.weights)
    return round(
        sum(
            weight.size_bytes * (share if _EXPERTS.search(weight.name) else 1.0)
            for weight in header.weights
            if tied or weight.name != _INPUT
        )
    )


def projector_bytes(header: GgufHeader) -> int:
    """What a projector takes: its weights, and room to compute a picture of the size that it says."""

    def number(key: str) -> int:
        value = header.values.get(f"clip.vision.{key}")
        return value if isinstance(value, int) and value > 0 else 0

    patches = (number("image_size") // max(1, number("patch_size"))) ** 2
    numbers = 2 * number("feed_forward_length") + 4 * number("embedding_length")
    return sum(weight.size_bytes for weight in header.weights) + patches * numbers * _FLOAT_BYTES


def guessed_shape(size_bytes: int, *, trained_tokens: int = 0) -> MemoryShape:
    """Of a model of which nothing is known but its size: as models of that size mostly are, in four bits."""
    billions = size_bytes / 0.6e9
    width = round(1450 * billions**0.5 / 256) * 256 or 256
    return MemoryShape(
        trained_tokens=trained_tokens or MOST_CHOSEN_TOKENS,
        kv_numbers_a_token=round(23_000 * billions**0.5),
        vocabulary=128_000,
        width=width,
        size_bytes=size_bytes,
        merges=128_000,
    )


def chosen_tokens(shape: MemoryShape, free_bytes: int | None, *, process_bytes: int = PROCESS_BYTES) -> int:
    """The context for someone who did not choose one. `process_bytes`: 0 where the process runs already."""
    most = min(shape.trained_tokens, MOST_CHOSEN_TOKENS)
    if free_bytes is not None:
        room = free_bytes * (1 - _RESERVE) - shape.needed_bytes(0) + PROCESS_BYTES - process_bytes
        each = (shape.context_bytes(_STEP_TOKENS) - shape.context_bytes(0)) / _STEP_TOKENS
        most = min(most, int(room / max(1.0, each)) // _STEP_TOKENS * _STEP_TOKENS)
    return max(LEAST_TOKENS, most)


def fit_of(
    model: GgufHeader | MemoryShape | None,
    size_bytes: int,
    free_bytes: int | None,
    context_tokens: int = 0,
    *,
    bytes_per_s: float = 0.0,
) -> MemoryFit:
    """Whether it can be run. `None`: nothing is known of it but its size.

    `context_tokens`: 0 takes what would be chosen. `bytes_per_s`: how fast memory is read here, for the
    guess of the speed.
    """
    if model is None:
        shape = guessed_shape(size_bytes)
    else:
        shape = model if isinstance(model, MemoryShape) else shape_of(model)
    if size_bytes and not shape.size_bytes:
        shape = replace(shape, size_bytes=size_bytes)
    tokens = min(context_tokens or chosen_tokens(shape, free_bytes), shape.trained_tokens or LEAST_TOKENS)
    needed = shape.needed_bytes(tokens)
    read = shape.read_bytes or shape.size_bytes
    return MemoryFit(
        level=_level(shape, needed, tokens, free_bytes),
        needed_bytes=needed,
        free_bytes=free_bytes or 0,
        context_tokens=tokens,
        tokens_per_s=round(_WELL_READ * bytes_per_s / read, 1) if read else 0.0,
    )


def _level(shape: MemoryShape, needed: int, tokens: int, free_bytes: int | None) -> FitLevel:
    if free_bytes is None or not shape.size_bytes or not shape.width:
        return "unknown"
    if needed > free_bytes:
        return "too_large"
    short = tokens < min(_TIGHT_TOKENS, shape.trained_tokens)
    return "tight" if short or needed > free_bytes * (1 - _RESERVE / 2) else "fits"


def free_bytes() -> int | None:
    """Memory that can be had now; `None` where the system does not tell."""
    try:
        found = re.search(
            r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text("ascii"), re.MULTILINE
        )
        if found:
            return min(int(found[1]) * 1024, _group_limit() or 1 << 62)
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def _group_limit() -> int | None:
    """What a container leaves to this process."""
    try:
        folder = Path("/sys/fs/cgroup")
        most = int((folder / "memory.max").read_text("ascii"))
        return max(0, most - int((folder / "memory.current").read_text("ascii")))
    except (OSError, ValueError):
        return None


def spoken(size_bytes: int) -> str:
    """A size for a person."""
    return f"{size_bytes / 2**30:.1f} GB" if size_bytes >= 2**28 else f"{size_bytes / 2**20:.0f} MB"


#: Larger than what processors keep for themselves.
_COPIED_BYTES = 32 << 20
#: The best of so many: whatever else runs meanwhile only takes away.
_COPIES = 10
_MOST_READERS = 4


@cache
def memory_speed() -> float:
    """Bytes a second that this machine reads from memory; measured once, in some 0.1 s. Blocking.

    Several threads copy, as several compute: one alone does not fill the way to the memory. Copies go on
    without the interpreter's lock, so nothing else waits.
    """
    import ctypes  # noqa: PLC0415 - nobody else needs it
    import mmap  # noqa: PLC0415 - as above

    readers = max(1, min(_MOST_READERS, (os.cpu_count() or 2) // 2))
    each = _COPIED_BYTES // readers
    # A buffer of ctypes would be wiped while everybody else waits.
    rooms = [mmap.mmap(-1, 2 * each) for _ in range(readers)]
    places = [ctypes.addressof(ctypes.c_char.from_buffer(room)) for room in rooms]
    for place in places:  # a page that nobody wrote to is no memory yet
        ctypes.memset(place, 1, 2 * each)
    copies = [partial(ctypes.memmove, place + each, place, each) for place in places]
    return max(_copied_at_once(copies, 2 * each * readers) for _ in range(_COPIES))


def _copied_at_once(copies: Sequence[Callable[[], object]], moved_bytes: int) -> float:
    """Bytes a second; each byte is read, and written."""
    threads = [threading.Thread(target=copy, name="memory speed") for copy in copies]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return moved_bytes / max(1e-6, time.perf_counter() - begun)
