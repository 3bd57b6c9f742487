"""IntentTable: requests that are familiar, as rows: how often words were confirmed to mean an ability.

Contract: everything here runs on the database's thread, within the transaction of whoever calls. The words
of a request stand in `intent_words` only, so that a request goes with the last of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.familiar_request import FamiliarRequest
from partner_desktop.storage.database import Connection, Row

if TYPE_CHECKING:  # it reads words: a start does without
    from partner_desktop.language.request_wording import RequestWording

#: Passes in a row from which on a request is familiar.
FAMILIAR = 6
#: How like new words must be, at first and at most; what a refused hit adds, and what a request that was
#: meant although it was not like enough takes away; what is taken away when the words are gathered anew.
LEAST, MOST = 0.75, 0.95
_REFUSED, _PASSED, _REBUILT = 0.03, 0.02, 0.05
#: Words that are kept of a request, and requests in all: the one that was of use longest ago goes first.
_WORDS, _REQUESTS = 12, 200
#: Misses after which the words are gathered anew, and how often that is tried.
_MISSES, _STAGES = 3, 4


@dataclass(frozen=True)
class Intent:
    """One request, with its words, the latest first, each once."""

    id: str
    key: str
    content_hash: str
    stage: int
    threshold: float
    passes: int
    misses: int
    calls_saved: int
    saved_ms: float
    used_at: datetime
    words: tuple[RequestWording, ...]

    @property
    def active(self) -> bool:
        return self.passes >= FAMILIAR

    def likeness(self, said: RequestWording) -> float:
        """Of what is nearest to it."""
        return max((said.likeness(one) for one in self.words), default=0.0)

    def fits(self, said: RequestWording) -> bool:
        """Whether words are this request again."""
        return self.likeness(said) >= self.threshold and said.says_nothing_new(self.words)

    @property
    def told(self) -> FamiliarRequest:
        """The same as others see it."""
        return FamiliarRequest(
            self.id,
            self.key,
            self.words[0].text,
            self.passes,
            self.active,
            self.threshold,
            self.calls_saved,
            self.saved_ms,
            self.used_at,
        )


def intents(db: Connection) -> list[Intent]:
    """All of them, the one that was of use last first."""
    from partner_desktop.language.request_wording import wording  # noqa: PLC0415 - as above

    rows = db.execute("SELECT * FROM intents ORDER BY used_at DESC, id").fetchall()
    words: dict[str, list[RequestWording]] = {}
    each = "SELECT intent_id, words FROM intent_words GROUP BY intent_id, words ORDER BY max(number) DESC"
    for row in db.execute(each):
        words.setdefault(row["intent_id"], []).append(wording(row["words"]))
    return [_intent(row, words.get(row["id"], [])) for row in rows if row["id"] in words]


def _intent(row: Row, words: Sequence[RequestWording]) -> Intent:
    used_at = datetime.fromisoformat(row["used_at"])
    return Intent(**{**dict(row), "used_at": used_at}, words=tuple(words))


def learn(db: Connection, record: ActionRecord, said: RequestWording, now: datetime) -> None:
    """What was asked for in these words was what was meant."""
    if db.execute("SELECT 1 FROM intent_words WHERE action_id = ?", (record.id,)).fetchone() is not None:
        return
    known = intents(db)
    for other in known:
        if other.key != record.key and other.passes and other.fits(said):
            _miss(db, other)
    own = [one for one in known if (one.key, one.content_hash) == (record.key, record.content_hash)]
    drop(db, [one.id for one in known if one.key == record.key and one not in own])
    near = max(own, key=lambda one: one.likeness(said), default=None)
    if near is None or near.likeness(said) < LEAST:
        intent_id = _begin(db, record, now)
    else:
        intent_id = near.id
        far = near.active and near.likeness(said) < near.threshold
        threshold = max(LEAST, near.threshold - _PASSED) if far else near.threshold
        db.execute(
            "UPDATE intents SET passes = passes + 1, threshold = ?, used_at = ? WHERE id = ?",
            (threshold, now.isoformat(), intent_id),
        )
    db.execute(
        "INSERT INTO intent_words (intent_id, action_id, conversation_id, exchange_id, words) "
        "VALUES (?, ?, ?, ?, ?)",
        (intent_id, record.id, record.conversation_id, record.exchange_id, said.text),
    )
    _keep_words(db, intent_id, _WORDS)


def _begin(db: Connection, record: ActionRecord, now: datetime) -> str:
    intent_id = new_id()
    db.execute(
        "INSERT INTO intents (id, key, content_hash, threshold, passes, used_at) VALUES (?, ?, ?, ?, 1, ?)",
        (intent_id, record.key, record.content_hash, LEAST, now.isoformat()),
    )
    db.execute(
        "DELETE FROM intents WHERE id IN "
        "(SELECT id FROM intents WHERE id <> ? ORDER BY used_at DESC, id LIMIT -1 OFFSET ?)",
        (intent_id, _REQUESTS - 1),
    )
    return intent_id


def refuse(db: Connection, record: ActionRecord, said: RequestWording) -> None:
    """What was asked for in these words was not what was meant."""
    own = [one for one in intents(db) if one.key == record.key and one.likeness(said) >= LEAST]
    for one in own:
        _miss(db, one)


def unlearn(db: Connection, record: ActionRecord) -> None:
    """What was learnt from an action was a mistake; a second time nothing is left to take back."""
    row = db.execute("SELECT intent_id FROM intent_words WHERE action_id = ?", (record.id,)).fetchone()
    found = next((one for one in intents(db) if row is not None and one.id == row["intent_id"]), None)
    if found is not None:
        _miss(db, found)
        db.execute("DELETE FROM intent_words WHERE action_id = ?", (record.id,))


def _miss(db: Connection, intent: Intent) -> None:
    """It counts from nothing again, and is gathered anew when it happens too often."""
    threshold = min(MOST, intent.threshold + _REFUSED) if intent.active else intent.threshold
    stage, misses = intent.stage, intent.misses + 1
    if misses >= _MISSES:
        stage, misses, threshold = stage + 1, 0, max(LEAST, threshold - _REBUILT)
        _keep_words(db, intent.id, 1)
    if stage >= _STAGES:
        drop(db, [intent.id])
    else:
        db.execute(
            "UPDATE intents SET passes = 0, misses = ?, stage = ?, threshold = ? WHERE id = ?",
            (misses, stage, threshold, intent.id),
        )


def _keep_words(db: Connection, intent_id: str, most: int) -> None:
    db.execute(
        "DELETE FROM intent_words WHERE number IN "
        "(SELECT number FROM intent_words WHERE intent_id = ? ORDER BY number DESC LIMIT -1 OFFSET ?)",
        (intent_id, most),
    )


def drop(db: Connection, ids: Collection[str]) -> None:
    """They are familiar no longer."""
    db.executemany("DELETE FROM intents WHERE id = ?", [(one,) for one in ids])


def save_call(db: Connection, intent_id: str, saved_ms: float, now: datetime) -> None:
    """A call that would have taken so long was skipped."""
    db.execute(
        "UPDATE intents SET calls_saved = calls_saved + 1, saved_ms = saved_ms + ?, used_at = ? WHERE id = ?",
        (saved_ms, now.isoformat(), intent_id),
    )
    db.execute("UPDATE intent_savings SET calls = calls + 1, saved_ms = saved_ms + ?", (saved_ms,))


def drop_all(db: Connection) -> None:
    """As if nothing had ever been familiar."""
    db.execute("DELETE FROM intents")
    db.execute("UPDATE intent_savings SET calls = 0, saved_ms = 0")


def all_words(db: Connection) -> list[Row]:
    """The words of all of them, as rows."""
    return db.execute("SELECT * FROM intent_words ORDER BY number").fetchall()


def erase_words(db: Connection, numbers: Sequence[int]) -> None:
    """What was learnt from these words; a request of which others stay begins to count anew."""
    for number in numbers:
        db.execute(
            "UPDATE intents SET passes = 0 WHERE id = (SELECT intent_id FROM intent_words WHERE number = ?)",
            (number,),
        )
        db.execute("DELETE FROM intent_words WHERE number = ?", (number,))
