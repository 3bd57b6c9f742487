"""A picture in the composer and a model in a file: one that has a projector reads it, one without says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.config.entries import PutValue
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.domain.events import UsageEvent
from partner_desktop.domain.model_call import ModelCall
from tests.model.engine import needs_engine
from tests.model.seeing import make_tiny_projector
from tests.model.tiny import make_tiny_model
from tests.support import Watcher

from .scene import Scene, played
from .test_shown_pictures import image, names, paste, write

pytestmark = [needs_engine, pytest.mark.integration]

CANNOT = "This model cannot see pictures; this answers the words alone."
#: Pixels of a side as the projector sees a picture, in patches of 14 pixels, each a token of the prompt.
_SIDE = 14 * 20
_PICTURE_TOKENS = 20 * 20


async def answered(scene: Scene, model: Path) -> tuple[str, ModelCall]:
    """A picture shown to a model in a conversation of its own: the answer in the window, and what it took."""
    watcher = Watcher()
    undo = scene.partner.subscribe(watcher)
    try:
        await scene.partner.models.use(await scene.partner.models.add_file(model))
        await scene.do(scene.window.sidebar.new_pressed.emit)
        await paste(scene, image())
        await scene.until(lambda: names(scene) == ["Pasted picture"])
        await write(scene, "what could this animal be?")
        told = await watcher.until(
            lambda event: isinstance(event, UsageEvent) and event.call.question == "reply"
        )
        await scene.until(lambda: [view for view in replies(scene) if view.whole])
    finally:
        undo()
    assert isinstance(told, UsageEvent)
    (view,) = replies(scene)
    return view.text, told.call


def replies(scene: Scene) -> list[ReplyView]:
    widgets = [entry.widget for entry in scene.window.page.feed.entries]
    return [widget for widget in widgets if isinstance(widget, ReplyView)]


@played
async def test_a_pasted_picture_is_read_by_a_model_with_a_projector_and_one_without_says_that_it_cannot_see(
    scene: Scene, tmp_path: Path
) -> None:
    (tmp_path / "seeing").mkdir()
    seeing = make_tiny_model(tmp_path / "seeing" / "seeing.gguf", context_tokens=16_384)
    make_tiny_projector(seeing.with_name("mmproj-seeing.gguf"), side=_SIDE)
    blind = make_tiny_model(tmp_path / "blind.gguf", context_tokens=16_384)
    await scene.partner.config.change("model", PutValue(("temperature",), 0), PutValue(("max_tokens",), 32))
    said, with_eyes = await answered(scene, seeing)
    assert said
    assert CANNOT not in said
    without, in_words = await answered(scene, blind)
    assert without.startswith(CANNOT)
    assert len(without) > len(CANNOT)
    assert (with_eyes.model, in_words.model) == ("seeing", "blind")
    assert with_eyes.end in ("stop", "length")
    # The same words; what is more is what the picture fills, and the worker had to compute all of it.
    more = with_eyes.prompt_tokens - in_words.prompt_tokens
    assert abs(more - _PICTURE_TOKENS) < _PICTURE_TOKENS / 4
    assert with_eyes.evaluated_tokens > _PICTURE_TOKENS
