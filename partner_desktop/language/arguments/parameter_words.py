"""Words in the names of parameters that tell what kind of text they hold. General language only."""

from __future__ import annotations

import re

from partner_desktop.language.lexicon import word_set

FORMULA_WORDS = word_set("function equation expression formula polynomial integrand func")
UNIT_WORDS = word_set("unit units")
MEASURED_WORDS = UNIT_WORDS | word_set("currency currencies")
PLACE_WORDS = word_set(
    """
    location city place address area destination origin venue where loc town source start end to from county
    pickup dropoff
    """
)
CODE_WORDS = word_set(
    "id uuid code identifier key token username user number sku serial version ticker symbol"
)
COMMON_WORDS = word_set(
    "type category kind genre color colour dish ingredient ingredients cuisine material species flavor hobby"
)
DIGIT_STRINGS = word_set(
    "id code zip number phone version season year room flight account postal pin password serial isbn"
)
LANGUAGE_WORDS = word_set("language lang languages")
DURATION_WORDS = word_set("duration period timeframe timespan interval time_frame time_period time term")
COLOUR_NAMES = """
    red orange yellow green blue purple violet pink brown black white gray grey silver gold cyan magenta
    turquoise beige navy teal maroon
"""
TEXT_WORDS = word_set("text message content body note comment reply words")
#: Parameters whose name says a kind of thing: `rock genre` is `rock`, but a `snake plant` is one.
KIND_WORDS = word_set(
    "genre type category kind color colour language style size cuisine method mode room sport"
)
REGION_WORDS = word_set("state country region province nation")
TOPIC_WORDS = word_set("query topic subject search question keyword event title discovery prompt text")
HOST_WORDS = word_set("host hostname domain server")
ID_WORDS = word_set("id uuid serial sku isbn")
NO_VALUE = word_set("none any all default null true false other")
COLOUR_WORDS = word_set("color colour colors colours")
COLOUR = re.compile(rf"\b(?:{'|'.join(COLOUR_NAMES.split())})\b", re.IGNORECASE)
