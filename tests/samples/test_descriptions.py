"""Every shipped sample tells what it does, in two languages, and what it needs, with types."""

from __future__ import annotations

import json
import tomllib

import pytest

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from tests.samples.stage import NAMES, SAMPLES, script_of
from tests.support import REPOSITORY

CHANGES_FILES = {"tidy_folder", "rename_files"}
ONLY_LOOKS = {"count_words", "disk_usage", "find_duplicates", "recent_files", "search_text"}


def test_every_sample_in_the_folder_is_tested_shipped_and_kept_by_git() -> None:
    there = {path.stem for path in SAMPLES.iterdir() if path.name != "__pycache__"}
    assert there >= set(NAMES)
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    kept = (REPOSITORY / ".gitignore").read_text().splitlines()
    for name in NAMES:
        script = script_of(name)
        top = script.parent if script.stem == "run" else script
        path = top.relative_to(REPOSITORY).as_posix()
        assert shipped[path] == f"partner_desktop/_shipped/{path}"
        assert f"!/{path}{'/' if top.is_dir() else ''}" in kept


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_describes_itself_completely(name: str) -> None:
    script = script_of(name)
    ability = read_ability(
        script.parent if script.stem == "run" else script, location="local", route=Route.MCP
    )
    info = ability.info
    assert ability.hints == ()
    assert info.description
    english = [alias for alias in info.aliases if alias.isascii()]
    assert len(english) >= 3
    assert len(info.aliases) - len(english) >= 4
    assert len(set(info.aliases)) == len(info.aliases)
    assert info.annotations.read_only is (name in ONLY_LOOKS)
    assert info.annotations.destructive is (name in CHANGES_FILES)
    assert None not in (info.annotations.idempotent, info.annotations.open_world)
    assert not info.permissions.net
    assert info.path_params()
    assert ("write" in info.path_params().values()) is (name not in ONLY_LOOKS)


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_of_a_sample_has_a_type_and_says_what_it_is(
    name: str, sample_infos: dict[str, MetaActionInfo]
) -> None:
    info = sample_infos[name]
    for schema in info.properties().values():
        assert schema["type"] in {"string", "integer", "boolean"}
        assert 10 < len(str(schema["description"])) < 120
        if schema["type"] == "integer":
            assert "minimum" in schema
            assert name == "find_duplicates" or "maximum" in schema
    assert len(info.required()) <= 2
    json.dumps(info.params)
