"""Places that were said, against the paths that are given: none is lost, and none is taken for what is in it.

Pure. `Delete my photos` names no folder that is to go, and `write it into the demo folder` names where. What
words make a folder meant as a whole is in the tables `account.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import PurePath

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.slot import Slot, slots_of
from partner_desktop.language.disk_names import HERE, HOME, everybodys_folders, known_folder
from partner_desktop.language.rule_table import rule_table, rule_tables
from partner_desktop.language.spans import Span, find_spans
from partner_desktop.language.speech_acts.speech_act import SpeechActKind, speech_act, trial_switch
from partner_desktop.language.spoken_words import ResolvedText

#: Stands for the folder in a text: named as a folder or written out, and by its bare name.
_FOLDER, _NAME = "§", "¤"
_CLAUSE = re.compile(r"[,，;；]")


def takes_away(slot: Slot) -> bool:
    """Whether it takes a file or a folder, and changes where that is."""
    changes = slot.is_path and slot.required and slot.schema.get("access") == "write"
    return changes and len(slot.file_kinds) > 1 and "x-partner-into" not in slot.schema


def makes(slot: Slot) -> bool:
    """Whether its path may be of something new."""
    return slot.is_path and slot.schema.get("access") == "write" and not slot.schema.get("x-partner-there")


def taken_whole(
    info: MetaActionInfo, values: JsonObject, said: ResolvedText, *, asked: str = ""
) -> list[str]:
    """The parameters that would take away the home, or a folder that everybody has and nobody called so.

    `asked`: what the words answer: a name alone says there which folder.
    """
    if not info.annotations.destructive or values.get(trial_switch(info)) is True:
        return []
    found = []
    for slot in slots_of(info):
        place = _below_home(values.get(slot.name), said.home)
        if place is None or not slot.is_path or "x-partner-into" in slot.schema:
            continue
        alone = slot.name == asked
        displaced = (
            takes_away(slot) and place in _standard_folders() and not _is_said_whole(place, said, alone=alone)
        )
        if displaced or (place in (HOME, HERE) and slot.schema.get("access") == "write" and slot.required):
            found.append(slot.name)
    return found


def unsaid_folder(info: MetaActionInfo, missing: Sequence[str], text: str) -> str:
    """The parameter of a look that is the home where a question speaks of no place at all: `which files are
    the biggest`. Empty: there is none.
    """
    wanted = [slot for slot in slots_of(info) if slot.name in missing]
    if not info.annotations.read_only or len(wanted) != 1 or wanted[0].file_kinds != {"folder"}:
        return ""
    if speech_act(text).kind is not SpeechActKind.LOOK or find_spans(text):
        return ""
    tables = list(rule_tables("account", text))
    for table in tables:
        text = table["everywhere"].sub(" ", text)
    return "" if any(table["some_place"].search(text) for table in tables) else wanted[0].name


def _below_home(value: Json, home: str) -> str | None:
    """The name of a folder right in the home, or `HOME`; `None`: it lies elsewhere."""
    if not isinstance(value, str) or not value:
        return None
    path = value.strip().rstrip("/")
    path = f"{HOME}{path.removeprefix(home.rstrip('/'))}" if home and f"{path}/".startswith(home) else path
    path = path.removeprefix(f"{HOME}/") or HOME
    return None if "/" in path else path


@cache
def _standard_folders() -> frozenset[str]:
    own = rule_table("references", "zh").section("own_folders")
    return frozenset({*everybodys_folders().values(), *own}) - {HOME}


def _is_said_whole(folder: str, said: ResolvedText, *, alone: bool) -> bool:
    """`The whole Documents folder`, `~/Documents`; not `my documents`, nor `everything in ~/Documents`."""
    text = said.said
    written = ((span.start, span.end) for span in find_spans(text) if _is(span.value, folder, said.home))
    meant = ((each.start, each.end) for each in said.references if _is(each.paths[0], folder, said.home))
    for start, end in {*written, *meant}:
        words, before, behind = text[start:end], text[:start], text[end:]
        if alone and not (before + behind).strip(" .!。！"):
            return True
        for table in rule_tables("account", text):
            noun = table["folder_noun"].match(behind)
            behind = behind[noun.end() :] if noun is not None else behind
            sure = noun is not None or "/" in words or table["folder_noun"].search(words) is not None
            masked = f"{before}{_FOLDER if sure else _NAME}{behind}"
            if table["its_contents"].search(masked) is None and table["as_whole"].search(masked) is not None:
                return True
    return False


def _is(path: str, folder: str, home: str) -> bool:
    return _below_home(path, home) == folder


def said_to_stay(info: MetaActionInfo, values: JsonObject, text: str) -> str:
    """The words by which what would be taken away is to stay as well: who says them wants a copy."""
    given = [values.get(slot.name) for slot in slots_of(info) if takes_away(slot)]
    for value in (each for each in given if isinstance(each, str) and each):
        masked = text.replace(f"'{value}'", value).replace(value, _FOLDER)
        for table in rule_tables("account", text):
            found = table["stays"].search(masked)
            if found is not None:
                return found.group().replace(_FOLDER, value)
    return ""


def unbound_places(text: str, values: Iterator[str]) -> list[Span]:
    """Paths in a text that are no value, and neither in one nor around one."""
    given = [value.rstrip("/") for value in values if value.strip()]
    return [
        span
        for span in find_spans(text)
        if span.is_path and not any(_is_bound(span.value.rstrip("/"), each) for each in given)
    ]


def _is_bound(place: str, value: str) -> bool:
    last = PurePath(place).name
    return f"{value}/".startswith(f"{place}/") or (bool(last) and last.casefold() in value.casefold())


def put_in_place(info: MetaActionInfo, values: JsonObject, text: str) -> JsonObject:
    """The paths that change for the one place that was said and is in none of them.

    What is new lies there, and not right in the home; a place that nobody gave is that one. Next to a file is
    in its folder.
    """
    if beside := {name: str(PurePath(path).parent) for name, path in _neighbours(info, values, text)}:
        return {**beside}
    said = {span.value.rstrip("/") for span in find_spans(text) if span.is_path}
    free = [slot.name for slot in slots_of(info) if slot.is_destination and values.get(slot.name) not in said]
    given = [str(value) for name, value in values.items() if name not in free]
    found = [span.value.rstrip("/") for span in unbound_places(text, iter(given)) if _is_folder(span)]
    alone = [known_folder(clause) for clause in _CLAUSE.split(text)]
    places = list(dict.fromkeys([*found, *(each for each in alone if each and each not in given)]))
    if len(places) != 1:
        return {}
    place = places[0]
    bare: JsonObject = {
        name: f"{place}/{PurePath(str(values[name])).name}" for name in _bare(info, values, text)
    }
    sources = [slot for slot in slots_of(info) if slot.is_path and slot.required and slot.name in values]
    return bare or ({free[0]: place} if len(free) == 1 and sources else {})


def _neighbours(info: MetaActionInfo, values: JsonObject, text: str) -> Iterator[tuple[str, str]]:
    """The files next to which something is to go: `beside the budget`, `放到预算旁边`."""
    for slot in slots_of(info):
        goes = slot.is_destination or "x-partner-into" in slot.schema
        path = values.get(slot.name) if goes else None
        if isinstance(path, str) and PurePath(path).suffix:
            masked = text
            for form in (f"'{path}'", path, PurePath(path).name, PurePath(path).stem):
                masked = masked.replace(form, _FOLDER)
            if any(table["beside"].search(masked) for table in rule_tables("account", text)):
                yield slot.name, path


def lies_nowhere(info: MetaActionInfo, values: JsonObject, text: str) -> list[str]:
    """The parameters of something new right in the home, where words name a folder that is not there."""
    named = any(table["some_folder"].search(text) for table in rule_tables("account", text))
    return _bare(info, values, text) if named else []


def _bare(info: MetaActionInfo, values: JsonObject, text: str) -> list[str]:
    """The parameters of something new of which a name alone was said."""
    said = {span.value.rstrip("/") for span in find_spans(text) if "/" in span.value}
    new = {slot.name: values.get(slot.name) for slot in slots_of(info) if makes(slot)}
    return [
        name
        for name, value in new.items()
        if isinstance(value, str)
        and value not in said
        and "/" not in (last := value.removeprefix(f"{HOME}/"))
        and last not in ("", HOME, HERE)
    ]


def _is_folder(span: Span) -> bool:
    return span.folder or not PurePath(span.value).suffix
