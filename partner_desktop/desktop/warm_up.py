"""Brings in what the first message will need, a module at a time, while nobody waits for it."""

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
_MODULES = (
    "partner_desktop.domain.action",
    "partner_desktop.domain.meta_action",
    "partner_desktop.domain.ability",
    "partner_desktop.desktop.card.words",
    "partner_desktop.desktop.card.field",
    "partner_desktop.desktop.card.path_field",
    "partner_desktop.desktop.card.choice_fields",
    "partner_desktop.desktop.card.line_fields",
    "partner_desktop.desktop.card.number_field",
    "partner_desktop.desktop.card.fields",
    "partner_desktop.desktop.card.form",
    "partner_desktop.desktop.parts.picture",
    "partner_desktop.desktop.parts.result_parts",
    "partner_desktop.desktop.card.outcome",
    "partner_desktop.desktop.card.answer_fields",
    "partner_desktop.desktop.card.question",
    "partner_desktop.desktop.card.body",
    "partner_desktop.desktop.card.foot",
    "partner_desktop.desktop.card.details",
    "partner_desktop.desktop.card.card",
    "partner_desktop.desktop.parts.text_view",
    "partner_desktop.desktop.chat.typeset",
    "partner_desktop.desktop.chat.code_block",
    "partner_desktop.desktop.chat.table_block",
    "partner_desktop.desktop.chat.reply",
    "partner_desktop.desktop.chat.entries",
    "partner_desktop.desktop.panel.action_item",
    "partner_desktop.desktop.panel.ability_rows",
    "partner_desktop.desktop.panel.ability_model",
    "partner_desktop.desktop.panel.ability_list",
)


async def warm_up() -> None:
    """Import them with the loop free in between."""
    for name in _ASIDE:
        await asyncio.to_thread(importlib.import_module, name)
    await asyncio.to_thread(_prepare_markdown)
    for name in _MODULES:
        importlib.import_module(name)
        await asyncio.sleep(0)


def _prepare_markdown() -> None:
    """The first parsers are made, with their patterns."""
    from partner_desktop.desktop.markup.grammar import block_parser, inline_parser  # noqa: PLC0415

    block_parser()
    inline_parser().parseInline("https://example.org/")
