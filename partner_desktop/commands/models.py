"""`partner-desktop models list|find|use|load|unload|remove|key|test`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from getpass import getpass
from pathlib import Path
from typing import cast

from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.options import home_folder
from partner_desktop.commands.verb import Command, Options, Verb, print_result
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.model.memory_fit import spoken

_SIGNS = {"ready": "●", "loading": "◐", "failed": "✗"}


def _listed(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    sign = _SIGNS.get(str(item["state"]), "·")
    used = sentence_of("terminal.in_use") if item["in_use"] else ""
    said = f" — {item['reason']}" if item["reason"] else ""
    yield f"{sign} {item['name']!s:<24} {item['state']}{used}  {item['where']}  {_facts(item)}{said}".rstrip()


def _facts(item: JsonObject) -> str:
    facts = [str(item["description"])] if item["description"] else []
    if item["context_tokens"]:
        facts.append(f"{item['context_tokens']:,} tokens")
    if item["threads"]:
        facts.append("1 thread" if item["threads"] == 1 else f"{item['threads']} threads")
    if item["gpu_layers"]:
        facts.append(sentence_of("terminal.gpu_layers", layers=item["gpu_layers"]))
    if item["note"]:
        facts.append(str(item["note"]))
    return ", ".join(facts)


def _loaded(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    yield sentence_of("terminal.model_loaded", name=item["name"], facts=_facts(item))


def _removed(_result: Json, params: JsonObject) -> Iterator[str]:
    yield sentence_of("terminal.model_removed", name=params["name"])


def _checked(report: Json, _params: JsonObject) -> Iterator[str]:
    yield from (f"{'✓' if check['ok'] else '✗'} {check['sentence']}" for check in _checks(report))


def _works(report: Json) -> int:
    return 0 if all(check["ok"] for check in _checks(report)) else 1


def _checks(report: Json) -> list[JsonObject]:
    checks = report["checks"] if isinstance(report, dict) else []
    return [check for check in checks if isinstance(check, dict)] if isinstance(checks, list) else []


def _add_find(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", action="append", type=Path, default=[], metavar="FOLDER", help="look there, too"
    )
    parser.add_argument(
        "--running", action="store_true", help="ask the ports of this machine who serves models now"
    )


async def _find(client: PartnerClient, params: JsonObject, options: Options) -> int:
    if options.running:
        served = await client.objects("finds.endpoints")
        if not served and not options.json:
            print_result(sentence_of("terminal.nobody_serves"), params, as_json=False)
        print_result([*served], params, as_json=options.json, show=_serving)
        return 0
    folders: list[Json] = [str(home_folder(folder)) for folder in options.folder]
    found = await client.object("finds.models", folders=folders)
    models = found["models"]
    if options.json:
        print_result(found, params, as_json=True)
        return 0
    if not models:
        print_result(sentence_of("terminal.none_found"), params, as_json=False)
    print_result(models, params, as_json=False, show=_found)
    print_result(found["notes"], params, as_json=False)
    return 0


def _found(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    """`✓ llama3.2:3b  ollama  3B Q4_K_M, 131,072 tokens, 1.9 GB …`, and its path below."""
    facts, fit = cast("JsonObject", item["facts"]), cast("JsonObject", item["fit"])
    level = "broken" if item["trouble"] else str(fit["level"])
    known = f" ({item['known_as']})" if item["known_as"] else ""
    said = item["trouble"] or _made_of(facts, fit)
    yield f"{_FITS[level]} {item['title']!s:<40} {item['source']}{known}  {said}"
    yield f"    {item['path']}"


_FITS = {"fits": "✓", "tight": "≈", "too_large": "✗", "unknown": "·", "broken": "✗"}


def _made_of(facts: JsonObject, fit: JsonObject) -> str:
    parameters, context = cast("int", facts["parameters"]), facts["context_tokens"]
    said = [str(facts["purpose"]), *([_count(parameters)] if parameters else []), str(facts["quantisation"])]
    said += [f"{context:,} tokens"] if context else []
    said += [spoken(cast("int", facts["size_bytes"])), str(facts["licence"])]
    if fit["needed_bytes"]:
        needed, free = spoken(cast("int", fit["needed_bytes"])), spoken(cast("int", fit["free_bytes"]))
        told = f"terminal.fit_{fit['level']}"
        said.append(sentence_of(told, needed=needed, free=free, tokens=fit["context_tokens"]))
    if fit["tokens_per_s"]:
        said.append(sentence_of("terminal.perhaps_speed", speed=round(cast("float", fit["tokens_per_s"]))))
    return ", ".join(one for one in said if one)


def _count(parameters: int) -> str:
    """`3.2B`."""
    return f"{parameters / 1e9:.1f}B" if parameters >= 1e9 else f"{parameters / 1e6:.0f}M"


def _serving(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    known = f" ({item['known_as']})" if item["known_as"] else ""
    models = ", ".join(map(str, cast("list[Json]", item["models"])))
    yield f"● {item['program']!s:<14} {item['base_url']}{known}  {models}".rstrip()


async def _use(client: PartnerClient, params: JsonObject, options: Options) -> int:
    file = str(home_folder(Path(str(params["name"]))))  # the host of the home may stand elsewhere
    used = await client.call("models.use", name=params["name"], file=file)

    def told(name: Json, _params: JsonObject) -> Iterator[str]:
        who = sentence_of("terminal.the_starter") if name == "starter" else name
        yield sentence_of("terminal.answers_now", who=who)

    print_result(used, params, as_json=options.json, show=told)
    return 0


def _kept(where: Json, params: JsonObject) -> Iterator[str]:
    name = params["name"]
    yield (
        sentence_of("terminal.key_kept", name=name, where=where)
        if where
        else sentence_of("terminal.key_forgotten", name=name)
    )


def _read_key(params: JsonObject) -> JsonObject:
    """From the terminal, unseen; else the first line that comes in."""
    if sys.stdin.isatty():
        return {"key": getpass(sentence_of("terminal.ask_key", name=params["name"])).strip()}
    return {"key": sys.stdin.readline().strip()}


COMMAND = Command(
    ("models", "finds"),
    (
        Verb("list", "models.list", _listed, "all of them, and how they are"),
        Verb(
            "find",
            "finds.models",
            help="models of other programs on this machine, and whether they fit; nothing is changed",
            hidden=("folders",),
            add=_add_find,
            do=_find,
        ),
        Verb("use-found", "finds.use", help="let a model that was found answer, called as its program does"),
        Verb("use-running", "finds.use_endpoint", help="let a program that serves models answer"),
        Verb(
            "use",
            "models.use",
            help="let this one answer: a name, a GGUF file, or `starter` for none",
            hidden=("file",),
            do=_use,
        ),
        Verb("load", "models.load", _loaded, "open one now, in the Partner that runs"),
        Verb(
            "unload",
            "models.unload",
            lambda _model, said: [sentence_of("terminal.model_unloaded", name=said["name"])],
            "give its memory back",
        ),
        Verb("remove", "models.remove", _removed, "take one out of the settings; its file stays"),
        Verb(
            "key",
            "models.set_key",
            _kept,
            "keep the key of a server: it is asked for, or read from the standard input",
            hidden=("key",),
            ask=_read_key,
        ),
        Verb("test", "models.test", _checked, "try a server out", code=_works),
    ),
    none="terminal.no_models",
)
