"""What a message teaches of the person, of others and of things: statements, by rules that are data.

The rules are `resources/language/{en,zh}/entities.toml`. One fits a whole clause or nothing, so that a
report (`Tom says my name is Max`), a condition or a question begins with other words than a rule does; what
is quoted, pasted or asked for teaches nothing at all. Reading a message takes a millisecond, the first some
hundredths of a second: it belongs into a thread.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, time
from functools import cache
from typing import Any

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import shipped
from partner_desktop.base.patterns import late
from partner_desktop.domain.entity import Attribute, EntityKind, EntityStatement, EntitySubject
from partner_desktop.language.pasted_code import parted
from partner_desktop.language.rule_table import groups_of, numbered
from partner_desktop.language.spans import quotations
from partner_desktop.language.terms import has_cjk
from partner_desktop.language.typed_words import well_typed
from partner_desktop.language.values.moments import Moment, moments_now

#: Characters of a message, and of a sentence, beyond which nobody tells of himself.
_LONGEST, _LONGEST_SENTENCE = 4_000, 400
_MOST_STATEMENTS = 20
_LONGEST_NAME, _LONGEST_VALUE = 40, 120
#: Words of a quotation that is a name: `my dog is called “Rex”`.
_WORDS_OF_A_NAME = 3


@dataclass(frozen=True)
class _Rule:
    pattern: _SlotPattern
    attribute: Attribute
    subject: str = ""
    relation: str = ""
    form: str = "{value}"
    denies: bool = False
    introduces: bool = False


@dataclass(frozen=True)
class _SpokenOf:
    """Somebody of whom a sentence told: `she` may be the same."""

    name: str
    relation: str
    alone: bool
    """Whether nobody else is in the sentence."""

    def is_meant(self, pronoun: re.Match[str]) -> bool:
        """Whether a pronoun can mean nobody else. One that goes on in the same sentence always does."""
        if pronoun["on"]:
            return True
        sex = "he" if _HE.search(pronoun[0]) else "she"
        return self.alone and _SEXES.get(self.relation, sex) == sex


class EntityRules:
    """One language's table, ready to be asked."""

    def __init__(self, table: Mapping[str, Any], *, spaced: bool) -> None:  # Any: what TOML says
        end = r"(?!\w)" if spaced else ""
        marks, ends = r"[\s,:!.，。：！、]*", r"[\s.!。！~～…)）"
        self.never_message, self.never_sentence = _any(table["never_message"]), _any(table["never_sentence"])
        self.lead = _any([rf"^\W*(?:{table['lead']}{end}{marks})+{'' if spaced else '(?=.)'}"])
        self.tail = _any([rf"(?:[\s,，]*{table['tail']})+{ends}]*$", rf"{ends},，:]+$"])
        self.clause, self.empty_values = _any([table["clause"]]), _any([table["empty_values"]])
        self.not_names = frozenset(table["not_names"].split())
        self.loose = frozenset(table["loose"]["words"].split())
        self.unique = frozenset(table["unique"]["words"].split())
        self.spelling: Mapping[str, str] = table.get("spelling", {})
        """How words of a question are meant that are typed otherwise."""
        kinds: Mapping[EntityKind, Mapping[str, str]] = table["relations"]
        self._relations = [
            (name, late(words, re.IGNORECASE), kind)
            for kind, many in kinds.items()
            for name, words in many.items()
        ]
        self._beings = [
            (name, late(rf"(?<![a-z-])(?:{words})(?![a-z-])"))
            for kind in _BEINGS
            for name, words in kinds.get(kind, {}).items()
        ]
        said = sorted((words for many in kinds.values() for words in many.values()), key=len, reverse=True)
        slots = _slots(table, "|".join(said))
        self.mine = _any([slots["mine"] + (r"\b" if spaced else "")])
        """`My sister`, wherever it stands."""
        self.rules = [_rule(row, slots) for row in table["rule"]]
        self.beside = [_rule(row, slots) for row in table["beside"]]
        self.corrections = [_SlotPattern(row["say"], slots) for row in table["correction"]]
        self.questions = [
            (_SlotPattern(row["say"], slots), str(row.get("attribute", "")), str(row.get("about", "")))
            for row in table["question"]
        ]
        """Pattern, attribute, and what of one is asked for."""

    def relation_of(self, said: str) -> tuple[str, EntityKind]:
        """How a relation is kept, and what is one."""
        plain = " ".join(said.lower().split())
        found = ((name, kind) for name, words, kind in self._relations if words.fullmatch(plain))
        return next(found, ("", "person"))

    def beings_in(self, text: str) -> frozenset[str]:
        """Which relations of persons and animals are named in a text."""
        plain = text.lower()
        return frozenset(name for name, words in self._beings if words.search(plain))


@cache
def entity_rules(language: str) -> EntityRules:
    """The table of `en` or `zh`."""
    path = shipped("resources") / "language" / language / "entities.toml"
    return EntityRules(tomllib.loads(path.read_text(encoding="utf-8")), spaced=language == "en")


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return late("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _slots(table: Mapping[str, dict[str, str]], relations: str) -> dict[str, str]:
    """What a name in braces stands for in a rule; a slot may use those before it."""
    slots = {"relations": relations, **table["words"]}
    for name, text in table["slots"].items():
        slots[name] = _SLOT.sub(lambda slot: slots[slot[1]], text)
    slots["whose"] = slots["who"].replace("?P<", "?P<of_") + slots["ending"]
    slots["possessor"] = f"(?:{slots['own']}|{slots['who']}{slots['ending']})"
    return slots


def _rule(row: Mapping[str, Any], slots: Mapping[str, str]) -> _Rule:  # Any: what TOML says
    options = {
        name: row[name] for name in ("subject", "relation", "form", "denies", "introduces") if name in row
    }
    return _Rule(_SlotPattern(row["say"], slots), row["attribute"], **options)


class _SlotPattern:
    """A pattern of slots. The whole one, in which names and relations are spelled out, takes milliseconds to
    compile: it is made for the first text whose other words fit."""

    def __init__(self, say: str, slots: Mapping[str, str]) -> None:
        outline = _SLOT.sub(lambda slot: slots[slot[1]] if slot[1] in _PLAIN else "(?s:.*?)", say)
        self._outline = late(outline, re.IGNORECASE)
        self._whole = late(numbered(_SLOT.sub(lambda slot: slots[slot[1]], say)), re.IGNORECASE)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._whole.fullmatch(text) if self._outline.fullmatch(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._whole.finditer(text) if self._outline.search(text) else iter(())


#: Slots without names and relations that may be spelled out at once.
_PLAIN = frozenset({"really", "called"})
_SLOT = re.compile(r"\{([a-z_]+)\}")


_STOPS = re.compile(r"(?<=[!?。！？\n])\s*|(?<=\.)\s+|\n+|，(?=[她他](?!们))")
#: What a sentence begins with that goes on about somebody.
_PRONOUN = re.compile(
    r"^(?:and )?(?:(?:she|he|(?P<on>\x01))(?=(?:'s)? )|(?P<her>her|his)(?= )|[她他](?!们))", re.IGNORECASE
)
#: What is written with a capital beside a name: somebody else may be.
_CAPITAL = re.compile(r"(?<=[\w,] )(?<!\bin )(?<!\bat )(?<!\bfor )(?<!\bfrom )(?!I\b|I')[A-Z][a-z]")
_HE = re.compile(r"\b(?:he|his)\b|他", re.IGNORECASE)
#: The sex of whom a relation names.
_MEN = "father son husband boyfriend brother grandfather uncle nephew grandson father-in-law brother-in-law"
_WOMEN = (
    "mother daughter wife girlfriend sister grandmother aunt niece granddaughter mother-in-law sister-in-law"
)
_SEXES = {**dict.fromkeys(_MEN.split(), "he"), **dict.fromkeys(_WOMEN.split(), "she")}
#: `My wife Julia is vegetarian and works at the hospital`: as if it were said in two sentences.
_GOES_ON = re.compile(
    r",? and (?=(?:also )?(?:lives|works|comes|speaks|likes|loves|hates|has|is)\b)(?![^.!?]*\?)",
    re.IGNORECASE,
)
#: `My sister is Ann and she lives in Ulm`: so are these.
_GOES_ON_ABOUT = re.compile(r"(?:, and|,| and) (?=(?:she|he)(?:'s)? [a-z])", re.IGNORECASE)
_ABBREVIATED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|e\.g|i\.e|a\.m|p\.m|[A-Z])\.$", re.IGNORECASE)
_ASKS = re.compile(r"[?？]\W*$")
_BEINGS: tuple[EntityKind, ...] = ("person", "animal")
_QUOTED = "\x00"
_BEFORE_A_NAME = re.compile(r"(?:\b(?:is|called|named|me|'s)|叫|是)\s*$", re.IGNORECASE)
_ENUMERATION = re.compile(r"[\w' -]+(?:, [\w' -]+)*,? (?:and|or) [\w' -]+", re.IGNORECASE)
_PARTS = re.compile(r",? (?:and|or) |, |、|和")
#: Attributes of which several are said at once.
_SEVERAL = frozenset({"likes", "dislikes", "allergy", "language"})
_PREPOSITION = re.compile(r"(?:^|\s)(?:on|at|for|by|the|in|from)\s*$|[在于是]$", re.IGNORECASE)
_BELONGS = re.compile(r"(?:with|at|for|to|about|of) ", re.IGNORECASE)
#: `on 3 February at 10`: an hour that nothing but its place says to be one.
_BARE_HOUR = re.compile(r"\bat (?P<hour>[01]?\d|2[0-3])\W*$", re.IGNORECASE)
_DATED = frozenset({"event", "birthday"})


def goes_on_about(text: str) -> bool:
    """Whether a message goes on about whoever was told of before: `and her birthday is …`."""
    return len(text) <= _LONGEST_SENTENCE and _PRONOUN.match(text.strip()) is not None


def read_statements(text: str, at: datetime, before: str = "") -> tuple[EntityStatement, ...]:
    """What a message states, in order; `at` is when it was said, which `tomorrow` counts from. `before`: what
    the person said before it, which may tell who `she` is.
    """
    if not 3 <= len(text) <= _LONGEST:
        return ()
    plain = _without_others(text)
    languages = ("zh", "en") if has_cjk(plain) else ("en",)
    found: list[EntityStatement] = []
    for rules in map(entity_rules, languages):
        if rules.never_message.search(plain):
            return ()
    spoken_of = _spoken_of(_without_others(before), read_statements(before, at)) if before else None
    for _, of_sentence in _read(plain, languages, at, spoken_of):
        found += of_sentence
    return tuple(dict.fromkeys(found))[:_MOST_STATEMENTS]


def _read(
    plain: str, languages: Sequence[str], at: datetime, spoken_of: _SpokenOf | None = None
) -> Iterator[tuple[str, Sequence[EntityStatement]]]:
    """Each sentence, with the name of whom it goes on about, and what it states."""
    for sentence in _sentences(_GOES_ON_ABOUT.sub(". ", _GOES_ON.sub(". \x01 ", plain))):
        named = _with_name(sentence, spoken_of)
        read = (list(_of_sentence(named, entity_rules(language), at)) for language in languages)
        found = next((each for each in read if each), [])
        spoken_of = _spoken_of(named, found)
        yield named, found


def _with_name(sentence: str, spoken_of: _SpokenOf | None) -> str:
    """`She lives in Paris` with who she is, if the sentence before told of one person."""
    match = _PRONOUN.match(sentence)
    if spoken_of is None or match is None or not spoken_of.is_meant(match):
        return sentence
    name = f"{spoken_of.name}'s" if match["her"] else spoken_of.name
    return name + sentence[match.end() :]


def _spoken_of(text: str, statements: Sequence[EntityStatement]) -> _SpokenOf | None:
    """The one person by name that some statements are about."""
    about = [one for one in statements if not one.subject.is_person and one.subject.kind == "person"]
    names = {one.value if one.attribute == "name" else one.subject.name for one in about}
    if len(names) != 1 or not (name := names.pop()):
        return None
    relation = next((one.subject.relation for one in about if one.subject.relation), "")
    others = text.replace(name, "")
    beings = {key for language in ("en", "zh") for key in entity_rules(language).beings_in(others)}
    named = relation not in _SEXES and _CAPITAL.search(others) is not None
    return _SpokenOf(name, relation, alone=not (beings - {relation} or named))


def states_only(text: str) -> bool:
    """Whether every sentence of a message states something that a rule reads, so that it asks for nothing."""
    if not 3 <= len(text) <= _LONGEST_SENTENCE:
        return False
    plain = _without_others(text)
    now = datetime.now().astimezone()
    languages = ("zh", "en") if has_cjk(plain) else ("en",)
    return all(
        any(_is_told(sentence, entity_rules(language), now) for language in languages)
        for sentence, _ in _read(plain, languages, now)
    )


def attributes_told(text: str) -> frozenset[Attribute]:
    """What of somebody a message states that states nothing else; none where it holds more than that."""
    if not states_only(text):
        return frozenset()
    return frozenset(one.attribute for one in read_statements(text, datetime.now().astimezone()))


def _is_told(sentence: str, rules: EntityRules, at: datetime) -> bool:
    bare = rules.tail.sub("", rules.lead.sub("", sentence))
    if not bare.strip():
        return True
    if _QUOTED in sentence or _ASKS.search(sentence) or rules.never_sentence.search(bare):
        return False
    clauses = [rules.tail.sub("", rules.lead.sub("", clause)).strip() for clause in rules.clause.split(bare)]
    return all(not clause or any(True for _ in _of_clause(clause, rules, at)) for clause in clauses)


def _without_others(text: str) -> str:
    """Without what somebody else said: code, quotations, and lines that are quoted; as it was meant."""
    message = parted(text)
    lines = [line for line in message.lines if not line.lstrip().startswith((">", "|", "    "))]
    plain = "\n".join(lines)
    pieces, position = [], 0
    for start, end, value in quotations(plain):
        name = len(value.split()) <= _WORDS_OF_A_NAME and _BEFORE_A_NAME.search(plain[:start])
        pieces += [plain[position:start], value if name else _QUOTED]
        position = end
    return well_typed("".join([*pieces, plain[position:]]).replace("’", "'"))


def _sentences(text: str) -> Iterator[str]:
    held = ""
    for piece in _STOPS.split(text):
        held = f"{held} {piece}" if held else piece
        if _ABBREVIATED.search(held):
            continue
        if held.strip():
            yield held.strip()
        held = ""
    if held.strip():
        yield held.strip()


def _of_sentence(sentence: str, rules: EntityRules, at: datetime) -> Iterator[EntityStatement]:
    if len(sentence) > _LONGEST_SENTENCE or _QUOTED in sentence or _ASKS.search(sentence):
        return
    bare = rules.lead.sub("", sentence)
    if rules.never_sentence.search(bare):
        return
    named: set[str] = set()
    for clause in rules.clause.split(bare):
        said = rules.tail.sub("", rules.lead.sub("", clause)).strip()
        # `I'm allergic to nuts, find me a recipe`: the rest is something else.
        first = rules.tail.sub("", said.partition(", ")[0])
        for statement in (*_of_clause(said, rules, at),) or _of_clause(first, rules, at):
            named.add(statement.subject.name)
            yield statement
    for rule in rules.beside:
        for match in rule.pattern.finditer(bare):
            for statement in _stated(match, rule, rules, at):
                if statement.subject.name not in named and statement.value not in named:
                    yield statement


def _of_clause(clause: str, rules: EntityRules, at: datetime) -> Iterator[EntityStatement]:
    for rule in rules.rules:
        match = rule.pattern.fullmatch(clause)
        if match is not None and (found := list(_stated(match, rule, rules, at))):
            yield from found
            return


def _stated(match: re.Match[str], rule: _Rule, rules: EntityRules, at: datetime) -> Iterator[EntityStatement]:
    said = groups_of(match)
    names = [said[one] for one in ("name", "denied", "named", "other", "of_named", "of_other") if one in said]
    if not all(_is_name(name, rules) for name in names):
        return
    subject = _subject(said, rules, rule)
    if rule.attribute == "name":
        yield from _naming(said, rule, subject)
    elif rule.attribute == "relation":
        key, kind = rules.relation_of(said["relation"])
        of_key, of_kind = rules.relation_of(said.get("of_relation", ""))
        target = EntitySubject(
            said.get("of_named", "") or said.get("of_other", ""), of_key, said.get("of_relation", ""), of_kind
        )
        new = EntitySubject(said["name"], kind=kind)
        yield EntityStatement(new, "relation", key, target=target, introduces=True)
    elif rule.attribute in _DATED:
        yield from _dated(said, rule, subject, at)
    else:
        yield from _valued(said, rule, subject, rules)


def _subject(said: Mapping[str, str], rules: EntityRules, rule: _Rule) -> EntitySubject:
    word = said.get("relation", "")
    key, kind = rules.relation_of(word) if word else ("", "person")
    if rule.relation:
        return EntitySubject(said.get("name", ""), rule.relation, rule.relation)
    return EntitySubject(said.get("named", "") or said.get("other", ""), key, word.lower(), kind)


def _naming(said: Mapping[str, str], rule: _Rule, subject: EntitySubject) -> Iterator[EntityStatement]:
    denied = said.get("denied", "")
    value = said.get("name") or said.get("named", "")
    if rule.subject == "denied":
        subject = EntitySubject(denied)
    elif rule.subject == "other":
        subject = EntitySubject(said["named"])
    named = _proper(value)
    if named.casefold() != denied.casefold():
        yield EntityStatement(
            subject,
            "name",
            named,
            denied=_proper(denied),
            introduces=not rule.subject or rule.subject == "named",
        )


def _dated(
    said: Mapping[str, str], rule: _Rule, subject: EntitySubject, at: datetime
) -> Iterator[EntityStatement]:
    """What is on a day; words that name no day are no date."""
    words = said.get("moment") or said.get("day", "")
    moments = moments_now(words, at)
    covered = sum(moment.end - moment.start for moment in moments)
    # `a meeting with the tax advisor on …`: whom it is with tells nothing of the day.
    besides = moments[0].start if moments and _BELONGS.match(words) else 0
    if not moments or covered < (len(words) - besides) / 2:
        return
    when = _joined((*moments, *moments_now(said.get("clock", ""), at)), _BARE_HOUR.search(words))
    if rule.attribute == "birthday":
        yield EntityStatement(subject, "birthday", words, introduces=rule.introduces, moment=when)
    elif when is not None and when.date() >= at.date() and any(moment.has_date for moment in moments):
        # `a dentist appointment on …`: what stands before the day belongs to what is on it.
        rest = _PREPOSITION.sub("", words[: moments[0].start]).strip()
        what = f"{said['value']} {rest}".strip()
        yield EntityStatement(subject, "event", what, moment=when, introduces=rule.introduces)


def _joined(moments: Sequence[Moment], bare_hour: re.Match[str] | None) -> datetime | None:
    """A day, and the time of it that is said with it or beside it; midnight where none is said."""
    days = [moment for moment in moments if moment.has_date and moment.at is not None]
    times = [moment.at for moment in moments if moment.has_time and moment.at is not None]
    if not days or days[0].at is None:
        return times[0].astimezone() if times else None
    # The time of a day alone is that of the moment in which it was said.
    hour = int(bare_hour["hour"]) if bare_hour is not None else 0
    clock = times[0].time() if times else time(hour)
    return datetime.combine(days[0].at.date(), clock).astimezone()


def _valued(
    said: Mapping[str, str], rule: _Rule, subject: EntitySubject, rules: EntityRules
) -> Iterator[EntityStatement]:
    whole = said["value"]
    several = rule.attribute in _SEVERAL
    if "," in whole and rule.attribute != "address" and not (several and _ENUMERATION.fullmatch(whole)):
        return
    for part in _PARTS.split(whole) if several else (whole,):
        value = part.strip(" .,!，。！")
        if not value or len(value) > _LONGEST_VALUE:
            continue
        if rule.attribute != "impression" and rules.empty_values.match(value):
            continue
        told = rule.form.format(value=value, topic=said.get("topic", ""))
        sure = 0.6 if rule.attribute in ("impression", "job") else 0.9
        if rule.denies:
            yield EntityStatement(subject, rule.attribute, denied=told, confidence=sure)
        else:
            yield EntityStatement(subject, rule.attribute, told, confidence=sure, introduces=rule.introduces)


def _is_name(name: str, rules: EntityRules) -> bool:
    words = name.lower().rstrip(".").split()
    if not words or len(name) > _LONGEST_NAME or words[0] in rules.not_names or words[-1] in rules.not_names:
        return False
    if has_cjk(name):
        return name not in rules.not_names and not rules.empty_values.match(name)
    return not any(letter.isdigit() for letter in name)


def _proper(name: str) -> str:
    """A name that was typed in small letters as one writes it."""
    return name.title() if name.isascii() and name.islower() else name
