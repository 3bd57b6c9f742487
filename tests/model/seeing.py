"""Tiny projectors of random numbers, real in every path, and pictures for them to see."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import gguf
import numpy as np

#: A projector whose pictures are of one size, and one whose pictures count their places in two directions.
ProjectorKind = Literal["mlp", "qwen2vl_merger"]

_PATCH, _SIDE, _WIDTH, _LAYERS = 14, 56, 32, 3


def make_tiny_projector(
    path: Path,
    *,
    width: int = 64,
    kind: ProjectorKind = "mlp",
    side: int = _SIDE,
    layers: int = _LAYERS,
    heads: int = 2,
) -> Path:
    """Write a projector for models of this width (about 0.2 MB) and return it.

    `side`: of the pictures as it sees them, in pixels. More `layers` make it slower. One without `heads`
    divides by them, which ends whoever opens it.
    """
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_name("tiny eyes")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_clip_has_vision_encoder(True)
    writer.add_clip_projector_type(kind)
    writer.add_vision_projection_dim(width)
    writer.add_vision_image_size(side)
    writer.add_vision_patch_size(_PATCH)
    writer.add_vision_embedding_length(_WIDTH)
    writer.add_vision_feed_forward_length(3 * _WIDTH)
    writer.add_vision_block_count(layers)
    writer.add_vision_head_count(heads)
    writer.add_vision_attention_layernorm_eps(1e-6)
    writer.add_vision_image_mean([0.5, 0.5, 0.5])
    writer.add_vision_image_std([0.5, 0.5, 0.5])
    writer.add_vision_use_gelu(True)
    random = np.random.default_rng(11)

    def add(name: str, *shape: int) -> None:
        values = random.standard_normal(shape, dtype=np.float32) / np.sqrt(np.prod(shape[1:]) or 1)
        writer.add_tensor(name, values.astype(np.float32))

    _add_tower(add, layers, places=(side // _PATCH) ** 2, merges=kind != "mlp")
    fed = _WIDTH if kind == "mlp" else 4 * _WIDTH
    add("mm.0.weight", fed, fed)
    add("mm.0.bias", fed)
    add("mm.2.weight", width, fed)
    add("mm.2.bias", width)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_tower(add: Callable[..., None], layers: int, *, places: int, merges: bool) -> None:
    add("v.patch_embd.weight", _WIDTH, 3, _PATCH, _PATCH)
    if merges:
        add("v.patch_embd.weight.1", _WIDTH, 3, _PATCH, _PATCH)
        add("v.post_ln.weight", _WIDTH)
        add("v.post_ln.bias", _WIDTH)
    else:
        add("v.position_embd.weight", places, _WIDTH)
    for layer in range(layers):
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            add(f"v.blk.{layer}.{name}.weight", _WIDTH, _WIDTH)
            add(f"v.blk.{layer}.{name}.bias", _WIDTH)
        for name in ("ln1", "ln2"):
            add(f"v.blk.{layer}.{name}.weight", _WIDTH)
            add(f"v.blk.{layer}.{name}.bias", _WIDTH)
        add(f"v.blk.{layer}.ffn_up.weight", 3 * _WIDTH, _WIDTH)
        add(f"v.blk.{layer}.ffn_up.bias", 3 * _WIDTH)
        add(f"v.blk.{layer}.ffn_down.weight", _WIDTH, 3 * _WIDTH)
        add(f"v.blk.{layer}.ffn_down.bias", _WIDTH)


def png(colour: tuple[int, int, int] = (200, 30, 30), *, width: int = 40, height: int = 30) -> bytes:
    """A picture of one colour with a dark stripe."""
    row = bytes(colour) * (width - width // 4) + bytes(3) * (width // 4)
    packed = zlib.compress(b"".join(b"\0" + row for _ in range(height)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def in_base64(data: bytes) -> str:
    """As a frame carries it."""
    return base64.b64encode(data).decode("ascii")
