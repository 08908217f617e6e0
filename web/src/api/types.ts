import type { components } from "./schema.gen";

/** The objects of the API, as docs/openapi.json describes them. */
type Schemas = components["schemas"];

/** What the daemon sends. Every member is there, null where there is no value; the document calls those optional. */
type Whole<T> = T extends readonly (infer Item)[]
  ? Whole<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Whole<T[Key]> }
    : T;

/** A ULID, 26 characters. */
export type Id = string;

export type Project = Whole<Schemas["Project"]>;
export type Task = Whole<Schemas["Task"]>;
export type TaskState = Schemas["TaskState"];
export type Run = Whole<Schemas["Run"]>;
export type Link = Whole<Schemas["Link"]>;
export type Agent = Whole<Schemas["Agent"]>;
export type AgentVariable = Agent["variables"][number];
export type AuthMethod = Whole<Schemas["AuthMethod"]>;
export type Install = NonNullable<Agent["install"]>;
export type ProcessList = Whole<Schemas["ProcessList"]>;
export type AgentProcess = ProcessList["processes"][number];
export type Config = Whole<Schemas["Config"]>;
export type Status = Whole<Schemas["Status"]>;
export type Directories = Whole<Schemas["Directories"]>;
export type Attachment = Whole<Schemas["Attachment"]>;
export type Sent = Whole<Schemas["Sent"]>;
export type Hello = Whole<Schemas["Hello"]>;
export type Paired = Whole<Schemas["Paired"]>;
export type Browser = Whole<Schemas["PairedBrowser"]>;
export type TaskList = Whole<Schemas["TaskList"]>;
export type ProjectList = Whole<Schemas["ProjectList"]>;
export type AgentList = Whole<Schemas["AgentList"]>;
export type AgentOptions = Whole<Schemas["AgentOptions"]>;
export type FileList = Whole<Schemas["FileList"]>;
export type Settings = Whole<Schemas["Settings"]>;
export type BrowserList = Whole<Schemas["BrowserList"]>;
export type BranchList = Whole<Schemas["Branches"]>;
export type Branch = BranchList["branches"][number];
export type Handoff = Whole<Schemas["Handoff"]>;
export type Evidence = Whole<Schemas["Evidence"]>;
/** Content blocks of the protocol, as they were sent. */
export type Prompt = { prompt: unknown[] };
export type SendMessage = Schemas["SendMessage"];

/** A question of an agent. `payload` is what the agent sent, word for word. */
export type AgentRequest = Whole<Schemas["Request"]>;

export type MessageStatus = Schemas["MessageStatus"];
/** A message without its parts, as `message.upsert` carries it. */
export type MessageHead = Whole<Schemas["MessageHead"]>;
export type Part = Whole<Schemas["Part"]>;
export type Message = MessageHead & { parts: Part[] };
/** A snapshot of a task's chat: its newest page, or an older one. */
export type Chat = Omit<Whole<Schemas["Chat"]>, "messages"> & { messages: Message[] };

export type PartOf<Type extends Part["type"]> = Type extends unknown ? Extract<Part, { type: Type }> : never;
export type ToolCallPart = PartOf<"tool_call">;

type Feed<Event> = Event extends { event: infer Kind; data: infer Data }
  ? Kind extends "hello" | "mark" | "reset"
    ? never
    : { seq: number; kind: Kind; data: Data }
  : never;

/** One event of the feed. `seq` is its place in the one order of the daemon. */
export type FeedEvent = Feed<Whole<Schemas["Event"]>>;
