"""Turns and snapshots to look at, and hands for the Context tab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from partner_desktop.domain.snapshot import (
    BlockFate,
    ContextSnapshot,
    PromptPart,
    SnapshotBlock,
    TurnSummary,
)

from .moments import Moments

WHEN = datetime(2030, 5, 14, 10, 42, tzinfo=UTC)

RECENT = """<recent_messages source="memory_selector">
  [user] how big is my downloads folder?
  [partner] 2.3 GB in 58 files.
  [user] tidy up my downloads by file type, but leave the PDFs where they are
</recent_messages>"""


def block(name: str, domain: str = "memory", **facts: object) -> SnapshotBlock:
    """A block that was shown in full."""
    text = str(facts.pop("text", f"<{name}>\n  What is known of {name}.\n</{name}>"))
    one = SnapshotBlock(
        name=name,
        source=f"{domain}_module",
        domain=domain,
        scope="",
        tier="full",
        exposure="primary",
        score=82.0,
        tokens=len(text) // 4,
        fate=BlockFate.SHOWN,
        reason="Its score of 82 is above 70, and the turn asked for it.",
        text=text,
    )
    return replace(one, **facts)  # type: ignore[arg-type] # a test's own facts


def dropped(name: str, domain: str = "memory", **facts: object) -> SnapshotBlock:
    """A block that the budget had no room for."""
    return block(
        name,
        domain,
        **{"fate": BlockFate.DROPPED, "tier": "abstract", "text": "", "tokens": 0, "score": 12.0}
        | {
            "reason": "No room: its abstract of 96 tokens was more than the 41 that were left.",
            "exposure": "secondary",
        }
        | facts,
    )


def demo_blocks() -> tuple[SnapshotBlock, ...]:
    """A working day's context."""
    return (
        block(
            "recent_messages",
            "communication",
            scope="c1",
            source="memory_selector",
            score=100,
            text=RECENT,
            reason="It is this conversation's own talk; it was refreshed by this turn.",
        ),
        block(
            "environment_perceive_info",
            "perceive",
            source="perceive_monitor",
            score=100,
            text="last_interact_time: 10:40\ncurrent_time: 10:42",
            reason="Renewed in every turn.",
        ),
        block(
            "system_state",
            "perceive",
            source="system_stats_monitor",
            tier="compact",
            exposure="secondary",
            score=64,
            reason="Its score of 64 lies between 30 and 70, so the compact form is shown.",
        ),
        block(
            "recalled_slices",
            "memory",
            source="slice:12",
            score=88,
            text="<slice>\n  PDFs of the insurance stay in Downloads; said on 3 May.\n</slice>",
            reason="“PDFs” and “Downloads” in what you said recalled it.",
        ),
        block(
            "recalled_slices",
            "memory",
            source="slice:7",
            score=71,
            tier="compact",
            fate=BlockFate.DEMOTED,
            text="<slice>\n  Files by type: images, archives, audio.\n</slice>",
            reason="The full form takes 512 tokens and 140 were left, so it was shortened.",
        ),
        block(
            "action_finished",
            "action",
            source="count_types",
            score=77,
            scope="c1",
            text="<action_finished>\n  Count types succeeded: 17 pdf, 19 png, 9 zip\n</action_finished>",
            reason="Finished 2 minutes ago in this conversation.",
        ),
        block(
            "intentions",
            "cognition",
            source="action_planner",
            score=58,
            tier="compact",
            reason="Its score of 58 lies between 30 and 70, so the compact form is shown.",
        ),
        dropped("dialog_history", "communication", source="dialog_rolling"),
        dropped("recalled_slices", "memory", source="slice:3"),
    )


def demo_prompt() -> tuple[PromptPart, ...]:
    """The prompt of that day."""
    return (
        PromptPart(
            "system",
            "persona",
            "You are Partner, a companion on this desktop.\nYou act only with leave.",
            212,
        ),
        PromptPart(
            "system",
            "capabilities",
            "- tidy_folder: Sort the files of a folder by type\n- count_types\n" * 6,
            640,
        ),
        PromptPart("user", "context", "<context>\n  …\n</context>", 1204),
        PromptPart("assistant", "dialog", "2.3 GB in 58 files.", 9),
        PromptPart(
            "user", "input", "tidy up my downloads by file type, but leave the PDFs where they are", 17
        ),
    )


def add_turn(
    moments: Moments,
    text: str = "tidy up my downloads",
    *,
    conversation_id: str = "c1",
    at: datetime | None = None,
    blocks: Sequence[SnapshotBlock] | None = None,
    prompt: Sequence[PromptPart] | None = None,
    mind: str = "starter",
) -> TurnSummary:
    """A turn that was; each a minute after the one before."""
    number = moments.next_turn()
    known = tuple(demo_blocks() if blocks is None else blocks)
    left_out = sum(1 for one in known if one.fate is BlockFate.DROPPED)
    used = sum(one.tokens for one in known)
    moment = at or WHEN + timedelta(minutes=number)
    turn = TurnSummary(
        turn_id=f"t{number}",
        conversation_id=conversation_id,
        at=moment,
        text=text,
        used_tokens=used,
        budget_tokens=4096,
        blocks=len(known) - left_out,
        dropped=left_out,
        position=number,
    )
    snapshot = ContextSnapshot(
        turn_id=turn.turn_id,
        conversation_id=conversation_id,
        at=moment,
        mind=mind,
        budget_tokens=4096,
        used_tokens=used,
        blocks=known,
        prompt=tuple(demo_prompt() if prompt is None else prompt),
    )
    moments.add_turn(turn, snapshot)
    return turn
