"""`partner-desktop memory …`: what was said, and what is known of the person, of others and of things."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import aclosing

from partner_desktop.base.messages import counted_words, sentence_of
from partner_desktop.commands.verb import Command, Options, Verb, print_result
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient

_SHORT_ID = 8
_LONGEST = 400


def _object(value: Json) -> JsonObject:
    assert isinstance(value, dict)
    return value


def _objects(value: Json) -> list[JsonObject]:
    assert isinstance(value, list)
    return [_object(one) for one in value]


def _moment(item: JsonObject) -> str:
    return str(item["at"])[:16].replace("T", " ")


def _said(turn: JsonObject) -> str:
    text = " ".join(str(turn["text"]).split())
    return f"{_who(turn)}: {text if len(text) <= _LONGEST else text[:_LONGEST] + ' …'}"


def _who(turn: JsonObject) -> str:
    return {"user": "you", "partner": "Partner"}.get(str(turn["speaker"]), str(turn["speaker"]))


def _below(text: Json, *, by: int) -> Iterator[str]:
    """Every line of a text, moved to the right."""
    yield from (f"{' ' * by}{line}" for line in str(text).splitlines())


def _recalled(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    passages = _objects(item["passages"])
    if not passages:
        yield "Nothing that fits was said in any conversation that is kept here."
    for number, passage in enumerate(passages, 1):
        hit = _object(passage["hit"])
        turn = _object(hit["turn"])
        reasons = ", ".join(str(one) for one in hit["reasons"]) if isinstance(hit["reasons"], list) else ""
        place = f"conversation {str(turn['conversation_id'])[:_SHORT_ID]}"
        if passage["slice_id"]:
            place += f", slice {passage['slice_id']}"
        yield f"{number}. {_moment(turn)}  “{turn['title']}”  ({reasons or 'nearest'}; {place})"
        for one in _objects(passage["turns"]):
            mark = ">" if one["position"] == turn["position"] else " "
            yield f"   {mark} {_said(one)}"


def _found(item: Json) -> int:
    return 0 if _object(item)["passages"] else 1


def _slice(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    topics = ", ".join(str(one) for one in item["topics"]) if isinstance(item["topics"], list) else ""
    pinned = "  pinned" if item["pinned"] else ""
    yield f"{item['id']}  {_moment(item)}{pinned}  {topics}"


def _topic(item: Sequence[Json], _params: JsonObject) -> Iterator[str]:
    path, slices = item
    yield f"{slices:>6,}  {str(path).replace('->', ' › ')}"


def _of_topic(item: Sequence[Json], params: JsonObject) -> Iterator[str]:
    one, score = item
    yield from (f"{score:.2f}  {line}" for line in _slice(_object(one), params))


def _opened(item: JsonObject, params: JsonObject) -> Iterator[str]:
    one = _object(item["slice"])
    yield from _slice(one, params)
    yield from _below(one["summary"], by=2)
    for turn in _objects(item["turns"]):
        yield f"  {_moment(turn)}  {_who(turn)}:"
        yield from _below(turn["text"], by=4)


def _unit(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    yield f"{str(item['id'])[:_SHORT_ID]}  {_moment(item)}  {_why(item)}"
    yield from _below(item["summary"], by=2)


def _why(unit: JsonObject) -> str:
    return sentence_of(f"terminal.unit_{unit['reason'] or 'brought_in'}")


def _rolled(item: Json, params: JsonObject) -> Iterator[str]:
    if item is None:
        yield sentence_of("terminal.nothing_since")
    else:
        yield from _unit(_object(item), params)


def _status(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    yield sentence_of("terminal.found_by_words", turns=item["turns"], meaning=item["by_meaning"])
    yield sentence_of("terminal.slices_pinned", slices=item["slices"], pinned=item["pinned"])
    if item["unread"]:
        yield sentence_of("terminal.being_read", count=item["unread"])
    if item["note"]:
        yield str(item["note"])


def _import(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    share = float(str(item["share"]))
    yield (
        f"{str(item['id'])[:_SHORT_ID]}  {item['state']}  {share:.0%}  {item['chats']:,} chats, "
        f"{item['turns']:,} messages  {item['path']}"
    )


def _ended(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    if item["chats"] or not item["known"]:
        yield sentence_of("terminal.brought_in", chats=item["chats"], turns=item["turns"])
    if item["known"]:
        yield sentence_of("terminal.here_already", count=item["known"])
    if item["forgotten"]:
        yield (sentence_of("terminal.forgotten_left_out", count=item["forgotten"]))
    if item["left_out"]:
        yield sentence_of("terminal.things_left_out", count=item["left_out"], problem=item["problem"])
    elif item["problem"]:
        yield str(item["problem"])


def _entity(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    """A line: its id, its names, and how much is known."""
    aliases = ", ".join(str(one) for one in item["aliases"]) if isinstance(item["aliases"], list) else ""
    held = [fact for fact in _objects(item["facts"]) if not fact["former"]]
    relation = next((f"your {fact['value']}" for fact in held if fact["attribute"] == "relation"), "")
    name = str(item["name"]) or ("you" if item["kind"] == "self" else relation or "nameless")
    told = [name, relation if relation != name else "", f"also {aliases}" if aliases else ""]
    yield f"{str(item['id'])[:_SHORT_ID]}  {', '.join(part for part in told if part)}  {len(held)} facts"


def _entity_facts(item: JsonObject) -> Iterator[str]:
    names = [fact for fact in _objects(item["names"]) if fact["former"]]
    for fact in (*_objects(item["facts"]), *names):
        moment = f" ({str(fact['moment'])[:16].replace('T', ' ')})" if fact["moment"] else ""
        places = [str(one["conversation_id"])[:_SHORT_ID] for one in _objects(fact["evidence"])]
        learnt = (
            sentence_of("terminal.said_in", conversation=places[0])
            if places
            else sentence_of("terminal.entered_by_hand")
        )
        former = "  (former)" if fact["former"] else ""
        yield (
            f"    {fact['attribute']}: {fact['value']}{moment}{former}  "
            f"[{_moment(fact)}, {learnt}; fact {fact['id']}]"
        )


def _whole_entity(item: JsonObject | None, params: JsonObject) -> Iterator[str]:
    if item is None:
        yield sentence_of("terminal.nothing_known")
        return
    yield from _entity(item, params)
    yield from _entity_facts(item)
    for one in _objects(item["merged"]):
        yield f"    merged: {one['name'] or 'nameless'} ({str(one['id'])[:_SHORT_ID]})"


def _known(item: JsonObject, params: JsonObject) -> Iterator[str]:
    yield from _whole_entity(_object(item["person"]), params)
    if isinstance(item["unknown"], list) and item["unknown"]:
        yield sentence_of("terminal.not_known", attributes=", ".join(str(one) for one in item["unknown"]))
    for other in _objects(item["others"]):
        yield from _entity(other, params)
    if item["unread"]:
        yield sentence_of("terminal.still_to_read", count=item["unread"])


async def _bring_in(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """Follow the import to its end, then the reading of meaning; a stop leaves both for later."""
    begun = await client.object("memory.import_from", **params)
    last = begun
    async with aclosing(client.stream("memory.follow_import", import_id=begun["id"])) as steps:
        async for step in steps:
            last = _object(step)
            if options.json:
                print_result(last, params, as_json=True)
            elif last["state"] == "running" and sys.stderr.isatty():
                print(f"\r{float(str(last['share'])):.0%} ", end="", file=sys.stderr, flush=True)
    if not options.json:
        print_result(last, params, as_json=False, show=_ended)
    if last["state"] != "done":
        return 1
    if not options.json:
        print(sentence_of("terminal.reading_meaning"), file=sys.stderr, flush=True)
    status = await client.object("memory.read_all")
    if not options.json:
        print_result(status, params, as_json=False, show=_status)
    return 0


def _add_selection(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("words", nargs="*", metavar="WORDS", help="all that says these words")
    add("--message", action="append", default=[], metavar="ID", help="a message, by its id")
    add("--slice", action="append", default=[], metavar="ID", help="a slice, by its id")
    add("--topic", default="", help="all slices of a topic")
    add("--day", metavar="YYYY-MM-DD", help="what was said on a day")
    add("--entity", default="", metavar="ID", help="somebody or something that is known, by its id")
    add("--conversation", default="", metavar="ID", help="what was said in a conversation")
    add("--only", action="store_true", help="without what answers it or says it again")
    add("--yes", action="store_true", help="do it without asking; it is shown all the same")


def _selection(options: Options) -> JsonObject:
    return {
        "message_ids": list(options.message),
        "slice_ids": list(options.slice),
        "topic": options.topic,
        "day": options.day,
        "entity_id": options.entity,
        "conversation_id": options.conversation,
        "words": " ".join(options.words),
        "quotes": not options.only,
    }


def _remembered(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    told = "terminal.remembered" if item["remembered"] else "terminal.not_remembered"
    yield sentence_of(told, title=item["title"])


def _messages(count: Json) -> str:
    return counted_words("message", int(str(count)))


def _previewed(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    where = counted_words("conversation", int(str(item["conversations"])))
    yield sentence_of("terminal.would_be_forgotten", messages=_messages(item["count"]), where=where)
    for one in _objects(item["items"]):
        turn = _object(one["turn"])
        mark = "" if one["reason"] == "chosen" else f" ({one['reason']})"
        yield f"  {_moment(turn)}  {_said(turn)}{mark}"
    if int(str(item["count"])) > len(_objects(item["items"])):
        yield "  …"
    counts = _object(item["held_counts"])
    if counts:
        places = ", ".join(
            sentence_of(f"terminal.held_{kind}", count=number) for kind, number in counts.items()
        )
        yield sentence_of("terminal.goes_with_them", places=places)
    for sentence in item["kept"] if isinstance(item["kept"], list) else []:
        yield str(sentence)


def _holding(item: JsonObject, _params: JsonObject) -> Iterator[str]:
    told = str(item["problem"]) or sentence_of("terminal.had_forgotten", messages=_messages(item["messages"]))
    yield f"{item['path']}  {_moment(item)}  {told}"


async def _forget(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """Show it, ask, and do it; what changed in between is shown and asked anew."""
    if options.conversation:
        found = await client.object("conversations.find", beginning=options.conversation)
        options.conversation = str(found["id"])
    preview = await client.object("forgetting.preview", selection=_selection(options))
    while True:
        if options.json and not options.yes:
            print_result(preview, params, as_json=True)
            return 0
        if not options.json:
            print_result(preview, params, as_json=False, show=_previewed)
        if not preview["count"]:
            return 1
        if not options.yes and not await asyncio.to_thread(_agreed):
            print(sentence_of("terminal.nothing_forgotten"))
            return 1
        outcome = await client.object("forgetting.forget", preview_id=preview["id"])
        if outcome["state"] == "forgotten":
            break
        preview = _object(outcome["preview"])
    if options.json:
        print_result(outcome, params, as_json=True)
    else:
        _tell_forgotten(outcome, params)
    await client.call("forgetting.settled")
    return 0


def _tell_forgotten(outcome: JsonObject, params: JsonObject) -> None:
    print(sentence_of("terminal.forgotten", messages=_messages(outcome["messages"])))
    backups = _objects(outcome["backups"])
    if backups:
        print(sentence_of("terminal.backups_hold"))
    for one in backups:
        print_result(one, params, as_json=False, show=_holding)


def _agreed() -> bool:
    """Whether the person says yes; who cannot be asked does not."""
    if not sys.stdin.isatty():
        return False
    return input(sentence_of("terminal.forget_them")).strip().casefold() in ("y", "yes", "是", "好")


COMMAND = Command(
    ("memory", "entities", "forgetting"),
    (
        Verb("search", "memory.recall", _recalled, "find what was said, in other words too", code=_found),
        Verb("show", "memory.show", _opened, "a slice with its messages"),
        Verb("pin", "memory.pin", _slice, "keep a slice before the mind in every conversation"),
        Verb("unpin", "memory.unpin", _slice, "keep it there no longer"),
        Verb(
            "units",
            "memory.units",
            _unit,
            "what was summed up of a conversation, in order",
            find="conversations.find",
        ),
        Verb(
            "roll",
            "memory.roll",
            _rolled,
            "sum up all that was said in a conversation",
            find="conversations.find",
        ),
        Verb("slices", "memory.slices", _slice, "slices of dialog that is over, the newest first"),
        Verb("topics", "memory.topics", _topic, "what slices are about, and how many slices each topic has"),
        Verb("about", "memory.about", _of_topic, "the slices of a topic and of those akin to it"),
        Verb(
            "export",
            "memory.export_to",
            lambda many, said: [sentence_of("terminal.slices_written", many=many, path=said["path"])],
            "write all slices to a file of JSON lines; --force replaces one that is there",
        ),
        Verb(
            "import",
            "memory.import_from",
            help="bring in chats of ChatGPT, Claude or Jan, or JSON lines; what was stopped goes on",
            do=_bring_in,
        ),
        Verb("imports", "memory.imports", _import, "every import of chats, and how far it is"),
        Verb("status", "memory.status", _status, "how much can be found now"),
        Verb(
            "forget",
            "forgetting.preview",
            help="forget for good what was said: it is shown, and asked about",
            hidden=("selection",),
            add=_add_selection,
            do=_forget,
        ),
        Verb(
            "do-not-remember",
            "forgetting.do_not_remember",
            _remembered,
            "keep a conversation to itself: found from nowhere else, in no slice",
            find="conversations.find",
        ),
        Verb("backups", "forgetting.backups", _holding, "backups that still hold what was forgotten"),
        Verb(
            "clean-backups",
            "forgetting.clean_backups",
            _holding,
            "erase it from the backups, too; shows those where that is not possible",
        ),
        Verb("entities", "entities.list", _entity, "whom and what is known, by a part of what is known"),
        Verb("entity", "entities.get", _whole_entity, "one of them, with everything that is known"),
        Verb("known", "entities.known", _known, "what is known about you, and what is not"),
        Verb("rename", "entities.rename", _whole_entity, "give a name; the one before stays an alias"),
        Verb("add-fact", "entities.add_fact", _whole_entity),
        Verb("correct-fact", "entities.correct_fact", _whole_entity),
        Verb("remove-fact", "entities.remove_fact", _whole_entity),
        Verb("merge", "entities.merge", _whole_entity),
        Verb("undo-merge", "entities.undo_merge", _whole_entity),
    ),
    none="terminal.none_in_memory",
)
