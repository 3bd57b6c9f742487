"""`partner-desktop models list|use|load|unload|remove|key|test`."""

from __future__ import annotations

import asyncio
import sys
from getpass import getpass
from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.model_ask import ModelAsk
from partner_desktop.gateways.wire import json_line

_SIGNS = {"ready": "●", "loading": "◐", "failed": "✗"}


async def models(home: Home, action_dir: Path | None, ask: ModelAsk, *, as_json: bool) -> int:
    """Ask the Partner of this home and print its answer; 1 when a test found something that does not work.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    if ask.model_verb == "key":
        ask = ModelAsk("key", name=ask.name, secret=await asyncio.to_thread(_read_key, ask.name))
    async with connect(home, action_dir) as session:
        answer = [item for item in await session.models(ask) if isinstance(item, dict)]
    for item in answer:
        print(json_line(item) if as_json else plain(_told(ask, item)))
    if ask.model_verb == "list" and not answer and not as_json:
        print("There are no models yet; `partner-desktop models use FILE.gguf` takes one in.")
    return 1 if ask.model_verb == "test" and not all(map(_works, answer)) else 0


def _read_key(name: str) -> str:
    """From the terminal, unseen; else the first line that comes in."""
    if sys.stdin.isatty():
        return getpass(f"The key of {name} (nothing: forget it): ").strip()
    return sys.stdin.readline().strip()


def _told(ask: ModelAsk, item: JsonObject) -> str:
    if ask.model_verb == "list":
        return _line(item)
    if ask.model_verb == "test":
        return "\n".join(_checks(item))
    who = "The starter mind" if item["name"] == "starter" else str(item["name"])
    model = item["model"]
    facts = _facts(model) if isinstance(model, dict) else ""
    where = item.get("where")
    sentences = {
        "use": f"{who} answers from now on.",
        "load": f"{who} is loaded: {facts}.",
        "unload": f"{who} is unloaded.",
        "remove": f"{who} is taken out of the settings. Its file, if it has one, was not touched.",
        "key": f"The key of {who} is kept {where}." if where else f"The key of {who} is forgotten.",
    }
    return sentences[ask.model_verb]


def _line(item: JsonObject) -> str:
    sign = _SIGNS.get(str(item["state"]), "·")
    used = " (in use)" if item["in_use"] else ""
    said = f" — {item['reason']}" if item["reason"] else ""
    return (
        f"{sign} {item['name']!s:<24} {item['state']}{used}  {item['where']}  {_facts(item)}{said}".rstrip()
    )


def _facts(item: JsonObject) -> str:
    facts = [str(item["description"])] if item["description"] else []
    if item["context_tokens"]:
        facts.append(f"{item['context_tokens']:,} tokens")
    if item["threads"]:
        facts.append("1 thread" if item["threads"] == 1 else f"{item['threads']} threads")
    if item["gpu_layers"]:
        facts.append(f"{item['gpu_layers']} layers on the GPU")
    if item["note"]:
        facts.append(str(item["note"]))
    return ", ".join(facts)


def _checks(item: JsonObject) -> list[str]:
    return [f"{'✓' if check['ok'] else '✗'} {check['sentence']}" for check in _list(item)]


def _works(item: JsonObject) -> bool:
    return all(check["ok"] for check in _list(item))


def _list(item: JsonObject) -> list[JsonObject]:
    checks: Json = item.get("checks")
    return [check for check in checks if isinstance(check, dict)] if isinstance(checks, list) else []
