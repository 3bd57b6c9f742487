"""Files dropped on the window: asked about in place, then copied into the folder that was chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QCoreApplication

from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.notices import Notices
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.port import PartnerPort

Folder: TypeAlias = Literal["dynamic", "tmp"]


def tr(text: str) -> str:
    """Translated words of the question."""
    return QCoreApplication.translate("drops", text)


def ask_about_files(
    page: ChatPage,
    files: Sequence[Path],
    add: Callable[[Sequence[Path], Folder], None],
    *,
    take_in: Callable[[Path], None],
) -> Banner:
    """Ask which folder they should go to; `add` is called with the answer, `take_in` with what is a talk."""
    names = ", ".join(file.name for file in files)
    banner = Banner(tr("What should become of {names}?").format(names=names))
    banner.add_choice(tr("Keep it as an ability"), lambda: add(files, "dynamic"), look="primary").setToolTip(
        tr("It is copied into the folder “dynamic” and stays.")
    )
    banner.add_choice(tr("Try it for now"), lambda: add(files, "tmp")).setToolTip(
        tr("It is copied into the folder “tmp” and leaves the list after a while.")
    )
    if len(files) == 1 and files[0].suffix.lower() == ".json":
        banner.add_choice(tr("Import as a conversation"), lambda: take_in(files[0])).setToolTip(
            tr("For a conversation that was exported as JSON.")
        )
    banner.add_choice(tr("Cancel"), None)
    page.add_banner(banner)
    return banner


async def add_files(partner: PartnerPort, notices: Notices, files: Sequence[Path], folder: Folder) -> None:
    """Copy each file and say what came of it.

    Raises:
        PartnerError: A file could not be taken; those before it were.
    """
    for file in files:
        notices.tell("", await partner.add_script(file, folder=folder))
