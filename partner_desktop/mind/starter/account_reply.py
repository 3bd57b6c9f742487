"""Answers from records: what was done, what can be done, who answers. One or two sentences each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from partner_desktop.base.paths import display_text
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.evidence import Disclosed, Explained, Recounted
from partner_desktop.domain.inquiry import Deed, FileChange, Topic
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.run_facts import Risk
from partner_desktop.language.lexicon import head, number
from partner_desktop.mind.starter.card_reply import arguments_of, in_a_sentence
from partner_desktop.mind.starter.hello import ability_list, words_for
from partner_desktop.mind.starter.phrases import Phrases
from partner_desktop.mind.starter.results import bold, code, inline, outcome, sentence

#: Files that are named, and runs that are named before the last.
_FILES, _RUNS = 4, 3
#: An answer that needs more room than that names only how it ended.
_MOST_RESULT = 400


def recounted(evidence: Recounted, phrases: Phrases) -> str:  # noqa: PLR0911 - one line per question
    """What the records hold of what was asked."""
    words, deeds, asked = phrases.account, evidence.deeds, evidence.asked
    if asked.topic is Topic.REVERSAL:
        return _reversal(deeds[0].action if deeds else None, phrases)
    if not deeds:
        wanted = asked.topic is Topic.DEEDS and (asked.yes_or_no or asked.since or asked.deed != "run")
        none = words.none[asked.deed] if wanted else words.nothing
        named = words.named.format(words=inline(asked.about)) if asked.about else ""
        said = none.format(named=named, days=_days(evidence, phrases))
        return phrases.gap.join([said, *_unknown(evidence.unknown, phrases)])
    last = deeds[0]
    match asked.topic:
        case Topic.OUTCOME:
            return _outcome(last.action, phrases, yes_or_no=asked.yes_or_no)
        case Topic.FAILURE if last.action.status is ActionStatus.SUCCEEDED:
            return words.not_failed.format(title=bold(last.action.title))
        case Topic.FAILURE:
            return outcome(last.action, phrases)
        case Topic.PLACE:
            return phrases.gap.join(_places(last.files, phrases))
        case Topic.COUNT:
            return _count(evidence, last, phrases)
        case Topic.TIME:
            return _time(last.action, phrases)
        case Topic.WHY:
            return words.why.format(title=bold(last.action.title), words=inline(last.action.request_text))
        case _:
            return _deeds(evidence, phrases)


def _deeds(evidence: Recounted, phrases: Phrases) -> str:
    """The last in a few sentences; of several that were asked for, each."""
    words, deeds, asked = phrases.account, evidence.deeds, evidence.asked
    if asked.since is None and not asked.yes_or_no and asked.deed == "run":
        titles = phrases.list_separator.join(bold(deed.action.title) for deed in deeds[1 : _RUNS + 1])
        before = [words.before.format(titles=titles)] if titles else []
        return phrases.gap.join([*_deed(deeds[0], phrases), *before])
    yes = [words.yes] if asked.yes_or_no else []
    lines = [phrases.gap.join(_deed(deed, phrases)) for deed in deeds[: _RUNS + 1]]
    more = len(deeds) - len(lines)
    if len(lines) == 1 and not more:
        return phrases.gap.join([*yes, lines[0], *_unknown(evidence.unknown, phrases)])
    listed = [f"- {line}" for line in [*lines, *([phrases.more_items.format(count=more)] if more else [])]]
    told = "\n".join(listed)
    return "\n\n".join(part for part in (*yes, told, *_unknown(evidence.unknown, phrases)) if part)


def _deed(deed: Deed, phrases: Phrases) -> Iterator[str]:
    words, action = phrases.account, deed.action
    arguments = arguments_of(action.params, action.schema, phrases)
    title = f"{bold(action.title)} ({arguments})" if arguments else bold(action.title)
    if action.status in (ActionStatus.REJECTED, ActionStatus.EXPIRED):
        yield outcome(action, phrases)
        return
    yield words.did.format(time=_clock(action), title=title)
    if action.status is not ActionStatus.SUCCEEDED:
        yield outcome(action, phrases).partition("\n")[0]
    yield from _files(deed.files, phrases)
    if deed.unknown:
        yield words.unknown.format(titles=bold(action.title))
    elif not deed.files and action.risk is not Risk.READ:
        yield words.no_files
    if action.undo is not None and action.undo.state is UndoState.DONE:
        yield words.taken_back


def _files(files: Sequence[FileChange], phrases: Phrases) -> Iterator[str]:
    """What was done to which files, a sentence for each kind."""
    words = phrases.account
    kinds = dict.fromkeys("trashed" if change.trashed else change.deed for change in files)
    for kind in kinds:
        of_kind = [change for change in files if kind == ("trashed" if change.trashed else change.deed)]
        names = [_name(change, phrases) for change in of_kind]
        yield words.files[kind].format(files=phrases.enumerated(names, most=_FILES))


def _name(change: FileChange, phrases: Phrases) -> str:
    if change.deed == "moved":
        return phrases.account.moved.format(path=_path(change.path), now_at=_path(change.now_at))
    return _path(change.path)


def _path(path: str) -> str:
    return code(display_text(path))


def _unknown(actions: Sequence[ActionRecord], phrases: Phrases) -> list[str]:
    titles = phrases.list_separator.join(dict.fromkeys(bold(action.title) for action in actions))
    return [phrases.account.unknown.format(titles=titles)] if titles else []


def _clock(action: ActionRecord) -> str:
    at = (action.started_at or action.finished_at or action.created_at).astimezone()
    return f"{at:%H:%M}"


def _days(evidence: Recounted, phrases: Phrases) -> str:
    words, asked = phrases.account, evidence.asked
    if asked.since is None or asked.until is None:
        return ""
    one = asked.until - asked.since == timedelta(days=1)
    if one and asked.since == evidence.today:
        return words.today
    if one and asked.since == evidence.today - timedelta(days=1):
        return words.yesterday
    last = asked.until - timedelta(days=1)
    return (words.from_on if one else words.from_to).format(since=asked.since, until=last)


def _outcome(action: ActionRecord, phrases: Phrases, *, yes_or_no: bool) -> str:
    """How it ended, and what came of it where that is short."""
    told = outcome(action, phrases)
    if action.status is not ActionStatus.SUCCEEDED or not yes_or_no:
        return told
    lead = phrases.account.worked.format(title=bold(action.title))
    return lead if len(told) > _MOST_RESULT or told == phrases.finished_empty else f"{lead} {told}"


def _places(files: Sequence[FileChange], phrases: Phrases) -> Iterator[str]:
    """Where the files of a run are now, the first few."""
    words = phrases.account
    for change in files[:_FILES]:
        path, now_at = _path(change.path), _path(change.now_at)
        if change.trashed:
            yield words.trashed_at.format(path=path)
        elif change.deed == "moved":
            yield words.now_at.format(path=path, now_at=now_at)
        else:
            yield (words.gone if change.deed == "removed" else words.made_at).format(path=path)
    if len(files) > _FILES:
        yield phrases.more_items.format(count=len(files) - _FILES)


def _count(evidence: Recounted, deed: Deed, phrases: Phrases) -> str:
    words, asked = phrases.account, evidence.asked
    done = [change for change in deed.files if asked.deed in ("run", change.deed)]
    if done:
        return words.count[asked.deed].format(count=number(len(done)))
    if len(deed.counts) == 1:
        return words.counted.format(count=number(deed.counts[0][1]))
    told = (
        words.counted_named.format(name=head(name), count=number(count))
        for name, count in deed.counts[:_FILES]
    )
    return words.counted.format(count=phrases.list_separator.join(told))


def _time(action: ActionRecord, phrases: Phrases) -> str:
    seconds = action.duration_ms / 1000
    if not seconds and action.started_at is not None and action.finished_at is not None:
        seconds = (action.finished_at - action.started_at).total_seconds()
    return phrases.account.took.format(
        title=bold(action.title), time=_clock(action), duration=f"{seconds:.1f} s"
    )


def _reversal(action: ActionRecord | None, phrases: Phrases) -> str:
    words = phrases.account
    if action is None or action.undo is None:
        return words.nothing_to_reverse
    template = {
        UndoState.POSSIBLE: words.reversible,
        UndoState.DONE: words.reversed,
        UndoState.GONE: words.irreversible,
    }[action.undo.state]
    return template.format(
        title=bold(action.title), count=action.undo.count, note=sentence(action.undo.note)
    ).strip()


def explained(evidence: Explained, phrases: Phrases) -> str:
    """What an ability does, or whether there is one."""
    words, asked = phrases.account, evidence.asked
    abilities = [info.spoken(phrases.language) for info in evidence.abilities or evidence.nearest]
    first = next(iter(abilities), None)
    if first is None:
        said = words.cannot.format(words=inline(asked.about))
        return phrases.gap.join([said, phrases.teach])
    values = {
        "title": bold(first.title),
        "told": sentence(in_a_sentence(first.description)),
        "words": inline(words_for(first, phrases, about=asked.about if asked.topic is Topic.SKILL else "")),
        "may": phrases.chain.may_do[_risk(first)],
    }
    if not evidence.abilities:
        return words.cannot_near.format(**values)
    if asked.topic in (Topic.RISK, Topic.REVERSAL):
        return words.risky[_risk(first)].format(title=bold(first.title))
    if asked.topic is Topic.ABILITY:
        return words.does.format(**values)
    if asked.topic is Topic.SKILLS and len(abilities) > 1:
        return ability_list(words.can_several, abilities, phrases)
    return (words.can if asked.yes_or_no or asked.topic is Topic.SKILLS else words.can_by).format(**values)


def _risk(info: MetaActionInfo) -> Risk:
    if info.annotations.only_looks:
        return Risk.READ
    return Risk.SYSTEM if info.takes_command() else Risk.WRITE


def disclosed(evidence: Disclosed, phrases: Phrases) -> str:
    """Who answers, who gets what is said, where it is kept."""
    words = phrases.account
    if evidence.asked.topic is Topic.KEEPING:
        return words.kept.format(home=_path(evidence.home))
    if evidence.asked.topic is Topic.CONSENT:
        return words.asks_first
    if evidence.asked.topic is Topic.NATURE:
        by = words.by_model.format(model=bold(evidence.model)) if evidence.model else words.by_rules
        return phrases.gap.join([words.who, by])
    names = (f"{bold(name)} ({code(where)})" for name, where in evidence.away)
    models = phrases.list_separator.join(names)
    if evidence.asked.topic is Topic.NETWORK:
        return words.needs_network.format(models=models) if models else words.needs_none
    yes = [words.yes if models else words.no] if evidence.asked.yes_or_no else []
    parts = [*yes, words.sent_away.format(models=models) if models else words.local]
    online = [info.spoken(phrases.language).title for info in evidence.online]
    for template, all_names in ((words.servers, evidence.servers), (words.online, online)):
        if all_names:
            told = phrases.enumerated([bold(name) for name in all_names], most=_FILES)
            parts.append(template.format(names=told))
    return phrases.gap.join(parts)
