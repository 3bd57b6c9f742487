"""Evidence in words, in three lengths: what prompts and the Context panel show of what happened."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import assert_never

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import speaking
from partner_desktop.base.text import cut
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import CommandSession
from partner_desktop.domain.entity import Entity, EntityFact
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
    NoYes,
    Planned,
    Proposed,
    Recounted,
    Remembered,
    Reminded,
    SaidOfToday,
    Scheduled,
    ScheduleDeed,
    Started,
    Unsettled,
    Withheld,
)
from partner_desktop.domain.inquiry import Deed, Topic
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.domain.remembered import OpenedSlice, RecalledPassage
from partner_desktop.domain.schedule import Schedule, Terms
from partner_desktop.domain.schedule_text import when_in_words
from partner_desktop.domain.verification import checked_sentence

#: Characters of an output that the full and the compact form hold.
_FULL_OUTPUT = 4_000
_COMPACT_OUTPUT = 200
#: Characters of the list of steps in the compact form.
_COMPACT_STEPS = 600
#: Files of a run that are named.
_MOST_FILES = 20
#: Schedules that are told of together.
_MOST_SCHEDULES = 20
_DEEDS: Mapping[ScheduleDeed, str] = {
    "listed": "Planned",
    "cancelled": "The person cancelled this, and it will not be done",
    "skipped": "The person left out this one time",
    "moved": "It is to be done at another time now",
    "paused": "Paused; nothing of it happens by itself",
    "resumed": "It goes on",
    "run": "It is being done now, apart from its times",
    "snoozed": "The reminder comes again later",
    "noted": "A reminder was set",
    "done": "The person did what the reminder was about",
}
_NO_TIME: Mapping[str, str] = {
    "past": "that time has passed",
    "never": "there is no such time",
    "unclear": "the words do not say when",
    "often": "that would be too often",
    "long": "what is to be told then is too long for a reminder",
    "unjoined": "it cannot be told which of the times that come again and again that would be",
}
#: The newest changes of a chain that are told, and who made them.
_MOST_CHANGES = 6
_CHANGED_BY = {"person": "The person", "mind": "A correction", "partner": "Partner"}


@dataclass(frozen=True)
class Words:
    """One fact in three lengths."""

    full: str
    compact: str
    abstract: str


def words_of(evidence: Evidence) -> Words:  # noqa: PLR0911, PLR0912 - one answer a fact
    """What happened, for a reader who knows nothing else of it."""
    match evidence:
        case Proposed(action=action, unused=unused):
            besides = f"; of what was said it uses nothing of {', '.join(unused)}" if unused else ""
            return _about(action, f"waits for the person's decision{_later(action.terms)}{besides}")
        case Started(action=action):
            return _about(action, "was started; its result will come by itself")
        case Withheld(action=action, reason=reason):
            return _about(action, f"was not run: {reason}")
        case Asked(action=action, back="later"):
            return _about(action, "was left for something else, and is asked about again when that is done")
        case Asked(action=action, param=param, hint=hint, problem=problem):
            asked = f"needs {param} ({hint}); the person was asked for it"
            return _about(action, f"{asked}, because {problem}" if problem else asked)
        case Choice(options=options):
            names = ", ".join(option.title for option in options)
            return _same(f"The person was asked which ability was meant: {names}")
        case Finished(action=ActionRecord(chain=Plan()) as action, steps=steps):
            return _outcome_of_chain(action, steps)
        case Finished(action=action):
            return evidence_outcome(action)
        case Dropped(action=action):
            return _about(action, "was called off by the person")
        case Reminded(action=action):
            return _about(action, f"still waits for the person's yes; it expires {_until(action)}".rstrip())
        case Amended(action=action, changed=changed, problem=problem):
            return _amended(action, changed, problem)
        case Unsettled(actions=actions, why=why) if why:
            return _asked_again(actions, why)
        case Unsettled(actions=(action,)):
            return _about(action, "waits still: what was said is no plain yes or no")
        case Unsettled(actions=actions):
            names = ", ".join(action.title for action in actions)
            open_ = "running" if actions and actions[0].status is ActionStatus.RUNNING else "waiting"
            return _same(f"It is not clear which {open_} action was meant: {names}")
        case Described(actions=actions):
            return _described(actions)
        case Recounted():
            return _recounted(evidence)
        case Explained():
            return _explained(evidence)
        case Disclosed():
            return _disclosed(evidence)
        case Intervened(action=action, done=done, refused=refused):
            return _about(action, f"was changed while it was under way: {' '.join((*done, *refused))}")
        case NoAbility(nearest=(info, *_), text=text, exclusion=True):
            return _same(f"Nothing was done: {info.title} cannot keep to “{text}”")
        case NoAbility(text=text, condition=True):
            return _same(
                f"“{cut(text, _COMPACT_OUTPUT)}” was left out: nothing can be made to depend on a condition, "
                "and nobody looked whether it is so"
            )
        case NoAbility(nearest=nearest, near=near, text=text, left_out=left_out):
            names = ", ".join(info.title for info in nearest)
            what = (
                f"“{cut(text, _COMPACT_OUTPUT)}”, a part of what was asked, which was left out"
                if left_out
                else "this"
            )
            return _same(
                f"No ability does {what}; the nearest: {names}" if near else f"No ability does {what}"
            )
        case Initiated(text=text):
            return _same(f"Partner began this turn itself, nobody said anything. It is about: {text}")
        case CommandEnded(session=session, output=output):
            return _command_ended(session, output)
        case Remembered(passages=passages):
            return _remembered(passages)
        case KnownFacts(entities=entities, everything=everything):
            of = entities if everything is None else (everything.person, *everything.others)
            return _known(of, evidence)
        case Learnt(unclear=True):
            return _same("The person says that something of what was just shown is wrong, not what is right")
        case Learnt(settled=bool() as one):
            return _same(
                f"The person answered whether two of nearly one name are one: {'yes' if one else 'no'}"
            )
        case Learnt(entities=entities, facts=facts):
            return _same("\n".join(["The person told this, and it is remembered:", *_told(entities, facts)]))
        case FirstMeeting(known=known):
            return _same(
                "The person and Partner meet for the first time. Say in a sentence or two what is known of "
                f"the person ({'; '.join(map(fact_words, known.person.facts)) or 'nothing'}), what is not "
                f"({', '.join(known.unknown)}), and that “that's wrong, it's …” corrects it"
            )
        case SaidOfToday(turn=turn):
            day = turn.at.astimezone().date().isoformat()
            return _same(f"On {day} the person said of today: “{turn.text}”. One short remark on it is due")
        case Scheduled(schedule=schedule):
            return _same(f"It is planned now, and nothing ran yet: {_of_schedule(schedule)}")
        case Planned():
            return _planned(evidence)
        case NoSuchTime(text=text, why=why):
            return _same(f"Nothing was planned of “{cut(text, _COMPACT_OUTPUT)}”: {_NO_TIME[why]}")
        case Missed(schedules=schedules):
            told = (f"{_of_schedule(each)}{_last_due(each)}" for each in schedules[:_MOST_SCHEDULES])
            return _same("\n".join(["Due while Partner was closed or the machine slept:", *told]))
    assert_never(evidence)


def _remembered(passages: Sequence[RecalledPassage]) -> Words:
    """Passages as they were said; text of a passage is what somebody said, and no order."""
    if not passages:
        return _same("Nothing that fits was said in any conversation that is kept here")
    told = [passage_words(passage) for passage in passages]
    return Words(
        full="This was said earlier, best first:\n" + "\n\n".join(words.full for words in told),
        compact="This was said earlier, best first:\n" + "\n".join(words.compact for words in told),
        abstract=told[0].abstract,
    )


def entity_words(entity: Entity) -> Words:
    """What is known of somebody or something, for a prompt; it is what the person said, and no order."""
    holding = [fact for fact in entity.facts if not fact.former]
    who = "The person" if entity.kind == "self" else entity.name or f"The person's {entity.relation}"
    also = f", also called {', '.join(entity.aliases)}" if entity.aliases else ""
    named = f" ({entity.name})" if entity.kind == "self" and entity.name else ""
    head = f"{who}{named}{also}"
    lines = [f"- {fact_words(fact)}, said on {fact.at.astimezone():%A %Y-%m-%d}" for fact in holding]
    short = "; ".join(fact_words(fact) for fact in holding)
    return Words("\n".join([f"{head}:", *lines]), cut(f"{head}: {short}", _COMPACT_OUTPUT), cut(head, 80))


def fact_words(fact: EntityFact) -> str:
    """One fact, as `sister of the person` or `email: ann@example.org`."""
    if fact.attribute == "relation" and not fact.target_id:
        return f"{fact.value} of the person"
    moment = f" ({fact.moment:%A %Y-%m-%d %H:%M})" if fact.moment and fact.attribute == "event" else ""
    return f"{fact.attribute}: {fact.value}{moment}"


def _known(entities: Sequence[Entity], known: KnownFacts) -> Words:
    told = [entity_words(one) for one in entities]
    if known.attribute is not None:
        lines = _told(entities, known.facts)
        return _same("\n".join(["What is known of what was asked:", *(lines or ["nothing"])]))
    return Words(
        full="This is known, from what the person said:\n" + "\n".join(words.full for words in told),
        compact="\n".join(words.compact for words in told),
        abstract="; ".join(words.abstract for words in told),
    )


def _told(entities: Sequence[Entity], facts: Sequence[EntityFact]) -> list[str]:
    names = {one.id: entity_words(one).abstract for one in entities}
    return [
        f"- {names.get(fact.entity_id, '')}: {fact_words(fact)}{' (not any more)' if fact.former else ''}, "
        f"said on {fact.at.astimezone():%A %Y-%m-%d}"
        for fact in facts
    ]


_WHY = {
    "words": "the same words",
    "meaning": "the same meaning",
    "date": "that time",
    "speaker": "the one who was named",
    "topic": "the same topic",
    "neighbour": "what stands beside it",
}
_PASSAGE_TURN, _PASSAGE_HIT = 600, 240


def passage_words(passage: RecalledPassage) -> Words:
    """A recalled passage: when and where it was said, by whom, and why it came."""
    hit = passage.hit.turn
    day = hit.at.astimezone().strftime("%A %Y-%m-%d %H:%M")
    why = ", ".join(_WHY[reason] for reason in passage.hit.reasons)
    head = f"On {day}, in “{cut(hit.title, 60)}” (score {passage.hit.score:.1f}{': ' if why else ''}{why}):"
    lines = [f"[{turn.speaker}] {cut(' '.join(turn.text.split()), _PASSAGE_TURN)}" for turn in passage.turns]
    said = f"[{hit.speaker}] {cut(' '.join(hit.text.split()), _PASSAGE_HIT)}"
    return Words(
        full="\n".join([head, *lines]), compact=f"{head}\n{said}", abstract=f"On {day}, {cut(said, 80)}"
    )


def slice_words(opened: OpenedSlice) -> Words:
    """A slice that the person pinned."""
    title = cut(opened.turns[0].title, 60) if opened.turns else ""
    head = f"Pinned, from {opened.slice.at.astimezone():%A %Y-%m-%d %H:%M}, “{title}”:"
    lines = [f"[{turn.speaker}] {cut(' '.join(turn.text.split()), _PASSAGE_TURN)}" for turn in opened.turns]
    return Words(
        full="\n".join([head, *lines]),
        compact="\n".join([head, *(cut(line, _PASSAGE_HIT) for line in lines)]),
        abstract=f"{head} {cut(lines[0] if lines else '', 80)}",
    )


def _asked_again(actions: Sequence[ActionRecord], why: NoYes) -> Words:
    """A yes that does not do, and what would."""
    names = ", ".join(action.title for action in actions)
    head = f"Nothing was approved: {names} still waits"
    if why == "not_last":
        head += ", and other things were said since; the person is asked whether that was meant"
    if any(action.wants_name for action in actions):
        head += (
            "; nothing holds it, so that only its card will do, or a yes in words that say what is to be done"
        )
    return _same(head)


def _described(actions: Sequence[ActionRecord]) -> Words:
    """What the person asked about, with all that is known of it."""
    if not actions:
        return _same("Nothing runs, and nothing waits for the person's decision")
    told = [_about(action, f"is {action.status.value}") for action in actions]
    return Words(
        full="\n".join(words.full for words in told),
        compact="\n".join(words.compact for words in told),
        abstract=told[0].abstract,
    )


def _until(action: ActionRecord) -> str:
    until = action.waits_until
    return f"at {until.astimezone():%H:%M}" if until is not None else ""


def _amended(action: ActionRecord, changed: tuple[str, ...], problem: str) -> Words:
    if changed:
        names = ", ".join(changed)
        return _about(
            action, f"was changed as the person asked ({names}) and asks for a yes again; it did not run"
        )
    why = f": {problem}" if problem else ""
    return _about(
        action, f"did not run and waits still: what the person wants otherwise was not found in it{why}"
    )


def _recounted(evidence: Recounted) -> Words:
    """What the records hold, a line each."""
    asked = evidence.asked
    head = f"The person asked about what was done ({asked.topic.value}, {asked.deed}). Nothing was done now."
    lines = [_deed(deed) for deed in evidence.deeds] or ["The records hold nothing of the kind."]
    if evidence.unknown:
        lines.append(
            f"Not recorded is what these changed: {', '.join(one.title for one in evidence.unknown)}."
        )
    return Words(full="\n".join([head, *lines]), compact=cut(" ".join(lines), _COMPACT_STEPS), abstract=head)


def _deed(deed: Deed) -> str:
    action = deed.action
    at = f" at {action.finished_at.astimezone():%Y-%m-%d %H:%M}" if action.finished_at else ""
    files = [
        f"{'trashed' if change.trashed else change.deed} {change.path}"
        + (f" → {change.now_at}" if change.now_at else "")
        for change in deed.files[:_MOST_FILES]
    ]
    more = len(deed.files) - len(files)
    told = ", ".join([*files, *([f"and {more} more"] if more > 0 else [])])
    undo = f" Undo: {action.undo.state.value}. {action.undo.note}".rstrip() if action.undo else ""
    ended = f"{action.title}{at}: {action.status.value}. Files: {told or 'none'}.{undo}"
    return f"{ended} Result: {cut(_output(action), _COMPACT_OUTPUT) or 'none'}"


def _explained(evidence: Explained) -> Words:
    """The abilities that were asked about, or that there are none."""
    asked = f"The person asked what can be done about “{evidence.asked.about}”. Nothing was done."
    told = [f"{info.title}: {info.description}" for info in evidence.abilities]
    near = [f"{info.title}: {info.description}" for info in evidence.nearest]
    lines = told or [f"No ability does it. The nearest: {'; '.join(near) or 'none'}"]
    return Words(
        full="\n".join([asked, *lines]), compact=cut(" ".join(lines), _COMPACT_STEPS), abstract=asked
    )


def _disclosed(evidence: Disclosed) -> Words:
    """Who answers and gets what is said."""
    if evidence.asked.topic is Topic.ATTACHED:
        return _same("The person asks about what came with their words; what was read of it stands there too")
    away = ", ".join(f"{name} ({where})" for name, where in evidence.away) or "none"
    online = ", ".join(info.title for info in evidence.online) or "none"
    return _same(
        f"The person asked about Partner itself ({evidence.asked.topic.value}). Partner is a program on "
        f"this computer. Model that answers: {evidence.model or 'none, fixed rules'}. Models behind "
        f"addresses, which get what is said: {away}. Servers of others whose tools can be called: "
        f"{', '.join(evidence.servers) or 'none'}. Abilities that reach the network: "
        f"{online}. Everything is kept in {evidence.home}."
    )


def _command_ended(session: CommandSession, output: str) -> Words:
    head = f"The command in the background {shlex.join(session.argv)} has ended"
    head = f"{head}: {session.error}" if session.error else f"{head} with exit code {session.exit_code}."
    return _with_output(head, output)


def evidence_outcome(action: ActionRecord) -> Words:
    """How an action ended, with its output."""
    return _with_output(f"{action.title}: {action.status.value}", _output(action))


def _with_output(head: str, output: str) -> Words:
    if not output:
        return _same(head)
    return Words(
        full=f"{head}\n{cut(output, _FULL_OUTPUT)}",
        compact=f"{head}\n{cut(output, _COMPACT_OUTPUT)}",
        abstract=head,
    )


def _outcome_of_chain(action: ActionRecord, records: Sequence[ActionRecord]) -> Words:
    """How a chain ended, with what came of each step."""
    chain = action.chain
    assert chain is not None
    ran = {record.id: record for record in records}
    done = sum(step.status is StepStatus.SUCCEEDED for step in chain.last_tries)
    abstract = f"{action.title}: {action.status.value}, {done} of {len(chain.last_tries)} steps done"
    changes = [
        f"{_CHANGED_BY[change.by]} changed the plan: {change.text}"
        for change in chain.changes[-_MOST_CHANGES:]
    ]
    with speaking("en"):  # as all that a prompt says
        checked = checked_sentence(action.verification, chain.last_tries)
    head = "\n".join(part for part in (abstract, action.error, *changes, chain.checked, checked) if part)
    full, compact = [head], [head]
    share = _FULL_OUTPUT // max(1, len(chain.steps))
    for step in chain.steps:
        line = _state(chain.number_of(step.id), step)
        output = _output(ran[step.id]) if step.id in ran else step.error or step.result
        full.append(f"{line}\n{cut(output, share)}" if output else line)
        compact.append(line)
    return Words(
        full="\n".join(full), compact=cut("\n".join(compact), _COMPACT_STEPS), abstract=cut(abstract, 200)
    )


def _planned(planned: Planned) -> Words:
    """What the person asked of what is planned, or did to it."""
    many = [_of_schedule(each) for each in planned.schedules[:_MOST_SCHEDULES]]
    more = len(planned.schedules) - len(many) + planned.more
    told = [*many, *([f"and {more} more"] if more > 0 else [])] or ["nothing"]
    if planned.deed == "listed":
        since, until = (
            at.isoformat(timespec="minutes") if at else "" for at in (planned.since, planned.until)
        )
        span = f", due from {since} to {until}" if since or until else ""
        return _same("\n".join([f"Planned{span}:", *told]))
    at = f" ({planned.at.isoformat(timespec='minutes')})" if planned.at is not None else ""
    return _same("\n".join([f"{_DEEDS[planned.deed]}{at}:", *told]))


def _later(terms: Terms | None) -> str:
    if terms is None:
        return ""
    with speaking("en"):  # as all that a prompt says
        return f" on whether it is to be planned, {when_in_words(terms)}"


def _of_schedule(schedule: Schedule) -> str:
    with speaking("en"):  # as all that a prompt says
        when = when_in_words(schedule.terms)
    at = schedule.next_at
    due = f", next at {at.astimezone().isoformat(timespec='minutes')}" if at is not None else ""
    state = "" if schedule.state == "armed" else f", {schedule.state}"
    kind = "a reminder: " if schedule.terms.is_reminder else ""
    return f"{kind}{schedule.title}, {when}{due}{state}"


def _last_due(schedule: Schedule) -> str:
    last = schedule.last
    if last is None:
        return ""
    due = last.due_at.astimezone().isoformat(timespec="minutes")
    return f"; it was due at {due}, and {last.count} times in all"


def _state(number: int, step: Step) -> str:
    """One step and where it stands."""
    mends = " (in place of one that failed)" if step.mends else ""
    mends = " (tried again)" if step.origin == "retry" else mends
    return f"Step {number}, {step.title}{mends}: {step.status.value}"


def _steps(chain: Plan) -> str:
    """The steps in their order, where each stands and with what."""
    return " ".join(
        f"{_state(number, step)}{f' with {params}' if (params := _params(step.params)) else ''}."
        for step in chain.steps
        if (number := chain.number_of(step.id))
    )


def _params(params: JsonObject) -> str:
    return ", ".join(f"{name} = {value}" for name, value in params.items())


def _about(action: ActionRecord, what: str) -> Words:
    head = f"{action.title} {what}"
    if action.chain is not None:
        asked = f" It was asked for with: {action.request_text}" if action.request_text else ""
        return Words(
            full=f"{head}. {cut(_steps(action.chain), _FULL_OUTPUT)}{asked}", compact=head, abstract=head
        )
    params = _params(action.params)
    asked = f" It was asked for with: {action.request_text}" if action.request_text else ""
    full = f"{head}. With {cut(params, _FULL_OUTPUT)}.{asked}" if params else f"{head}.{asked}"
    return Words(full=full, compact=head, abstract=head)


def _output(action: ActionRecord) -> str:
    return (action.error or action.stdout or _data(action)).strip()


def _data(action: ActionRecord) -> str:
    """A result that is no text: its JSON, or the text it is."""
    if action.data is None or isinstance(action.data, str):
        return action.data or ""
    return json.dumps(action.data, ensure_ascii=False)


def _same(text: str) -> Words:
    return Words(full=text, compact=text, abstract=text)
