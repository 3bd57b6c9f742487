"""ContextBlock: one piece of context in three lengths. It never changes; the workspace keeps its score.

In a prompt it is XML: whatever stands in a text, it can never end the element that it stands in.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.context.score import MAX_SCORE, TIERS, UNFADING, Fades, Tier, decayed
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.evidence import Evidence

__all__ = ["GLOBAL", "ContextBlock", "Domain", "Fades", "Tier", "Urgency"]


class Domain(StrEnum):
    """What a block is about."""

    COGNITION = "cognition"
    ACTION = "action"
    MEMORY = "memory"
    PERCEIVE = "perceive"
    COMMUNICATION = "communication"


class Urgency(StrEnum):
    """How pressing a block is."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    CRITICAL = "critical"


#: The scope of what every conversation may see.
GLOBAL = ""


@dataclass(frozen=True, eq=False)
class ContextBlock:
    """What a module has to say. Blocks of one name, source and scope replace each other."""

    name: str
    source: str
    domain: Domain
    full: str
    compact: str = ""
    """Empty: the same as `full`."""
    abstract: str = ""
    """Empty: the same as `compact`."""
    scope: str = GLOBAL
    """A conversation's id, or `GLOBAL`."""
    urgency: Urgency = Urgency.NORMAL
    fades: Fades = UNFADING
    """From `context/block_settings.py`."""
    evidence: Evidence | None = None
    """The typed fact behind the text, where there is one."""
    turn_id: str = ""
    """The turn whose outcome this is, and with which it ends; empty for standing blocks."""
    also: tuple[Domain, ...] = ()
    """Further domains that it is about."""
    supply: bool = False
    """It stands beside the person's words, in `<input>`, and not in `<context>`."""
    housekeeping: bool = False
    """Written again and again by a clock: it never takes the room of what somebody asked for."""

    @property
    def domains(self) -> tuple[Domain, ...]:
        """All that it is about, the main one first."""
        return (self.domain, *self.also)

    def text(self, tier: Tier) -> str:
        """The block's words at a tier."""
        if tier is Tier.FULL:
            return self.full
        compact = self.compact or self.full
        return compact if tier is Tier.COMPACT else self.abstract or compact


#: Name, source and scope: blocks that share all three replace each other.
Key: TypeAlias = tuple[str, str, str]

#: One bit a domain, so that thousands of blocks are told apart by a number.
BITS = {domain: 1 << place for place, domain in enumerate(Domain)}
SUPPLY_BIT = 1 << len(BITS)

_ROW = "    <history_snapshot></history_snapshot>\n"


class ScoredBlock:
    """Changed on the loop only, but for the costs: working those out twice gives the same."""

    # What a resolve looks at is copied out of the block: with thousands, every step to another object costs.
    __slots__ = (
        "about", "alive", "at_s", "block", "costs", "counted_by", "critical", "gain", "housekeeping",
        "order", "per_minute", "score", "serial", "shortest", "turn_id",
    )  # fmt: skip

    def __init__(self, block: ContextBlock, *, at_s: float, serial: int) -> None:
        self.block = block
        self.score = MAX_SCORE
        self.at_s = at_s
        self.serial = serial
        """Grows with every registration: the larger, the newer."""
        self.alive = True
        self.about = sum({BITS[domain] for domain in block.domains}) + SUPPLY_BIT * block.supply
        self.critical = block.urgency is Urgency.CRITICAL
        self.housekeeping = block.housekeeping
        self.turn_id = block.turn_id
        self.per_minute = block.fades.per_minute
        self.gain = block.fades.activation
        self.order = (block.name, block.source, -serial)
        """What decides between equals."""
        self.costs: tuple[int, ...] = ()
        """Tokens of the full, the compact and the abstract form, each with the markup around it."""
        self.shortest: tuple[int, ...] = ()
        """Level → the cheapest level from there on; a form that saves nothing is no shorter one."""
        self.counted_by = ""

    @property
    def key(self) -> Key:
        block = self.block
        return block.name, block.source, block.scope

    def decay(self, now_s: float) -> None:
        """Let the time since the last look take its points."""
        if self.per_minute:
            self.score = decayed(self.score, self.per_minute, now_s - self.at_s)
        self.at_s = now_s

    def lose(self, points: float) -> None:
        """A newer block of the same key arrived."""
        self.score = max(0.0, self.score - points)

    def count(self, counter: TokenCounter) -> None:
        """Work out what its forms cost, once a counter."""
        costs = _costs(self.block, counter)
        self.shortest = tuple(
            min(range(level, len(TIERS)), key=costs.__getitem__) for level in range(len(TIERS))
        )
        self.costs = costs
        self.counted_by = counter.name


def _costs(block: ContextBlock, counter: TokenCounter) -> tuple[int, ...]:
    name, named = element(block.name)
    source = attribute("source", block.source)
    frame = counter.count(f'  <{name}{named}{source} urgency="{block.urgency.value}">\n{_ROW}  </{name}>\n')
    known: dict[str, int] = {}
    texts = [block.text(tier) for tier in TIERS]
    for text in texts:
        if text not in known:
            known[text] = frame + counter.count(escaped(text))
    return tuple(known[text] for text in texts)


#: What XML 1.0 forbids even as a reference (https://www.w3.org/TR/xml/#charsets).
_FORBIDDEN = late("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = late(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_NOT_IN_NAMES = late(r"[^A-Za-z0-9_.-]")

INDENT = "  "


def escaped(text: str) -> str:
    """`text` as character data; what XML cannot hold becomes U+FFFD, line ends become newlines."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _FORBIDDEN.sub("\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(name: str, value: str) -> str:
    """` name="value"`, with a space before it; nothing for an empty value."""
    if not value:
        return ""
    plain = escaped(value).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
    return f' {name}="{plain}"'


def element(name: str) -> tuple[str, str]:
    """The element's name, and the attribute that keeps a name which XML cannot have."""
    if _NAME.match(name) and not name.lower().startswith("xml"):
        return name, ""
    return "_" + _NOT_IN_NAMES.sub("_", name)[:60], attribute("name", name)


def leaf(name: str, text: str, *, attributes: str = "", depth: int = 0) -> str:
    """One line (more only if the text has them): `<name>text</name>`."""
    return f"{INDENT * depth}<{name}{attributes}>{escaped(text)}</{name}>"


def branch(name: str, lines: Iterable[str], *, attributes: str = "", depth: int = 0) -> str:
    """An element around lines that are indented already."""
    pad = INDENT * depth
    return "\n".join((f"{pad}<{name}{attributes}>", *lines, f"{pad}</{name}>"))
