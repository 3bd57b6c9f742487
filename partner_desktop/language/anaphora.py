"""Referring: words that mean what was said or made before, and what a parameter wants. Pure.

`it`, `the folder`, `that list`, `它`, `这个文件夹`, `结果`: such a word is never a value itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.language.lexicon import word_set

Kind = Literal["path", "paths", "text", "query", "number", "list", ""]
"""What a parameter wants; empty: nothing that a step could bring."""

_PLACES = r"(?:folder|directory|dir|file|document|picture|photo|image)s?"
_RESULTS = (
    r"(?:result|output|list|report|archive|zip|backup|copy|summary|answer|text|content|number|count|total|sum"
    r"|size|match|matche|find|note|name|script|message|value|table|data|translation|transcript)s?"
)
_PLACES_ZH = r"(?:文件夹|目录|文件|文档|图片|照片)"
_RESULTS_ZH = (
    r"(?:结果|输出|列表|清单|报告|压缩包|备份(?![一到成了下吧]|$|\W)|摘要|总结|答案|文本|内容|数字|数量|总数"
    r"|大小|信息|消息)"
)
_PRONOUN = r"(?:it|them|that|this|these|those)"
_BEFORE = r"(?:the|that|this|these|those|its|their|said)\s+(?:(?:same|whole|new|resulting|found|above)\s+)?"
_PRONOUN_ZH = (
    r"(?:它们?|其(?![他余它中])|这(?![里边样么儿几次]|一?个?(?:星期|礼拜|周|月|年|天|阵|段))些?个?"
    r"|那(?![边样么儿次])些?个?)"
)

#: How the keys begin of what runs a command line.
COMMANDS = "builtin::command::"

#: Where no more characters are allowed, a name is wanted, and no content.
_NO_CONTENT = 100
#: Characters of a word or two that point back.
_LONGEST = 60
_ALL = late(
    rf"(?:all (?:of )?)?(?:{_BEFORE})?(?:{_PRONOUN}|there|result|results|output|everything)"
    rf"|(?:all (?:of )?)?{_BEFORE}(?:{_PLACES}|{_RESULTS}|duplicates|words)"
    rf"|(?:{_PRONOUN_ZH}|该|上面的|刚才的)?的?(?:{_RESULTS_ZH})"
    rf"|(?:{_PRONOUN_ZH}|该|上面的|刚才的)(?:{_PLACES_ZH})?(?:里面?|中)?|那里|这里|里面",
    re.IGNORECASE,
)
#: The same at the beginning of a text, and what may stand behind it that says nothing.
_LEADING = late(
    rf"(?:all (?:of )?)?(?:{_PRONOUN}|(?:{_BEFORE})?(?:results?|output)|{_BEFORE}(?:{_PLACES}|{_RESULTS}))\b"
    rf"|(?:{_PRONOUN_ZH}|该|上面的|刚才的)?的?(?:{_RESULTS_ZH})|{_PRONOUN_ZH}",
    re.IGNORECASE,
)
_PARTICLES = word_set("a an the my our to into in onto on as down up out off away please now too for me")
_POINTS = late(
    rf"\b{_PRONOUN}\b|\bthere\b|\b{_BEFORE}(?:{_PLACES}|{_RESULTS})\b|\bresults?\b|\boutput\b"
    rf"|{_PRONOUN_ZH}|该|{_RESULTS_ZH}|(?:把|将|对){_PLACES_ZH}|那里|里面|[移放挪拷制存搬](?:过去|进去)",
    re.IGNORECASE,
)
_OF_RESULT = late(rf"\b{_BEFORE}{_RESULTS}\b|\bresults?\b|\boutput\b|{_RESULTS_ZH}", re.IGNORECASE)
_IN_IT = late(
    rf"\b(?:in|inside|within|from|under|through)\s+(?:{_PRONOUN}|{_BEFORE}{_PLACES})\b|\bthere\b"
    rf"|(?:{_PRONOUN_ZH})(?:{_PLACES_ZH})?(?:里|中)|里面|那里",
    re.IGNORECASE,
)
_FOLDER = late(r"\b(?:folder|director(?:y|ies))s?\b|文件夹|目录", re.IGNORECASE)
_FILE = late(
    r"\b(?:file|archive|document|picture|photo|image|script|video)s?\b|文件(?!夹)|文档|图片|照片|压缩包",
    re.IGNORECASE,
)
_QUERY = late(
    r"\b(?:search|find|look(?:ing|ed)? for|called|named?|pattern|query|title|language|unit|format|keyword)\b"
    r"|搜索|查找|名称|名字|关键词|标题",
    re.IGNORECASE,
)
_NUMBER_WORDS = late(
    r"\b(?:count|number|how many|size|sum|total|calculat\w*|average|estimate|measure)\b"
    r"|数|计算|统计|多少|大小",
    re.IGNORECASE,
)
_MAKING = (
    r"(?:zip|archive|back ?up|sav(?:e|ing)|writ(?:e|ing)|creat(?:e|ing)|mak(?:e|ing)|export|convert|download"
    r"|record|render|pack|compress|generat(?:e|ing)|resiz(?:e|ing)|copy|screenshot|draw|plot|merg(?:e|ing)"
    r"|combin(?:e|ing)|produc(?:e|ing)|extract|shrink|crop|rotat(?:e|ing))\w*"
)
_MAKING_ZH = r"压缩|打包|备份|保存|写入|创建|新建|生成|导出|转换|下载|复制|截图|绘制|画|合并|提取|缩小|裁剪"
_MAKES = late(rf"\b{_MAKING}\b|{_MAKING_ZH}", re.IGNORECASE)
_THINGS = (
    r"(?:file|picture|image|photo|chart|plot|graph|diagram|drawing|map|report|table|spreadsheet|document|archive"
    r"|thumbnail|script|video|pdf|csv|png|jpe?g|svg|html|xlsx|zip)s?"
)
_THINGS_ZH = r"文件|图|照片|报告|表格|文档|压缩包|缩略图|脚本|视频"
#: Says of a thing that it comes to be, and not only what is looked at.
_MAKES_THING = late(
    rf"\b{_MAKING}\s+(?:\w+\s+){{0,3}}?{_THINGS}\b|(?:{_MAKING_ZH})\w{{0,6}}?(?:{_THINGS_ZH})", re.IGNORECASE
)

_DESTINATION = late(
    r"\b(?:target|destination|dest|output|into|where it goes|new|save|write)\b|目标|输出|保存到|写入",
    re.IGNORECASE,
)
_LISTS = late(r"\b(?:find|list|search|which|duplicates?|tell where)\b|查找|列出|搜索", re.IGNORECASE)


def points_back(text: str) -> bool:
    """Whether anything in the words means what came before."""
    return bool(_POINTS.search(text))


def points_into(text: str) -> bool:
    """Whether the words mean a place that was named before: `in it`, `in that folder`."""
    return bool(_IN_IT.search(text))


def speaks_of_result(text: str) -> bool:
    """Whether the words mean what a step before brings, rather than what was said for it."""
    return bool(_OF_RESULT.search(text))


def is_reference(value: object, text: str) -> bool:
    """Whether a value is no value but a word that points back; what stands in quotes is meant as it is."""
    if not isinstance(value, str) or len(value) > _LONGEST or not value.strip():
        return False
    bare = value.strip().strip("，。.,")
    pointed = re.search(rf"\b{_BEFORE}{re.escape(bare)}\b", text, re.IGNORECASE)
    if not (_ALL.fullmatch(bare) or (pointed and _ALL.fullmatch(f"the {bare}"))):
        return False
    return re.search(rf"[\"'“‘「`]{re.escape(value)}[\"'”’」`]", text) is None


def only_points(value: object, text: str, info: MetaActionInfo) -> bool:
    """Whether a text is a word that points back with the rest of the sentence behind it: of `copy it to the
    clipboard` what is left is said of the ability anyway, and of `note it down` nothing.
    """
    if not isinstance(value, str) or len(value) > _LONGEST or not value.strip():
        return False
    found = _LEADING.match(value.strip())
    if found is None or re.search(rf"[\"'“‘「`]{re.escape(value)}[\"'”’」`]", text):
        return False
    rest, own = value.strip()[found.end() :].casefold(), _own_words(info)
    if re.search(r"[\u3400-\u9fff]", rest):
        return re.sub(r"[到进入里中去在的下来一，。\s]", "", rest) in own
    return all(word in _PARTICLES or word in own.split() for word in re.findall(r"\w+", rest))


def _own_words(info: MetaActionInfo) -> str:
    return re.sub(r"[^\w\s]", " ", " ".join((info.title, info.description, *info.aliases)).casefold())


def nouns(words: str) -> frozenset[str]:
    """Of files and folders, which the words name."""
    named = [(_FOLDER, "folder"), (_FILE, "file")]
    return frozenset(noun for pattern, noun in named if pattern.search(words))


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both can be the same thing; who names nothing may mean either."""
    return not one or not other or bool(one & other)


def wanted_kind(name: str, schema: JsonObject) -> Kind:
    """What a parameter wants; nothing that a step could bring where it is a choice."""
    if "enum" in schema or "const" in schema:
        return ""
    if schema.get("format") == "path" or schema.get("x-partner-target"):
        return "path"
    kind = schema.get("type", "string")
    if kind in ("number", "integer"):
        return "number"
    if kind == "array":
        items = schema.get("items")
        of_paths = isinstance(items, dict) and items.get("format") == "path"
        return "paths" if of_paths or nouns(words_of(name, schema)) else "list"
    if kind != "string":
        return ""
    most = schema.get("maxLength")
    short = (
        bool(schema.get("format")) or "pattern" in schema or (isinstance(most, int) and most <= _NO_CONTENT)
    )
    return "query" if short or _QUERY.search(words_of(name, schema)) else "text"


def is_destination(name: str, schema: JsonObject) -> bool:
    """Whether a path is where something goes, and not what is worked on."""
    if schema.get("access") != "write" or schema.get("x-partner-there"):
        return False
    return bool(_DESTINATION.search(words_of(name, schema)))


def words_of(name: str, schema: JsonObject) -> str:
    """The words that describe a parameter."""
    return f"{name.replace('_', ' ')} {schema.get('title') or ''} {schema.get('description') or ''}"


def takes_command(info: MetaActionInfo) -> bool:
    """Whether it runs what it is given as a command line: that comes from the person alone."""
    return info.free_args or info.key.startswith(COMMANDS)


def acts(info: MetaActionInfo) -> bool:
    """Whether it changes things, rather than telling of them: what it says then is no content."""
    if info.annotations.read_only:
        return False
    return "write" in info.path_params().values() or info.route is Route.BUILTIN


def brings(info: MetaActionInfo) -> frozenset[Kind]:
    """What may come of an ability, by its result's schema and its own words. All print something."""
    said = {
        kind for name, schema in _results(info) for kind in (wanted_kind(name, schema), _named(name, schema))
    }
    words = f"{info.title} {info.description}"
    if _writes(info) and (_MAKES.search(words) or nouns(words) == {"file"}):
        said.add("path")
    elif info.route is not Route.BUILTIN and _MAKES_THING.search(words):
        said.add("path")  # into its workspace: nothing of the person's is changed by that
    if _NUMBER_WORDS.search(words):
        said.add("number")
    if _LISTS.search(words):
        said.add("list")
    return frozenset({*said, "text"} - {""})


def _writes(info: MetaActionInfo) -> bool:
    if info.annotations.read_only:
        return False
    return "write" in info.path_params().values() or info.route is not Route.BUILTIN


def _results(info: MetaActionInfo) -> Iterator[tuple[str, JsonObject]]:
    schema = info.response_schema
    if schema and schema.get("type") != "object":
        yield "result", schema
    properties = schema.get("properties")
    for name, each in properties.items() if isinstance(properties, dict) else ():
        if isinstance(each, dict):
            yield name, each


def _named(name: str, schema: JsonObject) -> Kind:
    """A text that is described as a file or folder is a path."""
    if schema.get("type", "string") != "string":
        return ""
    return "path" if re.search(r"path|file|folder|archive", name, re.IGNORECASE) else ""
