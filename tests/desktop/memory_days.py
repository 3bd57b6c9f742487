"""Days on which one looks into the memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from PySide6.QtCore import QTimer

from partner_desktop.app import Partner
from partner_desktop.desktop.chat.rolled_mark import RolledMark
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.events import ChatImportEvent
from partner_desktop.domain.message import Role
from partner_desktop.domain.remembered import ChatImport

from .day import NOW, Day

#: Days ago, the conversation, and what was said, the person first.
_SAID: Sequence[tuple[int, str, Sequence[str]]] = (
    (0, "Train to Ulm", (
        "my sister is Ann. her train to Ulm leaves at 9:14 tomorrow",
        "I will keep that in mind: Ann's train to Ulm, tomorrow at 9:14.",
        "and she always forgets her ticket, so remind me in the evening",
        "I will remind you this evening to ask Ann about her ticket.",
    )),
    (0, "Dinner on Friday", (
        "we are six on Friday, and I'm allergic to nuts",
        "No nuts then. Shall I look for a recipe for six?",
        "yes, something with pumpkin; Ben does not like mushrooms",
        "A pumpkin risotto fits: no nuts, no mushrooms, forty minutes.",
    )),
    (1, "The flat in Ulm", (
        "call me Max. the flat in Ulm costs 940 euros warm, the one in Neu-Ulm 880",
        "Noted, Max. The second is 60 euros cheaper, and 12 minutes further from the station.",
        "I live in Stuttgart. can we see both on Saturday?",
        "The first at ten, the second at noon; the train takes an hour.",
    )),
    (3, "Backup of the notes", (
        "where did I put the backup of my notes?",
        "On the disk “Archive”, in notes-2026; the last one is of Sunday evening.",
    )),
    (6, "Ben's birthday", (
        "my friend is Ben. his birthday is on 3 June, and he likes jazz records",
        "I will remember that. Last year you gave him a book.",
    )),
    (40, "Garden", (
        "when did we plant the pumpkins last year?",
        "On 12 May, after the last frost.",
    )),
)  # fmt: skip


def remembered(day: Day) -> None:
    """Talk of several days; what was said is summed up once the window is there."""
    day.mind = None  # the starter sums up
    for ago, title, said in _SAID:
        begun: datetime = NOW - timedelta(days=ago, hours=1)
        one = day.add_conversation(title, days_ago=ago)
        for number, text in enumerate(said):
            role = Role.PARTNER if number % 2 else Role.USER
            day.add_message(one.id, role, text, at=begun + timedelta(minutes=number))
    partner = day.partner
    day.ask(sum_up(partner, list(day.titles())))


def brought_in(day: Day) -> None:
    """A chat from elsewhere, in which two others speak."""
    one = day.add_conversation("Caroline and Melanie")
    for speaker, role, text in (
        ("Caroline", Role.USER, "Hey Mel! Do you still paint? I saw your lake sunrise at the café."),
        ("Melanie", Role.PARTNER, "Now and then! The lake was for my daughter's birthday."),
        ("Caroline", Role.USER, "It is lovely. We could go to the pottery class on Thursday, all of us."),
        ("Melanie", Role.PARTNER, "Thursday works. I'll bring the children, they love clay."),
    ):
        day.add_message(one.id, role, text, speaker=speaker)
    day.mind = None
    partner = day.partner
    day.ask(partner.memory.read_all())


def forgetful(day: Day) -> None:
    """The first day."""
    day.add_conversation("Tidy up my downloads")


async def sum_up(partner: Partner, conversation_ids: Sequence[str]) -> None:
    """Every conversation becomes a unit; one passage is pinned."""
    memory = partner.memory
    for conversation_id in conversation_ids:
        await memory.roll(conversation_id)
    first, *_ = await memory.slices(limit=1)
    await memory.pin(first.id)
    await memory.read_all()
    await partner.entities.known()


def look_into_memory(window: MainWindow, day: Day, scene: str) -> None:
    """The tab, and what the person does in it a moment later."""
    window.columns.show_panel()
    window.show_tab(3)
    tab = window.panel.memory_tab

    def act() -> None:
        kind = scene.partition("-")[2]
        if kind in ("days", "topics", "pinned"):
            tab.kinds.buttons[kind].click()
        if kind == "open":
            tab.kinds.buttons["days"].click()
            QTimer.singleShot(150, tab, lambda: tab.list.act(tab.list.rows.index(1)))
        if kind == "search":
            tab.search.setText("train ticket")
        if kind == "nothing":
            tab.search.setText("xylophone")
        if kind == "forget":
            tab.kinds.buttons["days"].click()
            QTimer.singleShot(150, tab, lambda: tab.list.asked.emit("forget", tab.list.rows.rows[1]))
        if kind == "chat":
            for mark in window.findChildren(RolledMark):
                mark.toggle()
        if kind == "friend":
            tab.list.act(tab.list.rows.index(3))
        if kind in ("import", "speakers"):
            one = ChatImport("i1", "/home/user/export.zip", "running", share=0.42)
            day.deliver(ChatImportEvent(progress=one))

    QTimer.singleShot(150, tab, act)


SCENES = tuple(
    f"memory-{kind}"
    for kind in (
        "known",
        "days",
        "topics",
        "pinned",
        "open",
        "search",
        "nothing",
        "import",
        "friend",
        "forget",
        "chat",
    )
)
