//! What can be asked for: by a command, or in words that come close.

/// Something that the tour shows or tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    /// All of it, guided.
    Walk,
    Markdown,
    Tools,
    Ask,
    Form,
    Plan,
    Picture,
    /// What is said beside an answer.
    Notices,
    /// Agents side by side: one per message, the queue, the handoff.
    Agents,
    Install,
    /// A text that does not end soon.
    Long,
    /// A turn that fails.
    Fail,
    Help,
}

impl Topic {
    /// All, in the order of the commands.
    pub(crate) const ALL: [Self; 13] = [
        Self::Walk,
        Self::Markdown,
        Self::Tools,
        Self::Ask,
        Self::Form,
        Self::Plan,
        Self::Picture,
        Self::Notices,
        Self::Agents,
        Self::Install,
        Self::Long,
        Self::Fail,
        Self::Help,
    ];

    /// Its command, without the slash.
    pub(crate) const fn command(self) -> &'static str {
        match self {
            Self::Walk => "tour",
            Self::Markdown => "markdown",
            Self::Tools => "tools",
            Self::Ask => "ask",
            Self::Form => "form",
            Self::Plan => "plan",
            Self::Picture => "picture",
            Self::Notices => "notices",
            Self::Agents => "agents",
            Self::Install => "install",
            Self::Long => "long",
            Self::Fail => "fail",
            Self::Help => "help",
        }
    }

    /// What a text asks for that begins with a command.
    pub(crate) fn of_command(text: &str) -> Option<Self> {
        let word = text.strip_prefix('/')?.split_whitespace().next()?;
        Self::ALL.into_iter().find(|topic| topic.command() == word)
    }

    /// What a text in plain words comes closest to: the topic that most of its words belong to, the first of equals.
    pub(crate) fn closest(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        let hits = |topic: Self| topic.signs().iter().filter(|sign| text.contains(**sign)).count();
        let ranked = Self::ALL.into_iter().map(|topic| (hits(topic), topic)).filter(|(hits, _)| *hits > 0);
        // `max_by_key` gives the last of equals.
        ranked.rev().max_by_key(|(hits, _)| *hits).map(|(_, topic)| topic)
    }

    const fn signs(self) -> &'static [&'static str] {
        match self {
            Self::Walk => &["show me around", "take the tour", "walk", "tour", "导览", "带我看", "逛", "参观"],
            Self::Markdown => &["markdown", "table", "code", "list", "format", "表格", "代码", "列表", "格式", "排版"],
            Self::Tools => {
                &["tool", "diff", "edit", "terminal", "command", "run", "工具", "差异", "终端", "命令", "运行"]
            }
            Self::Ask => &["ask", "permission", "allow", "approve", "权限", "许可", "允许", "询问", "批准"],
            Self::Form => &["form", "question", "elicit", "表单", "填写", "提问"],
            Self::Plan => &["plan", "step", "计划", "步骤"],
            Self::Picture => &["picture", "image", "photo", "图片", "图像", "照片"],
            Self::Notices => &["notice", "warning", "compact", "提示", "警告", "压缩"],
            Self::Agents => &["agent", "handoff", "hand over", "queue", "switch", "交接", "排队", "切换", "队列"],
            Self::Install => {
                &["install", "claude", "codex", "gemini", "npm", "login", "log in", "安装", "登录", "怎么用", "装"]
            }
            Self::Long => &["long", "stream", "scroll", "stop", "长", "滚动", "停止"],
            Self::Fail => &["fail", "error", "crash", "broken", "失败", "错误", "出错"],
            Self::Help => &["help", "what can you", "who are you", "帮助", "你能", "你会", "你是谁"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_found_and_no_other() {
        for topic in Topic::ALL {
            assert_eq!(Topic::of_command(&format!("/{}", topic.command())), Some(topic));
            assert_eq!(Topic::of_command(&format!("/{} please", topic.command())), Some(topic));
        }
        for text in ["/", "/nothing", "tools", "see /tools", ""] {
            assert_eq!(Topic::of_command(text), None, "{text}");
        }
    }

    #[test]
    fn plain_words_come_close_to_a_topic() {
        let asked = [
            ("How do I install Claude Code?", Some(Topic::Install)),
            ("怎么安装一个真正的智能体？", Some(Topic::Install)),
            ("Can you render a TABLE with code?", Some(Topic::Markdown)),
            ("这个权限是什么意思", Some(Topic::Ask)),
            ("what is a handoff", Some(Topic::Agents)),
            ("who are you?", Some(Topic::Help)),
            ("你是谁？", Some(Topic::Help)),
            ("lovely weather", None),
        ];
        for (text, topic) in asked {
            assert_eq!(Topic::closest(text), topic, "{text}");
        }
    }
}
