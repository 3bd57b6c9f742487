"""What a person pastes, what the names of files say, and the shipped list."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from partner_desktop.base.errors import ModelError, UsageError
from partner_desktop.base.messages import speaking
from partner_desktop.domain.model_download import CatalogModel
from partner_desktop.domain.model_file import MemoryFit
from partner_desktop.model.downloads.fetch_messages import PartSpec
from partner_desktop.model.downloads.hub_files import (
    file_title,
    model_files,
    purpose_of,
    quantisation_of,
    split_parts,
)
from partner_desktop.model.downloads.hub_reference import HubReference, read_reference
from partner_desktop.model.downloads.model_catalog import ModelCatalog, suggested_id
from partner_desktop.model.memory_fit import fit_of
from tests.tables import all_rows

NAME = "Qwen/Qwen3-4B-GGUF"
FILE = "Qwen3-4B-Q4_K_M.gguf"


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (NAME, HubReference(NAME)),
        (f"  {NAME}\n", HubReference(NAME)),
        (f"{NAME}:q4_k_m", HubReference(NAME, quantisation="q4_k_m")),
        (f"hf.co/{NAME}", HubReference(NAME)),
        (f"hf.co/{NAME}:Q8_0", HubReference(NAME, quantisation="Q8_0")),
        (f"huggingface.co/{NAME}", HubReference(NAME)),
        (f"https://huggingface.co/{NAME}", HubReference(NAME)),
        (f"https://huggingface.co/{NAME}/", HubReference(NAME)),
        (f"https://www.huggingface.co/{NAME}?library=gguf#files", HubReference(NAME)),
        (f"https://huggingface.co/{NAME}/tree/main", HubReference(NAME, "main")),
        (f"https://huggingface.co/{NAME}/resolve/main/{FILE}", HubReference(NAME, "main", FILE)),
        (
            f"https://huggingface.co/{NAME}/resolve/main/{FILE}?download=true",
            HubReference(NAME, "main", FILE),
        ),
        (f"https://huggingface.co/{NAME}/blob/main/{FILE}", HubReference(NAME, "main", FILE)),
        (f"https://hf.co/{NAME}/blob/main/Q4/{FILE}", HubReference(NAME, "main", f"Q4/{FILE}")),
        (f"https://hf.co/{NAME}/blob/refs/pr/3/{FILE}", HubReference(NAME, "refs/pr/3", FILE)),
        (f"https://hf.co/{NAME}/blob/refs%2Fpr%2F3/{FILE}", HubReference(NAME, "refs/pr/3", FILE)),
        (f"https://huggingface.co/{NAME}/discussions/3", HubReference(NAME)),
        (f"https://mirror.example/hub/{NAME}/blob/main/{FILE}", HubReference(NAME, "main", FILE)),
        (f"mirror.example/hub/{NAME}", HubReference(NAME)),
    ],
)
def test_every_way_in_which_a_model_is_named_leads_to_it(
    monkeypatch: pytest.MonkeyPatch, said: str, found: HubReference
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/hub/")
    assert read_reference(said) == found


@all_rows(
    "said",
    [
        "",
        "qwen",
        "a/b/c",
        "../secrets/x",
        "owner/..",
        "owner/na me",
        "owner/name\x00",
        "/owner/name",
        "owner/name:",
        "owner/name:Q4 K",
        "-rf/name",
        "https://example.com/owner/name",
        "https://huggingface.co@example.com/owner/name",
        "https://huggingface.co.example.com/owner/name",
        "https://huggingface.co:8443/owner/name",
        "file:///etc/passwd",
        "https://[::1",
        "https://huggingface.co/",
        "https://huggingface.co/owner",
        "https://huggingface.co/datasets/owner/name",
        f"https://huggingface.co/{NAME}/resolve/main/../../../x.gguf",
        f"https://huggingface.co/{NAME}/resolve/main/..%2F..%2Fx.gguf",
        f"https://huggingface.co/{NAME}/resolve/main/%2Fetc%2Fx.gguf",
        f"https://huggingface.co/{NAME}/resolve/main/a%5Cb.gguf",
        f"https://huggingface.co/{NAME}/resolve/main/a%0Ab.gguf",
        f"https://huggingface.co/{NAME}/resolve/main/a%E2%80%AEb.gguf",
        f"https://huggingface.co/{NAME}/resolve/main/.hidden.gguf",
        f"https://huggingface.co/{NAME}/resolve/main/config.json",
        f"https://huggingface.co/{NAME}/resolve/..%2Fx/{FILE}",
        f"https://huggingface.co/{NAME}/resolve/main/{'x' * 250}.gguf",
        "x" * 5_000,
    ],
)
def test_what_leads_elsewhere_is_refused_with_one_sentence(said: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_reference(said)
    assert str(refused.value).endswith((".", "."))
    assert str(refused.value).isprintable()
    with speaking("zh"):
        assert str(refused.value).endswith("。")


@pytest.mark.parametrize(
    ("file", "quantisation"),
    [
        (FILE, "Q4_K_M"),
        ("qwen2.5-coder-7b-instruct-q4_k_m.gguf", "Q4_K_M"),
        ("Q8_0/model-00001-of-00002.gguf", ""),
        ("model-UD-Q4_K_XL.gguf", "UD-Q4_K_XL"),
        ("model.IQ2_XXS.gguf", "IQ2_XXS"),
        ("gpt-oss-20b-mxfp4.gguf", "MXFP4"),
        ("mmproj-model-f16.gguf", "F16"),
        ("model-BF16-00001-of-00009.gguf", "BF16"),
        ("Q1chat.gguf", ""),
    ],
)
def test_a_name_tells_its_quantisation(file: str, quantisation: str) -> None:
    assert quantisation_of(file) == quantisation


def test_a_name_tells_what_it_is_for() -> None:
    assert purpose_of("mmproj-model-f16.gguf") == "projector"
    assert purpose_of("nomic-embed-text-v1.5.Q8_0.gguf") == "embedding"
    assert purpose_of("bge-m3-Q8_0.gguf") == "embedding"
    assert purpose_of(FILE, NAME) == "chat"
    assert file_title("a/big-00001-of-00002.gguf") == "big"


def test_parts_belong_together_and_a_model_that_lacks_one_is_none() -> None:
    assert split_parts("x/big-00002-of-00003.gguf") == tuple(
        f"x/big-0000{number}-of-00003.gguf" for number in (1, 2, 3)
    )
    names = [
        *("a-00001-of-00002.gguf", "a-00002-of-00002.gguf", "b-00001-of-00002.gguf", "small-Q8_0.gguf"),
        *("mmproj-f16.gguf", "../up.gguf", "/etc/x.gguf", "bad\n.gguf", "c-00001-of-99999.gguf"),
    ]
    found = model_files("o/n", [PartSpec(file=name, size_bytes=100) for name in names])
    assert [(one.file, one.parts, one.size_bytes, one.purpose) for one in found] == [
        ("small-Q8_0.gguf", 1, 100, "chat"),
        ("a-00001-of-00002.gguf", 2, 200, "chat"),
        ("mmproj-f16.gguf", 1, 100, "projector"),
    ]


def test_the_shipped_list_has_something_for_each_memory_and_use_in_both_languages() -> None:
    entries = ModelCatalog().entries
    assert {entry.memory_gb for entry in entries} == {4, 8, 16, 32}
    assert {entry.use for entry in entries} == {"chat", "code", "embedding"}
    assert all({"chat"} <= {one.use for one in entries if one.memory_gb == size} for size in (4, 8, 16, 32))
    assert {entry.licence for entry in entries} <= {"Apache-2.0", "MIT"}
    assert len({(entry.repository, entry.file) for entry in entries}) == len(entries)
    for entry in entries:
        fit = fit_of(entry.shape, 0, int(entry.memory_gb * 0.9 * 10**9))
        assert fit.level in ("fits", "tight"), entry.id
        with speaking("zh"):
            assert entry.reason == entry.why.zh
        assert entry.reason == entry.why.en


def test_what_is_recommended_of_a_models_words_is_known_by_the_name_of_its_file(tmp_path: Path) -> None:
    catalog = ModelCatalog()
    entry = catalog.find("qwen3-4b")
    assert entry is not None
    known = catalog.sampling_of(tmp_path / "anywhere" / Path(entry.file).name)
    assert known == {"temperature": 0.6, "top_p": 0.95, "top_k": 20, "min_p": 0.0}
    assert catalog.sampling_of(tmp_path / "other.gguf") == {}
    assert ModelCatalog(tmp_path / "gone.toml").sampling_of(tmp_path / entry.file) == {}


def test_a_broken_list_is_one_sentence_and_a_broken_entry_leaves_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "catalog.toml"
    path.write_text("[[model]\nid = ", encoding="utf-8")
    with pytest.raises(ModelError, match=r"cannot be read: .*fetched by their repositories all the same"):
        ModelCatalog(path).entries  # noqa: B018 - read as it is asked for
    assert ModelCatalog(path).find("qwen3-4b") is None
    with pytest.raises(ModelError, match="No such file"):
        ModelCatalog(tmp_path / "gone.toml").entries  # noqa: B018
    shipped = Path("resources/models/catalog.toml").read_text(encoding="utf-8")
    for bad in ('licence = "GPL-3.0"', 'file = "../x.gguf"', 'sha256 = "abc"'):
        key = bad.partition(" ")[0]
        lines = shipped.splitlines()
        first = next(number for number, line in enumerate(lines) if line.startswith(f"{key} ="))
        lines[first] = bad
        path.write_text("\n".join(lines), encoding="utf-8")
        with caplog.at_level(logging.WARNING):
            assert len(ModelCatalog(path).entries) == len(ModelCatalog().entries) - 1
        assert "catalog.toml: model 1" in caplog.text


@pytest.mark.parametrize(
    ("speeds", "free_gb", "machine_gb", "suggested"),
    [
        ((40, 15, 9), 16, 16, "large"),
        ((40, 15, 9), 16, 8, "middle"),
        ((40, 15, 9), 2, 16, "small"),
        ((40, 15, 1.2), 16, 16, "middle"),
        ((2.9, 1, 0.3), 16, 16, "small"),
        ((0, 0, 0), 16, 16, "large"),
        ((40, 15, 9), 0.1, 16, "small"),
    ],
    ids=[
        "all fit",
        "for less memory",
        "much else is open",
        "the largest is too slow",
        "a slow machine",
        "nobody knows how fast",
        "none fits",
    ],
)
def test_the_largest_that_fits_and_answers_in_good_time_is_suggested(
    speeds: tuple[float, ...], free_gb: float, machine_gb: int, suggested: str
) -> None:
    models = [
        CatalogModel(
            name, name, "chat", "an/owner", "a.gguf", size_gb * 10**9, "", memory_gb, "MIT", "",
            MemoryFit("fits" if size_gb < free_gb else "too_large", tokens_per_s=speed),
        )
        for name, size_gb, memory_gb, speed in zip(
            ("small", "middle", "large"), (1, 3, 5), (4, 8, 16), speeds, strict=True
        )
    ]  # fmt: skip
    assert suggested_id(models, total_bytes=machine_gb * 10**9) == suggested
    assert suggested_id([], total_bytes=machine_gb * 10**9) == ""


@pytest.mark.parametrize("endpoint", ["http://[", "mirror.example", "file:///srv/hub", "https://"])
def test_a_mirror_that_is_no_address_is_one_sentence(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    with pytest.raises(UsageError, match=r"HF_ENDPOINT is .* no address of a hub"):
        read_reference(f"https://huggingface.co.example/{NAME}")


def test_the_password_of_a_mirror_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://ada:secret@mirror.example")
    with pytest.raises(UsageError, match=r"fetched from mirror\.example, and"):
        read_reference(f"https://elsewhere.example/{NAME}")
