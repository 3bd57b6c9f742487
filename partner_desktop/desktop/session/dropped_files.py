"""Files dropped on the window that may be more than an attachment: asked about in place, then copied into the
folder that was chosen, or attached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.notices import Notices
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.file_dialogs import ask_for_path
from partner_desktop.desktop.session.import_controller import CHAT_FILES
from partner_desktop.desktop.wording import set_tip, tr
from partner_desktop.runner.launchers import has_script_name

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: Names of a folder that are looked at.
_MOST_LOOKED_AT = 200

Folder: TypeAlias = Literal["dynamic", "tmp"]


def ask_about_files(
    page: ChatPage,
    files: Sequence[Path],
    add: Callable[[Sequence[Path], Folder], None],
    *,
    attach: Callable[[Sequence[Path]], None],
    take_in: Callable[[Path], None],
    add_servers: Callable[[list[Path]], object],
    add_models: Callable[[Sequence[Path]], None],
) -> None:
    """Ask what should become of them; model files are asked about on their own."""
    models = [file for file in files if is_model_file(file)]
    if models:
        ask_about_model_files(page, models, add_models)
    others = [file for file in files if file not in models]
    if others:
        ask_about_others(page, others, add, attach=attach, take_in=take_in, add_servers=add_servers)


def ask_about_others(
    page: ChatPage,
    files: Sequence[Path],
    add: Callable[[Sequence[Path], Folder], None],
    *,
    attach: Callable[[Sequence[Path]], None],
    take_in: Callable[[Path], None],
    add_servers: Callable[[list[Path]], object],
) -> Banner:
    """Ask which folder they should go to.

    `add` is called with the answer, `attach` with what is only to go with the message, `take_in` with what is
    a talk, `add_servers` with configurations.
    """
    names = ", ".join(file.name for file in files)
    banner = Banner(lambda: tr("What should become of {names}?").format(names=names))
    endings = {file.suffix.lower() for file in files}
    data = endings == {".json"}
    chats = len(files) == 1 and endings <= {*CHAT_FILES}
    if data:
        servers = banner.add_choice(
            lambda: tr("Add its servers"), lambda: add_servers(list(files)), look="primary"
        )
        set_tip(servers, lambda: tr("For a configuration of MCP servers from another app."))
    if data or not chats:  # no ability is packed, or is lines of JSON
        keep = banner.add_choice(
            lambda: tr("Keep it as an ability"),
            lambda: add(files, "dynamic"),
            look="plain" if data else "primary",
        )
        set_tip(keep, lambda: tr("It is copied into the folder “dynamic” and stays."))
        once = banner.add_choice(lambda: tr("Try it for now"), lambda: add(files, "tmp"))
        set_tip(
            once,
            lambda: tr("It is copied into the folder “tmp” and leaves the list after a while."),
        )
    if chats:
        talk = banner.add_choice(
            lambda: tr("Import its conversations"),
            lambda: take_in(files[0]),
            look="plain" if data else "primary",
        )
        set_tip(
            talk,
            lambda: tr("For a conversation that Partner exported, or for the chats of another program."),
        )
    only = banner.add_choice(lambda: tr("Attach to the message"), lambda: attach(files))
    set_tip(only, lambda: tr("It stays where it is, and your words can be about it."))
    banner.add_choice(lambda: tr("Cancel"), None)
    page.add_banner(banner)
    return banner


def may_be_more(path: Path) -> bool:
    """Whether it could be an ability, servers, chats or a model, or leads to somewhere else. Blocking."""
    try:
        if path.is_symlink() or is_model_file(path) or path.suffix.lower() in CHAT_FILES:
            return True
        if path.is_dir():
            return any(each.stem in ("run", "plan") for each in islice(path.iterdir(), _MOST_LOOKED_AT))
        if has_script_name(path) or not path.is_file():
            return has_script_name(path)
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False  # whoever attaches it is told


async def add_files(partner: Partner, notices: Notices, files: Sequence[Path], folder: Folder) -> None:
    """Copy each file and say what came of it.

    Raises:
        PartnerError: A file could not be taken; those before it were.
    """
    for file in files:
        notices.tell("", await partner.abilities.add_script(file, folder=folder))


_ENDING = ".gguf"


def is_model_file(path: Path) -> bool:
    """By its name; what is in it shows when it is opened."""
    return path.suffix.lower() == _ENDING


def ask_for_model_file(window: QWidget, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for a model file; nothing waits for the dialog."""
    return ask_for_path(
        window,
        tr("Add a model file"),
        lambda path: chosen(Path(path)),
        start=Path.home(),
        filters=(tr("Models (*.gguf *.GGUF)"), tr("All files (*)")),
    )


def ask_about_model_files(
    page: ChatPage, files: Sequence[Path], add: Callable[[Sequence[Path]], None]
) -> Banner:
    """Ask whether dropped model files should join the list."""
    names = ", ".join(file.name for file in files)
    banner = Banner(
        lambda: tr("Add {names} to the models?").format(names=names),
        lambda: tr("The file stays where it is."),
    )
    banner.add_choice(lambda: tr("Add"), lambda: add(files), look="primary")
    banner.add_choice(lambda: tr("Cancel"), None)
    page.add_banner(banner)
    return banner
