"""What the starter mind says of chains, in English and in simplified Chinese. See `phrases`."""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.domain.chain import StepStatus
from partner_desktop.domain.run_facts import Risk


@dataclass(frozen=True)
class ChainPhrases:
    """One language's sentences about work of several steps."""

    proposed: dict[Risk, str]
    the_plan: str
    """What a yes to all of it is to, after `Phrases.yes_to`."""
    started: str
    then: str
    """Between two stages."""
    together: str
    """Between two steps of one stage."""
    more_steps: str
    asks_left_open: str
    """Of a step of an approved chain that asks all the same: it may have been done already."""
    asks_broke_before: str
    asks_changed: str
    done_both: str
    done: str
    done_partly: str
    failed: str
    failed_because: str
    stopped_early: str
    """Before any step was done."""
    stopped: str
    stopped_because: str
    interrupted: str
    step_did_not_run: str
    step_skipped: str
    step_stopped: str
    step_mended: str
    """Between a failed step and what was put in its place."""
    replanned: str
    """What a mind changed of a chain on its way."""
    checked: str
    unchanged: str
    asks_again: str
    edited: str
    """A waiting chain was changed, not only in its arguments."""
    amended: str
    steps_separator: str
    left_out: str
    """A part of a request that nothing does, while the others are seen to."""
    left_out_near: str
    condition: str
    """A part of a request that hangs on something."""
    now: str
    """What a chain was changed to, in place of sentences that are English; empty: they do."""
    nothing_open: str
    """Nothing runs, and nothing waits."""
    waits: str
    runs: str
    one_step: str
    step_may: str
    step_stands: str
    from_step: str
    may_do: dict[Risk, str]
    states: dict[StepStatus, str]
    judged: str
    """The reason of a verdict: the names of what did not succeed."""
    judged_many: str


ENGLISH = ChainPhrases(
    the_plan="run the plan",
    proposed={
        Risk.READ: "I would do this in {count} steps: {steps}. Shall I?",
        Risk.WRITE: "I would do this in {count} steps: {steps}. "
        "It may change things, so look it over. Shall I?",
        Risk.SYSTEM: "I would do this in {count} steps: {steps}. Part of it runs with your own "
        "rights, so read it closely. Shall I?",
    },
    started="I started {count} steps: {steps}. I'll tell you what comes of them.",
    then=", then ",
    together=" together with ",
    more_steps="and {count} more",
    asks_left_open="Partner was closed while {title} ran, so I can't tell whether it was done. "
    "Shall I run it again?",
    asks_broke_before="Something before {title} did not work, so I ask first. Shall I do it all the same?",
    asks_changed="{title} is the next step, and not covered by what you approved. Look it over: shall I?",
    done_both="Both steps are done.",
    done="All {count} steps are done.",
    done_partly="Done: {done} of {count} steps.",
    failed="{title} did not work. Done: {done} of {count} steps.",
    failed_because="{title} did not work: {error} Done: {done} of {count} steps.",
    stopped_early="{title} was stopped before a step was done.",
    stopped="{title} was stopped. Done: {done} of {count} steps; what they did stays done.",
    stopped_because="{title} was stopped: {error} Done: {done} of {count} steps; what they did stays done.",
    interrupted="{title} was under way when Partner closed, and does not go on: {error} "
    "Done: {done} of {count} steps.",
    step_did_not_run="{title} did not run.",
    step_skipped="{title} was left out: {reason}",
    step_stopped="{title} was stopped.",
    step_mended="{other} was done in place of {title}.",
    replanned="On the way I changed the plan: {changes}",
    checked="In the end: {reason}",
    unchanged="{title} stays as it is.",
    asks_again="Nothing ran yet: look it over and approve it again.",
    edited="{title} is now: {steps}. Nothing ran yet: look it over and approve it again.",
    amended="It is now: {steps}. Nothing ran yet: look it over and approve it again.",
    steps_separator="; ",
    left_out="I left out “{text}”: nothing here does that.",
    left_out_near="I left out “{text}”: nothing here does quite that. The nearest: {titles}.",
    condition="I left out “{text}”: I cannot make anything depend on that, so look yourself whether "
    "it is so.",
    now="",
    nothing_open="Nothing runs right now, and nothing waits for you.",
    waits="{title} waits for your yes; nothing of it ran yet.",
    runs="{title} is running.",
    one_step="Step {number} is {step}",
    step_may="{step}. {may}",
    step_stands="{step}: {state}.",
    from_step="{name} from step {number}",
    may_do={
        Risk.READ: "It only reads.",
        Risk.WRITE: "It may change things.",
        Risk.SYSTEM: "It runs with your own rights.",
    },
    states={
        StepStatus.PLANNED: "still to come",
        StepStatus.WAITING: "waiting for you",
        StepStatus.RUNNING: "running now",
        StepStatus.SUCCEEDED: "done",
        StepStatus.FAILED: "it did not work",
        StepStatus.SKIPPED: "left out",
        StepStatus.CANCELLED: "stopped",
    },
    judged="{titles} did not succeed.",
    judged_many="These did not succeed: {titles}.",
)

CHINESE = ChainPhrases(
    the_plan="执行计划",
    proposed={
        Risk.READ: "我会分 {count} 步来做：{steps}。可以吗？",
        Risk.WRITE: "我会分 {count} 步来做：{steps}。它可能会改动东西，请先看一下。可以吗？",
        Risk.SYSTEM: "我会分 {count} 步来做：{steps}。其中有的步骤以你自己的权限运行，请仔细看。可以吗？",
    },
    started="已开始 {count} 个步骤：{steps}。结果出来我会告诉你。",
    then="，然后 ",
    together=" 同时 ",
    more_steps="还有 {count} 步",
    asks_left_open="Partner 关闭时 {title} 正在运行，我不知道它有没有做完。要再运行一次吗？",
    asks_broke_before="{title} 之前有步骤没有成功，所以我先问一下。还要继续做吗？",
    asks_changed="接下来是 {title}，它不在你批准的范围内。请看一下：可以吗？",
    done_both="两个步骤都完成了。",
    done="{count} 个步骤都完成了。",
    done_partly="{count} 个步骤中完成了 {done} 个。",
    failed="{title} 没有成功。{count} 个步骤中完成了 {done} 个。",
    failed_because="{title} 没有成功：{error}{count} 个步骤中完成了 {done} 个。",
    stopped_early="{title} 已停止，还没有完成任何步骤。",
    stopped="{title} 已停止。{count} 个步骤中完成了 {done} 个，做完的部分仍然保留。",
    stopped_because="{title} 已停止：{error}{count} 个步骤中完成了 {done} 个，做完的部分仍然保留。",
    interrupted="Partner 关闭时 {title} 正在进行，它不再继续：{error}{count} 个步骤中完成了 {done} 个。",
    step_did_not_run="{title} 没有运行。",
    step_skipped="{title} 没有做：{reason}",
    step_stopped="{title} 已停止。",
    step_mended="改用 {other} 代替了 {title}。",
    replanned="途中我改动了计划：{changes}",
    checked="最后检查：{reason}",
    unchanged="{title} 保持不变。",
    asks_again="还没有运行：请看看，再批准一次。",
    edited="{title} 现在是：{steps}。还没有运行：请看看，再批准一次。",
    amended="现在是：{steps}。还没有运行：请看看，再批准一次。",
    steps_separator="；",
    left_out="“{text}”我没有算进去：这里没有什么能做它。",
    left_out_near="“{text}”我没有算进去：这里没有什么正好能做它。最接近的是：{titles}。",
    condition="“{text}”我没有算进去：我没法让一件事取决于条件，请你自己看看是不是这样。",
    now="现在是：{steps}。",
    nothing_open="现在没有在运行的，也没有在等你决定的。",
    waits="{title} 在等你同意；还什么都没有运行。",
    runs="{title} 正在运行。",
    one_step="第 {number} 步是 {step}",
    step_may="{step}。{may}",
    step_stands="{step}：{state}。",
    from_step="{name} 来自第 {number} 步",
    may_do={
        Risk.READ: "它只读取。",
        Risk.WRITE: "它可能会改动东西。",
        Risk.SYSTEM: "它以你自己的权限运行。",
    },
    states={
        StepStatus.PLANNED: "还没开始",
        StepStatus.WAITING: "在等你",
        StepStatus.RUNNING: "正在运行",
        StepStatus.SUCCEEDED: "已完成",
        StepStatus.FAILED: "没有成功",
        StepStatus.SKIPPED: "没有做",
        StepStatus.CANCELLED: "已停止",
    },
    judged="{titles} 没有成功。",
    judged_many="这些没有成功：{titles}。",
)
