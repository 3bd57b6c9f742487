<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>You had allowed an earlier version of this; it was edited since.</source>
        <translation>你允许过它的旧版本；之后它被修改过。</translation>
    </message>
    <message>
        <source>There is no sandbox to try it in. {reason}</source>
        <translation>没有可用来试运行的沙箱。{reason}</translation>
    </message>
    <message>
        <source>which one you mean</source>
        <translation>你指的是哪一个</translation>
    </message>
    <message>
        <source>Tell Partner in the chat: {name}</source>
        <translation>请在对话里告诉 Partner：{name}</translation>
    </message>
    <message>
        <source>Partner was closed while this ran. How far it came is not known.</source>
        <translation>运行期间 Partner 被关闭，不清楚执行到了哪一步。</translation>
    </message>
    <message>
        <source>This runs without a sandbox, with your own rights.</source>
        <translation>它不在沙箱中运行，拥有你本人的全部权限。</translation>
    </message>
    <message>
        <source>It can read, change and delete what you can, and use the network.</source>
        <translation>凡是你能读取、修改和删除的，它都可以，并且能使用网络。</translation>
    </message>
    <message>
        <source>Why there is no sandbox: {reason}</source>
        <translation>没有沙箱的原因：{reason}</translation>
    </message>
    <message>
        <source>Ability</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Show source</source>
        <translation>显示源代码</translation>
    </message>
    <message>
        <source>Show source: {title}</source>
        <translation>显示源代码：{title}</translation>
    </message>
    <message>
        <source>Runs with</source>
        <translation>运行方式</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Isolation</source>
        <translation>隔离</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Touches</source>
        <translation>涉及</translation>
    </message>
    <message>
        <source>Asked with</source>
        <translation>原话</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>允许范围</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>Type a whole number.</source>
        <extracomment>A number of more digits is looked at like a text. As a number is shown: a comma between thousands, and nowhere else.</extracomment>
        <translation>请输入整数。</translation>
    </message>
    <message>
        <source>Type a number.</source>
        <translation>请输入数字。</translation>
    </message>
    <message>
        <source>At least {limit}.</source>
        <translation>不能小于 {limit}。</translation>
    </message>
    <message>
        <source>At most {limit}.</source>
        <translation>不能大于 {limit}。</translation>
    </message>
    <message>
        <source>In steps of {limit}.</source>
        <translation>须为 {limit} 的倍数。</translation>
    </message>
    <message>
        <source>{least} to {most}</source>
        <translation>{least} 到 {most}</translation>
    </message>
    <message>
        <source>one line an item</source>
        <translation>每行一项</translation>
    </message>
    <message>
        <source>one number a line</source>
        <translation>每行一个数字</translation>
    </message>
    <message>
        <source>At least {limit} lines.</source>
        <translation>至少 {limit} 行。</translation>
    </message>
    <message>
        <source>At most {limit} lines.</source>
        <translation>最多 {limit} 行。</translation>
    </message>
    <message>
        <source>“{line}” is not a value of this list.</source>
        <translation>“{line}”不是这个列表可用的值。</translation>
    </message>
    <message>
        <source>“{line}” is not a whole number.</source>
        <translation>“{line}”不是整数。</translation>
    </message>
    <message>
        <source>“{line}” is not a number.</source>
        <translation>“{line}”不是数字。</translation>
    </message>
    <message>
        <source>This is not JSON.</source>
        <translation>这不是有效的 JSON。</translation>
    </message>
    <message>
        <source>Drop it</source>
        <extracomment>What only one who has seen all of the card may press, and what only ends something.</extracomment>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Run {title}</source>
        <translation>运行 {title}</translation>
    </message>
    <message>
        <source>“{title}” is off: it is neither found nor run.</source>
        <translation>“{title}”已关闭：不会被找到，也不会运行。</translation>
    </message>
    <message>
        <source>Undo</source>
        <extracomment>What ids look like; no secret that somebody pasted.</extracomment>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Edit details</source>
        <translation>编辑详情</translation>
    </message>
    <message>
        <source>Save this plan as an ability</source>
        <translation>把这个计划存为能力</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>What it asks for each time; the rest stays as it was</source>
        <translation>每次要问的内容；其余保持不变</translation>
    </message>
    <message>
        <source>Ask for {param} of step {place}</source>
        <translation>询问步骤 {place} 的 {param}</translation>
    </message>
    <message>
        <source>Name of {param} of step {place}</source>
        <translation>步骤 {place} 的 {param} 的名称</translation>
    </message>
    <message>
        <source>A change of its name or description asks again before it runs.</source>
        <translation>改动名称或说明后，下次运行前会再次询问。</translation>
    </message>
    <message>
        <source>“{title}” is in the trash.</source>
        <translation>“{title}”已移到回收站。</translation>
    </message>
    <message>
        <source>Move “{title}” to the trash?</source>
        <translation>把“{title}”移到回收站？</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>{path} is not there any more.</source>
        <extracomment>Files that programs show and do not run. Folders that are programs to the desktop. Editors with a window of their own, and how each is told a line. Those of the terminal have none here.</extracomment>
        <translation>{path} 已经不在了。</translation>
    </message>
    <message>
        <source>Nothing here could open {path}.</source>
        <translation>这里没有程序能打开 {path}。</translation>
    </message>
    <message>
        <source>Keep this ability</source>
        <translation>保留这个能力</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>It stays in the list and asks again before it runs.</source>
        <translation>它会留在列表里，下次运行前会再次询问。</translation>
    </message>
    <message>
        <source>“{wanted}” was taken, so it is kept as “{name}”. It asks again before it runs.</source>
        <translation>“{wanted}”已被占用，所以保留为“{name}”。下次运行前会再次询问。</translation>
    </message>
    <message>
        <source>“{name}” is kept. It asks again before it runs.</source>
        <translation>“{name}”已保留。下次运行前会再次询问。</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Source and details</source>
        <translation>源代码与详情</translation>
    </message>
    <message>
        <source>All details</source>
        <translation>全部详情</translation>
    </message>
    <message>
        <source>Hide source and details</source>
        <translation>收起源代码与详情</translation>
    </message>
    <message>
        <source>Show source and details</source>
        <translation>显示源代码与详情</translation>
    </message>
    <message>
        <source>Keep…</source>
        <translation>保留…</translation>
    </message>
    <message>
        <source>It leaves the list after a while. Keep it as an ability of your own.</source>
        <translation>它过一会儿会从列表消失。可以保留为你自己的能力。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>It goes on where it ended; what is done is not done again.</source>
        <translation>从停下的地方接着做；做完的不会再做。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Looks whether what its steps claim is so. Nothing is changed.</source>
        <translation>看看各步骤所说的是否属实，不会改动任何东西。</translation>
    </message>
    <message>
        <source>Save as ability…</source>
        <translation>存为能力…</translation>
    </message>
    <message>
        <source>Its steps become an ability of your own.</source>
        <translation>这些步骤会成为你自己的一项能力。</translation>
    </message>
    <message>
        <source>Undo all</source>
        <translation>全部撤销</translation>
    </message>
    <message>
        <source>Takes back what its steps changed, the latest first.</source>
        <translation>撤销各步骤所做的改动，从最近的开始。</translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation>试运行中…</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>Approve without sandbox</source>
        <translation>无沙箱批准</translation>
    </message>
    <message>
        <source>Approve plan</source>
        <translation>批准计划</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Run without sandbox</source>
        <translation>不用沙箱运行</translation>
    </message>
    <message>
        <source>Approve once</source>
        <translation>允许一次</translation>
    </message>
    <message>
        <source>Runs it in the sandbox, without network or your files. The card goes on waiting.</source>
        <translation>在沙箱中运行，不联网，也碰不到你的文件。卡片继续等待。</translation>
    </message>
    <message>
        <source>Remind me</source>
        <translation>提醒我</translation>
    </message>
    <message>
        <source>Schedule without sandbox</source>
        <translation>不用沙箱，按计划执行</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>按计划执行</translation>
    </message>
    <message>
        <source>Allow in this conversation</source>
        <translation>在此对话中允许</translation>
    </message>
    <message>
        <source>Always allow</source>
        <translation>始终允许</translation>
    </message>
    <message>
        <source>Until you take it back, it runs in this conversation without a question.</source>
        <translation>在你收回之前，它在此对话中运行时不再询问。</translation>
    </message>
    <message>
        <source>Always allow on these places</source>
        <translation>对这些位置始终允许</translation>
    </message>
    <message>
        <source>Until you take it back, it runs in every conversation without a question.</source>
        <translation>在你收回之前，它在所有对话中运行时不再询问。</translation>
    </message>
    <message>
        <source>Always allow everywhere</source>
        <translation>在任何位置始终允许</translation>
    </message>
    <message>
        <source>Always allow with any arguments</source>
        <translation>始终允许使用任何参数</translation>
    </message>
    <message>
        <source>Until you take it back, it runs on all files and folders without a question.</source>
        <translation>在你收回之前，它对所有文件和文件夹运行时都不再询问。</translation>
    </message>
    <message>
        <source>{choice}, asked for by “{program}”</source>
        <translation>{choice}，由“{program}”请求</translation>
    </message>
    <message>
        <source>Always allow with these arguments</source>
        <translation>始终允许使用这些参数</translation>
    </message>
    <message>
        <source>That is for exactly these arguments; others ask again.</source>
        <translation>这只适用于完全相同的参数；其他参数会再次询问。</translation>
    </message>
    <message>
        <source>That is for the files and folders on this card and what lies in them; others ask again.</source>
        <translation>这只适用于此卡片上的文件和文件夹及其中的内容；其他位置会再次询问。</translation>
    </message>
    <message>
        <source>Once it is edited, it asks again.</source>
        <translation>一旦被编辑，就会再次询问。</translation>
    </message>
    <message>
        <source>Allow…</source>
        <translation>允许…</translation>
    </message>
    <message>
        <source>Allow more than once…: {title}</source>
        <translation>不止允许一次…：{title}</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>This is needed.</source>
        <extracomment>A form that is narrower has its labels above the fields: a card of 560 px without its margins. Narrower, what may stand beside each other stands below each other.</extracomment>
        <translation>此项必填。</translation>
    </message>
    <message>
        <source>The ability does not describe this one.</source>
        <translation>该能力没有说明这个参数。</translation>
    </message>
    <message>
        <source>required</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>The place is looked up again when you approve.</source>
        <translation>批准时会重新确认这个位置。</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose: {title}</source>
        <translation>选择：{title}</translation>
    </message>
    <message>
        <source>reads only</source>
        <translation>只读取</translation>
    </message>
    <message>
        <source>full access to your account</source>
        <translation>可访问你账户的一切</translation>
    </message>
    <message>
        <source>writes only its own workspace</source>
        <translation>只写入自己的工作区</translation>
    </message>
    <message>
        <source>can change things</source>
        <translation>可能改动内容</translation>
    </message>
    <message>
        <source>not all sandboxed</source>
        <translation>并非都在沙箱中</translation>
    </message>
    <message>
        <source>plan · 1 step</source>
        <translation>计划 · 1 步</translation>
    </message>
    <message>
        <source>plan · {count} steps</source>
        <translation>计划 · {count} 步</translation>
    </message>
    <message>
        <source>step {number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>{count} steps</source>
        <translation>{count} 步</translation>
    </message>
    <message>
        <source>{done} of {count} steps done</source>
        <translation>{count} 步中完成 {done} 步</translation>
    </message>
    <message>
        <source>a shell reads this line · full access to your account</source>
        <translation>由 shell 解释这一行 · 可访问你账户的一切</translation>
    </message>
    <message>
        <source>runs code from its arguments · full access to your account</source>
        <translation>运行参数里的代码 · 可访问你账户的一切</translation>
    </message>
    <message>
        <source>asks for administrator&apos;s rights</source>
        <translation>请求管理员权限</translation>
    </message>
    <message>
        <source>writes {count} places</source>
        <translation>写入 {count} 处</translation>
    </message>
    <message>
        <source>writes 1 file</source>
        <translation>写入 1 个文件</translation>
    </message>
    <message>
        <source>writes {count} files</source>
        <translation>写入 {count} 个文件</translation>
    </message>
    <message>
        <source>writes 1 folder</source>
        <translation>写入 1 个文件夹</translation>
    </message>
    <message>
        <source>writes {count} folders</source>
        <translation>写入 {count} 个文件夹</translation>
    </message>
    <message>
        <source>not sandboxed</source>
        <extracomment>What a row of the tab is about; of a head nothing.</extracomment>
        <translation>无沙箱</translation>
    </message>
    <message>
        <source>runs in the server {server} · outside the sandbox</source>
        <translation>在服务器 {server} 中运行 · 不在沙盒内</translation>
    </message>
    <message>
        <source>sandboxed · no network</source>
        <extracomment>How a run is held, as it was written down in English.</extracomment>
        <translation>沙箱 · 不联网</translation>
    </message>
    <message>
        <source>sandboxed · network allowed</source>
        <translation>沙箱 · 可联网</translation>
    </message>
    <message>
        <source>talks to programs of this machine</source>
        <translation>会与本机的其他程序通信</translation>
    </message>
    <message>
        <source>its program opens {places}</source>
        <translation>它的程序会打开 {places}</translation>
    </message>
    <message>
        <source>not sandboxed · with your own rights</source>
        <translation>无沙箱 · 拥有你的权限</translation>
    </message>
    <message>
        <source>built in · only looks</source>
        <translation>内置 · 只查看</translation>
    </message>
    <message>
        <source>asking you</source>
        <translation>等你回答</translation>
    </message>
    <message>
        <source>← the file that landed</source>
        <extracomment>No row shows more of a sentence; unfolded, all of it can be read. A step&apos;s place by its id; 0: it is not there.</extracomment>
        <translation>← 到来的文件</translation>
    </message>
    <message>
        <source>← from step {number}</source>
        <translation>← 来自第 {number} 步</translation>
    </message>
    <message>
        <source>← from a step that is left out</source>
        <translation>← 来自已去掉的步骤</translation>
    </message>
    <message>
        <source>in place of step {number}</source>
        <translation>代替第 {number} 步</translation>
    </message>
    <message>
        <source>needed first</source>
        <translation>必须先做</translation>
    </message>
    <message>
        <source>added by you</source>
        <translation>你加的</translation>
    </message>
    <message>
        <source>added on the way</source>
        <translation>途中加的</translation>
    </message>
    <message>
        <source>tried again ({number} of {most})</source>
        <translation>再试一次（第 {number} 次，共 {most} 次）</translation>
    </message>
    <message>
        <source>It is what was asked for.</source>
        <translation>这就是要做的。</translation>
    </message>
    <message>
        <source>It brings {things}.</source>
        <translation>它带来 {things}。</translation>
    </message>
    <message>
        <source>It brings {things}, which is what was asked for.</source>
        <translation>它带来 {things}，也就是所要的东西。</translation>
    </message>
    <message>
        <source>It brings {things} for step {number}.</source>
        <translation>它为第 {number} 步带来 {things}。</translation>
    </message>
    <message>
        <source>It brings {things} for the steps {numbers}.</source>
        <translation>它为第 {numbers} 步带来 {things}。</translation>
    </message>
    <message>
        <source>There is no other way.</source>
        <translation>没有别的办法。</translation>
    </message>
    <message>
        <source>Without it the plan would cost {without}, and not {total}.</source>
        <translation>不用它的话，整个计划的代价是 {without}，而不是 {total}。</translation>
    </message>
    <message>
        <source>{cost} of {total}</source>
        <translation>{cost}，共 {total}</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>write</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>full access</source>
        <translation>完全访问</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等你</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>checking…</source>
        <extracomment>Of the overall verdict; the words stand beside it.</extracomment>
        <translation>检查中…</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>已核实</translation>
    </message>
    <message>
        <source>check failed</source>
        <translation>检查未通过</translation>
    </message>
    <message>
        <source>could not check</source>
        <translation>无法检查</translation>
    </message>
    <message>
        <source>check timed out</source>
        <translation>检查超时</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>{done} of {count} verified</source>
        <translation>{count} 步中 {done} 步已核实</translation>
    </message>
    <message>
        <source>{count} {verdict}</source>
        <translation>{count} 步{verdict}</translation>
    </message>
    <message>
        <source>Step {number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>It could not be tried</source>
        <translation>无法试运行</translation>
    </message>
    <message>
        <source>Trying it in the sandbox…</source>
        <translation>正在沙箱中试运行…</translation>
    </message>
    <message>
        <source>Tried in the sandbox, without network or your files</source>
        <translation>已在沙箱中试运行，未联网，也未接触你的文件</translation>
    </message>
    <message>
        <source>Output of the try</source>
        <translation>试运行的输出</translation>
    </message>
    <message>
        <source>It finished without saying anything.</source>
        <translation>已完成，没有任何输出。</translation>
    </message>
    <message>
        <source>What it wrote to its log</source>
        <translation>它写入日志的内容</translation>
    </message>
    <message>
        <source>Log of the try</source>
        <translation>试运行的日志</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>worked</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>已超时</translation>
    </message>
    <message>
        <source>scheduled</source>
        <translation>已安排</translation>
    </message>
    <message>
        <source>waits until {time}</source>
        <translation>等到 {time}</translation>
    </message>
    <message>
        <source>writes {path}, which is there already</source>
        <translation>写入 {path}（那里已经有了）</translation>
    </message>
    <message>
        <source>writes {path}</source>
        <translation>写入 {path}</translation>
    </message>
    <message>
        <source>reads {path}</source>
        <translation>读取 {path}</translation>
    </message>
    <message>
        <source>known from what you said of {who} on {day}</source>
        <translation>取自你在 {day} 说的关于{who}的话</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>from a terminal</source>
        <extracomment>Characters of an earlier reply from which on it is a guessed height until it comes near the view.</extracomment>
        <translation>来自终端</translation>
    </message>
    <message>
        <source>What should become of {names}?</source>
        <extracomment>Names of a folder that are looked at.</extracomment>
        <translation>要怎样处理 {names}？</translation>
    </message>
    <message>
        <source>Add its servers</source>
        <translation>添加其中的服务器</translation>
    </message>
    <message>
        <source>For a configuration of MCP servers from another app.</source>
        <translation>适用于来自其他应用的 MCP 服务器配置。</translation>
    </message>
    <message>
        <source>Keep it as an ability</source>
        <translation>保存为能力</translation>
    </message>
    <message>
        <source>It is copied into the folder “dynamic” and stays.</source>
        <translation>复制到“dynamic”文件夹并一直保留。</translation>
    </message>
    <message>
        <source>Try it for now</source>
        <translation>先试一试</translation>
    </message>
    <message>
        <source>It is copied into the folder “tmp” and leaves the list after a while.</source>
        <translation>复制到“tmp”文件夹，过一段时间会从列表中消失。</translation>
    </message>
    <message>
        <source>Import its conversations</source>
        <translation>导入其中的对话</translation>
    </message>
    <message>
        <source>For a conversation that Partner exported, or for the chats of another program.</source>
        <translation>用于 Partner 导出的对话，或其他程序的聊天记录。</translation>
    </message>
    <message>
        <source>Attach to the message</source>
        <translation>附加到消息</translation>
    </message>
    <message>
        <source>It stays where it is, and your words can be about it.</source>
        <translation>文件留在原处，你的话可以针对它。</translation>
    </message>
    <message>
        <source>Partner ended unexpectedly last time</source>
        <translation>Partner 上次意外结束了</translation>
    </message>
    <message>
        <source>You allowed it in this conversation. Once it is edited, it asks again.</source>
        <extracomment>In a text it would look like the end of it and the next argument. The parameter that holds the source.</extracomment>
        <translation>你已在此对话中允许它。修改之后会重新询问。</translation>
    </message>
    <message>
        <source>You allowed it from now on. Once it is edited, it asks again.</source>
        <translation>你已允许它今后直接运行。修改之后会重新询问。</translation>
    </message>
    <message>
        <source>Allowed by what you granted in this conversation.</source>
        <translation>依据你在此对话中的授权运行。</translation>
    </message>
    <message>
        <source>Allowed by what you granted before.</source>
        <translation>依据你之前的授权运行。</translation>
    </message>
    <message>
        <source>Allowed by a rule of yours.</source>
        <translation>依据你设定的规则运行。</translation>
    </message>
    <message>
        <source>It only reads, so it ran without a question.</source>
        <translation>它只读取，所以没有询问就运行了。</translation>
    </message>
    <message>
        <source>The sandbox holds it, and you let such runs go ahead.</source>
        <translation>它在沙箱中运行，而你允许这类运行直接进行。</translation>
    </message>
    <message>
        <source>Allowed by the option that Partner was started with.</source>
        <translation>依据启动 Partner 时的选项运行。</translation>
    </message>
    <message>
        <source>once</source>
        <translation>一次</translation>
    </message>
    <message>
        <source>in this conversation</source>
        <translation>在此对话中</translation>
    </message>
    <message>
        <source>from now on</source>
        <translation>今后一直</translation>
    </message>
    <message>
        <source>from now on, everywhere</source>
        <translation>从现在起，任何位置</translation>
    </message>
    <message>
        <source>Open this link?</source>
        <translation>打开这个链接？</translation>
    </message>
    <message>
        <source>Open</source>
        <extracomment>Decoded at the same time; each holds its picture in full for a moment.</extracomment>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show its folder</source>
        <translation>显示所在文件夹</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Open a link to {host}?</source>
        <translation>打开指向 {host} 的链接？</translation>
    </message>
    <message>
        <source>… and {count} characters more</source>
        <extracomment>More than this fills the window.</extracomment>
        <translation>……还有 {count} 个字符</translation>
    </message>
    <message>
        <source>sending…</source>
        <translation>发送中…</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要处理</translation>
    </message>
    <message>
        <source>Built in</source>
        <extracomment>A server with more tools shows them only when it is unfolded. Its kinds: `server`, `broken`, `ability`. Of a head it is about nothing.</extracomment>
        <translation>内置</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>Yours</source>
        <extracomment>Section and, among external servers, which one.</extracomment>
        <translation>你的</translation>
    </message>
    <message>
        <source>off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>last good version works</source>
        <translation>上一个可用版本仍有效</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>有错误</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>At the beginning of the message: what you said before</source>
        <translation>在消息开头：你之前说过的话</translation>
    </message>
    <message>
        <source>At the beginning of the message: abilities and commands</source>
        <translation>在消息开头：能力和命令</translation>
    </message>
    <message>
        <source>Name a file or a conversation</source>
        <translation>指明一个文件或对话</translation>
    </message>
    <message>
        <source>Go to the message</source>
        <translation>跳到输入框</translation>
    </message>
    <message>
        <source>Go to the message before</source>
        <translation>转到上一条消息</translation>
    </message>
    <message>
        <source>Go to the message after</source>
        <translation>转到下一条消息</translation>
    </message>
    <message>
        <source>Stop what runs, or go back</source>
        <translation>停止运行，或返回</translation>
    </message>
    <message>
        <source>Removed the folder “{folder}”</source>
        <extracomment>They can be taken back: the events bring the notice that offers it.</extracomment>
        <translation>已移除文件夹“{folder}”</translation>
    </message>
    <message>
        <source>Exported to {file}</source>
        <translation>已导出到 {file}</translation>
    </message>
    <message>
        <source>{count} conversations</source>
        <translation>{count} 个对话</translation>
    </message>
    <message>
        <source>Imported “{title}”</source>
        <translation>已导入“{title}”</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Bringing in chats: {percent} %</source>
        <translation>正在导入聊天记录：{percent} %</translation>
    </message>
    <message>
        <source>Stopped bringing in chats at {percent} %. What is in stays; import the same file again to go on.</source>
        <translation>聊天记录的导入已在 {percent} % 处停止。已导入的会保留；再次导入同一文件即可继续。</translation>
    </message>
    <message>
        <source>Exported conversations ({patterns})</source>
        <extracomment>What may hold chats, by the name of the file.</extracomment>
        <translation>导出的对话 ({patterns})</translation>
    </message>
    <message>
        <source>Import conversations</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Search in all conversations</source>
        <translation>在所有对话中搜索</translation>
    </message>
    <message>
        <source>Go to a day of this conversation</source>
        <translation>转到这段对话的某一天</translation>
    </message>
    <message>
        <source>Go to the beginning</source>
        <translation>转到开头</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>转到末尾</translation>
    </message>
    <message>
        <source>Take back the newest</source>
        <translation>撤销最近一步</translation>
    </message>
    <message>
        <source>Rename the conversation in the list</source>
        <translation>重命名列表中的对话</translation>
    </message>
    <message>
        <source>Delete the conversation in the list, or all that are selected</source>
        <translation>删除列表中的对话，或所有选中的对话</translation>
    </message>
    <message>
        <source>Pin it, or unpin it</source>
        <translation>固定或取消固定</translation>
    </message>
    <message>
        <source>Archive it, or bring it back</source>
        <translation>归档或取回</translation>
    </message>
    <message>
        <source>Mark it as unread, or as read</source>
        <translation>标为未读或已读</translation>
    </message>
    <message>
        <source>Select several; Shift or Ctrl and a click do it too</source>
        <translation>选择多个；按住 Shift 或 Ctrl 点按也可以</translation>
    </message>
    <message>
        <source>Select one more, or one less</source>
        <translation>多选一个或少选一个</translation>
    </message>
    <message>
        <source>Select all of them</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Show all that can be done with them</source>
        <translation>显示可以对它们做的一切</translation>
    </message>
    <message>
        <source>Switch a row on or off</source>
        <translation>打开或关闭一行</translation>
    </message>
    <message>
        <source>Show what is in a row</source>
        <translation>展开一行</translation>
    </message>
    <message>
        <source>Fold a row, or go to the one above it</source>
        <translation>折叠一行，或转到它的上一级</translation>
    </message>
    <message>
        <source>Find any command, ability, setting or memory</source>
        <translation>查找任何命令、能力、设置或记忆</translation>
    </message>
    <message>
        <source>Show actions</source>
        <translation>显示操作</translation>
    </message>
    <message>
        <source>Show abilities</source>
        <translation>显示能力</translation>
    </message>
    <message>
        <source>Show the context of an answer</source>
        <translation>显示回答的上下文</translation>
    </message>
    <message>
        <source>Show the memory</source>
        <translation>显示记忆</translation>
    </message>
    <message>
        <source>Fold the conversations</source>
        <translation>收起或展开对话列表</translation>
    </message>
    <message>
        <source>Fold the panel</source>
        <translation>收起面板</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>恢复文字大小</translation>
    </message>
    <message>
        <source>Show the permissions</source>
        <translation>显示权限</translation>
    </message>
    <message>
        <source>Show the audit log</source>
        <translation>显示审计日志</translation>
    </message>
    <message>
        <source>Show all settings</source>
        <translation>显示全部设置</translation>
    </message>
    <message>
        <source>Show these keys</source>
        <translation>显示这些快捷键</translation>
    </message>
    <message>
        <source>Ask…</source>
        <extracomment>A panel that crashed takes the tray with it, and tells nobody.</extracomment>
        <translation>提问…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>{title}, at work</source>
        <translation>{title}，进行中</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Runs that began</source>
        <translation>开始的运行</translation>
    </message>
    <message>
        <source>Runs begun again</source>
        <translation>重新开始的运行</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>What was undone</source>
        <translation>已撤销的内容</translation>
    </message>
    <message>
        <source>Changed permissions</source>
        <translation>权限的更改</translation>
    </message>
    <message>
        <source>What was forgotten</source>
        <translation>忘掉的内容</translation>
    </message>
    <message>
        <source>Times of schedules</source>
        <translation>计划的时间</translation>
    </message>
    <message>
        <source>decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>begun again</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>permissions</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>forgotten</source>
        <translation>已忘掉</translation>
    </message>
    <message>
        <source>planned time</source>
        <translation>计划时间</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>已允许</translation>
    </message>
    <message>
        <source>asked</source>
        <translation>已询问</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>began</source>
        <translation>已开始</translation>
    </message>
    <message>
        <source>succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>被中断</translation>
    </message>
    <message>
        <source>turned down</source>
        <translation>被回绝</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>undone in part</source>
        <translation>部分撤销</translation>
    </message>
    <message>
        <source>missed</source>
        <translation>错过</translation>
    </message>
    <message>
        <source>passed over</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>taken out</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
    <message>
        <source>taken back</source>
        <translation>已收回</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
    <message>
        <source>a grant</source>
        <translation>授权</translation>
    </message>
    <message>
        <source>a rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Partner’s policy</source>
        <translation>Partner 的策略</translation>
    </message>
    <message>
        <source>a standing answer</source>
        <translation>预先的答复</translation>
    </message>
    <message>
        <source>this once</source>
        <translation>仅此一次</translation>
    </message>
    <message>
        <source>in its conversation</source>
        <translation>在所属对话中</translation>
    </message>
    <message>
        <source>always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>always, everywhere</source>
        <translation>始终，任何位置</translation>
    </message>
    <message>
        <source>You allowed {title}, once</source>
        <translation>你允许了“{title}”，仅一次</translation>
    </message>
    <message>
        <source>You allowed {title} in its conversation</source>
        <translation>你在所属对话中允许了“{title}”</translation>
    </message>
    <message>
        <source>You allowed {title}, always</source>
        <translation>你始终允许“{title}”</translation>
    </message>
    <message>
        <source>You allowed {title}, always and everywhere</source>
        <translation>你允许了 {title}，始终且在任何位置</translation>
    </message>
    <message>
        <source>Your grant allowed {title}</source>
        <translation>你的授权允许了“{title}”</translation>
    </message>
    <message>
        <source>A rule allowed {title}</source>
        <translation>规则允许了“{title}”</translation>
    </message>
    <message>
        <source>{title} needed no question</source>
        <translation>“{title}”无需询问</translation>
    </message>
    <message>
        <source>{title} was allowed beforehand</source>
        <translation>“{title}”已预先允许</translation>
    </message>
    <message>
        <source>You turned down {title}</source>
        <translation>你回绝了“{title}”</translation>
    </message>
    <message>
        <source>A rule refused {title}</source>
        <translation>规则拒绝了“{title}”</translation>
    </message>
    <message>
        <source>Policy refused {title}</source>
        <translation>策略拒绝了“{title}”</translation>
    </message>
    <message>
        <source>{title} was refused beforehand</source>
        <translation>“{title}”已预先拒绝</translation>
    </message>
    <message>
        <source>You were asked about {title}</source>
        <translation>已就“{title}”询问你</translation>
    </message>
    <message>
        <source>{title} began</source>
        <translation>“{title}”已开始</translation>
    </message>
    <message>
        <source>{title} began again after a restart</source>
        <translation>“{title}”在重启后重新开始</translation>
    </message>
    <message>
        <source>{title} succeeded</source>
        <translation>“{title}”成功</translation>
    </message>
    <message>
        <source>{title} failed</source>
        <translation>“{title}”失败</translation>
    </message>
    <message>
        <source>{title} was cancelled</source>
        <translation>“{title}”已取消</translation>
    </message>
    <message>
        <source>{title} was cut off</source>
        <translation>“{title}”被中断</translation>
    </message>
    <message>
        <source>{title} was turned down</source>
        <translation>“{title}”被回绝</translation>
    </message>
    <message>
        <source>{title} expired</source>
        <translation>“{title}”已过期</translation>
    </message>
    <message>
        <source>You undid what {title} did to files</source>
        <translation>你撤销了“{title}”对文件的改动</translation>
    </message>
    <message>
        <source>You undid a part of what {title} did to files</source>
        <translation>你撤销了“{title}”对文件的部分改动</translation>
    </message>
    <message>
        <source>You had something forgotten for good</source>
        <translation>你让它永久忘掉了一些内容</translation>
    </message>
    <message>
        <source>A rule for {title} was written</source>
        <translation>写入了一条关于{title}的规则</translation>
    </message>
    <message>
        <source>A rule for {title} was taken out</source>
        <translation>移除了一条关于{title}的规则</translation>
    </message>
    <message>
        <source>What runs without a question was changed</source>
        <translation>无需询问即可运行的范围已更改</translation>
    </message>
    <message>
        <source>You took back what you had allowed {title}</source>
        <translation>你收回了对{title}的允许</translation>
    </message>
    <message>
        <source>it only reads</source>
        <extracomment>A step that was approved with its plan; the plan&apos;s id follows. Reasons as the engine writes them, in English; the window says them in its own language.</extracomment>
        <translation>它只读取</translation>
    </message>
    <message>
        <source>it needs your yes first</source>
        <translation>它先要你同意</translation>
    </message>
    <message>
        <source>approvals are switched off for this request</source>
        <translation>这次请求关闭了批准</translation>
    </message>
    <message>
        <source>set aside with its part of the conversation</source>
        <translation>随那一段对话一起搁置</translation>
    </message>
    <message>
        <source>a path of this run holds Partner&apos;s own data</source>
        <translation>这次运行的一个路径里有 Partner 自己的数据</translation>
    </message>
    <message>
        <source>no ability is given the whole file system</source>
        <translation>任何能力都得不到整个文件系统</translation>
    </message>
    <message>
        <source>tried out</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>a command line needs your own yes, on its card or a terminal</source>
        <translation>命令行需要你本人在其卡片上或终端中同意</translation>
    </message>
    <message>
        <source>a shell command line needs your own yes on its card</source>
        <translation>shell 命令行需要你在卡片上亲自同意</translation>
    </message>
    <message>
        <source>a command that runs code from its arguments needs your own yes on its card</source>
        <translation>参数中带有代码的命令需要你在卡片上亲自同意</translation>
    </message>
    <message>
        <source>a command with administrator&apos;s rights needs your own yes on its card</source>
        <translation>以管理员权限运行的命令需要你在卡片上亲自同意</translation>
    </message>
    <message>
        <source>the sandbox keeps it from changing or sending anything</source>
        <translation>沙盒使它无法更改或发送任何内容</translation>
    </message>
    <message>
        <source>there is no sandbox here, and running without one needs your own yes on its card</source>
        <translation>这里没有沙箱，不用沙箱运行需要你在卡片上亲自同意</translation>
    </message>
    <message>
        <source>by {whom}</source>
        <translation>由{whom}</translation>
    </message>
    <message>
        <source>an action</source>
        <translation>一个操作</translation>
    </message>
    <message>
        <source>as a step of its plan</source>
        <translation>作为计划的一步</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Back to all conversations</source>
        <extracomment>About the id of a conversation, or the name of a folder; of a head about nothing. What stands first: what was used last, what was made last, or by the title.</extracomment>
        <translation>返回所有对话</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>Archived, {count}</source>
        <translation>已归档，{count} 个</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>{name}, folder of {count}</source>
        <translation>{name}，文件夹，{count} 个对话</translation>
    </message>
    <message>
        <source>1 new reply</source>
        <translation>1 条新回复</translation>
    </message>
    <message>
        <source>{count} new replies</source>
        <translation>{count} 条新回复</translation>
    </message>
    <message>
        <source>New replies in 1 conversation</source>
        <translation>1 个对话有新回复</translation>
    </message>
    <message>
        <source>New replies in {count} conversations</source>
        <translation>{count} 个对话有新回复</translation>
    </message>
    <message>
        <source>Rename</source>
        <extracomment>What begins the name of the verb that puts conversations into a folder.</extracomment>
        <translation>改名</translation>
    </message>
    <message>
        <source>Mark as read</source>
        <translation>标为已读</translation>
    </message>
    <message>
        <source>Mark as unread</source>
        <translation>标为未读</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>移到文件夹</translation>
    </message>
    <message>
        <source>Out of the folder</source>
        <translation>移出文件夹</translation>
    </message>
    <message>
        <source>Back from the archive</source>
        <translation>从归档中取回</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove the folder, keep what is in it</source>
        <translation>移除文件夹，保留其中的对话</translation>
    </message>
    <message>
        <source>Sort by</source>
        <extracomment>What begins the name of the verb that sorts the list.</extracomment>
        <translation>排序方式</translation>
    </message>
    <message>
        <source>Import conversations…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>Newest use</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Newest begun</source>
        <translation>最近开始</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>MMM d</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>过去 7 天</translation>
    </message>
    <message>
        <source>{month} {year}</source>
        <translation>{year}年{month}</translation>
    </message>
    <message>
        <source>What it prints: {title}</source>
        <translation>它的输出：{title}</translation>
    </message>
    <message>
        <source>Cancel: {title}</source>
        <translation>取消：{title}</translation>
    </message>
    <message>
        <source>as scheduled</source>
        <extracomment>Of what a run printed, so much is looked through: its first lines.</extracomment>
        <translation>按计划</translation>
    </message>
    <message>
        <source>step of {plan}</source>
        <translation>属于计划“{plan}”</translation>
    </message>
    <message>
        <source>expires now</source>
        <translation>即将过期</translation>
    </message>
    <message>
        <source>expires in {minutes} min</source>
        <translation>{minutes} 分钟后过期</translation>
    </message>
    <message>
        <source>expires in {hours} h</source>
        <translation>{hours} 小时后过期</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>Drop it here</source>
        <translation>拖放到这里</translation>
    </message>
    <message>
        <source>It goes with your message; of a script, servers or a model you are asked first.</source>
        <translation>它会随消息一起发送；如果是脚本、服务器配置或模型，会先问你。</translation>
    </message>
    <message>
        <source>New folder</source>
        <extracomment>Making a list so long anew takes milliseconds, and chats from elsewhere come in by the thousand.</extracomment>
        <translation>新建文件夹</translation>
    </message>
    <message>
        <source>Deleted {conversations}</source>
        <translation>已删除{conversations}</translation>
    </message>
    <message>
        <source>Archived {conversations}</source>
        <translation>已归档{conversations}</translation>
    </message>
    <message>
        <source>{conversations} back from the archive</source>
        <translation>已从归档中取回{conversations}</translation>
    </message>
    <message>
        <source>Moved {conversations} to “{folder}”</source>
        <translation>已将{conversations}移到“{folder}”</translation>
    </message>
    <message>
        <source>Took {conversations} out of the folder</source>
        <translation>已将{conversations}移出文件夹</translation>
    </message>
    <message>
        <source>Markdown, to read (*.md)</source>
        <translation>Markdown，便于阅读 (*.md)</translation>
    </message>
    <message>
        <source>JSON, to import again (*.json)</source>
        <translation>JSON，可再导入 (*.json)</translation>
    </message>
    <message>
        <source>Export this conversation</source>
        <translation>导出这个对话</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Run…</source>
        <translation>运行…</translation>
    </message>
    <message>
        <source>Put an example in the composer</source>
        <translation>在输入框放一个例子</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Edit details…</source>
        <translation>编辑详情…</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Copy the reason</source>
        <translation>复制原因</translation>
    </message>
    <message>
        <source>Open source</source>
        <translation>打开源文件</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>显示所在文件夹</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>[image: {name}]</source>
        <extracomment>How far each level of a list stands in. How far each level of a quote stands in.</extracomment>
        <translation>[图片：{name}]</translation>
    </message>
    <message>
        <source>Left out</source>
        <extracomment>So much of a block&apos;s own text is searched. Its kinds: `block`, `left_out`, `part`, `call`.</extracomment>
        <translation>省略</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>↓ {tier}</source>
        <translation>↓ {tier}</translation>
    </message>
    <message>
        <source>this conversation</source>
        <translation>仅本对话</translation>
    </message>
    <message>
        <source>everywhere</source>
        <translation>所有对话</translation>
    </message>
    <message>
        <source>score {score} of 100</source>
        <translation>得分 {score}/100</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent}%</translation>
    </message>
    <message>
        <source>{percent} % · {count} left out</source>
        <translation>{percent}% · 省略 {count} 条</translation>
    </message>
    <message>
        <source>Surroundings</source>
        <extracomment>Called only for what is there: ten thousand blocks ask for words.</extracomment>
        <translation>周围环境</translation>
    </message>
    <message>
        <source>Command</source>
        <extracomment>Shorter words have to stand there letter by letter: almost anything is like them. RapidFuzz&apos;s score (0 to 100) from which two words are alike: one wrong letter in six, two in twelve. A word that is no more than like one. What a fit in the second line, or in other names, counts beside one in the title.</extracomment>
        <translation>命令</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Time and last contact</source>
        <translation>时间与上次联系</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>Recent messages</source>
        <translation>最近的消息</translation>
    </message>
    <message>
        <source>Earlier conversation</source>
        <translation>更早的对话</translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>想起的内容</translation>
    </message>
    <message>
        <source>Remembered on request</source>
        <translation>按要求想起的内容</translation>
    </message>
    <message>
        <source>Finished action</source>
        <translation>已完成的操作</translation>
    </message>
    <message>
        <source>What was found out</source>
        <translation>查到的结果</translation>
    </message>
    <message>
        <source>An action that waits for you</source>
        <translation>等你决定的操作</translation>
    </message>
    <message>
        <source>An action that began</source>
        <translation>已经开始的操作</translation>
    </message>
    <message>
        <source>An action that may not run</source>
        <translation>不允许运行的操作</translation>
    </message>
    <message>
        <source>A question to you</source>
        <translation>向你提出的问题</translation>
    </message>
    <message>
        <source>Several that could do it</source>
        <translation>几种都能做到的能力</translation>
    </message>
    <message>
        <source>An action that ended</source>
        <translation>已经结束的操作</translation>
    </message>
    <message>
        <source>A request that was dropped</source>
        <translation>已放弃的请求</translation>
    </message>
    <message>
        <source>A yes or no that could mean several</source>
        <translation>可能指几件事的“是”或“否”</translation>
    </message>
    <message>
        <source>What is planned from now on</source>
        <translation>从现在起的安排</translation>
    </message>
    <message>
        <source>What is planned, and what became of it</source>
        <translation>安排，以及结果</translation>
    </message>
    <message>
        <source>A time that there is not</source>
        <translation>不存在的时间</translation>
    </message>
    <message>
        <source>A card that waits and expires soon</source>
        <translation>即将到期的卡片</translation>
    </message>
    <message>
        <source>A card that was changed and asks again</source>
        <translation>已改动、重新询问的卡片</translation>
    </message>
    <message>
        <source>A plan that was changed on its way</source>
        <translation>中途改动过的计划</translation>
    </message>
    <message>
        <source>What was asked of a plan</source>
        <translation>对计划的提问</translation>
    </message>
    <message>
        <source>Nothing that can do it</source>
        <translation>没有能做到的能力</translation>
    </message>
    <message>
        <source>Said earlier about today</source>
        <translation>之前说到今天的话</translation>
    </message>
    <message>
        <source>Earlier talk that may fit</source>
        <translation>可能相关的以往谈话</translation>
    </message>
    <message>
        <source>Pinned earlier talk</source>
        <translation>固定的以往谈话</translation>
    </message>
    <message>
        <source>What is known of people and things</source>
        <translation>关于人和事物的所知</translation>
    </message>
    <message>
        <source>What is known of what you asked</source>
        <translation>对你所问的所知</translation>
    </message>
    <message>
        <source>What was done, from the records</source>
        <translation>按记录做过的事</translation>
    </message>
    <message>
        <source>What an action or an ability does</source>
        <translation>某个操作或能力的作用</translation>
    </message>
    <message>
        <source>What leaves this computer</source>
        <translation>哪些内容会离开这台电脑</translation>
    </message>
    <message>
        <source>What you told about people and things</source>
        <translation>你讲到的人和事物</translation>
    </message>
    <message>
        <source>The first meeting</source>
        <translation>初次见面</translation>
    </message>
    <message>
        <source>Begun by Partner itself</source>
        <translation>由 Partner 主动发起</translation>
    </message>
    <message>
        <source>A command in the background ended</source>
        <translation>后台命令已结束</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>出了问题</translation>
    </message>
    <message>
        <source>Intentions</source>
        <translation>意图</translation>
    </message>
    <message>
        <source>New state</source>
        <translation>新状态</translation>
    </message>
    <message>
        <source>Who Partner is</source>
        <translation>Partner 是谁</translation>
    </message>
    <message>
        <source>What it can do</source>
        <translation>它能做什么</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Conversation before, summed up</source>
        <translation>先前对话的摘要</translation>
    </message>
    <message>
        <source>What you said</source>
        <translation>你说的话</translation>
    </message>
    <message>
        <source>New and gone abilities</source>
        <translation>新增和不再可用的能力</translation>
    </message>
    <message>
        <source>The task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>full</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>compact</source>
        <translation>精简</translation>
    </message>
    <message>
        <source>abstract</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>can wait</source>
        <translation>不急</translation>
    </message>
    <message>
        <source>urgent</source>
        <translation>紧急</translation>
    </message>
    <message>
        <source>very urgent</source>
        <translation>非常紧急</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>主动查询</translation>
    </message>
    <message>
        <source>came along</source>
        <translation>附带</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个词元</translation>
    </message>
    <message>
        <source>Starter, without a model</source>
        <translation>入门模式，不用模型</translation>
    </message>
    <message>
        <source>{mind} · tokens estimated</source>
        <translation>{mind} · 词元数为估算</translation>
    </message>
    <message>
        <source>{mind} · tokens counted by {tokenizer}</source>
        <translation>{mind} · 词元由 {tokenizer} 计数</translation>
    </message>
    <message>
        <source>{used} of {budget} tokens</source>
        <translation>{used} / {budget} 个词元</translation>
    </message>
    <message>
        <source>Partner on its own</source>
        <translation>Partner 自己发起</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>It could not be saved.</source>
        <translation>无法保存。</translation>
    </message>
    <message>
        <source>More than {limit}.</source>
        <translation>必须大于 {limit}。</translation>
    </message>
    <message>
        <source>Less than {limit}.</source>
        <translation>必须小于 {limit}。</translation>
    </message>
    <message>
        <source>{title}: back to the default, {value}</source>
        <extracomment>Narrower rows put the control under the words.</extracomment>
        <translation>{title}：恢复默认值 {value}</translation>
    </message>
    <message>
        <source>takes effect after a restart</source>
        <extracomment>These need the whole width, and stand under the words. A longer value is cut in a sentence.</extracomment>
        <translation>重启后生效</translation>
    </message>
    <message>
        <source>Must be set</source>
        <translation>必须设置</translation>
    </message>
    <message>
        <source>Default: {value}</source>
        <translation>默认：{value}</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 到 {high}</translation>
    </message>
    <message>
        <source>more than {limit}</source>
        <translation>大于 {limit}</translation>
    </message>
    <message>
        <source>It takes no parameters.</source>
        <extracomment>More than this is no list that anybody reads, and a page that holds the loop.</extracomment>
        <translation>它不需要参数。</translation>
    </message>
    <message>
        <source>and {count} more, in the schema</source>
        <translation>另有 {count} 个，见 JSON Schema</translation>
    </message>
    <message>
        <source>JSON Schema</source>
        <translation>JSON Schema</translation>
    </message>
    <message>
        <source>Copy the JSON Schema</source>
        <translation>复制 JSON Schema</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>default {value}</source>
        <translation>默认 {value}</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>任意值</translation>
    </message>
    <message>
        <source>one of {choices}</source>
        <translation>其中之一：{choices}</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>list of: {items}</source>
        <translation>列表，每项为：{items}</translation>
    </message>
    <message>
        <source>path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>yes or no</source>
        <translation>是或否</translation>
    </message>
    <message>
        <source>object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Asked: {abilities}</source>
        <translation>问过：{abilities}</translation>
    </message>
    <message>
        <source>Check: {verdict}</source>
        <translation>检查：{verdict}</translation>
    </message>
    <message>
        <source>Check by {owner}: {verdict}</source>
        <translation>{owner} 的检查：{verdict}</translation>
    </message>
    <message>
        <source>it is so</source>
        <translation>属实</translation>
    </message>
    <message>
        <source>it is not so</source>
        <translation>不属实</translation>
    </message>
    <message>
        <source>wanted: {wanted} · found: {found}</source>
        <translation>应为：{wanted} · 实为：{found}</translation>
    </message>
    <message>
        <source>told by {ability}</source>
        <translation>来自 {ability}</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空值</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>再检查一次</translation>
    </message>
    <message>
        <source>Repair…</source>
        <translation>修复…</translation>
    </message>
    <message>
        <source>at least {limit}</source>
        <translation>至少 {limit}</translation>
    </message>
    <message>
        <source>less than {limit}</source>
        <translation>小于 {limit}</translation>
    </message>
    <message>
        <source>at most {limit}</source>
        <translation>最多 {limit}</translation>
    </message>
    <message>
        <source>One entry a line; Ctrl+Enter saves</source>
        <translation>每行一项；按 Ctrl+Enter 保存</translation>
    </message>
    <message>
        <source>Edit in the file</source>
        <translation>在文件中编辑</translation>
    </message>
    <message>
        <source>Edit in the file: {title}</source>
        <translation>在文件中编辑：{title}</translation>
    </message>
    <message>
        <source>This is a branch: the other conversation stays as it is.</source>
        <translation>这是一个分支：原来的对话保持不变。</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再问一次</translation>
    </message>
    <message>
        <source>Ask again, with everything that it sets off</source>
        <translation>再问一次，并重新触发相应的操作</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Regenerate this answer</source>
        <translation>重新生成这条回复</translation>
    </message>
    <message>
        <source>Show the models</source>
        <translation>显示模型</translation>
    </message>
    <message>
        <source>Type the server&apos;s address, such as {example}.</source>
        <translation>请输入服务器的地址，例如 {example}。</translation>
    </message>
    <message>
        <source>Take the address of {name}</source>
        <translation>使用 {name} 的地址</translation>
    </message>
    <message>
        <source>{what}: not tried</source>
        <extracomment>More models than these are looked up at the server.</extracomment>
        <translation>{what}：未测试</translation>
    </message>
    <message>
        <source>works</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>does not work</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Take the model {name}</source>
        <translation>选用模型 {name}</translation>
    </message>
    <message>
        <source>The server has these models, and {count} more:</source>
        <translation>服务器上有这些模型，另有 {count} 个：</translation>
    </message>
    <message>
        <source>The server has:</source>
        <translation>服务器上有：</translation>
    </message>
    <message>
        <source>The server is reached</source>
        <translation>能连上服务器</translation>
    </message>
    <message>
        <source>The key is accepted</source>
        <translation>密钥被接受</translation>
    </message>
    <message>
        <source>The model is there</source>
        <translation>模型存在</translation>
    </message>
    <message>
        <source>Answers come word by word</source>
        <translation>回答逐字传来</translation>
    </message>
    <message>
        <source>Answers keep to a given form</source>
        <translation>回答遵守给定的格式</translation>
    </message>
    <message>
        <source>Let it answer</source>
        <translation>让它回答</translation>
    </message>
    <message>
        <source>{name} is in the list of models.</source>
        <translation>{name} 已加入模型列表。</translation>
    </message>
    <message>
        <source>Add a model file</source>
        <translation>添加模型文件</translation>
    </message>
    <message>
        <source>Models (*.gguf *.GGUF)</source>
        <translation>模型 (*.gguf *.GGUF)</translation>
    </message>
    <message>
        <source>Add {names} to the models?</source>
        <translation>把 {names} 加入模型吗？</translation>
    </message>
    <message>
        <source>The file stays where it is.</source>
        <translation>文件留在原处。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>this system has no keyring</source>
        <extracomment>Where keys are kept, as the settings say it in English; the window says it in its own language.</extracomment>
        <translation>这个系统没有密钥环</translation>
    </message>
    <message>
        <source>the system keyring does not answer</source>
        <translation>系统密钥环没有响应</translation>
    </message>
    <message>
        <source>the system keyring does not work or is locked</source>
        <translation>系统密钥环无法使用或已锁定</translation>
    </message>
    <message>
        <source>in the file {file}, readable by you alone, because {why}</source>
        <translation>文件 {file}（只有你能读取，因为{why}）</translation>
    </message>
    <message>
        <source>in the system keyring{name}</source>
        <translation>系统密钥环{name}</translation>
    </message>
    <message>
        <source>{count} tokens of context</source>
        <translation>上下文 {count} 个词元</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>{count} threads</source>
        <translation>{count} 个线程</translation>
    </message>
    <message>
        <source>1 GPU layer</source>
        <translation>显卡 1 层</translation>
    </message>
    <message>
        <source>{count} GPU layers</source>
        <translation>显卡 {count} 层</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} 词元/秒</translation>
    </message>
    <message>
        <source>{size} in memory</source>
        <translation>占用内存 {size}</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>连接中</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>未加载</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>What is meant</source>
        <translation>理解意图</translation>
    </message>
    <message>
        <source>Which ability</source>
        <translation>选择能力</translation>
    </message>
    <message>
        <source>With which details</source>
        <translation>填写参数</translation>
    </message>
    <message>
        <source>Yes or no</source>
        <translation>是或否</translation>
    </message>
    <message>
        <source>A new script</source>
        <translation>新脚本</translation>
    </message>
    <message>
        <source>What is asked for, part by part</source>
        <translation>要求里的各个部分</translation>
    </message>
    <message>
        <source>What is to be otherwise</source>
        <translation>想改动什么</translation>
    </message>
    <message>
        <source>What is meant of what is open</source>
        <translation>说的是哪件未了的事</translation>
    </message>
    <message>
        <source>How to go on</source>
        <translation>接下来怎么做</translation>
    </message>
    <message>
        <source>Whether it is done</source>
        <translation>是否已经做完</translation>
    </message>
    <message>
        <source>What tells whether it is so</source>
        <translation>用什么来核对是否属实</translation>
    </message>
    <message>
        <source>What was said earlier</source>
        <translation>以前说过的话</translation>
    </message>
    <message>
        <source>What was said of people and things</source>
        <translation>谈话里提到的人和事物</translation>
    </message>
    <message>
        <source>What was said, in short</source>
        <translation>谈话的摘要</translation>
    </message>
    <message>
        <source>A title for the conversation</source>
        <translation>对话的标题</translation>
    </message>
    <message>
        <source>What an agent writes</source>
        <translation>代理写的内容</translation>
    </message>
    <message>
        <source>It was cut off at its greatest length.</source>
        <translation>达到最大长度，被截断。</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>已被停止。</translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation>失败了。</translation>
    </message>
    <message>
        <source>This turn</source>
        <translation>本轮</translation>
    </message>
    <message>
        <source>This conversation</source>
        <translation>本次对话</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 次调用</translation>
    </message>
    <message>
        <source>{count} calls</source>
        <translation>{count} 次调用</translation>
    </message>
    <message>
        <source>{reused} reused + {read} read</source>
        <translation>复用 {reused} + 读入 {read}</translation>
    </message>
    <message>
        <source>{count} written</source>
        <translation>写出 {count}</translation>
    </message>
    <message>
        <source>first word after {seconds} s</source>
        <translation>{seconds} 秒后出首字</translation>
    </message>
    <message>
        <source>{percent} % of the prompts reused</source>
        <translation>提示词复用了 {percent}%</translation>
    </message>
    <message>
        <source>The model holds {count} tokens.</source>
        <translation>模型最多容纳 {count} 个词元。</translation>
    </message>
    <message>
        <source>Prompt: {prompt} tokens, {reused} of them still known from before. Answer: {written} tokens.</source>
        <translation>提示词：{prompt} 个词元，其中 {reused} 个沿用之前的。回答：{written} 个词元。</translation>
    </message>
    <message>
        <source>Cost: {cost}</source>
        <translation>费用：{cost}</translation>
    </message>
    <message>
        <source>At least {limit} letters.</source>
        <extracomment>What anybody would take for an address; whether it exists, only sending tells.</extracomment>
        <translation>至少 {limit} 个字符。</translation>
    </message>
    <message>
        <source>At most {limit} letters.</source>
        <translation>最多 {limit} 个字符。</translation>
    </message>
    <message>
        <source>Type an e-mail address.</source>
        <translation>请输入电子邮件地址。</translation>
    </message>
    <message>
        <source>Type a whole address, with https:// before it.</source>
        <translation>请输入完整的网址，以 https:// 开头。</translation>
    </message>
    <message>
        <source>Type a date, such as {example}.</source>
        <translation>请输入日期，例如 {example}。</translation>
    </message>
    <message>
        <source>Type a date and a time, such as {example}.</source>
        <translation>请输入日期和时间，例如 {example}。</translation>
    </message>
    <message>
        <source>Choose at least {limit}.</source>
        <translation>至少选择 {limit} 项。</translation>
    </message>
    <message>
        <source>Choose at most {limit}.</source>
        <translation>最多选择 {limit} 项。</translation>
    </message>
    <message>
        <source>The server “{server}” asks you</source>
        <translation>服务器“{server}”在问你</translation>
    </message>
    <message>
        <source>This is not from Partner. Look at the address before you open it.</source>
        <extracomment>More fields than this are no question that anybody answers.</extracomment>
        <translation>这不是 Partner 问的。打开之前请先看清网址。</translation>
    </message>
    <message>
        <source>These words are not Partner&apos;s own. What you send becomes the action&apos;s result.</source>
        <translation>这些话不是 Partner 说的。你发送的内容会成为这个动作的结果。</translation>
    </message>
    <message>
        <source>This is not from Partner. What you send goes to the server “{server}”.</source>
        <translation>这不是 Partner 问的。你发送的内容会交给服务器“{server}”。</translation>
    </message>
    <message>
        <source>An action asks you</source>
        <translation>有个动作在问你</translation>
    </message>
    <message>
        <source>Only pages on the web can be opened from here; this address leads elsewhere.</source>
        <translation>这里只能打开网页；这个地址指向别处。</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>打开网页</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <extracomment>No line on a card is wider; what comes beyond would only cost.</extracomment>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>Try it…</source>
        <translation>试一试…</translation>
    </message>
    <message>
        <source>Also asked for as: {aliases}</source>
        <translation>也可以这样说：{aliases}</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>An MCP server gives Partner new abilities. It runs outside the sandbox, with your rights: add only what you trust. Keys and tokens in it move to the keyring.</source>
        <translation>MCP 服务器会给 Partner 带来新的能力。它在沙盒之外、以你的权限运行：请只添加你信任的服务器。其中的密钥和令牌会移到密钥环。</translation>
    </message>
    <message>
        <source>Paste a config from another app</source>
        <translation>粘贴来自其他应用的配置</translation>
    </message>
    <message>
        <source>Or a command line, or an address</source>
        <translation>或者输入命令行，或网址</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Goes by</source>
        <extracomment>A fact that is surer than this needs no word about it. Their values say by themselves what they are.</extracomment>
        <translation>名字</translation>
    </message>
    <message>
        <source>Relation</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>Birthday</source>
        <translation>生日</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>年龄</translation>
    </message>
    <message>
        <source>Lives in</source>
        <translation>住在</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Works at</source>
        <translation>工作单位</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>职业</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>邮箱</translation>
    </message>
    <message>
        <source>Phone</source>
        <translation>电话</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Allergic to</source>
        <translation>过敏</translation>
    </message>
    <message>
        <source>Diet</source>
        <translation>饮食</translation>
    </message>
    <message>
        <source>Likes</source>
        <translation>喜欢</translation>
    </message>
    <message>
        <source>Dislikes</source>
        <translation>不喜欢</translation>
    </message>
    <message>
        <source>Favourite</source>
        <translation>最喜欢</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Impression</source>
        <translation>印象</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>person</source>
        <translation>人</translation>
    </message>
    <message>
        <source>animal</source>
        <translation>动物</translation>
    </message>
    <message>
        <source>place</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>thing</source>
        <translation>事物</translation>
    </message>
    <message>
        <source>Let {model} answer</source>
        <extracomment>Words shorter than this are in everything that was ever said. The typing pauses this long before what was said is searched. Entries that are made between two looks at what else there is to do.</extracomment>
        <translation>让 {model} 回答</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>There is nothing new to sum up.</source>
        <translation>没有新的内容可以总结。</translation>
    </message>
    <message>
        <source>Summed up.</source>
        <translation>已总结。</translation>
    </message>
    <message>
        <source>No model is in use.</source>
        <translation>没有使用任何模型。</translation>
    </message>
    <message>
        <source>Backup (*.zip)</source>
        <translation>备份 (*.zip)</translation>
    </message>
    <message>
        <source>Back everything up into one file</source>
        <translation>把一切备份到一个文件</translation>
    </message>
    <message>
        <source>Backed up to {file}</source>
        <translation>已备份到 {file}</translation>
    </message>
    <message>
        <source>{what} {value}</source>
        <translation>{what}：{value}</translation>
    </message>
    <message>
        <source>written by you</source>
        <translation>你写的</translation>
    </message>
    <message>
        <source>no longer</source>
        <translation>已不是</translation>
    </message>
    <message>
        <source>not sure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Not known yet: {names}</source>
        <translation>还不知道：{names}</translation>
    </message>
    <message>
        <source>made from the command</source>
        <translation>由命令得出</translation>
    </message>
    <message>
        <source>Add the server</source>
        <translation>添加这个服务器</translation>
    </message>
    <message>
        <source>Paste a configuration, or type a command line.</source>
        <translation>请粘贴一份配置，或输入命令行。</translation>
    </message>
    <message>
        <source>A quote in the command line is not closed.</source>
        <translation>命令行中有引号没有闭合。</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Calls itself</source>
        <translation>自称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>Failed starts</source>
        <translation>启动失败次数</translation>
    </message>
    <message>
        <source>The last it wrote:</source>
        <translation>它最后写出的内容：</translation>
    </message>
    <message>
        <source>Log</source>
        <extracomment>Beyond this only the end is shown: more would hold the loop while it is laid out.</extracomment>
        <translation>日志</translation>
    </message>
    <message>
        <source>It has written nothing yet.</source>
        <translation>它还没有写出任何内容。</translation>
    </message>
    <message>
        <source>Copy the log</source>
        <translation>复制日志</translation>
    </message>
    <message>
        <source>Try it: {title}</source>
        <translation>试一试：{title}</translation>
    </message>
    <message>
        <source>Read: {name}</source>
        <translation>读取：{name}</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Fill in: {name}</source>
        <translation>填写：{name}</translation>
    </message>
    <message>
        <source>Put into the message</source>
        <extracomment>Operator → what the expansion begins with, what stands between its values, and whether names go with them.</extracomment>
        <translation>放进消息</translation>
    </message>
    <message>
        <source>What it says of itself</source>
        <translation>它的自我说明</translation>
    </message>
    <message>
        <source>Tools ({count})</source>
        <translation>工具（{count}）</translation>
    </message>
    <message>
        <source>Resources ({count})</source>
        <translation>资源（{count}）</translation>
    </message>
    <message>
        <source>Prompts ({count})</source>
        <translation>提示词（{count}）</translation>
    </message>
    <message>
        <source>Whole output</source>
        <translation>完整输出</translation>
    </message>
    <message>
        <source>Whole log</source>
        <translation>完整日志</translation>
    </message>
    <message>
        <source>This is an excerpt.</source>
        <translation>这里只显示一部分。</translation>
    </message>
    <message>
        <source>It cannot be read any more.</source>
        <translation>已经无法读取。</translation>
    </message>
    <message>
        <source>You are signed out of “{name}”.</source>
        <translation>已从“{name}”退出登录。</translation>
    </message>
    <message>
        <source>Secret “{name}”</source>
        <translation>密钥“{name}”</translation>
    </message>
    <message>
        <source>Keep the secret “{name}”</source>
        <translation>保存密钥“{name}”</translation>
    </message>
    <message>
        <source>Move to the keyring</source>
        <translation>移到密钥环</translation>
    </message>
    <message>
        <source>In its file as plain text, and so in every backup: {names}.</source>
        <translation>以明文写在其文件中，因此也在每个备份里：{names}。</translation>
    </message>
    <message>
        <source>It is never shown again, and kept {place}.</source>
        <translation>之后不再显示。保存位置：{place}。</translation>
    </message>
    <message>
        <source>It is never shown again.</source>
        <translation>之后不再显示。</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Open its file</source>
        <translation>打开它的文件</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Give up signing in</source>
        <translation>放弃登录</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>退出登录</translation>
    </message>
    <message>
        <source>Show its tools</source>
        <translation>展开它的工具</translation>
    </message>
    <message>
        <source>Fold its tools away</source>
        <translation>收起它的工具</translation>
    </message>
    <message>
        <source>waiting to start</source>
        <extracomment>The phases of which nothing more is to be said.</extracomment>
        <translation>等待启动</translation>
    </message>
    <message>
        <source>starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>waits for your yes</source>
        <translation>等待你的同意</translation>
    </message>
    <message>
        <source>needs you to sign in</source>
        <translation>需要你登录</translation>
    </message>
    <message>
        <source>signing in…</source>
        <translation>正在登录…</translation>
    </message>
    <message>
        <source>sign-in was refused</source>
        <translation>登录被拒绝</translation>
    </message>
    <message>
        <source>signed in until {until}</source>
        <translation>已登录，到 {until} 为止</translation>
    </message>
    <message>
        <source>signed in</source>
        <translation>已登录</translation>
    </message>
    <message>
        <source>again now</source>
        <translation>马上重试</translation>
    </message>
    <message>
        <source>again in {seconds} s</source>
        <translation>{seconds} 秒后重试</translation>
    </message>
    <message>
        <source>again in {minutes} min</source>
        <translation>{minutes} 分钟后重试</translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 个工具</translation>
    </message>
    <message>
        <source>{count} tools</source>
        <translation>{count} 个工具</translation>
    </message>
    <message>
        <source>before it was started</source>
        <translation>在启动之前</translation>
    </message>
    <message>
        <source>when it was started</source>
        <translation>在启动时</translation>
    </message>
    <message>
        <source>while connecting</source>
        <translation>在连接时</translation>
    </message>
    <message>
        <source>while it listed its tools</source>
        <translation>在列出工具时</translation>
    </message>
    <message>
        <source>while it ran</source>
        <translation>在运行中</translation>
    </message>
    <message>
        <source>exit code {code}</source>
        <translation>退出码 {code}</translation>
    </message>
    <message>
        <source>a program on this computer</source>
        <translation>这台电脑上的程序</translation>
    </message>
    <message>
        <source>an address, over HTTP</source>
        <translation>网址（HTTP）</translation>
    </message>
    <message>
        <source>an address, over HTTP with events</source>
        <translation>网址（HTTP 事件流）</translation>
    </message>
    <message>
        <source>Open the picture {name}</source>
        <extracomment>A server may send thousands; nobody looks at so many, and they would hold the window.</extracomment>
        <translation>打开图片 {name}</translation>
    </message>
    <message>
        <source>The picture {name} is too large to be shown here ({size}).</source>
        <translation>图片 {name} 太大，无法在这里显示（{size}）。</translation>
    </message>
    <message>
        <source>The picture {name} is not there any more.</source>
        <translation>图片 {name} 已经不在了。</translation>
    </message>
    <message>
        <source>The picture {name} is broken, or of a kind that is not shown here.</source>
        <translation>图片 {name} 已损坏，或者是这里不显示的类型。</translation>
    </message>
    <message>
        <source>1 title</source>
        <extracomment>Of the messages that would go, so many are shown.</extracomment>
        <translation>1 个标题</translation>
    </message>
    <message>
        <source>{count} titles</source>
        <translation>{count} 个标题</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 个片段</translation>
    </message>
    <message>
        <source>{count} passages</source>
        <translation>{count} 个片段</translation>
    </message>
    <message>
        <source>1 conversation in a folder of that name</source>
        <translation>1 个对话在这样命名的文件夹里</translation>
    </message>
    <message>
        <source>{count} conversations in folders of that name</source>
        <translation>{count} 个对话在这样命名的文件夹里</translation>
    </message>
    <message>
        <source>1 summary</source>
        <translation>1 条摘要</translation>
    </message>
    <message>
        <source>{count} summaries</source>
        <translation>{count} 条摘要</translation>
    </message>
    <message>
        <source>1 known fact</source>
        <translation>1 条已知信息</translation>
    </message>
    <message>
        <source>{count} known facts</source>
        <translation>{count} 条已知信息</translation>
    </message>
    <message>
        <source>1 turn&apos;s context</source>
        <translation>1 轮的上下文</translation>
    </message>
    <message>
        <source>the context of {count} turns</source>
        <translation>{count} 轮的上下文</translation>
    </message>
    <message>
        <source>1 action</source>
        <translation>1 个操作</translation>
    </message>
    <message>
        <source>{count} actions</source>
        <translation>{count} 个操作</translation>
    </message>
    <message>
        <source>1 permission</source>
        <translation>1 项权限</translation>
    </message>
    <message>
        <source>{count} permissions</source>
        <translation>{count} 项权限</translation>
    </message>
    <message>
        <source>1 import</source>
        <translation>1 次导入</translation>
    </message>
    <message>
        <source>{count} imports</source>
        <translation>{count} 次导入</translation>
    </message>
    <message>
        <source>1 schedule</source>
        <translation>1 个计划</translation>
    </message>
    <message>
        <source>{count} schedules</source>
        <translation>{count} 个计划</translation>
    </message>
    <message>
        <source>1 unsent message</source>
        <translation>1 条未发送的消息</translation>
    </message>
    <message>
        <source>{count} unsent messages</source>
        <translation>{count} 条未发送的消息</translation>
    </message>
    <message>
        <source>1 familiar request</source>
        <translation>1 个熟悉的请求</translation>
    </message>
    <message>
        <source>{count} familiar requests</source>
        <translation>{count} 个熟悉的请求</translation>
    </message>
    <message>
        <source>in 1 conversation</source>
        <translation>（1 个对话）</translation>
    </message>
    <message>
        <source>in {count} conversations</source>
        <translation>（{count} 个对话）</translation>
    </message>
    <message>
        <source>{messages} {where}, with {places}.</source>
        <translation>{messages}{where}，连同 {places}。</translation>
    </message>
    <message>
        <source>{messages} {where}.</source>
        <translation>{messages}{where}。</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>{speaker}, {day}: “{words}”</source>
        <translation>{speaker}，{day}：“{words}”</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>还有 {count} 条</translation>
    </message>
    <message>
        <source>and 1 more</source>
        <translation>还有 1 条</translation>
    </message>
    <message>
        <source>Forgotten: {messages}.</source>
        <translation>已忘掉：{messages}。</translation>
    </message>
    <message>
        <source>1 backup still holds it.</source>
        <translation>还有 1 个备份保存着它。</translation>
    </message>
    <message>
        <source>{count} backups still hold it.</source>
        <translation>还有 {count} 个备份保存着它。</translation>
    </message>
    <message>
        <source>Open {name}</source>
        <translation>打开 {name}</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>sound</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>link</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>resource</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Show in folder: {name}</source>
        <translation>在文件夹中显示：{name}</translation>
    </message>
    <message>
        <source>Waits for your decision: {title}</source>
        <translation>等你决定：{title}</translation>
    </message>
    <message>
        <source>An action asks you something.</source>
        <translation>有个动作有事问你。</translation>
    </message>
    <message>
        <source>The server “{server}” asks you something.</source>
        <translation>服务器“{server}”有事问你。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>The server “{name}” is off, and its tools with it.</source>
        <extracomment>No configuration of servers is larger.</extracomment>
        <translation>服务器“{name}”已关闭，它的工具也随之关闭。</translation>
    </message>
    <message>
        <source>Partner is still starting; try it again in a moment.</source>
        <translation>Partner 还在启动，请稍后再试。</translation>
    </message>
    <message>
        <source>{path} cannot be read, or is too large for a configuration.</source>
        <translation>{path} 无法读取，或者作为配置太大了。</translation>
    </message>
    <message>
        <source>It left 1 file</source>
        <extracomment>Shown at once; the rest behind a button.</extracomment>
        <translation>它留下了 1 个文件</translation>
    </message>
    <message>
        <source>It left {count} files</source>
        <translation>它留下了 {count} 个文件</translation>
    </message>
    <message>
        <source>Keep files…</source>
        <translation>保留文件…</translation>
    </message>
    <message>
        <source>Keep the files of {title}…</source>
        <translation>保留“{title}”的文件…</translation>
    </message>
    <message>
        <source>They are copied into a folder that you choose.</source>
        <translation>文件会复制到你选择的文件夹。</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show all {count} files</source>
        <translation>显示全部 {count} 个文件</translation>
    </message>
    <message>
        <source>Undo (1 file)</source>
        <translation>撤销（1 个文件）</translation>
    </message>
    <message>
        <source>Undo ({count} files)</source>
        <translation>撤销（{count} 个文件）</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open folder: {path}</source>
        <translation>打开文件夹：{path}</translation>
    </message>
    <message>
        <source>1 file is as it was before</source>
        <translation>1 个文件已恢复原样</translation>
    </message>
    <message>
        <source>{count} files are as they were before</source>
        <translation>{count} 个文件已恢复原样</translation>
    </message>
    <message>
        <source>It changed 1 file of yours</source>
        <translation>它改动了你的 1 个文件</translation>
    </message>
    <message>
        <source>It changed {count} files of yours</source>
        <translation>它改动了你的 {count} 个文件</translation>
    </message>
    <message>
        <source>That can no longer be taken back.</source>
        <translation>已无法撤销。</translation>
    </message>
    <message>
        <source>Source of the new ability</source>
        <extracomment>Of the endings that the lexers do not know by themselves.</extracomment>
        <translation>新能力的源代码</translation>
    </message>
    <message>
        <source>Source, 1 line</source>
        <translation>源代码，1 行</translation>
    </message>
    <message>
        <source>Source, {count} lines</source>
        <translation>源代码，{count} 行</translation>
    </message>
    <message>
        <source>What it prints</source>
        <extracomment>Behind the sign, below the title.</extracomment>
        <translation>它的输出</translation>
    </message>
    <message>
        <source>It was tried.</source>
        <extracomment>The same from where there is no card.</extracomment>
        <translation>试运行结束。</translation>
    </message>
    <message>
        <source>Keep the files in</source>
        <translation>把文件保留到</translation>
    </message>
    <message>
        <source>since {time}</source>
        <extracomment>The field in which many abilities say what came of them.</extracomment>
        <translation>始于 {time}</translation>
    </message>
    <message>
        <source>Begun again once, because Partner had ended</source>
        <translation>Partner 中途退出过，重新开始了 1 次</translation>
    </message>
    <message>
        <source>Begun again {count} times, because Partner had ended</source>
        <translation>Partner 中途退出过，重新开始了 {count} 次</translation>
    </message>
    <message>
        <source>from step {number}</source>
        <translation>来自第 {number} 步</translation>
    </message>
    <message>
        <source>the file that landed</source>
        <translation>到来的文件</translation>
    </message>
    <message>
        <source>not yet begun</source>
        <translation>尚未开始</translation>
    </message>
    <message>
        <source>the mind</source>
        <translation>思维</translation>
    </message>
    <message>
        <source>{start} to {end}</source>
        <translation>{start} 至 {end}</translation>
    </message>
    <message>
        <source>nothing printed</source>
        <translation>没有输出</translation>
    </message>
    <message>
        <source>‹ Abilities</source>
        <extracomment>Which list a page stands in place of.</extracomment>
        <translation>‹ 能力</translation>
    </message>
    <message>
        <source>Back to the list of abilities</source>
        <translation>返回能力列表</translation>
    </message>
    <message>
        <source>‹ Actions</source>
        <translation>‹ 操作</translation>
    </message>
    <message>
        <source>Back to the list of actions</source>
        <translation>返回操作列表</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Changes of the plan</source>
        <translation>计划的变动</translation>
    </message>
    <message>
        <source>How it ran</source>
        <translation>运行方式</translation>
    </message>
    <message>
        <source>Asked for</source>
        <extracomment>Of what was printed; the file has the rest.</extracomment>
        <translation>你的要求</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>in {path}</source>
        <translation>位于 {path}</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Copy what it printed</source>
        <translation>复制它的输出</translation>
    </message>
    <message>
        <source>The first {size} are not shown.</source>
        <translation>最前面的 {size} 未显示。</translation>
    </message>
    <message>
        <source>Wrote 1 entry to {path}.</source>
        <extracomment>Many things happen together; they are looked at together.</extracomment>
        <translation>已将 1 条记录写入 {path}。</translation>
    </message>
    <message>
        <source>Wrote {count} entries to {path}.</source>
        <translation>已将 {count} 条记录写入 {path}。</translation>
    </message>
    <message>
        <source>JSON lines (*.jsonl)</source>
        <translation>逐行 JSON (*.jsonl)</translation>
    </message>
    <message>
        <source>Table for a spreadsheet (*.csv)</source>
        <translation>电子表格用的表 (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Export the audit log</source>
        <translation>导出审计日志</translation>
    </message>
    <message>
        <source>The rule “{rule}” is removed.</source>
        <extracomment>The name of the file among the settings.</extracomment>
        <translation>规则“{rule}”已移除。</translation>
    </message>
    <message>
        <source>There is no {path} yet; it is written with the first rule.</source>
        <translation>还没有 {path}；加入第一条规则时会写出它。</translation>
    </message>
    <message>
        <source>Ask always</source>
        <extracomment>So much of a hash tells versions apart. So many names are said; the rest is counted.</extracomment>
        <translation>始终询问</translation>
    </message>
    <message>
        <source>Every run asks first, whatever it does.</source>
        <translation>每次运行都先询问，不管它做什么。</translation>
    </message>
    <message>
        <source>Smart</source>
        <translation>智能</translation>
    </message>
    <message>
        <source>Built-in actions that only look run, and what you granted; the rest asks.</source>
        <translation>只查看的内置操作和你授权过的直接运行；其余都询问。</translation>
    </message>
    <message>
        <source>Autonomous</source>
        <translation>自主</translation>
    </message>
    <message>
        <source>What the sandbox keeps from changing or sending anything runs too; the rest asks.</source>
        <translation>沙箱使其无法更改或发送任何东西的也直接运行；其余都询问。</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>禁止</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>only with the same arguments</source>
        <translation>仅限相同的参数</translation>
    </message>
    <message>
        <source>in “{conversation}”</source>
        <translation>在“{conversation}”中</translation>
    </message>
    <message>
        <source>in one conversation</source>
        <translation>在一个对话中</translation>
    </message>
    <message>
        <source>Meaning is switched off: what was said is found by words and dates.</source>
        <translation>按含义查找已关闭：说过的话按词语和日期查找。</translation>
    </message>
    <message>
        <source>There is no embedding model: what was said is found by words and dates.</source>
        <translation>没有向量模型：说过的话按词语和日期查找。</translation>
    </message>
    <message>
        <source>{count} messages are found by words alone until their meaning is read.</source>
        <translation>还有 {count} 条消息暂时只能按词语查找，正在读取含义。</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>Partner</source>
        <translation>Partner</translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>{count} messages</source>
        <translation>{count} 条消息</translation>
    </message>
    <message>
        <source>by words and meaning</source>
        <translation>按词语和含义</translation>
    </message>
    <message>
        <source>by words</source>
        <translation>按词语</translation>
    </message>
    <message>
        <source>{messages} can be found {how}</source>
        <translation>可{how}查找 {messages}</translation>
    </message>
    <message>
        <source>since {day}</source>
        <translation>自 {day} 起</translation>
    </message>
    <message>
        <source>Only for a program that calls itself “{program}”.</source>
        <translation>仅适用于自称“{program}”的程序。</translation>
    </message>
    <message>
        <source>On all files and folders.</source>
        <translation>适用于所有文件和文件夹。</translation>
    </message>
    <message>
        <source>It is from before places were kept: where a file or folder is chosen, it asks again.</source>
        <translation>它早于位置记录功能：如果选择了文件或文件夹，会再次询问。</translation>
    </message>
    <message>
        <source>It fits none of the abilities that are here now.</source>
        <translation>它不适用于现有的任何能力。</translation>
    </message>
    <message>
        <source>It fits {named} and {count} more.</source>
        <translation>它适用于 {named} 以及另外 {count} 项。</translation>
    </message>
    <message>
        <source>It fits {named}.</source>
        <translation>它适用于 {named}。</translation>
    </message>
    <message>
        <source>Whether it is done, these may look afterwards: {names}</source>
        <translation>完成后可以用这些来检查：{names}</translation>
    </message>
    <message>
        <source>Step {number} runs without a sandbox, with your own rights.</source>
        <translation>第 {number} 步不在沙箱中运行，拥有你自己的权限。</translation>
    </message>
    <message>
        <source>The steps {numbers} run without a sandbox, with your own rights.</source>
        <translation>第 {numbers} 步不在沙箱中运行，拥有你自己的权限。</translation>
    </message>
    <message>
        <source>Move up: {title}</source>
        <extracomment>Behind the sign, below the title.</extracomment>
        <translation>上移：{title}</translation>
    </message>
    <message>
        <source>Move down: {title}</source>
        <translation>下移：{title}</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>修改…</translation>
    </message>
    <message>
        <source>Change the arguments: {title}</source>
        <translation>修改参数：{title}</translation>
    </message>
    <message>
        <source>A pinned step stays when Partner plans again.</source>
        <translation>固定的步骤在 Partner 重新计划时会保留。</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>放回</translation>
    </message>
    <message>
        <source>{title} is step {number} of {count} now</source>
        <translation>{title} 现在是第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>Save plan</source>
        <translation>保存计划</translation>
    </message>
    <message>
        <source>Cancel edit</source>
        <translation>取消编辑</translation>
    </message>
    <message>
        <source>Nothing would be left. To do nothing, cancel and reject the plan.</source>
        <translation>这样就什么都不剩了。如果什么都不想做，请取消编辑并拒绝计划。</translation>
    </message>
    <message>
        <source>A step stands before one that brings what it needs.</source>
        <translation>有一步排在了提供其所需内容的步骤之前。</translation>
    </message>
    <message>
        <source>Alt and the arrows move a step. Once saved, the plan asks again.</source>
        <translation>Alt 加方向键可移动步骤。保存后，计划会再次询问。</translation>
    </message>
    <message>
        <source>You changed the plan: {what}</source>
        <extracomment>The newest; what came before is in the record.</extracomment>
        <translation>你改了计划：{what}</translation>
    </message>
    <message>
        <source>Replanned: {what}</source>
        <translation>重新计划：{what}</translation>
    </message>
    <message>
        <source>Taken out: {title}</source>
        <extracomment>Where the words begin, behind the sign. Strokes on a grid of 20 × 20.</extracomment>
        <translation>已去掉：{title}</translation>
    </message>
    <message>
        <source>together</source>
        <translation>同时进行</translation>
    </message>
    <message>
        <source>can be undone</source>
        <translation>可以撤销</translation>
    </message>
    <message>
        <source>Skip: {title}</source>
        <translation>跳过：{title}</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>It is left out; the other steps go on.</source>
        <translation>略过这一步，其余的继续。</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Month before</source>
        <translation>上个月</translation>
    </message>
    <message>
        <source>Month after</source>
        <translation>下个月</translation>
    </message>
    <message>
        <source>Calendar…</source>
        <translation>日历…</translation>
    </message>
    <message>
        <source>Calendar: {title}</source>
        <translation>日历：{title}</translation>
    </message>
    <message>
        <source>Type a time, such as {example}.</source>
        <translation>请输入时间，例如 {example}。</translation>
    </message>
    <message>
        <source>Add a path</source>
        <translation>添加路径</translation>
    </message>
    <message>
        <source>Add a path: {title}</source>
        <translation>添加路径：{title}</translation>
    </message>
    <message>
        <source>At least {limit} paths.</source>
        <translation>至少 {limit} 个路径。</translation>
    </message>
    <message>
        <source>At most {limit} paths.</source>
        <translation>最多 {limit} 个路径。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove: {title}</source>
        <translation>移除：{title}</translation>
    </message>
    <message>
        <source>Step {number} of “{title}”</source>
        <translation>“{title}”的第 {number} 步</translation>
    </message>
    <message>
        <source>The plan was changed. It asks again.</source>
        <translation>计划已修改，会再次询问。</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等你决定</translation>
    </message>
    <message>
        <source>Show in chat</source>
        <translation>在对话中查看</translation>
    </message>
    <message>
        <source>Copy the record as text</source>
        <translation>把记录复制为文本</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Copy: {name}</source>
        <extracomment>The most of an excerpt that is laid out; the file has the rest. More than this is not wrapped: every line of it would be laid out at once.
----------
What is longer stands in a view of its own that scrolls. What is shorter, and whole, is as easily selected as copied.</extracomment>
        <translation>复制：{name}</translation>
    </message>
    <message>
        <source>“{text}”</source>
        <extracomment>Under the title, which begins behind its arrow.</extracomment>
        <translation>“{text}”</translation>
    </message>
    <message>
        <source>Look at all of “{title}” first: there are {count} more lines.</source>
        <translation>请先看完“{title}”：还有 {count} 行。</translation>
    </message>
    <message>
        <source>Scroll through the whole card first: not all of it was in view.</source>
        <translation>请先滚动看完整张卡片：还有内容没有显示过。</translation>
    </message>
    <message>
        <source>Show all</source>
        <extracomment>Whether it is typed: what stands there may be half a value until Enter is pressed, or it is left. Whether it is a part of a line, or fills its own. Lines that are in view at once, and those that stand open where there is nothing yet. More than this is scrolled through, however much of it is asked for. A line that is wider may not fit on a narrow card.</extracomment>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Show all: {title}</source>
        <translation>全部显示：{title}</translation>
    </message>
    <message>
        <source>Go on without reading it all</source>
        <translation>不全部阅读，直接继续</translation>
    </message>
    <message>
        <source>Go on without reading it all: {title}</source>
        <translation>不全部阅读，直接继续：{title}</translation>
    </message>
    <message>
        <source>1 more line</source>
        <translation>还有 1 行</translation>
    </message>
    <message>
        <source>{count} more lines</source>
        <translation>还有 {count} 行</translation>
    </message>
    <message>
        <source>Allow and start</source>
        <translation>允许并启动</translation>
    </message>
    <message>
        <source>Keep it off</source>
        <translation>保持关闭</translation>
    </message>
    <message>
        <source>This link leads to no message of a conversation.</source>
        <extracomment>Messages of a conversation that are looked at for one&apos;s own.</extracomment>
        <translation>这个链接没有指向任何对话中的消息。</translation>
    </message>
    <message>
        <source>A link put these words here; they are sent only if you send them.</source>
        <translation>这些字是一个链接放到这里的；只有您发送，它们才会发出。</translation>
    </message>
    <message>
        <source>This message is not there any more: it or its conversation was deleted, or said anew.</source>
        <translation>这条消息已经不在了：它或它所在的对话已被删除，或已改为别的说法。</translation>
    </message>
    <message>
        <source>Meanwhile it is something else. Forget this for good?</source>
        <translation>内容已有变化。要永久忘掉这些吗？</translation>
    </message>
    <message>
        <source>Forget this for good?</source>
        <translation>要永久忘掉这些吗？</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘掉</translation>
    </message>
    <message>
        <source>Clean backups</source>
        <translation>清理备份</translation>
    </message>
    <message>
        <source>Backups hold nothing of it any more.</source>
        <translation>备份中已没有这些内容。</translation>
    </message>
    <message>
        <source>It could not be erased from {path}: {problem}</source>
        <translation>无法从 {path} 中清除：{problem}</translation>
    </message>
    <message>
        <source>Who is the same as {whom}?</source>
        <translation>谁和{whom}是同一个？</translation>
    </message>
    <message>
        <source>Choose in the list, or search. It can be parted again.</source>
        <translation>请在列表中选择，或搜索。以后可以再分开。</translation>
    </message>
    <message>
        <source>{other} and {whom} are one now.</source>
        <translation>{other}和{whom}现在是同一个了。</translation>
    </message>
    <message>
        <source>Without a title</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>Nothing of it is left</source>
        <translation>其中已没有任何内容</translation>
    </message>
    <message>
        <source>pinned</source>
        <extracomment>Of what a server says of its progress.</extracomment>
        <translation>已固定</translation>
    </message>
    <message>
        <source>What you talk about</source>
        <translation>你谈论的话题</translation>
    </message>
    <message>
        <source>About you</source>
        <translation>关于你</translation>
    </message>
    <message>
        <source>Whom and what you spoke of</source>
        <translation>你提到的人和事物</translation>
    </message>
    <message>
        <source>Nothing more is known</source>
        <translation>没有更多信息</translation>
    </message>
    <message>
        <source>Known</source>
        <translation>已知</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>话题</translation>
    </message>
    <message>
        <source>Said</source>
        <translation>说过的话</translation>
    </message>
    <message>
        <source>{speaker}: {words}</source>
        <translation>{speaker}：{words}</translation>
    </message>
    <message>
        <source>What is said here is found from other conversations again.</source>
        <extracomment>The loop is given back after this much work. So many come to view together: with each, all that stands there is laid out and painted. Pages that are read again at the end before the place of a change is shown by itself. What is more positions back than this is shown by itself. Positions after the one that is looked for; most of them are of the same conversation.</extracomment>
        <translation>在其他对话中又能找到这里说的内容了。</translation>
    </message>
    <message>
        <source>What is said here is found from nowhere else, and is not summed up for others.</source>
        <translation>在其他对话中找不到这里说的内容，也不会为它们做摘要。</translation>
    </message>
    <message>
        <source>Show in the chat</source>
        <extracomment>Topics that are listed. Of what a search finds, the topics that have its words come before what was said. So much of a message is painted in its row. Its kinds: `slice`, `turn`, `topic`, `entity`.</extracomment>
        <translation>在聊天中显示</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Forget this day…</source>
        <translation>忘掉这一天…</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>忘掉…</translation>
    </message>
    <message>
        <source>Graph</source>
        <extracomment>Below this zoom a title could not be read: a node has its number alone.</extracomment>
        <translation>图</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>A line brings something; a dashed one is only the order.</source>
        <translation>实线表示传递内容，虚线只表示先后。</translation>
    </message>
    <message>
        <source>Partner cannot be opened at login: the path {path} holds a line break, or what is no text.</source>
        <extracomment>Both keys say that an entry is not to be started. What stands for itself in no argument of an Exec line.</extracomment>
        <translation>无法在登录时打开 Partner：路径 {path} 含有换行，或含有不是文字的内容。</translation>
    </message>
    <message>
        <source>{path} could not be changed: {reason}</source>
        <translation>无法更改 {path}：{reason}</translation>
    </message>
    <message>
        <source>Opens hidden, so that what is planned is done in time</source>
        <translation>隐藏着打开，让安排好的事按时进行</translation>
    </message>
    <message>
        <source>Partner opens by itself when you log in.</source>
        <translation>登录时 Partner 会自动打开。</translation>
    </message>
    <message>
        <source>Open Partner when I log in</source>
        <translation>登录时自动打开 Partner</translation>
    </message>
    <message>
        <source>You are asked each time before it runs: it can do too much to go by one yes.</source>
        <translation>每次运行前都会先问你：它能做的事太多，不能只凭一次同意。</translation>
    </message>
    <message>
        <source>Show what is planned</source>
        <translation>查看这项安排</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>接下来</translation>
    </message>
    <message>
        <source>This is over, or was cancelled.</source>
        <translation>它已经结束，或者被取消了。</translation>
    </message>
    <message>
        <source>As scheduled</source>
        <translation>按计划</translation>
    </message>
    <message>
        <source>As scheduled: {when}</source>
        <translation>按计划：{when}</translation>
    </message>
    <message>
        <source>‹ Back</source>
        <translation>‹ 返回</translation>
    </message>
    <message>
        <source>Back to what is planned</source>
        <translation>返回这项安排</translation>
    </message>
    <message>
        <source>one or more, with commas between them</source>
        <extracomment>Which fields a kind of timing has, in their order.</extracomment>
        <translation>一个或多个，用逗号隔开</translation>
    </message>
    <message>
        <source>empty: without end</source>
        <translation>留空表示没有期限</translation>
    </message>
    <message>
        <source>minute, hour, day, month, weekday</source>
        <translation>分、时、日、月、星期</translation>
    </message>
    <message>
        <source>What to say</source>
        <translation>提醒内容</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>on certain days</source>
        <translation>在固定的日子</translation>
    </message>
    <message>
        <source>on days of the month</source>
        <translation>每月的某几天</translation>
    </message>
    <message>
        <source>every so often</source>
        <translation>每隔一段时间</translation>
    </message>
    <message>
        <source>by a cron line (advanced)</source>
        <translation>按 cron 表达式（高级）</translation>
    </message>
    <message>
        <source>on the days as they are</source>
        <translation>日子保持不变</translation>
    </message>
    <message>
        <source>When</source>
        <translation>何时</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Days of the month</source>
        <translation>每月几号</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>每隔</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>hours</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Cron line</source>
        <translation>cron 表达式</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>最后一天</translation>
    </message>
    <message>
        <source>What was missed</source>
        <translation>错过的</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>星期</translation>
    </message>
    <message>
        <source>Remind me now</source>
        <translation>现在提醒</translation>
    </message>
    <message>
        <source>Run now</source>
        <translation>立即运行</translation>
    </message>
    <message>
        <source>Skip the next time</source>
        <translation>跳过下一次</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Cancel it</source>
        <translation>取消这项安排</translation>
    </message>
    <message>
        <source>What came of it</source>
        <translation>历次结果</translation>
    </message>
    <message>
        <source>You are asked each time before it runs.</source>
        <translation>每次运行前都会先问你。</translation>
    </message>
    <message>
        <source>It has not been due yet.</source>
        <translation>还没有到过时间。</translation>
    </message>
    <message>
        <source>What lands while Partner is closed is left alone.</source>
        <extracomment>What ran as it should needs no sign in the list.</extracomment>
        <translation>Partner 关闭期间到来的文件不会处理。</translation>
    </message>
    <message>
        <source>What lands while Partner is closed is seen to when it is open again.</source>
        <translation>Partner 关闭期间到来的文件，会在它再次打开时处理。</translation>
    </message>
    <message>
        <source>It is noticed only while Partner is open.</source>
        <translation>只有 Partner 打开时才会察觉。</translation>
    </message>
    <message>
        <source>Nothing happens while Partner is closed; what was missed is told when it is open again.</source>
        <translation>Partner 关闭时什么都不会发生；错过的会在再次打开时告诉你。</translation>
    </message>
    <message>
        <source>Nothing happens while Partner is closed; the settings say what becomes of missed ones.</source>
        <translation>Partner 关闭时什么都不会发生；错过的怎样处理，由设置决定。</translation>
    </message>
    <message>
        <source>Nothing happens while Partner is closed; what was missed is done once afterwards.</source>
        <translation>Partner 关闭时什么都不会发生；错过的会在之后补做一次。</translation>
    </message>
    <message>
        <source>Nothing happens while Partner is closed; each time that was missed is done afterwards.</source>
        <translation>Partner 关闭时什么都不会发生；错过的每一次都会在之后补做。</translation>
    </message>
    <message>
        <source>Nothing happens while Partner is closed; what was missed is left out.</source>
        <translation>Partner 关闭时什么都不会发生；错过的就跳过。</translation>
    </message>
    <message>
        <source>as the settings say</source>
        <translation>按设置</translation>
    </message>
    <message>
        <source>say it once afterwards</source>
        <translation>之后提醒一次</translation>
    </message>
    <message>
        <source>say it for each of them</source>
        <translation>每一次都提醒</translation>
    </message>
    <message>
        <source>leave it out</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>do it once afterwards</source>
        <translation>之后补做一次</translation>
    </message>
    <message>
        <source>do each of them afterwards</source>
        <translation>之后逐次补做</translation>
    </message>
    <message>
        <source>leave them out</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>over</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>正在开始</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>不允许</translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation>{count} 次</translation>
    </message>
    <message>
        <source>the run before went on</source>
        <translation>上一次还在运行</translation>
    </message>
    <message>
        <source>next {time}</source>
        <translation>下次：{time}</translation>
    </message>
    <message>
        <source>last: {outcome}, {time}</source>
        <translation>上次：{outcome}，{time}</translation>
    </message>
    <message>
        <source>and {count} more later</source>
        <extracomment>The rest is counted, and found by looking for it.</extracomment>
        <translation>之后还有 {count} 项</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最后一天</translation>
    </message>
    <message>
        <source>That time has passed.</source>
        <translation>这个时间已经过去了。</translation>
    </message>
    <message>
        <source>The last day has passed.</source>
        <translation>最后一天已经过去了。</translation>
    </message>
    <message>
        <source>Choose at least one day.</source>
        <translation>至少选择一天。</translation>
    </message>
    <message>
        <source>Type days of the month, such as {example}.</source>
        <translation>请输入每月几号，例如 {example}。</translation>
    </message>
    <message>
        <source>“{day}” is not a day of a month.</source>
        <translation>“{day}”不是一个月中的某一天。</translation>
    </message>
    <message>
        <source>Type times, such as {example}.</source>
        <translation>请输入时刻，例如 {example}。</translation>
    </message>
    <message>
        <source>Type how often, as a number above 0.</source>
        <translation>请输入间隔，要大于 0。</translation>
    </message>
    <message>
        <source>The end is to be another time than the beginning.</source>
        <translation>结束时间要和开始时间不同。</translation>
    </message>
    <message>
        <source>This cron line cannot be read.</source>
        <translation>这个 cron 表达式读不懂。</translation>
    </message>
    <message>
        <source>“{word}” is not a time, such as 18:00.</source>
        <translation>“{word}”不是时刻，时刻要写成 18:00 这样。</translation>
    </message>
    <message>
        <source>Reminder</source>
        <extracomment>When a day begins for what is put off until it. So many are told one by one; more that come shortly after each other are counted, that often at most. What is shown of a reminder; of one among many.</extracomment>
        <translation>提醒</translation>
    </message>
    <message>
        <source>{count} reminders</source>
        <translation>{count} 条提醒</translation>
    </message>
    <message>
        <source>Show the latest</source>
        <translation>显示最新的一条</translation>
    </message>
    <message>
        <source>Open Partner</source>
        <translation>打开 Partner</translation>
    </message>
    <message>
        <source>You are reminded again {time}.</source>
        <translation>会再次提醒你：{time}。</translation>
    </message>
    <message>
        <source>Snooze 10 min</source>
        <translation>10 分钟后</translation>
    </message>
    <message>
        <source>Snooze 1 h</source>
        <translation>1 小时后</translation>
    </message>
    <message>
        <source>Tomorrow</source>
        <translation>明天</translation>
    </message>
    <message>
        <source>Familiar requests: {requests} · calls saved: {calls} · seconds saved: {seconds}</source>
        <translation>熟悉的请求：{requests} · 省下的调用：{calls} · 省下的秒数：{seconds}</translation>
    </message>
    <message>
        <source>Chooses the ability</source>
        <translation>选对能力</translation>
    </message>
    <message>
        <source>Fills in what it needs</source>
        <translation>填对所需内容</translation>
    </message>
    <message>
        <source>Holds back where nothing fits</source>
        <translation>没有合适的就不动手</translation>
    </message>
    <message>
        <source>Keeps to a given form</source>
        <translation>遵守给定的格式</translation>
    </message>
    <message>
        <source>Answers in your language</source>
        <translation>用你的语言回答</translation>
    </message>
    <message>
        <source>Does not obey text that it finds</source>
        <translation>不听从所读文字里的指令</translation>
    </message>
    <message>
        <source>{passed} of {done}</source>
        <translation>{passed} / {done}</translation>
    </message>
    <message>
        <source>It answered: {answer}</source>
        <translation>它的回答：{answer}</translation>
    </message>
    <message>
        <source>It answered nothing.</source>
        <translation>它什么也没有回答。</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>使用 {name}</translation>
    </message>
    <message>
        <source>in the list</source>
        <translation>已在列表中</translation>
    </message>
    <message>
        <source>sees pictures</source>
        <translation>能看图片</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Download {name}</source>
        <translation>下载 {name}</translation>
    </message>
    <message>
        <source>of the link</source>
        <translation>链接所指</translation>
    </message>
    <message>
        <source>your folder</source>
        <translation>你的文件夹</translation>
    </message>
    <message>
        <source>for searching by meaning</source>
        <translation>用于按含义查找</translation>
    </message>
    <message>
        <source>the eyes of another model</source>
        <translation>另一个模型的眼睛</translation>
    </message>
    <message>
        <source>not for talking</source>
        <translation>不能对话</translation>
    </message>
    <message>
        <source>for code</source>
        <translation>用于代码</translation>
    </message>
    <message>
        <source>for searching</source>
        <translation>用于查找</translation>
    </message>
    <message>
        <source>Too large: needs {needed}, {free} is free</source>
        <translation>太大：需要 {needed}，空闲 {free}</translation>
    </message>
    <message>
        <source>Too large: needs {needed}</source>
        <translation>太大：需要 {needed}</translation>
    </message>
    <message>
        <source>Fits: needs {needed} of {free} free</source>
        <translation>合适：空闲 {free} 中需要 {needed}</translation>
    </message>
    <message>
        <source>Tight: needs {needed} of {free} free</source>
        <translation>勉强：空闲 {free} 中需要 {needed}</translation>
    </message>
    <message>
        <source>about {speed} tokens/s</source>
        <translation>约 {speed} 词元/秒</translation>
    </message>
    <message>
        <source>Reckoned for {count} tokens of context, with what is free now.</source>
        <translation>按 {count} 词元的上下文和目前的空闲内存估算。</translation>
    </message>
    <message>
        <source>context {count}</source>
        <translation>上下文 {count}</translation>
    </message>
    <message>
        <source>{count} files</source>
        <translation>{count} 个文件</translation>
    </message>
    <message>
        <source>from {count} GB of memory on</source>
        <translation>{count} GB 内存起</translation>
    </message>
    <message>
        <source>{size} to load</source>
        <translation>需下载 {size}</translation>
    </message>
    <message>
        <source>{count} s left</source>
        <translation>还需 {count} 秒</translation>
    </message>
    <message>
        <source>{count} min left</source>
        <translation>还需 {count} 分钟</translation>
    </message>
    <message>
        <source>{count} h left</source>
        <translation>还需 {count} 小时</translation>
    </message>
    <message>
        <source>begins after the one before it</source>
        <translation>前一个完成后开始</translation>
    </message>
    <message>
        <source>{done} of {size}</source>
        <translation>{done} / {size}</translation>
    </message>
    <message>
        <source>{speed}/s</source>
        <translation>{speed}/秒</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>loads {percent}</source>
        <translation>下载中 {percent}</translation>
    </message>
    <message>
        <source>is checked</source>
        <translation>校验中</translation>
    </message>
    <message>
        <source>paused {percent}</source>
        <translation>已暂停 {percent}</translation>
    </message>
    <message>
        <source>here</source>
        <translation>已就绪</translation>
    </message>
    <message>
        <source>Look for models in</source>
        <extracomment>Where the settings have the folders that are looked into.</extracomment>
        <translation>在此文件夹中查找模型</translation>
    </message>
    <message>
        <source>Picture {name}</source>
        <extracomment>Pixels of the longer side of a picture in the tray.</extracomment>
        <translation>图片 {name}</translation>
    </message>
    <message>
        <source>Attached: {name}</source>
        <translation>附件：{name}</translation>
    </message>
    <message>
        <source>Remove the picture {name}</source>
        <translation>移除图片 {name}</translation>
    </message>
    <message>
        <source>Remove {name} from the message</source>
        <translation>从消息中移除 {name}</translation>
    </message>
    <message>
        <source>Opens this conversation</source>
        <translation>打开这个对话</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <extracomment>Pixels of the longer side, beyond which models look at no more.</extracomment>
        <translation>粘贴的图片</translation>
    </message>
    <message>
        <source>A message carries at most {count} pictures.</source>
        <translation>一条消息最多带 {count} 张图片。</translation>
    </message>
    <message>
        <source>New title</source>
        <extracomment>A menu is open over it, or its window is in the background.</extracomment>
        <translation>新标题</translation>
    </message>
    <message>
        <source>Close</source>
        <extracomment>The name of widgets inside of an entry that are taken down before it, each on its own.</extracomment>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Files and conversations to attach</source>
        <translation>可以附加的文件和对话</translation>
    </message>
    <message>
        <source>A message carries at most {count} files, folders and conversations.</source>
        <translation>一条消息最多附带 {count} 个文件、文件夹和对话。</translation>
    </message>
    <message>
        <source>Not pasted: it has {length} characters, and a message holds {most}. Save it as a file and drop that here.</source>
        <translation>未粘贴：内容有 {length} 个字符，一条消息最多 {most} 个。请存成文件后拖到这里。</translation>
    </message>
    <message>
        <source>Rename this conversation</source>
        <extracomment>What is done by choosing an entry that is no command, or where it leads to. Its name, its words, and what it does. What the commands with keys do or lead to, by their keys. Keys that mean something only where one is. What all others do or lead to, by their names.</extracomment>
        <translation>重命名这段对话</translation>
    </message>
    <message>
        <source>Export this conversation…</source>
        <translation>导出这段对话…</translation>
    </message>
    <message>
        <source>Delete this conversation</source>
        <translation>删除这段对话</translation>
    </message>
    <message>
        <source>Show the conversations and their folders</source>
        <translation>显示对话和文件夹</translation>
    </message>
    <message>
        <source>Pin this conversation</source>
        <translation>固定此对话</translation>
    </message>
    <message>
        <source>Unpin this conversation</source>
        <translation>取消固定此对话</translation>
    </message>
    <message>
        <source>Archive this conversation</source>
        <translation>归档此对话</translation>
    </message>
    <message>
        <source>Bring this conversation back from the archive</source>
        <translation>从归档中取回此对话</translation>
    </message>
    <message>
        <source>Put this conversation into a new folder</source>
        <translation>将此对话放入新文件夹</translation>
    </message>
    <message>
        <source>Mark this conversation as unread</source>
        <translation>将此对话标为未读</translation>
    </message>
    <message>
        <source>Show the archive</source>
        <translation>显示归档</translation>
    </message>
    <message>
        <source>Sort conversations by newest use</source>
        <translation>对话按最近使用排序</translation>
    </message>
    <message>
        <source>Sort conversations by newest begun</source>
        <translation>对话按最近开始排序</translation>
    </message>
    <message>
        <source>Sort conversations by name</source>
        <translation>对话按名称排序</translation>
    </message>
    <message>
        <source>Stop what runs in this conversation</source>
        <translation>停止这段对话中正在运行的</translation>
    </message>
    <message>
        <source>Go to the last message, to edit it or have it anew</source>
        <translation>转到最后一条消息，以编辑或重新生成</translation>
    </message>
    <message>
        <source>Attach files or pictures…</source>
        <translation>附加文件或图片…</translation>
    </message>
    <message>
        <source>Import conversations, or the chats of another program…</source>
        <translation>导入对话，或其他程序的聊天…</translation>
    </message>
    <message>
        <source>Open the small window for one question</source>
        <translation>打开快速提问的小窗口</translation>
    </message>
    <message>
        <source>Answer what waits for a yes or a no</source>
        <translation>回答等待批准的请求</translation>
    </message>
    <message>
        <source>Check, repair or go on with a plan</source>
        <translation>检查、修复或继续一个计划</translation>
    </message>
    <message>
        <source>Keep what ran as an ability</source>
        <translation>把运行过的保存为能力</translation>
    </message>
    <message>
        <source>Pause everything planned</source>
        <translation>暂停所有计划</translation>
    </message>
    <message>
        <source>Go on with everything planned</source>
        <translation>继续所有计划</translation>
    </message>
    <message>
        <source>Show what is planned and every reminder</source>
        <translation>显示计划和所有提醒</translation>
    </message>
    <message>
        <source>Open the folder of abilities</source>
        <translation>打开能力文件夹</translation>
    </message>
    <message>
        <source>Keep or describe an ability</source>
        <translation>保留或描述一个能力</translation>
    </message>
    <message>
        <source>Add an MCP server…</source>
        <translation>添加 MCP 服务器…</translation>
    </message>
    <message>
        <source>Show the servers, their prompts and what they offer</source>
        <translation>显示服务器、它们的提示和所提供的内容</translation>
    </message>
    <message>
        <source>Sum up this conversation now</source>
        <translation>现在总结这段对话</translation>
    </message>
    <message>
        <source>Remember this conversation, or keep it to itself</source>
        <translation>记住这段对话，或不让别处知道</translation>
    </message>
    <message>
        <source>Forget something</source>
        <translation>忘记某些内容</translation>
    </message>
    <message>
        <source>Correct what is known of me and of others</source>
        <translation>更正关于我和他人的所知</translation>
    </message>
    <message>
        <source>Pin, reword or export what was remembered</source>
        <translation>固定、改写或导出记住的内容</translation>
    </message>
    <message>
        <source>Answer without a model</source>
        <translation>不用模型回答</translation>
    </message>
    <message>
        <source>Give the memory of the model back</source>
        <translation>释放模型占用的内存</translation>
    </message>
    <message>
        <source>Add a model file…</source>
        <translation>添加模型文件…</translation>
    </message>
    <message>
        <source>Add a server of models…</source>
        <translation>添加模型服务器…</translation>
    </message>
    <message>
        <source>Find or download a model</source>
        <translation>查找或下载模型</translation>
    </message>
    <message>
        <source>Test a model, or remove one</source>
        <translation>测试或移除模型</translation>
    </message>
    <message>
        <source>Requests that need no model any more</source>
        <translation>不再需要模型的请求</translation>
    </message>
    <message>
        <source>Change how much runs without a question</source>
        <translation>更改无需询问即可运行的范围</translation>
    </message>
    <message>
        <source>Back everything up into one file…</source>
        <translation>把一切备份到一个文件…</translation>
    </message>
    <message>
        <source>Look for a newer version of Partner</source>
        <translation>查询 Partner 的新版本</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>主题：浅色</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>主题：深色</translation>
    </message>
    <message>
        <source>Theme: as the system</source>
        <translation>主题：跟随系统</translation>
    </message>
    <message>
        <source>Language: as the system</source>
        <translation>语言：跟随系统</translation>
    </message>
    <message>
        <source>Theme, text size and language</source>
        <translation>主题、文字大小和语言</translation>
    </message>
    <message>
        <source>Abilities and commands</source>
        <extracomment>More are not shown: whoever looks further types another letter. What is looked through between two pauses. What a command of the window counts beside an ability that fits as well.</extracomment>
        <translation>能力和命令</translation>
    </message>
    <message>
        <source>Enter: fill in its fields · Tab: say it in words</source>
        <translation>Enter：填写各项 · Tab：写成一句话</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>符合的内容</translation>
    </message>
    <message>
        <source>This system has no dictionary for its language (of Hunspell&apos;s), so nothing is.</source>
        <extracomment>Stands in place of a file&apos;s name.</extracomment>
        <translation>系统语言没有（Hunspell 格式的）词典，因此不会标记任何词。</translation>
    </message>
    <message>
        <source>Dictionaries that are here: {names}.</source>
        <translation>现有词典：{names}。</translation>
    </message>
    <message>
        <source>Looking for what may be meant…</source>
        <extracomment>From the last letter to the look at what was written. Of a longer paragraph only the beginning is looked at. Of so many words of a paragraph, more than half may not be wrong.</extracomment>
        <translation>正在查找可能的词…</translation>
    </message>
    <message>
        <source>Add “{word}” to the dictionary</source>
        <translation>将“{word}”加入词典</translation>
    </message>
    <message>
        <source>Nothing similar is known</source>
        <translation>没有相近的词</translation>
    </message>
    <message>
        <source>{keys} opens a quick question now.</source>
        <translation>现在按 {keys} 就能快速提问。</translation>
    </message>
    <message>
        <source>Ask Partner</source>
        <translation>问 Partner</translation>
    </message>
    <message>
        <source>Partner is starting; your question is asked as soon as it is there.</source>
        <translation>Partner 正在启动；一就绪就会提出您的问题。</translation>
    </message>
    <message>
        <source>This needs your yes or no: Enter shows it in the window.</source>
        <translation>这需要您同意或拒绝：按 Enter 在窗口中显示。</translation>
    </message>
    <message>
        <source>Type your answer, or press Enter to go on in the window.</source>
        <translation>请输入您的回答，或按 Enter 到窗口中继续。</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Its tools are here once you have signed in, in your browser.</source>
        <translation>在浏览器里登录之后，它的工具就在这里了。</translation>
    </message>
    <message>
        <source>No browser could be opened here. Open this address in one on this computer:</source>
        <translation>这里打不开浏览器。请在这台电脑的浏览器里打开这个地址：</translation>
    </message>
    <message>
        <source>Go on in the browser that was opened.</source>
        <translation>请在打开的浏览器里继续。</translation>
    </message>
    <message>
        <source>Show more ({count} left)</source>
        <extracomment>So many rows stand there unasked, and so many come with each press.</extracomment>
        <translation>显示更多（还有 {count} 项）</translation>
    </message>
    <message>
        <source>was edited since</source>
        <extracomment>So many lines of what is said of a grant show.</extracomment>
        <translation>之后改动过</translation>
    </message>
    <message>
        <source>Revoke…</source>
        <translation>撤销…</translation>
    </message>
    <message>
        <source>The ability is another one now, so it asks again.</source>
        <translation>这个能力已经变了，所以会重新询问。</translation>
    </message>
    <message>
        <source>only version {hash}</source>
        <translation>仅版本 {hash}</translation>
    </message>
</context>
<context>
    <name>AbilitiesTab</name>
    <message>
        <source>No abilities yet</source>
        <extracomment>A burst of changes becomes one. Changes taken in at once; the loop is free between two portions.</extracomment>
        <translation>还没有能力</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>MCP servers: paste a config from another app.</source>
        <translation>MCP 服务器：可以粘贴来自其他应用的配置。</translation>
    </message>
    <message>
        <source>Abilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>Space switches an ability off or on; the menu key shows what else can be done.</source>
        <translation>空格键关闭或打开一个能力；菜单键显示还能做什么。</translation>
    </message>
    <message>
        <source>Filter abilities</source>
        <translation>筛选能力</translation>
    </message>
    <message>
        <source>Drop a script on the window, or save it into {folder}.</source>
        <translation>把脚本拖到窗口上，或保存到 {folder}。</translation>
    </message>
    <message>
        <source>No ability has “{words}” in it.</source>
        <translation>没有能力包含“{words}”。</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open the folder of abilities</source>
        <translation>打开能力文件夹</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Add an MCP server</source>
        <translation>添加 MCP 服务器</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Show all abilities</source>
        <translation>显示全部能力</translation>
    </message>
</context>
<context>
    <name>ActionsTab</name>
    <message>
        <source>In the background</source>
        <translation>在后台</translation>
    </message>
    <message>
        <source>Nothing here matches.</source>
        <extracomment>Fewer are found by looking. How long something waits is said in minutes.</extracomment>
        <translation>没有匹配的操作。</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Delete cancels what runs; the menu key shows what else can be done.</source>
        <translation>按删除键取消正在运行的内容；按菜单键显示其他可做的事。</translation>
    </message>
    <message>
        <source>Nothing to decide</source>
        <translation>没有待定事项</translation>
    </message>
    <message>
        <source>What Partner wants to do appears here and waits for your word. What ran stays listed.</source>
        <translation>Partner 想做的事会出现在这里，等你决定；运行过的会留在列表里。</translation>
    </message>
    <message>
        <source>Permissions…</source>
        <translation>权限…</translation>
    </message>
    <message>
        <source>Audit log…</source>
        <translation>审计日志…</translation>
    </message>
    <message>
        <source>Waiting for you</source>
        <translation>等你决定</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Scheduled</source>
        <translation>已安排</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Resume all</source>
        <translation>全部恢复</translation>
    </message>
    <message>
        <source>Pause all</source>
        <translation>全部暂停</translation>
    </message>
    <message>
        <source>Search actions</source>
        <translation>搜索操作</translation>
    </message>
</context>
<context>
    <name>AnswerBar</name>
    <message>
        <source>Never mind</source>
        <extracomment>More choices than these are typed.</extracomment>
        <translation>算了</translation>
    </message>
    <message>
        <source>never mind</source>
        <translation>算了</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Answer: {text}</source>
        <translation>回答：{text}</translation>
    </message>
</context>
<context>
    <name>Appearance</name>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Text size: back to normal</source>
        <translation>文字大小：恢复默认</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Open hidden when I log in</source>
        <translation>登录时在后台打开</translation>
    </message>
    <message>
        <source>So that what is planned is done in time.</source>
        <translation>这样安排好的事才会按时进行。</translation>
    </message>
    <message>
        <source>Keep running when I close the window</source>
        <translation>关闭窗口后继续运行</translation>
    </message>
    <message>
        <source>It goes into the tray; Ctrl+Q ends it.</source>
        <translation>它会留在系统托盘里；按 Ctrl+Q 退出。</translation>
    </message>
    <message>
        <source>All settings…</source>
        <translation>全部设置…</translation>
    </message>
    <message>
        <source>Permissions…</source>
        <translation>权限…</translation>
    </message>
    <message>
        <source>Keyboard shortcuts…</source>
        <translation>键盘快捷键…</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
</context>
<context>
    <name>AuditFilters</name>
    <message>
        <source>Search by the key of an action</source>
        <translation>按操作的键搜索</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Every kind</source>
        <translation>所有种类</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Every outcome</source>
        <translation>所有结果</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>7 days</source>
        <translation>7 天</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>AuditPage</name>
    <message>
        <source>Audit log</source>
        <extracomment>More are not held here; whoever wants older ones narrows, or exports. Screens ahead of the end at which the next page is asked for. Where there is less room, the head keeps to what belongs to the page itself.</extracomment>
        <translation>审计日志</translation>
    </message>
    <message>
        <source>Enter shows everything that an entry says.</source>
        <translation>按回车显示一条记录的全部内容。</translation>
    </message>
    <message>
        <source>Nothing here</source>
        <translation>这里没有内容</translation>
    </message>
    <message>
        <source>Close the audit log</source>
        <translation>关闭审计日志</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Export what is found…</source>
        <translation>导出找到的内容…</translation>
    </message>
    <message>
        <source>Permissions…</source>
        <translation>权限…</translation>
    </message>
    <message>
        <source>Every decision and run, as it happened. Entries cannot be changed, and hold nothing that you wrote.</source>
        <translation>每个决定和每次运行，如实记录。记录不能更改，也不含你写的任何内容。</translation>
    </message>
    <message>
        <source>Partner has not started yet; its log shows here when it has.</source>
        <translation>Partner 还没有启动；启动后日志会显示在这里。</translation>
    </message>
    <message>
        <source>No entry fits. Choose another time, kind or outcome, or fewer letters.</source>
        <translation>没有符合的记录。换一个时间、种类或结果，或者少打几个字。</translation>
    </message>
    <message>
        <source>Nothing was decided or run yet. The first card that you answer is the first entry.</source>
        <translation>还没有任何决定或运行。你答复的第一张卡片就是第一条记录。</translation>
    </message>
    <message>
        <source>The newest {count} are here. Narrow them down to see older ones, or export them all.</source>
        <translation>这里是最新的 {count} 条。缩小范围可看更早的，或全部导出。</translation>
    </message>
</context>
<context>
    <name>AuditSheet</name>
    <message>
        <source>Copy this entry</source>
        <extracomment>An entry; of the head of a day the first one below it.</extracomment>
        <translation>复制这条记录</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Decided by</source>
        <translation>决定者</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>有效范围</translation>
    </message>
    <message>
        <source>Why, or how held</source>
        <translation>原因，或如何限制</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Arguments, as a hash</source>
        <translation>参数的哈希</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>卡片</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>记录</translation>
    </message>
</context>
<context>
    <name>BlockSheet</name>
    <message>
        <source>The exact text of {name}</source>
        <translation>{name}的原文</translation>
    </message>
    <message>
        <source>Copy the exact text of {name}</source>
        <translation>复制{name}的原文</translation>
    </message>
    <message>
        <source>Show all {count} characters</source>
        <translation>显示全部 {count} 个字符</translation>
    </message>
</context>
<context>
    <name>Bubble</name>
    <message>
        <source>Your message</source>
        <translation>你的消息</translation>
    </message>
    <message>
        <source>Message from {name}</source>
        <translation>来自 {name} 的消息</translation>
    </message>
</context>
<context>
    <name>BusyRow</name>
    <message>
        <source>Looking around…</source>
        <translation>正在看看周围…</translation>
    </message>
    <message>
        <source>Looking at the computer…</source>
        <translation>正在查看这台电脑…</translation>
    </message>
    <message>
        <source>Remembering…</source>
        <translation>正在回忆…</translation>
    </message>
    <message>
        <source>Looking for what can do this…</source>
        <translation>正在找能做这件事的能力…</translation>
    </message>
    <message>
        <source>Putting the conversation in order…</source>
        <translation>正在整理对话…</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>思考中…</translation>
    </message>
    <message>
        <source>Partner is thinking</source>
        <extracomment>A module that is done sooner is not worth a word.</extracomment>
        <translation>Partner 正在思考</translation>
    </message>
    <message>
        <source>The model is loading… {percent} %</source>
        <translation>模型正在加载… {percent}%</translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>Conversations</source>
        <translation>对话列表</translation>
    </message>
    <message>
        <source>The panel at the right</source>
        <translation>右侧面板</translation>
    </message>
    <message>
        <source>not remembered</source>
        <translation>不记住</translation>
    </message>
    <message>
        <source>Do not remember this conversation</source>
        <translation>不要记住此对话</translation>
    </message>
    <message>
        <source>Remember this conversation again</source>
        <translation>重新记住此对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
</context>
<context>
    <name>CheckView</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the test</source>
        <translation>停止测试</translation>
    </message>
    <message>
        <source>Self-test: task {done} of {total}…</source>
        <translation>自测：第 {done} 题，共 {total} 题…</translation>
    </message>
    <message>
        <source>Self-test: {passed} of {total}</source>
        <translation>自测：{total} 题中通过 {passed} 题</translation>
    </message>
    <message>
        <source>What failed (1)</source>
        <translation>未通过的（1）</translation>
    </message>
    <message>
        <source>What failed ({count})</source>
        <translation>未通过的（{count}）</translation>
    </message>
</context>
<context>
    <name>CloseSheet</name>
    <message>
        <source>Keep Partner running?</source>
        <translation>让 Partner 继续运行？</translation>
    </message>
    <message>
        <source>Keep running in the tray</source>
        <translation>留在托盘里继续运行</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>While it runs, what is planned is done in time, and reminders come. You are asked this once; the settings hold the choice.</source>
        <translation>它运行时，安排好的事会按时进行，提醒也会出现。只问这一次；可以在设置里更改。</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code</source>
        <extracomment>Longer code is folded to its first lines. Unfolded code that is longer still scrolls inside. Characters that are put into the view at once. How often code that grows is coloured.</extracomment>
        <translation>代码</translation>
    </message>
    <message>
        <source>Show all lines</source>
        <translation>显示全部行</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Show all {count} lines</source>
        <translation>显示全部 {count} 行</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation>复制这段代码</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach files</source>
        <extracomment>Characters from which a message is so long that its length is shown. A second slash is of a path.</extracomment>
        <translation>附加文件</translation>
    </message>
    <message>
        <source>Enter to send · Shift Enter for a new line</source>
        <translation>Enter 发送 · Shift Enter 换行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop what runs</source>
        <translation>停止正在运行的内容</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止 (Esc)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>{length} of {most} characters</source>
        <translation>{length} / {most} 个字符</translation>
    </message>
    <message>
        <source>{length} characters: {most} can be sent at once</source>
        <translation>{length} 个字符：一次最多发送 {most} 个</translation>
    </message>
</context>
<context>
    <name>ComposerEdit</name>
    <message>
        <source>Message</source>
        <extracomment>With these, Enter sends nothing.</extracomment>
        <translation>消息</translation>
    </message>
    <message>
        <source>Say what you want to know of it…</source>
        <translation>说说你想知道什么…</translation>
    </message>
    <message>
        <source>Message Partner, @ for a file, / for abilities…</source>
        <translation>给 Partner 发消息，@ 选文件，/ 选能力…</translation>
    </message>
</context>
<context>
    <name>ContextHead</name>
    <message>
        <source>{percent} %</source>
        <translation>{percent}%</translation>
    </message>
    <message>
        <source>Tokens: {used}</source>
        <translation>词元：{used}</translation>
    </message>
    <message>
        <source>{count} shown</source>
        <translation>显示 {count} 条</translation>
    </message>
    <message>
        <source>{count} shortened</source>
        <translation>缩短 {count} 条</translation>
    </message>
    <message>
        <source>{count} left out</source>
        <translation>省略 {count} 条</translation>
    </message>
</context>
<context>
    <name>ContextTab</name>
    <message>
        <source>Past turns</source>
        <extracomment>What is there sooner needs no word about waiting.</extracomment>
        <translation>过去的各轮</translation>
    </message>
    <message>
        <source>Nothing to explain yet</source>
        <translation>还没有可解释的内容</translation>
    </message>
    <message>
        <source>After an answer, this shows what went into it: which pieces, how much of each, and why.</source>
        <translation>有了回答之后，这里会显示它用到了什么：哪些内容、各占多少、为什么。</translation>
    </message>
    <message>
        <source>Not kept any more</source>
        <translation>已不再保留</translation>
    </message>
    <message>
        <source>What went into this turn was forgotten, or is older than what is kept.</source>
        <translation>这一轮用到的内容已被遗忘，或早于保留的范围。</translation>
    </message>
    <message>
        <source>Looking it up…</source>
        <translation>正在查找……</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>This could not be read</source>
        <translation>无法读取</translation>
    </message>
</context>
<context>
    <name>ConversationSearchField</name>
    <message>
        <source>Search in all conversations</source>
        <translation>在所有对话中搜索</translation>
    </message>
    <message>
        <source>Search in all conversations (Ctrl+F)</source>
        <translation>在所有对话中搜索 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>CrashCard</name>
    <message>
        <source>Report of the error</source>
        <extracomment>The report tells of the last ones; more than these were the same story.</extracomment>
        <translation>错误报告</translation>
    </message>
    <message>
        <source>Copy the report of the error</source>
        <translation>复制错误报告</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{title} ({count} times)</source>
        <translation>{title}（{count} 次）</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>显示详情</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>隐藏详情</translation>
    </message>
</context>
<context>
    <name>DaySheet</name>
    <message>
        <source>Go to a day</source>
        <translation>转到某一天</translation>
    </message>
</context>
<context>
    <name>DetailsView</name>
    <message>
        <source>Source</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Edit source</source>
        <translation>编辑源文件</translation>
    </message>
    <message>
        <source>Edit source: {title}</source>
        <translation>编辑源文件：{title}</translation>
    </message>
    <message>
        <source>It opens in your editor. Once it is saved, it asks again.</source>
        <translation>它会在你的编辑器中打开。保存后，下次运行前会再次询问。</translation>
    </message>
</context>
<context>
    <name>Doors</name>
    <message>
        <source>Add a model file…</source>
        <translation>添加模型文件…</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>A model file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>A GGUF file on this computer; dropping it on the window does as well. It runs here, and nothing leaves this machine.</source>
        <translation>这台电脑上的 GGUF 文件，也可以直接拖到窗口上。它在本机运行，任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>A server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Ollama, LM Studio, llama-server, vLLM, OpenAI and the like, here or elsewhere. What you say goes to it.</source>
        <translation>Ollama、LM Studio、llama-server、vLLM、OpenAI 等，在本机或别处都行。你说的话会发给它。</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
</context>
<context>
    <name>DraftForm</name>
    <message>
        <source>Name</source>
        <extracomment>As much of a name as a sentence about it surely quotes.</extracomment>
        <translation>名称</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>made from the name</source>
        <translation>由名称生成</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>它做什么</translation>
    </message>
    <message>
        <source>Other ways to ask for it</source>
        <translation>其他说法</translation>
    </message>
    <message>
        <source>one line each</source>
        <translation>每行一个</translation>
    </message>
    <message>
        <source>Parameter “{name}”</source>
        <translation>参数“{name}”</translation>
    </message>
</context>
<context>
    <name>EditInPlace</name>
    <message>
        <source>Edit your message</source>
        <translation>编辑你的消息</translation>
    </message>
    <message>
        <source>What followed is kept as another version</source>
        <translation>后面的内容会保留为另一个版本</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send the edited message</source>
        <translation>发送编辑后的消息</translation>
    </message>
</context>
<context>
    <name>EditableTitle</name>
    <message>
        <source>New title</source>
        <extracomment>Room between the words and the line around them.</extracomment>
        <translation>新标题</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename the conversation</source>
        <translation>重命名对话</translation>
    </message>
</context>
<context>
    <name>EntitySheet</name>
    <message>
        <source>Rename</source>
        <translation>改名</translation>
    </message>
    <message>
        <source>Same as…</source>
        <translation>是同一个…</translation>
    </message>
    <message>
        <source>Say which other one is the same</source>
        <translation>指出另一个相同的</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>忘掉…</translation>
    </message>
    <message>
        <source>Also called {names}</source>
        <translation>也叫{names}</translation>
    </message>
    <message>
        <source>“{name}” is somebody else</source>
        <translation>“{name}”是另一个</translation>
    </message>
    <message>
        <source>the other one</source>
        <translation>另一个</translation>
    </message>
    <message>
        <source>Name of {whom}</source>
        <translation>{whom}的名字</translation>
    </message>
</context>
<context>
    <name>FactView</name>
    <message>
        <source>More for {fact}</source>
        <translation>{fact}的更多操作</translation>
    </message>
    <message>
        <source>Show where it was said</source>
        <translation>显示是在哪里说的</translation>
    </message>
    <message>
        <source>Correct…</source>
        <translation>更正…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>FamiliarCard</name>
    <message>
        <source>Forget all</source>
        <extracomment>More of them are counted only: the terminal lists all.</extracomment>
        <translation>全部忘记</translation>
    </message>
    <message>
        <source>Forget all familiar requests</source>
        <translation>忘记所有熟悉的请求</translation>
    </message>
    <message>
        <source>What you confirmed six times in the same words is known without asking a model. The card and your yes stay as they are; a no takes it back.</source>
        <translation>用同样的话确认过六次的事，不问模型也知道。卡片和你的同意照旧；你说不，它就不再算数。</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Forget the familiar request {words}</source>
        <translation>忘记熟悉的请求 {words}</translation>
    </message>
</context>
<context>
    <name>FaultPage</name>
    <message>
        <source>Partner could not start</source>
        <translation>Partner 无法启动</translation>
    </message>
    <message>
        <source>Copy this text</source>
        <translation>复制这段文字</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>FilterField</name>
    <message>
        <source>Search the settings</source>
        <translation>搜索设置</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Just start</source>
        <extracomment>More servers than these are on the page of models.</extracomment>
        <translation>直接开始</translation>
    </message>
    <message>
        <source>Just start, without a model</source>
        <translation>不用模型，直接开始</translation>
    </message>
    <message>
        <source>Add a model file…</source>
        <translation>添加模型文件…</translation>
    </message>
    <message>
        <source>Add a model file that lies elsewhere…</source>
        <translation>添加别处的模型文件…</translation>
    </message>
    <message>
        <source>All this works already. A language model lets Partner write and talk freely, too: use one that is here, get one, or begin without. It can come later.</source>
        <translation>这些现在就能用。有了语言模型，Partner 还能写作和自由交谈：用这里已有的，下载一个，或者先不用，以后再加也行。</translation>
    </message>
    <message>
        <source>Others to get…</source>
        <translation>其他可下载的…</translation>
    </message>
    <message>
        <source>1 more on this computer…</source>
        <translation>这台电脑上还有 1 个…</translation>
    </message>
    <message>
        <source>{count} more on this computer…</source>
        <translation>这台电脑上还有 {count} 个…</translation>
    </message>
</context>
<context>
    <name>FitLine</name>
    <message>
        <source>Memory that it needs</source>
        <translation>所需内存</translation>
    </message>
</context>
<context>
    <name>Fold</name>
    <message>
        <source>Fold away: {title}</source>
        <extracomment>The note begins where the title does, behind the arrow.</extracomment>
        <translation>收起：{title}</translation>
    </message>
    <message>
        <source>Show: {title}</source>
        <translation>展开：{title}</translation>
    </message>
</context>
<context>
    <name>FoundSection</name>
    <message>
        <source>Add folder…</source>
        <extracomment>Of the models of one server so many are listed; its form lists them, too.</extracomment>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Look in another folder too…</source>
        <translation>也在另一个文件夹中查找…</translation>
    </message>
    <message>
        <source>Look for running servers</source>
        <translation>查找正在运行的服务器</translation>
    </message>
    <message>
        <source>Search what was found</source>
        <translation>搜索找到的模型</translation>
    </message>
    <message>
        <source>Search the servers</source>
        <translation>搜索服务器</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>在这台电脑上找到的</translation>
    </message>
    <message>
        <source>Asking the addresses that such programs have…</source>
        <translation>正在询问这类程序常用的地址…</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Look on this computer</source>
        <translation>在这台电脑上查找</translation>
    </message>
    <message>
        <source>Look for models on this computer</source>
        <translation>在这台电脑上查找模型</translation>
    </message>
    <message>
        <source>Looking where other programs keep their models…</source>
        <translation>正在查看其他程序存放模型的地方…</translation>
    </message>
    <message>
        <source>Ollama, LM Studio, Jan, GPT4All and others keep models on this computer. Partner can use them where they lie; it only reads there.</source>
        <translation>Ollama、LM Studio、Jan、GPT4All 等程序把模型存在这台电脑上。Partner 可以就地使用它们，只读取，不改动。</translation>
    </message>
    <message>
        <source>No model lies where other programs keep theirs.</source>
        <translation>其他程序存放模型的地方没有模型。</translation>
    </message>
    <message>
        <source>No program on this computer serves models now.</source>
        <translation>这台电脑上现在没有提供模型的程序。</translation>
    </message>
    <message>
        <source>They serve models now:</source>
        <translation>它们现在提供模型：</translation>
    </message>
</context>
<context>
    <name>GetSection</name>
    <message>
        <source>Search the list</source>
        <translation>搜索列表</translation>
    </message>
    <message>
        <source>A repository, as owner/name, or a link</source>
        <translation>仓库（所有者/名称）或链接</translation>
    </message>
    <message>
        <source>A repository of models, or a link to one</source>
        <translation>模型仓库或其链接</translation>
    </message>
    <message>
        <source>Show its files</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>Show the files of this repository</source>
        <translation>显示此仓库的文件</translation>
    </message>
    <message>
        <source>Search the files</source>
        <translation>搜索文件</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>{repository} has these model files:</source>
        <translation>{repository} 有这些模型文件：</translation>
    </message>
    <message>
        <source>{repository} has no model file in the GGUF format.</source>
        <translation>{repository} 没有 GGUF 格式的模型文件。</translation>
    </message>
</context>
<context>
    <name>GroupView</name>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open file: {title}</source>
        <translation>打开文件：{title}</translation>
    </message>
</context>
<context>
    <name>KeyForm</name>
    <message>
        <source>Key of {name}</source>
        <translation>{name} 的密钥</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>empty forgets the one that is kept</source>
        <translation>留空则忘掉已保存的密钥</translation>
    </message>
    <message>
        <source>Save the key</source>
        <translation>保存密钥</translation>
    </message>
</context>
<context>
    <name>KeysPage</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the keys</source>
        <translation>关闭快捷键页</translation>
    </message>
</context>
<context>
    <name>KeysView</name>
    <message>
        <source>or</source>
        <translation>或</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Partner</source>
        <extracomment>What a desktop puts around it, the title above all; how much is known only when it is shown. Air around what Tab leads to.</extracomment>
        <translation>Partner</translation>
    </message>
</context>
<context>
    <name>MemoryFoot</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop bringing in chats</source>
        <translation>停止导入聊天记录</translation>
    </message>
    <message>
        <source>Bringing in chats: {percent} %</source>
        <translation>正在导入聊天记录：{percent} %</translation>
    </message>
    <message>
        <source>Reading what was said: {count} messages to go</source>
        <translation>正在读取说过的话：还有 {count} 条消息</translation>
    </message>
</context>
<context>
    <name>MemoryTab</name>
    <message>
        <source>Memory</source>
        <extracomment>What is there sooner needs no word about waiting.</extracomment>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Enter shows what was said; Delete asks to forget it.</source>
        <translation>按 Enter 显示说过的话；按 Delete 可请求忘掉它。</translation>
    </message>
    <message>
        <source>Search your memory</source>
        <translation>搜索记忆</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Known</source>
        <translation>已知</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>话题</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>‹ Topics</source>
        <translation>‹ 话题</translation>
    </message>
    <message>
        <source>Back to the topics</source>
        <translation>返回话题</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>忘掉…</translation>
    </message>
    <message>
        <source>Forget everything of this topic</source>
        <translation>忘掉此话题的全部内容</translation>
    </message>
    <message>
        <source>Bring in chats…</source>
        <translation>导入聊天记录…</translation>
    </message>
    <message>
        <source>Bring in chats from another program</source>
        <translation>从其他程序导入聊天记录</translation>
    </message>
    <message>
        <source>Nothing is known yet</source>
        <translation>还不知道什么</translation>
    </message>
    <message>
        <source>Say who you are or who matters to you: “call me Max”, “my sister is Ann”.</source>
        <translation>说说你是谁、谁对你重要：“叫我小明”“我姐姐叫小红”。</translation>
    </message>
    <message>
        <source>Nothing is summed up yet</source>
        <translation>还没有摘要</translation>
    </message>
    <message>
        <source>What you talk about is kept. Once a conversation grows long or rests for an hour, it is summed up and listed here by day.</source>
        <translation>你谈到的内容会保留。对话变长或停下一小时后，会做成摘要，并按日期列在这里。</translation>
    </message>
    <message>
        <source>No topics yet</source>
        <translation>还没有话题</translation>
    </message>
    <message>
        <source>They are found when a conversation is summed up.</source>
        <translation>做对话摘要时会找出话题。</translation>
    </message>
    <message>
        <source>Nothing is pinned</source>
        <translation>还没有固定的内容</translation>
    </message>
    <message>
        <source>Pin what should stay in mind in every conversation: open a passage and choose Pin.</source>
        <translation>把每个对话都应记得的内容固定下来：打开一个片段，选择“固定”。</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Looking it up…</source>
        <translation>正在查找……</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>This could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Nothing that was said fits “{words}”.</source>
        <translation>没有说过与“{words}”相符的内容。</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>What this message offers</source>
        <extracomment>The way from a message to its row must not lose it.</extracomment>
        <translation>这条消息的操作</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>复制这条消息</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit this message</source>
        <translation>编辑这条消息</translation>
    </message>
    <message>
        <source>Branch from here</source>
        <translation>从这里分支</translation>
    </message>
</context>
<context>
    <name>MessageList</name>
    <message>
        <source>↓ Jump to latest</source>
        <extracomment>A turn that answers sooner needs no sign of being busy. Entries that are kept, and how many go at the far end when there are more. How soon replies that come near the view are made, and those that left it are given up. A day&apos;s mark stands this little above its first message, and below a mark of what was summed up.</extracomment>
        <translation>↓ 回到最新</translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation>回到最新</translation>
    </message>
</context>
<context>
    <name>MindButton</name>
    <message>
        <source>{words}. Show the models</source>
        <translation>{words}。显示模型</translation>
    </message>
</context>
<context>
    <name>MindCard</name>
    <message>
        <source>{name} answers</source>
        <translation>由 {name} 回答</translation>
    </message>
    <message>
        <source>Let {name} answer</source>
        <translation>让 {name} 回答</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Change the key…</source>
        <translation>更换密钥…</translation>
    </message>
    <message>
        <source>Change the key of {name}…</source>
        <translation>更换 {name} 的密钥…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Remove {name}…</source>
        <translation>移除 {name}…</translation>
    </message>
    <message>
        <source>Take {name} off the list?</source>
        <translation>把 {name} 从列表中移除吗？</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The file stays where it is: {path}</source>
        <translation>文件留在原处：{path}</translation>
    </message>
    <message>
        <source>Its address and its key are forgotten here; the server itself is left as it is.</source>
        <translation>这里会忘掉它的地址和密钥；服务器本身不受影响。</translation>
    </message>
    <message>
        <source>{state} {percent} %</source>
        <translation>{state} {percent}%</translation>
    </message>
    <message>
        <source>Test it again</source>
        <translation>重新测试</translation>
    </message>
    <message>
        <source>Test it</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Test what {name} is good for: twenty tasks, a minute or two</source>
        <translation>测试 {name} 擅长什么：二十道题，一两分钟</translation>
    </message>
</context>
<context>
    <name>ModelSwitch</name>
    <message>
        <source>{name} answers in this conversation. Choose another…</source>
        <translation>此对话由 {name} 回答。选择另一个…</translation>
    </message>
    <message>
        <source>Starter mind</source>
        <translation>入门模式</translation>
    </message>
    <message>
        <source>As everywhere ({name})</source>
        <translation>与各处相同（{name}）</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Close the models</source>
        <translation>关闭模型页</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>All settings of models…</source>
        <translation>模型的全部设置…</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Starter mind</source>
        <translation>入门模式</translation>
    </message>
    <message>
        <source>Always here, without any model: it finds the ability you ask for, fills in what it needs, asks for the rest and reports. It writes no texts of its own; a model does.</source>
        <translation>始终在这里，不需要任何模型：它找到你要的能力，填好所需的内容，缺什么就问，然后汇报结果。它自己不写文章，那要靠模型。</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation>添加模型</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>由它回答</translation>
    </message>
    <message>
        <source>answers meanwhile</source>
        <translation>暂由它回答</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Something went wrong inside Partner</source>
        <translation>Partner 内部出了问题</translation>
    </message>
    <message>
        <source>Nothing is lost, and you can go on. A report helps to mend it.</source>
        <translation>没有丢失任何内容，你可以继续使用。报告有助于修复问题。</translation>
    </message>
</context>
<context>
    <name>OfferList</name>
    <message>
        <source>None of them.</source>
        <extracomment>Says a row anew, whatever the language is by then. More are made at once only when they are asked for again. In a longer list one can look for a word.</extracomment>
        <translation>没有符合的。</translation>
    </message>
    <message>
        <source>Show all ({count})</source>
        <translation>全部显示（{count}）</translation>
    </message>
    <message>
        <source>Show more ({count})</source>
        <translation>显示更多（{count}）</translation>
    </message>
</context>
<context>
    <name>OutcomeView</name>
    <message>
        <source>What it wrote to its log</source>
        <translation>它写入日志的内容</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>It finished without saying anything.</source>
        <translation>已完成，没有任何输出。</translation>
    </message>
    <message>
        <source>This is an excerpt. The whole output lies at {path}</source>
        <translation>这是节选，完整输出在 {path}</translation>
    </message>
</context>
<context>
    <name>OutputView</name>
    <message>
        <source>Copy: {name}</source>
        <extracomment>Longer lines may not fit beside each other; the unfolded view can be scrolled.</extracomment>
        <translation>复制：{name}</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show the record</source>
        <translation>显示记录</translation>
    </message>
    <message>
        <source>Show whole lines</source>
        <translation>显示完整的行</translation>
    </message>
    <message>
        <source>Show all {count} lines</source>
        <translation>显示全部 {count} 行</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Find anything</source>
        <extracomment>More are not shown: whoever looks further types another letter. Entries that are looked through between two pauses.</extracomment>
        <translation>查找</translation>
    </message>
    <message>
        <source>Type what you want to do or find</source>
        <translation>输入想做或想找的内容</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>符合的内容</translation>
    </message>
    <message>
        <source>↑ ↓ choose   Enter take   Esc leave</source>
        <translation>↑ ↓ 选择   Enter 确定   Esc 离开</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Nothing here is called so.</source>
        <translation>这里没有这样的名称。</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Actions</source>
        <extracomment>Tabs that are made when they are first shown: what went into an answer, and what is kept. Beside the tabs; smaller with smaller text, so that all four fit.</extracomment>
        <translation>操作</translation>
    </message>
    <message>
        <source>Abilities</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Fold the panel</source>
        <translation>收起面板</translation>
    </message>
    <message>
        <source>Show {tab}</source>
        <translation>显示“{tab}”</translation>
    </message>
</context>
<context>
    <name>PermissionsPage</name>
    <message>
        <source>Search grants and rules</source>
        <extracomment>Fewer rows are found at a glance. In place of the key of a rule that is not there yet.</extracomment>
        <translation>搜索授权和规则</translation>
    </message>
    <message>
        <source>Partner has not started yet; what may run shows here when it has.</source>
        <translation>Partner 还没有启动；启动后这里会显示什么可以运行。</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Close the permissions</source>
        <translation>关闭权限</translation>
    </message>
    <message>
        <source>Audit log…</source>
        <translation>审计日志…</translation>
    </message>
    <message>
        <source>What runs without a question</source>
        <translation>哪些无需询问就运行</translation>
    </message>
    <message>
        <source>What you granted</source>
        <translation>你的授权</translation>
    </message>
    <message>
        <source>Nothing yet. When a card asks, “always” puts a grant here.</source>
        <translation>还没有。卡片询问时选“始终”，授权就会出现在这里。</translation>
    </message>
    <message>
        <source>Add a rule…</source>
        <translation>添加规则…</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open the file of rules</source>
        <translation>打开规则文件</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>None yet. A rule says for a whole group of actions what may never run, or what always asks.</source>
        <translation>还没有。规则为一整组操作规定哪些禁止运行，哪些总要询问。</translation>
    </message>
    <message>
        <source>The file has changed meanwhile, and this rule is no longer in it.</source>
        <translation>文件在此期间已更改，其中不再有这条规则。</translation>
    </message>
</context>
<context>
    <name>PickBar</name>
    <message>
        <source>What can be done with the selected conversations</source>
        <translation>可以对选中的对话做什么</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>取消选择</translation>
    </message>
    <message>
        <source>1 selected</source>
        <translation>已选 1 个</translation>
    </message>
    <message>
        <source>{count} selected</source>
        <translation>已选 {count} 个</translation>
    </message>
</context>
<context>
    <name>ProblemsView</name>
    <message>
        <source>Open file</source>
        <extracomment>So many are told; the rest is counted.</extracomment>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open file: {title}</source>
        <translation>打开文件：{title}</translation>
    </message>
    <message>
        <source>This file needs a correction. What you see is what holds meanwhile.</source>
        <translation>这个文件需要更正。在此之前，下面显示的值有效。</translation>
    </message>
    <message>
        <source>And {count} more in this file.</source>
        <translation>这个文件里还有 {count} 处。</translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>QuickWindow</name>
    <message>
        <source>Ask Partner</source>
        <extracomment>Of the answer; what is longer is scrolled. From the top of the screen, as a part of it. Characters of one question.</extracomment>
        <translation>问 Partner</translation>
    </message>
    <message>
        <source>Ask Partner anything…</source>
        <translation>问 Partner 任何事…</translation>
    </message>
    <message>
        <source>Your question</source>
        <translation>您的问题</translation>
    </message>
    <message>
        <source>Enter asks · Esc puts it away</source>
        <translation>Enter 提问 · Esc 收起</translation>
    </message>
    <message>
        <source>Show in the window</source>
        <translation>在窗口中显示</translation>
    </message>
    <message>
        <source>Partner thinks…</source>
        <translation>Partner 正在思考…</translation>
    </message>
</context>
<context>
    <name>Reasoning</name>
    <message>
        <source>What the model thought</source>
        <extracomment>Thoughts come in pieces; what shows of them is renewed this often. As much of the newest line as any window is wide.</extracomment>
        <translation>模型的思考</translation>
    </message>
    <message>
        <source>Thought for a moment</source>
        <translation>思考了一会儿</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>show</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>What the model thought is no part of its answer</source>
        <translation>模型的思考不属于它的回答</translation>
    </message>
</context>
<context>
    <name>Reminder</name>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
</context>
<context>
    <name>ReplyView</name>
    <message>
        <source>Reply</source>
        <translation>回复</translation>
    </message>
    <message>
        <source>Copy this reply</source>
        <extracomment>About thirty frames a second. The name of a reply says it as plain text; beyond this, its parts are read one by one. When so many characters wait to be read, nobody can read along: what is not in view is not drawn. Characters; a shorter reply of one paragraph has no button of its own. From the text to the middle of a line that has no place of its own below it.</extracomment>
        <translation>复制这条回复</translation>
    </message>
    <message>
        <source>Why this answer?</source>
        <translation>为什么这样回答？</translation>
    </message>
    <message>
        <source>You stopped this reply.</source>
        <translation>你停止了这条回复。</translation>
    </message>
    <message>
        <source>The reply reached its longest length and ends here.</source>
        <translation>回复已达到长度上限，到此为止。</translation>
    </message>
    <message>
        <source>This reply broke off before its end.</source>
        <translation>这条回复没有写完就中断了。</translation>
    </message>
</context>
<context>
    <name>RevokeSheet</name>
    <message>
        <source>Take this yes back?</source>
        <translation>收回这个同意吗？</translation>
    </message>
    <message>
        <source>It asks again from now on. What runs at this moment goes on.</source>
        <translation>从现在起它会重新询问。正在运行的会继续。</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Revoke: {title}</source>
        <translation>撤销：{title}</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
</context>
<context>
    <name>RolledMark</name>
    <message>
        <source>Partner goes by this now; the messages above stay as they were said.</source>
        <translation>Partner 现在以此为准；上面的消息保持原样。</translation>
    </message>
    <message>
        <source>1 message is summed up</source>
        <translation>1 条消息已做摘要</translation>
    </message>
    <message>
        <source>{count} messages are summed up</source>
        <translation>{count} 条消息已做摘要</translation>
    </message>
    <message>
        <source>fold</source>
        <translation>折叠</translation>
    </message>
    <message>
        <source>show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>The summary is being made.</source>
        <translation>正在做摘要。</translation>
    </message>
</context>
<context>
    <name>RuleForm</name>
    <message>
        <source>Add a rule</source>
        <translation>添加规则</translation>
    </message>
    <message>
        <source>Edit the rule</source>
        <translation>编辑规则</translation>
    </message>
    <message>
        <source>What the rule says</source>
        <translation>规则的内容</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>why, for yourself</source>
        <translation>原因，写给自己看</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Which actions, as a key or with *</source>
        <translation>哪些操作，写键或带 * 的式样</translation>
    </message>
    <message>
        <source>Type the key of an action, or a part of it with * for the rest.</source>
        <translation>输入一个操作的键，或它的一部分，其余用 * 代替。</translation>
    </message>
    <message>
        <source>It holds for one version of the script: {hash}</source>
        <translation>它只对脚本的一个版本有效：{hash}</translation>
    </message>
    <message>
        <source>Without a version, this allows only what is built in. To allow a script, say “always” on its card.</source>
        <translation>不限定版本时，它只允许内置的操作。要允许一个脚本，请在它的卡片上选“始终”。</translation>
    </message>
</context>
<context>
    <name>SearchFilters</name>
    <message>
        <source>Where</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>所有对话</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>此对话</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>Anyone</source>
        <translation>任何人</translation>
    </message>
    <message>
        <source>From me</source>
        <translation>来自我</translation>
    </message>
    <message>
        <source>From Partner</source>
        <translation>来自 Partner</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Last year</source>
        <translation>最近一年</translation>
    </message>
    <message>
        <source>Attachments</source>
        <translation>附件</translation>
    </message>
    <message>
        <source>Any message</source>
        <translation>任何消息</translation>
    </message>
    <message>
        <source>With attachments</source>
        <translation>带附件</translation>
    </message>
</context>
<context>
    <name>SectionList</name>
    <message>
        <source>Settings: {title}</source>
        <translation>设置：{title}</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>Add a server</source>
        <extracomment>Servers by the address that they have unless someone changed it. What a test depends on.</extracomment>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Any server that speaks like OpenAI&apos;s. What you say, and what Partner adds to it, goes to it.</source>
        <translation>任何与 OpenAI 兼容的服务器。你说的话以及 Partner 补充的内容都会发给它。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>the first that the server has</source>
        <translation>服务器上的第一个</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>made from the address</source>
        <translation>由地址生成</translation>
    </message>
    <message>
        <source>empty where none is needed</source>
        <translation>不需要就留空</translation>
    </message>
    <message>
        <source>Context, in tokens</source>
        <translation>上下文（词元）</translation>
    </message>
    <message>
        <source>empty: not known</source>
        <translation>留空：未知</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Stop the test</source>
        <translation>停止测试</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Test the server</source>
        <translation>测试服务器</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Close</source>
        <extracomment>A page that is narrower has the list of sections over it.</extracomment>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the settings</source>
        <translation>关闭设置</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Permissions…</source>
        <translation>权限…</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>Who answers, and which models there are</source>
        <translation>由谁来回答，以及有哪些模型</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>The files are in {folder}.</source>
        <translation>这些文件在 {folder}。</translation>
    </message>
    <message>
        <source>Partner has not started yet; its settings show here when it has.</source>
        <translation>Partner 还没有启动；启动后会在这里显示设置。</translation>
    </message>
    <message>
        <source>No part of Partner has settings.</source>
        <translation>Partner 没有任何可设置的部分。</translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation>没有包含这些词的设置。</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>+  New chat</source>
        <translation>+  新对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>New chat (Ctrl+N)</source>
        <translation>新对话 (Ctrl+N)</translation>
    </message>
    <message>
        <source>Sort, archive, import</source>
        <translation>排序、归档、导入</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Nothing fits.</source>
        <translation>没有符合的内容。</translation>
    </message>
    <message>
        <source>Nothing was said about “{text}”.</source>
        <translation>没有关于“{text}”的内容。</translation>
    </message>
</context>
<context>
    <name>SliceSheet</name>
    <message>
        <source>Looking it up…</source>
        <translation>正在查找……</translation>
    </message>
    <message>
        <source>Show in the chat</source>
        <translation>在聊天中显示</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>忘掉…</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>What it was about</source>
        <translation>内容概要</translation>
    </message>
    <message>
        <source>Topic: {topic}</source>
        <translation>话题：{topic}</translation>
    </message>
</context>
<context>
    <name>SnapshotView</name>
    <message>
        <source>Enter shows the exact text.</source>
        <extracomment>Characters that are shown at first. No line that Qt lays out is longer. Fewer blocks are found at a glance.</extracomment>
        <translation>按回车键显示原文。</translation>
    </message>
    <message>
        <source>Filter blocks</source>
        <translation>筛选内容块</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>内容块</translation>
    </message>
    <message>
        <source>Exact prompt</source>
        <translation>完整提示词</translation>
    </message>
    <message>
        <source>Copy the whole prompt</source>
        <translation>复制整个提示词</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Parts of the prompt</source>
        <translation>提示词的各部分</translation>
    </message>
    <message>
        <source>Best first</source>
        <translation>最相关在前</translation>
    </message>
    <message>
        <source>Largest first</source>
        <translation>最大在前</translation>
    </message>
    <message>
        <source>Sorted by place in the prompt</source>
        <translation>按在提示词中的位置排序</translation>
    </message>
    <message>
        <source>Sorted by tokens</source>
        <translation>按词元数排序</translation>
    </message>
    <message>
        <source>No block has “{words}” in it.</source>
        <translation>没有内容块包含“{words}”。</translation>
    </message>
    <message>
        <source>No blocks went into this turn.</source>
        <translation>这一轮没有用到内容块。</translation>
    </message>
    <message>
        <source>No prompt was made in this turn.</source>
        <translation>这一轮没有生成提示词。</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Calls of models</source>
        <translation>模型调用</translation>
    </message>
</context>
<context>
    <name>StatusFoot</name>
    <message>
        <source>1 ability needs attention</source>
        <translation>1 个能力需要处理</translation>
    </message>
    <message>
        <source>{count} abilities need attention</source>
        <translation>{count} 个能力需要处理</translation>
    </message>
    <message>
        <source>1 server failed</source>
        <translation>1 个服务器启动失败</translation>
    </message>
    <message>
        <source>{count} servers failed</source>
        <translation>{count} 个服务器启动失败</translation>
    </message>
    <message>
        <source>{count} need attention</source>
        <translation>{count} 项需要处理</translation>
    </message>
    <message>
        <source>at work</source>
        <translation>工作中</translation>
    </message>
    <message>
        <source>It holds {size} of memory.</source>
        <translation>它占用 {size} 内存。</translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation>占用内存 {size}</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>No model is loaded. Abilities are found by what your words mean.</source>
        <translation>未加载模型。按你话语的含义来寻找能力。</translation>
    </message>
    <message>
        <source>No model is loaded. Finding by meaning does not work; abilities are found by words.</source>
        <translation>未加载模型。按含义寻找的功能不可用，改为按字词寻找能力。</translation>
    </message>
    <message>
        <source>No model is loaded. Abilities are found by their words.</source>
        <translation>未加载模型。按字词寻找能力。</translation>
    </message>
    <message>
        <source>Building the model engine</source>
        <translation>正在构建模型引擎</translation>
    </message>
    <message>
        <source>Building the model engine, {percent} %</source>
        <translation>正在构建模型引擎，{percent}%</translation>
    </message>
    <message>
        <source>The model engine could not be built</source>
        <translation>模型引擎构建失败</translation>
    </message>
    <message>
        <source>Building the model engine was interrupted</source>
        <translation>模型引擎构建被中断</translation>
    </message>
    <message>
        <source>1 ability</source>
        <translation>1 个能力</translation>
    </message>
    <message>
        <source>{count} abilities</source>
        <translation>{count} 个能力</translation>
    </message>
    <message>
        <source>sandbox on</source>
        <translation>沙箱已启用</translation>
    </message>
    <message>
        <source>sandbox off</source>
        <translation>沙箱未启用</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 个服务器</translation>
    </message>
    <message>
        <source>{count} servers</source>
        <translation>{count} 个服务器</translation>
    </message>
    <message>
        <source>on demand</source>
        <translation>按需加载</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>loading {percent} %</source>
        <translation>加载中 {percent}%</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} 词元/秒</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>The starter mind answers until it works.</source>
        <translation>在它能用之前，由入门模式回答。</translation>
    </message>
    <message>
        <source>Starter mind</source>
        <translation>入门模式</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>by meaning</source>
        <translation>按含义</translation>
    </message>
    <message>
        <source>by words</source>
        <translation>按字词</translation>
    </message>
</context>
<context>
    <name>TableBlock</name>
    <message>
        <source>Show more rows</source>
        <translation>显示更多行</translation>
    </message>
    <message>
        <source>Show more rows ({count} left) ▾</source>
        <extracomment>Rows shown at first, and with each press on &quot;more&quot;. Up to so many rows a table shows every word of its last row as it comes. A longer one shows whole rows, and several at a time: with each change Qt lays all of its cells out. Rows put into the table in one step.</extracomment>
        <translation>显示更多行（还有 {count} 行）▾</translation>
    </message>
</context>
<context>
    <name>TableText</name>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
</context>
<context>
    <name>TakeSwitch</name>
    <message>
        <source>Show the version before this one</source>
        <translation>显示上一个版本</translation>
    </message>
    <message>
        <source>Show the version after this one</source>
        <translation>显示下一个版本</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>第 {number} 个版本，共 {count} 个</translation>
    </message>
</context>
<context>
    <name>TextBlock</name>
    <message>
        <source>Reply</source>
        <extracomment>A longer text goes on in a view of its own: laying out is paid by the view.</extracomment>
        <translation>回复</translation>
    </message>
</context>
<context>
    <name>ThemeButton</name>
    <message>
        <source>Appearance and keys</source>
        <translation>外观与快捷键</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Close this notice</source>
        <extracomment>With something to do about it, there is time to read, to think and to reach the button. A toast is a notice and no page: of a longer text it shows the beginning.</extracomment>
        <translation>关闭此通知</translation>
    </message>
</context>
<context>
    <name>TokenFoot</name>
    <message>
        <source>Context {used}</source>
        <translation>上下文 {used}</translation>
    </message>
    <message>
        <source>Show the context: {used}</source>
        <translation>显示上下文：{used}</translation>
    </message>
    <message>
        <source>Show what went into the last answer</source>
        <translation>显示上一个回答用到了什么</translation>
    </message>
    <message>
        <source>{used} · {percent} %</source>
        <extracomment>From here on the person is told.</extracomment>
        <translation>{used} · {percent}%</translation>
    </message>
    <message>
        <source>Nearly full: {used}</source>
        <translation>快满了：{used}</translation>
    </message>
    <message>
        <source>The model holds no more than this. When it is full, the oldest messages go into the prompt no longer; they stay in the conversation, and you are told.</source>
        <translation>模型最多只能容纳这么多。满了之后，最早的消息不再进入提示词；它们仍留在对话里，并且会告诉你。</translation>
    </message>
</context>
<context>
    <name>TurnChooser</name>
    <message>
        <source>The turn before</source>
        <translation>上一轮</translation>
    </message>
    <message>
        <source>The turn after</source>
        <translation>下一轮</translation>
    </message>
    <message>
        <source>An earlier turn</source>
        <translation>较早的一轮</translation>
    </message>
    <message>
        <source>Newest turn: {turn}</source>
        <translation>最新一轮：{turn}</translation>
    </message>
    <message>
        <source>Turn: {turn}</source>
        <translation>这一轮：{turn}</translation>
    </message>
</context>
<context>
    <name>TurnSheet</name>
    <message>
        <source>Show in the chat</source>
        <extracomment>So much of one message is read here; the rest in the chat. A summary is shown above the messages where it is shorter than this share of them.</extracomment>
        <translation>在聊天中显示</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>What shall we get done?</source>
        <extracomment>With what is offered at the first run: two doors stand beside each other.</extracomment>
        <translation>今天想做点什么？</translation>
    </message>
    <message>
        <source>Say it in your own words. Partner finds what can do it, and asks before anything changes.</source>
        <translation>用你自己的话说就好。Partner 会找到能完成它的能力，改动任何内容之前都会先问你。</translation>
    </message>
    <message>
        <source>Try one of these:</source>
        <translation>可以试试：</translation>
    </message>
    <message>
        <source>Or drop a script here: it becomes something else Partner can do.</source>
        <translation>也可以把脚本拖到这里，它会成为 Partner 的新能力。</translation>
    </message>
    <message>
        <source>Three things to try:</source>
        <translation>可以试试这三件事：</translation>
    </message>
    <message>
        <source>{name} is loading… {percent} %</source>
        <translation>{name} 正在加载… {percent} %</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>Try: {text}</source>
        <translation>试试：{text}</translation>
    </message>
    <message>
        <source>No model is here yet; the starter mind answers.</source>
        <translation>这里还没有模型，由入门模式回答。</translation>
    </message>
    <message>
        <source>Add a model…</source>
        <translation>添加模型…</translation>
    </message>
</context>
<context>
    <name>WritingForm</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>_Here</name>
    <message>
        <source>on this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>Looking whether a model lies on this computer already…</source>
        <translation>正在查看这台电脑上是否已有模型…</translation>
    </message>
    <message>
        <source>No model lies on this computer where other programs keep theirs.</source>
        <translation>这台电脑上其他程序存放模型的地方没有模型。</translation>
    </message>
    <message>
        <source>A model that lies on this computer can be used where it is.</source>
        <translation>这台电脑上已有的模型可以就地使用。</translation>
    </message>
</context>
<context>
    <name>_Others</name>
    <message>
        <source>Not for talking ({count}): embedding models and projectors</source>
        <translation>不能对话的（{count}）：嵌入模型和投影器</translation>
    </message>
</context>
<context>
    <name>_Scores</name>
    <message>
        <source>This model</source>
        <extracomment>Numbers stand near to what they are about.</extracomment>
        <translation>此模型</translation>
    </message>
    <message>
        <source>Starter mind</source>
        <translation>入门模式</translation>
    </message>
</context>
<context>
    <name>_Server</name>
    <message>
        <source>Look for one</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Look for servers that run on this computer</source>
        <translation>查找在这台电脑上运行的服务器</translation>
    </message>
    <message>
        <source>Address…</source>
        <translation>地址…</translation>
    </message>
    <message>
        <source>Give the address of a server…</source>
        <translation>填写服务器的地址…</translation>
    </message>
    <message>
        <source>A server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Asking the addresses that such programs have…</source>
        <translation>正在询问这类程序常用的地址…</translation>
    </message>
    <message>
        <source>These run on this computer now:</source>
        <translation>这台电脑上正在运行：</translation>
    </message>
    <message>
        <source>None runs on this computer now. One elsewhere is added by its address.</source>
        <translation>这台电脑上现在没有。别处的可以按地址添加。</translation>
    </message>
    <message>
        <source>Ollama, LM Studio, llama-server and the like, here or elsewhere.</source>
        <translation>Ollama、LM Studio、llama-server 等，在这里或别处。</translation>
    </message>
</context>
<context>
    <name>_Switch</name>
    <message>
        <source>Leave “{question}” to the starter mind: {starter} of {total}, this model {passed}</source>
        <translation>把“{question}”留给入门模式：它 {total} 题中通过 {starter} 题，此模型通过 {passed} 题</translation>
    </message>
</context>
</TS>
