"""A snapshot as rows: blocks by what they are about, the exact prompt's parts, or calls of models.

Of a turn's calls the sum of the whole conversation comes at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.panel.context.words import (
    block_words,
    domain_words,
    exposure_words,
    part_words,
    plain_name,
    role_words,
    tier_words,
    token_words,
    urgency_words,
)
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, head_row
from partner_desktop.desktop.wording import joined_words, tr
from partner_desktop.domain.model_call import CallEnd, CallTotals, ModelCall
from partner_desktop.domain.snapshot import BlockFate, ContextSnapshot, PromptPart, SnapshotBlock

Order: TypeAlias = Literal["place", "tokens"]

#: So much of a block's own text is searched.
_SEARCHED = 2_000
_PORTION = 40


@dataclass(frozen=True)
class ContextItem:
    """What an open row shows of a block, a part of the prompt, or a call of a model."""

    reason: str = ""
    facts: str = ""
    raw: str = ""
    """The names that the inside uses."""
    text: str = ""
    tokens: int = 0


#: Its kinds: `block`, `left_out`, `part`, `call`.
ContextRow: TypeAlias = RowSpec[ContextItem]


def block_rows(
    snapshot: ContextSnapshot, *, order: Order = "place", wanted: str = ""
) -> Iterator[list[ContextRow] | None]:
    """Yield `None` at places to pause, and at last all rows; what was left out stands at the end."""
    words = wanted.casefold().split()
    shown: dict[str, list[ContextRow]] = defaultdict(list)
    left_out: list[ContextRow] = []
    seen: Counter[str] = Counter()
    for number, block in enumerate(snapshot.blocks):
        if number % _PORTION == _PORTION - 1:
            yield None
        name = f"{block.domain}/{block.name}/{block.source}"
        seen[name] += 1
        row = _block_row(block, f"{name}/{seen[name]}", home=snapshot.conversation_id)
        if _has(row, block, words):
            (left_out if block.fate is BlockFate.DROPPED else shown[block.domain]).append(row)
    rows: list[ContextRow] = []
    for domain, group in _ordered(shown, order):
        yield None
        total = token_words(sum(row.about.tokens for row in group))
        rows.append(_head(domain, domain_words(domain), total))
        rows += sorted(group, key=_by_tokens) if order == "tokens" else group
    yield None
    yield [*rows, *_left_out(left_out)]


def _ordered(shown: dict[str, list[ContextRow]], order: Order) -> list[tuple[str, list[ContextRow]]]:
    """The domains: the best block's first, or the largest."""
    groups = list(shown.items())
    if order == "tokens":
        groups.sort(key=lambda group: -sum(row.about.tokens for row in group[1]))
    return groups


def _left_out(rows: list[ContextRow]) -> Iterator[ContextRow]:
    if rows:
        yield _head("left out", tr("Left out"), f"{len(rows):,}")
        yield from rows


def _by_tokens(row: ContextRow) -> int:
    return -row.about.tokens


def _block_row(block: SnapshotBlock, key: str, *, home: str) -> ContextRow:
    dropped = block.fate is BlockFate.DROPPED
    tag, kind = _tag(block)
    reason, tokens = " ".join(block.reason.split()), "" if dropped else token_words(block.tokens)
    raw, facts = f"{block.name} · {block.source}", _facts(block, home)
    return RowSpec(
        key,
        block_words(block.name),
        ContextItem(reason, facts, raw, block.text, block.tokens),
        kind="left_out" if dropped else "block",
        lines=(RowLine(reason, tokens, right_color="muted" if dropped else "ink"),),
        tag=tag,
        tag_kind=kind,
        share=min(1.0, max(0.0, block.score / 100)),
        quiet=dropped,
        set_back=dropped,
        opens=True,
        tip=f"{raw}\n{facts}",
        spoken=_spoken(block_words(block.name), tag, tokens, reason),
    )


def _head(key: str, title: str, count: str) -> ContextRow:
    return head_row(f"head/{key}", title, ContextItem(), moment=count)


def _spoken(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _tag(block: SnapshotBlock) -> tuple[str, PillKind]:
    if block.fate is BlockFate.DROPPED:
        return tr("left out"), "plain"
    if block.fate is BlockFate.DEMOTED:
        return tr("↓ {tier}").format(tier=tier_words(block.tier)), "careful"
    return tier_words(block.tier), "busy" if block.tier == "full" else "plain"


def _facts(block: SnapshotBlock, home: str) -> str:
    scope = tr("this conversation") if block.scope == home and home else tr("everywhere")
    score = tr("score {score} of 100").format(score=f"{block.score:.0f}")
    parts = (score, exposure_words(block.exposure), scope, urgency_words(block.urgency))
    return joined_words(*parts)


def _has(row: ContextRow, block: SnapshotBlock, words: list[str]) -> bool:
    if not words:
        return True
    parts = (
        row.title,
        row.about.raw,
        row.about.reason,
        row.tag,
        domain_words(block.domain),
        block.text[:_SEARCHED],
    )
    text = " ".join(parts).casefold()
    return all(word in text for word in words)


def part_rows(parts: Iterable[PromptPart]) -> list[ContextRow]:
    """The parts of the prompt in order."""
    return [_part_row(number, part) for number, part in enumerate(parts)]


def _part_row(number: int, part: PromptPart) -> ContextRow:
    begin, tokens = " ".join(part.text[:400].split()), token_words(part.tokens)
    title, role = part_words(part.name), role_words(part.role)
    return RowSpec(
        f"part/{number}/{part.role}/{part.name}",
        title,
        ContextItem(raw=part.name, text=part.text, tokens=part.tokens),
        kind="part",
        lines=(RowLine(begin, tokens, right_color="ink"),),
        tag=role,
        opens=True,
        tip=part.name,
        spoken=_spoken(title, role, tokens, begin),
    )


def whole_prompt(parts: Iterable[PromptPart]) -> str:
    """All of it, to be copied: each part under its role and name."""
    return "\n\n".join(f"[{part.role}: {part.name}]\n{part.text}" for part in parts)


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
    "choose_verification": lambda: tr("What tells whether it is so"),
    "judge_slices": lambda: tr("What was said earlier"),
    "find_entities": lambda: tr("What was said of people and things"),
    "summarise": lambda: tr("What was said, in short"),
    "title_dialog": lambda: tr("A title for the conversation"),
    "write_for_agent": lambda: tr("What an agent writes"),
}
_ENDS: dict[CallEnd, Callable[[], str]] = {
    "stop": lambda: "",
    "length": lambda: tr("It was cut off at its greatest length."),
    "cancelled": lambda: tr("It was stopped."),
    "failed": lambda: tr("It failed."),
}


def question_words(question: str) -> str:
    """What the mind is asked, by its name in the settings, as a person says it."""
    words = _QUESTIONS.get(question)
    return words() if words is not None else plain_name(question)


def call_rows(calls: Sequence[ModelCall], totals: CallTotals | None) -> Iterator[ContextRow]:
    """One row a call, in order, and the conversation's sum."""
    yield _head("calls", tr("This turn"), _count(len(calls)))
    for number, call in enumerate(calls):
        yield _call_row(call, f"call/{number}/{call.question}")
    if totals is not None and totals.calls:
        yield _head("totals", tr("This conversation"), _count(totals.calls))
        yield _totals_row(totals)


def _call_row(call: ModelCall, key: str) -> ContextRow:
    known = bool(call.prompt_tokens)
    said = _prompt(call.reused_tokens, call.evaluated_tokens) if known else _ENDS[call.end]()
    raw = f"{call.question} · {call.model}"
    item = ContextItem(facts=_call_facts(call), raw=raw, tokens=call.prompt_tokens)
    lines = (
        RowLine(said, _written(call.output_tokens), right_color="ink"),
        RowLine(_pace(call), _cost(call.cost)),
    )
    return _sum_row(key, question_words(call.question), item, lines, tag=call.model)


def _totals_row(totals: CallTotals) -> ContextRow:
    read = totals.prompt_tokens - totals.reused_tokens
    whole = _whole(totals.prompt_tokens, totals.reused_tokens, totals.output_tokens, totals.cost)
    item = ContextItem(facts=whole, tokens=totals.prompt_tokens)
    lines = (
        RowLine(_prompt(totals.reused_tokens, read), _written(totals.output_tokens), right_color="ink"),
        RowLine(_share(totals.reused_tokens, totals.prompt_tokens), _cost(totals.cost)),
    )
    return _sum_row("totals", token_words(totals.prompt_tokens + totals.output_tokens), item, lines)


def _sum_row(
    key: str, title: str, item: ContextItem, lines: tuple[RowLine, RowLine], *, tag: str = ""
) -> ContextRow:
    return RowSpec(
        key,
        title,
        item,
        kind="call",
        lines=lines,
        tag=tag,
        opens=True,
        tip="\n".join(part for part in (item.raw, item.facts) if part),
        spoken=_spoken(title, tag, lines[0].right, lines[0].text, lines[1].text),
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


def _call_facts(call: ModelCall) -> str:
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
