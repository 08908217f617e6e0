import { expect, test } from "vitest";
import type { Project } from "../api/types";
import { moveProject, orderProjects, stepTarget } from "./project-order";

const project = (name: string): Project => ({
  id: name,
  path: `/${name}`,
  name,
  is_git: false,
  missing: false,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
});
const all = ["d", "a", "c", "b"].map(project);
const names = (order: string[]) => orderProjects(all, order).map(({ name }) => name);

test("projects stand by name until they are moved", () => {
  expect(names([])).toEqual(["a", "b", "c", "d"]);
  expect(names(["c", "a"])).toEqual(["c", "a", "b", "d"]);
  expect(names(["gone", "d"])).toEqual(["d", "a", "b", "c"]);
});

test.each([
  ["a", "c", ["b", "a", "c", "d"]],
  ["d", "a", ["d", "a", "b", "c"]],
  ["b", null, ["a", "c", "d", "b"]],
  ["b", "b", ["a", "b", "c", "d"]],
  ["b", "gone", ["a", "b", "c", "d"]],
])("%s moved in front of %s", (moved, before, expected) => {
  expect(moveProject(["a", "b", "c", "d"], moved, before)).toEqual(expected);
});

test("every step leads where one would expect, and none leads out", () => {
  const shown = ["a", "b", "c"];
  const step = (moved: string, by: -1 | 1) => {
    const before = stepTarget(shown, moved, by);
    return before === undefined ? null : moveProject(shown, moved, before);
  };
  expect(step("a", -1)).toBeNull();
  expect(step("a", 1)).toEqual(["b", "a", "c"]);
  expect(step("b", 1)).toEqual(["a", "c", "b"]);
  expect(step("c", 1)).toBeNull();
  expect(step("c", -1)).toEqual(["a", "c", "b"]);
});
