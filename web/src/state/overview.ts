import type { Agent, FeedEvent, Id, Project, Task } from "../api/types";

/** What every tab knows of the whole daemon: the lists, never a chat. */
export interface Overview {
  readonly projects: ReadonlyMap<Id, Project>;
  readonly tasks: ReadonlyMap<Id, Task>;
  readonly agents: ReadonlyMap<string, Agent>;
  /** Set while agents.toml does not parse. */
  readonly agentsProblem: { file: string; detail: string } | null;
  /** Where the next page of older tasks begins, if there is one. */
  readonly nextTasks: string | null;
  readonly loaded: boolean;
}

export const emptyOverview: Overview = {
  projects: new Map(),
  tasks: new Map(),
  agents: new Map(),
  agentsProblem: null,
  nextTasks: null,
  loaded: false,
};

/** The lists after `event`. Events carry whole objects, so one that is applied twice does no harm. */
export function applyToOverview(overview: Overview, event: FeedEvent): Overview {
  switch (event.kind) {
    case "project.upsert":
      return { ...overview, projects: new Map(overview.projects).set(event.data.id, event.data) };
    case "project.deleted":
      return { ...overview, projects: without(overview.projects, event.data.id) };
    case "task.upsert":
      return { ...overview, tasks: new Map(overview.tasks).set(event.data.id, event.data) };
    case "task.deleted":
      return { ...overview, tasks: without(overview.tasks, event.data.id) };
    case "agent.upsert":
      return { ...overview, agents: new Map(overview.agents).set(event.data.id, event.data) };
    default:
      return overview;
  }
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

/** The moment that orders a task among others. */
export const activityOf = (task: Task): string => task.last_message_at ?? task.created_at;

/** Tasks that are not archived, the pinned first, then by newest activity. */
export function tasksByActivity(tasks: Iterable<Task>): Task[] {
  return [...tasks]
    .filter((task) => !task.archived)
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || activityOf(b).localeCompare(activityOf(a)) || b.id.localeCompare(a.id));
}

/** Why somebody should look at a task: a question is open, it failed, or it ended unseen. */
export type Urgency = "asking" | "failed" | "finished";

export function urgencyOf(task: Task): Urgency | null {
  if (task.archived) return null;
  if (task.state === "waiting") return "asking";
  if (task.state === "error" || task.state === "interrupted") return "failed";
  return task.unread && task.state === "idle" ? "finished" : null;
}

export const needsYou = (task: Task): boolean => urgencyOf(task) !== null;

/** The tasks that somebody should look at, by the reason, in the given order. */
export function tasksByUrgency(tasks: readonly Task[]): Record<Urgency, Task[]> {
  const groups: Record<Urgency, Task[]> = { asking: [], failed: [], finished: [] };
  for (const task of tasks) {
    const urgency = urgencyOf(task);
    if (urgency !== null) groups[urgency].push(task);
  }
  return groups;
}

export const isActive = (task: Task): boolean => task.state === "running" || task.state === "waiting" || task.state === "queued";

export interface OverviewOutside {
  fetchProjects(): Promise<Project[]>;
  fetchTasks(cursor: string | null): Promise<{ tasks: Task[]; next: string | null }>;
  fetchAgents(): Promise<{ agents: Agent[]; problem: Overview["agentsProblem"] }>;
}

/** Holds the overview: loads the lists and follows the feed. Events that come while lists are on their way count after them. */
export class OverviewStore {
  readonly #outside: OverviewOutside;
  readonly #listeners = new Set<() => void>();
  #overview = emptyOverview;
  #error: unknown = null;
  #loading = false;
  #again = false;
  #since: FeedEvent[] = [];

  constructor(outside: OverviewOutside) {
    this.#outside = outside;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get = (): Overview => this.#overview;

  /** Why the lists could not be loaded, while they could not. */
  getError = (): unknown => this.#error;

  receive(events: readonly FeedEvent[]): void {
    if (this.#loading) this.#since.push(...events);
    this.#set(events.reduce(applyToOverview, this.#overview));
  }

  /** Keeps what an answer to an act of this tab already tells, before the feed does. */
  learn(event: Extract<FeedEvent, { kind: "project.upsert" | "task.upsert" }>): void {
    this.receive([event]);
  }

  async load(): Promise<void> {
    if (this.#loading) {
      this.#again = true;
      return;
    }
    this.#loading = true;
    this.#since = [];
    try {
      const [projects, page, catalogue] = await Promise.all([
        this.#outside.fetchProjects(),
        this.#outside.fetchTasks(null),
        this.#outside.fetchAgents(),
      ]);
      const loaded: Overview = {
        projects: byId(projects),
        tasks: byId(page.tasks),
        agents: byId(catalogue.agents),
        agentsProblem: catalogue.problem,
        nextTasks: page.next,
        loaded: true,
      };
      this.#error = null;
      this.#set(this.#since.reduce(applyToOverview, loaded));
    } catch (error) {
      this.#error = error;
      this.#tell();
    } finally {
      this.#loading = false;
    }
    if (this.#again) {
      this.#again = false;
      await this.load();
    }
  }

  async loadMoreTasks(): Promise<void> {
    const cursor = this.#overview.nextTasks;
    if (cursor === null) return;
    const page = await this.#outside.fetchTasks(cursor);
    const tasks = new Map(this.#overview.tasks);
    for (const task of page.tasks) if (!tasks.has(task.id)) tasks.set(task.id, task);
    this.#set({ ...this.#overview, tasks, nextTasks: page.next });
  }

  /** Takes in tasks from a further page of a list; what is known of a task already is newer. */
  addOlder(older: readonly Task[]): void {
    const unknown = older.filter(({ id }) => !this.#overview.tasks.has(id));
    if (unknown.length === 0) return;
    const tasks = new Map(this.#overview.tasks);
    for (const task of unknown) tasks.set(task.id, task);
    this.#set({ ...this.#overview, tasks });
  }

  #set(overview: Overview): void {
    if (overview === this.#overview) return;
    this.#overview = overview;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function byId<T extends { id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}
