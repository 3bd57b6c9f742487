"""Models of other programs are found where each of these keeps them, and what they are is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from partner_desktop.domain.model_file import FoundModel, FoundModels
from partner_desktop.model.discovery.model_discovery import ModelDiscovery
from partner_desktop.model.discovery.model_places import ModelPlace, PlaceFinder
from partner_desktop.model.llama_embedder import shipped_model
from tests.model.discovery.program_folders import ProgramFolders, make_eyes
from tests.model.tiny import make_tiny_model

pytestmark = pytest.mark.integration


def look(
    programs: ProgramFolders,
    *folders: Path,
    environ: Mapping[str, str] | None = None,
    platform: str = "linux",
) -> FoundModels:
    """What is found in somebody's home; folders of this machine's own services are left out."""
    places = PlaceFinder(environ or {}, programs.user_home, platform).places()
    mine = [place for place in places if place.folder.is_relative_to(programs.user_home.parent)]
    asked = [ModelPlace("folder", folder, asked_for=True) for folder in folders]
    return ModelDiscovery().look([*mine, *asked])


def titles(found: FoundModels) -> list[tuple[str, str]]:
    return sorted((one.source, one.title) for one in found.models)


def one_of(found: FoundModels) -> FoundModel:
    (one,) = found.models
    return one


@pytest.mark.promise("model.discover")
def test_models_of_every_program_are_found_with_what_they_are(programs: ProgramFolders) -> None:
    programs.ollama("llama3.2", "3b")
    programs.ollama("mymodel", where="registry.ollama.ai/somebody")
    programs.ollama("SmolLM2-GGUF", "Q8_0", where="hf.co/bartowski")
    programs.lm_studio("gemma-3-1b-it")
    programs.lm_studio("older", old=True)
    programs.hub("Qwen", "Qwen3-0.6B-GGUF", "Qwen3-0.6B-Q8_0.gguf")
    programs.gpt4all("Phi-3-mini")
    programs.jan("Menlo/Jan-nano")
    programs.old_jan("tinyllama-1.1b")
    programs.llama_cpp("ggml-org_gemma_gemma-Q4_0.gguf")
    found = look(programs)
    assert found.notes == ()
    assert titles(found) == [
        ("gpt4all", "Phi-3-mini"),
        ("hugging_face", "Qwen/Qwen3-0.6B-GGUF: Qwen3-0.6B-Q8_0"),
        ("jan", "Menlo/Jan-nano"),
        ("jan", "tinyllama-1.1b"),
        ("llama_cpp", "ggml-org_gemma_gemma-Q4_0"),
        ("lm_studio", "gemma-3-1b-it-Q4_K_M"),
        ("lm_studio", "older-Q4_K_M"),
        ("ollama", "hf.co/bartowski/SmolLM2-GGUF:Q8_0"),
        ("ollama", "llama3.2:3b"),
        ("ollama", "somebody/mymodel:latest"),
    ]
    for one in found.models:
        assert (one.facts.name, one.facts.architecture) == ("tiny babbler", "llama")
        assert (one.facts.purpose, one.facts.quantisation) == ("chat", "F32")
        assert (one.facts.context_tokens, one.facts.has_template) == (4096, True)
        assert one.facts.size_bytes == Path(one.path).stat().st_size
        assert one.facts.parameters > 10_000
        assert one.trouble == ""
        assert one.fit.level in ("fits", "tight")
        assert one.fit.needed_bytes > one.facts.size_bytes
        assert one.fit.tokens_per_s > 0


@pytest.mark.promise("model.discover")
def test_nothing_is_written_or_touched(programs: ProgramFolders) -> None:
    programs.ollama("llama3.2")
    programs.hub("Qwen", "Qwen3", "q.gguf")
    programs.jan("one")
    before = _all_below(programs.user_home)
    assert len(look(programs).models) == 3
    assert _all_below(programs.user_home) == before


def _all_below(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize(
    ("variable", "folder"),
    [
        ("HF_HUB_CACHE", "hub"),
        ("HUGGINGFACE_HUB_CACHE", "hub"),
        ("HF_HOME", "hub/.."),
        ("XDG_CACHE_HOME", ""),
    ],
)
def test_the_hub_s_cache_is_where_a_variable_says(
    programs: ProgramFolders, variable: str, folder: str
) -> None:
    root = programs.user_home / "moved"
    hub = root / "huggingface" / "hub" if variable == "XDG_CACHE_HOME" else root / "hub"
    programs.hub("a", "b", "c.gguf", root=hub)
    found = look(programs, environ={variable: str(root / folder)})
    assert one_of(found).title == "a/b: c"


def test_ollama_and_llama_cpp_are_where_their_variables_say(programs: ProgramFolders) -> None:
    programs.ollama("here", root=programs.user_home / "disk")
    programs.copied(programs.user_home / "cache" / "there.gguf")
    environ = {
        "OLLAMA_MODELS": str(programs.user_home / "disk"),
        "LLAMA_CACHE": str(programs.user_home / "cache"),
    }
    assert titles(look(programs, environ=environ)) == [("llama_cpp", "there"), ("ollama", "here:latest")]


def test_lm_studio_says_where_its_models_were_moved_to(programs: ProgramFolders) -> None:
    programs.copied(programs.user_home / "big disk" / "owner" / "name" / "moved.gguf")
    settings = programs.user_home / ".lmstudio" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(f'{{"downloadsFolder": "{programs.user_home / "big disk"}"}}', "utf-8")
    assert one_of(look(programs)).title == "moved"


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("darwin", {}, "Library/Application Support/nomic.ai/GPT4All"),
        ("darwin", {}, "Library/Application Support/Jan/data/llamacpp/models/one"),
        ("darwin", {}, "Library/Caches/llama.cpp"),
        ("win32", {}, "AppData/Local/nomic.ai/GPT4All"),
        ("win32", {}, "AppData/Roaming/Jan/data/models/one"),
        ("win32", {}, ".ollama/../.lmstudio/models/a/b"),
        ("win32", {"APPDATA": "~/roams"}, "roams/Jan/data/llamacpp/models/one"),
        ("linux", {"XDG_DATA_HOME": "~/data"}, "data/Jan/data/llamacpp/models/one"),
    ],
)
def test_each_platform_has_its_own_folders(
    programs: ProgramFolders, platform: str, environ: Mapping[str, str], folder: str
) -> None:
    there = {name: value.replace("~", str(programs.user_home)) for name, value in environ.items()}
    programs.copied(programs.user_home / folder / "found.gguf")
    assert one_of(look(programs, environ=there, platform=platform)).title == "found"


def test_what_jan_imported_from_elsewhere_is_found_there(programs: ProgramFolders) -> None:
    elsewhere = programs.copied(programs.user_home / "Downloads" / "got.gguf")
    programs.jan("imported", elsewhere=elsewhere)
    one = one_of(look(programs))
    assert (one.path, one.title) == (str(elsewhere), "imported")


def test_the_parts_of_a_model_are_one(programs: ProgramFolders) -> None:
    folder = programs.user_home / "split"
    folder.mkdir()
    make_tiny_model(folder / "big.gguf", part_tensors=8)
    parts = sorted(folder.iterdir())
    assert len(parts) > 2
    one = one_of(look(programs, folder))
    assert (one.path, one.facts.parts) == (str(parts[0]), len(parts))
    assert one.facts.size_bytes == sum(part.stat().st_size for part in parts)
    (programs.user_home / "whole").mkdir()
    whole = make_tiny_model(programs.user_home / "whole" / "whole.gguf")
    assert one.facts.parameters == one_of(look(programs, whole.parent)).facts.parameters
    parts[1].unlink()
    assert one_of(look(programs, folder)).trouble.startswith(f"The file {parts[1]}")


def test_eyes_belong_to_their_model(programs: ProgramFolders) -> None:
    seeing = programs.lm_studio("gemma-3-4b-it")
    eyes = make_eyes(seeing.with_name("mmproj-model-f16.gguf"))
    blob = programs.ollama("llava")
    manifest = programs.ollama_root / "manifests/registry.ollama.ai/library/llava/latest"
    programs.add_ollama_eyes(manifest, eyes)
    programs.llama_cpp("org_smolvlm_SmolVLM-Q8_0.gguf")
    flat = programs.user_home / ".cache/llama.cpp"
    make_eyes(flat / "org_smolvlm_mmproj-SmolVLM-Q8_0.gguf")
    programs.llama_cpp("other_blind_Blind-Q8_0.gguf")
    make_eyes(programs.user_home / "alone" / "mmproj-x.gguf")
    found = look(programs, programs.user_home / "alone")
    seen = {one.title: one.projector for one in found.models}
    assert seen["gemma-3-4b-it-Q4_K_M"] == str(eyes)
    assert seen["llava:latest"].startswith(str(blob.parent))
    assert seen["org_smolvlm_SmolVLM-Q8_0"] == str(flat / "org_smolvlm_mmproj-SmolVLM-Q8_0.gguf")
    assert seen["other_blind_Blind-Q8_0"] == ""
    assert [one.facts.purpose for one in found.models if one.title == "mmproj-x"] == ["projector"]
    assert len(found.models) == 5


def test_an_embedding_model_is_told_from_one_that_chats(programs: ProgramFolders) -> None:
    programs.gpt4all("chats")
    folder = programs.user_home / "embeds"
    folder.mkdir()
    (folder / "e.gguf").symlink_to(shipped_model())
    found = look(programs, folder)
    assert [one.facts.purpose for one in found.models] == ["chat", "embedding"]
    assert found.models[1].facts.licence == "Apache-2.0"


def test_a_file_that_two_places_lead_to_is_found_once(programs: ProgramFolders) -> None:
    link = programs.hub("a", "b", "c.gguf")
    (link.parent.parent / "newer").mkdir()
    (link.parent.parent / "newer" / "c.gguf").symlink_to(link)
    beside = programs.user_home / "mine"
    beside.mkdir()
    (beside / "again.gguf").symlink_to(link)
    assert len(look(programs, beside, programs.user_home / ".cache" / "huggingface").models) == 1
