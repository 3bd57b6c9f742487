"""Places as a parameter wants them: `City, State` where it says so, the city alone otherwise."""

from __future__ import annotations

import re

from partner_desktop.language.arguments.slot import Slot

_STATES = {
    "alabama": "AL", "alaska": "AK", "arizona": "AZ", "arkansas": "AR", "california": "CA", "colorado": "CO",
    "connecticut": "CT", "delaware": "DE", "florida": "FL", "georgia": "GA", "hawaii": "HI", "idaho": "ID",
    "illinois": "IL", "indiana": "IN", "iowa": "IA", "kansas": "KS", "kentucky": "KY", "louisiana": "LA",
    "maine": "ME", "maryland": "MD", "massachusetts": "MA", "michigan": "MI", "minnesota": "MN",
    "mississippi": "MS", "missouri": "MO", "montana": "MT", "nebraska": "NE", "nevada": "NV",
    "new hampshire": "NH", "new jersey": "NJ", "new mexico": "NM", "new york": "NY", "north carolina": "NC",
    "north dakota": "ND", "ohio": "OH", "oklahoma": "OK", "oregon": "OR", "pennsylvania": "PA",
    "rhode island": "RI", "south carolina": "SC", "south dakota": "SD", "tennessee": "TN", "texas": "TX",
    "utah": "UT", "vermont": "VT", "virginia": "VA", "washington": "WA", "west virginia": "WV",
    "wisconsin": "WI", "wyoming": "WY",
}  # fmt: skip
_JOINT_FORMAT = re.compile(
    r"(?i:(?:city|street|address|town)[\w ]*,\s{0,9}(?:state|country|city|region))|'[A-Z][\w ]+, [A-Z][\w ]+'"
    r"|[A-Z][a-z]+, [A-Z]{2}\b",
)
_ABBREVIATED = re.compile(r"abbreviated|two letters|two-letter|, [A-Z]{2}\b")


def wants_joint(slot: Slot) -> bool:
    """Whether a place is asked for with its state or country."""
    return bool(_JOINT_FORMAT.search(slot.description))


def formatted(place: str, slot: Slot) -> str:
    """`Dayton, ohio` → `Dayton, OH` where abbreviated states are asked for."""
    city, comma, region = place.partition(", ")
    if not comma or not _ABBREVIATED.search(slot.description):
        return place
    return f"{city}, {_STATES.get(region.lower(), region)}"
