//! English.

use super::Words;

pub(super) const WORDS: Words = Words {
    title: "A tour of Drover",
    comma: ", ",
    commands: [
        "the whole walk",
        "everything that the text of an answer can hold",
        "steps: reading, changing a file, running a command",
        "a permission, as agents ask for it",
        "a form to fill in",
        "a plan that moves",
        "a picture",
        "what an agent says beside its answer: notices, a memory made shorter",
        "agents side by side: one per message, the queue, the handoff",
        "how to install a real agent",
        "a long answer, to scroll in and to stop",
        "a turn that fails",
        "what I am and what I know",
    ],

    mode: "Mode",
    mode_ask: ["Ask first", "Asks before it writes its greeting"],
    mode_act: ["Do not ask", "Writes its greeting without asking"],
    pace: "Pace",
    paces: ["Brisk", "Leisurely", "Instant"],
    thoughts: "Thoughts",

    echo: "You wrote:\n\n{asked}\n\n",
    thought: "Somebody is here for the first time. First what an answer can hold, then how an agent works, then what it may \
              ask, at the end how to go on. (I do not really think. This is where an agent's thoughts go; they fold away.)",
    hello: "Hello! I am **Tour**, the agent that is built into Drover. I am no language model: I know one walk and a few \
            topics by heart, cost nothing, and send nothing anywhere. The walk takes less than half a minute; *Stop* ends \
            it at any moment.\n\n",
    farewell: "That was the walk. Ask me about any of it, or type `/` to see what I know by heart. When you have \
               installed an agent, choose it below and go on in this very chat: it will be handed what we said.\n",
    plan: ["Show what an answer can hold", "Read, change and run something", "Ask you something", "Say how to go on"],

    attached: "You attached: {names}. I cannot look inside; an agent with a model can.\n\n",
    handed: "I was handed {turns} turns of this conversation that I had not seen, {bytes} bytes in all.",
    handed_by: " Before me answered: {agents}.",
    left_out: " {turns} earlier turns were left out for lack of room.",
    closest: "I am no model and understand only a little. This comes closest to what you asked, `/{command}`:\n\n",
    no_model: "I am no model, and this is nothing that I know by heart. ",

    markdown: [
        "# What an answer can hold\n\nText arrives as it is written, with **weight**, *stress*, ~~second thoughts~~, \
         `code`, and [links](https://agentclientprotocol.com).\n\n",
        "> A quotation stands apart,\n>\n> > and one within it further.\n\n",
        "1. Lists count,\n   - and nest,\n     - as deep as needed,\n2. and go on.\n\n- [x] A task that is done\n- [ ] One \
         that is not\n\n",
        "| agent | made by | speaks through |\n| :--- | :--- | ---: |\n| Claude Code | Anthropic | an adapter |\n| Codex | \
         OpenAI | an adapter |\n| Gemini CLI | Google | itself |\n\n",
        "Code has its language, can be copied and wrapped:\n\n```rust\n/// The first agent that is ready.\nfn first(agents: \
         &[Agent]) -> Option<&Agent> {\n    agents.iter().find(|agent| agent.is_ready())\n}\n```\n\n```typescript\nexport \
         const double = (n: number): number => n * 2; // in the page\n```\n\n",
        "```python\ndef greet(name: str) -> str:\n    return f\"Hello, {name}\"\n```\n\n```diff\n- the line as it was\n+ the \
         line as it is\n```\n\n---\n\n",
    ],
    picture: "An answer may bring pictures too. Here is a herd, drawn by nobody:\n\n",

    beside: "Agents also say things that are no part of an answer: that something did not start, that they try again, or that \
             they shorten what they remember. Such lines stay small:\n\n",
    notices: [
        ["A tool server was found", "It has three tools, and none of them was needed."],
        ["The model was busy", "The tour pretends to try again. Nothing is wrong."],
    ],
    summary: "The visitor was shown around and asked for what is said beside an answer.",
    after_beside: "\n\nAll of it was acted; I remember everything that I ever did.\n",
    nothing_beside: "This client does not say that it shows such lines, so I send none.\n",

    tools: "\n\n# How an agent works\n\nAn agent reads, changes and runs things. Quiet steps fold into one line. Open any \
            step to see what went in and what came out.\n\n",
    after_tools: "\n\nThe steps above were acted: I read my own chapters, and no shell ran. The one real file is `{path}`, \
                  in a directory of my own; your files I leave alone.\n\n",
    chapters: ["What an answer can hold", "How an agent works", "When an agent asks"],
    read: "Read “{chapter}”",
    chapter_read: "A chapter of the tour, known by heart.",
    edit: "Edit {file}",
    notes: [
        "# Notes of the tour\n\nThe visitor has just arrived.\nNothing was shown yet.\n",
        "# Notes of the tour\n\nThe visitor is looking at a diff.\nText, a table and code were shown.\nNext: a question.\n",
    ],
    command: "drover-tour --act test",
    output: [
        "\u{1b}[1mrunning 3 tests\u{1b}[0m (acted)",
        "test text_streams \u{1b}[32mok\u{1b}[0m",
        "test steps_fold \u{1b}[32mok\u{1b}[0m",
        "test colours_show \u{1b}[33mslow\u{1b}[0m, \u{1b}[32mok\u{1b}[0m",
        "\u{1b}[36mnote\u{1b}[0m: output keeps its \u{1b}[1;35mcolours\u{1b}[0m",
        "\u{1b}[32m3 passed\u{1b}[0m, \u{1b}[31m0 failed\u{1b}[0m",
    ],

    asking: "# When an agent asks\n\nMany agents ask before they act. You see their own words, everything they want to do, \
             and every answer that they offer. This question is harmless: it is about a greeting in my own directory. \
             A No is an answer like any other; *stop the turn* is something else.\n\n",
    unasked: "# When an agent asks\n\nMy mode is *Do not ask*, so I write my greeting without asking. Real agents have such \
              modes too; the composer says so when one is chosen.\n\n",
    greeting: "Hello from the tour.\n",
    answers: ["Yes, write it", "Yes, and do not ask again", "No"],
    written: "\n\nYou let me, so I wrote the greeting to `{path}`.\n\n",
    nowhere: "\n\nYou let me, but I was started without a directory of my own, so nothing was written.\n\n",
    always: "My mode is *Do not ask* from now on; you can change it below, beside my name.\n\n",
    refused: "\n\nYou said no, so I wrote nothing, and go on.\n\n",

    form: "An agent may also ask with a form. Fill in what you like; I forget it when this turn ends, but for what I say \
           back to you.\n\n",
    form_message: "A few questions that nobody evaluates",
    fields: [
        "What shall I call you?",
        "How many agents do you use?",
        "Languages you write",
        "How do you like it so far? (1 to 5)",
        "Would you take the tour again?",
    ],
    uses: ["One", "Several", "None yet"],
    form_accepted: "\n\nYou answered:\n\n{answers}\n",
    form_declined: "\n\nYou would rather not say. That is an answer as well.\n\n",
    form_dismissed: "\n\nYou put the form away, and I go on without it.\n\n",
    form_failed: "\n\nThe form could not be shown: {why}\n\n",
    no_forms: "A form can only be shown where the client says that it shows forms. This one does not, so I do not ask.\n\n",

    planning: "A plan is a list that moves while the agent works:\n\n",
    planned: "\n\nIts steps are done.\n",
    agents: "# What is different here\n\n- **An agent per message.** Choose another one at the composer and send. It is \
             handed exactly the turns that it missed; what that was, a thin line says, and opens to the exact text.\n- \
             **One chat.** It belongs to you and not to an agent. Going back to the first agent resumes its own memory.\n- \
             **A queue.** While an agent works you can send more; messages wait in order, and can be changed or dropped.\n- \
             **Nothing is lost.** Close the page, open it in ten tabs, restart the machine: what you saw is on disk.\n\n",
    install: "# Install a real agent\n\nOpen **Settings → Agents** (`/settings/agents`). It lists the agents that Drover \
              knows, with what is missing for each. Or install one yourself, look again there, and it is found:\n\n| agent | \
              install |\n| --- | --- |\n| Claude Code | `npm install -g @agentclientprotocol/claude-agent-acp` |\n| Codex | \
              `npm install -g @agentclientprotocol/codex-acp` |\n| Gemini CLI | `npm install -g @google/gemini-cli` |\n| \
              OpenCode | `npm install -g opencode-ai` |\n| Copilot CLI | `npm install -g @github/copilot` |\n| Qwen Code | \
              `npm install -g @qwen-code/qwen-code` |\n\nKeys and logins stay with the agent. `drover doctor` says in a \
              terminal what is missing.\n\n",
    long: "Here is a long answer. Scroll up while it grows: the page stays where you read. *Stop* ends it.\n\n",
    paragraph: "**{number} of {all}.** A herd moves at the pace of its slowest, and a drover knows that; he walks behind, looks \
                ahead, and loses none of them.\n\n",
    fail: "This turn will fail now, on purpose. See how it looks and what you can do about it.\n\n",
    failure: "The tour was asked to fail, and did.",
    who: "I am **Tour**, the agent that is built into Drover: an ordinary agent that speaks the Agent Client Protocol, with no \
          model behind it.\n\n",
    help: "What I know by heart:\n\n",
};
