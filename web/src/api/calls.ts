import { request, send } from "./http";
import { Problem } from "./problem";
import type {
  Agent,
  AgentList,
  AgentOptions,
  AgentVariable,
  AgentRequest,
  Attachment,
  BranchList,
  BrowserList,
  Chat,
  Config,
  Directories,
  Evidence,
  FileList,
  Handoff,
  Id,
  Link,
  Paired,
  ProcessList,
  Project,
  ProjectList,
  Prompt,
  Run,
  SendMessage,
  Sent,
  Settings,
  Status,
  Task,
  TaskList,
} from "./types";

const at = encodeURIComponent;

export const getStatus = () => request<Status>("/status");

export const pair = (code: string) => request<Paired>("/pair", { method: "POST", body: { code } });

export const listProjects = () => request<ProjectList>("/projects");
export const createProject = (body: { path: string; name?: string }) =>
  request<Project>("/projects", { method: "POST", body });
export const renameProject = (id: Id, name: string) =>
  request<Project>(`/projects/${at(id)}`, { method: "PATCH", body: { name } });
export const deleteProject = (id: Id, tasks: "keep" | "delete") =>
  request<null>(`/projects/${at(id)}`, { method: "DELETE", query: { tasks } });

/** Files of a project whose paths have these letters, the best first. */
export const findFiles = (project: Id, q: string, signal?: AbortSignal) =>
  request<FileList>(`/projects/${at(project)}/files`, { query: { q, limit: 20 }, signal });

export const listDirectories = (path: string | null) => request<Directories>("/directories", { query: { path } });

export interface TaskQuery {
  project_id?: Id;
  q?: string;
  archived?: boolean;
  limit?: number;
  cursor?: string | null;
}
export const listTasks = (query: TaskQuery) =>
  request<TaskList>("/tasks", { query: { ...query } });
/** `once`: the same name makes the same task, however often it is sent. */
export const createTask = (project_id: Id | null, once?: string) =>
  request<Task>("/tasks", {
    method: "POST",
    body: project_id ? { project_id } : {},
    ...(once !== undefined && { headers: { "Idempotency-Key": once } }),
  });
export const changeTask = (
  id: Id,
  change: { title?: string; archived?: boolean; pinned?: boolean; read?: boolean },
) => request<Task>(`/tasks/${at(id)}`, { method: "PATCH", body: change });
export const deleteTask = (id: Id) => request<null>(`/tasks/${at(id)}`, { method: "DELETE" });
export const getTask = (id: Id) => request<Task>(`/tasks/${at(id)}`);

/** Messages in the first page of a chat, and in each older one. */
export const PAGE = 80;

/** A page of the chat, ascending: the newest, or the one that ends before the ordinal `before`. */
export const getChat = (id: Id, page: { before?: number; limit?: number } = {}, signal?: AbortSignal) =>
  request<Chat>(`/tasks/${at(id)}/chat`, { query: page, signal });

export const sendMessage = (task: Id, body: SendMessage) =>
  request<Sent>(`/tasks/${at(task)}/messages`, { method: "POST", body });

/** Discards an agent's message and what follows it, and runs its prompt again. */
export const retryMessage = (message: Id, nonce: string, agent?: string) =>
  request<Sent>(`/messages/${at(message)}/retry`, { method: "POST", body: { nonce, ...(agent && { agent }) } });
/** Discards a person's message and what follows it, and sends other words. Attachments that are not named stay. */
export const editMessage = (message: Id, body: { nonce: string; text: string; attachments?: Id[]; agent?: string }) =>
  request<Sent>(`/messages/${at(message)}/edit`, { method: "POST", body });
/** Lets the agent of an interrupted message go on where it was cut off. */
export const continueMessage = (message: Id, nonce: string) =>
  request<Sent>(`/messages/${at(message)}/continue`, { method: "POST", body: { nonce } });

export const listBranches = (task: Id) => request<BranchList>(`/tasks/${at(task)}/branches`);
/** Brings back what was set aside; what stands in its place now is set aside in turn. */
export const restoreBranch = (task: Id, branch: Id, nonce: string) =>
  request<Task>(`/tasks/${at(task)}/branches/${at(branch)}/restore`, { method: "POST", body: { nonce } });

/** What a send to that agent would hand over now. */
export const getHandoff = (task: Id, agent: string) => request<Handoff>(`/tasks/${at(task)}/handoff`, { query: { agent } });
/** The content blocks that were sent, exactly. */
export const getPrompt = (run: Id) => request<Prompt>(`/runs/${at(run)}/prompt`);
/** What changed on disk since a run began. */
export const getEvidence = (run: Id) => request<Evidence>(`/runs/${at(run)}/evidence`);

export const getRun = (id: Id) => request<Run>(`/runs/${at(id)}`);
export const resumeQueue = (task: Id) => request<Task>(`/tasks/${at(task)}/queue/resume`, { method: "POST", body: {} });
export const cancelRun = (id: Id) => request<Run>(`/runs/${at(id)}/cancel`, { method: "POST", body: {} });
export const sendRunNow = (id: Id) => request<Run>(`/runs/${at(id)}/send_now`, { method: "POST", body: {} });
/** Changes what is queued: its words, or its place (`before` another queued run, null for the end). */
export const patchRun = (id: Id, change: { text?: string; before?: Id | null }) =>
  request<Run>(`/runs/${at(id)}`, { method: "PATCH", body: change });
/** Ends what the agent of a stopped run left running. */
export const endProcesses = (id: Id) => request<Run>(`/runs/${at(id)}/processes`, { method: "DELETE" });
export const dropRun = (id: Id) => request<Run | null>(`/runs/${at(id)}`, { method: "DELETE" });

export const listAgents = () => request<AgentList>("/agents");
/** What an agent offered last, with the values that a new task of the project would start with. */
export const getAgentOptions = (agent: string, project_id: Id | null, signal?: AbortSignal) =>
  request<AgentOptions>(`/agents/${at(agent)}/options`, { query: { project_id }, signal });
/** Consents to what `install` of the agent says. */
export const installAgent = (id: string) => request<Agent>(`/agents/${at(id)}/install`, { method: "POST", body: {} });
/** Ends an installation, and forgets why the last one failed. */
export const cancelInstall = (id: string) => request<Agent>(`/agents/${at(id)}/install`, { method: "DELETE" });
export const setVersion = (id: string, version: string) =>
  request<Agent>(`/agents/${at(id)}/version`, { method: "PUT", body: { version } });
export const setVariable = (id: string, name: string, policy: AgentVariable["policy"]) =>
  request<Agent>(`/agents/${at(id)}/variables/${at(name)}`, { method: "PUT", body: { policy } });
export const removeVersion = (id: string, version: string) =>
  request<Agent>(`/agents/${at(id)}/versions/${at(version)}`, { method: "DELETE" });
export const listProcesses = (id: string) => request<ProcessList>(`/agents/${at(id)}/processes`);
export const stopProcess = (id: string, pid: number) =>
  request<null>(`/agents/${at(id)}/processes/${pid}`, { method: "DELETE" });

const link = (task: Id, agent: string) => `/tasks/${at(task)}/links/${at(agent)}`;
export const getLink = (task: Id, agent: string) => request<Link>(link(task, agent));
export const connectLink = (task: Id, agent: string) =>
  request<Link>(`${link(task, agent)}/connect`, { method: "POST", body: {} });
export const setOption = (task: Id, agent: string, option: string, value: unknown) =>
  request<Link>(`${link(task, agent)}/options/${at(option)}`, { method: "PUT", body: { value } });

export const answerRequest = (id: Id, answer: { option_id: string | null } | { action: "accept" | "decline" | "cancel"; content?: Record<string, unknown> }) =>
  request<AgentRequest>(`/requests/${at(id)}`, { method: "POST", body: answer });

export const uploadAttachment = (file: File) =>
  request<Attachment>("/attachments", {
    method: "POST",
    query: { name: file.name },
    body: file,
    headers: { "Content-Type": file.type || "application/octet-stream" },
  });

/** The text of a blob: what stands behind a `$blob` preview. */
export async function getBlobText(sha256: string): Promise<string> {
  const response = await send(`/blobs/${at(sha256)}`);
  if (!response.ok) throw new Problem(response.status, null);
  return response.text();
}

/** Where an attachment can be shown from; the cookie alone opens it. */
export const attachmentUrl = (id: Id) => `/api/v1/attachments/${at(id)}`;

export const changeSettings = (change: Partial<Config>) => request<Settings>("/settings", { method: "PATCH", body: change });

export const listBrowsers = () => request<BrowserList>("/browsers");
export const revokeBrowser = (id: Id) => request<null>(`/browsers/${at(id)}`, { method: "DELETE" });

export const getSettings = () => request<Settings>("/settings");

const loginOf = (agent: string) => `/agents/${at(agent)}/login`;
export const checkAgent = (agent: string) => request<Agent>(`/agents/${at(agent)}/check`, { method: "POST", body: {} });
export const logIn = (agent: string, method_id: string) => request<Agent>(loginOf(agent), { method: "POST", body: { method_id } });
export const endLogin = (agent: string) => request<null>(loginOf(agent), { method: "DELETE" });
export const logOut = (agent: string) => request<Agent>(`/agents/${at(agent)}/logout`, { method: "POST", body: {} });
export const typeIntoLogin = (agent: string, data: string) =>
  request<null>(`${loginOf(agent)}/input`, { method: "POST", body: { data } });
export const setLoginSize = (agent: string, rows: number, cols: number) =>
  request<null>(`${loginOf(agent)}/size`, { method: "PUT", body: { rows, cols } });

/** What the terminal of a login shows: what is kept of it, then what follows, until it ends. */
export async function followLogin(agent: string, show: (bytes: Uint8Array) => void, signal: AbortSignal): Promise<void> {
  const response = await send(`${loginOf(agent)}/output`, { signal });
  if (!response.ok || !response.body) return;
  const reader = response.body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) show(piece.value);
}
