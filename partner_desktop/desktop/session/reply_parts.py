"""What shows replies (markdown, the colours of code, the views): brought in with the first text, not before.

A window that shows no conversation yet is ready sooner without it, and smaller by some megabytes.
"""

from __future__ import annotations

import asyncio
import importlib

#: Without Qt, and too long for one step: a thread brings them in.
_ASIDE = (
    "linkify_it",
    "markdown_it",
    "pygments.lexer",
    "pygments.lexers",
    "partner_desktop.desktop.markup.reader",
    "partner_desktop.desktop.markup.highlight",
)

#: Leaves first, so that no single step takes long.
_VIEWS = (
    "partner_desktop.desktop.chat.reply.typeset",
    "partner_desktop.desktop.chat.reply.code_block",
    "partner_desktop.desktop.chat.reply.table_block",
    "partner_desktop.desktop.chat.reply.reply",
)


class ReplyParts:
    """Imported once, with the loop free in between. Whoever is about to show a reply awaits `ready`."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._there = False

    async def ready(self) -> None:
        async with self._lock:
            if self._there:
                return
            for name in _ASIDE:
                await asyncio.to_thread(importlib.import_module, name)
            await asyncio.to_thread(_prepare_markdown)
            for name in _VIEWS:
                importlib.import_module(name)
                await asyncio.sleep(0)
            self._there = True


def _prepare_markdown() -> None:
    """The first parsers are made, with their patterns."""
    from partner_desktop.desktop.markup.grammar import block_parser, inline_parser  # noqa: PLC0415

    block_parser()
    inline_parser().parseInline("https://example.org/")
