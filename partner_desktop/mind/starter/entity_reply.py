"""What to say of what is known of people and things: each fact with its day and the place where it was said.

The sentences are `resources/messages/entities.LANGUAGE.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, time

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.entity import SELF, Attribute, Entity, EntityFact, KnownOfPerson
from partner_desktop.domain.evidence import FirstMeeting, KnownFacts, Learnt
from partner_desktop.domain.message import place_address
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.hello import said_before
from partner_desktop.mind.starter.phrases import EntityPhrases, Phrases
from partner_desktop.mind.starter.results import bold, inline

#: Facts of one of many that are told.
_MOST_OF_ANOTHER = 4


def of_known(evidence: KnownFacts, phrases: Phrases) -> str:
    """The answer to a question about what is known."""
    told = _Teller(phrases, evidence.entities)
    if evidence.everything is not None:
        return told.everything(evidence.everything)
    if evidence.attribute is not None:
        return told.asked(evidence.facts)
    return told.whole(evidence.entities)


def of_learnt(evidence: Learnt, request: ReplyRequest, phrases: Phrases) -> str:
    """What the person told is remembered; and how to put it right, unless that was said lately."""
    told = _Teller(phrases, evidence.entities)
    words = told.words
    if evidence.unclear:
        return words.unclear
    if evidence.settled is not None:
        return words.are_one if evidence.settled else words.are_two
    if not evidence.facts:
        return words.dropped.format(fact=told.plain(evidence.before))
    if evidence.before:
        return words.corrected.format(
            fact=told.plain(evidence.facts), before=words.joined.join(_value(one) for one in evidence.before)
        )
    said = words.learnt.format(facts=told.plain(evidence.facts))
    if evidence.doubt:
        one, other = evidence.doubt
        return phrases.gap.join((said, words.doubt.format(name=inline(one.name), other=told.called(other))))
    told_besides = any(isinstance(fact, FirstMeeting) for fact in request.evidence)
    known = told_besides or said_before(words.how_to_correct, request)
    hint = "" if known else words.how_to_correct
    return phrases.gap.join(part for part in (said, hint) if part)


def of_first_meeting(evidence: FirstMeeting, phrases: Phrases) -> str:
    """What is known, what is not, and how to correct it, in a sentence or two."""
    told = _Teller(phrases, (evidence.known.person,))
    words, person = told.words, evidence.known.person
    facts = [*person.names[:1], *(fact for fact in person.facts if not fact.former)]
    template = words.first_meeting_known if facts else words.first_meeting
    said = template.format(labels=told.labels(evidence.known.unknown), facts=told.plain(facts))
    return phrases.gap.join((said, words.how_to_correct))


def of_supplied(action: ActionRecord, phrases: Phrases) -> str:
    """Where the arguments come from that the person did not say; empty where there are none."""
    words = phrases.entities
    said = []
    for one in action.known:
        day = phrases.day(one.at, words.day)
        place = f"[{day}]({place_address(one.message_id, one.conversation_id)})" if one.message_id else day
        value = inline(str(action.params.get(one.param, "")))
        said.append(words.supplied.format(who=inline(one.who), day=place, value=value))
    return phrases.gap.join(said)


class _Teller:
    """Says facts of some entities in one language."""

    def __init__(self, phrases: Phrases, entities: Sequence[Entity]) -> None:
        self.words = phrases.entities
        self._phrases = phrases
        self._entities = {one.id: one for one in entities}

    def everything(self, known: KnownOfPerson) -> str:
        words, person = self.words, known.person
        self._entities |= {one.id: one for one in known.others}
        own = [self._line(fact) for fact in (*person.names, *person.facts) if not fact.former]
        blocks = [f"{words.everything}\n\n" + "\n".join(own)] if own else [words.nothing]
        if known.others:
            lines = [self._other(one) for one in known.others]
            if known.count > len(known.others):
                lines.append(words.more.format(count=known.count - len(known.others)))
            blocks.append(f"{words.others}\n\n" + "\n".join(lines))
        end = [words.unknown.format(labels=self.labels(known.unknown))] if known.unknown else []
        end += [words.unread.format(count=known.unread)] if known.unread else []
        return "\n\n".join([*blocks, self._phrases.gap.join((*end, words.how_to_correct))])

    def whole(self, entities: Sequence[Entity]) -> str:
        words = self.words
        if len(entities) > 1:
            return "\n\n".join([words.of_several, *("\n".join(self._all_of(one)) for one in entities)])
        (one,) = entities
        head = words.of_one.format(who=self._who(one, whole=True))
        return f"{head}\n\n" + "\n".join(self._facts_of(one))

    def _all_of(self, one: Entity) -> list[str]:
        return [f"**{self._who(one, whole=True)}**", "", *self._facts_of(one)]

    def _facts_of(self, one: Entity) -> list[str]:
        facts = [*one.names[:1], *one.facts]
        # What it is to the person stands above them.
        lines = [
            self._line(fact)
            for fact in facts
            if not fact.former and (fact.attribute != "relation" or fact.target_id)
        ]
        earlier = [f"{self._labelled(fact)} {self._place(fact)}" for fact in facts if fact.former]
        if earlier:
            lines.append("- " + self.words.before.format(facts=self.words.separator.join(earlier)))
        return lines or [self.words.nothing_more]

    def asked(self, facts: Sequence[EntityFact]) -> str:
        if not facts:
            return self.words.name_unknown
        holding = [fact for fact in facts if not fact.former]
        former = [fact for fact in facts if fact.former]
        lines = [f"{self._sentence(fact, marked=True)} {self._place(fact)}" for fact in holding]
        if former and holding:
            earlier = (f"{self._shown(fact)} {self._place(fact)}" for fact in former)
            lines.append(self.words.before.format(facts=self.words.separator.join(earlier)))
        elif former:
            lines = [f"{self._upper(self._said(fact))}. {self._place(fact)}" for fact in former]
        return "\n\n".join(lines)

    def _sentence(self, fact: EntityFact, *, marked: bool = False) -> str:
        return self._upper(self._stated(fact, bold if marked else str)) + self.words.stop

    @staticmethod
    def _upper(text: str) -> str:
        return text[:1].upper() + text[1:]

    def plain(self, facts: Sequence[EntityFact]) -> str:
        """Facts in one line, with whom they are about."""
        return self.words.separator.join(self._said(fact) for fact in facts)

    def _said(self, fact: EntityFact) -> str:
        said = self._stated(fact, str)
        return self.words.not_any_more.format(fact=said) if fact.former else said

    def _stated(self, fact: EntityFact, mark: Callable[[str], str]) -> str:
        """A fact as a sentence without its end."""
        templates = self.words.own if fact.entity_id == SELF else self.words.theirs
        topic, value = self._parts(fact)
        return templates[fact.attribute].format(who=self._who_of(fact), topic=topic, value=mark(value))

    def _parts(self, fact: EntityFact) -> tuple[str, str]:
        """Which of several it is, `flight` or `colour`, and the value."""
        if fact.attribute == "event" and fact.moment is not None:
            return _value(fact), _moment(fact.moment, self.words, self._phrases)
        topic, colon, value = _value(fact).replace("：", ": ").partition(": ")
        if fact.attribute == "favourite" and colon:
            return topic, value
        return self.words.labels[fact.attribute], self._shown(fact)

    def labels(self, unknown: Sequence[Attribute]) -> str:
        named = [self.words.unknown_labels[one] for one in unknown]
        return (
            self.words.joined.join(named[:-1]) + (self.words.last if named[1:] else "") + "".join(named[-1:])
        )

    def _line(self, fact: EntityFact) -> str:
        label = bold(self._label(fact))
        return f"{self.words.line.format(label=label, value=self._shown(fact))} {self._place(fact)}"

    def _other(self, one: Entity) -> str:
        facts = [fact for fact in one.facts if not fact.former and fact.attribute != "relation"]
        told = self.words.joined.join(self._labelled(fact) for fact in facts[:_MOST_OF_ANOTHER])
        who = bold(self._who(one, whole=True))
        first = next(iter((*facts, *one.facts, *one.names)), None)
        place = f" {self._place(first)}" if first is not None else ""
        template = self.words.other_facts if told else self.words.other
        return template.format(who=who, facts=told) + place

    def _labelled(self, fact: EntityFact) -> str:
        return f"{self._label(fact)} {self._shown(fact)}"

    def _label(self, fact: EntityFact) -> str:
        return self.words.labels[fact.attribute]

    def _shown(self, fact: EntityFact) -> str:
        if fact.attribute == "relation":
            return self._relation(fact)
        if fact.attribute == "event" and fact.moment is not None:
            return self.words.on_day.format(
                value=_value(fact), day=_moment(fact.moment, self.words, self._phrases)
            )
        return _value(fact)

    def _relation(self, fact: EntityFact) -> str:
        chinese = self._phrases.language == "zh"
        same = has_cjk(fact.value) is chinese
        word = inline(fact.value) if same else self.words.relations.get(fact.key, inline(fact.key))
        if not fact.target_id:
            return self.words.relation.format(relation=word)
        of = self._entities.get(fact.target_id)
        who = self._who(of) if of is not None else self.words.nameless
        return self.words.relation_of.format(who=who, relation=word)

    def _who_of(self, fact: EntityFact) -> str:
        one = self._entities.get(fact.entity_id)
        if one is None:
            return self.words.nameless
        # Of a name it is said whose, so the name itself would say nothing.
        by_relation = fact.attribute == "name" and one.relation
        return next(self._relations(one)) if by_relation else self._who(one)

    def _who(self, one: Entity, *, whole: bool = False) -> str:
        """A name, with the relation where there is room; the relation where there is no name."""
        if one.id == SELF:
            return self.words.you
        relation = next(self._relations(one), "")
        if not one.name:
            return relation or self.words.nameless
        if not whole:
            return inline(one.name)
        also = self.words.also_called.format(names=self.words.joined.join(map(inline, one.aliases)))
        more = self.words.joined.join(part for part in (relation, also if one.aliases else "") if part)
        if not more:
            return inline(one.name)
        return self.words.named_relation.format(name=inline(one.name), relation=more)

    def called(self, one: Entity) -> str:
        """A name with what it is to the person."""
        return self._who(one, whole=True)

    def _relations(self, one: Entity) -> Iterator[str]:
        return (
            self._relation(fact) for fact in one.facts if fact.attribute == "relation" and not fact.former
        )

    def _place(self, fact: EntityFact) -> str:
        """The day on which it was said, as the link to where."""
        day = self._phrases.day(fact.evidence[0].at if fact.evidence else fact.at, self.words.day)
        if not fact.evidence:
            return self.words.entered.format(day=day)
        said = fact.evidence[0]
        return self.words.told.format(
            place=f"[{day}]({place_address(said.message_id, said.conversation_id)})"
        )


def _value(fact: EntityFact) -> str:
    return inline(fact.value)


def _moment(at: datetime, words: EntityPhrases, phrases: Phrases) -> str:
    """A day with its time; midnight stands for a day of which no time was said."""
    return phrases.day(at, "" if at.astimezone().time() != time() else words.whole_day)
