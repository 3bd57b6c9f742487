"""The keys of the window, in one list."""

from __future__ import annotations

from partner_desktop.desktop.keys import PALETTE_KEYS, Group, Shortcut
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import tr


def groups(window: MainWindow) -> tuple[Group, ...]:
    """All keys of `window`."""
    return (
        Group(lambda: tr("Chat"), _chat(window)),
        Group(lambda: tr("Conversations"), _conversations()),
        Group(lambda: tr("Lists"), _lists()),
        Group(lambda: tr("Window"), _window(window)),
    )


def _chat(window: MainWindow) -> tuple[Shortcut, ...]:
    return (
        Shortcut(("Return",), lambda: tr("Send the message")),
        Shortcut(("Shift+Return",), lambda: tr("New line")),
        Shortcut(("Up",), lambda: tr("At the beginning of the message: what you said before")),
        Shortcut(("/",), lambda: tr("At the beginning of the message: abilities and commands")),
        Shortcut(("@",), lambda: tr("Name a file or a conversation")),
        Shortcut(("Ctrl+L",), lambda: tr("Go to the message"), window.page.composer.edit.setFocus),
        Shortcut(("Alt+Up",), lambda: tr("Go to the message before"), lambda: window.page.go_to_message(-1)),
        Shortcut(("Alt+Down",), lambda: tr("Go to the message after"), lambda: window.page.go_to_message(1)),
        Shortcut(("Esc",), lambda: tr("Stop what runs, or go back"), window.escape),
        Shortcut(("Ctrl+N",), lambda: tr("New chat"), window.sidebar.new_pressed.emit),
        Shortcut(("Ctrl+F",), lambda: tr("Search in all conversations"), window.focus_search),
        Shortcut(("Ctrl+G",), lambda: tr("Go to a day of this conversation"), window.day_wanted.emit),
        Shortcut(("Alt+Home",), lambda: tr("Go to the beginning"), window.beginning_wanted.emit),
        Shortcut(("Alt+End",), lambda: tr("Go to the end"), window.page.feed.go_to_end),
        Shortcut(("Ctrl+Z",), lambda: tr("Take back the newest"), window.page.toasts.undo_newest),
    )


def _conversations() -> tuple[Shortcut, ...]:
    return (
        Shortcut(("F2",), lambda: tr("Rename the conversation in the list")),
        Shortcut(("Del",), lambda: tr("Delete the conversation in the list, or all that are selected")),
        Shortcut(("Ctrl+D",), lambda: tr("Pin it, or unpin it")),
        Shortcut(("Ctrl+E",), lambda: tr("Archive it, or bring it back")),
        Shortcut(("Ctrl+U",), lambda: tr("Mark it as unread, or as read")),
        Shortcut(("Shift+Down",), lambda: tr("Select several; Shift or Ctrl and a click do it too")),
        Shortcut(("Ctrl+Space",), lambda: tr("Select one more, or one less")),
        Shortcut(("Ctrl+A",), lambda: tr("Select all of them")),
        Shortcut(("Shift+F10",), lambda: tr("Show all that can be done with them")),
    )


def _lists() -> tuple[Shortcut, ...]:
    return (
        Shortcut(("Space",), lambda: tr("Switch a row on or off")),
        Shortcut(("Right",), lambda: tr("Show what is in a row")),
        Shortcut(("Left",), lambda: tr("Fold a row, or go to the one above it")),
    )


def _window(window: MainWindow) -> tuple[Shortcut, ...]:
    zoom = window.theme.zoom_by
    return (
        Shortcut(
            PALETTE_KEYS,
            lambda: tr("Find any command, ability, setting or memory"),
            window.palette_wanted.emit,
        ),
        Shortcut(("Ctrl+1",), lambda: tr("Show actions"), lambda: window.show_tab(0)),
        Shortcut(("Ctrl+2",), lambda: tr("Show abilities"), lambda: window.show_tab(1)),
        Shortcut(("Ctrl+3",), lambda: tr("Show the context of an answer"), lambda: window.show_tab(2)),
        Shortcut(("Ctrl+4",), lambda: tr("Show the memory"), lambda: window.show_tab(3)),
        Shortcut(("Ctrl+B",), lambda: tr("Fold the conversations"), window.columns.toggle_sidebar),
        Shortcut(("F9",), lambda: tr("Fold the panel"), window.columns.toggle_panel),
        Shortcut(("Ctrl++", "Ctrl+="), lambda: tr("Larger text"), lambda: zoom(1)),
        Shortcut(("Ctrl+-",), lambda: tr("Smaller text"), lambda: zoom(-1)),
        Shortcut(("Ctrl+0",), lambda: tr("Normal text size"), lambda: zoom(0)),
        Shortcut(("Ctrl+Shift+M",), lambda: tr("Show the models"), window.models_wanted.emit),
        Shortcut(("Ctrl+Shift+P",), lambda: tr("Show the permissions"), window.permissions_wanted.emit),
        Shortcut(("Ctrl+Shift+L",), lambda: tr("Show the audit log"), window.audit_wanted.emit),
        Shortcut(("Ctrl+,",), lambda: tr("Show all settings"), window.settings_wanted.emit),
        Shortcut(("F1", "Ctrl+/"), lambda: tr("Show these keys"), window.toggle_keys),
        Shortcut(("Ctrl+Q",), lambda: tr("Quit"), window.quit),
    )
