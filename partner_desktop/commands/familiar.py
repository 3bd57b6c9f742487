"""`partner-desktop familiar list|savings|forget|clear`: what no model is asked about any more."""

from __future__ import annotations

from collections.abc import Iterator

from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.verb import Command, Verb
from partner_desktop.domain.json_value import JsonObject


def _request(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    state = sentence_of("terminal.familiar_active")
    if not item["active"]:
        state = sentence_of("terminal.familiar_passes", passes=item["passes"])
    saved = sentence_of("terminal.familiar_saved", calls=item["calls_saved"], seconds=_seconds(item))
    yield f"{item['id']}  {item['words']} → {item['key']}  {state}, {saved}"


def _savings(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    told = {"requests": item["requests"], "calls": item["calls_saved"], "seconds": _seconds(item)}
    yield sentence_of("terminal.familiar_savings", **told)


def _seconds(item: JsonObject) -> str:
    return f"{float(str(item['saved_ms'])) / 1000:,.1f}"


COMMAND = Command(
    ("familiar",),
    (
        Verb("list", "familiar.list", _request, "what you confirmed so far in the same words"),
        Verb("savings", "familiar.savings", _savings, "how many are familiar, and what that saved"),
        Verb(
            "forget",
            "familiar.forget",
            lambda _none, _said: [sentence_of("terminal.familiar_forgotten")],
            "let one be familiar no longer",
        ),
        Verb(
            "clear",
            "familiar.clear",
            lambda _none, _said: [sentence_of("terminal.familiar_cleared")],
            "let none be familiar",
        ),
    ),
    usual="list",
    none="terminal.none_familiar",
)
