"""Time zones by the places that people name: `Tokyo` → `Asia/Tokyo`.

The names are the tz database's (https://www.iana.org/time-zones), which calls a zone after its largest city,
and well-known cities beside them. Data rather than `zoneinfo`: that reads hundreds of files to list them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from partner_desktop.base.patterns import late

_CITIES = {
    "Africa": "Abidjan Accra Addis_Ababa Algiers Cairo Casablanca Dakar Dar_es_Salaam Harare Johannesburg "
    "Kampala Khartoum Kinshasa Lagos Luanda Lusaka Maputo Mogadishu Nairobi Tripoli Tunis Windhoek",
    "America": "Anchorage Asuncion Bogota Caracas Chicago Denver Detroit Edmonton Guatemala Guayaquil "
    "Halifax Havana Jamaica La_Paz Lima Los_Angeles Managua Mexico_City Monterrey Montevideo Montreal "
    "New_York Panama Phoenix Port-au-Prince Puerto_Rico Regina Santiago Santo_Domingo Sao_Paulo St_Johns "
    "Tijuana Toronto Vancouver Winnipeg",
    "Asia": "Almaty Amman Baghdad Bahrain Baku Bangkok Beirut Brunei Colombo Damascus Dhaka Dubai "
    "Ho_Chi_Minh Hong_Kong Jakarta Jerusalem Kabul Karachi Kathmandu Kolkata Kuala_Lumpur Kuwait Macau "
    "Manila Muscat Nicosia Novosibirsk Phnom_Penh Qatar Rangoon Riyadh Seoul Shanghai Singapore Taipei "
    "Tashkent Tbilisi Tehran Tokyo Ulaanbaatar Vientiane Vladivostok Yekaterinburg Yerevan",
    "Atlantic": "Azores Bermuda Canary Cape_Verde Faroe Madeira Reykjavik",
    "Australia": "Adelaide Brisbane Canberra Darwin Hobart Melbourne Perth Sydney",
    "Europe": "Amsterdam Andorra Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest Copenhagen "
    "Dublin Gibraltar Helsinki Istanbul Kiev Kyiv Lisbon Ljubljana London Luxembourg Madrid Malta Minsk "
    "Monaco Moscow Oslo Paris Podgorica Prague Riga Rome Sarajevo Skopje Sofia Stockholm Tallinn Tirane "
    "Vaduz Vienna Vilnius Warsaw Zagreb Zurich",
    "Indian": "Maldives Mauritius",
    "Pacific": "Auckland Fiji Guam Honolulu Tahiti",
}
_BESIDE = {
    "Africa/Johannesburg": "Cape Town,Pretoria",
    "America/Chicago": "Houston,Dallas,Austin,New Orleans",
    "America/Los_Angeles": "San Francisco,Seattle,San Diego,Las Vegas,Silicon Valley,洛杉矶,旧金山",
    "America/New_York": "Boston,Washington,Miami,Philadelphia,Atlanta,NYC,纽约,华盛顿",
    "America/Sao_Paulo": "São Paulo,Rio de Janeiro",
    "America/Argentina/Buenos_Aires": "Buenos Aires",
    "Asia/Ho_Chi_Minh": "Saigon",
    "Asia/Hong_Kong": "香港",
    "Asia/Kolkata": "Delhi,New Delhi,Mumbai,Bangalore,Chennai,Calcutta",
    "Asia/Qatar": "Doha",
    "Asia/Seoul": "首尔",
    "Asia/Shanghai": "Beijing,Shenzhen,Guangzhou,北京,上海,广州,深圳",
    "Asia/Singapore": "新加坡",
    "Asia/Taipei": "台北",
    "Asia/Tokyo": "Osaka,Kyoto,东京,大阪",
    "Australia/Sydney": "悉尼",
    "Europe/Berlin": "Munich,Hamburg,Frankfurt,Cologne,Stuttgart,柏林",
    "Europe/London": "Edinburgh,Manchester,伦敦",
    "Europe/Madrid": "Barcelona",
    "Europe/Moscow": "莫斯科",
    "Europe/Paris": "巴黎",
    "Europe/Rome": "Milan,Venice",
    "Europe/Zurich": "Geneva,Zürich,Bern",
    "Etc/UTC": "UTC,GMT",
}
_BY_PLACE = {
    city.replace("_", " ").casefold(): f"{area}/{city}"
    for area, cities in _CITIES.items()
    for city in cities.split()
} | {place.casefold(): zone for zone, places in _BESIDE.items() for place in places.split(",")}

#: `Asia/Tokyo` as it is written, and places; longer names first, so that none is taken for its beginning.
_AREAS = "|".join((*_CITIES, "Antarctica", "Etc"))
_WRITTEN = rf"(?:{_AREAS})(?:/[A-Za-z_+\-0-9]+){{1,2}}"
_PLACES = sorted(_BY_PLACE, key=len, reverse=True)
_LATIN = "|".join(re.escape(place) for place in _PLACES if place[0] < "\u2e80")
_CJK = "|".join(place for place in _PLACES if place[0] >= "\u2e80")
_ZONE = late(rf"\b(?:{_WRITTEN}|{_LATIN})\b|{_CJK}", re.IGNORECASE)


def zones_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and zone of every place and zone that a text names."""
    for match in _ZONE.finditer(text):
        named = match.group()
        yield match.start(), match.end(), named if "/" in named else _BY_PLACE[named.casefold()]


def zone_of(text: str) -> str:
    """The zone that a text as a whole is; empty when it is none that is known here."""
    bare = re.sub(r"\s+time$", "", text.strip().rstrip(".?!。？"), flags=re.IGNORECASE)
    found = list(zones_in(bare))
    return found[0][2] if len(found) == 1 and found[0][:2] == (0, len(bare)) else ""
