"""Which state or country a well-known city lies in.

Cities of the United States with about 100,000 inhabitants and more, and of the rest of the world the capitals
and those with about a million; where several share a name, the largest.
"""

from __future__ import annotations

_TABLE = """
AL: Birmingham; Huntsville; Mobile; Montgomery; Tuscaloosa
AK: Anchorage
AZ: Phoenix; Tucson; Mesa; Chandler; Gilbert; Glendale; Scottsdale; Peoria; Tempe; Surprise; Goodyear; Buckeye
AR: Little Rock; Fayetteville
CA: Los Angeles; San Diego; San Jose; San Francisco; Fresno; Sacramento; Long Beach; Oakland; Bakersfield
CA: Anaheim
CA: Stockton; Riverside; Santa Ana; Irvine; Chula Vista; Fremont; Santa Clarita; San Bernardino; Modesto
CA: Moreno Valley
CA: Fontana; Oxnard; Huntington Beach; Ontario; Elk Grove; Santa Rosa; Rancho Cucamonga; Oceanside
CA: Garden Grove
CA: Lancaster; Palmdale; Corona; Salinas; Hayward; Sunnyvale; Escondido; Pomona; Visalia; Torrance
CA: Fullerton; Orange
CA: Victorville; Thousand Oaks; Simi Valley; Roseville; Vallejo; Concord; Berkeley; Clovis; Fairfield
CA: Richmond
CA: Antioch; Carlsbad; Downey; Costa Mesa; Murrieta; Ventura; Temecula; Antioch; Santa Maria; El Monte
CA: Inglewood
CA: Burbank; San Mateo; Daly City; Jurupa Valley; Compton; Vista; Rialto; Santa Clara; Menifee; Pasadena
CA: El Cajon
CO: Denver; Colorado Springs; Aurora; Fort Collins; Lakewood; Thornton; Arvada; Westminster; Pueblo
CO: Centennial; Boulder
CT: Bridgeport; New Haven; Stamford; Hartford; Waterbury
DC: Washington
FL: Jacksonville; Miami; Tampa; Orlando; St. Petersburg; Hialeah; Port St. Lucie; Tallahassee; Cape Coral
FL: Fort Lauderdale; Pembroke Pines; Hollywood; Gainesville; Miramar; Coral Springs; Palm Bay; West Palm Beach
FL: Lakeland; Clearwater; Pompano Beach; Miami Gardens; Davie; Boca Raton
GA: Atlanta; Augusta; Savannah; Athens; Macon; Sandy Springs; Roswell
HI: Honolulu
ID: Boise; Meridian; Nampa
IL: Chicago; Joliet; Naperville; Rockford; Elgin; Springfield
IN: Indianapolis; Fort Wayne; Evansville; South Bend; Carmel; Fishers
IA: Des Moines; Cedar Rapids; Davenport
KS: Wichita; Overland Park; Olathe; Topeka
KY: Louisville; Lexington
LA: New Orleans; Baton Rouge; Shreveport; Lafayette
ME: Portland
MD: Baltimore
MA: Boston; Worcester; Cambridge; Lowell; Brockton; Quincy; Lynn
MI: Detroit; Grand Rapids; Warren; Sterling Heights; Ann Arbor; Lansing; Dearborn; Flint
MN: Minneapolis; Saint Paul; St. Paul; Rochester; Bloomington
MS: Jackson
MO: Kansas City; St. Louis; Columbia; Independence
MT: Billings
NE: Omaha; Lincoln
NV: Las Vegas; Henderson; Reno; North Las Vegas; Sparks
NH: Manchester
NJ: Newark; Jersey City; Paterson; Elizabeth; Trenton; Edison
NM: Albuquerque; Las Cruces; Santa Fe; Rio Rancho
NY: New York; New York City; Buffalo; Yonkers; Syracuse; Albany; New Rochelle; Brooklyn; Manhattan
NC: Charlotte; Raleigh; Greensboro; Durham; Winston-Salem; Cary; Wilmington; High Point
ND: Fargo
OH: Columbus; Cleveland; Cincinnati; Toledo; Akron; Dayton
OK: Oklahoma City; Tulsa; Norman; Broken Arrow
OR: Portland; Salem; Eugene; Gresham; Hillsboro; Bend; Beaverton
PA: Philadelphia; Pittsburgh; Allentown; Reading; Erie
RI: Providence
SC: Charleston; North Charleston; Mount Pleasant
SD: Sioux Falls
TN: Nashville; Memphis; Knoxville; Chattanooga; Clarksville; Murfreesboro
TX: Houston; San Antonio; Dallas; Austin; Fort Worth; El Paso; Arlington; Corpus Christi; Plano; Lubbock
TX: Laredo
TX: Irving; Garland; Frisco; McKinney; Grand Prairie; Brownsville; Killeen; McAllen; Mesquite; Waco; Denton
TX: Midland
TX: Abilene; Odessa; Round Rock; Beaumont; Wichita Falls; Carrollton; Amarillo; Sugar Land; League City
TX: Lewisville
UT: Salt Lake City; West Valley City; Provo; West Jordan; St. George; Orem
VA: Virginia Beach; Norfolk; Chesapeake; Newport News; Alexandria; Hampton; Roanoke; Suffolk
WA: Seattle; Spokane; Tacoma; Vancouver; Bellevue; Kent; Everett; Renton; Spokane Valley
WI: Milwaukee; Madison; Green Bay; Kenosha
Australia: Sydney; Melbourne; Brisbane; Perth; Adelaide; Canberra
Canada: Vancouver; Toronto; Montreal; Calgary; Ottawa; Edmonton; Winnipeg; Quebec City
UK: London; Edinburgh; Glasgow; Liverpool; Leeds; Cardiff; Belfast; Bristol; Sheffield
Ireland: Dublin
France: Paris; Marseille; Lyon; Toulouse; Nice; Bordeaux; Lille
Germany: Berlin; Hamburg; Munich; Cologne; Frankfurt; Stuttgart; Leipzig; Dresden
Austria: Vienna; Salzburg
Switzerland: Zurich; Geneva; Basel; Bern
Italy: Rome; Milan; Naples; Turin; Venice; Florence; Bologna
Spain: Madrid; Barcelona; Valencia; Seville; Malaga
Portugal: Lisbon; Porto
Netherlands: Amsterdam; Rotterdam; The Hague; Utrecht
Belgium: Brussels; Antwerp
Luxembourg: Luxembourg
Denmark: Copenhagen
Sweden: Stockholm; Gothenburg
Norway: Oslo; Bergen
Finland: Helsinki
Iceland: Reykjavik
Poland: Warsaw; Krakow
Czech Republic: Prague
Hungary: Budapest
Romania: Bucharest
Bulgaria: Sofia
Greece: Athens
Serbia: Belgrade
Croatia: Zagreb
Ukraine: Kyiv; Kiev; Kharkiv; Lviv
Russia: Moscow; Saint Petersburg; Novosibirsk
Turkey: Istanbul; Ankara; Izmir
Israel: Jerusalem; Tel Aviv
Egypt: Cairo; Alexandria
Morocco: Casablanca; Rabat; Marrakesh
Nigeria: Lagos; Abuja
Kenya: Nairobi
Ethiopia: Addis Ababa
South Africa: Johannesburg; Cape Town; Durban; Pretoria
UAE: Dubai; Abu Dhabi
Saudi Arabia: Riyadh; Jeddah; Mecca
Qatar: Doha
Iran: Tehran
Iraq: Baghdad
Pakistan: Karachi; Lahore; Islamabad
India: Mumbai; Delhi; New Delhi; Bangalore; Bengaluru; Hyderabad; Chennai; Kolkata; Pune; Ahmedabad; Jaipur
India: Gurgaon
Bangladesh: Dhaka
Sri Lanka: Colombo
Nepal: Kathmandu
China: Beijing; Shanghai; Guangzhou; Shenzhen; Chengdu; Chongqing; Wuhan; Hangzhou; Nanjing; Tianjin; Xi'an
China: Suzhou
Taiwan: Taipei
Japan: Tokyo; Osaka; Kyoto; Yokohama; Nagoya; Sapporo; Fukuoka; Kobe
South Korea: Seoul; Busan; Incheon
Vietnam: Hanoi; Ha Noi; Ho Chi Minh City; Saigon; Da Nang
Thailand: Bangkok
Malaysia: Kuala Lumpur
Indonesia: Jakarta; Surabaya; Bandung
Philippines: Manila; Quezon City
New Zealand: Auckland; Wellington
Mexico: Mexico City; Guadalajara; Monterrey; Tijuana; Cancun
Brazil: Sao Paulo; Rio de Janeiro; Brasilia; Salvador
Argentina: Buenos Aires
Chile: Santiago
Peru: Lima
Colombia: Bogota; Medellin
Venezuela: Caracas
Cuba: Havana
"""
_SHORT = {
    "la": "Los Angeles", "l.a.": "Los Angeles", "nyc": "New York", "sf": "San Francisco", "dc": "Washington",
    "d.c.": "Washington", "philly": "Philadelphia",
}  # fmt: skip


def _regions() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _TABLE.strip().splitlines():
        region, _, cities = line.partition(": ")
        for city in cities.split("; "):
            known = found.get(city.lower())
            if known is None or (city, region) in _LARGEST:
                found[city.lower()] = region
    return found


#: Of cities with one name, those that come later in the table and are larger.
_LARGEST = frozenset(
    {
        ("Portland", "OR"),
        ("Athens", "Greece"),
        ("Alexandria", "Egypt"),
        ("Columbus", "OH"),
        ("Vancouver", "Canada"),
        ("Naples", "Italy"),
        ("Birmingham", "AL"),
    }
)
_REGIONS = _regions()


def region_of(city: str) -> str:
    """The state (two letters) or country of a city; empty when it is not known."""
    return _REGIONS.get(full_name(city).lower(), "")


def full_name(city: str) -> str:
    """The name in full: `LA` → `Los Angeles`; any other name stays."""
    return _SHORT.get(city.lower(), city) if city.upper() == city else city
