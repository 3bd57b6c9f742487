"""Words find the right ability, or none: one table, alone and among a hundred other abilities.

The abilities are the real builtins and the shipped samples, read as the app reads them. No row has a rule of
its own: a phrase that fails is answered by general words, by an alias, or stays a limit that is written down.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import EvaluateIntent, IntentEvaluation
from partner_desktop.mind.starter.mind import StarterMind
from tests.builtins import builtin_infos
from tests.mind.asking import ability, param
from tests.support import REPOSITORY
from tests.tables import all_rows

COUNT, TWICE, DISK = "local::count_words", "local::find_duplicates", "local::disk_usage"
RUN, OPEN, NOTIFY = "builtin::command::execute", "builtin::open", "builtin::notify"
FOLDER, TIME = "builtin::list_folder", "builtin::time"
READ, FIND, INFO = "builtin::files::read", "builtin::files::find", "builtin::files::info"
WRITE, APPEND, MAKE = "builtin::files::write", "builtin::files::append", "builtin::files::make_folder"
COPY, MOVE, TRASH = "builtin::files::copy", "builtin::files::move", "builtin::files::trash"
PASTE, CLIP = "builtin::clipboard::read", "builtin::clipboard::write"
RECALL, SERVERS = "builtin::capability::memory_recall", "builtin::mcp::list"

ASKED = {
    "find the pdfs in ~/Downloads": FIND,
    "find all text files in ~/Notes": FIND,
    "where did ~/Documents/lease.txt go, i cant find it": FIND,
    "rename ~/Documents/draft.txt to ~/Documents/final.txt": MOVE,
    "what time is it rn": TIME,
    "is there anything in ~/Empty": FOLDER,
    "how many words are in README.md?": COUNT,
    "count words in notes.txt": COUNT,
    "could you count the lines in main.py": COUNT,
    "word count of ~/essay.txt please": COUNT,
    "wordcount README.md": COUNT,
    "cuont the wrods in a.txt": COUNT,
    "can you tell me how many words this file has": COUNT,
    "how long is my text report.md": COUNT,
    "reading time of article.md": COUNT,
    "how many words did I write in chapter1.txt": COUNT,
    "are there any files twice in ~/Downloads": TWICE,
    "which pictures do I have twice?": TWICE,
    "find duplicates in ~/Pictures": TWICE,
    "find duplciate files in /data": TWICE,
    "dupes in ~/Music": TWICE,
    "do I have the same file more than once in my documents?": TWICE,
    "find copies of the same photo in ~/Pictures": TWICE,
    "what time is it": TIME,
    "what's the time?": TIME,
    "what day is it today?": TIME,
    "current time": TIME,
    "what's in ~/Downloads?": FOLDER,
    "show me the files in my downloads folder": FOLDER,
    "which files are on my desktop?": FOLDER,
    "list /tmp": FOLDER,
    "how many files are in ~/Downloads?": FOLDER,
    "list the files in ~/Music": FOLDER,
    "open https://example.org": OPEN,
    "please open ~/report.pdf": OPEN,
    "open the file notes.txt": OPEN,
    "go to example.com": OPEN,
    "run ls -la /tmp": RUN,
    "please run python3 --version": RUN,
    "execute `git status`": RUN,
    "run the command df -h": RUN,
    "run npm install": RUN,
    "remind me with a notification saying tea is ready": NOTIFY,
    "notify me that the build is done": NOTIFY,
    "show a notification: lunch": NOTIFY,
    "what is eating my disk in ~/Music?": DISK,
    "how much space does each folder in ~/Videos take": DISK,
    "which subfolder of /var is the largest": DISK,
    "read notes.txt": READ,
    "show me the contents of ~/todo.md": READ,
    "what does README.md say?": READ,
    "locate a file called invoice.pdf": FIND,
    "details of ~/a.zip": INFO,
    "write a file ~/hello.txt saying hello": WRITE,
    "create a text file called list.txt": WRITE,
    "append a line to ~/todo.txt: buy milk": APPEND,
    "create a new folder ~/Work/new": MAKE,
    "make a folder called Trips": MAKE,
    "copy a.txt to b.txt": COPY,
    "copy ~/report.pdf to ~/Backup": COPY,
    "move a.txt to ~/Documents": MOVE,
    "delete README.md": TRASH,
    "delete the file old.txt": TRASH,
    "move old.txt to the trash": TRASH,
    "what is on the clipboard?": PASTE,
    "put 12345 on my clipboard": CLIP,
    "what did we talk about yesterday?": RECALL,
    "do you remember what I said about the trip?": RECALL,
    "which MCP servers are there?": SERVERS,
    "get rid of ~/Downloads/setup.deb": TRASH,
    "bin ~/Notes/old.txt": TRASH,
    "delte ~/Downloads/old.zip": TRASH,
    "delete '/home/ann/Pictures/my cat.png'": TRASH,
    "read me '/home/ann/Notes/shopping list.txt'": READ,
    "add oat milk to '/home/ann/Notes/shopping list.txt'": APPEND,
    "copy ~/Notes/a.txt to ~/Desktop": COPY,
    "run htop": RUN,
}

ASKED_IN_CHINESE = {
    "README.md 有多少字?": COUNT,
    "帮我统计一下 notes.txt 的字数": COUNT,
    "查找 ~/Downloads 里重复的文件": TWICE,
    "下载文件夹里有没有一样的照片": TWICE,
    "现在几点了?": TIME,
    "今天星期几": TIME,
    "打开 https://example.org": OPEN,
    "下载文件夹里有什么?": FOLDER,
    "列出 ~/Music 里的文件": FOLDER,
    "运行命令 ls -la": RUN,
    "磁盘空间被什么占用了": DISK,
    "看看 notes.txt 的内容": READ,
    "photo.jpg 的文件属性": INFO,
    "新建文件 list.txt": WRITE,
    "在 todo.txt 末尾添加一行": APPEND,
    "新建一个文件夹叫 旅行": MAKE,
    "把 a.txt 复制到 ~/Backup": COPY,
    "把 a.txt 移动到 ~/Documents": MOVE,
    "删除 old.txt": TRASH,
    "剪贴板里是什么": PASTE,
    "把 ~/Downloads/cat.png 扔了": TRASH,
    "把 ~/Downloads/beach.jpg 挪到 ~/Pictures 里去": MOVE,
    "~/Notes/清单.txt 里加一个酱油": APPEND,
    "~/Documents/报告.txt 写了啥": READ,
    "在 ~/Desktop 建个文件夹叫 临时": MAKE,
    "~/Downloads 有啥": FOLDER,
    "我之前说过什么": RECALL,
}

NOT_HERE = [
    "whats 17 times 23",
    "hello",
    "hi there, how are you?",
    "tell me a joke",
    "how are you",
    "thanks",
    "thank you so much",
    "who are you",
    "what is love",
    "good morning",
    "I am sad today",
    "what can you do?",
    "book me a flight",
    "book me a flight to Ulm tomorrow",
    "what is the meaning of life",
    "write me a poem about the sea",
    "what is the capital of France?",
    "who won the world cup in 1990",
    "how do I cook rice",
    "call me a taxi",
    "play some jazz",
    "sing a song",
    "what do you think about politics",
    "why is the sky blue",
    "do you like music?",
    "explain quantum computing",
    "remind me tomorrow at nine to call the office",
]

#: What the abilities here cannot do though their words are near; among a hundred others something can.
NOT_QUITE_HERE = [
    "start a countdown for a work session",
    "run the washing machine",
    "empty the trash",
    "bring the car around",
    "are you a real person",
    "do a dry run",
    "unzip ~/Downloads/archive.zip",
    "crop ~/a.png",
    "take a screenshot",
    "run out of milk",
    "delete my last note",
    "clean up my inbox",
    "count to ten",
    "what can you zip?",
    "what time does the meeting start?",
    "notify me in 10 minutes to take the pizza out",
    "notify me when the build is done",
]

NOT_HERE_IN_CHINESE = [
    "你好",
    "谢谢",
    "你是谁",
    "给我讲个笑话",
    "帮我订一张机票",
    "什么是爱",
    "天空为什么是蓝的",
    "写一首关于大海的诗",
]

#: Name and description of abilities that do other things.
OTHERS = """
resize_images: Resize all images in a folder to a given width
convert_csv_to_json: Convert a table from CSV to JSON
rename_photos: Rename photos by the date on which they were taken
backup_folder: Copy a folder into a dated archive
extract_archive: Unpack a zip or tar archive
compress_folder: Pack a folder into a zip archive
merge_pdfs: Join several PDF documents into one
split_pdf: Split a PDF into single pages
pdf_to_text: Extract the text of a PDF
ocr_image: Read the text out of a scanned image
transcribe_audio: Turn a recording into text
speak_text: Read a text aloud
translate_text: Translate a text into another language
summarise_article: Summarise a long article in a few sentences
check_spelling: Check the spelling of a document
format_markdown: Format a Markdown document
markdown_to_html: Render Markdown as HTML
validate_json: Check whether a JSON document is valid
pretty_print_xml: Indent an XML document
query_database: Run an SQL query against a SQLite database
plot_chart: Draw a line chart from a table
pivot_table: Make a pivot table from a spreadsheet
sum_column: Add up a column of a spreadsheet
clean_spreadsheet: Remove empty rows from a spreadsheet
invoice_maker: Create an invoice for a customer
expense_report: Sum up the expenses of a month
currency_converter: Convert an amount from one currency to another
tax_calculator: Compute the income tax for a year
loan_calculator: Compute the monthly rate of a loan
mortgage_planner: Compare two mortgages
stock_quote: Fetch the price of a share
crypto_price: Fetch the price of a crypto currency
weather_forecast: Fetch the weather forecast for a city
air_quality: Fetch the air quality of a city
sunrise: Compute sunrise and sunset of a place
moon_phase: Compute the phase of the moon
train_timetable: Look up trains between two stations
bus_departures: Show the next departures of a bus stop
route_planner: Plan a route between two places
fuel_cost: Estimate the fuel for a trip
hotel_search: Search for hotels in a city
restaurant_finder: Find restaurants nearby
recipe_search: Search for recipes by ingredient
shopping_list: Add an item to the shopping list
meal_planner: Plan the meals of a week
calorie_counter: Estimate the calories of a meal
workout_log: Log a workout
sleep_tracker: Record the hours of sleep
water_reminder: Log a glass of water
habit_tracker: Tick off a habit
todo_add: Add an item to the to-do list
todo_done: Mark an item of the to-do list as done
calendar_add: Add an appointment to the calendar
calendar_week: Show the appointments of a week
send_email: Send an email to a contact
unread_mail: Summarise unread mail
contact_lookup: Look up the phone number of a contact
birthday_list: Name the birthdays of this month
sms_gateway: Send a text message to a phone
chat_export: Export a chat conversation
git_summary: Summarise the recent commits of a git repository
git_branches: Name the branches of a git repository
changelog_draft: Draft a changelog from commits
lint_project: Lint a Python project
run_tests: Run the test suite of a project
build_docs: Build the documentation of a project
deploy_site: Deploy a web site to its server
docker_prune: Remove unused Docker images
container_logs: Show the logs of a container
server_status: Check whether a server answers
ping_host: Ping a host on the network
port_scan: Check which ports of a host are reachable
speed_test: Measure the speed of the internet connection
wifi_password: Show the password of a wireless network
public_ip: Tell the public IP address
dns_lookup: Look up a domain name
certificate_expiry: Tell when a TLS certificate expires
download_video: Download a video from the web
youtube_channel: Name the newest uploads of a channel
podcast_fetch: Fetch the newest episode of a podcast
rss_digest: Make a digest of RSS feeds
news_headlines: Fetch the headlines of a newspaper
wiki_summary: Fetch the summary of an encyclopedia article
dictionary: Look up the definition of an English term
thesaurus: Look up synonyms
quiz_maker: Make a quiz from notes
flash_cards: Practise flash cards
password_generator: Generate a strong password
qr_code: Draw a QR code
barcode_reader: Read a barcode from an image
colour_picker: Tell the colour of a pixel
screenshot: Take a picture of the screen
wallpaper: Change the wallpaper
brightness: Set the brightness of the display
volume: Set the loudness of the speakers
battery_level: Tell how full the battery is
cpu_temperature: Tell how hot the processor is
printer_queue: Show the queue of the printer
scan_document: Scan a sheet of paper
lights: Switch the lamps of a room on or off
heating: Set the heating of a room
"""


def disk_usage() -> MetaActionInfo:
    """A script as a person would drop it: its description, and what they would say themselves."""
    return MetaActionInfo(
        key=DISK,
        route=Route.MCP,
        description="Report how much space each subfolder takes",
        aliases=("what is eating my disk", "disk usage", "磁盘占用"),
        params={
            "type": "object",
            "properties": {
                "folder": {"type": "string", "format": "path", "description": "the folder to measure"}
            },
            "required": ["folder"],
        },
    )


@pytest.fixture(scope="module")
def abilities() -> tuple[MetaActionInfo, ...]:
    """What a fresh Partner can do, and one dropped script."""
    samples = REPOSITORY / "action" / "dynamic"
    return (
        *builtin_infos(),
        *(_sample(samples / name) for name in ("count_words", "find_duplicates.py")),
        disk_usage(),
    )


@pytest.fixture(scope="module")
def crowd(abilities: tuple[MetaActionInfo, ...]) -> tuple[MetaActionInfo, ...]:
    """The same among a hundred others."""
    lines = [line.split(": ", 1) for line in OTHERS.strip().splitlines()]
    assert len(lines) >= 100
    others = [MetaActionInfo(key=f"local::{name}", route=Route.MCP, description=text) for name, text in lines]
    return (*others[:50], *abilities, *others[50:])


def _sample(path: Path) -> MetaActionInfo:
    return read_ability(path, location="local", route=Route.MCP).info


#: One for all requests, as it is in a Partner: it analyses the abilities once.
MIND = StarterMind()


async def understood(text: str, abilities: Sequence[MetaActionInfo]) -> IntentEvaluation:
    return await MIND.ask(EvaluateIntent(text, abilities))


def chosen(evaluation: IntentEvaluation) -> str | None:
    return evaluation.chosen.key if evaluation.chosen else None


@all_rows("text, key", ASKED.items())
async def test_a_request_in_words_finds_its_ability(
    text: str, key: str, abilities: tuple[MetaActionInfo, ...]
) -> None:
    assert chosen(await understood(text, abilities)) == key


@pytest.mark.promise("mind.starter.chinese")
@all_rows("text, key", ASKED_IN_CHINESE.items())
async def test_a_request_in_chinese_finds_its_ability(
    text: str, key: str, abilities: tuple[MetaActionInfo, ...]
) -> None:
    assert chosen(await understood(text, abilities)) == key


#: Scripts that tell of themselves in one language and are asked for in another, or by their values.
DROPPED = (
    ability("brew", "冲咖啡", kind=param("string", "咖啡的种类", enum=["拿铁", "美式"]),
            cups=param("integer", "几杯"), sugar=param("boolean", "是否加糖")),
    ability("walk", "Log a walk with the dog", needs="minutes", minutes=param("integer", "How many minutes")),
    ability("key", "Make up a random password", length=param("integer", "how many characters")),
    ability("focus", "番茄钟：专注一段时间", minutes=param("integer", "专注多少分钟")),
)  # fmt: skip
ASKED_OF_DROPPED = {
    "冲三杯美式": "local::brew",
    "make me a latte without sugar": "local::brew",
    "遛狗四十分钟": "local::walk",
    "记录一下遛狗一个半小时": "local::walk",
    "给我一个二十位的密码": "local::key",
    "番茄钟半小时": "local::focus",
}


@pytest.mark.promise("mind.starter.chinese")
@pytest.mark.parametrize(("text", "key"), ASKED_OF_DROPPED.items())
async def test_a_script_is_found_by_its_values_and_across_languages(
    text: str, key: str, abilities: tuple[MetaActionInfo, ...]
) -> None:
    assert chosen(await understood(text, (*abilities, *DROPPED))) == key


@all_rows("text, key", (ASKED | ASKED_IN_CHINESE).items())
async def test_a_hundred_other_abilities_do_not_hide_the_right_one(
    text: str, key: str, crowd: tuple[MetaActionInfo, ...]
) -> None:
    assert chosen(await understood(text, crowd)) == key


@pytest.mark.promise("mind.starter.abstain")
@all_rows("text", NOT_HERE + NOT_QUITE_HERE)
async def test_what_no_ability_does_chooses_none(text: str, abilities: tuple[MetaActionInfo, ...]) -> None:
    assert chosen(await understood(text, abilities)) is None


@pytest.mark.promise("mind.starter.chinese")
@pytest.mark.parametrize("text", NOT_HERE_IN_CHINESE)
async def test_an_unrelated_message_in_chinese_chooses_none(
    text: str, abilities: tuple[MetaActionInfo, ...]
) -> None:
    assert chosen(await understood(text, abilities)) is None


@all_rows("text", NOT_HERE + NOT_HERE_IN_CHINESE)
async def test_what_no_ability_does_chooses_none_among_a_hundred_others(
    text: str, crowd: tuple[MetaActionInfo, ...]
) -> None:
    assert chosen(await understood(text, crowd)) is None
