"""What is asked of what is planned."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from partner_desktop.desktop.window_context import WindowContext, WindowOperation
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.schedule import Schedule
from partner_desktop.domain.schedule_text import time_in_words

if TYPE_CHECKING:
    from partner_desktop.app import Partner


run_schedule = WindowOperation.of("run", lambda partner: partner.schedules.run)
pause_schedule = WindowOperation.of("pause", lambda partner: partner.schedules.pause)
skip_schedule = WindowOperation.of("skip", lambda partner: partner.schedules.skip)
finish_reminder = WindowOperation.of("done", lambda partner: partner.schedules.done)


@WindowOperation
async def resume_schedule(context: WindowContext, partner: Partner, schedule: Schedule) -> None:
    """It goes on."""
    await partner.schedules.resume(schedule.id)
    if schedule.state == "stopped":  # its card asks anew, and is shown where it tells
        context.navigation.show_end(schedule.conversation_id)


def pause_all_schedules(context: WindowContext, paused: bool) -> None:
    """Let nothing begin, or everything go on."""
    context.request(
        "pause all", lambda partner: partner.schedules.pause() if paused else partner.schedules.resume()
    )


@WindowOperation
async def snooze_reminder(
    context: WindowContext, partner: Partner, schedule: Schedule, until: datetime
) -> None:
    """Tell it again then."""
    await partner.schedules.snooze(schedule.id, until)
    now = context.clock.now()
    context.tell(
        lambda: tr("You are reminded again {time}.").format(
            time=time_in_words(until.astimezone(), now.astimezone())
        )
    )
