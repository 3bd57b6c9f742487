"""The header of a model file is read within bounds; whatever is wrong with a file is one sentence."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest

from partner_desktop.base.errors import ModelError
from partner_desktop.domain.model_file import ModelPurpose
from partner_desktop.model.gguf_header import model_facts, parts_of, read_header
from partner_desktop.model.llama_embedder import shipped_model
from partner_desktop.model.memory_fit import fit_of, guessed_shape, shape_of
from tests.model.tiny import make_tiny_model

_GB = 1 << 30


def refusal(path: Path, **limits: float) -> str:
    with pytest.raises(ModelError) as error:
        read_header(path, **limits)
    return str(error.value)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("small") / "small.gguf", width=32, layers=1)


def written(
    path: Path, kind: str = "llama", tell: Callable[[gguf.GGUFWriter], None] = lambda _: None
) -> Path:
    """A header that says what `tell` makes it say, and one tensor."""
    writer = gguf.GGUFWriter(path, kind)
    tell(writer)
    writer.add_tensor("token_embd.weight", np.zeros((32, 32), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_a_header_says_what_the_model_is(small: Path) -> None:
    facts = model_facts(read_header(small))
    assert (facts.name, facts.architecture, facts.purpose) == ("tiny babbler", "llama", "chat")
    assert (facts.quantisation, facts.context_tokens, facts.has_template) == ("F32", 4096, True)
    assert facts.size_bytes == small.stat().st_size
    embedder = model_facts(read_header(shipped_model()))
    assert (embedder.purpose, embedder.quantisation, embedder.licence) == ("embedding", "Q8_0", "Apache-2.0")


@pytest.mark.parametrize("word", ["a rather long word", "tokenizer.", "general.architecture"])
def test_long_lists_are_passed_over_whatever_they_look_like(tmp_path: Path, word: str) -> None:
    words = [f"{word} {number}" for number in range(150_000)]

    def tell(writer: gguf.GGUFWriter) -> None:
        writer.add_token_list(words)
        writer.add_token_scores([0.0] * len(words))
        writer.add_token_merges(["general. x"] * 2000)
        writer.add_head_count_kv([4, 1, 4])
        writer.add_string("llama.behind", "and what stands behind them is read")

    header = read_header(written(tmp_path / "words.gguf", tell=tell))
    assert header.lengths["tokenizer.ggml.tokens"] == 150_000
    assert "tokenizer.ggml.tokens" not in header.values
    assert "tokenizer.ggml.scores" not in header.values
    assert header.numbers("attention.head_count_kv") == (4, 1, 4)
    assert header.text("llama.behind").endswith("is read")
    assert header.weights[0].size_bytes == 4096


@pytest.mark.parametrize(
    ("kind", "tell", "purpose"),
    [
        ("clip", lambda _: None, "projector"),
        ("llama", lambda writer: writer.add_type("mmproj"), "projector"),
        ("llama", lambda writer: writer.add_pooling_type(gguf.PoolingType.MEAN), "embedding"),
        ("qwen3", lambda writer: writer.add_causal_attention(False), "embedding"),
        ("nomic-bert", lambda _: None, "embedding"),
        ("llama", lambda writer: writer.add_type("adapter"), "other"),
        ("t5", lambda writer: writer.add_tokenizer_model("t5"), "other"),
        ("llama", lambda _: None, "other"),
        ("llama", lambda writer: writer.add_tokenizer_model("gpt2"), "chat"),
    ],
)
def test_what_a_model_is_for(
    tmp_path: Path, kind: str, tell: Callable[[gguf.GGUFWriter], None], purpose: ModelPurpose
) -> None:
    assert model_facts(read_header(written(tmp_path / "one.gguf", kind, tell))).purpose == purpose


@pytest.mark.parametrize(
    ("name", "quantisation"),
    [
        ("gemma-3-4b-it-Q4_K_M", "Q4_K_M"),
        ("model.UD-IQ2_XXS", "UD-IQ2_XXS"),
        ("phi-bf16", "BF16"),
        ("Quiet-Q", ""),
    ],
)
def test_where_the_header_does_not_say_how_small_it_was_made_the_name_does(
    tmp_path: Path, name: str, quantisation: str
) -> None:
    assert model_facts(read_header(written(tmp_path / f"{name}.gguf"))).quantisation == quantisation


def test_signs_that_nobody_sees_are_not_shown(tmp_path: Path) -> None:
    hostile = written(
        tmp_path / "one.gguf", tell=lambda writer: writer.add_name("a\x1b[2J\nb\u202e" + "x" * 999)
    )
    name = model_facts(read_header(hostile)).name
    assert name.isprintable()
    assert len(name) < 300


def _header(*parts: bytes, tensors: int = 0, keys: int = 0, version: int = 3) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, tensors, keys) + b"".join(parts)


def _key(name: str, kind: int, value: bytes) -> bytes:
    return struct.pack("<Q", len(name)) + name.encode() + struct.pack("<I", kind) + value


_NESTED = struct.pack("<IQ", 9, 1) * 5000
_HOSTILE = {
    "no keys of so many": _header(keys=1 << 63),
    "no tensors of so many": _header(tensors=1 << 62),
    "a key without end": _header(struct.pack("<Q", 1 << 40), keys=1),
    "a text without end": _header(_key("a", 8, struct.pack("<Q", (1 << 64) - 1)), keys=1),
    "a list of texts without end": _header(_key("a", 9, struct.pack("<IQ", 8, 1 << 60)), keys=1),
    "a text of a list without end": _header(_key("a", 9, struct.pack("<IQQ", 8, 2, 1 << 60)), keys=1),
    "a list of numbers without end": _header(_key("a", 9, struct.pack("<IQ", 4, 1 << 60)), keys=1),
    "lists in lists": _header(_key("a", 9, _NESTED), keys=1),
    "a kind that there is not": _header(_key("a", 77, b"\0" * 8), keys=1),
    "another version": _header(version=99),
    "another machine's numbers": _header(version=3 << 24),
    "dimensions without end": _header(struct.pack("<Q1sI", 1, b"a", 1 << 30), tensors=1),
    "weights that are not there": _header(struct.pack("<Q1sIQQIQ", 1, b"a", 2, 1 << 40, 9, 0, 0), tensors=1),
    "nothing behind the magic": b"GGUF",
    "nothing": b"",
    "a picture": b"\x89PNG\r\n\x1a\n" * 50,
}


@pytest.mark.promise("model.badfile")
@pytest.mark.parametrize("data", _HOSTILE.values(), ids=list(_HOSTILE))
def test_a_hostile_header_is_one_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(data)
    said = refusal(path)
    assert said.startswith(str(path))
    assert said.endswith(".")
    assert "\n" not in said


@pytest.mark.promise("model.badfile")
def test_a_file_that_is_cut_anywhere_is_told(tmp_path: Path, small: Path) -> None:
    data = small.read_bytes()
    path = tmp_path / "cut.gguf"
    for length in (*range(4, 2000, 97), len(data) // 2, len(data) - 64):
        path.write_bytes(data[:length])
        assert refusal(path) == f"{path} ends too early: it was cut off, or is still being written."


def test_what_is_not_read_in_time_is_told(small: Path) -> None:
    assert "cannot be read in time" in refusal(small, limit_s=-1.0)


def test_parts_are_known_by_the_name_of_one() -> None:
    names = [part.name for part in parts_of(Path("big-00002-of-00003.gguf"))]
    assert names == ["big-00001-of-00003.gguf", "big-00002-of-00003.gguf", "big-00003-of-00003.gguf"]
    for single in ("big.gguf", "big-00001-of-00001.gguf", "big-1-of-3.gguf"):
        assert parts_of(Path(single)) == (Path(single),)


def test_whether_it_fits_is_told_by_what_is_free(small: Path) -> None:
    eight = guessed_shape(5 * _GB)
    assert fit_of(eight, 0, 32 * _GB).level == "fits"
    assert fit_of(eight, 0, 6 * _GB).level == "tight"
    assert fit_of(eight, 0, 4 * _GB).level == "too_large"
    assert fit_of(eight, 0, None).level == "unknown"
    assert fit_of(None, 5 * _GB, 32 * _GB) == fit_of(eight, 0, 32 * _GB)
    header = read_header(small)
    assert fit_of(header, 0, 32 * _GB, 99_999).context_tokens == 4096, "no longer than it was trained for"
    assert fit_of(header, 0, 32 * _GB, 1024).context_tokens == 1024


def test_experts_that_are_not_asked_cost_memory_and_no_time(tmp_path: Path) -> None:
    def tell(writer: gguf.GGUFWriter) -> None:
        writer.add_expert_count(8)
        writer.add_expert_used_count(2)
        writer.add_tensor("blk.0.ffn_up_exps.weight", np.zeros((8, 32, 32), dtype=np.float32))

    shape = shape_of(read_header(written(tmp_path / "experts.gguf", tell=tell)))
    assert shape.size_bytes == 9 * 4096
    assert shape.read_bytes == 3 * 4096
