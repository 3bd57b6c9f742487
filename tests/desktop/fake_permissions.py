"""What a scripted Partner says about what may run."""

from __future__ import annotations

from partner_desktop.domain.permission import Mode, Permissions, Rule


class FakePermissions:
    """`FakePartner` inherits it; what was asked stands in its `asked`."""

    asked: list[tuple[object, ...]]
    known_permissions: Permissions = Permissions(Mode.SMART)

    async def permissions(self) -> Permissions:
        return self.known_permissions

    async def set_mode(self, mode: Mode) -> None:
        self.asked.append(("set_mode", mode))

    async def save_rule(self, rule: Rule, *, place: int | None = None) -> None:
        self.asked.append(("save_rule", rule, place))

    async def remove_rule(self, place: int) -> None:
        self.asked.append(("remove_rule", place))

    async def revoke_grant(self, grant_id: str) -> None:
        self.asked.append(("revoke_grant", grant_id))
