"""Everything that the starter mind says, in simplified Chinese; and which language to answer in."""

from __future__ import annotations

from partner_desktop.domain.run_facts import Risk
from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.speech_acts.small_talk import Talk
from partner_desktop.language.terms import mainly_cjk, terms
from partner_desktop.mind.starter import chain_phrases
from partner_desktop.mind.starter.phrases import ENGLISH, Phrases

#: See `phrases.MODEL_NOTE`.
MODEL_NOTE_ZH = (
    "我现在没有用语言模型回答；自由聊天需要一个模型。可以在“模型”页面添加 GGUF 文件或"
    "兼容 OpenAI 的服务器，也可以在命令行输入 `partner-desktop models use FILE.gguf`。"
)

CHINESE = Phrases(
    model_note=MODEL_NOTE_ZH,
    talk={
        Talk.HELLO: ("你好！很高兴见到你。", "你好！我在这儿，随时可以帮忙。"),
        Talk.THANKS: ("不客气！", "很乐意！"),
        Talk.HOW_ARE_YOU: ("我很好，谢谢关心。",),
        Talk.WHO_ARE_YOU: ("我是 Partner，住在你自己电脑上的伙伴：经你批准，我替你运行脚本。",),
        Talk.WHAT_CAN_YOU_DO: ("你说要做什么，我找到合适的脚本，填好参数，经你批准后运行。",),
        Talk.BYE: ("再见！内容都保存好了，随时可以继续。",),
        Talk.JOKE: ("我最好的笑话，就是没有语言模型还想讲笑话的我。",),
        Talk.LOVE: ("感情的事我不太懂，我更擅长文件。",),
        Talk.MOOD: ("谢谢你告诉我。我不太会谈心，但可以帮你分担一点小事。",),
        Talk.PRAISE: ("谢谢，听到这话真开心！",),
        Talk.SORRY: ("没关系。",),
    },
    can_do="现在你可以这样对我说，例如：",
    can_do_nothing="现在还没有我能替你做的事。",
    teach="把脚本拖到我的窗口上，或放进 `action/dynamic` 文件夹，我马上就能做更多事。",
    can_do_more="如果还有别的事，可以说，例如{examples}。",
    can_do_briefly="你可以说，例如{examples}。",
    alternative="或",
    quoted="“{words}”",
    example="“{words}”（{title}）",
    cannot="这件事我在这里做不到。",
    code_pasted="这是一段代码。说“把这个变成一个能力”，我就用它做一个，先给你过目。",
    cannot_converse="这个我回答不了，需要能自由聊天才行。",
    declined="好的，我不做。",
    nearest="没有完全符合的功能，最接近的是：",
    nearest_end="用类似的话说出其中一个，我就替你准备好。",
    proposed={
        Risk.READ: ("我可以用 {title} 来做：请看看，然后批准。", "{title} 可以做到：请看看，然后批准。"),
        Risk.WRITE: (
            "我可以用 {title} 来做：请看看，然后批准。",
            "{title} 可以做到。它可能会改动东西，批准前请看一下。",
        ),
        Risk.SYSTEM: (
            "我可以用 {title} 来做。它以你自己的权限运行，批准前请仔细看。",
            "{title} 可以做到，但没有任何限制：批准前请仔细看。",
        ),
    },
    started="已开始：{title}。",
    initiated="我想回到这件事：{text}",
    command_ended="后台命令已完成：{command}。",
    command_failed="后台命令没有正常结束：{command}。{error}",
    withheld="什么都没有运行。本来会运行 {title}。{reason}",
    withheld_with="什么都没有运行。本来会运行 {title}，参数：{arguments}。{reason}",
    no_reason="这里不允许这样做。",
    asked="请问是哪个？{title} 需要知道：{hint}。",
    asked_plain="请问应该是什么？{title} 需要知道：{hint}。",
    asked_named="请问 {param} 是什么？{title} 需要知道。",
    asked_choices="可以是：{choices}。",
    choice="这里有不止一样东西可能是你要的：",
    choice_line="{number}. {title}：{told}",
    choice_end="要哪一个？说编号或名字都可以。",
    choice_again="我没看出你要的是哪一个：",
    cancel_hint="（说“取消”就放弃。）",
    finished_empty="完成了，没有输出。",
    finished_nothing="完成了，结果是空的。",
    failed="{title} 没有成功。",
    failed_because="{title} 没有成功：{error}",
    exit_code="它的退出码是 {code}。",
    exit_meanings={
        2: "常常是参数错误或缺少参数",
        126: "找到了，但不能运行",
        127: "找不到命令",
        130: "被外部中断",
        137: "被强行结束，常常因为内存不足",
        139: "它崩溃了",
        143: "被要求结束",
    },
    last_words="它最后的输出：",
    cancelled="{title} 已停止。之前做完的部分仍然保留。",
    interrupted="Partner 关闭时 {title} 正在运行，可能已经做了一部分。再说一次，我就重新准备。",
    stopped_for_good="Partner 关闭时 {title} 正在运行，可能已经做了一部分。它不再继续：{error}",
    rejected="好的，我没有动它。",
    expired="关于 {title} 的问题超时了：半小时没有回答，所以什么都没有运行。需要时再说一次就好。",
    card_expired="{title} 等了半小时没有得到同意，已超时：什么都没有运行。点卡片上的“再运行一次”会重新问你。",
    reminded="{title} 还在等你同意，{time} 到期。",
    reminded_soon="{title} 还在等你同意，很快就要到期。",
    amended="我把 {title} 改成了：{arguments}。还没有运行：请看看，再批准一次。",
    not_amended="我没看出 {title} 要改什么，所以什么都没有运行。它还在等：可以在卡片上改，或说“好”或“不要”。",
    not_amended_because="{title} 没能这样改，什么都没有运行：{reason}它还照原样等着。",
    not_ended="{title} 还没有结束。",
    dropped="已放弃：不做 {title} 了。",
    unsettled="有不止一件事在等你决定，你指的是哪一件？",
    unsettled_one="{title} 还在等：只有明确说“好”我才运行。请说“好”、“不要”，或者要改什么。",
    unsettled_line="{number}. {title}",
    unsettled_end="例如：“好，第一个”或“都不要”。",
    not_last="你是指 {title} 吗？之后我们又说了别的。请说“好”、“不要”，或者要改什么。",
    not_last_by_name=(
        "你是指 {title} 吗？之后我们又说了别的，而且它不受任何限制：请说“{words}”，或者用它的卡片。"
    ),
    not_named="{title} 不受任何限制，只说“好”还不够：请说“{words}”，或者用它的卡片。",
    yes_to="好，{name}",
    yes_to_run="好，运行 {name}",
    by_card_only="{title} 不受任何限制，光说话还不够：请在它的卡片上批准。",
    which_stops="现在有不止一件事在运行，要停哪一件？",
    which_stops_end="例如：“停第一个”或“全部停止”。",
    more_items="……还有 {count} 项",
    more_lines="……还有 {count} 行",
    last_words_of="它共输出 {count} 行，最后 {shown} 行是：",
    whole_output="完整输出在 {path}。",
    cut_output="输出已被截断。",
    yes="是",
    no="否",
    nothing="无",
    and_more="{items} 等另外 {count} 项",
    list_separator="、",
    gap="",
    need_whole_number="这里需要一个整数，例如 12。",
    need_number="这里需要一个数字，例如 2.5。",
    need_yes_or_no="这里需要回答是或否。",
    need_choice="这里需要以下之一：{choices}。",
    need_path="这里需要一个文件或文件夹，例如 ~/Documents/notes.txt。",
    need_quotes="里面的引号没有成对，我看不出哪里结束。",
    need_object="这里需要一个 JSON 对象，例如 {example}。",
    need_something="这里需要内容，但什么都没有。",
    too_small="太小了：至少要 {limit}。",
    too_large="太大了：最多 {limit}。",
    too_short="太短了。",
    too_long="太长了。",
    unfit="这里不合适。",
    chain=chain_phrases.CHINESE,
)


def phrases_for(*texts: str) -> Phrases:
    """The sentences in the language of the first text that has words and not only paths and numbers."""
    spoken = (blank(text, find_spans(text)) for text in texts)
    told = next((text for text in spoken if terms(text)), next(iter(texts), ""))
    return CHINESE if mainly_cjk(told) else ENGLISH
