"""Everything that the starter mind says, in simplified Chinese."""

from __future__ import annotations

from partner_desktop.domain.action import Risk
from partner_desktop.mind.starter.phrases import Phrases
from partner_desktop.mind.starter.smalltalk import Talk

#: What is true of models today; see `phrases.MODEL_NOTE`.
MODEL_NOTE_ZH = (
    "我目前没有语言模型：自由聊天需要一个模型（本地 GGUF 文件或兼容 OpenAI 的接口），"
    "而这个版本还不能加载模型。"
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
    teach="把脚本放进 `action/dynamic` 文件夹，我马上就能学会更多。",
    can_do_more="如果还有别的事，可以说，例如{examples}。",
    alternative="或",
    quoted="“{words}”",
    example="“{words}”（{title}）",
    cannot="这件事我在这里做不到。",
    cannot_converse="这个我回答不了，需要能自由聊天才行。",
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
    withheld="什么都没有运行。本来会运行 {title}。{reason}",
    withheld_with="什么都没有运行。本来会运行 {title}，参数：{arguments}。{reason}",
    no_reason="这里不允许这样做。",
    asked="{title} 还需要一样东西：{hint}。",
    asked_named="{title} 还需要一样东西：{param}。应该是什么？",
    asked_choices="可以是：{choices}。",
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
    rejected="好的，我没有动它。",
    not_ended="{title} 还没有结束。",
    dropped="已放弃：不做 {title} 了。",
    unsettled="有不止一件事在等你决定，你指的是哪一件？",
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
)
