/** The objects of the API as the page uses them. */

/** A ULID, 26 characters. */
export type Id = string;
/** RFC 3339 in UTC with milliseconds. */
export type Timestamp = string;

export interface Project {
  id: Id;
  path: string;
  name: string;
  is_git: boolean;
  missing: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export type TaskState = "idle" | "queued" | "running" | "waiting" | "background" | "error" | "interrupted";

export interface Task {
  id: Id;
  project_id: Id | null;
  title: string | null;
  title_source: "user" | "agent" | "prompt" | null;
  cwd: string | null;
  state: TaskState;
  queue_held: boolean;
  archived: boolean;
  pinned: boolean;
  unread: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
  last_message_at: Timestamp | null;
}

export type MessageStatus = "queued" | "streaming" | "done" | "error" | "cancelled" | "interrupted";

/** A message without its parts, as `message.upsert` carries it. */
export interface MessageHead {
  id: Id;
  task_id: Id;
  ordinal: number;
  role: "user" | "assistant";
  origin: "user" | "run" | "agent";
  agent: string | null;
  status: MessageStatus;
  run_id: Id | null;
  late: boolean;
  created_at: Timestamp;
  duration_ms: number | null;
  stop_reason: string | null;
  usage: unknown;
}

export interface Message extends MessageHead {
  parts: Part[];
}

export interface TextPart {
  type: "text" | "thought";
  text: string;
}

export interface ToolCallPart {
  type: "tool_call";
  tool_call_id: string;
  title: string | null;
  kind: string | null;
  /** The agent's own word, or "stopped". */
  status: string | null;
  content: unknown;
  locations: unknown;
  raw_input: unknown;
  raw_output: unknown;
  unknown_outcome: boolean;
}

export interface PlanPart {
  type: "plan";
  entries: unknown;
}

export interface AttachmentPart {
  type: "image" | "file";
  attachment_id: Id | null;
  path: string | null;
  name: string | null;
  mime_type: string | null;
  size: number | null;
}

export interface ErrorPart {
  type: "error";
  code: string | number | null;
  message: string;
  detail: unknown;
}

export interface UnknownPart {
  type: "unknown";
  raw: unknown;
}

export type Part = TextPart | ToolCallPart | PlanPart | AttachmentPart | ErrorPart | UnknownPart;

export type RunState =
  | "queued"
  | "starting"
  | "running"
  | "waiting"
  | "background"
  | "done"
  | "error"
  | "cancelled"
  | "interrupted";

export interface RunProcess {
  pid: number;
  command: string;
  started_at: Timestamp | null;
}

export interface Run {
  id: Id;
  task_id: Id;
  agent: string;
  state: RunState;
  waiting_for: "task" | "held" | "limit" | null;
  user_message_id: Id;
  assistant_message_id: Id;
  queued_at: Timestamp;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
  attempts: unknown[];
  processes: RunProcess[];
}

/** A question of an agent. `payload` is what the agent sent, word for word. */
export interface AgentRequest {
  id: Id;
  task_id: Id;
  run_id: Id | null;
  agent: string;
  kind: "permission" | "elicitation";
  payload: unknown;
  state: "open" | "answered" | "void";
  answer: unknown;
  created_at: Timestamp;
}

export type LinkState = "off" | "starting" | "ready" | "busy" | "parked" | "needs_login" | "failed";

export interface Link {
  task_id: Id;
  agent: string;
  state: LinkState;
  detail: string | null;
  options: unknown;
  commands: unknown;
  usage: unknown;
  has_session: boolean;
  seen_ordinal: number;
  skipped_options: unknown[];
}

export type AgentState = "ready" | "not_installed" | "installing" | "needs_login" | "broken";

export interface Agent {
  id: string;
  name: string;
  description: string | null;
  source: "builtin" | "registry" | "custom";
  state: AgentState;
  version: string | null;
  hint: string | null;
  progress: unknown;
  capabilities: unknown;
}

export interface Chat {
  task: Task;
  messages: Message[];
  has_more: boolean;
  requests: AgentRequest[];
  links: Link[];
  seq: number;
}

export interface Hello {
  connection: string;
  instance_id: string;
  seq: number;
  version: string;
  build: string;
}

export interface Status {
  version: string;
  instance_id: string;
  started_at: Timestamp;
  data_dir: string;
  seq: number;
}

export interface Directories {
  path: string;
  parent: string | null;
  entries: { name: string; path: string; is_git: boolean }[];
}

export interface Browser {
  id: Id;
  name?: string | null;
  user_agent?: string | null;
  current?: boolean;
  created_at: Timestamp;
  last_seen_at?: Timestamp | null;
}

export interface Attachment {
  id: Id;
  name: string;
  mime_type: string;
  size: number;
  sha256: string;
}

export interface Sent {
  user_message_id: Id;
  assistant_message_id: Id;
  run_id: Id;
}

interface EventData {
  "project.upsert": Project;
  "project.deleted": { id: Id };
  "task.upsert": Task;
  "task.deleted": { id: Id };
  "agent.upsert": Agent;
  "link.upsert": Link;
  "request.upsert": AgentRequest;
  "run.upsert": Run;
  "message.upsert": MessageHead;
  "message.deleted": { task_id: Id; id: Id };
  "part.upsert": { task_id: Id; message_id: Id; index: number; part: Part };
  "part.append": { task_id: Id; message_id: Id; index: number; at: number; text: string };
  "chat.truncated": { task_id: Id; from_ordinal: number };
}

/** One event of the feed. `seq` is its place in the one order of the daemon. */
export type FeedEvent = { [K in keyof EventData]: { seq: number; kind: K; data: EventData[K] } }[keyof EventData];
export type EventKind = FeedEvent["kind"];
