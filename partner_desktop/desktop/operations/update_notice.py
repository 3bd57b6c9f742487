"""How a newer version of Partner is told: with the way to its page, and until the person has closed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl

from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.opener import is_web, open_link
from partner_desktop.desktop.window_context import WindowContext, WindowOperation
from partner_desktop.desktop.wording import tr

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.domain.events import NoticeEvent
    from partner_desktop.runtime.update_check import UpdateReport


@WindowOperation
async def look_for_update(context: WindowContext, partner: Partner) -> None:
    """Somebody wants to know now."""
    report = await partner.updates.check()
    _tell(context, report, "", report.sentence)


@WindowOperation
async def tell_of_update(context: WindowContext, partner: Partner, told: NoticeEvent) -> None:
    """It was found unasked, and is told only this once."""
    _tell(context, await partner.updates.last(), told.title, told.text)


def _tell(context: WindowContext, report: UpdateReport, title: str, text: str) -> None:
    page = QUrl(report.page)
    way = NoticeAction(lambda: tr("Open the page"), lambda: open_link(page), undoes=False)
    context.notices.tell(
        title, text, action=way if is_web(page) else None, about="update", stays=report.is_newer
    )
