"""Between the window and Partner: what the person does goes down, what happens comes up.

Contract: made before Partner is there, so that typing works at once; `attach` brings them together; `close`
ends every task of the window and stops listening, and does not close Partner itself. All on the one loop.

What the window seldom needs, pages and their code, comes in when it is asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.language import CHINESE
from partner_desktop.desktop.models.model_controller import ModelController
from partner_desktop.desktop.models.source_controller import SourceController
from partner_desktop.desktop.opener import open_folder
from partner_desktop.desktop.operations.schedule_verbs import pause_all_schedules
from partner_desktop.desktop.panel.abilities.ability_controller import AbilityController
from partner_desktop.desktop.panel.context.context_controller import ContextController
from partner_desktop.desktop.panel.panel import MEMORY_TAB
from partner_desktop.desktop.panel.schedules.schedule_controller import ScheduleController
from partner_desktop.desktop.panel.server.server_controller import ServerController
from partner_desktop.desktop.runs.run_controller import RunController
from partner_desktop.desktop.session.attachment_controller import AttachmentController
from partner_desktop.desktop.session.chat_controller import ChatController
from partner_desktop.desktop.session.completion_controller import CompletionController
from partner_desktop.desktop.session.dropped_files import Folder, add_files, ask_about_files, may_be_more
from partner_desktop.desktop.session.examples import (
    KnownPaths,
    example_request,
    examples,
    look_for_paths,
    own_folders,
)
from partner_desktop.desktop.session.history import RolledMarks
from partner_desktop.desktop.session.import_controller import ImportController
from partner_desktop.desktop.session.places import Places
from partner_desktop.desktop.session.reminder_controller import ReminderController
from partner_desktop.desktop.session.spell_controller import SpellController
from partner_desktop.desktop.session.takes_controller import TakesController
from partner_desktop.desktop.settings.settings_controller import SettingsController
from partner_desktop.desktop.sidebar.conversation_controller import ConversationController
from partner_desktop.desktop.sidebar.status_controller import StatusController
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.events import ConfigEvent, Event

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.audit.audit_controller import AuditController
    from partner_desktop.desktop.palette.palette_controller import PaletteController
    from partner_desktop.desktop.panel.memory.memory_controller import MemoryController
    from partner_desktop.desktop.permissions.permission_controller import PermissionController
    from partner_desktop.desktop.quick.quick_controller import QuickController
    from partner_desktop.domain.schedule import Schedule
    from partner_desktop.domain.window_request import WindowRequest


class Session(Controller):
    """One window and one Partner."""

    def __init__(self, window: MainWindow, *, clock: Clock | None = None) -> None:
        context = WindowContext(window, clock)
        super().__init__(context)
        self.window, self.work, self.store = window, context.work, context.store
        self.places = Places(context)
        self.outbox = self.places.outbox
        self.runs = RunController(context)
        self.abilities = AbilityController(context)
        self.status = StatusController(context)
        self.context_controller = ContextController(context)
        self.chat = ChatController(context, self.outbox)
        self.servers = ServerController(context)
        self.conversations = ConversationController(context)
        self.settings = SettingsController(context)
        self.takes = TakesController(context, self.places.history, self.chat)
        self.models = ModelController(context)
        self.sources = SourceController(context, self.models)
        self.imports = ImportController(context)
        self.rolled = RolledMarks(context)
        self.schedules = ScheduleController(context)
        self.reminders = ReminderController(context)
        self.attachments = AttachmentController(context)
        self.completions = CompletionController(
            context,
            say=self._suggest_ability,
            commands=lambda: self.palette.commands(),  # noqa: PLW0108 - made when asked for
        )
        self.spelling = SpellController(context)
        self._known_paths = KnownPaths()
        self._shortcut: asyncio.Task[None] | None = None
        self._attached = False
        self._requests: list[WindowRequest] = []
        self._connect()

    def _connect(self) -> None:
        window, tab = self.window, self.window.panel.abilities_tab
        window.page.welcome.example_chosen.connect(self._suggest)
        window.files_dropped.connect(self._take_files)
        window.page.composer.files_pasted.connect(self.attachments.attach)
        window.permissions_wanted.connect(lambda: self.permissions.toggle())  # noqa: PLW0108 - made when asked for
        window.palette_wanted.connect(lambda: self.palette.toggle())  # noqa: PLW0108 - made when asked for
        window.quick_wanted.connect(lambda: self.quick.toggle())  # noqa: PLW0108 - made when asked for
        window.quick_keys_chosen.connect(self._listen_for_keys)
        window.pause_chosen.connect(partial(pause_all_schedules, self._context))
        window.audit_wanted.connect(lambda: self.audit.toggle())  # noqa: PLW0108 - made when asked for
        window.panel.tab_shown.connect(lambda number: self.memory if number == MEMORY_TAB else None)
        tab.ability_chosen.connect(self._suggest_ability)
        tab.folder_pressed.connect(self._open_folder)
        tab.changed.connect(self._abilities_changed)
        in_every_language(window, self._abilities_changed)

    async def attach(self, partner: Partner) -> None:
        """Partner has launched: show what is there, send what was typed meanwhile.

        Raises:
            PartnerError: What is there cannot be read.
        """
        self.store.begin(partner)
        self._request("paths of examples", lambda _partner: self._look_for_paths())
        await self.store.read()
        if self.window.quick_keys:
            self._listen_for_keys(self.window.quick_keys, tells=False)
        self._show_paused()
        await self.places.open_first(partner)
        self.sources.begin_first_run()
        self._attached = True
        for request in self._requests:
            self._open_all(request)

    def open(self, conversation_id: str) -> None:
        """Show a conversation; empty for a new chat."""
        self.places.open(conversation_id)

    async def close(self) -> None:
        """Stop listening and end what the window still does."""
        partner = self.store.partner
        self.store.end()
        self.window.tray.close()
        if partner is not None:
            await self.places.drafts.close(partner)
        await self.work.close()
        await self.spelling.close()
        self.attachments.close()
        if "quick" in self.__dict__:
            self.quick.close()

    # What is asked for from outside.

    def show_request(self, request: WindowRequest) -> bool:
        """Come to the front with files and places, or only open the small window.

        What needs Partner waits for it. False while the window closes: it shows nothing any more.
        """
        if self.window.closed:
            return False
        if request.quick:
            self.quick.open()
        else:
            self.window.raise_to_front()
        if self._attached:
            self._open_all(request)
        else:
            self._requests.append(request)
        return True

    def give_back_quick(self, sentence: str) -> None:
        """Partner does not come: what was asked in the small window can be asked again."""
        if "quick" in self.__dict__:
            self.quick.give_back(sentence)

    def _open_all(self, request: WindowRequest) -> None:
        if request.paths:
            self.window.page.close_aside()
            self._take_files([Path(path) for path in request.paths])
        for address in request.links:
            self.places.open_link(address)

    def _listen_for_keys(self, keys: str, *, tells: bool = True) -> None:
        if self._shortcut is not None:
            self._shortcut.cancel()
        self._shortcut = (
            self.work.begin("quick ask keys", self.quick.listen(keys, tells=tells)) if keys else None
        )

    def deliver(self, event: Event) -> None:
        if isinstance(event, ConfigEvent):
            self._show_paused()

    def _show_paused(self) -> None:
        self.window.show_paused(paused=self.store.all_paused)

    # What comes into being when it is asked for.

    @cached_property
    def permissions(self) -> PermissionController:
        from partner_desktop.desktop.permissions.permission_controller import PermissionController  # noqa: PLC0415

        return PermissionController(self._context)

    @cached_property
    def audit(self) -> AuditController:
        """Of the page of the audit log."""
        from partner_desktop.desktop.audit.audit_controller import AuditController  # noqa: PLC0415

        return AuditController(self._context)

    @cached_property
    def quick(self) -> QuickController:
        from partner_desktop.desktop.quick.quick_controller import QuickController  # noqa: PLC0415

        made = QuickController(self._context)
        made.catch_up()
        return made

    @cached_property
    def memory(self) -> MemoryController:
        from partner_desktop.desktop.panel.memory.memory_controller import MemoryController  # noqa: PLC0415

        made = MemoryController(self._context, bring_in=self.imports.ask_for_file)
        made.catch_up()
        return made

    @cached_property
    def palette(self) -> PaletteController:
        from partner_desktop.desktop.palette.palette_controller import PaletteController  # noqa: PLC0415
        from partner_desktop.desktop.palette.window_commands import ChoiceActs  # noqa: PLC0415

        acts = ChoiceActs(
            ability=self._suggest_ability,
            setting=lambda field: self.settings.look_for(field.told.title),
            schedule=self._show_schedule,
            export=self.conversations.ask_where_to_export,
            bring_in=self.imports.ask_for_file,
            add_model=self.models.ask_for_file,
            add_server_model=self.models.open_form,
            use_model=self.models.use,
        )
        return PaletteController(self._context, acts)

    def _show_schedule(self, schedule: Schedule) -> None:
        self.window.show_tab(0)
        self.schedules.open(schedule)

    # Abilities, and what is brought in from outside.

    def _suggest(self, text: str) -> None:
        self.window.page.composer.suggest(text)
        self.window.columns.uncover()
        self.window.page.composer.edit.setFocus()

    def _suggest_ability(self, ability: Ability) -> None:
        if ability.info is not None:
            self._suggest(example_request(ability.info, chinese=self._chinese, known=self._known_paths))

    @property
    def _chinese(self) -> bool:
        return self.window.language.name == CHINESE

    def _abilities_changed(self) -> None:
        self._show_examples()
        self.status.count()
        self.chat.show_answers()

    def _show_examples(self) -> None:
        known = self.store.abilities.values()
        requests = examples(known, chinese=self._chinese, known=self._known_paths)
        self.window.page.welcome.show_examples(requests)

    async def _look_for_paths(self) -> None:
        self._known_paths = await asyncio.to_thread(look_for_paths, own_folders())
        self._show_examples()

    def _take_files(self, files: Sequence[Path]) -> None:
        """What was dropped or chosen goes with the message; what could be something else is asked about."""
        others = self.attachments.show(files)
        if others:
            self.work.start("look at files", self._sort_files(others))

    async def _sort_files(self, files: Sequence[Path]) -> None:
        doubtful = await asyncio.to_thread(lambda: [file for file in files if may_be_more(file)])
        if attached := [file for file in files if file not in doubtful]:
            self.attachments.attach(attached)
        if doubtful:
            ask_about_files(
                self.window.page,
                doubtful,
                self._add_files,
                attach=self.attachments.attach,
                take_in=self.imports.take_in,
                add_servers=self.servers.add_files,
                add_models=self.models.add_files,
            )

    def _add_files(self, files: Sequence[Path], folder: Folder) -> None:
        notices = self.window.notices
        self._request("add script", lambda partner: add_files(partner, notices, files, folder))

    def _open_folder(self) -> None:
        if self.store.action_dir is not None:
            open_folder(self.store.action_dir)
