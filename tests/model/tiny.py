"""A tiny chat model of the llama architecture, made on the spot: real in every path, and it babbles.

Two layers, a byte-level vocabulary with three control tokens, random weights of a fixed seed, a template.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import gguf
import numpy as np

#: ChatML, as many models have it.
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")

_WIDTH, _LAYERS, _HEAD = 64, 2, 16


def byte_tokens() -> list[str]:
    """The 256 bytes as the GPT-2 tokenizer writes them: printable ones as they are, the rest shifted."""
    printable = [
        *range(ord("!"), ord("~") + 1),
        *range(ord("¡"), ord("¬") + 1),
        *range(ord("®"), ord("ÿ") + 1),
    ]
    others = [byte for byte in range(256) if byte not in printable]
    shifted = {byte: chr(256 + number) for number, byte in enumerate(others)}
    return [shifted.get(byte, chr(byte)) for byte in range(256)]


def make_tiny_model(
    path: Path,
    *,
    template: str | None = CHATML,
    context_tokens: int = 4096,
    seed: int = 7,
    extra_tokens: Sequence[str] = (),
    width: int = _WIDTH,
    layers: int = _LAYERS,
    vocabulary: bool = True,
    embeds: bool = False,
    sampling: Mapping[str, float] | None = None,
    part_tensors: int = 0,
    kind: Literal["llama", "qwen2vl"] = "llama",
) -> Path:
    """Write the model to `path` (about 0.7 MB) and return it. `template=None`: a model without one.

    `width` (a multiple of 32) and `layers` make it larger, and slower. Without a `vocabulary` it
    is only numbers. `sampling`: what the file recommends, by the ends of its keys. With `part_tensors` it is
    split into files of so many tensors, `…-00001-of-00003.gguf`. One that `embeds` gives the mean of what its
    words came to. `kind`: the second one tells places in a picture by more than one number.
    """
    writer = gguf.GGUFWriter(path, kind, split_max_tensors=part_tensors)
    writer.add_name("tiny babbler")
    writer.add_size_label("170K")
    writer.add_context_length(context_tokens)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(3 * width)
    writer.add_head_count(width // _HEAD)
    writer.add_head_count_kv(width // _HEAD // 2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_HEAD)
    if kind == "qwen2vl":
        writer.add_rope_dimension_sections([2, 3, 3, 0])
    if embeds:
        writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    for key, value in (sampling or {}).items():
        if isinstance(value, int):
            writer.add_int32(f"general.sampling.{key}", value)
        else:
            writer.add_float32(f"general.sampling.{key}", value)
    tokens = [*byte_tokens(), "Ġt", *CONTROL, *extra_tokens]
    if vocabulary:
        _add_vocabulary(writer, tokens, controls=len(CONTROL) + len(extra_tokens))
    else:
        writer.add_tokenizer_model("no_vocab")
        writer.add_vocab_size(len(tokens))
    if template is not None:
        writer.add_chat_template(template)
    _add_weights(writer, len(tokens), np.random.default_rng(seed), width, layers)
    if kind == "qwen2vl":
        _add_biases(writer, width, layers)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_vocabulary(writer: gguf.GGUFWriter, tokens: list[str], *, controls: int) -> None:
    kinds = [gguf.TokenType.NORMAL] * (len(tokens) - controls) + [gguf.TokenType.CONTROL] * controls
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges(["Ġ t"])
    end = tokens.index("<|im_end|>")
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_eos_token_id(end)
    writer.add_pad_token_id(tokens.index("<|endoftext|>"))
    writer.add_add_bos_token(False)


def _add_biases(writer: gguf.GGUFWriter, width: int, layers: int) -> None:
    for layer in range(layers):
        for name, numbers in (("q", width), ("k", width // 2), ("v", width // 2)):
            writer.add_tensor(f"blk.{layer}.attn_{name}.bias", np.zeros(numbers, dtype=np.float32))


def _add_weights(
    writer: gguf.GGUFWriter, vocabulary: int, random: np.random.Generator, width: int, layers: int
) -> None:
    def matrix(name: str, rows: int, columns: int) -> None:
        values = random.standard_normal((rows, columns), dtype=np.float32) / np.sqrt(columns)
        writer.add_tensor(name, values.astype(np.float32))

    def ones(name: str) -> None:
        writer.add_tensor(name, np.ones(width, dtype=np.float32))

    kv_width = width // 2
    matrix("token_embd.weight", vocabulary, width)
    for layer in range(layers):
        at = f"blk.{layer}."
        ones(at + "attn_norm.weight")
        matrix(at + "attn_q.weight", width, width)
        matrix(at + "attn_k.weight", kv_width, width)
        matrix(at + "attn_v.weight", kv_width, width)
        matrix(at + "attn_output.weight", width, width)
        ones(at + "ffn_norm.weight")
        matrix(at + "ffn_gate.weight", 3 * width, width)
        matrix(at + "ffn_up.weight", 3 * width, width)
        matrix(at + "ffn_down.weight", width, 3 * width)
    ones("output_norm.weight")
    likely = np.full(vocabulary, 0.4, dtype=np.float32)  # ASCII mostly, so that it can be looked at
    likely[32:127] = 1.0
    likely[[*b"aeinorstlu \n"]] = 1.4
    likely[-len(CONTROL) :] = 0.3
    scale = likely[:, None] / np.sqrt(width)
    values = random.standard_normal((vocabulary, width), dtype=np.float32) * scale
    writer.add_tensor("output.weight", values.astype(np.float32))
