"""Chat models of many shapes, large enough to be weighed: a few hundred MB of the same few numbers.

They are real in every path, as the tiny one is, and say nothing that anybody would want to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np

from tests.model.tiny import CHATML, CONTROL, byte_tokens

#: Numbers that are made once for each width and laid behind each other.
_ROWS = 64


@dataclass(frozen=True, kw_only=True)
class Shaped:
    """What a model of a shape is made of."""

    name: str
    kind: str = "llama"
    width: int = 1024
    layers: int = 12
    heads: int = 16
    kv_heads: int | Sequence[int] = 4
    """One number, or one for each layer."""
    head: int = 64
    feed: int = 2816
    vocabulary: int = 32_000
    merges: int = 0
    context_tokens: int = 8192
    quantised: gguf.GGMLQuantizationType = gguf.GGMLQuantizationType.F16
    tied: bool = False


def make_shaped_model(folder: Path, shape: Shaped) -> Path:
    """Write it into the folder."""
    path = folder / f"{shape.name}.gguf"
    writer = gguf.GGUFWriter(path, shape.kind)
    writer.add_name(shape.name)
    writer.add_context_length(shape.context_tokens)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_chat_template(CHATML)
    _add_vocabulary(writer, shape)
    weights = _Weights(writer, shape)
    if shape.kind == "mamba":
        _add_mamba(writer, shape, weights)
    else:
        _add_transformer(writer, shape, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_vocabulary(writer: gguf.GGUFWriter, shape: Shaped) -> None:
    tokens = byte_tokens()
    words = [f"word{number}" for number in range(shape.vocabulary - len(tokens) - len(CONTROL))]
    tokens += [*words, *CONTROL]
    kinds = [gguf.TokenType.NORMAL] * (len(tokens) - len(CONTROL)) + [gguf.TokenType.CONTROL] * len(CONTROL)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([f"w{number} x{number}" for number in range(max(1, shape.merges))])
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_add_bos_token(False)


class _Weights:
    def __init__(self, writer: gguf.GGUFWriter, shape: Shaped) -> None:
        self._writer, self._kind = writer, shape.quantised
        self._random = np.random.default_rng(7)

    def matrix(self, name: str, rows: int, columns: int) -> None:
        few = self._random.standard_normal((min(rows, _ROWS), columns), dtype=np.float32) / np.sqrt(columns)
        quantised = gguf.quants.quantize(few.astype(np.float32), self._kind)
        whole = np.resize(quantised, (rows, quantised.shape[1]))
        self._writer.add_tensor(name, whole, raw_dtype=self._kind)

    def plain(self, name: str, *shape: int, value: float = 1.0) -> None:
        self._writer.add_tensor(name, np.full(shape, value, dtype=np.float32))


def _add_transformer(writer: gguf.GGUFWriter, shape: Shaped, weights: _Weights) -> None:
    gemma = shape.kind == "gemma3"
    kv_heads = shape.kv_heads
    if isinstance(kv_heads, int):
        writer.add_feed_forward_length(shape.feed)
        writer.add_head_count(shape.heads)
        writer.add_head_count_kv(kv_heads)
    else:  # who says one for each layer says all for each layer
        writer.add_feed_forward_length([shape.feed] * shape.layers)
        writer.add_head_count([shape.heads] * shape.layers)
        writer.add_head_count_kv(list(kv_heads))
    writer.add_key_length(shape.head)
    writer.add_value_length(shape.head)
    writer.add_rope_dimension_count(shape.head)
    if gemma:
        writer.add_sliding_window(512)
    weights.matrix("token_embd.weight", shape.vocabulary, shape.width)
    for layer in range(shape.layers):
        at = f"blk.{layer}."
        all_heads = shape.heads * shape.head
        kv_width = (kv_heads if isinstance(kv_heads, int) else kv_heads[layer]) * shape.head
        weights.plain(at + "attn_norm.weight", shape.width)
        weights.matrix(at + "attn_q.weight", all_heads, shape.width)
        weights.matrix(at + "attn_k.weight", kv_width, shape.width)
        weights.matrix(at + "attn_v.weight", kv_width, shape.width)
        weights.matrix(at + "attn_output.weight", shape.width, all_heads)
        if shape.kind == "qwen2":
            weights.plain(at + "attn_q.bias", all_heads, value=0.0)
            weights.plain(at + "attn_k.bias", kv_width, value=0.0)
            weights.plain(at + "attn_v.bias", kv_width, value=0.0)
        if gemma:
            weights.plain(at + "attn_q_norm.weight", shape.head)
            weights.plain(at + "attn_k_norm.weight", shape.head)
            weights.plain(at + "post_attention_norm.weight", shape.width)
            weights.plain(at + "post_ffw_norm.weight", shape.width)
        weights.plain(at + "ffn_norm.weight", shape.width)
        weights.matrix(at + "ffn_gate.weight", shape.feed, shape.width)
        weights.matrix(at + "ffn_up.weight", shape.feed, shape.width)
        weights.matrix(at + "ffn_down.weight", shape.width, shape.feed)
    weights.plain("output_norm.weight", shape.width)
    if not shape.tied:
        weights.matrix("output.weight", shape.vocabulary, shape.width)


def _add_mamba(writer: gguf.GGUFWriter, shape: Shaped, weights: _Weights) -> None:
    inner, state, kernel, rank = 2 * shape.width, 16, 4, shape.width // 16
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    writer.add_ssm_conv_kernel(kernel)
    writer.add_ssm_inner_size(inner)
    writer.add_ssm_state_size(state)
    writer.add_ssm_time_step_rank(rank)
    weights.matrix("token_embd.weight", shape.vocabulary, shape.width)
    for layer in range(shape.layers):
        at = f"blk.{layer}."
        weights.plain(at + "attn_norm.weight", shape.width)
        weights.matrix(at + "ssm_in.weight", 2 * inner, shape.width)
        weights.plain(at + "ssm_conv1d.weight", inner, kernel, value=0.1)
        weights.plain(at + "ssm_conv1d.bias", inner, value=0.0)
        weights.matrix(at + "ssm_x.weight", rank + 2 * state, inner)
        weights.matrix(at + "ssm_dt.weight", inner, rank)
        weights.plain(at + "ssm_dt.bias", inner, value=0.0)
        weights.plain(at + "ssm_a", inner, state, value=-1.0)
        weights.plain(at + "ssm_d", inner)
        weights.matrix(at + "ssm_out.weight", shape.width, inner)
    weights.plain("output_norm.weight", shape.width)
    if not shape.tied:
        weights.matrix("output.weight", shape.vocabulary, shape.width)
