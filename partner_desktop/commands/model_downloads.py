"""`partner-desktop models catalog|look|get|downloads|pause|resume|cancel`: models from a hub."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator
from contextlib import aclosing

from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.plain import plain_line
from partner_desktop.commands.verb import Options, Verb
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.wire import json_line
from partner_desktop.model.downloads.download_store import byte_words

_SIGNS = {"done": "✓", "failed": "✗", "paused": "■", "loading": "◐", "checking": "◐"}
_FITS = {"fits": "✓", "tight": "~", "too_large": "✗"}
#: Seconds that a pause may take when the person presses Ctrl+C.
_PAUSE_S = 5.0


def _offered(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    sign = "★" if item["suggested"] else _FITS.get(_level(item), "?")
    size = byte_words(_int(item["size_bytes"])) if item["size_bytes"] else ""
    facts = ", ".join(filter(None, (f"{item['memory_gb']} GB", str(item["use"]), size, str(item["licence"]))))
    here = sentence_of("downloads.is_here", name=item["known_as"]) if item["known_as"] else ""
    yield f"{sign} {item['id']!s:<22} {facts}{here}"
    yield f"    {item['why']}"


def _looked_at(listing: JsonObject, _params: JsonObject) -> Iterator[str]:
    licence = f", {listing['licence']}" if listing["licence"] else ""
    yield f"{listing['repository']} ({str(listing['revision'])[:8]}{licence})"
    files = listing["files"] if isinstance(listing["files"], list) else []
    for one in files:
        if isinstance(one, dict):
            kind = "" if one["purpose"] == "chat" else f"  {one['purpose']}"
            size = byte_words(_int(one["size_bytes"]))
            yield f"{_FITS.get(_level(one), '?')} {size:>9}  {one['quantisation']!s:<8} {one['file']}{kind}"
    if not files:
        yield sentence_of("downloads.no_models_there", repository=listing["repository"])


def _download_line(item: Json, _params: JsonObject) -> Iterator[str]:
    if isinstance(item, dict):
        said = f" — {item['reason']}" if item["reason"] else ""
        sign = _SIGNS.get(str(item["state"]), "·")
        yield f"{sign} {str(item['id'])[:8]}  {item['title']}  {progress_line(item)}{said}"


def _cancelled(_result: Json, params: JsonObject) -> Iterator[str]:
    yield sentence_of("downloads.is_cancelled", id=str(params["download_id"])[:8])


def progress_line(item: JsonObject) -> str:
    """How far a download is: `42 %  1.1 GB / 2.5 GB  8.3 MB/s  2:51`."""
    done, size = _int(item["done_bytes"]), _int(item["size_bytes"])
    parts = [sentence_of(f"downloads.state_{item['state']}")]
    if item["state"] == "done":
        return f"{parts[0]}  {item['path']}"
    if size:
        parts += [f"{100 * done // size} %", f"{byte_words(done)} / {byte_words(size)}"]
    if item["bytes_per_s"]:
        parts.append(f"{byte_words(_int(item['bytes_per_s']))}/s")
    if item["left_s"]:
        minutes, seconds = divmod(_int(item["left_s"]), 60)
        parts.append(f"{minutes}:{seconds:02}")
    return "  ".join(parts)


async def _get(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """Begin, and show how it goes to its end; Ctrl+C lets it wait."""
    begun = await client.object("downloads.start", **params)
    return await _followed(client, begun, as_json=options.json)


async def _resume(client: PartnerClient, params: JsonObject, options: Options) -> int:
    found = await client.object("downloads.find", beginning=params["download_id"])
    resumed = await client.object("downloads.resume", download_id=found["id"])
    return await _followed(client, resumed, as_json=options.json)


async def _followed(client: PartnerClient, begun: JsonObject, *, as_json: bool) -> int:
    screen = _Screen(as_json=as_json)
    until_wanted = asyncio.timeout(None)
    client.on_window_wanted(lambda: until_wanted.reschedule(0))  # the window loads it on
    last = begun
    try:
        async with until_wanted, aclosing(client.events("downloads.follow", download_id=begun["id"])) as told:
            async for last in told:
                screen.show(last)
    except asyncio.CancelledError:
        async with asyncio.timeout(_PAUSE_S):
            paused = await client.object("downloads.pause", download_id=begun["id"])
            screen.show(paused)
            if paused["state"] != "done":  # which only goes to the disk
                screen.say(sentence_of("downloads.waits", id=str(begun["id"])[:8]))
        raise
    except TimeoutError:
        if not until_wanted.expired():
            raise
        return 0
    finally:
        client.on_window_wanted(lambda: None)
        screen.end()
    if last["state"] == "done":
        model = last["model"]
        screen.say(sentence_of("downloads.arrived", path=last["path"]))
        if model:
            screen.say(sentence_of("downloads.taken_in", name=model))
        return 0
    screen.say(str(last["reason"]))
    return 1


class _Screen:
    """One line that is written anew in a terminal, a line for each state elsewhere."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._live = sys.stdout.isatty() and not as_json
        self._state: Json = None
        self._open = False

    def show(self, item: JsonObject) -> None:
        if self._as_json:
            print(json_line(item), flush=True)
        elif self._live:
            width = shutil.get_terminal_size().columns - 1
            text = plain_line(f"{item['title']}  {progress_line(item)}")[:width]
            print(f"\r{text:<{width}}", end="", flush=True)
            self._open = True
        elif item["state"] != self._state:
            self._state = item["state"]
            print(plain_line(f"{item['title']}  {progress_line(item)}"), flush=True)

    def say(self, sentence: str) -> None:
        self.end()
        if not self._as_json:
            print(plain_line(sentence), flush=True)

    def end(self) -> None:
        if self._open:
            print(flush=True)
            self._open = False


def _level(item: JsonObject) -> str:
    fit = item["fit"]
    return str(fit["level"]) if isinstance(fit, dict) else ""


def _int(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else 0


DOWNLOAD_VERBS = (
    Verb("catalog", "downloads.catalog", _offered, "models to fetch, with what fits this machine"),
    Verb("look", "downloads.look", _looked_at, "the model files of a repository: owner/name or a link"),
    Verb(
        "get",
        "downloads.start",
        help="fetch one: an id of the catalog, owner/name with --file, or a link; Ctrl+C lets it wait",
        do=_get,
    ),
    Verb(
        "downloads",
        "downloads.list",
        _download_line,
        "all downloads, and how far they are",
        none="downloads.none_yet",
    ),
    Verb(
        "pause",
        "downloads.pause",
        _download_line,
        "let one wait, with what it has",
        find="downloads.find",
    ),
    Verb("resume", "downloads.resume", help="let one go on where it was", do=_resume),
    Verb(
        "cancel",
        "downloads.cancel",
        _cancelled,
        "give one up, and take away what came",
        find="downloads.find",
    ),
)
