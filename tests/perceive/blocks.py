"""What perception told the context."""

from __future__ import annotations

from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace


def block_of(workspace: ContextWorkspace, name: str, *, scope: str) -> ContextBlock:
    """The one live block of this name that a conversation sees."""
    shown = workspace.resolve([Domain.PERCEIVE], scope=scope).blocks
    (block,) = [one.block for one in shown if one.block.name == name]
    return block


def lines(block: ContextBlock) -> dict[str, str]:
    """Its lines: label → what stands behind it."""
    return dict(line.split(": ", 1) for line in block.full.splitlines())
