import { describe, expect, test } from "vitest";
import type { Project, Task } from "../api/types";
import { taskOf } from "../testing/world";
import { needsYou, OverviewStore, tasksByActivity } from "./overview";

const project = (id: string, name = id): Project => ({
  id,
  path: `/home/someone/${id}`,
  name,
  is_git: true,
  missing: false,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
});

/** Lists that answer when told to. */
function pausedLists() {
  let answer: (projects: Project[]) => void = () => {};
  const promise = new Promise<Project[]>((resolve) => {
    answer = resolve;
  });
  const store = new OverviewStore({
    fetchProjects: () => promise,
    fetchTasks: async () => ({ tasks: [taskOf("t1")], next: "c1" }),
    fetchAgents: async () => ({ agents: [], problem: null }),
  });
  return { store, answer };
}

describe("the overview", () => {
  test("counts what happened while the lists were on their way after them", async () => {
    const { store, answer } = pausedLists();
    const loading = store.load();
    store.receive([
      { seq: 5, kind: "project.upsert", data: project("p1", "renamed") },
      { seq: 6, kind: "project.deleted", data: { id: "p2" } },
    ]);
    answer([project("p1"), project("p2")]);
    await loading;
    expect([...store.get().projects.values()]).toEqual([project("p1", "renamed")]);
    expect(store.get().loaded).toBe(true);
  });

  test("keeps what it had and says why when the lists do not come", async () => {
    const store = new OverviewStore({
      fetchProjects: () => Promise.reject(new Error("away")),
      fetchTasks: async () => ({ tasks: [], next: null }),
      fetchAgents: async () => ({ agents: [], problem: null }),
    });
    store.receive([{ seq: 1, kind: "project.upsert", data: project("p1") }]);
    await store.load();
    expect(store.getError()).toEqual(new Error("away"));
    expect(store.get().projects.size).toBe(1);
  });

  test("adds older tasks without touching newer knowledge of them", async () => {
    const older = [{ ...taskOf("t1"), title: "as it was" }, taskOf("t0")];
    const store = new OverviewStore({
      fetchProjects: async () => [],
      fetchTasks: async (cursor) => (cursor === null ? { tasks: [taskOf("t1")], next: "c1" } : { tasks: older, next: null }),
      fetchAgents: async () => ({ agents: [], problem: null }),
    });
    await store.load();
    await store.loadMoreTasks();
    expect([...store.get().tasks.values()].map(({ id, title }) => [id, title])).toEqual([
      ["t1", "t1"],
      ["t0", "t0"],
    ]);
    expect(store.get().nextTasks).toBeNull();
  });
});

describe("tasks", () => {
  const task = (id: string, more: Partial<Task>): Task => ({ ...taskOf(id), ...more });

  test("are ordered by their own activity, the pinned first, without the archived", () => {
    const tasks = [
      task("a", { last_message_at: "2026-01-02T00:00:00.000Z" }),
      task("b", { last_message_at: null, created_at: "2026-01-03T00:00:00.000Z" }),
      task("c", { last_message_at: "2026-01-01T00:00:00.000Z", pinned: true }),
      task("d", { last_message_at: "2026-01-09T00:00:00.000Z", archived: true }),
    ];
    expect(tasksByActivity(tasks).map(({ id }) => id)).toEqual(["c", "b", "a"]);
  });

  test.each([
    [{ state: "waiting" }, true],
    [{ state: "error" }, true],
    [{ state: "interrupted" }, true],
    [{ state: "idle", unread: true }, true],
    [{ state: "idle" }, false],
    [{ state: "running", unread: true }, false],
    [{ state: "waiting", archived: true }, false],
  ] as const)("need somebody when %j: %j", (more, expected) => {
    expect(needsYou(task("a", more))).toBe(expected);
  });
});
