"""Holdings: all live blocks of a home, found by scope, key and turn; bounded, whatever is registered."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from partner_desktop.context.live import Key, LiveBlock

#: Blocks of one name, source and scope that may live at the same time; what a turn itself brought about is
#: not counted, it ends with the turn.
HISTORY_LIMIT = 16
#: Housekeeping blocks of one name and scope that may live at the same time, whatever their sources.
HOUSEKEEPING_LIMIT = 16


class Holdings:
    """Adding and removing cost the same however many blocks there are."""

    def __init__(self) -> None:
        self._scopes: dict[str, dict[Key, list[LiveBlock]]] = {}
        self._turns: dict[str, list[LiveBlock]] = {}
        self._housekeeping: dict[tuple[str, str], deque[LiveBlock]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def scope(self, scope: str) -> Iterator[LiveBlock]:
        """The blocks of one scope."""
        for history in self._scopes.get(scope, {}).values():
            yield from history

    def all(self) -> Iterator[LiveBlock]:
        """Every block."""
        for scope in self._scopes:
            yield from self.scope(scope)

    def history(self, key: Key) -> list[LiveBlock]:
        """The blocks of one key, oldest first."""
        return list(self._scopes.get(key[2], {}).get(key, ()))

    def add(self, live: LiveBlock) -> list[LiveBlock]:
        """Take a block in; the ones that had to make room for it."""
        block = live.block
        history = self._scopes.setdefault(block.scope, {}).setdefault(live.key, [])
        history.append(live)
        self._count += 1
        if block.turn_id:
            self._turns.setdefault(block.turn_id, []).append(live)
        standing = [one for one in history if not one.block.turn_id]
        gone = standing[:-HISTORY_LIMIT] if len(standing) > HISTORY_LIMIT else []
        if block.housekeeping:
            gone = [*gone, *self._crowded_out(live)]
        self.remove(gone)
        return gone

    def _crowded_out(self, live: LiveBlock) -> list[LiveBlock]:
        kept = self._housekeeping.setdefault((live.block.scope, live.block.name), deque())
        kept.append(live)
        while not kept[0].alive:
            kept.popleft()
        return [kept.popleft()] if len(kept) > HOUSEKEEPING_LIMIT else []

    def remove(self, blocks: Iterable[LiveBlock]) -> None:
        """Let blocks go; those that are gone already are left alone."""
        for live in blocks:
            if not live.alive:
                continue
            live.alive = False
            self._count -= 1
            keys = self._scopes[live.block.scope]
            keys[live.key].remove(live)
            if not keys[live.key]:
                del keys[live.key]
            if not keys:
                del self._scopes[live.block.scope]

    def of_turn(self, turn_id: str) -> list[LiveBlock]:
        """What a turn brought about, for the last time: it is no longer known by its turn."""
        return self._turns.pop(turn_id, [])
