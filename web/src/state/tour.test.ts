import { expect, test } from "vitest";
import type { Agent } from "../api/types";
import { onlyTour } from "./tour";

const agents = (...states: [string, Agent["state"]][]): Map<string, Agent> =>
  new Map(states.map(([id, state]) => [id, { id, state } as Agent]));

test("the tour is offered only where nothing else is ready", () => {
  expect(onlyTour(agents(["claude", "not_installed"], ["tour", "ready"]))).toBe(true);
  expect(onlyTour(agents(["claude", "ready"], ["tour", "ready"]))).toBe(false);
  expect(onlyTour(agents(["claude", "ready"]))).toBe(false);
  expect(onlyTour(agents(["tour", "broken"]))).toBe(false);
  expect(onlyTour(agents())).toBe(false);
});
