"""The part of the app's public face that is about what may run; `app.Partner` inherits it."""

from __future__ import annotations

from partner_desktop.action.permission_desk import PermissionDesk
from partner_desktop.domain.permission import Mode, Permissions, Rule


class PermissionFace:
    """Whoever inherits builds the parts."""

    _permissions: PermissionDesk

    async def permissions(self) -> Permissions:
        """What is in force now."""
        return await self._permissions.now()

    async def set_mode(self, mode: Mode) -> None:
        """Let more or less run without a question; written into `config/permission.toml`.

        Raises:
            UsageError: The file cannot be changed; the sentence says why.
        """
        await self._permissions.set_mode(mode)

    async def save_rule(self, rule: Rule, *, place: int | None = None) -> None:
        """Write a rule into the file: a new one behind the others, or in the place of one that stands there.

        Raises:
            UsageError: It is not one that can hold, or the file cannot be changed; the sentence says why.
        """
        await self._permissions.save_rule(rule, place=place)

    async def remove_rule(self, place: int) -> None:
        """Take a rule out of the file; `place` counts from 0.

        Raises:
            UsageError: There is none, or the file cannot be changed.
        """
        await self._permissions.remove_rule(place)

    async def revoke_grant(self, grant_id: str) -> None:
        """Take a yes back: it asks again from now on. What runs at this moment goes on.

        Raises:
            UsageError: There is none, or it was taken back already.
        """
        await self._permissions.revoke(grant_id)
