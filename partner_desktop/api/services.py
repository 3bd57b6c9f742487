"""Services: the whole of what can be asked of a Partner, and heard of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cached_property

from partner_desktop.api.ability_service import AbilityService
from partner_desktop.api.action_service import ActionService
from partner_desktop.api.attachment_service import AttachmentService
from partner_desktop.api.backup_service import BackupService
from partner_desktop.api.check_service import CheckService
from partner_desktop.api.conversation_service import ConversationService
from partner_desktop.api.download_service import DownloadService
from partner_desktop.api.entity_service import EntityService
from partner_desktop.api.event_service import Deliver, EventService
from partner_desktop.api.familiar_service import FamiliarService
from partner_desktop.api.find_service import FindService
from partner_desktop.api.memory_service import ForgettingService, MemoryService
from partner_desktop.api.message_service import MessageService
from partner_desktop.api.model_service import ModelService
from partner_desktop.api.operations import Operations
from partner_desktop.api.permission_service import PermissionService
from partner_desktop.api.plan_service import PlanService
from partner_desktop.api.schedule_service import ScheduleService
from partner_desktop.api.server_service import ServerService
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.center import ConfigCenter
from partner_desktop.context.snapshots import SnapshotStore
from partner_desktop.domain.events import Event
from partner_desktop.domain.window_request import JUST_RAISED, WindowRequest
from partner_desktop.model.usage import UsageBook
from partner_desktop.permission.audit_reader import AuditReader
from partner_desktop.runner.sessions.manager import CommandSessions
from partner_desktop.runtime.conversations.draft_store import DraftStore
from partner_desktop.runtime.update_check import UpdateCheck


@dataclass(kw_only=True, eq=False)
class Services(ABC):
    """`app.Partner` is one. Everything is called on its loop; what fails raises PartnerError.

    A new service is a line here; its operations are those of its methods that bear the mark.
    """

    abilities: AbilityService
    actions: ActionService
    attachments: AttachmentService
    audit: AuditReader
    backup: BackupService
    checks: CheckService
    commands: CommandSessions
    config: ConfigCenter
    context: SnapshotStore
    conversations: ConversationService
    downloads: DownloadService
    drafts: DraftStore
    entities: EntityService
    events: EventService
    familiar: FamiliarService
    finds: FindService
    forgetting: ForgettingService
    memory: MemoryService
    messages: MessageService
    models: ModelService
    permissions: PermissionService
    plans: PlanService
    schedules: ScheduleService
    servers: ServerService
    updates: UpdateCheck
    usage: UsageBook

    @cached_property
    def operations(self) -> Operations:
        """Every operation by its name, as `models.load`; made when somebody asks by name."""
        return Operations({one.name: getattr(self, one.name) for one in fields(Services)})

    def subscribe(self, deliver: Deliver) -> Callable[[], None]:
        """Get every event from now on; see `EventService.subscribe`."""
        return self.events.subscribe(deliver)

    @abstractmethod
    def start_notices(self) -> Sequence[Event]:
        """What the start had to say, for whoever shows it: once, beside its own subscription."""

    @abstractmethod
    async def settled(self) -> None:
        """Wait until no turn and no run goes on."""

    @abstractmethod
    def raise_window(self, request: WindowRequest = JUST_RAISED) -> bool:
        """Bring this process's window to the front, if it has one, and have it show what is asked for."""

    @abstractmethod
    def on_window_wanted(self, tell: Callable[[], None]) -> None:
        """Set who is told that a window waits for this process to let the home go."""
