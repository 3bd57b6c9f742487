"""The table of what is built in, and the code behind it."""

from __future__ import annotations

import tomllib

from partner_desktop.base.paths import shipped
from partner_desktop.domain.intervention import InterventionKind
from tests.builtins import builtin_infos

#: Called by its key alone, never listed.
_HIDDEN = "mcp::sample"


def test_what_the_table_describes_is_what_can_be_called_in_its_order() -> None:
    table = tomllib.loads((shipped("resources") / "abilities.toml").read_text(encoding="utf-8"))
    assert table[_HIDDEN]["hidden"]
    assert [info.key for info in builtin_infos()] == [f"builtin::{name}" for name in table if name != _HIDDEN]


def test_a_chain_is_changed_in_every_way_that_there_is() -> None:
    create = next(info for info in builtin_infos() if info.name == "intervention::create_intervention")
    assert create.properties()["type"]["enum"] == [kind.value for kind in InterventionKind]
