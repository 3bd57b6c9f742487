"""Where other programs keep their models, by platform and by what the environment says.

Sources: https://docs.ollama.com/faq, https://lmstudio.ai/docs/basics/import-model,
https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables,
https://docs.gpt4all.io/gpt4all_desktop/settings.html, Jan's and llama.cpp's sources.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.model_file import FindSource
from partner_desktop.model.settings import whole_path

_MOST_SETTINGS_BYTES = 1 << 20


@dataclass(frozen=True)
class ModelPlace:
    """A folder, and whose it is."""

    source: FindSource
    folder: Path
    asked_for: bool = False
    """A person or a variable named it: that it is not there is told."""


@dataclass(frozen=True)
class PlaceFinder:
    """`environ`, `user_home` and `platform` (as `sys.platform`) say whose places; nothing is looked at but
    the settings of LM Studio, where it says that its models lie elsewhere.
    """

    environ: Mapping[str, str]
    user_home: Path
    platform: str

    def places(self) -> tuple[ModelPlace, ...]:
        """All that there may be; most are not there. Blocking."""
        found = (
            *self._ollama(),
            *self._lm_studio(),
            *self._hub(),
            *self._gpt4all(),
            *self._jan(),
            *self._llama(),
        )
        return tuple(dict.fromkeys(found))

    def _named(self, variable: str) -> Path | None:
        value = self.environ.get(variable, "").strip()
        return whole_path(value) if value else None

    def _base(self, *, linux: str, variable: str, mac: str, windows: str) -> Path:
        """The folder of data or of caches, as the platform has it."""
        if self.platform == "win32":
            return self._named(windows) or self.user_home / "AppData" / "Local"
        if self.platform == "darwin":
            return self.user_home / mac
        return self._named(variable) or self.user_home / linux

    @property
    def _data(self) -> Path:
        return self._base(
            linux=".local/share",
            variable="XDG_DATA_HOME",
            mac="Library/Application Support",
            windows="LOCALAPPDATA",
        )

    @property
    def _caches(self) -> Path:
        return self._base(
            linux=".cache", variable="XDG_CACHE_HOME", mac="Library/Caches", windows="LOCALAPPDATA"
        )

    def _ollama(self) -> Iterator[ModelPlace]:
        named = self._named("OLLAMA_MODELS")
        if named:
            yield ModelPlace("ollama", named, asked_for=True)
        yield ModelPlace("ollama", self.user_home / ".ollama" / "models")
        if self.platform == "linux":
            for service in (
                "/usr/share/ollama/.ollama/models",
                "/var/lib/ollama/models",
                "/var/lib/ollama/.ollama/models",
            ):
                yield ModelPlace("ollama", Path(service))

    def _lm_studio(self) -> Iterator[ModelPlace]:
        home = self.user_home / ".lmstudio"
        moved = _setting(home / "settings.json", "downloadsFolder")
        if moved:
            yield ModelPlace("lm_studio", whole_path(moved))
        yield ModelPlace("lm_studio", home / "models")
        yield ModelPlace("lm_studio", self.user_home / ".cache" / "lm-studio" / "models")

    def _hub(self) -> Iterator[ModelPlace]:
        """As `huggingface_hub` decides: the first that is named counts alone."""
        named = self._named("HF_HUB_CACHE") or self._named("HUGGINGFACE_HUB_CACHE")
        hub_home = self._named("HF_HOME")
        if named or hub_home:
            yield ModelPlace("hugging_face", named or hub_home / "hub", asked_for=True)  # type: ignore[operator] # one is
            return
        caches = self._named("XDG_CACHE_HOME") or self.user_home / ".cache"
        yield ModelPlace("hugging_face", caches / "huggingface" / "hub")

    def _gpt4all(self) -> Iterator[ModelPlace]:
        yield ModelPlace("gpt4all", self._data / "nomic.ai" / "GPT4All")

    def _jan(self) -> Iterator[ModelPlace]:
        data = self._data
        if self.platform == "win32":
            data = self._named("APPDATA") or self.user_home / "AppData" / "Roaming"
        for folder in (data / "Jan" / "data", self.user_home / "jan"):
            yield ModelPlace("jan", folder / "llamacpp" / "models")
            yield ModelPlace("jan", folder / "models")

    def _llama(self) -> Iterator[ModelPlace]:
        named = self._named("LLAMA_CACHE")
        yield ModelPlace("llama_cpp", named or self._caches / "llama.cpp", asked_for=named is not None)


def _setting(path: Path, key: str) -> str:
    """A text of another program's JSON settings; empty where there is none."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_SETTINGS_BYTES:
            return ""
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return ""
    value = found.get(key) if isinstance(found, dict) else None
    return value if isinstance(value, str) else ""
