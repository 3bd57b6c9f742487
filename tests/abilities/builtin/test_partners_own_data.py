"""No builtin that takes a path gets at what is Partner's own, however the path is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.request import ApprovalMode
from tests.abilities.builtin.calling import Caller, leftovers
from tests.builtins import builtin_infos

#: A Partner each: for the whole gate.
pytestmark = pytest.mark.integration

#: What a call needs beside its path.
_MORE: dict[str, JsonObject] = {
    "files::write": {"text": "x", "overwrite": True},
    "files::append": {"text": "x"},
    "files::look_up": {"about": "x"},
    "files::remove_line": {"lines": "x"},
    "files::find": {"pattern": "*"},
    "files::info": {"path": "mine/a.txt"},
    "files::copy": {"source": "mine/a.txt", "target": "mine/b.txt"},
    "files::move": {"source": "mine/a.txt", "target": "mine/b.txt"},
    "command::start": {"desc": "wait", "argv": ["true"]},
}
#: What `files::undo` is given as its folder counts for nothing: the undo journal knows, and fills it in.
_PATHS = [
    (info.key.removeprefix("builtin::"), param)
    for info in builtin_infos()
    for param in info.path_params()
    if info.key != "builtin::files::undo"
]


def test_every_file_builtin_is_looked_at_here() -> None:
    assert {name for name, _ in _PATHS} == {
        *(
            f"files::{verb}"
            for verb in ("read", "look_up", "info", "find", "write", "append", "remove_line", "make_folder")
        ),
        *(f"files::{verb}" for verb in ("copy", "move", "trash")),
        "list_folder",
        "command::start",
    }


async def test_partners_own_data_is_refused_by_every_way_to_it(
    call: Caller, home: Home, user_home: Path, tmp_path: Path
) -> None:
    (user_home / "mine").mkdir()
    (user_home / "mine" / "a.txt").write_text("a")
    (user_home / "link").symlink_to(home.root)
    (home.root / "secret.txt").write_text("secret")
    around = f"{user_home}/mine/../../{home.root.relative_to(tmp_path)}"
    for name, param in _PATHS:
        fresh = name == "files::make_folder" or param == "target"
        inside = "" if param in ("folder", "cwd") and not fresh else "/fresh" if fresh else "/secret.txt"
        for place in (f"{home.root}{inside}", f"~/link{inside}", f"{around}{inside}"):
            record = await call(name, {**_MORE.get(name, {}), param: place})
            assert record.status is ActionStatus.REJECTED, (name, param, place)
            assert "holds Partner's own data" in record.error
    assert (home.root / "secret.txt").read_text() == "secret"
    assert "fresh" not in leftovers(home.root)
    assert leftovers(user_home / "mine") == {"a.txt"}


async def test_a_folder_above_it_is_neither_copied_nor_moved_nor_deleted(
    call: Caller, home: Home, tmp_path: Path
) -> None:
    above = str(home.root.parent)
    for name, params in (
        ("files::copy", {"source": above, "target": str(tmp_path.parent / "stolen")}),
        ("files::move", {"source": above, "target": str(tmp_path.parent / "stolen")}),
        ("files::trash", {"path": above}),
    ):
        record = await call(name, dict(params))
        assert record.status in (ActionStatus.FAILED, ActionStatus.REJECTED)
        assert "holds Partner's own data" in record.error
    assert not (tmp_path.parent / "stolen").exists()


async def test_a_place_that_may_hold_secrets_is_asked_about_and_never_for_good(
    call: Caller, partner: Partner, user_home: Path
) -> None:
    (user_home / ".ssh").mkdir()
    (user_home / ".ssh" / "id_ed25519").write_text("the key")
    (user_home / "harmless.txt").symlink_to(user_home / ".ssh" / "id_ed25519")
    for _ in range(2):
        record = await call("files::read", {"file": "harmless.txt"}, standing=ApprovalMode.ASK)
        assert record.status is ActionStatus.WAITING
        assert not record.grantable
        call.watcher.events.clear()
        with pytest.raises(UsageError, match="once only"):
            await partner.actions.approve(record.id, scope="always")
        await partner.actions.approve(record.id, scope="once")
        await call.watcher.until(lambda event: event.type == "result")
        assert (await partner.actions.get(record.id)).stdout == "the key"
    refused = await call("files::read", {"file": "harmless.txt"}, standing=ApprovalMode.GRANTED)
    assert refused.status is ActionStatus.REJECTED
    assert "~/.ssh/id_ed25519 may hold secrets" in refused.error
