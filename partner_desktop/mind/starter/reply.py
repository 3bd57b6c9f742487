"""The answer of a turn, composed only from its evidence.

Of what was said earlier it tells the passage as it was said, its day, and the place in the chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from partner_desktop.base.paths import display_path, display_text
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import (
    Amended,
    Asked,
    Choice,
    CommandEnded,
    Described,
    Disclosed,
    Dropped,
    Evidence,
    Explained,
    Finished,
    FirstMeeting,
    Initiated,
    Intervened,
    KnownFacts,
    Learnt,
    Missed,
    NoAbility,
    NoSuchTime,
    Planned,
    Proposed,
    Recounted,
    Remembered,
    Reminded,
    SaidOfToday,
    Scheduled,
    Started,
    Unsettled,
    Withheld,
    actions_of,
)
from partner_desktop.domain.inquiry import AskedAbout, Topic
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Role, place_address
from partner_desktop.domain.plan import Plan
from partner_desktop.domain.remembered import PARTNER, PERSON, RecalledPassage, RememberedTurn
from partner_desktop.domain.run_facts import Risk
from partner_desktop.domain.schedule import Terms
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.conversation_language import conversation_language
from partner_desktop.language.speech_acts.small_talk import OF_PARTNER, SmallTalk, small_talk
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter import plan_reply, schedule_reply
from partner_desktop.mind.starter.account_reply import disclosed, explained, recounted
from partner_desktop.mind.starter.attachment_reply import came_with
from partner_desktop.mind.starter.card_reply import (
    amended,
    arguments_of,
    described,
    param_name,
    reminded,
    unsettled,
)
from partner_desktop.mind.starter.entity_reply import of_first_meeting, of_known, of_learnt, of_supplied
from partner_desktop.mind.starter.hello import (
    distinct_titles,
    no_ability,
    said_before,
    talked,
    variant,
    words_for,
)
from partner_desktop.mind.starter.params import named_choices
from partner_desktop.mind.starter.phrases import Phrases, phrases_in
from partner_desktop.mind.starter.results import bold, code, command_ended, inline, outcome, sentence

#: A parameter's name that reads as words: not `n`, not `arg1`.
_WORDS = re.compile(r"(?:[^\W\d_]{3,}|[\u4e00-\u9fff]+)(?: [^\W\d_]+)*")
#: What a path leads to.
_PATH_KINDS = re.compile(
    r"\b(?:folder|directory|file|image|photo|picture|document)s?\b|文件夹|目录|文件|图片|照片", re.IGNORECASE
)


def compose(request: ReplyRequest) -> str:
    """One answer to everything that happened; empty when nothing did."""
    # A remark on the day comes first, and who one is last.
    ordered = sorted(
        request.evidence,
        key=lambda fact: (not isinstance(fact, SaidOfToday), isinstance(fact, FirstMeeting)),
    )
    phrases = phrases_in(_language(request))
    parts = [phrases.unseen] if request.pictures else []
    parts += [_part(evidence, _about(evidence, request), phrases) for evidence in ordered]
    return "\n\n".join(part for part in parts if part)


def _language(request: ReplyRequest) -> str:
    """Of the conversation: what its person said, before it what an action was asked for with."""
    told = [action.request_text for fact in request.evidence for action in actions_of(fact)]
    told += [fact.text for fact in request.evidence if isinstance(fact, Initiated)]
    said = [message.text for message in request.recent if message.role is Role.USER]
    return conversation_language([*told, *said, request.text])


def _about(evidence: Evidence, request: ReplyRequest) -> ReplyRequest:
    """What is said of several things together must not be taken for one of them."""
    if isinstance(evidence, NoAbility) and evidence.text:
        return replace(request, text=evidence.text)
    return request


def pieces(text: str) -> Iterator[str]:
    """The answer as it streams: words, and whole lines within a code block. Joined, they are the text."""
    fenced = ""
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        mark = re.match(r"(`{3,})\s*$", line)
        if mark and not fenced:
            fenced = mark.group(1)
        elif mark and mark.group(1) == fenced:
            fenced = ""
        elif not fenced:
            yield from re.findall(r"\s*\S+\s*|\s+", line)
            continue
        yield line


def _part(  # noqa: PLR0912, PLR0915 - one sentence a fact
    evidence: Evidence, request: ReplyRequest, phrases: Phrases
) -> str:
    match evidence:
        case Proposed(ActionRecord(terms=Terms() as terms) as action):
            said = schedule_reply.proposed_later(action, terms, phrases)
        case Proposed(ActionRecord(chain=Plan() as chain) as action):
            said = plan_reply.proposed(action, chain, phrases)
        case Proposed(action, why=why) if action.parent_id:
            said = plan_reply.step_asks(action, why, phrases)
        case Proposed(action):
            lead = variant(phrases.proposed[action.risk], action.id).format(title=bold(action.title))
            once = phrases.looks_once if _looks_once(action, request) else ""
            said = phrases.gap.join(part for part in (lead, once, of_supplied(action, phrases)) if part)
        case Started(ActionRecord(chain=Plan() as chain)):
            said = plan_reply.started(chain, phrases)
        case Started(action) if _is_instant(action):
            said = ""  # its result is the answer
        case Started(action):
            said = phrases.started.format(title=bold(action.title))
        case Withheld(action, reason):
            said = _withheld(action, reason, phrases)
        case Asked():
            said = _asked(evidence, request, phrases)
        case Choice():
            said = _choice(evidence, request, phrases)
        case Finished(ActionRecord(chain=Plan() as chain)):
            said = plan_reply.finished(evidence, chain, phrases)
        case Finished(action):
            said = outcome(action, phrases)
        case Dropped(action):
            said = phrases.dropped.format(title=bold(action.title))
        case Reminded(action):
            said = reminded(action, phrases)
        case Amended(ActionRecord(chain=Plan() as chain), changed) if changed:
            said = plan_reply.amended(evidence, chain, phrases)
        case Amended():
            said = amended(evidence, phrases)
        case Unsettled():
            said = unsettled(evidence, request.abilities, phrases)
        case Described():
            said = described(evidence, phrases)
        case Recounted():
            said = recounted(evidence, phrases)
        case Explained():
            said = explained(evidence, phrases)
        case Disclosed(AskedAbout(topic=Topic.ATTACHED)):
            said = came_with(request.attachments, request.abilities, phrases)
        case Disclosed(AskedAbout(topic=Topic.TALK, about=kind)):
            said = talked(SmallTalk(kind), request, phrases)
        case Disclosed():
            said = disclosed(evidence, phrases)
        case Intervened():
            said = plan_reply.intervened(evidence, phrases)
        case NoAbility(exclusion=True, nearest=(info, *_), text=text):
            title = bold(info.spoken(phrases.language).title)
            said = phrases.cannot_leave_out.format(title=title, text=inline(text))
        case NoAbility(left_out=True):
            said = plan_reply.left_out(evidence, phrases)
        case NoAbility() if request.attachments and small_talk(request.text) is None:
            said = came_with(request.attachments, request.abilities, phrases)
        case NoAbility():
            said = no_ability(request, evidence, phrases)
        case Initiated(text):
            said = phrases.initiated.format(text=inline(text))
        case CommandEnded(session, output):
            said = command_ended(session, output, phrases)
        case Remembered():
            said = remembered(evidence, phrases)
        case KnownFacts():
            said = of_known(evidence, phrases)
        case Learnt():
            told, asked = of_learnt(evidence, request, phrases), small_talk(request.text)
            besides = variant(phrases.talk[asked], request.text) if asked in OF_PARTNER else ""
            said = "\n\n".join(part for part in (told, besides) if part)
        case FirstMeeting():
            said = of_first_meeting(evidence, phrases)
        case SaidOfToday(turn):
            said = said_of_today(turn, phrases)
        case Scheduled():
            said = schedule_reply.scheduled(evidence, phrases)
        case Planned():
            said = schedule_reply.planned(evidence, phrases)
        case NoSuchTime():
            said = schedule_reply.no_such_time(evidence, phrases)
        case Missed():
            said = schedule_reply.missed(evidence, phrases)
        case _:
            assert_never(evidence)
    if isinstance(evidence, Proposed) and evidence.unsaid:
        place = code(display_path(Path(evidence.unsaid)))
        said = phrases.gap.join((said, phrases.unsaid.format(path=place)))
    if isinstance(evidence, Proposed) and evidence.unused:
        words = phrases.list_separator.join(map(inline, evidence.unused))
        said = phrases.gap.join((said, phrases.unused.format(words=words)))
    if isinstance(evidence, Proposed):
        taken = [code(display_path(Path(use.path))) for use in evidence.action.paths if use.is_taken]
        said = phrases.gap.join((said, *(phrases.taken.format(path=path) for path in taken)))
    return said


def _looks_once(action: ActionRecord, request: ReplyRequest) -> bool:
    """A script that only looks, of which one yes is enough: see `judgement.looks_once_approved`."""
    held = action.isolation is not None and action.isolation.sandboxed and not action.isolation.net
    looks = any(info.key == action.key and info.annotations.read_only for info in request.abilities)
    return looks and held and action.risk is Risk.READ and action.grantable and not action.program


def _is_instant(action: ActionRecord) -> bool:
    """A builtin that only looks: it is done before a sentence about its start could be read."""
    return action.key.startswith("builtin::") and action.risk is Risk.READ


def _withheld(action: ActionRecord, reason: str, phrases: Phrases) -> str:
    arguments = arguments_of(action.params, action.schema, phrases)
    template = phrases.withheld_with if arguments else phrases.withheld
    told = sentence(reason[:1].upper() + reason[1:]) or phrases.no_reason
    return template.format(title=bold(action.title), arguments=arguments, reason=told)


def _asked(asked: Asked, request: ReplyRequest, phrases: Phrases) -> str:
    title = bold(asked.action.title)
    if asked.back == "later":
        return phrases.asked_later.format(title=title)
    leads = {"why": phrases.asked_why, "unknown": phrases.asked_unknown, "again": phrases.asked_again}
    lead = sentence(asked.problem) or leads.get(asked.back, "").format(title=title)
    choices = "" if asked.problem and not asked.examples else _choices(asked, phrases)
    hint_due = not said_before(phrases.cancel_hint, request)
    parts = (lead, _question(asked, phrases), choices, phrases.cancel_hint if hint_due else "")
    return phrases.gap.join(part for part in parts if part)


def _question(asked: Asked, phrases: Phrases) -> str:
    hint, name = _phrase(asked.hint), _asked_name(asked, phrases)
    template = phrases.asked_named
    if hint:
        template = phrases.asked if _is_thing(asked, name) else phrases.asked_plain
    return template.format(title=bold(asked.action.title), hint=hint, param=inline(name))


def _asked_name(asked: Asked, phrases: Phrases) -> str:
    """The parameter's name; of a path, what its description calls it: `source` says nothing to a person."""
    kind = _PATH_KINDS.search(asked.hint) if _asked_schema(asked).get("format") == "path" else None
    return kind.group().lower() if kind else param_name(asked.param, asked.action.schema, phrases)


def _is_thing(asked: Asked, name: str) -> bool:
    """Whether one can ask `which` of it: a word for a text, a file, a choice."""
    schema = _asked_schema(asked)
    return bool(_WORDS.fullmatch(name)) and schema.get("type", "string") in ("string", "array")


def _asked_schema(asked: Asked) -> JsonObject:
    properties = asked.action.schema.get("properties")
    schema = properties.get(asked.param) if isinstance(properties, dict) else None
    return schema if isinstance(schema, dict) else {}


def _choice(choice: Choice, request: ReplyRequest, phrases: Phrases) -> str:
    lead = phrases.choice_again if choice.again else phrases.choice
    options = [info.spoken(phrases.language) for info in choice.options]
    lines = [
        phrases.choice_line.format(number=number, title=bold(title), told=inline(words_for(info, phrases)))
        for number, (info, title) in enumerate(zip(options, distinct_titles(options), strict=True), 1)
    ]
    hint = "" if said_before(phrases.cancel_hint, request) else phrases.cancel_hint
    end = phrases.gap.join(part for part in (phrases.choice_end, hint) if part)
    return "\n".join([lead, "", *lines, "", end])


def _phrase(hint: str) -> str:
    """A description as the end of a sentence: `The text file to count.` → `the text file to count`."""
    line = inline(hint).rstrip(".。?？ ")
    return line[:1].lower() + line[1:] if len(line) > 1 and line[1].islower() else line


def _choices(asked: Asked, phrases: Phrases) -> str:
    if asked.action.candidates:
        lines = [
            phrases.candidate_line.format(number=number, path=code(display_text(each)))
            for number, each in enumerate(asked.action.candidates, 1)
        ]
        return "\n".join(["", "", *lines, ""])
    if asked.examples:
        named = phrases.list_separator.join(inline(one, paths=(one,)) for one in asked.examples)
        return phrases.asked_examples.format(choices=named)
    schema = _asked_schema(asked)
    if not schema:
        return ""
    choices = named_choices(Slot(asked.param, schema, required=True), phrases)
    return phrases.asked_choices.format(choices=inline(choices)) if choices else ""


_LONGEST_TURN = 700
#: What Partner answered beside the turn that was looked for is there to know the place by.
_LONGEST_ANSWER = 160
_LINK = re.compile(r"\[([^\]\n]*)\]\(partner:[^)\s]*\)")
#: Further passages are told while they fit nearly as well as the best.
_MORE = 2
_NEARLY = 0.8


def remembered(evidence: Remembered, phrases: Phrases) -> str:
    """The best passage whole, and where others are."""
    if not evidence.passages:
        return phrases.nothing_remembered
    best, *others = evidence.passages
    lead = phrases.remembered.format(day=phrases.day(best.hit.turn.at), title=inline(best.hit.turn.title))
    lines = [lead, "", *_quoted(best, phrases), "", _link(best.hit.turn, phrases.show_place)]
    near = [each for each in others if each.hit.score >= _NEARLY * best.hit.score and not _only_asks(each)]
    if near:
        lines += ["", phrases.remembered_too, ""]
        lines += [f"- {_short(each.hit.turn, phrases)}" for each in near[:_MORE]]
    return "\n".join(lines)


def said_of_today(turn: RememberedTurn, phrases: Phrases) -> str:
    """A remark on what the person said about this day."""
    day = _link(turn, phrases.day(turn.at))
    return phrases.said_of_today.format(day=day, text=inline(turn.text))


def _only_asks(passage: RecalledPassage) -> bool:
    return passage.hit.turn.speaker == PERSON and bool(passage.hit.signals.get("asks"))


def _quoted(passage: RecalledPassage, phrases: Phrases) -> list[str]:
    """A line each, as a quotation: who, and what."""
    lines: list[str] = []
    for turn in passage.turns:
        beside = turn.speaker == PARTNER and turn.message_id != passage.hit.turn.message_id
        limit = _LONGEST_ANSWER if beside else _LONGEST_TURN
        said = _unquoted(turn.text, only_first=beside) if turn.speaker == PARTNER else turn.text
        lines += [f"> **{_who(turn, phrases)}** {inline(said, limit=limit)}", ">"]
    return lines[:-1]


def _unquoted(text: str, *, only_first: bool) -> str:
    """What Partner said without marks, and without what it quoted itself, which nobody could read."""
    own = "\n".join(line for line in text.splitlines() if not line.startswith(">"))
    said = own.strip().partition("\n\n")[0] if only_first else own
    return _LINK.sub(r"\1", said).replace("**", "") or text


def _who(turn: RememberedTurn, phrases: Phrases) -> str:
    if turn.speaker == PERSON:
        return phrases.you_said
    return (
        phrases.i_said if turn.speaker == PARTNER else phrases.somebody_said.format(name=inline(turn.speaker))
    )


def _short(turn: RememberedTurn, phrases: Phrases) -> str:
    return f"{_link(turn, phrases.day(turn.at))} {inline(turn.text, limit=120)}"


def _link(turn: RememberedTurn, words: str) -> str:
    return f"[{words}]({place_address(turn.message_id, turn.conversation_id)})"
