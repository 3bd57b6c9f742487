"""Path arguments become one real target each, given or by default."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.action.plans.path_arguments import resolve_paths
from partner_desktop.app import Partner
from partner_desktop.domain.events import ResultEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.permission.request import ApprovalMode
from tests.support import Watcher

from .listing import put

pytestmark = pytest.mark.integration

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


def test_what_is_to_be_made_tells_that_it_is_there_already(user_home: Path) -> None:
    schema: JsonObject = {"type": "string", "format": "path", "access": "write", "x-partner-new": True}
    making = replace(PACK, params={"type": "object", "properties": {"folder": schema}})
    (user_home / "old").mkdir()
    for name, taken in (("old", True), ("new", False)):
        [use] = resolve_paths(making, {"folder": f"~/{name}"}, cwd="").uses
        assert use.is_taken is taken


WRITES = """\
# /// partner
# description = "Set it up"
# [params.place]
# type = "string"
# format = "path"
# access = "write"
{kind}# ///
import os, sys
print("folder" if os.path.isdir(sys.argv[-1].rpartition("=")[2]) else "file")
"""


@pytest.mark.parametrize(
    ("name", "said", "made"),
    [
        (".toolrc", "", "file"),
        ("notes.txt", "", "file"),
        ("backup", "", "folder"),
        ("Makefile", "file", "file"),
        (".tool", "folder", "folder"),
        ("site.v2", "folder", "folder"),
    ],
)
async def test_a_missing_place_to_write_is_made_as_its_parameter_or_else_its_name_says(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path, name: str, said: str, made: str
) -> None:
    kind = f'# x-partner-kind = "{said}"\n' if said else ""
    await put(watcher, action_dir / "dynamic" / "set_up.py", WRITES.format(kind=kind), "local::set_up")
    (user_home / "tools").mkdir()
    place = {"place": str(user_home / "tools" / name)}
    await partner.abilities.run("local::set_up", {**place}, cwd="", standing=ApprovalMode.ALL, exchange_id="")
    result = await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(result, ResultEvent)
    assert (result.action.error, result.action.stdout.strip()) == ("", made)
