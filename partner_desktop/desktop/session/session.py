"""Between the window and Partner: what the person does goes down, what happens comes up.

Contract: made before Partner is there, so that typing works at once; `attach` brings them together; `close`
ends every task of the window and stops listening, and does not close Partner itself. All on the one loop.

What the window seldom needs, pages and their code, comes in when it is asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.errors import UsageError
from partner_desktop.desktop.chat.picture_tray import ChosenPicture
from partner_desktop.desktop.language import CHINESE
from partner_desktop.desktop.models.model_controller import ModelController
from partner_desktop.desktop.models.source_controller import SourceController
from partner_desktop.desktop.opener import open_folder
from partner_desktop.desktop.panel.abilities.ability_controller import AbilityController
from partner_desktop.desktop.panel.context.context_controller import ContextController
from partner_desktop.desktop.panel.panel import MEMORY_TAB
from partner_desktop.desktop.panel.schedules.schedule_controller import ScheduleController
from partner_desktop.desktop.panel.server.server_controller import ServerController
from partner_desktop.desktop.runs.decisions import Decisions
from partner_desktop.desktop.runs.pictures import Pictures, ask_about_link
from partner_desktop.desktop.runs.run_controller import RunController
from partner_desktop.desktop.session.dropped_files import Folder, add_files, ask_about_files
from partner_desktop.desktop.session.event_inbox import Inbox
from partner_desktop.desktop.session.examples import (
    KnownPaths,
    example_request,
    examples,
    look_for_paths,
    own_folders,
)
from partner_desktop.desktop.session.history import History, RolledMarks
from partner_desktop.desktop.session.import_controller import ImportController
from partner_desktop.desktop.session.outbox import Outbox, Place
from partner_desktop.desktop.session.reminder_controller import ReminderController
from partner_desktop.desktop.session.shown_pictures import ShownPictures
from partner_desktop.desktop.session.takes_controller import TakesController
from partner_desktop.desktop.settings.settings_controller import SettingsController
from partner_desktop.desktop.sidebar.conversation_controller import ConversationBook, ConversationController
from partner_desktop.desktop.sidebar.status_controller import StatusController
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.message import PLACE_SCHEME, ConversationHit, Message, read_place_address
from partner_desktop.domain.schedule import Schedule

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.audit.audit_controller import AuditController
    from partner_desktop.desktop.chat.day_sheet import DaySheet
    from partner_desktop.desktop.palette.palette_controller import PaletteController
    from partner_desktop.desktop.panel.memory.memory_controller import MemoryController
    from partner_desktop.desktop.panel.record.record_controller import RecordController
    from partner_desktop.desktop.permissions.permission_controller import PermissionController


class Session(Controller):
    """One window and one Partner."""

    def __init__(self, window: MainWindow, *, clock: Clock | None = None) -> None:
        super().__init__(window, Work(window.notices))
        self.window, self.work = window, self._work
        page = window.page
        self.outbox = Outbox(page.feed, page.composer, window.notices)
        self.decisions = Decisions(window, self.work)
        self.history = History(page.feed)
        self._clock = clock or SystemClock()
        self.book = ConversationBook(window.sidebar, self._clock)
        self.inbox = Inbox(window, self.work, self.outbox, self.decisions, self.book)
        self.conversations = ConversationController(
            window, self.work, self.book, open_place=self.open, is_open=self._is_open
        )
        self.imports = ImportController(window, self.work, open_place=self.open)
        self.status = StatusController(window, self.work)
        self.ability_controller = AbilityController(window, self.work, self._conversation)
        self.pictures = Pictures(window.page, self.work)
        self.shown_pictures = ShownPictures(window, self.work, self.pictures)
        self.servers = ServerController(window, self.work, self.pictures, self._clock)
        self.runs = RunController(window, self.work, self.pictures, self._show_action_by_id)
        self.schedules = ScheduleController(
            *(window, self.work, self._clock),
            show_end=self._show_end_of,
            show_record=lambda record: self.later.records.open(record),  # noqa: PLW0108 - made when asked for
        )
        self.reminders = ReminderController(window, self.work, self._clock, show_end=self._show_end_of)
        self.context_controller = ContextController(
            window, self.work, lambda: self.outbox.place.conversation_id
        )
        self.rolled = RolledMarks(window, self.work, lambda: self.outbox.place.conversation_id)
        self.settings = SettingsController(window, self.work)
        self.takes = TakesController(window, self.work, self.history, self.inbox, open_place=self.open)
        self.models = ModelController(window, self.work)
        self.sources = SourceController(window, self.work, self.models)
        self.later = LateControllers(
            window, self.work, self._make_records, self._make_memory, self._make_palette
        )
        self.models.parts.append(lambda _page: self.later.join_checks(self.models))
        self._listening = (
            *(self.decisions, self.ability_controller, self.status),
            *(
                self.context_controller,
                self.inbox,
                self.servers,
                self.runs,
                self.conversations,
                self.settings,
            ),
            *(self.takes, self.models, self.sources, self.imports, self.rolled, self.later),
            *(self.schedules, self.reminders, self.shown_pictures),
        )
        self._places: dict[str, Place] = {}
        self._warm = False
        self._known_paths = KnownPaths()
        self._connect()

    def _connect(self) -> None:
        window, page = self.window, self.window.page
        page.composer.submitted.connect(lambda text: self._submit(text, page.composer.pictures.take()))
        page.composer.edit.textChanged.connect(self._warm_up)
        page.composer.stop_pressed.connect(self._stop)
        page.answers.answered.connect(self._submit)
        page.feed.older_wanted.connect(self._older)
        window.day_wanted.connect(lambda: self._request("days", self._ask_for_day))
        window.beginning_wanted.connect(lambda: self._go_to(0))
        page.feed.newer_wanted.connect(lambda: self._request("newer messages", self._add_newer))
        page.feed.latest_wanted.connect(self._latest)
        page.feed.link_clicked.connect(self._follow_link)
        page.welcome.example_chosen.connect(self._suggest)
        window.files_dropped.connect(self._ask_about_files)
        window.sidebar.new_pressed.connect(lambda: self.open(""))
        window.sidebar.conversation_chosen.connect(self.open)
        window.sidebar.results.hit_chosen.connect(self._show_hit)
        page.header.title_changed.connect(
            lambda title: self.conversations.rename(self.outbox.place.conversation_id, title)
        )
        panel = window.panel
        panel.actions_tab.action_chosen.connect(self._show_action)
        panel.actions_tab.record_wanted.connect(lambda record: self.later.records.open(record))  # noqa: PLW0108 - made when asked for
        panel.actions_tab.cancel_pressed.connect(self.decisions.cancel)
        panel.abilities_tab.ability_chosen.connect(self._suggest_ability)
        panel.abilities_tab.folder_pressed.connect(self._open_folder)
        panel.abilities_tab.changed.connect(self._abilities_changed)
        in_every_language(window, self._abilities_changed)

    async def attach(self, partner: Partner) -> None:
        """Partner has launched: show what is there, send what was typed meanwhile.

        Raises:
            PartnerError: What is there cannot be read.
        """
        self._partner = partner
        for part in self._listening:
            part.listen(partner)
        self.work.start("paths of examples", self._look_for_paths())
        for record in await partner.actions.list(limit=100):
            self.inbox.note_action(record)
        conversations = await partner.conversations.list()
        self.book.add(conversations)
        typed = bool(self.outbox.letters) or bool(self.window.page.composer.text.strip())
        if conversations and not typed:
            self.open(conversations[0].id)
        else:
            self._send()
        self.sources.begin_first_run()

    async def close(self) -> None:
        """Stop listening and end what the window still does."""
        for part in self._listening:
            part.ignore()
        await self.work.close()
        self.shown_pictures.close()

    def open(self, conversation_id: str) -> None:
        """Show a conversation; empty for a new chat."""
        page = self.window.page
        before = self.outbox.place
        if conversation_id and before.conversation_id == conversation_id:
            return
        before.draft, before.pictures = page.composer.text, page.composer.pictures.pictures
        place = self._place(conversation_id)
        self.outbox.place = place
        self.context_controller.open()
        self.history.forget()
        page.feed.clear()
        page.composer.set_text(place.draft)
        page.composer.pictures.put(place.pictures)
        self.inbox.show_place()
        self.window.columns.uncover()
        page.composer.edit.setFocus()
        if conversation_id and self._partner is not None:
            page.show_feed()
            self.work.start(f"open {conversation_id}", self._fill(self._partner, place))
        else:
            page.show_welcome()

    async def _fill(self, partner: Partner, place: Place) -> None:
        count = await self.history.open(partner, place.conversation_id)
        if self.outbox.place is not place:
            return
        self.inbox.show_live()
        self.outbox.show_pending()
        self.takes.refresh()
        self.rolled.refresh()
        if not count and not self.window.page.feed.entries:
            self.window.page.show_welcome()

    def _place(self, conversation_id: str) -> Place:
        if not conversation_id:
            return Place()
        place = self._places.get(conversation_id)
        known = self.outbox.place
        if place is None:
            place = known if known.conversation_id == conversation_id else Place(conversation_id)
            self._places[conversation_id] = place
        return place

    def _warm_up(self) -> None:
        """With the first letters of the first message."""
        if self._partner is not None and not self._warm and self.window.page.composer.text.strip():
            self._warm = True
            conversation_id = self.outbox.place.conversation_id
            self._request("warm up", lambda partner: partner.warm_up(conversation_id))

    def _latest(self) -> None:
        """The feed shows an old stretch: go back to the end."""
        if self._partner is not None:
            self.window.page.feed.clear()
            self.work.start("latest messages", self._fill(self._partner, self.outbox.place))

    def _submit(self, text: str, pictures: Sequence[ChosenPicture] = ()) -> None:
        if self.window.page.feed.detached:
            self._latest()
        self.window.page.show_feed()
        self.outbox.put(text, pictures)
        self._send()

    def _send(self) -> None:
        self._request("send", self._send_all)

    async def _send_all(self, partner: Partner) -> None:
        await self.outbox.send_all(partner)
        place = self.outbox.place
        if place.conversation_id:
            self._places.setdefault(place.conversation_id, place)
        self.inbox.show_place()
        if not self.window.page.feed.entries:
            self.window.page.show_welcome()

    async def _conversation(self, partner: Partner) -> str:
        """The open conversation; a new chat becomes one."""
        place = self.outbox.place
        if not place.conversation_id:
            place.conversation_id = (await partner.conversations.create()).id
        self._places.setdefault(place.conversation_id, place)
        if self.outbox.place is place:
            self.window.page.show_feed()
            self.inbox.show_place()
        return place.conversation_id

    def _stop(self) -> None:
        conversation_id = self.outbox.place.conversation_id
        if conversation_id:
            self._request("stop", lambda partner: partner.conversations.stop(conversation_id))

    def _older(self) -> None:
        self._request("older messages", self.history.older)

    def _go_to(self, position: int) -> None:
        self._request("go to a place", lambda partner: self.history.go_to(partner, position))

    async def _ask_for_day(self, partner: Partner) -> None:
        conversation_id = self.outbox.place.conversation_id
        days = await partner.messages.days(conversation_id) if conversation_id else ()
        if self._is_open(conversation_id):
            self._day_sheet.open_with(days, self.window.page.feed.shown_day)

    @cached_property
    def _day_sheet(self) -> DaySheet:
        from partner_desktop.desktop.chat.day_sheet import DaySheet  # noqa: PLC0415 - seldom needed

        sheet = DaySheet(self.window.theme, self.window)
        self.window.add_sheet(sheet)
        sheet.chosen.connect(self._go_to)
        return sheet

    async def _add_newer(self, partner: Partner) -> None:
        if await self.history.newer(partner):
            self.inbox.show_live()
            self.outbox.show_pending()
            self.takes.refresh()

    def _show_action(self, record: ActionRecord) -> None:
        if self._partner is not None:
            self.window.page.close_aside()
            self.open(record.conversation_id)
            self._request("show action", lambda partner: self._reach(partner, record))

    def _show_action_by_id(self, action_id: str) -> None:
        record = self.decisions.known(action_id)
        if record is not None:
            self._show_action(record)

    def _make_records(self) -> RecordController:
        from partner_desktop.desktop.panel.record.record_controller import RecordController  # noqa: PLC0415 - with the first that is read

        return RecordController(
            *(self.window, self.work, self.pictures, self._clock),
            show=self._show_action,
            show_end=self._show_end,
        )

    def _make_memory(self) -> MemoryController:
        from partner_desktop.desktop.panel.memory.memory_controller import MemoryController  # noqa: PLC0415 - with the first look at it

        return MemoryController(
            self.window, self.work, show_place=self._show_place, bring_in=self.imports.ask_for_file
        )

    def _make_palette(self) -> PaletteController:
        from partner_desktop.desktop.palette.palette_controller import PaletteController, Places  # noqa: PLC0415 - with the first look

        places = Places(
            conversation=self.open,
            message=self._show_place,
            ability=self._suggest_ability,
            setting=lambda field: self.settings.look_for(field.told.title),
            schedule=self._show_schedule,
            open_id=lambda: self.outbox.place.conversation_id,
            export=self.conversations.ask_where_to_export,
            bring_in=self.imports.ask_for_file,
            add_model=self.models.ask_for_file,
            add_server_model=self.models.open_form,
            use_model=self.models.use,
        )
        return PaletteController(self.window, self.work, self.window.key_groups, places)

    def _show_schedule(self, schedule: Schedule) -> None:
        self.window.show_tab(0)
        self.schedules.open(schedule)

    def _show_end(self, record: ActionRecord) -> None:
        """The end of its conversation, where it was proposed anew."""
        self._show_end_of(record.conversation_id)

    def _show_end_of(self, conversation_id: str) -> None:
        self.window.page.close_aside()
        self.open(conversation_id)
        self.window.columns.uncover()
        self.window.page.feed.follow.follow()

    async def _reach(self, partner: Partner, record: ActionRecord) -> None:
        await self.history.reach(partner, lambda: self.window.page.feed.card(record.id) is not None)
        self.window.columns.uncover()
        if not self.window.page.feed.show_card(record.id):
            # A question in words has no card yet: it is answered at the end of the chat.
            self.window.page.feed.follow.follow()
            self.window.page.composer.edit.setFocus()

    def _is_open(self, conversation_id: str) -> bool:
        return bool(conversation_id) and self.outbox.place.conversation_id == conversation_id

    def _show_hit(self, hit: ConversationHit) -> None:
        """What was found, in its conversation."""
        self._show_place(hit.conversation.id, hit.message_id, hit.position)

    def _follow_link(self, address: str) -> None:
        """A link in the chat: a place in it is shown at once, everything else is asked about."""
        place = read_place_address(address)
        if place is not None:
            self._request("find place", lambda partner: self._find_place(partner, *place))
        elif address.lower().startswith(PLACE_SCHEME):
            self.window.notices.fault(lambda: tr("This link leads to no message of a conversation."))
        else:
            ask_about_link(self.window.page, address)

    async def _find_place(self, partner: Partner, message_id: str, conversation_id: str) -> None:
        found: Message | None = None
        with suppress(UsageError):
            found = await partner.messages.get(message_id)
        if found is not None and found.conversation_id == conversation_id:
            self._show_place(conversation_id, message_id, found.position)
        else:
            self.window.notices.fault(_gone)

    def _show_place(self, conversation_id: str, message_id: str, position: int) -> None:
        self.open(conversation_id)
        self.window.columns.uncover()
        if message_id:
            self._request(
                "show message",
                lambda partner: self._reach_message(partner, conversation_id, message_id, position),
            )

    async def _reach_message(
        self, partner: Partner, conversation_id: str, message_id: str, position: int
    ) -> None:
        feed = self.window.page.feed
        # Another conversation may be opened meanwhile: nothing is looked for in that one.
        over = lambda: not self._is_open(conversation_id) or feed.has(message_id)  # noqa: E731 - asked for again
        await self.history.reach(partner, over, position=position)
        if feed.has(message_id):
            feed.show_message(message_id)
        elif self._is_open(conversation_id):
            self.window.notices.fault(_gone)

    def _suggest(self, text: str) -> None:
        self.window.page.composer.set_text(text)
        self.window.columns.uncover()
        self.window.page.composer.edit.setFocus()

    def _suggest_ability(self, ability: Ability) -> None:
        if ability.info is not None:
            self._suggest(example_request(ability.info, chinese=self._chinese, known=self._known_paths))

    @property
    def _chinese(self) -> bool:
        return self.window.language.name == CHINESE

    def _abilities_changed(self) -> None:
        known = self.window.panel.abilities_tab.abilities
        self._show_examples()
        self.status.count(known, self.window.panel.abilities_tab.servers)
        self.inbox.show_answers()

    def _show_examples(self) -> None:
        known = self.window.panel.abilities_tab.abilities
        requests = examples(known, chinese=self._chinese, known=self._known_paths)
        self.window.page.welcome.show_examples(requests)

    async def _look_for_paths(self) -> None:
        self._known_paths = await asyncio.to_thread(look_for_paths, own_folders())
        self._show_examples()

    def _ask_about_files(self, files: Sequence[Path]) -> None:
        others = self.shown_pictures.take_files(files)
        if not others:
            return
        ask_about_files(
            self.window.page,
            others,
            self._add_files,
            take_in=self.imports.take_in,
            add_servers=self.servers.add_files,
            add_models=self.models.add_files,
        )

    def _add_files(self, files: Sequence[Path], folder: Folder) -> None:
        notices = self.window.notices
        self._request("add script", lambda partner: add_files(partner, notices, files, folder))

    def _open_folder(self) -> None:
        if self._partner is not None:
            open_folder(self._partner.action_dir)


def _gone() -> str:
    return tr("This message is not there any more: it or its conversation was deleted, or said anew.")


D = TypeVar("D", bound=Controller)


class LateControllers(Controller):
    """One window's; there may be no Partner yet."""

    def __init__(
        self,
        window: MainWindow,
        work: Work,
        make_records: Callable[[], RecordController],
        make_memory: Callable[[], MemoryController],
        make_palette: Callable[[], PaletteController],
    ) -> None:
        super().__init__(window, work)
        self._make_records = make_records
        self._make_memory = make_memory
        self._make_palette = make_palette
        self._made: list[Controller] = []
        window.permissions_wanted.connect(lambda: self.permissions.toggle())  # noqa: PLW0108 - made when asked for
        window.panel.tab_shown.connect(lambda number: self.memory if number == MEMORY_TAB else None)
        window.palette_wanted.connect(lambda: self.palette.toggle())  # noqa: PLW0108 - made when asked for
        window.audit_wanted.connect(lambda: self.audit.toggle())  # noqa: PLW0108 - made when asked for

    @cached_property
    def permissions(self) -> PermissionController:
        """Of the page of permissions."""
        from partner_desktop.desktop.permissions.permission_controller import PermissionController  # noqa: PLC0415

        return self._joined(PermissionController(self._window, self._work))

    @cached_property
    def audit(self) -> AuditController:
        """Of the page of the audit log."""
        from partner_desktop.desktop.audit.audit_controller import AuditController  # noqa: PLC0415

        return self._joined(AuditController(self._window, self._work))

    @cached_property
    def records(self) -> RecordController:
        """Of the page of one run."""
        return self._joined(self._make_records())

    @cached_property
    def memory(self) -> MemoryController:
        """Of the Memory tab."""
        return self._joined(self._make_memory())

    @cached_property
    def palette(self) -> PaletteController:
        """Of the palette."""
        return self._joined(self._make_palette())

    def join_checks(self, models: ModelController) -> None:
        """The page of models was made: its self-tests are listened to from now on."""
        from partner_desktop.desktop.models.check_controller import CheckController  # noqa: PLC0415

        self._joined(CheckController(self._window, self._work, models))

    def _joined(self, controller: D) -> D:
        self._made.append(controller)
        if self._partner is not None:
            controller.listen(self._partner)
        return controller

    def _begin(self, partner: Partner) -> None:
        for controller in self._made:
            controller.listen(partner)

    def ignore(self) -> None:
        """Take nothing more."""
        super().ignore()
        for controller in self._made:
            controller.ignore()
