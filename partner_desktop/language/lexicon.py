"""Everyday words: which carry little meaning, and which mean the same; names and numbers of a result as a
person says them, and whether a sentence says a value already.

General language only. Nothing here knows a certain ability or script; what is special to one belongs into
its `aliases`.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from partner_desktop.base.paths import shipped
from partner_desktop.domain.json_value import Json


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


#: Words of grammar and politeness. They weigh next to nothing, but decide when nothing else is there.
FUNCTION_WORDS = word_set(
    """
    a an the this that these those it its i me my mine we us our you your he she they them their
    am is are was were be been being do does did done have has had having will would shall should can could
    may might must to of in on at by for from with within into onto about as and or but if then than so
    not no what which who whom whose when where why how there here very just also too please thanks thank
    hi hello hey ok okay well let lets now up out off over under again any some all each every other such
    only own same both few more most many
    much want wants need needs like would'd tell say know get gets got give
    gives im id ive youre youd dont doesnt isnt whats theres thats who's really actually kindly maybe
    perhaps able come go going does cant wont didnt isnt arent wasnt werent hasnt havent couldnt wouldnt
    shouldnt ive ill wonder wondering favour favor rn pls plz u ur btw asap
    """
)

#: Words of talk: of an answer, of news, of how somebody is, of later. In a yes they may go with anything.
TALK = word_set(
    """
    great good nice fine right wrong sure true correct cool perfect awesome wonderful lovely funny sorry
    welcome question questions answer answers joke jokes story news weather idea ideas word words talk talking
    chat hear heard see saw look think thought mean meant means said saying tells told asked remember forget
    forgot back later soon again still already yet ever never always before after today tomorrow tonight
    yesterday morning evening night moment minute while else anything something nothing everything anyone
    someone everyone yes no yeah yep bye love care happy glad hope guess suppose agree understand clear
    done ready finished got came gone going little bit lot lots different interesting important easy hard
    because since through away around about between during until first next last m s t re ve ll d
    """
)

#: Words that fit half of all abilities. They count, but less.
GENERIC_WORDS = word_set(
    """
    find search look show list see view display check make create use using set help work thing things item
    items file files folder folders directory directories path name names number numbers value values data
    info information detail details text string type kind user current new given specific return returns
    result results provide provided retrieve fetch calculate compute perform based run execute start open
    print output input including include includes add update change one two first last next
    down option options optional default example time way ask asks call calls called long whether per computer
    machine disk today day
    """
)

#: Phrase (lower-cased words) → the concept it stands for.
PHRASES: dict[tuple[str, ...], str] = {
    ("how", "many"): "count",
    ("number", "of"): "count",
    ("more", "than", "once"): "duplicate",
    ("look", "for"): "find",
    ("get", "rid", "of"): "delete",
    ("throw", "away"): "delete",
    ("throw", "out"): "delete",
    ("go", "to"): "open",
    ("what", "time"): "time",
    ("what", "day"): "date",
    ("how", "big"): "size",
    ("how", "large"): "size",
    ("how", "much", "space"): "size",
    ("how", "much", "room"): "size",
    ("take", "up"): "size",
    ("takes", "up"): "size",
    ("taking", "up"): "size",
    ("turn", "into"): "convert",
    ("web", "page"): "link",
    ("web", "site"): "link",
    ("the", "same"): "duplicate",
}

_GROUPS: dict[str, str] = {
    "count": "count counts counting counted tally total totals",
    "duplicate": "duplicate duplicates duplicated dupe dupes twice double doubles doubled identical copies "
    "redundant repeated",
    "find": "find finds search locate detect seek spot discover",
    "list": "list lists listing show shows display view see contents",
    "folder": "folder folders directory directories dir dirs subfolder subfolders subdirectory",
    "file": "file files",
    "image": "picture pictures photo photos image images pic pics photograph photographs "
    "screenshot screenshots",
    "music": "music song songs track tracks audio mp3 mp3s",
    "video": "video videos movie movies film films clip clips",
    "document": "document documents doc docs pdf pdfs",
    "delete": "delete deletes remove removes erase wipe trash discard bin",
    "time": "time clock hour",
    "date": "date weekday calendar",
    "run": "run runs execute executes launch launches invoke",
    "command": "command commands shell terminal cmd cli",
    "open": "open opens launch visit browse",
    "link": "link links url urls website site webpage page address",
    "notify": "notify notification notifications notifies alert alerts popup ping",
    "remind": "remind reminder reminders",
    "size": "size sizes space big biggest large largest huge heavy bytes megabytes gigabytes storage usage "
    "eats eating eaten hogging",
    "create": "create creates make makes build generate generates produce",
    "convert": "convert converts transform transforms translate export conversion",
    "move": "move moves relocate",
    "rename": "rename renames renaming",
    "copy": "copy copying clone",
    "sort": "sort sorts order arrange organise organize group",
    "compress": "compress zip archive pack shrink",
    "extract": "extract unzip unpack decompress",
    "newest": "newest latest recent recently",
    "word": "word words",
    "buy": "buy purchase order",
    "book": "book reserve booking reservation schedule",
    "price": "price prices cost costs",
    "weather": "weather forecast temperature rain raining sunny",
    "mean": "mean average",
    "calculate": "calculate compute work determine evaluate",
    "car": "car cars vehicle vehicles automobile",
    "doctor": "doctor dentist physician",
    "film": "film movie",
    "stop": "stop stops cancel abort end kill",
    "send": "send sends mail email message",
    "get": "get fetch retrieve obtain look lookup",
    "backup": "backup backups archive",
    "log": "log logs",
    "change": "change changes changed modify modified edited",
    "bill": "bill bills",
    "split": "split splits divide",
    "countdown": "days countdown",
    "timer": "timer timers",
    "password": "password passwords",
    "random": "random randomly",
    "weight": "weight",
    "age": "age",
}

#: What one kind of thing also is, for half the credit: a photo is a file.
_ALSO: dict[str, str] = {"image": "file", "music": "file", "video": "file", "document": "file"}


def _concepts_by_word(groups: Mapping[str, str]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for concept, words in groups.items():
        for word in words.split():
            strengths = found.setdefault(word, {})
            strengths[concept] = 1.0
            if wider := _ALSO.get(concept):
                strengths.setdefault(wider, 0.5)
    return found


def _dictionary() -> dict[str, Any]:  # Any: what TOML says
    path = shipped("resources") / "language" / "zh" / "dictionary.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


#: Read with the module, which never happens on the loop.
_CHINESE = _dictionary()
#: Words of talk, words that ask rather than tell, and words of grammar and politeness, in Chinese.
CJK_TALK, CJK_GENERIC_WORDS, CJK_FUNCTION_WORDS = (
    word_set(_CHINESE[name]) for name in ("talk", "generic", "function")
)
#: Chinese word → its concepts with their strength, 0 to 1; the longest word is taken where several fit.
CJK_CONCEPTS = _concepts_by_word(_CHINESE["concepts"])
#: Lower-cased word → its concepts. What only the dictionary has is a concept of its own.
CONCEPTS = _concepts_by_word({**{word: word for word in _CHINESE["concepts"]}, **_GROUPS})


#: Units that a name ends with, put in brackets.
_UNITS = word_set("bytes kb mb gb seconds minutes hours days ms percent px")


@cache
def fact_names(language: str) -> Mapping[str, str]:
    """Key of a parameter or of a part of a result → what it is called in a language, where that is known."""
    path = shipped("resources") / "language" / language / "fact_names.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def fact_name(key: str) -> str:
    """`reading_time_minutes` → `reading time (minutes)`."""
    words = re.sub(r"[_\-\s]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)).strip().lower().split()
    if len(words) > 1 and words[-1] in _UNITS:
        return f"{' '.join(words[:-1])} ({words[-1]})"
    return " ".join(words) or key


def head(key: str) -> str:
    """A name where a line or a column begins: `reading_time_minutes` → `Reading time (minutes)`."""
    name = fact_name(key)
    return name[:1].upper() + name[1:]


def number(value: float) -> str:
    """With thousands marked and without needless decimals."""
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def said_in(summary: str, value: Json) -> bool:
    """Whether a sentence already gives a value, so that repeating it adds nothing."""
    if isinstance(value, (bool, dict, list)) or value is None:
        return False
    forms = {str(value), number(value)} if isinstance(value, (int, float)) else {value}
    return any(form and re.search(rf"(?<![\w.,]){re.escape(form)}(?![\w]|[.,]\d)", summary) for form in forms)
