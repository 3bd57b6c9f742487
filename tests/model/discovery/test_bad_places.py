"""Whatever lies in a folder of models, a look at it ends, says what was wrong, and finds the rest."""

from __future__ import annotations

import json
import os
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from partner_desktop.model.discovery.folder_walk import FolderWalk
from partner_desktop.model.discovery.model_discovery import ModelDiscovery
from partner_desktop.model.discovery.model_places import ModelPlace
from partner_desktop.model.discovery.model_scanners import ModelCandidate, scanned
from tests.model.discovery.program_folders import ProgramFolders
from tests.model.discovery.test_model_discovery import look, one_of, titles

pytestmark = pytest.mark.integration


@pytest.mark.promise("model.discover")
def test_links_that_go_in_circles_end(programs: ProgramFolders) -> None:
    programs.lm_studio("one")
    root = programs.user_home / ".lmstudio" / "models"
    (root / "round").symlink_to(root)
    (root / "lmstudio-community" / "up").symlink_to("..")
    (root / "itself").symlink_to("itself")
    (root / "self.gguf").symlink_to("self.gguf")
    found = look(programs)
    assert titles(found) == [("lm_studio", "one-Q4_K_M"), ("lm_studio", "self")]
    assert found.models[0].trouble == ""
    assert found.models[1].trouble != ""


@pytest.mark.slow
def test_a_folder_of_fifty_thousand_files_is_looked_through(programs: ProgramFolders) -> None:
    root = programs.user_home / "crowd"
    root.mkdir()
    for number in range(50_000):
        os.mknod(root / f"{number}.txt")
    programs.copied(root / "zz.gguf")
    found = look(programs, root)
    assert (titles(found), found.notes) == ([("folder", "zz")], ())


def test_a_folder_without_end_is_left_with_a_note(programs: ProgramFolders) -> None:
    root = programs.user_home / "crowd"
    programs.copied(root / "aa.gguf")
    for number in range(300):
        (root / f"{number}.txt").touch()
    found = ModelDiscovery(most_entries=200).look([ModelPlace("folder", root)])
    assert "more files than could be looked through" in found.notes[0]


def test_a_tree_without_end_is_left_at_a_depth(programs: ProgramFolders) -> None:
    deep = programs.user_home / "deep"
    programs.copied(deep / "a" / "b" / "near.gguf")
    programs.copied(deep.joinpath(*"abcdefghijklmnopqrst") / "far.gguf")
    assert one_of(look(programs, deep)).title == "near"


@pytest.mark.promise("model.discover")
def test_a_share_that_hangs_costs_its_time_and_nothing_else(programs: ProgramFolders) -> None:
    programs.copied(programs.user_home / "good" / "good.gguf")
    share = programs.user_home / "share"
    share.mkdir()
    answers = threading.Event()

    def hanging(place: ModelPlace, walk: FolderWalk) -> Iterator[ModelCandidate]:
        if place.folder == share:
            answers.wait()
        yield from scanned(place, walk)

    places = [ModelPlace("folder", share), ModelPlace("folder", programs.user_home / "good")]
    try:
        found = ModelDiscovery(silence_s=0.2, scan=hanging).look(places)
    finally:
        answers.set()
    assert titles(found) == [("folder", "good")]
    assert found.notes == (f"{share} does not answer; it was left out.",)


def _without_its_blob(programs: ProgramFolders, blob: Path, _manifest: Path) -> str:
    blob.unlink()
    return "is listed by Ollama, but its file is not there"


def _a_damaged_manifest(_programs: ProgramFolders, _blob: Path, manifest: Path) -> str:
    manifest.write_bytes(b"\xff{")
    return "What Ollama wrote of"


def _a_nested_manifest(_programs: ProgramFolders, _blob: Path, manifest: Path) -> str:
    manifest.write_text("[" * 200_000, "utf-8")
    return "What Ollama wrote of"


def _another_form(_programs: ProgramFolders, _blob: Path, manifest: Path) -> str:
    manifest.write_text('{"layers": [{"mediaType": 3}]}', "utf-8")
    return "What Ollama wrote of"


def _a_cut_blob(_programs: ProgramFolders, blob: Path, _manifest: Path) -> str:
    blob.write_bytes(blob.read_bytes()[:3000])
    return "ends too early"


def _a_foreign_blob(_programs: ProgramFolders, blob: Path, _manifest: Path) -> str:
    blob.write_bytes(b"\x89PNG\r\n" * 100)
    return "is not a model in the GGUF format"


@pytest.mark.promise("model.discover")
@pytest.mark.parametrize(
    "damage",
    [
        _without_its_blob,
        _a_damaged_manifest,
        _a_nested_manifest,
        _another_form,
        _a_cut_blob,
        _a_foreign_blob,
    ],
)
def test_what_ollama_has_damaged_is_told_beside_the_rest(
    programs: ProgramFolders, damage: Callable[[ProgramFolders, Path, Path], str]
) -> None:
    blob = programs.ollama("bad")
    programs.ollama("good")
    manifest = programs.ollama_root / "manifests/registry.ollama.ai/library/bad/latest"
    told = damage(programs, blob, manifest)
    good, bad = look(programs).models
    assert (good.title, good.trouble) == ("good:latest", "")
    assert told in bad.trouble


def test_a_manifest_leads_nowhere_but_to_blobs(programs: ProgramFolders) -> None:
    programs.copied(programs.user_home / "secret.gguf")
    programs.ollama("good")
    manifest = programs.ollama_root / "manifests/registry.ollama.ai/library/evil/latest"
    manifest.parent.mkdir()
    kind = "application/vnd.ollama.image.model"
    layer = {"mediaType": kind, "digest": "sha256:../../../../secret.gguf"}
    manifest.write_text(json.dumps({"layers": [layer]}), "utf-8")
    assert titles(look(programs)) == [("ollama", "good:latest")]


def test_models_that_are_served_elsewhere_are_none_of_this_machine(programs: ProgramFolders) -> None:
    manifest = programs.ollama_root / "manifests/registry.ollama.ai/library/large/cloud"
    manifest.parent.mkdir(parents=True)
    manifest.write_text('{"schemaVersion": 2, "layers": []}', "utf-8")
    found = look(programs)
    assert (found.models, found.notes) == ((), ())


@pytest.mark.skipif(os.name == "nt", reason="pipes and modes of files")
def test_what_only_bears_the_name_is_told_and_never_waited_for(programs: ProgramFolders) -> None:
    root = programs.user_home / "odd"
    root.mkdir()
    os.mkfifo(root / "pipe.gguf")
    (root / "empty.gguf").touch()
    (root / "text.gguf").write_text("Dear diary", "utf-8")
    (root / "folder.gguf").mkdir()
    (root / "gone.gguf").symlink_to("nowhere")
    found = look(programs, root)
    assert {one.title for one in found.models} == {"pipe", "empty", "text", "gone"}
    assert all(one.trouble.endswith(".") for one in found.models)


def test_a_name_that_is_no_text_is_noted(programs: ProgramFolders) -> None:
    root = programs.user_home / "names"
    root.mkdir()
    os.close(os.open(os.fsencode(root) + b"/\xff.gguf", os.O_CREAT))
    found = look(programs, root)
    assert found.models == ()
    assert "is not text" in found.notes[0]
    json.dumps(found.notes)


def test_a_folder_that_was_named_and_is_not_there_is_noted(programs: ProgramFolders) -> None:
    found = look(
        programs, programs.user_home / "none", environ={"OLLAMA_MODELS": str(programs.user_home / "x")}
    )
    assert len(found.notes) == 2
    assert all("is not there" in note for note in found.notes)


def test_a_header_that_takes_long_on_purpose_costs_itself_and_not_the_folder(
    programs: ProgramFolders,
) -> None:
    folder = programs.user_home / "mine"
    programs.copied(folder / "zz.gguf")
    lists = 4000
    with (folder / "aa.gguf").open("wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, 0, lists))
        for number in range(lists):
            key = f"k{number}".encode()
            file.write(struct.pack("<Q", len(key)) + key + struct.pack("<IIQ", 9, 8, 1024) + bytes(8 * 1024))
        file.truncate(1 << 30)  # with nothing in it that could be leaped to
    found = look(programs, folder)
    assert titles(found) == [("folder", "aa"), ("folder", "zz")]
    assert found.notes == ()
