//! Simplified Chinese.

use super::Words;

pub(super) const WORDS: Words = Words {
    title: "Drover 导览",
    comma: "、",
    commands: [
        "完整的导览",
        "回答的文字里能有什么",
        "步骤：读取、修改文件、运行命令",
        "智能体怎样请求许可",
        "一张要填写的表单",
        "一份会推进的计划",
        "一张图片",
        "智能体在回答之外说的话：提示，以及压缩记忆",
        "多个智能体：逐条选择、排队、交接",
        "怎样安装真正的智能体",
        "一段很长的回答，可以滚动，也可以停止",
        "一次失败的运行",
        "我是谁，我会什么",
    ],

    mode: "模式",
    mode_ask: ["先问再做", "写下问候之前先问你"],
    mode_act: ["直接做", "写下问候，不再询问"],
    pace: "速度",
    paces: ["轻快", "从容", "立即"],
    thoughts: "思考过程",

    echo: "你写道：\n\n{asked}\n\n",
    thought: "有人第一次来。先看回答里能有什么，再看智能体怎样工作，然后看它会问什么，最后说说接下来怎么做。（其实我并不会思考。\
              这里是放智能体思考过程的地方，平时是收起来的。）",
    hello: "你好！我是 **Tour**，Drover 自带的智能体。我背后没有语言模型：我只记得一段导览和几个话题，不花钱，也不向任何地方发送\
            任何东西。整段导览不到半分钟，随时可以点*停止*。\n\n",
    farewell: "导览到此结束。其中任何一点都可以再问我，也可以输入 `/` 看看我会什么。装好智能体之后，在下方选中它，就在这个\
               对话里接着说：我们说过的话会交接给它。\n",
    plan: ["展示回答里能有什么", "读取、修改、运行", "问你一件事", "说明接下来怎么做"],

    attached: "你附上了：{names}。我看不了里面的内容，有模型的智能体可以。\n\n",
    handed: "我收到了这次对话中我没有见过的 {turns} 轮，共 {bytes} 字节。",
    handed_by: "在我之前回答的是：{agents}。",
    left_out: "另有更早的 {turns} 轮因为放不下而省略了。",
    closest: "我不是模型，只能听懂一点点。最接近你问题的是 `/{command}`：\n\n",
    no_model: "我不是模型，这个问题也不在我记得的话题里。",

    markdown: [
        "# 回答里能有什么\n\n文字一边写一边到达，可以有**重点**、*强调*、~~改主意~~、`代码`，还有\
         [链接](https://agentclientprotocol.com)。\n\n",
        "> 引用单独成段，\n>\n> > 引用里还可以再引用。\n\n",
        "1. 列表可以编号，\n   - 可以嵌套，\n     - 要多深有多深，\n2. 然后继续。\n\n- [x] 做完的事\n- [ ] 没做完的事\n\n",
        "| 智能体 | 出品 | 接入方式 |\n| :--- | :--- | ---: |\n| Claude Code | Anthropic | 适配器 |\n| Codex | OpenAI | \
         适配器 |\n| Gemini CLI | Google | 自身支持 |\n\n",
        "代码带有语言名称，可以复制，也可以换行显示：\n\n```rust\n/// 第一个可用的智能体。\nfn first(agents: &[Agent]) -> \
         Option<&Agent> {\n    agents.iter().find(|agent| agent.is_ready())\n}\n```\n\n```typescript\nexport const double = (n: \
         number): number => n * 2; // 页面里\n```\n\n",
        "```python\ndef greet(name: str) -> str:\n    return f\"你好，{name}\"\n```\n\n```diff\n- 原来的一行\n+ \
         现在的一行\n```\n\n---\n\n",
    ],
    picture: "回答里也可以有图片。这是一群牲口，没有人画过它：\n\n",

    beside: "有些话不属于回答：某样东西没有启动、正在重试，或者正在压缩自己的记忆。这样的话只占小小一行：\n\n",
    notices: [["找到一个工具服务器", "它有三个工具，一个也没有用上。"], ["模型正忙", "导览假装在重试，其实一切正常。"]],
    summary: "客人已经逛过一圈，想看看回答之外的话。",
    after_beside: "\n\n以上都是演示；我做过的事，我全都记得。\n",
    nothing_beside: "这个客户端没有声明能显示这样的话，所以我一条也不发。\n",

    tools: "\n\n# 智能体怎样工作\n\n智能体会读取、修改和运行。安静的步骤会收成一行；打开任何一步，都能看到输入和输出。\n\n",
    after_tools: "\n\n上面的步骤是演示：我读的是自己的章节，也没有真的启动 shell。唯一真实的文件是 `{path}`，在我自己的目录里；\
                  你的文件我一个也不碰。\n\n",
    chapters: ["回答里能有什么", "智能体怎样工作", "智能体提问的时候"],
    read: "读取“{chapter}”",
    chapter_read: "导览的一章，早已记在心里。",
    edit: "编辑 {file}",
    notes: [
        "# 导览笔记\n\n客人刚刚到。\n还什么都没看。\n",
        "# 导览笔记\n\n客人正在看一份差异。\n文字、表格和代码都看过了。\n下一步：提一个问题。\n",
    ],
    command: "drover-tour --act test",
    output: [
        "\u{1b}[1mrunning 3 tests\u{1b}[0m（演示）",
        "test text_streams \u{1b}[32mok\u{1b}[0m",
        "test steps_fold \u{1b}[32mok\u{1b}[0m",
        "test colours_show \u{1b}[33mslow\u{1b}[0m, \u{1b}[32mok\u{1b}[0m",
        "\u{1b}[36mnote\u{1b}[0m: 输出保留\u{1b}[1;35m颜色\u{1b}[0m",
        "\u{1b}[32m3 passed\u{1b}[0m, \u{1b}[31m0 failed\u{1b}[0m",
    ],

    asking: "# 智能体提问的时候\n\n许多智能体动手之前会先问。你会看到它的原话、它要做的全部内容，以及它给出的每一个选项。\
             下面这个问题没有风险：我想在自己的目录里写一句问候。“不”也是一种回答；*停止这一轮*则是另一回事。\n\n",
    unasked: "# 智能体提问的时候\n\n我现在的模式是*直接做*，所以写下问候之前没有问你。真正的智能体也有这样的模式；选中时，\
              输入框旁边会说明。\n\n",
    greeting: "来自导览的问候。\n",
    answers: ["可以，写吧", "可以，以后不用再问", "不"],
    written: "\n\n得到许可，我把问候写进了 `{path}`。\n\n",
    nowhere: "\n\n得到许可，但启动我的时候没有给我目录，所以什么也没有写。\n\n",
    always: "从现在起，我的模式是*直接做*；可以在下方我的名字旁边改回来。\n\n",
    refused: "\n\n你说了不，所以我什么也没有写，继续往下走。\n\n",

    form: "智能体也可以用表单提问。想填什么就填什么；除了复述给你的内容，这一轮结束后我就忘了。\n\n",
    form_message: "几个没有人会统计的问题",
    fields: [
        "怎么称呼你？",
        "你用几个智能体？",
        "你用哪些语言编程？",
        "到目前为止感觉如何？（1 到 5）",
        "还想再逛一次吗？",
    ],
    uses: ["一个", "好几个", "还没有"],
    form_accepted: "\n\n你的回答：\n\n{answers}\n",
    form_declined: "\n\n你不想回答。这也是一种回答。\n\n",
    form_dismissed: "\n\n你把表单收起来了，我就不问了，继续往下走。\n\n",
    form_failed: "\n\n表单没能显示：{why}\n\n",
    no_forms: "只有客户端声明能显示表单，才能用表单提问。这个客户端没有声明，所以我不问。\n\n",

    planning: "计划是一份清单，智能体工作的时候会一步步推进：\n\n",
    planned: "\n\n每一步都完成了。\n",
    agents: "# 这里有什么不同\n\n- **每条消息选一个智能体**：在输入框旁换一个再发送，它会收到自己错过的那几轮，不多也不少；\
             一条细线说明交接了什么，点开就是原文。\n- **只有一个对话**：它属于你，不属于某个智能体。回到先前的智能体，它还记得\
             自己说过的话。\n- **可以排队**：智能体工作时可以继续发送；消息按顺序等待，可以修改，也可以取消。\n- \
             **什么都不会丢**：关掉页面、开十个标签页、重启电脑：你看到过的都在磁盘上。\n\n",
    install: "# 安装真正的智能体\n\n打开**设置 → 智能体**（`/settings/agents`），那里列出了 Drover 认识的智能体，以及各自还缺\
              什么。也可以自己安装，再回到那里重新检查，就能找到：\n\n| 智能体 | 安装 |\n| --- | --- |\n| Claude Code | `npm \
              install -g @agentclientprotocol/claude-agent-acp` |\n| Codex | `npm install -g @agentclientprotocol/codex-acp` \
              |\n| Gemini CLI | `npm install -g @google/gemini-cli` |\n| OpenCode | `npm install -g opencode-ai` |\n| Copilot \
              CLI | `npm install -g @github/copilot` |\n| Qwen Code | `npm install -g @qwen-code/qwen-code` \
              |\n\n密钥和登录由智能体自己保管。在终端里运行 `drover doctor`，会告诉你还缺什么。\n\n",
    long: "下面是一段很长的回答。它增长的时候往上滚动试试：页面会停在你读的地方。*停止*可以结束它。\n\n",
    paragraph: "**第 {number} 段，共 {all} 段**：牧群的快慢取决于走得最慢的那一只，赶牧人明白这一点；他走在后面，看着前方，一只也不\
                落下。\n\n",
    fail: "这一轮现在会故意失败。看看失败是什么样子，以及你可以怎么办。\n\n",
    failure: "导览按要求失败了。",
    who: "我是 **Tour**，Drover 自带的智能体：一个普通的 ACP 智能体，只是背后没有模型。\n\n",
    help: "我记得的有这些：\n\n",
};
