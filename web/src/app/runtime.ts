import { getChat, getStatus, listAgents, listProjects, listTasks } from "../api/calls";
import { takeEarlyChat } from "../api/early-chat";
import { onSignedOut, onStoreTrouble, type StoreTrouble } from "../api/http";
import { Problem } from "../api/problem";
import type { FeedEvent, Id } from "../api/types";
import type { ChatState } from "../state/apply";
import { OverviewStore } from "../state/overview";
import { TaskStore } from "../state/task-store";
import type { DaemonInfo, StreamState } from "../worker/protocol";
import { Tab } from "../worker/tab";
import { openPort, ownHub, type StreamPort } from "./port";

/** How this tab stands with the daemon. `polling`: no stream could be had, snapshots are taken again and again. */
export interface Connection {
  readonly state: StreamState | "polling";
  readonly daemon: DaemonInfo | null;
  /** The daemon serves another page than this one. */
  readonly outdated: boolean;
  /** While the daemon is away: when it is tried again, in milliseconds since 1970. */
  readonly retryAt: number | null;
  /** The daemon refused to write: the end of its problem's type. Null since something was written again. */
  readonly store: StoreTrouble | null;
}

const FRAME_MS = 33;
const HIDDEN_UNWATCH_MS = 30_000;
const STREAM_PATIENCE_MS = 5_000;
const POLL_MS = 3_000;
const KEPT_CHATS = 8;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** Everything of a tab that lives outside React: the stream, the lists and the open chats. */
export class Runtime {
  readonly overview = new OverviewStore({
    fetchProjects: async () => (await listProjects()).projects,
    fetchTasks: (cursor) => listTasks({ limit: 100, cursor }),
    fetchAgents: listAgents,
  });
  #connection: Connection = { state: "connecting", daemon: null, outdated: false, retryAt: null, store: null };
  readonly #connectionListeners = new Set<() => void>();
  readonly #eventListeners = new Set<(events: readonly FeedEvent[]) => void>();
  readonly #stores = new Map<Id, TaskStore>();
  /** Chats that were left, to be painted at once when opened again. The oldest goes first. */
  readonly #kept = new Map<Id, ChatState>();
  #stream: StreamPort;
  #tab: Tab;
  #releaseLock: (() => void) | null = null;
  #asleep = false;
  #listsWanted = false;
  #frames: (() => void)[] = [];
  #lastFrame = 0;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #pairingTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#stream = openPort(() => this.#useOwnHub());
    this.#tab = this.#newTab();
    this.#join();
    onSignedOut(() => this.#setConnection({ state: "signed-out" }));
    onStoreTrouble((store) => this.#setConnection({ store }));
    this.#followVisibility();
  }

  /** Begins with the lists: they make way for the first paint. */
  loadLists(): void {
    this.#listsWanted = true;
    void this.overview.load();
  }

  getConnection = (): Connection => this.#connection;

  subscribeConnection = (listener: () => void): (() => void) => {
    this.#connectionListeners.add(listener);
    return () => this.#connectionListeners.delete(listener);
  };

  /** Hears every event that reaches this tab, also while it is hidden. */
  onEvents(listener: (events: readonly FeedEvent[]) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** The store of a task. What cannot be an id is not watched: the daemon would refuse the whole stream for it. */
  openTask(task: Id): TaskStore {
    const open = this.#stores.get(task);
    if (open) return open;
    const store = new TaskStore(
      task,
      {
        fetchChat: (id, page) => takeEarlyChat(id, page) ?? getChat(id, page),
        isFinal: (error) => error instanceof Problem && error.status < 500 && error.status !== 401,
        nextFrame: (run) => this.#nextFrame(run),
        delay,
      },
      this.#kept.get(task) ?? null,
    );
    this.#stores.set(task, store);
    if (!this.#asleep) this.#watch(task);
    return store;
  }

  /** The store of a task that is open. */
  opened(task: Id): TaskStore | null {
    return this.#stores.get(task) ?? null;
  }

  closeTask(store: TaskStore): void {
    if (this.#stores.get(store.task) !== store) return;
    this.#stores.delete(store.task);
    if (!this.#asleep) this.#unwatch(store.task);
    this.#kept.delete(store.task);
    if (store.state) this.#kept.set(store.task, store.state);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_CHATS) break;
      this.#kept.delete(oldest);
    }
    store.close();
  }

  /** This browser has just been paired, or may have been: take everything up again. */
  paired(): void {
    this.#setConnection({ state: "connecting" });
    this.#tab.wake();
    this.#refresh();
  }

  /** Asks the stream to connect now instead of at the end of its pause. */
  wake(): void {
    this.#tab.wake();
  }

  #newTab(): Tab {
    return new Tab(this.#stream.port, {
      state: (state, daemon) => this.#heard(state, daemon),
      retry: (after) => this.#setConnection({ retryAt: Date.now() + after }),
      events: (events) => this.#take(events),
      watched: (task, seq) => this.#stores.get(task)?.watched(seq),
      resync: () => this.#refresh(),
    });
  }

  #useOwnHub(): void {
    if (this.#stream.own) return;
    this.#stream = ownHub();
    this.#tab = this.#newTab();
    for (const store of this.#stores.values()) {
      store.unwatched();
      this.#watch(store.task);
    }
    this.#releaseLock?.();
    this.#join();
  }

  #join(): void {
    const name = `drover-tab-${crypto.randomUUID()}`;
    const { promise: held, resolve } = Promise.withResolvers<void>();
    this.#releaseLock = resolve;
    void navigator.locks.request(name, () => {
      this.#tab.join(name);
      return held;
    });
    if (this.#stream.own && !document.hidden) this.#startOwn(this.#stream.own);
  }

  #startOwn(hub: NonNullable<StreamPort["own"]>): void {
    hub.start();
    clearTimeout(this.#pollTimer);
    this.#pollTimer = setTimeout(() => this.#poll(), STREAM_PATIENCE_MS);
  }

  #poll(): void {
    if (this.#connection.state === "live" || document.hidden) return;
    if (this.#connection.state === "connecting") this.#setConnection({ state: "polling" });
    this.#refresh();
    this.#pollTimer = setTimeout(() => this.#poll(), POLL_MS);
  }

  #heard(state: StreamState, daemon: DaemonInfo | null): void {
    const wasSignedOut = this.#connection.state === "signed-out";
    if (state === "connecting" && (wasSignedOut || this.#connection.state === "polling")) return;
    const outdated = daemon !== null && isOutdated(daemon.build);
    const cameBack = state === "live" && this.#connection.state !== "live";
    this.#setConnection({ state, daemon, outdated });
    if (cameBack) this.#refreshLists(wasSignedOut);
  }

  /** Lists that were asked for before the stream was live may have missed something. */
  #refreshLists(chatsToo: boolean): void {
    if (this.#listsWanted) void this.overview.load();
    if (chatsToo) for (const store of this.#stores.values()) store.retry();
  }

  #refresh(): void {
    void this.overview.load();
    for (const store of this.#stores.values()) store.retry();
  }

  #take(events: readonly FeedEvent[]): void {
    // What comes through the feed has been written.
    if (this.#connection.store !== null) this.#setConnection({ store: null });
    this.overview.receive(events);
    for (const store of this.#stores.values()) store.receive(events);
    for (const listener of this.#eventListeners) listener(events);
  }

  #setConnection(change: Partial<Connection>): void {
    const next = { ...this.#connection, ...change };
    const before = this.#connection;
    this.#connection = next;
    if (isSame(before, next)) return;
    if (next.state !== before.state) clearTimeout(this.#pairingTimer);
    if (next.state === "signed-out" && before.state !== "signed-out") this.#awaitPairing();
    for (const listener of this.#connectionListeners) listener();
  }

  /** Another tab may pair this browser at any time. */
  #awaitPairing(): void {
    this.#pairingTimer = setTimeout(() => {
      if (document.hidden) return this.#awaitPairing();
      getStatus().then(
        () => this.paired(),
        () => this.#awaitPairing(),
      );
    }, POLL_MS);
  }

  #nextFrame(run: () => void): void {
    this.#frames.push(run);
    if (this.#frames.length > 1 || document.hidden) return;
    this.#scheduleFrame();
  }

  #scheduleFrame(): void {
    const wait = Math.max(0, this.#lastFrame + FRAME_MS - performance.now());
    setTimeout(
      () =>
        requestAnimationFrame(() => {
          this.#lastFrame = performance.now();
          for (const run of this.#frames.splice(0)) run();
        }),
      wait,
    );
  }

  #followVisibility(): void {
    let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(hiddenTimer);
      if (document.hidden) {
        this.#stream.own?.pause();
        hiddenTimer = setTimeout(() => this.#fallAsleep(), HIDDEN_UNWATCH_MS);
        return;
      }
      if (this.#stream.own) this.#startOwn(this.#stream.own);
      else this.#tab.wake();
      this.#wakeUp();
      if (this.#frames.length > 0) this.#scheduleFrame();
    });
    addEventListener("online", () => this.#tab.wake());
    addEventListener("pagehide", () => {
      this.#tab.leave();
      this.#releaseLock?.();
      for (const store of this.#stores.values()) store.unwatched();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.#join();
    });
  }

  #fallAsleep(): void {
    this.#asleep = true;
    for (const store of this.#stores.values()) {
      this.#unwatch(store.task);
      store.unwatched();
    }
  }

  #wakeUp(): void {
    if (!this.#asleep) return;
    this.#asleep = false;
    for (const store of this.#stores.values()) this.#watch(store.task);
  }

  #watch(task: Id): void {
    if (ULID.test(task)) this.#tab.watch(task);
  }

  #unwatch(task: Id): void {
    if (ULID.test(task)) this.#tab.unwatch(task);
  }
}

const isSame = (a: Connection, b: Connection): boolean =>
  a.state === b.state && a.daemon === b.daemon && a.retryAt === b.retryAt && a.store === b.store;

function delay(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** The shell says which build this page is; where it does not, the first daemon heard of counts. */
let ownBuild: string | null = null;
function isOutdated(build: string): boolean {
  ownBuild ??= document.querySelector<HTMLMetaElement>('meta[name="drover-build"]')?.content ?? build;
  return ownBuild !== build;
}
