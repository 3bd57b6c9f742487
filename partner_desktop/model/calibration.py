"""How long texts are for a model: an estimate, corrected by what the model itself counted before."""

from __future__ import annotations

import math
from dataclasses import dataclass

from partner_desktop.model.room import TokenCounter

_LEAST, _MOST = 0.5, 3.0
#: The correction goes in steps: counts are cached by the counter's name, and the name carries it.
_STEP = 0.05
#: Prompts that are estimated shorter tell more of the template around them than of the words.
_LEAST_TOKENS = 64
#: How much of a prompt that was shorter than expected counts; one that was longer counts at once.
_PATIENCE = 0.1


@dataclass(frozen=True)
class CalibratedTokens:
    """Pure; a better correction is another counter."""

    model: str
    estimate: TokenCounter
    ratio: float = 1.0

    @property
    def name(self) -> str:
        return f"{self.model}, {self.estimate.name} × {self.ratio:.2f}"

    def count(self, text: str) -> int:
        return math.ceil(self.ratio * self.estimate.count(text))


class Calibration:
    """What one model's own counts teach: rather too many tokens than too few."""

    def __init__(self, model: str, estimate: TokenCounter) -> None:
        self._model, self._estimate = model, estimate
        self._ratio = 1.0

    def learn(self, text: str, tokens: int) -> None:
        """A prompt of this text had so many tokens, its template included."""
        expected = self._estimate.count(text)
        if expected < _LEAST_TOKENS or tokens <= 0:
            return
        seen = min(_MOST, max(_LEAST, tokens / expected))
        self._ratio = seen if seen > self._ratio else self._ratio + _PATIENCE * (seen - self._ratio)

    @property
    def counter(self) -> CalibratedTokens:
        """The counter as it is best now."""
        steps = math.ceil(round(self._ratio / _STEP, 6))
        return CalibratedTokens(self._model, self._estimate, min(_MOST, steps * _STEP))
