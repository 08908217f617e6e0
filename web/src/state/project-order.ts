import type { Id, Project } from "../api/types";

/** Projects in the order that was chosen; those that were never moved follow by name. */
export function orderProjects(projects: Iterable<Project>, order: readonly Id[]): Project[] {
  const place = new Map(order.map((id, index) => [id, index]));
  const placeOf = ({ id }: Project) => place.get(id) ?? Number.MAX_SAFE_INTEGER;
  return [...projects].toSorted((a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

/** The shown order with one project moved in front of another, or to the end. */
export function moveProject(shown: readonly Id[], moved: Id, before: Id | null): Id[] {
  const rest = shown.filter((id) => id !== moved);
  const index = before === null ? rest.length : rest.indexOf(before);
  return index < 0 ? [...shown] : rest.toSpliced(index, 0, moved);
}

/** In front of which project one stands after a step up or down; undefined where there is no further step. */
export function stepTarget(shown: readonly Id[], moved: Id, step: -1 | 1): Id | null | undefined {
  const index = shown.indexOf(moved);
  const next = index + step;
  if (index < 0 || next < 0 || next >= shown.length) return undefined;
  return step < 0 ? shown[next] : (shown[next + 1] ?? null);
}
