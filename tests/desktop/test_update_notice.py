"""A newer version in the window: told until the person closes it, with the way to its page."""

from __future__ import annotations

import json

import pytest
from PySide6.QtGui import QDesktopServices

from partner_desktop.domain.events import NoticeEvent

from .moments import Moments
from .stage import Stage
from .test_links import Opened

pytestmark = [pytest.mark.integration, pytest.mark.promise("packaging.updates")]


@pytest.mark.parametrize(
    ("page", "leads"), [("https://example.org/99.1", True), ("file:///etc/passwd", False), ("", False)]
)
def test_the_notice_of_a_newer_version_leads_to_its_page_on_the_web(
    stage: Stage, moments: Moments, page: str, *, leads: bool
) -> None:
    stage.open(moments)
    moments.home.updates_file.write_text(
        json.dumps({"version": "99.1", "page": page, "asked_at": "2026-01-05T12:00:00Z"})
    )
    found = NoticeEvent(title="Partner 99.1 is there.", text="You have 0.1.0.", about="update")
    stage.do(lambda: moments.deliver(found))
    stage.until(lambda: stage.window.page.toasts.toasts)
    (toast,) = stage.window.page.toasts.toasts
    assert toast.notice.stays, "it is told once"
    assert (toast.action_button is not None) == leads
    opened = Opened()
    QDesktopServices.setUrlHandler("https", opened, "take")  # type: ignore[arg-type] # the stub says bytes
    try:
        stage.do(toast.act)
    finally:
        QDesktopServices.unsetUrlHandler("https")
    assert opened.addresses == ([page] if leads else [])
