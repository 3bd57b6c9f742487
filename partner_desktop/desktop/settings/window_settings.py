"""What the window itself holds, described as all settings are, so that it is found among them.

It is kept where the window keeps its place, and by the system's own list of what opens at a login: not in a
file of settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import ConfigDict, Field
from PySide6.QtCore import QLocale

from partner_desktop.config.field import ConfigFile, describe
from partner_desktop.config.handle import SettingsModel
from partner_desktop.desktop import autostart
from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.desktop.theme.theme import ZOOM_LEAST, ZOOM_MOST, NeedChoice, ThemeChoice
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.json_value import Json, JsonObject

if TYPE_CHECKING:
    from partner_desktop.desktop.window import MainWindow

#: Stands in place of a file's name.
WINDOW = "window"


class WindowSettings(SettingsModel):
    """How the window opens, closes and looks."""

    model_config = ConfigDict(json_schema_extra={"place": 0})

    open_at_login: bool = Field(
        default=False,
        description="So that what is planned is done in time.",
        json_schema_extra={"section": "general"},
    )
    keep_running: bool = Field(
        default=False,
        description="It goes into the tray; Ctrl+Q ends it.",
        json_schema_extra={"section": "general"},
    )
    spelling: bool = Field(
        default=True,
        description="While you write, words that no dictionary has are underlined.",
        json_schema_extra={"section": "general"},
    )
    quick_keys: str = Field(
        default="",
        max_length=40,
        description=(
            "They open a small window for one question, whichever program you are in, such as "
            "Ctrl+Alt+Space. Empty: none."
        ),
        json_schema_extra={"section": "general"},
    )
    theme: Literal["system", "light", "dark"] = Field(
        default="system",
        description="Light, dark, or as the system has it.",
        json_schema_extra={"section": "appearance"},
    )
    contrast: Literal["system", "on", "off"] = Field(
        default="system",
        description="Lines and words that stand out more, in light and in dark.",
        json_schema_extra={"section": "appearance"},
    )
    reduced_motion: Literal["system", "on", "off"] = Field(
        default="system",
        description="Nothing moves, pulses or blinks.",
        json_schema_extra={"section": "appearance"},
    )
    text_size: int = Field(
        default=100,
        ge=round(100 * ZOOM_LEAST),
        le=round(100 * ZOOM_MOST),
        description="Of all text in the window; Ctrl and + or − change it too.",
        json_schema_extra={"section": "appearance", "unit": "percent"},
    )
    language: Literal["system", "en", "zh_CN"] = Field(
        default="system",
        description="Of the window, and of the starter mind.",
        json_schema_extra={"section": "appearance"},
    )


def window_file(window: MainWindow) -> ConfigFile:
    """The window's own settings as they are now; without those that this system has no use for."""
    values: JsonObject = {
        "open_at_login": autostart.is_on(),
        "keep_running": bool(window.keeps_running),
        "quick_keys": window.quick_keys,
        "spelling": window.checks_spelling,
        "theme": window.theme.choice.value,
        "contrast": window.theme.contrast_choice.value,
        "reduced_motion": window.theme.motion_choice.value,
        "text_size": round(100 * window.theme.zoom),
        "language": window.language.choice.value,
    }
    useless = {
        name
        for name, useful in (("open_at_login", autostart.can_be()), ("keep_running", window.tray.is_there()))
        if not useful
    }
    notes = {"spelling": _dictionaries(window.dictionary_languages)}
    fields = tuple(
        replace(field, file=WINDOW, value=values[field.key[0]], note=notes.get(field.key[0], ""))
        for field in describe(WindowSettings)
        if field.key[0] not in useless
    )
    return ConfigFile(name=WINDOW, path=Path(), description=WindowSettings.__doc__ or "", fields=fields)


def _dictionaries(languages: Sequence[str]) -> str:
    """Which there are, for the person who wonders why nothing is underlined."""
    if not languages:
        return tr("This system has no dictionary for its language (of Hunspell's), so nothing is.")
    names = ", ".join(QLocale(one).nativeLanguageName() or one for one in languages)
    return tr("Dictionaries that are here: {names}.").format(names=names)


def set_window_setting(window: MainWindow, name: str, value: Json) -> None:
    """Bring one of them into force; `None` is the default."""
    if value is None:
        value = next(field.default for field in describe(WindowSettings) if field.key == (name,))
    match name, value:
        case "open_at_login", bool(on):
            window.open_at_login(on=on)
        case "keep_running", bool(on):
            window.keep_running(on=on)
        case "spelling", bool(on):
            window.check_spelling(on=on)
        case "quick_keys", str(keys):
            window.choose_quick_keys(keys)
        case "theme", str(choice):
            window.theme.choose(ThemeChoice(choice))
        case "contrast", str(choice):
            window.theme.choose_contrast(NeedChoice(choice))
        case "reduced_motion", str(choice):
            window.theme.choose_motion(NeedChoice(choice))
        case "text_size", int(percent):
            window.theme.set_zoom(percent / 100)
        case "language", str(choice):
            window.language.choose(LanguageChoice(choice))
