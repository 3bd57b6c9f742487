"""What can be done in the window, in words: what has keys, and everything else that Partner can do.

Each command says which of Partner's operations it does or leads to, so that a test can see that none is out
of reach. Where an operation needs a thing to be done to (a grant, a fact, a download), the command leads to
where these stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.keys import PALETTE_KEYS, Group
from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.desktop.palette.palette_entry import Kind, PaletteEntry
from partner_desktop.desktop.panel.panel import MEMORY_TAB
from partner_desktop.desktop.sidebar.conversation_rows import ListOrder
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import tr

_ACTIONS_TAB, _ABILITIES_TAB, _CONTEXT_TAB = range(3)

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


@dataclass(frozen=True)
class CommandActs:
    """What commands need beside the window. Without a Partner they do nothing."""

    export: Callable[[], object]
    """The open conversation, into a file that is asked for."""
    delete: Callable[[], object]
    """The open conversation; a notice offers to take it back."""
    organize: Callable[[str], object]
    """The open conversation, by a verb of the list."""
    stop: Callable[[], object]
    """What runs in the open conversation."""
    sum_up: Callable[[], object]
    bring_in: Callable[[], object]
    """Conversations, from a file that is asked for."""
    back_up: Callable[[], object]
    look_for_update: Callable[[], object]
    """Ask for a newer version, and tell what came of it."""
    pause_all: Callable[[], object]
    resume_all: Callable[[], object]
    starter: Callable[[], object]
    """Let no model answer."""
    unload: Callable[[], object]
    add_model: Callable[[], object]
    add_server_model: Callable[[], object]
    open_folder: Callable[[], object]


def commands(window: MainWindow, groups: tuple[Group, ...], acts: CommandActs) -> Iterator[WindowCommand]:
    """All of them, those with keys first."""
    yield from _with_keys(groups)
    yield from _of_conversations(window, acts)
    yield from _of_outside(window)
    yield from _of_actions(window, acts)
    yield from _of_abilities(window, acts)
    yield from _of_memory(window, acts)
    yield from _of_models(window, acts)
    yield from _of_safety(window, acts)
    yield from _of_looks(window)


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


def _of_conversations(window: MainWindow, acts: CommandActs) -> Iterator[WindowCommand]:
    title = window.page.header.title_field
    yield WindowCommand(
        "rename-conversation",
        lambda: tr("Rename this conversation"),
        title.begin_rename,
        "conversations: rename",
        in_conversation=True,
    )
    yield WindowCommand(
        "export-conversation",
        lambda: tr("Export this conversation…"),
        acts.export,
        "conversations: export_to",
        in_conversation=True,
    )
    yield WindowCommand(
        "delete-conversation",
        lambda: tr("Delete this conversation"),
        acts.delete,
        "conversations: delete restore delete_many restore_many",
        in_conversation=True,
    )
    yield WindowCommand(
        "conversations",
        lambda: tr("Show the conversations and their folders"),
        window.focus_conversations,
        "conversations: folders rename_folder",
    )
    organizing: tuple[tuple[str, Callable[[], str]], ...] = (
        ("pin", lambda: tr("Pin this conversation")),
        ("unpin", lambda: tr("Unpin this conversation")),
        ("archive", lambda: tr("Archive this conversation")),
        ("unarchive", lambda: tr("Bring this conversation back from the archive")),
        ("new-folder", lambda: tr("Put this conversation into a new folder")),
        ("unread", lambda: tr("Mark this conversation as unread")),
    )
    for verb, words in organizing:
        act = partial(acts.organize, verb)
        yield WindowCommand(
            f"{verb}-conversation", words, act, "conversations: organize", in_conversation=True
        )
    sidebar = window.sidebar
    yield WindowCommand(
        "archive-list",
        lambda: tr("Show the archive"),
        lambda: sidebar.show_archive(on=True),
        "conversations: list",
    )
    sorting: tuple[tuple[ListOrder, Callable[[], str]], ...] = (
        ("used", lambda: tr("Sort conversations by newest use")),
        ("made", lambda: tr("Sort conversations by newest begun")),
        ("name", lambda: tr("Sort conversations by name")),
    )
    for order, sorted_words in sorting:
        yield WindowCommand(
            f"sort-{order}", sorted_words, partial(sidebar.sort, order), "conversations: list"
        )
    yield WindowCommand(
        "stop",
        lambda: tr("Stop what runs in this conversation"),
        acts.stop,
        "conversations: stop",
        in_conversation=True,
    )
    yield WindowCommand(
        "last-message",
        lambda: tr("Go to the last message, to edit it or have it anew"),
        lambda: window.page.go_to_message(-1),
        "messages: edit regenerate choose; conversations: branch",
        in_conversation=True,
    )
    yield WindowCommand(
        "attach",
        lambda: tr("Attach files or pictures…"),
        window.page.composer.choose_files,
        "attachments: describe suggest",
    )
    yield WindowCommand(
        "import",
        lambda: tr("Import conversations, or the chats of another program…"),
        acts.bring_in,
        "conversations: import_from; memory: import_from imports follow_import stop_import",
    )


def _of_outside(window: MainWindow) -> Iterator[WindowCommand]:
    yield WindowCommand(
        "quick", lambda: tr("Open the small window for one question"), window.quick_wanted.emit
    )


def _of_actions(window: MainWindow, acts: CommandActs) -> Iterator[WindowCommand]:
    actions = lambda: window.show_tab(_ACTIONS_TAB)  # noqa: E731 - where several lead to
    yield WindowCommand(
        "waiting",
        lambda: tr("Answer what waits for a yes or a no"),
        actions,
        "actions: approve reject edit_chain intervene try_out; events: decide; servers: elicitations answer",
    )
    yield WindowCommand(
        "plans",
        lambda: tr("Check, repair or go on with a plan"),
        actions,
        "plans: verify repair resume compute run; events: plan resume",
    )
    yield WindowCommand(
        "save-plan",
        lambda: tr("Keep what ran as an ability"),
        actions,
        "plans: save saveable",
    )
    yield WindowCommand(
        "pause-all",
        lambda: tr("Pause everything planned"),
        acts.pause_all,
        "schedules: pause",
    )
    yield WindowCommand(
        "resume-all",
        lambda: tr("Go on with everything planned"),
        acts.resume_all,
        "schedules: resume",
    )
    yield WindowCommand(
        "schedules",
        lambda: tr("Show what is planned and every reminder"),
        actions,
        "schedules: add cancel count done edit run skip snooze",
    )


def _of_abilities(window: MainWindow, acts: CommandActs) -> Iterator[WindowCommand]:
    abilities = lambda: window.show_tab(_ABILITIES_TAB)  # noqa: E731 - where several lead to
    yield WindowCommand(
        "abilities-folder",
        lambda: tr("Open the folder of abilities"),
        acts.open_folder,
        "abilities: add_script",
    )
    yield WindowCommand(
        "keep-ability",
        lambda: tr("Keep or describe an ability"),
        abilities,
        "abilities: persist describe draft",
    )
    yield WindowCommand(
        "add-server",
        lambda: tr("Add an MCP server…"),
        window.panel.abilities_tab.server_wanted.emit,
        "servers: add allow keep_secret move_secrets",
    )
    yield WindowCommand(
        "servers",
        lambda: tr("Show the servers, their prompts and what they offer"),
        abilities,
        "servers: get_prompt read_resource settled location_settled sign_in_settled",
    )


def _of_memory(window: MainWindow, acts: CommandActs) -> Iterator[WindowCommand]:
    memory = lambda: window.show_tab(MEMORY_TAB)  # noqa: E731 - where several lead to
    yield WindowCommand(
        "sum-up",
        lambda: tr("Sum up this conversation now"),
        acts.sum_up,
        "memory: roll",
        in_conversation=True,
    )
    yield WindowCommand(
        "remember",
        lambda: tr("Remember this conversation, or keep it to itself"),
        window.page.header.remember_button.click,
        "forgetting: do_not_remember",
        in_conversation=True,
    )
    yield WindowCommand(
        "forget",
        lambda: tr("Forget something"),
        memory,
        "forgetting: forget preview settled backups clean_backups",
    )
    yield WindowCommand(
        "facts",
        lambda: tr("Correct what is known of me and of others"),
        memory,
        "entities: add_fact correct_fact remove_fact rename merge undo_merge",
    )
    yield WindowCommand(
        "slices",
        lambda: tr("Pin, reword or export what was remembered"),
        memory,
        "memory: pin unpin edit_slice export_to read_all",
    )


def _of_models(window: MainWindow, acts: CommandActs) -> Iterator[WindowCommand]:
    models = window.models_wanted.emit
    yield WindowCommand(
        "starter",
        lambda: tr("Answer without a model"),
        acts.starter,
        "models: use",
    )
    yield WindowCommand(
        "unload",
        lambda: tr("Give the memory of the model back"),
        acts.unload,
        "models: unload",
    )
    yield WindowCommand(
        "add-model",
        lambda: tr("Add a model file…"),
        acts.add_model,
        "models: add_file load",
    )
    yield WindowCommand(
        "add-model-server",
        lambda: tr("Add a server of models…"),
        acts.add_server_model,
        "models: add_endpoint test test_endpoint set_key",
    )
    yield WindowCommand(
        "get-models",
        lambda: tr("Find or download a model"),
        models,
        "downloads: catalog look start list find follow pause resume cancel; finds: models "
        "endpoints use use_endpoint",
    )
    yield WindowCommand(
        "check-model",
        lambda: tr("Test a model, or remove one"),
        models,
        "checks: start run stop last questions prefer; models: remove embed_with",
    )
    yield WindowCommand(
        "familiar",
        lambda: tr("Requests that need no model any more"),
        models,
        "familiar: list savings forget clear",
    )


def _of_safety(window: MainWindow, acts: CommandActs) -> Iterator[WindowCommand]:
    yield WindowCommand(
        "rules",
        lambda: tr("Change how much runs without a question"),
        window.permissions_wanted.emit,
        "permissions: set_mode ask deny save_rule remove_rule",
    )
    yield WindowCommand(
        "export-audit",
        lambda: tr("Export the audit log"),
        window.audit_wanted.emit,
        "audit: export",
    )
    yield WindowCommand(
        "backup",
        lambda: tr("Back everything up into one file…"),
        acts.back_up,
        "backup: write",
    )
    yield WindowCommand(
        "newer-version",
        lambda: tr("Look for a newer version of Partner"),
        acts.look_for_update,
        "updates: check last",
    )


def _of_looks(window: MainWindow) -> Iterator[WindowCommand]:
    theme, language = window.theme, window.language
    for choice, words in (
        (ThemeChoice.LIGHT, lambda: tr("Theme: light")),
        (ThemeChoice.DARK, lambda: tr("Theme: dark")),
        (ThemeChoice.SYSTEM, lambda: tr("Theme: as the system")),
    ):
        yield WindowCommand(f"theme-{choice.value}", words, partial(theme.choose, choice))
    for spoken, words in (
        (LanguageChoice.ENGLISH, lambda: "Language: English"),
        (LanguageChoice.CHINESE, lambda: "语言：简体中文"),
        (LanguageChoice.SYSTEM, lambda: tr("Language: as the system")),
    ):
        yield WindowCommand(f"language-{spoken.value}", words, partial(language.choose, spoken))
    yield WindowCommand("appearance", lambda: tr("Theme, text size and language"), window.open_appearance)
