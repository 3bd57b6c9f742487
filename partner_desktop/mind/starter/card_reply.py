"""What to say of cards that wait or run: which of them, until when, what was changed in one; and when the
person asks, step by step, with what, and what it may do.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from partner_desktop.base.paths import display_text
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Amended, Described, NoYes, Unsettled
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.language.references import is_ours
from partner_desktop.language.speech_acts.verdicts import read
from partner_desktop.language.terms import first_sentence, mainly_cjk
from partner_desktop.mind.starter.phrases import ENGLISH, Phrases
from partner_desktop.mind.starter.results import bold, code, inline, one_line, sentence

#: Characters of a request that are said back.
_LONGEST_QUOTED = 120


def in_a_sentence(description: str) -> str:
    """The first sentence of what an ability says of itself, as it stands behind other words."""
    told = first_sentence(description).strip()
    return told[:1].lower() + told[1:] if told[1:2].islower() else told


def arguments_of(params: JsonObject, schema: JsonObject, phrases: Phrases) -> str:
    """Arguments as in prose, ids aside: `folder ~/Music, width 300`."""
    parts = (
        f"{inline(param_name(name, schema, phrases))} {_argument(value, phrases)}"
        for name, value in params.items()
        if _told_of(name, schema).get("format") != "id"
    )
    return phrases.list_separator.join(parts)


def _told_of(name: str, schema: JsonObject) -> JsonObject:
    properties = schema.get("properties")
    told = properties.get(name) if isinstance(properties, dict) else None
    return told if isinstance(told, dict) else {}


def param_name(name: str, schema: JsonObject, phrases: Phrases) -> str:
    """What a parameter is called within a sentence: its title, where its ability gives one."""
    title = _told_of(name, schema).get("title")
    if not isinstance(title, str) or not title.strip():
        return phrases.name(name)
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def _argument(value: Json, phrases: Phrases) -> str:
    """A value as in prose; a list of words as the command line that it mostly is."""
    if isinstance(value, str) and "\n" in value.strip():
        return phrases.list_separator.join(
            one_line(line, phrases) for line in value.split("\n") if line.strip()
        )
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return code(shlex.join(str(item) for item in value))
    return one_line(value, phrases)


def reminded(action: ActionRecord, phrases: Phrases) -> str:
    """That a card waits still, and until when."""
    until = action.waits_until
    if until is None:
        return phrases.reminded_soon.format(title=bold(action.title))
    return phrases.reminded.format(title=bold(action.title), time=f"{until.astimezone():%H:%M}")


def amended(evidence: Amended, phrases: Phrases) -> str:
    """What a card shows otherwise now, or that it shows the same."""
    action, title = evidence.action, bold(evidence.action.title)
    if evidence.changed:
        changed = {name: action.params.get(name) for name in evidence.changed}
        return phrases.amended.format(title=title, arguments=arguments_of(changed, action.schema, phrases))
    if evidence.problem:
        reason = sentence(display_text(evidence.problem))
        return phrases.not_amended_because.format(title=title, reason=reason)
    return phrases.not_amended.format(title=title)


def unsettled(evidence: Unsettled, abilities: Sequence[MetaActionInfo], phrases: Phrases) -> str:
    """Which of several was meant, numbered as an answer may count them; or that one needs a plain yes.

    Where a yes is not enough, what would be.
    """
    actions = evidence.actions
    if evidence.why == "not_named" or (evidence.why and len(actions) == 1):
        return "\n\n".join(_asked_again(action, evidence.why, abilities, phrases) for action in actions)
    if all(action.status is ActionStatus.RUNNING for action in actions):
        lines = [_waiting(number, action, phrases) for number, action in enumerate(actions, 1)]
        return "\n".join([phrases.which_stops, "", *lines, "", phrases.which_stops_end])
    if len(actions) == 1 and evidence.near:
        paths = phrases.list_separator.join(code(display_text(path)) for path in evidence.near)
        return phrases.unsettled_thing.format(title=bold(actions[0].title), paths=paths)
    if len(actions) == 1:
        return phrases.unsettled_one.format(title=bold(actions[0].title))
    lines = [_waiting(number, action, phrases) for number, action in enumerate(actions, 1)]
    return "\n".join([phrases.unsettled, "", *lines, "", phrases.unsettled_end])


def _asked_again(
    action: ActionRecord, why: NoYes, abilities: Sequence[MetaActionInfo], phrases: Phrases
) -> str:
    title = bold(action.title)
    if not action.wants_name:
        return (phrases.halted if why == "halted" else phrases.not_last).format(title=title)
    words = _naming(action, abilities, phrases)
    if not words:
        return phrases.by_card_only.format(title=title)
    template = phrases.not_last_by_name if why == "not_last" else phrases.not_named
    return template.format(title=title, words=inline(words))


def _naming(action: ActionRecord, abilities: Sequence[MetaActionInfo], phrases: Phrases) -> str:
    """A yes that names what it is to; empty where no words are sure to."""
    also = {info.key: info.aliases for info in abilities}
    if action.chain is not None:
        tried = [phrases.yes_to.format(name=phrases.chain.the_plan)]
    elif is_ours(action):
        chinese = phrases is not ENGLISH
        title = action.title[:1].lower() + action.title[1:] if action.title[1:2].islower() else action.title
        own = [alias for alias in also.get(action.key, ()) if mainly_cjk(alias) is chinese]
        tried = [phrases.yes_to.format(name=name) for name in ([*own, title] if chinese else [title, *own])]
    else:
        tried = [phrases.yes_to_run.format(name=action.title)]
    return next((said for said in tried if any(one.named for one in read(said, [action], also).settled)), "")


def _waiting(number: int, action: ActionRecord, phrases: Phrases) -> str:
    line = phrases.unsettled_line.format(number=number, title=bold(action.title))
    of_each = (
        [arguments_of(step.params, step.schema, phrases) for step in action.chain.steps]
        if action.chain
        else []
    )
    told = dict.fromkeys([arguments_of(action.params, action.schema, phrases), *of_each])
    arguments = phrases.chain.steps_separator.join(each for each in told if each)
    return f"{line}: {arguments}" if arguments else line


def described(evidence: Described, phrases: Phrases) -> str:
    """All that is open, or the one step that was asked about."""
    if not evidence.actions:
        return phrases.chain.nothing_open
    chain = evidence.actions[0].chain
    if evidence.step and len(evidence.actions) == 1 and chain is not None:
        line = _asked_step(evidence.actions[0], chain, evidence.step, phrases)
        if line:
            return line
    told = [_open(action, phrases) for action in evidence.actions]
    return "\n\n".join([phrases.chain.beyond, *told] if evidence.beyond else told)


def _asked_step(action: ActionRecord, chain: Plan, number: int, phrases: Phrases) -> str:
    steps = chain.steps
    place = number - 1 if number > 0 else len(steps) + number
    if not 0 <= place < len(steps):
        return ""
    return phrases.chain.one_step.format(number=place + 1, step=_step(action, steps[place], steps, phrases))


def _open(action: ActionRecord, phrases: Phrases) -> str:
    words, title = phrases.chain, bold(action.title)
    waits = {ActionStatus.ASKING: words.asks, ActionStatus.WAITING: words.waits}
    lead = waits.get(action.status, words.runs)
    if action.chain is None:
        arguments = arguments_of(action.params, action.schema, phrases)
        named = f"{title} ({arguments})" if arguments else title
        told = [lead.format(title=named, words=inline(action.request_text, limit=_LONGEST_QUOTED))]
        if action.status is ActionStatus.WAITING and action.description:
            told.append(words.does.format(told=sentence(in_a_sentence(action.description))))
        return phrases.gap.join([*told, words.may_do[action.risk]])
    lead = lead.format(title=title, words=inline(action.request_text, limit=_LONGEST_QUOTED))
    return "\n".join([lead, "", *_lines(action, action.chain.steps, phrases)])


def _lines(action: ActionRecord, steps: Sequence[Step], phrases: Phrases) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        yield f"{number}. {_step(action, step, steps, phrases)}"


def _step(action: ActionRecord, step: Step, steps: Sequence[Step], phrases: Phrases) -> str:
    """`**Zip backup** (source ~/Pictures). It may change things.`; of what runs also where it stands."""
    told = [arguments_of(step.params, step.schema, phrases), *_fed(step, steps, phrases)]
    arguments = phrases.list_separator.join(each for each in told if each)
    head = f"{bold(step.title)} ({arguments})" if arguments else bold(step.title)
    if action.status is ActionStatus.WAITING or step.status is StepStatus.WAITING:
        return phrases.chain.step_may.format(step=head, may=phrases.chain.may_do[step.risk])
    return phrases.chain.step_stands.format(step=head, state=phrases.chain.states[step.status])


def _fed(step: Step, steps: Sequence[Step], phrases: Phrases) -> Iterator[str]:
    numbers = {each.id: number for number, each in enumerate(steps, 1)}
    for feed in step.feeds:
        if feed.step in numbers:
            name = inline(param_name(feed.param, step.schema, phrases))
            yield phrases.chain.from_step.format(name=name, number=numbers[feed.step])
