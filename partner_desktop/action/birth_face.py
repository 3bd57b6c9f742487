"""The part of the app's public face that is about abilities that are born, tried and brought back."""

from __future__ import annotations

from partner_desktop.action.ability_keeper import AbilityKeeper
from partner_desktop.action.birth.trial import Trials
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import RunnerResponse


class BirthFace:
    """Whoever inherits builds the parts."""

    _keeper: AbilityKeeper
    _trials: Trials

    async def try_out(self, action_id: str, *, params: JsonObject | None = None) -> RunnerResponse:
        """Run the script of a waiting card in the sandbox, without network, path or consequence.

        Of a card that proposes a new ability it is the proposed source, without arguments; else the ability's
        own. `params`: what stands on the card by now.

        Raises:
            UsageError: The card no longer waits, there is no script to try, or no sandbox to try it in.
        """
        return await self._trials.try_out(action_id, params)

    async def restore_ability(self, key: str) -> str:
        """Bring back an ability that was removed since Partner started; its key. It asks again.

        Raises:
            UsageError: It was not removed here, or it is in the trash no more.
        """
        return await self._keeper.restore(key)
