"""Everyday words: which carry little meaning, and which mean the same; names and numbers of a result as a
person says them, and whether a sentence says a value already.

General language only. Nothing here knows a certain ability or script; what is special to one belongs into
its `aliases`.
"""

from __future__ import annotations

import math
import re

from partner_desktop.domain.json_value import Json


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


#: Words of grammar and politeness. They weigh next to nothing, but decide when nothing else is there.
FUNCTION_WORDS = word_set(
    """
    a an the this that these those it its i me my mine we us our you your he she they them their
    am is are was were be been being do does did done have has had having will would shall should can could
    may might must to of in on at by for from with within into onto about as and or but if then than so
    not no what which who whom whose when where why how there here very just also too please thanks thank
    hi hello hey ok okay well let lets now up out off over under again any some all each every other such
    only own same both few more most many
    much want wants need needs like would'd tell say know get gets got give
    gives im id ive youre youd dont doesnt isnt whats theres thats who's really actually kindly maybe
    perhaps able come go going does
    """
)

#: Words of talk: of an answer, of news, of how somebody is, of later. In a yes they may go with anything.
TALK = word_set(
    """
    great good nice fine right wrong sure true correct cool perfect awesome wonderful lovely funny sorry
    welcome question questions answer answers joke jokes story news weather idea ideas word words talk talking
    chat hear heard see saw look think thought mean meant means said saying tells told asked remember forget
    forgot back later soon again still already yet ever never always before after today tomorrow tonight
    yesterday morning evening night moment minute while else anything something nothing everything anyone
    someone everyone yes no yeah yep bye love care happy glad hope guess suppose agree understand clear
    done ready finished got came gone going little bit lot lots different interesting important easy hard
    because since through away around about between during until first next last m s t re ve ll d
    """
)

#: The same in Chinese.
CJK_TALK = word_set(
    """
    谢谢 多谢 感谢 不错 很好 真好 太好 好的 好 知道 明白 懂 了解 天气 明天 今天 昨天 后天 晚上 早上 时候 时间
    等 先 再 再说 以后 之后 后来 问题 回答 答案 笑话 故事 消息 说 讲 告诉 聊 觉得 想 看 听 听说 高兴 喜欢 对
    没 会 来 去 到 还 又 才 也许 可能 真 太 非常 大家 我们 你们 他们 自己 事 事情 意思 您 呀 哦 嗯
    """
)

#: Words that fit half of all abilities. They count, but less.
GENERIC_WORDS = word_set(
    """
    find search look show list see view display check make create use using set help work thing things item
    items file files folder folders directory directories path name names number numbers value values data
    info information detail details text string type kind user current new given specific return returns
    result results provide provided retrieve fetch calculate compute perform based run execute start open
    print output input including include includes add update change one two first last next
    down option options optional default example time way ask asks call calls called long whether per computer
    machine disk today day
    """
)

#: Phrase (lower-cased words) → the concept it stands for.
PHRASES: dict[tuple[str, ...], str] = {
    ("how", "many"): "count",
    ("number", "of"): "count",
    ("more", "than", "once"): "duplicate",
    ("look", "for"): "find",
    ("get", "rid", "of"): "delete",
    ("throw", "away"): "delete",
    ("go", "to"): "open",
    ("what", "time"): "time",
    ("what", "day"): "date",
    ("how", "big"): "size",
    ("how", "large"): "size",
    ("how", "much", "space"): "size",
    ("how", "much", "room"): "size",
    ("take", "up"): "size",
    ("takes", "up"): "size",
    ("taking", "up"): "size",
    ("turn", "into"): "convert",
    ("web", "page"): "link",
    ("web", "site"): "link",
    ("the", "same"): "duplicate",
}

_GROUPS: dict[str, str] = {
    "count": "count counts counting counted tally total totals",
    "duplicate": "duplicate duplicates duplicated dupe dupes twice double doubles doubled identical copies "
    "redundant repeated",
    "find": "find finds search locate detect seek spot discover",
    "list": "list lists listing show shows display view see contents",
    "folder": "folder folders directory directories dir dirs subfolder subfolders subdirectory",
    "file": "file files",
    "image": "picture pictures photo photos image images pic pics photograph photographs "
    "screenshot screenshots",
    "music": "music song songs track tracks audio mp3 mp3s",
    "video": "video videos movie movies film films clip clips",
    "document": "document documents doc docs pdf pdfs",
    "delete": "delete deletes remove removes erase wipe trash discard",
    "time": "time clock hour",
    "date": "date weekday calendar",
    "run": "run runs execute executes launch launches invoke",
    "command": "command commands shell terminal cmd cli",
    "open": "open opens launch visit browse",
    "link": "link links url urls website site webpage page address",
    "notify": "notify notification notifications notifies alert alerts popup ping",
    "remind": "remind reminder reminders",
    "size": "size sizes space big biggest large largest huge heavy bytes megabytes gigabytes storage usage "
    "eats eating eaten hogging",
    "create": "create creates make makes build generate generates produce",
    "convert": "convert converts transform transforms translate export conversion",
    "move": "move moves relocate",
    "rename": "rename renames renaming",
    "copy": "copy copying clone",
    "sort": "sort sorts order arrange organise organize group",
    "compress": "compress zip archive pack shrink",
    "extract": "extract unzip unpack decompress",
    "newest": "newest latest recent recently",
    "word": "word words",
    "buy": "buy purchase order",
    "book": "book reserve booking reservation schedule",
    "price": "price prices cost costs",
    "weather": "weather forecast temperature rain raining sunny",
    "mean": "mean average",
    "calculate": "calculate compute work determine evaluate",
    "car": "car cars vehicle vehicles automobile",
    "doctor": "doctor dentist physician",
    "film": "film movie",
    "stop": "stop stops cancel abort end kill",
    "send": "send sends mail email message",
    "get": "get fetch retrieve obtain look lookup",
    "backup": "backup backups archive",
    "log": "log logs",
    "change": "change changes changed modify modified edited",
}

#: What one kind of thing also is, for half the credit: a photo is a file.
_ALSO: dict[str, str] = {"image": "file", "music": "file", "video": "file", "document": "file"}

_CJK_GROUPS: dict[str, str] = {
    "count": "多少 几个 统计 数量 计数 数一数 数数",
    "calculate": "计算",
    "duplicate": "重复 相同 一样 一模一样 两份 两遍 多份 查重",
    "folder": "文件夹 目录 子文件夹",
    "file": "文件",
    "image": "图片 照片 相片 图像 截图",
    "music": "音乐 歌曲",
    "video": "视频 电影",
    "document": "文档 文章 稿子",
    "open": "打开",
    "link": "网页 网站 链接 网址",
    "run": "运行 执行 启动",
    "command": "命令 终端",
    "time": "时间 几点 钟点",
    "date": "日期 星期 礼拜 几号 周几",
    "notify": "通知 弹窗 提示",
    "remind": "提醒",
    "delete": "删除 删掉 清除",
    "find": "查找 寻找 搜索 找出 找 搜 搜一下 查一查 提到 包含 含有",
    "list": "列出 显示 查看 看看 看一下 有些什么 有什么 都有",
    "size": "大小 空间 占用 多大 最大 容量 硬盘 磁盘 存储 占地方 占的地方 最占",
    "word": "单词 字数 字 词 多长 篇幅",
    "create": "创建 新建 生成",
    "convert": "转换",
    "move": "移动",
    "rename": "重命名 改名 重新命名 文件名 名字 编号",
    "copy": "复制",
    "sort": "排序 整理 归类 分类 收拾 分门别类 归置 归档",
    "compress": "压缩 打包 压缩包",
    "extract": "解压",
    "newest": "最新 最近 近期 这几天 这两天",
    "weather": "天气",
    "price": "价格",
    "send": "发送",
    "stop": "停止",
    "backup": "备份",
    "log": "日志",
    "change": "修改 改动 更改 改过 变动 改了",
    "note": "记一笔 记一下 记下 记下来 记录 备忘",
    "resize": "缩小 放大 缩放 变小 调整大小 尺寸",
}

#: Chinese word → concept; the longest is taken where several fit.
CJK_CONCEPTS: dict[str, str] = {
    word: concept for concept, words in _CJK_GROUPS.items() for word in words.split()
}


#: Chinese words that ask rather than tell.
CJK_GENERIC_WORDS = word_set("多少 几个")

#: Chinese characters and words of grammar and politeness, cut out before bigrams are made.
CJK_FUNCTION_WORDS = word_set(
    """
    帮我一下 请帮我 帮我 请问 麻烦 一下 什么 怎么 哪些 哪个 这个 那个 可以 能不能 是不是 有没有
    里面 现在 给我 我想 我要 的 了 吗 呢 吧 啊 我 你 他 她 它 们 是 在 有 请 个 这 那 就 都 也
    很 把 被 里 给
    """
)


def _concepts_by_word() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for concept, words in _GROUPS.items():
        for word in words.split():
            strengths = found.setdefault(word, {})
            strengths[concept] = 1.0
            if wider := _ALSO.get(concept):
                strengths.setdefault(wider, 0.5)
    return found


#: Lower-cased word → its concepts with their strength, 0 to 1.
CONCEPTS: dict[str, dict[str, float]] = _concepts_by_word()


#: Units that a name ends with, put in brackets.
_UNITS = word_set("bytes kb mb gb seconds minutes hours days ms percent px")


def fact_name(key: str) -> str:
    """`reading_time_minutes` → `reading time (minutes)`."""
    words = re.sub(r"[_\-\s]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)).strip().lower().split()
    if len(words) > 1 and words[-1] in _UNITS:
        return f"{' '.join(words[:-1])} ({words[-1]})"
    return " ".join(words) or key


def head(key: str) -> str:
    """A name where a line or a column begins: `reading_time_minutes` → `Reading time (minutes)`."""
    name = fact_name(key)
    return name[:1].upper() + name[1:]


def number(value: float) -> str:
    """With thousands marked and without needless decimals."""
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def said_in(summary: str, value: Json) -> bool:
    """Whether a sentence already gives a value, so that repeating it adds nothing."""
    if isinstance(value, (bool, dict, list)) or value is None:
        return False
    forms = {str(value), number(value)} if isinstance(value, (int, float)) else {value}
    return any(form and re.search(rf"(?<![\w.,]){re.escape(form)}(?![\w]|[.,]\d)", summary) for form in forms)
