"""What a turn asked of models, as rows; at the end the sum of the whole conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from partner_desktop.desktop.panel.context.rows import ContextRow
from partner_desktop.desktop.panel.context.words import plain_name, token_words
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.model_call import CallEnd, CallTotals, ModelCall

_QUESTIONS = {
    "reply": lambda: tr("The answer"),
    "evaluate_intent": lambda: tr("What is meant"),
    "pick_ability": lambda: tr("Which ability"),
    "extract_params": lambda: tr("With which details"),
    "judge_confirmation": lambda: tr("Yes or no"),
    "generate_action": lambda: tr("A new script"),
    "extract_intents": lambda: tr("What is asked for, part by part"),
    "read_intervention": lambda: tr("What is to be otherwise"),
    "read_open_words": lambda: tr("What is meant of what is open"),
    "correct_chain": lambda: tr("How to go on"),
    "judge_chain": lambda: tr("Whether it is done"),
    "judge_slices": lambda: tr("What was said earlier"),
    "find_entities": lambda: tr("What was said of people and things"),
    "summarise": lambda: tr("What was said, in short"),
}
_ENDS: dict[CallEnd, Callable[[], str]] = {
    "stop": lambda: "",
    "length": lambda: tr("It was cut off at its greatest length."),
    "cancelled": lambda: tr("It was stopped."),
    "failed": lambda: tr("It failed."),
}


def call_rows(calls: Sequence[ModelCall], totals: CallTotals | None) -> Iterator[ContextRow]:
    """One row a call, in order, and the conversation's sum."""
    yield ContextRow("head", "head/calls", tr("This turn"), tokens_words=_count(len(calls)))
    for number, call in enumerate(calls):
        yield _call_row(call, f"call/{number}/{call.question}")
    if totals is not None and totals.calls:
        yield ContextRow("head", "head/totals", tr("This conversation"), tokens_words=_count(totals.calls))
        yield _totals_row(totals)


def _call_row(call: ModelCall, key: str) -> ContextRow:
    words = _QUESTIONS.get(call.question)
    return ContextRow(
        kind="call",
        key=key,
        title=words() if words is not None else plain_name(call.question),
        reason=_prompt(call.reused_tokens, call.evaluated_tokens)
        if call.prompt_tokens
        else _ENDS[call.end](),
        tag=call.model,
        tokens=call.prompt_tokens,
        tokens_words=_written(call.output_tokens),
        more=_pace(call),
        more_right=_cost(call.cost),
        facts=_facts(call),
        raw=f"{call.question} · {call.model}",
    )


def _totals_row(totals: CallTotals) -> ContextRow:
    read = totals.prompt_tokens - totals.reused_tokens
    return ContextRow(
        kind="call",
        key="totals",
        title=token_words(totals.prompt_tokens + totals.output_tokens),
        reason=_prompt(totals.reused_tokens, read),
        tokens=totals.prompt_tokens,
        tokens_words=_written(totals.output_tokens),
        more=_share(totals.reused_tokens, totals.prompt_tokens),
        more_right=_cost(totals.cost),
        facts=_whole(totals.prompt_tokens, totals.reused_tokens, totals.output_tokens, totals.cost),
    )


def _count(calls: int) -> str:
    return tr("1 call") if calls == 1 else tr("{count} calls").format(count=f"{calls:,}")


def _prompt(reused: int, read: int) -> str:
    """The prompt in its two parts."""
    return tr("{reused} reused + {read} read").format(reused=f"{reused:,}", read=f"{read:,}")


def _written(tokens: int) -> str:
    return tr("{count} written").format(count=f"{tokens:,}")


def _pace(call: ModelCall) -> str:
    parts = []
    if call.first_token_ms > 0:
        parts.append(tr("first word after {seconds} s").format(seconds=_seconds(call.first_token_ms)))
    if call.tokens_per_s:
        parts.append(tr("{speed} tokens/s").format(speed=f"{call.tokens_per_s:,.0f}"))
    return " · ".join(parts)


def _share(reused: int, prompt: int) -> str:
    if not prompt:
        return ""
    return tr("{percent} % of the prompts reused").format(percent=round(100 * reused / prompt))


def _facts(call: ModelCall) -> str:
    parts = [_pace(call)]
    if call.prompt_tokens:  # what was stopped may not have been counted
        parts.insert(0, _whole(call.prompt_tokens, call.reused_tokens, call.output_tokens, call.cost))
    if call.context_tokens:
        parts.append(tr("The model holds {count} tokens.").format(count=f"{call.context_tokens:,}"))
    parts.append(_ENDS[call.end]())
    return "\n".join(part for part in parts if part)


def _whole(prompt: int, reused: int, written: int, cost: float | None) -> str:
    words = tr("Prompt: {prompt} tokens, {reused} of them still known from before. Answer: {written} tokens.")
    said = words.format(prompt=f"{prompt:,}", reused=f"{reused:,}", written=f"{written:,}")
    if cost is None:
        return said
    price = tr("Cost: {cost}").format(cost=_cost(cost))
    return f"{said}\n{price}"


def _cost(cost: float | None) -> str:
    """In the currency of the settings' prices; small ones keep what is not zero."""
    if cost is None:
        return ""
    return f"{cost:.2f}" if cost >= 1 else f"{cost:.4f}"


def _seconds(milliseconds: float) -> str:
    seconds = milliseconds / 1000
    return f"{seconds:.2f}" if seconds < 1 else f"{seconds:.1f}"
