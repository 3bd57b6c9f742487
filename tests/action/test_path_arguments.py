"""Path arguments become one real target each, given or by default."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.action.path_arguments import resolve_paths
from partner_desktop.domain.action import PathUse
from partner_desktop.domain.meta_action import MetaActionInfo, Route

PACK = MetaActionInfo(
    key="local::pack",
    route=Route.MCP,
    description="Pack a folder",
    params={
        "type": "object",
        "properties": {
            "folder": {"type": "string", "format": "path", "access": "read"},
            "target": {"type": "string", "format": "path", "access": "write", "default": "~/Backups"},
        },
        "required": ["folder"],
    },
)


def test_the_default_of_a_path_is_resolved_and_opened_as_if_it_had_been_said(user_home: Path) -> None:
    (user_home / "notes").mkdir()
    for said in ({}, {"target": ""}, {"target": None}):
        found = resolve_paths(PACK, {"folder": "~/notes", **said}, cwd="")
        assert found.params["target"] == str(user_home / "Backups")
        assert PathUse(param="target", path=str(user_home / "Backups"), access="write") in found.uses
        assert not found.problems


def test_what_was_said_beats_the_default_of_a_path(user_home: Path, tmp_path: Path) -> None:
    found = resolve_paths(PACK, {"folder": str(user_home), "target": str(tmp_path)}, cwd="")
    assert found.params["target"] == str(tmp_path)
    assert [use.path for use in found.uses] == [str(user_home), str(tmp_path)]
