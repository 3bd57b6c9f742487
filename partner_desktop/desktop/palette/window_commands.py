"""What can be done in the window, in words: what has keys, and everything else that Partner can do.

Each command says which of Partner's operations it does or leads to, so that a test can see that none is out
of reach. Where an operation needs a thing to be done to (a grant, a fact, a download), the command leads to
where these stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.keys import PALETTE_KEYS, Group
from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.desktop.operations.conversation_verbs import delete_conversations
from partner_desktop.desktop.operations.schedule_verbs import pause_all_schedules
from partner_desktop.desktop.operations.update_notice import look_for_update
from partner_desktop.desktop.palette.palette_entry import Kind, PaletteEntry
from partner_desktop.desktop.panel.panel import MEMORY_TAB
from partner_desktop.desktop.parts.file_dialogs import ask_where
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.schedule import Schedule

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.config.field import ConfigField
    from partner_desktop.desktop.sidebar.conversation_rows import ListOrder

#: What is done by choosing an entry that is no command, or where it leads to.
OF_KINDS: dict[Kind, str] = {
    "conversation": "conversations: find get list look_at search; messages: get line list; events: follow",
    "ability": "abilities: list offer run; events: run watch",
    "setting": "config: files reset set",
    "memory": "entities: get list; memory: recall show slices",
    "model": "models: list use",
    "schedule": "schedules: find history list made_in",
    "server": "servers: list status log restart switch sign_in cancel_sign_in sign_out",
}


@dataclass(frozen=True)
class WindowCommand:
    """One of them. `name` is the same in every language."""

    name: str
    words: Callable[[], str]
    act: Callable[[], object]
    operations: str = ""
    """Of Partner, as `service: verb verb; service: verb`."""
    keys: tuple[str, ...] = ()
    in_conversation: bool = False
    """Whether it is there only while a conversation is open."""

    @property
    def operation_names(self) -> tuple[str, ...]:
        """What it does or leads to."""
        return operation_names(self.operations)

    @property
    def entry(self) -> PaletteEntry:
        """As the palette shows it; the English name finds it in every language."""
        keys = self.keys[0] if self.keys else ""
        names = (self.name.replace("-", " "),)
        return PaletteEntry(
            f"command:{self.name}", "command", self.words(), self.act, keys=keys, other_names=names
        )


def operation_names(operations: str) -> tuple[str, ...]:
    """`service: verb verb; service: verb` as names of operations."""
    services = [one.partition(": ") for one in operations.split("; ") if one]
    return tuple(f"{service}.{verb}" for service, _, verbs in services for verb in verbs.split())


#: Its name, its words, and what it does.
_Row: TypeAlias = tuple[str, Callable[[], str], Callable[[], object]]


def commands(window: MainWindow, groups: tuple[Group, ...], acts: CommandActs) -> Iterator[WindowCommand]:
    """All of them, those with keys first; what they need beside the window, `acts` does."""
    yield from _with_keys(groups)
    for name, words, act in _here(window, acts):
        yield WindowCommand(name, words, act, _OF_COMMANDS.get(name, _ORGANIZES), in_conversation=True)
    for name, words, act in (*_everywhere(window, acts), *_of_looks(window)):
        yield WindowCommand(name, words, act, _OF_COMMANDS.get(name, ""))


#: What the commands with keys do or lead to, by their keys.
_OF_KEYS = {
    "Ctrl+N": "conversations: create",
    "Ctrl+L": "messages: send; events: say; drafts: keep attach list",
    "Ctrl+G": "messages: days",
    "Ctrl+1": (
        "actions: get list find story steps output cancel keep_files undo run_again decisions; "
        "commands: cancel find get list output"
    ),
    "Ctrl+2": "abilities: source switch remove restore",
    "Ctrl+3": "context: snapshot turns; usage: calls totals",
    "Ctrl+4": "memory: status topics about units; entities: known",
    "Ctrl+Shift+P": "permissions: list revoke",
    "Ctrl+Shift+L": "audit: page pages words",
    "Ctrl+Shift+M": "models: mind engine embedding chosen key_place",
}


#: Keys that mean something only where one is.
_OF_THE_PLACE = ("Esc", "Alt+Up", "Alt+Down")


def _with_keys(groups: tuple[Group, ...]) -> Iterator[WindowCommand]:
    shortcuts = [one for group in groups for one in group.shortcuts if one.act is not None]
    for one in sorted(shortcuts, key=lambda one: one.keys[0] != "Ctrl+N"):
        if one.act is not None and one.keys != PALETTE_KEYS and one.keys[0] not in _OF_THE_PLACE:
            name = f"keys-{one.keys[0].casefold()}"
            yield WindowCommand(name, one.words, one.act, _OF_KEYS.get(one.keys[0], ""), one.keys)


#: What all others do or lead to, by their names.
_ORGANIZES = "conversations: organize"
_OF_COMMANDS = {
    "rename-conversation": "conversations: rename",
    "export-conversation": "conversations: export_to",
    "delete-conversation": "conversations: delete restore delete_many restore_many",
    "stop": "conversations: stop",
    "last-message": "messages: edit regenerate choose; conversations: branch",
    "sum-up": "memory: roll",
    "remember": "forgetting: do_not_remember",
    "conversations": "conversations: folders rename_folder",
    "archive-list": "conversations: list",
    "attach": "attachments: describe suggest",
    "import": "conversations: import_from; memory: import_from imports follow_import stop_import",
    "waiting": (
        "actions: approve reject edit_chain intervene try_out; events: decide; servers: elicitations answer"
    ),
    "plans": "plans: verify repair resume compute run; events: plan resume",
    "save-plan": "plans: save saveable",
    "pause-all": "schedules: pause",
    "resume-all": "schedules: resume",
    "schedules": "schedules: add cancel count done edit run skip snooze",
    "abilities-folder": "abilities: add_script",
    "keep-ability": "abilities: persist describe draft",
    "add-server": "servers: add allow keep_secret move_secrets",
    "servers": "servers: get_prompt read_resource settled location_settled sign_in_settled",
    "forget": "forgetting: forget preview settled backups clean_backups",
    "facts": "entities: add_fact correct_fact remove_fact rename merge undo_merge",
    "slices": "memory: pin unpin edit_slice export_to read_all",
    "starter": "models: use",
    "unload": "models: unload",
    "add-model": "models: add_file load",
    "add-model-server": "models: add_endpoint test test_endpoint set_key",
    "get-models": (
        "downloads: catalog look start list find follow pause resume cancel; finds: models "
        "endpoints use use_endpoint"
    ),
    "check-model": "checks: start run stop last questions prefer; models: remove embed_with",
    "familiar": "familiar: list savings forget clear",
    "rules": "permissions: set_mode ask deny save_rule remove_rule",
    "export-audit": "audit: export",
    "backup": "backup: write",
    "newer-version": "updates: check last",
    "sort-used": "conversations: list",
    "sort-made": "conversations: list",
    "sort-name": "conversations: list",
}


def _here(window: MainWindow, acts: CommandActs) -> Iterator[_Row]:
    """With the open conversation."""
    page = window.page
    rename, to_last = page.header.title_field.begin_rename, partial(page.go_to_message, -1)
    remember = page.header.remember_button.click
    yield "rename-conversation", lambda: tr("Rename this conversation"), rename
    yield "export-conversation", lambda: tr("Export this conversation…"), acts.export
    yield "delete-conversation", lambda: tr("Delete this conversation"), acts.delete
    for verb, words in (
        ("pin", lambda: tr("Pin this conversation")),
        ("unpin", lambda: tr("Unpin this conversation")),
        ("archive", lambda: tr("Archive this conversation")),
        ("unarchive", lambda: tr("Bring this conversation back from the archive")),
        ("new-folder", lambda: tr("Put this conversation into a new folder")),
        ("unread", lambda: tr("Mark this conversation as unread")),
    ):
        yield f"{verb}-conversation", words, partial(acts.organize, verb)
    yield "stop", lambda: tr("Stop what runs in this conversation"), acts.stop
    yield "last-message", lambda: tr("Go to the last message, to edit it or have it anew"), to_last
    yield "sum-up", lambda: tr("Sum up this conversation now"), acts.sum_up
    yield "remember", lambda: tr("Remember this conversation, or keep it to itself"), remember


def _everywhere(window: MainWindow, acts: CommandActs) -> Iterator[_Row]:
    sidebar, choices, abilities = window.sidebar, acts.choices, window.panel.abilities_tab
    to_actions, to_abilities, _, to_memory = (partial(window.show_tab, tab) for tab in range(MEMORY_TAB + 1))
    to_models = window.models_wanted.emit
    yield "conversations", lambda: tr("Show the conversations and their folders"), window.focus_conversations
    yield "archive-list", lambda: tr("Show the archive"), lambda: sidebar.show_archive(on=True)
    for order, words in (
        ("used", lambda: tr("Sort conversations by newest use")),
        ("made", lambda: tr("Sort conversations by newest begun")),
        ("name", lambda: tr("Sort conversations by name")),
    ):
        yield f"sort-{order}", words, partial(sidebar.sort, cast("ListOrder", order))
    yield "attach", lambda: tr("Attach files or pictures…"), window.page.composer.choose_files
    yield "import", lambda: tr("Import conversations, or the chats of another program…"), choices.bring_in
    yield "quick", lambda: tr("Open the small window for one question"), window.quick_wanted.emit
    yield "waiting", lambda: tr("Answer what waits for a yes or a no"), to_actions
    yield "plans", lambda: tr("Check, repair or go on with a plan"), to_actions
    yield "save-plan", lambda: tr("Keep what ran as an ability"), to_actions
    yield "pause-all", lambda: tr("Pause everything planned"), partial(acts.pause_all, True)
    yield "resume-all", lambda: tr("Go on with everything planned"), partial(acts.pause_all, False)
    yield "schedules", lambda: tr("Show what is planned and every reminder"), to_actions
    yield "abilities-folder", lambda: tr("Open the folder of abilities"), abilities.folder_pressed.emit
    yield "keep-ability", lambda: tr("Keep or describe an ability"), to_abilities
    yield "add-server", lambda: tr("Add an MCP server…"), abilities.server_wanted.emit
    yield "servers", lambda: tr("Show the servers, their prompts and what they offer"), to_abilities
    yield "forget", lambda: tr("Forget something"), to_memory
    yield "facts", lambda: tr("Correct what is known of me and of others"), to_memory
    yield "slices", lambda: tr("Pin, reword or export what was remembered"), to_memory
    yield "starter", lambda: tr("Answer without a model"), partial(choices.use_model, "starter")
    yield "unload", lambda: tr("Give the memory of the model back"), acts.unload
    yield "add-model", lambda: tr("Add a model file…"), choices.add_model
    yield "add-model-server", lambda: tr("Add a server of models…"), choices.add_server_model
    yield "get-models", lambda: tr("Find or download a model"), to_models
    yield "check-model", lambda: tr("Test a model, or remove one"), to_models
    yield "familiar", lambda: tr("Requests that need no model any more"), to_models
    yield "rules", lambda: tr("Change how much runs without a question"), window.permissions_wanted.emit
    yield "export-audit", lambda: tr("Export the audit log"), window.audit_wanted.emit
    yield "backup", lambda: tr("Back everything up into one file…"), acts.back_up
    yield "newer-version", lambda: tr("Look for a newer version of Partner"), acts.look_for_update


def _of_looks(window: MainWindow) -> Iterator[_Row]:
    theme, language = window.theme, window.language
    for choice, words in (
        (ThemeChoice.LIGHT, lambda: tr("Theme: light")),
        (ThemeChoice.DARK, lambda: tr("Theme: dark")),
        (ThemeChoice.SYSTEM, lambda: tr("Theme: as the system")),
    ):
        yield f"theme-{choice.value}", words, partial(theme.choose, choice)
    for spoken, words in (
        (LanguageChoice.ENGLISH, lambda: "Language: English"),
        (LanguageChoice.CHINESE, lambda: "语言：简体中文"),
        (LanguageChoice.SYSTEM, lambda: tr("Language: as the system")),
    ):
        yield f"language-{spoken.value}", words, partial(language.choose, spoken)
    yield "appearance", lambda: tr("Theme, text size and language"), window.open_appearance


@dataclass(frozen=True)
class ChoiceActs:
    """What choices do that the window's context does not know of."""

    ability: Callable[[Ability], object]
    setting: Callable[[ConfigField], object]
    schedule: Callable[[Schedule], object]
    export: Callable[[str], object]
    """A conversation, into a file that is asked for."""
    bring_in: Callable[[], object]
    add_model: Callable[[], object]
    add_server_model: Callable[[], object]
    use_model: Callable[[str], object]


class CommandActs(Controller):
    """What the commands do beside the window; without a Partner nothing."""

    def __init__(self, context: WindowContext, choices: ChoiceActs) -> None:
        super().__init__(context)
        self.choices = choices

    @property
    def _open_id(self) -> str:
        return self._context.navigation.conversation_id

    def export(self) -> None:
        """The open conversation, into a file that is asked for."""
        self.choices.export(self._open_id)

    def delete(self) -> None:
        """The open conversation; a notice offers to take it back."""
        delete_conversations(self._context, [self._open_id])

    def organize(self, verb: str) -> None:
        """The open conversation, as its row in the list would be."""
        self._window.sidebar.asked.emit(verb, [self._open_id])

    def stop(self) -> None:
        place = self._open_id
        if place:
            self._request("stop", lambda partner: partner.conversations.stop(place))

    def sum_up(self) -> None:
        """What is new in the open conversation."""
        place = self._open_id
        if place:
            self._request("sum up", lambda partner: self._sum_up(partner, place))

    def pause_all(self, paused: bool) -> None:
        """Nothing that is planned begins, or everything goes on."""
        pause_all_schedules(self._context, paused)

    def look_for_update(self) -> None:
        """Ask for a newer version, and tell what came of it."""
        look_for_update(self._context)

    def unload(self) -> None:
        """Give the memory of the model that answers here back."""
        self._request("unload", self._unload)

    async def _sum_up(self, partner: Partner, conversation_id: str) -> None:
        unit = await partner.memory.roll(conversation_id)
        said = tr("There is nothing new to sum up.") if unit is None else tr("Summed up.")
        self._window.notices.tell("", said)

    async def _unload(self, partner: Partner) -> None:
        name = partner.models.mind(self._open_id)
        if name == "starter":
            self._window.notices.tell("", lambda: tr("No model is in use."))
        else:
            await partner.models.unload(name)

    def back_up(self) -> None:
        """Everything, into a file that is asked for."""
        if self._store.partner is not None:
            endings = {tr("Backup (*.zip)"): "zip"}
            title = tr("Back everything up into one file")
            ask_where(self._window, title, self._write, endings=endings, name="partner-backup")

    def _write(self, path: Path) -> None:
        async def write(partner: Partner) -> None:
            # The dialog has asked whether a file that is there may be replaced.
            await partner.backup.write(path, force=True)
            done = lambda: tr("Backed up to {file}").format(file=display_path(path))  # noqa: E731 - in a language
            self._window.notices.tell("", done)

        self._request("back up", write)
