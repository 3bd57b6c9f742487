"""A story as a person reads it: what was said, what each action came to, what does not hold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from partner_desktop.domain.action import ActionRecord
from tests.benchmarks.stories.story import Story
from tests.benchmarks.stories.turn_outcome import TurnOutcome, state_of

_SHOWN = 800


def transcript(story: Story, verdict: str, outcomes: Sequence[TurnOutcome], reasons: Sequence[str]) -> str:
    """All turns, a line or a paragraph for each thing that happened."""
    lines = [f"## {story.id} {verdict}: {story.want}"]
    for outcome in outcomes:
        lines += _turn_lines(outcome)
    lines += [f"  ✗ {reason}" for reason in reasons]
    return "\n".join(lines)


def _turn_lines(outcome: TurnOutcome) -> Iterator[str]:
    if outcome.skipped:
        yield f"  (not said: {outcome.said})"
        return
    yield f"> {_short(outcome.said, 200)}   [{outcome.took_s * 1000:.0f} ms, {outcome.verdict}]"
    for action in outcome.actions:
        yield f"   {'· ' if action.parent_id else ''}[{state_of(action)}] {_action(action)}"
    for reply in outcome.replies:
        yield "   < " + _short(reply, _SHOWN).replace("\n", "\n     ")
    for note in outcome.notes:
        yield f"   ! {_short(note, 200)}"


def _action(action: ActionRecord) -> str:
    words = [action.key]
    if action.chain is None:
        words.append(json.dumps(action.params, ensure_ascii=False))
    else:
        words += (
            f"\n       {number}. {step.key} {json.dumps(step.params, ensure_ascii=False)} {step.status}"
            + "".join(f" <{feed.param}" for feed in step.feeds)
            for number, step in enumerate(action.chain.steps, 1)
        )
    if state_of(action) == "asks":
        words.append(f"asks for {action.asked_param}" if action.asked_param else f"offers {action.options}")
    if action.error:
        words.append(f"error: {_short(action.error, 200)}")
    return " ".join(words)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
