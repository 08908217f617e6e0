// Generated from docs/openapi.json by web/tools/openapi. Do not edit.

export interface paths {
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All agents, with what each one lacks. */
        get: operations["list_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One agent. */
        get: operations["get_agent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts an agent, asks what it can do, and ends it. No session is made. */
        post: operations["check_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Installs an agent: what stands in its `install` is run. How far it is comes with `agent.upsert`. */
        post: operations["install_agent"];
        /** Ends an installation; answers once nothing of it is left. Without one nothing happens. */
        delete: operations["cancel_install"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a login. How it goes on is told with the agent, in `login`. */
        post: operations["log_in"];
        /** Ends a login. */
        delete: operations["end_login"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/login/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Types into the terminal of a login. */
        post: operations["type_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/login/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the terminal of a login shows: its last 256 KiB, then what follows, until it ends. It is kept nowhere else. */
        get: operations["get_output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/login/size": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Tells the terminal of a login how large it is. */
        put: operations["set_size"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logs out. Processes of the agent end as soon as they have nothing to do. */
        post: operations["log_out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a new task would start with: the options that the agent offered last. */
        get: operations["get_agent_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The processes of an agent that run now. */
        get: operations["list_processes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/processes/{pid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a process of an agent: its task's link is disconnected. */
        delete: operations["stop_process"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/variables/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Lets the agent have a variable from its next start on, or keeps it from it. Kept in agents.toml. */
        put: operations["set_variable"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Uses another installed version from the next start on. */
        put: operations["use_version"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes an installed version. */
        delete: operations["remove_version"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keeps a file for a message to come. One that is not sent within 7 days is deleted. */
        post: operations["create_attachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attachments/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of an attachment. */
        get: operations["get_attachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blobs/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of a blob. */
        get: operations["get_blob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/browsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All paired browsers. */
        get: operations["list_browsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/browsers/{browser_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a pairing, and ends the browser's event streams. */
        delete: operations["revoke_browser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/directories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Directories below a path. */
        get: operations["list_directories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The one ordered stream of the daemon, as server-sent events: `id` is the feed's number, `event` the kind, `data` JSON. */
        get: operations["get_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{connection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes whose content events a connection carries. Those of an added task come from the moment this is answered. */
        put: operations["narrow_events"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a launch link. For the command line: a bearer token is needed, a paired browser does not do. */
        post: operations["make_launch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_id}/continue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Goes on after an answer that was cut off. */
        post: operations["continue_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_id}/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Discards a message and everything after it and sends other words. */
        post: operations["edit_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Discards an answer and everything after it and runs its prompt again. */
        post: operations["retry_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document. */
        get: operations["get_openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pairs the browser that sends a launch code. */
        post: operations["pair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All projects, as their directories are now. */
        get: operations["list_projects"];
        put?: never;
        /** Makes a project of a directory. */
        post: operations["create_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a project; touches no file on disk. */
        delete: operations["delete_project"];
        options?: never;
        head?: never;
        /** Renames a project. */
        patch: operations["update_project"];
        trace?: never;
    };
    "/api/v1/projects/{project_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds files by a few letters of their names; leaves out what git ignores. */
        get: operations["find_files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answers a request; the first answer wins. */
        post: operations["answer_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A run with its attempts. */
        get: operations["get_run"];
        put?: never;
        post?: never;
        /** Drops a queued run with its messages. */
        delete: operations["drop_run"];
        options?: never;
        head?: never;
        /** Changes the words or the place of a queued run. */
        patch: operations["patch_run"];
        trace?: never;
    };
    "/api/v1/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a run. */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changed on disk since a run began, by the user's own git; 404 before it began. */
        get: operations["get_evidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends the commands that a cancelled run's agent left running; `processes` then tells that they are gone. */
        delete: operations["end_processes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The exact content blocks that were sent; 404 before they were. */
        get: operations["get_prompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/send_now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a queued run jump the queue: the active one is stopped. */
        post: operations["send_run_now"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The settings. */
        get: operations["get_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes settings in config.toml; what else is in the file stays. */
        patch: operations["update_settings"];
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the daemon is and how far its feed has come. */
        get: operations["get_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of tasks, newest activity first. */
        get: operations["list_tasks"];
        put?: never;
        /** Makes a task. */
        post: operations["create_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task. */
        get: operations["get_task"];
        put?: never;
        post?: never;
        /** Deletes a task with its messages, and blobs and attachments that nothing else uses. */
        delete: operations["delete_task"];
        options?: never;
        head?: never;
        /** Changes a task. */
        patch: operations["update_task"];
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What retries, edits and restores set aside. */
        get: operations["list_branches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/branches/{branch_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings one back; the present chat from there on is set aside. */
        post: operations["restore_branch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A snapshot: the newest page of a chat, or an earlier one. */
        get: operations["get_chat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/handoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a send to an agent would hand over now. */
        get: operations["preview_handoff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/links/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A link; one that was never used is off. */
        get: operations["get_link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/links/{agent}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts the agent before there is a prompt for it. */
        post: operations["connect_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/links/{agent}/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the agent's process. */
        post: operations["disconnect_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/links/{agent}/options/{option_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets a session option; starts the link where it is off. */
        put: operations["set_option"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a message to an agent. */
        post: operations["send_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}/queue/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a held queue go on. */
        post: operations["resume_queue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description What was done with an elicitation.
         * @enum {string}
         */
        Action: "accept" | "decline" | "cancel";
        /** @description A program that speaks the Agent Client Protocol. */
        Agent: {
            /** @description Whose account it uses, in its own words, where it tells. */
            account?: string | null;
            /** @description The ways to log in that it offered when last started; null while it was not. */
            auth_methods?: components["schemas"]["AuthMethod"][] | null;
            /** @description Whether it can be logged out. */
            can_log_out: boolean;
            /** @description What it said of itself when last started, as it came. */
            capabilities?: Record<string, unknown> | null;
            /** @description A sentence about it. */
            description?: string | null;
            found?: components["schemas"]["Found"] | null;
            /** @description What is missing and what to do about it. */
            hint?: string | null;
            /** @description Its id. */
            id: components["schemas"]["AgentId"];
            install?: components["schemas"]["Install"] | null;
            login?: components["schemas"]["Login"] | null;
            /** @description What people call it. */
            name: string;
            /** @description It asks for nothing, in no mode. */
            never_asks: boolean;
            /** @description What is known of it, in the languages of the page. */
            notes: components["schemas"]["AgentNote"][];
            /**
             * Format: double
             * @description How far an installation is, from 0 to 1; its steps are in `install.running`.
             */
            progress?: number | null;
            /** @description Where the entry comes from. */
            source: components["schemas"]["AgentSource"];
            /** @description Whether it can be used. */
            state: components["schemas"]["AgentState"];
            /** @description Modes in which it acts without asking, as far as is known: by the mode's id, what it does then. */
            unasked: {
                [key: string]: components["schemas"]["Unasked"];
            };
            /** @description What of its environment decides whose account it uses and how it logs in, by name: never a value. */
            variables: components["schemas"]["AgentVariable"][];
            /** @description Its version, where known. */
            version?: string | null;
        };
        /** @description An agent of the catalogue */
        AgentId: string;
        /** @description The catalogue. */
        AgentList: {
            /** @description All agents, usable or not. */
            agents: components["schemas"]["Agent"][];
            problem?: components["schemas"]["FileProblem"] | null;
        };
        /** @description Something that was seen of an agent. */
        AgentNote: {
            /** @description In English. */
            en: string;
            /** @description It works; else it is otherwise than with other agents, and the note says what Drover does about it. */
            works: boolean;
            /** @description In Chinese. */
            zh: string;
        };
        /** @description What is known of an agent before it is started in a task. */
        AgentOptions: {
            /** @description Its commands, as it last sent them. */
            commands: Record<string, unknown>[];
            /**
             * @description Its options as it sent them when it last started, with the values that a new task starts with; empty where it has
             *     none or never started.
             */
            options: Record<string, unknown>[];
        };
        /** @description A process of an agent that runs now. */
        AgentProcess: {
            /** @description Its command line. */
            command: string;
            /**
             * Format: int32
             * @description Its number.
             */
            pid: number;
            /**
             * Format: int64
             * @description Bytes of memory that it and all it started hold.
             */
            rss_bytes: number;
            /** @description When it was started. */
            started_at: components["schemas"]["Timestamp"];
            /** @description The task that it works for. */
            task_id: components["schemas"]["TaskId"];
            /** @description Which installed version it runs; `None`: the user's own program. */
            version?: string | null;
        };
        /**
         * @description Where an entry of the catalogue comes from.
         * @enum {string}
         */
        AgentSource: "builtin" | "registry" | "custom";
        /**
         * @description Whether an agent can be used.
         * @enum {string}
         */
        AgentState: "ready" | "not_installed" | "installing" | "needs_login" | "broken";
        /** @description A variable of an agent's environment. */
        AgentVariable: {
            /** @description Why it is told. */
            kind: components["schemas"]["VariableKind"];
            /** @description Its name. */
            name: string;
            /** @description Whether the agent gets it. `block` stands for a name in `unset` of agents.toml. */
            policy: components["schemas"]["VariablePolicy"];
            /** @description Whether there is such a variable to pass: in the login shell's environment, the daemon's, or agents.toml. */
            present: boolean;
        };
        /** @description How a request was answered. What a form was filled with is not kept. */
        Answer: {
            /** @description `accept`, `decline` or `cancel`. */
            action: components["schemas"]["Action"];
        } | {
            /** @description The option chosen; null: cancelled. */
            option_id?: string | null;
        };
        /** @description An answer: `option_id` to a permission, `action` to an elicitation. */
        AnswerRequest: {
            action?: components["schemas"]["Action"] | null;
            /** @description What the form was filled in with. It goes to the agent and is kept nowhere; with `decline` and `cancel` it goes nowhere. */
            content?: Record<string, unknown> | null;
            /** @description One of the options that were offered; null: cancelled. */
            option_id?: string | null;
        };
        /** @description A file that the user added to a message. */
        Attachment: {
            /** @description Its id. */
            id: components["schemas"]["AttachmentId"];
            /** @description Its type, told from its bytes. */
            mime_type: string;
            /** @description Its name, without any path. */
            name: string;
            /** @description The SHA-256 of its bytes, in lower-case hexadecimal. */
            sha256: string;
            /**
             * Format: int64
             * @description Its size in bytes.
             */
            size: number;
        };
        /** @description A ULID */
        AttachmentId: string;
        /** @description One start of a run. */
        Attempt: {
            ended_at?: components["schemas"]["Timestamp"] | null;
            /** @description Its number. */
            fence: components["schemas"]["i64"];
            outcome?: components["schemas"]["Outcome"] | null;
            /** @description When it began. */
            started_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description What a way to log in takes.
         * @enum {string}
         */
        AuthKind: "agent" | "terminal" | "env_var" | "unsupported";
        /** @description A way to log in, as an agent offers it. */
        AuthMethod: {
            /** @description The agent's words about it. */
            description?: string | null;
            /** @description The agent's id for it. */
            id: string;
            /** @description What it takes. */
            kind: components["schemas"]["AuthKind"];
            /** @description The agent's name for it. */
            name: string;
            /** @description Variables that it reads, where it is one of those. */
            vars: string[];
        };
        /** @description A chat as it was from some message on. */
        Branch: {
            /** @description When. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The ordinal of its first message.
             */
            from_ordinal: number;
            /** @description Its id. */
            id: components["schemas"]["BranchId"];
            /**
             * Format: int64
             * @description How many messages it holds.
             */
            messages: number;
            /** @description The first 200 characters of the first text in it; empty without one. */
            opening: string;
            /** @description What set it aside: `retry`, `edit` or `restore`. */
            reason: string;
        };
        /** @description What was set aside. */
        Branches: {
            /** @description Newest first. */
            branches: components["schemas"]["Branch"][];
        };
        /** @description A ULID */
        BranchId: string;
        /** @description A browser that was paired. */
        Browser: {
            /** @description When it was paired. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When its pairing ends. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description Its id. */
            id: components["schemas"]["BrowserId"];
            /** @description When it last called. */
            last_seen_at: components["schemas"]["Timestamp"];
            /** @description What it calls itself. */
            name: string;
        };
        /** @description A ULID */
        BrowserId: string;
        /** @description All paired browsers. */
        BrowserList: {
            /** @description The one seen last first. */
            browsers: components["schemas"]["PairedBrowser"][];
        };
        /** @description What a change made. */
        Changed: {
            /** @description The message that the agent fills. */
            assistant_message_id: components["schemas"]["MessageId"];
            /** @description The run that answers it. */
            run_id: components["schemas"]["RunId"];
            /** @description The user's message. */
            user_message_id: components["schemas"]["MessageId"];
        };
        /** @description A snapshot of a chat, taken in one read: follow events from `seq`. */
        Chat: {
            /** @description Whether there are earlier ones. */
            has_more: boolean;
            /** @description The links that were ever used. */
            links: components["schemas"]["Link"][];
            /** @description A page of messages, ascending. */
            messages: components["schemas"]["Message"][];
            /** @description The open requests. */
            requests: components["schemas"]["Request"][];
            /**
             * Format: int64
             * @description The number of the feed that this is a snapshot of.
             */
            seq: number;
            /** @description The task. */
            task: components["schemas"]["Task"];
        };
        /** @description Data of `chat.truncated`. */
        ChatTruncated: {
            /**
             * Format: int64
             * @description Messages from this ordinal on left the chat.
             */
            from_ordinal: number;
            /** @description The task. */
            task_id: components["schemas"]["TaskId"];
        };
        /** @description The agent made its context shorter. */
        Compaction: {
            /** @description The agent's id for it. */
            compaction_id: string;
            /** @description Why it failed. */
            error?: string | null;
            /** @description `in_progress`, `completed`, `failed`, `cancelled`, or the agent's own word. */
            status?: string | null;
            /** @description What the agent remembers in place of what it forgot. */
            summary?: string | null;
        };
        /** @description The settings of the daemon, complete. */
        Config: {
            /**
             * Format: int64
             * @description Bytes of one attachment, at most.
             */
            attachment_bytes: number;
            /**
             * Format: int64
             * @description Bytes of one stored tool output, at most; of a longer one the beginning is kept.
             */
            blob_bytes: number;
            /**
             * Format: int64
             * @description Bytes of the change feed that are kept at most, whatever the two above say.
             */
            feed_bytes: number;
            /**
             * Format: int32
             * @description Days for which the change feed is kept, so that a page that was away can catch up.
             */
            feed_days: number;
            /**
             * Format: int64
             * @description Entries of the change feed that are kept even when they are older than `feed_days`.
             */
            feed_entries: number;
            /**
             * Format: int64
             * @description Bytes of raw frames that are kept in all; the oldest go first.
             */
            frames_bytes: number;
            /**
             * Format: int64
             * @description Bytes of raw frames that are kept for one agent of one task, the oldest go first; 0 keeps none.
             */
            frames_link_bytes: number;
            /** @description Bytes of missed turns that are handed to an agent in front of a prompt, at most. */
            handoff_bytes: number;
            /**
             * Format: int32
             * @description Minutes after which an agent that has nothing to do is stopped, 0 for never; its next message brings the session back.
             */
            idle_minutes: number;
            /** @description How much the log tells: error, warn, info, debug or trace. */
            log_level: components["schemas"]["LogLevel"];
            /**
             * Format: int32
             * @description Seconds for which a login's terminal that nobody looks at goes on.
             */
            login_seconds: number;
            /** @description Runs at work at the same time, in all tasks together; the rest waits. */
            max_active_runs: number;
            /**
             * Format: int32
             * @description Port on the loopback interface; 0 takes any free one. Holds from the next start on.
             */
            port: number;
            /**
             * Format: int32
             * @description Seconds without a sign of an agent that works on a message, after which the page says so; five times as many while a tool runs.
             */
            silence_seconds: number;
        };
        /** @description Settings to change; `None` leaves a key as it is. */
        ConfigPatch: {
            /**
             * Format: int64
             * @description Bytes of one attachment, at most.
             * @default null
             */
            attachment_bytes?: number | null;
            /**
             * Format: int64
             * @description Bytes of one stored tool output, at most; of a longer one the beginning is kept.
             * @default null
             */
            blob_bytes?: number | null;
            /**
             * Format: int64
             * @description Bytes of the change feed that are kept at most, whatever the two above say.
             * @default null
             */
            feed_bytes?: number | null;
            /**
             * Format: int32
             * @description Days for which the change feed is kept, so that a page that was away can catch up.
             * @default null
             */
            feed_days?: number | null;
            /**
             * Format: int64
             * @description Entries of the change feed that are kept even when they are older than `feed_days`.
             * @default null
             */
            feed_entries?: number | null;
            /**
             * Format: int64
             * @description Bytes of raw frames that are kept in all; the oldest go first.
             * @default null
             */
            frames_bytes?: number | null;
            /**
             * Format: int64
             * @description Bytes of raw frames that are kept for one agent of one task, the oldest go first; 0 keeps none.
             * @default null
             */
            frames_link_bytes?: number | null;
            /**
             * @description Bytes of missed turns that are handed to an agent in front of a prompt, at most.
             * @default null
             */
            handoff_bytes?: number | null;
            /**
             * Format: int32
             * @description Minutes after which an agent that has nothing to do is stopped, 0 for never; its next message brings the session back.
             * @default null
             */
            idle_minutes?: number | null;
            /** @default null */
            log_level?: components["schemas"]["LogLevel"] | null;
            /**
             * Format: int32
             * @description Seconds for which a login's terminal that nobody looks at goes on.
             * @default null
             */
            login_seconds?: number | null;
            /**
             * @description Runs at work at the same time, in all tasks together; the rest waits.
             * @default null
             */
            max_active_runs?: number | null;
            /**
             * Format: int32
             * @description Port on the loopback interface; 0 takes any free one. Holds from the next start on.
             * @default null
             */
            port?: number | null;
            /**
             * Format: int32
             * @description Seconds without a sign of an agent that works on a message, after which the page says so; five times as many while a tool runs.
             * @default null
             */
            silence_seconds?: number | null;
        };
        /** @description A directory to make a project of. */
        CreateProject: {
            /** @description Whether to make the directory if it is not there. */
            create?: boolean | null;
            /** @description What to call it; else the directory's own name. */
            name?: string | null;
            /** @description An absolute path. */
            path: string;
        };
        /** @description A task to make. */
        CreateTask: {
            project_id?: components["schemas"]["ProjectId"] | null;
            /** @description Its title; else the first message gives it one. */
            title?: string | null;
        };
        /** @description The directories below one, for the picker. */
        Directories: {
            /** @description Those below, by name. Names that are not UTF-8 are left out. */
            entries: components["schemas"]["DirectoryEntry"][];
            /** @description The one above; null at the root. */
            parent?: string | null;
            /** @description The directory: absolute and canonical. */
            path: string;
        };
        /** @description A directory in another one. */
        DirectoryEntry: {
            /** @description Whether it is the top of a git work tree. */
            is_git: boolean;
            /** @description Its name. */
            name: string;
            /** @description Its absolute path. */
            path: string;
        };
        /** @description Other words for a message. */
        EditMessage: {
            /** @description Who is to answer; absent: who was asked before. */
            agent?: string | null;
            /** @description Attachments; absent: those it has. */
            attachments?: components["schemas"]["AttachmentId"][] | null;
            /** @description The client's own name for this; it shares one space with sends. */
            nonce: string;
            /** @description The words. */
            text: string;
        };
        /** @description One event. On the stream `event:` is its kind and `data:` its data; in JSON it is `{event, data}`. */
        Event: {
            /** @description First on every connection, without an id. */
            data: components["schemas"]["Hello"];
            /** @enum {string} */
            event: "hello";
        } | {
            /** @description A project was made or changed. */
            data: components["schemas"]["Project"];
            /** @enum {string} */
            event: "project.upsert";
        } | {
            /** @description A project was deleted. */
            data: components["schemas"]["ProjectGone"];
            /** @enum {string} */
            event: "project.deleted";
        } | {
            /** @description A task was made or changed. */
            data: components["schemas"]["Task"];
            /** @enum {string} */
            event: "task.upsert";
        } | {
            /** @description A task was deleted. */
            data: components["schemas"]["TaskGone"];
            /** @enum {string} */
            event: "task.deleted";
        } | {
            /** @description An agent of the catalogue changed. */
            data: components["schemas"]["Agent"];
            /** @enum {string} */
            event: "agent.upsert";
        } | {
            /** @description A link changed. */
            data: components["schemas"]["Link"];
            /** @enum {string} */
            event: "link.upsert";
        } | {
            /** @description A request was opened or ended. */
            data: components["schemas"]["Request"];
            /** @enum {string} */
            event: "request.upsert";
        } | {
            /** @description A run changed. */
            data: components["schemas"]["Run"];
            /** @enum {string} */
            event: "run.upsert";
        } | {
            /** @description A message was made or changed. */
            data: components["schemas"]["MessageHead"];
            /** @enum {string} */
            event: "message.upsert";
        } | {
            /** @description A queued message was dropped. */
            data: components["schemas"]["MessageGone"];
            /** @enum {string} */
            event: "message.deleted";
        } | {
            /** @description A part was made or replaced. */
            data: components["schemas"]["PartUpsert"];
            /** @enum {string} */
            event: "part.upsert";
        } | {
            /** @description Text was added at the end of a text or thought part. */
            data: components["schemas"]["PartAppend"];
            /** @enum {string} */
            event: "part.append";
        } | {
            /** @description Messages left the chat. */
            data: components["schemas"]["ChatTruncated"];
            /** @enum {string} */
            event: "chat.truncated";
        } | {
            /** @description All up to its id was delivered or filtered out. */
            data: components["schemas"]["Mark"];
            /** @enum {string} */
            event: "mark";
        } | {
            /** @description Take snapshots again; the stream goes on from `seq`. */
            data: components["schemas"]["Reset"];
            /** @enum {string} */
            event: "reset";
        };
        /** @description What the user's git says that changed since a run began. It does not say who changed it. */
        Evidence: {
            /** @description Uncommitted changes that were written since, newest first. */
            changes: components["schemas"]["EvidenceChange"][];
            /** @description Commits that were made since, newest first. */
            commits: components["schemas"]["EvidenceCommit"][];
            /** @description Why nothing can be told, where that is so. */
            detail?: string | null;
            /** @description Whether there are more than the 200 of each that are told. */
            more: boolean;
            /** @description The top of the repository; null where the task's directory is in none. */
            root?: string | null;
            /** @description When the run began. */
            since: components["schemas"]["Timestamp"];
        };
        /** @description A path that was changed. */
        EvidenceChange: {
            /** @description `modified`, `added`, `deleted`, `untracked` or `conflicted`. */
            kind: string;
            /** @description Below the top of the repository. */
            path: string;
            written_at?: components["schemas"]["Timestamp"] | null;
        };
        /** @description A commit that was made. */
        EvidenceCommit: {
            /** @description Its whole id. */
            id: string;
            /** @description The first line of its message. */
            subject: string;
        };
        /** @description Files that were found. */
        FileList: {
            /** @description The best first. */
            files: components["schemas"]["FoundFile"][];
        };
        /** @description A picture or file in a message. */
        FilePart: {
            attachment_id?: components["schemas"]["AttachmentId"] | null;
            /** @description Its type, where known. */
            mime_type?: string | null;
            /** @description Its name. */
            name: string;
            /** @description Its path or address, where it is not an attachment. */
            path?: string | null;
            /**
             * Format: int64
             * @description Its size in bytes, where known.
             */
            size?: number | null;
        };
        /** @description A file of the user's that cannot be used as it is. */
        FileProblem: {
            /** @description What is wrong, and where. */
            detail: string;
            /** @description Its path. */
            file: string;
        };
        /** @description Where an agent's program was found. */
        Found: {
            /** @description The version that Drover installed, where it is one of those; `None`: the user's own. */
            managed?: string | null;
            /** @description The file. */
            path: string;
        };
        /** @description A file of a project. */
        FoundFile: {
            /** @description Its name. */
            name: string;
            /** @description Its path, relative to the project. */
            path: string;
        };
        /** @description What stood in front of a prompt because its agent had missed it (lifecycle rules 10 to 13). */
        HandedOver: {
            /** @description The size of the whole block in bytes. */
            bytes: number;
            /** @description How many older turns had no room. */
            left_out: number;
            /** @description How many turns it holds. */
            turns: number;
        };
        /** @description What a send would hand over now. */
        Handoff: {
            /** @description The size of the text in bytes. */
            bytes: number;
            /** @description Whether the agent begins a new session. */
            new_session: boolean;
            /** @description The exact text; empty where nothing was missed. */
            text: string;
            /** @description How many turns the agent has missed. */
            turns: number;
        };
        /** @description Data of `hello`. */
        Hello: {
            /** @description The hash of the page inside the daemon. */
            build: string;
            /** @description Names this connection, for `PUT /events/{connection}`. */
            connection: string;
            /** @description Names the database. */
            instance_id: string;
            /**
             * Format: int64
             * @description The greatest number of the feed.
             */
            seq: number;
            /** @description The daemon's version. */
            version: string;
        };
        /** Format: int64 */
        i64: number;
        /** @description How Drover installs an agent, shown before it does, and what it has installed. */
        Install: {
            /** @description Why it cannot be installed now, and what to do; a sentence. */
            blocked?: string | null;
            /**
             * Format: int64
             * @description Bytes on disk, about.
             */
            bytes: number;
            /** @description What would be run, as a line for people. */
            command: string;
            /** @description Which of them is used. */
            current?: string | null;
            failure?: components["schemas"]["InstallFailure"] | null;
            /** @description Under which terms, what it carries included. */
            license: string;
            node?: components["schemas"]["NodeNeed"] | null;
            /** @description The npm package. */
            package: string;
            /** @description Who publishes it. */
            publisher: string;
            running?: components["schemas"]["InstallStep"] | null;
            /** @description A newer version than the used one can be installed. */
            update: boolean;
            /** @description The exact version that would be installed. */
            version: string;
            /** @description The versions that are installed, newest first. */
            versions: string[];
        };
        /** @description Why an installation failed. */
        InstallFailure: {
            /**
             * @description What to branch on: `npm_missing`, `node_too_old`, `no_space`, `not_writable`, `registry_away`, `registry_refused`,
             *     `not_in_registry`, `integrity`, `platform_missing`, `wrong_version`, `does_not_start`, `npm_failed`, `interrupted`
             *     or `internal`.
             */
            code: string;
            /** @description The last lines of what npm or the agent said, without secrets. */
            detail?: string | null;
            /** @description What happened and what to do; sentences. */
            message: string;
        };
        /** @description Where an installation is. */
        InstallStep: {
            /**
             * Format: int64
             * @description Bytes on disk so far in this step.
             */
            bytes: number;
            /** @description What is done in it. */
            doing: components["schemas"]["StepKind"];
            /**
             * Format: int64
             * @description Bytes that are expected in this step, about; 0 where there are none to count.
             */
            expected: number;
            /**
             * Format: int32
             * @description Of how many.
             */
            of: number;
            /**
             * Format: int32
             * @description Which step, from 1.
             */
            step: number;
        };
        /** @description A link that pairs one browser. */
        LaunchLink: {
            /** @description When it stops to hold. */
            expires_at: components["schemas"]["Timestamp"];
            /** @description The link. It can be used once. */
            url: string;
        };
        /** @description A command that a cancelled run's agent left running. */
        LeftProcess: {
            /** @description Its command line. */
            command: string;
            /**
             * Format: int64
             * @description Its process id.
             */
            pid: number;
            /** @description When it was started. */
            started_at: components["schemas"]["Timestamp"];
        };
        /** @description What the daemon keeps for a (task, agent) pair. */
        Link: {
            /** @description The agent. */
            agent: components["schemas"]["AgentId"];
            /** @description The agent's commands, as it sent them. */
            commands: Record<string, unknown>[];
            /** @description A sentence about the state, such as why it failed. */
            detail?: string | null;
            /** @description Whether there is a session that can be brought back. */
            has_session: boolean;
            /** @description The session's options, as the agent sent them; empty until it did. */
            options: Record<string, unknown>[];
            /**
             * Format: int64
             * @description The cursor: the ordinal of the last message that the agent's session has seen; 0 where it has seen none.
             */
            seen_ordinal: number;
            silent_since?: components["schemas"]["Timestamp"] | null;
            /** @description Remembered option values that could not be set again, with the reason. */
            skipped_options: components["schemas"]["SkippedOption"][];
            /** @description Whether the agent is there. */
            state: components["schemas"]["LinkState"];
            /** @description The task. */
            task_id: components["schemas"]["TaskId"];
            /** @description The last usage the agent reported, as it came. */
            usage?: Record<string, unknown> | null;
        };
        /**
         * @description Whether an agent is there for a task.
         * @enum {string}
         */
        LinkState: "off" | "starting" | "ready" | "busy" | "parked" | "needs_login" | "failed";
        /** @description A login. */
        Login: {
            /** @description Why it failed. */
            detail?: string | null;
            /** @description How. */
            method_id: string;
            page?: components["schemas"]["LoginPage"] | null;
            /** @description When it began. */
            started_at: components["schemas"]["Timestamp"];
            /** @description How far it is. */
            state: components["schemas"]["LoginState"];
            /** @description Whether there is a terminal. */
            terminal: boolean;
        };
        /** @description How to log in. */
        LogIn: {
            /** @description One of the agent's `auth_methods`. */
            method_id: string;
        };
        /** @description A page that an agent asks the user to open in order to log in. */
        LoginPage: {
            /** @description The agent's words. */
            message: string;
            /** @description Its address, as the agent wrote it. */
            url: string;
        };
        /**
         * @description How far a login is.
         * @enum {string}
         */
        LoginState: "running" | "succeeded" | "failed" | "cancelled";
        /**
         * @description How much the log tells; each level includes the ones before it.
         * @enum {string}
         */
        LogLevel: "error" | "warn" | "info" | "debug" | "trace";
        /** @description What the link is for. */
        MakeLaunch: {
            /** @description The directory in which the user asks, to be offered as a project. */
            directory?: string | null;
        };
        /** @description Data of `mark`: nothing. */
        Mark: Record<string, unknown>;
        /** @description One entry of a chat, with its parts. */
        Message: components["schemas"]["MessageHead"] & {
            /** @description What it is made of, in order. */
            parts: components["schemas"]["Part"][];
        };
        /** @description Data of `message.deleted`. */
        MessageGone: {
            /** @description The message. */
            id: components["schemas"]["MessageId"];
            /** @description The task. */
            task_id: components["schemas"]["TaskId"];
        };
        /** @description One entry of a chat without its parts. */
        MessageHead: {
            agent?: components["schemas"]["AgentId"] | null;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description From the start of its run to its end, in milliseconds.
             */
            duration_ms?: number | null;
            handoff?: components["schemas"]["HandedOver"] | null;
            /** @description Its id. */
            id: components["schemas"]["MessageId"];
            /** @description Whether content came after the prompt had been answered. */
            late: boolean;
            /** @description The name of the model that was chosen when the prompt was sent, in the agent's words; null where it offers none. */
            model?: string | null;
            /**
             * Format: int64
             * @description Its place in the chat, from 1. Queued messages have no settled place yet: they stand behind all others.
             */
            ordinal: number;
            /** @description What brought it about. */
            origin: components["schemas"]["Origin"];
            /** @description Who speaks. */
            role: components["schemas"]["Role"];
            run_id?: components["schemas"]["RunId"] | null;
            /** @description How far it is. */
            status: components["schemas"]["MessageStatus"];
            /** @description The agent's own word for why it stopped, whatever it is. */
            stop_reason?: string | null;
            /** @description The task whose chat it is in. */
            task_id: components["schemas"]["TaskId"];
            /** @description What the agent reported of tokens and cost, as it came. */
            usage?: Record<string, unknown> | null;
        };
        /** @description A ULID */
        MessageId: string;
        /**
         * @description How far a message is.
         * @enum {string}
         */
        MessageStatus: "queued" | "streaming" | "done" | "error" | "cancelled" | "interrupted";
        /** @description Whose content events a connection is to carry. */
        NarrowEvents: {
            /** @description Those of these tasks; null: of all. */
            tasks?: components["schemas"]["TaskId"][] | null;
        };
        /** @description A Node.js that an installation brings along. */
        NodeNeed: {
            /**
             * Format: int64
             * @description Bytes on disk, about.
             */
            bytes: number;
            /** @description The oldest version that the agent runs under. */
            floor: string;
            /** @description The machine's own version, if it has one. */
            have?: string | null;
            /** @description The npm packages, with their versions. */
            packages: string[];
        };
        /** @description What an agent says beside its answer. */
        Notice: {
            /** @description More, in the agent's words. */
            description?: string | null;
            /** @description The agent's id for it, where a later one takes its place. */
            notice_id?: string | null;
            /** @description `info`, `warning`, `error`, or the agent's own word. */
            severity: string;
            /** @description One line, in the agent's words. */
            title: string;
        };
        /** @description The client's own name for what it does. */
        Once: {
            /** @description Unique in the task; sends, retries, edits, continuations and restores share one space. */
            nonce: string;
        };
        /**
         * @description What brought a message about.
         * @enum {string}
         */
        Origin: "user" | "run" | "agent";
        /**
         * @description How an attempt ended.
         * @enum {string}
         */
        Outcome: "done" | "error" | "cancelled" | "interrupted";
        /** @description A launch code. */
        Pair: {
            /** @description What stands behind `#` in the launch link. */
            code: string;
        };
        /** @description One half of a paired browser's proof; the cookie is the other. */
        Paired: {
            /** @description The directory in which the user asked for the link, to be offered as a project. */
            directory?: string | null;
            /** @description To be sent as `Drover-Key`. It is told this once. */
            key: string;
        };
        /** @description A paired browser. */
        PairedBrowser: components["schemas"]["Browser"] & {
            /** @description Whether it is the one that asks. */
            current: boolean;
        };
        /** @description The atomic content of a message. */
        Part: {
            /** @description Markdown, as it came. */
            text: string;
            /** @enum {string} */
            type: "text";
        } | {
            /** @description Markdown, as it came. */
            text: string;
            /** @enum {string} */
            type: "thought";
        } | (components["schemas"]["ToolCall"] & {
            /** @enum {string} */
            type: "tool_call";
        }) | (components["schemas"]["Plan"] & {
            /** @enum {string} */
            type: "plan";
        }) | (components["schemas"]["FilePart"] & {
            /** @enum {string} */
            type: "image";
        }) | (components["schemas"]["FilePart"] & {
            /** @enum {string} */
            type: "file";
        }) | {
            /** @description A JSON-RPC code, a word of ours such as `agent_exited`, or what the agent sent. */
            code: string;
            /** @description More, such as the agent's `data` or the last lines of its stderr. */
            detail?: Record<string, unknown> | null;
            /** @description One sentence. */
            message: string;
            /** @enum {string} */
            type: "error";
        } | (components["schemas"]["Notice"] & {
            /** @enum {string} */
            type: "notice";
        }) | (components["schemas"]["Compaction"] & {
            /** @enum {string} */
            type: "compaction";
        }) | {
            /** @description The update as it came. */
            raw: Record<string, unknown>;
            /** @enum {string} */
            type: "unknown";
        };
        /** @description Data of `part.append`. */
        PartAppend: {
            /**
             * Format: int64
             * @description The part's length before, in UTF-16 units.
             */
            at: number;
            /**
             * Format: int64
             * @description The part's place in its message, from 0.
             */
            index: number;
            /** @description The message. */
            message_id: components["schemas"]["MessageId"];
            /** @description The task. */
            task_id: components["schemas"]["TaskId"];
            /** @description What is added. */
            text: string;
        };
        /** @description Data of `part.upsert`. */
        PartUpsert: {
            /**
             * Format: int64
             * @description The part's place in its message, from 0.
             */
            index: number;
            /** @description The message. */
            message_id: components["schemas"]["MessageId"];
            /** @description The part. */
            part: components["schemas"]["Part"];
            /** @description The task. */
            task_id: components["schemas"]["TaskId"];
        };
        /** @description What to change in a queued run. */
        PatchRun: {
            before?: components["schemas"]["RunId"] | null;
            /** @description Other words. */
            text?: string | null;
        };
        /** @description What an agent means to do: steps, or a text. */
        Plan: {
            /** @description Its steps, as the agent sent them. */
            entries: Record<string, unknown>[];
            /** @description The agent's id for it, where it has more than one. */
            plan_id?: string | null;
            /** @description Whether the agent took it back. */
            removed?: boolean;
            /** @description The plan as Markdown, where the agent wrote it so. */
            text?: string | null;
        };
        /** @description A problem as it is sent (RFC 9457). Some kinds have members of their own. */
        Problem: {
            /** @description What happened this time. */
            detail?: string | null;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description What the type means. */
            title: string;
            /** @description `/problems/<slug>`: what to branch on. */
            type: string;
        };
        /** @description An agent's processes. */
        ProcessList: {
            /** @description Those that run now. */
            processes: components["schemas"]["AgentProcess"][];
        };
        /** @description A directory on disk: the agents' working directory. */
        Project: {
            /** @description When it was added. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Its id. */
            id: components["schemas"]["ProjectId"];
            /** @description Whether the directory is in a git work tree. */
            is_git: boolean;
            /** @description Whether the directory was gone when last looked at. */
            missing: boolean;
            /** @description What the user calls it; at first the directory's own name. */
            name: string;
            /** @description The directory: absolute, canonical, unique among projects. */
            path: string;
            /** @description When it was last changed. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description Data of `project.deleted`. */
        ProjectGone: {
            /** @description The project. */
            id: components["schemas"]["ProjectId"];
        };
        /** @description A ULID */
        ProjectId: string;
        /** @description All projects. */
        ProjectList: {
            /** @description By name. */
            projects: components["schemas"]["Project"][];
        };
        /** @description What an agent was sent. */
        Prompt: {
            /** @description The content blocks, exactly as they were sent. */
            prompt: Record<string, unknown>[];
        };
        /** @description A question an agent asks the user. */
        Request: {
            /** @description Who asks. */
            agent: components["schemas"]["AgentId"];
            answer?: components["schemas"]["Answer"] | null;
            completed_at?: components["schemas"]["Timestamp"] | null;
            /** @description When it was asked. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Its id. */
            id: components["schemas"]["RequestId"];
            /** @description What kind of question it is. */
            kind: components["schemas"]["RequestKind"];
            /** @description The agent's params, verbatim. */
            payload: Record<string, unknown>;
            run_id?: components["schemas"]["RunId"] | null;
            /** @description Whether it can be answered. */
            state: components["schemas"]["RequestState"];
            /** @description The task it is asked in. */
            task_id: components["schemas"]["TaskId"];
        };
        /** @description A ULID */
        RequestId: string;
        /**
         * @description What kind of question a request is.
         * @enum {string}
         */
        RequestKind: "permission" | "elicitation";
        /**
         * @description Whether a request can be answered.
         * @enum {string}
         */
        RequestState: "open" | "answered" | "void";
        /** @description Data of `reset`. */
        Reset: {
            /**
             * Format: int64
             * @description Where the stream goes on.
             */
            seq: number;
        };
        /** @description A prompt to run again. */
        RetryMessage: {
            /** @description Who is to answer; absent: who answered before. */
            agent?: string | null;
            /** @description The client's own name for this; it shares one space with sends. */
            nonce: string;
        };
        /**
         * @description Who speaks.
         * @enum {string}
         */
        Role: "user" | "assistant";
        /** @description One execution of a prompt: it fills one assistant message. */
        Run: {
            /** @description The agent that was chosen. */
            agent: components["schemas"]["AgentId"];
            /** @description The message it fills. */
            assistant_message_id: components["schemas"]["MessageId"];
            /** @description Its starts, oldest first. */
            attempts: components["schemas"]["Attempt"][];
            ended_at?: components["schemas"]["Timestamp"] | null;
            /** @description Its id. */
            id: components["schemas"]["RunId"];
            /** @description Commands that its agent left running after a cancel. */
            processes: components["schemas"]["LeftProcess"][];
            /** @description When it was asked for. */
            queued_at: components["schemas"]["Timestamp"];
            started_at?: components["schemas"]["Timestamp"] | null;
            /** @description How far it is. */
            state: components["schemas"]["RunState"];
            /** @description The task it belongs to. */
            task_id: components["schemas"]["TaskId"];
            /** @description The message it answers. */
            user_message_id: components["schemas"]["MessageId"];
            waiting_for?: components["schemas"]["WaitingFor"] | null;
        };
        /** @description A ULID */
        RunId: string;
        /**
         * @description How far a run is.
         *
         *     ```text
         *     queued → starting ⇄ running ⇄ waiting → done | error | cancelled | interrupted
         *                            └→ background → done | error | cancelled | interrupted
         *     ```
         * @enum {string}
         */
        RunState: "queued" | "starting" | "running" | "waiting" | "background" | "done" | "error" | "cancelled" | "interrupted";
        /** @description A message to send. */
        SendMessage: {
            /** @description Who is to answer. */
            agent: string;
            /** @description Attachments, in order. */
            attachments?: components["schemas"]["AttachmentId"][] | null;
            /** @description Files of the task's directory, or absolute paths. */
            mentions?: string[] | null;
            /** @description The client's own name for this send, unique in the task: sent again, it does nothing new. */
            nonce: string;
            /** @description Option values, by the option's id, that the agent is to start with; only before it has been started in the task. */
            options?: {
                [key: string]: unknown;
            } | null;
            /** @description What is said, in Markdown. */
            text: string;
        };
        /** @description What a send made. */
        Sent: {
            /** @description The message that the agent fills. */
            assistant_message_id: components["schemas"]["MessageId"];
            /** @description The run that answers it. */
            run_id: components["schemas"]["RunId"];
            /** @description The user's message. */
            user_message_id: components["schemas"]["MessageId"];
        };
        /** @description An option's new value. */
        SetOption: {
            /** @description One of those that the agent offers. */
            value: Record<string, unknown>;
        };
        /** @description The settings that hold. */
        Settings: {
            problem?: components["schemas"]["FileProblem"] | null;
            /** @description Every key of config.toml with its value. */
            settings: components["schemas"]["Config"];
        };
        /** @description What becomes of a variable. */
        SetVariable: {
            /** @description Whether the agent gets it. */
            policy: components["schemas"]["VariablePolicy"];
        };
        /** @description A remembered option value that could not be set again. */
        SkippedOption: {
            /** @description The option. */
            option_id: string;
            /** @description Why it was not set. */
            reason: string;
            /** @description The value that was remembered. */
            value: Record<string, unknown>;
        };
        /** @description The daemon and its database. */
        Status: {
            /** @description Where its data is. */
            data_dir: string;
            /** @description Names the database; survives restarts. */
            instance_id: string;
            /**
             * Format: int64
             * @description The greatest number of the feed.
             */
            seq: number;
            /** @description When the daemon was started. */
            started_at: components["schemas"]["Timestamp"];
            /** @description The daemon's version. */
            version: string;
        };
        /**
         * @description What is done in a step of an installation.
         * @enum {string}
         */
        StepKind: "waiting" | "node" | "package" | "verify";
        /** @description A bounded piece of work with exactly one chat. */
        Task: {
            /** @description Whether it was put away. */
            archived: boolean;
            /** @description When it was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The directory its agents work in: absolute, never changed after its first run. */
            cwd: string;
            /** @description Its id. */
            id: components["schemas"]["TaskId"];
            last_message_at?: components["schemas"]["Timestamp"] | null;
            /** @description Whether it is kept at the top. */
            pinned: boolean;
            project_id?: components["schemas"]["ProjectId"] | null;
            /** @description Whether its queued messages wait until the user says so or sends again. */
            queue_held: boolean;
            /** @description What is going on in it. */
            state: components["schemas"]["TaskState"];
            /** @description One line of text; empty until the first message gives it one. */
            title: string;
            /** @description Who gave the title. */
            title_source: components["schemas"]["TitleSource"];
            /** @description Whether something ended or was asked since the user last looked. */
            unread: boolean;
            /** @description When it was last changed. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description Data of `task.deleted`. */
        TaskGone: {
            /** @description The task. */
            id: components["schemas"]["TaskId"];
        };
        /** @description A ULID */
        TaskId: string;
        /** @description A page of tasks. */
        TaskList: {
            /** @description The cursor of the next page, if there is one. */
            next?: string | null;
            /** @description Newest activity first. */
            tasks: components["schemas"]["Task"][];
        };
        /**
         * @description What is going on in a task.
         * @enum {string}
         */
        TaskState: "idle" | "queued" | "running" | "waiting" | "background" | "error" | "interrupted";
        /** @description The size of a terminal. */
        TerminalSize: {
            /**
             * Format: int32
             * @description Columns.
             */
            cols: number;
            /**
             * Format: int32
             * @description Lines.
             */
            rows: number;
        };
        /**
         * Format: date-time
         * @description RFC 3339 in UTC with milliseconds
         */
        Timestamp: string;
        /**
         * @description Who gave a title; a later one in this list wins over an earlier.
         * @enum {string}
         */
        TitleSource: "prompt" | "agent" | "user";
        /** @description A tool call. Strings over 16 KiB inside `content`, `raw_input` and `raw_output` are `{"$blob": …}`, see [`crate::blob`]. */
        ToolCall: {
            /** @description Content items as the agent sent them. */
            content: Record<string, unknown>[];
            /** @description The agent's word for its kind, whatever it is. */
            kind?: string | null;
            /** @description Places as the agent sent them. */
            locations: Record<string, unknown>[];
            /** @description The tool's input, as the agent sent it. */
            raw_input?: Record<string, unknown> | null;
            /** @description The tool's output, as the agent sent it. */
            raw_output?: Record<string, unknown> | null;
            /** @description The agent's word for its status, or `stopped`. */
            status?: string | null;
            /** @description What the agent calls it; may be empty. */
            title: string;
            /** @description The agent's id for it; unique in its turn only. */
            tool_call_id: string;
            /** @description Whether it was cut off, so that it may have happened or not. */
            unknown_outcome: boolean;
        };
        /** @description What was typed into a terminal. */
        TypeIn: {
            /** @description As a terminal sends it: Enter is a carriage return. */
            data: string;
        };
        /**
         * @description What an agent does in a mode without asking the user first.
         * @enum {string}
         */
        Unasked: "everything" | "judged" | "edits" | "sandbox";
        /** @description What to change in a project. */
        UpdateProject: {
            /** @description What to call it. */
            name?: string | null;
        };
        /** @description What to change in a task. */
        UpdateTask: {
            /** @description Put away or take out again. */
            archived?: boolean | null;
            /** @description Keep at the top or not. */
            pinned?: boolean | null;
            /** @description Seen, or to be seen again. */
            read?: boolean | null;
            /** @description Its title. */
            title?: string | null;
        };
        /** @description A version of an agent. */
        UseVersion: {
            /** @description One that is installed. */
            version: string;
        };
        /**
         * @description Why a variable is told.
         * @enum {string}
         */
        VariableKind: "key" | "surroundings" | "set" | "other";
        /**
         * @description Whether an agent gets a variable.
         * @enum {string}
         */
        VariablePolicy: "pass" | "block";
        /**
         * @description Why a queued run does not start, or one that has started does not go on.
         * @enum {string}
         */
        WaitingFor: "task" | "held" | "limit" | "login";
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_agents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalogue */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    check_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it said */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    install_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is being installed */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_install: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is over */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    log_in: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogIn"];
            };
        };
        responses: {
            /** @description It has begun */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_login: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is being ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    type_in: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TypeIn"];
            };
        };
        responses: {
            /** @description It is on its way */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_output: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Bytes for a terminal */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": number[];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_size: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TerminalSize"];
            };
        };
        responses: {
            /** @description It holds */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    log_out: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is logged out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_agent_options: {
        parameters: {
            query?: {
                /** @description The project; without one, a task of no project. */
                project_id?: components["schemas"]["ProjectId"];
            };
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its options, as far as they are known */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentOptions"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_processes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The processes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessList"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stop_process: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
                /** @description The process */
                pid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is being ended */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_variable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
                /** @description The variable */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetVariable"];
            };
        };
        responses: {
            /** @description It is kept */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    use_version: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UseVersion"];
            };
        };
        responses: {
            /** @description It is used */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_version: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
                /** @description The version */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_attachment: {
        parameters: {
            query?: {
                /** @description What it is called. */
                name?: string;
            };
            header?: {
                /** @description Makes it once in a day */
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The file's bytes */
        requestBody: {
            content: {
                "application/octet-stream": number[];
            };
        };
        responses: {
            /** @description The attachment */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_attachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The attachment */
                attachment_id: components["schemas"]["AttachmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture, or a download */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": number[];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_blob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SHA-256 of its bytes, in lower-case hexadecimal */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes, as a download */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_browsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browsers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserList"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_browser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The browser */
                browser_id: components["schemas"]["BrowserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has to be paired anew */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_directories: {
        parameters: {
            query?: {
                /** @description An absolute path; without one the home directory. */
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The directory and those below it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Directories"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_events: {
        parameters: {
            query?: {
                /** @description Go on after this number */
                after?: number;
                /** @description Only content events of these tasks; may be repeated */
                task?: components["schemas"]["TaskId"][];
            };
            header?: {
                /** @description Goes before `after` */
                "Last-Event-ID"?: number | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, for as long as the connection is open */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    narrow_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As `hello` named it */
                connection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NarrowEvents"];
            };
        };
        responses: {
            /** @description It holds from now on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    make_launch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MakeLaunch"];
            };
        };
        responses: {
            /** @description The link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LaunchLink"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    continue_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The interrupted answer */
                message_id: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Once"];
            };
        };
        responses: {
            /** @description Recorded before under this nonce */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
            /** @description Recorded; the run starts when there is room */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    edit_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's message */
                message_id: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditMessage"];
            };
        };
        responses: {
            /** @description Recorded before under this nonce */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
            /** @description Recorded; the run starts when there is room */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retry_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The answer */
                message_id: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryMessage"];
            };
        };
        responses: {
            /** @description Recorded before under this nonce */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
            /** @description Recorded; the run starts when there is room */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changed"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pair: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Pair"];
            };
        };
        responses: {
            /** @description The browser is paired; the cookie is set */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Paired"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_projects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All projects */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it once in a day */
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProject"];
            };
        };
        responses: {
            /** @description The new project */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_project: {
        parameters: {
            query?: {
                /** @description What happens to its tasks: they stay without a project (the default) or are deleted. */
                tasks?: "keep" | "delete";
            };
            header?: never;
            path: {
                /** @description The project */
                project_id: components["schemas"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    update_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The project */
                project_id: components["schemas"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProject"];
            };
        };
        responses: {
            /** @description The project */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    find_files: {
        parameters: {
            query?: {
                /** @description At most this many (20; up to 200). */
                limit?: number;
                /** @description Letters of the path, in order. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description The project */
                project_id: components["schemas"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Files, the best first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileList"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answer_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The request */
                request_id: components["schemas"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerRequest"];
            };
        };
        responses: {
            /** @description The answer is stored and goes to the agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Request"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run */
                run_id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    drop_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run */
                run_id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The queued run */
                run_id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchRun"];
            };
        };
        responses: {
            /** @description The run as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run */
                run_id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It had ended before; nothing happens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description It is being stopped */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_evidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run */
                run_id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Evidence"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_processes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run */
                run_id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are being ended */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run */
                run_id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prompt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prompt"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_run_now: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The queued run */
                run_id: components["schemas"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is the next */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    update_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigPatch"];
            };
        };
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The daemon */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tasks: {
        parameters: {
            query?: {
                /** @description Only archived ones instead of only others. */
                archived?: boolean;
                /** @description `next` of the page before. */
                cursor?: string;
                /** @description At most this many (50; up to 200). */
                limit?: number;
                /** @description Only those of this project. */
                project_id?: components["schemas"]["ProjectId"];
                /** @description Only those whose title or text holds this. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tasks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskList"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it once in a day */
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTask"];
            };
        };
        responses: {
            /** @description The new task */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    update_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTask"];
            };
        };
        responses: {
            /** @description The task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_branches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Branches"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restore_branch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The branch */
                branch_id: components["schemas"]["BranchId"];
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Once"];
            };
        };
        responses: {
            /** @description The task, with the branch in its chat */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_chat: {
        parameters: {
            query?: {
                /** @description Only messages before this ordinal; without it the newest. */
                before?: number;
                /** @description At most this many (50; up to 200). */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    preview_handoff: {
        parameters: {
            query: {
                /** @description The agent that would be asked. */
                agent: components["schemas"]["AgentId"];
            };
            header?: never;
            path: {
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preview */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Handoff"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connect_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is being started */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disconnect_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is being ended */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_option: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The agent */
                agent: components["schemas"]["AgentId"];
                /** @description The option, as the agent calls it */
                option_id: string;
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetOption"];
            };
        };
        responses: {
            /** @description The agent took it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessage"];
            };
        };
        responses: {
            /** @description Recorded before under this nonce */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sent"];
                };
            };
            /** @description Recorded; the run starts when the task is free */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sent"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resume_queue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The task */
                task_id: components["schemas"]["TaskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description A problem (RFC 9457); docs/problems.md has every type */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
