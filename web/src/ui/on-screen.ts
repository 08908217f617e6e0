/** Pixels around the screen that count as on it: what comes next is made ready. */
const MARGIN = "300px";

const watched = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | null = null;

/** Calls once when the element comes on screen. Returns the way to give it up. */
export function whenOnScreen(element: Element, seen: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer?.unobserve(target);
        watched.get(target)?.();
      }
    },
    { rootMargin: MARGIN },
  );
  watched.set(element, seen);
  observer.observe(element);
  return () => {
    watched.delete(element);
    observer?.unobserve(element);
  };
}
