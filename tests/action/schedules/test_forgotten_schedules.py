"""What is planned because of words goes with them, when they are forgotten."""

from __future__ import annotations

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.forgetting import ForgetSelection

pytestmark = pytest.mark.integration


@pytest.mark.promise("memory.forget")
async def test_a_reminder_goes_with_the_words_that_asked_for_it(partner: Partner) -> None:
    for words in ("call Zebulon", "water the fern"):
        await partner.messages.send(f"remind me tomorrow at nine to {words}", conversation_id=None)
        await partner.settled()
    assert len(await partner.schedules.list()) == 2
    preview = await partner.forgetting.preview(ForgetSelection(words="Zebulon"))
    assert preview.held_counts["schedule"] == 1
    await partner.forgetting.forget(preview.id)
    await partner.forgetting.settled()
    (left,) = await partner.schedules.list()
    assert "fern" in left.title
