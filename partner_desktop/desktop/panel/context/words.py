"""Plain words for what a snapshot names."""

from __future__ import annotations

from datetime import datetime

from partner_desktop.desktop.panel.action_item import clock_words
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.snapshot import ContextSnapshot, TurnSummary


def domain_words(domain: str) -> str:
    """The head of a domain's blocks."""
    words = {
        "perceive": tr("Surroundings"),
        "memory": tr("Memory"),
        "action": tr("Actions"),
        "cognition": tr("Thinking"),
        "communication": tr("Conversation"),
    }
    return words.get(domain, plain_name(domain))


def block_words(name: str) -> str:
    """A block's name for a person; names of others are at least readable."""
    words = {
        "environment_perceive_info": tr("Time and last contact"),
        "system_state": tr("This computer"),
        "recent_messages": tr("Recent messages"),
        "dialog_history": tr("Earlier conversation"),
        "recalled_slices": tr("Remembered"),
        "explicit_recall": tr("Remembered on request"),
        "action_finished": tr("Finished action"),
        "evidence": tr("What was found out"),
        "intentions": tr("Intentions"),
        "new_state": tr("New state"),
    }
    return words.get(name) or plain_name(name)


def plain_name(name: str) -> str:
    """`tidy_downloads-2` as `Tidy downloads 2`."""
    words = " ".join(name.replace("_", " ").replace("-", " ").replace("::", " ").split())
    return words[:1].upper() + words[1:]


def part_words(name: str) -> str:
    """What a part of the prompt is."""
    words = {
        "persona": tr("Who Partner is"),
        "capabilities": tr("What it can do"),
        "context": tr("Context"),
        "dialog": tr("Conversation"),
        "input": tr("What you said"),
        "instruction": tr("The task"),
    }
    return words.get(name) or plain_name(name)


def role_words(role: str) -> str:
    """Who speaks in a part of the prompt."""
    words = {"system": tr("system"), "user": tr("user"), "assistant": tr("assistant")}
    return words.get(role, role)


def tier_words(tier: str) -> str:
    """In which of its three lengths a block is."""
    words = {"full": tr("full"), "compact": tr("compact"), "abstract": tr("abstract")}
    return words.get(tier, tier)


def urgency_words(urgency: str) -> str:
    """How pressing a block is; nothing for the usual."""
    words = {"low": tr("can wait"), "high": tr("urgent"), "critical": tr("very urgent"), "normal": ""}
    return words.get(urgency, urgency)


def exposure_words(exposure: str) -> str:
    """Why a block was looked at."""
    words = {"primary": tr("asked for"), "secondary": tr("came along")}
    return words.get(exposure, exposure)


def token_words(count: int) -> str:
    """`1,204 tokens`."""
    if count == 1:
        return tr("1 token")
    return tr("{count} tokens").format(count=f"{count:,}")


def mind_words(snapshot: ContextSnapshot) -> str:
    """Who answered, and how its tokens were counted."""
    mind = tr("Starter, without a model") if snapshot.mind == "starter" else snapshot.mind
    if snapshot.counted_by == "estimate":
        return tr("{mind} · tokens estimated").format(mind=mind)
    return tr("{mind} · tokens counted by {tokenizer}").format(mind=mind, tokenizer=snapshot.counted_by)


def used_words(used: int, budget: int) -> str:
    """`2,480 of 4,096 tokens`."""
    return tr("{used} of {budget} tokens").format(used=f"{used:,}", budget=f"{budget:,}")


def share_of(used: int, budget: int) -> float:
    """0 and up; over 1 where more was used than there is."""
    return used / budget if budget > 0 else 0.0


def turn_words(turn: TurnSummary) -> str:
    """What began a turn."""
    said = " ".join(turn.text.split())
    return said or tr("Partner on its own")


def moment_words(moment: datetime) -> str:
    """When."""
    return clock_words(moment)
