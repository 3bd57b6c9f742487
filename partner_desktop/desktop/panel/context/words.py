"""Plain words for what a snapshot names."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from partner_desktop.desktop.panel.actions.action_words import clock_words
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.snapshot import ContextSnapshot, TurnSummary

#: Called only for what is there: ten thousand blocks ask for words.
_DOMAINS = {
    "perceive": lambda: tr("Surroundings"),
    "memory": lambda: tr("Memory"),
    "action": lambda: tr("Actions"),
    "cognition": lambda: tr("Thinking"),
    "communication": lambda: tr("Conversation"),
}
_BLOCKS = {
    "environment_perceive_info": lambda: tr("Time and last contact"),
    "system_state": lambda: tr("This computer"),
    "recent_messages": lambda: tr("Recent messages"),
    "dialog_history": lambda: tr("Earlier conversation"),
    "recalled_slices": lambda: tr("Remembered"),
    "explicit_recall": lambda: tr("Remembered on request"),
    "action_finished": lambda: tr("Finished action"),
    "evidence": lambda: tr("What was found out"),
    "proposed": lambda: tr("An action that waits for you"),
    "started": lambda: tr("An action that began"),
    "withheld": lambda: tr("An action that may not run"),
    "asked": lambda: tr("A question to you"),
    "choice": lambda: tr("Several that could do it"),
    "finished": lambda: tr("An action that ended"),
    "dropped": lambda: tr("A request that was dropped"),
    "unsettled": lambda: tr("A yes or no that could mean several"),
    "scheduled": lambda: tr("What is planned from now on"),
    "planned": lambda: tr("What is planned, and what became of it"),
    "nosuchtime": lambda: tr("A time that there is not"),
    "missed": lambda: tr("What was missed"),
    "reminded": lambda: tr("A card that waits and expires soon"),
    "amended": lambda: tr("A card that was changed and asks again"),
    "intervened": lambda: tr("A plan that was changed on its way"),
    "described": lambda: tr("What was asked of a plan"),
    "noability": lambda: tr("Nothing that can do it"),
    "remembered": lambda: tr("What was said earlier"),
    "saidoftoday": lambda: tr("Said earlier about today"),
    "recalled_slice": lambda: tr("Earlier talk that may fit"),
    "pinned_slice": lambda: tr("Pinned earlier talk"),
    "active_entity": lambda: tr("What is known of people and things"),
    "knownfacts": lambda: tr("What is known of what you asked"),
    "recounted": lambda: tr("What was done, from the records"),
    "explained": lambda: tr("What an action or an ability does"),
    "disclosed": lambda: tr("What leaves this computer"),
    "learnt": lambda: tr("What you told about people and things"),
    "firstmeeting": lambda: tr("The first meeting"),
    "initiated": lambda: tr("Begun by Partner itself"),
    "commandended": lambda: tr("A command in the background ended"),
    "unexpected_error": lambda: tr("Something went wrong"),
    "intentions": lambda: tr("Intentions"),
    "new_state": lambda: tr("New state"),
}
_PARTS = {
    "persona": lambda: tr("Who Partner is"),
    "capabilities": lambda: tr("What it can do"),
    "context": lambda: tr("Context"),
    "dialog_history": lambda: tr("Conversation before, summed up"),
    "dialog": lambda: tr("Conversation"),
    "input": lambda: tr("What you said"),
    "abilities": lambda: tr("New and gone abilities"),
    "instruction": lambda: tr("The task"),
}
_ROLES = {"system": lambda: tr("system"), "user": lambda: tr("user"), "assistant": lambda: tr("assistant")}
_TIERS = {"full": lambda: tr("full"), "compact": lambda: tr("compact"), "abstract": lambda: tr("abstract")}
_URGENCIES: dict[str, Callable[[], str]] = {
    "low": lambda: tr("can wait"),
    "high": lambda: tr("urgent"),
    "critical": lambda: tr("very urgent"),
    "normal": lambda: "",
}
_EXPOSURES = {"primary": lambda: tr("asked for"), "secondary": lambda: tr("came along")}


def domain_words(domain: str) -> str:
    """The head of a domain's blocks."""
    return _DOMAINS[domain]() if domain in _DOMAINS else plain_name(domain)


def block_words(name: str) -> str:
    """A block's name for a person; names of others are at least readable."""
    return _BLOCKS[name]() if name in _BLOCKS else plain_name(name)


def plain_name(name: str) -> str:
    """`tidy_downloads-2` as `Tidy downloads 2`."""
    words = " ".join(name.replace("_", " ").replace("-", " ").replace("::", " ").split())
    return words[:1].upper() + words[1:]


def part_words(name: str) -> str:
    """What a part of the prompt is."""
    return _PARTS[name]() if name in _PARTS else plain_name(name)


def role_words(role: str) -> str:
    """Who speaks in a part of the prompt."""
    return _ROLES[role]() if role in _ROLES else role


def tier_words(tier: str) -> str:
    """In which of its three lengths a block is."""
    return _TIERS[tier]() if tier in _TIERS else tier


def urgency_words(urgency: str) -> str:
    """How pressing a block is; nothing for the usual."""
    return _URGENCIES[urgency]() if urgency in _URGENCIES else urgency


def exposure_words(exposure: str) -> str:
    """Why a block was looked at."""
    return _EXPOSURES[exposure]() if exposure in _EXPOSURES else exposure


def token_words(count: int) -> str:
    """`1,204 tokens`."""
    if count == 1:
        return tr("1 token")
    return tr("{count} tokens").format(count=f"{count:,}")


def mind_words(snapshot: ContextSnapshot) -> str:
    """Who answered, and how its tokens were counted."""
    mind = tr("Starter, without a model") if snapshot.mind == "starter" else snapshot.mind
    if "estimate" in snapshot.counted_by.split()[:2]:  # by itself, or corrected by what a model counted
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
