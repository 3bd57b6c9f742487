"""`dynamic::generate` and `dynamic::restore`: abilities that come to be, and that come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.ability import LANGUAGES
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route, RunnerResponse

GENERATE, RESTORE = "builtin::dynamic::generate", "builtin::dynamic::restore"
#: Minutes that a temporary ability stays listed.
_STAYS_MIN = 30


class AbilityMaker(Protocol):
    """Makes abilities of code, and brings removed ones back."""

    def title_of(self, key: str) -> str: ...

    async def make(self, given: JsonObject) -> str: ...

    @property
    def removed(self) -> Sequence[str]: ...

    async def restore(self, key: str) -> str: ...


class BirthBuiltins:
    """`maker` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, maker: Callable[[], AbilityMaker]) -> None:
        self._maker = maker

    def definitions(self) -> Sequence[BuiltinDefinition]:
        return BuiltinDefinition(_GENERATE, self._generate), BuiltinDefinition(_RESTORE, self._restore)

    async def _generate(self, call: BuiltinCall) -> RunnerResponse:
        maker = self._maker()
        key = await maker.make(call.params)
        title = maker.title_of(key)
        summary = (
            f"“{title}” is an ability now, for {_STAYS_MIN} minutes. Nothing of it has run yet. "
            "Say “run it” to use it, “keep it” to have it for good."
        )
        return RunnerResponse(ok=True, data={"summary": summary, "key": key})

    async def _restore(self, call: BuiltinCall) -> RunnerResponse:
        maker = self._maker()
        key = call.text("actionKey") or next(reversed(maker.removed), "")
        if not key:
            raise UsageError("Nothing was removed since Partner started.")
        back = await maker.restore(key)
        why = "" if back == key else ": its old name is taken by now"
        summary = f"“{maker.title_of(back)}” is back, as {back}{why}. It asks again before it runs."
        return RunnerResponse(ok=True, data={"summary": summary, "key": back})


def _text(description: str, **more: object) -> JsonObject:
    return {"type": "string", "description": description, **more}  # type: ignore[dict-item]  # plain JSON


_GENERATE = MetaActionInfo(
    key=GENERATE,
    route=Route.BUILTIN,
    once=True,
    label="Make an ability",
    description="Make a new ability from code",
    aliases=("make this an ability", "把这段代码变成一个能力"),
    params={
        "type": "object",
        "properties": {
            "name": _text("what it is called", default="", maxLength=100),
            "desc": _text("what it does", title="Description", maxLength=1_000),
            "code": _text("the code of the script, pasted here", **{"x-partner-code": True}),
            "codeType": _text(
                "the language of the code, such as " + ", ".join(each.code_type for each in LANGUAGES[:3]),
                title="Language",
                maxLength=40,
            ),
            "launcher": _text(
                "the program that runs it, if not the usual one", title="Program", default="", maxLength=400
            ),
            "meta": _text("more of its description, as JSON", title="More", default=""),
        },
        "required": ["desc", "code", "codeType"],
    },
    annotations=Annotations(read_only=False, destructive=False, open_world=False),
)

_RESTORE = MetaActionInfo(
    key=RESTORE,
    route=Route.BUILTIN,
    once=True,
    label="Bring an ability back",
    description="Bring a removed ability back from the trash",
    aliases=("restore the ability that I removed", "bring the ability back", "恢复刚才移除的能力"),
    params={
        "type": "object",
        "properties": {
            "actionKey": _text(
                "its name or key; without it, the last one removed",
                title="Ability",
                default="",
                maxLength=400,
            )
        },
        "required": [],
    },
    annotations=Annotations(read_only=False, destructive=False, open_world=False),
)
