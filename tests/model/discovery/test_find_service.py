"""A person looks for models with a real Partner, and lets one answer that lies with another program."""

from __future__ import annotations

import asyncio
import os
import tomllib
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import ModelError
from partner_desktop.config.entries import PutEntry, PutValue
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_file import FoundModel
from tests.model.discovery.program_folders import ProgramFolders
from tests.model.endpoint.badly import BadServer, hang
from tests.model.engine import needs_engine
from tests.model.seeing import make_tiny_projector

pytestmark = pytest.mark.integration


@pytest.fixture
def programs(user_home: Path, small: Path) -> ProgramFolders:
    """Those of whoever runs this Partner."""
    return ProgramFolders(user_home, small)


async def found(partner: Partner, *folders: Path) -> tuple[FoundModel, ...]:
    return (await partner.finds.models(folders)).models


@needs_engine
@pytest.mark.promise("model.discover")
async def test_a_model_of_ollama_s_answers_under_its_own_name(
    partner: Partner, programs: ProgramFolders
) -> None:
    blob = programs.ollama("llama3.2", "3b")
    (one,) = await found(partner)
    assert (one.path, one.known_as) == (str(blob), "")
    assert await partner.finds.use(Path(one.path)) == "llama3.2:3b"
    assert partner.models.mind() == "llama3.2:3b"
    assert [each.known_as for each in await found(partner)] == ["llama3.2:3b"]
    assert (await partner.models.load("llama3.2:3b")).state == "ready"


async def test_what_sees_for_a_model_is_taken_in_with_it_wherever_it_was_found(
    partner: Partner, programs: ProgramFolders, tmp_path: Path
) -> None:
    blob = programs.ollama("llava")
    manifest = programs.ollama_root / "manifests/registry.ollama.ai/library/llava/latest"
    programs.add_ollama_eyes(manifest, make_tiny_projector(tmp_path / "eyes.gguf"))
    lone = programs.copied(tmp_path / "lone" / "small.gguf")
    beside = make_tiny_projector(lone.with_name("mmproj-f16.gguf"))
    blind = programs.copied(tmp_path / "many" / "one.gguf")
    programs.copied(tmp_path / "many" / "gemma-3-4b.gguf")
    make_tiny_projector(tmp_path / "many" / "mmproj-gemma-3-4b.gguf")
    assert await partner.finds.use(blob) == "llava:latest"
    for path in (lone, blind):
        await partner.models.add_file(path)
    assert {one.name: one.sees for one in partner.models.list()} == {
        "llava:latest": True,
        "small": True,
        "one": False,
    }
    written = tomllib.loads((partner.home.config / "model.toml").read_text("utf-8"))
    taken = {one["name"]: one.get("projector", "") for one in written["file"]}
    assert taken["llava:latest"].startswith(str(blob.parent))
    assert (taken["small"], taken["one"]) == (str(beside), "")


async def test_a_model_of_the_list_sees_once_its_eyes_are_there(
    partner: Partner, programs: ProgramFolders, tmp_path: Path
) -> None:
    path = programs.copied(tmp_path / "lone" / "small.gguf")
    await partner.models.add_file(path)
    mine: JsonObject = {"name": "mine", "path": str(path), "threads": 1}
    await partner.config.change(
        "model", PutValue(("use",), None), PutEntry("file", 0, {"name": "small"}, mine)
    )
    make_tiny_projector(path.with_name("mmproj-small.gguf"))
    assert await partner.models.add_file(path) == "mine"
    (one,) = partner.models.list()
    assert (one.sees, one.threads) == (True, 1)


async def test_the_memory_of_what_sees_for_a_model_is_reckoned_with_it(
    partner: Partner, programs: ProgramFolders, tmp_path: Path
) -> None:
    path = programs.copied(tmp_path / "lone" / "small.gguf")
    (before,) = await found(partner, path.parent)
    eyes = make_tiny_projector(path.with_name("mmproj-small.gguf"))
    after = next(one for one in await found(partner, path.parent) if one.projector)
    more = after.fit.needed_bytes - before.fit.needed_bytes
    assert eyes.stat().st_size * 0.9 < more < eyes.stat().st_size * 1.5


async def test_one_that_was_never_looked_for_is_called_as_its_program_does(
    partner: Partner, programs: ProgramFolders
) -> None:
    blob = programs.ollama("phi", "mini", where="registry.ollama.ai/somebody")
    assert await partner.finds.use(blob) == "phi:mini"


async def test_what_is_no_model_is_not_taken_in(partner: Partner, programs: ProgramFolders) -> None:
    bad = programs.gpt4all("bad")
    bad.write_bytes(b"nothing")
    with pytest.raises(ModelError, match="is not a model in the GGUF format"):
        await partner.finds.use(bad)
    assert partner.models.list() == ()


async def test_folders_of_the_settings_are_looked_through_too(
    partner: Partner, programs: ProgramFolders, tmp_path: Path
) -> None:
    programs.copied(tmp_path / "mine" / "a.gguf")
    programs.copied(tmp_path / "named" / "b.gguf")
    programs.copied(partner.home.root / "models" / "o" / "c.gguf")
    await partner.config.change("model", PutValue(("folders",), [str(tmp_path / "mine")]))
    models = await found(partner, tmp_path / "named")
    assert [(one.source, one.title) for one in models] == [("folder", "a"), ("folder", "b"), ("partner", "c")]


async def test_two_presses_at_once_bring_one_model(partner: Partner, programs: ProgramFolders) -> None:
    blob = programs.ollama("llama3.2", "3b")
    names = await asyncio.gather(*(partner.finds.use(blob) for _ in range(3)))
    async with BadServer(hang) as server:
        names += await asyncio.gather(*(partner.finds.use_endpoint(server.address, "owl") for _ in range(3)))
    assert names == ["llama3.2:3b"] * 3 + ["owl"] * 3
    assert [one.name for one in partner.models.list()] == ["llama3.2:3b", "owl"]


async def test_a_program_that_serves_models_answers(partner: Partner) -> None:
    async with BadServer(hang) as server:
        assert await partner.finds.use_endpoint(server.address, "library/owl") == "owl"
        assert await partner.finds.use_endpoint(server.address, "library/owl") == "owl"
        assert partner.models.mind() == "owl"
    assert len(partner.models.list()) == 1


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="whoever may read everything sees it")
async def test_a_folder_that_is_closed_is_noted(partner: Partner, programs: ProgramFolders) -> None:
    programs.lm_studio("one")
    root = programs.user_home / ".lmstudio" / "models"
    root.chmod(0)
    try:
        looked = await partner.finds.models()
    finally:
        root.chmod(0o700)
    assert "cannot be read" in looked.notes[0]


@pytest.mark.parametrize("address", ["https://elsewhere.example/v1", "http://127.0.0.1@elsewhere.example/v1"])
async def test_what_a_person_says_is_not_sent_to_another_machine_as_something_found_here(
    partner: Partner, address: str
) -> None:
    with pytest.raises(ModelError, match=r"elsewhere\.example/v1 is not on this machine"):
        await partner.finds.use_endpoint(address, "owl")
    assert (partner.models.list(), partner.models.mind()) == ((), "starter")
