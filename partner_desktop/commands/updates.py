"""`partner-desktop updates check|last`: whether there is a newer Partner."""

from __future__ import annotations

from collections.abc import Iterator

from partner_desktop.commands.verb import Command, Verb
from partner_desktop.domain.json_value import JsonObject


def _report(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    yield str(item["sentence"])


COMMAND = Command(
    ("updates",),
    (
        Verb("check", "updates.check", _report, "ask now, at the address of `config/updates.toml`"),
        Verb("last", "updates.last", _report, "what is known, without a question to anybody"),
    ),
    usual="last",
)
