"""What the starter mind says of what came with a message: what it is, and what can be done with it here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from partner_desktop.base.messages import size_text
from partner_desktop.domain.attachment import Attachment, AttachmentKind, Unread
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.mind.starter.hello import words_for
from partner_desktop.mind.starter.phrases import Phrases
from partner_desktop.mind.starter.results import bold, inline

#: Things that are told of one by one, and abilities that are named.
_MOST_TOLD, _MOST_OFFERED = 5, 4


def came_with(
    attachments: Sequence[Attachment], abilities: Sequence[MetaActionInfo], phrases: Phrases
) -> str:
    """A line each, and what could be asked for."""
    words = phrases.attached
    lines = [_told(each, phrases) for each in attachments[:_MOST_TOLD]]
    if len(attachments) > _MOST_TOLD:
        lines.append(words["more"].format(count=len(attachments) - _MOST_TOLD))
    told = lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    offered = [
        phrases.quoted.format(words=inline(words_for(info.spoken(phrases.language), phrases)))
        for info in takers(attachments, abilities)
    ]
    asks = phrases.can_do_briefly.format(examples=phrases.alternative.join(offered)) if offered else ""
    if any(each.is_readable for each in attachments):
        asks = phrases.gap.join(part for part in (words["no_reader_here"], asks) if part)
    return "\n\n".join(part for part in (told, asks) if part)


def takers(
    attachments: Sequence[Attachment], abilities: Sequence[MetaActionInfo]
) -> tuple[MetaActionInfo, ...]:
    """The abilities that take such things, those that only look first."""
    kinds = {
        "folder" if each.kind is AttachmentKind.FOLDER else "file"
        for each in attachments
        if each.kind is not AttachmentKind.TALK
    }
    fitting = [info for info in abilities if kinds and any(kinds <= taken for taken in _taken(info))]
    fitting.sort(key=lambda info: not info.annotations.read_only)  # stable
    return tuple(fitting[:_MOST_OFFERED])


def _taken(info: MetaActionInfo) -> Iterator[frozenset[str]]:
    """What kinds of things its required parameters take."""
    for slot in slots_of(info):
        if slot.is_path and slot.required and not slot.is_made:
            yield slot.file_kinds


def _told(attachment: Attachment, phrases: Phrases) -> str:
    words = phrases.attached
    line = words[attachment.kind.value].format(
        name=bold(attachment.name), size=size_text(attachment.size_bytes)
    )
    if attachment.unread is not Unread.NONE:
        return phrases.gap.join((line, words[f"unread_{attachment.unread.value}"]))
    return line
