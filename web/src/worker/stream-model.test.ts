import { describe, expect, test } from "vitest";
import type { Id } from "../api/types";
import { TaskStore } from "../state/task-store";
import { dice, ModelDaemon, VirtualTime } from "../testing/world";
import { Hub } from "./hub";
import type { HubMessage, Port, TabMessage } from "./protocol";
import { Tab, type TabPort } from "./tab";

const TASKS: Id[] = ["t1", "t2", "t3"];

/** A tab with one open task, joined to the hub by a pair of queues that may stall. */
class ModelTab {
  readonly lock = `lock-${Math.random()}`;
  store: TaskStore | null = null;
  stalled = false;
  #inbox: HubMessage[] = [];
  readonly #world: World;
  readonly #hubSide: Port<HubMessage>;
  readonly #tabSide: TabPort;
  readonly #tab: Tab;

  constructor(world: World) {
    this.#world = world;
    this.#hubSide = { postMessage: (message) => this.#arrive(structuredClone(message)) };
    this.#tabSide = {
      onmessage: null,
      postMessage: (message: TabMessage) => void world.time.delay(1, () => world.hub.receive(this.#hubSide, message)),
    };
    this.#tab = new Tab(this.#tabSide, {
      state: () => {},
      retry: () => {},
      events: (events) => this.store?.receive(events),
      watched: (task, seq) => this.store?.task === task && this.store.watched(seq),
      resync: () => this.store?.resync(),
    });
    this.#tab.join(this.lock);
  }

  show(task: Id): void {
    if (this.store) {
      this.#tab.unwatch(this.store.task);
      this.store.close();
    }
    this.store = new TaskStore(task, {
      fetchChat: (id) => this.#world.fetchChat(id),
      isFinal: () => false,
      nextFrame: (run) => void this.#world.time.delay(16, run),
      delay: this.#world.time.delay,
    });
    this.#tab.watch(task);
  }

  /** As `pagehide` and `pageshow` do around the back-forward cache. */
  sleepAndReturn(): void {
    this.#tab.leave();
    this.store?.unwatched();
    this.#tab.join(this.lock);
  }

  crash(): void {
    this.store?.close();
    this.stalled = true;
    this.#world.released.get(this.lock)?.();
  }

  stall(): void {
    this.stalled = true;
  }

  goOn(): void {
    this.stalled = false;
    for (const message of this.#inbox.splice(0)) this.#deliver(message);
  }

  texts(): string[] {
    const state = this.store?.state;
    return (state?.order ?? []).map((id) =>
      (state?.entries.get(id)?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("|"),
    );
  }

  #arrive(message: HubMessage): void {
    this.#world.time.delay(1, () => (this.stalled ? this.#inbox.push(message) : this.#deliver(message)));
  }

  #deliver(message: HubMessage): void {
    this.#tabSide.onmessage?.({ data: message } as MessageEvent<HubMessage>);
  }
}

class World {
  readonly time = new VirtualTime();
  readonly released = new Map<string, () => void>();
  readonly random: () => number;
  readonly daemon: ModelDaemon;
  readonly hub: Hub;
  readonly tabs: ModelTab[] = [];

  constructor(seed: number) {
    this.random = dice(seed);
    this.daemon = new ModelDaemon(this.time, this.random);
    this.hub = new Hub({
      open: this.daemon.open,
      setWatched: this.daemon.setWatched,
      probe: this.daemon.probe,
      delay: this.time.delay,
      random: this.random,
      whenReleased: (lock, gone) => void this.released.set(lock, gone),
    });
    this.hub.start();
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }

  fetchChat(task: Id) {
    return new Promise<ReturnType<ModelDaemon["snapshot"]>>((resolve, reject) => {
      this.time.delay(this.random() * 50, () => {
        if (!this.daemon.up || this.random() < 0.05) return reject(new Error("unreachable"));
        const chat = this.daemon.snapshot(task);
        this.time.delay(this.random() * 50, () => resolve(chat));
      });
    });
  }

  addTab(): void {
    const tab = new ModelTab(this);
    tab.show(this.pick(TASKS));
    this.tabs.push(tab);
  }

  step(): void {
    const die = this.random();
    const tab = this.pick(this.tabs);
    if (die < 0.7) for (let n = this.random() * 12; n > 0; n -= 1) this.daemon.act(this.pick(TASKS));
    else if (die < 0.74) this.daemon.dropConnections();
    else if (die < 0.75) this.daemon.silenceConnections();
    else if (die < 0.77) this.daemon.stop();
    else if (die < 0.82) this.daemon.start();
    else if (die < 0.825) this.restartEmpty();
    else if (die < 0.85) this.daemon.trimFeed();
    else if (die < 0.88) tab.show(this.pick(TASKS));
    else if (die < 0.92) tab.stall();
    else if (die < 0.96) tab.goOn();
    else if (die < 0.97 && !tab.stalled) tab.sleepAndReturn();
    else if (die < 0.98 && this.tabs.length > 1) this.tabs.splice(this.tabs.indexOf(tab), 1)[0]?.crash();
    else if (this.tabs.length < 6) this.addTab();
  }

  private restartEmpty(): void {
    this.daemon.stop();
    this.daemon.startEmpty();
  }
}

describe("the stream, from a daemon over the hub to the tabs", () => {
  const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

  test.each(seeds)("every tab ends with the daemon's text, whatever happened on the way (seed %i)", async (seed) => {
    const world = new World(seed);
    for (let n = 0; n < 4; n += 1) world.addTab();
    for (let n = 0; n < 250; n += 1) {
      world.step();
      await world.time.runUntil(world.time.now + world.random() * 120);
    }
    world.daemon.start();
    for (const tab of world.tabs) tab.goOn();
    await world.time.runUntil(world.time.now + 120_000);
    expect(world.daemon.connections).toBe(1);
    for (const tab of world.tabs) {
      expect(tab.texts(), `the tab on ${tab.store?.task}`).toEqual(world.daemon.texts(tab.store?.task ?? ""));
    }
  });

  test("a tab that takes nothing in is dropped from, and catches up by a snapshot", async () => {
    const world = new World(7);
    world.addTab();
    world.addTab();
    const [slow, quick] = world.tabs as [ModelTab, ModelTab];
    slow.show("t1");
    quick.show("t1");
    await world.time.runUntil(1_000);
    slow.stall();
    for (let n = 0; n < 400; n += 1) {
      world.daemon.act("t1");
      await world.time.runUntil(world.time.now + 40);
    }
    expect(quick.texts()).toEqual(world.daemon.texts("t1"));
    expect(slow.texts()).not.toEqual(world.daemon.texts("t1"));
    slow.goOn();
    await world.time.runUntil(world.time.now + 2_000);
    expect(slow.texts()).toEqual(world.daemon.texts("t1"));
  });
});
