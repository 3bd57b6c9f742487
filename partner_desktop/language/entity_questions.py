"""Questions about what is known, and what puts right what was just shown; by rules that are data, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, cast

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.entity import Attribute, EntitySubject
from partner_desktop.language.entity_statements import EntityRules, entity_rules
from partner_desktop.language.rule_table import groups_of
from partner_desktop.language.terms import has_cjk
from partner_desktop.language.typed_words import well_typed

_LONGEST = 200
_ASIDE = re.compile(r"[.!?。！？…]+\s*|[,，]\s*(?=(?:so|and|but|tell|what|who|when|where|how)\b)")
#: Names of a text that are looked for: so many words, or characters of Chinese, in a row.
_MOST_WORDS, _MOST_CHARACTERS = 4, 4
_MOST_NAMES = 400


@dataclass(frozen=True)
class EntityQuestion:
    """What is asked, and of whom."""

    subject: EntitySubject
    about: Literal["everything", "whole", "attribute"]
    attribute: Attribute | None = None
    detail: str = ""
    """Which event, favourite or note is meant, in small letters; empty: all."""


@dataclass(frozen=True)
class Correction:
    """What was just shown is wrong; `value` is what is so, empty where that was not said."""

    value: str


def read_entity_question(text: str) -> EntityQuestion | None:
    """What a message asks of what is known; `None`: it asks for something else."""
    for rules, said in _readings(text):
        for pattern, attribute, about in rules.questions:
            match = pattern.fullmatch(said)
            if match is None:
                continue
            slots = groups_of(match)
            word = slots.get("relation", "")
            key, kind = rules.relation_of(word) if word else ("", "person")
            subject = EntitySubject(slots.get("named", "") or slots.get("other", ""), key, word.lower(), kind)
            if about == "whole" and subject.name.lower() in rules.not_names:
                continue
            detail = (slots.get("topic") or slots.get("value") or "").lower()
            return EntityQuestion(
                subject,
                cast('Literal["everything", "whole", "attribute"]', about or "attribute"),
                cast("Attribute", attribute) if attribute else None,
                detail if attribute in ("event", "favourite", "note") else "",
            )
    return None


def read_correction(text: str) -> Correction | None:
    """What a message puts right; `None`: nothing."""
    for rules, said in _readings(text):
        for pattern in rules.corrections:
            match = pattern.fullmatch(said)
            if match is not None:
                value = groups_of(match).get("value", "").strip(" .,!，。！")
                return Correction(value)
    return None


def _readings(text: str) -> Iterator[tuple[EntityRules, str]]:
    """The message by the rules of its language, without what only leads to it."""
    plain = " ".join(text.replace("’", "'").split())
    if len(plain) > _LONGEST:
        return
    for language in ("zh", "en") if has_cjk(plain) else ("en",):
        rules = entity_rules(language)
        said = " ".join(rules.spelling.get(word.lower(), word) for word in plain.split())
        bare = well_typed(said).strip(" ?？.!。！")
        last = _ASIDE.split(bare)[-1]
        for each in dict.fromkeys((bare, last)):
            led = rules.lead.sub("", each)
            yield from ((rules, one) for one in dict.fromkeys((each, led, rules.tail.sub("", led))))


def names_in(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What may be names in a message, and which relations to the person it speaks of: `my sister`."""
    plain = text.replace("’", "'")[:2_000]
    words = [word.strip(".,;:!?()\"'“”").removesuffix("'s") for word in plain.split()]
    found: dict[str, None] = {}
    for size in range(1, _MOST_WORDS + 1):
        for at in range(len(words) - size + 1):
            found[" ".join(words[at : at + size])] = None
    if has_cjk(plain):
        runs = "".join(letter if "\u4e00" <= letter <= "\u9fff" else " " for letter in plain).split()
        for run in runs:
            for size in range(2, _MOST_CHARACTERS + 1):
                found |= dict.fromkeys(run[at : at + size] for at in range(len(run) - size + 1))
    relations: dict[str, None] = {}
    for language in ("zh", "en") if has_cjk(plain) else ("en",):
        rules = entity_rules(language)
        for match in rules.mine.finditer(plain):
            relations[rules.relation_of(groups_of(match)["relation"])[0]] = None
    return tuple(found)[:_MOST_NAMES], tuple(relations)
